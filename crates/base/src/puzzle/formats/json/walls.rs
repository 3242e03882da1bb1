//! KenKen in JSON with walls between cages: `{"size": 2, "walls": [[9, 3], [12, 6]], "clues": [["3+", null], …]}`.
//!
//! `walls` has a number for each cell, whose four bits are its sides; or a bit for each inner edge: `vertical` and
//! `horizontal`, each by rows or by columns, or both concatenated in `walls`. Programs differ in the side that a bit
//! means, in whether 1 is a wall or an opening, and in the order of edges. A reading is valid if it closes the outer
//! frame, where the numbers have one, agrees on both sides of each inner edge, and gives each cage one clue. All valid
//! readings must have the same cages.

use super::super::super::Puzzle;
use super::super::cages::{Bare, ClueWords, Region, build_regions};
use super::super::error::{Fault, Span};
use super::super::keen::cage_numbers;
use super::super::node::{Keys, Node};
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
    let size: usize = place.number("a size from 2 to 32")?;
    if !(2..=32).contains(&size) {
        return Err(place.unexpected("a size from 2 to 32"));
    }
    let clues = clues(keys, size)?;
    let (readings, span) = readings(keys, size)?;
    let mut partitions: Vec<Vec<usize>> = Vec::new();
    for open in readings {
        let owner = cage_numbers(size, open.into_iter());
        if one_each(&owner, &clues) && !partitions.contains(&owner) {
            partitions.push(owner);
        }
    }
    let owner = match partitions.as_slice() {
        [owner] => owner,
        [] => {
            let expected = "walls that divide the grid into cages of one clue each";
            return Err(Fault::unexpected(expected, "other walls", span));
        }
        _ => {
            let fault = Fault::unexpected("walls with one possible reading", "several readings", span);
            return Err(fault.help("write the cages with their cells instead"));
        }
    };
    let cages = clues.iter().enumerate().filter_map(|(cell, clue)| Some((cell, clue.as_ref()?)));
    let cages = cages.map(|(cell, clue)| {
        let cells = (0..size * size)
            .filter(|other| owner[*other] == owner[cell])
            .map(|cell| (cell / size, cell % size));
        let cells: Vec<(usize, usize)> = cells.collect();
        let spans = vec![clue.target.span(); cells.len()];
        Ok((Region { name: clue.target, cells, spans }, *clue))
    });
    build_regions(size, cages, Bare::Hidden, place.span())
}

/// Says whether every cage has one clue.
fn one_each(owner: &[usize], clues: &[Option<ClueWords<'_>>]) -> bool {
    let mut count = vec![0; owner.iter().max().map_or(0, |last| last + 1)];
    owner.iter().zip(clues).filter(|(_, clue)| clue.is_some()).for_each(|(cage, _)| count[*cage] += 1);
    count.iter().all(|count| *count == 1)
}

/// The clue of every cell: strings such as `"8+"`, or targets with operators in another list.
fn clues<'a>(keys: &Keys<'a>, size: usize) -> Result<Vec<Option<ClueWords<'a>>>, Fault> {
    const CLUE: &str = "a clue such as \"8+\", or null";
    let list = keys.need_one(&["clues", "targets", "T"])?;
    let cells = flat(list, size)?;
    let operators = keys.get_one(&["operators", "symbols", "S"])?.map(|list| flat(list, size)).transpose()?;
    let mut clues = Vec::new();
    for (index, cell) in cells.into_iter().enumerate() {
        let operator =
            operators.as_ref().map(|list| text(list[index], "an operator, a text, or null")).transpose()?;
        let operator = operator.flatten().filter(|word| !matches!(word.text.trim(), "" | "0" | "1" | "none"));
        let words = text(cell, CLUE)?.map_or_else(Vec::new, |word| word.split());
        let is_none = |word: &Word<'_>| match word.text {
            "0" => !cell.is_text() && operator.is_none(),
            text => [".", "_", "-"].contains(&text),
        };
        let blank = words.iter().all(is_none);
        let clue =
            ClueWords::take(&words).filter(|(_, rest)| rest.is_empty() && !blank).map(|(clue, _)| clue);
        if clue.is_none() && (!blank || operator.is_some()) {
            return Err(cell.unexpected(CLUE));
        }
        clues.push(clue.map(|clue| ClueWords { operator: clue.operator.or(operator), ..clue }));
    }
    Ok(clues)
}

/// The text of a cell; `None` for null.
fn text<'a>(node: Node<'a>, expected: &str) -> Result<Option<Word<'a>>, Fault> {
    if node.is_null() {
        return Ok(None);
    }
    if node.is_text() {
        node.word(expected).map(Some)
    } else {
        node.whole(expected).map(|_| Some(node.as_word()))
    }
}

/// One item for every cell, from a list or a list of rows.
fn flat<'a>(node: Node<'a>, size: usize) -> Result<Vec<Node<'a>>, Fault> {
    let rows = node.list("a list of rows")?;
    let mut cells = Vec::new();
    for row in rows {
        if row.is_list() { cells.extend(row.list("a row")?) } else { cells.push(row) }
    }
    match cells.len() == size * size {
        true => Ok(cells),
        false => {
            Err(Fault::unexpected(format!("{} cells", size * size), cells.len().to_string(), node.span()))
        }
    }
}

/// The edges without a wall in one reading, each as the cells on its sides.
type OpenEdges = Vec<(usize, usize)>;

