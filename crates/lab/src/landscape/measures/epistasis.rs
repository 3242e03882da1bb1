//! Epistasis against the known graph of interactions: how often two changes do together what they do not do alone.
//!
//! ```text
//! e = v(both) - v(first) - v(second) + v(neither)
//! ```
//!
//! v are the values after two random moves that change different genes, from a random genome. The violation is a sum over
//! lines and clues, each a function of its own cells: where no line and no clue that may be violated holds cells of both
//! moves, e is 0 without exception. Inside the graph it is the share of pairs with e other than 0, and their size against
//! that of the moves alone, that say how much the known interactions matter.
//!
//! Davidor's epistasis variance is left out: it fits an additive model, with more parameters than a sample has genomes.
//!
//! Sources: Y. Davidor 1990, Epistasis variance: suitability of a representation to genetic algorithms, Complex Systems 4,
//! 369-383; C. R. Reeves, C. C. Wright 1995, Epistasis in genetic algorithms: an experimental design perspective,
//! Proceedings of ICGA 6, 217-224.

use crate::landscape::MovePair;

use super::estimate::{from_sums, share};
use super::{Measure, Outcome, Quantity, Survey, quantity};

pub(super) const MEASURE: Measure = Measure {
    name: "epistasis",
    about: "how often two changes do together what they do not do alone",
    source: "Y. Davidor 1990, Complex Systems 4, 369-383",
    quantities: QUANTITIES,
    take,
};

const QUANTITIES: &[Quantity] = &[
    quantity("interacting", "share of pairs of moves whose cells share a line or clue", 0.0, 1.0),
    quantity("epistasis_inside", "share of interacting pairs of moves that do not add up", 0.0, 1.0),
    quantity("epistasis_outside", "share of other pairs of moves that do not add up: 0", 0.0, 1.0),
    quantity("epistasis_size", "root of mean square of e against that of both moves", 0.0, f64::INFINITY),
];

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let mut rng = survey.rng("pairs");
    let mut pairs = Vec::new();
    for _ in (0..survey.effort.samples).take_while(|_| !survey.interrupt.is_raised()) {
        survey.at.scatter(&mut rng);
        pairs.extend(survey.at.pair(&mut rng));
    }
    let mut with = survey.resampler("epistasis");
    let excess = |pair: &MovePair| pair.both - pair.alone[0] - pair.alone[1];
    let non_additive = |interact: bool| {
        let these = pairs.iter().filter(|pair| pair.interact == interact);
        share(these.clone().filter(|pair| excess(pair) != 0).count(), these.count())
    };
    let square = |number: i64| (number as f64).powi(2);
    let sizes: Vec<[f64; 2]> = pairs
        .iter()
        .map(|pair| [square(excess(pair)), square(pair.alone[0]) + square(pair.alone[1])])
        .collect();
    let size = from_sums(&sizes, &QUANTITIES[3], &mut with, |[excess, alone], _| (excess / alone).sqrt());
    vec![
        share(pairs.iter().filter(|pair| pair.interact).count(), pairs.len()),
        non_additive(true),
        non_additive(false),
        size,
    ]
}
