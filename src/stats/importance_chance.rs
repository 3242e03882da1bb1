//! How important factors look that are not: the noise floor of [`importance`](super::importance).
//!
//! A factor with six levels explains a share of any noise. If a factor does nothing, the responses of one combination of
//! the other factors are as likely in any other order of its levels; they are shuffled so, and the share that it then
//! seems to explain is taken again and again. Of a pair, what is left without the effects of single factors is shuffled
//! over all cells; of two factors alone that is all that is left, so that nothing rises above it.
//!
//! Sources: E. S. Edgington, P. Onghena 2007, Randomization Tests, doi:10.1201/9781420011814; residuals, D. Freedman, D.
//! Lane 1983, A nonstochastic interpretation of reported significance levels, doi:10.1080/07350015.1983.10509354.

use super::importance::{ImportanceError, ResponseGrid};

/// The shares that chance alone exceeds once in 20 times.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportanceChance {
    /// Of each factor alone.
    pub main: Vec<f64>,
    /// Of each pair beyond its factors: (first, second, share), as [`Importance`](super::Importance) orders them.
    pub pairs: Vec<(usize, usize, f64)>,
}

/// A number below another, as random as the caller makes it.
type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;

/// The noise floor of the importance of factors, from so many shuffles; `draw(n)` gives a uniform integer below `n`.
/// All 0 where the response never varies, or without shuffles. Cost: cells times factors and pairs a shuffle.
///
/// # Errors
/// Those of [`importance`](super::importance).
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

impl ResponseGrid<'_> {
    /// The responses of every combination of the other factors in another order.
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

    /// All responses in another order.
    fn shuffled(&self, draw: &mut dyn FnMut(usize) -> usize) -> Self {
        let mut grid = self.clone();
        (1..grid.cells.len()).rev().for_each(|last| grid.cells.swap(last, draw(last + 1)));
        grid
    }

    /// What single factors do not explain.
    fn without_main(&self) -> Self {
        let mut grid = self.clone();
        for factor in 0..self.levels.len() {
            let stride: usize = self.levels[factor + 1..].iter().product();
            let means = self.marginal_means(factor);
            for (cell, value) in grid.cells.iter_mut().enumerate() {
                *value -= means[cell / stride % self.levels[factor]];
            }
        }
        grid
    }

    fn marginal_means(&self, factor: usize) -> Vec<f64> {
        let stride: usize = self.levels[factor + 1..].iter().product();
        let mut sums = vec![0.0; self.levels[factor]];
        for (cell, value) in self.cells.iter().enumerate() {
            sums[cell / stride % self.levels[factor]] += value;
        }
        let each = self.cells.len() as f64 / self.levels[factor] as f64;
        sums.iter().map(|sum| sum / each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::importance;
    use crate::stats::testing::draws;

    /// All settings of two factors with 6 and 5 levels.
    fn table(response: impl Fn(usize, usize) -> f64) -> (Vec<usize>, Vec<f64>) {
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
            let (settings, responses) = table(|a, b| values[a * 5 + b] + 3e6 * b as f64);
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
        let (settings, responses) = table(|a, b| if (a + b) % 2 == 0 { 1.0 } else { 0.0 });
        let floor = importance_by_chance(&[6, 5], &settings, &responses, 99, &mut draws(1)).expect("full");
        let found = importance(&[6, 5], &settings, &responses).expect("a full grid");
        assert!(
            (floor.pairs[0].2 - found.pairs[0].2).abs() < 1e-9,
            "of two factors a pair is all that is left"
        );
        let (settings, responses) = table(|_, _| 0.1);
        let floor = importance_by_chance(&[6, 5], &settings, &responses, 99, &mut draws(1)).expect("full");
        assert_eq!(floor, ImportanceChance { main: vec![0.0; 2], pairs: vec![(0, 1, 0.0)] });
        let none = importance_by_chance(&[6, 5], &settings, &responses, 0, &mut draws(1)).expect("full");
        assert_eq!(none.main, [0.0; 2]);
    }
}
