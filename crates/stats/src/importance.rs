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
//! only two factors the pair is all that remains, so that it never rises above its floor.
//!
//! Sources: E. S. Edgington, P. Onghena 2007, Randomization Tests, doi:10.1201/9781420011814; residuals, D. Freedman, D.
//! Lane 1983, A nonstochastic interpretation of reported significance levels, doi:10.1080/07350015.1983.10509354.

/// How much of the variance of a response each factor explains.
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// The variance of the mean responses over the cells of the grid.
    pub variance: f64,
    /// The share of it, from 0 to 1, that each factor explains alone; all 0 when the response never varies.
    pub main: Vec<f64>,
    /// The share that each pair explains beyond its factors: (first, second, share), first below second, in order.
    pub pairs: Vec<(usize, usize, f64)>,
    /// The share left to three factors or more.
    pub higher: f64,
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
    let share = |part: f64| if total > 0.0 { (part / total).clamp(0.0, 1.0) } else { 0.0 };
    let alone: Vec<f64> = (0..factors).map(|factor| grid.marginal_variance(&[factor])).collect();
    let mut pairs = Vec::new();
    for first in 0..factors {
        for second in first + 1..factors {
            let both = grid.marginal_variance(&[first, second]);
            pairs.push((first, second, share(both - alone[first] - alone[second])));
        }
    }
    let main: Vec<f64> = alone.into_iter().map(share).collect();
    let explained = main.iter().sum::<f64>() + pairs.iter().map(|pair| pair.2).sum::<f64>();
    let higher = if total > 0.0 { (1.0 - explained).max(0.0) } else { 0.0 };
    Ok(Importance { variance: total, main, pairs, higher })
}

/// The shares that chance alone exceeds once in 20 times.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportanceChance {
    /// Of each factor alone.
    pub main: Vec<f64>,
    /// Of each pair beyond its factors: (first, second, share), as [`Importance`] orders them.
    pub pairs: Vec<(usize, usize, f64)>,
}

/// Draws a uniform integer below its argument.
type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;

