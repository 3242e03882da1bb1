//! A drawing of lines and clues for a screen: the words in its cells are the caller's, and every character says its cell.

use super::ruling::{Ruling, Signs};
use super::{BlackClues, TextDrawing, clues, longest, sums};
use kenga_core::puzzle::{Kind, PrintedClues, Puzzle};

/// Where the clues of cages stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClueStyle {
    /// In a line of their own.
    OwnLine,
    /// In the line above the cage.
    InRules,
}

/// A drawing as lines of characters.
pub struct TextCanvas {
    /// The characters; lines may be shorter than others.
    pub lines: Vec<Vec<char>>,
    /// The columns of text of a cell, without the lines beside it.
    pub width: usize,
    /// What every line belongs to; none for a line between cells.
    rows: Vec<Option<CellLine>>,
    columns: usize,
}

/// A line of a row of cells.
#[derive(Clone, Copy)]
struct CellLine {
    row: usize,
    /// The line of the cells' words; none in the line of the clues.
    line: Option<usize>,
}

/// A character of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The row and the column of the cell.
    pub row: usize,
    pub column: usize,
    /// The line of the cell's words; none in the line of the clues.
    pub line: Option<usize>,
    /// The column of text within the cell.
    pub x: usize,
}

impl TextCanvas {
    /// Lines and columns of text.
    pub fn size(&self) -> (usize, usize) {
        (self.lines.len(), self.columns * (self.width + 1) + 1)
    }

    /// What a character belongs to; none where it is a line between cells.
    pub fn spot(&self, line: usize, x: usize) -> Option<Spot> {
        let CellLine { row, line } = (*self.rows.get(line)?)?;
        let (column, x) = (x / (self.width + 1), x % (self.width + 1));
        let is_inside = x > 0 && column < self.columns;
        is_inside.then(|| Spot { row, column, line, x: x - 1 })
    }

    /// The lines of a row of cells with those that are drawn above and below it: the first, and the one behind the last.
    pub fn lines_of(&self, row: usize) -> (usize, usize) {
        let (mut first, mut behind) = (0, 0);
        for line in (0..self.rows.len()).filter(|line| self.row_of(*line) == Some(row)) {
            if behind == 0 {
                first = line;
            }
            behind = line + 1;
        }
        // The rules above and below belong to the row: they are drawn with it.
        if first > 0 && self.is_rule(first - 1) {
            first -= 1;
        }
        (first, behind + usize::from(self.is_rule(behind)))
    }

    /// The row of cells of a line.
    fn row_of(&self, line: usize) -> Option<usize> {
        Some((*self.rows.get(line)?)?.row)
    }

    fn is_rule(&self, line: usize) -> bool {
        self.rows.get(line).is_some_and(Option::is_none)
    }

    /// The last line of the words of a row of cells.
    pub fn is_last_of_row(&self, line: usize) -> Option<usize> {
        let row = self.row_of(line)?;
        (self.row_of(line + 1) != Some(row)).then_some(row)
    }
}

/// Draws a puzzle with lines of words in its cells, as many in each; black cells show their sums instead. Queens have a cell
/// for every square of their board.
///
/// # Panics
/// When there are not words for every cell.
pub fn canvas(puzzle: &Puzzle, words: Vec<Vec<String>>, style: ClueStyle) -> TextCanvas {
    let drawing = drawing(puzzle, words, style);
    let lines = drawing.cell_lines();
    let mut rows = Vec::new();
    for row in 0..drawing.lines.rows {
        if drawing.has_rule(row) {
            rows.push(None);
        }
        if drawing.has_clue_lines() {
            rows.push(Some(CellLine { row, line: None }));
        }
        for line in 0..lines {
            rows.push(Some(CellLine { row, line: Some(line) }));
        }
    }
    if drawing.has_rule(drawing.lines.rows) {
        rows.push(None);
    }
    let text = drawing.text();
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    TextCanvas { lines, width: drawing.width, rows, columns: drawing.lines.cols }
}

