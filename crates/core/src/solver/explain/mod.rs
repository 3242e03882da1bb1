//! Why a puzzle has no solution: a few clues that already conflict.
//!
//! A set of clues *conflicts* when no grid satisfies them all and the rules of distinct groups, which always apply.
//! QuickXplain (Junker 2004, *Preferred explanations and relaxations for over-constrained problems*, AAAI) finds an
//! irreducible conflict by dropping clues in halves. Then the implicit hitting set duality (Ignatiev, Previti, Liffiton
//! and Marques-Silva 2015, *Smallest MUS extraction with minimal hitting set dualization*,
//! doi 10.1007/978-3-319-23219-5_13) finds a smallest one. Every conflict has a clue outside each satisfiable set: it
//! hits the set's complement. So a smallest set that hits all complements found so far is no larger than any conflict;
//! it conflicts itself or gives a further complement. Where limits end this, QuickXplain tries other orders of the
//! clues, which may lead to a smaller conflict.
//!
//! ```text
//! sets = []
//! loop
//!     least = a smallest set of clues that hits all sets
//!     if least is as large as the best conflict: that is a smallest one
//!     if least conflicts: it is a smallest one
//!     grow a satisfiable set from least; sets += the clues outside it
//! ```

mod vertices;

pub use vertices::{VertexConflict, vertex_conflict};

use super::{Limits, Status, solve};
use crate::budget::{Clock, Interrupt};
use crate::problem::Problem;

/// The most sub-problems that one explanation solves.
const MOST_QUESTIONS: u64 = 10_000;

/// One sub-problem may take this fraction (1 / `SHARE`) of the remaining nodes, so that a hard one leaves some for
/// others.
const SHARE: u64 = 4;

/// The search for a smallest conflict leaves this fraction (1 / `RESERVE`) of the questions to other orders.
const RESERVE: u64 = 4;

/// The orders of the clues that QuickXplain tries.
const ORDERS: usize = 8;

/// Clues that no grid satisfies together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Their groups, ascending; none when the distinct groups conflict without any clue.
    pub clues: Vec<usize>,
    /// What is proved of their number.
    pub proof: Proof,
    /// Decisions taken to find them.
    pub nodes: u64,
}

/// What is proved of an [`Explanation`] besides that its clues conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No fewer clues conflict.
    Smallest,
    /// Without any one of them the others do not conflict; fewer other clues may.
    Irreducible,
    /// Nothing: limits ended the search for fewer.
    Reduced,
}

impl Proof {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smallest => "smallest",
            Self::Irreducible => "irreducible",
            Self::Reduced => "reduced",
        }
    }
}

/// Finds a few clues that conflict; `None` when the problem has a solution, or limits or the interrupt leave that open.
///
/// `limits` bound the explanation as a whole (nodes: decisions of all sub-problems together); `solutions` is ignored.
/// The same problem under the same nodes gives the same explanation, unless seconds or the interrupt end it.
pub fn explain(problem: &Problem, limits: &Limits, interrupt: &Interrupt) -> Option<Explanation> {
    ConflictSearch::new(problem, limits, interrupt, MOST_QUESTIONS).explain()
}

/// What the solver says of some clues.
enum Consistency {
    Conflict,
    /// The ranks of a grid that satisfies them.
    Fits(Vec<u8>),
    Unknown,
}

/// A search for conflicts that asks the solver about sets of clues, within limits.
struct ConflictSearch<'a> {
    problem: &'a Problem,
    limits: &'a Limits,
    interrupt: &'a Interrupt,
    clock: Clock,
    /// All groups with a clue.
    clues: Vec<usize>,
    questions_left: u64,
    nodes: u64,
    /// A question had no answer within the limits.
    doubt: bool,
}

impl<'a> ConflictSearch<'a> {
    fn new(problem: &'a Problem, limits: &'a Limits, interrupt: &'a Interrupt, questions: u64) -> Self {
        let clues = (0..problem.groups()).filter(|group| problem.rule(*group).clue.is_some()).collect();
        let (questions_left, clock) = (questions, Clock::start());
        Self { problem, limits, interrupt, clock, clues, questions_left, nodes: 0, doubt: false }
    }

