//! A comparison for people, as a table and a verdict, and for programs.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};
use serde_json::{Value, json};

use super::{Comparison, Pair, Side};
use crate::report::{counted, rounded};
use crate::stats::{Estimate, Interval};

/// How many sides the table shows.
const LINES: usize = 60;

/// How many pairs the verdict speaks of.
const SPOKEN: usize = 6;

/// The table and the verdict.
pub fn in_words(comparison: &Comparison) -> String {
    let verdict: String = verdict(comparison).into_iter().map(|sentence| format!("{sentence}\n")).collect();
    format!("{}\n{verdict}", table(comparison))
}

fn table(comparison: &Comparison) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    let (is_time, about) = (comparison.metric.is_time(), comparison.metric.about());
    let mut header = vec![
        "setting".to_owned(),
        "solved".into(),
        "share % (95 %)".into(),
        format!("{about}, median (95 %)"),
    ];
    header.extend(is_time.then(|| "expected, with restarts (95 %)".to_owned()));
    header.extend(is_time.then(|| "PAR-10 (95 %)".to_owned()));
    header.extend(comparison.ranks.as_ref().map(|_| "rank".to_owned()));
    table.set_header(header);
    for index in comparison.order.iter().take(LINES) {
        table.add_row(row(comparison, *index));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    match comparison.sides.len().saturating_sub(LINES) {
        0 => format!("{table}\n"),
        more => format!("{table}\nand {more} more\n"),
    }
}

