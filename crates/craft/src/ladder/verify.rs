//! The check of a step: what it concludes follows from the rules it names and the candidates before it.
//!
//! The exact solver is asked whether the groups that the step names, alone, allow what the step excludes. It searches by itself. Of
//! the compiled puzzle it shares with the techniques the cells of groups and the clues; the tuples of cages it lists anew.

use super::{Candidates, Step};
use kenga_core::budget::Interrupt;
use kenga_core::problem::{Domains, bits};
use kenga_core::solver::{Limits, Status, solve};

/// Decisions of the solver for one candidate.
const NODES: u64 = 200_000;

/// Says whether a step is implied: `None` when the solver cannot tell within its limits, or is interrupted.
pub fn verify(candidates: &Candidates<'_>, step: &Step, interrupt: &Interrupt) -> Option<bool> {
    let filled = step.fills.iter().map(|(cell, rank)| (*cell, candidates.mask(*cell) & !(1 << rank)));
    let excluded = filled.chain(step.removes.iter().copied());
    let cases =
        excluded.flat_map(|(cell, ranks)| bits(ranks & candidates.mask(cell)).map(move |rank| (cell, rank)));
    let part = candidates.frame.problem.with_only_groups(&step.groups);
    let mut answer = Some(true);
    for (cell, rank) in cases {
        let mut masks = candidates.masks().to_vec();
        masks[usize::from(cell)] = 1 << rank;
        let limits = Limits { solutions: 1, nodes: Some(NODES), ..Limits::default() };
        let outcome = solve(&part.restrict(&Domains(masks)), &limits, interrupt, &mut |_| ());
        match outcome.status {
            Status::Unsolvable => {}
            Status::Undecided if interrupt.is_raised() => return None,
            Status::Undecided => answer = None,
            _ => return Some(false),
        }
    }
    answer
}
