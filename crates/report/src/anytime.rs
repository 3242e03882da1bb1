//! Tables of how good settings are at any time: areas over curves, calls to targets, the best fitness at budgets; and of
//! differences that matter in practice. Values of a problem of the user's own are in its units.

use serde_json::json;

use super::compare::{estimate, share, share_range, solved};
use super::prose::short_value;
use super::table::{Cell, Column, Fields, Table};
use super::{bare_percent, calls, counted, decimal, problem_value, range, several};
use crate::span;
use kenga_core::sort::{sort_by, sort_by_key};
use kenga_lab::study::{
    Anytime, AreaAxes, AtBudget, BestAtBudget, Comparison, CurveArea, Practical, PuzzleStats, Region,
    RunSubject, SettingStats, Window,
};
use kenga_stats::{Estimate, Interval};

/// What is asked about any time.
#[derive(Clone, Debug, Default)]
pub struct AnytimeQuestion {
    /// The axes of the areas over the curves; `None` for no areas.
    pub areas: Option<AreaAxes>,
    /// The fitness or value from which on nothing counts; `None` for that of each puzzle.
    pub worst: Option<f64>,
    /// The fitnesses or values to attain.
    pub targets: Vec<f64>,
    /// The budgets in calls.
    pub budgets: Vec<u64>,
}

impl AnytimeQuestion {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.areas.is_none() && self.targets.is_empty() && self.budgets.is_empty()
    }

    /// An error in a sentence, if what is asked cannot be measured.
    ///
    /// # Errors
    /// A target that is no fitness of a puzzle, or a worst bound that is no worse than the best.
    pub fn check(&self, known: &Anytime<'_>) -> Result<(), String> {
        let is_fitness = |number: &&f64| number.fract() == 0.0 && **number >= 0.0;
        if known.subject.scale.is_none()
            && let Some(other) = self.targets.iter().chain(&self.worst).find(|number| !is_fitness(number))
        {
            return Err(format!("{other} is no fitness: a whole number from 0 on is expected"));
        }
        for (id, Window { subject, best, .. }) in known.windows() {
            if let Some(worst) = self.worst.filter(|worst| subject.fitness(*worst) < best + 1.0) {
                let best = problem_value(subject.value(*best));
                return Err(format!("--worst {worst} is no worse than {best}, the best of {id}"));
            }
        }
        Ok(())
    }
}

/// The answers, each a name for programs and a table; the settings in the order `order`.
pub fn tables(
    found: &Anytime<'_>,
    question: &AnytimeQuestion,
    order: &[usize],
) -> Vec<(&'static str, Table)> {
    let several = found.windows().len() > 1;
    let late = recorded_late(found);
    let mut tables = Vec::new();
    if let Some(axes) = question.areas {
        let areas = found.areas(axes, question.worst);
        let areas: Vec<&CurveArea> = order.iter().map(|side| &areas[*side]).collect();
        let noun = found.subject.noun();
        let mut table = over_curves(&areas, noun).titled("Area over the convergence curve");
        table.note(bounds(found, axes, question.worst) + &late);
        tables.push(("areas", table));
        if several {
            tables.push(("areas_by_puzzle", over_curves_by_puzzle(&areas, noun)));
        }
    }
    if !question.targets.is_empty() {
        let mut all = Vec::new();
        for target in &question.targets {
            all.push(AtTarget { target: *target, sides: found.to_target(*target) });
        }
        tables.push(("targets", targets(&all, order, &found.subject, &late)));
        if several {
            tables.push(("targets_by_puzzle", targets_by_puzzle(&all, order, &found.subject)));
        }
    }
    if !question.budgets.is_empty() {
        let all: Vec<AtBudget> = question.budgets.iter().flat_map(|calls| found.at_budget(*calls)).collect();
        let mut table = budgets(&all, several, &found.subject);
        if !late.is_empty() {
            table.note(late.trim_start());
        }
        tables.push(("budgets", table));
    }
    tables
}

/// A sentence after a space if settings are local searches, which record their best once in many calls; else empty.
fn recorded_late(found: &Anytime<'_>) -> String {
    let gaps = found.record_gaps();
    let (low, high) = span(gaps.iter().map(|(_, calls)| *calls as f64));
    let (low, high) = (counted(low as u64), counted(high as u64));
    let calls = if low == high { low } else { format!("{low} to {high}") };
    let head = match gaps.as_slice() {
        [] => return String::new(),
        [(name, _)] => format!("{name} records its"),
        many => format!("{} record their", several(many.len() as u64, "setting")),
    };
    format!(" {head} best every {calls} calls, so that an improvement counts only from the next record on.")
}

