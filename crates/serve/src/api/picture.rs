//! `POST picture`: a puzzle as a part of a page, with what is marked on it and where its cells are.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::puzzle::{COLORS, ID, PUZZLE, puzzle};
use super::{Endpoint, Run, request};
use crate::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;
use kenga_core::problem::bits;
use kenga_core::puzzle::Puzzle;
use kenga_core::spec::{Param, ParamKind};
use kenga_report::answers::parse_grid;
use kenga_report::drawing::{self, Highlight, Marks, Picture, Style};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "picture",
    "draws a puzzle with digits, candidates and marks, as SVG for a page, and says where its cells are",
    &[],
    answers,
    Run::Work(run),
)
.taking(takes);

const PARAMS: &[Param] = &[
    PUZZLE,
    ID,
    COLORS,
    Param::optional("grid", ParamKind::Text).about("the digits to show, as for check"),
    Param::flag("labels", false).about("the names of rows and columns beside them"),
    Param::flag("cage_colours", false).about("cages in colours"),
    Param::flag("black", false).about("black cells have places, too: of a puzzle that is being drawn"),
];

/// What is marked: cells and candidates, by rows and columns from 0.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Marking {
    /// The candidates of cells: row, column, digits. With an empty list there is room for them.
    candidates: Option<Vec<(usize, usize, Vec<u8>)>>,
    rests: Vec<(usize, usize)>,
    removed: Vec<(usize, usize)>,
    placed: Vec<(usize, usize)>,
    wrong: Vec<(usize, usize)>,
    /// Candidates that are marked: row, column, digit.
    rests_digits: Vec<(usize, usize, u8)>,
    removed_digits: Vec<(usize, usize, u8)>,
    placed_digits: Vec<(usize, usize, u8)>,
    wrong_digits: Vec<(usize, usize, u8)>,
}

/// What the endpoint takes to draw these marks: the `grid` and the `marks`.
fn taken(puzzle: &Puzzle, marks: &Marks) -> (Value, Marking) {
    let cols = puzzle.cols();
    let at = |cell: usize| (cell / cols, cell % cols);
    let digits = puzzle.digits().values();
    let listed = |(cell, mask): (usize, &u32)| {
        let (row, column) = at(cell);
        (*mask > 0).then(|| (row, column, bits(*mask).map(|rank| digits[rank as usize]).collect()))
    };
    let cells = |why| marks.cells.iter().filter(move |mark| mark.1 == why).map(|mark| at(mark.0)).collect();
    let notes = |why| {
        let notes = marks.notes.iter().filter(move |note| note.2 == why);
        notes.map(|(cell, digit, _)| (at(*cell).0, at(*cell).1, *digit)).collect()
    };
    let marking = Marking {
        candidates: Some(marks.candidates.iter().enumerate().filter_map(listed).collect()),
        rests: cells(Highlight::Rests),
        removed: cells(Highlight::Removed),
        placed: cells(Highlight::Placed),
        wrong: cells(Highlight::Wrong),
        rests_digits: notes(Highlight::Rests),
        removed_digits: notes(Highlight::Removed),
        placed_digits: notes(Highlight::Placed),
        wrong_digits: notes(Highlight::Wrong),
    };
    let rows: Vec<&[Option<u8>]> = marks.digits.chunks(cols).collect();
    (json!(rows), marking)
}

/// Adds to an object what the endpoint takes to draw these marks.
pub(super) fn add_picture(object: &mut Value, puzzle: &Puzzle, marks: &Marks) {
    let (grid, marking) = taken(puzzle, marks);
    object["grid"] = grid;
    object["marks"] = json!(marking);
}

/// How many steps of a puzzle may tell what a picture shows of them, so that an answer stays small.
pub(super) fn most(puzzle: &Puzzle) -> usize {
    (20_000 / (puzzle.rows() * puzzle.cols())).clamp(1, 100)
}

