//! A comparison as tables for people.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use crate::report::rounded;
use crate::stats::{Estimate, Interval};
use crate::study::{Comparison, OfPuzzle, Side};

/// How many lines a table has.
const LINES: usize = 60;

/// Every side in numbers, and of several puzzles every side on each.
pub(super) fn tables(comparison: &Comparison) -> String {
    let mut text = over_all(comparison);
    if comparison.puzzles > 1 {
        text += &by_puzzle(comparison);
    }
    text
}

fn over_all(comparison: &Comparison) -> String {
    let mut header = vec!["setting".to_owned(), "solved".into()];
    header.push(match comparison.puzzles {
        1 => "share % (95 %)".to_owned(),
        _ => "share %, mean over puzzles (95 %)".to_owned(),
    });
    let has = |of: &dyn Fn(&Side) -> bool| comparison.sides.iter().any(of);
    let about = comparison.metric.about();
    let (median, ert, par10) = (
        has(&|side| side.median.is_some()),
        has(&|side| side.ert.is_some()),
        has(&|side| side.par10.is_some()),
    );
    header.extend(median.then(|| format!("{about}, median (95 %)")));
    header.extend(ert.then(|| "expected, with restarts (95 %)".to_owned()));
    header.extend(par10.then(|| "PAR-10 (95 %)".to_owned()));
    header.extend(comparison.ranks.as_ref().map(|_| "rank".to_owned()));
    let rows = comparison.order.iter().map(|index| {
        let side = &comparison.sides[*index];
        let mut row = vec![side.name.clone(), format!("{} of {}", side.solved, side.runs), share(side.share)];
        row.extend(
            side.median.map(|one| with_interval(Estimate { value: one.value, interval: one.interval })),
        );
        row.extend(side.ert.map(with_interval));
        row.extend(side.par10.map(with_interval));
        row.extend(comparison.ranks.as_ref().map(|line| format!("{:.2}", line.average[*index])));
        row
    });
    printed(header, rows.collect(), 1)
}

/// A line for each puzzle and side, puzzle by puzzle.
fn by_puzzle(comparison: &Comparison) -> String {
    let about = comparison.metric.about();
    let is_time = comparison.metric.is_time();
    let mut header: Vec<String> = ["puzzle", "setting", "solved", "share % (95 %)"].map(str::to_owned).into();
    header.push(format!("{about}, median (95 %)"));
    header.extend(is_time.then(|| "expected, with restarts (95 %)".to_owned()));
    let row = |name: &str, part: &OfPuzzle| {
        let median = Estimate { value: part.median.value, interval: part.median.interval };
        let solved = format!("{} of {}", part.solved, part.runs);
        let mut row =
            vec![part.id.clone(), name.to_owned(), solved, share(part.share), with_interval(median)];
        row.extend(part.ert.map(with_interval));
        row
    };
    let mut ids: Vec<&str> =
        comparison.sides.iter().flat_map(|side| &side.puzzles).map(|part| part.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let sides = || comparison.order.iter().map(|side| &comparison.sides[*side]);
    let of = |id: &str| -> Vec<Vec<String>> {
        let parts =
            |side: &&Side| side.puzzles.iter().find(|part| part.id == id).map(|part| row(&side.name, part));
        sides().filter_map(|side| parts(&side)).collect()
    };
    printed(header, ids.into_iter().flat_map(of).collect(), 2)
}

/// A table whose first columns are words.
fn printed(header: Vec<String>, rows: Vec<Vec<String>>, words: usize) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(header);
    let more = rows.len().saturating_sub(LINES);
    table.add_rows(rows.into_iter().take(LINES));
    for column in table.column_iter_mut().skip(words) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    match more {
        0 => format!("{table}\n"),
        more => format!("{table}\nand {more} more\n"),
    }
}

fn share(share: Estimate) -> String {
    let Estimate { value, interval } = share;
    format!("{:.0} ({:.0} to {:.0})", value * 100.0, interval.low * 100.0, interval.high * 100.0)
}

fn with_interval(estimate: Estimate) -> String {
    match estimate.interval {
        Interval { low, high } if low.is_infinite() && high.is_infinite() => number(estimate.value),
        Interval { low, high } => format!("{} ({} to {})", number(estimate.value), number(low), number(high)),
    }
}

fn number(value: f64) -> String {
    if value.is_finite() { rounded(value) } else { "never".to_owned() }
}
