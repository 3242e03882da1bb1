//! What a moment of a search, or a step of an explanation, shows on the puzzle.

use crate::drawing::{Highlight, Marks};
use kenga_core::problem::{LostCandidates, Problem, bits};
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::{Event, Reason, Status};
use kenga_craft::ladder::{Candidates, Placement, Step};

/// What the search has established, beside the last solution that it found.
pub fn proved(status: Status) -> &'static str {
    match status {
        Status::Unique => "this is the only solution",
        Status::Multiple => "this is one of several solutions",
        Status::Unsolvable => "there is no solution",
        Status::Solved => "this is a solution; whether there is another is open",
        Status::Undecided => "stopped; whether there is a solution is open",
    }
}

/// The picture of an event shows the candidates before it, with what it does to them marked.
pub fn is_about_the_past(event: &Event) -> bool {
    matches!(
        event,
        Event::Removal { .. } | Event::Decision { .. } | Event::Conflict { .. } | Event::Clause { .. }
    )
}

/// The candidates; a cell with a single one shows its digit.
pub fn candidate_marks(puzzle: &Puzzle, problem: &Problem, masks: &[u32]) -> Marks {
    let mut shown = vec![0; puzzle.rows() * puzzle.cols()];
    let mut marks = Marks::new(puzzle);
    for (cell, mask) in masks.iter().enumerate() {
        let place = problem.place(cell);
        if mask.is_power_of_two() {
            marks = marks.with_digit(place, problem.values()[mask.trailing_zeros() as usize]);
        } else {
            shown[place] = *mask;
        }
    }
    marks.with_candidates(shown)
}

/// The candidates before an event, with what the event rests on and what it does.
pub fn event_marks(puzzle: &Puzzle, problem: &Problem, before: &[u32], event: &Event) -> Marks {
    let mut marks = candidate_marks(puzzle, problem, before);
    let place = |cell: u16| problem.place(usize::from(cell));
    let digit = |rank: u32| problem.values()[rank as usize];
    match event {
        Event::Removal { reason, lost } => {
            let mut marks = rests(problem, reason, marks, Highlight::Rests);
            for LostCandidates { cell, ranks } in lost {
                marks = marks.cell(place(*cell), Highlight::Removed);
                for rank in bits(*ranks) {
                    marks = marks.candidate(place(*cell), digit(rank), Highlight::Removed);
                }
            }
            marks
        }
        Event::Conflict { reason } => rests(problem, reason, marks, Highlight::Wrong),
        Event::Decision { cell, rank, .. } => {
            let marks = marks.cell(place(*cell), Highlight::Placed);
            marks.candidate(place(*cell), digit(*rank), Highlight::Placed)
        }
        Event::Clause { literals, .. } => {
            for cell in literals.iter().flat_map(|literal| &literal.cells) {
                marks = marks.cell(place(*cell), Highlight::Rests);
            }
            marks
        }
        _ => marks,
    }
}

/// Marks the cells of the group that a reason is named by.
fn rests(problem: &Problem, reason: &Reason, mut marks: Marks, highlight: Highlight) -> Marks {
    if let Some(group) = reason.groups.first() {
        for cell in problem.cells_of(*group) {
            marks = marks.cell(problem.place(usize::from(*cell)), highlight);
        }
    }
    marks
}

/// The candidates with what a step rests on, what it fills and what it removes.
pub fn step_marks(puzzle: &Puzzle, candidates: &Candidates<'_>, step: Option<&Step>) -> Marks {
    let problem = candidates.frame.problem;
    let place = |cell: u16| problem.place(usize::from(cell));
    let mut masks = vec![0; puzzle.rows() * puzzle.cols()];
    let mut marks = Marks::new(puzzle);
    for cell in 0..problem.cells() as u16 {
        // A cell that was filled with two digits holds none.
        if candidates.is_filled(cell) && candidates.mask(cell) != 0 {
            marks = marks.with_digit(place(cell), candidates.digit(candidates.mask(cell).trailing_zeros()));
        } else {
            masks[place(cell)] = candidates.mask(cell);
        }
    }
    let mut marks = marks.with_candidates(masks);
    let Some(step) = step else { return marks };
    for cell in &step.cells {
        marks = marks.cell(place(*cell), Highlight::Rests);
    }
    // After what the step rests on: a cell may be both.
    for LostCandidates { cell, ranks } in &step.removes {
        marks = marks.cell(place(*cell), Highlight::Removed);
        for rank in bits(*ranks) {
            marks = marks.candidate(place(*cell), candidates.digit(rank), Highlight::Removed);
        }
    }
    if let Some(Placement { cell, rank }) = step.fills {
        marks = marks.cell(place(cell), Highlight::Placed);
        marks = marks.candidate(place(cell), candidates.digit(rank), Highlight::Placed);
    }
    marks
}
