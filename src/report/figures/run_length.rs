//! How many runs have solved by when.

use std::collections::BTreeMap;

use super::super::graphic::{
    Frame, Graphic, OTHERS, Path, SERIES, Scale, WIDTH, marker, sketch, steps, trace,
};
use super::super::material::{Material, Measured, known_until};
use super::convergence::calls_title;
use super::shown::Shown;
use super::{Drawing, Drawn, Figure, panel_width, restarts};
use crate::stats::{Observed, run_length_distribution};

pub(super) const FIGURE: Figure = Figure { id: "run-length", title: "Run-length distributions", draw };

const HEIGHT: f64 = 320.0;

/// A distribution of a setting: calls, and the share solved by then.
type Distribution = Vec<(f64, f64)>;

fn draw(material: &Material<'_>) -> Result<Drawn, String> {
    if material.solved() == 0 {
        return Err("Run-length distributions are left out: no run has solved its puzzle.".to_owned());
    }
    let mut drawn = Drawn { sheet: restarts::sheet(material), ..Drawn::of(Vec::new()) };
    if material.puzzles > 1 {
        drawn.drawings.push(over_all(material));
    }
    for part in 0..material.parts.len() {
        let runs =
            |setting| material.numbers(setting, part).map(|one| run_length_distribution(&one.observed));
        let found: Vec<Option<Distribution>> = (0..material.settings.len()).map(runs).collect();
        match found.iter().flatten().flatten().next() {
            Some(_) => drawn.drawings.push(of_part(material, part, &found)),
            None => drawn.remarks.push(format!("{}: no run has solved it.", material.parts[part].puzzle)),
        }
    }
    drawn.remarks.extend(Some(material.parts_in_words()).filter(|words| !words.is_empty()));
    Ok(drawn)
}

/// The distributions of one puzzle, of which some run has solved.
fn of_part(material: &Material<'_>, part: usize, found: &[Option<Distribution>]) -> Drawing {
    let shown = Shown::choose(material, |setting| found[setting].is_some());
    let runs = (0..material.settings.len()).filter_map(|setting| material.numbers(setting, part));
    let longest = runs.flat_map(|one| &one.observed).map(|run| run.spent).fold(0.0, f64::max);
    let ends = ends(material, Some(&material.parts[part].puzzle));
    let curves = Curves { found, ends: &ends, longest };
    let caption = format!(
        "The share of the runs of a setting that have solved the puzzle within so many calls: an empirical distribution function, which steps up where a run solves. A run without a solution is censored: it counts as unsolved throughout. {ENDS}{}",
        shown.in_words()
    );
    let names = material.part_names("run-length", "Runs solved against calls", part);
    let draw = |width| chart(&shown, &curves, width, "share of runs solved");
    Drawing::new(names, caption, panel_width(material), draw)
}

/// The mean over all puzzles of their distributions.
fn over_all(material: &Material<'_>) -> Drawing {
    let found: Vec<Option<Distribution>> =
        material.settings.iter().map(|setting| Some(mean_distribution(&setting.arm.runs))).collect();
    let shown = Shown::choose(material, |_| true);
    let ends = ends(material, None);
    let curves = Curves { found: &found, ends: &ends, longest: material.longest };
    let caption = format!(
        "The mean over {} puzzles, each counting alike, of the share of runs that have solved within so many calls. {ENDS}{}",
        material.puzzles,
        shown.in_words()
    );
    let title = format!("Runs solved against calls: mean of {} puzzles", material.puzzles);
    let draw = |width| chart(&shown, &curves, width, "share solved, mean over puzzles");
    Drawing::new(("run-length-mean".to_owned(), title), caption, WIDTH, draw)
}

/// The mean over puzzles of the distributions of the runs of a setting.
fn mean_distribution(runs: &[crate::study::ArmRun<'_>]) -> Distribution {
    let mut puzzles: BTreeMap<&str, Vec<Observed>> = BTreeMap::new();
    for one in runs {
        let calls = one.run.calls() as f64;
        let observed = if one.run.row.solved { Observed::solved(calls) } else { Observed::failed(calls) };
        puzzles.entry(&one.block.puzzle).or_default().push(observed);
    }
    let mut rises: Vec<(f64, f64)> = Vec::new();
    for observed in puzzles.values() {
        let rise = 1.0 / (observed.len() * puzzles.len()) as f64;
        rises.extend(observed.iter().filter(|run| run.solved).map(|run| (run.spent, rise)));
    }
    rises.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut share = 0.0;
    rises
        .into_iter()
        .map(|(calls, rise)| {
            share += rise;
            (calls, share)
        })
        .collect()
}

/// Where curves end.
const ENDS: &str = "A curve ends with the longest run of its setting unless all have solved.";

/// The calls at which the curve of each setting ends.
fn ends(material: &Material<'_>, puzzle: Option<&str>) -> Vec<f64> {
    let of = |setting: &Measured<'_>| known_until(material.study, &setting.arm, puzzle);
    material.settings.iter().map(of).collect()
}

/// The distributions of all settings with the calls at which they end, and the calls of the longest run.
struct Curves<'a> {
    found: &'a [Option<Distribution>],
    ends: &'a [f64],
    longest: f64,
}

/// Stairs that rise where runs solve, from the first of them to the longest run.
fn chart(shown: &Shown, curves: &Curves<'_>, width: f64, y_title: &str) -> Graphic {
    let Curves { found, ends, longest } = *curves;
    let first = found.iter().flatten().filter_map(|distribution| distribution.first());
    let first = (first.map(|point| point.0).fold(f64::INFINITY, f64::min) * 0.8).max(1.0);
    let mut graphic = Graphic::new(width, 0.0);
    let top = shown.legend(&mut graphic, width);
    graphic.set_height(top + HEIGHT);
    // A narrow range would look like a wide one.
    let x = Scale::log(first.min(longest / 10.0).max(1.0), longest.max(first));
    let frame = Frame::within((0.0, top), (width, HEIGHT), x, Scale::linear(0.0, 1.0));
    frame.chart(&mut graphic, &calls_title(&x), y_title);
    let stairs = |setting: usize| -> Vec<(f64, f64)> {
        let end = ends[setting].min(longest);
        let distribution = found[setting].iter().flatten().take_while(|(time, _)| *time <= end);
        let mut points = vec![(frame.left, frame.y.at(0.0))];
        points.extend(distribution.map(|(time, share)| frame.at(*time, *share)));
        points.push((frame.x.at(end), points[points.len() - 1].1));
        steps(&points)
    };
    let others: Path = shown.background(width).map(|setting| sketch(stairs(setting))).collect();
    graphic.series("curve", OTHERS, |graphic| graphic.path("others", others));
    for (series, setting) in shown.series.iter().enumerate() {
        let points = stairs(*setting);
        graphic.series("curve", &series.to_string(), |graphic| {
            graphic.path(&format!("series s{}", series % SERIES), trace(points.iter().copied()));
            if shown.has_legend() {
                let step = (points.len() / 5).max(2);
                let first = (step / 2 + series * step / SERIES).min(points.len() - 1);
                points.iter().skip(first).step_by(step).for_each(|point| marker(graphic, series, *point, ""));
            }
        });
    }
    graphic
}
