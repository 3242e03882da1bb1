//! A comparison in sentences: one that says what was found, and what has to be known to read it.

use crate::report::{counted, percent, rounded, several};
use crate::stats::Estimate;
use crate::study::{Comparison, Metric, Pair, Side, Untold};

/// Settings that a sentence names.
const NAMED: usize = 3;

/// The sentence that a person would quote.
pub fn headline(comparison: &Comparison) -> String {
    let Comparison { metric, alpha, .. } = *comparison;
    if metric.is_time() && comparison.sides.iter().all(|side| side.solved == 0) {
        return "No run of any setting has solved a puzzle, so times cannot be compared: `kenga compare --metric best_fitness` compares how close they came.".to_owned();
    }
    if let Some(why) = comparison.pairs.first().and_then(|pair| pair.untold)
        && comparison.pairs.iter().all(|pair| pair.untold.is_some())
    {
        return format!("kenga cannot tell which setting is better: {}.", cannot(comparison, why));
    }
    let shown = |is_better: bool| -> Vec<&Pair> {
        let pairs = comparison.pairs.iter();
        pairs.filter(|pair| pair.is_shown(alpha) && pair.is_second_better == is_better).collect()
    };
    let (better, worse) = (shown(true), shown(false));
    let first = &comparison.sides[comparison.reference];
    let name = bracketed(&first.spoken);
    let open = comparison.pairs.len() - better.len() - worse.len();
    if comparison.reference != comparison.order[0] || !better.is_empty() {
        return against(comparison, &better, &worse, open);
    }
    let solved = achieved(comparison, first);
    let Some(next) = worse.first() else {
        return match comparison.pairs.len() {
            1 => {
                let other = bracketed(&comparison.sides[comparison.pairs[0].second].spoken);
                format!(
                    "No difference is shown between {name} ({solved}) and {other} ({}).",
                    achieved(comparison, &comparison.sides[comparison.pairs[0].second])
                )
            }
            others => format!(
                "No difference is shown: {name} comes first, {solved}, but none of the other {} is shown to be worse.",
                several(others as u64, "setting")
            ),
        };
    };
    let next_name = bracketed(&comparison.sides[next.second].spoken);
    let which = match (open, comparison.pairs.len()) {
        (_, 1) => next_name,
        (0, _) => format!("the next, {next_name}"),
        _ => format!("the next setting that differs, {next_name}"),
    };
    let is = match open {
        0 => "is best".to_owned(),
        1 => "is among the best two".to_owned(),
        open => format!("is among the best, not told apart from {open} others"),
    };
    format!("{name} {is}: {solved}, and {}.", gain(comparison, next, &which))
}

