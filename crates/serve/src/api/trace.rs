//! `POST trace`: what the exact search does, step by step, in words and with what a picture shows of it.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::picture::{self, add_picture};
use super::puzzle::{COLORS, ID, PUZZLE, puzzle};
use super::{Endpoint, Run, request};
use crate::refusal::Refusal;
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
    Run::Work(run),
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

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let puzzle = puzzle(&asked)?;
    let problem = Problem::compile(&puzzle);
    let limits = Limits {
        solutions: asked.entry("count").map_or(2, |_| asked.count("count")),
        seconds: Some(SECONDS),
        ..Limits::default()
    };
    let first = asked.size("from");
    let mut story = Story {
        puzzle: &puzzle,
        problem: &problem,
        told: first..first + asked.size("limit").min(picture::most(&puzzle)),
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
        if story.count < STEPS || matches!(event, Event::End(_)) {
            story.follow(event);
        }
    });
    let landmarks = &story.landmarks;
    Ok(json!({
        "id": puzzle.id,
        "status": outcome.status.name(),
        "is_whole": story.count <= STEPS,
        "count": story.count,
        "decisions": landmarks.decisions.len(),
        "conflicts": landmarks.conflicts.len(),
        "solutions": landmarks.solutions.len(),
        "landmarks": asked.flag("landmarks").then(|| landmarks.json()),
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

    fn json(&self) -> Value {
        json!({"decisions": self.decisions, "conflicts": self.conflicts, "solutions": self.solutions})
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
            self.tell("start", |story| (START.to_owned(), story.now()));
        }
        self.landmarks.add(self.count, event);
        let is_told = self.told.contains(&self.count);
        let before = if is_told { self.replay.masks().to_vec() } else { Vec::new() };
        self.replay.apply(event);
        if *event == Event::Solution {
            self.solution = Some(self.replay.masks().to_vec());
        }
        self.tell(name(event), |story| (story.words(&before, event), story.marks(&before, event)));
    }

    /// Counts a step, and tells it if it is one of those that are told.
    fn tell(&mut self, what: &str, shown: impl FnOnce(&Self) -> (String, Marks)) {
        if self.told.contains(&self.count) {
            let (words, marks) = shown(self);
            let depth = self.replay.depth();
            let mut step = json!({"step": self.count, "what": what, "words": words, "depth": depth});
            add_picture(&mut step, self.puzzle, &marks);
            self.steps.push(step);
        }
        self.count += 1;
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

fn answers() -> Value {
    let count = |about: &str| json!({"type": "integer", "description": about});
    let numbers = json!({"type": "array", "items": {"type": "integer"}});
    let mut step = json!({
        "type": "object",
        "required": ["step", "what", "words", "depth", "grid", "marks"],
        "properties": {
            "step": count("its number; 0 is the puzzle before the search"),
            "what": {"enum": [
                "start", "removal", "conflict", "fixpoint", "orbit", "decision", "back", "restart", "learning", "clause",
                "solution", "end",
            ]},
            "words": {"type": "string"},
            "depth": count("the decisions that stand after it"),
        },
    });
    for (name, schema) in picture::drawable() {
        step["properties"][name] = schema;
    }
    json!({
        "type": "object",
        "required": ["id", "status", "is_whole", "count", "decisions", "conflicts", "solutions", "landmarks", "steps"],
        "properties": {
            "id": {"type": "string"},
            "status": {"enum": ["unique", "multiple", "solved", "unsolvable", "undecided"]},
            "is_whole": {"type": "boolean", "description": "the search was not stopped for its length"},
            "count": count("how many steps there are"),
            "decisions": count("how many of them are decisions"),
            "conflicts": count("how many of them are conflicts"),
            "solutions": count("how many of them are solutions"),
            "landmarks": {
                "type": ["object", "null"],
                "properties": {"decisions": numbers, "conflicts": numbers, "solutions": numbers},
            },
            "steps": {"type": "array", "items": step},
        },
    })
}
