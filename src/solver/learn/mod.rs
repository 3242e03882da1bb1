//! Search that learns a clause from every conflict, for puzzles on which the plain search does not end.
//!
//! ```text
//! loop
//!     propagate clauses and propagators
//!     conflict at level 0: exhausted
//!     conflict: learn a clause, go back to the level at which it says something new
//!     nothing open: report the solution, forbid it, go on
//!     enough conflicts: start anew, with all that was learned
//!     else: decide on a cell
//! ```
//!
//! Propagators are those of the plain search; what they removed is explained when a conflict asks for it. It is the
//! conflict-driven search of GRASP and Chaff over the literals "this cell has, or has not, this digit", with
//! explanations of propagators in place of clauses for the rules ([`explain`]).

mod analyse;
mod clauses;
mod explain;
mod literals;
mod order;

pub(super) use explain::Steps;

use crate::problem::bits;

use super::engine::Engine;
use super::search::{Found, Stop};
use super::space::Conflict;
use analyse::{Analysis, Facts};
use clauses::Clauses;
use literals::{Literal, Literals, Reason};
use order::Order;

/// The unit of the Luby sequence of restarts, conflicts.
const RESTART: u64 = 64;

/// Clauses that may be kept at first, and how many more after each reduction.
const KEEP: usize = 4000;
const KEEP_MORE: usize = 500;

/// A search that learns.
struct Learner<'a> {
    engine: Engine,
    known: Literals,
    clauses: Clauses,
    analysis: Analysis,
    order: Order,
    /// The space's moment at the beginning of every level.
    moments: Vec<usize>,
    /// Up to where the trail of the space has been read, and the order of literals has been shown to the clauses.
    read: usize,
    shown: u32,
    stop: Stop<'a>,
    found: Found,
    conflicts: u64,
}

/// Literals that cannot all be true.
type Impossible = Vec<Literal>;

/// Goes on from an engine on which nothing is decided, after a plain search that found `solutions`: forbids them and
/// searches for others.
pub(super) fn learn(
    engine: Engine,
    stop: Stop,
    found: Found,
    solutions: &[Vec<u8>],
    on_solution: &mut dyn FnMut(&[u8]),
) -> Found {
    let mut learner = Learner::new(engine, stop, found);
    learner.run(solutions, on_solution);
    learner.found
}

impl<'a> Learner<'a> {
    fn new(engine: Engine, stop: Stop<'a>, found: Found) -> Self {
        let masks = engine.masks();
        let mut known = Literals::new(masks.len(), engine.digits());
        for (cell, mask) in masks.iter().enumerate() {
            for rank in (0..engine.digits() as u32).filter(|rank| mask & 1 << rank == 0) {
                known.push(known.is_not(cell as u16, rank), Reason::Given);
            }
            if mask.is_power_of_two() {
                known.push(known.is(cell as u16, mask.trailing_zeros()), Reason::Given);
            }
        }
        let analysis = Analysis::new(&engine, &known);
        let order = Order::new(engine.weights().iter().map(|weight| f64::from(*weight) * 1e-3).collect());
        Self {
            clauses: Clauses::new(known.count()),
            analysis,
            order,
            moments: Vec::new(),
            read: engine.space.now(),
            shown: known.len(),
            known,
            engine,
            stop,
            found,
            conflicts: 0,
        }
    }

    fn run(&mut self, solutions: &[Vec<u8>], on_solution: &mut dyn FnMut(&[u8])) {
        for solution in solutions {
            if !self.forbid(solution) {
                return self.found.exhausted = true;
            }
        }
        let (mut round, mut restart_at) = (1, RESTART);
        let mut keep = KEEP;
        loop {
            if let Err(impossible) = self.propagate() {
                if !self.resolve(&impossible) {
                    return self.found.exhausted = true;
                }
                continue;
            }
            if self.conflicts >= restart_at {
                round += 1;
                restart_at = self.conflicts + RESTART * luby(round);
                self.go_back(0);
                continue;
            }
            if self.clauses.live() >= keep {
                keep += KEEP_MORE;
                self.reduce();
            }
            match self.order.choose(&self.engine.space) {
                None => {
                    self.report(on_solution);
                    if self.found.count >= self.stop.limits.solutions {
                        return self.found.exhausted = self.known.level() == 0;
                    }
                    if !self.forbid_decisions() {
                        return self.found.exhausted = true;
                    }
                }
                Some((cell, rank)) => {
                    if self.stop.is_due(&self.found) {
                        return;
                    }
                    self.decide(cell, rank);
                }
            }
        }
    }

