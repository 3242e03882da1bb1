//! How many runs have solved by when.

use super::super::material::{Material, Measured, advise};
use super::super::svg::{Frame, SERIES, Scale, Svg, WIDTH, legend, marker, steps, trace};
use super::super::{counted, rounded};
use super::convergence::{calls_title, several_puzzles};
use super::shown::Shown;
use super::{Drawing, Drawn, Figure};
use crate::stats::{Observed, RestartAdvice, run_length_distribution};

pub(super) const FIGURE: Figure = Figure { id: "run-length", title: "Run-length distributions", draw };

const HEIGHT: f64 = 320.0;

/// Settings whose restarts are spoken of one by one.
const SPOKEN: usize = 12;

/// A ratio of times above this is hardly a gain.
const SLIGHT: f64 = 0.95;

fn draw(material: &Material<'_>) -> Result<Drawn, String> {
    if material.solved() == 0 {
        return Err("Run-length distributions are left out: no run has solved its puzzle.".to_owned());
    }
    let mut drawn = Drawn { drawings: Vec::new(), remarks: Vec::new() };
    for (part, puzzle) in material.parts.iter().enumerate() {
        let of_part = |setting: &Measured<'_>| setting.of_part(puzzle.as_deref());
        let runs: Vec<Vec<Observed>> = material.settings.iter().map(of_part).collect();
        match runs.iter().flatten().any(|run| run.solved) {
            true => {
                drawn.drawings.push(one(material, part, &runs));
                drawn.remarks.extend(advice(material, part, &runs));
            }
            false => drawn
                .remarks
                .push(format!("{}: no run has solved it.", puzzle.as_deref().unwrap_or_default())),
        }
    }
    Ok(drawn)
}

/// The distributions of one puzzle, or of all together, of which some run has solved.
fn one(material: &Material<'_>, part: usize, runs: &[Vec<Observed>]) -> Drawing {
    let distributions: Vec<Vec<(f64, f64)>> = runs.iter().map(|runs| run_length_distribution(runs)).collect();
    let shown = Shown::choose(material, |setting| !runs[setting].is_empty());
    let first = distributions.iter().filter_map(|distribution| distribution.first());
    let first = (first.map(|point| point.0).fold(f64::INFINITY, f64::min) * 0.8).max(1.0);
    let last = runs.iter().flatten().map(|run| run.spent).fold(first, f64::max);

    let mut svg = Svg::new(WIDTH, 0.0);
    let top = legend(&mut svg, (58.0, 2.0), WIDTH - 72.0, shown.heading(), &shown.entries()) + 6.0;
    svg.set_height(top + HEIGHT);
    let x = Scale::log(first, last);
    let frame = Frame::within((0.0, top), (WIDTH, HEIGHT), x, Scale::linear(0.0, 1.0));
    frame.axes(&mut svg, &calls_title(&x), "share of runs solved");
    let stairs = |setting: usize| -> Vec<(f64, f64)> {
        let mut points = vec![frame.at(first, 0.0)];
        points.extend(distributions[setting].iter().map(|(time, share)| frame.at(*time, *share)));
        points.push((frame.right(), points[points.len() - 1].1));
        steps(&points)
    };
    svg.path("others", &shown.others.iter().map(|setting| trace(stairs(*setting))).collect::<String>());
    for (series, setting) in shown.series.iter().enumerate() {
        let points = stairs(*setting);
        svg.path(&format!("series s{}", series % SERIES), &trace(points.iter().copied()));
        let step = (points.len() / 5).max(2);
        let first = (step / 2 + series * step / SERIES).min(points.len() - 1);
        points.iter().skip(first).step_by(step).for_each(|point| marker(&mut svg, series, *point));
    }
    let caption = format!(
        "The share of all runs of a setting that have solved their puzzle within so many calls: an empirical distribution function, which steps up where a run solves. A run without a solution is censored: it counts as unsolved throughout.{}{}",
        several_puzzles(material, part),
        shown.in_words()
    );
    let (name, title) = material.part_names("run-length", "Runs solved against calls", part);
    Drawing { name, title, caption, svg }
}

/// A sentence on restarts for each setting; of many for the best. Puzzles do not mix: what pays on one that is soon
/// solved or never need not pay on any.
fn advice(material: &Material<'_>, part: usize, runs: &[Vec<Observed>]) -> Vec<String> {
    let puzzle = material.parts[part].as_deref();
    if puzzle.is_none() && material.puzzles > 1 {
        return vec![
            "Advice on restarts is left out: a cutoff holds for one puzzle, and here are many.".to_owned(),
        ];
    }
    let on = puzzle.map_or_else(String::new, |puzzle| format!("{puzzle}, "));
    let sentence = |&index: &usize| {
        let name = material.labels.name(index);
        let found = match puzzle {
            None => material.settings[index].advice,
            Some(puzzle) => advise(&runs[index], &material.key.child(&format!("{puzzle}, setting {index}"))),
        };
        format!("{on}{name}: {}", restart_in_words(found.as_ref()))
    };
    let mut sentences: Vec<String> = material.order.iter().take(SPOKEN).map(sentence).collect();
    if material.order.len() > SPOKEN {
        let more = material.order.len() - SPOKEN;
        let place = if puzzle.is_none() { "left to the table" } else { "left out" };
        sentences.push(format!("The {more} settings after them are {place}."));
    }
    sentences
}

/// Whether to restart, in words.
fn restart_in_words(advice: Option<&RestartAdvice>) -> String {
    let Some(advice) = advice else {
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
    let ratio = advice.with / advice.without;
    let verdict = match high < 1.0 {
        true if ratio > SLIGHT => "a slight gain",
        true => "worth following",
        false => "not shown by these runs",
    };
    format!(
        "giving up after {} calls and starting anew would take {} calls in the mean in place of {} (ratio {ratio:.2}, 95 % interval {range}): {verdict}.",
        counted(cutoff as u64),
        rounded(advice.with),
        rounded(advice.without),
    )
}
