//! Success and running time over the values of one key that was swept alone.

use std::ops::Range;

use super::super::graphic::{
    Anchor, Frame, Graphic, LegendEntry, Scale, area, legend, marker, shortened, text_width, trace,
};
use super::super::measurements::{Factor, Level, Measurements, or_dash};
use super::super::{counted, problem_value, span};
use super::{Drawn, Figure, NotDrawn, percent};

pub(super) const FIGURE: Figure = Figure { id: "parameter", title: "One parameter", draw };

/// The height of a panel.
const HEIGHT: f64 = 260.0;

/// The most puzzles with bands; with more, lines have only whiskers.
const BANDS: usize = 3;

/// The levels with runs of a puzzle, with their places.
type LevelsRun = Vec<(usize, Level)>;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    let factors = measurements.labels.factors();
    let [factor] = &*factors else {
        return Err(NotDrawn::Silently);
    };
    let mut parts: Vec<LevelsRun> = Vec::new();
    for part in 0..measurements.shown_puzzles.len() {
        let levels = measurements.levels(part, &[factor], |_| true).into_iter().enumerate();
        parts.push(levels.filter_map(|(index, level)| Some((index, level?))).collect());
    }
    let axis = KeyAxis::of(factor);
    if measurements.is_by_fitness {
        let on = if parts.len() > 1 { ", instance by instance" } else { "" };
        let best = measurements.subject_on(Some(0)).best();
        let caption = format!(
            "The median of the {best} at each value of {}{on}, with its 95 % interval from order statistics.",
            factor.name
        );
        let title = format!("B{} by {}", &best[1..], factor.name);
        return Ok(Drawn::one(measurements, "parameter", &title, caption, |width| {
            fitness_chart(measurements, &axis, &parts, best, width)
        }));
    }
    let has_median = parts.iter().flatten().any(|(_, level)| level.median.value.is_finite());
    let noun = measurements.subject.noun();
    let on = if parts.len() > 1 { format!(", {noun} by {noun}") } else { String::new() };
    let mut caption = format!(
        "The share of runs solved at each value of {}{on}, with Wilson's 95 % interval.",
        factor.name
    );
    if has_median {
        caption += " Below, the median calls to a solution with its 95 % interval from order statistics; runs without a solution are censored: a median beyond the longest run is a hollow square at the upper edge, and an interval that goes on beyond it ends there.";
    } else {
        caption += " Nowhere did half of the runs solve, so that no median of the calls is known.";
    }
    if let Some(note) = measurements.parts_note() {
        caption += &format!(" {note}");
    }
    let title = if has_median { "Success and calls" } else { "Success" };
    Ok(Drawn::one(measurements, "parameter", &format!("{title} by {}", factor.name), caption, |width| {
        chart(measurements, &axis, &parts, has_median, width)
    }))
}

fn chart(
    measurements: &Measurements<'_>,
    axis: &KeyAxis<'_>,
    parts: &[LevelsRun],
    has_median: bool,
    width: f64,
) -> Graphic {
    let mut graphic = Graphic::new(width, 0.0);
    let top = key(measurements, &mut graphic, width);
    graphic.set_height(top + if has_median { HEIGHT * 2.0 + 16.0 } else { HEIGHT });
    let panel = |top, y| Frame::within((0.0, top), (width, HEIGHT), axis.scale, y);
    let shares = panel(top, Scale::linear(0.0, 1.0));
    shares.y_axis(&mut graphic, "share of runs solved");
    axis.panel(&mut graphic, &shares, parts, &share_solved);
    if has_median {
        let longest = measurements.longest;
        let calls = panel(top + HEIGHT + 8.0, calls_scale(parts, longest));
        calls.y_axis(&mut graphic, "median calls (logarithmic)");
        axis.panel(&mut graphic, &calls, parts, &|level| median_calls(level, longest));
    }
    graphic
}

/// The medians of the best fitness or value, where no run counts as solved.
fn fitness_chart(
    measurements: &Measurements<'_>,
    axis: &KeyAxis<'_>,
    parts: &[LevelsRun],
    best: &str,
    width: f64,
) -> Graphic {
    let mut graphic = Graphic::new(width, 0.0);
    let top = key(measurements, &mut graphic, width);
    graphic.set_height(top + HEIGHT);
    let values = parts.iter().flatten().map(|(_, level)| median_fitness(level));
    let (low, high) = span(values.flat_map(|value| [value.low, value.high]));
    let panel = Frame::within((0.0, top), (width, HEIGHT), axis.scale, Scale::fitting(low, high));
    panel.y_axis(&mut graphic, &format!("median of the {best}"));
    axis.panel(&mut graphic, &panel, parts, &median_fitness);
    graphic
}