/// The settings with the calls to a fitness.
struct AtTarget {
    target: f64,
    sides: Vec<SettingStats>,
}

/// The bounds of the areas in words.
fn bounds(found: &Anytime<'_>, axes: AreaAxes, worst: Option<f64>) -> String {
    let log = |is_log: bool| if is_log { "logarithmic" } else { "linear" };
    let (at_once, noun) = (at_once(&found.subject), found.subject.noun());
    let windows = found.windows().values();
    let calls = from_to(windows.clone().map(|window| window.calls), noun, &|calls| counted(calls as u64));
    let values = |fitness: &dyn Fn(&Window) -> f64| {
        from_to(windows.clone().map(|window| window.subject.value(fitness(window))), noun, &problem_value)
    };
    let worst = worst.map_or_else(|| values(&|window| window.worst), problem_value);
    let best = values(&|window| window.best);
    let zero = match (axes.log_fitness, found.subject.is_own_problem) {
        (false, _) => "",
        (true, false) => ", which counts as 0.5 away",
        (true, true) => ", which counts as half of `resolution` away",
    };
    format!(
        "Area over the convergence curve, AOCC: 0 where nothing better than the worst bound was attained, 1 where {at_once}; the mean over runs, a failed one counting 0. Calls up to {calls} ({}); the worst bound is the {} {worst}, the best {best}{zero} ({}).",
        log(axes.log_calls),
        found.subject.quantity(),
        log(axes.log_fitness)
    )
}

/// Where an area is 1, in words.
pub(super) fn at_once(subject: &RunSubject) -> &'static str {
    match (subject.is_own_problem, subject.can_be_solved) {
        (false, _) => "the puzzle was solved at once",
        (true, true) => "the optimum was attained at once",
        (true, false) => "the best value of all these runs was attained at once",
    }
}

/// From the lowest to the highest of some numbers, one of each puzzle.
fn from_to(numbers: impl Iterator<Item = f64>, noun: &str, shown: &dyn Fn(f64) -> String) -> String {
    let (low, high) = span(numbers);
    let (low, high) = (shown(low), shown(high));
    if low == high { low } else { format!("{low} to {high}, by {noun}") }
}

fn area(value: Estimate) -> Cell {
    estimate(Some(value), &|value| decimal(value, 3))
}

/// The areas over the curves of every setting.
pub(super) fn over_curves(areas: &[&CurveArea], noun: &str) -> Table {
    let several = areas.iter().any(|area| area.puzzles.len() > 1);
    let mut fields: Fields<'_, &CurveArea> = Fields::default();
    fields.add(Column::words("setting", "setting"), |of| Cell::words(of.name.clone()));
    fields.add(Column::estimate("AOCC (95 %)", "aocc"), |of| area(of.mean));
    if several {
        let next = Column::numbers(format!("next {noun}"), &["next_low", "next_high"]).priority(1);
        fields.add(next, |of| of.next.map_or_else(unknown, area_range));
    }
    Table::of(areas, fields)
}

fn area_range(ends: Interval) -> Cell {
    Cell::new(range(ends, &|value| decimal(value, 3)), [json!(ends.low), json!(ends.high)])
}

fn over_curves_by_puzzle(areas: &[&CurveArea], noun: &str) -> Table {
    struct Row<'a> {
        puzzle: &'a str,
        setting: &'a str,
        mean: Estimate,
    }
    let mut rows = Vec::new();
    for of in areas {
        for (puzzle, mean) in &of.puzzles {
            rows.push(Row { puzzle, setting: &of.name, mean: *mean });
        }
    }
    // The sort is stable: settings keep their order.
    sort_by_key(&mut rows, |row| row.puzzle);
    let mut table = Table::new([
        Column::words(noun, "puzzle"),
        Column::words("setting", "setting"),
        Column::estimate("AOCC (95 %)", "aocc"),
    ])
    .titled(format!("Area over the convergence curve by {noun}"));
    for row in rows {
        table.push([Cell::words(row.puzzle), Cell::words(row.setting), area(row.mean)]);
    }
    table
}

