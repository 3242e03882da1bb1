//! A puzzle whose features are found, with what several families need.

use std::cell::OnceCell;

use crate::experiment::Truth;
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Clue, Puzzle, Role};

use super::FeatureOrder;

/// A puzzle, what is asked for, and what was found on the way.
pub(super) struct Subject<'a> {
    pub(super) puzzle: &'a Puzzle,
    pub(super) problem: Problem,
    pub(super) order: &'a FeatureOrder,
    pub(super) interrupt: &'a Interrupt,
    truth: OnceCell<Truth>,
}

/// A group with a clue that is no printed digit.
#[derive(Clone, Copy)]
pub(super) struct CluedGroup<'a> {
    /// Its index in the problem.
    pub(super) group: usize,
    pub(super) cells: &'a [u16],
    pub(super) clue: Clue,
}

impl<'a> Subject<'a> {
    pub(super) fn new(puzzle: &'a Puzzle, order: &'a FeatureOrder, interrupt: &'a Interrupt) -> Self {
        Self { puzzle, problem: Problem::compile(puzzle), order, interrupt, truth: OnceCell::new() }
    }

    /// Exact facts; `None` without decisions to spend on them.
    pub(super) fn truth(&self) -> Option<&Truth> {
        let limits = &self.order.limits;
        if limits.nodes == 0 {
            return None;
        }
        Some(self.truth.get_or_init(|| Truth::find(&self.problem, limits, self.interrupt)))
    }

    /// The cages: the groups with clues that are no printed digits. The entries of a Kakuro, the signs of a Futoshiki and
    /// the lines of a magic square are such groups.
    pub(super) fn cages(&self) -> Vec<CluedGroup<'_>> {
        let mut cages = Vec::new();
        for group in 0..self.problem.groups() {
            let rule = self.problem.rule(group);
            if let Some(clue) = rule.clue
                && rule.role != Role::Given
            {
                cages.push(CluedGroup { group, cells: self.problem.cells_of(group), clue });
            }
        }
        cages
    }
}
