//! What the exact search does, step by step, as pictures with words.

use super::animate::Detail;
use crate::budget::Interrupt;
use crate::problem::{Problem, bits};
use crate::puzzle::Puzzle;
use crate::report::drawing::{Highlight, Marks, Scene, Style, Theme, picture};
use crate::report::plural;
use crate::solver::{Event, Inference, Limits, Outcome, Reason, Replay, Status, trace, words};

/// The most width and height of a puzzle, in pixels.
const ROOM: f64 = 960.0;

/// Cells up to which a puzzle has its natural size.
const NATURAL: usize = 12;

/// The scenes of a search.
pub(super) struct Scenes<'a> {
    puzzle: &'a Puzzle,
    problem: Problem,
    detail: Detail,
    most: usize,
    scenes: Vec<Scene>,
    left_out: u64,
    replay: Replay,
    /// The candidates when the last solution was found.
    solution: Option<Vec<u32>>,
    decisions: u64,
}

impl<'a> Scenes<'a> {
    /// No scene yet; at most `most` steps and the end.
    pub(super) fn new(puzzle: &'a Puzzle, detail: Detail, most: usize) -> Self {
        let problem = Problem::compile(puzzle);
        let replay = Replay::new(&problem);
        Self {
            puzzle,
            problem,
            detail,
            most,
            scenes: Vec::new(),
            left_out: 0,
            replay,
            solution: None,
            decisions: 0,
        }
    }

    /// Searches, and adds what the search does.
    pub(super) fn record(&mut self, limits: &Limits, interrupt: &Interrupt) -> Outcome {
        let problem = self.problem.clone();
        trace(&problem, limits, interrupt, &mut |event| self.add(event))
    }

    /// The number of steps that have no scene.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    pub(super) fn finish(self) -> Vec<Scene> {
        self.scenes
    }

    fn add(&mut self, event: &Event) {
        self.decisions += u64::from(matches!(event, Event::Decision { .. }));
        if let Event::End(status) = event {
            return self.end(*status);
        }
        let is_full = self.scenes.len() >= self.most;
        let is_shown = self.is_shown(event);
        self.left_out += u64::from(is_shown && is_full);
        let words =
            (is_shown && !is_full).then(|| words(self.puzzle, &self.problem, self.replay.masks(), event));
        let marks = words.is_some().then(|| marks(self.puzzle, &self.problem, self.replay.masks(), event));
        self.replay.apply(event);
        if *event == Event::Solution {
            self.solution = Some(self.replay.masks().to_vec());
        }
        if let (Some(words), Some(marks)) = (words, marks) {
            let marks = if is_about_the_past(event) { marks } else { self.shown(self.replay.masks()) };
            self.push(&marks, words);
        }
    }

    /// The event has a scene: not what the puzzle prints, and of details only those that are asked for.
    fn is_shown(&self, event: &Event) -> bool {
        match event {
            Event::Removal { reason, .. } => {
                self.detail == Detail::Removals && reason.inference != Inference::Given
            }
            Event::Clause { .. } => self.detail == Detail::Removals,
            _ => true,
        }
    }

    /// The last scene: the solution, if there is one, and what is proved.
    fn end(&mut self, status: Status) {
        let decisions = format!("{} {}", self.decisions, plural(self.decisions, "decision"));
        let more = match self.left_out {
            0 => String::new(),
            left => format!(" ({left} steps left out)"),
        };
        let masks = self.solution.as_deref().unwrap_or(self.replay.masks());
        let marks = self.shown(masks);
        self.push(&marks, format!("The end: {}. {decisions}{more}.", proved(status)));
    }

    fn shown(&self, masks: &[u32]) -> Marks {
        candidates(self.puzzle, &self.problem, masks)
    }

    fn push(&mut self, marks: &Marks, words: String) {
        let is_large = self.puzzle.rows().max(self.puzzle.cols()) > NATURAL;
        let room = is_large.then_some((ROOM, ROOM));
        let style = Style { labels: true, room, theme: Theme::Light, ..Style::default() };
        self.scenes.push(Scene { picture: picture(self.puzzle, marks, &style), words });
    }
}

/// What the search has established, beside the last solution that it found.
pub(super) fn proved(status: Status) -> &'static str {
    match status {
        Status::Unique => "this is the only solution",
        Status::Multiple => "this is one of several solutions",
        Status::Unsolvable => "there is no solution",
        Status::Solved => "this is a solution; whether there is another is open",
        Status::Undecided => "stopped; whether there is a solution is open",
    }
}

/// The picture of an event shows the candidates before it, with what it does to them marked.
pub(super) fn is_about_the_past(event: &Event) -> bool {
    matches!(
        event,
        Event::Removal { .. } | Event::Decision { .. } | Event::Conflict { .. } | Event::Clause { .. }
    )
}

/// The candidates; a cell with a single one shows its digit.
pub(super) fn candidates(puzzle: &Puzzle, problem: &Problem, masks: &[u32]) -> Marks {
    let mut shown = vec![0; puzzle.rows() * puzzle.cols()];
    let mut marks = Marks::new(puzzle);
    for (cell, mask) in masks.iter().enumerate() {
        let place = problem.place(cell);
        match mask.is_power_of_two() {
            true => marks = marks.with_digit(place, problem.values()[mask.trailing_zeros() as usize]),
            false => shown[place] = *mask,
        }
    }
    marks.with_candidates(shown)
}

/// The candidates before an event, with what the event rests on and what it does.
pub(super) fn marks(puzzle: &Puzzle, problem: &Problem, before: &[u32], event: &Event) -> Marks {
    let marks = candidates(puzzle, problem, before);
    let place = |cell: u16| problem.place(usize::from(cell));
    let digit = |rank: u32| problem.values()[rank as usize];
    match event {
        Event::Removal { reason, lost } => {
            let marks = rests(problem, reason, marks, Highlight::Rests);
            lost.iter().fold(marks, |marks, (cell, ranks)| {
                let marks = marks.cell(place(*cell), Highlight::Removed);
                bits(*ranks)
                    .fold(marks, |marks, rank| marks.candidate(place(*cell), digit(rank), Highlight::Removed))
            })
        }
        Event::Conflict { reason } => rests(problem, reason, marks, Highlight::Wrong),
        Event::Decision { cell, rank, .. } => {
            let marks = marks.cell(place(*cell), Highlight::Placed);
            marks.candidate(place(*cell), digit(*rank), Highlight::Placed)
        }
        Event::Clause { literals, .. } => {
            let cells = literals.iter().flat_map(|literal| &literal.cells);
            cells.fold(marks, |marks, cell| marks.cell(place(*cell), Highlight::Rests))
        }
        _ => marks,
    }
}

/// Marks the cells of the group that a reason is named by.
fn rests(problem: &Problem, reason: &Reason, marks: Marks, highlight: Highlight) -> Marks {
    let cells = reason.groups.first().map_or(&[][..], |group| problem.cells_of(*group));
    cells.iter().fold(marks, |marks, cell| marks.cell(problem.place(usize::from(*cell)), highlight))
}