/// The schemas of a `grid` and of `marks` that are answered.
pub(super) fn drawable() -> [(&'static str, Value); 2] {
    let row = json!({"type": "array", "items": {"type": ["integer", "null"]}});
    let grid = json!({"type": "array", "items": row, "description": "as picture takes it"});
    [("grid", grid), ("marks", json!({"type": "object", "description": "as picture takes them"}))]
}

impl Marking {
    /// Adds them to the marks of a puzzle.
    ///
    /// # Errors
    /// A cell or a digit that the puzzle has not.
    pub(crate) fn add_to(&self, mut marks: Marks, puzzle: &Puzzle) -> Result<Marks, Refusal> {
        if let Some(candidates) = &self.candidates {
            let mut masks = vec![0; puzzle.rows() * puzzle.cols()];
            for (row, column, digits) in candidates {
                let cell = cell(puzzle, (*row, *column))?;
                for digit in digits {
                    masks[cell] |= 1 << rank(puzzle, *digit)?;
                }
            }
            marks = marks.with_candidates(masks);
        }
        let cells = [
            (&self.rests, Highlight::Rests),
            (&self.removed, Highlight::Removed),
            (&self.placed, Highlight::Placed),
            (&self.wrong, Highlight::Wrong),
        ];
        for (at, highlight) in cells.into_iter().flat_map(|(all, mark)| all.iter().map(move |at| (*at, mark)))
        {
            marks = marks.cell(cell(puzzle, at)?, highlight);
        }
        let digits = [
            (&self.rests_digits, Highlight::Rests),
            (&self.removed_digits, Highlight::Removed),
            (&self.placed_digits, Highlight::Placed),
            (&self.wrong_digits, Highlight::Wrong),
        ];
        for (at, highlight) in
            digits.into_iter().flat_map(|(all, mark)| all.iter().map(move |at| (*at, mark)))
        {
            let (row, column, digit) = at;
            rank(puzzle, digit)?;
            marks = marks.candidate(cell(puzzle, (row, column))?, digit, highlight);
        }
        Ok(marks)
    }
}

/// The index of a cell that is not black.
fn cell(puzzle: &Puzzle, (row, column): (usize, usize)) -> Result<usize, Refusal> {
    let cell = row.checked_mul(puzzle.cols()).and_then(|start| start.checked_add(column));
    let is_there = |cell: &usize| row < puzzle.rows() && column < puzzle.cols() && !puzzle.is_black(*cell);
    cell.filter(is_there).ok_or_else(|| {
        let help = "marks name cells by [row, column], from 0";
        Refusal::new(Code::BadGrid, format!("the puzzle has no cell [{row}, {column}]"), help)
    })
}

/// The rank of a digit.
fn rank(puzzle: &Puzzle, digit: u8) -> Result<usize, Refusal> {
    let rank = puzzle.digits().values().iter().position(|known| *known == digit);
    rank.ok_or_else(|| Refusal::new(Code::BadGrid, format!("the puzzle has no digit {digit}"), ""))
}

fn run(asked: &Map<String, Value>, _: &Interrupt) -> Result<Value, Refusal> {
    let mut asked = asked.clone();
    let marking = match asked.shift_remove("marks") {
        Some(marks) => Marking::deserialize(marks)
            .map_err(|error| Refusal::new(Code::BadGrid, format!("marks: {error}"), ""))?,
        None => Marking::default(),
    };
    let asked = request::read(&asked, PARAMS)?;
    let puzzle = puzzle(&asked)?;
    let mut marks = Marks::new(&puzzle);
    if asked.entry("grid").is_some() {
        let grid = parse_grid("grid", asked.text("grid"), &puzzle);
        marks = marks.with_grid(&grid.map_err(|report| Refusal::of(Code::BadGrid, &report))?);
    }
    let marks = marking.add_to(marks, &puzzle)?;
    let (labels, cage_colours) = (asked.flag("labels"), asked.flag("cage_colours"));
    let style = Style { labels, cage_colours, black_places: asked.flag("black"), ..Style::default() };
    Ok(object(&puzzle, &drawing::picture(&puzzle, &marks, &style)))
}

/// A picture and its places as an object.
pub(crate) fn object(puzzle: &Puzzle, picture: &Picture) -> Value {
    let places = picture.places.iter().map(|place| {
        let digit = place.rank.map(|rank| puzzle.digits().values()[rank]);
        json!({
            "cell": [place.cell / puzzle.cols(), place.cell % puzzle.cols()],
            "digit": digit,
            "x": place.at.0,
            "y": place.at.1,
            "side": place.side,
        })
    });
    let (width, height) = picture.size();
    json!({
        "svg": picture.inline(&puzzle.id),
        "width": width,
        "height": height,
        "places": places.collect::<Vec<_>>(),
    })
}

fn takes() -> Value {
    let whole = json!({"type": "integer", "minimum": 0});
    let list = |length: usize| {
        let item = json!({"type": "array", "items": whole, "minItems": length, "maxItems": length});
        json!({"type": "array", "items": item})
    };
    let mut schema = request::object(PARAMS);
    schema["properties"]["marks"] = json!({
        "type": "object",
        "description": "what is marked, by [row, column] or [row, column, digit] from 0; candidates are [row, column, [digits]], and a list of none leaves room for them",
        "additionalProperties": false,
        "properties": {
            "candidates": {"type": "array", "items": {
                "type": "array",
                "prefixItems": [whole, whole, {"type": "array", "items": whole}],
                "minItems": 3,
                "maxItems": 3,
            }},
            "rests": list(2), "removed": list(2), "placed": list(2), "wrong": list(2),
            "rests_digits": list(3), "removed_digits": list(3), "placed_digits": list(3), "wrong_digits": list(3),
        },
    });
    schema
}

fn answers() -> Value {
    let number = json!({"type": "number"});
    let place = json!({
        "type": "object",
        "required": ["cell", "digit", "x", "y", "side"],
        "properties": {
            "cell": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
            "digit": {"type": ["integer", "null"], "description": "what the place gives the cell, where each digit has its own"},
            "x": number, "y": number, "side": number,
        },
    });
    json!({
        "type": "object",
        "required": ["svg", "width", "height", "places"],
        "properties": {
            "svg": {"type": "string", "description": "an element; /page/pictures.css is its style sheet"},
            "width": number,
            "height": number,
            "places": {"type": "array", "items": place},
        },
    })
}
