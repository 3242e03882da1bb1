//! Ground truth: what the exact solver knows of a puzzle, within bounds that the configuration sets.

use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::search::{Closure, Reachability};
use kenga_core::solver::{self, Limits};

/// Exact facts of one puzzle. Bounds are decisions and solutions, never seconds, so that facts are reproducible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Known solutions, each a rank a cell.
    pub solutions: Vec<Vec<u8>>,
    /// `solutions` holds all of them.
    pub all_known: bool,
    /// Decisions that the search took.
    pub nodes: u64,
    /// Decisions, or their opposites, that propagation refuted.
    pub failures: u64,
    /// Clauses that the search learned from conflicts.
    pub learned: u64,
    /// Candidates that propagation leaves over all cells.
    pub candidates: u32,
    /// Cells that propagation leaves a single candidate.
    pub decided: usize,
}

impl Truth {
    /// Asks the solver. Without nodes to spend nothing is known.
    pub fn find(problem: &Problem, limits: &ExactLimits, interrupt: &Interrupt) -> Self {
        if limits.nodes == 0 || problem.genome().is_some() {
            return Self::default();
        }
        // One solution more than is kept tells whether those kept are all.
        let reported = limits.solutions;
        let limits =
            Limits { solutions: reported + 1, reported, nodes: Some(limits.nodes), ..Limits::default() };
        let mut solutions = Vec::new();
        let outcome = solver::solve(problem, &limits, interrupt, &mut |ranks| solutions.push(ranks.to_vec()));
        let all_known = outcome.count_is_exact && outcome.count as usize == solutions.len();
        let left = solver::propagate(problem);
        Self {
            solutions,
            all_known,
            nodes: outcome.nodes,
            failures: outcome.failures,
            learned: outcome.learned,
            candidates: left.candidates(),
            decided: left.0.iter().filter(|mask| mask.is_power_of_two()).count(),
        }
    }

    /// It is known that there is no solution.
    pub(super) fn is_unsolvable(&self) -> bool {
        self.all_known && self.solutions.is_empty()
    }

    /// In how many cells all solutions agree; `None` unless all are known and there is at least one.
    pub fn backbone(&self) -> Option<usize> {
        let first = self.solutions.first()?;
        if !self.all_known {
            return None;
        }
        let mut agreeing = 0;
        for (cell, rank) in first.iter().enumerate() {
            agreeing += usize::from(self.solutions.iter().all(|solution| solution[cell] == *rank));
        }
        Some(agreeing)
    }

    /// The fewest cells in which `ranks` differs from a known solution; `None` when none is known.
    pub fn distance(&self, ranks: &[u8]) -> Option<u32> {
        let cells = self.solutions.iter().map(|solution| differing(solution, ranks)).min()?;
        Some(cells as u32)
    }

    /// One test of reachability per group of connected populations, each of which changes by its `closure` alone; `None`
    /// unless all solutions are known and there is at least one.
    pub(crate) fn reachability(&self, closure: &[Closure]) -> Option<Vec<Reachability>> {
        if !self.all_known || self.solutions.is_empty() {
            return None;
        }
        Some(closure.iter().map(|closure| Reachability::new(closure, &self.solutions)).collect())
    }

    /// The known solution nearest to `ranks`.
    pub fn nearest(&self, ranks: &[u8]) -> Option<&[u8]> {
        let nearest = self.solutions.iter().min_by_key(|solution| differing(solution, ranks))?;
        Some(nearest)
    }
}

/// The cells in which two genomes differ.
fn differing(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

/// What is done about a run that can reach no solution any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadRunPolicy {
    /// It is not looked for.
    Off,
    /// When it died is noted.
    Note,
    /// The run ends.
    Stop,
}

/// How hard the exact solver looks at each puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactLimits {
    /// Decisions; 0 leaves the truth unknown.
    pub nodes: u64,
    /// Solutions.
    pub solutions: u64,
}

impl DeadRunPolicy {
    pub(super) const NAMES: &[&str] = &["off", "note", "stop"];

    pub(super) fn named(name: &str) -> Self {
        match name {
            "off" => Self::Off,
            "stop" => Self::Stop,
            _ => Self::Note,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::{Cage, Square, operators};

    fn problem() -> Problem {
        let plus = operators::find("+").expect("a known operator");
        let whole = Cage::new(plus, 6, vec![(0, 0), (0, 1), (1, 0), (1, 1)]);
        Problem::compile(&Square::kenken(2, vec![whole]).build().expect("a sound puzzle"))
    }

    fn truth(nodes: u64, solutions: u64) -> Truth {
        Truth::find(&problem(), &ExactLimits { nodes, solutions }, &Interrupt::default())
    }

    #[test]
    fn all_solutions_are_known_exactly_when_they_fit() {
        let all = truth(1000, 2);
        assert_eq!((all.solutions.len(), all.all_known, all.backbone()), (2, true, Some(0)));
        let some = truth(1000, 1);
        assert_eq!((some.solutions.len(), some.all_known, some.backbone()), (1, false, None));
        assert_eq!(truth(0, 1), Truth::default());
    }

    #[test]
    fn distance_is_to_the_nearest_solution() {
        let truth = truth(1000, 2);
        assert_eq!(truth.distance(&[0, 1, 1, 1]), Some(1));
        assert_eq!(truth.nearest(&[1, 0, 0, 0]), Some(&[1u8, 0, 0, 1][..]));
        assert_eq!(Truth::default().distance(&[0]), None);
    }
}
