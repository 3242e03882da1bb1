//! The driver of all local searches: one position, restarts, the budget, and the best.
//!
//! ```text
//! repeat
//!     position <- random genome, evaluated
//!     walk from it until the restart rule says so, or the walk has ended
//! until solved or the budget is spent
//! ```
//!
//! A move is one difference computed, made or not. Every position with a lower violation than all before it is
//! evaluated. A generation is a number of calls, for the log alone: it ends with the first step that reaches it. The
//! log shows the position, or the best if the position, which was not evaluated, has a lower fitness.
//!
//! A new local search is a [`Walk`] in a file beside this folder, whose `ENTRY` builds its [`recipe`].

mod recipe;
mod starts;

use crate::budget::{Spent, StopReason};
use crate::rng::RunRng;
use crate::search::encodings::Encoding;
use crate::search::neighbourhood::{LoggedMoves, Neighbourhood};
use crate::search::operators::restart::{Restart, Stretch};
use crate::search::{
    Algorithm, Ledger, MarkovError, MarkovModel, Observer, Population, RunDetails, RunStatus, Task,
};
use crate::spec::Spec;

use super::RunState;

pub use recipe::guide;
pub(super) use recipe::{ENCODING, GENERATION, GUIDE, recipe, restart};
use starts::RandomStarts;

/// A way to walk through a neighbourhood.
pub(super) trait Walk: Send + 'static {
    /// It makes moves.
    const MOVES: bool = true;

    /// The Markov model of a resolved spec, where the next position depends on the present one alone.
    ///
    /// # Errors
    /// [`MarkovError`] where it depends on more.
    fn markov_model(_spec: &Spec) -> Result<MarkovModel, MarkovError> {
        Err(MarkovError::Algorithm)
    }

    /// Prepares to walk from the position of the neighbourhood; `calls` bounds the stretch, if a bound is known.
    fn begin<N: Neighbourhood>(&mut self, _at: &mut N, _calls: Option<u64>, _rng: &mut RunRng) {}

    /// Walks on, shows every improvement to `record`, and stops when that asks for an evaluation.
    fn advance<N: Neighbourhood>(&mut self, at: &mut N, record: &mut Record, rng: &mut RunRng) -> Advance;
}

/// How far a walk may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveLimit {
    /// The walk ends with the first step after which this many moves are spent; results do not depend on where.
    pub(super) enough: u64,
    /// The walk never spends more; a step that would is cut short and not made.
    pub(super) most: u64,
}

/// How far a walk has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Advance {
    /// Moves spent.
    pub(super) moves: u64,
    /// Whether the walk would go on.
    pub(super) end: WalkEnd,
}

/// Whether a walk would go on from where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkEnd {
    /// The walk would go on.
    Open,
    /// The walk would never leave the position.
    Over,
    /// No other start would help: no variable in conflict has a move.
    Stuck,
}

impl Advance {
    /// The walk would go on after this many moves.
    pub(super) fn open(moves: u64) -> Self {
        Self { moves, end: WalkEnd::Open }
    }
}

/// The position of lowest violation since the last restart, and how many moves the walk may spend.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// How many moves the next call of `advance` may spend.
    pub(super) limit: MoveLimit,
    violation: i64,
    genome: Vec<u8>,
    /// Moves since the restart when it was found.
    moves: u64,
    /// Moves from the restart to this call.
    before: u64,
    /// A position of lower violation has to be evaluated at once.
    bound: i64,
}

impl Record {
    /// Starts again from a genome of this violation.
    pub(super) fn begin(&mut self, genome: &[u8], violation: i64) {
        (self.violation, self.moves, self.before) = (violation, 0, 0);
        self.genome.clear();
        self.genome.extend_from_slice(genome);
    }

    /// Looks at a position, reached after `moves` of the chunk; returns whether it has to be evaluated before the walk
    /// goes on.
    #[inline]
    pub(super) fn look(&mut self, at: &impl Neighbourhood, moves: u64) -> bool {
        if at.tally().violation() < self.violation {
            self.violation = at.tally().violation();
            self.genome.copy_from_slice(at.tally().ranks());
            self.moves = self.before + moves;
            return self.violation < self.bound;
        }
        false
    }

    /// The genome of the position.
    pub(super) fn genome(&self) -> &[u8] {
        &self.genome
    }

    /// Its violation.
    pub(super) fn violation(&self) -> i64 {
        self.violation
    }
}

