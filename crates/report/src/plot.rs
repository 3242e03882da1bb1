//! Convergence for a terminal: the median of the best fitness over runs, in braille.

use super::figures::{calls_title, fitness_axis};
use super::graphic::{Point, Scale};
use super::measurements::{Convergence, Measurements, Quantity};
use super::several;
use crate::span;
use kenga_core::text::{PLAIN, SERIES_COLOURS, printable};
use kenga_lab::study::Study;

/// Lines of text of the chart.
const HEIGHT: usize = 18;

/// The most settings that are drawn.
const MOST: usize = 6;

/// The columns of the vertical axis with its numbers.
const LEFT: usize = 8;

/// Why there is nothing to plot.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// No run has ended, or all of them failed.
    #[error("no run has ended with a result")]
    NoRuns,
    /// Convergence was not recorded, or cannot be read.
    #[error("{0}")]
    NoConvergence(String),
}

/// Draws the convergence of a study, at least 30 columns wide, with the settings joined that have the same values of `by`;
/// with the colours of a terminal or without.
///
/// # Errors
/// [`PlotError`] where there is nothing to draw.
pub fn plot(study: &Study, by: &[String], width: usize, colour: bool) -> Result<String, PlotError> {
    let measurements = super::measured(study, by).ok_or(PlotError::NoRuns)?;
    let convergence =
        measurements.convergence.as_ref().map_err(|why| PlotError::NoConvergence(why.to_string()))?;
    let mut charts = Vec::new();
    for part in 0..measurements.shown_puzzles.len() {
        charts.extend(chart(&measurements, convergence, part, width, colour));
    }
    if charts.is_empty() {
        return Err(PlotError::NoConvergence("no run has a recorded generation".to_owned()));
    }
    Ok(charts.join("\n"))
}

/// The chart of one puzzle; `None` where nothing was recorded.
fn chart(
    measurements: &Measurements<'_>,
    convergence: &Convergence,
    part: usize,
    width: usize,
    colour: bool,
) -> Option<String> {
    let all = convergence.bands(Quantity::Best, part);
    let able: Vec<usize> =
        measurements.order.iter().copied().filter(|setting| !all[*setting].is_empty()).collect();
    let shown = &able[..able.len().min(MOST)];
    if shown.is_empty() {
        return None;
    }
    let times = &convergence.times;
    let subject = measurements.subject_on(Some(part));
    let (mut first, mut ends) = (f64::INFINITY, Vec::new());
    for setting in shown {
        let band = &all[*setting];
        first = first.min(times[band.first]);
        ends.extend(<[f64; 2]>::from(span(band.median.iter().copied())));
    }
    // A character of Braille has two dots across and four down.
    let columns = width.max(30) - LEFT - 1;
    let x = Scale::fitting(first, times[times.len() - 1]).over(0.0, (columns * 2 - 1) as f64);
    let (y, note) = fitness_axis(&subject, &ends, 0.0);
    let y = y.over((HEIGHT * 4 - 1) as f64, 0.0);

    let mut canvas = PlotCanvas::new(columns, HEIGHT);
    for (series, setting) in shown.iter().enumerate() {
        let band = &all[*setting];
        let mut points = Vec::new();
        for (value, time) in band.median.iter().zip(&times[band.first..]) {
            points.push((x.at(*time), y.at(subject.value(*value))));
        }
        canvas.curve(series, &points);
    }
    if shown.len() > 1 {
        for series in 0..shown.len() {
            canvas.letter(series, shown.len());
        }
    }
    let on = if measurements.puzzles > 1 {
        format!("{}: ", measurements.shown_puzzles[part])
    } else {
        String::new()
    };
    let mut text = format!("{on}{}, median over runs{note}\n", subject.best());
    text += &with_axes(&canvas.lines(colour), &x, &y, columns);
    text += &legend(measurements, part, shown, able.len(), colour);
    Some(text)
}

/// The lines of the chart with both axes.
fn with_axes(lines: &[String], x: &Scale, y: &Scale, columns: usize) -> String {
    let mut left = vec![String::new(); HEIGHT];
    for (value, word) in y.ticks(5) {
        left[(y.at(value) / 4.0) as usize] = word;
    }
    let mut text = String::new();
    for (word, line) in left.iter().zip(lines) {
        let tick = if word.is_empty() { '│' } else { '┤' };
        text += format!("{word:>width$} {tick}{line}", width = LEFT - 2).trim_end();
        text.push('\n');
    }
    let (mut rule, mut words) = (vec!['─'; columns], vec![' '; columns]);
    let mut free = 0;
    for (value, word) in x.ticks(columns / 12) {
        let at = (x.at(value) / 2.0) as usize;
        rule[at.min(columns - 1)] = '┬';
        let (length, start) = (word.chars().count(), at.saturating_sub(word.chars().count() / 2));
        let start = start.min(columns.saturating_sub(length));
        // A word that would touch the one before is left out; its tick stays.
        if start >= free {
            for (index, character) in word.chars().enumerate() {
                words[start + index] = character;
            }
            free = start + length + 1;
        }
    }
    let indent = " ".repeat(LEFT);
    text += &format!("{}└{}\n", " ".repeat(LEFT - 1), rule.iter().collect::<String>());
    text += format!("{indent}{}", words.iter().collect::<String>()).trim_end();
    text += &format!("\n{indent}{}\n", calls_title(x));
    text
}

