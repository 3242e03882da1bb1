//! A square grid with regions and labelled cages, as drawing programs hold it, and the puzzle that it is.

use super::super::super::operators::{self, GIVEN, Operator};
use super::super::super::square::boxes;
use super::super::super::{Cage, Group, Puzzle, Role, Square};
use super::super::cages::{CagePlaces, ClueWords, PlacedCages, Places, build};
use super::super::error::{Fault, Span};
use super::super::node::Node;
use super::super::words::Word;

/// What such a program holds of a puzzle.
pub(super) struct LabelledGrid {
    pub(super) size: usize,
    /// Row, column and digit of each given.
    pub(super) givens: Vec<(usize, usize, u8)>,
    /// The row-major cells of each region, ascending.
    pub(super) regions: Vec<Vec<usize>>,
    pub(super) cages: Vec<LabelledCage>,
    /// Further groups of distinct digits.
    pub(super) groups: Vec<Group>,
    /// The place of the size.
    pub(super) place: Span,
}

/// A cage with its label.
pub(super) struct LabelledCage {
    /// Row-major cells.
    pub(super) cells: Vec<usize>,
    /// Their places.
    pub(super) spans: Vec<Span>,
    pub(super) label: Label,
    /// The cage is one of a Killer: a bare number is a sum, and digits differ.
    pub(super) killer: bool,
}

/// The clue in the corner of a cage.
#[derive(Clone)]
pub(super) struct Label {
    /// `None` of a bare number.
    pub(super) operator: Option<Operator>,
    pub(super) target: i64,
    pub(super) span: Span,
}

impl Label {
    /// The clue that a text is, `11+` or `11`; `None` where it is none.
    pub(super) fn parse(text: &str, span: Span) -> Option<Self> {
        let words = Word { text, start: 0 }.split();
        let (clue, rest) = ClueWords::take(&words)?;
        let operator = match clue.operator {
            Some(word) => Some(operators::find(word.text)?),
            None => None,
        };
        let target = clue.target.whole().ok().filter(|_| rest.is_empty())?;
        Some(Self { operator, target, span })
    }

    /// The clue in a string or number; `None` for null and an empty text.
    pub(super) fn read(node: Node<'_>) -> Result<Option<Self>, Fault> {
        const LABEL: &str = "the clue of a cage: a sum, or a number with an operator such as \"11+\"";
        let text = match node {
            _ if node.is_null() => return Ok(None),
            _ if node.is_text() => node.string(LABEL)?,
            _ => node.as_word().text.to_owned(),
        };
        if text.trim().is_empty() {
            return Ok(None);
        }
        Self::parse(&text, node.span()).map(Some).ok_or_else(|| node.unexpected(LABEL))
    }
}

/// The kinds of puzzles that such a grid may be.
enum Shape {
    /// Boxes of so many rows and columns.
    Boxes((usize, usize)),
    /// A KenKen: clues with operators over all cells, and no regions but rows.
    KenKen,
    /// Regions of other shapes, or none.
    Other,
}

impl LabelledGrid {
    /// The puzzle, of the simplest kind that has these groups.
    pub(super) fn build(self) -> Result<Puzzle, Fault> {
        let shape = self.shape();
        let size = self.size;
        let is_kenken = matches!(shape, Shape::KenKen);
        let places = self.places();
        let LabelledGrid { mut givens, regions, cages: labelled, mut groups, .. } = self;
        let mut cages: PlacedCages = Vec::new();
        let mut taken = vec![false; size * size];
        for cage in labelled {
            cage.cells.iter().for_each(|cell| taken[*cell] = true);
            cages.push(cage.placed(size, is_kenken));
        }
        if is_kenken {
            let (own, rest) = givens.iter().partition(|given| !taken[given.0 * size + given.1]);
            cages.extend(Vec::from_iter::<Vec<_>>(own).into_iter().map(|given| given_cage(given, &places)));
            givens = rest;
        }
        let square = match shape {
            Shape::Boxes(boxes) if cages.is_empty() => Square::sudoku(size, boxes),
            Shape::Boxes(boxes) => Square::killer(size, boxes, Vec::new()),
            Shape::KenKen => Square::kenken(size, Vec::new()),
            Shape::Other if cages.is_empty() => Square::latin(size),
            // The boxes of a Killer with other regions are its rows.
            Shape::Other => Square::killer(size, (1, size), Vec::new()),
        };
        if matches!(shape, Shape::Other) {
            groups.extend(regions.into_iter().filter(|cells| !is_row(cells, size)).map(distinct));
        }
        build(Square { givens, groups, ..square }, cages, &places)
    }

