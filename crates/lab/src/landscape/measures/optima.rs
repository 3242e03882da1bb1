//! Local optima: how common they are, how far down, how quickly left, and how deep their basins are.
//!
//! A local optimum has no better neighbour; a solution is one. A descent makes the best improving move, of equals a random
//! one, until there is none. A kick makes two random moves, and a descent follows. The depth of a basin is the least height
//! above a local optimum to which every way to something better climbs: 0 where a plateau leads on, and a search that never
//! worsens by as much never leaves. It is found by flooding: what was climbed to least is explored first. An exploration
//! that its limit ends has a depth of at least what it reached, and counts as censored; what nothing that can be reached
//! beats, as a solution, has none.
//!
//! Sources: local optima, C. M. Reidys, P. F. Stadler 2002, doi:10.1137/S0036144501395952; kicks, H. R. Lourenço, O. C. Martin, T. Stützle 2003, Iterated local search,
//! doi:10.1007/0-306-48056-5_11; depth, B. Hajek 1988, Cooling schedules for optimal annealing, doi:10.1287/moor.13.2.311.

use super::estimate::{mean, median_of, ratio, share};
use super::survey::descend;
use super::{LocalOptimum, Measure, Outcome, Quantity, Survey, quantity};

pub(super) const MEASURE: Measure = Measure {
    name: "optima",
    about: "how common, low, sticky and deep local optima are",
    source: "C. M. Reidys, P. F. Stadler 2002, doi:10.1137/S0036144501395952; B. Hajek 1988, doi:10.1287/moor.13.2.311",
    quantities: QUANTITIES,
    take,
};

const QUANTITIES: &[Quantity] = &[
    quantity("optimum_share", "share of random genomes that are local optima", 0.0, 1.0),
    quantity("optimum_value", "mean value at the end of a descent", 0.0, f64::INFINITY),
    quantity("descent_steps", "mean number of moves of a descent", 0.0, f64::INFINITY),
    quantity("descent_solves", "share of descents that end at a solution", 0.0, 1.0),
    quantity("escape", "share of kicks after which a descent ends at another genome", 0.0, 1.0),
    quantity("escape_better", "share of kicks after which a descent ends lower", 0.0, 1.0),
    quantity("depth", "median least climb from a local optimum to something better", 0.0, f64::INFINITY),
    quantity("depth_cut", "share of floods that the limit ended", 0.0, 1.0),
];

/// Kicks from each local optimum.
const KICKS: usize = 5;

/// Random moves of a kick.
const MOVES: usize = 2;

/// Local optima that are explored; every exploration visits many genomes.
pub(super) const EXPLORED: usize = 40;

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let (points, optima) = (survey.points(), survey.optima());
    let mut with = survey.resampler("optima");
    let values: Vec<f64> = optima.iter().map(|one| one.around.value as f64).collect();
    let steps: Vec<f64> = optima.iter().map(|one| one.steps as f64).collect();
    let kicks = kicks(survey, &optima);
    let (depths, cut) = depths(survey, &optima);
    let solved = optima.iter().filter(|one| one.around.value == 0).count();
    vec![
        share(points.iter().filter(|point| point.around.better == 0).count(), points.len()),
        mean(&values, &QUANTITIES[1], &mut with),
        mean(&steps, &QUANTITIES[2], &mut with),
        if survey.is_zero_a_bound { Outcome::UNDEFINED } else { share(solved, optima.len()) },
        ratio(&kicks.elsewhere, &QUANTITIES[4], &mut with),
        ratio(&kicks.lower, &QUANTITIES[5], &mut with),
        median_of(&depths),
        share(cut, depths.len()),
    ]
}

/// For every local optimum that is no solution, how many kicks ended so, and how many there were.
#[derive(Default)]
struct Kicks {
    elsewhere: Vec<[f64; 2]>,
    lower: Vec<[f64; 2]>,
}

fn kicks(survey: &mut Survey<'_>, optima: &[LocalOptimum]) -> Kicks {
    let mut rng = survey.rng("kicks");
    let mut kicks = Kicks::default();
    for optimum in optima {
        if optimum.around.value == 0 {
            continue;
        }
        if survey.interrupt.is_raised() {
            break;
        }
        let (mut elsewhere, mut lower) = (0.0, 0.0);
        for _ in 0..KICKS {
            survey.at.place(&optimum.genome);
            for _ in 0..MOVES {
                survey.at.random_move(&mut rng);
            }
            descend(&mut *survey.at, &mut rng);
            // Another genome of equal value counts: the kick has left the place.
            elsewhere += f64::from(survey.at.genome() != optimum.genome);
            lower += f64::from(survey.at.value() < optimum.around.value);
        }
        kicks.elsewhere.push([elsewhere, KICKS as f64]);
        kicks.lower.push([lower, KICKS as f64]);
    }
    kicks
}

/// The depths of the first local optima that are no solutions, infinite where cut, and how many were; those that nothing
/// beats are left out.
fn depths(survey: &mut Survey<'_>, optima: &[LocalOptimum]) -> (Vec<f64>, usize) {
    let (mut depths, mut cut) = (Vec::new(), 0);
    let unsolved = optima.iter().filter(|optimum| optimum.around.value > 0);
    for optimum in unsolved.take(EXPLORED) {
        survey.at.place(&optimum.genome);
        let flood = survey.at.flood(survey.effort.limit, &survey.interrupt);
        if flood.is_cut {
            cut += 1;
            depths.push(f64::INFINITY);
        } else if flood.drop < 0 {
            depths.push(flood.height as f64);
        }
    }
    (depths, cut)
}
