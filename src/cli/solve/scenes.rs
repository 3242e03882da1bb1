//! What the exact search does, step by step, as pictures with words.

use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::{Event, Inference, Limits, Outcome, Replay, Status, trace, words};
use kenga_report::answers::{candidate_marks, event_marks, is_about_the_past, proved};
use kenga_report::drawing::{Marks, Scene, Style, Theme, picture};
use kenga_report::plural;

/// The most width and height of a puzzle, in pixels.
const ROOM: f64 = 960.0;

/// Cells up to which a puzzle has its natural size.
const NATURAL: usize = 12;

/// What has a picture of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    Removals,
    Decisions,
}

impl Detail {
    pub(super) const ALL: [Self; 2] = [Self::Removals, Self::Decisions];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Removals => "removals",
            Self::Decisions => "decisions",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Removals => "every removal of candidates with its reason, and what follows",
            Self::Decisions => "decisions, conflicts and solutions alone",
        }
    }
}

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
        let marks =
            words.is_some().then(|| event_marks(self.puzzle, &self.problem, self.replay.masks(), event));
        self.replay.apply(event);
        if *event == Event::Solution {
            self.solution = Some(self.replay.masks().to_vec());
        }
        if let (Some(words), Some(marks)) = (words, marks) {
            // Some events say what was true before them: their picture is taken before they are applied.
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
        candidate_marks(self.puzzle, &self.problem, masks)
    }

    fn push(&mut self, marks: &Marks, words: String) {
        // Large puzzles shrink to fit a screen.
        let is_large = self.puzzle.rows().max(self.puzzle.cols()) > NATURAL;
        let room = is_large.then_some((ROOM, ROOM));
        let style = Style { labels: true, room, theme: Theme::Light, ..Style::default() };
        self.scenes.push(Scene { picture: picture(self.puzzle, marks, &style), words });
    }
}
