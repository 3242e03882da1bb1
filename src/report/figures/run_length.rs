//! How many runs have solved by when.

use super::super::material::{Material, Measured};
use super::super::svg::{Frame, SERIES, Scale, Svg, WIDTH, legend, marker, steps, trace};
use super::super::{counted, rounded};
use super::convergence::{calls_title, several_puzzles};
use super::shown::Shown;
use super::{Drawn, Figure};

pub(super) const FIGURE: Figure = Figure { id: "run-length", title: "Run-length distributions", draw };

const HEIGHT: f64 = 320.0;

/// Settings whose restarts are spoken of one by one.
const SPOKEN: usize = 12;

fn draw(material: &Material<'_>) -> Result<Drawn, String> {
    if material.solved() == 0 {
        return Err("Run-length distributions are left out: no run has solved its puzzle.".to_owned());
    }
    let shown = Shown::choose(material, |_| true);
    let first = material.settings.iter().filter_map(|setting| setting.distribution.first());
    let first = first.map(|point| point.0).fold(f64::INFINITY, f64::min).max(1.0);
    let last = material.longest.max(first);

    let mut svg = Svg::new(WIDTH, 0.0);
    let top = legend(&mut svg, (58.0, 2.0), WIDTH - 72.0, shown.heading(), &shown.entries()) + 6.0;
    svg.set_height(top + HEIGHT);
    let x = Scale::log((first * 0.8).max(1.0), last);
    let frame = Frame::within((0.0, top), (WIDTH, HEIGHT), x, Scale::linear(0.0, 1.0));
    frame.axes(&mut svg, &calls_title(&x), "share of runs solved");
    let stairs = |setting: &Measured<'_>| -> Vec<(f64, f64)> {
        let mut points = vec![frame.at((first * 0.8).max(1.0), 0.0)];
        points.extend(setting.distribution.iter().map(|(time, share)| frame.at(*time, *share)));
        points.push((frame.right(), points[points.len() - 1].1));
        steps(&points)
    };
    let others = shown.others.iter().map(|setting| trace(stairs(&material.settings[*setting])));
    svg.path("others", &others.collect::<String>());
    for (series, setting) in shown.series.iter().enumerate() {
        let points = stairs(&material.settings[*setting]);
        svg.path(&format!("series s{}", series % SERIES), &trace(points.iter().copied()));
        let step = (points.len() / 5).max(2);
        let first = (step / 2 + series * step / SERIES).min(points.len() - 1);
        points.iter().skip(first).step_by(step).for_each(|point| marker(&mut svg, series, *point));
    }
    let caption = format!(
        "The share of all runs of a setting that have solved their puzzle within so many calls: an empirical distribution function, which steps up where a run solves. A run without a solution is censored: it counts as unsolved throughout.{}{}",
        several_puzzles(material),
        shown.in_words()
    );
    let mut drawn = Drawn::one("run-length", "Runs solved against calls", caption, svg);
    drawn.remarks = advice(material);
    Ok(drawn)
}

/// A sentence on restarts for each setting; of many for the best.
fn advice(material: &Material<'_>) -> Vec<String> {
    let order = material.order.iter().take(SPOKEN);
    let mut sentences: Vec<String> = order
        .map(|&index| {
            let name = material.labels.name(index);
            format!("{name}: {}", restart_in_words(&material.settings[index]))
        })
        .collect();
    if material.order.len() > SPOKEN {
        sentences.push(format!(
            "The {} settings after them are left to the table.",
            material.order.len() - SPOKEN
        ));
    }
    sentences
}

/// Whether to restart, in words.
fn restart_in_words(setting: &Measured<'_>) -> String {
    let Some(advice) = &setting.advice else {
        return "no run solved, so that nothing can be said of restarts.".to_owned();
    };
    let Some(cutoff) = advice.cutoff else {
        return format!(
            "restarting sooner than the budget does not pay; expected {} calls to a solution.",
            rounded(advice.without)
        );
    };
    let (low, high) = (advice.ratio.low, advice.ratio.high);
    let range = match high.is_finite() {
        true => format!("{low:.2} to {high:.2}"),
        false => format!("{low:.2} to unbounded"),
    };
    let verdict = if high < 1.0 { "worth following" } else { "not shown by these runs" };
    format!(
        "giving up after {} calls and starting anew would take {} calls in the mean in place of {} (ratio {:.2}, 95 % interval {range}): {verdict}.",
        counted(cutoff as u64),
        rounded(advice.with),
        rounded(advice.without),
        advice.with / advice.without
    )
}
