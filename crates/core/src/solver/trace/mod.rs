//! The search seen as it goes: every decision, removal, conflict and step back, with its reason.
//!
//! [`trace()`] runs the search of [`solve`](super::solve) itself, compiled with an observer: the same nodes, failures and
//! solutions. The candidates at any moment follow from the events alone ([`Replay`]), and what an event says stands in
//! [`words()`]. A removal names the groups that imply it together with the candidates before it.

mod replay;
#[cfg(test)]
mod tests;
mod words;

use std::iter::once;

use super::engine::Engine;
use super::numbering::Numbering;
use super::observer::{Cause, Observer};
use super::{Limits, Outcome, Status, solve_observed};
use crate::budget::{Clock, Interrupt};
use crate::problem::Problem;

pub use replay::Replay;
pub use words::cause;
pub use words::words;

/// One thing that the search does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Cells lose candidates: each cell of the problem with the mask of the ranks that go.
    Removal {
        /// What implies it.
        reason: Reason,
        /// Cells, each once, with the ranks that they lose, at least one.
        lost: Vec<(u16, u32)>,
    },
    /// Nothing is left for a rule under the present decisions. Removals of the same rule may come before it.
    Conflict {
        /// What fails.
        reason: Reason,
    },
    /// Propagation has come to its first fixpoint; the search begins.
    Fixpoint,
    /// Digits are interchangeable: these cells get the first digits in order, and every solution stands for all that
    /// exchanging digits makes of it.
    Orbit {
        /// The cells; the first gets rank 0.
        cells: Vec<u16>,
    },
    /// A cell gets a digit to try.
    Decision {
        /// The cell.
        cell: u16,
        /// The rank of its digit, a candidate.
        rank: u32,
        /// The number of decisions, this one included.
        depth: u32,
    },
    /// Decisions are undone, with all that followed from them.
    Back {
        /// The number of decisions left.
        depth: u32,
    },
    /// The search begins anew without decisions, and keeps what it knows.
    Restart,
    /// From here on the search learns a clause from every conflict. It begins without decisions.
    Learning,
    /// One of these literals must hold.
    Clause {
        /// The literals.
        literals: Vec<Literal>,
        /// It excludes a solution that has been found; otherwise a conflict has taught it.
        is_solution: bool,
    },
    /// Every cell has one candidate left: a solution.
    Solution,
    /// The search is over.
    End(Status),
}

/// "One of these cells has the digit", or that none has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// A cell, or those that a cage and a line share.
    pub cells: Vec<u16>,
    /// The rank of the digit.
    pub rank: u32,
    /// One of the cells has it.
    pub holds: bool,
}

/// What implies a removal or a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// How it implies it.
    pub inference: Inference,
    /// The groups that it rests on, the one that it is named by first. Once the search learns, it may rest on clauses too.
    pub groups: Vec<usize>,
}

/// How candidates go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inference {
    /// The clue of one cell.
    Given,
    /// No digits of the group's cells satisfy the clue with it; cells that share a distinct group differ.
    Clue,
    /// A digit stands in another cell of the group, or fits no other cell.
    Single,
    /// Other cells of the group need the digit among them.
    Distinct,
    /// A cage, the first group, has the digit in the line, the second group; or the line needs it in the cage.
    Crossing,
    /// The sum of lines, the first group one of them, less those of cages leaves no such digits to the cells between.
    LineSum,
    /// A clause that was learned, or that excludes a solution found.
    Clause,
    /// With the digit of the decision that was undone there is no further solution.
    Refuted,
    /// A distinct group has more cells than there are digits.
    Crowded,
    /// A cell has no candidate at the start.
    Empty,
}

/// Searches as [`solve`](super::solve) does under the same limits, and calls `on_event` with all that happens, the first
/// propagation included. The candidates before the first event are [`Problem::candidates`].
///
/// `limits.reported` has no effect: each solution that the search finds is an event, those that exchanging digits makes of
/// it are not. A caller that has seen enough raises the interrupt.
pub fn trace(
    problem: &Problem,
    limits: &Limits,
    interrupt: &Interrupt,
    on_event: &mut dyn FnMut(&Event),
) -> Outcome {
    let mut tracer = Tracer { problem, propagators: Vec::new(), crossings: Vec::new(), on_event };
    let outcome = solve_observed((problem, &Clock::start()), limits, interrupt, &mut |_| (), &mut tracer);
    (tracer.on_event)(&Event::End(outcome.status));
    outcome
}

