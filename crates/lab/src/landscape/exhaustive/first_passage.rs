//! When a chain reaches a solution: the distribution, call by call.
//!
//! A local search evaluates every genome whose violation is lower than all before, which is a call of its own. Where that is
//! counted, the state of the chain is a genome and the lowest violation so far, its *record*: a layer of probability for each
//! record, of which the higher ones soon are empty.

use rayon::prelude::*;

use super::chain::Chain;
use super::{Progress, SpaceError, Surface, fits};

/// The probabilities of reaching a solution at each call after the start.
pub(super) struct FirstPassage {
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

/// Genomes that one thread sums at a time.
const CHUNK: usize = 4096;

/// Follows the chain from the uniform distribution for `most` calls; `None` where it was interrupted.
///
/// # Errors
/// [`SpaceError::Memory`] where the layers take too much.
pub(super) fn first_passage(
    chain: &Chain,
    surface: &Surface,
    counts_records: bool,
    most: usize,
    progress: &Progress<'_>,
) -> Result<Option<FirstPassage>, SpaceError> {
    let layers = if counts_records { surface.levels().len() } else { 1 };
    // Tests keep the layers before a step beside those after it.
    fits(&[&[most + 1], &[2, layers, chain.genomes()]])?;
    let mut distribution = StateDistribution::new(chain, surface, counts_records);
    let mut solved = Vec::with_capacity(most + 2);
    solved.push(distribution.solved);
    while solved.len() <= most {
        if progress.is_cut() {
            return Ok(None);
        }
        // A test copies all layers: it is made now and then.
        let is_tested = solved.len() % STEPS_A_TEST == 0;
        let before = if is_tested { distribution.layers.clone() } else { Vec::new() };
        let mut last = distribution.step();
        solved.push(last);
        progress.advance(1);
        if !is_tested {
            continue;
        }
        if let Some(factor) = distribution.factor(&before) {
            let geometric_from = Some(solved.len() - 1);
            while solved.len() <= most {
                last *= factor;
                solved.push(last);
            }
            return Ok(Some(FirstPassage { solved, geometric_from, lost: 0.0 }));
        }
    }
    let known = solved.iter().sum::<f64>() + distribution.left();
    Ok(Some(FirstPassage { solved, geometric_from: None, lost: (1.0 - known).abs() }))
}

/// The probability of each state, after some calls.
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
        let records = if counts_records { surface.levels().len() } else { 1 };
        let mut layers = vec![vec![0.0; genomes]; records];
        let mut solved = 0.0;
        for genome in 0..genomes {
            if chain.is_solution(genome) {
                solved += share;
            } else {
                layers[if counts_records { surface.level(genome) } else { 0 }][genome] = share;
            }
        }
        // Most records are rare at the start: a layer without mass takes no memory and no time.
        for layer in &mut layers {
            if layer.iter().all(|mass| *mass == 0.0) {
                *layer = Vec::new();
            }
        }
        let evaluated = vec![0.0; if counts_records { genomes } else { 0 }];
        Self { chain, surface, counts_records, layers, next: vec![0.0; genomes], evaluated, solved }
    }

    /// Makes a step; returns the probability that it has reached a solution.
    fn step(&mut self) -> f64 {
        if self.counts_records { self.step_with_records() } else { self.step_without() }
    }

    fn step_without(&mut self) -> f64 {
        let (chain, layer) = (self.chain, &mut self.layers[0]);
        let mut solved = 0.0;
        for genome in 0..chain.genomes() {
            if chain.is_solution(genome) {
                solved += chain.inflow(genome, layer);
            }
        }
        chain.step(layer, &mut self.next, |genome| !chain.is_solution(genome));
        std::mem::swap(layer, &mut self.next);
        solved
    }

    fn step_with_records(&mut self) -> f64 {
        let (chain, surface) = (self.chain, self.surface);
        // What improves on its record now lies on its genome one call later.
        let mut evaluated = self.improving_inflow();
        std::mem::swap(&mut evaluated, &mut self.evaluated);
        for (record, layer) in self.layers.iter_mut().enumerate() {
            if layer.is_empty() {
                continue;
            }
            chain.step(layer, &mut self.next, |genome| {
                surface.level(genome) >= record && !chain.is_solution(genome)
            });
            std::mem::swap(layer, &mut self.next);
            if parallel_sum(layer) < EMPTY {
                *layer = Vec::new();
            }
        }
        let mut solved = 0.0;
        for (genome, mass) in evaluated.into_iter().enumerate() {
            if mass <= 0.0 {
                continue;
            }
            if chain.is_solution(genome) {
                solved += mass;
                continue;
            }
            // Its level is its record. The layer may have been dropped as empty.
            let layer = &mut self.layers[surface.level(genome)];
            if layer.is_empty() {
                layer.resize(chain.genomes(), 0.0);
            }
            layer[genome] += mass;
        }
        solved
    }

    /// The probability that flows into each genome from states whose record it improves on.
    fn improving_inflow(&self) -> Vec<f64> {
        let mut inflow = vec![0.0; self.chain.genomes()];
        inflow.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, inflow)| {
            for (offset, inflow) in inflow.iter_mut().enumerate() {
                let genome = chunk * CHUNK + offset;
                for layer in &self.layers[self.surface.level(genome) + 1..] {
                    if !layer.is_empty() {
                        *inflow += self.chain.inflow(genome, layer);
                    }
                }
            }
        });
        inflow
    }

    /// What has not reached a solution.
    fn left(&self) -> f64 {
        self.layers.iter().flatten().sum::<f64>() + self.evaluated.iter().sum::<f64>()
    }

    /// The factor by which all that is left has fallen in one step, if it is the same everywhere.
    fn factor(&self, before: &[Vec<f64>]) -> Option<f64> {
        for (now, then) in self.layers.iter().zip(before) {
            // A layer was filled or dropped in this step: not all of it falls evenly yet.
            if now.len() != then.len() {
                return None;
            }
        }
        let now: f64 = self.layers.iter().flatten().sum();
        let then: f64 = before.iter().flatten().sum();
        if then <= 0.0 || now <= 0.0 {
            return None;
        }
        let factor = now / then;
        let mut off = 0.0;
        for (now, then) in self.layers.iter().flatten().zip(before.iter().flatten()) {
            off += (now - factor * then).abs();
        }
        (off <= EQUAL * now).then_some(factor)
    }
}

/// The sum of a layer, chunk by chunk, so that it is the same for any number of threads.
fn parallel_sum(layer: &[f64]) -> f64 {
    let sums: Vec<f64> = layer.par_chunks(CHUNK).map(|chunk| chunk.iter().sum()).collect();
    sums.iter().sum()
}
