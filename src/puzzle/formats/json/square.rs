//! The square puzzles in JSON: KenKen, Sudoku, Killer, Latin squares.

use super::super::super::{Cage, Defect, Kind, MAX_DIGITS, Puzzle, Square, usual_boxes};
use super::super::cages::{Places, build};
use super::super::error::Fault;
use super::cells::{CellText, settle};
use super::keys::Keys;
use super::node::Node;
use super::parts::{cage, digits, each, given, group};

/// What programs call the size, we first.
const SIZE_KEYS: [&str; 3] = ["size", "n", "width"];

const SIZE: &str = "a size from 1 to 32";

/// The puzzle of one of these kinds.
pub(super) fn read(kind: Kind, keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let size_node = keys.need_one(&SIZE_KEYS)?;
    let size = size(size_node)?;
    if let Some(height) = keys.get("height").filter(|_| keys.get("width").is_some())
        && height.number::<usize>(SIZE)? != size
    {
        return Err(height.unexpected("a height that is the width"));
    }
    let (cages, places) = cages(kind, keys, (size, size_node))?;
    let digits = keys.get_one(&["digits", "values"])?.map(digits).transpose()?;
    let givens = each(keys.get("givens"), "a list of givens", |node| given(node, (size, size)))?;
    let groups = each(keys.get("groups"), "a list of groups", |node| group(node, (size, size)))?;
    let boxes = matches!(kind, Kind::Sudoku | Kind::Killer).then(|| boxes(keys, size)).transpose()?;
    build(Square { kind, size, boxes, digits, cages, givens, groups }, &places)
}

fn size(node: Node<'_>) -> Result<usize, Fault> {
    let size = node.number(SIZE)?;
    if (1..=MAX_DIGITS).contains(&size) {
        return Ok(size);
    }
    Err(Fault::new(Defect::Size { size }, node.span(), format!("expected {SIZE}")))
}

/// The cages, which a KenKen must have and a Killer may.
fn cages(
    kind: Kind,
    keys: &Keys<'_>,
    (size, place): (usize, Node<'_>),
) -> Result<(Vec<Cage>, Places), Fault> {
    const NAMES: [&str; 2] = ["cages", "rules"];
    let list = if kind == Kind::KenKen { Some(keys.need_one(&NAMES)?) } else { keys.get("cages") };
    let mut places = Places {
        size: place.span(),
        digits: keys.get("digits").map_or(0..0, |node| node.span()),
        end: list.unwrap_or(place).closing(),
        cages: Vec::new(),
        naming: "rows and columns are counted from 0",
    };
    let (mut cages, mut texts) = (Vec::new(), Vec::new());
    for (cage, place, cells) in each(list, "the list of cages", |node| cage(node, kind))? {
        cages.push(cage);
        places.cages.push(place);
        texts.push(cells);
    }
    if texts.iter().flatten().all(|cell| matches!(cell, CellText::Known(_))) {
        places.naming = "A1 or R1C1 is the first";
    }
    let from_one = settle(&mut cages, &texts, size, kind == Kind::KenKen);
    match keys.get("givens").or_else(|| keys.get("groups")) {
        Some(node) if from_one => Err(node.unexpected("cages whose cells count from 0 beside this")),
        _ => Ok((cages, places)),
    }
}

/// The rows and columns of a box: `"box": [2, 3]`, or the usual ones.
fn boxes(keys: &Keys<'_>, size: usize) -> Result<(usize, usize), Fault> {
    const BOX: &str = "the rows and columns of a box, as in [2, 3]";
    let Some(node) = keys.get("box") else {
        return match usual_boxes(size) {
            Some(shape) => Ok(shape),
            None => keys.need("box").map(|_| (1, size)),
        };
    };
    let [rows, cols] = node.array(BOX)?;
    let shape: (usize, usize) = (rows.number(BOX)?, cols.number(BOX)?);
    if shape.0.checked_mul(shape.1) == Some(size) {
        return Ok(shape);
    }
    let label = format!("expected two numbers whose product is the size, {size}");
    Err(Fault::new(Defect::Box { shape, size }, node.span(), label))
}
