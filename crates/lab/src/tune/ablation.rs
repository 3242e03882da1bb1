//! The ablation path: which of the differences between the default and the best matter.
//!
//! ```text
//! from the default on
//!     change each key in which it still differs to its value in the best, alone, and run all of these
//!     keep the change that costs least
//! until it is the best
//! ```
//!
//! A key whose condition another one makes true changes together with that one.
//!
//! Source: C. Fawcett, H. H. Hoos 2016, Analysing differences between algorithm configurations through ablation, Journal of
//! Heuristics 22, 431-458, doi:10.1007/s10732-014-9275-9; in full on the same blocks, without racing.

use super::TuneError;
use super::candidate::SamplingModel;
use super::tuner::Tuner;
use super::{AblationStep, Candidate, Origin};
use crate::experiment::{Space, short_key};

/// The keys that change together.
type Flip = Vec<usize>;

impl Tuner<'_> {
    /// Walks the path from the default to the best, as far as the rest of the budget carries.
    pub(super) fn ablate(&mut self) -> Result<Vec<AblationStep>, TuneError> {
        let best = self.elites[0];
        self.iteration = 0;
        let mut flips = self.flips(best);
        let blocks = self.path_blocks(best, flips.len());
        let (mut path, mut flipped) = (Vec::new(), vec![false; self.keys.len()]);
        if flips.is_empty() || blocks.is_empty() || !self.run_all(&[0, best], &blocks)? {
            return Ok(path);
        }
        path.push(self.step(0, String::new(), 0, &blocks));
        // The last change leads to the best, whose runs are known.
        while flips.len() > 1 {
            let Some((flip, candidate)) = self.cheapest(best, &flips, &flipped, &blocks)? else {
                return Ok(path);
            };
            let flip = flips.remove(flip);
            for axis in &flip {
                flipped[*axis] = true;
            }
            path.push(self.step(path.len(), self.change(&flip, best), candidate, &blocks));
        }
        path.push(self.step(path.len(), self.change(&flips[0], best), best, &blocks));
        Ok(path)
    }

    /// The changes from the default to a candidate: keys in which they differ, each with those that appear with it.
    fn flips(&self, best: usize) -> Vec<Flip> {
        let (from, to) = (&self.candidates[0].values, &self.candidates[best].values);
        let mut all: Vec<Flip> = Vec::new();
        for axis in 0..self.keys.len() {
            if to[axis].is_some() && from[axis] != to[axis] {
                all.push(self.with_dependents(axis, best));
            }
        }
        // A flip that is part of another one is made by that.
        let mut flips = all.clone();
        flips.retain(|flip| !all.iter().any(|other| other[0] != flip[0] && other.contains(&flip[0])));
        flips
    }

    /// A key, and those that a candidate has because of it and the default has not.
    fn with_dependents(&self, axis: usize, best: usize) -> Flip {
        let (from, to) = (&self.candidates[0].values, &self.candidates[best].values);
        let mut flip = vec![axis];
        let mut next = 0;
        while next < flip.len() {
            for other in self.sampler.space.dependents(flip[next]) {
                let appears = from[other].is_none() && to[other].is_some();
                if appears && !flip.contains(&other) {
                    flip.push(other);
                }
            }
            next += 1;
        }
        flip
    }

    /// Blocks that the rest of the budget allows for all candidates of the path, at what the default and the best cost now.
    fn path_blocks(&self, best: usize, flips: usize) -> Vec<usize> {
        let mut mean = 1.0_f64;
        for candidate in [0, best] {
            mean = mean.max(self.results.mean_calls(candidate).unwrap_or(0.0));
        }
        let left = (self.limit - self.results.used) as f64;
        // Each step tries all changes that are left, one fewer than the step before.
        let runs = (flips * (flips + 1) / 2 + 1).max(1) as f64;
        let count = (left / mean / runs) as usize;
        (0..count.min(self.results.blocks)).collect()
    }

    /// Of all changes that are possible the one that costs least, and the candidate that it leads to; `None` where none is
    /// possible or the budget does not suffice.
    fn cheapest(
        &mut self,
        best: usize,
        flips: &[Flip],
        flipped: &[bool],
        blocks: &[usize],
    ) -> Result<Option<(usize, usize)>, TuneError> {
        let (mut tried, mut candidates) = (Vec::new(), Vec::new());
        for (index, flip) in flips.iter().enumerate() {
            if let Some(candidate) = self.flipped(best, flip, flipped)? {
                tried.push(index);
                candidates.push(candidate);
            }
        }
        if !self.run_all(&candidates, blocks)? {
            return Ok(None);
        }
        let (mut least, mut cheapest) = (f64::INFINITY, None);
        for (index, candidate) in tried.into_iter().zip(candidates) {
            // No path leads over what breaks down.
            if blocks.iter().any(|block| self.results.has_failed(candidate, *block)) {
                continue;
            }
            let cost = self.results.mean(self.options, candidate, blocks);
            // Of equals the first.
            if cheapest.is_none() || cost < least {
                (least, cheapest) = (cost, Some((index, candidate)));
            }
        }
        Ok(cheapest)
    }

    /// The candidate with these changes and one more; `None` where they are no sound configuration, or one that
    /// cannot be run.
    fn flipped(&mut self, best: usize, flip: &Flip, flipped: &[bool]) -> Result<Option<usize>, TuneError> {
        let mut values = self.candidates[best].values.clone();
        for (axis, value) in values.iter_mut().enumerate() {
            if !flipped[axis] && !flip.contains(&axis) {
                *value = None;
            }
        }
        let Some(point) = self.sampler.space.blend(&values) else { return Ok(None) };
        let deciding = point.config.deciding();
        // Its runs need not be made again.
        let known = self.candidates.iter().find(|candidate| candidate.config.deciding() == deciding);
        if let Some(known) = known {
            return Ok(Some(known.index));
        }
        let Some(mut point) = self.sampler.admit_new(self.runner, point) else { return Ok(None) };
        // Where nothing is laid over it the default's own value stands.
        for (value, default) in point.values.iter_mut().zip(&self.candidates[0].values) {
            if value.is_none() {
                value.clone_from(default);
            }
        }
        let index = self.candidates.len();
        let models = SamplingModel::initial(&self.sampler.kinds);
        let draws = vec![None; self.keys.len()];
        self.enter(vec![Candidate::new(index, 0, Origin::Ablation, point, draws, models)])?;
        Ok(Some(index))
    }

    /// Runs candidates on blocks in full: a run that was cut short says too little.
    fn run_all(&mut self, candidates: &[usize], blocks: &[usize]) -> Result<bool, TuneError> {
        self.alive = candidates.len();
        self.run_in_full(candidates, blocks)
    }

    fn step(&self, step: usize, change: String, candidate: usize, blocks: &[usize]) -> AblationStep {
        let cost = self.results.mean(self.options, candidate, blocks);
        let solved = self.options.can_solve.then(|| self.results.solved(candidate, blocks));
        let runs = self.results.known(candidate, blocks).len();
        AblationStep { step, change, candidate, cost, solved, blocks: runs }
    }

    /// A change in words.
    fn change(&self, flip: &Flip, best: usize) -> String {
        let mut words = Vec::with_capacity(flip.len());
        for axis in flip {
            let key = short_key(&self.keys[*axis]);
            let [was, is] = [0, best].map(|candidate| {
                let value = self.candidates[candidate].values[*axis].as_ref();
                value.map_or("absent".to_owned(), Space::label)
            });
            words.push(format!("{key}: {was} -> {is}"));
        }
        words.join(", ")
    }
}
