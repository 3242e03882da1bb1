//! The figures of a study of hardness: predicted against measured, importances, and the map of the puzzles.

use super::tables::{by_importance, calls, is_shown};
use crate::FigureFile;
use crate::graphic::{Anchor, Frame, Graphic, LegendEntry, Point, Scale, legend, marker, shortened, trace};
use crate::{percent, span};
use kenga_lab::study::hardness::{Hardness, TimeModel};

/// The width and the height of a chart.
const CHART: Point = (470.0, 340.0);

/// Pixels above a chart, for its title.
const HEAD: f64 = 30.0;

/// The most settings with charts of their own, which is as many as have marks of their own; a note names how many have none.
const MOST: usize = 7;

/// The features of a chart of importances.
const BARS: usize = 10;

/// The figures as SVG and PDF.
pub fn figures(found: &Hardness) -> Vec<FigureFile> {
    [
        FigureFile::both("calibration", "Predicted and measured times", &calibration(found)),
        FigureFile::both(
            "importance",
            "What predictions lose when a feature is permuted",
            &importance(found),
        ),
        FigureFile::both("space", "The puzzles in a plane of their features", &space(found)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Charts side by side and below each other, each below its title.
fn panels(found: &Hardness, titles: &[String], draw: impl Fn(usize, &mut Graphic, Point)) -> Graphic {
    let columns = titles.len().min(2);
    let rows = titles.len().div_ceil(2);
    let height = CHART.1 + HEAD;
    // A figure of more charts would be longer than any page.
    let others = found.settings.len().saturating_sub(MOST);
    let below = if others > 0 { HEAD } else { 0.0 };
    let mut graphic = Graphic::new(columns as f64 * CHART.0, rows as f64 * height + below);
    if others > 0 {
        let words = format!("{others} more settings have no charts of their own; the tables have all");
        graphic.text("note", (8.0, rows as f64 * height + 16.0), Anchor::Start, &words);
    }
    for (index, title) in titles.iter().enumerate() {
        let at = ((index % 2) as f64 * CHART.0, (index / 2) as f64 * height);
        let title = shortened(title, 13.0, CHART.0 - 20.0);
        graphic.text("panel", (at.0 + 8.0, at.1 + 16.0), Anchor::Start, &title);
        draw(index, &mut graphic, (at.0, at.1 + HEAD));
    }
    graphic
}

fn names(found: &Hardness) -> Vec<String> {
    found.settings.iter().take(MOST).map(|setting| setting.times.name.clone()).collect()
}

/// Every puzzle as a dot, bins as marks with intervals, and the line on which predictions are right.
fn calibration(found: &Hardness) -> Graphic {
    panels(found, &names(found), |index, graphic, at| {
        let setting = &found.settings[index];
        let mut points: Vec<Point> = Vec::new();
        for (time, decades) in setting.times.own.par10.iter().zip(&setting.predicted) {
            points.push((calls(*decades), time.max(1.0)));
        }
        let (low, high) = span(points.iter().flat_map(|(predicted, measured)| [*predicted, *measured]));
        let scale = Scale::log(low * 0.9, high.max(0.0) * 1.1);
        let frame = Frame::within(at, CHART, scale, scale);
        frame.axes(graphic, "predicted calls (PAR-10)", "measured calls (PAR-10)");
        graphic.path("dashed", trace([frame.at(low, low), frame.at(high, high)]));
        for ((predicted, measured), puzzle) in points.iter().zip(&found.puzzles) {
            graphic.circle("mark c0", frame.at(*predicted, *measured), 2.4);
            graphic.says(puzzle);
        }
        for bin in &setting.calibration {
            let (x, ends) = (calls(bin.predicted), bin.measured.interval);
            graphic.line("whisker", frame.at(x, calls(ends.low)), frame.at(x, calls(ends.high)));
            marker(graphic, 1, frame.at(x, calls(bin.measured.value)), "");
        }
    })
}

/// The most important groups of features as bars with intervals.
fn importance(found: &Hardness) -> Graphic {
    panels(found, &names(found), |index, graphic, at| bars(found, &found.settings[index], graphic, at))
}

/// Pixels for the names of features.
const NAMES: f64 = 190.0;

fn bars(found: &Hardness, setting: &TimeModel, graphic: &mut Graphic, at: Point) {
    let mut order = by_importance(setting);
    order.truncate(BARS);
    if order.is_empty() || !is_shown(setting) {
        let middle = (at.0 + CHART.0 / 2.0, at.1 + CHART.1 / 2.0);
        let none = if order.is_empty() {
            "its times hardly vary"
        } else {
            "not shown that features predict its times"
        };
        return graphic.text("note", middle, Anchor::Middle, none);
    }
    // The axis has 0 and goes to 0.05 at least, so that small losses do not look large.
    let (mut low, mut high) = (0.0_f64, 0.05_f64);
    for group in &order {
        let ends = setting.importance[*group].interval;
        (low, high) = (low.min(ends.low), high.max(ends.high));
    }
    let (corner, size) = ((at.0 + NAMES, at.1), (CHART.0 - NAMES - 20.0, CHART.1 - 44.0));
    let frame = Frame::exact(corner, size, Scale::linear(low * 1.03, high * 1.03), Scale::linear(0.0, 1.0));
    frame.x_axis(graphic, "loss of R² (95 %)");
    let row = size.1 / order.len() as f64;
    for (place, group) in order.iter().enumerate() {
        let (y, one) = (at.1 + row * (place as f64 + 0.5), setting.importance[*group]);
        let members = &found.groups[*group];
        let first = &found.columns.used[members[0]].name;
        let name = if members.len() > 1 { format!("{first} +{}", members.len() - 1) } else { first.clone() };
        graphic.text("label", (corner.0 - 8.0, y + 4.0), Anchor::End, &shortened(&name, 12.0, NAMES - 12.0));
        let (zero, end) = (frame.x.at(0.0), frame.x.at(one.value));
        let thick = (row * 0.6).min(16.0);
        graphic.rect("c0", (zero.min(end), y - thick / 2.0), ((end - zero).abs().max(0.5), thick));
        graphic.line("whisker", (frame.x.at(one.interval.low), y), (frame.x.at(one.interval.high), y));
    }
    graphic.line("axis", (frame.x.at(0.0), at.1), (frame.x.at(0.0), frame.bottom()));
}

/// Every puzzle by its best setting; and for each setting where it is good, with its footprint.
fn space(found: &Hardness) -> Graphic {
    let several = found.settings.len() > 1;
    let mut titles = names(found);
    if several {
        titles.insert(0, "best setting".to_owned());
    }
    panels(found, &titles, |index, graphic, at| match index.checked_sub(usize::from(several)) {
        None => by_best(found, graphic, at),
        Some(setting) => footprint(found, setting, graphic, at),
    })
}

/// The frame of the plane, with its axes.
fn plane(found: &Hardness, graphic: &mut Graphic, at: Point, height: f64) -> Frame {
    let points = &found.projection.points;
    let x = with_margin(span(points.iter().map(|point| point.0)));
    let y = with_margin(span(points.iter().map(|point| point.1)));
    let frame = Frame::within(at, (CHART.0, height), x, y);
    let [x, y] = found.projection.explained.map(percent);
    frame.axes(
        graphic,
        &format!("first component ({x} of the variance)"),
        &format!("second component ({y})"),
    );
    frame
}

fn with_margin((low, high): (f64, f64)) -> Scale {
    let margin = (high - low).max(1e-9) * 0.04;
    Scale::linear(low - margin, high + margin)
}

/// Every puzzle with the marks of all its best settings.
fn by_best(found: &Hardness, graphic: &mut Graphic, at: Point) {
    let Some(selection) = &found.selection else { return };
    let settings = names(found);
    let entries = LegendEntry::all(settings.iter().map(String::as_str));
    let mut used = legend(graphic, (at.0 + 8.0, at.1 - 6.0), CHART.0 - 24.0, "", &entries);
    let mut notes = Vec::new();
    if selection.best.iter().flatten().any(|setting| *setting >= MOST) {
        notes.push("ring: another setting");
    }
    if selection.best.iter().any(Vec::is_empty) {
        notes.push("cross: no setting solves it");
    }
    if !notes.is_empty() {
        graphic.text("note", (at.0 + 8.0, at.1 + used + 6.0), Anchor::Start, &notes.join("; "));
        used += 16.0;
    }
    let top = (at.0, at.1 + used);
    let frame = plane(found, graphic, top, CHART.1 - used);
    for (puzzle, point) in found.projection.points.iter().enumerate() {
        let (place, name, best) =
            (frame.at(point.0, point.1), &found.puzzles[puzzle], &selection.best[puzzle]);
        if best.is_empty() {
            graphic.path("thin", trace([(place.0 - 3.0, place.1 - 3.0), (place.0 + 3.0, place.1 + 3.0)]));
            graphic.path("thin", trace([(place.0 - 3.0, place.1 + 3.0), (place.0 + 3.0, place.1 - 3.0)]));
            graphic.says(name);
        }
        if best.iter().any(|setting| *setting >= MOST) {
            graphic.circle("thin", place, 4.6);
            graphic.says(name);
        }
        for setting in best {
            if *setting < MOST {
                marker(graphic, *setting, place, name);
            }
        }
    }
}

fn footprint(found: &Hardness, setting: usize, graphic: &mut Graphic, at: Point) {
    let frame = plane(found, graphic, at, CHART.1);
    let footprint = &found.footprints[setting];
    if footprint.hull.len() > 2 {
        let hull = trace(footprint.hull.iter().map(|point| frame.at(point.0, point.1))).closed();
        graphic.path(&format!("band c{setting}"), hull.clone());
        graphic.path(&format!("series t{setting}"), hull);
    }
    for (puzzle, point) in found.projection.points.iter().enumerate() {
        let place = frame.at(point.0, point.1);
        if footprint.good[puzzle] {
            marker(graphic, setting, place, &found.puzzles[puzzle]);
        } else {
            graphic.circle("thin", place, 2.6);
            graphic.says(&found.puzzles[puzzle]);
        }
    }
}
