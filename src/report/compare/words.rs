//! A comparison for people: tables, and a verdict in words.

use super::table::tables;
use crate::report::{counted, rounded, several};
use crate::stats::{Estimate, Interval, RankLine};
use crate::study::{Comparison, Pair, Side};

/// How many pairs the verdict speaks of.
const SPOKEN: usize = 6;

/// The tables and the verdict.
pub fn in_words(comparison: &Comparison) -> String {
    let verdict: String = verdict(comparison).into_iter().map(|sentence| format!("{sentence}\n")).collect();
    format!("{}\n{verdict}", tables(comparison))
}

/// What is shown and what is not, sentence by sentence.
pub fn verdict(comparison: &Comparison) -> Vec<String> {
    if let Some(nothing) = nothing(comparison) {
        return vec![design(comparison), nothing];
    }
    let mut sentences = vec![design(comparison)];
    // Of two sides their pair says it all.
    sentences.extend((comparison.sides.len() > 2).then(|| overall(comparison)));
    sentences.extend(comparison.pairs.iter().take(SPOKEN).map(|pair| of_pair(comparison, pair)));
    if comparison.pairs.len() > SPOKEN {
        let shown = comparison.pairs.iter().filter(|pair| is_shown(comparison, pair)).count();
        let (all, rest) = (comparison.pairs.len(), comparison.pairs.len() - SPOKEN);
        let rest = several(rest as u64, "more pair");
        sentences.push(format!("And {rest}: in all a difference is shown in {shown} of {all}."));
    }
    let can_differ = |line: &&RankLine| line.critical_difference < comparison.sides.len() as f64 - 1.0;
    if let Some(line) = comparison.ranks.as_ref().filter(can_differ) {
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

/// The verdict on what is a part of something larger: whether settings differ, and in which pairs this is shown.
pub fn brief_verdict(comparison: &Comparison) -> Vec<String> {
    if let Some(nothing) = nothing(comparison) {
        return vec![nothing];
    }
    let shown: Vec<&Pair> = comparison.pairs.iter().filter(|pair| is_shown(comparison, pair)).collect();
    let mut sentences: Vec<String> =
        (comparison.sides.len() > 2).then(|| overall(comparison)).into_iter().collect();
    sentences.extend(shown.iter().take(SPOKEN).map(|pair| of_pair(comparison, pair)));
    let all = comparison.pairs.len();
    let pairs = if all == 1 { "pair" } else { "pairs" };
    sentences.push(match (shown.len(), comparison.pairs.first()) {
        (0, Some(_)) => format!("A difference is shown in none of {all} {pairs}."),
        (shown, _) => format!("In all a difference is shown in {shown} of {all} {pairs}."),
    });
    sentences
}

/// What is said where no run has a time.
fn nothing(comparison: &Comparison) -> Option<String> {
    let solved = comparison.sides.iter().any(|side| side.solved > 0);
    (comparison.metric.is_time() && !solved).then(|| {
        "No run of any setting has solved, so that nothing tells them apart; kenga compare --metric best_fitness compares how close they came.".to_owned()
    })
}

fn design(comparison: &Comparison) -> String {
    let sides = comparison.sides.len();
    let puzzles = match comparison.puzzles {
        1 => "one puzzle".to_owned(),
        puzzles => format!("{puzzles} puzzles"),
    };
    let means = match comparison.puzzles {
        1 => "",
        _ => {
            " Shares and PAR-10 are means over the puzzles, each counting alike, and pairs never mix two puzzles."
        }
    };
    let together = match comparison.puzzles {
        1 => "",
        _ => {
            " The tests take the puzzles together, which is fair only where every setting has as many runs of each; `--puzzle` compares on one."
        }
    };
    let design = match comparison.blocks {
        Some(blocks) if blocks == comparison.common => format!(
            "{sides} settings in {}: on {puzzles}, each with the same starts, so that runs are compared in pairs.{means}",
            several(blocks as u64, "block")
        ),
        Some(blocks) => format!(
            "{sides} settings in {}, {} of which all have: on {puzzles}, with the same starts, so that every two are compared on the pairs of runs that both have.{means}{}",
            several(blocks as u64, "block"),
            counted(comparison.common as u64),
            race(comparison)
        ),
        None => format!(
            "{sides} settings on {puzzles}, which do not have the same runs each: they are compared as independent ones.{together}",
        ),
    };
    design + apart(comparison) + unequal(comparison) + measured_apart(comparison)
}

/// What puzzles that are not shared do to what can be said.
fn apart(comparison: &Comparison) -> &'static str {
    match (comparison.share_none, comparison.are_apart) {
        (true, _) => " Some share no puzzle: what differs may be the puzzles alone.",
        (false, true) => {
            " They do not all have the same puzzles: two are compared on those that both have, and the table is of all that each has."
        }
        (false, false) => "",
    }
}

/// What fitness in other units does to what can be said.
fn measured_apart(comparison: &Comparison) -> &'static str {
    match comparison.is_measured_apart {
        true => {
            " They do not weigh violations alike, so that their fitness is in different units and says little side by side."
        }
        false => "",
    }
}

