//! How hard a puzzle is for a person.

use serde_json::{Map, Value, json};

use crate::budget::Interrupt;
use crate::craft::ladder::{End, Grade, Tier, grade};
use crate::problem::Problem;
use crate::puzzle::Puzzle;

/// A puzzle with its grade.
pub(crate) struct GradedPuzzle {
    pub(crate) id: String,
    pub(crate) grade: Grade,
}

impl GradedPuzzle {
    /// Grades a puzzle with the techniques up to a tier.
    pub(crate) fn of(puzzle: &Puzzle, ceiling: Tier, interrupt: &Interrupt) -> Self {
        let grade = grade(puzzle, &Problem::compile(puzzle), ceiling.most(), interrupt);
        Self { id: puzzle.id.clone(), grade }
    }

    /// The techniques solve it.
    pub(crate) fn is_solved(&self) -> bool {
        self.grade.end == End::Solved
    }

    /// The tier, else why there is none.
    pub(crate) fn tier(&self) -> &'static str {
        if self.is_solved() { self.grade.tier().name() } else { self.grade.outcome() }
    }

    /// The object of `kenga grade --json`.
    pub(crate) fn json(&self) -> Value {
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
