//! Ranks, and the result of a test.

/// Ranks from 1 in the order of the values, and the correction for ties.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ranks {
    /// The rank of each value; equal values, infinite ones among them, share the mean of their ranks.
    pub(crate) ranks: Vec<f64>,
    /// The sum over groups of t equal values of t^3 - t; 0 exactly without ties.
    pub(crate) ties: f64,
}

/// Ranks values, none NaN. O(n log n).
pub(crate) fn ranks(values: &[f64]) -> Ranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut ranks, mut ties, mut start) = (vec![0.0; values.len()], 0.0, 0);
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let size = equal.len() as f64;
        let shared = start as f64 + (size + 1.0) / 2.0;
        for &index in equal {
            ranks[index] = shared;
        }
        ties += size * size * size - size;
        start += equal.len();
    }
    Ranks { ranks, ties }
}

/// The ranks of values, from 1; equal values share the mean of their ranks. O(n log n).
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    ranks(values).ranks
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// The statistic that the test documents.
    pub statistic: f64,
    /// The two-sided p-value, from 0 to 1, never NaN; 1 where the data say nothing.
    pub p: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        let inf = f64::INFINITY;
        let found = ranks(&[3.0, inf, 1.0, 3.0, inf, 3.0]);
        assert_eq!(found, Ranks { ranks: vec![3.0, 5.5, 1.0, 3.0, 5.5, 3.0], ties: 24.0 + 6.0 });
        assert_eq!(ranks(&[0.0, -0.0]), Ranks { ranks: vec![1.5, 1.5], ties: 6.0 });
        assert_eq!(ranks(&[]), Ranks { ranks: vec![], ties: 0.0 });
    }
}