/// Makes events of what a search shows.
struct Tracer<'a> {
    problem: &'a Problem,
    /// The reason that each propagator gives, by number.
    propagators: Vec<Reason>,
    /// The reason that each crossing gives, by index.
    crossings: Vec<Reason>,
    on_event: &'a mut dyn FnMut(&Event),
}

impl Observer for Tracer<'_> {
    fn numbered(&mut self, problem: &Problem, numbering: &Numbering) {
        (self.propagators, self.crossings) = reasons(problem, numbering);
    }

    fn derived(&mut self, number: usize, from: &[usize]) {
        let mut groups: Vec<usize> = Vec::new();
        for group in from.iter().flat_map(|number| &self.propagators[*number].groups) {
            if !groups.contains(group) {
                groups.push(*group);
            }
        }
        self.propagators[number] = Reason { inference: Inference::LineSum, groups };
    }

    fn changed(&mut self, engine: &Engine, cause: Cause, from: usize) {
        let mut lost: Vec<(u16, u32)> = Vec::new();
        for (cell, before, after) in (from..).map_while(|moment| engine.space.change(moment)) {
            match lost.iter_mut().find(|(other, _)| *other == cell) {
                _ if before == after => {}
                Some((_, ranks)) => *ranks |= before & !after,
                None => lost.push((cell, before & !after)),
            }
        }
        if !lost.is_empty() {
            let reason = self.reason(cause);
            (self.on_event)(&Event::Removal { reason, lost });
        }
    }

    fn failed(&mut self, cause: Cause) {
        let reason = self.reason(cause);
        (self.on_event)(&Event::Conflict { reason });
    }

    fn saw(&mut self, event: impl FnOnce() -> Event) {
        (self.on_event)(&event());
    }
}

impl Tracer<'_> {
    fn reason(&self, cause: Cause) -> Reason {
        let bare = |inference| Reason { inference, groups: Vec::new() };
        match cause {
            Cause::Given(group) => Reason { inference: Inference::Given, groups: vec![group] },
            Cause::Propagator(number) => self.propagators[number].clone(),
            Cause::Crossing(crossing) => self.crossings[crossing as usize].clone(),
            Cause::Clause => bare(Inference::Clause),
            Cause::Refuted => bare(Inference::Refuted),
            Cause::Empty => bare(Inference::Empty),
            Cause::Crowded => {
                let problem = self.problem;
                let is_crowded = |group: &usize| {
                    problem.rule(*group).distinct && problem.cells_of(*group).len() > problem.digits()
                };
                let groups = (0..problem.groups()).find(is_crowded).into_iter().collect();
                Reason { inference: Inference::Crowded, groups }
            }
        }
    }
}

/// The reasons of all propagators but crossings, by number, and of all crossings, by index.
fn reasons(problem: &Problem, numbering: &Numbering) -> (Vec<Reason>, Vec<Reason>) {
    let lines = numbering.lines.len();
    let of_line = |line: u32| {
        let groups = 0..numbering.line_of.len();
        groups.filter(move |group| numbering.line_of[*group] == line)
    };
    let mut propagators = vec![Reason { inference: Inference::Clue, groups: Vec::new() }; numbering.count];
    for clue in numbering.pairs.iter().chain(&numbering.small).chain(&numbering.large) {
        // Its tuples respect the lines that share two of its cells.
        let cells = problem.cells_of(clue.group);
        let shared = |line: &u32| {
            let line = numbering.lines.cells(*line);
            cells.iter().filter(|cell| line.binary_search(cell).is_ok()).count() > 1
        };
        let beside = (0..lines as u32).filter(shared).flat_map(of_line).filter(|group| *group != clue.group);
        propagators[clue.number].groups = once(clue.group).chain(beside).collect();
    }
    for line in 0..lines {
        let groups: Vec<usize> = of_line(line as u32).collect();
        for (first, inference) in
            [(numbering.singles, Inference::Single), (numbering.distinct, Inference::Distinct)]
        {
            propagators[first + line] = Reason { inference, groups: groups.clone() };
        }
    }
    let mut crossings = Vec::new();
    for crossing in &numbering.crossings {
        let cage = &propagators[crossing.cage as usize].groups;
        let line: Vec<usize> = of_line(crossing.line).collect();
        let beside = cage[1..].iter().filter(|group| !line.contains(group));
        let groups = once(&cage[0]).chain(&line).chain(beside).copied().collect();
        let reason = Reason { inference: Inference::Crossing, groups };
        crossings.push(reason);
    }
    (propagators, crossings)
}
