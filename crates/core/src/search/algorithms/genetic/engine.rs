//! The run of a genetic algorithm: its loop, evaluation, restarts and budget.

use std::sync::Arc;

use crate::budget::{Spent, StopReason};
use crate::fitness::Scratch;
use crate::search::algorithms::RunState;
use crate::search::encodings::Encoding;
use crate::search::operators::niching::{NICHING, Niching};
use crate::search::operators::replacement::{REPLACEMENT, Replacement};
use crate::search::operators::restart::{RESTART, Restart, Stretch};
use crate::search::operators::weights::GuideTally;
use crate::search::population::CHECK_EVERY;
use crate::search::{Algorithm, Births, Closure, Ledger, Observer, Population, RunDetails, RunStatus, Task};
use crate::spec::Spec;

use super::breed::{Breeder, Mating};
use super::memetic::Improvement;
use super::operator_log::OperatorLog;

/// A run of a genetic algorithm, compiled for an encoding.
pub(super) struct Genetic<E> {
    encoding: E,
    run: RunState,
    offset: Option<u32>,
    niching: Box<dyn Niching>,
    breeder: Breeder,
    improve: Option<Improvement>,
    guide: GuideTally,
    replacement: Box<dyn Replacement>,
    population: Population,
    offspring: Population,
    scratch: Scratch,
    scores: Vec<f64>,
    /// The last complete generation, where one that the budget cuts short has overwritten part of the population.
    last: Option<Population>,
    restart: Box<dyn Restart>,
    restarts: u64,
    since_restart: SinceRestart,
    /// For the log of operators.
    spec: Spec,
    /// Where an observer follows operators.
    operator_log: Option<OperatorLog>,
    /// Those of the last complete generation, where the observer asked for them.
    births: Option<Arc<Births>>,
    /// Nothing but crossover and mutation makes genomes after the initial population.
    is_closed: bool,
    /// The guard cut while the population was changing, which is no generation now.
    is_torn: bool,
}

/// What is to be evaluated.
enum Unevaluated {
    /// The first individuals of the population, made at random.
    First(usize),
    /// All offspring.
    Offspring,
}

/// The calls since the population was last made anew, by a restart or at the start.
struct SinceRestart {
    /// Calls spent before it.
    at: u64,
    /// Calls spent when it last found something better.
    improved_at: u64,
    best: u32,
}

impl<E: Encoding> Genetic<E> {
    pub(super) fn new(encoding: E, spec: &Spec, improve: Option<Improvement>, task: &Task) -> Self {
        let size = spec.size("population");
        let mut replacement = REPLACEMENT.build(spec.spec("replacement"));
        let restart = RESTART.build(spec.spec("restart"));
        let genes = encoding.space().genes();
        let offspring = Population::new(replacement.offspring(size), genes);
        let breeder = Breeder::new(spec, genes, offspring.len());
        Self {
            // Only where nothing but the operators makes genomes can a run be said to be dead.
            is_closed: improve.is_none() && replacement.renewal().is_none() && restart.is_never(),
            is_torn: false,
            run: RunState::new(task, encoding.space()),
            spec: spec.clone(),
            operator_log: None,
            births: None,
            offset: super::offset(spec),
            guide: GuideTally::new(spec, &encoding, breeder.reads_conflicts()),
            niching: NICHING.build(spec.spec("niching")),
            breeder,
            improve,
            replacement,
            population: Population::new(size, genes),
            offspring,
            scratch: Scratch::default(),
            scores: vec![0.0; size],
            last: None,
            restart,
            restarts: 0,
            since_restart: SinceRestart { at: 0, improved_at: 0, best: u32::MAX },
            encoding,
        }
    }

    /// Evaluates the first individuals or the offspring. False if the budget does not suffice or the guard cuts.
    fn evaluate(&mut self, made: Unevaluated) -> bool {
        let (count, population) = match made {
            Unevaluated::First(count) => (count, &mut self.population),
            Unevaluated::Offspring => (self.offspring.len(), &mut self.offspring),
        };
        let within = self.run.within(count);
        if let Some(log) = &mut self.operator_log {
            log.evaluate(&self.encoding, population, within, &mut self.scratch);
        } else {
            let (genomes, values) = population.first_mut(within);
            self.encoding.evaluate_each(genomes, values, &mut self.scratch);
        }
        self.guide.note(population, within, &mut self.run.guard);
        for (index, &fitness) in population.fitness()[..within].iter().enumerate() {
            self.run.count(population.genome(index), fitness);
            if fitness < self.since_restart.best {
                (self.since_restart.best, self.since_restart.improved_at) = (fitness, self.run.spent.calls());
            }
        }
        // What was evaluated before a cut counts for the best all the same.
        within == count && !self.run.guard.has_cut() && self.run.fitness.halted().is_none()
    }

