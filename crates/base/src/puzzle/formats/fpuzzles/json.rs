//! Reading the JSON of f-puzzles.

use super::super::super::square::diagonals;
use super::super::super::{Grid, Group, Position, Puzzle, Role, box_of, usual_boxes};
use super::super::error::{Fault, Span};
use super::super::json;
use super::super::node::{JsonNode, Keys};
use super::labelled::{Label, LabelledCage, LabelledGrid};

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
    let mut keys = Keys::read(JsonNode::parse(record)?, "a puzzle, an object with `size` and `grid`")?;
    // A rule that is empty or switched off is none.
    keys.entries.retain(|entry| !matches!(entry.value.as_word().text, "[]" | "false" | "null"));
    let keys = keys.only(&[&RULES[..], &WORDS, &IGNORED].concat()).map_err(|fault| {
        let label = "a rule that kenga does not know: without it the puzzle would be another".to_owned();
        let known = format!("rules that kenga knows: givens, regions, {}", RULES[2..8].join(", "));
        Fault { label, ..fault }.help(known)
    })?;
    let place = keys.need("size")?;
    let size = json::size(place)?;
    let mut grid = contents(keys.need("grid")?, size, place.span())?;
    add_cages(&keys, &mut grid)?;
    add_variants(&keys, &mut grid)?;
    let mut puzzle = grid.build()?;
    if let Some(node) = keys.get("solution") {
        puzzle.solution = Some(solution(node, size)?);
    }
    for entry in &keys.entries {
        if WORDS.contains(&&*entry.key) {
            puzzle.meta.insert(entry.key.clone(), entry.value.value()?);
        }
    }
    Ok(puzzle)
}

