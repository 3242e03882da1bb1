//! The permutations of a problem of the user's own.

use std::sync::Arc;

use crate::fitness::Fitness;
use crate::problem::Blocks;
use crate::problem::GenomeShape;
use crate::search::Candidates;
use crate::search::space::Change;
use crate::spec::{Builder, Member};

use super::{AnyEncoding, Encoder, EncodingError, Rows, space};

pub(super) static ENTRY: Builder<Encoder> = Member::new("permutation")
    .about("of a problem of your own: one or more permutations, each of the numbers from 0 on")
    .source("L. Davis 1985, Applying adaptive algorithms to epistatic domains, Proc. 9th IJCAI")
    .build(|_| Box::new(|fitness| Rows::of_permutations(fitness).map(AnyEncoding::Rows)));

impl Rows {
    /// A line for every permutation of a problem of the user's own.
    ///
    /// # Errors
    /// [`EncodingError::Unsuitable`] for a puzzle, and for a problem of values.
    pub(crate) fn of_permutations(fitness: Arc<Fitness>) -> Result<Self, EncodingError> {
        let Some(shape @ GenomeShape::Permutations(lengths)) = fitness.problem().genome() else {
            return Err(EncodingError::other_genomes("permutation", fitness.problem()));
        };
        let (mut lines, mut first) = (Blocks::default(), 0);
        for length in lengths {
            lines.push(first..first + *length as u16);
            first += *length as u16;
        }
        let candidates = Candidates::Ranges(shape.ranges());
        let mut space = space(&fitness, Change::Exchanges, candidates, &lines, lines.clone());
        space.cages = Blocks::of((0..first).collect::<Vec<_>>().chunks(1));
        Ok(Self { fitness, space, skips_lines: false, lines_are_permutations: true })
    }
}
