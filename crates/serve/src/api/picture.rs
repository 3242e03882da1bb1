//! `POST picture`: a puzzle as a part of a page, with what is marked on it and where its cells are.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::puzzle::{COLORS, ID, PUZZLE, grid, puzzle};
use super::schema::{Schema, any_object, field, integer, list, number, object, of_params, text};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields};
use kenga_core::budget::Interrupt;
use kenga_core::problem::bits;
use kenga_core::puzzle::Puzzle;
use kenga_core::spec::{Param, ParamKind};
use kenga_report::drawing::{self, Highlight, Marks, Picture, Style};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "picture",
    "draws a puzzle with digits, candidates and marks, as SVG for a page, and says where its cells are",
    &[],
    answers,
    Handler::Compute(run),
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

const HIGHLIGHTS: [Highlight; 4] =
    [Highlight::Rests, Highlight::Removed, Highlight::Placed, Highlight::Wrong];

/// What is marked: cells and candidates, by rows and columns from 0.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Marking {
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

impl Marking {
    fn cells(&mut self, why: Highlight) -> &mut Vec<(usize, usize)> {
        match why {
            Highlight::Rests => &mut self.rests,
            Highlight::Removed => &mut self.removed,
            Highlight::Placed => &mut self.placed,
            Highlight::Wrong => &mut self.wrong,
        }
    }

    fn digits(&mut self, why: Highlight) -> &mut Vec<(usize, usize, u8)> {
        match why {
            Highlight::Rests => &mut self.rests_digits,
            Highlight::Removed => &mut self.removed_digits,
            Highlight::Placed => &mut self.placed_digits,
            Highlight::Wrong => &mut self.wrong_digits,
        }
    }

    /// The marks of a puzzle as a request names them.
    fn of(puzzle: &Puzzle, marks: &Marks) -> Self {
        let (cols, digits) = (puzzle.cols(), puzzle.digits().values());
        let mut marking = Self::default();
        let mut candidates = Vec::new();
        for (cell, mask) in marks.candidates.iter().enumerate() {
            if *mask > 0 {
                let digits = bits(*mask).map(|rank| digits[rank as usize]).collect();
                candidates.push((cell / cols, cell % cols, digits));
            }
        }
        // Even an empty list is told: it leaves room for candidates, so that the digits of all steps have one size.
        marking.candidates = Some(candidates);
        for (cell, why) in &marks.cells {
            marking.cells(*why).push((cell / cols, cell % cols));
        }
        for (cell, digit, why) in &marks.notes {
            marking.digits(*why).push((cell / cols, cell % cols, *digit));
        }
        marking
    }

    /// Adds them to the marks of a puzzle.
    fn add_to(mut self, mut marks: Marks, puzzle: &Puzzle) -> Result<Marks, Refusal> {
        if let Some(candidates) = &self.candidates {
            let mut masks = vec![0; puzzle.rows() * puzzle.cols()];
            for (row, column, digits) in candidates {
                let cell = cell(puzzle, *row, *column)?;
                for digit in digits {
                    masks[cell] |= 1 << rank(puzzle, *digit)?;
                }
            }
            marks = marks.with_candidates(masks);
        }
        // Of several marks of a cell the last one counts: the order of the highlights is seen.
        for why in HIGHLIGHTS {
            for (row, column) in self.cells(why) {
                marks = marks.cell(cell(puzzle, *row, *column)?, why);
            }
        }
        for why in HIGHLIGHTS {
            for (row, column, digit) in self.digits(why) {
                rank(puzzle, *digit)?;
                marks = marks.candidate(cell(puzzle, *row, *column)?, *digit, why);
            }
        }
        Ok(marks)
    }
}

/// The index of a cell that is not black.
fn cell(puzzle: &Puzzle, row: usize, column: usize) -> Result<usize, Refusal> {
    if row < puzzle.rows() && column < puzzle.cols() {
        let cell = row * puzzle.cols() + column;
        if !puzzle.is_black(cell) {
            return Ok(cell);
        }
    }
    let help = "marks name cells by [row, column], from 0";
    Err(Refusal::new(Code::BadGrid, format!("the puzzle has no cell [{row}, {column}]"), help))
}

