//! Tables of how good settings are at any time: areas over curves, calls to targets, the best fitness at budgets; and of
//! differences that matter in practice.

use serde_json::json;

use super::compare::{estimate, share, share_range, solved};
use super::table::{Cell, Column, Fields, Table};
use super::{bare_percent, calls, counted, decimal, range};
use crate::span;
use kenga_core::sort::{sort_by, sort_by_key};
use kenga_lab::study::{
    Anytime, AreaAxes, AtBudget, Comparison, FitnessAtBudget, Practical, PuzzleStats, Region, RunSubject,
    SettingArea, SettingStats,
};
use kenga_stats::{Estimate, Interval};

/// What is asked about any time.
#[derive(Clone, Debug, Default)]
pub struct AnytimeQuestion {
    /// The axes of the areas over the curves; `None` for no areas.
    pub areas: Option<AreaAxes>,
    /// The fitness from which on nothing counts, 1 or more; `None` for that of each puzzle.
    pub worst: Option<u32>,
    /// The fitnesses to attain.
    pub targets: Vec<u32>,
    /// The budgets in calls.
    pub budgets: Vec<u64>,
}

impl AnytimeQuestion {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.areas.is_none() && self.targets.is_empty() && self.budgets.is_empty()
    }
}

/// The answers, each a name for programs and a table; the settings in the order `order`.
pub fn tables(
    found: &Anytime<'_>,
    question: &AnytimeQuestion,
    order: &[usize],
) -> Vec<(&'static str, Table)> {
    let several = found.windows().len() > 1;
    let mut tables = Vec::new();
    if let Some(axes) = question.areas {
        let areas = found.areas(axes, question.worst.map(f64::from));
        let areas: Vec<&SettingArea> = order.iter().map(|side| &areas[*side]).collect();
        let noun = found.subject.noun();
        let mut table = over_curves(&areas, noun).titled("Area over the convergence curve");
        table.note(bounds(found, axes, question.worst));
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
        let noun = found.subject.noun();
        tables.push(("targets", targets(&all, order, noun)));
        if several {
            tables.push(("targets_by_puzzle", targets_by_puzzle(&all, order, noun)));
        }
    }
    if !question.budgets.is_empty() {
        let all: Vec<AtBudget> = question.budgets.iter().flat_map(|calls| found.at_budget(*calls)).collect();
        tables.push(("budgets", budgets(&all, several.then(|| found.subject.noun()))));
    }
    tables
}

/// The settings with the calls to a fitness.
struct AtTarget {
    target: u32,
    sides: Vec<SettingStats>,
}

/// The bounds of the areas in words.
fn bounds(found: &Anytime<'_>, axes: AreaAxes, worst: Option<u32>) -> String {
    let log = |is_log: bool| if is_log { "logarithmic" } else { "linear" };
    let (best, noun) = (at_once(&found.subject), found.subject.noun());
    let windows = found.windows().values();
    let calls = of_all(windows.clone().map(|window| window.calls), noun);
    let worst =
        worst.map_or_else(|| of_all(windows.map(|window| window.worst), noun), |worst| worst.to_string());
    let zero = if axes.log_fitness { ", which counts as 0.5" } else { "" };
    format!(
        "Area over the convergence curve, AOCC: 0 where nothing better than the worst bound was attained, 1 where {best}; the mean over runs. Calls up to {calls} ({}); the worst bound is the fitness {worst}, the best 0{zero} ({}).",
        log(axes.log_calls),
        log(axes.log_fitness)
    )
}

/// Where an area is 1, in words.
pub(super) fn at_once(subject: &RunSubject) -> &'static str {
    match (subject.is_own_problem, subject.can_be_solved) {
        (false, _) => "the puzzle was solved at once",
        (true, true) => "the optimum was attained at once",
        (true, false) => "fitness 0, the bound, was attained at once",
    }
}

/// From the lowest to the highest of some counts, one of each puzzle.
fn of_all(counts: impl Iterator<Item = f64>, noun: &str) -> String {
    let (low, high) = span(counts);
    let (low, high) = (counted(low as u64), counted(high as u64));
    if low == high { low } else { format!("{low} to {high}, by {noun}") }
}

fn area(value: Estimate) -> Cell {
    estimate(Some(value), &|value| decimal(value, 3))
}

