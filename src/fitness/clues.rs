//! Clues compiled for evaluation: what an operator can say in advance is asked once, for every evaluator.

use crate::problem::Problem;
use crate::puzzle::Clue;
use crate::puzzle::operators::Fold;

/// The longest product that 64 bits hold, whatever its digits: 255^8.
const LONGEST_PRODUCT: usize = 8;

/// A clue and how it is evaluated.
#[derive(Clone, Debug)]
pub(super) struct CompiledClue {
    pub(super) clue: Clue,
    pub(super) form: Form,
}

/// How a clue is evaluated.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// One or two cells: their gaps by rank.
    Table(GapTable),
    /// A sum, or a product of up to [`LONGEST_PRODUCT`] cells, with its target.
    Fold(Fold, u64),
    /// The operator is asked.
    Operator,
}

/// The gap of a clue for the ranks of its first and its second cell, in rows by the first; over one cell the second makes
/// no difference.
#[derive(Clone, Debug)]
pub(super) struct GapTable {
    digits: usize,
    gaps: Vec<u8>,
}

impl GapTable {
    fn new(clue: Clue, cells: usize, values: &[u8]) -> Self {
        let pairs = values.iter().flat_map(|first| values.iter().map(move |second| [*first, *second]));
        let gaps = pairs.map(|pair| clue.gap(&pair[..cells]) as u8).collect();
        Self { digits: values.len(), gaps }
    }

    /// The gaps, row by row.
    pub(super) fn gaps(&self) -> &[u8] {
        &self.gaps
    }

    /// For every rank of the first cell, the gaps by the rank of the second.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.gaps.chunks_exact(self.digits)
    }
}

/// The clue of every group that has one, by group.
pub(super) fn compile(problem: &Problem) -> Vec<Option<CompiledClue>> {
    let compiled = |group: usize| {
        let clue = problem.rule(group).clue?;
        let form = match (problem.cells_of(group).len(), clue.operator.fold) {
            (cells @ (1 | 2), _) => Form::Table(GapTable::new(clue, cells, problem.values())),
            (_, Some(Fold::Sum)) => Form::Fold(Fold::Sum, clue.target.unsigned_abs()),
            (..=LONGEST_PRODUCT, Some(Fold::Product)) => {
                Form::Fold(Fold::Product, clue.target.unsigned_abs())
            }
            _ => Form::Operator,
        };
        Some(CompiledClue { clue, form })
    };
    (0..problem.groups()).map(compiled).collect()
}