/// The rank of a digit.
fn rank(puzzle: &Puzzle, digit: u8) -> Result<usize, Refusal> {
    let rank = puzzle.digits().values().iter().position(|known| *known == digit);
    rank.ok_or_else(|| Refusal::new(Code::BadGrid, format!("the puzzle has no digit {digit}"), ""))
}

/// Adds to an object what this endpoint takes to draw these marks: the `grid` and the `marks`.
pub(super) fn add_picture(object: &mut Value, puzzle: &Puzzle, marks: &Marks) {
    let rows: Vec<&[Option<u8>]> = marks.digits.chunks(puzzle.cols()).collect();
    object["grid"] = json!(rows);
    object["marks"] = json!(Marking::of(puzzle, marks));
}

/// How many steps of a puzzle may tell what a picture shows of them, so that an answer stays small.
pub(super) fn most(puzzle: &Puzzle) -> usize {
    (20_000 / (puzzle.rows() * puzzle.cols())).clamp(1, 100)
}

/// The schema of a `grid` that is answered.
pub(super) fn grid_schema() -> Schema {
    list(list(integer().or_null())).about("as picture takes it")
}

/// The schema of `marks` that are answered.
pub(super) fn marks_schema() -> Schema {
    any_object().about("as picture takes them")
}

fn run(fields: &RequestFields, _: &Interrupt) -> Answer {
    // Marks are nested lists, which parameters do not describe; all else is checked as of every endpoint.
    let mut object = fields.object.clone();
    let mut marking = Marking::default();
    if let Some(marks) = object.shift_remove("marks") {
        marking = Marking::deserialize(marks)
            .map_err(|error| Refusal::new(Code::BadGrid, format!("marks: {error}"), ""))?;
    }
    let fields = RequestFields::checked(&object, PARAMS)?;
    let puzzle = puzzle(&fields)?;
    let mut marks = Marks::new(&puzzle);
    if fields.has("grid") {
        marks = marks.with_grid(&grid(&fields, &puzzle)?);
    }
    let marks = marking.add_to(marks, &puzzle)?;
    let style = Style {
        labels: fields.flag("labels"),
        cage_colours: fields.flag("cage_colours"),
        black_places: fields.flag("black"),
        ..Style::default()
    };
    Ok(answer(&puzzle, &drawing::picture(&puzzle, &marks, &style)))
}

/// A picture and its places as an object.
fn answer(puzzle: &Puzzle, picture: &Picture) -> Value {
    let mut places = Vec::new();
    for place in &picture.places {
        places.push(json!({
            "cell": [place.cell / puzzle.cols(), place.cell % puzzle.cols()],
            "digit": place.rank.map(|rank| puzzle.digits().values()[rank]),
            "x": place.at.0,
            "y": place.at.1,
            "side": place.side,
        }));
    }
    let (width, height) = picture.size();
    json!({"svg": picture.inline(&puzzle.id), "width": width, "height": height, "places": places})
}

fn takes() -> Value {
    let whole = json!({"type": "integer", "minimum": 0});
    let mut marks = json!({
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
        },
    });
    let highlights = ["rests", "removed", "placed", "wrong"];
    let item = list(Schema(whole));
    for name in highlights {
        marks["properties"][name] = list(item.clone().of_length(2)).0;
    }
    for name in highlights {
        marks["properties"][format!("{name}_digits")] = list(item.clone().of_length(3)).0;
    }
    let mut schema = of_params(PARAMS);
    schema["properties"]["marks"] = marks;
    schema
}

fn answers() -> Schema {
    let digit = integer().or_null().about("what the place gives the cell, where each digit has its own");
    let place = object(&[
        field("cell", list(integer()).of_length(2)),
        field("digit", digit),
        field("x", number()),
        field("y", number()),
        field("side", number()),
    ]);
    object(&[
        field("svg", text().about("an element; /page/pictures.css is its style sheet")),
        field("width", number()),
        field("height", number()),
        field("places", list(place)),
    ])
}