/// What budgets that differ do to what can be said.
fn unequal(comparison: &Comparison) -> &'static str {
    match comparison.is_unequal {
        true => {
            " Their budgets are not the same: a run that may spend less is cut earlier, and fails more often for that alone."
        }
        false => "",
    }
}

/// What a race does to what can be said.
fn race(comparison: &Comparison) -> String {
    let runs = || comparison.dropped.iter().map(|side| comparison.sides[*side].runs);
    let (Some(least), Some(most)) = (runs().min(), runs().max()) else { return String::new() };
    let blocks =
        if least == most { counted(least) } else { format!("{} to {}", counted(least), counted(most)) };
    format!(
        " A race has dropped {} of the settings early, after {blocks} runs, for what these runs showed: the sample is sequential, so that p-values and intervals are optimistic.",
        comparison.dropped.len()
    )
}

fn overall(comparison: &Comparison) -> String {
    let test = match comparison.blocks {
        None => "Kruskal-Wallis".to_owned(),
        Some(blocks) if blocks == comparison.common => "Friedman".to_owned(),
        Some(_) => format!("Friedman on the {} blocks that all have", counted(comparison.common as u64)),
    };
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
    let test = match pair.pairs {
        Some(pairs) if comparison.blocks != Some(comparison.common) => {
            format!("{} on {}", pair.test, several(pairs as u64, "pair"))
        }
        _ => pair.test.to_owned(),
    };
    let size = size(pair);
    let holm = if comparison.tests > 1 { " after Holm" } else { "" };
    // Many small differences may outrank few large ones.
    let is_mixed = (pair.larger - 0.5) * (pair.a12.value - 0.5) < 0.0;
    let mut text = match is_shown(comparison, pair) {
        true if is_mixed => {
            format!(
                "Shown: {first} and {second} differ in {about} ({test}, {p}{holm}), but which is better is not: the test leans to {first}, yet {size}."
            )
        }
        true => {
            let better = comparison.metric.better();
            format!("Shown: {first} {better} than {second} ({test}, {p}{holm}): {size}.")
        }
        false => {
            format!("Not shown: that {first} and {second} differ in {about} ({test}, {p}{holm}); {size}.")
        }
    };
    text += &of_shares(comparison, pair);
    if let (false, Some(runs)) = (is_shown(comparison, pair), pair.runs_needed) {
        text += &format!(
            " If the difference is what was seen, about {} each would show it with 80 % power{}.",
            several(runs, "run"),
            match comparison.tests {
                1 => String::new(),
                tests => format!(" among {tests} tests"),
            }
        );
    }
    text
}

fn size(pair: &Pair) -> String {
    let Interval { low, high } = pair.a12.interval;
    let a12 = format!(
        "with probability {:.2} ({low:.2} to {high:.2}) it has the larger value, ties counting half (A12)",
        pair.a12.value
    );
    match pair.ratio {
        Some(Estimate { value, interval }) if value.is_finite() && value > 0.0 => {
            format!("{} times as much ({}), {a12}", factor(value), ends(interval))
        }
        _ => a12,
    }
}

fn of_shares(comparison: &Comparison, pair: &Pair) -> String {
    let Estimate { value, interval } = pair.share;
    let points = |share: f64| match format!("{:.1}", share * 100.0) {
        zero if zero == "-0.0" => "0.0".to_owned(),
        text => text.replace('-', "−"),
    };
    let all = |side: &Side| side.solved == side.runs || side.solved == 0;
    let (one, two) = (&comparison.sides[pair.first], &comparison.sides[pair.second]);
    if all(one) && all(two) && one.solved.min(1) == two.solved.min(1) {
        return String::new();
    }
    let shown = if pair.share_holm < comparison.alpha { "shown" } else { "not shown" };
    format!(
        " The shares solved differ by {} points ({} to {}), which is {shown} ({}{}).",
        points(value),
        points(interval.low),
        points(interval.high),
        p_value(pair.share_holm),
        if comparison.tests > 1 { " after Holm" } else { "" }
    )
}

fn factor(value: f64) -> String {
    match value {
        value if value.is_infinite() => "infinitely many".to_owned(),
        value if value >= 100.0 => rounded(value),
        0.0 => "0".to_owned(),
        value if value < 0.001 => "less than 0.001".to_owned(),
        value if value < 0.1 => format!("{value:.3}"),
        value => format!("{value:.2}"),
    }
}

fn ends(interval: Interval) -> String {
    format!("{} to {}", factor(interval.low), factor(interval.high))
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}
