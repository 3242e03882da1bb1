//! The samples that measures share: random genomes with their neighbours, and local optima.

use std::sync::Arc;

use crate::landscape::{Explorer, Targets};
use kenga_core::budget::Interrupt;
use kenga_core::rng::{RunRng, StreamKey};

use super::estimate::Resampler;

/// How much is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Random genomes, and pairs of moves, 1 or more.
    pub samples: usize,
    /// Random walks, adaptive walks, and descents, 1 or more each.
    pub walks: usize,
    /// Moves of a random walk, 1 or more; each of each walk takes 8 bytes.
    pub length: usize,
    /// The most genomes that are explored from one local optimum, 1 or more.
    pub limit: usize,
    /// Resamples of a bootstrap interval: 1000 or more for an interval to be reported.
    pub resamples: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { samples: 1000, walks: 200, length: 1000, limit: 200, resamples: 1000 }
    }
}

/// A uniform random genome with what is around it.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomPoint {
    /// The genome.
    pub genome: Vec<u8>,
    /// What its neighbours are.
    pub around: Surroundings,
}

/// The value of a genome, and how those of its neighbours compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The value.
    pub value: i64,
    /// The number of neighbours.
    pub neighbours: u64,
    /// Neighbours of lower value.
    pub better: u64,
    /// Neighbours of equal value.
    pub equal: u64,
    /// The sum of what neighbours are above the value.
    pub rise: i64,
}

impl Surroundings {
    /// Looks around a place.
    pub fn of(at: &mut dyn Explorer) -> Self {
        let mut found = Self { value: at.value(), ..Self::default() };
        at.each_neighbour(&mut |difference| {
            found.neighbours += 1;
            found.better += u64::from(difference < 0);
            found.equal += u64::from(difference == 0);
            found.rise += difference;
        });
        found
    }

    /// The share of neighbours that are better; `None` without neighbours.
    pub fn better(&self) -> Option<f64> {
        self.share(self.better)
    }

    /// The share of neighbours that are as good; `None` without neighbours.
    pub fn equal(&self) -> Option<f64> {
        self.share(self.equal)
    }

    fn share(&self, neighbours: u64) -> Option<f64> {
        if self.neighbours == 0 { None } else { Some(neighbours as f64 / self.neighbours as f64) }
    }
}

/// Where a steepest descent from a random genome ends.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalOptimum {
    /// The genome, which has no better neighbour.
    pub genome: Vec<u8>,
    /// What its neighbours are.
    pub around: Surroundings,
    /// Moves that the descent made.
    pub steps: usize,
}

/// A landscape that is measured: a place on it, what is known of its solutions, and the samples taken so far.
pub struct Survey<'a> {
    pub(super) at: Box<dyn Explorer + 'a>,
    pub(super) targets: &'a Targets,
    pub(super) effort: Effort,
    pub(super) interrupt: Interrupt,
    /// Value 0 is a bound that no genome need reach, not the value of solutions.
    pub(super) is_zero_a_bound: bool,
    key: StreamKey,
    points: Option<Arc<[RandomPoint]>>,
    optima: Option<Arc<[LocalOptimum]>>,
}

impl<'a> Survey<'a> {
    /// Begins a survey; `key` is that of the seed, the puzzle and the landscape.
    pub fn new(at: Box<dyn Explorer + 'a>, targets: &'a Targets, effort: Effort, key: StreamKey) -> Self {
        let interrupt = Interrupt::default();
        Self { at, targets, effort, interrupt, is_zero_a_bound: false, key, points: None, optima: None }
    }

    /// Sets whether value 0 is a bound that no genome need reach: then no quantity takes it for that of solutions.
    #[must_use]
    pub fn from_bound(self, is_zero_a_bound: bool) -> Self {
        Self { is_zero_a_bound, ..self }
    }

    /// Ends soon after this is raised: what is returned from then on says nothing.
    pub fn interrupted_by(self, interrupt: &Interrupt) -> Self {
        Self { interrupt: interrupt.clone(), ..self }
    }

    /// The stream of a sample.
    pub(super) fn rng(&self, sample: &str) -> RunRng {
        self.key.child(sample).rng()
    }

    /// What the intervals of a measure are drawn with.
    pub(super) fn resampler(&self, measure: &str) -> Resampler {
        let rng = self.rng(&format!("{measure} intervals"));
        Resampler { rng, resamples: self.effort.resamples, interrupt: self.interrupt.clone() }
    }

    /// Random genomes, each uniform among those of the encoding.
    pub fn points(&mut self) -> Arc<[RandomPoint]> {
        if let Some(points) = &self.points {
            return Arc::clone(points);
        }
        let mut rng = self.rng("points");
        let mut points = Vec::new();
        while points.len() < self.effort.samples && !self.interrupt.is_raised() {
            self.at.randomize(&mut rng);
            let around = Surroundings::of(&mut *self.at);
            points.push(RandomPoint { genome: self.at.genome().to_vec(), around });
        }
        Arc::clone(self.points.insert(points.into()))
    }

    /// The ends of steepest descents from random genomes; a local optimum counts as often as a descent ends there.
    pub fn optima(&mut self) -> Arc<[LocalOptimum]> {
        if let Some(optima) = &self.optima {
            return Arc::clone(optima);
        }
        let mut rng = self.rng("optima");
        let mut optima = Vec::new();
        while optima.len() < self.effort.walks && !self.interrupt.is_raised() {
            self.at.randomize(&mut rng);
            let steps = descend(&mut *self.at, &mut rng);
            let around = Surroundings::of(&mut *self.at);
            optima.push(LocalOptimum { genome: self.at.genome().to_vec(), around, steps });
        }
        Arc::clone(self.optima.insert(optima.into()))
    }

    /// How far a genome is from the nearest solution, in cells and in moves; `None` where none is known.
    pub fn distance(&self, genome: &[u8]) -> Option<(u32, u32)> {
        Some((self.targets.cells(genome)?, self.targets.moves(genome, self.at.space())?))
    }
}

/// Descends to a local optimum; returns how many moves that took.
pub(super) fn descend(at: &mut dyn Explorer, rng: &mut RunRng) -> usize {
    let mut steps = 0;
    while at.descend(rng) {
        steps += 1;
    }
    steps
}
