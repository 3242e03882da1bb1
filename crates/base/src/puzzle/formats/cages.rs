//! What formats with cages share: cages with their places in the text, so that a structural defect is shown there;
//! clues, and regions of cells by their names or by the walls between them.

use super::super::operators::{GIVEN, HIDDEN, Operator};
use super::super::{Cage, Defect, MAX_DIGITS, Position, Puzzle, Square, cell_name};
use super::error::{Fault, Span};
use super::words::{Word, span, truncated};

/// The places of the parts of a cage or of a Kakuro's entry.
#[derive(Debug)]
pub(super) struct CagePlaces {
    pub(super) whole: Span,
    pub(super) operator: Span,
    pub(super) target: Span,
    /// One for each cell, in the order of the cage's cells; none where the text does not name them.
    pub(super) cells: Vec<Span>,
}

impl CagePlaces {
    /// Places of a cage whose clue is one piece of text.
    pub(super) fn at(clue: &Span, cells: Vec<Span>) -> Self {
        Self { whole: clue.clone(), operator: clue.clone(), target: clue.clone(), cells }
    }
}

/// A cage with its places.
#[derive(Debug)]
pub(super) struct PlacedCage {
    pub(super) cage: Cage,
    pub(super) places: CagePlaces,
}

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

impl Places {
    /// All places in one.
    pub(super) fn at(span: Span, naming: &'static str) -> Self {
        Self { size: span.clone(), digits: span.clone(), end: span, naming }
    }
}

/// Builds the puzzle that has these cages; a defect becomes a fault at its place.
pub(super) fn build(square: Square, placed: Vec<PlacedCage>, places: &Places) -> Result<Puzzle, Fault> {
    let square = Square { cages: placed.iter().map(|placed| placed.cage.clone()).collect(), ..square };
    square.build().map_err(|defect| {
        let part = defect
            .part()
            .map(|index| DefectiveCage { cells: &placed[index].cage.cells, at: &placed[index].places });
        locate(defect, part, places)
    })
}

/// The cage or entry with a defect: its cells and its places.
#[derive(Clone, Copy)]
pub(super) struct DefectiveCage<'a> {
    pub(super) cells: &'a [Position],
    pub(super) at: &'a CagePlaces,
}

impl DefectiveCage<'_> {
    /// The place of the last mention of a cell.
    fn cell_span(&self, cell: Position) -> Span {
        // Of a cell named twice the second mention is the mistake.
        let index = self.cells.iter().rposition(|other| *other == cell);
        index.and_then(|index| self.at.cells.get(index)).unwrap_or(&self.at.whole).clone()
    }
}

/// Shows a defect in the text.
pub(super) fn locate(defect: Defect, part: Option<DefectiveCage<'_>>, places: &Places) -> Fault {
    // Each points at what would have to be changed, which need not be where reading stopped.
    let (span, label) = match (&defect, part) {
        (Defect::Size(_), _) => (places.size.clone(), "expected a size from 1 to 32".to_owned()),
        (Defect::Digits { .. }, _) => (places.digits.clone(), "expected 1 to 32 different digits".to_owned()),
        (Defect::Uncovered(cell), _) => {
            (places.end.clone(), format!("no cage before this has {}", cell_name(cell.0, cell.1)))
        }
        (Defect::Outside { cell, .. }, Some(part)) => {
            (part.cell_span(*cell), format!("expected a cell of the grid: {}", places.naming))
        }
        (Defect::CageOverlap { cell, first, .. }, Some(part)) => {
            (part.cell_span(*cell), format!("cage {} already has this cell", first + 1))
        }
        (Defect::Disconnected { cell, .. }, Some(part)) => {
            (part.cell_span(*cell), "this cell shares no edge with the rest of its cage".to_owned())
        }
        (Defect::NotStraight { cell, .. }, Some(part)) => {
            (part.cell_span(*cell), "expected cells side by side in one row or one column".to_owned())
        }
        (Defect::EntryOverlap { cell, .. }, Some(part)) => {
            (part.cell_span(*cell), "expected a cell without another run in this direction".to_owned())
        }
        (Defect::Negative { .. }, Some(part)) => (part.at.target.clone(), "expected 0 or more".to_owned()),
        (Defect::Arity { cells, .. }, Some(part)) => {
            (part.at.operator.clone(), format!("expected an operator for {cells} cells"))
        }
        (_, Some(part)) => (part.at.whole.clone(), "expected one cell or more".to_owned()),
        (_, None) => (places.end.clone(), "in this puzzle".to_owned()),
    };
    Fault::new(defect, span, label)
}

