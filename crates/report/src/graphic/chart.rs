//! The parts of charts: the frame of two axes, legends and marks.

use super::{Anchor, Graphic, Path, Point, SERIES, Scale, shortened, text_width, trace, widest};

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
    let mut names = Vec::new();
    for entry in entries {
        let (LegendEntry::Series(_, name) | LegendEntry::Setting(.., name) | LegendEntry::Others(name)) =
            entry;
        names.push(shortened(name, SIZE, room - SAMPLE));
    }
    let widest = SAMPLE + widest(&names, SIZE, 0.0) + GAP;
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
