//! A square grid with regions and labelled cages, as drawing programs hold it, and the puzzle that it is.

use super::super::super::operators::{self, ADD, GIVEN, HIDDEN, Operator};
use super::super::super::square::{owners, shape_among};
use super::super::super::{BoxShape, Cage, Group, Kind, Puzzle, Role, Square, positions};
use super::super::cages::{CagePlaces, ClueWords, PlacedCage, Places, build};
use super::super::error::{Fault, Span};
use super::super::node::JsonNode;
use super::super::words::Word;

/// What such a program holds of a puzzle.
pub(in super::super) struct LabelledGrid {
    pub(super) size: usize,
    /// Row, column and digit of each given.
    pub(in super::super) givens: Vec<(usize, usize, u8)>,
    /// The row-major cells of each region, ascending.
    pub(in super::super) regions: Vec<Vec<usize>>,
    pub(in super::super) cages: Vec<LabelledCage>,
    /// Further groups of distinct digits.
    pub(in super::super) groups: Vec<Group>,
    /// The place of the size.
    place: Span,
}

/// A cage with its label.
pub(in super::super) struct LabelledCage {
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
    span: Span,
}

impl Label {
    /// The clue that a text is, `11+` or `11`; `None` where it is none.
    fn parse(text: &str, span: Span) -> Option<Self> {
        let words = Word { text, start: 0 }.split();
        let clue = ClueWords::only(&words)?;
        let operator = match clue.operator {
            Some(word) => Some(operators::find(word.text)?),
            None => None,
        };
        Some(Self { operator, target: clue.target.whole().ok()?, span })
    }

    /// The clue in a string or number; `None` where there is no value, for null and an empty text.
    pub(super) fn read(value: Option<JsonNode<'_>>) -> Result<Option<Self>, Fault> {
        const LABEL: &str = "the clue of a cage: a sum, or a number with an operator such as \"11+\"";
        let Some(node) = value.filter(|node| !node.is_null()) else { return Ok(None) };
        let text = if node.is_text() { node.string(LABEL)? } else { node.as_word().text.to_owned() };
        if text.trim().is_empty() {
            return Ok(None);
        }
        match Self::parse(&text, node.span()) {
            Some(label) => Ok(Some(label)),
            None => Err(node.unexpected(LABEL)),
        }
    }
}

/// The kinds of puzzles that such a grid may be.
enum LabelledKind {
    /// Boxes of so many rows and columns.
    Boxes(BoxShape),
    /// A KenKen: clues with operators over all cells, and no regions but rows.
    KenKen,
    /// Regions of other shapes, or none.
    Other,
}

impl LabelledGrid {
    /// A grid without contents; `place` is that of the size.
    pub(in super::super) fn new(size: usize, place: Span) -> Self {
        let (givens, regions, cages, groups) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { size, givens, regions, cages, groups, place }
    }

    /// The puzzle, of the simplest kind that has these groups: a `grid` where cages overlap or fall apart.
    pub(in super::super) fn build(self) -> Result<Puzzle, Fault> {
        let shape = self.shape();
        let Self { size, givens, regions, cages: labelled, mut groups, place } = self;
        let is_kenken = matches!(shape, LabelledKind::KenKen);
        let mut cages = Vec::with_capacity(labelled.len());
        let mut taken = vec![false; size * size];
        for cage in labelled {
            for &cell in &cage.cells {
                taken[cell] = true;
            }
            cages.push(cage.placed(size, is_kenken));
        }
        let mut square = match shape {
            LabelledKind::Boxes(boxes) if cages.is_empty() => Square::sudoku(size, boxes),
            LabelledKind::Boxes(boxes) => Square::killer(size, boxes, Vec::new()),
            LabelledKind::KenKen => Square::kenken(size, Vec::new()),
            LabelledKind::Other if cages.is_empty() => Square::latin(size),
            // The boxes of a Killer with other regions are its rows.
            LabelledKind::Other => Square::killer(size, (1, size), Vec::new()),
        };
        for given in givens {
            // In a KenKen a given that stands alone is a cage.
            if is_kenken && !taken[given.0 * size + given.1] {
                let cage = Cage::new(GIVEN, i64::from(given.2), vec![(given.0, given.1)]);
                cages.push(PlacedCage { cage, places: CagePlaces::at(&place, vec![place.clone()]) });
            } else {
                square.givens.push(given);
            }
        }
        if matches!(shape, LabelledKind::Other) {
            for cells in regions {
                if !is_row(&cells, size) {
                    groups.push(Group::all_different(Role::Region, cells));
                }
            }
        }
        square.groups = groups;
        let plain: Vec<Cage> = cages.iter().map(|placed| placed.cage.clone()).collect();
        if owners(&plain, size).is_err() {
            square.kind = Kind::Grid;
        }
        let naming = "the first row and column is R1C1, or [0, 0] in SudokuPad";
        build(square, cages, &Places::at(place, naming))
    }

    fn shape(&self) -> LabelledKind {
        if let Some(boxes) = box_shape(self.size, &self.regions) {
            return LabelledKind::Boxes(boxes);
        }
        // Regions that are rows add nothing to a Latin square.
        let is_plain = self.groups.is_empty() && self.regions.iter().all(|cells| is_row(cells, self.size));
        let mut is_calculated = false;
        let mut covered = vec![false; self.size * self.size];
        for cage in &self.cages {
            is_calculated |= cage.label.operator.is_some();
            for &cell in &cage.cells {
                covered[cell] = true;
            }
        }
        for &(row, column, _) in &self.givens {
            covered[row * self.size + column] = true;
        }
        if is_plain && is_calculated && !covered.contains(&false) {
            LabelledKind::KenKen
        } else {
            LabelledKind::Other
        }
    }
}

impl LabelledCage {
    /// The cage of a Killer; the cells have these places.
    pub(in super::super) fn with_sum(target: i64, cells: Vec<usize>, spans: Vec<Span>) -> Self {
        let label = Label { operator: None, target, span: spans[0].clone() };
        Self { cells, spans, label, killer: true }
    }

    fn placed(self, size: usize, is_kenken: bool) -> PlacedCage {
        let is_sum = self.killer && !is_kenken && self.label.operator.is_none();
        let operator = match self.label.operator {
            Some(operator) => operator,
            None if is_sum => ADD,
            None if self.cells.len() == 1 => GIVEN,
            None => HIDDEN,
        };
        let cage = Cage::new(operator, self.label.target, positions(&self.cells, size));
        let places = CagePlaces::at(&self.label.span, self.spans);
        PlacedCage { cage: Cage { repeats: !is_sum, ..cage }, places }
    }
}

/// Says whether the cells, ascending, are a row.
pub(super) fn is_row(cells: &[usize], size: usize) -> bool {
    cells.len() == size && cells[0].is_multiple_of(size) && cells[size - 1] == cells[0] + size - 1
}

/// The rows and columns of the boxes that regions are, if they are boxes higher than a row.
pub(super) fn box_shape(size: usize, regions: &[Vec<usize>]) -> Option<BoxShape> {
    if regions.len() == size { shape_among(size, 2, regions) } else { None }
}
