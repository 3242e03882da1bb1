//! The area over the convergence curve: one number for how good a run is at any time.
//!
//! The best value so far is a staircase that falls. Both axes are scaled to 0 to 1 between stated bounds; the area between
//! the staircase and the upper bound is what the run has attained, on average over all budgets:
//!
//! ```text
//! worst 1 |______ ░░░░░░░░░       shaded: the area, 0 (nothing attained) to 1 (the best from the first call on)
//!         |      |░░░░░░░░░
//!         |      |____ ░░░░
//! best  0 |___________|____
//!         first            last call
//! ```
//!
//! Its mean over runs is the volume under their empirical attainment function
//! ([`attainment`](super::attainment::attained_share)).
//!
//! Source: M. López-Ibáñez, D. Vermetten, J. Dreo, C. Doerr 2025, Using the empirical attainment function for analyzing
//! single-objective black-box optimization algorithms, doi:10.1109/TEVC.2024.3462758.

use super::distribution::t_quantile;
use super::one_sample::{mean, mean_of_equal, squares_about, standard_error};
use super::{Estimate, Interval};

/// An axis between two bounds; what lies beyond counts as the bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedAxis {
    low: f64,
    high: f64,
    is_log: bool,
}

impl BoundedAxis {
    /// Equal steps between finite bounds, `low` < `high`.
    ///
    /// # Panics
    /// When the bounds are not so.
    pub fn linear(low: f64, high: f64) -> Self {
        assert!(low.is_finite() && low < high && high.is_finite(), "an axis needs {low} < {high}");
        Self { low, high, is_log: false }
    }

    /// Equal ratios between finite bounds, 0 < `low` < `high`.
    ///
    /// # Panics
    /// When the bounds are not so.
    pub fn logarithmic(low: f64, high: f64) -> Self {
        assert!(0.0 < low && low < high && high.is_finite(), "a logarithmic axis needs 0 < {low} < {high}");
        Self { low, high, is_log: true }
    }

    /// The place of a value from 0, the lower bound, to 1, the upper one.
    pub fn place(&self, value: f64) -> f64 {
        let inside = value.clamp(self.low, self.high);
        if self.is_log {
            (inside / self.low).ln() / (self.high / self.low).ln()
        } else {
            (inside - self.low) / (self.high - self.low)
        }
    }
}

/// The area over the curve of one run, 0 to 1, lower values being better. `steps` holds (calls, best value from then on),
/// calls ascending, values falling; before the first step nothing is attained. O(steps).
pub fn area_over_curve(steps: &[(f64, f64)], calls: BoundedAxis, values: BoundedAxis) -> f64 {
    let mut area = 0.0;
    for (index, (at, value)) in steps.iter().enumerate() {
        let end = steps.get(index + 1).map_or(1.0, |next| calls.place(next.0));
        area += (end - calls.place(*at)) * (1.0 - values.place(*value));
    }
    area
}

/// The mean area of the runs of a puzzle with Student's interval for the normal quantile `z`, within 0 to 1; 0 to 1 for fewer
/// than two, and where all are equal one that leaves room for a run that differs. `None` without areas.
pub fn mean_area(areas: &[f64], z: f64) -> Option<Estimate> {
    let whole = Interval { low: 0.0, high: 1.0 };
    let value = match areas {
        [] => return None,
        [one] => return Some(Estimate { value: *one, interval: whole }),
        _ => mean(areas),
    };
    if squares_about(areas, value).sqrt() <= value * 1e-12 {
        return Some(mean_of_equal(value, areas.len(), whole, z));
    }
    let half = t_quantile(z, areas.len() as f64 - 1.0) * standard_error(areas, value);
    let interval = Interval { low: (value - half).max(0.0), high: (value + half).min(1.0) };
    Some(Estimate { value, interval })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z_95;
    use crate::testing::assert_close;
    use kenga_core::rng::StreamKey;

    /// Reference values: the sum over calls 1 to B of the normalised distance from the worst, in Python; and iohinspector
    /// 0.0.8, get_aocc of a column of these distances.
    #[test]
    fn areas_are_those_of_the_sum_over_calls() {
        let (calls, values) = (BoundedAxis::linear(0.0, 100.0), BoundedAxis::linear(0.0, 40.0));
        let steps = [(10.0, 30.0), (25.0, 12.0), (60.0, 0.0)];
        assert_close(area_over_curve(&steps, calls, values), 0.682_5, 1e-12);
        let log = BoundedAxis::logarithmic(0.5, 40.0);
        assert_close(area_over_curve(&steps, calls, log), 0.506_010_946_785_679_8, 1e-12);
    }

    #[test]
    fn bounds_hold_what_lies_beyond() {
        let (calls, values) = (BoundedAxis::logarithmic(1.0, 1000.0), BoundedAxis::linear(0.0, 10.0));
        assert_eq!(area_over_curve(&[], calls, values), 0.0);
        assert_eq!(area_over_curve(&[(0.0, 0.0)], calls, values), 1.0);
        assert_eq!(area_over_curve(&[(1.0, 99.0)], calls, values), 0.0);
        assert_eq!(area_over_curve(&[(2000.0, 0.0)], calls, values), 0.0);
        assert_close(area_over_curve(&[(1.0, 10.0), (10.0, 5.0), (100.0, 0.0)], calls, values), 0.5, 1e-12);
    }

    #[test]
    #[should_panic(expected = "a logarithmic axis needs 0 < 0 < 5")]
    fn a_logarithmic_axis_from_zero_is_refused() {
        BoundedAxis::logarithmic(0.0, 5.0);
    }

    /// Reference values: scipy 1.17, stats.t.interval(0.95, n - 1, mean, stats.sem).
    #[test]
    fn intervals_are_those_of_scipy() {
        let found = mean_area(&[0.2, 0.5, 0.4, 0.3, 0.35], Z_95).expect("areas");
        assert_close(found.value, 0.35, 1e-12);
        assert_close(found.interval.low, 0.2111777447401103, 1e-6);
        assert_close(found.interval.high, 0.48882225525988965, 1e-6);
        assert_eq!(mean_area(&[0.2], Z_95).map(|one| one.interval), Some(Interval { low: 0.0, high: 1.0 }));
        assert_eq!(mean_area(&[], Z_95), None);
    }

    #[test]
    fn runs_that_attain_nothing_do_not_bound_the_next_one_at_nothing() {
        let Interval { low, high } = mean_area(&[0.0; 20], Z_95).expect("areas").interval;
        assert_eq!(low, 0.0);
        // 0.831_566^20 = 0.025.
        assert_close(high, 0.168_433_5, 1e-6);
    }

    #[test]
    fn intervals_cover_the_mean_of_skewed_areas() {
        let mut rng = StreamKey::run(5, "areas", 0).rng();
        let mut covers = || {
            // The square of a uniform number has the mean 1/3.
            let areas: Vec<f64> = (0..20).map(|_| rng.unit().powi(2)).collect();
            let Interval { low, high } = mean_area(&areas, Z_95).expect("areas").interval;
            low <= 1.0 / 3.0 && 1.0 / 3.0 <= high
        };
        let covered = (0..4000).filter(|_| covers()).count();
        assert!((3720..=3880).contains(&covered), "{covered} of 4000");
    }
}
