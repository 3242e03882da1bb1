//! Cages that overlap are outlined one within the other: which stands how far within its cells.

use kenga_core::puzzle::{Group, Kind, Puzzle, Role};

/// How far a dashed cage stands within its cells, and how much further one within it, as shares of a cell.
const INSET: f64 = 0.075;
const STEP: f64 = 0.055;

/// The looks of outlines one within the other.
pub(super) const OUTLINES: [&str; 4] = ["dashed", "series s0", "series s1", "series s3"];

/// Cages of a grid share a cell.
pub(super) fn overlap(puzzle: &Puzzle) -> bool {
    layers(puzzle).into_iter().any(|layer| layer > 0)
}

/// How far the innermost outline stands within the cells.
pub(super) fn innermost(puzzle: &Puzzle) -> f64 {
    inset(layers(puzzle).into_iter().max().unwrap_or(0))
}

/// How far an outline stands within its cells, as a share of a cell.
pub(super) fn inset(layer: usize) -> f64 {
    INSET + STEP * layer as f64
}

/// The cages that have outlines. Of a grid, a given has none.
pub(super) fn outlined(puzzle: &Puzzle) -> impl Iterator<Item = &Group> {
    let is_grid = puzzle.kind == Kind::Grid;
    puzzle
        .groups_with(Role::Cage)
        .filter(move |cage| !is_grid || (cage.cells.len() > 1 && cage.clue.is_some()))
}

/// For each outlined cage how many outlines stand around its own: the least number that no earlier cage has with which it
/// shares a cell. Those with more around them than there are looks begin anew.
pub(super) fn layers(puzzle: &Puzzle) -> Vec<usize> {
    if puzzle.kind != Kind::Grid {
        return vec![0; outlined(puzzle).count()];
    }
    let mut taken = vec![0_u32; puzzle.rows() * puzzle.cols()];
    let mut layers = Vec::new();
    for cage in outlined(puzzle) {
        let used = cage.cells.iter().fold(0, |used, cell| used | taken[*cell]);
        let layer = (used.trailing_ones() as usize).min(31);
        for cell in &cage.cells {
            taken[*cell] |= 1 << layer;
        }
        layers.push(layer % OUTLINES.len());
    }
    layers
}
