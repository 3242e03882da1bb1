//! `POST grade`: as `kenga grade --json`.

use super::puzzle::{COLORS, ID, PUZZLE, TIERS, UP_TO, puzzle, tier};
use super::schema::{Schema, field, integer, map_of, number, object, one_of, text};
use super::{Answer, Endpoint, Handler, RequestFields};
use crate::work::SECONDS;
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;
use kenga_report::answers::{GRADE_SECONDS, GradedPuzzle};

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("grade", "says how hard a puzzle is for a person", PARAMS, answers, Handler::Compute(run));

const PARAMS: &[Param] = &[
    PUZZLE,
    ID,
    COLORS,
    UP_TO,
    Param::real("time_limit", 0.0..=SECONDS, GRADE_SECONDS).about("give up after so many seconds"),
];

fn run(fields: &RequestFields, interrupt: &Interrupt) -> Answer {
    Ok(GradedPuzzle::of(&puzzle(fields)?, tier(fields), fields.real("time_limit"), interrupt).json())
}

fn answers() -> Schema {
    object(&[
        field("id", text()),
        field("status", one_of(&["unique", "multiple", "unsolvable", "undecided", "beyond"])),
        field("score", number().or_null().about("of the hardest technique that is needed")),
        field("tier", one_of(TIERS).or_null()),
        field("sum", number().or_null().about("the scores of all steps together")),
        field("steps", integer()),
        field("rounds", integer()),
        field("techniques", map_of(integer()).about("steps by technique")),
    ])
}