    fn explain(mut self) -> Option<Explanation> {
        let all = self.clues.clone();
        let Consistency::Conflict = self.ask(&all, 1) else { return None };
        // Lines alone may conflict: then no clue is needed.
        let irreducible = match self.ask(&[], SHARE) {
            Consistency::Conflict => Vec::new(),
            _ if all.is_empty() => all,
            _ => self.reduce(&mut Vec::new(), false, &all),
        };
        let proof = if self.doubt { Proof::Reduced } else { Proof::Irreducible };
        let (mut clues, proof) = match self.smallest(irreducible.len()) {
            Some(Some(fewer)) => (fewer, Proof::Smallest),
            Some(None) => (irreducible, Proof::Smallest),
            None if proof == Proof::Irreducible => (self.other_orders(irreducible), proof),
            None => (irreducible, proof),
        };
        clues.sort_unstable();
        Some(Explanation { clues, proof, nodes: self.nodes })
    }

    /// The smallest irreducible conflict among `best` and those of other orders of the clues.
    fn other_orders(&mut self, mut best: Vec<usize>) -> Vec<usize> {
        let mut order = self.clues.clone();
        self.doubt = false;
        for _ in 1..ORDERS {
            // Halving drops the last clues first: another order may end at a smaller conflict.
            order.rotate_left(self.clues.len().div_ceil(ORDERS));
            let found = self.reduce(&mut Vec::new(), false, &order);
            if self.doubt {
                break;
            }
            if found.len() < best.len() {
                best = found;
            }
        }
        best
    }

    /// QuickXplain: an irreducible subset of `clues` that conflicts together with the `fixed` ones, as all of `clues`
    /// do. `grown` says that the fixed ones may conflict by themselves. Drops no clue where an answer is unknown.
    fn reduce(&mut self, fixed: &mut Vec<usize>, grown: bool, clues: &[usize]) -> Vec<usize> {
        if grown && matches!(self.ask(fixed, SHARE), Consistency::Conflict) {
            return Vec::new();
        }
        if clues.len() == 1 {
            return clues.to_vec();
        }
        let (first, second) = clues.split_at(clues.len() / 2);
        let mut kept = self.beside(fixed, first, second);
        let others = self.beside(fixed, &kept.clone(), first);
        kept.extend(others);
        kept
    }

    fn beside(&mut self, fixed: &mut Vec<usize>, more: &[usize], clues: &[usize]) -> Vec<usize> {
        let before = fixed.len();
        fixed.extend(more);
        let kept = self.reduce(fixed, !more.is_empty(), clues);
        fixed.truncate(before);
        kept
    }

    /// A smallest conflict if one has fewer than `best` clues, `Some(None)` if none has; `None` when limits leave that
    /// open.
    fn smallest(&mut self, best: usize) -> Option<Option<Vec<usize>>> {
        let mut hitting = HittingSets::new(self.problem.groups());
        let reserve = self.questions_left / RESERVE;
        while self.questions_left > reserve {
            let least = hitting.least()?;
            if least.len() >= best {
                return Some(None);
            }
            match self.ask(&least, SHARE) {
                Consistency::Conflict => return Some(Some(least)),
                Consistency::Unknown => return None,
                Consistency::Fits(grid) => hitting.add(self.outside(&grid)),
            }
        }
        None
    }

    /// The clues outside a satisfiable set, which grows from those that a grid satisfies until no other is known to
    /// fit.
    fn outside(&mut self, grid: &[u8]) -> Vec<usize> {
        let (mut inside, mut untried) = self.divide(&self.clues, grid);
        let mut outside = Vec::new();
        while let Some(clue) = untried.pop() {
            inside.push(clue);
            if let Consistency::Fits(grid) = self.ask(&inside, SHARE) {
                let (too, rest) = self.divide(&untried, &grid);
                inside.extend(too);
                untried = rest;
            } else {
                inside.pop();
                outside.push(clue);
            }
        }
        outside
    }

    /// The clues that a grid satisfies, and the others.
    fn divide(&self, clues: &[usize], grid: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let value = |cell: &u16| self.problem.values()[usize::from(grid[usize::from(*cell)])];
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for &group in clues {
            let digits: Vec<u8> = self.problem.cells_of(group).iter().map(value).collect();
            let holds = self.problem.rule(group).clue.is_some_and(|clue| clue.holds(&digits));
            if holds { inside.push(group) } else { outside.push(group) }
        }
        (inside, outside)
    }

