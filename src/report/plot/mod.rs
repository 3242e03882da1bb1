//! Convergence for a terminal: the median of the best fitness over runs, in braille.

mod canvas;

use super::graphic::Scale;
use super::material::{Convergence, Material, Measure};
use crate::study::Study;
use canvas::Canvas;

/// Lines of text of the chart.
const HEIGHT: usize = 18;

/// Settings that are drawn: all of a few, else the best.
const MOST: usize = 6;

/// Columns that the numbers on the left take, with the axis.
const LEFT: usize = 8;

/// Why there is nothing to plot.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// No run has ended.
    #[error("no run has ended")]
    NoRuns,
    /// Convergence was not recorded, or cannot be read.
    #[error("{0}")]
    NoConvergence(String),
}

/// Draws the convergence of a study `width` columns wide, at least 30, settings with the same values of `by` taken
/// together; with the colours of a terminal or without.
///
/// # Errors
/// [`PlotError`] where there is nothing to draw.
pub fn plot(study: &Study, by: &[String], width: usize, colour: bool) -> Result<String, PlotError> {
    let material = Material::new(study, by, super::PARTS, super::ALPHA);
    if material.settings.is_empty() {
        return Err(PlotError::NoRuns);
    }
    let convergence =
        material.convergence.as_ref().map_err(|why| PlotError::NoConvergence(why.to_string()))?;
    let charts: Vec<String> = (0..material.parts.len())
        .filter_map(|part| chart(&material, convergence, part, width, colour))
        .collect();
    match charts.is_empty() {
        true => Err(PlotError::NoConvergence("no run has a recorded generation".to_owned())),
        false => Ok(charts.join("\n")),
    }
}

/// The chart of one puzzle; `None` where nothing was recorded.
fn chart(
    material: &Material<'_>,
    convergence: &Convergence,
    part: usize,
    width: usize,
    colour: bool,
) -> Option<String> {
    let all = convergence.bands(Measure::Best, part);
    let able: Vec<usize> =
        material.order.iter().copied().filter(|setting| !all[*setting].is_empty()).collect();
    let shown = &able[..able.len().min(MOST)];
    if shown.is_empty() {
        return None;
    }
    let bands = || shown.iter().map(|setting| &all[*setting]);
    let times = &convergence.times;
    let first = bands().map(|band| times[band.first]).fold(f64::INFINITY, f64::min);
    let highest = bands().flat_map(|band| &band.median).fold(1.0_f64, |high, value| high.max(*value));
    let columns = width.max(30) - LEFT - 1;
    let x = Scale::fitting(first, times[times.len() - 1]).over(0.0, (columns * 2 - 1) as f64);
    let y = Scale::linear(0.0, highest).over((HEIGHT * 4 - 1) as f64, 0.0);

    let mut canvas = Canvas::new(columns, HEIGHT);
    for (series, band) in bands().enumerate() {
        let points = band.median.iter().zip(&times[band.first..]);
        let points: Vec<(f64, f64)> = points.map(|(value, time)| (x.at(*time), y.at(*value))).collect();
        canvas.curve(series, &points);
    }
    if shown.len() > 1 {
        (0..shown.len()).for_each(|series| canvas.letter(series, shown.len()));
    }
    let on = if material.puzzles > 1 { format!("{}: ", material.parts[part].puzzle) } else { String::new() };
    let mut text = format!("{on}best fitness, median over runs (0 is solved)\n");
    text += &with_axes(&canvas.lines(colour), &x, &y, columns);
    text += &legend(material, part, shown, able.len(), colour);
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
        if start >= free {
            word.chars().enumerate().for_each(|(index, character)| words[start + index] = character);
            free = start + length + 1;
        }
    }
    let log = if x.is_log() { ", logarithmic" } else { "" };
    let indent = " ".repeat(LEFT);
    text += &format!("{}└{}\n", " ".repeat(LEFT - 1), rule.iter().collect::<String>());
    text += format!("{indent}{}", words.iter().collect::<String>()).trim_end();
    text += &format!("\n{indent}calls (evaluations + moves{log})\n");
    text
}

/// The settings with their letters, and how many of their runs solved.
fn legend(material: &Material<'_>, part: usize, shown: &[usize], all: usize, colour: bool) -> String {
    let heading = material.labels.heading();
    let mut text = if heading.is_empty() { String::new() } else { format!("{heading}:\n") };
    for (series, setting) in shown.iter().enumerate() {
        let Some(one) = material.numbers(*setting, part) else { continue };
        let letter = canvas::painted(&canvas::letter(series).to_string(), series, colour);
        let head = if shown.len() > 1 { format!("{letter}  ") } else { String::new() };
        text +=
            &format!("{head}{}   {} of {} solved\n", material.labels.name(*setting), one.solved, one.runs());
    }
    if all > shown.len() {
        text += &format!("and {} settings more, none of which solves more often\n", all - shown.len());
    }
    text
}
