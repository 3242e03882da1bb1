//! The expected calls to solve each puzzle, setting by setting.

use super::super::graphic::{Anchor, Frame, Graphic, OTHERS, Scale, marker, setting_key, shortened, widest};
use super::super::measurements::Measurements;
use super::super::{calls, range};
use super::{Drawn, Figure, NotDrawn, ShownSettings};
use crate::span;
use kenga_core::sort::sort_by;
use kenga_stats::{Estimate, Interval};

pub(super) const FIGURE: Figure = Figure { id: "time-to-target", title: "Time to target", draw };

/// The most puzzles; of more, some spread evenly from the easiest to the hardest.
const PUZZLES: usize = 20;

/// The height of a setting within a row, and the gap between two rows.
const LINE: f64 = 11.0;
const GAP: f64 = 10.0;

/// A puzzle with the expected calls of every setting; `None` without runs.
struct ExpectedRow {
    puzzle: String,
    expected: Vec<Option<Estimate>>,
}

impl ExpectedRow {
    /// The expected calls of the fastest setting; infinite where none solved.
    fn fastest(&self) -> f64 {
        span(self.expected.iter().flatten().map(|one| one.value)).0
    }
}

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    if measurements.puzzles < 2 || measurements.is_by_fitness {
        return Err(NotDrawn::Silently);
    }
    let noun = measurements.subject.noun();
    let mut rows = Vec::new();
    for puzzle in measurements.spread(PUZZLES) {
        let expected = measurements.stats().iter().map(|side| side.on(&puzzle)?.ert).collect();
        rows.push(ExpectedRow { puzzle, expected });
    }
    // From the easiest to the hardest.
    sort_by(&mut rows, |a, b| a.fastest().total_cmp(&b.fastest()));
    if rows.iter().all(|row| row.fastest().is_infinite()) {
        return Err(NotDrawn::Because(format!(
            "Times to target are left out: no run has solved any of the {noun}s."
        )));
    }
    let selection = ShownSettings::choose(measurements, |_| true);
    let shown = match measurements.puzzles {
        all if all > rows.len() => {
            format!(" Of {all} {noun}s {} are shown, evenly between the easiest and the hardest.", rows.len())
        }
        _ => String::new(),
    };
    let caption = format!(
        "Expected calls to solve each {noun} (all calls spent over the number of solutions) with 95 % intervals, on a logarithmic axis; {noun}s from the easiest to the hardest by their fastest setting. A hollow square at the right edge: no run of the setting solved the {noun}, and its whisker begins at the lower bound.{}{shown}",
        selection.in_words()
    );
    Ok(Drawn::one(measurements, "time-to-target", &format!("Expected calls by {noun}"), caption, |width| {
        chart(measurements, &rows, &selection, width)
    }))
}

fn chart(
    measurements: &Measurements<'_>,
    rows: &[ExpectedRow],
    selection: &ShownSettings,
    width: f64,
) -> Graphic {
    let names = widest(rows.iter().map(|row| &row.puzzle), 12.0, 60.0).min(width * 0.3);
    let mut graphic = Graphic::new(width, 0.0);
    let top = selection.legend(&mut graphic, width);
    let high = LINE * selection.series.len() as f64 + GAP;
    let size = (width - names - 36.0, high * rows.len() as f64);
    let frame = Frame::exact((names + 18.0, top), size, scale(rows, selection), Scale::linear(0.0, 1.0));
    graphic.set_height(frame.bottom() + 44.0);
    frame.x_axis(&mut graphic, "expected calls to solve (logarithmic)");
    for (place, row) in rows.iter().enumerate() {
        let y = top + high * place as f64;
        graphic.line("grid", (8.0, y), (frame.right(), y));
        let name = shortened(&row.puzzle, 12.0, names);
        graphic.text("label", (frame.left - 10.0, y + high / 2.0 + 4.0), Anchor::End, &name);
    }
    graphic.line("axis", (frame.left, top), (frame.left, frame.bottom()));
    graphic.series("curve", OTHERS, |graphic| {
        for (place, row) in rows.iter().enumerate() {
            let y = top + high * (place as f64 + 0.5);
            for setting in selection.background(width) {
                if let Some(one) = row.expected[setting]
                    && one.value.is_finite()
                {
                    graphic.circle("others", (frame.x.at(one.value), y), 2.0);
                }
            }
        }
    });
    for (series, setting) in selection.series.iter().enumerate() {
        graphic.series("curve", &setting_key(*setting), |graphic| {
            for (place, row) in rows.iter().enumerate() {
                let Some(one) = &row.expected[*setting] else { continue };
                let y = top + high * place as f64 + GAP / 2.0 + LINE * (series as f64 + 0.5);
                let says =
                    format!("{} on {}: {}", measurements.labels.name(*setting), row.puzzle, in_words(one));
                expected(graphic, &frame, y, series, one, &says);
            }
        });
    }
    graphic
}

/// The scale of all estimates and lower bounds; longer whiskers end at the edge.
fn scale(rows: &[ExpectedRow], selection: &ShownSettings) -> Scale {
    let (mut low, mut high) = (f64::INFINITY, 10.0_f64);
    for row in rows {
        for one in selection.all().filter_map(|setting| row.expected[setting]) {
            // Not the upper ends: one that is long would leave no room for all others.
            for calls in [one.value, one.interval.low] {
                if calls.is_finite() {
                    high = high.max(calls);
                    if calls > 0.0 {
                        low = low.min(calls);
                    }
                }
            }
        }
    }
    Scale::log((low / 1.3).max(1.0), high * 2.0)
}

/// Draws a mark with its whisker, or a hollow square at the edge where the value lies beyond.
fn expected(graphic: &mut Graphic, frame: &Frame, y: f64, series: usize, one: &Estimate, says: &str) {
    let Interval { low, high } = one.interval;
    graphic.line(&format!("whisker t{series}"), (frame.x.at(low), y), (frame.x.at(high), y));
    if one.value.is_finite() {
        marker(graphic, series, (frame.x.at(one.value), y), says);
    } else {
        graphic.rect(&format!("hollow t{series}"), (frame.right() - 4.0, y - 4.0), (8.0, 8.0));
        graphic.says(says);
    }
}

fn in_words(one: &Estimate) -> String {
    let ends = Interval { low: one.interval.low.max(0.0), high: one.interval.high };
    if ends.low.is_infinite() {
        return calls(one.value);
    }
    format!("{} calls ({})", calls(one.value), range(ends, &calls))
}
