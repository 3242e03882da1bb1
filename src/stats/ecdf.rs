//! The distribution of run lengths, to be drawn over a logarithmic axis.
//!
//! Source: H. H. Hoos, T. Stützle 1998, Evaluating Las Vegas algorithms: pitfalls and remedies; N. Hansen, A. Auger,
//! D. Brockhoff, T. Tušar 2022, Anytime performance assessment in blackbox optimization benchmarking,
//! doi:10.1109/TEVC.2022.3210897.

use super::Observed;

/// Points (time, share of all runs solved by then), one for each time at which runs solved, ascending: between them
/// the share is constant, and before the first it is 0.
///
/// Failed runs count as unsolved at every time. Where budgets differ that is a lower bound beyond the least of them. Empty
/// when nothing solved. O(n log n).
pub fn run_length_distribution(runs: &[Observed]) -> Vec<(f64, f64)> {
    let mut times: Vec<f64> = runs.iter().filter(|run| run.solved).map(|run| run.spent).collect();
    times.sort_unstable_by(f64::total_cmp);
    let mut solved = 0;
    let steps = times.chunk_by(|a, b| a == b).map(|together| {
        solved += together.len();
        (together[0], solved as f64 / runs.len() as f64)
    });
    steps.collect()
}

/// `points` times from `low` to `high`, both included, equally far apart on a logarithmic axis; only `high` for one
/// point.
///
/// # Panics
/// When not 0 < `low` <= `high`, both finite.
pub fn logarithmic_axis(low: f64, high: f64, points: usize) -> Vec<f64> {
    assert!(0.0 < low && low <= high && high.is_finite(), "a logarithmic axis needs 0 < {low} <= {high}");
    let steps = points.saturating_sub(1) as f64;
    let at = |step: usize| match step {
        0 => low,
        _ => low * (high / low).powf(step as f64 / steps),
    };
    // The last is not left to rounding.
    (1..=points).map(|point| if point == points { high } else { at(point - 1) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::assert_close;

    fn runs() -> Vec<Observed> {
        let solved = [30.0, 10.0, 10.0, 500.0].map(Observed::solved);
        [&solved[..], &[Observed::failed(1000.0)]].concat()
    }

    #[test]
    fn failed_runs_never_count_as_solved() {
        assert_eq!(run_length_distribution(&runs()), [(10.0, 0.4), (30.0, 0.6), (500.0, 0.8)]);
        assert_eq!(run_length_distribution(&[Observed::failed(3.0)]), []);
        assert_eq!(run_length_distribution(&[]), []);
        assert_eq!(run_length_distribution(&[Observed::solved(3.0)]), [(3.0, 1.0)]);
    }

    #[test]
    fn axes_hold_both_ends() {
        let axis = logarithmic_axis(1.0, 1000.0, 4);
        axis.iter()
            .zip([1.0, 10.0, 100.0, 1000.0])
            .for_each(|(&at, expected)| assert_close(at, expected, 1e-12));
        assert_eq!(logarithmic_axis(2.0, 7.0, 1), [7.0]);
        assert_eq!(logarithmic_axis(2.0, 2.0, 2), [2.0, 2.0]);
        assert_eq!(logarithmic_axis(2.0, 7.0, 0), [0.0; 0]);
    }

    #[test]
    #[should_panic(expected = "a logarithmic axis needs 0 < 0 <= 5")]
    fn an_axis_from_zero_is_refused() {
        logarithmic_axis(0.0, 5.0, 3);
    }
}
