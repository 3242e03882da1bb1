//! The parts of charts: scales with ticks, the frame of two axes, legends and marks.

use super::super::rounded;
use super::{Anchor, Graphic, Path, Point, SERIES, shortened, text_width, trace};

/// From a range of values to a range of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    is_log: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// No end of a scale is farther from 0, so that ticks are finitely many.
const FARTHEST: f64 = 1e150;

fn finite(value: f64) -> f64 {
    value.clamp(-FARTHEST, FARTHEST)
}

impl Scale {
    /// Equal steps; a range without width is widened.
    pub(crate) fn linear(low: f64, high: f64) -> Self {
        let (low, high) = (finite(low), finite(high));
        let high = if high > low { high } else { low + 1.0 };
        Self { is_log: false, low, high, from: 0.0, to: 1.0 }
    }

    /// Equal ratios, for values above 0; a range without width is widened.
    pub(crate) fn log(low: f64, high: f64) -> Self {
        let (low, high) = (finite(low).max(1.0 / FARTHEST), finite(high));
        let (low, high) = if high > low { (low, high) } else { (low / 2.0, low * 2.0) };
        Self { is_log: true, low, high, from: 0.0, to: 1.0 }
    }

    /// Logarithmic where the lowest value is above 0 and the highest at least ten times as high.
    pub(crate) fn fitting(low: f64, high: f64) -> Self {
        if low > 0.0 && high >= 10.0 * low { Self::log(low, high) } else { Self::linear(low, high) }
    }

    /// The scale over a range of pixels.
    pub(crate) fn over(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// The kind of scale and the values at its ends, for the script of the page: `log 80 60000`.
    pub(crate) fn range(&self) -> String {
        format!("{} {} {}", if self.is_log { "log" } else { "linear" }, self.low, self.high)
    }

    pub(crate) fn is_log(&self) -> bool {
        self.is_log
    }

    /// The position of a value from 0, the lowest, to 1, the highest; values beyond are clamped.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    /// The pixel of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + self.share(value) * (self.to - self.from)
    }

