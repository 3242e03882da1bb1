//! The puzzle that a request is about, and the grid that goes with it.

use miette::{Report, miette};
use serde_json::Value;

use super::{Code, Refusal, RequestFields};
use kenga_core::puzzle::formats::{Ids, Reader, canonical};
use kenga_core::puzzle::{Grid, MAX_DIGITS, Puzzle};
use kenga_core::spec::{Param, ParamKind};
use kenga_core::text::meant;
use kenga_craft::ladder::Tier;
use kenga_report::answers::{empty_grid, own_digits, parse_grid};

/// The name of the text in errors, and the id of a puzzle that has none.
const NAME: &str = "puzzle";

/// The most cells: of a puzzle for a person there are far fewer.
const CELLS: usize = 4096;

/// The parameter that holds the puzzle.
pub(super) const PUZZLE: Param = Param::required("puzzle", ParamKind::Text).about(
    "the puzzle, as text in any known format, recognised by its content, or as the object of canonical JSON",
);

/// The parameter that chooses one of several puzzles.
pub(super) const ID: Param =
    Param::optional("id", ParamKind::Text).about("the puzzle with this id, where the text holds several");

/// The parameter that holds a partly filled grid.
pub(super) const GRID: Param = Param::optional("grid", ParamKind::Text)
    .about("the grid so far, as check takes it; without it, the empty grid");

/// The parameter that sets the colours of a graph.
pub(super) const COLORS: Param = Param::optional("colors", ParamKind::Integer(1, MAX_DIGITS as i64))
    .about("how many colours a graph is to be coloured with, whatever its text says");

/// The tiers of grades, ascending.
pub(super) const TIERS: &[&str] = &["easy", "normal", "hard", "extreme", "unreasonable"];

/// The parameter that bounds the techniques.
pub(super) const UP_TO: Param =
    Param::choice("up_to", TIERS, "unreasonable").about("use the techniques up to this tier");

/// The tier that [`UP_TO`] names.
pub(super) fn tier(fields: &RequestFields) -> Tier {
    let name = fields.text("up_to");
    Tier::ALL
        .into_iter()
        .find(|tier| tier.name() == name)
        .expect("the words of the parameter are the tiers' names")
}

/// The grid of a request that has one.
pub(super) fn grid(fields: &RequestFields, puzzle: &Puzzle) -> Result<Grid, Refusal> {
    parse_grid("grid", fields.text("grid"), puzzle).map_err(bad_grid)
}

/// The partly filled grid of a request, with digits of the puzzle alone; empty where none was sent.
pub(super) fn own_grid(fields: &RequestFields, puzzle: &Puzzle) -> Result<Grid, Refusal> {
    let text = fields.text_or_absent("grid").map_or_else(|| empty_grid(puzzle), str::to_owned);
    let grid = parse_grid("grid", &text, puzzle).map_err(bad_grid)?;
    own_digits(puzzle, &grid).map_err(bad_grid)?;
    Ok(grid)
}

/// The refusal of a grid or of givens.
pub(super) fn bad_grid(report: Report) -> Refusal {
    Refusal::of(Code::BadGrid, &report)
}

/// A puzzle as the object of canonical JSON.
pub(super) fn canonical_object(puzzle: &Puzzle) -> Value {
    serde_json::from_str(&canonical(puzzle)).expect("canonical JSON is JSON")
}

/// The one puzzle of a request, or the one with its id.
///
/// # Errors
/// A text that is no puzzle, several puzzles to choose from, or none with the id.
pub(super) fn puzzle(fields: &RequestFields) -> Result<Puzzle, Refusal> {
    let id = fields.text_or_absent("id");
    let (mut found, mut refused, mut ids) = (Vec::new(), None, Vec::new());
    let mut texts = RequestPuzzles::of(fields);
    // A puzzle that cannot be read is refused only where no other is meant. The second that fits ends the reading: a large
    // collection that was sent by mistake is not read to its end.
    while found.len() < 2
        && let Some(puzzle) = texts.next()
    {
        match puzzle {
            Ok(puzzle) => {
                ids.push(puzzle.id.clone());
                if id.is_none_or(|id| puzzle.id == id) {
                    found.push(puzzle);
                }
            }
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    if let [first, second] = found.as_slice() {
        let report = miette!(
            help = "choose one with id",
            "puzzle holds several puzzles: `{}`, `{}`, …",
            first.id,
            second.id
        );
        return Err(Refusal::of(Code::BadPuzzle, &report));
    }
    if let Some(puzzle) = found.pop() {
        return bounded(puzzle);
    }
    Err(refused.unwrap_or_else(|| no_puzzle(id.unwrap_or_default(), &ids)))
}

fn no_puzzle(id: &str, ids: &[String]) -> Refusal {
    let near = meant(id, ids.iter().map(String::as_str));
    let help = near.map_or_else(String::new, |meant| format!("did you mean `{meant}`?"));
    Refusal::new(Code::BadPuzzle, format!("no puzzle has the id `{id}`"), help)
}

/// Every puzzle of a request.
///
/// # Errors
/// The first that is none; more than `most`.
pub(super) fn puzzles(fields: &RequestFields, most: usize) -> Result<Vec<Puzzle>, Refusal> {
    let mut found = Vec::new();
    let mut texts = RequestPuzzles::of(fields);
    while let Some(puzzle) = texts.next() {
        if found.len() == most {
            let message = format!("there are more than {most} puzzles");
            let help = "use the command line for large collections";
            return Err(Refusal::new(Code::BadPuzzle, message, help));
        }
        found.push(bounded(puzzle?)?);
    }
    Ok(found)
}

/// The puzzles of a request, read one by one.
struct RequestPuzzles {
    reader: Reader,
    ids: Ids,
    colors: Option<usize>,
}

impl RequestPuzzles {
    fn of(fields: &RequestFields) -> Self {
        let colors = fields.size_or_absent("colors");
        let mut reader = Reader::new(NAME, fields.text("puzzle").as_bytes().to_vec());
        if let Some(colors) = colors {
            reader = reader.with_colors(colors);
        }
        Self { reader, ids: Ids::default(), colors }
    }

    fn next(&mut self) -> Option<Result<Puzzle, Refusal>> {
        let read = self.reader.next(&mut self.ids)?.map_err(Refusal::from);
        Some(read.and_then(|puzzle| colored(puzzle, self.colors)))
    }
}

/// A puzzle with the colours that are asked for.
fn colored(puzzle: Puzzle, colors: Option<usize>) -> Result<Puzzle, Refusal> {
    let Some(colors) = colors else { return Ok(puzzle) };
    let id = puzzle.id.clone();
    puzzle.with_colors(colors).map_err(|defect| {
        let help = "colors is for puzzles of the kind coloring";
        Refusal::of(Code::BadPuzzle, &miette!(help = help, "puzzle `{id}`: {defect}"))
    })
}

/// A puzzle that is not too large.
fn bounded(puzzle: Puzzle) -> Result<Puzzle, Refusal> {
    let cells = puzzle.rows() * puzzle.cols();
    if cells <= CELLS {
        return Ok(puzzle);
    }
    let message = format!("puzzle `{}` has {cells} cells; this server works on up to {CELLS}", puzzle.id);
    Err(Refusal::new(Code::BadPuzzle, message, "use the command line for large puzzles"))
}
