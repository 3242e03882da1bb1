//! What formats with cages share: cages with their places in the text, so that a structural defect is shown there;
//! clues and regions; and the cages of a puzzle, for formats that can hold nothing else.

use super::super::operators::{self, GIVEN};
use super::super::{Cage, Clue, Defect, Group, Kind, MAX_DIGITS, Puzzle, Role, Square, cell_name};
use super::error::{Fault, Span, WriteError};
use super::words::{Word, span, truncated};

/// The places of the parts of a cage or of a Kakuro's entry.
#[derive(Debug)]
pub(super) struct CagePlaces {
    pub(super) whole: Span,
    pub(super) operator: Span,
    pub(super) target: Span,
    /// One for each cell, in the order of the cage's cells.
    pub(super) cells: Vec<Span>,
}

/// Cages with their places.
pub(super) type PlacedCages = Vec<(Cage, CagePlaces)>;

/// Rows and columns of a grid.
pub(super) type GridShape = (usize, usize);

/// The places of the other parts of a puzzle.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) size: Span,
    pub(super) digits: Span,
    /// The place for a missing cage.
    pub(super) end: Span,
    /// How the format names cells.
    pub(super) naming: &'static str,
}

/// Builds the puzzle that has these cages; a defect becomes a fault at its place.
pub(super) fn build(square: Square, cages: PlacedCages, places: &Places) -> Result<Puzzle, Fault> {
    let (cages, at): (Vec<Cage>, Vec<CagePlaces>) = cages.into_iter().unzip();
    let square = Square { cages, ..square };
    square.clone().build().map_err(|defect| {
        let part = defect.part().map(|index| (&*square.cages[index].cells, &at[index]));
        locate(defect, part, places)
    })
}

/// Shows a defect in the text. `part` is the cage or entry with the defect: its cells and its places.
pub(super) fn locate(
    defect: Defect,
    part: Option<(&[(usize, usize)], &CagePlaces)>,
    places: &Places,
) -> Fault {
    let (span, label) = match (&defect, part) {
        (Defect::Size(_), _) => (places.size.clone(), "expected a size from 1 to 32".to_owned()),
        (Defect::Digits { .. }, _) => (places.digits.clone(), "expected 1 to 32 different digits".to_owned()),
        (Defect::Uncovered(cell), _) => {
            (places.end.clone(), format!("no cage before this has {}", cell_name(cell.0, cell.1)))
        }
        (Defect::Outside { cell, .. }, Some(part)) => {
            (cell_span(part, *cell), format!("expected a cell of the grid: {}", places.naming))
        }
        (Defect::CageOverlap { cell, first, .. }, Some(part)) => {
            (cell_span(part, *cell), format!("cage {} already has this cell", first + 1))
        }
        (Defect::Disconnected { cell, .. }, Some(part)) => {
            (cell_span(part, *cell), "this cell shares no edge with the rest of its cage".to_owned())
        }
        (Defect::NotStraight { cell, .. }, Some(part)) => {
            (cell_span(part, *cell), "expected cells side by side in one row or one column".to_owned())
        }
        (Defect::EntryOverlap { cell, .. }, Some(part)) => {
            (cell_span(part, *cell), "expected a cell without another run in this direction".to_owned())
        }
        (Defect::Negative { .. }, Some((_, at))) => (at.target.clone(), "expected 0 or more".to_owned()),
        (Defect::Arity { cells, .. }, Some((_, at))) => {
            (at.operator.clone(), format!("expected an operator for {cells} cells"))
        }
        (_, Some((_, at))) => (at.whole.clone(), "expected one cell or more".to_owned()),
        (_, None) => (places.end.clone(), "in this puzzle".to_owned()),
    };
    Fault::new(defect, span, label)
}

/// The place of the last mention of a cell in a part.
fn cell_span((cells, at): (&[(usize, usize)], &CagePlaces), cell: (usize, usize)) -> Span {
    let index = cells.iter().rposition(|other| *other == cell);
    index.and_then(|index| at.cells.get(index)).unwrap_or(&at.whole).clone()
}

/// The cells that share a name, and their places.
#[derive(Debug)]
pub(super) struct Region<'a> {
    /// The first occurrence of the name.
    pub(super) name: Word<'a>,
    /// `(row, column)`, row by row.
    pub(super) cells: Vec<(usize, usize)>,
    pub(super) spans: Vec<Span>,
}

/// A clue in the text: `8+`, `8 +`, `+8`, `+ 8`, or a bare `8`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClueWords<'a> {
    pub(super) target: Word<'a>,
    pub(super) operator: Option<Word<'a>>,
}

/// What a bare number over several cells means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// A clue whose operator is hidden.
    Hidden,
    /// A clue that lacks its operator.
    Incomplete,
}

