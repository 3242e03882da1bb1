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

use super::super::operators;
use super::super::square::boxes;
use super::super::{Cage, Clue, Group, Kind, Puzzle, Role, Square, boxes_of, usual_boxes};
use super::Format;
use super::cages::{
    Bare, CagePlaces, ClueWords, PlacedCages, Places, Region, build, build_regions, check_square,
    plain_cages, regions,
};
use super::error::{Fault, Span, WriteError};
use super::square_givens::square_givens;
use super::words::{Word, lines, span};

pub(super) const FORMAT: Format = Format {
    name: "clue_grid",
    about: "`4 4`, the size, then rows of clues, `24* . 2/ .`, then rows of regions, `1 1 2 2`; Killer too",
    many: false,
    recognise,
    end: str::len,
    read,
    write: Some(write),
};

/// The ways to write a cell without a clue, or in no region.
const BLANK: [&str; 3] = [".", "_", "-"];

type Rows<'a> = Vec<Vec<Word<'a>>>;

fn is_blank(word: &Word<'_>) -> bool {
    BLANK.contains(&word.text)
}

/// The cells of a line: its words, the parts between commas of a single one.
fn cells<'a>(line: &Word<'a>) -> Vec<Word<'a>> {
    match line.split()[..] {
        [only] if only.text.contains(',') => only.split_by(|c| c == ','),
        _ => line.split(),
    }
}

/// The names of the regions of a row: its words, or the characters of a single one.
fn names<'a>(words: &[Word<'a>], size: usize) -> Vec<Word<'a>> {
    match words {
        [only] if size > 1 && only.text.chars().count() == size => only.characters(),
        _ => words.to_vec(),
    }
}

/// The first line is the size, once or twice, and that many lines of clues and blanks follow. Where no clue has an
/// operator, which may be another format, regions must follow too.
fn recognise(text: &str) -> bool {
    let mut lines = lines(text).map(|line| cells(&line));
    let Some(size) = lines.next().and_then(|words| header(&words)) else { return false };
    let rows: Rows<'_> = lines.by_ref().take(size).collect();
    let clues = rows.concat();
    let is_square = |rows: &[Vec<Word<'_>>]| rows.len() == size && rows.iter().all(|row| row.len() == size);
    let is_clue =
        |word: &Word<'_>| ClueWords::take(&[*word]).is_some() && !word.text.contains([',', '\\', ':']);
    let below: Rows<'_> = lines.take(2 * size + 1).map(|words| names(&words, size)).collect();
    let is_name = |word: &Word<'_>| is_blank(word) || word.text.chars().all(char::is_alphanumeric);
    let has_regions = || {
        below.chunks(size).all(is_square)
            && (1..=2).contains(&(below.len() / size))
            && below.iter().flatten().all(is_name)
    };
    let given = || has_regions() && regions(&below[..size]).len() == size * size;
    is_square(&rows)
        && clues.iter().all(|word| is_blank(word) || is_clue(word))
        && clues.iter().any(|word| !is_blank(word))
        && (clues.iter().any(|word| !is_blank(word) && !is_bare(word))
            || (if clues.iter().any(is_blank) { has_regions() } else { given() }))
}

/// Says whether a clue has no operator.
fn is_bare(word: &Word<'_>) -> bool {
    word.number_end() == word.text.len()
}

/// The size in `4 4` or `4`.
fn header(words: &[Word<'_>]) -> Option<usize> {
    let size =
        words.first()?.text.parse().ok().filter(|size| (1..=super::super::MAX_DIGITS).contains(size))?;
    (words.len() <= 2 && words.iter().all(|word| word.text == words[0].text)).then_some(size)
}

fn read(record: &str) -> Result<(Puzzle, Span), Fault> {
    let lines: Rows<'_> = lines(record).map(|line| cells(&line)).collect();
    let head = &lines[0];
    let size = header(head).ok_or_else(|| head[0].unexpected("the size of the grid, as in `4 4`"))?;
    let has_boxes = lines.len() > 2 * size + 1;
    if let Some(line) = lines.get((if has_boxes { 3 } else { 2 }) * size + 1) {
        return Err(line[0].unexpected(format!("the end of the text after {size} rows of regions")));
    }
    let (clues, below) = lines[1..].split_at(size.min(lines.len() - 1));
    check_square(clues, size, "clues", record)?;
    let below: Rows<'_> = below.iter().map(|words| names(words, size)).collect();
    let (names, boxes) = below.split_at(size.min(below.len()));
    check_square(names, size, "regions", record)?;
    let is_blank_region = |region: &Region<'_>| is_blank(&region.name);
    let (outside, regions): (Vec<_>, Vec<_>) = regions(names).into_iter().partition(is_blank_region);
    let clued =
        regions.into_iter().map(|region| clue_of(clues, region)).collect::<Result<Vec<_>, Fault>>()?;
    if has_boxes {
        check_square(boxes, size, "boxes", record)?;
    }
    let puzzle = match has_boxes || !outside.is_empty() || are_sums(&clued, size) {
        true => killer(size, clued, boxes, head)?,
        false => build_regions(size, clued.into_iter().map(Ok), Bare::Hidden, span(head))?,
    };
    Ok((puzzle, 0..0))
}

/// The clue in one of the cells of a region.
fn clue_of<'a>(clues: &[Vec<Word<'a>>], region: Region<'a>) -> Result<(Region<'a>, ClueWords<'a>), Fault> {
    let words = region.cells.iter().map(|&(row, column)| clues[row][column]);
    let mut own = words.filter(|word| !is_blank(word));
    let Some(word) = own.next() else {
        let expected = format!("a clue in one cell of region `{}`", region.name.text);
        return Err(Fault::unexpected(expected, "none", region.name.span()));
    };
    if let Some(second) = own.next() {
        return Err(second
            .unexpected(format!("one clue in region `{}`, which has `{}`", region.name.text, word.text)));
    }
    let clue = ClueWords::take(&[word]).ok_or_else(|| word.unexpected("a clue such as `8+`, or `.`"))?.0;
    Ok((region, clue))
}

