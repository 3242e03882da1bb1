//! The direct encoding: any digit in any cell; givens are fixed or, as in the original, genes like all others.

use std::sync::Arc;

use crate::fitness::Fitness;
use crate::search::Candidates;
use crate::search::space::{Change, Choices};
use crate::spec::{Builder, Member, Param};

use super::{AnyEncoding, Encoder, TupleEncoding, candidates};

pub(super) static ENTRY: Builder<Encoder> = Member::new("cells")
    .about("direct encoding: a gene is the digit of a cell, any digit in any cell")
    .source("direct encoding; J. H. Holland, Adaptation in Natural and Artificial Systems, 1975")
    .params(&[Param::choice("givens", &["fixed", "free"], "fixed")
        .about("`fixed` keeps given digits in their cells; `free` lets the search find them")])
    .build(|spec| {
        let fix_givens = spec.text("givens") == "fixed";
        Box::new(move |fitness| Ok(AnyEncoding::Tuples(TupleEncoding::of_cells(fitness, fix_givens))))
    });

impl TupleEncoding {
    /// A part for every cell; `fix_givens` keeps the digits of one-cell clues.
    pub fn of_cells(fitness: Arc<Fitness>, fix_givens: bool) -> Self {
        let candidates = candidates(fitness.problem(), fix_givens);
        let choices = Choices::of_cells(&Candidates::Masks(candidates.clone()));
        let space = Self::space(&fitness, Change::Digits, candidates);
        Self { fitness, space, choices: Arc::new(choices) }
    }
}
