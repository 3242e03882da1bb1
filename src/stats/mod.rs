//! Pure statistics: numbers in, numbers out.
//!
//! Nothing here reads a clock or seeds: what resamples takes its draws from the caller. A run without a solution is
//! censored ([`Observed`]); tests that rank take it as infinite, so that all failures tie as the worst. No p-value is
//! NaN: where the data cannot tell anything (no values, all equal), it is 1.

mod bootstrap;
mod distribution;
mod ecdf;
mod effect;
mod expected_time;
mod hodges_lehmann;
mod importance;
mod importance_chance;
mod interval;
mod log_rank;
mod looks;
mod mann_whitney;
mod mantel_haenszel;
mod many_samples;
mod median;
mod nemenyi;
mod observed;
mod over_puzzles;
mod paired_proportions;
mod power;
mod proportion;
mod ranks;
mod restart_test;
mod running_time;
mod stratified;
mod studentised_range;
#[cfg(test)]
mod testing;
mod time_ratio;
mod two_proportions;
mod van_elteren;
mod wilcoxon;

pub use bootstrap::{Bootstrap, Estimate};
pub use distribution::normal_quantile;
pub use ecdf::{logarithmic_axis, run_length_distribution};
pub use effect::a12;
pub use expected_time::expected_time_interval;
pub use hodges_lehmann::hodges_lehmann;
pub use importance::{Importance, ImportanceError, importance};
pub use importance_chance::{ImportanceChance, importance_by_chance};
pub use interval::Interval;
pub use log_rank::stratified_log_rank;
pub use looks::over_looks;
pub use mann_whitney::mann_whitney;
pub use mantel_haenszel::cochran_mantel_haenszel;
pub use many_samples::{friedman, holm, holm_among, kruskal_wallis};
pub use median::{Median, median};
pub use nemenyi::{RankLine, rank_line};
pub use observed::{Observed, rank_values, successes};
pub use over_puzzles::{OverPuzzles, a12_over_puzzles, mean_over_puzzles};
pub use paired_proportions::PairedOutcomes;
pub use power::Aim;
pub use proportion::{wilson, wilson_of_share};
pub use ranks::TestResult;
pub use restart_test::{RestartTest, restart_test};
pub use running_time::{PENALTY, expected_running_time};
pub use stratified::mean_of_strata;
pub use time_ratio::time_ratio;
pub use two_proportions::{Share, newcombe};
pub use van_elteren::van_elteren;
pub use wilcoxon::{paired_differences, wilcoxon};

/// The standard normal quantile of 97.5 %, for two-sided intervals of 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;
