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

/// How many pairs of moves do not add up.
#[derive(Default)]
struct PairTally {
    pairs: usize,
    not_additive: usize,
}

fn take(survey: &mut Survey<'_>) -> Vec<Outcome> {
    let mut rng = survey.rng("pairs");
    let (mut inside, mut outside) = (PairTally::default(), PairTally::default());
    let mut sizes: Vec<[f64; 2]> = Vec::new();
    for _ in 0..survey.effort.samples {
        if survey.interrupt.is_raised() {
            break;
        }
        survey.at.randomize(&mut rng);
        let Some(MovePair { alone, both, interact }) = survey.at.move_pair(&mut rng) else { continue };
        // Values are differences from the genome, so that v(neither) is 0.
        let excess = both - alone[0] - alone[1];
        let tally = if interact { &mut inside } else { &mut outside };
        tally.pairs += 1;
        tally.not_additive += usize::from(excess != 0);
        sizes.push([square(excess), square(alone[0]) + square(alone[1])]);
    }
    let mut with = survey.resampler("epistasis");
    vec![
        share(inside.pairs, inside.pairs + outside.pairs),
        share(inside.not_additive, inside.pairs),
        share(outside.not_additive, outside.pairs),
        from_sums(&sizes, &QUANTITIES[3], &mut with, |[excess, alone], _| (excess / alone).sqrt()),
    ]
}

fn square(number: i64) -> f64 {
    (number as f64).powi(2)
}
