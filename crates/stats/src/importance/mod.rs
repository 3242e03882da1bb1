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
//! A factor with six levels explains a share of any noise. If it does nothing, the responses of one combination of the
//! other factors are as likely in any other order of its levels: the floor is a percentile of the shares that it explains
//! in shuffled orders. For a pair, the residuals without the effects of single factors are shuffled over all cells; with
//! only two factors the pair is all that remains: it never exceeds its floor. Both are corrected for how many there are.
//!
//! Sources: E. S. Edgington, P. Onghena 2007, Randomization Tests, doi:10.1201/9781420011814; residuals, D. Freedman, D.
//! Lane 1983, A nonstochastic interpretation of reported significance levels, doi:10.1080/07350015.1983.10509354.

#[cfg(test)]
mod tests;

use super::one_sample::squares_about;

/// How much of the variance of a response each factor explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// The variance of the mean responses over the cells of the grid.
    pub variance: f64,
    /// The share of it, from 0 to 1, that each factor explains alone; all 0 when the response never varies.
    pub main: Vec<f64>,
    /// The share that each pair explains beyond its factors, in the order of the first, then of the second.
    pub pairs: Vec<PairShare>,
    /// The share left to three factors or more.
    pub higher: f64,
}

/// A share of the variance that belongs to two factors together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairShare {
    /// The index of a factor.
    pub first: usize,
    /// That of another, higher one.
    pub second: usize,
    /// The share, from 0 to 1.
    pub share: f64,
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
/// levels, from 0, for each response. Responses of one setting are averaged. O(cells times the square of the factors).
///
/// # Errors
/// When table and responses do not fit, a response is not finite, or the grid is not full.
pub fn importance(
    levels: &[usize],
    settings: &[usize],
    responses: &[f64],
) -> Result<Importance, ImportanceError> {
    let grid = ResponseGrid::average(levels, settings, responses)?;
    let factors = levels.len();
    let total = grid.variance();
    let alone: Vec<f64> = (0..factors).map(|factor| grid.marginal_variance(&[factor])).collect();
    let mut pairs = Vec::new();
    for (first, second) in pairs_of(factors) {
        // The variance of a pair contains that of its two factors: what exceeds them is its own.
        let both = grid.marginal_variance(&[first, second]);
        let share = share(both - alone[first] - alone[second], total);
        pairs.push(PairShare { first, second, share });
    }
    let main: Vec<f64> = alone.iter().map(|part| share(*part, total)).collect();
    let explained = main.iter().sum::<f64>() + pairs.iter().map(|pair| pair.share).sum::<f64>();
    let higher = if total > 0.0 { (1.0 - explained).max(0.0) } else { 0.0 };
    Ok(Importance { variance: total, main, pairs, higher })
}

/// The floors of the shares. Of factors without effect at least one exceeds its floor in 1 of 20 experiments; pairs likewise.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportanceFloors {
    /// Of each factor alone.
    pub main: Vec<f64>,
    /// Of each pair beyond its factors, as [`Importance`] orders them.
    pub pairs: Vec<PairShare>,
}

impl ImportanceFloors {
    /// How many shuffles a grid of `factors` factors needs at least, so that the most extreme share is rare enough.
    pub fn fewest_shuffles(factors: usize) -> usize {
        let pairs = factors * factors.saturating_sub(1) / 2;
        ONE_IN * factors.max(pairs).max(1) - 1
    }
}

/// One of so many experiments has a factor above its floor.
const ONE_IN: usize = 20;

/// The floors of the importance of factors, from a number of shuffles; `draw(n)` gives a uniform integer below `n`. All 0
/// where the response never varies, or without shuffles. Cost of a shuffle: cells times factors and pairs.
///
/// # Errors
/// Those of [`importance`].
pub fn importance_floors(
    levels: &[usize],
    settings: &[usize],
    responses: &[f64],
    shuffles: usize,
    draw: &mut impl FnMut(usize) -> usize,
) -> Result<ImportanceFloors, ImportanceError> {
    let grid = ResponseGrid::average(levels, settings, responses)?;
    let total = grid.variance();
    let factors = levels.len();
    let mut main = Vec::with_capacity(factors);
    for factor in 0..factors {
        let mut shares = Vec::with_capacity(shuffles);
        for _ in 0..shuffles {
            shares.push(share(grid.shuffled_along(factor, draw).marginal_variance(&[factor]), total));
        }
        main.push(floor(shares, factors));
    }
    Ok(ImportanceFloors { main, pairs: floors_of_pairs(&grid, total, shuffles, draw) })
}