/// The calls to targets: over one puzzle medians and expected times, over several the means of shares and expected times.
fn targets(all: &[AtTarget], order: &[usize], subject: &RunSubject, late: &str) -> Table {
    let (noun, quantity) = (subject.noun(), subject.quantity());
    let mut rows: Vec<(f64, &SettingStats)> = Vec::new();
    let mut several = false;
    for AtTarget { target, sides } in all {
        for setting in order {
            rows.push((*target, &sides[*setting]));
            several |= sides[*setting].puzzles.len() > 1;
        }
    }
    let mut fields: Fields<'_, (f64, &SettingStats)> = Fields::default();
    fields.add(target_column(subject), |of| target_cell(of.0));
    fields.add(Column::words("setting", "setting"), |of| Cell::words(of.1.name.clone()));
    fields.add(Column::numbers("attained", &["attained", "runs"]), |of| solved(of.1.solved, of.1.runs));
    fields.add(Column::estimate("share % (95 %)", "share").priority(1), |of| share(of.1.share));
    if several {
        let next = Column::numbers(format!("next {noun} %"), &["next_low", "next_high"]).priority(2);
        fields.add(next, |of| of.1.share_next.map_or_else(Cell::default, share_range));
    } else {
        let median = Column::estimate("calls, median (95 %)", "median");
        fields.add(median, |of| estimate(of.1.median, &calls));
    }
    let expected = Column::estimate("calls to it with restarts (95 %)", "expected").priority(2);
    fields.add(expected, |of| estimate(of.1.ert, &calls));
    let mut table = Table::of(&rows, fields).titled(format!("Calls to attain a {quantity}"));
    let mut note = format!(
        "Calls are those of the first record with this {quantity}; those of the best of a run are exact."
    );
    if rows.iter().any(|row| row.1.solved < row.1.runs) {
        note = format!("A run that never attained the {quantity} is censored at what it spent. {note}");
    }
    table.note(note + late);
    table
}

/// The column of the targets: fitnesses, values to be lowered, or values to be raised.
fn target_column(subject: &RunSubject) -> Column {
    let sign = if subject.scale.is_some_and(|scale| scale.maximise) { '≥' } else { '≤' };
    Column::numbers(format!("{} {sign}", subject.quantity()), &["target"])
}

fn target_cell(target: f64) -> Cell {
    let number = if target.fract() == 0.0 { json!(target as i64) } else { json!(target) };
    Cell::new(problem_value(target), [number])
}

fn targets_by_puzzle(all: &[AtTarget], order: &[usize], subject: &RunSubject) -> Table {
    let noun = subject.noun();
    let mut table = Table::new([
        target_column(subject),
        Column::words(noun, "puzzle"),
        Column::words("setting", "setting"),
        Column::numbers("attained", &["attained", "runs"]),
        Column::estimate("share % (95 %)", "share").priority(2),
        Column::estimate("calls, median (95 %)", "median"),
        Column::estimate("expected, ERT (95 %)", "expected").priority(1),
    ])
    .titled(format!("Calls to attain a {}, by {noun}", subject.quantity()));
    for AtTarget { target, sides } in all {
        let mut rows: Vec<(&SettingStats, &PuzzleStats)> = Vec::new();
        for setting in order {
            rows.extend(sides[*setting].puzzles.iter().map(|puzzle| (&sides[*setting], puzzle)));
        }
        // The sort is stable: settings keep their order.
        sort_by(&mut rows, |a, b| a.1.id.cmp(&b.1.id));
        for (side, puzzle) in rows {
            table.push([
                target_cell(*target),
                Cell::words(puzzle.id.clone()),
                Cell::words(side.name.clone()),
                solved(puzzle.solved, puzzle.runs),
                share(puzzle.share),
                estimate(Some(puzzle.median), &calls),
                estimate(puzzle.ert, &calls),
            ]);
        }
    }
    table
}

