//! A comparison as tables.

use serde_json::{Value, json};

use super::words::{apart, factor, number, points, share_percent};
use crate::report::counted;
use crate::report::table::{Cell, Column, Table};
use crate::stats::{Estimate, Interval};
use crate::study::{Comparison, Metric, OfPuzzle, Pair, Side, Untold};

/// What stands beside a difference that is shown.
const MARK: &str = " *";

/// The other settings compared with the reference, from best to worst; what is shown is set off.
pub fn comparisons(comparison: &Comparison) -> Table {
    let is_time = comparison.metric.is_time();
    let unit = match comparison.metric {
        Metric::Calls => "× calls",
        Metric::Evaluations => "× evaluations",
        Metric::Moves => "× moves",
        _ => "× CPU time",
    };
    let mut columns = vec![Column::words("setting", "setting")];
    columns.extend(
        is_time.then(|| Column::numbers(format!("{unit} (95 %)"), &["ratio", "ratio_low", "ratio_high"])),
    );
    columns.push(Column::numbers("A12 (95 %)", &["a12", "a12_low", "a12_high"]).priority(2));
    columns.push(
        Column::numbers("solved, points (95 %)", &["share_difference", "share_low", "share_high"])
            .priority(1),
    );
    columns.push(Column::numbers("p, shares", &["share_p_holm"]).priority(3));
    columns.push(Column::numbers("p", &["p_holm"]));
    let reference = &comparison.sides[comparison.reference].name;
    let mut table = Table::new(columns).titled(format!("Compared with {reference}:"));
    for pair in &comparison.pairs {
        table.push(row(comparison, pair));
    }
    let a12 = match is_time {
        true => "A12 is the chance that a run of the setting takes longer than one of the first, ties half",
        false => "A12 is the chance that a run of the setting has the larger value, ties half",
    };
    let holm = if comparison.tests > 1 {
        format!(" after Holm over {} tests", comparison.tests)
    } else {
        String::new()
    };
    let about = if comparison.puzzles > 1 { " All of it is about these puzzles." } else { "" };
    let chosen = match comparison.level {
        level if level > 0.95 => format!(
            " The same runs chose the first as the best of {}: each interval is of {} %, so that 95 % of them hold.",
            comparison.sides.len(),
            rounded_percent(level)
        ),
        _ => String::new(),
    };
    table.note(format!(
        "{}{a12}.{about}{chosen} p{holm}; * marks what is shown at {} %.",
        if is_time { format!("{unit}: the setting over {}. ", apart(reference)) } else { String::new() },
        rounded_percent(comparison.alpha)
    ));
    table
}

fn row(comparison: &Comparison, pair: &Pair) -> Vec<Cell> {
    let is_shown = pair.is_shown(comparison.alpha);
    let set_off = |cell: Cell| if is_shown { cell.strong() } else { cell };
    let mut cells = vec![Cell::words(comparison.sides[pair.second].name.clone())];
    if comparison.metric.is_time() {
        cells.push(estimate(pair.ratio, &factor));
    }
    cells.push(estimate(Some(pair.a12), &|value| format!("{value:.2}")));
    cells.push(estimate(Some(pair.share), &points));
    cells.push(Cell::new(
        pair.share_p.map_or(none(pair), |_| p_value(pair.share_holm)),
        [json!(pair.share_holm)],
    ));
    let mark = if is_shown { MARK } else { "" };
    cells.push(Cell::new(pair.p.map_or(none(pair), |_| p_value(pair.holm) + mark), [json!(pair.holm)]));
    cells.into_iter().map(set_off).collect()
}

/// What stands in the place of a p-value.
fn none(pair: &Pair) -> String {
    match pair.untold {
        Some(Untold::Dropped) => "dropped".to_owned(),
        Some(Untold::NoCommonPuzzle) => "no puzzle".to_owned(),
        Some(Untold::TooFew) | None => "–".to_owned(),
    }
}

