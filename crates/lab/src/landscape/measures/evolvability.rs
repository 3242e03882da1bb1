//! Evolvability: how likely a move is to improve, on the whole and at every level of value.
//!
//! ```text
//! P(v) = mean share of better neighbours over the genomes of value v
//! escape_levels = mean of P(v) over the levels of value that were met, but those of solutions
//! cloud_slope = slope of the mean value of the neighbours against the value of a genome
//! ```
//!
//! Levels are single values, or where there are many, ranges of equal width. The genomes are random ones and those that
//! descents pass through, since random ones are nowhere near the values that matter. The slope is that of a regression over
//! random genomes alone; on a regular neighbourhood it is rho(1) of the walk that takes every neighbour alike.
//!
//! The negative slope coefficient of the cloud is left out: its value depends on how the cloud is cut into segments, and
//! it has no range that puzzles share.
//!
//! Sources: T. Smith, P. Husbands, P. Layzell, M. O'Shea 2002, Fitness landscapes and evolvability,
//! doi:10.1162/106365602317301754; escape probability by level, G. Lu, J. Li, X. Yao 2011, Fitness-probability cloud and a
//! measure of problem hardness for evolutionary algorithms, EvoCOP, 108-117; clouds, S. Verel, P. Collard,
//! M. Clergue 2003, Where are bottlenecks in NK fitness landscapes?, Congress on Evolutionary Computation, 273-280.

use super::estimate::{from_counts, from_sums, mean};
use super::survey::Surroundings;
use super::{Measure, Outcome, Quantity, Survey, quantity};

pub(super) const MEASURE: Measure = Measure {
    name: "evolvability",
    about: "how likely a move is to improve, on the whole and by level of value",
    source: "T. Smith, P. Husbands, P. Layzell, M. O'Shea 2002, doi:10.1162/106365602317301754",
    quantities: QUANTITIES,
    take,
};

const QUANTITIES: &[Quantity] = &[
    quantity("improving_random", "mean share of better neighbours of a random genome", 0.0, 1.0),
    quantity("escape_levels", "mean over levels of value of the share of better neighbours", 0.0, 1.0),
    quantity(
        "cloud_slope",
        "slope of neighbours' mean value against the value",
        f64::NEG_INFINITY,
        f64::INFINITY,
    ),
];

/// The most levels.
const LEVELS: i64 = 40;

/// Descents that the cloud is from, at most.
const DESCENTS: usize = 100;

/// The genomes of a level of value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The lowest value of the level.
    pub from: i64,
    /// The highest value of the level.
    pub to: i64,
    /// Genomes that were met there.
    pub genomes: u64,
    /// The mean share of their neighbours that are better.
    pub better: f64,
    /// The mean of their values.
    pub value: f64,
    /// The mean of the values of their neighbours.
    pub neighbours: f64,
}

impl Survey<'_> {
    /// The genomes that each descent passes, and each random genome alone: the independent samples.
    fn cloud(&mut self) -> Vec<Vec<Surroundings>> {
        let points = self.points();
        let mut rng = self.rng("cloud");
        let mut found: Vec<Vec<Surroundings>> = points.iter().map(|point| vec![point.around]).collect();
        for _ in 0..self.effort.walks.min(DESCENTS) {
            if self.interrupt.is_raised() {
                break;
            }
            self.at.randomize(&mut rng);
            let mut met = Vec::new();
            while self.at.descend(&mut rng) {
                met.push(Surroundings::of(&mut *self.at));
            }
            found.push(met);
        }
        // A genome without neighbours has no share of better ones.
        for met in &mut found {
            met.retain(|around| around.neighbours > 0);
        }
        found
    }

    /// The genomes that were met, by level of value, ascending.
    pub fn levels(&mut self) -> Vec<Level> {
        let cloud = self.cloud();
        levels(&cloud, &vec![1; cloud.len()])
    }
}

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let (points, cloud) = (survey.points(), survey.cloud());
    let mut with = survey.resampler("evolvability");
    let better: Vec<f64> = points.iter().filter_map(|point| point.around.better()).collect();
    let moments: Vec<[f64; 4]> = points.iter().filter_map(|point| moments(&point.around)).collect();
    vec![
        mean(&better, &QUANTITIES[0], &mut with),
        from_counts(cloud.len(), &QUANTITIES[1], &mut with, |counts| escape(&levels(&cloud, counts))),
        from_sums(&moments, &QUANTITIES[2], &mut with, |[x, y, xx, xy], units| {
            let spread = xx - x * x / units;
            if spread > 1e-9 { (xy - x * y / units) / spread } else { f64::NAN }
        }),
    ]
}

/// The value, the mean value of the neighbours, and their products.
fn moments(around: &Surroundings) -> Option<[f64; 4]> {
    let x = around.value as f64;
    let y = x + around.rise as f64 / around.neighbours as f64;
    (around.neighbours > 0).then_some([x, y, x * x, x * y])
}

/// The levels of samples that count so often each.
fn levels(cloud: &[Vec<Surroundings>], counts: &[u32]) -> Vec<Level> {
    let highest = cloud.iter().flatten().map(|around| around.value).max().unwrap_or(0);
    // Whole numbers of values, so that no level holds more of them than another.
    let width = (highest / LEVELS + 1).max(1);
    // Value 0, a solution, is a level of its own.
    let level_of = |value: i64| (value + width - 1) / width;
    let mut sums = vec![[0.0; 4]; level_of(highest) as usize + 1];
    for (met, count) in cloud.iter().zip(counts) {
        let weight = f64::from(*count);
        for around in met {
            let (value, neighbours) = (around.value as f64, around.neighbours as f64);
            let [genomes, better, values, values_near] = &mut sums[level_of(around.value) as usize];
            *genomes += weight;
            *better += weight * (around.better as f64 / neighbours);
            *values += weight * value;
            *values_near += weight * (value + around.rise as f64 / neighbours);
        }
    }
    let mut levels = Vec::new();
    for (index, [genomes, better, value, neighbours]) in sums.into_iter().enumerate() {
        if genomes == 0.0 {
            continue;
        }
        let to = index as i64 * width;
        levels.push(Level {
            from: if to == 0 { 0 } else { to - width + 1 },
            to,
            genomes: genomes as u64,
            better: better / genomes,
            value: value / genomes,
            neighbours: neighbours / genomes,
        });
    }
    levels
}

/// The mean over levels but that of solutions; NaN without any.
fn escape(levels: &[Level]) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for level in levels {
        if level.to > 0 {
            sum += level.better;
            count += 1;
        }
    }
    sum / f64::from(count)
}
