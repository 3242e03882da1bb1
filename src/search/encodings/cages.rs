//! The dual encoding: every cage holds one of its tuples.
//!
//! A genome holds in every cage a tuple that satisfies its clue, so that what is left to find is lines without equal
//! digits. Of clues that overlap the first ones hold (of a Kakuro, the entries across); clues with too many tuples, and
//! those without any, stay to be found, and their cells take any candidate.

use std::sync::Arc;

use crate::fitness::Fitness;
use crate::search::Space;
use crate::search::space::Change;
use crate::spec::{Builder, Member};

use super::{AnyEncoding, Encoder, TupleEncoding, candidates};

pub(super) static ENTRY: Builder<Encoder> = Member::new("cages")
    .about("dual encoding: every cage holds one of the digit tuples that satisfy its clue")
    .source("the dual encoding of a constraint problem; R. Dechter, J. Pearl 1989, doi:10.1016/0004-3702(89)90037-4")
    .build(|_| Box::new(|fitness| Ok(AnyEncoding::Tuples(TupleEncoding::of_cages(fitness)))));

impl TupleEncoding {
    /// Every clue a part, as far as there are few tuples and no overlaps, and every other cell.
    pub fn of_cages(fitness: Arc<Fitness>) -> Self {
        let space = Self::space(&fitness, Change::Tuples, candidates(fitness.problem(), true));
        let choices = Arc::clone(space.choices());
        Self { fitness, space: Space { cages: choices.cells.clone(), ..space }, choices }
    }
}
