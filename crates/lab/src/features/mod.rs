//! Features of puzzles: what a puzzle is like, in numbers and a few words, a row a puzzle.
//!
//! A [family](FeatureFamily) is a file in `families/` and two lines of [`FAMILIES`]: its columns with what each is, and
//! their values for a puzzle. What several families need, the exact facts and the tuples of cages, is found once
//! (`Subject`). A value that a puzzle does not have, such as the share of an operator where there are no cages, or one
//! that was not found within the limits, is unknown.
//!
//! **Invariant**: a family gives one value for every column, in their order; `docs/features.md` has a row for each. Within that
//! a family is free. Names of columns are those of files that people keep: they are not changed.
//!
//! Sources: J. R. Rice 1976, The algorithm selection problem, doi:10.1016/S0065-2458(08)60520-3, for the idea; F. Hutter,
//! L. Xu, H. H. Hoos, K. Leyton-Brown 2014, Algorithm runtime prediction: methods & evaluation,
//! doi:10.1016/j.artint.2013.10.003, for what features of instances are good for.

mod families;
mod subject;
mod value;

use crate::experiment::ExactLimits;
use crate::landscape::LandscapeSpec;
use crate::landscape::measures::Effort;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;

use families::{cages, exact, grade, graph, landscape, operators, shape, space, tuples};
use subject::Subject;
pub use value::{FeatureColumn, FeatureKind, FeatureValue};

/// Columns that belong together.
pub struct FeatureFamily {
    /// Its name.
    pub name: &'static str,
    /// What it says of a puzzle, in a sentence.
    pub about: &'static str,
    /// It takes so long that it is only done where it is asked for.
    pub is_slow: bool,
    /// Its columns, which may depend on the order.
    columns: fn(&FeatureOrder) -> Vec<FeatureColumn>,
    /// A value for every column.
    values: fn(&Subject<'_>) -> Vec<FeatureValue>,
}

/// Every family, in the order of the columns.
pub static FAMILIES: &[&FeatureFamily] = &[
    &shape::FAMILY,
    &cages::FAMILY,
    &operators::FAMILY,
    &tuples::FAMILY,
    &space::FAMILY,
    &graph::FAMILY,
    &exact::FAMILY,
    &grade::FAMILY,
    &landscape::FAMILY,
];

/// What is asked for. The same order gives the same values of a puzzle, unless an interrupt ends the work.
pub struct FeatureOrder {
    /// The families, in the order of the columns.
    pub families: Vec<&'static FeatureFamily>,
    /// What the exact solver may spend on a puzzle.
    pub limits: ExactLimits,
    /// The landscapes that the family `landscape` looks at.
    pub landscapes: Vec<LandscapeSpec>,
    /// How much of each of them is sampled.
    pub effort: Effort,
    /// The seed of the samples.
    pub seed: u64,
}

impl FeatureOrder {
    /// The columns: the id of the puzzle, then those of each family.
    pub fn columns(&self) -> Vec<FeatureColumn> {
        let mut columns = vec![FeatureColumn::new("id", FeatureKind::Word, "the puzzle").shown()];
        for family in &self.families {
            columns.extend((family.columns)(self));
        }
        columns
    }

    /// A value for every column; `None` when interrupted.
    pub fn values(&self, puzzle: &Puzzle, interrupt: &Interrupt) -> Option<Vec<FeatureValue>> {
        let subject = Subject::new(puzzle, self, interrupt);
        let mut values = vec![FeatureValue::Word(puzzle.id.clone())];
        for family in &self.families {
            values.extend((family.values)(&subject));
            if interrupt.is_raised() {
                return None;
            }
        }
        Some(values)
    }
}

#[cfg(test)]
mod tests;
