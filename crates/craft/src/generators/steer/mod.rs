//! Steering: a draft is changed until its puzzle has one solution and is as it was ordered.
//!
//! ```text
//! a draft with a solution of its own
//! while the exact solver finds another solution
//!     change the draft so that it has none of those found so far
//! while it has flaws, or is not what was ordered
//!     change it near a flaw, or towards the order; make the solution the only one again
//!     keep the change unless that made it worse
//! begin anew where nothing helps for long
//! ```
//!
//! Other solutions are counterexamples: a change that excludes them is found by arithmetic, before the solver is asked again
//! (counterexample-guided synthesis: A. Solar-Lezama et al., ASPLOS 2006, doi:10.1145/1168857.1168907).
//!
//! All work is counted in tries, and their number is bounded, so that no order takes for ever. A try is a puzzle about which the solver
//! is asked, with [`NODES`] decisions. What a proof that a clue is needed takes beyond, and the trials of a grade, count by their
//! decisions and grids.
//!
//! **Invariant**: the order of questions and draws is part of the format, and so are all numbers below: they decide which puzzle
//! comes first.

mod draft;
mod evolution;
mod generator;
mod population;

use std::cmp::Reverse;

use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;
use kenga_core::solver::{Limits, Status, propagate, solve};

use super::Shortfall;
use super::order::{Appraisal, Requirements, Wish};
use kenga_core::sort::sort_by_key;
use kenga_core::text::enumeration;

pub(super) use draft::{Flaws, PuzzleDraft, differing, pick, switch_clues};
pub use evolution::{Advantage, Adversary, Evolution, Measurement};
pub(super) use generator::Steered;

/// Tries for one puzzle that was ordered.
pub(super) const EFFORT: u32 = 4000;

/// The same for one without a clue to spare.
const MINIMAL_EFFORT: u32 = 4 * EFFORT;

/// Decisions of the solver for one puzzle; one that takes more is changed where its cells are open.
const NODES: u64 = 200;

/// Other solutions that a change must exclude all at once; of more, the latest.
const POOL: usize = 12;

/// Decisions of the solver for the proof that a clue is needed, where it is neither found nor excluded within [`NODES`] and nothing
/// else is wrong with the puzzle. Clues that are undecided then count as such that can be left out.
const PROOF: u64 = 100 * NODES;

/// Decisions that the solver takes at least for most puzzles that take a person trial and error; those with fewer are not graded
/// where such puzzles are ordered.
const SEARCH: u64 = 6;

/// The most cells of a grid to which that does not apply: small puzzles are graded soon, and take few decisions.
const SMALL: usize = 36;

/// Solver calls for single clues that count as one try.
const SPARE_CLUES: u32 = 4;

/// Grids that the trials of a grade look at for one try.
const GRIDS: u64 = 50;

/// Tries that a beginning costs from which no draft came.
const BEGINNING: u32 = 10;

/// Rounds in which a change of a sound draft is followed by others that make its solution the only one again.
const REPAIRS: usize = 4;

/// Changes in a row without progress before a draft is given up.
const PATIENCE: usize = 100;

/// Begins a draft; none where that fails.
type Begin<'b, D> = &'b dyn Fn(&mut RunRng) -> Option<D>;

/// The work on one puzzle.
pub(super) struct Steering<'a> {
    order: &'a Requirements,
    pub(super) rng: &'a mut RunRng,
    pub(super) interrupt: &'a Interrupt,
    /// Puzzles tried so far.
    tried: u32,
    /// Tries after which it gives up.
    effort: u32,
    /// Decisions of the solver for one puzzle.
    nodes: u64,
    /// Whether puzzles are evolved.
    evolution: Option<&'a Evolution<'a>>,
}

/// A draft whose puzzle has no more solutions than it may have, and how far it is from what was ordered.
#[derive(Clone)]
struct RatedDraft<D> {
    draft: D,
    /// Decisions that the solver took to prove its solutions.
    nodes: u64,
    flaws: Flaws,
    appraisal: Appraisal,
    /// The clues that can be left out, where the rest is as ordered.
    spare: Vec<u16>,
}

impl<D> RatedDraft<D> {
    /// Zeros where it is what was ordered; the least is the best.
    fn cost(&self) -> [usize; 3] {
        [self.flaws.count, self.appraisal.distance, self.spare.len()]
    }

    fn is_ordered(&self) -> bool {
        self.cost() == [0; 3]
    }

    /// Where and how to change it.
    fn advice(&self) -> (&[u16], Wish) {
        if self.flaws.count > 0 {
            (&self.flaws.cells, self.flaws.wish)
        } else if self.appraisal.distance > 0 {
            (&self.appraisal.cells, self.appraisal.wish)
        } else {
            (&self.spare, Wish::Looser)
        }
    }

    /// What is wrong with it, in words.
    fn fault(&self) -> String {
        let mut words = Vec::new();
        if self.appraisal.distance > 0 {
            words.push(self.appraisal.words.clone());
        }
        if !self.flaws.words.is_empty() {
            words.push(format!("has {}", enumeration(self.flaws.words.clone())));
        }
        match self.spare.len() {
            0 => {}
            1 => words.push("has a clue that is not proved to be needed".to_owned()),
            count => words.push(format!("has {count} clues that are not proved to be needed")),
        }
        format!("the nearest {}", enumeration(words))
    }
}

