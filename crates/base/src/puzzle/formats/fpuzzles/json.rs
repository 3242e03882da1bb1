//! Reading the JSON of f-puzzles.

use super::super::super::{Grid, Group, Puzzle, usual_boxes};
use super::super::error::{Fault, Span};
use super::super::json;
use super::super::node::{Keys, Node};
use super::labelled::{Label, LabelledCage, LabelledGrid, distinct};

/// The keys of the puzzle itself.
const RULES: [&str; 9] = [
    "size",
    "grid",
    "killercage",
    "cage",
    "extraregion",
    "diagonal+",
    "diagonal-",
    "disjointgroups",
    "solution",
];

/// Texts about the puzzle, kept in its `meta`.
pub(super) const WORDS: [&str; 3] = ["title", "author", "ruleset"];

/// Decoration and settings of the program, which are ignored.
const IGNORED: [&str; 11] = [
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

/// Reads the puzzle of an object.
pub(super) fn read(record: &str) -> Result<Puzzle, Fault> {
    let mut keys = Keys::read(Node::parse(record)?, "a puzzle, an object with `size` and `grid`")?;
    keys.entries.retain(|entry| !matches!(entry.value.as_word().text, "[]" | "false" | "null"));
    let keys = keys.only(&[&RULES[..], &WORDS, &IGNORED].concat()).map_err(|fault| {
        let known = format!("rules that kenga knows: givens, regions, {}", RULES[2..8].join(", "));
        Fault {
            label: "a rule that kenga does not know: without it the puzzle would be another".to_owned(),
            ..fault
        }
        .help(known)
    })?;
    let place = keys.need("size")?;
    let size = json::size(place)?;
    let mut grid = contents(keys.need("grid")?, size, place.span())?;
    add_cages(&keys, &mut grid)?;
    grid.groups.extend(variant_groups(&keys, size)?);
    let mut puzzle = grid.build()?;
    puzzle.solution = keys.get("solution").map(|node| solution(node, size)).transpose()?;
    for entry in keys.entries.iter().filter(|entry| WORDS.contains(&&*entry.key)) {
        puzzle.meta.insert(entry.key.clone(), entry.value.value()?);
    }
    Ok(puzzle)
}

/// The grid with its givens and regions.
fn contents(node: Node<'_>, size: usize, place: Span) -> Result<LabelledGrid, Fault> {
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
                None => Some(usual_region(row * size + column, size)),
                Some(node) if node.is_null() => None,
                Some(node) => Some(node.whole("the number of a region, or null")?),
            });
        }
    }
    if rows.is_empty() {
        return Err(node.unexpected(&format!("{size} rows of {size} cells")));
    }
    let (cages, groups) = (Vec::new(), Vec::new());
    Ok(LabelledGrid { size, givens, regions: members(&region), cages, groups, place })
}

/// The region of a cell that names none: its box, or its row where a size has no boxes.
fn usual_region(cell: usize, size: usize) -> i64 {
    let (rows, cols) = usual_boxes(size).unwrap_or((1, size));
    let (row, column) = (cell / size, cell % size);
    (row / rows * rows + column / cols) as i64
}

/// The cells of each region number, ascending.
fn members(region: &[Option<i64>]) -> Vec<Vec<usize>> {
    let mut numbers: Vec<i64> = region.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let cells = |number: i64| (0..region.len()).filter(|cell| region[*cell] == Some(number)).collect();
    numbers.into_iter().map(cells).collect()
}

/// Adds the cages of a Killer, those without a sum as groups; and, where one of them or of the drawn cages has an
/// operator, the drawn cages that hold a clue.
fn add_cages(keys: &Keys<'_>, grid: &mut LabelledGrid) -> Result<(), Fault> {
    let list = |key: &str| keys.get(key).map_or(Ok(Vec::new()), |node| node.list("a list of cages"));
    for node in list("killercage")? {
        let keys = Keys::read(node, "a cage, an object with `cells`")?;
        let (cells, spans) = cells(keys.need("cells")?, grid.size)?;
        match keys.get("value").map(Label::read).transpose()?.flatten() {
            Some(label) => grid.cages.push(LabelledCage { cells, spans, label, killer: true }),
            None => grid.groups.push(distinct(cells)),
        }
    }
    let mut drawn = Vec::new();
    for node in list("cage")? {
        let keys = Keys::read(node, "a cage, an object with `cells`")?;
        let label = keys.get("value").and_then(|value| Label::read(value).ok().flatten());
        if let (Some(label), Some(node)) = (label, keys.get("cells")) {
            let (cells, spans) = cells(node, grid.size)?;
            drawn.push(LabelledCage { cells, spans, label, killer: false });
        }
    }
    if grid.cages.iter().chain(&drawn).any(|cage| cage.label.operator.is_some()) {
        grid.cages.extend(drawn);
    }
    Ok(())
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

/// The cells of the diagonal that falls to the right, and of the one that rises.
pub(super) fn diagonals(size: usize) -> [Vec<usize>; 2] {
    [(0..size).map(|step| step * (size + 1)).collect(), (1..=size).map(|step| step * (size - 1)).collect()]
}

/// The groups of extra regions, of diagonals, and of cells in the same place of their boxes.
fn variant_groups(keys: &Keys<'_>, size: usize) -> Result<Vec<Group>, Fault> {
    let mut groups = Vec::new();
    for node in keys.get("extraregion").map_or(Ok(Vec::new()), |node| node.list("a list of regions"))? {
        let region = Keys::read(node, "a region, an object with `cells`")?;
        groups.push(distinct(cells(region.need("cells")?, size)?.0));
    }
    let is_set = |key: &str| keys.get(key).map_or(Ok(false), |node| node.boolean("true or false"));
    let [falling, rising] = diagonals(size);
    if is_set("diagonal-")? {
        groups.push(distinct(falling));
    }
    if is_set("diagonal+")? {
        groups.push(distinct(rising));
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
