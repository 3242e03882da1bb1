//! Pure statistics: numbers in, numbers out.
//!
//! Nothing here reads a clock or seeds a generator: functions that resample take their draws from the caller. A run
//! without a solution is censored ([`Observed`]); rank tests treat its time as infinite, so that all failures tie as the
//! worst. A p-value is never NaN: without values, or where all are equal, it is 1.

mod area_over_curve;
mod attainment;
mod bayesian_signed_rank;
mod correlation;
mod distribution;
mod effect;
mod effort;
mod estimate;
mod forest;
mod importance;
mod label_swaps;
mod log_rank;
mod many_samples;
mod one_sample;
mod power;
mod ranks;
mod restart_test;
mod running_time;
mod shares;
mod signed_rank;

pub use area_over_curve::{BoundedAxis, area_over_curve, mean_area};
pub use attainment::{attained_by, attained_share, calls_to, value_at};
pub use bayesian_signed_rank::{PracticalDifference, bayesian_signed_rank};
pub use correlation::{spearman, spearman_p};
pub use distribution::{normal_cdf, normal_quantile};
pub use effect::{OverPuzzles, a12, a12_over_puzzles, mean_over_puzzles, student_over_puzzles};
pub use effort::{Effort, expected_time_over_puzzles};
pub use estimate::{Bootstrap, Estimate, Interval, mean_of_strata, median, quantile};
pub use forest::Forest;
pub use importance::{Importance, ImportanceError, PairShare, PartShare, importance};
pub use label_swaps::{Outcome, SwapTest};
pub use log_rank::stratified_log_rank;
pub use many_samples::{
    RankLine, WorseByRanks, friedman, holm, holm_among, kruskal_wallis, rank_line, rank_order, worse_by_ranks,
};
pub use one_sample::{SampleMean, kolmogorov_smirnov, mean, mean_share_difference};
pub use power::{Aim, over_looks, over_planned_looks};
pub use ranks::{TestResult, mid_ranks};
pub use restart_test::{RestartTest, restart_test};
pub use running_time::{
    Observed, PENALTY, expected_running_time, expected_time_interval, log_ratio_of_means, logarithmic_axis,
    rank_values, run_length_distribution, successes,
};
pub use shares::{
    PairedOutcomes, Share, clopper_pearson, cochran_mantel_haenszel, difference_of_shares, newcombe, wilson,
    wilson_of_share,
};
pub use signed_rank::signed_ranks;
pub use signed_rank::{paired_differences, wilcoxon};

/// The standard normal quantile of 97.5 %, for two-sided intervals of 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Helpers of the tests in this room.
#[cfg(test)]
mod testing {
    use kenga_core::rng::StreamKey;

    /// Asserts that two numbers differ by at most a relative tolerance; equal infinities are close.
    #[track_caller]
    pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64) {
        let scale = if expected == 0.0 { 1.0 } else { expected.abs() };
        assert!(
            found == expected || (found - expected).abs() <= tolerance * scale,
            "{found} is not {expected}"
        );
    }

    /// A source of draws for the bootstrap, the same for the same seed.
    pub(crate) fn draws(seed: u64) -> impl FnMut(usize) -> usize {
        let mut rng = StreamKey::run(seed, "statistics", 0).rng();
        move |n| rng.below(n)
    }
}
