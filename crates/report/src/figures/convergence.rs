//! The best fitness over calls, and the mean fitness, diversity and entropy of the population.

use super::super::graphic::{Frame, Graphic, Point, SERIES, Scale, area, setting_key};
use super::super::measurements::{Band, Convergence, Measurements, Quantity};
use super::{Drawing, Drawn, Figure, NotDrawn, ShownSettings, calls_title, fitness_axis, panel_width};
use crate::span;
use kenga_lab::study::RunSubject;

pub(super) const FIGURE: Figure = Figure { id: "convergence", title: "Convergence", draw };

/// The same for other quantities of the population.
pub(super) const POPULATION: Figure =
    Figure { id: "population", title: "Mean, diversity and entropy", draw: draw_population };

const HEIGHT: f64 = 330.0;

/// The width of one of three charts side by side.
const THIRD: f64 = 312.0;

/// How a quantity is drawn.
struct QuantityFigure {
    measure: Quantity,
    name: &'static str,
    /// Its title and that of its axis, with `{}` for fitness or value.
    title: &'static str,
    axis: &'static str,
}

const BEST: QuantityFigure = QuantityFigure {
    measure: Quantity::Best,
    name: "convergence",
    title: "Best {} against calls",
    axis: "best {}",
};

const OF_POPULATION: [QuantityFigure; 3] = [
    QuantityFigure { measure: Quantity::Mean, name: "mean", title: "Mean {} against calls", axis: "mean {}" },
    QuantityFigure {
        measure: Quantity::Diversity,
        name: "diversity",
        title: "Diversity against calls",
        axis: "diversity (pairs that differ)",
    },
    QuantityFigure {
        measure: Quantity::Entropy,
        name: "entropy",
        title: "Entropy against calls",
        axis: "entropy (1 is uniform)",
    },
];

/// What the curves show, for captions.
const OF_GENES: &str = "The mean {} of the population; its diversity, which is the share of pairs of individuals that differ in a gene, mean over genes; and the entropy of the values of a gene, mean over genes. At 0 all individuals are alike. All three";
const OF_CELLS: &str = "The mean fitness of the population; its diversity, which is the share of pairs of individuals that differ in a cell, mean over cells; and the entropy of the digits of a cell, mean over cells. At 0 all individuals are alike. All three";

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    let convergence = measurements
        .convergence
        .as_ref()
        .map_err(|why| NotDrawn::Because(format!("Convergence is left out: {why}.")))?;
    let mut drawings = Vec::new();
    for part in 0..measurements.shown_puzzles.len() {
        drawings.extend(one(measurements, convergence, part, &BEST));
    }
    if drawings.is_empty() {
        return Err(NotDrawn::Because(
            "Convergence is left out: no run has more than one recorded generation.".to_owned(),
        ));
    }
    Ok(Drawn { remarks: measurements.parts_note().into_iter().collect(), ..Drawn::of(drawings) })
}

fn draw_population(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    let Ok(convergence) = &measurements.convergence else { return Err(NotDrawn::Silently) };
    let mut drawings = Vec::new();
    for part in 0..measurements.shown_puzzles.len() {
        for shape in &OF_POPULATION {
            drawings.extend(one(measurements, convergence, part, shape));
        }
    }
    if drawings.is_empty() && measurements.settings.len() > SERIES {
        return Err(NotDrawn::Because(format!(
            "Mean, diversity and entropy are drawn for up to {SERIES} settings; `--by KEY` joins those with the same value of a key."
        )));
    }
    if drawings.is_empty() {
        return Err(NotDrawn::Silently);
    }
    Ok(Drawn { remarks: measurements.parts_note().into_iter().collect(), ..Drawn::of(drawings) })
}

/// The curves of one puzzle; `None` where there are none.
fn one(
    measurements: &Measurements<'_>,
    convergence: &Convergence,
    part: usize,
    shape: &QuantityFigure,
) -> Option<Drawing> {
    let bands = convergence.bands(shape.measure, part);
    let shown = ShownSettings::choose(measurements, |setting| {
        bands.get(setting).is_some_and(|band| !band.is_empty())
    });
    // No run changed after its first point.
    if shown.all().all(|setting| bands[setting].median.len() < 2) {
        return None;
    }
    let subject = measurements.subject_on(Some(part));
    let (noun, best) =
        if subject.scale.is_some() { ("value", "best value") } else { ("fitness", "lowest fitness") };
    let (what, width) = match shape.measure {
        Quantity::Best => (format!("The {best} found so far"), panel_width(measurements)),
        _ if subject.is_own_problem => (OF_GENES.replace("{}", noun), measurements.width(THIRD)),
        _ => (OF_CELLS.to_owned(), measurements.width(THIRD)),
    };
    let caption = format!(
        "{} against calls (evaluations and moves): the line is the median over the runs of a setting, the band goes from the lower to the upper quartile, both at {} points equally far apart on a logarithmic axis. A run that has ended keeps its last value. A curve begins where every run of the setting has one, and ends with the longest of them{}.{}",
        what,
        convergence.times.len(),
        if subject.can_be_solved { " unless all have solved" } else { "" },
        shown.in_words()
    );
    let name = measurements.part_name(shape.name, &shape.title.replace("{}", noun), part);
    Some(Drawing::new(name, caption, width, |width| {
        chart(&convergence.times, bands, &subject, &shown, shape, width)
    }))
}

fn chart(
    times: &[f64],
    bands: &[Band],
    subject: &RunSubject,
    shown: &ShownSettings,
    shape: &QuantityFigure,
    width: f64,
) -> Graphic {
    let (mut first, mut last) = (f64::INFINITY, 0.0_f64);
    let mut ends = Vec::new();
    for setting in shown.all() {
        let band = &bands[setting];
        first = first.min(times[band.first]);
        last = last.max(times[band.first + band.median.len() - 1]);
        ends.extend([span(band.low.iter().copied()).0, span(band.high.iter().copied()).1]);
    }

    let mut graphic = Graphic::new(width, 0.0);
    let top = shown.legend(&mut graphic, width);
    graphic.set_height(top + HEIGHT);
    let x = Scale::fitting(first, last);
    let is_of_fitness = matches!(shape.measure, Quantity::Best | Quantity::Mean);
    let (y, title) = if is_of_fitness {
        let (scale, note) = fitness_axis(subject, &ends, 0.03);
        let noun = if subject.scale.is_some() { "value" } else { "fitness" };
        (scale, shape.axis.replace("{}", noun) + &note)
    } else {
        (Scale::linear(0.0, 1.0), shape.axis.to_owned())
    };
    let frame = Frame::within((0.0, top), (width, HEIGHT), x, y);
    frame.chart(&mut graphic, &calls_title(&x), &title);
    let line = |setting: usize, of: fn(&Band) -> &[f64]| -> Vec<Point> {
        let band = &bands[setting];
        let mut points = Vec::new();
        for (value, time) in of(band).iter().zip(&times[band.first..]) {
            points.push(frame.at(*time, if is_of_fitness { subject.value(*value) } else { *value }));
        }
        points
    };
    let median = |setting: usize| line(setting, |band| &band.median);
    shown.others(&mut graphic, width, median);
    for (series, setting) in shown.series.iter().enumerate() {
        graphic.series("curve", &setting_key(*setting), |graphic| {
            let (upper, lower) = (line(*setting, |band| &band.high), line(*setting, |band| &band.low));
            graphic.path(&format!("band c{}", series % SERIES), area(&upper, &lower));
        });
    }
    shown.lines(&mut graphic, 6, 1, median);
    graphic
}
