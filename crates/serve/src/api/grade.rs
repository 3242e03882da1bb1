//! `POST grade`: as `kenga grade --json`.

use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, ID, PUZZLE, UP_TO, puzzle, tier};
use super::{Endpoint, Run, request};
use crate::refusal::Refusal;
use crate::work::SECONDS;
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;
use kenga_report::answers::{GRADE_SECONDS, GradedPuzzle};

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("grade", "says how hard a puzzle is for a person", PARAMS, answers, Run::Work(run));

const PARAMS: &[Param] = &[
    PUZZLE,
    ID,
    COLORS,
    UP_TO,
    Param::real("time_limit", 0.0..=SECONDS, GRADE_SECONDS).about("give up after so many seconds"),
];

fn run(asked: &Map<String, Value>, interrupt: &Interrupt) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    Ok(GradedPuzzle::of(&puzzle(&asked)?, tier(&asked), asked.real("time_limit"), interrupt).json())
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["id", "status", "score", "tier", "sum", "steps", "rounds", "techniques"],
        "properties": {
            "id": {"type": "string"},
            "status": {"enum": ["unique", "multiple", "unsolvable", "undecided", "beyond"]},
            "score": {"type": ["number", "null"], "description": "of the hardest technique that is needed"},
            "tier": {"enum": ["easy", "normal", "hard", "extreme", "unreasonable", null]},
            "sum": {"type": ["number", "null"], "description": "the scores of all steps together"},
            "steps": {"type": "integer"},
            "rounds": {"type": "integer"},
            "techniques": {"type": "object", "additionalProperties": {"type": "integer"}, "description": "steps by technique"},
        },
    })
}