/// The floors of all pairs, from the same shuffles of the residuals.
fn floors_of_pairs(
    grid: &ResponseGrid<'_>,
    total: f64,
    shuffles: usize,
    draw: &mut dyn FnMut(usize) -> usize,
) -> Vec<PairShare> {
    let pairs = pairs_of(grid.levels.len());
    let rest = grid.without_main();
    let of_rest = rest.variance();
    let mut shares = vec![Vec::with_capacity(shuffles); pairs.len()];
    for _ in 0..shuffles {
        // Shuffling gives the single factors effects again, by chance: they are taken out a second time, as
        // those of the responses were.
        let shuffled = rest.shuffled(draw).without_main();
        let all = shuffled.variance();
        for (shares, (first, second)) in shares.iter_mut().zip(&pairs) {
            let part = if all > 0.0 { shuffled.marginal_variance(&[*first, *second]) / all } else { 0.0 };
            shares.push(share(part * of_rest, total));
        }
    }
    let mut floors = Vec::with_capacity(pairs.len());
    let count = pairs.len();
    for ((first, second), shares) in pairs.into_iter().zip(shares) {
        floors.push(PairShare { first, second, share: floor(shares, count) });
    }
    floors
}

/// The share that one of `family` parts without effect exceeds in 1 of 20 experiments, from its shares in shuffled orders:
/// each part exceeds its own in 1 of 20 × `family` (Bonferroni).
fn floor(mut shares: Vec<f64>, family: usize) -> f64 {
    shares.sort_unstable_by(f64::total_cmp);
    let above = (shares.len() + 1) / (ONE_IN * family);
    shares.get(shares.len().saturating_sub(above.max(1))).copied().unwrap_or(0.0)
}

/// The pairs of factors, in order.
fn pairs_of(factors: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for first in 0..factors {
        for second in first + 1..factors {
            pairs.push((first, second));
        }
    }
    pairs
}

/// A part of a total, from 0 to 1; 0 of nothing.
fn share(part: f64, total: f64) -> f64 {
    if total > 0.0 { (part / total).clamp(0.0, 1.0) } else { 0.0 }
}

/// Mean responses, less the mean of all, at every combination of levels; the last factor varies fastest.
#[derive(Clone)]
struct ResponseGrid<'a> {
    levels: &'a [usize],
    cells: Vec<f64>,
    /// The variance up to which rounding may be the only cause.
    rounding: f64,
}

impl<'a> ResponseGrid<'a> {
    fn average(levels: &'a [usize], settings: &[usize], responses: &[f64]) -> Result<Self, ImportanceError> {
        let factors = levels.len();
        if settings.len() != responses.len().saturating_mul(factors) {
            return Err(ImportanceError::Shape {
                settings: settings.len(),
                factors,
                responses: responses.len(),
            });
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
        let mut sums = vec![(0.0, 0_u64); size.min(responses.len() + 1)];
        for (row, &response) in responses.iter().enumerate() {
            let mut cell = 0_usize;
            for (level, count) in settings[row * factors..(row + 1) * factors].iter().zip(levels) {
                cell = cell.saturating_mul(*count).saturating_add(*level);
            }
            if let Some(sum) = sums.get_mut(cell) {
                *sum = (sum.0 + response, sum.1 + 1);
            }
        }
        if let Some(cell) = sums.iter().position(|sum| sum.1 == 0) {
            return Err(ImportanceError::Missing { levels: combination(levels, cell) });
        }
        let mut cells: Vec<f64> = sums.iter().map(|&(sum, count)| sum / count as f64).collect();
        let mean = cells.iter().sum::<f64>() / cells.len().max(1) as f64;
        let mut largest = 0.0_f64;
        for cell in &mut cells {
            largest = largest.max(cell.abs());
            *cell -= mean;
        }
        Ok(Self { levels, cells, rounding: (largest * 1e-13).powi(2) })
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

    /// The variance of the marginal means over some factors.
    fn marginal_variance(&self, factors: &[usize]) -> f64 {
        let means = self.marginal_means(factors);
        squares_about(&means, 0.0) / means.len() as f64
    }

    /// How many cells lie between two levels of a factor that follow each other.
    fn stride(&self, factor: usize) -> usize {
        self.levels[factor + 1..].iter().product()
    }

    /// The grid with the responses shuffled along one factor, for each combination of the others.
    fn shuffled_along(&self, factor: usize, draw: &mut dyn FnMut(usize) -> usize) -> Self {
        let mut grid = self.clone();
        let (levels, stride) = (self.levels[factor], self.stride(factor));
        for begin in 0..self.cells.len() {
            if begin / stride % levels != 0 {
                continue;
            }
            for last in (1..levels).rev() {
                grid.cells.swap(begin + last * stride, begin + draw(last + 1) * stride);
            }
        }
        grid
    }

    /// The grid with all responses shuffled.
    fn shuffled(&self, draw: &mut dyn FnMut(usize) -> usize) -> Self {
        let mut grid = self.clone();
        for last in (1..grid.cells.len()).rev() {
            grid.cells.swap(last, draw(last + 1));
        }
        grid
    }

    /// The residuals that single factors do not explain.
    fn without_main(&self) -> Self {
        let mut grid = self.clone();
        for factor in 0..self.levels.len() {
            let stride = self.stride(factor);
            let means = self.marginal_means(&[factor]);
            for (cell, value) in grid.cells.iter_mut().enumerate() {
                *value -= means[cell / stride % self.levels[factor]];
            }
        }
        grid
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
