//! Depth-first search with propagation, restarted until a first solution is found.
//!
//! ```text
//! propagate
//! loop
//!     choose an open cell: in the smallest table, later fewest candidates for its weight
//!     none: report a solution, stop at the limit, backtrack
//!     else: decide on its first digit, propagate; on a conflict backtrack
//! backtrack: undo decisions, last first, until the digit of one can be removed without a conflict
//! ```
//!
//! Weights grow with every conflict (dom/wdeg: F. Boussemart, F. Hemery, C. Lecoutre, L. Sais, "Boosting systematic
//! search by weighting constraints", ECAI 2004). Until the first solution the search restarts after ever more conflicts
//! and keeps the weights (geometric restarts: T. Walsh, "Search in a small world", IJCAI 1999), which cuts the heavy
//! tails of large grids. The first restart adds line sums (`line_sum.rs`). After the first solution it never restarts, so that it counts no solution twice. What
//! propagation removes before any decision stays removed across restarts.

use super::engine::Engine;
use super::event::Event;
use super::learn::learn;
use super::observer::{RemovalCause, SearchObserver};
use super::space::Conflict;
use super::stop::{SearchEnd, SearchStop};

/// The most solutions with which learning may take over; with more, the plain search does well.
const FEW_SOLUTIONS: usize = 16;

/// A cell and the digit that the search gave it, with the moment before.
struct Decision {
    moment: usize,
    cell: u16,
    digit: u32,
}

/// The numbers of conflicts after which a search restarts or learns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thresholds {
    /// Conflicts before a search without a solution restarts and adds line sums.
    pub(super) line_sums: u64,
    /// Conflicts before the next restart.
    pub(super) restart: u64,
    /// Conflicts since the start or the last solution before learning takes over.
    pub(super) learn: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { line_sums: 50, restart: 200, learn: 2000 }
    }
}

/// A search under way.
struct Search<'a, O> {
    engine: Engine,
    decisions: Vec<Decision>,
    ranks: Vec<u8>,
    found: SearchEnd,
    stop: SearchStop<'a>,
    thresholds: Thresholds,
    /// The first solutions, which learning forbids when it takes over.
    solutions: Vec<Vec<u8>>,
    /// The number of failures at which learning takes over.
    learn_at: u64,
    observer: &'a mut O,
}

/// What follows a step of the search.
enum NextStep {
    Go,
    Exhausted,
    Limit,
    Learn,
}

/// Searches from an engine at its fixpoint, reporting every solution as ranks.
pub(super) fn search(
    engine: Engine,
    stop: SearchStop,
    thresholds: Thresholds,
    on_solution: &mut dyn FnMut(&[u8]),
    observer: &mut impl SearchObserver,
) -> SearchEnd {
    let cells = engine.masks().len();
    let mut search = Search {
        engine,
        decisions: Vec::with_capacity(cells),
        ranks: vec![0; cells],
        found: SearchEnd::default(),
        stop,
        thresholds,
        solutions: Vec::new(),
        learn_at: thresholds.learn,
        observer,
    };
    match search.run(on_solution) {
        NextStep::Learn => {
            learn(search.engine, stop, search.found, &search.solutions, on_solution, search.observer)
        }
        NextStep::Exhausted => SearchEnd { exhausted: true, ..search.found },
        NextStep::Go | NextStep::Limit => search.found,
    }
}

impl<O: SearchObserver> Search<'_, O> {
    fn run(&mut self, on_solution: &mut dyn FnMut(&[u8])) -> NextStep {
        let mut interval = self.thresholds.restart;
        let mut restart_at = interval;
        loop {
            let step = match self.engine.choose_cell(self.found.failures) {
                None => self.report(on_solution),
                Some(cell) => self.decide(cell),
            };
            if !matches!(step, NextStep::Go) {
                return step;
            }
            // After the first solution no restart: it would find the same solutions again.
            let is_open = self.found.count == 0;
            let learn = self.found.failures >= self.learn_at && self.found.count <= FEW_SOLUTIONS as u64;
            let strengthen =
                is_open && self.found.failures >= self.thresholds.line_sums && self.engine.has_line_sums();
            if learn || strengthen || is_open && self.found.failures >= restart_at {
                self.undo_decisions();
                self.observer.saw(|| if learn { Event::Learning } else { Event::Restart });
                // Ever longer, so that some search is long enough in the end.
                interval += interval.div_ceil(2);
                restart_at = self.found.failures + interval;
            }
            // Without decisions: what line sums remove stays removed.
            if (learn || strengthen) && self.engine.add_line_sums(self.observer).is_err() {
                return NextStep::Exhausted;
            }
            if learn {
                return NextStep::Learn;
            }
        }
    }

    /// Counts and reports the present solution, then backtracks.
    fn report(&mut self, on_solution: &mut dyn FnMut(&[u8])) -> NextStep {
        for (cell, rank) in self.ranks.iter_mut().enumerate() {
            *rank = self.engine.space.mask(cell as u16).trailing_zeros() as u8;
        }
        if self.found.count == 0 {
            self.found.first_s = Some(self.stop.clock.cpu_s());
        }
        self.found.count += 1;
        // A search that finds solutions does well.
        self.learn_at = self.found.failures.saturating_add(self.thresholds.learn);
        if self.solutions.len() < FEW_SOLUTIONS {
            self.solutions.push(self.ranks.clone());
        }
        on_solution(&self.ranks);
        self.observer.saw(|| Event::Solution);
        let step = self.backtrack();
        // Where nothing is left to try the count is exact all the same.
        if self.found.count >= self.stop.limits.solutions && !matches!(step, NextStep::Exhausted) {
            return NextStep::Limit;
        }
        step
    }

    /// Gives a cell its first digit.
    fn decide(&mut self, cell: u16) -> NextStep {
        if self.stop.should_stop(&self.found) {
            return NextStep::Limit;
        }
        self.found.nodes += 1;
        let mask = self.engine.space.mask(cell);
        // The lowest bit: digits are tried in order, so that solutions come in a fixed one.
        let digit = mask & mask.wrapping_neg();
        self.decisions.push(Decision { moment: self.engine.space.now(), cell, digit });
        let depth = self.decisions.len();
        self.observer.saw(|| Event::Decision { cell, rank: digit.trailing_zeros(), depth: depth as u32 });
        self.keep(cell, digit);
        match self.engine.fixpoint(self.observer) {
            Ok(()) => NextStep::Go,
            Err(Conflict) => {
                self.found.failures += 1;
                self.backtrack()
            }
        }
    }

    /// Undoes all decisions; what was refuted without any stays removed.
    fn undo_decisions(&mut self) {
        if let Some(first) = self.decisions.first() {
            self.engine.space.backtrack(first.moment);
        }
        self.decisions.clear();
    }

    /// Undoes decisions until the digit of one can be removed.
    fn backtrack(&mut self) -> NextStep {
        while let Some(Decision { moment, cell, digit }) = self.decisions.pop() {
            self.engine.space.backtrack(moment);
            let depth = self.decisions.len();
            self.observer.saw(|| Event::Back { depth: depth as u32 });
            // The opposite of the decision holds from here on, without being one.
            self.keep(cell, !digit);
            self.observer.changed(&self.engine.space, RemovalCause::Refuted, moment);
            if self.engine.fixpoint(self.observer).is_ok() {
                return NextStep::Go;
            }
            self.found.failures += 1;
        }
        NextStep::Exhausted
    }

    fn keep(&mut self, cell: u16, allowed: u32) {
        self.engine.space.keep(cell, allowed).expect("an open cell has two candidates");
    }
}
