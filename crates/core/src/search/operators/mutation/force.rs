//! Another tuple for a cage, by exchanges within rows.
//!
//! ```text
//! clue    5+ over the first two cells of the row: 1 4, 2 3, 3 2, 4 1
//! before  1 2 3 4
//! tuple   2 3
//! first   2 1 3 4     1 and 2 exchanged
//! second  2 3 1 4     1 and 3 exchanged
//! ```
//!
//! A gene is drawn, from those in conflict with probability `conflicting`. Its cage takes another uniform tuple that
//! satisfies the clue, cell by cell, each by an exchange within its line. Where a given holds the digit in the line,
//! the cell does not change.

use crate::search::Space;
use crate::spec::{Builder, Member};

use super::{AGAIN, CONFLICTING, GeneMutation, Mutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("force")
    .about("gives the cage of a gene in conflict another tuple for its clue, by exchanges within rows")
    .source("kenga")
    .encodings(&["rows"])
    .params(&[CONFLICTING, AGAIN])
    .build(|spec| {
        GeneMutation::boxed(spec, |space, gene, genome, rng| {
            if let Some((cells, tuple)) = space.choices().other(gene, genome, rng) {
                force(space, cells, tuple, genome);
            }
        })
    });

/// Writes a tuple into its cells by exchanges within their segments, where these hold its digits.
fn force(space: &Space, cells: &[u16], tuple: &[u8], genome: &mut [u8]) {
    // Cells of one line take different digits, so that no exchange undoes an earlier one.
    for (cell, rank) in cells.iter().zip(tuple) {
        if space.candidates.count(usize::from(*cell)) > 1 {
            space.give(*cell, *rank, genome);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fitness::{CageMeasure, Fitness, Weights};
    use crate::problem::Problem;
    use crate::puzzle::samples;
    use crate::search::Candidates;
    use crate::search::encodings::{Encoding, Rows};

    #[test]
    fn cells_take_the_tuple_and_lines_keep_their_digits() {
        let problem = Problem::compile(&samples::kenken(4, |_| 0));
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
        let rows = Rows::new(Arc::new(fitness)).expect("a KenKen has lines");
        let space = Space { candidates: Candidates::Masks(vec![15; 16]), ..rows.space().clone() };
        let segments = (0..4u16).map(|row| 4 * row..4 * row + 4);
        let (mut lines, mut of_gene) = (crate::problem::Blocks::default(), Vec::new());
        segments.clone().for_each(|line| lines.push(line));
        (0..16).for_each(|gene| of_gene.push(gene / 4));
        let space = Space { segments: lines, segment_of: of_gene, ..space };
        let mut genome = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3];
        force(&space, &[0, 1, 4], &[1, 2, 3], &mut genome);
        assert_eq!(genome[..8], [1, 2, 0, 3, 3, 1, 2, 0]);
    }
}
