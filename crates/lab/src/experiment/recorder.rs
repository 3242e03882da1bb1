//! The recorder of a run: samples of its convergence.

use super::convergence::{Generation, measure};
use super::{
    Config, DeadRunPolicy, LiveView, MEASURES, RecordEvery, RecordedPopulation, RunId, Sample, Truth, Watch,
};
use kenga_core::budget::Spent;
use kenga_core::fitness::{Fitness, Terms};
use kenga_core::search::{Census, Closure, Migration, Observer, Population, Reachability};

const UNIQUE: usize = measure("unique");

/// Records the convergence of one run.
pub struct Recorder<'a> {
    id: RunId,
    every: RecordEvery,
    fitness: &'a Fitness,
    truth: &'a Truth,
    watch: &'a dyn Watch,
    view: Option<Box<LiveView>>,
    pub(super) samples: Vec<Sample>,
    /// The best of the last generation that was recorded.
    best: Option<u32>,
    /// `None` where migrants are not recorded.
    pub(super) migrations: Option<Vec<Migration>>,
    populations_every: RecordEvery,
    pub(super) populations: Vec<RecordedPopulation>,
    /// The best genome of the last sample with what was computed for it.
    last: Option<(Vec<u8>, Terms, Option<u32>)>,
    /// One test of reachability per group of connected populations; empty if not asked or not decidable.
    reachabilities: Vec<Reachability>,
    logs_operators: bool,
    counts_unique: bool,
    /// Hashes of genomes, sorted to count the distinct ones.
    hashes: Vec<u64>,
    /// A run that has lost every solution ends.
    ends_when_dead: bool,
    dead_at: Option<u64>,
}

impl<'a> Recorder<'a> {
    /// A recorder that keeps generation 0 and every generation that the configuration asks for.
    pub fn new(
        id: RunId,
        config: &Config,
        fitness: &'a Fitness,
        truth: &'a Truth,
        watch: &'a dyn Watch,
    ) -> Self {
        let migrations = config.record_migrations.then(Vec::new);
        let every = config.record_every;
        Self {
            id,
            every,
            fitness,
            truth,
            watch,
            view: None,
            samples: Vec::new(),
            best: None,
            migrations,
            populations_every: config.record_populations,
            populations: Vec::new(),
            last: None,
            reachabilities: Vec::new(),
            logs_operators: config.record_operators,
            counts_unique: config.keeps(&MEASURES[UNIQUE]),
            hashes: Vec::new(),
            ends_when_dead: config.dead == DeadRunPolicy::Stop,
            dead_at: None,
        }
    }

    /// Lets it find out when the run has lost every solution, by what operators can make of its populations.
    #[must_use]
    pub(crate) fn with_closure(self, closure: Option<&Vec<Closure>>) -> Self {
        let reachabilities = closure.and_then(|closure| self.truth.reachability(closure));
        Self { reachabilities: reachabilities.unwrap_or_default(), ..self }
    }

    /// The same, keeping nothing but what decides the run.
    #[must_use]
    pub(super) fn silent(self) -> Self {
        Self {
            every: RecordEvery::Never,
            migrations: None,
            populations_every: RecordEvery::Never,
            logs_operators: false,
            counts_unique: false,
            ..self
        }
    }

    /// The same, recording what a viewer asks for too.
    #[must_use]
    pub(super) fn with_live_view(self, view: Option<LiveView>) -> Self {
        Self { view: view.map(Box::new), ..self }
    }

    pub(super) fn live_view(&mut self) -> Option<&mut LiveView> {
        self.view.as_deref_mut()
    }

    pub(super) fn dead_at(&self) -> Option<u64> {
        self.dead_at
    }