    fn decide(&mut self, cell: u16, rank: u32) {
        self.found.nodes += 1;
        self.moments.push(self.engine.space.now());
        self.known.begin_level();
        let literal = self.known.is(cell, rank);
        self.make_true(literal, Reason::Decision).expect("the digit is a candidate");
    }

    /// Runs clauses and propagators until none has anything to do.
    fn propagate(&mut self) -> Result<(), Impossible> {
        loop {
            while self.shown < self.known.len() {
                let literal = self.known.at(self.shown);
                self.show(self.known.negation(literal))?;
                self.shown += 1;
            }
            let Some(number) = self.engine.space.next() else { return Ok(()) };
            let result = self.engine.run(number);
            self.engine.space.rest(number);
            self.read_trail(None, Reason::Propagator(number as u32));
            if result.is_err() {
                self.engine.blame(number);
                let wiped = self.engine.space.wiped();
                self.engine.space.forget_pending();
                let facts = Facts { engine: &self.engine, known: &self.known, clauses: &self.clauses };
                return Err(self.analysis.failure(facts, number as u32, wiped));
            }
        }
    }

    /// Shows a literal that became false to the clauses.
    fn show(&mut self, literal: Literal) -> Result<(), Impossible> {
        let mut from = 0;
        while let Some((found, next)) = self.clauses.visit(literal, from, &self.known) {
            from = next;
            let clause = match found {
                clauses::Found::Unit(unit, clause) => {
                    if self.make_true(unit, Reason::Clause(clause)).is_ok() {
                        continue;
                    }
                    clause
                }
                clauses::Found::Conflict(clause) => clause,
            };
            self.engine.space.forget_pending();
            let literals = self.clauses.literals(clause).iter();
            return Err(literals.map(|literal| self.known.negation(*literal)).collect());
        }
        Ok(())
    }

    /// Makes a literal true in the space, and what follows for its cell.
    fn make_true(&mut self, literal: Literal, reason: Reason) -> Result<(), Conflict> {
        let (cell, rank, positive) = self.known.parts(literal);
        let bit = 1 << rank;
        self.engine.space.keep(cell, if positive { bit } else { !bit })?;
        self.read_trail(Some(literal), reason);
        Ok(())
    }

    /// Turns what changed in the space into literals. `chosen`, if any, is why its cell changed; else the reason is
    /// that of every candidate lost.
    fn read_trail(&mut self, chosen: Option<Literal>, reason: Reason) {
        while let Some((cell, before, after)) = self.engine.space.change(self.read) {
            self.read += 1;
            if before == after {
                continue;
            }
            let single = after.is_power_of_two().then(|| self.known.is(cell, after.trailing_zeros()));
            let given = single.is_some() && single == chosen;
            if given {
                self.known.push(single.expect("it is the chosen one"), reason);
            }
            let because = if given { Reason::Assigned } else { reason };
            for rank in bits(before & !after) {
                self.known.push(self.known.is_not(cell, rank), because);
            }
            if let Some(is) = single {
                self.order.remember(cell, after.trailing_zeros());
                if !given {
                    self.known.push(is, Reason::Last);
                }
            }
        }
    }

    /// Learns from a conflict and goes back; says no when there is nothing to go back to.
    fn resolve(&mut self, impossible: &[Literal]) -> bool {
        self.found.failures += 1;
        self.conflicts += 1;
        let level = impossible.iter().map(|literal| self.known.level_of(*literal)).max().unwrap_or(0);
        if level == 0 {
            return false;
        }
        self.go_back_to_end_of(level);
        let facts = Facts { engine: &self.engine, known: &self.known, clauses: &self.clauses };
        self.analysis.learn(facts, impossible);
        for literal in &self.analysis.met {
            self.order.bump(self.known.parts(*literal).0);
        }
        self.order.decay();
        self.note_used();
        self.learn_clause();
        true
    }

    /// A conflict may be among literals of earlier levels alone: then later ones are none of its business.
    fn go_back_to_end_of(&mut self, level: u32) {
        if level < self.known.level() {
            self.go_back(level);
        }
    }