/// The grid with its givens and regions.
fn contents(node: JsonNode<'_>, size: usize, place: Span) -> Result<LabelledGrid, Fault> {
    let mut grid = LabelledGrid::new(size, place);
    let mut region = Vec::with_capacity(size * size);
    let rows = node.list("the grid, a list of rows")?;
    for (row, cells) in rows.iter().enumerate() {
        let cells = cells.list("a row, a list of cells")?;
        if rows.len() != size || cells.len() != size {
            let found = format!("{} x {}", rows.len(), cells.len());
            return Err(Fault::unexpected(format!("{size} rows of {size} cells"), found, node.span()));
        }
        for (column, cell) in cells.into_iter().enumerate() {
            let keys = Keys::read(cell, "a cell, an object")?;
            // A value that is not given is progress of a solver.
            if keys.flag("given", false)?
                && let Some(value) = keys.get("value")
            {
                grid.givens.push((row, column, value.digit("a digit")?));
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
    grid.regions = members(&region);
    Ok(grid)
}

/// The region of a cell that names none: its box, or its row where a size has no boxes.
fn usual_region(cell: usize, size: usize) -> i64 {
    box_of(size, usual_boxes(size).unwrap_or((1, size)), cell) as i64
}

/// The cells of each region number, ascending.
fn members(region: &[Option<i64>]) -> Vec<Vec<usize>> {
    let mut numbers: Vec<i64> = region.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut members = vec![Vec::new(); numbers.len()];
    for (cell, number) in region.iter().enumerate() {
        if let Some(number) = number
            && let Ok(index) = numbers.binary_search(number)
        {
            members[index].push(cell);
        }
    }
    members
}

/// Adds the cages of a Killer, those without a sum as groups; and, where one of them or of the drawn cages has an
/// operator, the drawn cages that hold a clue.
fn add_cages(keys: &Keys<'_>, grid: &mut LabelledGrid) -> Result<(), Fault> {
    for node in keys.list("killercage", "a list of cages")? {
        let keys = Keys::read(node, "a cage, an object with `cells`")?;
        let (cells, spans) = cells(keys.need("cells")?, grid.size)?;
        match Label::read(keys.get("value"))? {
            Some(label) => grid.cages.push(LabelledCage { cells, spans, label, killer: true }),
            None => grid.groups.push(Group::all_different(Role::Region, cells)),
        }
    }
    let mut drawn = Vec::new();
    for node in keys.list("cage", "a list of cages")? {
        let keys = Keys::read(node, "a cage, an object with `cells`")?;
        // A label that is no clue belongs to a drawing.
        if let Ok(Some(label)) = Label::read(keys.get("value"))
            && let Some(node) = keys.get("cells")
        {
            let (cells, spans) = cells(node, grid.size)?;
            drawn.push(LabelledCage { cells, spans, label, killer: false });
        }
    }
    // A number in a drawn cage is decoration, unless labels are clues here.
    if grid.cages.iter().chain(&drawn).any(|cage| cage.label.operator.is_some()) {
        grid.cages.extend(drawn);
    }
    Ok(())
}

/// The row-major indices of cells named `R1C1`, each once, and their places.
fn cells(node: JsonNode<'_>, size: usize) -> Result<(Vec<usize>, Vec<Span>), Fault> {
    const CELL: &str = "a cell of the grid, such as \"R1C1\"";
    let (mut cells, mut spans) = (Vec::new(), Vec::new());
    for item in node.list("a list of cells")? {
        let index = match item.word(CELL)?.cell() {
            Some((row, column)) if row < size && column < size => row * size + column,
            _ => return Err(item.unexpected(CELL)),
        };
        if cells.contains(&index) {
            return Err(item.unexpected("a cell that does not occur earlier in the list"));
        }
        cells.push(index);
        spans.push(item.span());
    }
    if cells.is_empty() {
        return Err(node.unexpected("one cell or more"));
    }
    Ok((cells, spans))
}

/// Adds the groups of extra regions, of diagonals, and of cells in the same place of their boxes.
fn add_variants(keys: &Keys<'_>, grid: &mut LabelledGrid) -> Result<(), Fault> {
    let size = grid.size;
    let mut regions = Vec::new();
    for node in keys.list("extraregion", "a list of regions")? {
        let region = Keys::read(node, "a region, an object with `cells`")?;
        regions.push(cells(region.need("cells")?, size)?.0);
    }
    let [falling, rising] = diagonals(size);
    if keys.flag("diagonal-", false)? {
        regions.push(falling);
    }
    if keys.flag("diagonal+", false)? {
        regions.push(rising);
    }
    if keys.flag("disjointgroups", false)? {
        let shape = usual_boxes(size).unwrap_or((1, size));
        let mut groups = vec![Vec::new(); size];
        for cell in 0..size * size {
            groups[place_in_box((cell / size, cell % size), shape)].push(cell);
        }
        regions.extend(groups);
    }
    for cells in regions {
        grid.groups.push(Group::all_different(Role::Region, cells));
    }
    Ok(())
}

/// The index of a cell among those of its box.
fn place_in_box(cell: Position, shape: (usize, usize)) -> usize {
    let (rows, cols) = shape;
    cell.0 % rows * cols + cell.1 % cols
}

/// The solution, one list of the digits of all cells.
fn solution(node: JsonNode<'_>, size: usize) -> Result<Grid, Fault> {
    let mut cells = Vec::with_capacity(size * size);
    for node in node.list("the solution, a list of digits")? {
        cells.push(solution_digit(node)?);
    }
    if cells.len() != size * size {
        let expected = format!("{} digits", size * size);
        return Err(Fault::unexpected(expected, cells.len().to_string(), node.span()));
    }
    Ok(Grid::from_cells(size, size, cells))
}

/// A digit as a number or a text, or null.
fn solution_digit(node: JsonNode<'_>) -> Result<Option<u8>, Fault> {
    const DIGIT: &str = "a digit, or null";
    if node.is_null() {
        return Ok(None);
    }
    if node.is_text() {
        return node.word(DIGIT)?.text.parse().map(Some).map_err(|_| node.unexpected(DIGIT));
    }
    Ok(Some(node.digit(DIGIT)?))
}