    fn places(&self) -> Places {
        let [size, digits, end] = [(); 3].map(|()| self.place.clone());
        Places { size, digits, end, naming: "the first row and column is R1C1, or [0, 0] in SudokuPad" }
    }

    fn shape(&self) -> Shape {
        if let Some(boxes) = box_shape(self.size, &self.regions) {
            return Shape::Boxes(boxes);
        }
        let is_plain = self.groups.is_empty() && self.regions.iter().all(|cells| is_row(cells, self.size));
        let is_calculated = self.cages.iter().any(|cage| cage.label.operator.is_some());
        let mut covered = vec![false; self.size * self.size];
        self.givens.iter().for_each(|given| covered[given.0 * self.size + given.1] = true);
        self.cages.iter().flat_map(|cage| &cage.cells).for_each(|cell| covered[*cell] = true);
        if is_plain && is_calculated && covered.iter().all(|covered| *covered) {
            Shape::KenKen
        } else {
            Shape::Other
        }
    }
}

impl LabelledCage {
    fn placed(self, size: usize, is_kenken: bool) -> (Cage, CagePlaces) {
        let find = |symbol| operators::find(symbol).expect("an operator of the table");
        let is_sum = self.killer && !is_kenken && self.label.operator.is_none();
        let operator = match self.label.operator {
            Some(operator) => operator,
            None if is_sum => find("+"),
            None if self.cells.len() == 1 => GIVEN,
            None => find("?"),
        };
        let cells = self.cells.iter().map(|cell| (cell / size, cell % size)).collect();
        let span = self.label.span;
        let places =
            CagePlaces { whole: span.clone(), operator: span.clone(), target: span, cells: self.spans };
        (Cage { repeats: !is_sum, ..Cage::new(operator, self.label.target, cells) }, places)
    }
}

/// The cage of a given that stands alone in a KenKen.
fn given_cage((row, column, digit): (usize, usize, u8), places: &Places) -> (Cage, CagePlaces) {
    let [whole, operator, target, cell] = [(); 4].map(|()| places.size.clone());
    let cage = Cage::new(GIVEN, i64::from(digit), vec![(row, column)]);
    (cage, CagePlaces { whole, operator, target, cells: vec![cell] })
}

/// A group of distinct digits.
pub(super) fn distinct(cells: Vec<usize>) -> Group {
    Group { role: Role::Region, cells, distinct: true, clue: None }
}

/// Says whether the cells, ascending, are a row.
pub(super) fn is_row(cells: &[usize], size: usize) -> bool {
    cells.len() == size && cells[0].is_multiple_of(size) && cells[size - 1] == cells[0] + size - 1
}

/// The rows and columns of the boxes that regions are, if they are boxes higher than a row.
pub(super) fn box_shape(size: usize, regions: &[Vec<usize>]) -> Option<(usize, usize)> {
    (2..=size).filter(|rows| size.is_multiple_of(*rows)).map(|rows| (rows, size / rows)).find(|shape| {
        let boxes = boxes(size, *shape).unwrap_or_default();
        regions.len() == size && boxes.iter().all(|group| regions.contains(&group.cells))
    })
}
