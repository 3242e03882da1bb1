//! Success and running time over the values of one key that was swept alone.

use super::super::material::{Factor, Material};
use super::super::svg::{Anchor, Frame, Scale, Svg, WIDTH, area, marker, shortened, text_width, trace};
use super::levels::{Level, levels};
use super::{Drawn, Figure};

pub(super) const FIGURE: Figure = Figure { id: "parameter", title: "One parameter", draw };

const HEIGHT: f64 = 260.0;

fn draw(material: &Material<'_>) -> Result<Drawn, String> {
    let factors = material.labels.factors();
    let [factor] = &*factors else {
        return Err(String::new());
    };
    let found: Vec<(usize, Level)> = levels(material, &[factor], |_| true)
        .into_iter()
        .enumerate()
        .filter_map(|(index, level)| Some((index, level?)))
        .collect();
    let axis = Axis::of(factor);
    let has_median = found.iter().any(|(_, level)| level.middle.is_finite());
    let mut svg = Svg::new(WIDTH, if has_median { HEIGHT * 2.0 + 24.0 } else { HEIGHT + 8.0 });
    axis.success(&mut svg, 8.0, &found);
    let mut caption =
        format!("The share of runs solved at each value of {}, with Wilson's 95 % interval.", factor.name);
    if has_median {
        axis.calls(&mut svg, 16.0 + HEIGHT, &found, material.longest);
        caption += " Below, the median calls to a solution with its 95 % interval from order statistics; runs without a solution are censored: a median beyond the longest run is a hollow square at the upper edge, and an interval that goes on beyond it ends there.";
    } else {
        caption += " The median calls to a solution are beyond the longest run everywhere.";
    }
    Ok(Drawn::one("parameter", &format!("Success and calls by {}", factor.name), caption, svg))
}

/// The values of the key along an axis: numbers where all are, else names at equal distances.
struct Axis<'a> {
    factor: &'a Factor,
    places: Vec<f64>,
    scale: Scale,
    is_numeric: bool,
}

impl<'a> Axis<'a> {
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
    fn draw(&self, svg: &mut Svg, frame: &Frame) {
        let log = if self.is_numeric && self.scale.is_log() { " (logarithmic)" } else { "" };
        let title = format!("{}{log}", self.factor.name);
        if self.is_numeric {
            return frame.x_axis(svg, &title);
        }
        let room = frame.width / self.places.len() as f64 - 6.0;
        for (place, name) in self.places.iter().zip(&self.factor.levels) {
            let (x, name) = (frame.x.at(*place), if name.is_empty() { "–" } else { name });
            if room > 20.0 {
                let name = shortened(name, 11.0, room);
                svg.text("tick", (x, frame.bottom() + 15.0), Anchor::Middle, &name);
            }
        }
        svg.line("axis", (frame.left, frame.bottom()), (frame.right(), frame.bottom()));
        let title = shortened(&title, 12.0, frame.width);
        debug_assert!(text_width(&title, 12.0) <= frame.width);
        svg.text(
            "axis-title",
            (frame.left + frame.width / 2.0, frame.bottom() + 34.0),
            Anchor::Middle,
            &title,
        );
    }

    fn success(&self, svg: &mut Svg, top: f64, found: &[(usize, Level)]) {
        let frame = Frame::within((0.0, top), (WIDTH, HEIGHT), self.scale, Scale::linear(0.0, 1.0));
        frame.y_axis(svg, "share of runs solved");
        self.draw(svg, &frame);
        let points = |share: &dyn Fn(&Level) -> f64| -> Vec<(f64, f64)> {
            found.iter().map(|(at, level)| frame.at(self.places[*at], share(level))).collect()
        };
        let (lower, upper) = (points(&|level| level.share.low), points(&|level| level.share.high));
        self.series(svg, &points(&Level::rate), &lower, &upper, &vec![true; found.len()]);
    }

    fn calls(&self, svg: &mut Svg, top: f64, found: &[(usize, Level)], longest: f64) {
        let known = found.iter().flat_map(|(_, level)| [level.median.low, level.middle]);
        let low = known.filter(|calls| calls.is_finite() && *calls > 0.0).fold(longest, f64::min);
        let y = Scale::log((low / 1.3).max(1.0), longest.max(2.0));
        let frame = Frame::within((0.0, top), (WIDTH, HEIGHT), self.scale, y);
        frame.y_axis(svg, "median calls to a solution");
        self.draw(svg, &frame);
        let points = |calls: &dyn Fn(&Level) -> f64| -> Vec<(f64, f64)> {
            let at =
                |(at, level): &(usize, Level)| frame.at(self.places[*at], calls(level).max(1.0).min(longest));
            found.iter().map(at).collect()
        };
        let low = |level: &Level| if level.median.low > 0.0 { level.median.low } else { level.middle };
        let high = |level: &Level| if level.median.low > 0.0 { level.median.high } else { level.middle };
        let reached: Vec<bool> = found.iter().map(|(_, level)| level.middle.is_finite()).collect();
        self.series(svg, &points(&|level| level.middle), &points(&low), &points(&high), &reached);
    }

    /// A curve with a band for numbers, or points with whiskers for names.
    fn series(
        &self,
        svg: &mut Svg,
        points: &[(f64, f64)],
        lower: &[(f64, f64)],
        upper: &[(f64, f64)],
        reached: &[bool],
    ) {
        if self.is_numeric {
            svg.path("band c0", &area(upper, lower));
            svg.path("series s0", &trace(points.iter().copied()));
        }
        for ((point, reached), (low, high)) in points.iter().zip(reached).zip(lower.iter().zip(upper)) {
            svg.line("whisker", *low, *high);
            match reached {
                true => marker(svg, 0, *point),
                false => svg.rect("hollow", (point.0 - 4.0, point.1 - 4.0), (8.0, 8.0)),
            }
        }
    }
}
