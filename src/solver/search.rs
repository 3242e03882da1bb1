//! Depth-first search with propagation, restarted until a first solution is found.
//!
//! ```text
//! propagate
//! loop
//!     choose an open cell: in the smallest table, later fewest candidates for its weight
//!     none: report a solution, stop at the limit, go back
//!     else: decide on its first digit, propagate; on a conflict go back
//! go back: undo decisions, last first, until one's digit can be removed without a conflict
//! ```
//!
//! Weights grow with every conflict (dom/wdeg: F. Boussemart, F. Hemery, C. Lecoutre, L. Sais, "Boosting systematic
//! search by weighting constraints", ECAI 2004). Until a first solution is found the search restarts after
//! ever more conflicts, with the weights that it has learned (T. Walsh, "Search in a small world", IJCAI 1999:
//! geometric restarts), which cuts the heavy tails of large grids; from then on it never does, so that no solution is
//! counted twice. What is refuted while no decision stands stays refuted across restarts. The search is a loop over a
//! stack of decisions.

use crate::budget::{Clock, Interrupt};

use super::Limits;
use super::engine::Engine;
use super::learn::learn;
use super::space::Conflict;

/// The most solutions found after which learning may take over; where there are more, the plain search does well.
const FEW: usize = 16;

/// Nodes between two looks at the clock and the interrupt.
const LOOK_EVERY: u64 = 16;

/// One choice: the moment before it, and what was chosen.
struct Decision {
    moment: usize,
    cell: u16,
    digit: u32,
}

/// How a search ended and what it found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub(super) count: u64,
    pub(super) exhausted: bool,
    pub(super) nodes: u64,
    pub(super) failures: u64,
    /// CPU seconds since before compiling.
    pub(super) first_s: Option<f64>,
}

/// What ends a search before it is exhausted. The clock runs since before compiling.
#[derive(Clone, Copy)]
pub(super) struct Stop<'a> {
    pub(super) limits: &'a Limits,
    pub(super) interrupt: &'a Interrupt,
    pub(super) clock: &'a Clock,
}

impl Stop<'_> {
    /// No further decision is to be taken.
    pub(super) fn is_due(&self, found: &Found) -> bool {
        self.limits.nodes.is_some_and(|limit| found.nodes >= limit)
            || found.nodes.is_multiple_of(LOOK_EVERY)
                && (self.interrupt.is_raised() || self.clock.past(self.limits.seconds))
    }
}

/// How patient a search is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Conflicts before the first restart.
    pub(super) restart: u64,
    /// Conflicts, since the beginning or the last solution, before learning takes over.
    pub(super) learn: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { restart: 200, learn: 500 }
    }
}

/// A search under way.
struct Search<'a> {
    engine: Engine,
    decisions: Vec<Decision>,
    ranks: Vec<u8>,
    found: Found,
    stop: Stop<'a>,
    patience: Patience,
    /// The first solutions, to be forbidden where learning takes over.
    solutions: Vec<Vec<u8>>,
    /// The number of conflicts at which learning takes over.
    learn_at: u64,
}

/// What follows a step of the search.
enum Step {
    Go,
    Exhausted,
    Limit,
    Learn,
}

/// Searches from an engine at its fixpoint, reporting every solution as ranks.
pub(super) fn search(
    engine: Engine,
    stop: Stop,
    patience: Patience,
    on_solution: &mut dyn FnMut(&[u8]),
) -> Found {
    let cells = engine.masks().len();
    let mut search = Search {
        engine,
        decisions: Vec::with_capacity(cells),
        ranks: vec![0; cells],
        found: Found::default(),
        stop,
        patience,
        solutions: Vec::new(),
        learn_at: patience.learn,
    };
    match search.run(on_solution) {
        Step::Learn => learn(search.engine, stop, search.found, &search.solutions, on_solution),
        Step::Exhausted => Found { exhausted: true, ..search.found },
        Step::Go | Step::Limit => search.found,
    }
}

impl Search<'_> {
    fn run(&mut self, on_solution: &mut dyn FnMut(&[u8])) -> Step {
        let mut root = self.engine.space.now();
        let mut patience = self.patience.restart;
        let mut restart_at = patience;
        loop {
            if self.decisions.is_empty() {
                root = self.engine.space.now();
            }
            let step = match self.engine.choose_cell(self.found.failures) {
                None => self.report(on_solution),
                Some(cell) => self.decide(cell),
            };
            if !matches!(step, Step::Go) {
                return step;
            }
            let learn = self.found.failures >= self.learn_at && self.found.count <= FEW as u64;
            if learn || self.found.count == 0 && self.found.failures >= restart_at {
                self.decisions.clear();
                self.engine.space.go_back(root);
                patience += patience.div_ceil(2);
                restart_at = self.found.failures + patience;
            }
            if learn {
                return Step::Learn;
            }
        }
    }

    /// Counts the solution at hand and goes on to the next.
    fn report(&mut self, on_solution: &mut dyn FnMut(&[u8])) -> Step {
        for (cell, rank) in self.ranks.iter_mut().enumerate() {
            *rank = self.engine.space.mask(cell as u16).trailing_zeros() as u8;
        }
        if self.found.count == 0 {
            self.found.first_s = Some(self.stop.clock.cpu_s());
        }
        self.found.count += 1;
        self.learn_at = self.found.failures.saturating_add(self.patience.learn);
        if self.solutions.len() < FEW {
            self.solutions.push(self.ranks.clone());
        }
        on_solution(&self.ranks);
        let step = self.back();
        if self.found.count >= self.stop.limits.solutions && !matches!(step, Step::Exhausted) {
            return Step::Limit;
        }
        step
    }

    /// Gives a cell its first digit.
    fn decide(&mut self, cell: u16) -> Step {
        if self.stop.is_due(&self.found) {
            return Step::Limit;
        }
        self.found.nodes += 1;
        let mask = self.engine.space.mask(cell);
        let digit = mask & mask.wrapping_neg();
        self.decisions.push(Decision { moment: self.engine.space.now(), cell, digit });
        match self.keep(cell, digit) {
            Ok(()) => Step::Go,
            Err(Conflict) => {
                self.found.failures += 1;
                self.back()
            }
        }
    }

    /// Undoes decisions until one's digit can be removed.
    fn back(&mut self) -> Step {
        while let Some(Decision { moment, cell, digit }) = self.decisions.pop() {
            self.engine.space.go_back(moment);
            if self.keep(cell, !digit).is_ok() {
                return Step::Go;
            }
            self.found.failures += 1;
        }
        Step::Exhausted
    }

    fn keep(&mut self, cell: u16, allowed: u32) -> Result<(), Conflict> {
        self.engine.space.keep(cell, allowed)?;
        self.engine.fixpoint()
    }
}
