//! Success and running time over the values of one key that was swept alone.

use std::ops::Range;

use super::super::counted;
use super::super::graphic::{
    Anchor, Frame, Graphic, LegendEntry, Scale, area, legend, marker, shortened, text_width, trace,
};
use super::super::measurements::{Factor, Level, Measurements};
use super::{Drawn, Figure, percent};

pub(super) const FIGURE: Figure = Figure { id: "parameter", title: "One parameter", draw };

const HEIGHT: f64 = 260.0;

/// Points in pixels.
type Points = Vec<(f64, f64)>;

/// Puzzles that have bands; of more the lines have whiskers alone.
const BANDS: usize = 3;

/// The levels that were run on a puzzle, with their places.
type LevelsRun = Vec<(usize, Level)>;

fn draw(material: &Measurements<'_>) -> Result<Drawn, String> {
    let factors = material.labels.factors();
    let [factor] = &*factors else {
        return Err(String::new());
    };
    let of_part = |part: usize| -> LevelsRun {
        let found = material.levels(part, &[factor], |_| true).into_iter().enumerate();
        found.filter_map(|(index, level)| Some((index, level?))).collect()
    };
    let parts: Vec<LevelsRun> = (0..material.parts.len()).map(of_part).collect();
    let axis = KeyAxis::of(factor);
    let has_median = parts.iter().flatten().any(|(_, level)| level.middle.is_finite());
    let on = if parts.len() > 1 { ", puzzle by puzzle" } else { "" };
    let mut caption = format!(
        "The share of runs solved at each value of {}{on}, with Wilson's 95 % interval.",
        factor.name
    );
    if has_median {
        caption += " Below, the median calls to a solution with its 95 % interval from order statistics; runs without a solution are censored: a median beyond the longest run is a hollow square at the upper edge, and an interval that goes on beyond it ends there.";
    } else {
        caption += " Nowhere did half of the runs solve, so that no median of the calls is known.";
    }
    let more = material.parts_in_words();
    if !more.is_empty() {
        caption += &format!(" {more}");
    }
    let title = if has_median { "Success and calls" } else { "Success" };
    Ok(Drawn::one("parameter", &format!("{title} by {}", factor.name), caption, |width| {
        chart(material, &axis, &parts, has_median, width)
    }))
}

fn chart(
    material: &Measurements<'_>,
    axis: &KeyAxis<'_>,
    parts: &[LevelsRun],
    has_median: bool,
    width: f64,
) -> Graphic {
    let mut graphic = Graphic::new(width, 0.0);
    let entries: Vec<LegendEntry<'_>> =
        material.parts.iter().enumerate().map(|(series, part)| LegendEntry::Series(series, part)).collect();
    let top = match entries.len() {
        0 | 1 => 8.0,
        _ => legend(&mut graphic, (8.0, 2.0), width - 22.0, "", &entries) + 6.0,
    };
    graphic.set_height(top + if has_median { HEIGHT * 2.0 + 16.0 } else { HEIGHT });
    axis.success(&mut graphic, (top, width), parts);
    if has_median {
        axis.calls(&mut graphic, (top + HEIGHT + 8.0, width), parts, material.longest);
    }
    graphic
}

/// The values of one puzzle in pixels.
struct LevelCurve {
    points: Points,
    /// The ends of the intervals.
    lower: Points,
    upper: Points,
    /// What is known; else it is at least this.
    reached: Vec<bool>,
    /// The values in words.
    says: Vec<String>,
}

/// The values of the key along an axis: numbers where all are, else names at equal distances.
struct KeyAxis<'a> {
    factor: &'a Factor,
    places: Vec<f64>,
    scale: Scale,
    is_numeric: bool,
}

impl<'a> KeyAxis<'a> {
    fn of(factor: &'a Factor) -> Self {
        let numbers = factor.numbers().filter(|numbers| numbers.len() > 2);
        let is_numeric = numbers.is_some();
        let places = numbers.unwrap_or_else(|| (0..factor.levels.len()).map(|level| level as f64).collect());
        let (low, high) = (places[0], places[places.len() - 1]);
        let scale = match is_numeric {
            true => {
                let room = (high - low) * 0.04;
                match Scale::fitting(low, high) {
                    log if log.is_log() => Scale::log(low / 1.2, high * 1.2),
                    _ => Scale::linear(low - room, high + room),
                }
            }
            false => Scale::linear(-0.5, high + 0.5),
        };
        Self { factor, places, scale, is_numeric }
    }

