//! `POST trace`: what the exact search does, step by step, in words and with what a picture shows of it.

use std::ops::Range;

use serde_json::{Value, json};

use super::picture::{self, add_picture};
use super::puzzle::{COLORS, ID, PUZZLE, puzzle};
use super::schema::{Schema, field, flag, integer, list, maybe, object, one_of, text};
use super::{Answer, Endpoint, Handler, RequestFields, solve};
use crate::work::SECONDS;
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::{Event, Inference, Limits, Replay, trace, words};
use kenga_core::spec::{Param, ParamKind};
use kenga_report::answers::{candidate_marks, event_marks, is_about_the_past, proved};
use kenga_report::drawing::Marks;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "trace",
    "shows the exact search step by step: decisions, removals, conflicts and steps back, each with its reason",
    PARAMS,
    answers,
    Handler::Compute(run),
);

const PARAMS: &[Param] = &[
    PUZZLE,
    ID,
    COLORS,
    Param::optional("count", ParamKind::Integer(1, 1_000_000))
        .about("search up to so many solutions; 2 without it"),
    Param::integer("from", 0..=STEPS as i64, 0)
        .about("the first step that is told; 0 is the puzzle before the search"),
    Param::integer("limit", 0..=100, 100).about("how many steps are told; fewer of a large puzzle"),
    Param::flag("landmarks", false).about("name the steps that are decisions, conflicts and solutions"),
];

/// The most steps of a search; one that takes more is stopped there.
const STEPS: usize = 100_000;

/// What is said of the puzzle before the search.
const START: &str = "the puzzle, before the first step";

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    let puzzle = puzzle(fields)?;
    let problem = Problem::compile(&puzzle);
    let limits = Limits {
        solutions: fields.count_or_absent("count").unwrap_or(2),
        // It limits itself before the server cuts it, and so answers with the steps that there are.
        seconds: Some(SECONDS),
        ..Limits::default()
    };
    let first = fields.size("from");
    let mut story = Story {
        puzzle: &puzzle,
        problem: &problem,
        told: first..first + fields.size("limit").min(picture::most(&puzzle)),
        replay: Replay::new(&problem),
        count: 0,
        steps: Vec::new(),
        landmarks: Landmarks::default(),
        solution: None,
    };
    // The search looks at an interrupt of its own, which is raised for the server's and when it has shown enough.
    let enough = Interrupt::default();
    let outcome = trace(&problem, &limits, &enough, &mut |event| {
        if story.count >= STEPS || interrupt.is_raised() {
            enough.raise(Interrupt::ABANDONED);
        }
        // A search looks at its interrupt now and then: what it still does is passed over, but its end is told.
        if story.count < STEPS || matches!(event, Event::End(_)) {
            story.follow(event);
        }
    });
    let Landmarks { decisions, conflicts, solutions } = &story.landmarks;
    let landmarks = fields
        .flag("landmarks")
        .then(|| json!({"decisions": decisions, "conflicts": conflicts, "solutions": solutions}));
    Ok(json!({
        "id": puzzle.id,
        "status": outcome.status.name(),
        "is_whole": story.count <= STEPS,
        "count": story.count,
        "decisions": decisions.len(),
        "conflicts": conflicts.len(),
        "solutions": solutions.len(),
        "landmarks": landmarks,
        "steps": story.steps,
    }))
}

/// The steps that a reader may look for.
#[derive(Default)]
struct Landmarks {
    decisions: Vec<usize>,
    conflicts: Vec<usize>,
    solutions: Vec<usize>,
}

impl Landmarks {
    fn add(&mut self, number: usize, event: &Event) {
        match event {
            Event::Decision { .. } => self.decisions.push(number),
            Event::Conflict { .. } => self.conflicts.push(number),
            Event::Solution => self.solutions.push(number),
            _ => {}
        }
    }
}