    /// About `wanted` round values on the scale, with their labels.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        if self.is_log
            && let Some(values) = self.log_ticks(wanted)
        {
            return values.into_iter().map(|value| (value, in_words(value))).collect();
        }
        let step = round_step((self.high - self.low) / wanted.max(1) as f64);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let mut ticks = Vec::new();
        for index in first..=last {
            let value = index as f64 * step;
            let word = if step >= 1.0 { in_words(value) } else { format!("{value:.decimals$}") };
            ticks.push((value, word));
        }
        ticks
    }

    /// Powers of ten, fewer or with multiples between them, so that there are two or three at least; `None` where the range
    /// is too narrow.
    fn log_ticks(&self, wanted: usize) -> Option<Vec<f64>> {
        let decades = (self.high / self.low).log10();
        let every = (decades / wanted.max(1) as f64).ceil().max(1.0) as i32;
        let ladder: [(&[f64], i32); 5] = [
            (&[1.0], every),
            (&[1.0], 1),
            (&[1.0, 3.0], 1),
            (&[1.0, 2.0, 5.0], 1),
            (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 1),
        ];
        let start = match wanted as f64 {
            wanted if decades * 3.0 <= wanted => 3,
            wanted if decades * 2.0 <= wanted => 2,
            _ => 0,
        };
        for (factors, every) in &ladder[start..] {
            let values = self.multiples(factors, *every);
            if values.len() >= wanted.clamp(2, 3) {
                return Some(values);
            }
        }
        None
    }

    /// The multiples of every `every`th power of ten that lie on the scale.
    fn multiples(&self, factors: &[f64], every: i32) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let mut values = Vec::new();
        for power in first..=last {
            if power.rem_euclid(every) != 0 {
                continue;
            }
            for factor in factors {
                let value = factor * 10_f64.powi(power);
                // A tick at an end may miss it by rounding.
                if value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9) {
                    values.push(value);
                }
            }
        }
        values
    }
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A round value: `0.001`, `50`, `20 k`, `1.5 M`.
pub(crate) fn in_words(value: f64) -> String {
    if value.abs() >= 1000.0 {
        let text = rounded(value);
        let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
        let number =
            if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
        return format!("{number} {unit}").trim_end().to_owned();
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Pixels for an axis and its title to the left of a chart, and below it.
const LEFT: f64 = 58.0;
const BELOW: f64 = 44.0;

/// Pixels to the right of a chart.
const MARGIN: f64 = 14.0;

/// A chart's rectangle with its scales.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) x: Scale,
    pub(crate) y: Scale,
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Frame {
    /// A chart within a rectangle that includes the axes.
    pub(crate) fn within(at: (f64, f64), size: (f64, f64), x: Scale, y: Scale) -> Self {
        let (left, top) = (at.0 + LEFT, at.1);
        let (width, height) = (size.0 - LEFT - MARGIN, size.1 - BELOW);
        Self::exact((left, top), (width, height), x, y)
    }

    /// A chart that fills a rectangle.
    pub(crate) fn exact(at: (f64, f64), size: (f64, f64), x: Scale, y: Scale) -> Self {
        let ((left, top), (width, height)) = (at, size);
        Self { x: x.over(left, left + width), y: y.over(top + height, top), left, top, width, height }
    }

    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The pixel of a point.
    pub(crate) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    /// Draws both axes with titles, for curves whose values the page can show.
    pub(crate) fn chart(&self, graphic: &mut Graphic, x_title: &str, y_title: &str) {
        graphic.series("axes", "", |graphic| self.axes(graphic, x_title, y_title));
        graphic.chart(self);
    }

    /// Draws both axes with titles.
    pub(crate) fn axes(&self, graphic: &mut Graphic, x_title: &str, y_title: &str) {
        self.x_axis(graphic, x_title);
        self.y_axis(graphic, y_title);
    }

    /// Draws the horizontal axis with its title and grid lines.
    pub(crate) fn x_axis(&self, graphic: &mut Graphic, title: &str) {
        let mut free = f64::NEG_INFINITY;
        for (value, word) in self.x.ticks((self.width / 75.0).max(2.0) as usize) {
            let (x, half) = (self.x.at(value), text_width(&word, 11.0) / 2.0);
            graphic.line("grid", (x, self.top), (x, self.bottom()));
            // The last label stays within the picture.
            let middle = x.min(self.right() + MARGIN - half);
            if middle - half > free {
                graphic.text("tick", (middle, self.bottom() + 15.0), Anchor::Middle, &word);
                free = middle + half + 6.0;
            }
        }
        graphic.line("axis", (self.left, self.bottom()), (self.right(), self.bottom()));
        let middle = self.left + self.width / 2.0;
        graphic.text("axis-title", (middle, self.bottom() + 34.0), Anchor::Middle, title);
    }

    /// Draws the vertical axis with its title and grid lines.
    pub(crate) fn y_axis(&self, graphic: &mut Graphic, title: &str) {
        for (value, word) in self.y.ticks((self.height / 42.0).max(2.0) as usize) {
            let y = self.y.at(value);
            graphic.line("grid", (self.left, y), (self.right(), y));
            graphic.text("tick", (self.left - 6.0, y + 4.0), Anchor::End, &word);
        }
        graphic.line("axis", (self.left, self.top), (self.left, self.bottom()));
        graphic.upward_text("axis-title", (self.left - 44.0, self.top + self.height / 2.0), title);
    }
}

const SIZE: f64 = 12.0;
const ROW: f64 = 19.0;
const SAMPLE: f64 = 34.0;
const GAP: f64 = 18.0;

/// A series of the legend.
pub(crate) enum LegendEntry<'a> {
    /// A series by its number, with a mark.
    Series(usize, &'a str),
    /// A setting: its series, its number among all, and its name.
    Setting(usize, usize, &'a str),
    /// The lines in the background.
    Others(&'a str),
}

impl<'a> LegendEntry<'a> {
    /// An entry for each series.
    pub(crate) fn all(names: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        names.into_iter().enumerate().map(|(series, name)| Self::Series(series, name)).collect()
    }

    /// The key that an entry shares with its curve.
    fn key(&self) -> String {
        match self {
            Self::Series(series, _) => series.to_string(),
            Self::Setting(_, setting, _) => setting_key(*setting),
            Self::Others(_) => OTHERS.to_owned(),
        }
    }
}

/// The lowest and the highest of some numbers; (∞, −∞) without any.
pub(crate) fn span(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers {
        (low, high) = (low.min(number), high.max(number));
    }
    (low, high)
}

/// The key of the lines in the background.
pub(crate) const OTHERS: &str = "others";

/// The key of the curves of a setting, which its rows share.
pub(crate) fn setting_key(setting: usize) -> String {
    format!("setting-{setting}")
}

/// Draws a legend and returns its height. `heading` names the keys whose values the entries are; it may be empty.
pub(crate) fn legend(
    graphic: &mut Graphic,
    at: (f64, f64),
    room: f64,
    heading: &str,
    entries: &[LegendEntry<'_>],
) -> f64 {
    let (mut x, mut y) = (at.0, at.1 + ROW / 2.0);
    if !heading.is_empty() {
        graphic.text("legend-heading", (x, y + 4.0), Anchor::Start, &shortened(heading, SIZE, room));
        y += ROW;
    }
    // All columns are as wide as the longest name.
    let names = entries.iter().map(|entry| match entry {
        LegendEntry::Series(_, name) | LegendEntry::Setting(.., name) | LegendEntry::Others(name) => {
            shortened(name, SIZE, room - SAMPLE)
        }
    });
    let names: Vec<String> = names.collect();
    let widest = names.iter().map(|name| SAMPLE + text_width(name, SIZE) + GAP).fold(0.0, f64::max);
    let columns = ((room + GAP) / widest.max(1.0)).floor().clamp(1.0, entries.len().max(1) as f64) as usize;
    for (index, (entry, name)) in entries.iter().zip(&names).enumerate() {
        if index > 0 && index % columns == 0 {
            (x, y) = (at.0, y + ROW);
        }
        graphic.series("entry", &entry.key(), |graphic| {
            match entry {
                LegendEntry::Series(series, _) | LegendEntry::Setting(series, ..) => {
                    graphic.line(&format!("series s{}", series % SERIES), (x, y), (x + SAMPLE - 8.0, y));
                    marker(graphic, *series, (x + (SAMPLE - 8.0) / 2.0, y), "");
                }
                LegendEntry::Others(_) => graphic.line("others", (x, y), (x + SAMPLE - 8.0, y)),
            }
            graphic.text("legend", (x + SAMPLE, y + 4.0), Anchor::Start, name);
        });
        x += widest;
    }
    y + ROW / 2.0 + 6.0 - at.1
}

impl Graphic {
    /// An area with a share, 0 to 1, as the strength of its colour.
    pub(crate) fn tint(&mut self, class: &str, path: Path, share: f64) {
        let is_empty = path.is_empty();
        self.path(class, path);
        if let Some(shape) = self.shapes.last_mut().filter(|_| !is_empty) {
            shape.share = Some(share);
        }
    }
}

/// Draws the mark of a series around a point, with a tooltip.
pub(crate) fn marker(graphic: &mut Graphic, series: usize, at: Point, says: &str) {
    let class = format!("mark c{}", series % SERIES);
    let corners: &[Point] = match series % SERIES {
        1 => &[(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)],
        2 => &[(0.0, -4.6), (4.4, 3.4), (-4.4, 3.4)],
        3 => &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
        4 => &[(0.0, 4.6), (4.4, -3.4), (-4.4, -3.4)],
        5 => &[(-4.5, -1.6), (4.5, -1.6), (4.5, 1.6), (-4.5, 1.6)],
        6 => &[(-1.6, -4.5), (1.6, -4.5), (1.6, 4.5), (-1.6, 4.5)],
        _ => {
            graphic.circle(&class, at, 3.8);
            return graphic.says(says);
        }
    };
    graphic.path(&class, trace(corners.iter().map(|(dx, dy)| (at.0 + dx, at.1 + dy))).closed());
    graphic.says(says);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(scale: Scale, wanted: usize) -> Vec<String> {
        scale.ticks(wanted).into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn ticks_of_a_linear_scale_are_round() {
        assert_eq!(words(Scale::linear(0.0, 1.0), 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(words(Scale::linear(0.0, 37.0), 5), ["0", "10", "20", "30"]);
        assert_eq!(words(Scale::linear(0.0, 2500.0), 5), ["0", "500", "1 k", "1.5 k", "2 k", "2.5 k"]);
    }

    #[test]
    fn ticks_of_a_logarithmic_scale_are_powers_of_ten() {
        assert_eq!(words(Scale::log(10.0, 1e6), 6), ["10", "100", "1 k", "10 k", "100 k", "1 M"]);
        assert_eq!(words(Scale::log(80.0, 900.0), 6), ["100", "200", "500"]);
        assert_eq!(words(Scale::log(1.0, 1e9), 4), ["1", "1 k", "1 M", "1 G"]);
    }

    #[test]
    fn endless_ranges_have_few_ticks() {
        let (no, all) = (f64::NAN, f64::INFINITY);
        for (low, high) in [(0.0, all), (1.0, all), (-all, all), (no, 1.0), (0.0, no), (no, no)] {
            for scale in [Scale::linear(low, high), Scale::log(low, high)] {
                assert!(scale.ticks(5).len() < 12, "{low} {high}");
            }
        }
    }

    #[test]
    fn a_narrow_logarithmic_scale_has_ticks_all_the_same() {
        assert!(words(Scale::log(310.0, 390.0), 5).len() >= 2);
    }

    #[test]
    fn few_ticks_of_a_logarithmic_scale_are_spread_over_it() {
        assert_eq!(words(Scale::log(11.0, 1e5), 2), ["100", "10 k"]);
        assert_eq!(words(Scale::log(200.0, 20e3), 2), ["1 k", "10 k"]);
        assert_eq!(words(Scale::log(20.0, 900.0), 2), ["30", "100", "300"]);
        assert_eq!(words(Scale::log(2.1e5, 1.6e6), 2), ["300 k", "1 M"]);
    }

    #[test]
    fn ends_meet_the_ends_of_the_pixels() {
        let scale = Scale::log(1.0, 100.0).over(50.0, 250.0);
        assert_eq!([1.0, 10.0, 100.0].map(|value| scale.at(value).round()), [50.0, 150.0, 250.0]);
        assert_eq!(scale.at(0.0), 50.0);
        let scale = Scale::linear(0.0, 4.0).over(100.0, 0.0);
        assert_eq!([0.0, 1.0, 4.0, 9.0].map(|value| scale.at(value)), [100.0, 75.0, 0.0, 0.0]);
    }

    #[test]
    fn a_range_without_width_has_a_scale() {
        for scale in [Scale::linear(3.0, 3.0), Scale::log(3.0, 3.0), Scale::fitting(0.0, 0.0)] {
            assert!(scale.at(3.0).is_finite() && !scale.ticks(4).is_empty());
        }
    }
}
