//! Queens on their board.

use super::super::graphic::{Graphic, Path, Point, trace};
use super::{CELL, Highlight, LARGEST, MARGIN, Marks, Place, SMALLEST, Style, labels};
use kenga_core::puzzle::Puzzle;

/// Draws the board of queens: each stands in the row that the digit of its column says, those that are given
/// in black. A mark
/// of a cell, which stands for a column, shows at its queen; candidates and their marks are the squares of the column.
pub(super) fn board(puzzle: &Puzzle, marks: &Marks, style: &Style) -> (Graphic, Vec<Place>) {
    let n = puzzle.cols();
    let more = if style.labels { 0.5 } else { 0.0 };
    let room = style.room.map(|(width, height)| width.min(height) - 2.0 * MARGIN);
    let square = room.map_or(CELL, |room| room / (n as f64 + more)).floor().clamp(SMALLEST, LARGEST);
    let strip = (square * more).min(20.0);
    let (side, start) = (square * n as f64, MARGIN + strip);
    let mut graphic = Graphic::new(side + strip + 2.0 * MARGIN, side + strip + 2.0 * MARGIN);
    let corner = |row: usize, column: usize| (start + square * column as f64, start + square * row as f64);
    dark_squares(n, square, &corner, &mut graphic);
    let mut lines = Path::default();
    for at in (1..n).map(|line| start + square * line as f64) {
        lines.add(trace([(at, start), (at, start + side)]));
        lines.add(trace([(start, at), (start + side, at)]));
    }
    graphic.path("thin", lines);
    graphic.rect("box", (start, start), (side, side));
    for (column, digit) in marks.all_digits(puzzle).into_iter().enumerate() {
        let highlight = marks.highlight(column);
        match digit {
            Some((row, is_given)) => {
                let (x, y) = corner(usize::from(row).saturating_sub(1), column);
                crown((x, y), square, class(highlight, is_given), &mut graphic);
            }
            None => {
                for (rank, digit) in marks.shown(puzzle, column) {
                    let (x, y) = corner(rank, column);
                    let middle = (x + square / 2.0, y + square / 2.0);
                    candidate(marks.note(column, digit), middle, square, &mut graphic);
                }
            }
        }
    }
    if style.labels {
        labels(n, n, (start, start), square, &mut graphic);
    }
    let place = |place: usize| {
        let (rank, cell) = (place / n, place % n);
        Place { cell, rank: Some(rank), at: corner(rank, cell), side: square }
    };
    let places = (0..n * n).map(place).collect();
    (graphic, places)
}

/// A crown in a square: with five points on a broad foot.
fn crown(corner: Point, square: f64, class: &str, graphic: &mut Graphic) {
    const OUTLINE: [(f64, f64); 11] = [
        (0.28, 0.72),
        (0.16, 0.34),
        (0.32, 0.50),
        (0.36, 0.26),
        (0.46, 0.47),
        (0.50, 0.22),
        (0.54, 0.47),
        (0.64, 0.26),
        (0.68, 0.50),
        (0.84, 0.34),
        (0.72, 0.72),
    ];
    let at = |(right, down): Point| (corner.0 + square * right, corner.1 + square * down);
    graphic.path(class, trace(OUTLINE.map(at)).closed());
    for tip in [OUTLINE[1], OUTLINE[3], OUTLINE[5], OUTLINE[7], OUTLINE[9]] {
        graphic.circle(class, at(tip), square * 0.035);
    }
    graphic.rect(class, at((0.27, 0.76)), (square * 0.46, square * 0.07));
}

fn class(highlight: Option<Highlight>, is_given: bool) -> &'static str {
    match highlight {
        Some(Highlight::Placed) => "digit-placed",
        Some(Highlight::Wrong) => "digit-wrong",
        _ if is_given => "given",
        _ => "queen",
    }
}

/// Every second square, as on a chessboard.
fn dark_squares(n: usize, square: f64, corner: &dyn Fn(usize, usize) -> (f64, f64), graphic: &mut Graphic) {
    for place in (0..n * n).filter(|place| (place / n + place % n) % 2 == 1) {
        graphic.rect("dark-square", corner(place / n, place % n), (square, square));
    }
}

/// A square that a queen may still take: a dot, crossed out where a step removes it.
fn candidate(note: Option<Highlight>, middle: Point, square: f64, graphic: &mut Graphic) {
    let (x, y) = middle;
    let reach = square * 0.2;
    match note {
        None => graphic.circle("pencil", (x, y), square * 0.08),
        Some(Highlight::Removed) => {
            graphic.line("strike", (x - reach, y - reach), (x + reach, y + reach));
            graphic.line("strike", (x - reach, y + reach), (x + reach, y - reach));
        }
        Some(other) => graphic.circle(&format!("spot-{}", other.class()), (x, y), square * 0.16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::{Grid, Queens};

    #[test]
    fn every_queen_stands_in_the_middle_of_its_square() {
        let queens = Queens { givens: vec![(0, 3, 3)], ..Queens::new(4) };
        let puzzle = queens.build().expect("a sound board");
        let grid = Grid::parse("2 4 1 .", 1, 4).expect("a 1x4 grid");
        let style = Style { room: Some((172.0, 172.0)), ..Style::default() };
        let drawn = board(&puzzle, &Marks::new(&puzzle).with_grid(&grid), &style).0.svg_file("four");
        assert_eq!(drawn.matches(r#"height="2.8""#).count(), 4, "{drawn}");
        let empty = board(&puzzle, &Marks::new(&puzzle), &style).0.svg_file("four");
        assert_eq!(empty.matches(r#"height="2.8""#).count(), 1, "the given queen: {empty}");
        // Squares of 40 pixels: the first queen is in column 1, row 2.
        assert!(drawn.contains(r#"x="16.8" y="76.4""#), "{drawn}");
    }
}
