//! Run-length distributions, and advice on restarts.

use super::super::graphic::{Frame, Graphic, Scale, WIDTH, steps};
use super::super::measurements::{Advice, FigureName, Measurements};
use super::super::table::{Cell, Column, Table};
use super::super::{counted, decimal, p_value, rounded};
use super::{Drawing, Drawn, Figure, NotDrawn, ShownSettings, calls_title, panel_width};
use crate::span;
use kenga_core::sort::sort_by;
use kenga_lab::study::{RunValue, SettingSample};
use kenga_stats::run_length_distribution;

pub(super) const FIGURE: Figure = Figure { id: "run-length", title: "Run-length distributions", draw };

const HEIGHT: f64 = 320.0;

/// A distribution of a setting: calls, and the share solved by then.
pub(super) type Distribution = Vec<(f64, f64)>;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    if measurements.is_by_fitness {
        return Err(NotDrawn::Silently);
    }
    if measurements.solved() == 0 {
        let noun = measurements.subject.noun();
        return Err(NotDrawn::Because(format!(
            "Run-length distributions are left out: no run has solved its {noun}."
        )));
    }
    let mut drawn = Drawn { table: restarts(measurements), ..Drawn::of(Vec::new()) };
    if measurements.puzzles > 1 {
        drawn.drawings.push(over_all(measurements));
    }
    for part in 0..measurements.shown_puzzles.len() {
        let mut found: Vec<Option<Distribution>> = Vec::new();
        for setting in 0..measurements.settings.len() {
            found.push(measurements.observed(setting, part).map(|runs| run_length_distribution(&runs)));
        }
        if found.iter().flatten().all(Vec::is_empty) {
            drawn.remarks.push(format!("{}: no run has solved it.", measurements.shown_puzzles[part]));
        } else {
            drawn.drawings.push(of_part(measurements, part, &found));
        }
    }
    drawn.remarks.extend(measurements.parts_note());
    Ok(drawn)
}

/// The distributions of one puzzle, of which some run has solved.
fn of_part(measurements: &Measurements<'_>, part: usize, found: &[Option<Distribution>]) -> Drawing {
    let shown = ShownSettings::choose(measurements, |setting| found[setting].is_some());
    let mut longest = 0.0_f64;
    for setting in 0..measurements.settings.len() {
        if let Some(runs) = measurements.observed(setting, part) {
            longest = longest.max(span(runs.iter().map(|run| run.spent)).1);
        }
    }
    let ends = ends(measurements, Some(&measurements.shown_puzzles[part]));
    let curves = RunLengthCurves { found, ends: &ends, longest };
    let noun = measurements.subject.noun();
    let caption = format!(
        "The share of the runs of a setting that solved the {noun} within a number of calls: an empirical distribution function, which steps up where a run solves. A run without a solution is censored: it counts as unsolved throughout. {ENDS}{}",
        shown.in_words()
    );
    let name = measurements.part_name("run-length", "Runs solved against calls", part);
    let draw = |width| chart(&shown, &curves, width, "share of runs solved");
    Drawing::new(name, caption, panel_width(measurements), draw)
}

/// The mean over all puzzles of their distributions.
fn over_all(measurements: &Measurements<'_>) -> Drawing {
    let found: Vec<Option<Distribution>> =
        measurements.samples.iter().map(|sample| Some(mean_distribution(sample))).collect();
    let shown = ShownSettings::choose(measurements, |_| true);
    let ends = ends(measurements, None);
    let curves = RunLengthCurves { found: &found, ends: &ends, longest: measurements.longest };
    let noun = measurements.subject.noun();
    let caption = format!(
        "The mean over {} {noun}s, each counting alike, of the share of runs that solved within a number of calls. {ENDS}{}",
        measurements.puzzles,
        shown.in_words()
    );
    let title = format!("Runs solved against calls: mean of {} {noun}s", measurements.puzzles);
    let draw = |width| chart(&shown, &curves, width, &format!("share solved, mean over {noun}s"));
    Drawing::new(FigureName::new("run-length-mean", title), caption, measurements.width(WIDTH), draw)
}

/// The mean over puzzles of the distributions of the runs of a setting.
fn mean_distribution(sample: &SettingSample) -> Distribution {
    let mut rises: Distribution = Vec::new();
    let puzzles = sample.by_puzzle().count();
    for blocks in sample.by_puzzle() {
        let rise = 1.0 / (blocks.runs().len() * puzzles) as f64;
        let solved = blocks.runs().iter().map(RunValue::charged).filter(|run| run.solved);
        rises.extend(solved.map(|run| (run.spent, rise)));
    }
    summed(rises)
}

/// The distribution that rises by shares at calls.
pub(super) fn summed(mut rises: Vec<(f64, f64)>) -> Distribution {
    sort_by(&mut rises, |a, b| a.0.total_cmp(&b.0));
    let mut share = 0.0;
    for rise in &mut rises {
        share += rise.1;
        rise.1 = share;
    }
    rises
}

/// Where curves end.
const ENDS: &str = "A curve ends with the longest run of its setting unless all have solved.";

