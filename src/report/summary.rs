//! The table at the end of an experiment: one line a puzzle, or of a sweep one line a setting.

use std::collections::BTreeMap;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use crate::results::{RunRow, TimingRow};
use crate::stats::{Interval, Median, median};
use crate::study::mean_share;

use super::{counted, rounded};

/// The runs of one puzzle, or of one setting, in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The id of the puzzle, or the setting in words.
    pub name: String,
    /// Runs.
    pub runs: u64,
    /// Runs that solved it.
    pub solved: u64,
    /// The 95 % interval of the share of solved runs: Wilson's, or over several puzzles, each counting alike, from theirs.
    pub share: Interval,
    /// Median calls (evaluations and moves) to the solution with its 95 % interval; runs that failed are censored, hence
    /// infinite. `None` over several puzzles, which do not mix.
    pub calls: Option<Median>,
    /// Evaluations and moves a second of CPU time, over all runs whose timing is known.
    pub rate: f64,
    /// The run with the lowest fitness; the first of equals.
    pub best: RunRow,
    /// Runs that the clock ended.
    pub cut_by_the_clock: u64,
}

/// Sums runs up by name, in the order of the first run of each.
pub struct Summing<'a> {
    name: &'a dyn Fn(&RunRow) -> String,
    timing: BTreeMap<u64, TimingRow>,
    sums: Vec<Sum>,
    index: BTreeMap<String, usize>,
}

/// What a summary is made of.
struct Sum {
    name: String,
    /// By puzzle how many runs solved it, and how many there are.
    puzzles: BTreeMap<String, (u64, u64)>,
    /// For each run the calls to the solution, infinite without one.
    calls: Vec<f64>,
    timed_calls: u64,
    seconds: f64,
    best: RunRow,
    cut_by_the_clock: u64,
}

impl<'a> Summing<'a> {
    /// Begins, with the timing of the runs where it is known.
    pub fn new(timing: BTreeMap<u64, TimingRow>, name: &'a dyn Fn(&RunRow) -> String) -> Self {
        Self { name, timing, sums: Vec::new(), index: BTreeMap::new() }
    }

    /// Adds a run; runs come in their order.
    pub fn add(&mut self, row: RunRow) {
        let name = (self.name)(&row);
        let place = *self.index.entry(name.clone()).or_insert_with(|| {
            let (calls, best) = (Vec::new(), row.clone());
            self.sums.push(Sum {
                name,
                puzzles: BTreeMap::new(),
                calls,
                timed_calls: 0,
                seconds: 0.0,
                best,
                cut_by_the_clock: 0,
            });
            self.sums.len() - 1
        });
        let sum = &mut self.sums[place];
        if !sum.puzzles.contains_key(&row.puzzle) {
            sum.puzzles.insert(row.puzzle.clone(), (0, 0));
        }
        let (solved, runs) = sum.puzzles.get_mut(&row.puzzle).expect("it was put there");
        (*solved, *runs) = (*solved + u64::from(row.solved), *runs + 1);
        let found = (row.evaluations_to_best + row.moves_to_best) as f64;
        sum.calls.push(if row.solved { found } else { f64::INFINITY });
        if let Some(timing) = self.timing.get(&row.run) {
            sum.timed_calls += row.evaluations + row.moves;
            sum.seconds += timing.cpu_s;
        }
        sum.cut_by_the_clock += u64::from(row.was_cut_by_the_clock());
        if row.best_fitness < sum.best.best_fitness {
            sum.best = row;
        }
    }

    /// The summaries.
    pub fn finish(self) -> Vec<Summary> {
        self.sums.into_iter().map(Sum::finish).collect()
    }
}

impl Sum {
    fn finish(self) -> Summary {
        let runs = self.calls.len() as u64;
        Summary {
            name: self.name,
            runs,
            solved: self.puzzles.values().map(|(solved, _)| solved).sum(),
            share: share(self.puzzles.values()),
            calls: median(&self.calls).filter(|_| self.puzzles.len() == 1),
            rate: if self.seconds > 0.0 { self.timed_calls as f64 / self.seconds } else { 0.0 },
            best: self.best,
            cut_by_the_clock: self.cut_by_the_clock,
        }
    }
}

/// The interval of the share of solved runs, in the mean over puzzles of which so many runs solved one of so many.
fn share<'a>(puzzles: impl Iterator<Item = &'a (u64, u64)>) -> Interval {
    mean_share(puzzles.copied()).map_or(Interval { low: 0.0, high: 1.0 }, |mean| mean.interval)
}

/// The summaries as a table for people; `of` says what they are of.
pub fn table(of: &str, summaries: &[Summary]) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header([
        of,
        "solved",
        "share (95 %)",
        "calls to solve, median (95 %)",
        "calls / CPU s",
        "best",
    ]);
    for summary in summaries {
        table.add_row([
            summary.name.clone(),
            format!("{} of {}", summary.solved, summary.runs),
            share_in_words(summary),
            median_in_words(summary),
            rounded(summary.rate),
            summary.best.best_fitness.to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{table}\n")
}

fn share_in_words(summary: &Summary) -> String {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    let share = summary.solved as f64 / summary.runs as f64;
    format!("{} % ({} to {})", percent(share), percent(summary.share.low), percent(summary.share.high))
}

/// Censored ends are shown as more than what the runs had.
fn median_in_words(summary: &Summary) -> String {
    let Some(median) = summary.calls else { return "by puzzle: kenga compare".to_owned() };
    let shown = |value: f64| if value.is_finite() { counted(value as u64) } else { "never".to_owned() };
    match median.interval {
        Interval { low, .. } if low.is_infinite() => shown(median.value),
        Interval { low, high } => format!("{} ({} to {})", shown(median.value), shown(low), shown(high)),
    }
}
