//! Two-point crossover: the parents exchange the genes between two cuts.
//!
//! ```text
//! parents        a a a a a a      b b b b b b
//! cuts at 1, 4     |     |          |     |
//! children       a b b b a a      b a a a b b
//! ```
//!
//! The genome is a ring: one of its L places to cut lies between the last gene and the first. All pairs of places are
//! equally likely, and so are all genes to be exchanged.

use crate::rng::RunRng;
use crate::spec::{Builder, Member};

use super::{Crossover, CutRange, RATE, StretchCrossover};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("two_point")
    .about("exchanges the genes between two random cuts")
    .source("K. A. De Jong 1975, An Analysis of the Behavior of a Class of Genetic Adaptive Systems")
    .encodings(&["cells", "values"])
    .params(&[RATE])
    .build(|_| Box::new(StretchCrossover(draw)));

/// Two places to cut; a ring of one gene has none.
fn draw(genes: usize, rng: &mut RunRng) -> CutRange {
    let (first, second) = if genes > 1 { rng.pair(genes) } else { (0, 0) };
    CutRange { first, second }
}