    /// Asks whether these clues conflict, with a share of the nodes left.
    fn ask(&mut self, clues: &[usize], share: u64) -> Consistency {
        if self.questions_left == 0 || self.interrupt.is_raised() || self.clock.past(self.limits.seconds) {
            self.doubt = true;
            return Consistency::Unknown;
        }
        self.questions_left -= 1;
        let left = self.limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes) / share);
        let seconds = self.limits.seconds.map(|seconds| seconds - self.clock.wall_s());
        let limits = Limits { solutions: 1, nodes: left, seconds, ..Limits::default() };
        let mut grid = Vec::new();
        // Distinct groups stay: an explanation names clues.
        let reduced = self.problem.with_only_clues(clues);
        let outcome = solve(&reduced, &limits, self.interrupt, &mut |ranks| grid = ranks.to_vec());
        self.nodes += outcome.nodes;
        match outcome.status {
            Status::Unsolvable => Consistency::Conflict,
            Status::Undecided => {
                self.doubt = true;
                Consistency::Unknown
            }
            Status::Unique | Status::Multiple | Status::Solved => Consistency::Fits(grid),
        }
    }
}

/// The most elements of sets that a [`HittingSets`] visits.
const MOST_WORK: u64 = 1 << 28;

/// Finds smallest hitting sets exactly: iterative deepening from the last size, branching on the elements of the set
/// that has the fewest. A branch is cut when more pairwise disjoint sets are left than elements may still be chosen.
/// The branches after an element exclude it.
struct HittingSets {
    sets: Vec<Vec<usize>>,
    /// No fewer elements hit them all.
    bound: usize,
    chosen: Vec<usize>,
    is_chosen: Vec<bool>,
    is_banned: Vec<bool>,
    /// The survey in which an element was last part of a set that counts as disjoint.
    met: Vec<u64>,
    now: u64,
    work_left: u64,
}

/// No work is left.
struct OutOfWork;

impl HittingSets {
    /// No sets yet; elements are below `elements`.
    fn new(elements: usize) -> Self {
        Self {
            sets: Vec::new(),
            bound: 0,
            chosen: Vec::new(),
            is_chosen: vec![false; elements],
            is_banned: vec![false; elements],
            met: vec![0; elements],
            now: 0,
            work_left: MOST_WORK,
        }
    }

    /// Adds a set to be hit.
    fn add(&mut self, set: Vec<usize>) {
        self.sets.push(set);
    }

    /// A smallest set that hits all; `None` when finding it takes too long, or some set is empty.
    fn least(&mut self) -> Option<Vec<usize>> {
        if self.sets.iter().any(Vec::is_empty) {
            return None;
        }
        loop {
            // Sets are only ever added: what was too few before is too few now, and the last size is where to
            // go on.
            match self.extend(self.bound) {
                Ok(true) => {
                    self.is_chosen.fill(false);
                    self.is_banned.fill(false);
                    return Some(std::mem::take(&mut self.chosen));
                }
                Ok(false) => self.bound += 1,
                Err(OutOfWork) => return None,
            }
        }
    }

    /// Chooses up to `left` further elements that hit the sets that are left; says whether there are such.
    fn extend(&mut self, left: usize) -> Result<bool, OutOfWork> {
        let Some((fewest, disjoint)) = self.survey()? else { return Ok(true) };
        // Each disjoint set needs an element of its own.
        if disjoint > left {
            return Ok(false);
        }
        let mut elements = self.sets[fewest].clone();
        elements.retain(|element| !self.is_banned[*element]);
        for &element in &elements {
            self.chosen.push(element);
            self.is_chosen[element] = true;
            if self.extend(left - 1)? {
                return Ok(true);
            }
            self.chosen.pop();
            self.is_chosen[element] = false;
            // Sets with it have been tried: the others need not try them again.
            self.is_banned[element] = true;
        }
        for element in elements {
            self.is_banned[element] = false;
        }
        Ok(false)
    }

    /// Of the sets not yet hit, the index of the one with the fewest free elements, and a number that are pairwise
    /// disjoint; `None` when all are hit.
    fn survey(&mut self) -> Result<Option<(usize, usize)>, OutOfWork> {
        self.now += 1;
        let (mut fewest, mut disjoint) = (None, 0);
        for (index, set) in self.sets.iter().enumerate() {
            self.work_left = self.work_left.checked_sub(set.len() as u64 + 1).ok_or(OutOfWork)?;
            if set.iter().any(|element| self.is_chosen[*element]) {
                continue;
            }
            let free = set.iter().filter(|element| !self.is_banned[**element]);
            let count = free.clone().count();
            if fewest.is_none_or(|(least, _)| count < least) {
                fewest = Some((count, index));
            }
            // No element hits two of these, so that each needs one.
            if free.clone().all(|element| self.met[*element] != self.now) {
                disjoint += 1;
                for element in free {
                    self.met[*element] = self.now;
                }
            }
        }
        Ok(fewest.map(|(_, index)| (index, disjoint)))
    }
}

#[cfg(test)]
mod tests;
