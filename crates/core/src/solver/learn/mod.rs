//! Search that learns a clause from every conflict, for puzzles that defeat the plain search.
//!
//! ```text
//! loop
//!     propagate clauses and propagators
//!     conflict at level 0: exhausted
//!     conflict: learn a clause, backtrack to the level at which it is unit
//!     nothing open: report the solution, forbid it, go on
//!     enough conflicts: restart and keep the clauses
//!     else: decide on a cell
//! ```
//!
//! The conflict-driven search of GRASP and Chaff, over the literals "this cell, or this segment of a cage and a line,
//! has or has not this digit". The propagators are those of the plain search. They take the place of clauses for the
//! rules, and explain a removal when a conflict asks for it ([`explain`]).

mod analyse;
mod clauses;
mod explain;
mod literals;
mod propagate;

use crate::budget::luby;
use crate::problem::{bits, full_mask};

use super::engine::Engine;
use super::event::{self, Event};
use super::observer::SearchObserver;
use super::space::Space;
use super::stop::{SearchEnd, SearchStop};
use analyse::Analysis;
use clauses::Clauses;
use literals::{Literal, LiteralReason, LiteralSubject, Literals};

/// The unit of the Luby sequence of restarts, in conflicts.
const RESTART: u64 = 32;

/// The number of clauses at the first reduction.
const KEEP: usize = 4000;

/// By how many clauses each later reduction waits longer.
const KEEP_MORE: usize = 500;

/// A segment of a line that a cell is in.
#[derive(Clone, Copy, Debug)]
struct NearSegment {
    segment: u32,
    /// The cell is one of the segment's own.
    is_inside: bool,
}

/// A search that learns.
struct Learner<'a, O> {
    engine: Engine,
    known: Literals,
    clauses: Clauses,
    analysis: Analysis,
    order: DecisionOrder,
    /// The space's moment at the beginning of every level.
    moments: Vec<usize>,
    /// For every cell, the segments of its lines.
    segments: Vec<Vec<NearSegment>>,
    /// The moment up to which the trail of the space has become literals.
    read: usize,
    /// The number of true literals that have been spread to segments.
    spread: u32,
    /// The number of true literals that have been shown to the clauses.
    shown: u32,
    /// The number of true literals when the explainer last copied the state at level 0.
    settled: u32,
    stop: SearchStop<'a>,
    found: SearchEnd,
    conflicts: u64,
    observer: &'a mut O,
}

/// Literals that cannot all be true together.
type Nogood = Vec<Literal>;

/// Continues a plain search that found `solutions`, from its engine without decisions: forbids them and searches for
/// others.
pub(super) fn learn(
    engine: Engine,
    stop: SearchStop,
    found: SearchEnd,
    solutions: &[Vec<u8>],
    on_solution: &mut dyn FnMut(&[u8]),
    observer: &mut impl SearchObserver,
) -> SearchEnd {
    let mut learner = Learner::new(engine, stop, found, observer);
    learner.run(solutions, on_solution);
    learner.found
}

impl<'a, O: SearchObserver> Learner<'a, O> {
    fn new(mut engine: Engine, stop: SearchStop<'a>, found: SearchEnd, observer: &'a mut O) -> Self {
        let masks = engine.masks();
        let mut known = Literals::new(masks.len(), engine.crossings.len(), engine.digits());
        for (cell, mask) in masks.iter().enumerate() {
            for rank in bits(full_mask(engine.digits()) & !mask) {
                known.push(known.is_not(cell as u16, rank), LiteralReason::Given);
            }
            if mask.is_power_of_two() {
                known.push(known.is(cell as u16, mask.trailing_zeros()), LiteralReason::Given);
            }
        }
        let mut segments = vec![Vec::new(); masks.len()];
        for (segment, crossing) in engine.crossings.iter() {
            let line = engine.lines.cells(crossing.line);
            for cell in crossing.inside(line) {
                segments[usize::from(cell)].push(NearSegment { segment, is_inside: true });
            }
            for cell in crossing.outside(line) {
                segments[usize::from(cell)].push(NearSegment { segment, is_inside: false });
            }
        }
        // The plain search has run them; here their findings become literals.
        engine.wake_crossings();
        let analysis = Analysis::new(&engine, &known);
        // What the plain search has learned of the cells counts a little.
        let activity = engine.weights.iter().map(|weight| f64::from(*weight) * 1e-3).collect();
        let order = DecisionOrder::new(activity);
        Self {
            clauses: Clauses::new(known.count()),
            analysis,
            order,
            moments: Vec::new(),
            read: engine.space.now(),
            segments,
            spread: 0,
            shown: 0,
            settled: 0,
            known,
            engine,
            stop,
            found,
            conflicts: 0,
            observer,
        }
    }

