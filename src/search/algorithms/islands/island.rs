//! One island, and what it shows while it is out of sight.

use std::collections::VecDeque;

use crate::budget::{Clock, Spent, StopReason};
use crate::search::{Algorithm, Census, Observer};

/// A population with its algorithm. Once it has stopped it stays as it is.
pub(super) struct Island {
    pub(super) algorithm: Box<dyn Algorithm>,
    pub(super) stop: Option<StopReason>,
    /// It has made a step since the last barrier.
    pub(super) has_moved: bool,
    /// Seconds of CPU time, on whatever thread.
    pub(super) cpu_s: f64,
    log: Log,
    /// What had been spent at the last generation that the archipelago has shown.
    at: Spent,
}

/// Generations that the island has completed and the archipelago has not shown yet.
#[derive(Default)]
struct Log {
    passed: VecDeque<Spent>,
    /// The censuses that are wanted, by generation.
    censuses: VecDeque<(u64, Census)>,
    /// Censuses that were shown, for others to take their memory.
    spare: Vec<Census>,
}

/// Keeps what one island shows.
struct Shelf<'a> {
    wanted: &'a dyn Observer,
    log: &'a mut Log,
}

impl Observer for Shelf<'_> {
    fn wants(&self, generation: u64) -> bool {
        self.wanted.wants(generation)
    }

    fn tells_apart(&self) -> bool {
        self.wanted.tells_apart()
    }

    fn follows(&self) -> bool {
        self.wanted.follows()
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        let mut kept = self.log.spare.pop().unwrap_or_else(|| Census::new(0, 1));
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
            log: Log::default(),
            at: Spent::default(),
        }
    }

    /// Makes the initial population.
    pub(super) fn start(&mut self, observer: &dyn Observer) {
        let clock = Clock::start();
        self.algorithm.start(&mut Shelf { wanted: observer, log: &mut self.log });
        self.stop = self.algorithm.stopped();
        self.cpu_s += clock.cpu_s();
    }

    /// Advances until this many calls are spent.
    pub(super) fn advance(&mut self, calls: u64, observer: &dyn Observer) {
        let clock = Clock::start();
        let mut shelf = Shelf { wanted: observer, log: &mut self.log };
        while self.stop.is_none() && self.algorithm.spent().calls() < calls {
            self.has_moved = true;
            self.stop = self.algorithm.step(&mut shelf);
        }
        self.stop = self.stop.or_else(|| self.algorithm.stopped());
        self.cpu_s += clock.cpu_s();
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
    /// one that the archipelago has not shown yet.
    pub(super) fn spent_at(&self, generation: u64) -> Spent {
        let first = self.log.passed.front().map_or(generation, |spent| spent.generations);
        let index = generation.checked_sub(first).and_then(|index| usize::try_from(index).ok());
        match index.and_then(|index| self.log.passed.get(index)) {
            Some(spent) => *spent,
            None if first > generation => self.at,
            None => self.algorithm.spent(),
        }
    }

    /// Adds the island to a census of this generation, as it was then or as it stopped, and forgets that generation.
    pub(super) fn show(&mut self, generation: u64, census: Option<&mut Census>) -> Spent {
        if self.log.passed.front().is_some_and(|spent| spent.generations == generation) {
            self.at = self.log.passed.pop_front().unwrap_or(self.at);
        }
        let kept = match self.log.censuses.front() {
            Some((shown, _)) if *shown == generation => self.log.censuses.pop_front(),
            _ => None,
        };
        match (census, kept) {
            (Some(census), Some((_, kept))) => {
                census.merge(&kept);
                self.log.spare.push(kept);
            }
            (Some(census), None) => {
                self.algorithm.census(census);
            }
            (None, _) => {}
        }
        self.at
    }
}
