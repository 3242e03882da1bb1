//! Neutrality: how many neighbours have the same value, and how far they lead.
//!
//! The neutral degree is the share of neighbours of equal value. A plateau is all that can be reached from a genome through
//! genomes of its value. It is explored up to a limit; one that is larger counts as censored, so that its median is empty
//! where half of them are.
//!
//! Sources: C. M. Reidys, P. F. Stadler 2001, Neutrality in fitness landscapes, doi:10.1016/S0096-3003(99)00166-6;
//! L. Vanneschi, Y. Pirola, P. Collard 2006, A quantitative study of neutrality in GP boolean landscapes,
//! GECCO, 895-902.

use super::estimate::{mean, median_of, share};
use super::optima::EXPLORED;
use super::{Measure, Outcome, Quantity, Survey, quantity};

pub(super) const MEASURE: Measure = Measure {
    name: "neutrality",
    about: "how many neighbours have the same value, and how far they lead",
    source: "C. M. Reidys, P. F. Stadler 2001, doi:10.1016/S0096-3003(99)00166-6",
    quantities: QUANTITIES,
    take,
};

const QUANTITIES: &[Quantity] = &[
    quantity("neutral_random", "mean share of neighbours of equal value, random genomes", 0.0, 1.0),
    quantity("neutral_optima", "mean share of neighbours of equal value, local optima", 0.0, 1.0),
    quantity("plateau_random", "median number of genomes of a plateau, random genomes", 1.0, f64::INFINITY),
    quantity("plateau_optima", "median number of genomes of a plateau, local optima", 1.0, f64::INFINITY),
    quantity("plateau_cut", "share of plateaus of local optima larger than the limit", 0.0, 1.0),
];

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let (points, optima) = (survey.points(), survey.optima());
    let mut with = survey.resampler("neutrality");
    let random: Vec<f64> = points.iter().filter_map(|point| point.around.equal()).collect();
    let low: Vec<f64> = optima.iter().filter_map(|optimum| optimum.around.equal()).collect();
    let of_random = plateaus(survey, points.iter().map(|point| &*point.genome));
    let of_optima = plateaus(survey, optima.iter().map(|optimum| &*optimum.genome));
    let cut = of_optima.iter().filter(|size| size.is_infinite()).count();
    vec![
        mean(&random, &QUANTITIES[0], &mut with),
        mean(&low, &QUANTITIES[1], &mut with),
        median_of(&of_random),
        median_of(&of_optima),
        share(cut, of_optima.len()),
    ]
}

/// The sizes of the plateaus of the first genomes, infinite where cut.
fn plateaus<'a>(survey: &mut Survey<'_>, genomes: impl Iterator<Item = &'a [u8]>) -> Vec<f64> {
    let mut sizes = Vec::new();
    for genome in genomes.take(EXPLORED) {
        survey.at.place(genome);
        let plateau = survey.at.plateau(survey.effort.limit, &survey.interrupt);
        sizes.push(if plateau.is_cut { f64::INFINITY } else { plateau.genomes as f64 });
    }
    sizes
}
