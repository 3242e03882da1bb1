//! Whether two shares differ when runs belong to puzzles: the Cochran-Mantel-Haenszel test, exact.
//!
//! Given how many runs of a puzzle solve, those of the first side among them are hypergeometric where the sides do not
//! differ. Their sum over the puzzles is referred to the sum of these distributions: no puzzle is compared with another,
//! and one run a puzzle and side is enough. The p-value is the mid-p, twice the lesser tail with half of what was seen:
//! the exact one is conservative, most where runs are few.
//!
//! Sources: W. G. Cochran 1954, Some methods for strengthening the common chi-squared tests, doi:10.2307/3001616;
//! N. Mantel, W. Haenszel 1959, Statistical aspects of the analysis of data from retrospective studies of disease,
//! doi:10.1093/jnci/22.4.719; mid-p, M. W. Fagerland, S. Lydersen, P. Laake 2013, doi:10.1186/1471-2288-13-91.

use super::TestResult;
use super::distribution::{LatticeSum, unimodal};
use super::two_proportions::Share;

/// Tests that the shares of both sides are the same on every puzzle; a puzzle of which a side has no run tells nothing.
/// The statistic is the successes of the first beyond those expected. 1 where nothing tells. O(puzzles times runs), less
/// where the tails are negligible.
pub fn cochran_mantel_haenszel(strata: &[[Share; 2]]) -> TestResult {
    let (mut sum, mut seen, mut expected) = (LatticeSum::default(), 0, 0.0);
    for [first, second] in strata.iter().filter(|sides| sides.iter().all(|side| side.trials > 0)) {
        let successes = first.successes + second.successes;
        let (m, n) = (first.trials, second.trials);
        let (low, high) = (successes.saturating_sub(n), successes.min(m));
        let ratio = |k: usize| {
            let k = k as u64;
            ((m - k) * (successes - k)) as f64 / ((k + 1) * (n + k + 1 - successes)) as f64
        };
        sum.add(low as usize, &unimodal(low as usize, high as usize, ratio));
        seen += first.successes as usize;
        expected += successes as f64 * m as f64 / (m + n) as f64;
    }
    TestResult { statistic: seen as f64 - expected, p: sum.mid_p(seen) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_close;

    fn share(successes: u64, trials: u64) -> Share {
        Share { successes, trials }
    }

    /// Reference values: the sum of scipy 1.17, stats.hypergeom, convolved in Python.
    #[test]
    fn values_are_those_of_convolved_tables() {
        let three = [[share(7, 10), share(2, 9)], [share(3, 5), share(4, 12)], [share(1, 1), share(0, 1)]];
        let large = [[share(95, 100), share(17, 20)], [share(2, 20), share(30, 100)]];
        assert_close(cochran_mantel_haenszel(&three[..1]).p, 0.055_749_204_356_015_505, 1e-10);
        assert_close(cochran_mantel_haenszel(&three).p, 0.020_431_196_816_855_87, 1e-10);
        assert_close(cochran_mantel_haenszel(&large).p, 0.442_159_812_730_381_74, 1e-10);
    }

    #[test]
    fn easy_and_hard_runs_in_other_numbers_show_nothing() {
        let mixed = [[share(95, 100), share(19, 20)], [share(2, 20), share(10, 100)]];
        assert!(cochran_mantel_haenszel(&mixed).p > 0.8);
        assert!(cochran_mantel_haenszel(&[[share(97, 120), share(29, 120)]]).p < 1e-9);
    }

    #[test]
    fn data_that_tell_nothing_have_p_1() {
        for strata in [
            vec![],
            vec![[share(3, 3), share(0, 0)]],
            vec![[share(5, 5), share(9, 9)]],
            vec![[share(0, 5), share(0, 9)], [share(1, 1), share(1, 1)]],
        ] {
            assert_eq!(cochran_mantel_haenszel(&strata).p, 1.0, "{strata:?}");
        }
    }

    #[test]
    fn one_run_a_puzzle_is_the_mid_p_of_mcnemar() {
        let only_first = [[share(1, 1), share(0, 1)]; 8];
        let only_second = [[share(0, 1), share(1, 1)]; 2];
        let both = [[share(1, 1), share(1, 1)]; 5];
        let found = cochran_mantel_haenszel(&[&only_first[..], &only_second, &both].concat());
        // 2 (1 + 10 + 45 / 2) / 1024.
        assert_close(found.p, 67.0 / 1024.0, 1e-12);
    }
}