impl<'a> ClueWords<'a> {
    /// The clue at the start of some words, and the words after it. `None` where the words do not start with a number,
    /// or with an operator and a number.
    pub(super) fn take<'b>(words: &'b [Word<'a>]) -> Option<(Self, &'b [Word<'a>])> {
        let (first, rest) = words.split_first()?;
        let is_operator = |word: &&Word<'_>| !word.starts_number() && word.cell().is_none();
        let next = rest.first().filter(is_operator).copied();
        let negative = first.text.starts_with('-') && next.is_some_and(|word| word.is_operator());
        if first.starts_number() || negative && first.split_at(1).1.starts_number() {
            let (target, glued) = first.split_at(first.number_end());
            return Some(match (glued.text.is_empty(), next) {
                (false, _) => (Self { target, operator: Some(glued) }, rest),
                (true, Some(operator)) => (Self { target, operator: Some(operator) }, &rest[1..]),
                (true, None) => (Self { target, operator: None }, rest),
            });
        }
        let digit = first.text.find(|c: char| c.is_ascii_digit()).unwrap_or(first.text.len());
        let (operator, target) = first.split_at(digit);
        if !target.text.is_empty() {
            let whole = target.number_end() == target.text.len();
            return whole.then_some((Self { target, operator: Some(operator) }, rest));
        }
        let (target, rest) = rest.split_first().filter(|(word, _)| word.starts_number())?;
        Some((Self { target: *target, operator: Some(operator) }, rest))
    }

    /// From its first character to its last.
    pub(super) fn span(&self) -> Span {
        let (target, operator) =
            (self.target.span(), self.operator.map_or(self.target.span(), |word| word.span()));
        target.start.min(operator.start)..target.end.max(operator.end)
    }
}

/// The cells of every name, in the order of the names' first occurrences.
pub(super) fn regions<'a>(rows: &[Vec<Word<'a>>]) -> Vec<Region<'a>> {
    let mut regions: Vec<Region<'a>> = Vec::new();
    for (row, words) in rows.iter().enumerate() {
        for (column, word) in words.iter().enumerate() {
            let index =
                regions.iter().position(|region| region.name.text == word.text).unwrap_or_else(|| {
                    regions.push(Region { name: *word, cells: Vec::new(), spans: Vec::new() });
                    regions.len() - 1
                });
            regions[index].cells.push((row, column));
            regions[index].spans.push(word.span());
        }
    }
    regions
}

/// Checks that there are `size` rows of `size` cells; `size` is the number of cells in the first row.
pub(super) fn check_square(
    rows: &[Vec<Word<'_>>],
    size: usize,
    what: &str,
    record: &str,
) -> Result<(), Fault> {
    if size > MAX_DIGITS {
        let label = format!("the first row has {size} {what}");
        return Err(Fault::new(Defect::Size(size), rows.first().map_or(0..0, |row| span(row)), label));
    }
    if let Some((index, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != size) {
        let expected = format!("{size} {what} in row {}, as in the first", index + 1);
        return Err(Fault::unexpected(expected, row.len().to_string(), span(row)));
    }
    if rows.len() < size {
        let within = format!("the {what}, with row {} of {size}", rows.len());
        return Err(truncated(record, within, format!("row {} should follow here", rows.len() + 1)));
    }
    Ok(())
}

/// A region with its clue.
fn cage((region, clue): (Region<'_>, ClueWords<'_>), bare: Bare) -> Result<(Cage, CagePlaces), Fault> {
    let operator = match clue.operator {
        Some(word) => word.operator()?,
        None if region.cells.len() == 1 => GIVEN,
        None if bare == Bare::Hidden => operators::find("?").expect("the table has the hidden operator"),
        None => {
            let end = clue.target.span().end;
            return Err(Fault::unexpected("an operator", "the end of the clue", end..end));
        }
    };
    let places = CagePlaces {
        whole: clue.span(),
        operator: clue.operator.unwrap_or(clue.target).span(),
        target: clue.target.span(),
        cells: region.spans,
    };
    Ok((Cage::new(operator, clue.target.whole()?, region.cells), places))
}

/// Builds the KenKen of regions with their clues; `first` is the place of its first row.
pub(super) fn build_regions<'a>(
    size: usize,
    regions: impl Iterator<Item = Result<(Region<'a>, ClueWords<'a>), Fault>>,
    bare: Bare,
    first: Span,
) -> Result<Puzzle, Fault> {
    let cages: Result<_, Fault> = regions.map(|region| cage(region?, bare)).collect();
    let places = Places { size: first.clone(), digits: first.clone(), end: first, naming: "" };
    build(Square::kenken(size, Vec::new()), cages?, &places)
}

/// The cages of a puzzle with their clues, by first cell, where they and the size are the whole puzzle.
///
/// # Errors
/// [`WriteError`] when the puzzle is no KenKen, or has other digits than 1 to the size, givens besides the cages,
/// further groups, or cages in which no digit repeats.
pub(super) fn plain_cages<'a>(
    puzzle: &'a Puzzle,
    format: &'static str,
) -> Result<Vec<(&'a Group, Clue)>, WriteError> {
    let refused = |what| Err(WriteError { format, what });
    if puzzle.kind != Kind::KenKen {
        return refused(format!("{}, only {}", puzzle.kind.phrase(), Kind::KenKen.phrase()));
    }
    let size = puzzle.rows();
    if puzzle.cols() != size || (0..size * size).any(|cell| puzzle.is_black(cell)) {
        return refused("a grid that is not a full square".to_owned());
    }
    if !puzzle.digits().is_one_to(size) {
        return refused(format!("the digits {:?}, only 1 to {size}", puzzle.digits().values()));
    }
    let mut cages = Vec::new();
    let mut lines = 0;
    for group in puzzle.groups() {
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None) if group.distinct && group.cells.len() == size => lines += 1,
            (Role::Cage, Some(clue)) if !group.distinct => cages.push((group, clue)),
            (Role::Cage, Some(_)) => {
                return refused(format!("`repeats: false`, as {} has", puzzle.group_name(group)));
            }
            _ => return refused(format!("a {} besides the cages", puzzle.group_name(group))),
        }
    }
    if lines == 2 * size {
        Ok(cages)
    } else {
        refused("other lines than each row and column once".to_owned())
    }
}
