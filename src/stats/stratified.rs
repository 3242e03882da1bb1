//! The mean of estimates over strata, such as puzzles, each of them counting alike.
//!
//! ```text
//! mean = sum of value_i / k     low = mean - sqrt(sum of (value_i - low_i)^2) / k     high likewise
//! ```
//!
//! The estimates are independent, and their intervals need not be symmetric: variances are recovered from the distance
//! of either end. Of shares with Wilson's intervals the ends never leave 0 to 1, and of one stratum they are its own.
//!
//! Source: G. Y. Zou, A. Donner 2008, Construction of confidence limits about effect measures: a general approach,
//! doi:10.1002/sim.3095.

use super::{Estimate, Interval};

/// The mean of estimates with its interval, which is of the confidence that theirs have; `None` without any.
pub fn mean_of_strata(strata: &[Estimate]) -> Option<Estimate> {
    let count = strata.len() as f64;
    if strata.is_empty() {
        return None;
    }
    let value = strata.iter().map(|one| one.value).sum::<f64>() / count;
    let way = |end: fn(&Interval) -> f64| {
        let squares = strata.iter().map(|one| (one.value - end(&one.interval)).powi(2));
        squares.sum::<f64>().sqrt() / count
    };
    let interval = Interval { low: value - way(|ends| ends.low), high: value + way(|ends| ends.high) };
    Some(Estimate { value, interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Z_95, wilson};

    fn share(solved: u64, runs: u64) -> Estimate {
        Estimate { value: solved as f64 / runs as f64, interval: wilson(solved, runs, Z_95) }
    }

    #[test]
    fn one_stratum_keeps_its_own_interval() {
        let (one, mean) = (share(7, 20), mean_of_strata(&[share(7, 20)]).expect("a stratum"));
        assert!((mean.interval.low - one.interval.low).abs() < 1e-12);
        assert!((mean.interval.high - one.interval.high).abs() < 1e-12);
        assert_eq!(mean_of_strata(&[]), None);
    }

    /// Reference values: Wilson's intervals of statsmodels put together by hand.
    #[test]
    fn strata_count_alike_however_many_runs_they_have() {
        let mean = mean_of_strata(&[share(10, 10), share(0, 40)]).expect("strata");
        assert!((mean.value - 0.5).abs() < 1e-12);
        assert!((mean.interval.low - (0.5 - 0.277_533 / 2.0)).abs() < 1e-5, "{mean:?}");
        assert!((mean.interval.high - (0.5 + 0.087_622 / 2.0)).abs() < 1e-5, "{mean:?}");
    }

    #[test]
    fn the_mean_of_shares_stays_between_none_and_all() {
        for solved in [0, 1, 20] {
            let mean = mean_of_strata(&[share(solved, 20), share(solved, 20)]).expect("strata");
            assert!(mean.interval.low >= -1e-12 && mean.interval.high <= 1.0 + 1e-12, "{mean:?}");
        }
    }
}
