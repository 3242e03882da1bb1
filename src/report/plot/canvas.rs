//! A canvas of braille: two by four dots a character.

/// The bits of the dots of a character, by column and row.
const DOTS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// Colours of the 256 of a terminal, close to those of the figures.
const COLOURS: [u8; 6] = [32, 166, 36, 175, 178, 74];

pub(super) struct Canvas {
    columns: usize,
    rows: usize,
    /// The dots of each character, and the series that was drawn there last.
    cells: Vec<(u8, usize)>,
    letters: Vec<Option<usize>>,
    /// The characters that each series passes, by column.
    paths: Vec<Vec<Option<usize>>>,
}

impl Canvas {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        let cells = vec![(0, 0); columns * rows];
        Self { columns, rows, letters: vec![None; cells.len()], cells, paths: Vec::new() }
    }

    /// Draws a line through points in dots.
    pub(super) fn curve(&mut self, series: usize, points: &[(f64, f64)]) {
        self.paths.push(vec![None; self.columns]);
        let ends = points.windows(2).map(|pair| (pair[0], pair[1]));
        for ((x0, y0), (x1, y1)) in ends.chain(points.last().map(|last| (*last, *last))) {
            let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().max(1.0);
            for step in 0..=steps as usize {
                let share = step as f64 / steps;
                self.dot(series, x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
            }
        }
    }

    fn dot(&mut self, series: usize, x: f64, y: f64) {
        let x = (x.round() as usize).min(self.columns * 2 - 1);
        let y = (y.round() as usize).min(self.rows * 4 - 1);
        let cell = y / 4 * self.columns + x / 2;
        self.cells[cell] = (self.cells[cell].0 | DOTS[x % 2][y % 4], series);
        self.paths[series][x / 2] = Some(y / 4);
    }

    /// Writes the letter of a series over its curve, at other places for each of `all`.
    pub(super) fn letter(&mut self, series: usize, all: usize) {
        let every = (self.columns / 3).max(all);
        let first = every * (2 * series + 1) / (2 * all);
        for column in (first..self.columns).step_by(every) {
            if let Some(row) = self.paths[series][column] {
                self.letters[row * self.columns + column] = Some(series);
            }
        }
    }

    /// The canvas as lines, top to bottom.
    pub(super) fn lines(&self, colour: bool) -> Vec<String> {
        let line = |row: usize| -> String {
            (row * self.columns..(row + 1) * self.columns).map(|cell| self.character(cell, colour)).collect()
        };
        (0..self.rows).map(line).collect()
    }

    fn character(&self, cell: usize, colour: bool) -> String {
        match (self.letters[cell], self.cells[cell]) {
            (Some(series), _) => painted(&letter(series).to_string(), series, colour),
            (None, (0, _)) => " ".to_owned(),
            (None, (dots, series)) => {
                let braille = char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
                painted(&braille.to_string(), series, colour)
            }
        }
    }
}

/// The letter of a series.
pub(super) fn letter(series: usize) -> char {
    char::from(b'A' + (series % 26) as u8)
}

/// Text in the colour of a series.
pub(super) fn painted(text: &str, series: usize, colour: bool) -> String {
    match colour {
        true => format!("\u{1b}[38;5;{}m{text}\u{1b}[0m", COLOURS[series % COLOURS.len()]),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fills_its_dots() {
        let mut canvas = Canvas::new(3, 1);
        canvas.curve(0, &[(0.0, 0.0), (5.0, 3.0)]);
        let shown = canvas.lines(false).remove(0);
        assert!(shown.chars().all(|character| ('\u{2801}'..='\u{28ff}').contains(&character)), "{shown}");
        assert_eq!((shown.chars().next(), shown.chars().count()), (Some('⠑'), 3));
        assert!(canvas.lines(true)[0].starts_with("\u{1b}[38;5;32m"));
    }

    #[test]
    fn points_beyond_the_edge_are_drawn_on_it() {
        let mut canvas = Canvas::new(2, 2);
        canvas.curve(0, &[(99.0, 99.0)]);
        assert_eq!(canvas.lines(false), ["  ", " ⢀"].map(str::to_owned));
    }
}