/// The cells that share a name, and their places.
#[derive(Debug)]
pub(super) struct Region<'a> {
    /// The first occurrence of the name.
    pub(super) name: Word<'a>,
    /// `(row, column)`, row by row.
    pub(super) cells: Vec<Position>,
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
        let next = rest.first().filter(|word| !word.starts_number() && word.cell().is_none());
        // `-8 +` is a negative target, and `-8` alone is `- 8`.
        let is_negative = first.text.starts_with('-') && next.is_some_and(Word::is_operator);
        if first.starts_number() || is_negative && first.after(1).starts_number() {
            let (target, glued) = first.split_at(first.number_end());
            if !glued.text.is_empty() {
                return Some((Self { target, operator: Some(glued) }, rest));
            }
            let rest = if next.is_some() { &rest[1..] } else { rest };
            return Some((Self { target, operator: next.copied() }, rest));
        }
        // The operator stands first: `+8`, `+ 8`.
        let digit = first.text.find(|c: char| c.is_ascii_digit()).unwrap_or(first.text.len());
        let (operator, target) = first.split_at(digit);
        if target.text.is_empty() {
            let (target, rest) = rest.split_first()?;
            return target
                .starts_number()
                .then_some((Self { target: *target, operator: Some(operator) }, rest));
        }
        let is_number = target.number_end() == target.text.len();
        is_number.then_some((Self { target, operator: Some(operator) }, rest))
    }

    /// The clue that words are; `None` where they are something else or more.
    pub(super) fn only(words: &[Word<'a>]) -> Option<Self> {
        match Self::take(words) {
            Some((clue, [])) => Some(clue),
            _ => None,
        }
    }

    /// The operator that it names, if it has one.
    pub(super) fn known_operator(&self) -> Result<Option<Operator>, Fault> {
        match self.operator {
            Some(word) => word.operator().map(Some),
            None => Ok(None),
        }
    }

    /// Says whether it has an operator that kenga knows.
    pub(super) fn is_calculation(&self) -> bool {
        self.operator.is_some_and(|operator| operator.is_operator())
    }

    /// From its first character to its last.
    fn span(&self) -> Span {
        let target = self.target.span();
        match self.operator {
            Some(operator) => target.start.min(operator.start)..target.end.max(operator.span().end),
            None => target,
        }
    }

    /// The places of its cage.
    pub(super) fn places(&self, cells: Vec<Span>) -> CagePlaces {
        let operator = self.operator.unwrap_or(self.target).span();
        CagePlaces { whole: self.span(), operator, target: self.target.span(), cells }
    }
}

/// The cells of every name, in the order of the names' first occurrences.
pub(super) fn regions<'a>(rows: &[Vec<Word<'a>>]) -> Vec<Region<'a>> {
    let mut regions: Vec<Region<'a>> = Vec::new();
    for (row, words) in rows.iter().enumerate() {
        for (column, word) in words.iter().enumerate() {
            // There are at most as many names as cells: a search is fast enough, and keeps their order.
            let known = regions.iter().position(|region| region.name.text == word.text);
            let index = known.unwrap_or(regions.len());
            if known.is_none() {
                regions.push(Region { name: *word, cells: Vec::new(), spans: Vec::new() });
            }
            regions[index].cells.push((row, column));
            regions[index].spans.push(word.span());
        }
    }
    regions
}

/// The number of the cage of every cell, where open edges join cells; the order of cages is that of their first cells.
pub(super) fn cage_numbers(size: usize, open: &[(usize, usize)]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..size * size).collect();
    for &(a, b) in open {
        let (a, b) = (root(&parent, a), root(&parent, b));
        // The root of a set is its first cell.
        parent[a.max(b)] = a.min(b);
    }
    let mut numbers = vec![0; size * size];
    let mut count = 0;
    for cell in 0..size * size {
        // The root of a cage is its first cell, which has its number already.
        let first = root(&parent, cell);
        if first == cell {
            numbers[cell] = count;
            count += 1;
        } else {
            numbers[cell] = numbers[first];
        }
    }
    numbers
}

fn root(parent: &[usize], mut cell: usize) -> usize {
    while parent[cell] != cell {
        cell = parent[cell];
    }
    cell
}

/// The cells of each cage, by its number.
pub(super) fn cage_cells(numbers: &[usize]) -> Vec<Vec<usize>> {
    let mut cells: Vec<Vec<usize>> = Vec::new();
    for (cell, &number) in numbers.iter().enumerate() {
        if number == cells.len() {
            cells.push(Vec::new());
        }
        cells[number].push(cell);
    }
    cells
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
    for (index, row) in rows.iter().enumerate() {
        if row.len() != size {
            let expected = format!("{size} {what} in row {}, as in the first", index + 1);
            return Err(Fault::unexpected(expected, row.len().to_string(), span(row)));
        }
    }
    if rows.len() < size {
        let within = format!("the {what}, with row {} of {size}", rows.len());
        return Err(truncated(record, within, format!("row {} should follow here", rows.len() + 1)));
    }
    Ok(())
}

/// The cage of a region with its clue.
pub(super) fn clued_cage(region: Region<'_>, clue: ClueWords<'_>, bare: Bare) -> Result<PlacedCage, Fault> {
    let operator = match clue.known_operator()? {
        Some(operator) => operator,
        None if region.cells.len() == 1 => GIVEN,
        None if bare == Bare::Hidden => HIDDEN,
        None => {
            let end = clue.target.span().end;
            return Err(Fault::unexpected("an operator", "the end of the clue", end..end));
        }
    };
    let cage = Cage::new(operator, clue.target.whole()?, region.cells);
    Ok(PlacedCage { cage, places: clue.places(region.spans) })
}

/// A region with its clue.
pub(super) struct CluedRegion<'a> {
    pub(super) region: Region<'a>,
    pub(super) clue: ClueWords<'a>,
}

/// Builds the KenKen of regions with their clues; `first` is the place of its first row.
pub(super) fn build_clued(
    size: usize,
    clued: Vec<CluedRegion<'_>>,
    bare: Bare,
    first: Span,
) -> Result<Puzzle, Fault> {
    let mut cages = Vec::with_capacity(clued.len());
    for CluedRegion { region, clue } in clued {
        cages.push(clued_cage(region, clue, bare)?);
    }
    build_kenken(size, cages, first)
}

/// Builds the KenKen of cages; `first` is the place of its first row.
pub(super) fn build_kenken(size: usize, cages: Vec<PlacedCage>, first: Span) -> Result<Puzzle, Fault> {
    build(Square::kenken(size, Vec::new()), cages, &Places::at(first, ""))
}