fn row(comparison: &Comparison, index: usize) -> Vec<String> {
    let side = &comparison.sides[index];
    let median = side.median.map(|median| Estimate { value: median.value, interval: median.interval });
    let share = side.solved as f64 / side.runs as f64;
    let mut row = vec![
        side.name.clone(),
        format!("{} of {}", side.solved, side.runs),
        format!("{:.0} ({:.0} to {:.0})", share * 100.0, side.share.low * 100.0, side.share.high * 100.0),
        median.map_or_else(String::new, with_interval),
    ];
    row.extend(side.ert.map(with_interval));
    row.extend(side.par10.map(with_interval));
    row.extend(comparison.ranks.as_ref().map(|line| format!("{:.2}", line.average[index])));
    row
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

/// What is shown and what is not, sentence by sentence.
pub fn verdict(comparison: &Comparison) -> Vec<String> {
    let mut sentences = vec![design(comparison), overall(comparison)];
    sentences.extend(comparison.pairs.iter().take(SPOKEN).map(|pair| of_pair(comparison, pair)));
    if comparison.pairs.len() > SPOKEN {
        let shown = comparison.pairs.iter().filter(|pair| is_shown(comparison, pair)).count();
        let (all, rest) = (comparison.pairs.len(), comparison.pairs.len() - SPOKEN);
        sentences.push(format!("And {rest} more pairs: in all a difference is shown in {shown} of {all}."));
    }
    if let Some(line) = &comparison.ranks {
        let tied: Vec<String> = line
            .cliques
            .iter()
            .map(|clique| {
                line.order[clique.clone()]
                    .iter()
                    .map(|side| name(comparison, *side))
                    .collect::<Vec<_>>()
                    .join(", ")
            })
            .collect();
        let critical =
            format!("Average ranks differ when they are {:.2} apart (Nemenyi).", line.critical_difference);
        sentences.push(match tied.is_empty() {
            true => format!("{critical} All do."),
            false if comparison.sides.len() > SPOKEN => critical,
            false => format!("{critical} Not told apart: {}.", tied.join("; ")),
        });
    }
    sentences
}

fn design(comparison: &Comparison) -> String {
    let sides = comparison.sides.len();
    let puzzles = if comparison.puzzles == 1 {
        "one puzzle".to_owned()
    } else {
        format!("{} puzzles", comparison.puzzles)
    };
    match comparison.blocks {
        Some(blocks) => format!(
            "{sides} settings in {} blocks: on {puzzles}, each with the same starts, so that runs are compared in pairs.",
            counted(blocks as u64)
        ),
        None => format!(
            "{sides} settings on {puzzles}, which do not have the same runs each: they are compared as independent ones."
        ),
    }
}

fn overall(comparison: &Comparison) -> String {
    let test = if comparison.blocks.is_some() { "Friedman" } else { "Kruskal-Wallis" };
    let p = p_value(comparison.overall.p);
    match comparison.overall.p < comparison.alpha {
        true => format!("The settings differ in {} ({test}, {p}).", comparison.metric.about()),
        false => {
            format!("That any setting differs in {} is not shown ({test}, {p}).", comparison.metric.about())
        }
    }
}

fn is_shown(comparison: &Comparison, pair: &Pair) -> bool {
    pair.holm < comparison.alpha
}

/// A side by its name, between quotes where this has more than a word.
fn name(comparison: &Comparison, side: usize) -> String {
    let name = &comparison.sides[side].name;
    if name.contains(' ') { format!("[{name}]") } else { name.clone() }
}

fn of_pair(comparison: &Comparison, pair: &Pair) -> String {
    let (first, second) = (name(comparison, pair.first), name(comparison, pair.second));
    let (about, p) = (comparison.metric.about(), p_value(pair.holm));
    let size = size(pair);
    let mut text = match (is_shown(comparison, pair), comparison.metric.is_time()) {
        (true, true) => format!(
            "Shown: {first} takes fewer {about} than {second} ({}, {p} after Holm): {size}.",
            pair.test
        ),
        (true, false) => {
            format!("Shown: {first} has less {about} than {second} ({}, {p} after Holm): {size}.", pair.test)
        }
        (false, _) => {
            format!(
                "Not shown: that {first} and {second} differ in {about} ({}, {p} after Holm); {size}.",
                pair.test
            )
        }
    };
    text += &of_shares(comparison, pair);
    if let (false, Some(runs)) = (is_shown(comparison, pair), pair.runs_needed) {
        text += &format!(
            " To show what was seen, with 80 % power at 5 %, takes about {} runs each.",
            counted(runs)
        );
    }
    text
}

fn size(pair: &Pair) -> String {
    let Interval { low, high } = pair.a12.interval;
    let a12 =
        format!("the probability that it takes more is {:.2} ({:.2} to {:.2})", pair.a12.value, low, high);
    match pair.ratio {
        Some(Estimate { value, interval }) if value.is_finite() && value > 0.0 => {
            format!("{} times as much ({}), {a12}", factor(value), ends(interval))
        }
        _ => a12,
    }
}

fn of_shares(comparison: &Comparison, pair: &Pair) -> String {
    let Estimate { value, interval } = pair.share;
    let points = |share: f64| format!("{:.1}", share * 100.0);
    let all = |side: &Side| side.solved == side.runs || side.solved == 0;
    let (one, two) = (&comparison.sides[pair.first], &comparison.sides[pair.second]);
    if all(one) && all(two) && one.solved.min(1) == two.solved.min(1) {
        return String::new();
    }
    let shown = if pair.share_holm < comparison.alpha { "shown" } else { "not shown" };
    format!(
        " The shares solved differ by {} points ({} to {}), which is {shown} ({} after Holm).",
        points(value),
        points(interval.low),
        points(interval.high),
        p_value(pair.share_holm)
    )
}

fn factor(value: f64) -> String {
    match value {
        value if value.is_infinite() => "infinitely many".to_owned(),
        value if value >= 100.0 => rounded(value),
        value => format!("{value:.2}"),
    }
}

fn ends(interval: Interval) -> String {
    format!("{} to {}", factor(interval.low), factor(interval.high))
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// The comparison as one JSON object; what is infinite is null.
pub fn as_json(comparison: &Comparison) -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    let ends = |interval: Interval| json!([finite(interval.low), finite(interval.high)]);
    let estimate = |estimate: Option<Estimate>| {
        estimate.map(|found| json!({ "value": finite(found.value), "interval_95": ends(found.interval) }))
    };
    let side = |side: &Side| {
        json!({
            "name": side.name,
            "runs": side.runs,
            "solved": side.solved,
            "share_95": ends(side.share),
            "median": estimate(side.median.map(|m| Estimate { value: m.value, interval: m.interval })),
            "expected": estimate(side.ert),
            "par10": estimate(side.par10),
        })
    };
    let pair = |pair: &Pair| {
        json!({
            "first": comparison.sides[pair.first].name,
            "second": comparison.sides[pair.second].name,
            "test": pair.test,
            "p": pair.p,
            "p_holm": pair.holm,
            "shown": is_shown(comparison, pair),
            "ratio": estimate(pair.ratio),
            "a12": estimate(Some(pair.a12)),
            "share_difference": estimate(Some(pair.share)),
            "share_p": pair.share_p,
            "share_p_holm": pair.share_holm,
            "log_rank_p": pair.log_rank_p,
            "runs_needed": pair.runs_needed,
        })
    };
    json!({
        "metric": comparison.metric.name(),
        "alpha": comparison.alpha,
        "puzzles": comparison.puzzles,
        "blocks": comparison.blocks,
        "overall_p": comparison.overall.p,
        "order": comparison.order.iter().map(|side| &comparison.sides[*side].name).collect::<Vec<_>>(),
        "average_ranks": comparison.ranks.as_ref().map(|line| &line.average),
        "critical_difference": comparison.ranks.as_ref().map(|line| finite(line.critical_difference)),
        "settings": comparison.sides.iter().map(side).collect::<Vec<_>>(),
        "pairs": comparison.pairs.iter().map(pair).collect::<Vec<_>>(),
        "verdict": verdict(comparison),
    })
}
