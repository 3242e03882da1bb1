//! KenKen in JSON with walls between cages: `{"size": 2, "walls": [[9, 3], [12, 6]], "clues": [["3+", null], …]}`.
//!
//! `walls` has a number for each cell, whose four bits are its sides; or a bit for each inner edge: `vertical` and
//! `horizontal`, each by rows or by columns, or both concatenated in `walls`. Programs differ in the side that a bit
//! means, in whether 1 is a wall or an opening, and in the order of edges. A reading is valid if it closes the outer
//! frame, where the numbers have one, agrees on both sides of each inner edge, and gives each cage one clue. All valid
//! readings must have the same cages.

use super::super::super::{Puzzle, positions};
use super::super::cages::{Bare, ClueWords, Region, build_kenken, cage_cells, cage_numbers, clued_cage};
use super::super::error::{Fault, Span};
use super::super::node::{JsonNode, Keys};
use super::super::words::Word;
use super::kinds::SIZE_KEYS;

/// The keys besides those of every puzzle.
pub(super) const KEYS: [&str; 14] = [
    "size",
    "n",
    "walls",
    "vertical",
    "horizontal",
    "V",
    "H",
    "clues",
    "targets",
    "T",
    "operators",
    "symbols",
    "S",
    "width",
];

const VERTICAL: [&str; 2] = ["vertical", "V"];
const HORIZONTAL: [&str; 2] = ["horizontal", "H"];

/// Says whether the object has walls.
pub(super) fn are_in(keys: &Keys<'_>) -> bool {
    ["walls", "vertical", "V"].into_iter().any(|key| keys.get(key).is_some())
}

pub(super) fn read(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let place = keys.need_one(&SIZE_KEYS)?;
    let size = place.number("a size from 2 to 32")?;
    if !(2..=32).contains(&size) {
        return Err(place.unexpected("a size from 2 to 32"));
    }
    let clues = clues(keys, size)?;
    let (readings, span) = readings(keys, size)?;
    let mut partitions: Vec<Vec<usize>> = Vec::new();
    for open in readings {
        let numbers = cage_numbers(size, &open);
        if one_each(&numbers, &clues) && !partitions.contains(&numbers) {
            partitions.push(numbers);
        }
    }
    // Two readings with the same cages are one: only the cages matter.
    if partitions.len() > 1 {
        let fault = Fault::unexpected("walls with one possible reading", "several readings", span);
        return Err(fault.help("write the cages with their cells instead"));
    }
    let Some(numbers) = partitions.first() else {
        let expected = "walls that divide the grid into cages of one clue each";
        return Err(Fault::unexpected(expected, "other walls", span));
    };
    let all = cage_cells(numbers);
    let mut cages = Vec::with_capacity(all.len());
    for (cell, clue) in clues.iter().enumerate() {
        let Some(clue) = clue else { continue };
        let cells = positions(&all[numbers[cell]], size);
        let spans = vec![clue.target.span(); cells.len()];
        cages.push(clued_cage(Region { name: clue.target, cells, spans }, *clue, Bare::Hidden)?);
    }
    build_kenken(size, cages, place.span())
}

/// Says whether every cage has one clue.
fn one_each(numbers: &[usize], clues: &[Option<ClueWords<'_>>]) -> bool {
    let mut has_clue = vec![false; numbers.len()];
    let mut cages = 0;
    let mut clued = 0;
    for (&number, clue) in numbers.iter().zip(clues) {
        cages = cages.max(number + 1);
        if clue.is_some() {
            if has_clue[number] {
                return false;
            }
            has_clue[number] = true;
            clued += 1;
        }
    }
    clued == cages
}

/// The clue of every cell: strings such as `"8+"`, or targets with operators in another list.
fn clues<'a>(keys: &Keys<'a>, size: usize) -> Result<Vec<Option<ClueWords<'a>>>, Fault> {
    let cells = flat(keys.need_one(&["clues", "targets", "T"])?, size)?;
    let operators = match keys.get_one(&["operators", "symbols", "S"])? {
        Some(list) => flat(list, size)?,
        None => Vec::new(),
    };
    let mut clues = Vec::new();
    for (index, cell) in cells.into_iter().enumerate() {
        let operator = match operators.get(index) {
            Some(node) => operator(*node)?,
            None => None,
        };
        clues.push(clue(cell, operator)?);
    }
    Ok(clues)
}

