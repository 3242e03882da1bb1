//! The puzzle that a request is about.

use miette::miette;

use crate::refusal::{Code, Refusal};
use kenga_core::puzzle::formats::{Ids, Reader};
use kenga_core::puzzle::{Grid, MAX_DIGITS, Puzzle};
use kenga_core::spec::{Param, ParamKind, Spec};
use kenga_core::text::nearest;
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
pub(super) const UP_TO: Param =
    Param::choice("up_to", &["easy", "normal", "hard", "extreme", "unreasonable"], "unreasonable")
        .about("use the techniques up to this tier");

/// The tier that [`UP_TO`] names.
pub(super) fn tier(asked: &Spec) -> Tier {
    let name = asked.text("up_to");
    Tier::ALL
        .into_iter()
        .find(|tier| tier.name() == name)
        .expect("the words of the parameter are the tiers' names")
}

/// The partly filled grid of a request, with digits of the puzzle alone.
///
/// # Errors
/// A text that is no such grid.
pub(super) fn grid(asked: &Spec, puzzle: &Puzzle) -> Result<Grid, Refusal> {
    let text = asked.entry("grid").map_or_else(|| empty_grid(puzzle), |_| asked.text("grid").to_owned());
    let grid = parse_grid("grid", &text, puzzle).and_then(|grid| own_digits(puzzle, &grid).map(|()| grid));
    grid.map_err(|report| Refusal::of(Code::BadGrid, &report))
}

/// The one puzzle of a request, or the one with its id.
///
/// # Errors
/// A text that is no puzzle, several puzzles to choose from, or none with the id.
pub(super) fn puzzle(asked: &Spec) -> Result<Puzzle, Refusal> {
    let id = asked.entry("id").map(|_| asked.text("id"));
    let mut found: Vec<Puzzle> = Vec::new();
    let (mut refused, mut ids) = (None, Vec::new());
    each(asked, &mut |puzzle| {
        match puzzle {
            Ok(puzzle) => {
                ids.push(puzzle.id.clone());
                if id.is_none_or(|id| puzzle.id == id) {
                    found.push(puzzle);
                }
            }
            Err(refusal) => refused = refused.take().or(Some(refusal)),
        }
        found.len() < 2
    });
    if let [first, second, ..] = found.as_slice() {
        let report = miette!(
            help = "choose one with id",
            "puzzle holds several puzzles: `{}`, `{}`, …",
            first.id,
            second.id
        );
        return Err(Refusal::of(Code::BadPuzzle, &report));
    }
    let none = || {
        let help = nearest(id.unwrap_or_default(), ids.iter().map(String::as_str));
        let help = help.first().map_or_else(String::new, |nearest| format!("did you mean `{nearest}`?"));
        Refusal::new(Code::BadPuzzle, format!("no puzzle has the id `{}`", id.unwrap_or_default()), help)
    };
    match (found.pop(), refused) {
        (Some(puzzle), _) => bounded(puzzle),
        (None, Some(refusal)) => Err(refusal),
        (None, None) => Err(none()),
    }
}

/// Every puzzle of a request.
///
/// # Errors
/// The first that is none; more than `most`.
pub(super) fn puzzles(asked: &Spec, most: usize) -> Result<Vec<Puzzle>, Refusal> {
    let mut found = Vec::new();
    each(asked, &mut |puzzle| {
        found.push(puzzle.and_then(bounded));
        found.len() <= most && found.last().is_some_and(Result::is_ok)
    });
    if found.len() > most {
        let message = format!("there are more than {most} puzzles");
        return Err(Refusal::new(Code::BadPuzzle, message, "use the command line for large collections"));
    }
    found.into_iter().collect()
}

/// Shows the puzzles of a request one by one, as long as more are wanted.
fn each(asked: &Spec, show: &mut dyn FnMut(Result<Puzzle, Refusal>) -> bool) {
    let colors = asked.entry("colors").map(|_| asked.size("colors"));
    let reader = Reader::new(NAME, asked.text("puzzle").as_bytes().to_vec());
    let mut reader = match colors {
        Some(colors) => reader.with_colors(colors),
        None => reader,
    };
    let mut ids = Ids::default();
    while let Some(read) = reader.next(&mut ids) {
        let read = read.map_err(|error| Refusal::of(Code::BadPuzzle, &error.into()));
        if !show(read.and_then(|puzzle| colored(puzzle, colors))) {
            break;
        }
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