    /// Adds the last complete generation, if it is not there yet.
    pub(super) fn finish(&mut self, complete: Spent, census: &Census) {
        let last = self.samples.last().map(|sample| sample.generation);
        if !self.every.is_never() && census.individuals() > 0 && last != Some(complete.generations) {
            let sample = self.sample(complete, census);
            self.samples.push(sample);
        }
        let last = self.populations.last().map(|population| population.generation);
        if last != Some(complete.generations) {
            self.record_population(complete, census);
        }
    }

    /// Keeps the individuals of a census that has kept them.
    fn record_population(&mut self, spent: Spent, census: &Census) {
        if let Some(individuals) = census.snapshot().filter(|snapshot| !snapshot.is_empty()) {
            let individuals = individuals.clone();
            self.populations.push(RecordedPopulation { generation: spent.generations, individuals });
        }
    }

    /// Whole populations are recorded.
    pub(super) fn records_populations(&self) -> bool {
        !self.populations_every.is_never()
    }

    /// Terms and distance of the best, recomputed only when the best has changed.
    fn facts(&mut self, best: &[u8]) -> (Terms, Option<u32>) {
        // The best changes seldom, and the distance to many solutions takes time.
        if let Some((genome, terms, distance)) = &self.last
            && genome == best
        {
            return (*terms, *distance);
        }
        let (terms, distance) = (self.fitness.terms(best), self.truth.distance(best));
        self.last = Some((best.to_vec(), terms, distance));
        (terms, distance)
    }

    /// The first generation, and those whose best is the best yet, are improvements.
    fn records(&self, generation: u64, best: u32) -> bool {
        if self.every == RecordEvery::Improvement {
            return self.best.is_none_or(|before| best < before);
        }
        self.every.may_record(generation)
    }

    /// The measures of a generation.
    pub(super) fn sample(&mut self, spent: Spent, census: &Census) -> Sample {
        let (terms, distance) = self.facts(census.best_ranks());
        let unique = census.unique(&mut self.hashes);
        Sample::new(spent, &Generation { census, terms, distance, unique })
    }
}

impl Observer for Recorder<'_> {
    fn wants(&self, generation: u64) -> bool {
        self.every.may_record(generation)
            || self.keeps_individuals(generation)
            || self.watch.wants(generation)
            || self.view.as_ref().is_some_and(|view| view.wants(generation))
    }

    fn counts_unique(&self) -> bool {
        self.counts_unique
    }

    fn keeps_individuals(&self, generation: u64) -> bool {
        self.populations_every.may_record(generation)
    }

    fn logs_operators(&self) -> bool {
        self.logs_operators || self.view.as_ref().is_some_and(|view| view.operators)
    }

    fn follows_births(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.births)
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        if self.watch.wants(spent.generations) {
            self.watch.census(self.id, spent, census);
        }
        self.record_population(spent, census);
        let records = self.records(spent.generations, census.best());
        // A census that only the watch or the populations wanted needs no sample.
        if !records && self.view.is_none() {
            return;
        }
        let sample = self.sample(spent, census);
        if records {
            self.best = Some(census.best());
            self.samples.push(sample);
        }
        if let Some(view) = &mut self.view {
            view.samples.push(sample);
        }
    }

    fn passed(&mut self, spent: Spent, best: u32) {
        self.watch.passed(self.id, spent, best);
        if let Some(view) = &mut self.view {
            view.passed = Some(spent);
        }
    }

    fn gives_up(&mut self, spent: Spent, populations: &[&[&Population]]) -> bool {
        // A lost solution stays lost: one look is enough.
        if self.dead_at.is_none() && self.reachabilities.len() == populations.len() {
            let mut each = self.reachabilities.iter_mut().zip(populations);
            if !each.any(|(reachability, joined)| reachability.is_open(joined)) {
                self.dead_at = Some(spent.evaluations);
            }
        }
        self.ends_when_dead && self.dead_at.is_some()
    }

    fn migrated(&mut self, migration: &Migration) {
        if let Some(migrations) = &mut self.migrations {
            migrations.push(*migration);
        }
        if let Some(view) = &mut self.view {
            view.migrated(migration);
        }
    }
}
