//! The table at the end of an experiment: a row for each puzzle, or in a sweep for each setting.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use kenga_lab::experiment::Plan;
use kenga_lab::results::{RunRow, TimingRow};
use kenga_lab::study::{RunSubject, mean_share};
use kenga_stats::{Estimate, Interval, OverPuzzles, median};

use super::prose::{all_of, problem_value};
use super::table::{Cell, Column, Fields, Table};
use super::{calls, counted, percent, percent_range, percent_with_interval, rounded, several, with_interval};

/// The runs of one puzzle, or of one setting, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The id of the puzzle, or the setting in words.
    pub name: String,
    /// Runs.
    pub runs: u64,
    /// Runs that solved it.
    pub solved: u64,
    /// The share of solved runs with its 95 % interval: Wilson's, or over several puzzles the mean of their shares, each
    /// counting alike, with an interval about these puzzles.
    pub share: Estimate,
    /// Median calls (evaluations and moves) to the solution with its 95 % interval, infinite without one, failed runs left out.
    /// `None` over several puzzles.
    pub calls: Option<Estimate>,
    /// Evaluations and moves per second of CPU time, over all runs with known timing.
    pub rate: f64,
    /// The first run with the lowest fitness, of those that did not fail if there are any.
    pub best: RunRow,
    /// The same on each puzzle.
    pub bests: BTreeMap<String, RunRow>,
    /// Runs that the time limit ended.
    pub cut_by_the_clock: u64,
    /// Runs that failed; like the other unsolved ones they have no calls to the solution.
    pub failed: u64,
}

/// Groups runs by name, in the order of the first run of each.
pub struct SummaryBuilder<'a> {
    name: &'a dyn Fn(&RunRow) -> String,
    timing: BTreeMap<u64, TimingRow>,
    sums: Vec<Totals>,
    index: BTreeMap<String, usize>,
}

/// The most unsolved puzzles that are named.
const NAMED: usize = 10;

/// The sums behind a summary.
struct Totals {
    name: String,
    /// Solved runs and runs, by puzzle.
    puzzles: BTreeMap<String, (u64, u64)>,
    runs: u64,
    /// The calls to the solution of each run that did not fail, infinite without one.
    calls: Vec<f64>,
    timed_calls: u64,
    seconds: f64,
    bests: BTreeMap<String, RunRow>,
    cut_by_the_clock: u64,
    failed: u64,
}

impl<'a> SummaryBuilder<'a> {
    /// A builder without runs; `timing` holds what is known of the runs to come.
    pub fn new(timing: BTreeMap<u64, TimingRow>, name: &'a dyn Fn(&RunRow) -> String) -> Self {
        Self { name, timing, sums: Vec::new(), index: BTreeMap::new() }
    }

    /// Adds a run; runs must come in order.
    pub fn add(&mut self, row: RunRow) {
        let name = (self.name)(&row);
        let place = *self.index.entry(name.clone()).or_insert_with(|| {
            self.sums.push(Totals {
                name,
                puzzles: BTreeMap::new(),
                runs: 0,
                calls: Vec::new(),
                timed_calls: 0,
                seconds: 0.0,
                bests: BTreeMap::new(),
                cut_by_the_clock: 0,
                failed: 0,
            });
            self.sums.len() - 1
        });
        let sum = &mut self.sums[place];
        let (solved, runs) = sum.puzzles.entry(row.puzzle.clone()).or_default();
        (*solved, *runs) = (*solved + u64::from(row.is_success()), *runs + 1);
        sum.runs += 1;
        if !row.has_failed() {
            sum.calls.push(row.calls_to_solution().map_or(f64::INFINITY, |calls| calls as f64));
        }
        if let Some(timing) = self.timing.get(&row.run) {
            sum.timed_calls = sum.timed_calls.saturating_add(row.calls());
            sum.seconds += timing.cpu_s;
        }
        sum.cut_by_the_clock += u64::from(row.was_cut_by_the_clock());
        sum.failed += u64::from(row.has_failed());
        let best = sum.bests.entry(row.puzzle.clone()).or_insert_with(|| row.clone());
        if merit(&row) < merit(best) {
            *best = row;
        }
    }

    /// The summaries.
    pub fn finish(self) -> Vec<Summary> {
        self.sums.into_iter().map(Totals::finish).collect()
    }
}

/// What orders runs from best to worst.
fn merit(row: &RunRow) -> (bool, u32, u64) {
    // A value that the referee refuted is not believed.
    let fitness = row.best_fitness.filter(|_| !row.is_refuted());
    (row.has_failed(), fitness.unwrap_or(u32::MAX), row.run)
}

impl Totals {
    fn finish(mut self) -> Summary {
        // Where all runs failed none of them solved.
        if self.calls.is_empty() {
            self.calls.push(f64::INFINITY);
        }
        Summary {
            name: self.name,
            runs: self.runs,
            solved: self.puzzles.values().map(|(solved, _)| solved).sum(),
            share: shares(self.puzzles.values().copied()).on_these(),
            // Calls on different puzzles cannot be pooled.
            calls: median(&self.calls).filter(|_| self.puzzles.len() == 1),
            rate: if self.seconds > 0.0 { self.timed_calls as f64 / self.seconds } else { 0.0 },
            best: self.bests.values().min_by_key(|row| merit(row)).expect("it has a run").clone(),
            bests: self.bests,
            cut_by_the_clock: self.cut_by_the_clock,
            failed: self.failed,
        }
    }
}

/// The mean share over puzzles, each given as (solved runs, runs).
fn shares(puzzles: impl Iterator<Item = (u64, u64)>) -> OverPuzzles {
    mean_share(puzzles).expect("a summary has a run")
}