impl<'a> Steering<'a> {
    /// Nothing tried yet.
    pub(super) fn new(order: &'a Requirements, rng: &'a mut RunRng, interrupt: &'a Interrupt) -> Self {
        let effort = if order.minimal { MINIMAL_EFFORT } else { EFFORT };
        Self { order, rng, interrupt, tried: 0, effort, nodes: NODES, evolution: None }
    }

    /// The same, for a puzzle that is evolved.
    pub(super) fn evolving(self, evolution: &'a Evolution<'a>) -> Self {
        Self { nodes: PROOF, evolution: Some(evolution), ..self }
    }

    /// Any puzzle with one solution will do.
    pub(super) fn has_no_aim(&self) -> bool {
        !self.order.is_graded() && self.evolution.is_none()
    }

    /// Makes what was ordered from drafts that `begin` begins.
    ///
    /// # Errors
    /// [`Shortfall`] when all the effort is spent: with the best puzzle that was found, if there is one.
    pub(super) fn run<D: PuzzleDraft>(mut self, begin: Begin<'_, D>) -> Result<Puzzle, Shortfall> {
        match self.evolution {
            Some(evolution) => evolution.run(&mut self, begin),
            None => Ok(self.found(begin)?.draft.puzzle()),
        }
    }

    /// A puzzle as it was ordered, from drafts that `begin` begins.
    fn found<D: PuzzleDraft>(&mut self, begin: Begin<'_, D>) -> Result<RatedDraft<D>, Shortfall> {
        let mut nearest: Option<RatedDraft<D>> = None;
        let mut is_begun = false;
        while self.goes_on() {
            let Some(draft) = begin(self.rng) else {
                // A beginning that fails takes time, too, and may fail for ever.
                self.tried += BEGINNING;
                continue;
            };
            is_begun = true;
            // Larger grids have more other solutions to exclude.
            let rounds = 40 + draft.solution().len();
            let Some((draft, nodes)) = self.with_few_solutions(draft, rounds) else { continue };
            let best = self.improved(draft, nodes);
            if best.is_ordered() {
                return Ok(best);
            }
            if nearest.as_ref().is_none_or(|nearest| best.cost() < nearest.cost()) {
                nearest = Some(best);
            }
        }
        let fault = match &nearest {
            Some(nearest) => nearest.fault(),
            None if is_begun => "every puzzle had more solutions than it may have".to_owned(),
            None => D::NOT_BEGUN.to_owned(),
        };
        let nearest = nearest.map(|nearest| nearest.draft.puzzle());
        Err(Shortfall::new(self.tried, nearest, fault))
    }

    fn goes_on(&self) -> bool {
        self.tried < self.effort && !self.interrupt.is_raised()
    }

    /// Changes a draft for the better until it is what was ordered, or nothing helps.
    fn improved<D: PuzzleDraft>(&mut self, draft: D, nodes: u64) -> RatedDraft<D> {
        let mut best = self.appraised(draft, nodes);
        let mut idle = 0;
        while !best.is_ordered() && idle < PATIENCE && self.goes_on() {
            idle += 1;
            let mut next = best.draft.clone();
            let (near, wish) = best.advice();
            if !next.change(near, wish, self.rng) {
                continue;
            }
            let Some((next, nodes)) = self.with_few_solutions(next, REPAIRS) else { continue };
            // A grade takes long: a puzzle that is further from search than the best so far is not graded.
            if nodes < best.nodes.min(self.search(&next)) {
                continue;
            }
            let next = self.appraised(next, nodes);
            if next.cost() < best.cost() {
                idle = 0;
            }
            // Equals are taken, too: a draft may walk over a plateau.
            if next.cost() <= best.cost() {
                best = next;
            }
        }
        best
    }

    /// What is wrong with a draft. The dear questions come last, and only where the cheap ones left nothing to mend.
    fn appraised<D: PuzzleDraft>(&mut self, draft: D, nodes: u64) -> RatedDraft<D> {
        let flaws = draft.flaws();
        let mut found =
            RatedDraft { draft, nodes, flaws, appraisal: Appraisal::default(), spare: Vec::new() };
        // The order asks for a longer search than this one takes: no grade would mend that.
        if nodes < self.search(&found.draft) {
            found.appraisal = Appraisal::without_search(nodes);
            return found;
        }
        if !self.order.is_graded() && !self.order.minimal {
            return found;
        }
        let puzzle = found.draft.puzzle();
        let problem = Problem::compile(&puzzle);
        found.appraisal = self.order.appraise(&puzzle, &problem, self.interrupt);
        self.tried += (found.appraisal.effort / problem.cells() as u64 / GRIDS) as u32;
        if self.order.minimal && found.flaws.count == 0 && found.appraisal.distance == 0 {
            found.spare = self.spare_clues(&found.draft, &problem);
        }
        found
    }

