//! The table at the end of an experiment: one line a puzzle, or of a sweep one line a setting.

use std::collections::BTreeMap;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use crate::results::{RunRow, TimingRow};
use crate::stats::{Estimate, Interval, Median, Z_95, mean_of_strata, median, wilson};

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

/// Sums the runs up by name, in the order of the first run of each.
pub fn summaries(rows: &[RunRow], timing: &[TimingRow], name: &dyn Fn(&RunRow) -> String) -> Vec<Summary> {
    let cpu: BTreeMap<u64, f64> = timing.iter().map(|row| (row.run, row.cpu_s)).collect();
    let mut by_name: Vec<(String, Vec<&RunRow>)> = Vec::new();
    let mut index: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows {
        let name = name(row);
        let place = *index.entry(name.clone()).or_insert_with(|| {
            by_name.push((name, Vec::new()));
            by_name.len() - 1
        });
        by_name[place].1.push(row);
    }
    by_name.into_iter().map(|(name, rows)| summary(name, &rows, &cpu)).collect()
}

fn summary(name: String, rows: &[&RunRow], cpu: &BTreeMap<u64, f64>) -> Summary {
    let solved = rows.iter().filter(|row| row.solved).count() as u64;
    let found = |row: &RunRow| (row.evaluations_to_best + row.moves_to_best) as f64;
    let to_solution = |row: &&RunRow| if row.solved { found(row) } else { f64::INFINITY };
    let to_solution_all: Vec<f64> = rows.iter().map(to_solution).collect();
    let is_one_puzzle = rows.iter().all(|row| row.puzzle == rows[0].puzzle);
    let timed = || rows.iter().filter_map(|row| Some((row, cpu.get(&row.run)?)));
    let calls: u64 = timed().map(|(row, _)| row.evaluations + row.moves).sum();
    let seconds: f64 = timed().map(|(_, seconds)| seconds).sum();
    let best =
        rows.iter().min_by_key(|row| (row.best_fitness, row.run)).expect("a name is there for its runs");
    Summary {
        name,
        runs: rows.len() as u64,
        solved,
        share: share(rows),
        calls: median(&to_solution_all).filter(|_| is_one_puzzle),
        rate: if seconds > 0.0 { calls as f64 / seconds } else { 0.0 },
        best: (*best).clone(),
        cut_by_the_clock: rows.iter().filter(|row| row.was_cut_by_the_clock()).count() as u64,
    }
}

/// The interval of the share of solved runs, in the mean over puzzles.
fn share(rows: &[&RunRow]) -> Interval {
    let mut puzzles: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in rows {
        let (solved, runs) = puzzles.entry(&row.puzzle).or_default();
        (*solved, *runs) = (*solved + u64::from(row.solved), *runs + 1);
    }
    let of = |(solved, runs): &(u64, u64)| Estimate {
        value: *solved as f64 / *runs as f64,
        interval: wilson(*solved, *runs, Z_95),
    };
    let shares: Vec<Estimate> = puzzles.values().map(of).collect();
    mean_of_strata(&shares).map_or(Interval { low: 0.0, high: 1.0 }, |mean| mean.interval)
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
