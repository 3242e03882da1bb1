//! The empirical attainment function of the best settings: the share of runs that attained a fitness within some calls.

use super::super::graphic::{Anchor, Frame, Graphic, Point, Scale, WIDTH, area, is_narrow, shortened, steps};
use super::super::measurements::Measurements;
use super::super::percent;
use super::{Drawing, calls_title, fitness_axis};
use kenga_lab::study::{Anytime, RunSubject};
use kenga_stats::attained_by;

/// The most settings of a figure.
const PANELS: usize = 4;

const HEIGHT: f64 = 250.0;

/// The shares of the bands.
const LEVELS: usize = 10;

/// Draws the best settings on a puzzle; `None` where no run has a record.
pub(super) fn drawing(measurements: &Measurements<'_>, known: &Anytime<'_>, part: usize) -> Option<Drawing> {
    let puzzle = &measurements.shown_puzzles[part];
    let window = *known.windows().get(&**puzzle)?;
    let subject = measurements.subject_on(Some(part));
    let mut least = window.worst;
    let (mut panels, mut first) = (Vec::new(), f64::INFINITY);
    for setting in measurements.order_of(part).into_iter().take(PANELS) {
        let runs = known.steps_on(setting, puzzle);
        for steps in &runs {
            first = steps.first().map_or(first, |(calls, _)| first.min(*calls));
        }
        let mut levels = levels(&runs);
        for point in levels.iter_mut().flat_map(|(_, curve)| curve) {
            least = least.min(point.1);
            point.1 = subject.value(point.1);
        }
        panels.push(Panel { title: measurements.labels.name(setting), levels });
    }
    let first = first.max(1.0);
    // No run has a record within the window.
    if !first.is_finite() || first >= window.calls {
        return None;
    }
    let chosen = match measurements.settings.len() {
        settings if settings > PANELS => {
            format!(" The {PANELS} best of {settings} settings on the {}.", measurements.subject.noun())
        }
        _ => String::new(),
    };
    let x = Scale::fitting(first, window.calls);
    let (y, _) = fitness_axis(&subject, &[least, window.worst], 0.03);
    let (better, noun) = subject.better().split_once(' ').unwrap_or_default();
    let caption = format!(
        "The empirical attainment function: the share of runs that attained a {noun}, or a {better} one, within a number of calls, in {LEVELS} bands of equal width; a stronger colour means more runs. The {better} edge of the colour is the best run, the edge of the strongest colour what all runs attained. Up to the calls for which every setting was observed.{chosen}"
    );
    let title = format!("Share of runs that attained a {noun}");
    let name = measurements.part_name("attainment", &title, part);
    Some(Drawing::new(name, caption, measurements.width(WIDTH), |width| {
        chart(&panels, x, y, &subject, width)
    }))
}

/// A setting: the shares of its bands, ascending, and the staircases that these shares of its runs have attained.
struct Panel {
    title: String,
    levels: Vec<Level>,
}

/// A share of the runs, and the staircase that it has attained.
type Level = (f64, Vec<(f64, f64)>);

fn levels(runs: &[&[(f64, f64)]]) -> Vec<Level> {
    let (mut levels, mut last) = (Vec::new(), 0);
    for level in 0..=LEVELS {
        // With few runs several levels are the same count: each is drawn once.
        let count = (runs.len() * level).div_ceil(LEVELS).max(1);
        if count > last {
            levels.push((count as f64 / runs.len() as f64, attained_by(runs, count)));
            last = count;
        }
    }
    levels
}

fn chart(panels: &[Panel], x: Scale, y: Scale, subject: &RunSubject, width: f64) -> Graphic {
    let across = if is_narrow(width) || panels.len() == 1 { 1 } else { 2 };
    let wide = width / across as f64;
    let mut graphic = Graphic::new(width, HEIGHT * panels.len().div_ceil(across) as f64 + 26.0);
    key(&mut graphic, width);
    for (place, panel) in panels.iter().enumerate() {
        let at = (wide * (place % across) as f64, 26.0 + HEIGHT * (place / across) as f64);
        let frame = Frame::within((at.0, at.1 + 20.0), (wide, HEIGHT - 26.0), x, y);
        let title = shortened(&panel.title, 12.0, frame.width);
        graphic.text("panel", (frame.left, at.1 + 13.0), Anchor::Start, &title);
        bands(&mut graphic, &frame, &panel.levels, subject);
        frame.axes(&mut graphic, &calls_title(&x), subject.best());
    }
    graphic
}

/// A square for some shares with its words.
fn key(graphic: &mut Graphic, width: f64) {
    let mut x = if is_narrow(width) { 8.0 } else { 58.0 };
    for share in [0.1, 0.5, 1.0] {
        graphic.heat("heat", (x, 6.0), (12.0, 12.0), strength(share), "");
        let words = if share < 0.5 { "a tenth".to_owned() } else { percent(share) };
        let words = format!("{words} of runs");
        graphic.text("legend", (x + 18.0, 16.0), Anchor::Start, &words);
        x += 110.0;
    }
}

/// The strength of a share such that [`Graphic::heat`] gives it the colour of a band.
fn strength(share: f64) -> f64 {
    (share - 0.08) / 0.92
}

/// The region that a share of the runs has attained, less that of the next one.
fn bands(graphic: &mut Graphic, frame: &Frame, levels: &[Level], subject: &RunSubject) {
    let rises = subject.scale.is_some_and(|scale| scale.maximise);
    let worst = if rises { frame.bottom() } else { frame.top };
    for (index, (share, curve)) in levels.iter().enumerate() {
        let Some((start, _)) = curve.first() else { continue };
        let next = levels.get(index + 1).map_or(&[][..], |(_, next)| next);
        let (lower, upper) = (stairs(frame, curve, *start, worst), stairs(frame, next, *start, worst));
        graphic.tint("heat", area(&upper, &lower), *share);
    }
}

/// A staircase from `start` to the right edge; at the worst end of the axis until it begins.
fn stairs(frame: &Frame, curve: &[(f64, f64)], start: f64, worst: f64) -> Vec<Point> {
    let mut points = vec![(frame.x.at(start), worst)];
    points.extend(curve.iter().map(|(calls, value)| frame.at(*calls, *value)));
    let last = points[points.len() - 1].1;
    points.push((frame.right(), last));
    steps(&points)
}
