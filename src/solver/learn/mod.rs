//! Search that learns a clause from every conflict, for puzzles on which the plain search does not end.
//!
//! ```text
//! loop
//!     propagate clauses and propagators
//!     conflict at level 0: exhausted
//!     conflict: learn a clause, go back to the level at which it says something new
//!     nothing open: report the solution, forbid it, go on
//!     enough conflicts: restart, with all that was learned
//!     else: decide on a cell
//! ```
//!
//! Propagators are those of the plain search; what they removed is explained when a conflict asks for it. It is the
//! conflict-driven search of GRASP and Chaff over the literals "this cell, or this segment of a cage and a line, has or
//! has not this digit", with explanations of propagators in place of clauses for the rules ([`explain`]).

mod analyse;
mod clauses;
mod explain;
mod literals;
mod propagate;

pub(super) use explain::Steps;

use crate::budget::luby;

use super::engine::Engine;
use super::search::{Found, Stop};
use super::space::Space;
use analyse::Analysis;
use clauses::Clauses;
use literals::{Literal, Literals, Reason};

/// The unit of the Luby sequence of restarts, conflicts.
const RESTART: u64 = 32;

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
    /// For every cell, the segments of its lines, and whether it is in them.
    segments: Vec<Vec<(u32, bool)>>,
    /// Up to where the trail of the space has been read, and the order of literals has been spread to segments and
    /// shown to the clauses.
    read: usize,
    spread: u32,
    shown: u32,
    /// How many literals were true when the explainer last took note of the state without decisions.
    settled: u32,
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
    fn new(mut engine: Engine, stop: Stop<'a>, found: Found) -> Self {
        let masks = engine.masks();
        let mut known = Literals::new(masks.len(), engine.crossings.len(), engine.digits());
        for (cell, mask) in masks.iter().enumerate() {
            for rank in (0..engine.digits() as u32).filter(|rank| mask & 1 << rank == 0) {
                known.push(known.is_not(cell as u16, rank), Reason::Given);
            }
            if mask.is_power_of_two() {
                known.push(known.is(cell as u16, mask.trailing_zeros()), Reason::Given);
            }
        }
        let mut segments = vec![Vec::new(); masks.len()];
        for (segment, crossing) in engine.crossings.iter().enumerate() {
            let line = engine.lines.cells(crossing.line);
            crossing.inside(line).for_each(|cell| segments[usize::from(cell)].push((segment as u32, true)));
            crossing.outside(line).for_each(|cell| segments[usize::from(cell)].push((segment as u32, false)));
        }
        engine.wake_crossings();
        let analysis = Analysis::new(&engine, &known);
        let order = Order::new(engine.weights.iter().map(|weight| f64::from(*weight) * 1e-3).collect());
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
        if self.known.level() == 0 && self.settled != self.known.len() {
            self.settled = self.known.len();
            self.analysis.explainer.settle(&self.engine);
        }
        self.found.nodes += 1;
        self.moments.push(self.engine.space.now());
        self.known.begin_level();
        let literal = self.known.is(cell, rank);
        self.make_true(literal, Reason::Decision).expect("the digit is a candidate");
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

/// By how much a conflict counts more than the one before it.
const GROWTH: f64 = 1.0 / 0.95;

/// Activities are scaled down when they pass this.
const LARGE: f64 = 1e100;

/// Which cell to decide on next, and which digit to give it.
///
/// Cells that took part in recent conflicts come first, the more so the fewer candidates they have; a cell is given
/// again the digit that it had last (VSIDS: M. W. Moskewicz et al., DAC 2001, doi:10.1145/378239.379017; phase saving:
/// K. Pipatsrisawat, A. Darwiche, SAT 2007, doi:10.1007/978-3-540-72788-0_28).
#[derive(Clone, Debug)]
struct Order {
    activity: Vec<f64>,
    step: f64,
    /// The rank that each cell had last.
    last: Vec<u8>,
}

impl Order {
    /// Cells with these activities to begin with.
    fn new(activity: Vec<f64>) -> Self {
        let last = vec![u8::MAX; activity.len()];
        Self { activity, step: 1.0, last }
    }

    /// A cell took part in a conflict.
    fn bump(&mut self, cell: u16) {
        let activity = &mut self.activity[usize::from(cell)];
        *activity += self.step;
        if *activity > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.step /= LARGE;
        }
    }

    /// Later conflicts count more.
    fn decay(&mut self) {
        self.step *= GROWTH;
    }

    /// A cell was assigned.
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