/// All readings of the walls, and the place of the walls.
fn readings(keys: &Keys<'_>, size: usize) -> Result<(Vec<OpenEdges>, Span), Fault> {
    let edges = size * (size - 1);
    if let Some(walls) = keys.get("walls") {
        let bits = numbers(walls)?;
        let mut readings = Vec::new();
        if bits.len() == size * size && bits.iter().all(|bits| (0..16).contains(bits)) {
            readings.extend(of_cells(&bits, size));
        }
        if bits.len() == 2 * edges && bits.iter().all(|bit| (0..2).contains(bit)) {
            let (first, second) = bits.split_at(edges);
            readings.extend(of_edges(first, second, size));
            readings.extend(of_edges(second, first, size));
        }
        if readings.is_empty() && bits.len() != size * size && bits.len() != 2 * edges {
            let expected = format!("{} cells or {} inner edges", size * size, 2 * edges);
            return Err(Fault::unexpected(expected, bits.len().to_string(), walls.span()));
        }
        return Ok((readings, walls.span()));
    }
    let (vertical, horizontal) = (keys.need_one(&VERTICAL)?, keys.need_one(&HORIZONTAL)?);
    let (right, down) = (numbers(vertical)?, numbers(horizontal)?);
    for (bits, place) in [(&right, vertical), (&down, horizontal)] {
        if bits.len() != edges || bits.iter().any(|bit| !(0..2).contains(bit)) {
            let found = format!("{} numbers", bits.len());
            let expected = format!("{edges} bits, one for each inner edge");
            return Err(Fault::unexpected(expected, found, place.span()));
        }
    }
    Ok((of_edges(&right, &down, size), vertical.span()))
}

/// The numbers in lists of any depth, and the digits of strings.
fn numbers(node: Node<'_>) -> Result<Vec<i64>, Fault> {
    const BIT: &str = "a number, true or false";
    if node.is_list() {
        return Ok(node.list(BIT)?.into_iter().map(numbers).collect::<Result<Vec<_>, Fault>>()?.concat());
    }
    if node.is_text() {
        let digit = |word: Word<'_>| word.text.parse().map_err(|_| word.unexpected("0 or 1"));
        return node.word(BIT)?.characters().into_iter().map(digit).collect();
    }
    node.boolean(BIT).map(i64::from).or_else(|_| node.whole(BIT)).map(|number| vec![number])
}

/// The readings of four bits for each cell: any bit for any side, 1 a wall or an opening.
fn of_cells(bits: &[i64], size: usize) -> Vec<OpenEdges> {
    let mut readings = Vec::new();
    for order in orders() {
        for wall in [0, 1] {
            let is_wall = |cell: usize, side: usize| bits[cell] >> order[side] & 1 == wall;
            readings.extend(open_edges(&is_wall, size));
        }
    }
    readings
}

/// The ways to assign a bit to each of the sides up, right, down, left.
fn orders() -> impl Iterator<Item = [usize; 4]> {
    let digits = |code: usize| [code % 4, code / 4 % 4, code / 16 % 4, code / 64];
    (0..256).map(digits).filter(|order| (0..4).all(|bit| order.contains(&bit)))
}

/// The inner edges without a wall, where both sides of each agree and the frame is closed.
fn open_edges(is_wall: &dyn Fn(usize, usize) -> bool, size: usize) -> Option<OpenEdges> {
    let mut open = Vec::new();
    for cell in 0..size * size {
        let (row, column) = (cell / size, cell % size);
        for (at_edge, side, other) in [
            (row == 0, 0, cell.wrapping_sub(size)),
            (column == size - 1, 1, cell + 1),
            (row == size - 1, 2, cell + size),
            (column == 0, 3, cell.wrapping_sub(1)),
        ] {
            if at_edge && !is_wall(cell, side)
                || !at_edge && is_wall(cell, side) != is_wall(other, (side + 2) % 4)
            {
                return None;
            }
            if !at_edge && other > cell && !is_wall(cell, side) {
                open.push((cell, other));
            }
        }
    }
    Some(open)
}

/// The readings of a bit for each edge: edges by rows or by columns, 1 a wall or an opening.
fn of_edges(right: &[i64], down: &[i64], size: usize) -> Vec<OpenEdges> {
    let inner = size - 1;
    let by_rows = |bits: &[i64], columns: usize| -> Vec<(usize, usize, i64)> {
        bits.iter().enumerate().map(|(index, bit)| (index / columns, index % columns, *bit)).collect()
    };
    let by_columns = |bits: &[i64], rows: usize| -> Vec<(usize, usize, i64)> {
        bits.iter().enumerate().map(|(index, bit)| (index % rows, index / rows, *bit)).collect()
    };
    let mut readings = Vec::new();
    for across in [by_rows(right, inner), by_columns(right, size)] {
        for below in [by_rows(down, size), by_columns(down, inner)] {
            for way in [0, 1] {
                let open = |edges: &[(usize, usize, i64)], step: usize| -> OpenEdges {
                    let cell = |row: usize, column: usize| row * size + column;
                    let open = edges.iter().filter(|(.., bit)| *bit == way);
                    open.map(|(row, column, _)| (cell(*row, *column), cell(*row, *column) + step)).collect()
                };
                readings.push([open(&across, 1), open(&below, size)].concat());
            }
        }
    }
    readings
}
