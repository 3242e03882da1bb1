//! Whether restarting after a cutoff is faster, with a cutoff chosen on the same runs.
//!
//! The cutoff that looks best on some runs looks better there than it is: where nothing can be gained, the best of many
//! cutoffs wins by luck. So the runs are divided into folds; the cutoff of a fold is chosen on the other folds and judged
//! on this one:
//!
//! ```text
//! with    = sum of min(spent, cutoff of the fold) / runs solved by it
//! without = sum of spent / runs solved
//! ```
//!
//! The logarithm of with / without has the variance of its influences, one for each run, and is compared with Student's
//! distribution. A run that failed short of its budget, dead or stalled, has ended for good: it costs what it spent and
//! solves at no cutoff. Cutoffs in the last tenth before the budget are not considered.
//!
//! Sources: M. Luby, A. Sinclair, D. Zuckerman 1993, doi:10.1016/0020-0190(93)90029-9; judging a choice on other data, M.
//! Stone 1974, Cross-validatory choice and assessment of statistical predictions,
//! doi:10.1111/j.2517-6161.1974.tb00994.x.

use super::distribution::{t_above, t_quantile};
use super::{Interval, Observed, successes};

/// The number of folds.
const FOLDS: usize = 5;

/// With fewer runs there is no test.
const FEWEST_RUNS: usize = 20;

/// With fewer runs that solve by the cutoffs there is no test.
const FEWEST_SOLVED: f64 = 8.0;

/// The latest cutoff that is considered, as a share of the budget.
const LATEST: f64 = 0.9;

/// What restarts gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestartTest {
    /// The time after which to restart, chosen on all runs.
    pub cutoff: f64,
    /// The expected time with cutoffs that were chosen on the other folds.
    pub with: f64,
    /// The expected time without restarts before the budget.
    pub without: f64,
    /// with / without, with its interval.
    pub ratio: Interval,
    /// The one-sided p-value of the hypothesis that restarts gain nothing. Several settings need Holm's correction.
    pub p: f64,
}

/// Tests whether a cutoff gains anything on runs with the same budget, in the order in which they were made; the interval is
/// for the normal quantile `z`. `None` where no cutoff looks better, or with fewer than 20 runs, or fewer than 8 that solve
/// by the cutoffs. O(n^2).
pub fn restart_test(runs: &[Observed], budget: f64, z: f64) -> Option<RestartTest> {
    if runs.len() < FEWEST_RUNS {
        return None;
    }
    let latest = LATEST * budget;
    let cutoff = best_cutoff(runs, latest)?;
    let with = cut_by_other_folds(runs, latest);
    let (restarted, plain) = (RunTotals::of(&with), RunTotals::of(runs));
    if restarted.solved < FEWEST_SOLVED || restarted.spent <= 0.0 {
        return None;
    }
    let mut squares = 0.0;
    for (with, run) in with.iter().zip(runs) {
        let influence = restarted.influence(with) - plain.influence(run);
        squares += influence * influence;
    }
    let n = runs.len() as f64;
    let error = (squares * n / (n - 1.0)).sqrt();
    let (with, without) = (restarted.expected(), plain.expected());
    let gain = (without / with).ln();
    // No fold chose a cutoff.
    if error <= 0.0 {
        return None;
    }
    let half = t_quantile(z, n - 1.0) * error;
    let ratio = Interval { low: (-gain - half).exp(), high: (-gain + half).exp() };
    Some(RestartTest { cutoff, with, without, ratio, p: t_above(gain / error, n - 1.0) })
}

/// The runs of each fold, ended at the cutoff that is best on the others: a run takes part in no choice that it is judged by.
fn cut_by_other_folds(runs: &[Observed], latest: f64) -> Vec<Observed> {
    let mut cut = runs.to_vec();
    for fold in 0..FOLDS {
        let mut others = Vec::new();
        for (index, run) in runs.iter().enumerate() {
            if index % FOLDS != fold {
                others.push(*run);
            }
        }
        let Some(cutoff) = best_cutoff(&others, latest) else { continue };
        for run in cut.iter_mut().skip(fold).step_by(FOLDS) {
            if run.spent > cutoff {
                *run = Observed::failed(cutoff);
            }
        }
    }
    cut
}

/// What runs spent and how many of them solved.
struct RunTotals {
    spent: f64,
    solved: f64,
}

impl RunTotals {
    fn of(runs: &[Observed]) -> Self {
        Self { spent: runs.iter().map(|run| run.spent).sum(), solved: successes(runs) as f64 }
    }

