//! The empirical attainment function: the share of runs that attained a value or a better one within some calls.
//!
//! ```text
//! value |        . ······      attained by a quarter of the runs
//!       |. ----- ` . -----     by half of them
//!       | ` . ____ ` . ___     by all
//!       |_________________ calls
//! ```
//!
//! Over the values at a fixed number of calls it is the distribution of the best; over the calls at a fixed value it is
//! that of the times to the target.
//!
//! Sources: V. Grunert da Fonseca, C. M. Fonseca, A. O. Hall 2001, Inferential performance assessment of stochastic
//! optimisers and the attainment function, doi:10.1007/3-540-44719-9_15; M. López-Ibáñez, D. Vermetten, J. Dreo, C. Doerr
//! 2025, doi:10.1109/TEVC.2024.3462758.

/// The best value of a run after `calls`; `None` before its first step. `steps` as in
/// `area_over_curve`.
pub fn value_at(steps: &[(f64, f64)], calls: f64) -> Option<f64> {
    let passed = steps.partition_point(|(at, _)| *at <= calls);
    steps[..passed].last().map(|(_, value)| *value)
}

/// The calls after which a run has attained `value`; `None` if it never did.
pub fn calls_to(steps: &[(f64, f64)], value: f64) -> Option<f64> {
    let before = steps.partition_point(|(_, best)| *best > value);
    steps.get(before).map(|(at, _)| *at)
}

/// The share of runs, 0 to 1, that attained `value` or a better one within `calls`; 0 without runs. O(runs log steps).
pub fn attained_share(runs: &[&[(f64, f64)]], calls: f64, value: f64) -> f64 {
    let mut attained = 0;
    for steps in runs {
        if value_at(steps, calls).is_some_and(|best| best <= value) {
            attained += 1;
        }
    }
    f64::from(attained) / runs.len().max(1) as f64
}

/// The staircase that `least` of the runs have attained: (calls, value from then on), calls ascending, values falling.
/// Empty where fewer runs have a value. O(runs * steps * log(runs)).
pub fn attained_by(runs: &[&[(f64, f64)]], least: usize) -> Vec<(f64, f64)> {
    let mut stairs: Vec<(f64, f64)> = Vec::new();
    if least == 0 || least > runs.len() {
        return stairs;
    }
    let mut events = Vec::new();
    for (run, steps) in runs.iter().enumerate() {
        for (calls, value) in *steps {
            events.push(RunStep { run, calls: *calls, value: *value });
        }
    }
    // Stable: the steps of a run at the same calls keep their order.
    events.sort_by(|a, b| a.calls.total_cmp(&b.calls));
    let (mut now, mut sorted) = (vec![f64::INFINITY; runs.len()], vec![f64::INFINITY; runs.len()]);
    for together in events.chunk_by(|a, b| a.calls == b.calls) {
        for RunStep { run, value, .. } in together {
            let old = sorted.partition_point(|one| *one < now[*run]);
            sorted.remove(old);
            sorted.insert(sorted.partition_point(|one| one < value), *value);
            now[*run] = *value;
        }
        let value = sorted[least - 1];
        if value < stairs.last().map_or(f64::INFINITY, |last| last.1) {
            stairs.push((together[0].calls, value));
        }
    }
    stairs
}

/// A step of a run.
struct RunStep {
    run: usize,
    calls: f64,
    value: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_close, draws};
    use crate::{BoundedAxis, area_over_curve};

    const A: &[(f64, f64)] = &[(1.0, 9.0), (4.0, 5.0), (20.0, 0.0)];
    const B: &[(f64, f64)] = &[(2.0, 7.0), (4.0, 6.0), (9.0, 3.0)];
    const C: &[(f64, f64)] = &[(3.0, 8.0)];

    #[test]
    fn a_run_has_its_last_value_until_the_next() {
        assert_eq!([0.5, 1.0, 3.9, 4.0, 99.0].map(|calls| value_at(A, calls)), {
            [None, Some(9.0), Some(9.0), Some(5.0), Some(0.0)]
        });
        assert_eq!([9.0, 6.0, 0.0].map(|value| calls_to(A, value)), [Some(1.0), Some(4.0), Some(20.0)]);
        assert_eq!(calls_to(C, 7.9), None);
    }

    #[test]
    fn stairs_bound_what_a_number_of_runs_attained() {
        let runs = [A, B, C];
        assert_eq!(attained_by(&runs, 1), [(1.0, 9.0), (2.0, 7.0), (4.0, 5.0), (9.0, 3.0), (20.0, 0.0)]);
        assert_eq!(attained_by(&runs, 2), [(2.0, 9.0), (3.0, 8.0), (4.0, 6.0), (9.0, 5.0), (20.0, 3.0)]);
        assert_eq!(attained_by(&runs, 3), [(3.0, 9.0), (4.0, 8.0)]);
        assert_eq!(
            (attained_by(&runs, 4), attained_by(&runs, 0), attained_by(&[], 1)),
            (vec![], vec![], vec![])
        );
        assert_close(attained_share(&runs, 9.0, 5.0), 2.0 / 3.0, 1e-15);
        assert_eq!(attained_share(&[], 9.0, 5.0), 0.0);
    }

    /// The volume under the attainment function, cell by cell of a grid of whole numbers, is the mean area over the curves.
    #[test]
    fn the_volume_is_the_mean_area() {
        let mut draw = draws(7);
        let mut run = || -> Vec<(f64, f64)> {
            let (mut calls, mut value) = (0.0, 30.0);
            let mut steps = Vec::new();
            for _ in 0..6 {
                calls += (1 + draw(6)) as f64;
                value -= (1 + draw(4)) as f64;
                steps.push((calls, value));
            }
            steps
        };
        let runs: Vec<Vec<(f64, f64)>> = (0..9).map(|_| run()).collect();
        let runs: Vec<&[(f64, f64)]> = runs.iter().map(Vec::as_slice).collect();
        let (calls, values) = (BoundedAxis::linear(0.0, 40.0), BoundedAxis::linear(0.0, 30.0));
        let mean = runs.iter().map(|run| area_over_curve(run, calls, values)).sum::<f64>() / 9.0;
        let cell = |at: usize| attained_share(&runs, (at % 40) as f64, (at / 40) as f64);
        let volume = (0..40 * 30).map(cell).sum::<f64>() / (40.0 * 30.0);
        assert_close(volume, mean, 1e-12);
    }
}
