//! When a chain reaches a solution: the distribution, call by call.
//!
//! A local search evaluates every genome whose violation is lower than all before, which is a call of its own. Where that is
//! counted, the state of the chain is a genome and the lowest violation so far, its *record*: a layer of probability for each
//! record, of which the higher ones soon are empty.

use rayon::prelude::*;

use super::chain::Chain;
use super::{Progress, SpaceError, Surface, fits};

/// The probabilities of reaching a solution at each call after the start.
pub(super) struct Passage {
    /// By calls after the start; the first is that of starting at a solution.
    pub(super) solved: Vec<f64>,
    /// The call from which on all that is left falls by equal factors, to rounding.
    pub(super) geometric_from: Option<usize>,
    /// The most probability that was left out or made by rounding.
    pub(super) lost: f64,
}

/// A layer with less is empty.
const EMPTY: f64 = 1e-18;

/// Steps between two tests whether what is left falls by equal factors.
const STEPS_A_TEST: usize = 128;

/// The sum of all differences from equal factors, as a share of what is left, that counts as rounding.
const EQUAL: f64 = 1e-13;

/// Genomes that are summed together.
const CHUNK: usize = 4096;

/// Steps from the uniform distribution; `None` where it was interrupted.
///
/// # Errors
/// [`SpaceError::Memory`] where the layers take too much.
pub(super) fn passage(
    chain: &Chain,
    surface: &Surface,
    (counts_records, most): (bool, usize),
    progress: &Progress<'_>,
) -> Result<Option<Passage>, SpaceError> {
    let layers = if counts_records { surface.levels().len() } else { 1 };
    // Tests keep the layers before a step beside those after it.
    fits(&[&[most + 1], &[2, layers, chain.genomes()]])?;
    let mut distribution = StateDistribution::new(chain, surface, counts_records);
    let mut solved = Vec::with_capacity(most + 2);
    solved.push(distribution.solved);
    let mut geometric_from = None;
    while solved.len() <= most {
        if progress.is_cut() {
            return Ok(None);
        }
        let before = (solved.len() % STEPS_A_TEST == 0).then(|| distribution.layers.clone());
        solved.push(distribution.step());
        progress.advance(1);
        if let Some(factor) = before.and_then(|before| distribution.factor(&before)) {
            geometric_from = Some(solved.len() - 1);
            let mut last = solved[solved.len() - 1];
            while solved.len() <= most {
                last *= factor;
                solved.push(last);
            }
        }
    }
    let known = if geometric_from.is_some() { 1.0 } else { solved.iter().sum::<f64>() + distribution.left() };
    Ok(Some(Passage { solved, geometric_from, lost: (1.0 - known).abs() }))
}

/// Probability on its way.
struct StateDistribution<'a> {
    chain: &'a Chain,
    surface: &'a Surface,
    counts_records: bool,
    /// What lies on the genomes, by record; no genomes where there is none. One layer where records are not counted.
    layers: Vec<Vec<f64>>,
    next: Vec<f64>,
    /// What is being evaluated: it lies on its genome after one more call, which is then its record.
    evaluated: Vec<f64>,
    /// The probability to have started at a solution.
    solved: f64,
}

impl<'a> StateDistribution<'a> {
    fn new(chain: &'a Chain, surface: &'a Surface, counts_records: bool) -> Self {
        let genomes = chain.genomes();
        let share = 1.0 / genomes as f64;
        let layers = if counts_records { surface.levels().len() } else { 1 };
        let mut layers = vec![vec![0.0; genomes]; layers];
        let mut solved = 0.0;
        for genome in 0..genomes {
            if chain.is_solution(genome) {
                solved += share;
            } else {
                layers[if counts_records { surface.level(genome) } else { 0 }][genome] = share;
            }
        }
        layers
            .iter_mut()
            .filter(|layer| layer.iter().all(|mass| *mass == 0.0))
            .for_each(|layer| *layer = Vec::new());
        let evaluated = vec![0.0; if counts_records { genomes } else { 0 }];
        Self { chain, surface, counts_records, layers, next: vec![0.0; genomes], evaluated, solved }
    }

    /// Makes a step; returns the probability that it has reached a solution.
    fn step(&mut self) -> f64 {
        if self.counts_records { self.step_with_records() } else { self.step_without() }
    }

    fn step_without(&mut self) -> f64 {
        let (chain, layer) = (self.chain, &mut self.layers[0]);
        let solutions = (0..chain.genomes()).filter(|genome| chain.is_solution(*genome));
        let solved = solutions.map(|genome| chain.arrivals(genome, layer)).sum();
        chain.step(layer, &mut self.next, |genome| !chain.is_solution(genome));
        std::mem::swap(layer, &mut self.next);
        solved
    }

    fn step_with_records(&mut self) -> f64 {
        let (chain, surface) = (self.chain, self.surface);
        let mut evaluated = self.arrivals_with_records();
        std::mem::swap(&mut evaluated, &mut self.evaluated);
        for (record, layer) in self.layers.iter_mut().enumerate().filter(|(_, layer)| !layer.is_empty()) {
            chain.step(layer, &mut self.next, |genome| {
                surface.level(genome) >= record && !chain.is_solution(genome)
            });
            std::mem::swap(layer, &mut self.next);
            if layer
                .par_chunks(CHUNK)
                .map(|chunk| chunk.iter().sum::<f64>())
                .collect::<Vec<_>>()
                .iter()
                .sum::<f64>()
                < EMPTY
            {
                *layer = Vec::new();
            }
        }
        let mut solved = 0.0;
        for (genome, mass) in evaluated.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            if chain.is_solution(genome) {
                solved += mass;
                continue;
            }
            let layer = &mut self.layers[surface.level(genome)];
            if layer.is_empty() {
                layer.resize(chain.genomes(), 0.0);
            }
            layer[genome] += mass;
        }
        solved
    }

    /// What comes to genomes that are lower than the record was.
    fn arrivals_with_records(&self) -> Vec<f64> {
        let (chain, surface) = (self.chain, self.surface);
        let mut arrived = vec![0.0; chain.genomes()];
        arrived.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, arrived)| {
            for (offset, arrived) in arrived.iter_mut().enumerate() {
                let genome = chunk * CHUNK + offset;
                let higher =
                    self.layers[surface.level(genome) + 1..].iter().filter(|layer| !layer.is_empty());
                *arrived = higher.map(|layer| chain.arrivals(genome, layer)).sum();
            }
        });
        arrived
    }

    /// What has not reached a solution.
    fn left(&self) -> f64 {
        self.layers.iter().flatten().sum::<f64>() + self.evaluated.iter().sum::<f64>()
    }

    /// The factor by which all that is left has fallen in one step, if it is the same everywhere.
    fn factor(&self, before: &[Vec<f64>]) -> Option<f64> {
        let sum = |layers: &[Vec<f64>]| layers.iter().flatten().sum::<f64>();
        let is_same_shape = self.layers.iter().zip(before).all(|(now, then)| now.len() == then.len());
        let (now, then) = (sum(&self.layers), sum(before));
        if !is_same_shape || then <= 0.0 || now <= 0.0 {
            return None;
        }
        let factor = now / then;
        let differences = self.layers.iter().flatten().zip(before.iter().flatten());
        let off: f64 = differences.map(|(now, then)| (now - factor * then).abs()).sum();
        (off <= EQUAL * now).then_some(factor)
    }
}