    fn expected(&self) -> f64 {
        self.spent / self.solved
    }

    /// By how much a run moves the logarithm of the expected time.
    fn influence(&self, run: &Observed) -> f64 {
        run.spent / self.spent - f64::from(u8::from(run.solved)) / self.solved
    }
}

/// The time of a solution, no later than `latest`, at which restarting gives the least expected time, the longest of
/// equals; `None` where none is faster than never restarting. O(n log n).
fn best_cutoff(runs: &[Observed], latest: f64) -> Option<f64> {
    let mut sorted = runs.to_vec();
    sorted.sort_unstable_by(|a, b| a.spent.total_cmp(&b.spent));
    let (mut ended, mut solved, mut best) = (0.0, 0.0, None);
    let mut left = sorted.len() as f64;
    // A gain by rounding is none.
    let mut least = RunTotals::of(runs).expected() * (1.0 - 1e-12);
    for together in sorted.chunk_by(|a, b| a.spent == b.spent) {
        let time = together[0].spent;
        ended += time * together.len() as f64;
        left -= together.len() as f64;
        let here = successes(together) as f64;
        solved += here;
        let expected = (ended + left * time) / solved;
        if here > 0.0 && time <= latest && expected <= least {
            (best, least) = (Some(time), expected);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Z_95, holm};
    use kenga_core::rng::StreamKey;

    fn runs(seed: u64, n: usize, budget: f64, time: impl Fn(f64, f64) -> f64) -> Vec<Observed> {
        let mut rng = StreamKey::run(seed, "restart", 0).rng();
        let mut one = || {
            let time = time(rng.unit(), rng.unit());
            if time <= budget { Observed::solved(time) } else { Observed::failed(budget) }
        };
        (0..n).map(|_| one()).collect()
    }

    fn memoryless(unit: f64, _: f64) -> f64 {
        1.0 - 1000.0 * unit.max(1e-12).ln()
    }

    #[test]
    fn reports_where_nothing_is_to_gain_rarely_advise() {
        let advised = |report: u64| {
            let p = |setting: u64| {
                restart_test(&runs(report * 8 + setting, 50, 3000.0, memoryless), 3000.0, Z_95)
                    .map_or(1.0, |found| found.p)
            };
            holm(&(0..8).map(p).collect::<Vec<_>>()).iter().any(|p| *p < 0.05)
        };
        let wrong = (0..60).filter(|report| advised(*report)).count();
        assert!(wrong <= 5, "{wrong} of 60 reports advise restarts of a search without memory");
    }

    #[test]
    fn a_heavy_tail_is_cut() {
        // Half solve by 20, the others never.
        let heavy = |unit: f64, coin: f64| if coin < 0.5 { 1.0 + 19.0 * unit } else { f64::INFINITY };
        let found = restart_test(&runs(1, 60, 1000.0, heavy), 1000.0, Z_95).expect("it gains");
        assert!(found.p < 1e-6 && found.ratio.high < 0.2 && found.cutoff <= 20.0, "{found:?}");
        assert!(found.with < found.without);
    }

    #[test]
    fn no_cutoff_lies_in_the_last_tenth() {
        // All that solve do so just before the end, after which others would go on in vain.
        let late = |unit: f64, coin: f64| if coin < 0.5 { 950.0 + 40.0 * unit } else { f64::INFINITY };
        assert_eq!(restart_test(&runs(1, 60, 1000.0, late), 1000.0, Z_95), None);
    }

    #[test]
    fn dead_runs_cost_what_they_spent_and_never_solve() {
        // A dead run has given up by itself: cutting at 100 what solves at 100 gains nothing.
        let alternate =
            (0..60).map(|i| if i % 2 == 0 { Observed::failed(100.0) } else { Observed::solved(100.0) });
        assert_eq!(restart_test(&alternate.collect::<Vec<_>>(), 1000.0, Z_95), None);
    }

    #[test]
    fn few_runs_tell_nothing() {
        assert_eq!(restart_test(&[], 9.0, Z_95), None);
        assert_eq!(restart_test(&[Observed::failed(9.0); 50], 9.0, Z_95), None);
        let mut lucky = vec![Observed::failed(1000.0); 49];
        lucky.push(Observed::solved(1.0));
        assert_eq!(restart_test(&lucky, 1000.0, Z_95), None);
        assert_eq!(restart_test(&[Observed::solved(0.0); 50], 9.0, Z_95), None);
    }
}
