//! Racing: settings that are already shown worse are dropped, so that the runs go to those that may be the best.
//!
//! ```text
//! for every block, a puzzle and a replicate, in the order of the plan
//!     run every setting that is left
//!     from block `first` on: if Friedman's test says that they differ
//!         drop those that Wilcoxon's signed ranks, with Holm's correction, show to be worse than the best by ranks
//! until one is left or the blocks are used up
//! ```
//!
//! What decides are columns of `runs.csv`, calls to the solution with failures last, and never the clock, so that a race
//! that is resumed decides again as before. The chance to drop the best by error is `alpha` a block, not over the race.
//!
//! Source: M. Birattari, T. Stützle, L. Paquete, K. Varrentrapp 2002, A racing algorithm for configuring metaheuristics,
//! GECCO 2002, 11-18; irace, M. López-Ibáñez et al. 2016, doi:10.1016/j.orp.2016.09.002, tests in the same way.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::stats::{Zeros, friedman, holm, paired_differences, rank_line, wilcoxon};

use super::{Plan, RunRecord};

/// How a race decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceRules {
    /// Blocks before the first decision.
    pub first: u64,
    /// The chance to claim a difference where there is none, at every decision.
    pub alpha: f64,
}

/// A race as far as it has come.
#[derive(Clone, Debug)]
pub struct Race {
    rules: RaceRules,
    settings: usize,
    blocks: u64,
    /// Settings that are left, in order.
    left: Vec<usize>,
    /// The calls of every setting that is left, a row a block; infinite for failures.
    values: Vec<Vec<f64>>,
    /// Blocks that every setting that is left has run.
    block: u64,
    /// Runs made or to be made up to the end of the present block.
    runs: u64,
}

impl Race {
    /// A race at its beginning; `None` where the plan is none.
    pub fn of(plan: &Plan) -> Option<Self> {
        let rules = plan.settings.race?;
        let settings = plan.settings.all.len();
        Some(Self {
            rules,
            settings,
            blocks: plan.runs() / settings as u64,
            left: (0..settings).collect(),
            values: vec![Vec::new(); settings],
            block: 0,
            runs: settings as u64,
        })
    }

    /// The race as far as the calls of the runs that are there take it.
    pub fn replay(plan: &Plan, known: &BTreeMap<u64, f64>) -> Option<Self> {
        let mut race = Self::of(plan)?;
        while let Some(block) = race.next() {
            let calls = block.filter(|run| race.has(*run)).map(|run| known.get(&run).copied());
            let Some(calls) = calls.collect::<Option<Vec<f64>>>() else { break };
            race.take(&calls);
        }
        Some(race)
    }

    /// The settings that are left.
    pub fn left(&self) -> &[usize] {
        &self.left
    }

    /// Blocks that are done.
    pub fn block(&self) -> u64 {
        self.block
    }

    /// Runs up to the end of the present block, or of the race.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The runs of the present block; `None` when the race is over.
    pub fn next(&self) -> Option<Range<u64>> {
        let begin = self.block * self.settings as u64;
        let is_over = self.block == self.blocks || (self.left.len() == 1 && self.block >= self.rules.first);
        (!is_over).then_some(begin..begin + self.settings as u64)
    }

    /// The run is one of the present block's, of a setting that is left.
    pub fn has(&self, run: u64) -> bool {
        self.next().is_some_and(|block| block.contains(&run) && self.left.contains(&self.setting(run)))
    }

    fn setting(&self, run: u64) -> usize {
        (run % self.settings as u64) as usize
    }

    /// Takes the calls of the runs of the present block that [`has`](Self::has) them, in the order of the settings that are
    /// left, and decides.
    pub fn take(&mut self, calls: &[f64]) {
        for (setting, calls) in self.left.iter().zip(calls) {
            self.values[*setting].push(*calls);
        }
        self.block += 1;
        if self.block >= self.rules.first && self.left.len() > 1 {
            self.decide();
        }
        if self.next().is_some() {
            self.runs += self.left.len() as u64;
        }
    }

    fn decide(&mut self) {
        let sides: Vec<&Vec<f64>> = self.left.iter().map(|setting| &self.values[*setting]).collect();
        let rows: Vec<f64> =
            (0..self.block as usize).flat_map(|block| sides.iter().map(move |side| side[block])).collect();
        if sides.len() > 2 && friedman(&rows, sides.len()).p >= self.rules.alpha {
            return;
        }
        let order = rank_line(&rows, sides.len(), self.rules.alpha).order;
        let best = sides[order[0]];
        // Half and double lie equally far from 1; a start that solves has taken one call.
        let logs = |side: &[f64]| side.iter().map(|calls| calls.max(1.0).ln()).collect::<Vec<_>>();
        let others = &order[1..];
        let p_values: Vec<f64> = others
            .iter()
            .map(|side| wilcoxon(&paired_differences(&logs(best), &logs(sides[*side])), Zeros::Wilcox).p)
            .collect();
        let corrected = holm(&p_values);
        let worse = |side: &usize| {
            let place = others.iter().position(|other| other == side);
            place.is_some_and(|place| corrected[place] < self.rules.alpha)
        };
        let kept = (0..self.left.len()).filter(|side| !worse(side)).map(|side| self.left[side]).collect();
        self.left = kept;
    }
}

/// What a race compares of a run.
pub fn race_calls(solved: bool, calls_to_best: u64) -> f64 {
    if solved { calls_to_best as f64 } else { f64::INFINITY }
}

impl RunRecord {
    /// What a race compares of it.
    pub(super) fn race_calls(&self) -> f64 {
        race_calls(self.solved, self.best_at.calls())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(settings: usize, blocks: u64) -> Race {
        Race {
            rules: RaceRules { first: 6, alpha: 0.05 },
            settings,
            blocks,
            left: (0..settings).collect(),
            values: vec![Vec::new(); settings],
            block: 0,
            runs: settings as u64,
        }
    }

    /// Runs a race in which a setting takes its number of calls, more or less; how many runs were made.
    fn run(race: &mut Race, calls: &[f64]) -> u64 {
        let mut made = 0;
        while let Some(block) = race.next() {
            let runs: Vec<u64> = block.filter(|run| race.has(*run)).collect();
            made += runs.len() as u64;
            let luck = 1.0 + (race.block() % 3) as f64 / 10.0;
            race.take(&race.left().iter().map(|setting| calls[*setting] * luck).collect::<Vec<_>>());
        }
        assert_eq!(made, race.runs());
        made
    }

    #[test]
    fn the_worse_are_dropped_and_the_best_is_left() {
        let mut one = race(4, 100);
        let made = run(&mut one, &[900.0, 100.0, f64::INFINITY, 1000.0]);
        assert_eq!(one.left(), [1]);
        assert!(one.block() < 12 && made < 48, "{made} runs in {} blocks", one.block());
    }

    #[test]
    fn what_does_not_differ_runs_to_the_end() {
        let mut same = race(3, 20);
        assert_eq!(run(&mut same, &[50.0; 3]), 60);
        assert_eq!((same.left(), same.block()), (&[0, 1, 2][..], 20));
        let mut never = race(3, 20);
        assert_eq!(run(&mut never, &[f64::INFINITY; 3]), 60);
    }

    #[test]
    fn one_setting_needs_no_more_than_the_first_blocks() {
        let mut one = race(1, 20);
        assert_eq!(run(&mut one, &[50.0]), 6);
    }
}
