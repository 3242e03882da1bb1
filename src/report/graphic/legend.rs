//! The legend above a chart: a sample of each series with its name, in as many rows as they need.
//! Marks tell series apart without colour.

use super::{Anchor, Graphic, Point, SERIES, shortened, text_width, trace};

const SIZE: f64 = 12.0;
const ROW: f64 = 19.0;
const SAMPLE: f64 = 34.0;
const GAP: f64 = 18.0;

/// A series of the legend.
pub(in crate::report) enum LegendEntry<'a> {
    /// A series by its number, with a mark.
    Series(usize, &'a str),
    /// The lines in the background.
    Others(&'a str),
}

impl LegendEntry<'_> {
    /// What joins an entry with its curve.
    fn key(&self) -> String {
        match self {
            Self::Series(series, _) => series.to_string(),
            Self::Others(_) => OTHERS.to_owned(),
        }
    }
}

/// The key of the lines in the background.
pub(in crate::report) const OTHERS: &str = "others";

/// Draws a legend from the top of the picture on and gives the height that it takes. `heading` says what the names are
/// values of; it may be empty.
pub(in crate::report) fn legend(
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
    // Names of about the same length stand in columns.
    let names = entries.iter().map(|entry| match entry {
        LegendEntry::Series(_, name) | LegendEntry::Others(name) => shortened(name, SIZE, room - SAMPLE),
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
                LegendEntry::Series(series, _) => {
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

/// Draws the mark of a series around a point; `says` is its value in words, or empty.
pub(in crate::report) fn marker(graphic: &mut Graphic, series: usize, at: Point, says: &str) {
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
