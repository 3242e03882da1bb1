//! Single-point crossover: the genes before a cut from one parent, those after it from the other.
//!
//! ```text
//! parents   a a a a a a      b b b b b b
//! cut at 2      |                |
//! children  a a b b b b      b b a a a a
//! ```

use crate::rng::RunRng;
use crate::spec::{Builder, Member};

use super::{Crossover, CutRange, RATE, StretchCrossover};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("single_point")
    .about("takes the genes before a random cut from one parent, the rest from the other")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .encodings(&["cells", "values"])
    .params(&[RATE])
    .build(|_| Box::new(StretchCrossover(draw)));

/// The stretch from a random cut to the end. A cut has a gene on either side; a single gene has none.
fn draw(genes: usize, rng: &mut RunRng) -> CutRange {
    let first = if genes > 1 { 1 + rng.below(genes - 1) } else { genes };
    CutRange { first, second: genes }
}