/// A local search at work, compiled for an encoding and a walk.
struct Local<E: Encoding, W> {
    encoding: E,
    run: RunState,
    near: LoggedMoves<E::Near>,
    /// The name of the search.
    name: String,
    walk: W,
    restart: Box<dyn Restart>,
    /// Calls of a generation.
    generation: u64,
    shown: LoggedGeneration,
    /// Calls of the current generation.
    called: u64,
    stretch: Stretch,
    record: Record,
    /// The lowest violation of a genome that was evaluated.
    evaluated: i64,
    /// The best, for islands to exchange.
    population: Population,
    genome: Vec<u8>,
    starts: RandomStarts,
}

/// What the log shows of the last complete generation.
struct LoggedGeneration {
    /// Where the search stood.
    position: Vec<u8>,
    /// The best until then, and its fitness.
    best: Vec<u8>,
    fitness: u32,
}

/// The most moves between two looks at the guard.
const CHUNK: u64 = 100_000;

impl<E: Encoding, W: Walk> Local<E, W> {
    fn new(encoding: E, near: E::Near, walk: W, restart: Box<dyn Restart>, spec: &Spec, task: &Task) -> Self {
        let genes = encoding.space().genes();
        Self {
            starts: RandomStarts::default(),
            near: LoggedMoves::new(near),
            name: spec.name.clone(),
            walk,
            restart,
            generation: spec.count("generation"),
            shown: LoggedGeneration { position: vec![0; genes], best: vec![0; genes], fitness: u32::MAX },
            called: 0,
            stretch: Stretch::default(),
            record: Record::default(),
            evaluated: i64::MAX,
            population: Population::new(1, genes),
            genome: vec![0; genes],
            run: RunState::new(task, encoding.space()),
            encoding,
        }
    }

    /// Goes to a random start, if the budget has an evaluation left.
    fn begin(&mut self) -> bool {
        if self.run.evaluations_left() == 0 {
            return false;
        }
        let mut genome = std::mem::take(&mut self.genome);
        let fitness = if W::MOVES || !self.near.tally().is_measured() {
            self.encoding.init(&mut genome, &mut self.run.init_rng);
            None
        } else {
            // The generation ends the batch, because it may end the run.
            let left = self.run.evaluations_left().min(self.generation.saturating_sub(self.called));
            let sure = if self.restart.is_never() { 1 } else { left };
            let (tally, rng) = (self.near.tally(), &mut self.run.init_rng);
            Some(self.starts.next(&self.encoding, tally, rng, sure, &mut genome))
        };
        let begun = self.begin_at(&genome, fitness);
        self.genome = genome;
        begun
    }

    /// Goes to a genome, whose fitness may be known, if the budget has an evaluation left.
    fn begin_at(&mut self, genome: &[u8], fitness: Option<u32>) -> bool {
        if self.run.evaluations_left() == 0 {
            return false;
        }
        if W::MOVES {
            self.near.place(genome);
            self.record.begin(genome, self.near.tally().violation());
        } else {
            // Of a start that is no better than all before it, no more is asked than that.
            let below = match fitness {
                Some(fitness) => Some(i64::from(fitness)).filter(|fitness| *fitness < self.evaluated),
                None => self.near.tally().violation_below(self.evaluated, genome),
            };
            self.record.begin(genome, below.unwrap_or(self.evaluated));
        }
        self.run.spent.evaluations += 1;
        self.called += 1;
        self.note_best(self.run.spent);
        // Cooling schedules stretch over what is sure to come: the rest of the budget, or the next restart.
        let left = self.run.budget.moves.map(|moves| moves.saturating_sub(self.run.spent.moves));
        let length = self.restart.length(self.stretch.restarts);
        let calls = left.into_iter().chain(length).min();
        self.walk.begin(&mut self.near, calls, &mut self.run.rng);
        true
    }

    /// Makes the record the best, if it is better; `at` is what had been spent when it was found.
    fn note_best(&mut self, at: Spent) {
        if self.record.violation() >= self.evaluated {
            return;
        }
        self.evaluated = self.record.violation();
        // The violation that an objective tells is the fitness.
        let fitness = if self.near.tally().is_measured() {
            u32::try_from(self.evaluated).unwrap_or(u32::MAX)
        } else {
            self.encoding.evaluate(self.record.genome())
        };
        if fitness < self.run.best.fitness {
            self.run.best.take(self.record.genome(), fitness, at);
            self.population.genome_mut(0).copy_from_slice(self.record.genome());
            self.population.set_fitness(0, fitness);
        }
    }

    /// Evaluates the record, if its violation is lower than all before and the budget has an evaluation left.
    fn evaluate_record(&mut self, before: Spent) {
        if self.record.violation() < self.evaluated && self.run.evaluations_left() > 0 {
            self.run.spent.evaluations += 1;
            let moves = before.moves + self.record.moves - self.record.before;
            let generations = self.run.spent.generations + 1;
            self.note_best(Spent { evaluations: self.run.spent.evaluations, moves, generations });
        }
    }

