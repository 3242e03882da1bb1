//! Fitness-distance correlation: whether better genomes are closer to a solution.
//!
//! ```text
//! r = Pearson correlation of (value, distance to the nearest solution)
//! ```
//!
//! 1: every step towards a solution shows; 0: values say nothing of where solutions are; below 0: they mislead. All
//! solutions that are known count, not one of them. Distances are the cells that differ, and the fewest moves of the
//! neighbourhood that lead to a solution.
//!
//! Source: T. Jones, S. Forrest 1995, Fitness distance correlation as a measure of problem difficulty for genetic algorithms,
//! Proceedings of the 6th International Conference on Genetic Algorithms, 184-192.

use super::estimate::{correlation, mean};
use super::{Measure, Outcome, Quantity, Survey, quantity};

pub(super) const MEASURE: Measure = Measure {
    name: "fdc",
    about: "whether better genomes are closer to the nearest solution",
    source: "T. Jones, S. Forrest 1995, Proceedings of ICGA 6, 184-192",
    quantities: QUANTITIES,
    take,
};

const QUANTITIES: &[Quantity] = &[
    quantity("fdc_random_cells", "correlation of value and cells that differ, random genomes", -1.0, 1.0),
    quantity("fdc_random_moves", "correlation of value and moves to a solution, random genomes", -1.0, 1.0),
    quantity("fdc_optima_cells", "correlation of value and cells that differ, local optima", -1.0, 1.0),
    quantity("fdc_optima_moves", "correlation of value and moves to a solution, local optima", -1.0, 1.0),
    quantity(
        "distance_optima",
        "mean moves from a local optimum to the nearest solution",
        0.0,
        f64::INFINITY,
    ),
];

/// A genome that was sampled, with its distances to the nearest solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistancePoint {
    /// It is a local optimum; else random.
    pub is_optimum: bool,
    /// Its value.
    pub value: i64,
    /// The cells that differ from the nearest solution.
    pub cells: u32,
    /// The fewest moves to a solution.
    pub moves: u32,
}

impl Survey<'_> {
    /// The random genomes and local optima with their distances; none where no solution is known.
    pub fn distances(&mut self) -> Vec<DistancePoint> {
        let (points, optima) = (self.points(), self.optima());
        let random = points.iter().map(|point| (false, &point.genome, point.around.value));
        let optima = optima.iter().map(|optimum| (true, &optimum.genome, optimum.around.value));
        let point = |(is_optimum, genome, value): (bool, &Vec<u8>, i64)| {
            let (cells, moves) = self.distance(genome)?;
            Some(DistancePoint { is_optimum, value, cells, moves })
        };
        let all = random.chain(optima).take_while(|_| !self.interrupt.is_raised());
        all.filter_map(point).collect()
    }
}

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let points = survey.distances();
    let mut with = survey.resampler("fdc");
    let mut found = Vec::new();
    for (index, quantity) in QUANTITIES[..4].iter().enumerate() {
        let (is_optimum, in_moves) = (index >= 2, index % 2 == 1);
        let pair = |point: &DistancePoint| {
            [point.value as f64, f64::from(if in_moves { point.moves } else { point.cells })]
        };
        let pairs: Vec<[f64; 2]> =
            points.iter().filter(|point| point.is_optimum == is_optimum).map(pair).collect();
        found.push(correlation(&pairs, quantity, &mut with));
    }
    let optima = points.iter().filter(|point| point.is_optimum);
    let moves: Vec<f64> = optima.map(|point| f64::from(point.moves)).collect();
    found.push(mean(&moves, &QUANTITIES[4], &mut with));
    found
}