    fn run(&mut self, solutions: &[Vec<u8>], on_solution: &mut dyn FnMut(&[u8])) {
        // The plain search has reported these.
        for solution in solutions {
            if !self.forbid(solution) {
                return self.found.exhausted = true;
            }
        }
        let (mut round, mut restart_at) = (1, RESTART);
        let mut keep = KEEP;
        loop {
            if let Err(nogood) = self.propagate() {
                if !self.resolve(&nogood) {
                    return self.found.exhausted = true;
                }
                continue;
            }
            if self.conflicts >= restart_at {
                round += 1;
                restart_at = self.conflicts + RESTART * luby(round);
                self.observer.saw(|| Event::Restart);
                self.backtrack(0);
                continue;
            }
            // More clauses propagate more slowly: the worse half goes, at intervals that grow.
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
                    if self.stop.should_stop(&self.found) {
                        return;
                    }
                    self.decide(cell, rank);
                }
            }
        }
    }

    fn decide(&mut self, cell: u16, rank: u32) {
        // Tuples that are dead without decisions need no explanation.
        if self.known.level() == 0 && self.settled != self.known.len() {
            self.settled = self.known.len();
            self.analysis.explainer.settle(&self.engine);
        }
        self.found.nodes += 1;
        self.moments.push(self.engine.space.now());
        self.known.begin_level();
        let depth = self.known.level();
        self.observer.saw(|| Event::Decision { cell, rank, depth });
        let literal = self.known.is(cell, rank);
        self.make_true(literal, LiteralReason::Decision).expect("the digit is a candidate");
    }

    fn report(&mut self, on_solution: &mut dyn FnMut(&[u8])) {
        let ranks: Vec<u8> = self.engine.masks().iter().map(|mask| mask.trailing_zeros() as u8).collect();
        self.found.count += 1;
        if self.found.count == 1 {
            self.found.first_s = Some(self.stop.clock.cpu_s());
        }
        on_solution(&ranks);
        self.observer.saw(|| Event::Solution);
    }

    /// Forbids the present decisions together; false when there are none.
    fn forbid_decisions(&mut self) -> bool {
        let level = self.known.level();
        if level == 0 {
            return false;
        }
        let mut clause = Vec::new();
        for place in (0..self.known.len()).rev() {
            if self.known.reason(place) == LiteralReason::Decision {
                clause.push(self.known.negation(self.known.at(place)));
            }
        }
        // Under all decisions but the last the clause makes the last one false.
        self.backtrack(level - 1);
        self.assert(&clause, level, true);
        true
    }

    /// Forbids a solution, at level 0; false when no other is possible.
    fn forbid(&mut self, solution: &[u8]) -> bool {
        let mut clause = Vec::new();
        for (cell, rank) in solution.iter().enumerate() {
            let literal = self.known.is_not(cell as u16, u32::from(*rank));
            if !self.known.is_false(literal) {
                clause.push(literal);
            }
        }
        // The two that are watched are open, if two are.
        clause.sort_by_key(|literal| self.known.is_true(*literal));
        self.show_clause(&clause, true);
        match clause.as_slice() {
            [] => false,
            [literal] => self.make_true(*literal, LiteralReason::Given).is_ok(),
            _ => {
                self.clauses.add(&clause, u32::MAX - 1, true);
                true
            }
        }
    }

    /// Lets the observer see a clause.
    fn show_clause(&mut self, clause: &[Literal], is_solution: bool) {
        let (known, engine) = (&self.known, &self.engine);
        self.observer.saw(|| {
            let literals = clause.iter().map(|literal| shown(*literal, known, engine)).collect();
            Event::Clause { literals, is_solution }
        });
    }
}

/// A literal as observers see it.
fn shown(literal: Literal, known: &Literals, engine: &Engine) -> event::Literal {
    let (subject, rank, holds) = known.parts(literal);
    let cells = match subject {
        LiteralSubject::Cell(cell) => vec![cell],
        LiteralSubject::Segment(segment) => {
            let crossing = engine.crossings.get(segment);
            crossing.inside(engine.lines.cells(crossing.line)).collect()
        }
    };
    event::Literal { cells, rank, holds }
}

/// The weight of a conflict relative to the one before it.
const GROWTH: f64 = 1.0 / 0.95;

/// All activities are scaled down when one exceeds this.
const LARGE: f64 = 1e100;

/// The choice of the next decision.
///
/// Cells that took part in recent conflicts come first, the more so the fewer candidates they have (VSIDS: M. W.
/// Moskewicz et al., DAC 2001, doi:10.1145/378239.379017). A cell gets the digit that it had last (phase saving:
/// K. Pipatsrisawat, A. Darwiche, SAT 2007, doi:10.1007/978-3-540-72788-0_28).
#[derive(Clone, Debug)]
struct DecisionOrder {
    activity: Vec<f64>,
    step: f64,
    /// The rank that each cell had last.
    last: Vec<u8>,
}

impl DecisionOrder {
    /// An order that begins with these activities.
    fn new(activity: Vec<f64>) -> Self {
        let last = vec![u8::MAX; activity.len()];
        Self { activity, step: 1.0, last }
    }

    /// Raises the activity of a cell that took part in a conflict.
    fn bump(&mut self, cell: u16) {
        let activity = &mut self.activity[usize::from(cell)];
        *activity += self.step;
        // Instead of aging all others, later conflicts add more: at times all are scaled down.
        if *activity > LARGE {
            for activity in &mut self.activity {
                *activity /= LARGE;
            }
            self.step /= LARGE;
        }
    }

    /// Makes later conflicts count more.
    fn decay(&mut self) {
        self.step *= GROWTH;
    }

    /// Remembers the digit of an assigned cell.
    fn remember(&mut self, cell: u16, rank: u32) {
        self.last[usize::from(cell)] = rank as u8;
    }

    /// The open cell to decide on and its digit; `None` when all cells are assigned.
    fn choose(&self, space: &Space) -> Option<(u16, u32)> {
        let mut best = None;
        let mut most = -1.0;
        for (cell, activity) in self.activity.iter().enumerate() {
            let mask = space.mask(cell as u16);
            if mask.is_power_of_two() {
                continue;
            }
            // The square of the candidates: between cells of like activity the smaller domain wins clearly.
            let worth = activity / f64::from(mask.count_ones().pow(2));
            if worth > most {
                (best, most) = (Some(cell as u16), worth);
            }
        }
        let cell = best?;
        let (mask, last) = (space.mask(cell), u32::from(self.last[usize::from(cell)]));
        let rank = if last < 32 && mask & 1 << last != 0 { last } else { mask.trailing_zeros() };
        Some((cell, rank))
    }
}
