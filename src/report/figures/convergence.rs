//! How the best fitness falls.

use super::super::material::{Band, Convergence, Material};
use super::super::svg::{Frame, SERIES, Scale, Svg, area, marker, trace};
use super::shown::Shown;
use super::{Drawing, Drawn, Figure, panel_width};

pub(super) const FIGURE: Figure = Figure { id: "convergence", title: "Convergence", draw };

const HEIGHT: f64 = 330.0;

fn draw(material: &Material<'_>) -> Result<Drawn, String> {
    let convergence =
        material.convergence.as_ref().map_err(|why| format!("Convergence is left out: {why}."))?;
    let drawings: Vec<Drawing> =
        (0..material.parts.len()).filter_map(|part| one(material, convergence, part)).collect();
    match drawings.is_empty() {
        true => Err("Convergence is left out: no run has more than one recorded generation.".to_owned()),
        false => {
            let shown = Some(material.parts_in_words()).filter(|words| !words.is_empty());
            Ok(Drawn { remarks: shown.into_iter().collect(), ..Drawn::of(drawings) })
        }
    }
}

/// The curves of one puzzle; `None` where there are none.
fn one(material: &Material<'_>, convergence: &Convergence, part: usize) -> Option<Drawing> {
    let shown = Shown::choose(material, |setting| convergence.has(part, setting));
    if shown.series.is_empty() {
        return None;
    }
    let (times, bands) = (&convergence.times, &convergence.bands[part]);
    // Every run has ended where it began.
    if shown.all().all(|setting| bands[setting].median.len() < 2) {
        return None;
    }
    let all = || shown.all().map(|setting| &bands[setting]);
    let first = all().map(|band| times[band.first]).fold(f64::INFINITY, f64::min);
    let highest = all().flat_map(|band| &band.high).fold(1.0_f64, |high, value| high.max(*value));

    let width = panel_width(material);
    let mut svg = Svg::new(width, 0.0);
    let top = shown.legend(&mut svg, width);
    svg.set_height(top + HEIGHT);
    let x = Scale::fitting(first, times[times.len() - 1]);
    let frame = Frame::within((0.0, top), (width, HEIGHT), x, Scale::linear(0.0, highest * 1.03));
    frame.axes(&mut svg, &calls_title(&x), "best fitness (0 is solved)");
    let line = |band: &Band, values: &[f64]| -> Vec<(f64, f64)> {
        values.iter().zip(&times[band.first..]).map(|(value, time)| frame.at(*time, *value)).collect()
    };
    let others = shown.others.iter().map(|setting| &bands[*setting]);
    svg.path("others", &others.map(|band| trace(line(band, &band.median))).collect::<String>());
    for (series, setting) in shown.series.iter().enumerate() {
        let class = format!("band c{}", series % SERIES);
        let band = &bands[*setting];
        svg.path(&class, &area(&line(band, &band.high), &line(band, &band.low)));
    }
    for (series, setting) in shown.series.iter().enumerate() {
        let points = line(&bands[*setting], &bands[*setting].median);
        svg.path(&format!("series s{}", series % SERIES), &trace(points.iter().copied()));
        if shown.has_legend() {
            marks(&mut svg, series, &points);
        }
    }
    let caption = format!(
        "The lowest fitness found so far, against calls (evaluations and moves): the line is the median over the runs of a setting, the band goes from the lower to the upper quartile, both at {} points equally far apart on a logarithmic axis. A run that has ended keeps its last value; a curve begins where every run of the setting has one.{}",
        times.len(),
        shown.in_words()
    );
    let (name, title) = material.part_names("convergence", "Best fitness against calls", part);
    Some(Drawing { name, title, caption, svg })
}

/// Marks along a curve, at other places for each series.
fn marks(svg: &mut Svg, series: usize, points: &[(f64, f64)]) {
    let step = (points.len() / 6).max(1);
    let first = (step / 2 + series * step / SERIES).min(points.len().saturating_sub(1));
    points.iter().skip(first).step_by(step).for_each(|point| marker(svg, series, *point));
}

/// The title of an axis of calls.
pub(super) fn calls_title(scale: &Scale) -> String {
    let log = if scale.is_log() { ", logarithmic" } else { "" };
    format!("calls (evaluations + moves{log})")
}