/// What is shown of a reference that is not simply the best.
fn against(comparison: &Comparison, better: &[&Pair], worse: &[&Pair], open: usize) -> String {
    let name = bracketed(&comparison.sides[comparison.reference].spoken);
    let list = |pairs: &[&Pair]| -> String {
        let names: Vec<String> =
            pairs.iter().take(NAMED).map(|pair| bracketed(&comparison.sides[pair.second].spoken)).collect();
        match pairs.len() - names.len() {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    };
    let adverb = comparison.metric.better();
    let mut parts = Vec::new();
    if !better.is_empty() {
        parts.push(format!("{} {adverb} than {name}", list(better)));
    }
    if !worse.is_empty() {
        parts.push(format!("{name} {adverb} than {}", list(worse)));
    }
    match (parts.is_empty(), open) {
        (true, _) => format!("No difference from {name} is shown."),
        (false, 0) => format!("{}.", parts.join("; ")),
        (false, open) => format!(
            "{}; {} not told apart from it.",
            parts.join("; "),
            if open == 1 { "one is".to_owned() } else { format!("{open} are") }
        ),
    }
}

/// What a side has come to.
fn achieved(comparison: &Comparison, side: &Side) -> String {
    match comparison.metric {
        Metric::BestFitness => format!("mean fitness {}", number(side.mean)),
        Metric::Distance => format!("{} cells from a solution in the mean", number(side.mean)),
        _ => format!("{} solved", percent(side.share.value)),
    }
}

/// By how much the reference is better.
fn gain(comparison: &Comparison, pair: &Pair, which: &str) -> String {
    let (what, less) = match comparison.metric {
        Metric::Calls => ("calls", "fewer"),
        Metric::Evaluations => ("evaluations", "fewer"),
        Metric::Moves => ("moves", "fewer"),
        Metric::CpuS => ("CPU time", "less"),
        Metric::BestFitness => return format!("a lower fitness than {which}"),
        Metric::Distance => return format!("nearer to a solution than {which}"),
    };
    match pair.ratio {
        Some(Estimate { value, .. }) if value.is_finite() && value > 1.0 => {
            format!("{} times {less} {what} than {which}", short_factor(value))
        }
        Some(Estimate { interval, .. }) if interval.low.is_finite() && interval.low > 1.0 => {
            format!("at least {} times {less} {what} than {which}", short_factor(interval.low))
        }
        _ if pair.share.value < 0.0 => {
            format!("{} points more solved than {which}", points(-pair.share.value))
        }
        _ => format!("{less} {what} than {which}"),
    }
}

/// Why nothing is told.
fn cannot(comparison: &Comparison, why: Untold) -> String {
    let tests = comparison.tests;
    match why {
        Untold::NoCommonPuzzle => {
            "they have no puzzle in common, so that what differs may be the puzzles alone".to_owned()
        }
        Untold::Dropped => {
            "a race dropped settings for what their runs showed, and no p-value of a part of a race holds"
                .to_owned()
        }
        Untold::TooFew => {
            let pair = comparison.pairs.iter().find(|pair| pair.untold == Some(Untold::TooFew));
            let (runs, are_paired) =
                pair.map_or((0, false), |pair| (pair.blocks[0].min(pair.blocks[1]), pair.pairs.is_some()));
            let among = if tests > 1 { format!(" among {tests} tests") } else { String::new() };
            let runs = several(runs as u64, "run");
            match are_paired {
                true => format!(
                    "{runs} each could not show any difference{among}; {} at least could",
                    (1.0 - (comparison.alpha / tests as f64).log2()).ceil()
                ),
                false => format!("{runs} each could not show any difference{among}"),
            }
        }
    }
}

/// What has to be known to read a comparison, sentence by sentence.
pub fn remarks(comparison: &Comparison) -> Vec<String> {
    let mut remarks = vec![design(comparison)];
    remarks.extend(overall(comparison));
    remarks.extend(taken_together(comparison));
    remarks.extend(of_budgets(comparison));
    remarks.extend(of_puzzles(comparison));
    remarks.extend(of_races(comparison));
    remarks.extend(of_few(comparison));
    remarks.extend(comparison.is_measured_apart.then(|| {
        "The settings do not weigh violations alike: their fitness is in different units and says little side by side.".to_owned()
    }));
    remarks.extend((comparison.bounds > 0).then(|| {
        format!(
            "Of {} of {} not all solutions are known: there a distance is an upper bound, to the nearest of those that are.",
            comparison.bounds,
            several(comparison.puzzles as u64, "puzzle")
        )
    }));
    remarks.extend(needed(comparison));
    remarks
}

fn design(comparison: &Comparison) -> String {
    let sides = comparison.sides.len();
    let puzzles = several(comparison.puzzles as u64, "puzzle");
    let mut tests: Vec<&str> = comparison.pairs.iter().map(|pair| pair.test).collect();
    tests.sort_unstable();
    tests.dedup();
    let tests = tests.join(", ");
    let are_paired = comparison.pairs.iter().all(|pair| pair.pairs.is_some());
    match are_paired {
        true if comparison.common == comparison.blocks => format!(
            "{sides} settings on {puzzles}, each with the same {} (puzzle, seed and replicate): compared in pairs ({tests}).",
            several(comparison.blocks as u64, "start"),
        ),
        true => format!(
            "{sides} settings on {puzzles}, with {}, {} of which all have: compared in pairs on those that both have ({tests}).",
            several(comparison.blocks as u64, "start"),
            counted(comparison.common as u64),
        ),
        false => format!(
            "{sides} settings on {puzzles}, which do not start alike: compared as independent runs, within each puzzle ({tests})."
        ),
    }
}

fn overall(comparison: &Comparison) -> Option<String> {
    let test = comparison.overall.filter(|_| comparison.sides.len() > 2)?;
    let name = if comparison.common > 0 { "Friedman" } else { "Kruskal-Wallis" };
    let says = if test.p < comparison.alpha {
        "Some settings differ"
    } else {
        "That any settings differ is not shown"
    };
    let up_to = match comparison.overall_limit {
        Some(limit) => format!(" up to {}, the least budget", rounded(limit)),
        None => String::new(),
    };
    Some(format!("{says} ({name} over all{up_to}, {}).", p_value(test.p)))
}

fn taken_together(comparison: &Comparison) -> Option<String> {
    (comparison.runs_of_block > 1).then(|| {
        format!(
            "Up to {} runs of other settings share a start and count as one: its value is that of their middle run, the lower one of two, and its share solved is theirs.",
            comparison.runs_of_block
        )
    })
}

fn of_budgets(comparison: &Comparison) -> Option<String> {
    let limits = || comparison.pairs.iter().filter_map(|pair| pair.limit);
    let (least, most) = (limits().fold(f64::INFINITY, f64::min), limits().fold(0.0, f64::max));
    match (comparison.is_unequal || least.is_finite(), comparison.metric.is_time()) {
        (false, _) => None,
        (true, true) if least.is_finite() => {
            let up_to = match least == most {
                true => rounded(least),
                false => format!("{} to {}", rounded(least), rounded(most)),
            };
            Some(format!(
                "Budgets differ: two settings are compared up to the smaller of theirs ({up_to}); the table of the settings shows each at its own."
            ))
        }
        (true, true) => None,
        (true, false) => {
            Some("Budgets differ: a setting that may spend more ends better for that alone.".to_owned())
        }
    }
}

fn of_puzzles(comparison: &Comparison) -> Option<String> {
    match (comparison.share_none, comparison.are_apart) {
        (true, _) => Some("Some settings have no puzzle in common: between them nothing is shown, for what differs may be the puzzles alone.".to_owned()),
        (false, true) => Some("Not all settings have the same puzzles: two are compared on those that both have, and the table of the settings is of all that each has.".to_owned()),
        (false, false) => None,
    }
}

/// What a race does to what can be said.
fn of_races(comparison: &Comparison) -> Option<String> {
    let dropped = several(comparison.dropped.len() as u64, "setting");
    match (comparison.is_race, comparison.dropped.is_empty()) {
        (true, _) => Some(format!(
            "The race dropped {dropped} for what their runs showed. The p-values count that it looked after every block, so that they hold whenever it stopped; intervals do not, the numbers of what it dropped look worse than they are, and no test is made over all settings at once."
        )),
        (false, false) => Some(format!(
            "A race dropped {dropped} for what their runs showed: they have fewer runs because these looked worse. Their numbers look worse than they are, and no p-value of a part of a race holds: none is given."
        )),
        (false, true) => None,
    }
}

fn of_few(comparison: &Comparison) -> Option<String> {
    let few = comparison.pairs.iter().filter(|pair| pair.untold == Some(Untold::TooFew)).count();
    (few > 0 && few < comparison.pairs.len())
        .then(|| format!("Of {} {}.", several(few as u64, "setting"), cannot(comparison, Untold::TooFew)))
}

/// How many runs would show the nearest difference that is not shown.
fn needed(comparison: &Comparison) -> Option<String> {
    let open = |pair: &&Pair| !pair.is_shown(comparison.alpha) && pair.runs_needed.is_some();
    let pair = comparison.pairs.iter().find(open)?;
    let among =
        if comparison.tests > 1 { format!(" among {} tests", comparison.tests) } else { String::new() };
    Some(format!(
        "If the difference from {} is what was seen, about {} each would show it with 80 % power{among}.",
        bracketed(&comparison.sides[pair.second].spoken),
        several(pair.runs_needed?, "run"),
    ))
}

/// A name in a sentence: between brackets where it has signs of its own.
pub(super) fn bracketed(name: &str) -> String {
    if name.contains([':', ',', '=']) { format!("[{name}]") } else { name.to_owned() }
}

/// A time, or that there is none.
pub(super) fn number(value: f64) -> String {
    if value.is_finite() { rounded(value) } else { "never".to_owned() }
}

/// A share in per cent without its sign, for tables.
pub(super) fn share_percent(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

/// A difference of shares in points.
pub(super) fn points(share: f64) -> String {
    match format!("{:.1}", share * 100.0) {
        zero if zero == "-0.0" => "0.0".to_owned(),
        text => text.replace('-', "−"),
    }
}

/// A ratio with two or three digits.
pub(super) fn factor(value: f64) -> String {
    match value {
        value if value.is_infinite() => "∞".to_owned(),
        value if value >= 99.95 => rounded(value),
        0.0 => "0".to_owned(),
        value if value < 0.001 => "< 0.001".to_owned(),
        value if value < 0.0995 => format!("{value:.3}"),
        value => format!("{value:.2}"),
    }
}

/// A ratio for a sentence.
fn short_factor(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { rounded(value).replace(".00", "") }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}
