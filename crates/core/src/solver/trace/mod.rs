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

use super::event::{Event, Inference, Reason};
use super::numbering::Numbering;
use super::observer::{Cause, Observer};
use super::space::Space;
use super::{Limits, Outcome, solve_observed};
use crate::budget::{Clock, Interrupt};
use crate::problem::Problem;

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

    fn changed(&mut self, space: &Space, cause: Cause, from: usize) {
        let mut lost: Vec<(u16, u32)> = Vec::new();
        for (cell, before, after) in (from..).map_while(|moment| space.change(moment)) {
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
