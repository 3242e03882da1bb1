//! The violation of a tally by term, for those who follow it.

use crate::fitness::Term;
use crate::problem::Problem;

/// The violation by term, unweighted, in the order of [`Term::ALL`], without groups that are satisfied by construction.
#[derive(Clone, Debug)]
pub(super) struct TermTotals {
    /// The index of each line's term.
    of_line: Vec<u8>,
    pub(super) sums: [i64; Term::ALL.len()],
}

impl TermTotals {
    /// Totals of these lines, groups of the problem.
    pub(super) fn new(problem: &Problem, lines: &[usize]) -> Self {
        let of_line = lines.iter().map(|line| Term::of_distinct(problem, *line) as u8).collect();
        Self { of_line, sums: [0; Term::ALL.len()] }
    }

    pub(super) fn clear(&mut self) {
        self.sums = [0; Term::ALL.len()];
    }

    #[inline(always)]
    pub(super) fn add_to_line(&mut self, line: usize, more: i64) {
        self.sums[usize::from(self.of_line[line])] += more;
    }

    #[inline(always)]
    pub(super) fn add_to_clues(&mut self, more: i64) {
        self.sums[Term::Cage as usize] += more;
    }
}
