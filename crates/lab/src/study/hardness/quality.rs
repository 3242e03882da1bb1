//! How well times are predicted, and whether predictions mean what they say.
//!
//! ```text
//! R² = 1 - sum of (measured - predicted)² / sum of (measured - mean)²
//! ```
//!
//! over held-out puzzles, in decades; the mean is that of the puzzles that the model was trained on, so that predicting it
//! has an R² of 0, and a model that has learned nothing may have less. The slope is that of the line of least squares from
//! predicted to measured: 1 where predictions neither exaggerate nor play down.
//!
//! Intervals say what other puzzles of this kind would show of these models; they leave out that other puzzles would have
//! made other models.
//!
//! Source of the slope: D. R. Cox 1958, Two further applications of a model for binary regression,
//! doi:10.1093/biomet/45.3-4.562.

use super::resample::{Resampling, mean, sum};
use kenga_core::sort::sort_by;
use kenga_stats::{Estimate, Interval, spearman};

/// What was measured and predicted of the held-out puzzles, in decades: logarithms to base 10 of PAR-10.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Predictions {
    pub(super) measured: Vec<f64>,
    pub(super) predicted: Vec<f64>,
    /// The mean of the puzzles that each was predicted from.
    pub(super) mean: Vec<f64>,
}

/// How well the times of a setting are predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// The share of the variance that is explained; at most 1, below 0 where the mean is the better prediction.
    pub r2: Estimate,
    /// The root of the mean squared error, in decades.
    pub rmse: Estimate,
    /// The same of predicting the mean.
    pub rmse_of_mean: Estimate,
    /// Spearman's correlation of predicted and measured; `None` where all predictions are alike.
    pub rho: Option<Estimate>,
    /// The slope from predicted to measured; `None` where all predictions are alike.
    pub slope: Option<Estimate>,
}

/// Some puzzles with similar predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrationBin {
    /// How many there are.
    pub puzzles: usize,
    /// The mean prediction, in decades.
    pub predicted: f64,
    /// The mean of what was measured, in decades, with its interval.
    pub measured: Estimate,
}

impl Predictions {
    /// The squared error of each of some predictions.
    pub(super) fn squares(&self, predicted: &[f64]) -> Vec<f64> {
        self.measured
            .iter()
            .zip(predicted)
            .map(|(measured, predicted)| (measured - predicted).powi(2))
            .collect()
    }

    /// The squared error of each prediction.
    pub(super) fn errors(&self) -> Vec<f64> {
        self.squares(&self.predicted)
    }

    /// The squared error of the mean.
    pub(super) fn errors_of_mean(&self) -> Vec<f64> {
        self.squares(&self.mean)
    }

    /// How good they are; `None` where fewer than [`DIFFERENT`] puzzles differ from the rest.
    pub(super) fn quality(&self, with: &mut Resampling<'_>) -> Option<Quality> {
        // R² divides by the variance of the times.
        if self.different() < DIFFERENT {
            return None;
        }
        let r2 = self.r2(with)?;
        let rmse = root_of_mean(&self.errors(), with)?;
        let rmse_of_mean = root_of_mean(&self.errors_of_mean(), with)?;
        let rho = with.estimate((-1.0, 1.0), |weight| spearman(&self.drawn(weight)));
        let slope = with.estimate((f64::NEG_INFINITY, f64::INFINITY), |weight| self.slope(weight));
        Some(Quality { r2, rmse, rmse_of_mean, rho, slope })
    }

    /// R²; `None` where the mean is right on every puzzle.
    pub(super) fn r2(&self, with: &mut Resampling<'_>) -> Option<Estimate> {
        let (errors, of_mean) = (self.errors(), self.errors_of_mean());
        with.estimate((f64::NEG_INFINITY, 1.0), |weight| {
            let whole = sum(weight, &of_mean);
            if whole > 0.0 { Some(1.0 - sum(weight, &errors) / whole) } else { None }
        })
    }

    /// How many puzzles have another time than the most common one.
    fn different(&self) -> usize {
        let mut sorted = self.measured.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let most = sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).max();
        sorted.len() - most.unwrap_or(0)
    }

    /// Predicted and measured, each puzzle as often as it counts.
    fn drawn(&self, weight: &dyn Fn(usize) -> f64) -> Vec<(f64, f64)> {
        let mut drawn = Vec::with_capacity(self.predicted.len());
        for (puzzle, (predicted, measured)) in self.predicted.iter().zip(&self.measured).enumerate() {
            drawn.extend(std::iter::repeat_n((*predicted, *measured), weight(puzzle) as usize));
        }
        drawn
    }

    fn slope(&self, weight: &dyn Fn(usize) -> f64) -> Option<f64> {
        let (x, y) = (mean(weight, &self.predicted)?, mean(weight, &self.measured)?);
        let (mut product, mut spread) = (0.0, 0.0);
        for (puzzle, (predicted, measured)) in self.predicted.iter().zip(&self.measured).enumerate() {
            let deviation = weight(puzzle) * (predicted - x);
            product += deviation * (measured - y);
            spread += deviation * (predicted - x);
        }
        if spread > 1e-12 { Some(product / spread) } else { None }
    }

    /// Bins of ten puzzles or more by prediction, at most eight.
    pub(super) fn calibration(&self, with: &mut Resampling<'_>) -> Vec<CalibrationBin> {
        let mut order: Vec<usize> = (0..self.predicted.len()).collect();
        sort_by(&mut order, |a, b| self.predicted[*a].total_cmp(&self.predicted[*b]));
        let count = (order.len() / FEWEST).clamp(1, MOST);
        let (size, rest) = (order.len() / count, order.len() % count);
        let mut bins = Vec::with_capacity(count);
        let mut start = 0;
        for bin in 0..count {
            // The first bins take what is left over, a puzzle each.
            let end = start + size + usize::from(bin < rest);
            bins.push(self.bin(&order[start..end], with));
            start = end;
        }
        bins
    }

    fn bin(&self, puzzles: &[usize], with: &mut Resampling<'_>) -> CalibrationBin {
        let mut inside = vec![0.0; self.measured.len()];
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for puzzle in puzzles {
            inside[*puzzle] = 1.0;
            low = low.min(self.measured[*puzzle]);
            high = high.max(self.measured[*puzzle]);
        }
        let measured = with
            .estimate((low, high), |weight| mean(&|puzzle| weight(puzzle) * inside[puzzle], &self.measured));
        let none = Estimate { value: f64::NAN, interval: Interval { low: f64::NAN, high: f64::NAN } };
        CalibrationBin {
            puzzles: puzzles.len(),
            predicted: mean(&|puzzle| inside[puzzle], &self.predicted).unwrap_or(f64::NAN),
            measured: measured.unwrap_or(none),
        }
    }
}

/// The root of the mean of some squares.
fn root_of_mean(squares: &[f64], with: &mut Resampling<'_>) -> Option<Estimate> {
    with.estimate((0.0, f64::INFINITY), |weight| mean(weight, squares).map(f64::sqrt))
}

/// The fewest puzzles whose times differ from the most common one: of fewer, an interval over puzzles knows nothing.
const DIFFERENT: usize = 5;

/// The fewest puzzles of a bin.
const FEWEST: usize = 10;

/// The most bins.
const MOST: usize = 8;
