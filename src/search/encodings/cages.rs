//! The dual encoding: every cage holds one of its tuples.
//!
//! Every cage of a genome holds a tuple that satisfies its clue; lines without equal digits are left to search. Of
//! clues that overlap, the first is a part (in a Kakuro, the entry across). Clues with too many tuples, and those
//! without any, are left to search too, and their cells take any candidate.

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
    /// A part for every clue with few enough tuples that overlaps no earlier one, and for every other cell.
    pub fn of_cages(fitness: Arc<Fitness>) -> Self {
        let space = Self::space(&fitness, Change::Tuples, candidates(fitness.problem(), true));
        let choices = Arc::clone(space.choices());
        Self { fitness, space: Space { cages: choices.cells.clone(), ..space }, choices }
    }
}