    /// Makes and evaluates a random population. False if the budget does not suffice or the guard cuts.
    fn begin(&mut self) -> bool {
        let now = self.run.spent.calls();
        // The run keeps its best over restarts; a stretch has a best of its own.
        self.since_restart = SinceRestart { at: now, improved_at: now, best: u32::MAX };
        let everyone = self.population.len();
        self.replacement.begin(everyone);
        self.make_first(everyone)
    }

    /// Makes and evaluates the first individuals at random. False if the budget does not suffice or the guard cuts.
    fn make_first(&mut self, count: usize) -> bool {
        // Individuals that cannot be evaluated are not made.
        let within = self.run.within(count);
        if within < count && self.run.has_begun() {
            self.last = Some(self.population.clone());
        }
        for index in 0..within {
            if self.run.guard.cuts_at(index, CHECK_EVERY) {
                self.is_torn = true;
                return false;
            }
            self.encoding.init(self.population.genome_mut(index), &mut self.run.init_rng);
        }
        self.evaluate(Unevaluated::First(count))
    }

    /// Restarts if a restart is due. False if the budget does not suffice or the guard cuts.
    fn restart_if_due(&mut self) -> bool {
        let (now, since) = (self.run.spent.calls(), &self.since_restart);
        let stretch =
            Stretch { restarts: self.restarts, calls: now - since.at, stalled: now - since.improved_at };
        if !self.restart.is_due(&stretch) {
            return true;
        }
        self.restarts += 1;
        // A new population knows nothing of the old one's hard constraints.
        self.guide.reset();
        if let Some(improve) = &mut self.improve {
            improve.begin(self.restarts);
        }
        self.begin()
    }

    /// Re-initialises the individuals that replacement gives up. False if the budget does not suffice or the guard
    /// cuts.
    fn redraw_given_up(&mut self) -> bool {
        let Some(renewal) = self.replacement.renewal() else { return true };
        let count = renewal.give_up(&mut self.population, &mut self.run.rng, &mut self.run.guard);
        // Individuals have moved between layers: the population is no generation any more.
        self.is_torn |= self.run.guard.has_cut();
        !self.is_torn && (count == 0 || self.make_first(count))
    }

    /// Changes the weights if they are due, and evaluates the population again. False if the budget does not suffice or
    /// the guard cuts.
    fn reweigh(&mut self) -> bool {
        if !self.guide.is_due(self.run.spent.evaluations) {
            return true;
        }
        let (count, room) = (self.population.len() as u64, self.run.evaluations_left());
        // Changed weights make every guide a new one, which costs as much as the fitness.
        self.run.spent.evaluations += count.min(room);
        self.guide.adapt(&self.population);
        self.guide.note(&mut self.population, count as usize, &mut self.run.guard);
        count < room && !self.run.guard.has_cut()
    }

    /// Scores the population for selection. False if the guard cuts.
    fn score(&mut self) -> bool {
        let guide = self.population.guide();
        let offset = match self.offset {
            Some(offset) => offset,
            None => guide[self.population.worst()].saturating_add(1),
        };
        for (score, guide) in self.scores.iter_mut().zip(guide) {
            // Scores are never negative: the wheel has no room for that.
            *score = f64::from(offset.saturating_sub(*guide));
        }
        self.niching.apply(&self.population, &mut self.scores, &mut self.run.guard)
    }

    /// Makes the offspring, as many as the budget can still evaluate. False if the guard cuts.
    fn breed(&mut self) -> bool {
        if !self.score() {
            return false;
        }
        let (space, progress) = (self.encoding.space(), self.run.budget.progress(&self.run.spent));
        let brood = self.run.within(self.offspring.len());
        let (guide, guard, rng) = (&mut self.guide, &mut self.run.guard, &mut self.run.rng);
        let (population, offspring) = (&self.population, &mut self.offspring);
        self.breeder.prepare(space, &self.scores, offspring.len(), progress, rng);
        let mating = Mating { population, scores: &self.scores, replacement: &*self.replacement, brood };
        self.breeder.breed(space, &mating, guide, offspring, guard, rng)
    }

    /// Enters the offspring in the log of operators, where one is kept.
    fn enter(&mut self) {
        if let Some(log) = &mut self.operator_log {
            let improved = self.improve.as_ref().map_or(&[][..], Improvement::applied);
            let (population, offspring) = (&self.population, &self.offspring);
            let made_by = self.breeder.made_by();
            log.after(population, offspring, made_by, improved, &self.encoding, &mut self.scratch);
        }
    }

