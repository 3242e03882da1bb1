//! Queens on their board.

use super::super::graphic::{Anchor, Graphic, Path, ink_over, trace};
use crate::puzzle::{Grid, Puzzle};

const MARGIN: f64 = 6.0;

/// Draws the board of queens within `room` pixels: each stands in the row that the digit of its column says, those that are
/// given in bold.
pub(super) fn board(puzzle: &Puzzle, room: f64, grid: Option<&Grid>) -> Graphic {
    let n = puzzle.cols();
    let square = ((room - 2.0 * MARGIN) / n as f64).floor().clamp(4.0, 64.0);
    let side = square * n as f64;
    let mut graphic = Graphic::new(side + 2.0 * MARGIN, side + 2.0 * MARGIN);
    let mut lines = Path::default();
    for at in (1..n).map(|line| MARGIN + square * line as f64) {
        lines.add(trace([(at, MARGIN), (at, MARGIN + side)]));
        lines.add(trace([(MARGIN, at), (MARGIN + side, at)]));
    }
    graphic.path("thin", lines);
    graphic.rect("box", (MARGIN, MARGIN), (side, side));
    let given = puzzle.given_grid();
    for column in 0..n {
        let (class, row) = match (given.get(column), grid.and_then(|grid| grid.get(column))) {
            (Some(row), _) => ("given ", row),
            (None, Some(row)) => ("", row),
            (None, None) => continue,
        };
        let (size, middle) = (square * 0.6, |index: usize| MARGIN + square * (index as f64 + 0.5));
        let at = (middle(column), middle(usize::from(row) - 1) + size * 0.36);
        graphic.sized_text(&format!("{class}{}", ink_over(0.0)), at, Anchor::Middle, size, "Q");
    }
    graphic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Queens;

    #[test]
    fn every_queen_stands_in_the_middle_of_its_square() {
        let queens = Queens { givens: vec![(0, 3, 3)], ..Queens::new(4) };
        let puzzle = queens.build().expect("a sound board");
        let grid = Grid::parse("2 4 1 .", 1, 4).expect("a 1x4 grid");
        let drawn = board(&puzzle, 172.0, Some(&grid)).svg_file("four");
        assert_eq!(drawn.matches(">Q</text>").count(), 4, "{drawn}");
        let empty = board(&puzzle, 172.0, None).svg_file("four");
        assert_eq!(empty.matches(">Q</text>").count(), 1, "the given queen: {empty}");
        // Squares of 40 pixels: the first queen is in column 1, row 2.
        assert!(drawn.contains(r#"x="26" y="74.6""#), "{drawn}");
    }
}