/// The operator in a cell of their list, if there is one.
fn operator(node: JsonNode<'_>) -> Result<Option<Word<'_>>, Fault> {
    let word = text(node, "an operator, a text, or null")?;
    Ok(word.filter(|word| !matches!(word.text.trim(), "" | "0" | "1" | "none")))
}

/// The clue in a cell, if there is one, with the operator that another list has for it.
fn clue<'a>(cell: JsonNode<'a>, operator: Option<Word<'a>>) -> Result<Option<ClueWords<'a>>, Fault> {
    const CLUE: &str = "a clue such as \"8+\", or null";
    let words = text(cell, CLUE)?.map_or_else(Vec::new, |word| word.split());
    let mut is_blank = true;
    for word in &words {
        // Programs write a cell without a clue as null, as a mark, or as the number 0; `-` alone is such a mark
        // and no operator.
        is_blank &= match word.text {
            "." | "_" | "-" => true,
            "0" => !cell.is_text() && operator.is_none(),
            _ => false,
        };
    }
    if is_blank && operator.is_none() {
        return Ok(None);
    }
    match ClueWords::only(&words) {
        Some(clue) if !is_blank => Ok(Some(ClueWords { operator: clue.operator.or(operator), ..clue })),
        _ => Err(cell.unexpected(CLUE)),
    }
}

/// The text of a cell; `None` for null.
fn text<'a>(node: JsonNode<'a>, expected: &str) -> Result<Option<Word<'a>>, Fault> {
    if node.is_null() {
        return Ok(None);
    }
    if !node.is_text() {
        node.whole(expected)?;
    }
    node.unquoted(expected).map(Some)
}

/// One item for every cell, from a list or a list of rows.
fn flat<'a>(node: JsonNode<'a>, size: usize) -> Result<Vec<JsonNode<'a>>, Fault> {
    let mut cells = Vec::new();
    for row in node.list("a list of rows")? {
        if row.is_list() {
            cells.extend(row.list("a row")?);
        } else {
            cells.push(row);
        }
    }
    if cells.len() != size * size {
        let expected = format!("{} cells", size * size);
        return Err(Fault::unexpected(expected, cells.len().to_string(), node.span()));
    }
    Ok(cells)
}

/// The edges without a wall in one reading, each as the cells on its sides.
type OpenEdges = Vec<(usize, usize)>;

/// All readings of the walls, and the place of the walls.
fn readings(keys: &Keys<'_>, size: usize) -> Result<(Vec<OpenEdges>, Span), Fault> {
    let (cells, edges) = (size * size, size * (size - 1));
    let Some(walls) = keys.get("walls") else {
        let (vertical, horizontal) = (keys.need_one(&VERTICAL)?, keys.need_one(&HORIZONTAL)?);
        let (right, down) = (numbers(vertical)?, numbers(horizontal)?);
        for (bits, place) in [(&right, vertical), (&down, horizontal)] {
            if bits.len() != edges || !are_below(2, bits) {
                let found = format!("{} numbers", bits.len());
                let expected = format!("{edges} bits, one for each inner edge");
                return Err(Fault::unexpected(expected, found, place.span()));
            }
        }
        let mut readings = Vec::new();
        add_readings_of_edges(&right, &down, size, &mut readings);
        return Ok((readings, vertical.span()));
    };
    let bits = numbers(walls)?;
    if bits.len() != cells && bits.len() != 2 * edges {
        let expected = format!("{cells} cells or {} inner edges", 2 * edges);
        return Err(Fault::unexpected(expected, bits.len().to_string(), walls.span()));
    }
    // In a grid of 2 x 2 there are as many cells as inner edges, so that one list may be either.
    let mut readings = Vec::new();
    if bits.len() == cells && are_below(16, &bits) {
        add_readings_of_cells(&bits, size, &mut readings);
    }
    if bits.len() == 2 * edges && are_below(2, &bits) {
        let (first, second) = bits.split_at(edges);
        add_readings_of_edges(first, second, size, &mut readings);
        add_readings_of_edges(second, first, size, &mut readings);
    }
    Ok((readings, walls.span()))
}

