//! A picture of a landscape: four charts side by side and below each other.

use std::collections::BTreeMap;

use crate::FigureFile;
use crate::graphic::{Anchor, Frame, Graphic, LegendEntry, Point, Scale, legend, marker, trace};
use crate::span;
use kenga_lab::landscape::{Curves, Sheet};

/// The width and the height of a chart.
const CHART: Point = (470.0, 330.0);

/// Pixels above a chart, for its title and its legend.
const HEAD: f64 = 52.0;

/// A chart: what it shows, the names of its series, and how it is drawn.
struct Chart {
    title: &'static str,
    series: &'static [&'static str],
    draw: fn(&Curves, &mut Graphic, Point),
}

const CHARTS: [Chart; 4] = [
    Chart { title: "How common values are", series: &["random genomes"], draw: density },
    Chart {
        title: "How alike values along a walk are",
        series: &["random walks", "adaptive walks"],
        draw: walks,
    },
    Chart {
        title: "Value and distance to the nearest solution",
        series: &["random genomes", "local optima"],
        draw: distances,
    },
    Chart {
        title: "Chance that a move improves, by value",
        series: &["share of better neighbours"],
        draw: levels,
    },
];

/// The picture of a landscape as SVG and PDF, named by its puzzle, encoding and fitness; none without its curves.
pub fn figures(sheet: &Sheet) -> Vec<FigureFile> {
    let Some(curves) = &sheet.curves else { return Vec::new() };
    let (puzzle, encoding, fitness) = (&sheet.puzzle, &sheet.encoding, &sheet.fitness);
    let title = format!("{puzzle}: {encoding}, {}, {fitness}", sheet.neighbourhood);
    let name = format!("{}-{encoding}-{fitness}", plain(puzzle));
    FigureFile::both(&name, &title, &picture(curves)).into()
}

/// An id as a part of a file name.
fn plain(id: &str) -> String {
    // Ids come from files: no name may lead out of the folder.
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    id.trim_start_matches('.').chars().map(safe).collect()
}

fn picture(curves: &Curves) -> Graphic {
    let (width, height) = CHART;
    let mut graphic = Graphic::new(2.0 * width, 2.0 * (height + HEAD));
    for (index, chart) in CHARTS.iter().enumerate() {
        let at = ((index % 2) as f64 * width, (index / 2) as f64 * (height + HEAD));
        graphic.text("panel", (at.0 + 8.0, at.1 + 16.0), Anchor::Start, chart.title);
        let entries = LegendEntry::all(chart.series.iter().copied());
        legend(&mut graphic, (at.0 + 8.0, at.1 + 24.0), width - 24.0, "", &entries);
        (chart.draw)(curves, &mut graphic, (at.0, at.1 + HEAD));
    }
    graphic
}

/// The genomes of each value as bars; of many values as ranges of equal width.
fn density(curves: &Curves, graphic: &mut Graphic, at: Point) {
    let highest = curves.density.last().map_or(1, |(value, _)| *value);
    // At most some sixty bars: more could not be told apart.
    let width = highest / 60 + 1;
    let mut total = 0;
    let mut bars: BTreeMap<i64, usize> = BTreeMap::new();
    for (value, genomes) in &curves.density {
        *bars.entry(value / width).or_default() += genomes;
        total += genomes;
    }
    let share = |genomes: usize| genomes as f64 / total.max(1) as f64;
    let most = share(bars.values().copied().max().unwrap_or(0));
    let x = Scale::linear(0.0, (highest + width) as f64);
    let frame = Frame::within(at, CHART, x, Scale::linear(0.0, most * 1.05));
    frame.axes(graphic, "value (0 is a solution)", "share of random genomes");
    for (bar, genomes) in &bars {
        let (left, top) = frame.at((bar * width) as f64, share(*genomes));
        let right = frame.x.at(((bar + 1) * width) as f64);
        graphic.rect("mark c0", (left, top), ((right - left).max(1.0), frame.bottom() - top));
    }
}

/// The autocorrelation of both ways to walk.
fn walks(curves: &Curves, graphic: &mut Graphic, at: Point) {
    let (mut longest, mut lowest) = (0, 0.0_f64);
    for (_, by_lag) in &curves.walks {
        longest = longest.max(by_lag.len());
        lowest = lowest.min(span(by_lag.iter().copied()).0);
    }
    let x = Scale::linear(0.0, longest.saturating_sub(1).max(1) as f64);
    let frame = Frame::within(at, CHART, x, Scale::linear(lowest, 1.0));
    frame.axes(graphic, "lag, moves", "autocorrelation");
    for (series, (_, by_lag)) in curves.walks.iter().enumerate() {
        let mut points: Vec<Point> = Vec::new();
        for (lag, rho) in by_lag.iter().enumerate() {
            points.push(frame.at(lag as f64, *rho));
        }
        graphic.path(&format!("series s{series}"), trace(points.iter().copied()));
        // Marks on every lag would hide the line.
        for point in points.iter().step_by(5) {
            marker(graphic, series, *point, "");
        }
    }
}

/// Every sampled genome as a dot, larger where several are equal.
fn distances(curves: &Curves, graphic: &mut Graphic, at: Point) {
    let mut dots: BTreeMap<(bool, u32, i64), u32> = BTreeMap::new();
    for point in &curves.distances {
        *dots.entry((point.is_optimum, point.moves, point.value)).or_default() += 1;
    }
    let farthest = curves.distances.iter().map(|point| point.moves).max().unwrap_or(1);
    let highest = curves.distances.iter().map(|point| point.value).max().unwrap_or(1);
    let x = Scale::linear(0.0, f64::from(farthest) + 0.5);
    let y = Scale::linear(0.0, highest as f64 * 1.04);
    let frame = Frame::within(at, CHART, x, y);
    frame.axes(graphic, "fewest moves to a solution", "value");
    if dots.is_empty() {
        let middle = (at.0 + CHART.0 / 2.0, at.1 + CHART.1 / 2.0);
        graphic.text("note", middle, Anchor::Middle, "no solution is known");
    }
    for ((is_optimum, moves, value), count) in &dots {
        let class = if *is_optimum { "mark c1" } else { "mark c0" };
        // The area grows with the genomes; a dot of one is still seen, and one of many hides few others.
        let radius = f64::from(*count).sqrt().clamp(1.0, 5.0) + 1.2;
        graphic.circle(class, frame.at(f64::from(*moves), *value as f64), radius);
    }
}

/// The share of better neighbours by level of value.
fn levels(curves: &Curves, graphic: &mut Graphic, at: Point) {
    let (mut highest, mut most) = (1.0_f64, 0.0_f64);
    for level in &curves.levels {
        (highest, most) = (highest.max(level.value), most.max(level.better));
    }
    let x = Scale::linear(0.0, highest * 1.02);
    let frame = Frame::within(at, CHART, x, Scale::linear(0.0, (most * 1.05).max(0.01)));
    frame.axes(graphic, "value (0 is a solution)", "share of better neighbours");
    let points: Vec<Point> = curves.levels.iter().map(|level| frame.at(level.value, level.better)).collect();
    graphic.path("series s0", trace(points.iter().copied()));
    for point in &points {
        marker(graphic, 0, *point, "");
    }
}
