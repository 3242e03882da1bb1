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
        let mut genomes = Vec::new();
        genomes.extend(points.iter().map(|point| (false, &point.genome, point.around.value)));
        genomes.extend(optima.iter().map(|optimum| (true, &optimum.genome, optimum.around.value)));
        let mut found = Vec::new();
        for (is_optimum, genome, value) in genomes {
            // Distances to many solutions take longer than the samples.
            if self.interrupt.is_raised() {
                break;
            }
            if let Some((cells, moves)) = self.distance(genome) {
                found.push(DistancePoint { is_optimum, value, cells, moves });
            }
        }
        found
    }
}

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let points = survey.distances();
    let mut with = survey.resampler("fdc");
    // By random genomes and optima, in cells and in moves: as the first four quantities.
    let mut pairs: [Vec<[f64; 2]>; 4] = Default::default();
    let mut moves_of_optima = Vec::new();
    for point in points {
        let (value, cells, moves) = (point.value as f64, f64::from(point.cells), f64::from(point.moves));
        let first = if point.is_optimum { 2 } else { 0 };
        pairs[first].push([value, cells]);
        pairs[first + 1].push([value, moves]);
        if point.is_optimum {
            moves_of_optima.push(moves);
        }
    }
    let mut found = Vec::new();
    for (pairs, quantity) in pairs.iter().zip(QUANTITIES) {
        found.push(correlation(pairs, quantity, &mut with));
    }
    found.push(mean(&moves_of_optima, &QUANTITIES[4], &mut with));
    found
}
