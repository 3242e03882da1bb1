//! The median with an interval from order statistics.
//!
//! The number of values below the true median is binomial with one half, whatever the distribution, so that the j-th
//! smallest and the j-th largest value enclose it with a probability that depends on j alone. Censored values are
//! infinite: they lie above whatever the others are.
//!
//! Source: H. A. David, H. N. Nagaraja 2003, Order Statistics, section 7.1, doi:10.1002/0471722162.

use super::Interval;

/// A median and where the true one lies with at least 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Median {
    /// The middle value, or the mean of the two middle ones; infinite when it is censored.
    pub value: f64,
    /// The interval; from minus to plus infinity below 6 values, which cannot give 95 %.
    pub interval: Interval,
}

/// The median of values, of which the infinite ones are censored; `None` without values.
pub fn median(values: &[f64]) -> Option<Median> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let (low, high) = (*sorted.get(n.checked_sub(1)? / 2)?, *sorted.get(n / 2)?);
    let value = if low == high { low } else { (low + high) / 2.0 };
    let interval = match enclosing_rank(n) {
        Some(rank) => Interval { low: sorted[rank - 1], high: sorted[n - rank] },
        None => Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
    };
    Some(Median { value, interval })
}

/// The largest rank j for which at most 2.5 % of binomial(n, 1/2) lies below j: the interval from the j-th smallest to
/// the j-th largest value then has at least 95 %.
fn enclosing_rank(n: usize) -> Option<usize> {
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let (mut below, mut rank) = (0.0, 0);
    while rank < n {
        below += log_term.exp();
        if below > 0.025 {
            break;
        }
        log_term += ((n - rank) as f64).ln() - ((rank + 1) as f64).ln();
        rank += 1;
    }
    (rank > 0).then_some(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference values: exact binomial sums in Python's integers.
    #[test]
    fn ranks_are_those_of_exact_binomial_sums() {
        let table = [(5, None), (6, Some(1)), (9, Some(2)), (20, Some(6)), (50, Some(18)), (100, Some(40))];
        for (n, rank) in table {
            assert_eq!(enclosing_rank(n), rank, "n = {n}");
        }
        assert_eq!(enclosing_rank(10_000), Some(4902));
    }

    #[test]
    fn censored_values_lie_above_all_others() {
        let inf = f64::INFINITY;
        let found = median(&[3.0, inf, 1.0, inf, 2.0, 4.0, 5.0]).expect("values");
        assert_eq!(found, Median { value: 4.0, interval: Interval { low: 1.0, high: inf } });
        assert_eq!(median(&[1.0, inf, inf]).expect("values").value, inf);
        assert_eq!(median(&[1.0, 2.0]).expect("values").value, 1.5);
        assert_eq!(median(&[]), None);
    }
}
