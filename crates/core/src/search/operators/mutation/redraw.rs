//! The cage of a gene in conflict takes another tuple.
//!
//! ```text
//! clue    6+ over three cells: 1 2 3, 1 3 2, 2 1 3, …
//! before  4 4 1
//! after   2 1 3
//! ```
//!
//! A gene is drawn, from those in conflict with probability `conflicting`. Its cage takes another uniform tuple that
//! satisfies the clue. If the clue has too many tuples, the cell of the gene alone takes another digit.

use crate::rng::RunRng;
use crate::search::Space;
use crate::spec::{Builder, Member};

use super::{AGAIN, CONFLICTING, GeneMutation, Mutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("redraw")
    .about("gives the cage of a gene in conflict another digit tuple that satisfies its clue")
    .source(
        "kenga; the values of a dual variable, R. Dechter, J. Pearl 1989, doi:10.1016/0004-3702(89)90037-4",
    )
    .encodings(&["cells", "cages"])
    .params(&[CONFLICTING, AGAIN])
    .build(|spec| GeneMutation::boxed(spec, redraw));

/// Gives the part of a gene another of its tuples, where it has one.
pub(super) fn redraw(space: &Space, gene: u16, genome: &mut [u8], rng: &mut RunRng) {
    if let Some((cells, tuple)) = space.choices().other(gene, genome, rng) {
        for (cell, rank) in cells.iter().zip(tuple) {
            genome[usize::from(*cell)] = *rank;
        }
    }
}