    /// Begins to note births, where the observer asks for them: the population before.
    fn follow_births(&mut self, observer: &dyn Observer) -> Option<Population> {
        let follows = observer.follows_births();
        self.breeder.follow_births(follows);
        follows.then(|| self.population.clone())
    }

    /// Notes the births of a generation, where `before` is the population that its parents are of.
    fn note_births(&mut self, before: Option<Population>, mutated: Vec<u8>) {
        self.births = None;
        if let Some(before) = before {
            let (offspring, crossed) = (self.offspring.clone(), self.breeder.crossed());
            let births = Births::new(before, offspring, crossed, mutated, self.breeder.makers());
            self.births = Some(Arc::new(births));
        }
    }

    /// Lets the local search improve the offspring, where there is one.
    fn improve_offspring(&mut self) {
        if let Some(log) = &mut self.operator_log {
            log.before(&self.offspring);
        }
        if let Some(improve) = &mut self.improve {
            let (guard, spent) = (&mut self.run.guard, &mut self.run.spent);
            improve.apply(&mut self.offspring, &self.run.budget, guard, spent, &mut self.run.rng);
        }
    }

    /// Moves alone are bounded, and the local search finds none to make: the run would never end.
    fn is_stuck(&self) -> bool {
        let moves_alone = self.run.budget.evaluations.is_none() && self.run.budget.generations.is_none();
        moves_alone && self.improve.as_ref().is_some_and(Improvement::is_stuck)
    }

    fn show(&mut self, observer: &mut dyn Observer) {
        self.run.show(observer, |census| census.add(&self.population));
        let may_be_dead = self.is_closed && self.run.best.fitness > 0;
        if may_be_dead && observer.gives_up(self.run.spent, &[&[&self.population]]) {
            self.run.stop = Some(StopReason::Dead);
        }
    }
}

impl<E: Encoding> Algorithm for Genetic<E> {
    fn start(&mut self, observer: &mut dyn Observer) {
        if observer.logs_operators() {
            self.operator_log = Some(OperatorLog::open(&self.spec, self.improve.is_some()));
            if let Some(improve) = &mut self.improve {
                improve.follow();
            }
        }
        if self.begin() {
            self.show(observer);
        }
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if let Some(reason) = self.run.stopped_now() {
            return Some(reason);
        }
        if self.is_stuck() {
            return Some(StopReason::Stalled);
        }
        if !self.restart_if_due() || !self.redraw_given_up() || !self.reweigh() {
            return Some(self.run.cut_short());
        }
        if let Some(reason) = self.run.stopped() {
            return Some(reason);
        }
        let before = self.follow_births(observer);
        if !self.breed() {
            return Some(StopReason::Seconds);
        }
        let mutated = if before.is_some() { self.offspring.genes().to_vec() } else { Vec::new() };
        self.improve_offspring();
        // Whatever is found now was found in this generation, which is taken back where it is cut short.
        self.run.spent.generations += 1;
        if !self.evaluate(Unevaluated::Offspring) {
            self.run.spent.generations -= 1;
            return Some(self.run.cut_short());
        }
        self.breeder.credit(&self.population, &self.offspring);
        self.enter();
        self.note_births(before, mutated);
        let (rng, guard) = (&mut self.run.rng, &mut self.run.guard);
        self.replacement.replace(&mut self.population, &mut self.offspring, rng, guard);
        if self.run.guard.has_cut() {
            self.is_torn = true;
            self.run.spent.generations -= 1;
            return Some(StopReason::Seconds);
        }
        self.show(observer);
        None
    }

    fn status(&self) -> RunStatus<'_> {
        self.run.status()
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        if self.run.has_begun() && !self.is_torn {
            see(self.last.as_ref().unwrap_or(&self.population));
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

impl<E: Encoding> RunDetails for Genetic<E> {
    fn closure(&self) -> Option<Vec<Closure>> {
        if !self.is_closed {
            return None;
        }
        Some(vec![self.breeder.closure(self.encoding.space())?])
    }

    fn ledger(&self) -> Ledger {
        let mut all = Ledger::default();
        if let Some(log) = &self.operator_log {
            all = log.ledger();
        }
        if let Some(improve) = &self.improve {
            all.merge(improve.ledger());
        }
        all
    }

    fn births(&self) -> Vec<Option<Arc<Births>>> {
        vec![self.births.clone()]
    }
}
