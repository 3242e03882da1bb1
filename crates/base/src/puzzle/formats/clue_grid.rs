//! The size, a grid of clues, then a grid of regions; for a Killer, perhaps a grid of its boxes.
//!
//! ```text
//! 4 4
//! 8* . . 1-
//! 6+ 1- . .
//! . . 4* .
//! 3 2/ . .
//! 1 1 1 2
//! 3 4 4 2
//! 3 3 5 5
//! 6 7 7 5
//! ```
//!
//! A clue stands in one cell of its region, and `.`, `_` or `-` in the others. A number without an operator is a given
//! in a region of one cell; in a larger one its operator is hidden. The regions of a row may stand side by side, a
//! character each; commas may separate cells.
//!
//! It is a Killer where a third grid tells its boxes, where a cell lies in no region (`.`, `_`, `-`), or where no clue has
//! an operator and the clues add up to the sum of all cells of a Sudoku. Its bare numbers are sums of distinct digits.

use super::super::operators::ADD;
use super::super::square::shape_among;
use super::super::{
    Cage, Clue, Group, Kind, MAX_DIGITS, Puzzle, Role, Square, box_of, boxes_of, indices, usual_boxes,
};
use super::Format;
use super::cages::{
    Bare, ClueWords, CluedRegion, PlacedCage, Places, Region, build, build_clued, check_square, regions,
};
use super::contents::{plain_cages, square_givens};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, lines, rows_text, span};

pub(super) const FORMAT: Format = Format::new(
    "clue_grid",
    "`4 4`, the size, then rows of clues, `24* . 2/ .`, then rows of regions, `1 1 2 2`; Killer too",
    recognise,
    read,
)
.written_by(write);

/// The ways to write a cell without a clue, or in no region.
const BLANK: [&str; 3] = [".", "_", "-"];

type Rows<'a> = Vec<Vec<Word<'a>>>;

fn is_blank(word: &Word<'_>) -> bool {
    BLANK.contains(&word.text)
}

/// The cells of a line: its words, the parts between commas of a single one.
fn cells<'a>(line: &Word<'a>) -> Vec<Word<'a>> {
    match line.split()[..] {
        [only] if only.text.contains(',') => only.split_at_marks(&[',']),
        _ => line.split(),
    }
}

/// The names of the regions of rows: their words, or the characters of a single one.
fn names<'a>(rows: &[Vec<Word<'a>>], size: usize) -> Rows<'a> {
    let mut names = Vec::with_capacity(rows.len());
    for words in rows {
        match words[..] {
            [only] if size > 1 && only.text.chars().count() == size => names.push(only.characters()),
            _ => names.push(words.clone()),
        }
    }
    names
}

/// The first line is the size, once or twice, and that many lines of clues and blanks follow. Where no clue has an
/// operator, which may be another format, regions must follow too.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text);
    let Some(size) = lines.next().and_then(|line| header(&cells(&line))) else { return false };
    // Up to two grids stand below the clues; a further line tells that there is more.
    let rows: Rows<'_> = lines.take(3 * size + 1).map(|line| cells(&line)).collect();
    let (clues, below) = rows.split_at(size.min(rows.len()));
    if !is_square(clues, size) {
        return false;
    }
    let (mut blanks, mut calculations) = (0, 0);
    for word in clues.iter().flatten() {
        if is_blank(word) {
            blanks += 1;
        } else if ClueWords::take(&[*word]).is_none() || word.text.contains([',', '\\', ':']) {
            return false;
        } else if word.number_end() < word.text.len() {
            calculations += 1;
        }
    }
    if blanks == size * size || calculations > 0 {
        return blanks < size * size;
    }
    let below = names(below, size);
    // Without a blank every cell has a clue: a region of its own.
    has_regions(&below, size) && (blanks > 0 || regions(&below[..size]).len() == size * size)
}

