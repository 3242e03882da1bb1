//! The search seen as it goes: every decision, removal, conflict and step back, with its reason.
//!
//! [`trace()`] runs the search of [`solve`](super::solve) itself, compiled with an observer: the same nodes, failures and
//! solutions. The candidates at any moment follow from the events alone ([`Replay`]), and what an event says stands in
//! [`words()`]. A removal names the groups that imply it together with the candidates before it.

mod replay;
#[cfg(test)]
mod tests;
mod words;

use super::event::{Event, Inference, Reason};
use super::numbering::PropagatorNumbering;
use super::observer::{RemovalCause, SearchObserver};
use super::space::Space;
use super::{Limits, Outcome, solve_observed};
use crate::budget::{Clock, Interrupt};
use crate::problem::{LostCandidates, Problem};

pub use replay::Replay;
pub use words::cause;
pub use words::words;

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
    let mut tracer = Tracer { problem, reasons: Reasons::default(), on_event };
    let outcome = solve_observed(problem, &Clock::start(), limits, interrupt, &mut |_| (), &mut tracer);
    (tracer.on_event)(&Event::End(outcome.status));
    outcome
}

/// Makes events of what a search shows.
struct Tracer<'a> {
    problem: &'a Problem,
    reasons: Reasons,
    on_event: &'a mut dyn FnMut(&Event),
}

/// The reasons for what is concluded.
#[derive(Default)]
struct Reasons {
    /// That of each propagator, by number; those of crossings stand in `crossings`.
    propagators: Vec<Reason>,
    /// That of each crossing, by index.
    crossings: Vec<Reason>,
}

impl SearchObserver for Tracer<'_> {
    fn numbered(&mut self, problem: &Problem, numbering: &PropagatorNumbering) {
        self.reasons = Reasons::of(problem, numbering);
    }

    fn derived(&mut self, number: usize, from: &[usize]) {
        let mut groups: Vec<usize> = Vec::new();
        for number in from {
            for group in &self.reasons.propagators[*number].groups {
                if !groups.contains(group) {
                    groups.push(*group);
                }
            }
        }
        self.reasons.propagators[number] = Reason { inference: Inference::LineSum, groups };
    }

    fn changed(&mut self, space: &Space, cause: RemovalCause, from: usize) {
        let mut lost: Vec<LostCandidates> = Vec::new();
        for moment in from.. {
            let Some(change) = space.change(moment) else { break };
            // Another word of the space changed, such as the tuples of a table.
            if change.before == change.after {
                continue;
            }
            match lost.iter_mut().find(|other| other.cell == change.cell) {
                Some(known) => known.ranks |= change.lost(),
                None => lost.push(LostCandidates { cell: change.cell, ranks: change.lost() }),
            }
        }
        if !lost.is_empty() {
            let reason = self.reason(cause);
            (self.on_event)(&Event::Removal { reason, lost });
        }
    }

    fn failed(&mut self, cause: RemovalCause) {
        let reason = self.reason(cause);
        (self.on_event)(&Event::Conflict { reason });
    }

    fn saw(&mut self, event: impl FnOnce() -> Event) {
        (self.on_event)(&event());
    }
}

impl Tracer<'_> {
    fn reason(&self, cause: RemovalCause) -> Reason {
        let mut groups = Vec::new();
        let inference = match cause {
            RemovalCause::Propagator(number) => return self.reasons.propagators[number].clone(),
            RemovalCause::Crossing(crossing) => return self.reasons.crossings[crossing as usize].clone(),
            RemovalCause::Given(group) => {
                groups.push(group);
                Inference::Given
            }
            RemovalCause::Clause => Inference::Clause,
            RemovalCause::Refuted => Inference::Refuted,
            RemovalCause::Empty => Inference::Empty,
            RemovalCause::Crowded => {
                let problem = self.problem;
                groups.extend((0..problem.groups()).find(|group| {
                    problem.rule(*group).distinct && problem.cells_of(*group).len() > problem.digits()
                }));
                Inference::Crowded
            }
        };
        Reason { inference, groups }
    }
}

impl Reasons {
    /// The reasons of a problem's propagators and crossings.
    fn of(problem: &Problem, numbering: &PropagatorNumbering) -> Self {
        // The groups of each line: several pairs may share one.
        let lines = numbering.lines.len();
        let mut groups_of = vec![Vec::new(); lines];
        for (group, line) in numbering.line_of.iter().enumerate() {
            if let Some(groups) = groups_of.get_mut(*line as usize) {
                groups.push(group);
            }
        }
        let mut propagators =
            vec![Reason { inference: Inference::Clue, groups: Vec::new() }; numbering.count];
        for clue in numbering.pairs.iter().chain(&numbering.small).chain(&numbering.large) {
            let groups = &mut propagators[clue.number].groups;
            // The clue first: sentences name the first group.
            groups.push(clue.group);
            for (line, groups_of_line) in groups_of.iter().enumerate() {
                // Its tuples respect the lines that share two of its cells.
                let cells = numbering.lines.cells(line as u32);
                let shared =
                    problem.cells_of(clue.group).iter().filter(|cell| cells.binary_search(cell).is_ok());
                if shared.count() > 1 {
                    groups.extend(groups_of_line.iter().filter(|group| **group != clue.group));
                }
            }
        }
        let mut crossings = Vec::new();
        for crossing in &numbering.crossings {
            let cage = &propagators[crossing.cage as usize].groups;
            let line = &groups_of[crossing.line as usize];
            let mut groups = vec![cage[0]];
            groups.extend(line);
            groups.extend(cage[1..].iter().filter(|group| !line.contains(group)));
            crossings.push(Reason { inference: Inference::Crossing, groups });
        }
        for (line, groups) in groups_of.into_iter().enumerate() {
            propagators[numbering.singles + line] =
                Reason { inference: Inference::Single, groups: groups.clone() };
            propagators[numbering.distinct + line] = Reason { inference: Inference::Distinct, groups };
        }
        Self { propagators, crossings }
    }
}