    /// Draws the axis below, with names in place of ticks where they are no numbers.
    fn draw(&self, graphic: &mut Graphic, frame: &Frame) {
        let log = if self.is_numeric && self.scale.is_log() { " (logarithmic)" } else { "" };
        let title = format!("{}{log}", self.factor.name);
        if self.is_numeric {
            return frame.x_axis(graphic, &title);
        }
        let room = frame.width / self.places.len() as f64 - 6.0;
        for (place, name) in self.places.iter().zip(&self.factor.levels) {
            let (x, name) = (frame.x.at(*place), if name.is_empty() { "–" } else { name });
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

    fn success(&self, graphic: &mut Graphic, (top, width): (f64, f64), parts: &[LevelsRun]) {
        let frame = Frame::within((0.0, top), (width, HEIGHT), self.scale, Scale::linear(0.0, 1.0));
        frame.y_axis(graphic, "share of runs solved");
        self.draw(graphic, &frame);
        for (series, found) in parts.iter().enumerate() {
            let points = |share: &dyn Fn(&Level) -> f64| -> Points {
                let place = |at: usize| self.place(&frame, at, (series, parts.len()));
                found.iter().map(|(at, level)| (place(*at), frame.y.at(share(level)))).collect()
            };
            let line = LevelCurve {
                points: points(&Level::rate),
                lower: points(&|level| level.share.low),
                upper: points(&|level| level.share.high),
                reached: vec![true; found.len()],
                says: self.says(found, &|level| {
                    format!("{}, {} of {} runs", percent(level.rate()), level.solved, level.runs)
                }),
            };
            self.series(graphic, (series, parts.len()), &line);
        }
    }

    fn calls(&self, graphic: &mut Graphic, (top, width): (f64, f64), parts: &[LevelsRun], longest: f64) {
        let known = parts.iter().flatten().flat_map(|(_, level)| [level.median.low, level.middle]);
        let low = known.filter(|calls| calls.is_finite() && *calls > 0.0).fold(longest, f64::min);
        let y = Scale::log((low / 1.3).min(longest / 10.0).max(1.0), longest.max(2.0));
        let frame = Frame::within((0.0, top), (width, HEIGHT), self.scale, y);
        frame.y_axis(graphic, "median calls (logarithmic)");
        self.draw(graphic, &frame);
        for (series, found) in parts.iter().enumerate() {
            let points = |calls: &dyn Fn(&Level) -> f64| -> Points {
                let place = |at: usize| self.place(&frame, at, (series, parts.len()));
                let y = |level: &Level| frame.y.at(calls(level).max(1.0).min(longest));
                found.iter().map(|(at, level)| (place(*at), y(level))).collect()
            };
            let low = |level: &Level| if level.median.low > 0.0 { level.median.low } else { level.middle };
            let high = |level: &Level| if level.median.low > 0.0 { level.median.high } else { level.middle };
            let says = |level: &Level| match level.middle.is_finite() {
                true => format!("median {} calls", counted(level.middle as u64)),
                false => "the median lies beyond the longest run".to_owned(),
            };
            let line = LevelCurve {
                points: points(&|level| level.middle),
                lower: points(&low),
                upper: points(&high),
                reached: found.iter().map(|(_, level)| level.middle.is_finite()).collect(),
                says: self.says(found, &says),
            };
            self.series(graphic, (series, parts.len()), &line);
        }
    }

    /// Where a value stands; names, and the whiskers of many series, a little beside each other.
    fn place(&self, frame: &Frame, at: usize, (series, all): (usize, usize)) -> f64 {
        let step = if self.is_numeric {
            3.0
        } else {
            14.0_f64.min(0.6 * frame.width / (self.places.len() * all) as f64)
        };
        frame.x.at(self.places[at]) + step * (series as f64 - (all - 1) as f64 / 2.0)
    }

    /// What is said of every value to a pointer.
    fn says(&self, found: &LevelsRun, words: &dyn Fn(&Level) -> String) -> Vec<String> {
        let says = |(at, level): &(usize, Level)| {
            format!("{} = {}: {}", self.factor.name, self.factor.levels[*at], words(level))
        };
        found.iter().map(says).collect()
    }

    /// Draws what belongs to one puzzle.
    fn series(&self, graphic: &mut Graphic, (series, all): (usize, usize), line: &LevelCurve) {
        graphic.series("curve", &series.to_string(), |graphic| self.curve(graphic, (series, all), line));
    }

    /// A curve with a band for numbers, or points with whiskers for names.
    fn curve(&self, graphic: &mut Graphic, (series, all): (usize, usize), line: &LevelCurve) {
        let LevelCurve { points, lower, upper, reached, says } = line;
        if self.is_numeric {
            // A line through values that are not known would be drawn through what they are at least.
            for known in known(reached) {
                if all <= BANDS {
                    let (upper, lower) = (&upper[known.clone()], &lower[known.clone()]);
                    graphic.path(&format!("band c{series}"), area(upper, lower));
                }
                graphic.path(&format!("series s{series}"), trace(points[known].iter().copied()));
            }
        }
        let whisker = if all > 1 { format!("whisker t{series}") } else { "whisker".to_owned() };
        for (at, point) in points.iter().enumerate() {
            graphic.line(&whisker, lower[at], upper[at]);
            if reached[at] {
                marker(graphic, series, *point, &says[at]);
            } else {
                graphic.rect(&format!("hollow t{series}"), (point.0 - 4.0, point.1 - 4.0), (8.0, 8.0));
                graphic.says(&says[at]);
            }
        }
    }
}

/// The stretches of what is known.
fn known(reached: &[bool]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for at in (0..reached.len()).filter(|at| reached[*at]) {
        match stretches.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => stretches.push(at..at + 1),
        }
    }
    stretches
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
