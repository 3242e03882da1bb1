//! Whether the difference of two settings matters in practice.
//!
//! Over several puzzles the puzzles are the sample, and the answer is about the next one of their kind: each has one
//! difference, of times that of the logarithms of what a solution costs. On one puzzle the blocks are the sample, as in the
//! signed-rank test, of times with the logarithms of the calls to a solution.

use super::Comparison;
use super::pair::NoVerdict;
use super::strata::{BlockValues, Strata, Stratum, common_limit};
use crate::study::{Metric, SettingSample, Study};
use kenga_core::rng::StreamKey;
use kenga_stats::{PracticalDifference, bayesian_signed_rank, mean};

/// The region of practical equivalence: differences that do not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// Times that differ by at most this share of the smaller one, above 0: 0.05 is a factor of 1.05 either way.
    Share(f64),
    /// Values that differ by at most this, 0 or more.
    Difference(f64),
}

impl Region {
    /// The same region of fitness, where the values of a problem of the user's own are asked for.
    #[must_use]
    pub fn in_units(self, study: &Study, metric: Metric) -> Self {
        let scale = study.scale_on(None).filter(|_| metric == Metric::BestFitness);
        match (self, scale.and_then(|scale| scale.resolution)) {
            (Self::Difference(most), Some(resolution)) => Self::Difference(most / resolution),
            _ => self,
        }
    }

    /// Half its width on the scale of the differences.
    fn width(self) -> f64 {
        match self {
            Self::Share(share) => share.ln_1p(),
            Self::Difference(most) => most,
        }
    }
}

/// The answer for two settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Practical {
    /// The setting that is compared with the reference.
    pub second: usize,
    /// How many puzzles there are, or on a single one how many blocks.
    pub units: usize,
    /// How probable it is that the second has lower values (below), practically equal ones (within), or higher ones. `None`
    /// for independent runs on one puzzle, and where a race decided how many runs there are.
    pub outcome: Option<PracticalDifference>,
}

/// The answers for every pair of a comparison of these samples, in its order.
pub fn practical(samples: &[SettingSample], comparison: &Comparison, region: Region) -> Vec<Practical> {
    let mut answers = Vec::with_capacity(comparison.pairs.len());
    for pair in &comparison.pairs {
        let (one, two) = (&samples[pair.first], &samples[pair.second]);
        let is_sound = !matches!(pair.untold, Some(NoVerdict::Dropped | NoVerdict::NoCommonPuzzle));
        let differences =
            if is_sound { differences(one, two, comparison.metric.is_time()) } else { Vec::new() };
        // Named by the pair, so that the answer does not depend on what else is compared.
        let mut rng = StreamKey::run(0, "practical", 0).child(&one.name).child(&two.name).rng();
        let outcome = bayesian_signed_rank(&differences, region.width(), || rng.unit());
        answers.push(Practical { second: pair.second, units: differences.len(), outcome });
    }
    answers
}

/// The values of the second less those of the first, by puzzle or block.
fn differences(one: &SettingSample, two: &SettingSample, is_time: bool) -> Vec<f64> {
    let limit = common_limit(one, two, is_time);
    let blocks = BlockValues::new(one, two, limit);
    let puzzles = Strata::new(&blocks, is_time).puzzles;
    if puzzles.len() > 1 {
        return puzzles.iter().map(|puzzle| difference_on(puzzle, is_time)).collect();
    }
    let has_pairs = puzzles.len() == 1 && blocks.are_paired;
    if has_pairs { blocks.differences(is_time) } else { Vec::new() }
}

/// The second setting less the first on a puzzle: of times the difference of the logarithms of what a solution costs, infinite
/// where one never solves; else that of the means, failed runs left out; 0 where neither has any.
fn difference_on(puzzle: &Stratum, is_time: bool) -> f64 {
    let [first, second] = [0, 1].map(|setting: usize| {
        if is_time {
            let solved: f64 = puzzle.outcomes[setting].iter().map(|outcome| outcome.solved).sum();
            let spent: f64 = puzzle.outcomes[setting].iter().map(|outcome| outcome.spent).sum();
            // A run that is solved before its first call takes none, and 0 has no logarithm.
            return (spent / solved).max(f64::MIN_POSITIVE).ln();
        }
        let mut values: Vec<f64> = puzzle.observed[setting].iter().map(|run| run.spent).collect();
        values.retain(|value| value.is_finite());
        mean(&values)
    });
    // Two that never solve count the same.
    if first == second || !is_time && (first.is_nan() || second.is_nan()) { 0.0 } else { second - first }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Block, Metric, Question, RunValue, compare};
    use kenga_stats::Observed;

    /// A setting whose runs on each puzzle take a multiple of the replicate.
    fn setting(name: &str, factors: &[f64]) -> SettingSample {
        let runs = factors.iter().enumerate().flat_map(|(puzzle, factor)| {
            (0..5).map(move |replicate| {
                let block = Block { puzzle: format!("p{puzzle}").into(), seed: 1, replicate };
                (block, RunValue::new(Observed::solved(factor * (replicate + 10) as f64), 1000.0))
            })
        });
        SettingSample::new(name, name, runs.collect())
    }

    fn found(first: &[f64], second: &[f64], region: Region) -> Practical {
        let samples = [setting("a", first), setting("b", second)];
        let question = Question::plain(Metric::Calls, 0.05).from_baseline(Some("a"));
        let comparison = compare(&samples, &question).expect("two settings");
        practical(&samples, &comparison, region)[0]
    }

    #[test]
    fn puzzles_are_the_sample_of_several_and_blocks_of_one() {
        let slower = found(&[1.0; 12], &[1.5; 12], Region::Share(0.05));
        assert_eq!(slower.units, 12);
        assert!(slower.outcome.is_some_and(|outcome| outcome.above > 0.99), "{slower:?}");
        assert_eq!(found(&[1.0], &[1.5], Region::Share(0.05)).units, 5);
    }

    #[test]
    fn a_difference_within_the_region_does_not_matter() {
        let alike = found(&[1.0; 12], &[1.04; 12], Region::Share(0.05));
        assert_eq!(alike.outcome.map(|outcome| outcome.within), Some(1.0));
        let faster = found(&[1.0; 12], &[0.5; 12], Region::Share(0.05));
        assert!(faster.outcome.is_some_and(|outcome| outcome.below > 0.99), "{faster:?}");
    }
}