    /// The fewest decisions of a puzzle that is graded.
    fn search(&self, draft: &impl PuzzleDraft) -> u64 {
        let is_hard = self.order.is_unreasonable() && draft.solution().len() > SMALL;
        if is_hard { SEARCH } else { 0 }
    }

    /// The first cells of the parts whose clues can be left out, as far as the contrary is not proved.
    fn spare_clues(&mut self, draft: &impl PuzzleDraft, problem: &Problem) -> Vec<u16> {
        let parts = draft.parts();
        self.tried += parts.len() as u32 / SPARE_CLUES;
        let mut needed = Vec::new();
        for part in &parts {
            needed.push(self.is_needed(problem, part, NODES));
        }
        // Where a clue is known to be spare the draft changes anyway: long proofs about the others would be lost.
        if !needed.contains(&Some(false)) {
            for (part, needed) in parts.iter().zip(&mut needed) {
                if needed.is_none() && self.goes_on() {
                    *needed = self.is_needed(problem, part, PROOF);
                }
            }
        }
        let mut spare = Vec::new();
        for (part, needed) in parts.iter().zip(needed) {
            if needed != Some(true) {
                spare.push(part[0]);
            }
        }
        spare
    }

    /// Says whether there are more solutions than there may be without the clues of a part; none where that is undecided after so many
    /// decisions.
    fn is_needed(&mut self, problem: &Problem, part: &[u16], nodes: u64) -> Option<bool> {
        let mut left = Vec::new();
        for group in 0..problem.groups() {
            let is_within = problem.cells_of(group).iter().all(|cell| part.contains(cell));
            if problem.rule(group).clue.is_some() && !is_within {
                left.push(group);
            }
        }
        let limits = Limits { solutions: self.order.solutions + 1, nodes: Some(nodes), ..Limits::default() };
        let outcome = solve(&problem.with_only_clues(&left), &limits, self.interrupt, &mut |_| ());
        self.tried += (outcome.nodes / NODES) as u32;
        let is_needed = outcome.count > self.order.solutions;
        (is_needed || outcome.count_is_exact).then_some(is_needed)
    }

    /// Changes a draft until its puzzle has as few solutions as was ordered, and says how many decisions the proof took; none
    /// where that takes more than `rounds`.
    fn with_few_solutions<D: PuzzleDraft>(&mut self, mut draft: D, rounds: usize) -> Option<(D, u64)> {
        let mut pool: Vec<Vec<u8>> = Vec::new();
        for _ in 0..rounds {
            if !self.goes_on() {
                return None;
            }
            let found = self.solutions(&draft);
            if found.is_few {
                return Some((draft, found.nodes));
            }
            let is_changed = if found.others.is_empty() {
                draft.change(&found.open, Wish::Smaller, self.rng)
            } else {
                pool.extend(found.others);
                // The latest are nearest to what the draft is now.
                pool.drain(..pool.len().saturating_sub(POOL));
                draft.exclude(&pool, self.rng)
            };
            if !is_changed {
                return None;
            }
        }
        None
    }

    /// Asks the solver about a draft's puzzle.
    fn solutions<D: PuzzleDraft>(&mut self, draft: &D) -> Solutions {
        self.tried += draft.tries();
        let problem = Problem::compile(&draft.puzzle());
        let own = draft.solution();
        // One more than there may be is enough to know.
        let solutions = self.order.solutions + 1;
        let limits = Limits { solutions, nodes: Some(self.nodes), ..Limits::default() };
        let mut others: Vec<Vec<u8>> = Vec::new();
        let outcome = solve(&problem, &limits, self.interrupt, &mut |ranks| {
            let digits: Vec<u8> = ranks.iter().map(|rank| problem.values()[usize::from(*rank)]).collect();
            if digits != own && others.len() < POOL {
                others.push(digits);
            }
        });
        self.tried += (outcome.nodes.saturating_sub(1) / NODES) as u32;
        let is_few = outcome.count_is_exact && outcome.count <= self.order.solutions;
        debug_assert!(outcome.status != Status::Unsolvable, "a draft has its solution");
        // Neither proved nor refuted: all there is to go by is where propagation stops.
        let open = if is_few || !others.is_empty() { Vec::new() } else { open_cells(&problem) };
        Solutions { is_few, others, open, nodes: outcome.nodes }
    }
}

/// What the solver says of a draft.
struct Solutions {
    /// It is proved that there are no more solutions than there may be.
    is_few: bool,
    /// Decisions taken.
    nodes: u64,
    /// Solutions besides the draft's own, as digits.
    others: Vec<Vec<u8>>,
    /// The cells that propagation leaves open, where the solver found no such solution and could not exclude one.
    open: Vec<u16>,
}

/// The cells with the most candidates after propagation: a quarter of those that have several.
fn open_cells(problem: &Problem) -> Vec<u16> {
    let left = propagate(problem).0;
    let mut open: Vec<u16> = (0..problem.cells() as u16).collect();
    open.retain(|cell| left[usize::from(*cell)].count_ones() > 1);
    sort_by_key(&mut open, |cell| Reverse(left[usize::from(*cell)].count_ones()));
    open.truncate(open.len().div_ceil(4));
    open
}
