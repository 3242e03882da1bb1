//! The values of a problem of the user's own: a gene is a whole number of its range.

use std::sync::Arc;

use crate::fitness::Fitness;
use crate::problem::Blocks;
use crate::problem::GenomeShape;
use crate::search::Candidates;
use crate::search::space::{Change, Choices};
use crate::spec::{Builder, Member};

use super::{AnyEncoding, Encoder, EncodingError, TupleEncoding, space};

pub(super) static ENTRY: Builder<Encoder> = Member::new("values")
    .about("of a problem of your own: a gene is a whole number of its range")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .build(|_| Box::new(|fitness| TupleEncoding::of_values(fitness).map(AnyEncoding::Tuples)));

impl TupleEncoding {
    /// A part for every gene of a problem of the user's own.
    ///
    /// # Errors
    /// [`EncodingError::Unsuitable`] for a puzzle, and for a problem of permutations.
    pub(crate) fn of_values(fitness: Arc<Fitness>) -> Result<Self, EncodingError> {
        let Some(GenomeShape::Values(ranges)) = fitness.problem().genome() else {
            return Err(EncodingError::other_genomes("values", fitness.problem()));
        };
        let candidates = Candidates::Ranges(ranges.clone());
        let choices = Arc::new(Choices::of_cells(&candidates));
        let alone = Blocks::of((0..ranges.len() as u16).collect::<Vec<_>>().chunks(1));
        let mut space = space(&fitness, Change::Digits, candidates, &like_genes(ranges), alone.clone());
        space.cages = alone;
        space.choices.set(Arc::clone(&choices)).expect("the space is new");
        Ok(Self { fitness, space, choices })
    }
}

/// The genes of each range, which may exchange their values.
fn like_genes(ranges: &[[u8; 2]]) -> Blocks {
    let mut genes: Vec<u16> = (0..ranges.len() as u16).collect();
    // Stable: the genes of a range stay ascending.
    genes.sort_by_key(|gene| ranges[usize::from(*gene)]);
    Blocks::of(genes.chunk_by(|a, b| ranges[usize::from(*a)] == ranges[usize::from(*b)]))
}