/// Every setting in numbers, from best to worst.
pub fn settings(comparison: &Comparison) -> Table {
    let about = comparison.metric.about();
    let is_time = comparison.metric.is_time();
    let several = comparison.puzzles > 1;
    let mut columns = vec![
        Column::words("setting", "setting"),
        Column::numbers("solved", &["solved", "runs"]),
        Column::numbers("share % (95 %)", &["share", "share_low", "share_high"]),
    ];
    columns.extend(several.then(|| Column::numbers("next puzzle %", &["next_low", "next_high"]).priority(2)));
    columns.extend((!several).then(|| {
        Column::numbers(format!("{about}, median (95 %)"), &["median", "median_low", "median_high"])
    }));
    columns.extend((is_time && !several).then(|| {
        Column::numbers("expected, with restarts (95 %)", &["expected", "expected_low", "expected_high"])
            .priority(1)
    }));
    columns.extend(
        is_time.then(|| Column::numbers("PAR-10 (95 %)", &["par10", "par10_low", "par10_high"]).priority(3)),
    );
    columns.extend((!is_time).then(|| Column::numbers("mean", &["mean"]).priority(1)));
    columns.extend(comparison.ranks.as_ref().map(|_| Column::numbers("rank", &["rank"]).priority(4)));
    let mut table = Table::new(columns);
    for index in &comparison.order {
        table.push(of_side(comparison, *index, is_time, several));
    }
    if several {
        table.note("Shares and PAR-10 are means over the puzzles, each counting alike. Their intervals are about these puzzles; “next puzzle” is the interval of the chance to solve another puzzle of their kind.");
    }
    table
}

fn of_side(comparison: &Comparison, index: usize, is_time: bool, several: bool) -> Vec<Cell> {
    let side: &Side = &comparison.sides[index];
    let mut cells = vec![
        Cell::words(side.name.clone()),
        Cell::new(
            format!("{} of {}", counted(side.solved), counted(side.runs)),
            [json!(side.solved), json!(side.runs)],
        ),
        share(side.share),
    ];
    cells.extend(several.then(|| {
        let ends = side
            .share_next
            .map(|next| (format!("{} to {}", share_percent(next.low), share_percent(next.high)), next));
        ends.map_or_else(Cell::default, |(text, next)| Cell::new(text, [finite(next.low), finite(next.high)]))
    }));
    let median = side.median.map(|median| Estimate { value: median.value, interval: median.interval });
    cells.extend((!several).then(|| estimate(median, &number)));
    cells.extend((is_time && !several).then(|| estimate(side.ert, &number)));
    cells.extend(is_time.then(|| estimate(side.par10, &number)));
    cells.extend((!is_time).then(|| Cell::new(number(side.mean), [finite(side.mean)])));
    cells.extend(
        comparison
            .ranks
            .as_ref()
            .map(|line| Cell::new(format!("{:.2}", line.average[index]), [finite(line.average[index])])),
    );
    cells
}

/// A line for each puzzle and side, puzzle by puzzle.
pub fn puzzles(comparison: &Comparison) -> Table {
    let is_time = comparison.metric.is_time();
    let mut columns = vec![
        Column::words("puzzle", "puzzle"),
        Column::words("setting", "setting"),
        Column::numbers("solved", &["solved", "runs"]),
        Column::numbers("share % (95 %)", &["share", "share_low", "share_high"]).priority(1),
        Column::numbers(
            format!("{}, median (95 %)", comparison.metric.about()),
            &["median", "median_low", "median_high"],
        ),
    ];
    columns.extend(is_time.then(|| {
        Column::numbers("expected, with restarts (95 %)", &["expected", "expected_low", "expected_high"])
            .priority(2)
    }));
    let mut table = Table::new(columns);
    let row = |name: &str, part: &OfPuzzle| {
        let median = Estimate { value: part.median.value, interval: part.median.interval };
        let mut row = vec![
            Cell::words(part.id.clone()),
            Cell::words(name),
            Cell::new(format!("{} of {}", part.solved, part.runs), [json!(part.solved), json!(part.runs)]),
            share(part.share),
            estimate(Some(median), &number),
        ];
        row.extend(is_time.then(|| estimate(part.ert, &number)));
        row
    };
    let mut ids: Vec<&str> =
        comparison.sides.iter().flat_map(|side| &side.puzzles).map(|part| part.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let sides = || comparison.order.iter().map(|side| &comparison.sides[*side]);
    for id in ids {
        for (side, part) in sides().filter_map(|side| Some((side, side.on(id)?))) {
            table.push(row(&side.name, part));
        }
    }
    table
}

fn share(share: Estimate) -> Cell {
    estimate(Some(share), &share_percent)
}

/// A value with its interval, where that says anything.
fn estimate(estimate: Option<Estimate>, shown: &dyn Fn(f64) -> String) -> Cell {
    let Some(Estimate { value, interval: Interval { low, high } }) = estimate else {
        return Cell::new("–", [Value::Null, Value::Null, Value::Null]);
    };
    let says_nothing = high == f64::INFINITY && (low <= 0.0);
    let text = match says_nothing {
        true => shown(value),
        false => format!("{} ({} to {})", shown(value), shown(low), shown(high)),
    };
    Cell::new(text, [finite(value), finite(low), finite(high)])
}

fn finite(value: f64) -> Value {
    json!(value.is_finite().then_some(value))
}

fn p_value(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
        None => "–".to_owned(),
    }
}

fn rounded_percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
