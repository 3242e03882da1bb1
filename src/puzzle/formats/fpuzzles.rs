//! Sudoku and Killer as f-puzzles.com writes them, one JSON object per puzzle.
//!
//! ```text
//! {"size": 4, "grid": [[{"value": 1, "given": true}, {}, …], …],
//!  "killercage": [{"cells": ["R1C2", "R1C3"], "value": "5"}]}
//! ```
//!
//! A digit that is not a given is progress of a solver and is ignored. The rules that kenga knows: givens, boxes or the
//! `region` of each cell, `killercage`, `extraregion`, `diagonal+`, `diagonal-`, `disjointgroups`. Any other rule is
//! refused, because without it the puzzle would be another; decoration is ignored.

use super::super::operators::find;
use super::super::{Cage, Grid, Group, Puzzle, Role, Square, usual_boxes};
use super::Format;
use super::cages::{CagePlaces, PlacedCages, Places, build};
use super::error::{Fault, Span};
use super::json;
use super::node::{Keys, Node};

pub(super) const FORMAT: Format = Format {
    name: "fpuzzles",
    about: "Sudoku and Killer of f-puzzles.com: {\"size\": 9, \"grid\": [[{\"value\": 1, \"given\": true}, …]]}",
    many: true,
    recognise,
    end: json::end,
    read,
    write: None,
};

/// The keys of the puzzle itself.
const RULES: [&str; 8] =
    ["size", "grid", "killercage", "extraregion", "diagonal+", "diagonal-", "disjointgroups", "solution"];

/// Texts about the puzzle, kept in its `meta`.
const WORDS: [&str; 3] = ["title", "author", "ruleset"];

/// Decoration and settings of the program, which are ignored.
const IGNORED: [&str; 12] = [
    "cage",
    "line",
    "circle",
    "rectangle",
    "text",
    "fogofwar",
    "foglight",
    "successMessage",
    "disabledlogic",
    "truecandidatesoptions",
    "highlightConflicts",
    "metadata",
];

/// The first object has a `grid`, and neither `cages` nor a `kind`.
fn recognise(text: &str) -> bool {
    let text = text.trim_start();
    let has = |keys: &Keys<'_>| {
        keys.get("grid").is_some() && keys.get("cages").is_none() && keys.get("kind").is_none()
    };
    text.starts_with('{')
        && Node::parse(&text[..json::end(text)])
            .and_then(|node| Keys::read(node, ""))
            .is_ok_and(|keys| has(&keys))
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let mut keys = Keys::read(Node::parse(record)?, "a puzzle, an object with `size` and `grid`")?;
    keys.entries.retain(|entry| !matches!(entry.value.as_word().text, "[]" | "false" | "null"));
    let keys = keys.only(&[&RULES[..], &WORDS, &IGNORED].concat()).map_err(|fault| {
        let known = format!("rules that kenga knows: givens, regions, {}", RULES[2..7].join(", "));
        Fault {
            label: "a rule that kenga does not know: without it the puzzle would be another".to_owned(),
            ..fault
        }
        .help(known)
    })?;
    let place = keys.need("size")?;
    let size = json::size(place)?;
    let grid = GridContents::read(keys.need("grid")?, size)?;
    let (cages, mut groups, places) = cages(&keys, size, place.span())?;
    groups.extend(variant_groups(&keys, size)?);
    let mut puzzle = build(square(size, grid, cages.is_empty(), groups), cages, &places)?;
    puzzle.solution = keys.get("solution").map(|node| solution(node, size)).transpose()?;
    for entry in keys.entries.iter().filter(|entry| WORDS.contains(&&*entry.key)) {
        puzzle.meta.insert(entry.key.clone(), entry.value.value()?);
    }
    Ok((puzzle, 0..0))
}

/// The contents of the grid's cells.
struct GridContents {
    givens: Vec<(usize, usize, u8)>,
    /// The cells of each region, where the regions are not the usual boxes.
    regions: Option<Vec<Vec<usize>>>,
}