    /// How many moves the next chunk may take.
    fn limit(&self) -> MoveLimit {
        let most = self.run.budget.moves.map_or(u64::MAX, |moves| moves - self.run.spent.moves);
        let length = self.restart.length(self.stretch.restarts).map_or(u64::MAX, |length| length.max(1));
        // Each bound ends the chunk, none the walk: at least one move is made.
        let stretch = length.saturating_sub(self.stretch.calls).max(1);
        let patience = self.restart.patience().map_or(u64::MAX, |patience| patience.max(1));
        let stalled = patience.saturating_sub(self.stretch.stalled).max(1);
        let generation = self.generation.saturating_sub(self.called);
        let enough = stretch.min(stalled).min(generation).min(CHUNK).min(most);
        MoveLimit { enough, most }
    }

    /// Ends the generation, if its calls are spent.
    fn close_generation(&mut self, observer: &mut dyn Observer) {
        if self.called >= self.generation {
            self.called = 0;
            self.run.spent.generations += 1;
            self.show(observer);
        }
    }

    fn show(&mut self, observer: &mut dyn Observer) {
        let position = if W::MOVES { self.near.tally().ranks() } else { self.record.genome() };
        self.shown.position.copy_from_slice(position);
        if self.shown.fitness != self.run.best.fitness {
            self.shown.fitness = self.run.best.fitness;
            self.shown.best.copy_from_slice(&self.run.best.ranks);
        }
        self.run.show(observer, |census| census.add(&self.shown.alone(&self.encoding)));
    }
}

impl LoggedGeneration {
    /// The position, or the best if the position has a lower fitness without a lower violation. This evaluation is for
    /// the log alone and does not count.
    fn alone(&self, encoding: &impl Encoding) -> Population {
        let fitness = encoding.evaluate(&self.position);
        // An objective that has halted says nothing of the position.
        let shows_best = fitness < self.fitness || fitness == u32::MAX;
        let (ranks, fitness) =
            if shows_best { (&self.best, self.fitness) } else { (&self.position, fitness) };
        let mut alone = Population::new(1, ranks.len());
        alone.genome_mut(0).copy_from_slice(ranks);
        alone.set_fitness(0, fitness);
        alone
    }
}

impl<E: Encoding, W: Walk> Algorithm for Local<E, W> {
    fn start(&mut self, observer: &mut dyn Observer) {
        if W::MOVES && observer.logs_operators() {
            self.near.follow(&self.name);
        }
        if self.begin() {
            self.show(observer);
        }
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if let Some(reason) = self.run.stopped_now() {
            return Some(reason);
        }
        if self.population.genome(0) != self.run.best.ranks {
            // A migrant has arrived.
            let migrant = self.population.genome(0).to_vec();
            self.population.genome_mut(0).copy_from_slice(&self.run.best.ranks);
            self.population.set_fitness(0, self.run.best.fitness);
            self.stretch = Stretch { restarts: self.stretch.restarts, ..Stretch::default() };
            self.begin_at(&migrant, None);
            return None;
        }
        let before = self.run.spent;
        (self.record.limit, self.record.before, self.record.bound) =
            (self.limit(), self.stretch.calls, self.evaluated);
        let Advance { moves, end } = self.walk.advance(&mut self.near, &mut self.record, &mut self.run.rng);
        self.run.spent.moves += moves;
        self.called += moves;
        self.stretch.calls += moves;
        // The record counts its moves from the restart on.
        self.stretch.stalled = self.stretch.calls - self.record.moves;
        self.evaluate_record(before);
        self.close_generation(observer);
        if self.run.best.fitness > 0 && (end != WalkEnd::Open || self.restart.is_due(&self.stretch)) {
            self.stretch = Stretch { restarts: self.stretch.restarts + 1, ..Stretch::default() };
            if end == WalkEnd::Stuck || (end == WalkEnd::Over && self.restart.is_never()) {
                self.run.stop = Some(StopReason::Stalled);
            } else if !self.begin() {
                self.run.stop = Some(StopReason::Evaluations);
            }
        }
        None
    }

    fn status(&self) -> RunStatus<'_> {
        self.run.status()
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        if self.run.has_begun() {
            see(&self.shown.alone(&self.encoding));
        }
        self.run.complete
    }

    fn population(&mut self) -> Option<&mut Population> {
        Some(&mut self.population)
    }

    fn details(&self) -> &dyn RunDetails {
        self
    }
}

impl<E: Encoding, W: Walk> RunDetails for Local<E, W> {
    fn ledger(&self) -> Ledger {
        self.near.ledger()
    }
}
