//! How alike the values of genomes are that lie some moves apart on a walk.
//!
//! ```text
//! rho(lag) = Pearson correlation of (v_t, v_(t+lag)) over all t of all walks
//! correlation length = -1 / ln(rho(1))
//! ```
//!
//! v are the values along the walks. Random walks make random moves from random genomes. Since
//! a move is as likely as its reversal, all genomes are visited equally often, and rho does not depend on the start.
//! Adaptive walks make a uniform one of the improving moves until there is none: they go through what a search sees. They
//! fall from the mean to the optima, which raises rho, so that it compares with other adaptive walks alone.
//!
//! Sources: E. Weinberger 1990, Correlated and uncorrelated fitness landscapes and how to tell the difference,
//! doi:10.1007/BF00202749; P. F. Stadler 1996, Landscapes and their correlation functions, doi:10.1007/BF01165154; adaptive
//! walks, S. Kauffman, S. Levin 1987, doi:10.1016/S0022-5193(87)80029-2.

use super::estimate::from_sums;
use super::{Measure, Outcome, Quantity, Survey, quantity};

pub(super) const MEASURE: Measure = Measure {
    name: "autocorrelation",
    about: "how alike the values of neighbours are, and over how many moves",
    source: "E. Weinberger 1990, doi:10.1007/BF00202749",
    quantities: QUANTITIES,
    take,
};

const QUANTITIES: &[Quantity] = &[
    quantity("rho_random", "autocorrelation of random walks at lag 1", -1.0, 1.0),
    quantity("length_random", "correlation length of random walks, moves", 0.0, f64::INFINITY),
    quantity("rho_adaptive", "autocorrelation of adaptive walks at lag 1", -1.0, 1.0),
    quantity("length_adaptive", "correlation length of adaptive walks, moves", 0.0, f64::INFINITY),
    quantity("steps_adaptive", "mean number of moves of an adaptive walk", 0.0, f64::INFINITY),
];

/// Lags of the autocorrelation function, in moves.
const LAGS: usize = 50;

/// A way to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Random moves.
    Random,
    /// Improving moves, until there is none.
    Adaptive,
}

impl Walk {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Random, Self::Adaptive];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Adaptive => "adaptive",
        }
    }
}

impl Survey<'_> {
    /// The values along walks, the first genome included.
    fn walks(&mut self, walk: Walk) -> Vec<Vec<f64>> {
        let mut rng = self.rng(walk.name());
        let mut walks = Vec::new();
        while walks.len() < self.effort.walks && !self.interrupt.is_raised() {
            self.at.randomize(&mut rng);
            let mut values = vec![self.at.value() as f64];
            while !self.interrupt.is_raised() {
                let has_moved = match walk {
                    Walk::Random => values.len() <= self.effort.length && self.at.random_move(&mut rng),
                    Walk::Adaptive => self.at.improve(&mut rng),
                };
                if !has_moved {
                    break;
                }
                values.push(self.at.value() as f64);
            }
            walks.push(values);
        }
        walks
    }

    /// The autocorrelation of walks by lag, from 0, as far as most of the walks go; empty where values never vary.
    pub fn autocorrelation(&mut self, walk: Walk) -> Vec<f64> {
        let walks = self.walks(walk);
        let mean = mean_of(&walks);
        let mut found = Vec::new();
        for lag in 0..=LAGS {
            // Far lags would be those of the few longest adaptive walks.
            let long = walks.iter().filter(|values| values.len() > lag + 1).count();
            if self.interrupt.is_raised() || 2 * long <= walks.len() {
                break;
            }
            let mut sums = [0.0; 6];
            for values in &walks {
                for (sum, more) in sums.iter_mut().zip(moments(values, mean, lag)) {
                    *sum += more;
                }
            }
            let rho = rho(sums);
            if !rho.is_finite() {
                break;
            }
            found.push(rho);
        }
        found
    }
}

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let mut with = survey.resampler("autocorrelation");
    let mut found = Vec::new();
    for (walk, quantities) in Walk::ALL.into_iter().zip(QUANTITIES.chunks(2)) {
        let walks = survey.walks(walk);
        let mean = mean_of(&walks);
        let sums: Vec<[f64; 6]> = walks.iter().map(|values| moments(values, mean, 1)).collect();
        found.push(from_sums(&sums, &quantities[0], &mut with, |sums, _| rho(sums)));
        found.push(from_sums(&sums, &quantities[1], &mut with, |sums, _| length(rho(sums))));
        if walk == Walk::Adaptive {
            let steps: Vec<f64> = walks.iter().map(|values| values.len() as f64 - 1.0).collect();
            found.push(super::estimate::mean(&steps, &QUANTITIES[4], &mut with));
        }
    }
    found
}

fn mean_of(walks: &[Vec<f64>]) -> f64 {
    let values = walks.iter().flatten();
    values.clone().sum::<f64>() / values.count().max(1) as f64
}

/// The number of pairs that lie a lag apart, the sums of both values less the mean, of their squares, and of their product.
fn moments(values: &[f64], mean: f64, lag: usize) -> [f64; 6] {
    let [mut count, mut sum_x, mut sum_y, mut sum_xx, mut sum_yy, mut sum_xy] = [0.0; 6];
    for (first, second) in values.iter().zip(values.get(lag..).unwrap_or_default()) {
        // Sums of squares of large values would lose the digits in which they differ.
        let (x, y) = (first - mean, second - mean);
        count += 1.0;
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_yy += y * y;
        sum_xy += x * y;
    }
    [count, sum_x, sum_y, sum_xx, sum_yy, sum_xy]
}

/// The correlation that the sums over walks make; NaN without variance.
fn rho([count, x, y, xx, yy, xy]: [f64; 6]) -> f64 {
    let (x_spread, y_spread) = (xx - x * x / count, yy - y * y / count);
    // Of values that never vary rounding leaves a little.
    if x_spread > 1e-9 && y_spread > 1e-9 {
        (xy - x * y / count) / (x_spread * y_spread).sqrt()
    } else {
        f64::NAN
    }
}

/// The correlation length: 0 where neighbours are not alike.
fn length(rho: f64) -> f64 {
    if rho > 0.0 && rho < 1.0 {
        -1.0 / rho.ln()
    } else if rho <= 0.0 {
        0.0
    } else {
        f64::NAN
    }
}