/// The summaries as a table; the columns `labels` identify the puzzle or setting (`of`) of each.
pub fn table<'a>(of: &str, labels: Fields<'a, Summary>, summaries: &'a [Summary], plan: &'a Plan) -> Table {
    let subject = RunSubject::of_plan(plan);
    let mut fields = labels;
    if subject.can_be_solved {
        fields.add(Column::numbers("solved", &["solved", "runs"]), |one| {
            Cell::new(format!("{} of {}", one.solved, one.runs), [one.solved.into(), one.runs.into()])
        });
        fields.add(Column::estimate("share % (95 %)", "share"), share_cell);
    } else {
        fields.add(Column::numbers("runs", &["runs"]), |one| Cell::new(counted(one.runs), [one.runs.into()]));
    }
    if subject.can_be_solved && summaries.iter().any(|summary| summary.calls.is_some()) {
        let median = Column::estimate("calls to solve, median (95 %)", "calls_to_solve");
        fields.add(median, |one| median_cell(one.calls));
    }
    if subject.is_own_problem {
        add_values(&mut fields, summaries, plan);
    } else {
        let best = Column::numbers("best fitness", &["best_fitness"]).priority(1);
        fields.add(best, |one| {
            let best = one.best.best_fitness;
            best.map_or_else(Cell::default, |best| Cell::new(best.to_string(), [best.into()]))
        });
    }
    let rate = Column::numbers("calls / CPU s", &["calls_per_cpu_s"]).priority(2);
    fields.add(rate, |one| match one.rate {
        0.0 => Cell::new("–", [json!(0.0)]),
        rate => Cell::new(rounded(rate), [json!(rate)]),
    });
    let mut table = Table::of(summaries, fields);
    if subject.can_be_solved && summaries.iter().any(|summary| summary.calls.is_none()) {
        let noun = subject.noun();
        table.note(format!(
            "Shares are means over the {noun}s, each counting alike; their intervals are about these {noun}s."
        ));
    }
    if summaries.len() > 1 && subject.can_be_solved {
        table.note(totals(of, summaries, subject.noun()));
    }
    table
}

/// The line below the table.
fn totals(of: &str, summaries: &[Summary], noun: &str) -> String {
    let (mut solved, mut runs, mut never) = (0, 0, Vec::new());
    for summary in summaries {
        solved += summary.solved;
        runs += summary.runs;
        if summary.solved == 0 {
            never.push(summary.name.as_str());
        }
    }
    let are_puzzles = of == noun;
    let mean = if are_puzzles { over_puzzles(summaries, noun) } else { String::new() };
    let all = format!(
        "{}: {} of {} solved{mean}",
        all_of(summaries.len() as u64, of),
        counted(solved),
        several(runs, "run"),
    );
    let named = if are_puzzles { &never[..never.len().min(NAMED)] } else { &[] };
    match (never.len(), never.len() - named.len()) {
        (0, _) => format!("{all}; each {of} at least once."),
        (_, 0) => format!("{all}; never: {}.", named.join(", ")),
        (never, _) if named.is_empty() => format!("{all}; {} never.", several(never as u64, of)),
        (_, more) => format!("{all}; never: {} and {more} more.", named.join(", ")),
    }
}

/// The mean share of summaries by puzzle, with both of its intervals.
fn over_puzzles(summaries: &[Summary], noun: &str) -> String {
    let found = shares(summaries.iter().map(|summary| (summary.solved, summary.runs)));
    let (these, next) = (percent_range(found.these), percent_range(found.next));
    let mean = percent(found.value);
    format!(", {mean} on average (95 %: {these} on these {noun}s, {next} on the next one)")
}

fn share_cell(summary: &Summary) -> Cell {
    estimate_cell(&summary.share, percent_with_interval(&summary.share))
}

fn estimate_cell(estimate: &Estimate, text: String) -> Cell {
    let Estimate { value, interval: Interval { low, high } } = *estimate;
    Cell::new(text, [value, low, high].map(Value::from))
}

/// Adds the best value of a problem of the user's own, of several instances of each: their values cannot be pooled.
fn add_values<'a>(fields: &mut Fields<'a, Summary>, summaries: &'a [Summary], plan: &'a Plan) {
    let mut instances = vec![None];
    if summaries.iter().any(|one| one.bests.len() > 1) {
        let ids: BTreeSet<&String> = summaries.iter().flat_map(|one| one.bests.keys()).collect();
        instances = ids.into_iter().map(Some).collect();
    }
    for (place, id) in instances.into_iter().enumerate() {
        let (of, ending) = id.map_or_else(Default::default, |id| (format!(", {id}"), format!(".{id}")));
        let names = [format!("best_fitness{ending}"), format!("best_value{ending}")];
        let column = Column::numbers(format!("best value{of}"), &[&names[0], &names[1]])
            .priority(place.min(100) as u8 + 1);
        fields.add(column, move |one| value_cell(one, plan, id));
    }
}

/// The best fitness on an instance, or without one of all, as a value; programs read both. A failed run has none.
fn value_cell(one: &Summary, plan: &Plan, id: Option<&String>) -> Cell {
    let best = id.map_or(Some(&one.best), |id| one.bests.get(id)).filter(|best| !best.has_failed());
    let value = best.and_then(|best| plan.value(best.run, best.best_fitness));
    let fitness = best.and_then(|best| best.best_fitness);
    Cell::new(problem_value(value.unwrap_or(f64::NAN)), [json!(fitness), json!(value)])
}

/// A median with its interval; censored values are `never`.
fn median_cell(median: Option<Estimate>) -> Cell {
    median.map_or_else(Cell::default, |median| estimate_cell(&median, with_interval(&median, &calls)))
}
