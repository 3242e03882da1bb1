//! The terms of fitness and their weights, the measure of a clue, and what a local search minimises.

use crate::problem::Problem;
use crate::puzzle::Role;

/// A term of fitness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Sum over digits of |occurrences - expected|, where expected is known.
    Count,
    /// Pairs of equal digits in distinct rows, and in entries across.
    Row,
    /// Pairs of equal digits in distinct columns, and in entries down.
    Column,
    /// Pairs of equal digits in distinct regions, and in distinct cages.
    Region,
    /// Unsatisfied clues, or their gaps.
    Cage,
    /// Pairs of equal digits in distinct groups that are none of those.
    Group,
}

/// One number a term: violations, or weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// See [`Term::Count`].
    pub count: u32,
    /// See [`Term::Row`].
    pub row: u32,
    /// See [`Term::Column`].
    pub column: u32,
    /// See [`Term::Region`].
    pub region: u32,
    /// See [`Term::Cage`].
    pub cage: u32,
    /// See [`Term::Group`].
    pub group: u32,
}

/// The weight of a violation of each term.
pub type Weights = Terms;

/// How an unsatisfied clue is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CageMeasure {
    /// 1 for every unsatisfied clue.
    Binary,
    /// How far the digits are from the target, 1 to 100.
    Gap,
}

impl CageMeasure {
    /// The names of all, in configurations and to programs.
    pub const NAMES: &'static [&'static str] = &[Self::Binary.name(), Self::Gap.name()];

    /// The name of the measure.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Gap => "gap",
        }
    }

    /// The measure that has a name, if one has.
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "binary" => Some(Self::Binary),
            "gap" => Some(Self::Gap),
            _ => None,
        }
    }
}

/// How equal digits in a distinct group are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equals {
    /// Occurrences beyond the first.
    Repeats,
    /// Pairs.
    Pairs,
}

/// What a local search minimises; 0 exactly where the fitness is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guide {
    /// How equal digits are counted.
    pub lines: Equals,
    /// How clues are measured.
    pub cages: CageMeasure,
    /// The weight of distinct groups, 1 or more.
    pub line_weight: u32,
    /// The weight of clues, 1 or more.
    pub cage_weight: u32,
}

impl Guide {
    /// Repeats and unsatisfied clues, all of weight 1.
    pub const PLAIN: Self =
        Self { lines: Equals::Repeats, cages: CageMeasure::Binary, line_weight: 1, cage_weight: 1 };
}

/// What every genome of an encoding satisfies by construction, so that it need not be checked.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// Groups without equal digits, a flag a group.
    pub distinct: Vec<bool>,
    /// Groups whose clue holds.
    pub clues: Vec<bool>,
}

impl Invariants {
    /// Nothing is satisfied by construction.
    pub fn none(problem: &Problem) -> Self {
        Self { distinct: vec![false; problem.groups()], clues: vec![false; problem.groups()] }
    }
}

impl Terms {
    /// The weights of the original: 1 for everything, 10 for a cage.
    pub const ORIGINAL: Self = Self { count: 1, row: 1, column: 1, region: 1, cage: 10, group: 1 };

    /// The number of one term.
    pub fn of(&self, term: Term) -> u32 {
        match term {
            Term::Count => self.count,
            Term::Row => self.row,
            Term::Column => self.column,
            Term::Region => self.region,
            Term::Cage => self.cage,
            Term::Group => self.group,
        }
    }

    /// The number of one term, to be changed.
    pub(crate) fn of_mut(&mut self, term: Term) -> &mut u32 {
        match term {
            Term::Count => &mut self.count,
            Term::Row => &mut self.row,
            Term::Column => &mut self.column,
            Term::Region => &mut self.region,
            Term::Cage => &mut self.cage,
            Term::Group => &mut self.group,
        }
    }

    /// The weighted sum.
    pub fn weighted(&self, weights: &Weights) -> u32 {
        Term::ALL.into_iter().map(|term| self.of(term) * weights.of(term)).sum()
    }
}

impl Term {
    /// Every term, in the order of the columns of results.
    pub const ALL: [Self; 6] = [Self::Count, Self::Row, Self::Column, Self::Region, Self::Cage, Self::Group];

    /// The term's name in configurations and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Row => "row",
            Self::Column => "column",
            Self::Region => "region",
            Self::Cage => "cage",
            Self::Group => "group",
        }
    }

    /// The term that equal digits of a distinct group count for.
    pub(crate) fn of_distinct(problem: &Problem, group: usize) -> Self {
        match problem.rule(group).role {
            Role::Row => Self::Row,
            Role::Column => Self::Column,
            // Entries of Kakuro lie across or down; one of a single cell counts as across.
            Role::Entry if lies_in_one_row(problem, group) => Self::Row,
            Role::Entry => Self::Column,
            Role::Region | Role::Cage | Role::Given => Self::Region,
            Role::Group => Self::Group,
        }
    }
}

fn lies_in_one_row(problem: &Problem, group: usize) -> bool {
    let cells = problem.cells_of(group);
    cells.windows(2).all(|pair| problem.row_of(usize::from(pair[0])) == problem.row_of(usize::from(pair[1])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_found_by_its_name_alone() {
        assert_eq!(CageMeasure::NAMES, ["binary", "gap"]);
        let found: Vec<_> = CageMeasure::NAMES.iter().map(|name| CageMeasure::of(name)).collect();
        assert_eq!(found, [Some(CageMeasure::Binary), Some(CageMeasure::Gap)]);
        assert_eq!(CageMeasure::of("Gap"), None);
    }
}