impl GridContents {
    fn read(node: Node<'_>, size: usize) -> Result<Self, Fault> {
        let usual = |cell: usize| {
            let (rows, cols) = usual_boxes(size).unwrap_or((1, size));
            let (row, column) = (cell / size, cell % size);
            Some((row / rows * rows + column / cols) as i64)
        };
        let (mut givens, mut region) = (Vec::new(), Vec::new());
        let rows = node.list("the grid, a list of rows")?;
        for (row, cells) in rows.iter().enumerate() {
            let cells = cells.list("a row, a list of cells")?;
            if rows.len() != size || cells.len() != size {
                let found = format!("{} x {}", rows.len(), cells.len());
                return Err(Fault::unexpected(format!("{size} rows of {size} cells"), found, node.span()));
            }
            for (column, cell) in cells.into_iter().enumerate() {
                let keys = Keys::read(cell, "a cell, an object")?;
                let given = keys.get("given").map_or(Ok(false), |node| node.boolean("true or false"))?;
                if let Some(value) = keys.get("value").filter(|_| given) {
                    givens.push((row, column, value.number("a digit")?));
                }
                region.push(match keys.get("region") {
                    None => usual(row * size + column),
                    Some(node) if node.is_null() => None,
                    Some(node) => Some(node.whole("the number of a region, or null")?),
                });
            }
        }
        if rows.is_empty() {
            return Err(node.unexpected(&format!("{size} rows of {size} cells")));
        }
        let is_usual =
            usual_boxes(size).is_some() && (0..size * size).all(|cell| region[cell] == usual(cell));
        Ok(Self { givens, regions: (!is_usual).then(|| members(&region)) })
    }
}

/// The cells of each region number, ascending.
fn members(region: &[Option<i64>]) -> Vec<Vec<usize>> {
    let mut numbers: Vec<i64> = region.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let cells = |number: i64| (0..region.len()).filter(|cell| region[*cell] == Some(number)).collect();
    numbers.into_iter().map(cells).collect()
}

/// The puzzle, of the simplest kind that has these groups.
fn square(size: usize, grid: GridContents, uncaged: bool, mut groups: Vec<Group>) -> Square {
    let GridContents { givens, regions } = grid;
    let irregular = regions.is_some();
    groups.extend(regions.into_iter().flatten().filter(|cells| !is_row(cells, size)).map(distinct));
    // The boxes of a Killer with other regions are its rows.
    let boxes = usual_boxes(size).filter(|_| !irregular).unwrap_or((1, size));
    let square = match (irregular, uncaged) {
        (true, true) => Square::latin(size),
        (false, true) => Square::sudoku(size, boxes),
        (_, false) => Square::killer(size, boxes, Vec::new()),
    };
    Square { givens, groups, ..square }
}

fn is_row(cells: &[usize], size: usize) -> bool {
    cells.len() == size && cells[0].is_multiple_of(size) && cells[size - 1] == cells[0] + size - 1
}

fn distinct(cells: Vec<usize>) -> Group {
    Group { role: Role::Region, cells, distinct: true, clue: None }
}

/// The cages with sums, and those without as groups.
fn cages(keys: &Keys<'_>, size: usize, span: Span) -> Result<(PlacedCages, Vec<Group>, Places), Fault> {
    let plus = find("+").expect("the table has the sum");
    let (mut cages, mut groups) = (Vec::new(), Vec::new());
    let places = Places { size: span.clone(), digits: span.clone(), end: span, naming: "R1C1 is the first" };
    let list = keys.get("killercage").map_or(Ok(Vec::new()), |node| node.list("a list of cages"))?;
    for node in list {
        let keys = Keys::read(node, "a cage, an object with `cells`")?;
        let (cells, spans) = cells(keys.need("cells")?, size)?;
        match keys.get("value").map(sum).transpose()?.flatten() {
            Some((target, span)) => {
                let pair = |cell: &usize| (cell / size, cell % size);
                let cage = Cage::new(plus, target, cells.iter().map(pair).collect());
                let (whole, operator) = (node.span(), span.clone());
                let places = CagePlaces { whole, operator, target: span, cells: spans };
                cages.push((Cage { repeats: false, ..cage }, places));
            }
            None => groups.push(distinct(cells)),
        }
    }
    Ok((cages, groups, places))
}

