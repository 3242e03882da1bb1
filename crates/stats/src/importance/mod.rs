//! Which factors of a grid of settings matter: functional analysis of variance.
//!
//! The response is split into a mean, a part of each factor, and a part of each pair beyond its two factors. Each part
//! is a marginal mean over all other factors, less the parts within it; on a full grid the parts are orthogonal, and
//! their variances add up to that of the response.
//!
//! Source: F. Hutter, H. Hoos, K. Leyton-Brown 2014, An efficient approach for assessing hyperparameter importance,
//! Proceedings of Machine Learning Research 32, 754-762; here the grid stands in place of a model of the response.
//!
//! # The noise floor: how important a factor without effect looks
//!
//! A factor with six levels explains a share of any noise. Every setting has a response for each of n starts, so that the
//! grid of each start has parts of its own, and the part of the mean responses is the mean over starts. How much the
//! parts of the starts differ shows the noise of their mean:
//!
//! ```text
//! noise = sum over levels and starts of (part of the start - mean part)^2 / (n (n - 1)) / levels
//! floor = noise * F / variance between settings     F: quantile with k and k (n - 1) degrees of freedom
//! ```
//!
//! This is the analysis of variance of repeated measures. Runs of one start may depend on each other in any way: under a
//! factor that changes nothing they are the same runs. The quantile is corrected for the number of factors; pairs are a
//! second family. F needs normal parts; for shares and times with failures it is conservative rather than liberal.
//!
//! Sources: R. A. Fisher 1925, Statistical Methods for Research Workers; O. J. Dunn 1961, Multiple comparisons among
//! means, doi:10.1080/01621459.1961.10482090.

#[cfg(test)]
mod tests;

use super::distribution::f_quantile_above;
use super::one_sample::{mean, squares_about, standard_error};

/// How much of the variance of a response each factor explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// The variance of the mean responses over the cells of the grid.
    pub variance: f64,
    /// The share of it that each factor explains alone.
    pub main: Vec<PartShare>,
    /// The share that each pair explains beyond its factors, in the order of the first, then of the second.
    pub pairs: Vec<PairShare>,
    /// The share left to three factors or more.
    pub higher: f64,
}

/// A share of the variance, and the share that a part without effect rarely exceeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartShare {
    /// The share, from 0 to 1; 0 where the response never varies.
    pub share: f64,
    /// The floor, from 0 to 1, where 1 stands for more too: of factors without effect at least one exceeds its floor in 1 of
    /// 20 experiments, of pairs likewise. `None` where there are too few starts to know the noise.
    pub floor: Option<f64>,
}

impl PartShare {
    /// Whether it is more than a part without effect explains; `None` without a floor.
    pub fn exceeds(self) -> Option<bool> {
        // Parts that are equal may differ by rounding.
        self.floor.map(|floor| self.share > floor + 1e-9)
    }
}

/// A share of the variance that belongs to two factors together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairShare {
    /// The index of a factor.
    pub first: usize,
    /// That of another, higher one.
    pub second: usize,
    /// The share.
    pub part: PartShare,
}

/// Why the importance of factors cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportanceError {
    /// The table does not have one row of levels for each response.
    #[error("{responses} responses need {factors} levels each, not {settings} in all")]
    Shape {
        /// Levels given.
        settings: usize,
        /// Factors.
        factors: usize,
        /// Responses given.
        responses: usize,
    },
    /// A level is beyond those of its factor.
    #[error("factor {factor} has levels 0 to {}, not {level}", levels.saturating_sub(1))]
    Level {
        /// The factor.
        factor: usize,
        /// The level given.
        level: usize,
        /// How many levels the factor has.
        levels: usize,
    },
    /// A response is infinite or NaN; ranks or penalised times are finite.
    #[error("response {index} is not finite")]
    Infinite {
        /// Its index.
        index: usize,
    },
    /// A combination of levels has no response.
    #[error("no response at levels {levels:?}: the grid is not full")]
    Missing {
        /// The levels.
        levels: Vec<usize>,
    },
}