/// The key of the puzzles at the top; returns its height.
fn key(measurements: &Measurements<'_>, graphic: &mut Graphic, width: f64) -> f64 {
    let entries = LegendEntry::all(measurements.shown_puzzles.iter().map(String::as_str));
    match entries.len() {
        0 | 1 => 8.0,
        _ => legend(graphic, (8.0, 2.0), width - 22.0, "", &entries) + 6.0,
    }
}

/// The scale of the medians of some levels, up to the `longest` run.
fn calls_scale(parts: &[LevelsRun], longest: f64) -> Scale {
    let known = parts.iter().flatten().flat_map(|(_, level)| [level.median.interval.low, level.median.value]);
    // An interval may begin at no call at all, which has no place on a logarithmic axis.
    let low = known.filter(|calls| calls.is_finite() && *calls > 0.0).fold(longest, f64::min);
    // At least a decade: a narrow range would look like a wide one.
    Scale::log((low / 1.3).min(longest / 10.0).max(1.0), longest.max(2.0))
}

/// The share of a level's runs that solved.
fn share_solved(level: &Level) -> LevelValue {
    LevelValue {
        value: level.rate(),
        low: level.share.low,
        high: level.share.high,
        is_known: true,
        says: format!("{}, {} of {} runs", percent(level.rate()), level.solved, level.runs),
    }
}

/// The median calls of a level; with too few runs for an interval its ends are the median.
fn median_calls(level: &Level, longest: f64) -> LevelValue {
    let (low, high) = if level.median.interval.low > 0.0 {
        (level.median.interval.low, level.median.interval.high)
    } else {
        (level.median.value, level.median.value)
    };
    let [value, low, high] = [level.median.value, low, high].map(|calls| calls.max(1.0).min(longest));
    let is_known = level.median.value.is_finite();
    let says = if is_known {
        format!("median {} calls", counted(level.median.value as u64))
    } else {
        "the median lies beyond the longest run".to_owned()
    };
    LevelValue { value, low, high, is_known, says }
}

/// The median of the best fitness or value of a level; with too few runs for an interval its ends are the median.
fn median_fitness(level: &Level) -> LevelValue {
    let value = level.median.value;
    let interval = level.median.interval;
    let is_bounded = interval.low.is_finite() && interval.high.is_finite();
    let (low, high) = if is_bounded { (interval.low, interval.high) } else { (value, value) };
    LevelValue { value, low, high, is_known: true, says: format!("median {}", problem_value(value)) }
}

/// The value of a level in a panel.
struct LevelValue {
    value: f64,
    low: f64,
    high: f64,
    /// Whether the value is known; otherwise it is a lower bound.
    is_known: bool,
    says: String,
}

/// The value of a level, by its index, at its place.
struct PlacedValue {
    x: f64,
    level: usize,
    value: LevelValue,
}

/// A series among all of its panel.
#[derive(Clone, Copy)]
struct ParameterSeries {
    index: usize,
    all: usize,
}

/// The values of the key along an axis: numbers, or names at equal distances.
struct KeyAxis<'a> {
    factor: &'a Factor,
    places: Vec<f64>,
    scale: Scale,
    is_numeric: bool,
}

impl<'a> KeyAxis<'a> {
    /// The axis of a key.
    fn of(factor: &'a Factor) -> Self {
        // Two numbers are drawn as words: a line between two points says nothing.
        let numbers = factor.numbers().filter(|numbers| numbers.len() > 2);
        let is_numeric = numbers.is_some();
        let places = numbers.unwrap_or_else(|| (0..factor.levels.len()).map(|level| level as f64).collect());
        let (low, high) = (places[0], places[places.len() - 1]);
        let scale = if is_numeric {
            let room = (high - low) * 0.04;
            match Scale::fitting(low, high) {
                log if log.is_log() => Scale::log(low / 1.2, high * 1.2),
                _ => Scale::linear(low - room, high + room),
            }
        } else {
            Scale::linear(-0.5, high + 0.5)
        };
        Self { factor, places, scale, is_numeric }
    }

