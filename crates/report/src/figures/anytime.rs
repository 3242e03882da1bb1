//! How good settings are at any time: attainment functions, targets attained, areas over the convergence curves.

use super::super::anytime::{at_once, over_curves};
use super::super::graphic::WIDTH;
use super::super::measurements::{FigureName, Measurements};
use super::run_length::{Distribution, RunLengthCurves, chart, ends, summed};
use super::{Drawing, Drawn, Figure, NotDrawn, ShownSettings, attainment};
use kenga_lab::study::{Anytime, AreaAxes, CurveArea, Window};
use kenga_stats::calls_to;

pub(super) const FIGURE: Figure = Figure { id: "anytime", title: "At any time", draw };

/// Targets of a puzzle, the solution not counted.
const TARGETS: usize = 10;

/// The most settings in the table.
const LISTED: usize = 40;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    // The figure of convergence says why.
    let Ok(_) = &measurements.convergence else { return Err(NotDrawn::Silently) };
    let steps = measurements.steps.clone().ok_or(NotDrawn::Silently)?;
    let known = Anytime::new(measurements.study, &measurements.settings, steps);
    let Ok(known) = known else { return Err(NotDrawn::Silently) };
    let mut drawings: Vec<Drawing> = targets(measurements, &known).into_iter().collect();
    drawings.extend(
        (0..measurements.shown_puzzles.len())
            .filter_map(|part| attainment::drawing(measurements, &known, part)),
    );
    let areas = known.areas(AreaAxes::default(), None);
    let shown: Vec<&CurveArea> = measurements.order.iter().take(LISTED).map(|side| &areas[*side]).collect();
    let mut table = over_curves(&shown, measurements.subject.noun());
    let left = match areas.len() - shown.len() {
        0 => String::new(),
        left => format!(" {left} settings more are left out."),
    };
    let (best, noun) = (at_once(&measurements.subject), measurements.subject.noun());
    let worst = if known.subject.scale.is_some() { "worst value" } else { "highest fitness" };
    table.note(format!("The mean over runs of the area over the convergence curve (AOCC), on linear axes: 0 where nothing better was attained than the {worst} at a first record, 1 where {best}. Up to the calls for which every setting was observed, {noun} by {noun}. `kenga compare --anytime` has other axes and bounds.{left}"));
    let remarks = measurements.parts_note().into_iter().collect();
    Ok(Drawn { drawings, table: Some(("Area over the convergence curve", table)), remarks })
}

/// The targets of a puzzle, from its worst fitness down to the best, their distances from it in about equal ratios.
fn ladder(window: Window) -> Vec<f64> {
    let mut targets = Vec::new();
    for step in (0..TARGETS).rev() {
        let distance = (window.worst - window.best).powf(step as f64 / TARGETS as f64);
        targets.push(window.best + distance.round());
    }
    targets.push(window.best);
    targets.dedup();
    targets
}

/// The share of pairs of a run and a target that were attained, against calls; `None` where no run attained any.
fn targets(measurements: &Measurements<'_>, known: &Anytime<'_>) -> Option<Drawing> {
    let found: Vec<Option<Distribution>> =
        (0..measurements.settings.len()).map(|setting| Some(attained(known, setting))).collect();
    if found.iter().flatten().all(Vec::is_empty) {
        return None;
    }
    let shown = ShownSettings::choose(measurements, |_| true);
    let ends = ends(measurements, None);
    let curves = RunLengthCurves { found: &found, ends: &ends, longest: measurements.longest };
    let noun = measurements.subject.noun();
    let over = match measurements.puzzles {
        1 => String::new(),
        puzzles => format!(" of {puzzles} {noun}s, each counting alike,"),
    };
    let caption = format!(
        "The share of all pairs of a run and a target{over} that were attained within a number of calls (an empirical distribution function). The targets of each {noun} are up to {} {} in about equal ratios. Higher is better at any time; at the right end it is the share of targets attained at all.{}",
        TARGETS + 1,
        match known.subject.scale {
            None => "fitnesses from 0 up to the highest at a first record,",
            Some(_) if known.subject.can_be_solved =>
                "values from the optimum to the worst at a first record, their distances from it",
            Some(_) =>
                "values from the best that any run attained to the worst at a first record, their distances from it",
        },
        shown.in_words()
    );
    let name = FigureName::new("targets", "Targets attained against calls");
    let draw = |width| chart(&shown, &curves, width, "share of targets attained");
    Some(Drawing::new(name, caption, measurements.width(WIDTH), draw))
}

fn attained(known: &Anytime<'_>, setting: usize) -> Distribution {
    let mut puzzles = Vec::new();
    for (puzzle, window) in known.windows() {
        let runs = known.steps_on(setting, puzzle);
        if !runs.is_empty() {
            puzzles.push((runs, ladder(*window)));
        }
    }
    let mut rises = Vec::new();
    for (runs, targets) in &puzzles {
        let rise = 1.0 / (puzzles.len() * runs.len() * targets.len()) as f64;
        for target in targets {
            for steps in runs {
                rises.extend(calls_to(steps, *target).map(|calls| (calls, rise)));
            }
        }
    }
    summed(rises)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_lab::study::RunSubject;

    #[test]
    fn targets_fall_from_below_the_worst_to_0() {
        let window = |worst| Window { calls: 100.0, worst, best: 0.0, subject: RunSubject::PUZZLES };
        assert_eq!(ladder(window(100.0)), [63.0, 40.0, 25.0, 16.0, 10.0, 6.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
        assert_eq!(ladder(window(4.0)), [3.0, 2.0, 1.0, 0.0]);
        assert_eq!(ladder(window(1.0)), [1.0, 0.0]);
    }
}