    fn note_used(&mut self) {
        for index in 0..self.analysis.used.len() {
            let clause = self.analysis.used[index];
            let glue =
                self.glue(self.clauses.literals(clause).iter().map(|literal| self.known.negation(*literal)));
            self.clauses.note(clause, self.conflicts as u32, glue);
        }
    }

    /// The number of levels that true literals come from.
    fn glue(&self, literals: impl Iterator<Item = Literal>) -> u32 {
        let mut levels: Vec<u32> = literals
            .filter(|literal| self.known.is_true(*literal))
            .map(|literal| self.known.level_of(literal))
            .collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }

    /// Adds what the analysis learned, goes back to where it says something new, and makes it say it.
    fn learn_clause(&mut self) {
        let glue = self.glue(self.analysis.learned.iter().copied());
        let level_of = |literal: &Literal| self.known.level_of(*literal);
        let second =
            (1..self.analysis.learned.len()).max_by_key(|index| level_of(&self.analysis.learned[*index]));
        let back = second.map_or(0, |index| level_of(&self.analysis.learned[index]));
        if let Some(second) = second {
            self.analysis.learned.swap(1, second);
        }
        let clause: Vec<Literal> =
            self.analysis.learned.iter().map(|literal| self.known.negation(*literal)).collect();
        self.go_back(back);
        self.assert(&clause, glue, false);
    }

    /// Adds a clause of which only the first literal is not false, and makes that true.
    fn assert(&mut self, clause: &[Literal], glue: u32, kept: bool) {
        let reason = match clause {
            [_] => Reason::Given,
            _ => Reason::Clause(self.clauses.add(clause, glue, kept)),
        };
        self.make_true(clause[0], reason).expect("its opposite was undone");
    }

    fn go_back(&mut self, level: u32) {
        if level < self.known.level() {
            self.engine.space.forget_pending();
            self.engine.space.go_back(self.moments[level as usize]);
            self.moments.truncate(level as usize);
            self.known.end_levels_after(level);
            self.analysis.forget_after(&self.known);
            self.read = self.engine.space.now();
            self.shown = self.shown.min(self.known.len());
        }
    }

    fn reduce(&mut self) {
        let known = &self.known;
        let mut locked: Vec<u32> = (0..known.len())
            .filter_map(|place| match known.reason(place) {
                Reason::Clause(clause) => Some(clause),
                _ => None,
            })
            .collect();
        locked.sort_unstable();
        self.clauses.reduce(|clause| locked.binary_search(&clause).is_ok());
    }

    fn report(&mut self, on_solution: &mut dyn FnMut(&[u8])) {
        let ranks: Vec<u8> = self.engine.masks().iter().map(|mask| mask.trailing_zeros() as u8).collect();
        self.found.count += 1;
        if self.found.count == 1 {
            self.found.first_s = Some(self.stop.clock.cpu_s());
        }
        on_solution(&ranks);
    }

    /// Forbids the present decisions together; says no when there are none.
    fn forbid_decisions(&mut self) -> bool {
        let level = self.known.level();
        if level == 0 {
            return false;
        }
        let decisions = (0..self.known.len()).filter(|place| self.known.reason(*place) == Reason::Decision);
        let mut clause: Vec<Literal> =
            decisions.map(|place| self.known.negation(self.known.at(place))).collect();
        clause.reverse();
        self.go_back(level - 1);
        self.assert(&clause, level, true);
        true
    }

    /// Forbids a solution, at level 0; says no when it is all that was possible.
    fn forbid(&mut self, solution: &[u8]) -> bool {
        let cells =
            solution.iter().enumerate().map(|(cell, rank)| self.known.is_not(cell as u16, u32::from(*rank)));
        let mut clause: Vec<Literal> = cells.filter(|literal| !self.known.is_false(*literal)).collect();
        clause.sort_by_key(|literal| self.known.is_true(*literal));
        match clause.as_slice() {
            [] => false,
            [literal] => self.make_true(*literal, Reason::Given).is_ok(),
            _ => {
                self.clauses.add(&clause, u32::MAX - 1, true);
                true
            }
        }
    }
}

/// The Luby sequence, from 1: 1 1 2 1 1 2 4 … (M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas
/// algorithms", 1993, doi:10.1016/0020-0190(93)90029-9).
fn luby(round: u64) -> u64 {
    let mut round = round;
    loop {
        let size = (round + 1).next_power_of_two();
        if size == round + 1 {
            return size / 2;
        }
        round -= size / 2 - 1;
    }
}