/// The sum of a cage, a number or a string; `None` for null or an empty string.
fn sum(node: Node<'_>) -> Result<Option<(i64, Span)>, Fault> {
    const SUM: &str = "the sum of a cage, a whole number";
    if node.is_null() {
        return Ok(None);
    }
    let word = if node.is_text() { node.word(SUM)? } else { node.as_word() };
    match word.text.trim() {
        "" => Ok(None),
        _ => Ok(Some((word.whole()?, node.span()))),
    }
}

/// The row-major indices of cells named `R1C1`, each once, and their places.
fn cells(node: Node<'_>, size: usize) -> Result<(Vec<usize>, Vec<Span>), Fault> {
    const CELL: &str = "a cell of the grid, such as \"R1C1\"";
    let (mut cells, mut spans) = (Vec::new(), Vec::new());
    for item in node.list("a list of cells")? {
        let cell = item.word(CELL)?.cell().filter(|cell| cell.0 < size && cell.1 < size);
        let (row, column) = cell.ok_or_else(|| item.unexpected(CELL))?;
        if cells.contains(&(row * size + column)) {
            return Err(item.unexpected("a cell that does not occur earlier in the list"));
        }
        cells.push(row * size + column);
        spans.push(item.span());
    }
    if cells.is_empty() {
        return Err(node.unexpected("one cell or more"));
    }
    Ok((cells, spans))
}

/// The groups of extra regions, of diagonals, and of cells in the same place of their boxes.
fn variant_groups(keys: &Keys<'_>, size: usize) -> Result<Vec<Group>, Fault> {
    let mut groups = Vec::new();
    for node in keys.get("extraregion").map_or(Ok(Vec::new()), |node| node.list("a list of regions"))? {
        let region = Keys::read(node, "a region, an object with `cells`")?;
        groups.push(distinct(cells(region.need("cells")?, size)?.0));
    }
    let is_set = |key: &str| keys.get(key).map_or(Ok(false), |node| node.boolean("true or false"));
    if is_set("diagonal-")? {
        groups.push(distinct((0..size).map(|step| step * (size + 1)).collect()));
    }
    if is_set("diagonal+")? {
        groups.push(distinct((1..=size).map(|step| step * (size - 1)).collect()));
    }
    if is_set("disjointgroups")? {
        let (rows, cols) = usual_boxes(size).unwrap_or((1, size));
        let place = |cell: usize| (cell / size % rows) * cols + cell % size % cols;
        groups.extend(
            (0..size).map(|at| distinct((0..size * size).filter(|cell| place(*cell) == at).collect())),
        );
    }
    Ok(groups)
}

/// The solution, one list of the digits of all cells.
fn solution(node: Node<'_>, size: usize) -> Result<Grid, Fault> {
    const DIGIT: &str = "a digit, or null";
    let digit = |node: Node<'_>| {
        if node.is_null() {
            Ok(None)
        } else if node.is_text() {
            node.word(DIGIT)?.text.parse().map(Some).map_err(|_| node.unexpected(DIGIT))
        } else {
            node.number(DIGIT).map(Some)
        }
    };
    let list = node.list("the solution, a list of digits")?;
    let cells: Vec<Option<u8>> = list.into_iter().map(digit).collect::<Result<_, _>>()?;
    if cells.len() != size * size {
        let expected = format!("{} digits", size * size);
        return Err(Fault::unexpected(expected, cells.len().to_string(), node.span()));
    }
    Ok(Grid::from_cells(size, size, cells))
}