/// Says whether no clue has an operator and all add up to the sum of the cells of a Sudoku.
fn are_sums(clued: &[(Region<'_>, ClueWords<'_>)], size: usize) -> bool {
    let target = |(_, clue): &(Region<'_>, ClueWords<'_>)| clue.target.whole().ok();
    let total = clued.iter().map(target).try_fold(0_i64, |sum, target| sum.checked_add(target?));
    usual_boxes(size).is_some()
        && clued.iter().all(|(_, clue)| clue.operator.is_none())
        && clued.iter().any(|(region, _)| region.cells.len() > 1)
        && total == Some(total_of(size))
}

/// The sum of all cells of a Sudoku.
fn total_of(size: usize) -> i64 {
    (size * size * (size + 1) / 2) as i64
}

/// Builds the Killer of cages with their clues, with the boxes of a grid or the usual ones.
fn killer(
    size: usize,
    clued: Vec<(Region<'_>, ClueWords<'_>)>,
    names: &[Vec<Word<'_>>],
    head: &[Word<'_>],
) -> Result<Puzzle, Fault> {
    let mut cages: PlacedCages = Vec::new();
    for (region, clue) in clued {
        let plus = operators::find("+").expect("the table has the sum");
        let operator = clue.operator.map(|word| word.operator()).transpose()?;
        let places = CagePlaces {
            whole: clue.span(),
            operator: clue.operator.unwrap_or(clue.target).span(),
            target: clue.target.span(),
            cells: region.spans,
        };
        let cage = Cage::new(operator.unwrap_or(plus), clue.target.whole()?, region.cells);
        cages.push((Cage { repeats: operator.is_some(), ..cage }, places));
    }
    let own: Vec<Vec<usize>> = regions(names)
        .into_iter()
        .map(|region| region.cells.iter().map(|(row, column)| row * size + column).collect())
        .collect();
    let shape = match own.is_empty() {
        true => usual_boxes(size),
        false => (1..=size).filter(|rows| size.is_multiple_of(*rows)).map(|rows| (rows, size / rows)).find(
            |shape| {
                boxes(size, *shape).is_ok_and(|boxes| boxes.iter().all(|group| own.contains(&group.cells)))
            },
        ),
    };
    // The boxes of a Killer with other regions are its rows.
    let mut square = Square::killer(size, shape.unwrap_or((1, size)), Vec::new());
    if shape.is_none() {
        let region = |cells| Group { role: Role::Region, cells, distinct: true, clue: None };
        square.groups = own.into_iter().map(region).collect();
    }
    let place = span(head);
    let places = Places { size: place.clone(), digits: place.clone(), end: place, naming: "" };
    build(square, cages, &places)
}

fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let refused = |what| WriteError { format: FORMAT.name, what };
    match puzzle.kind {
        Kind::KenKen => {
            let cages = plain_cages(puzzle, FORMAT.name)?;
            let mut grid = Shown::new(puzzle.rows());
            cages.iter().for_each(|(cage, clue)| grid.add(cage, label(*clue)));
            Ok(grid.text())
        }
        Kind::Killer => killer_text(puzzle).map_err(refused),
        kind => Err(refused(format!("{}, only a KenKen or a Killer", kind.phrase()))),
    }
}

/// The text of a Killer, with a grid of its boxes where a reader could not know them.
fn killer_text(puzzle: &Puzzle) -> Result<String, String> {
    let size = puzzle.rows();
    let (shape, boxes) = boxes_of(puzzle).ok_or("a Killer without all its boxes")?;
    let cages: Vec<&Group> = puzzle.groups_with(Role::Cage).filter(|cage| cage.clue.is_some()).collect();
    let is_implied =
        |group: &Group| boxes.contains(group) || group.role == Role::Cage && group.clue.is_some();
    let givens = square_givens(puzzle, boxes.len() + cages.len(), is_implied)?;
    if givens.iter().any(Option::is_some) {
        return Err("givens besides the cages".to_owned());
    }
    if cages.is_empty() {
        return Err("a Killer without cages".to_owned());
    }
    let mut grid = Shown::new(size);
    let (mut total, mut plain) = (0_i64, true);
    for cage in &cages {
        let clue = cage.clue.expect("cages without a clue are left out");
        let is_sum = cage.distinct && matches!(clue.operator.symbol, "+" | "=");
        if cage.distinct && !is_sum {
            return Err(format!("`repeats: false`, as {} has", puzzle.group_name(cage)));
        }
        plain &= is_sum;
        total = total.saturating_add(clue.target);
        grid.add(cage, if is_sum { clue.target.to_string() } else { labelled(clue) });
    }
    let covers = grid.owner.iter().all(Option::is_some);
    let by_total = plain && total == total_of(size) && cages.iter().any(|cage| cage.cells.len() > 1);
    let known = usual_boxes(size) == Some(shape) && (!covers || by_total);
    let number = |cell: usize| (cell / size / shape.0 * shape.0 + cell % size / shape.1 + 1).to_string();
    let own = if known { String::new() } else { rows_of(size, number) };
    Ok(grid.text() + &own)
}

/// A clue as a grid shows it: the number alone where it is a given.
fn label(clue: Clue) -> String {
    if clue.operator.is_given() { clue.target.to_string() } else { labelled(clue) }
}

/// A clue with its operator.
fn labelled(clue: Clue) -> String {
    format!("{}{}", clue.target, clue.operator.symbol)
}

/// A grid of clues and one of regions.
struct Shown {
    size: usize,
    clues: Vec<String>,
    owner: Vec<Option<usize>>,
    count: usize,
}

impl Shown {
    fn new(size: usize) -> Self {
        let cells = size * size;
        Self { size, clues: vec![BLANK[0].to_owned(); cells], owner: vec![None; cells], count: 0 }
    }

    fn add(&mut self, cage: &Group, clue: String) {
        self.count += 1;
        self.clues[cage.cells[0]] = clue;
        cage.cells.iter().for_each(|cell| self.owner[*cell] = Some(self.count));
    }

    fn text(&self) -> String {
        let size = self.size;
        let owner =
            |cell: usize| self.owner[cell].map_or_else(|| BLANK[0].to_owned(), |owner| owner.to_string());
        format!("{size} {size}\n") + &rows_of(size, |cell| self.clues[cell].clone()) + &rows_of(size, owner)
    }
}

/// Rows of cells with spaces between them.
fn rows_of(size: usize, cell: impl Fn(usize) -> String) -> String {
    let row = |row: usize| (row * size..(row + 1) * size).map(&cell).collect::<Vec<_>>().join(" ") + "\n";
    (0..size).map(row).collect()
}