/// The areas over the curves of every setting.
pub(super) fn over_curves(areas: &[&SettingArea], noun: &str) -> Table {
    let several = areas.iter().any(|area| area.puzzles.len() > 1);
    let mut fields: Fields<'_, &SettingArea> = Fields::default();
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

fn over_curves_by_puzzle(areas: &[&SettingArea], noun: &str) -> Table {
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
fn targets(all: &[AtTarget], order: &[usize], noun: &str) -> Table {
    let mut rows: Vec<(u32, &SettingStats)> = Vec::new();
    let mut several = false;
    for AtTarget { target, sides } in all {
        for setting in order {
            rows.push((*target, &sides[*setting]));
            several |= sides[*setting].puzzles.len() > 1;
        }
    }
    let mut fields: Fields<'_, (u32, &SettingStats)> = Fields::default();
    fields.add(Column::numbers("fitness ≤", &["target"]), |of| Cell::count(u64::from(of.0)));
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
    let mut table = Table::of(&rows, fields).titled("Calls to attain a fitness");
    if rows.iter().any(|row| row.1.solved < row.1.runs) {
        table.note("A run that never attained the fitness is censored at what it spent. A run attains a fitness where that was recorded; the call of its best is exact.");
    } else {
        table.note("A run attains a fitness where that was recorded; the call of its best is exact.");
    }
    table
}

fn targets_by_puzzle(all: &[AtTarget], order: &[usize], noun: &str) -> Table {
    let mut table = Table::new([
        Column::numbers("fitness ≤", &["target"]),
        Column::words(noun, "puzzle"),
        Column::words("setting", "setting"),
        Column::numbers("attained", &["attained", "runs"]),
        Column::estimate("share % (95 %)", "share").priority(2),
        Column::estimate("calls, median (95 %)", "median"),
        Column::estimate("expected, ERT (95 %)", "expected").priority(1),
    ])
    .titled(format!("Calls to attain a fitness, by {noun}"));
    for AtTarget { target, sides } in all {
        let mut rows: Vec<(&SettingStats, &PuzzleStats)> = Vec::new();
        for setting in order {
            rows.extend(sides[*setting].puzzles.iter().map(|puzzle| (&sides[*setting], puzzle)));
        }
        // The sort is stable: settings keep their order.
        sort_by(&mut rows, |a, b| a.1.id.cmp(&b.1.id));
        for (side, puzzle) in rows {
            table.push([
                Cell::count(u64::from(*target)),
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

/// The best fitness at budgets, puzzle by puzzle.
fn budgets(rows: &[AtBudget], noun: Option<&str>) -> Table {
    let mut fields: Fields<'_, AtBudget> = Fields::default();
    fields.add(Column::numbers("calls", &["calls"]), |of| Cell::count(of.calls));
    if let Some(noun) = noun {
        fields.add(Column::words(noun, "puzzle"), |of| Cell::words(of.puzzle.clone()));
    }
    fields.add(Column::words("setting", "setting"), |of| Cell::words(of.name.clone()));
    fields.add(Column::estimate("best fitness, median (95 %)", "median"), |of| {
        estimate(of.fitness.as_ref().map(|fitness| fitness.median), &plain)
    });
    let quartiles = Column::numbers("quartiles", &["q25", "q75"]).priority(1);
    fields.add(quartiles, |of| between(of.fitness.as_ref(), [1, 2]));
    let deciles = Column::numbers("10 to 90 %", &["q10", "q90"]).priority(3);
    fields.add(deciles, |of| between(of.fitness.as_ref(), [0, 3]));
    fields.add(Column::numbers("mean", &["mean"]).priority(2), |of| mean(of.fitness.as_ref()));
    fields.add(Column::numbers("solved", &["solved", "runs"]), |of| {
        of.solved.map_or_else(unknown, |count| solved(count, of.runs))
    });
    let mut table = Table::of(rows, fields).titled("Best fitness within a budget of calls");
    if rows.iter().any(|row| row.fitness.is_none()) {
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

fn mean(fitness: Option<&FitnessAtBudget>) -> Cell {
    let Some(FitnessAtBudget { mean, .. }) = fitness else { return unknown() };
    Cell::new(decimal(*mean, 1), [json!(mean)])
}

fn between(fitness: Option<&FitnessAtBudget>, [low, high]: [usize; 2]) -> Cell {
    let Some(fitness) = fitness else { return unknown() };
    let (low, high) = (fitness.quantiles[low], fitness.quantiles[high]);
    Cell::new(format!("{} to {}", plain(low), plain(high)), [json!(low), json!(high)])
}

/// How probable it is that settings are better, practically the same, or worse than the reference of a comparison.
pub fn practical(comparison: &Comparison, region: Region, found: &[Practical]) -> Table {
    let reference = &comparison.settings[comparison.reference].spoken;
    let mut table = Table::new([
        Column::words("setting", "setting"),
        Column::numbers("better %", &["better"]),
        Column::numbers("practically the same %", &["same"]),
        Column::numbers("worse %", &["worse"]),
        Column::numbers(if comparison.puzzles > 1 { "puzzles" } else { "blocks" }, &["units"]),
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
    let failures = if comparison.metric.is_time() { " Two runs that fail count as the same." } else { "" };
    let unit = match (comparison.puzzles > 1, comparison.metric.is_time()) {
        (true, true) => {
            "The sample is the puzzles, each with its PAR-10, and the answer is about the next one of their kind"
        }
        (true, false) => {
            "The sample is the puzzles, each with its mean, and the answer is about the next one of their kind"
        }
        (false, _) => "The sample is the starts that both have on the one puzzle",
    };
    format!(
        "Bayesian signed-rank test; practically the same is {width}. {unit}.{failures} Nothing corrects for the number of settings."
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