/// The best fitness or value at budgets, puzzle by puzzle.
fn budgets(rows: &[AtBudget], are_several: bool, subject: &RunSubject) -> Table {
    let shown: &dyn Fn(f64) -> String = if subject.scale.is_some() { &short_value } else { &plain };
    let mut fields: Fields<'_, AtBudget> = Fields::default();
    fields.add(Column::numbers("calls", &["calls"]), |of| Cell::count(of.calls));
    if are_several {
        fields.add(Column::words(subject.noun(), "puzzle"), |of| Cell::words(of.puzzle.clone()));
    }
    fields.add(Column::words("setting", "setting"), |of| Cell::words(of.name.clone()));
    fields.add(Column::estimate(format!("{}, median (95 %)", subject.best()), "median"), |of| {
        estimate(of.best.as_ref().map(|best| best.median), shown)
    });
    let quartiles = Column::numbers("quartiles", &["q25", "q75"]).priority(1);
    fields.add(quartiles, |of| between(of.best.as_ref(), [1, 2], shown));
    let deciles = Column::numbers("10 to 90 %", &["q10", "q90"]).priority(3);
    fields.add(deciles, |of| between(of.best.as_ref(), [0, 3], shown));
    fields.add(Column::numbers("mean", &["mean"]).priority(2), |of| mean(of.best.as_ref(), subject));
    if subject.can_be_solved {
        fields.add(Column::numbers("solved", &["solved", "runs"]), |of| {
            of.solved.map_or_else(unknown, |count| solved(count, of.runs))
        });
    }
    let title = format!("B{} within a budget of calls", &subject.best()[1..]);
    let mut table = Table::of(rows, fields).titled(title);
    if rows.iter().any(|row| row.best.is_none()) {
        table.note("–: some run of the setting had no record by then, or was not observed for so long.");
    }
    table
}

fn unknown() -> Cell {
    Cell::new("–", [])
}

/// A fitness, or the mean of two.
fn plain(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { decimal(value, 1) }
}

fn mean(best: Option<&BestAtBudget>, subject: &RunSubject) -> Cell {
    let Some(BestAtBudget { mean, .. }) = best else { return unknown() };
    let text = if subject.scale.is_some() { short_value(*mean) } else { decimal(*mean, 1) };
    Cell::new(text, [json!(mean)])
}

fn between(best: Option<&BestAtBudget>, [low, high]: [usize; 2], shown: &dyn Fn(f64) -> String) -> Cell {
    let Some(best) = best else { return unknown() };
    let (low, high) = (best.quantiles[low], best.quantiles[high]);
    Cell::new(format!("{} to {}", shown(low), shown(high)), [json!(low), json!(high)])
}

/// How probable it is that settings are better, practically the same, or worse than the reference of a comparison.
pub fn practical(comparison: &Comparison, region: Region, found: &[Practical]) -> Table {
    let (reference, noun) =
        (&comparison.settings[comparison.reference].spoken, comparison.facts.subject.noun());
    let mut table = Table::new([
        Column::words("setting", "setting"),
        Column::numbers("better %", &["better"]),
        Column::numbers("practically the same %", &["same"]),
        Column::numbers("worse %", &["worse"]),
        Column::numbers(
            if comparison.puzzles > 1 { format!("{noun}s") } else { "starts".into() },
            &["units"],
        ),
    ])
    .titled(format!("Probability of a difference from {reference} that matters in practice"));
    for one in found {
        let [better, same, worse] = match one.outcome {
            Some(found) => [found.below, found.within, found.above].map(chance),
            None => std::array::from_fn(|_| unknown()),
        };
        let setting = Cell::words(comparison.settings[one.second].name.clone());
        table.push([setting, better, same, worse, Cell::count(one.units as u64)]);
    }
    table.note(region_in_words(comparison, region));
    table
}

fn chance(share: f64) -> Cell {
    Cell::new(probability(share), [json!(share)])
}

fn region_in_words(comparison: &Comparison, region: Region) -> String {
    let width = match region {
        Region::Share(share) => format!("within a factor of {}", 1.0 + share),
        Region::Difference(most) => format!("at most {most} apart"),
    };
    let noun = comparison.facts.subject.noun();
    let unit = match (comparison.puzzles > 1, comparison.metric.is_time()) {
        (true, true) => format!(
            "The sample is the {noun}s, each with what a solution costs with restarts, and the answer is about the next one of their kind. Two that never solve count as the same."
        ),
        (true, false) => format!(
            "The sample is the {noun}s, each with the mean of its runs, and the answer is about the next one of their kind."
        ),
        (false, true) => format!(
            "The sample is the starts that both have on the one {noun}, each with what its runs take to solve it. Two that fail count as the same."
        ),
        (false, false) => format!("The sample is the starts that both have on the one {noun}."),
    };
    format!(
        "Bayesian signed-rank test; practically the same is {width}. {unit} Nothing corrects for the number of settings."
    )
}

/// A probability in percent; that of something seen in all or no draw is not certain.
fn probability(share: f64) -> String {
    match share {
        share if share >= 0.9995 => "> 99.9".to_owned(),
        share if share < 0.0005 => "< 0.1".to_owned(),
        share if share > 0.1 && share < 0.9 => bare_percent(share),
        share => decimal(share * 100.0, 1),
    }
}