/// The calls at which the curve of each setting ends.
pub(super) fn ends(measurements: &Measurements<'_>, puzzle: Option<&str>) -> Vec<f64> {
    measurements.settings.iter().map(|setting| setting.known_until(measurements.study, puzzle)).collect()
}

/// The distributions of all settings, the calls at which their curves end, and the calls of the longest run.
pub(super) struct RunLengthCurves<'a> {
    pub(super) found: &'a [Option<Distribution>],
    pub(super) ends: &'a [f64],
    pub(super) longest: f64,
}

/// Draws stairs that rise where runs solve.
pub(super) fn chart(
    shown: &ShownSettings,
    curves: &RunLengthCurves<'_>,
    width: f64,
    y_title: &str,
) -> Graphic {
    let RunLengthCurves { found, ends, longest } = *curves;
    let mut first = longest;
    for distribution in found.iter().flatten() {
        first = distribution.first().map_or(first, |(calls, _)| first.min(*calls));
    }
    let first = (first * 0.8).max(1.0);
    let mut graphic = Graphic::new(width, 0.0);
    let top = shown.legend(&mut graphic, width);
    graphic.set_height(top + HEIGHT);
    // A narrow range would look like a wide one.
    let x = Scale::log(first.min(longest / 10.0).max(1.0), longest.max(first));
    let frame = Frame::within((0.0, top), (width, HEIGHT), x, Scale::linear(0.0, 1.0));
    frame.chart(&mut graphic, &calls_title(&x), y_title);
    let stairs = |setting: usize| -> Vec<(f64, f64)> {
        let end = ends[setting].min(longest);
        let mut points = vec![(frame.left, frame.y.at(0.0))];
        for (time, share) in found[setting].iter().flatten() {
            if *time > end {
                break;
            }
            points.push(frame.at(*time, *share));
        }
        points.push((frame.x.at(end), points[points.len() - 1].1));
        steps(&points)
    };
    shown.others(&mut graphic, width, stairs);
    shown.lines(&mut graphic, 5, 2, stairs);
    graphic
}

/// The most settings of a puzzle in the table of restarts.
const LISTED: usize = 12;

/// The table of the settings for which a cutoff looks better, by puzzle; of many settings the best. `None` where there are
/// none.
fn restarts(measurements: &Measurements<'_>) -> Option<(&'static str, Table)> {
    let (several, noun) = (measurements.puzzles > 1, measurements.subject.noun());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut left = 0;
    for (part, of) in measurements.shown_puzzles.iter().enumerate() {
        let mut listed = 0;
        for setting in measurements.order_of(part) {
            let Some(advice) = measurements.advice(setting, part) else { continue };
            if listed == LISTED {
                left += 1;
                continue;
            }
            listed += 1;
            let mut words = Vec::new();
            if several {
                words.push(of.clone());
            }
            words.push(measurements.labels.name(setting));
            words.extend(row(advice));
            rows.push(words);
        }
    }
    let mut columns = Vec::new();
    if several {
        columns.push(Column::words(noun, noun));
    }
    let heading = measurements.labels.heading();
    columns.push(Column::words(if heading.is_empty() { "setting".to_owned() } else { heading }, "setting"));
    columns.extend(NUMBERS.map(|heading| Column::numbers(heading, &[])));
    columns.push(Column::words("advice", "advice"));
    let of_each = if several { format!(" of each {noun}") } else { String::new() };
    let left = match left {
        0 => String::new(),
        left => format!(
            " Shown are the {LISTED} best settings{of_each}; {} more are left out.",
            counted(left as u64)
        ),
    };
    let note = format!(
        "The cutoff after which giving up and restarting looks best, and the expected calls to a solution with and without it. “With cutoff” is cross-fitted: cutoffs are chosen on other runs than those they are judged on (five folds), none in the last tenth before the budget. p tests for no gain, with Holm's correction over all settings and {noun}s. A restart is advised where p is below 5 % and the gain is 5 % or more. A setting has no line if no cutoff looks better, or with fewer than 20 runs or 8 solutions by the cutoff.{left}"
    );
    let mut table = Table::new(columns);
    table.note(note);
    for row in rows {
        table.push(row.into_iter().map(Cell::words));
    }
    (!table.is_empty()).then_some(("When to restart", table))
}

/// The columns of numbers.
const NUMBERS: [&str; 5] = ["cutoff", "with cutoff", "without", "ratio (95 %)", "p"];

fn row(advice: &Advice) -> [String; 6] {
    let test = &advice.test;
    let words = if advice.is_worth_following() {
        "restart"
    } else if advice.is_significant() {
        "little gain"
    } else {
        "no significant gain"
    };
    let [ratio, low, high] = [advice.ratio(), test.ratio.low, test.ratio.high].map(|end| decimal(end, 2));
    let range = format!("{ratio} ({low} to {high})");
    let p = p_value(advice.holm);
    [counted(test.cutoff as u64), rounded(test.with), rounded(test.without), range, p, words.to_owned()]
}