fn are_below(bound: i64, bits: &[i64]) -> bool {
    bits.iter().all(|bit| (0..bound).contains(bit))
}

/// The numbers in lists of any depth, and the digits of strings.
fn numbers(node: JsonNode<'_>) -> Result<Vec<i64>, Fault> {
    const BIT: &str = "a number, true or false";
    let mut found = Vec::new();
    if node.is_list() {
        for item in node.list(BIT)? {
            found.extend(numbers(item)?);
        }
    } else if node.is_text() {
        for word in node.word(BIT)?.characters() {
            found.push(word.text.parse().map_err(|_| word.unexpected("0 or 1"))?);
        }
    } else if let Ok(bit) = node.boolean(BIT) {
        found.push(i64::from(bit));
    } else {
        found.push(node.whole(BIT)?);
    }
    Ok(found)
}

/// Adds the readings of four bits for each cell: any bit for any side, 1 a wall or an opening.
fn add_readings_of_cells(bits: &[i64], size: usize, readings: &mut Vec<OpenEdges>) {
    for code in 0..256 {
        // The bit of each of the sides up, right, down, left.
        let order = [code % 4, code / 4 % 4, code / 16 % 4, code / 64];
        if (0..4).all(|bit| order.contains(&bit)) {
            for wall in [0, 1] {
                readings.extend(open_edges(&CellWalls { bits, order, wall }, size));
            }
        }
    }
}

/// Four bits for each cell, and what they mean.
struct CellWalls<'a> {
    bits: &'a [i64],
    /// The bit of each side.
    order: [usize; 4],
    /// The value of a bit that is a wall.
    wall: i64,
}

impl CellWalls<'_> {
    fn is_wall(&self, cell: usize, side: usize) -> bool {
        self.bits[cell] >> self.order[side] & 1 == self.wall
    }
}

/// The inner edges without a wall, where both sides of each agree and the frame is closed.
fn open_edges(walls: &CellWalls<'_>, size: usize) -> Option<OpenEdges> {
    let mut open = Vec::new();
    for cell in 0..size * size {
        let (row, column) = (cell / size, cell % size);
        for (at_frame, side, other) in [
            (row == 0, 0, cell.wrapping_sub(size)),
            (column == size - 1, 1, cell + 1),
            (row == size - 1, 2, cell + size),
            (column == 0, 3, cell.wrapping_sub(1)),
        ] {
            let is_wall = walls.is_wall(cell, side);
            if at_frame {
                if !is_wall {
                    return None;
                }
                continue;
            }
            if is_wall != walls.is_wall(other, (side + 2) % 4) {
                return None;
            }
            // Each edge once, from its first cell.
            if other > cell && !is_wall {
                open.push((cell, other));
            }
        }
    }
    Some(open)
}

/// Adds the readings of a bit for each edge: edges by rows or by columns, 1 a wall or an opening.
fn add_readings_of_edges(right: &[i64], down: &[i64], size: usize, readings: &mut Vec<OpenEdges>) {
    for right_by_rows in [true, false] {
        for down_by_rows in [true, false] {
            for way in [0, 1] {
                let mut open = Vec::new();
                for (index, bit) in right.iter().enumerate() {
                    let (row, column) = edge_place(index, (size, size - 1), right_by_rows);
                    if *bit == way {
                        open.push((row * size + column, row * size + column + 1));
                    }
                }
                for (index, bit) in down.iter().enumerate() {
                    let (row, column) = edge_place(index, (size - 1, size), down_by_rows);
                    if *bit == way {
                        open.push((row * size + column, (row + 1) * size + column));
                    }
                }
                readings.push(open);
            }
        }
    }
}

/// Row and column of the edge with an index, of so many rows and columns of edges.
fn edge_place(index: usize, shape: (usize, usize), by_rows: bool) -> (usize, usize) {
    let (rows, columns) = shape;
    if by_rows { (index / columns, index % columns) } else { (index % rows, index / rows) }
}