/// The noise floor of the importance of factors from a number of shuffles; `draw(n)` gives a uniform integer below `n`. All
/// 0 where the response never varies, or without shuffles. Cost of a shuffle: cells times factors and pairs.
///
/// # Errors
/// Those of [`importance`].
pub fn importance_by_chance(
    levels: &[usize],
    settings: &[usize],
    responses: &[f64],
    shuffles: usize,
    draw: &mut impl FnMut(usize) -> usize,
) -> Result<ImportanceChance, ImportanceError> {
    let grid = ResponseGrid::average(levels, settings, responses)?;
    let total = grid.variance();
    let share = |part: f64| if total > 0.0 { (part / total).clamp(0.0, 1.0) } else { 0.0 };
    let mut repeated = |once: &mut dyn FnMut(Draw<'_>) -> f64| {
        let mut found: Vec<f64> = (0..shuffles).map(|_| share(once(draw))).collect();
        found.sort_unstable_by(f64::total_cmp);
        found.get((shuffles * 19 / 20).min(shuffles.saturating_sub(1))).copied().unwrap_or(0.0)
    };
    let main = (0..levels.len())
        .map(|factor| repeated(&mut |draw| grid.shuffled_along(factor, draw).marginal_variance(&[factor])))
        .collect();
    let rest = grid.without_main();
    let mut pairs = Vec::new();
    for first in 0..levels.len() {
        for second in first + 1..levels.len() {
            let floor = repeated(&mut |draw| {
                let grid = rest.shuffled(draw).without_main();
                let all = grid.variance();
                let part = if all > 0.0 { grid.marginal_variance(&[first, second]) / all } else { 0.0 };
                part * rest.variance()
            });
            pairs.push((first, second, floor));
        }
    }
    Ok(ImportanceChance { main, pairs })
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
        let is_beyond = |(index, level): &(usize, &usize)| **level >= levels[index % factors];
        if let Some((index, &level)) = settings.iter().enumerate().find(is_beyond) {
            let factor = index % factors;
            return Err(ImportanceError::Level { factor, level, levels: levels[factor] });
        }
        if let Some(index) = responses.iter().position(|response| !response.is_finite()) {
            return Err(ImportanceError::Infinite { index });
        }
        let size = levels.iter().fold(1_usize, |size, &count| size.saturating_mul(count));
        // A grid larger than its table is not full; its first hole lies within the first cells.
        let mut sums = vec![(0.0, 0_u64); size.min(responses.len() + 1)];
        for (row, &response) in responses.iter().enumerate() {
            let own = &settings[row * factors..(row + 1) * factors];
            let cell = own
                .iter()
                .zip(levels)
                .fold(0_usize, |cell, (&level, &count)| cell.saturating_mul(count).saturating_add(level));
            if let Some(sum) = sums.get_mut(cell) {
                *sum = (sum.0 + response, sum.1 + 1);
            }
        }
        if let Some(cell) = sums.iter().position(|sum| sum.1 == 0) {
            return Err(ImportanceError::Missing { levels: combination(levels, cell) });
        }
        let mut cells: Vec<f64> = sums.iter().map(|&(sum, count)| sum / count as f64).collect();
        let mean = cells.iter().sum::<f64>() / cells.len().max(1) as f64;
        let largest = cells.iter().fold(0.0_f64, |largest, cell| largest.max(cell.abs()));
        cells.iter_mut().for_each(|cell| *cell -= mean);
        Ok(Self { levels, cells, rounding: (largest * 1e-13).powi(2) })
    }

    /// The variance over all cells; 0 where it is due to rounding.
    fn variance(&self) -> f64 {
        let squares: f64 = self.cells.iter().map(|cell| cell * cell).sum();
        let variance = squares / self.cells.len().max(1) as f64;
        if variance > self.rounding { variance } else { 0.0 }
    }

    /// The means over all other factors, for each combination of levels of these.
    fn marginal_means(&self, factors: &[usize]) -> Vec<f64> {
        let size: usize = factors.iter().map(|&factor| self.levels[factor]).product();
        let stride = |factor: usize| self.levels[factor + 1..].iter().product::<usize>();
        let strides: Vec<(usize, usize)> = factors.iter().map(|&factor| (factor, stride(factor))).collect();
        let mut sums = vec![0.0; size];
        for (cell, value) in self.cells.iter().enumerate() {
            let at = strides.iter().fold(0, |at, &(factor, stride)| {
                at * self.levels[factor] + cell / stride % self.levels[factor]
            });
            sums[at] += value;
        }
        let each = self.cells.len() as f64 / size as f64;
        sums.iter().map(|sum| sum / each).collect()
    }

    /// The variance of the marginal means over some factors.
    fn marginal_variance(&self, factors: &[usize]) -> f64 {
        let means = self.marginal_means(factors);
        means.iter().map(|mean| mean.powi(2)).sum::<f64>() / means.len() as f64
    }

    /// The grid with the responses shuffled along one factor, for each combination of the others.
    fn shuffled_along(&self, factor: usize, draw: &mut dyn FnMut(usize) -> usize) -> Self {
        let mut grid = self.clone();
        let (levels, stride) = (self.levels[factor], self.levels[factor + 1..].iter().product::<usize>());
        for begin in (0..self.cells.len()).filter(|cell| cell / stride % levels == 0) {
            for last in (1..levels).rev() {
                grid.cells.swap(begin + last * stride, begin + draw(last + 1) * stride);
            }
        }
        grid
    }

    /// The grid with all responses shuffled.
    fn shuffled(&self, draw: &mut dyn FnMut(usize) -> usize) -> Self {
        let mut grid = self.clone();
        (1..grid.cells.len()).rev().for_each(|last| grid.cells.swap(last, draw(last + 1)));
        grid
    }

    /// The residuals that single factors do not explain.
    fn without_main(&self) -> Self {
        let mut grid = self.clone();
        for factor in 0..self.levels.len() {
            let stride: usize = self.levels[factor + 1..].iter().product();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_close, draws};

    /// All settings of a grid with their responses.
    fn table(levels: &[usize], response: impl Fn(&[usize]) -> f64) -> (Vec<usize>, Vec<f64>) {
        let cells = 0..levels.iter().product();
        let rows: Vec<Vec<usize>> = cells.map(|cell| combination(levels, cell)).collect();
        let responses = rows.iter().map(|row| response(row)).collect();
        (rows.concat(), responses)
    }

    fn found(levels: &[usize], response: impl Fn(&[usize]) -> f64) -> Importance {
        let (settings, responses) = table(levels, response);
        importance(levels, &settings, &responses).expect("the grid is full")
    }

    /// Reference values: statsmodels 0.15, stats.anova_lm of ols("y ~ C(a) * C(b) + C(a) * C(c) + C(b) * C(c)"), sums
    /// of squares over their total, for y = (17 a + 5 b + 3 c + 7 a b + 11 a b c) mod 19.
    #[test]
    fn shares_are_those_of_the_analysis_of_variance() {
        let found = found(&[3, 4, 2], |row| {
            let (a, b, c) = (row[0], row[1], row[2]);
            ((17 * a + 5 * b + 3 * c + 7 * a * b + 11 * a * b * c) % 19) as f64
        });
        assert_close(found.variance, 32.159_722_222_222_22, 1e-12);
        assert_close(found.main[0], 0.045_454_545_454_545_41, 1e-9);
        assert_close(found.main[1], 0.185_920_967_393_651_5, 1e-9);
        assert_close(found.main[2], 0.055_279_637_227_380_79, 1e-9);
        assert_close(found.pairs[0].2, 0.325_523_645_001_079_2, 1e-9);
        assert_close(found.pairs[1].2, 0.132_908_659_036_925_4, 1e-9);
        assert_close(found.pairs[2].2, 0.022_889_224_789_462_304, 1e-9);
        assert_close(found.higher, 0.232_023_321_096_955_45, 1e-9);
    }

    #[test]
    fn parts_are_where_they_were_put() {
        let alone = found(&[3, 2, 4], |row| 5.0 * row[1] as f64);
        assert_eq!((alone.main, alone.higher), (vec![0.0, 1.0, 0.0], 0.0));
        let pair = found(&[2, 2], |row| ((row[0] + row[1]) % 2) as f64);
        assert_eq!((pair.main, pair.pairs), (vec![0.0, 0.0], vec![(0, 1, 1.0)]));
        let three = found(&[2, 2, 2], |row| (row.iter().sum::<usize>() % 2) as f64);
        assert_close(three.higher, 1.0, 1e-12);
    }

    #[test]
    fn replicates_are_averaged_and_order_is_no_matter() {
        let levels = [2, 3];
        let (mut settings, mut responses) = table(&levels, |row| (row[0] * 4 + row[1]) as f64);
        let once = importance(&levels, &settings, &responses).expect("the grid is full");
        settings.extend([1, 2, 1, 2]);
        responses.extend([5.0, 7.0]);
        let again = importance(&levels, &settings, &responses).expect("the grid is full");
        assert_close(again.main[0], once.main[0], 1e-12);
    }

    #[test]
    fn responses_that_never_vary_explain_nothing() {
        let flat = found(&[2, 3], |_| 0.1);
        assert_eq!(
            flat,
            Importance { variance: 0.0, main: vec![0.0; 2], pairs: vec![(0, 1, 0.0)], higher: 0.0 }
        );
        let one = importance(&[1], &[0], &[3.0]).expect("the grid is full");
        assert_eq!(one.main, [0.0]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let message = |levels: &[usize], settings: &[usize], responses: &[f64]| {
            importance(levels, settings, responses).expect_err("it does not fit").to_string()
        };
        assert_eq!(message(&[2, 2], &[0, 0, 1], &[1.0]), "1 responses need 2 levels each, not 3 in all");
        assert_eq!(message(&[2], &[0, 2], &[1.0, 2.0]), "factor 0 has levels 0 to 1, not 2");
        assert_eq!(message(&[2], &[0, 1], &[1.0, f64::INFINITY]), "response 1 is not finite");
        let hole = message(&[2, 2], &[0, 0, 0, 1, 1, 1], &[1.0; 3]);
        assert_eq!(hole, "no response at levels [1, 0]: the grid is not full");
        assert_eq!(message(&[2], &[], &[]), "no response at levels [0]: the grid is not full");
        let vast = message(&[1 << 40, 1 << 40], &[0, 0], &[1.0]);
        assert_eq!(vast, "no response at levels [0, 1]: the grid is not full");
    }

    /// All settings of two factors with 6 and 5 levels.
    fn noisy(response: impl Fn(usize, usize) -> f64) -> (Vec<usize>, Vec<f64>) {
        let cells = (0..6).flat_map(|a| (0..5).map(move |b| (a, b)));
        let (rows, responses): (Vec<[usize; 2]>, Vec<f64>) =
            cells.map(|(a, b)| ([a, b], response(a, b))).unzip();
        (rows.concat(), responses)
    }

    #[test]
    fn a_factor_of_nothing_rarely_rises_above_the_floor() {
        let mut above = 0;
        for seed in 0..60 {
            let mut noise = draws(seed);
            let values: Vec<f64> = (0..30).map(|_| noise(1_000_000) as f64).collect();
            // The other factor does a lot, which must not hide what this one does.
            let (settings, responses) = noisy(|a, b| values[a * 5 + b] + 3e6 * b as f64);
            let found = importance(&[6, 5], &settings, &responses).expect("a full grid");
            let floor = importance_by_chance(&[6, 5], &settings, &responses, 199, &mut draws(seed + 1000))
                .expect("a full grid");
            assert!(found.main[1] > floor.main[1]);
            above += usize::from(found.main[0] > floor.main[0]);
        }
        assert!(above <= 7, "{above} of 60");
    }

    #[test]
    fn pairs_have_a_floor_and_what_never_varies_has_none() {
        let (settings, responses) = noisy(|a, b| if (a + b) % 2 == 0 { 1.0 } else { 0.0 });
        let floor = importance_by_chance(&[6, 5], &settings, &responses, 99, &mut draws(1)).expect("full");
        let found = importance(&[6, 5], &settings, &responses).expect("a full grid");
        assert!(
            (floor.pairs[0].2 - found.pairs[0].2).abs() < 1e-9,
            "of two factors a pair is all that is left"
        );
        let (settings, responses) = noisy(|_, _| 0.1);
        let floor = importance_by_chance(&[6, 5], &settings, &responses, 99, &mut draws(1)).expect("full");
        assert_eq!(floor, ImportanceChance { main: vec![0.0; 2], pairs: vec![(0, 1, 0.0)] });
        let none = importance_by_chance(&[6, 5], &settings, &responses, 0, &mut draws(1)).expect("full");
        assert_eq!(none.main, [0.0; 2]);
    }
}
