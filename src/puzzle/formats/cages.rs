//! Cages with the places they came from, so that a structural defect can be shown in the text.

use super::super::{Cage, Defect, Puzzle, Square, cell_name};
use super::error::{Fault, Span};

/// Where the parts of a cage stand.
#[derive(Debug)]
pub(super) struct CagePlaces {
    pub(super) whole: Span,
    pub(super) operator: Span,
    pub(super) target: Span,
    /// One for each cell, in the cage's own order.
    pub(super) cells: Vec<Span>,
}

/// Where the parts of a puzzle stand.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) size: Span,
    pub(super) digits: Span,
    /// Where a cage that is missing would be added.
    pub(super) end: Span,
    /// In the order of the cages.
    pub(super) cages: Vec<CagePlaces>,
    /// How the format names cells.
    pub(super) naming: &'static str,
}

/// Builds the puzzle; a defect becomes a fault at its place.
pub(super) fn build(square: Square, places: &Places) -> Result<Puzzle, Fault> {
    let cages: Vec<Cage> = square.cages.clone();
    square.build().map_err(|defect| locate(defect, &cages, places))
}

/// Shows a defect in the text.
fn locate(defect: Defect, cages: &[Cage], places: &Places) -> Fault {
    let cage = defect.cage().and_then(|index| Some((cages.get(index)?, places.cages.get(index)?)));
    let (span, label) = match (&defect, cage) {
        (Defect::Size { .. }, _) => (places.size.clone(), "expected a size from 1 to 32".to_owned()),
        (Defect::Digits { .. }, _) => (places.digits.clone(), "expected 1 to 32 different digits".to_owned()),
        (Defect::Uncovered { cell }, _) => {
            (places.end.clone(), format!("no cage up to here holds {}", cell_name(cell.0, cell.1)))
        }
        (Defect::Outside { cell, .. }, Some((cage, at))) => {
            (cell_span(cage, at, *cell), format!("expected a cell of the grid: {}", places.naming))
        }
        (Defect::Twice { cell, first, .. }, Some((cage, at))) => {
            (cell_span(cage, at, *cell), format!("cage {} holds this cell already", first + 1))
        }
        (Defect::Pieces { cell, .. }, Some((cage, at))) => {
            (cell_span(cage, at, *cell), "this cell shares no edge with the rest of its cage".to_owned())
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

/// Where the last mention of a cell in a cage stands.
fn cell_span(cage: &Cage, places: &CagePlaces, cell: (usize, usize)) -> Span {
    let index = cage.cells.iter().rposition(|other| *other == cell);
    index.and_then(|index| places.cells.get(index)).unwrap_or(&places.whole).clone()
}
