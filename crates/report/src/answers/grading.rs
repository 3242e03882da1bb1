//! How hard a puzzle is for a person.

use serde_json::{Map, Value, json};

use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::Status;
use kenga_craft::ladder::{End, Grade, Tier, TimeLimit, grade_within};

/// Seconds for which a puzzle is graded where nobody says otherwise.
pub const GRADE_SECONDS: f64 = 10.0;

/// A puzzle with its grade.
pub struct GradedPuzzle {
    /// The id of the puzzle.
    pub id: String,
    /// How hard it is for a person.
    pub grade: Grade,
}

impl GradedPuzzle {
    /// Grades a puzzle with the techniques up to a tier, for so many seconds of wall time, compiling included.
    pub fn of(puzzle: &Puzzle, ceiling: Tier, seconds: f64, interrupt: &Interrupt) -> Self {
        let time_limit = TimeLimit::start(Some(seconds));
        let grade = grade_within(&time_limit, puzzle, &Problem::compile(puzzle), ceiling.most(), interrupt);
        Self { id: puzzle.id.clone(), grade }
    }

    /// The techniques solve it.
    pub fn is_solved(&self) -> bool {
        self.grade.end == End::Solved
    }

    /// The time was up before it was known whether they do.
    pub fn is_undecided(&self) -> bool {
        self.grade.outcome() == Status::Undecided.name()
    }

    /// The tier, else why there is none.
    pub fn tier(&self) -> &'static str {
        if self.is_solved() { self.grade.tier().name() } else { self.grade.outcome() }
    }

    /// The object of `kenga grade --json`.
    pub fn json(&self) -> Value {
        let Self { id, grade } = self;
        let known = |value: Value| if self.is_solved() { value } else { Value::Null };
        let counts: Map<String, Value> = grade
            .techniques
            .iter()
            .map(|(technique, count)| (technique.name.to_owned(), json!(count)))
            .collect();
        json!({
            "id": id,
            "status": grade.outcome(),
            "score": known(json!(grade.score.number())),
            "tier": known(json!(grade.tier().name())),
            "sum": known(json!(grade.sum as f64 / 10.0)),
            "steps": grade.steps,
            "rounds": grade.rounds,
            "techniques": counts,
        })
    }
}