/// A search so far, of which some steps are told.
struct Story<'a> {
    puzzle: &'a Puzzle,
    problem: &'a Problem,
    /// The numbers of the steps that are told.
    told: Range<usize>,
    replay: Replay,
    /// How many steps there are, the puzzle before the search among them.
    count: usize,
    steps: Vec<Value>,
    landmarks: Landmarks,
    /// The candidates when the last solution was found.
    solution: Option<Vec<u32>>,
}

impl Story<'_> {
    /// Follows an event. What the puzzle prints is no step.
    fn follow(&mut self, event: &Event) {
        if matches!(event, Event::Removal { reason, .. } if reason.inference == Inference::Given) {
            return self.replay.apply(event);
        }
        if self.count == 0 {
            if self.is_told() {
                self.tell("start", START.to_owned(), &self.now());
            }
            self.count += 1;
        }
        self.landmarks.add(self.count, event);
        // A long search has many steps, of which few are told: only for those are the candidates copied.
        let before = if self.is_told() { self.replay.masks().to_vec() } else { Vec::new() };
        self.replay.apply(event);
        if *event == Event::Solution {
            self.solution = Some(self.replay.masks().to_vec());
        }
        if self.is_told() {
            self.tell(name(event), self.words(&before, event), &self.marks(&before, event));
        }
        self.count += 1;
    }

    fn is_told(&self) -> bool {
        self.told.contains(&self.count)
    }

    fn tell(&mut self, what: &str, words: String, marks: &Marks) {
        let depth = self.replay.depth();
        let mut step = json!({"step": self.count, "what": what, "words": words, "depth": depth});
        add_picture(&mut step, self.puzzle, marks);
        self.steps.push(step);
    }

    fn words(&self, before: &[u32], event: &Event) -> String {
        match event {
            Event::End(status) => format!("the end: {}", proved(*status)),
            _ => words(self.puzzle, self.problem, before, event),
        }
    }

    /// The candidates before the event or after it, whichever it is about; at the end the solution.
    fn marks(&self, before: &[u32], event: &Event) -> Marks {
        match (event, &self.solution) {
            (Event::End(_), Some(solution)) => candidate_marks(self.puzzle, self.problem, solution),
            _ if is_about_the_past(event) => event_marks(self.puzzle, self.problem, before, event),
            _ => self.now(),
        }
    }

    fn now(&self) -> Marks {
        candidate_marks(self.puzzle, self.problem, self.replay.masks())
    }
}

/// What kind of step an event is.
fn name(event: &Event) -> &'static str {
    match event {
        Event::Removal { .. } => "removal",
        Event::Conflict { .. } => "conflict",
        Event::Fixpoint => "fixpoint",
        Event::Orbit { .. } => "orbit",
        Event::Decision { .. } => "decision",
        Event::Back { .. } => "back",
        Event::Restart => "restart",
        Event::Learning => "learning",
        Event::Clause { .. } => "clause",
        Event::Solution => "solution",
        Event::End(_) => "end",
    }
}

/// The kinds of steps.
const KINDS: [&str; 12] = [
    "start", "removal", "conflict", "fixpoint", "orbit", "decision", "back", "restart", "learning", "clause",
    "solution", "end",
];

fn answers() -> Schema {
    let step = object(&[
        field("step", integer().about("its number; 0 is the puzzle before the search")),
        field("what", one_of(&KINDS)),
        field("words", text()),
        field("depth", integer().about("the decisions that stand after it")),
        field("grid", picture::grid_schema()),
        field("marks", picture::marks_schema()),
    ]);
    let landmarks = object(&["decisions", "conflicts", "solutions"].map(|name| maybe(name, list(integer()))));
    object(&[
        field("id", text()),
        field("status", solve::status()),
        field("is_whole", flag().about("the search was not stopped for its length")),
        field("count", integer().about("how many steps there are")),
        field("decisions", integer().about("how many of them are decisions")),
        field("conflicts", integer().about("how many of them are conflicts")),
        field("solutions", integer().about("how many of them are solutions")),
        field("landmarks", landmarks.or_null()),
        field("steps", list(step)),
    ])
}