/// The importance of factors over a full grid. `levels[f]` is how many levels factor f has; `settings` holds one row of
/// levels, from 0, for each response. Responses of one setting are averaged. For the floors the first responses of all
/// settings have one start, the second ones another, as far as every setting has them. O(responses times the square of the
/// factors).
///
/// # Errors
/// When table and responses do not fit, a response is not finite, or the grid is not full.
pub fn importance(
    levels: &[usize],
    settings: &[usize],
    responses: &[f64],
) -> Result<Importance, ImportanceError> {
    let by_cell = responses_by_cell(levels, settings, responses)?;
    let grid = ResponseGrid::new(levels, by_cell.iter().map(|cell| mean(cell)).collect());
    let starts = by_cell.iter().map(Vec::len).min().unwrap_or(0);
    let mut grids = Vec::with_capacity(starts);
    for start in 0..starts {
        grids.push(ResponseGrid::new(levels, by_cell.iter().map(|cell| cell[start]).collect()));
    }
    let main: Vec<PartShare> =
        (0..levels.len()).map(|factor| part_share(&grid, &grids, &[factor], levels.len())).collect();
    let mut explained: f64 = main.iter().map(|part| part.share).sum();
    let mut pairs = Vec::new();
    for first in 0..levels.len() {
        for second in first + 1..levels.len() {
            let family = levels.len() * (levels.len() - 1) / 2;
            let part = part_share(&grid, &grids, &[first, second], family);
            explained += part.share;
            pairs.push(PairShare { first, second, part });
        }
    }
    let variance = grid.variance();
    let higher = if variance > 0.0 { (1.0 - explained).max(0.0) } else { 0.0 };
    Ok(Importance { variance, main, pairs, higher })
}

/// Of a family of parts without effect at least one exceeds its floor with this probability.
const ALPHA: f64 = 0.05;