/// The settings with their letters, and how many runs solved.
fn legend(measurements: &Measurements<'_>, part: usize, shown: &[usize], all: usize, colour: bool) -> String {
    let heading = measurements.labels.heading();
    let mut text = if heading.is_empty() { String::new() } else { format!("{heading}:\n") };
    for (series, setting) in shown.iter().enumerate() {
        let Some(one) = measurements.numbers(*setting, part) else { continue };
        let letter = painted(&letter(series).to_string(), series, colour);
        let head = if shown.len() > 1 { format!("{letter}  ") } else { String::new() };
        let runs = if measurements.subject.can_be_solved {
            format!("{} of {} solved", one.solved, one.runs)
        } else {
            several(one.runs, "run")
        };
        text += &format!("{head}{}   {runs}\n", printable(&measurements.labels.name(*setting)));
    }
    if all > shown.len() {
        let more = several((all - shown.len()) as u64, "other setting");
        let better =
            if measurements.subject.can_be_solved { "solves more often" } else { "is better on average" };
        text += &format!("not drawn: {more}, of which none {better}\n");
    }
    text
}

/// The bits of the dots of a character, by column and row.
const DOTS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

struct PlotCanvas {
    columns: usize,
    rows: usize,
    /// The dots of each character, and the last series drawn there.
    cells: Vec<(u8, usize)>,
    letters: Vec<Option<usize>>,
    /// The row of each series, by column.
    paths: Vec<Vec<Option<usize>>>,
}

impl PlotCanvas {
    fn new(columns: usize, rows: usize) -> Self {
        let cells = vec![(0, 0); columns * rows];
        Self { columns, rows, letters: vec![None; cells.len()], cells, paths: Vec::new() }
    }

    /// Draws a line through points in dots.
    fn curve(&mut self, series: usize, points: &[Point]) {
        self.paths.push(vec![None; self.columns]);
        for (index, (x0, y0)) in points.iter().enumerate() {
            // The last point has no line of its own, and may be the only one.
            let (x1, y1) = points.get(index + 1).unwrap_or(&points[index]);
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

    /// Writes the letter of a series over its curve, at different places for each of `all`.
    fn letter(&mut self, series: usize, all: usize) {
        let every = (self.columns / 3).max(all);
        // Letters of different series begin at different columns, so that they rarely meet.
        let first = every * (2 * series + 1) / (2 * all);
        for column in (first..self.columns).step_by(every) {
            if let Some(row) = self.paths[series][column] {
                self.letters[row * self.columns + column] = Some(series);
            }
        }
    }

    /// The canvas as lines, top to bottom.
    fn lines(&self, colour: bool) -> Vec<String> {
        let mut lines = vec![String::new(); self.rows];
        for cell in 0..self.cells.len() {
            lines[cell / self.columns] += &self.character(cell, colour);
        }
        lines
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
fn letter(series: usize) -> char {
    char::from(b'A' + (series % 26) as u8)
}

/// Text in the colour of a series.
fn painted(text: &str, series: usize, colour: bool) -> String {
    if colour {
        format!("{}{text}{PLAIN}", SERIES_COLOURS[series % SERIES_COLOURS.len()])
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fills_its_dots() {
        let mut canvas = PlotCanvas::new(3, 1);
        canvas.curve(0, &[(0.0, 0.0), (5.0, 3.0)]);
        let shown = canvas.lines(false).remove(0);
        assert!(shown.chars().all(|character| ('\u{2801}'..='\u{28ff}').contains(&character)), "{shown}");
        assert_eq!((shown.chars().next(), shown.chars().count()), (Some('⠑'), 3));
        assert!(canvas.lines(true)[0].starts_with("\u{1b}[38;5;32m"));
    }

    #[test]
    fn points_beyond_the_edge_are_drawn_on_it() {
        let mut canvas = PlotCanvas::new(2, 2);
        canvas.curve(0, &[(99.0, 99.0)]);
        assert_eq!(canvas.lines(false), ["  ", " ⢀"].map(str::to_owned));
    }
}