    /// Draws the horizontal axis, with names in place of ticks unless the values are numbers.
    fn draw(&self, graphic: &mut Graphic, frame: &Frame) {
        let log = if self.is_numeric && self.scale.is_log() { " (logarithmic)" } else { "" };
        let title = format!("{}{log}", self.factor.name);
        if self.is_numeric {
            return frame.x_axis(graphic, &title);
        }
        // Many words would overlap: the marks say theirs when they are pointed at.
        let room = frame.width / self.places.len() as f64 - 6.0;
        for (place, name) in self.places.iter().zip(&self.factor.levels) {
            let (x, name) = (frame.x.at(*place), or_dash(name));
            if room > 20.0 {
                let name = shortened(name, 11.0, room);
                graphic.text("tick", (x, frame.bottom() + 15.0), Anchor::Middle, &name);
            }
        }
        graphic.line("axis", (frame.left, frame.bottom()), (frame.right(), frame.bottom()));
        let title = shortened(&title, 12.0, frame.width);
        debug_assert!(text_width(&title, 12.0) <= frame.width);
        graphic.text(
            "axis-title",
            (frame.left + frame.width / 2.0, frame.bottom() + 34.0),
            Anchor::Middle,
            &title,
        );
    }

    /// Draws a panel: the axis, and the values of every puzzle.
    fn panel(
        &self,
        graphic: &mut Graphic,
        frame: &Frame,
        parts: &[LevelsRun],
        of: &dyn Fn(&Level) -> LevelValue,
    ) {
        self.draw(graphic, frame);
        for (index, levels) in parts.iter().enumerate() {
            let series = ParameterSeries { index, all: parts.len() };
            let mut values = Vec::new();
            for (level, runs) in levels {
                values.push(PlacedValue {
                    x: self.place(frame, *level, series),
                    level: *level,
                    value: of(runs),
                });
            }
            graphic
                .series("curve", &index.to_string(), |graphic| self.curve(graphic, frame, series, &values));
        }
    }

    /// The place of a value; names and whiskers of several series are set a little apart.
    fn place(&self, frame: &Frame, at: usize, series: ParameterSeries) -> f64 {
        // Series stand beside each other, so that their whiskers do not cover one another.
        let step = if self.is_numeric {
            3.0
        } else {
            14.0_f64.min(0.6 * frame.width / (self.places.len() * series.all) as f64)
        };
        frame.x.at(self.places[at]) + step * (series.index as f64 - (series.all - 1) as f64 / 2.0)
    }

    /// A curve with a band for numbers, or points with whiskers for names.
    fn curve(&self, graphic: &mut Graphic, frame: &Frame, series: ParameterSeries, values: &[PlacedValue]) {
        let ParameterSeries { index: series, all } = series;
        let (mut points, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
        for PlacedValue { x, value, .. } in values {
            points.push((*x, frame.y.at(value.value)));
            lower.push((*x, frame.y.at(value.low)));
            upper.push((*x, frame.y.at(value.high)));
        }
        if self.is_numeric {
            // A line through lower bounds would mislead.
            let is_known: Vec<bool> = values.iter().map(|one| one.value.is_known).collect();
            for known in known(&is_known) {
                if all <= BANDS {
                    let (upper, lower) = (&upper[known.clone()], &lower[known.clone()]);
                    graphic.path(&format!("band c{series}"), area(upper, lower));
                }
                graphic.path(&format!("series s{series}"), trace(points[known].iter().copied()));
            }
        }
        let whisker = if all > 1 { format!("whisker t{series}") } else { "whisker".to_owned() };
        for (at, PlacedValue { level, value, .. }) in values.iter().enumerate() {
            let (x, y) = points[at];
            graphic.line(&whisker, lower[at], upper[at]);
            let says = format!("{} = {}: {}", self.factor.name, self.factor.levels[*level], value.says);
            if value.is_known {
                marker(graphic, series, (x, y), &says);
            } else {
                graphic.rect(&format!("hollow t{series}"), (x - 4.0, y - 4.0), (8.0, 8.0));
                graphic.says(&says);
            }
        }
    }
}

/// The ranges of consecutive known values.
fn known(is_known: &[bool]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in (0..is_known.len()).filter(|at| is_known[*at]) {
        match ranges.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_parts_a_line() {
        assert_eq!(known(&[true, true, false, true]), [0..2, 3..4]);
        assert!(known(&[false]).is_empty());
    }
}
