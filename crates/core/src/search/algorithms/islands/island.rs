//! One island: an algorithm, and the generations that it has completed and the archipelago has not shown yet.

use std::collections::VecDeque;

use crate::budget::{Clock, Spent, StopReason};
use crate::search::{Algorithm, Census, Observer};

/// An algorithm with its population. It stays as it is once it has stopped.
pub(super) struct Island {
    pub(super) algorithm: Box<dyn Algorithm>,
    pub(super) stop: Option<StopReason>,
    /// The island has made a step since the last barrier.
    pub(super) has_moved: bool,
    /// Seconds of CPU time, on whatever thread.
    pub(super) cpu_s: f64,
    log: IslandLog,
    /// What had been spent at the last generation that the archipelago has shown and forgotten.
    at: Spent,
}

/// Generations that the island has completed and the archipelago has not forgotten yet.
#[derive(Default)]
struct IslandLog {
    passed: VecDeque<Spent>,
    /// The censuses that are wanted and were not shown, by generation.
    censuses: VecDeque<(u64, Census)>,
    /// Censuses that were shown, whose memory is used again.
    spare: Vec<Census>,
}

/// Stores the generations of one island for the archipelago.
struct IslandObserver<'a> {
    wanted: &'a dyn Observer,
    log: &'a mut IslandLog,
}

impl Observer for IslandObserver<'_> {
    fn wants(&self, generation: u64) -> bool {
        self.wanted.wants(generation)
    }

    fn counts_unique(&self) -> bool {
        self.wanted.counts_unique()
    }

    fn keeps_individuals(&self, generation: u64) -> bool {
        self.wanted.keeps_individuals(generation)
    }

    fn logs_operators(&self) -> bool {
        self.wanted.logs_operators()
    }

    fn follows_births(&self) -> bool {
        self.wanted.follows_births()
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        let mut kept = self.log.spare.pop().unwrap_or_else(|| Census::new(0, 1));
        // The algorithm uses its census again for the next generation.
        kept.clone_from(census);
        self.log.censuses.push_back((spent.generations, kept));
    }

    fn passed(&mut self, spent: Spent, _best: u32) {
        self.log.passed.push_back(spent);
    }
}

impl Island {
    pub(super) fn new(algorithm: Box<dyn Algorithm>) -> Self {
        Self {
            algorithm,
            stop: None,
            has_moved: false,
            cpu_s: 0.0,
            log: IslandLog::default(),
            at: Spent::default(),
        }
    }

    /// Makes the initial population.
    pub(super) fn start(&mut self, observer: &dyn Observer) {
        let clock = Clock::start();
        self.algorithm.start(&mut IslandObserver { wanted: observer, log: &mut self.log });
        self.stop = self.algorithm.stopped();
        self.cpu_s += clock.cpu_s();
    }

    /// Makes steps until this many calls are spent.
    pub(super) fn run_until(&mut self, calls: u64, observer: &dyn Observer) {
        let clock = Clock::start();
        let mut kept = IslandObserver { wanted: observer, log: &mut self.log };
        while self.stop.is_none() && self.algorithm.spent().calls() < calls {
            self.has_moved = true;
            self.stop = self.algorithm.step(&mut kept);
        }
        if self.stop.is_none() {
            self.stop = self.algorithm.stopped();
        }
        self.cpu_s += clock.cpu_s();
    }

    /// It has not spent this many calls and would go on.
    pub(super) fn is_before(&self, calls: u64) -> bool {
        self.stop.is_none() && self.algorithm.spent().calls() < calls
    }

    /// Makes one step, on the caller's thread.
    pub(super) fn step(&mut self, observer: &dyn Observer) {
        self.has_moved = true;
        let stop = self.algorithm.step(&mut IslandObserver { wanted: observer, log: &mut self.log });
        self.stop = stop.or_else(|| self.algorithm.stopped());
    }

    /// The initial population is complete.
    pub(super) fn has_begun(&self) -> bool {
        !self.log.passed.is_empty() || self.at.evaluations > 0
    }

    /// The last generation that the island has completed.
    pub(super) fn completed(&self) -> u64 {
        self.log.passed.back().unwrap_or(&self.at).generations
    }

    /// What the island had spent when it completed this generation, or at its end if it never did. The generation is
    /// one that the archipelago has not forgotten yet.
    pub(super) fn spent_at(&self, generation: u64) -> Spent {
        let passed = &self.log.passed;
        // It never completed this generation, and stands at its end.
        let Some(first) = passed.front() else { return self.algorithm.spent() };
        if generation < first.generations {
            return self.at;
        }
        match passed.get((generation - first.generations) as usize) {
            Some(spent) => *spent,
            None => self.algorithm.spent(),
        }
    }

    /// Forgets the generations that the archipelago has shown.
    pub(super) fn forget(&mut self, shown: Option<u64>) {
        while let Some(spent) = self.log.passed.pop_front_if(|spent| Some(spent.generations) <= shown) {
            self.at = spent;
        }
    }

    /// Adds the island to a census of this generation, as it was then or as it stopped; what it had spent is returned.
    pub(super) fn show(&mut self, generation: u64, census: Option<&mut Census>) -> Spent {
        let passed = &self.log.passed;
        let mut spent = self.at;
        if let Some(first) = passed.front()
            && first.generations <= generation
        {
            // An island that stopped before stays as it was then.
            let index = (generation - first.generations) as usize;
            spent = passed[index.min(passed.len() - 1)];
        }
        let kept = self.log.censuses.pop_front_if(|(shown, _)| *shown == generation);
        let Some(census) = census else { return spent };
        if let Some((_, kept)) = kept {
            census.merge(&kept);
            self.log.spare.push(kept);
        } else {
            self.algorithm.census(census);
        }
        spent
    }
}