fn is_square(rows: &[Vec<Word<'_>>], size: usize) -> bool {
    rows.len() == size && rows.iter().all(|row| row.len() == size)
}

/// Says whether rows are one grid of names, or two.
fn has_regions(rows: &[Vec<Word<'_>>], size: usize) -> bool {
    if rows.len() != size && rows.len() != 2 * size {
        return false;
    }
    for row in rows {
        let names = row.iter().filter(|word| is_blank(word) || word.text.chars().all(char::is_alphanumeric));
        if row.len() != size || names.count() != size {
            return false;
        }
    }
    true
}

/// The size in `4 4` or `4`.
fn header(words: &[Word<'_>]) -> Option<usize> {
    let size = words.first()?.text.parse().ok()?;
    let is_size = words.len() <= 2 && words.iter().all(|word| word.text == words[0].text);
    (is_size && (1..=MAX_DIGITS).contains(&size)).then_some(size)
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines: Rows<'_> = lines(record).map(|line| cells(&line)).collect();
    let head = &lines[0];
    let size = header(head).ok_or_else(|| head[0].unexpected("the size of the grid, as in `4 4`"))?;
    // The lines after the regions tell whether there is a third grid.
    let has_boxes = lines.len() > 2 * size + 1;
    let grids = if has_boxes { 3 } else { 2 };
    if let Some(line) = lines.get(grids * size + 1) {
        return Err(line[0].unexpected(format!("the end of the text after {size} rows of regions")));
    }
    let (clues, below) = lines[1..].split_at(size.min(lines.len() - 1));
    check_square(clues, size, "clues", record)?;
    let below = names(below, size);
    let (names, boxes) = below.split_at(size.min(below.len()));
    check_square(names, size, "regions", record)?;
    let mut clued = Vec::new();
    let mut is_killer = has_boxes;
    for region in regions(names) {
        // Cells outside all cages, which only a Killer has.
        if is_blank(&region.name) {
            is_killer = true;
        } else {
            let clue = clue_of(clues, &region)?;
            clued.push(CluedRegion { region, clue });
        }
    }
    if has_boxes {
        check_square(boxes, size, "boxes", record)?;
    }
    if is_killer || are_sums(&clued, size) {
        return Ok((killer(size, clued, boxes, span(head))?, 0..0));
    }
    Ok((build_clued(size, clued, Bare::Hidden, span(head))?, 0..0))
}

/// The clue in one of the cells of a region.
fn clue_of<'a>(clues: &[Vec<Word<'a>>], region: &Region<'a>) -> Result<ClueWords<'a>, Fault> {
    let mut own: Option<Word<'a>> = None;
    for &(row, column) in &region.cells {
        let word = clues[row][column];
        if is_blank(&word) {
            continue;
        }
        if let Some(first) = own {
            let expected = format!("one clue in region `{}`, which has `{}`", region.name.text, first.text);
            return Err(word.unexpected(expected));
        }
        own = Some(word);
    }
    let Some(word) = own else {
        let expected = format!("a clue in one cell of region `{}`", region.name.text);
        return Err(Fault::unexpected(expected, "none", region.name.span()));
    };
    match ClueWords::take(&[word]) {
        Some((clue, _)) => Ok(clue),
        None => Err(word.unexpected("a clue such as `8+`, or `.`")),
    }
}

/// Says whether no clue has an operator and all add up to the sum of the cells of a Sudoku.
fn are_sums(clued: &[CluedRegion<'_>], size: usize) -> bool {
    let mut total = 0_i64;
    for CluedRegion { clue, .. } in clued {
        let Ok(target) = clue.target.whole() else { return false };
        match total.checked_add(target) {
            Some(sum) if clue.operator.is_none() => total = sum,
            _ => return false,
        }
    }
    usual_boxes(size).is_some() && total == total_of(size) && clued.iter().any(|of| of.region.cells.len() > 1)
}

/// The sum of all cells of a Sudoku.
fn total_of(size: usize) -> i64 {
    (size * size * (size + 1) / 2) as i64
}

/// Builds the Killer of cages with their clues, with the boxes of a grid or the usual ones; `head` is the place of the
/// size.
fn killer(
    size: usize,
    clued: Vec<CluedRegion<'_>>,
    names: &[Vec<Word<'_>>],
    head: Span,
) -> Result<Puzzle, Fault> {
    let mut cages = Vec::with_capacity(clued.len());
    for CluedRegion { region, clue } in clued {
        let operator = clue.known_operator()?;
        let cage = Cage::new(operator.unwrap_or(ADD), clue.target.whole()?, region.cells);
        // An operator says that digits may repeat, as in a KenKen.
        let cage = Cage { repeats: operator.is_some(), ..cage };
        cages.push(PlacedCage { cage, places: clue.places(region.spans) });
    }
    let mut own = Vec::new();
    for region in regions(names) {
        own.push(indices(&region.cells, size));
    }
    let shape = if own.is_empty() { usual_boxes(size) } else { shape_among(size, 1, &own) };
    // The boxes of a Killer with other regions are its rows.
    let mut square = Square::killer(size, shape.unwrap_or((1, size)), Vec::new());
    if shape.is_none() {
        square.groups = own.into_iter().map(|cells| Group::all_different(Role::Region, cells)).collect();
    }
    build(square, cages, &Places::at(head, ""))
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    match puzzle.kind {
        Kind::KenKen => {
            let mut grid = CluesAndRegions::new(puzzle.rows());
            for (cage, clue) in plain_cages(puzzle, FORMAT.name)? {
                let is_given = clue.operator.is_given();
                grid.add(cage, if is_given { clue.target.to_string() } else { with_operator(clue) });
            }
            Ok(grid.text())
        }
        Kind::Killer => killer_text(puzzle).map_err(|what| WriteError::new(FORMAT.name, what)),
        kind => Err(WriteError::new(FORMAT.name, format!("{}, only a KenKen or a Killer", kind.phrase()))),
    }
}

/// The text of a Killer, with a grid of its boxes where a reader could not know them.
fn killer_text(puzzle: &Puzzle) -> Result<String, String> {
    let size = puzzle.rows();
    let (shape, boxes) = boxes_of(puzzle).ok_or("a Killer without all its boxes")?;
    let cages: Vec<&Group> = puzzle.groups_with(Role::Cage).filter(|cage| cage.clue.is_some()).collect();
    let givens = square_givens(puzzle, boxes.len() + cages.len(), &|group| {
        boxes.contains(group) || group.role == Role::Cage && group.clue.is_some()
    })?;
    if givens.iter().any(Option::is_some) {
        return Err("givens besides the cages".to_owned());
    }
    if cages.is_empty() {
        return Err("a Killer without cages".to_owned());
    }
    let mut grid = CluesAndRegions::new(size);
    let (mut total, mut are_all_sums, mut has_large) = (0_i64, true, false);
    for cage in cages {
        let clue = cage.clue.expect("cages without a clue are left out");
        let is_sum = cage.distinct && matches!(clue.operator.symbol, "+" | "=");
        if cage.distinct && !is_sum {
            return Err(format!("`repeats: false`, as {} has", puzzle.group_name(cage)));
        }
        are_all_sums &= is_sum;
        has_large |= cage.cells.len() > 1;
        total = total.saturating_add(clue.target);
        grid.add(cage, if is_sum { clue.target.to_string() } else { with_operator(clue) });
    }
    let mut text = grid.text();
    // A reader takes the usual boxes for granted where it sees that this is a Killer.
    let is_known_by_sum = are_all_sums && has_large && total == total_of(size);
    let is_known = !grid.covers() || is_known_by_sum;
    if usual_boxes(size) != Some(shape) || !is_known {
        let boxes: Vec<String> =
            (0..size * size).map(|cell| (box_of(size, shape, cell) + 1).to_string()).collect();
        text += &rows_text(&boxes, size, " ");
    }
    Ok(text)
}

/// A clue with its operator.
fn with_operator(clue: Clue) -> String {
    format!("{}{}", clue.target, clue.operator.symbol)
}

/// A grid of clues and one of regions.
struct CluesAndRegions {
    size: usize,
    clues: Vec<String>,
    owner: Vec<String>,
    count: usize,
}

impl CluesAndRegions {
    fn new(size: usize) -> Self {
        let blank = vec![BLANK[0].to_owned(); size * size];
        Self { size, clues: blank.clone(), owner: blank, count: 0 }
    }

    fn add(&mut self, cage: &Group, clue: String) {
        self.count += 1;
        self.clues[cage.cells[0]] = clue;
        for &cell in &cage.cells {
            self.owner[cell] = self.count.to_string();
        }
    }

    /// Says whether every cell lies in a cage.
    fn covers(&self) -> bool {
        self.owner.iter().all(|owner| owner != BLANK[0])
    }

    fn text(&self) -> String {
        let size = self.size;
        format!("{size} {size}\n") + &rows_text(&self.clues, size, " ") + &rows_text(&self.owner, size, " ")
    }
}