/// The share of a factor, or of a pair beyond its factors, with its floor as one of `family` (Bonferroni); `starts` are the
/// grids whose mean is `grid`.
fn part_share(
    grid: &ResponseGrid<'_>,
    starts: &[ResponseGrid<'_>],
    factors: &[usize],
    family: usize,
) -> PartShare {
    let total = grid.variance();
    let part = grid.part(factors);
    let variance = squares_about(&part, 0.0) / part.len() as f64;
    let alpha = ALPHA / family as f64;
    let noise = part_noise(starts, factors);
    let floor = if starts.len() < 2 {
        None
    } else if noise > grid.rounding {
        let freedom: usize = factors.iter().map(|&factor| grid.levels[factor] - 1).product();
        let within = freedom * (starts.len() - 1);
        Some(share(noise * f_quantile_above(alpha, freedom as f64, within as f64), total))
    } else {
        // Few starts may be alike by chance: as with signs, n of them are so with probability 2^(1 - n).
        (0.5_f64.powf(starts.len() as f64 - 1.0) <= alpha).then_some(0.0)
    };
    PartShare { share: share(variance, total), floor }
}

/// The variance that the mean over starts of a part has by chance, for each combination of levels; 0 of one start.
fn part_noise(starts: &[ResponseGrid<'_>], factors: &[usize]) -> f64 {
    if starts.len() < 2 {
        return 0.0;
    }
    let parts: Vec<Vec<f64>> = starts.iter().map(|start| start.part(factors)).collect();
    let combinations = parts[0].len();
    let mut noise = 0.0;
    for at in 0..combinations {
        let values: Vec<f64> = parts.iter().map(|part| part[at]).collect();
        noise += standard_error(&values, mean(&values)).powi(2);
    }
    noise / combinations as f64
}

/// A part of a total, from 0 to 1; 0 of nothing.
fn share(part: f64, total: f64) -> f64 {
    if total > 0.0 { (part / total).clamp(0.0, 1.0) } else { 0.0 }
}

/// The responses of every combination of levels, in their order; the last factor varies fastest.
fn responses_by_cell(
    levels: &[usize],
    settings: &[usize],
    responses: &[f64],
) -> Result<Vec<Vec<f64>>, ImportanceError> {
    let factors = levels.len();
    if settings.len() != responses.len().saturating_mul(factors) {
        return Err(ImportanceError::Shape { settings: settings.len(), factors, responses: responses.len() });
    }
    for (index, &level) in settings.iter().enumerate() {
        let factor = index % factors;
        if level >= levels[factor] {
            return Err(ImportanceError::Level { factor, level, levels: levels[factor] });
        }
    }
    if let Some(index) = responses.iter().position(|response| !response.is_finite()) {
        return Err(ImportanceError::Infinite { index });
    }
    let mut size = 1_usize;
    for count in levels {
        size = size.saturating_mul(*count);
    }
    // A grid larger than its table is not full; its first hole lies within the first cells.
    let mut cells = vec![Vec::new(); size.min(responses.len() + 1)];
    for (row, &response) in responses.iter().enumerate() {
        let mut cell = 0_usize;
        for (level, count) in settings[row * factors..(row + 1) * factors].iter().zip(levels) {
            cell = cell.saturating_mul(*count).saturating_add(*level);
        }
        if let Some(cell) = cells.get_mut(cell) {
            cell.push(response);
        }
    }
    if let Some(cell) = cells.iter().position(Vec::is_empty) {
        return Err(ImportanceError::Missing { levels: combination(levels, cell) });
    }
    Ok(cells)
}

/// Responses, less the mean of all, at every combination of levels; the last factor varies fastest.
struct ResponseGrid<'a> {
    levels: &'a [usize],
    cells: Vec<f64>,
    /// The variance up to which rounding may be the only cause.
    rounding: f64,
}

impl<'a> ResponseGrid<'a> {
    fn new(levels: &'a [usize], mut cells: Vec<f64>) -> Self {
        let mean = cells.iter().sum::<f64>() / cells.len().max(1) as f64;
        let mut largest = 0.0_f64;
        for cell in &mut cells {
            largest = largest.max(cell.abs());
            *cell -= mean;
        }
        Self { levels, cells, rounding: (largest * 1e-13).powi(2) }
    }

    /// The variance over all cells; 0 where it is due to rounding.
    fn variance(&self) -> f64 {
        let variance = squares_about(&self.cells, 0.0) / self.cells.len().max(1) as f64;
        if variance > self.rounding { variance } else { 0.0 }
    }

    /// The means over all other factors, for each combination of levels of these.
    fn marginal_means(&self, factors: &[usize]) -> Vec<f64> {
        let size: usize = factors.iter().map(|&factor| self.levels[factor]).product();
        let strides: Vec<usize> = factors.iter().map(|&factor| self.stride(factor)).collect();
        let mut sums = vec![0.0; size];
        for (cell, value) in self.cells.iter().enumerate() {
            let mut at = 0;
            for (&factor, stride) in factors.iter().zip(&strides) {
                at = at * self.levels[factor] + cell / stride % self.levels[factor];
            }
            sums[at] += value;
        }
        let each = self.cells.len() as f64 / size as f64;
        sums.iter().map(|sum| sum / each).collect()
    }

    /// The part of a factor, or of a pair beyond its two factors: a value for each combination of their levels.
    fn part(&self, factors: &[usize]) -> Vec<f64> {
        let mut part = self.marginal_means(factors);
        if let [first, second] = *factors {
            let [rows, columns] = [first, second].map(|factor| self.marginal_means(&[factor]));
            for (at, value) in part.iter_mut().enumerate() {
                *value -= rows[at / columns.len()] + columns[at % columns.len()];
            }
        }
        part
    }

    /// How many cells lie between two levels of a factor that follow each other.
    fn stride(&self, factor: usize) -> usize {
        self.levels[factor + 1..].iter().product()
    }
}

/// The levels of a cell.
fn combination(levels: &[usize], cell: usize) -> Vec<usize> {
    let mut rest = cell;
    let mut found: Vec<usize> = Vec::with_capacity(levels.len());
    for &count in levels.iter().rev() {
        found.push(rest % count.max(1));
        rest /= count.max(1);
    }
    found.reverse();
    found
}
