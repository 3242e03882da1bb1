//! The violation by term, followed on request.

use crate::problem::Problem;

use crate::fitness::Term;

use super::Tally;

/// The violation by term, unweighted, in the order of [`Term::ALL`]; of a group that the genome keeps there is none.
#[derive(Clone, Debug)]
pub(super) struct TermTotals {
    /// The index of each line's term.
    of_line: Vec<u8>,
    sums: [i64; Term::ALL.len()],
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

impl Tally {
    /// Follows what each term has of the violation from now on; costs a little with every write.
    pub fn follow_terms(&mut self) {
        let problem = self.fitness.problem();
        self.term_totals = Some(Box::new(TermTotals::new(problem, &self.watched)));
        self.count();
    }

    /// What each term has of the violation, unweighted and as the guide measures it, in the order of [`Term::ALL`]; 0
    /// where it is not followed. The count term belongs to no group and has none.
    #[inline]
    pub fn term_totals(&self) -> [i64; Term::ALL.len()] {
        self.term_totals.as_ref().map_or([0; Term::ALL.len()], |totals| totals.sums)
    }
}