fn drawing(puzzle: &Puzzle, mut words: Vec<Vec<String>>, style: ClueStyle) -> TextDrawing {
    let is_board = puzzle.kind == Kind::Queens;
    let printed = PrintedClues::of(puzzle).cells;
    let (lines, signs, clues, mut digits) = if is_board {
        let n = puzzle.cols();
        (Ruling::plain(n, n), Signs::none(n * n), Vec::new(), vec![String::new(); n * n])
    } else {
        (Ruling::of(puzzle), Signs::of(puzzle), clues(puzzle), sums(&printed))
    };
    assert_eq!(words.len(), lines.rows * lines.cols, "words for every cell");
    let width = longest(words.iter().flatten().chain(&clues).chain(&digits)).max(3);
    if !is_board {
        for cell in (0..words.len()).filter(|cell| puzzle.is_black(*cell)) {
            words[cell].clear();
            // A black cell with sums is not hatched: they would not be read.
            if printed[cell] == BlackClues::default() {
                digits[cell] = "░".repeat(width);
            }
        }
    }
    TextDrawing { width, lines, signs, clues, style, digits, notes: words }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::{formats, samples};

    fn read(text: &str) -> Puzzle {
        formats::read("x", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}"))
    }

    fn shown(canvas: &TextCanvas) -> String {
        canvas.lines.iter().map(|line| line.iter().collect::<String>() + "\n").collect()
    }

    #[test]
    fn clues_stand_in_the_lines_above_their_cages() {
        let text = r#"{"size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"-","target":1,"cells":[[1,0],[1,1]]}]}"#;
        let words = vec![vec!["12".to_owned(), "34".to_owned()]; 4];
        insta::assert_snapshot!(shown(&canvas(&read(text), words, ClueStyle::InRules)), @r"
        ┌3+─────┐
        │12  12 │
        │34  34 │
        ├1−─────┤
        │12  12 │
        │34  34 │
        └───────┘
        ");
    }

    #[test]
    fn black_cells_keep_their_sums() {
        let text = include_str!("../../../../puzzles/family/kakuro-6x6.json");
        let puzzle = read(text);
        let words = vec![vec!["·9".to_owned()]; 36];
        insta::assert_snapshot!(shown(&canvas(&puzzle, words, ClueStyle::InRules)), @r"
        ┌─────┬─────┬─────┬─────┬─────┬─────┐
        │░░░░░│░░░░░│░░░░░│14\  │18\  │░░░░░│
        ├─────┼─────┼─────┼─────┼─────┼─────┤
        │░░░░░│14\  │10\11│ ·9  │ ·9  │23\  │
        ├─────┼─────┼─────┼─────┼─────┼─────┤
        │  \20│ ·9  │ ·9  │ ·9  │ ·9  │ ·9  │
        ├─────┼─────┼─────┼─────┼─────┼─────┤
        │  \12│ ·9  │ ·9  │ 3\17│ ·9  │ ·9  │
        ├─────┼─────┼─────┼─────┼─────┼─────┤
        │  \16│ ·9  │ ·9  │ ·9  │ ·9  │ ·9  │
        ├─────┼─────┼─────┼─────┼─────┼─────┤
        │░░░░░│  \6 │ ·9  │ ·9  │░░░░░│░░░░░│
        └─────┴─────┴─────┴─────┴─────┴─────┘
        ");
    }

    #[test]
    fn every_word_of_every_kind_is_found_again_in_its_cell() {
        for (puzzle, squares) in [
            (samples::random_kenken(4, 2, |n| n / 2), 16),
            (read(include_str!("../../../../puzzles/family/killer-6x6.json")), 36),
            (read(include_str!("../../../../puzzles/family/queens-8x8.json")), 64),
            (read(include_str!("../../../../puzzles/family/futoshiki-6x6.json")), 36),
        ] {
            for style in [ClueStyle::OwnLine, ClueStyle::InRules] {
                let words = (0..squares).map(|cell| vec![format!("{cell:02}"), "xy".to_owned()]).collect();
                let canvas = canvas(&puzzle, words, style);
                let columns = usize::isqrt(squares);
                let mut found = vec![String::new(); squares];
                for (number, line) in canvas.lines.iter().enumerate() {
                    for (x, letter) in line.iter().enumerate() {
                        if let Some(spot) = canvas.spot(number, x).filter(|spot| spot.line == Some(0)) {
                            found[spot.row * columns + spot.column].push(*letter);
                        }
                    }
                }
                let found: Vec<usize> =
                    found.iter().map(|word| word.trim().parse().expect("a number")).collect();
                assert_eq!(found, (0..squares).collect::<Vec<_>>());
            }
        }
    }
}
