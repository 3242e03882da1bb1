//! The finding of a comparison in a sentence.

use super::words::{bracketed, cannot, points};
use crate::prose::short_value;
use crate::{calls, decimal, percent, rounded, several};
use kenga_core::text::enumeration;
use kenga_lab::study::{Comparison, Metric, NoVerdict, Pair, SettingStats};
use kenga_stats::Estimate;

/// The most settings that a sentence names.
const NAMED: usize = 3;

/// The most settings without a test that a sentence names.
const UNTESTED: usize = 8;

/// The finding in a sentence; over several puzzles it says whether it is about these or about their kind.
pub fn headline(comparison: &Comparison) -> String {
    if comparison.metric.is_time() && comparison.settings.iter().all(|side| side.solved == 0) {
        let a = if comparison.subject.is_own_problem { "an instance" } else { "a puzzle" };
        return format!(
            "No run of any setting has solved {a}, so times cannot be compared: `kenga compare --metric best_fitness` compares how close they came."
        );
    }
    if let Some(why) = comparison.pairs.first().and_then(|pair| pair.untold)
        && comparison.pairs.iter().all(|pair| pair.untold.is_some())
    {
        return format!("These runs cannot tell which setting is better: {}.", cannot(comparison, why));
    }
    let shown = ShownPairs::of(comparison);
    let finding = if comparison.reference != comparison.order[0] || !shown.better.is_empty() {
        against(comparison, &shown)
    } else if shown.worse.is_empty() {
        nothing(comparison, &shown)
    } else {
        best(comparison, &shown)
    };
    about(comparison, &shown) + &finding + &not_tested(comparison)
}

/// The pairs of a comparison, by what they show.
struct ShownPairs<'a> {
    /// Significantly better than the reference.
    better: Vec<&'a Pair>,
    /// Significantly worse.
    worse: Vec<&'a Pair>,
    /// Tested, and not significantly different.
    open: usize,
}

impl<'a> ShownPairs<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        let mut found = Self { better: Vec::new(), worse: Vec::new(), open: 0 };
        for pair in &comparison.pairs {
            match (pair.is_shown(comparison.alpha), pair.is_second_better) {
                (true, true) => found.better.push(pair),
                (true, false) => found.worse.push(pair),
                (false, _) => found.open += usize::from(pair.p.is_some()),
            }
        }
        found
    }
}

/// Whether all that is shown holds for the kind of the puzzles, or for these alone; nothing on one puzzle.
fn about(comparison: &Comparison, shown: &ShownPairs<'_>) -> String {
    let noun = comparison.subject.noun();
    let mut pairs = shown.better.iter().chain(&shown.worse).peekable();
    if comparison.puzzles < 2 || pairs.peek().is_none() {
        String::new()
    // Only what holds for the next puzzle is said of the kind; all else is about these.
    } else if pairs.all(|pair| pair.is_shown_of_kind(comparison.alpha)) {
        format!("On {noun}s of this kind, ")
    } else {
        format!("On these {noun}s, ")
    }
}

/// The finding where the first of all is the reference, and some are worse.
fn best(comparison: &Comparison, shown: &ShownPairs<'_>) -> String {
    let first = &comparison.settings[comparison.reference];
    let next = shown.worse[0];
    let next_name = spoken(comparison, next);
    // "The next" only where nothing open lies between the two.
    let which = match shown.open {
        _ if comparison.pairs.len() == 1 => next_name,
        0 => format!("the next, {next_name},"),
        _ => format!("the next that differs, {next_name},"),
    };
    let is = match shown.open {
        0 => "is best".to_owned(),
        1 => "is among the best two".to_owned(),
        open => format!("is among the best, not significantly different from {open} others"),
    };
    let (name, solved) = (bracketed(&first.spoken), achieved(comparison, first));
    format!("{name} {is}: {solved}; {which} {}.", loss(comparison, next))
}

/// The finding where no difference is significant.
fn nothing(comparison: &Comparison, shown: &ShownPairs<'_>) -> String {
    let first = &comparison.settings[comparison.reference];
    let (name, solved) = (bracketed(&first.spoken), achieved(comparison, first));
    let tested: Vec<&Pair> = comparison.pairs.iter().filter(|pair| pair.p.is_some()).collect();
    if let [only] = tested[..] {
        let other = achieved(comparison, &comparison.settings[only.second]);
        return format!(
            "No significant difference between {name} ({solved}) and {} ({other}).",
            spoken(comparison, only)
        );
    }
    format!(
        "No significant difference: {name} ranks first ({solved}), but none of the other {} is significantly worse.",
        several(shown.open as u64, "setting")
    )
}

/// The settings that were never tested against the reference, by name.
fn not_tested(comparison: &Comparison) -> String {
    let apart: Vec<&Pair> = comparison.pairs.iter().filter(|pair| pair.p.is_none()).collect();
    if apart.is_empty() {
        return String::new();
    }
    let with = bracketed(&comparison.settings[comparison.reference].spoken);
    let (were, have) = if apart.len() == 1 { ("was", "it has") } else { ("were", "they have") };
    let why = if apart.iter().all(|pair| pair.untold == Some(NoVerdict::NoCommonPuzzle)) {
        format!(": {have} no {} in common", comparison.subject.noun())
    } else {
        String::new()
    };
    format!(" {} {were} not tested against {with}{why}.", names(comparison, &apart, UNTESTED))
}

/// The name of the other setting of a pair.
fn spoken(comparison: &Comparison, pair: &Pair) -> String {
    bracketed(&comparison.settings[pair.second].spoken)
}

/// The names of the other settings of some pairs, up to `most` of them.
fn names(comparison: &Comparison, pairs: &[&Pair], most: usize) -> String {
    let mut names: Vec<String> = pairs.iter().take(most).map(|pair| spoken(comparison, pair)).collect();
    if pairs.len() > names.len() {
        names.push(format!("{} more", pairs.len() - names.len()));
    }
    enumeration(names)
}

/// The finding where the reference is a baseline or not the best.
fn against(comparison: &Comparison, shown: &ShownPairs<'_>) -> String {
    let name = bracketed(&comparison.settings[comparison.reference].spoken);
    let (takes, less) = comparison.metric.better();
    let less = match comparison.metric {
        Metric::BestFitness => format!("with a {}", comparison.subject.better()),
        _ => less.to_owned(),
    };
    let mut parts = Vec::new();
    if !shown.better.is_empty() {
        let verb = if shown.better.len() == 1 { takes } else { takes.trim_end_matches('s') };
        parts.push(format!("{} {verb} {less} than {name}", names(comparison, &shown.better, NAMED)));
    }
    if !shown.worse.is_empty() {
        parts.push(format!("{name} {takes} {less} than {}", names(comparison, &shown.worse, NAMED)));
    }
    match (parts.is_empty(), shown.open) {
        (true, _) => format!("No setting differs significantly from {name}."),
        (false, 0) => format!("{}.", parts.join("; ")),
        (false, 1) => format!("{}; one does not differ significantly from it.", parts.join("; ")),
        (false, open) => format!("{}; {open} do not differ significantly from it.", parts.join("; ")),
    }
}

/// The result of a setting.
fn achieved(comparison: &Comparison, side: &SettingStats) -> String {
    match comparison.metric {
        Metric::BestFitness if comparison.subject.scale.is_some() => {
            format!("mean value {}", short_value(comparison.subject.value(side.mean)))
        }
        Metric::BestFitness => format!("mean fitness {}", calls(side.mean)),
        Metric::Cost => format!("mean cost {}", calls(side.mean)),
        Metric::Distance => format!("on average {} cells from a solution", calls(side.mean)),
        _ => format!("{} solved", percent(side.share.value)),
    }
}

/// By how much a setting is worse than the reference.
fn loss(comparison: &Comparison, pair: &Pair) -> String {
    let (as_many, more) = match comparison.metric {
        Metric::Calls => ("as many calls", "more calls"),
        Metric::Evaluations => ("as many evaluations", "more evaluations"),
        Metric::Moves => ("as many moves", "more moves"),
        Metric::CpuS => ("as much CPU time", "more CPU time"),
        Metric::BestFitness => return format!("ends with a {}", comparison.subject.worse()),
        Metric::Distance => return "ends farther from a solution".to_owned(),
        Metric::Cost => return "reports a higher cost".to_owned(),
    };
    match pair.ratio {
        Some(Estimate { value, .. }) if value.is_finite() && value > 1.0 => {
            format!("takes {} times {as_many}", short_factor(value))
        }
        Some(Estimate { interval, .. }) if interval.low.is_finite() && interval.low > 1.0 => {
            format!("takes at least {} times {as_many}", short_factor(interval.low))
        }
        _ if pair.share.value < 0.0 => {
            format!("solves {} percentage points less", points(-pair.share.value))
        }
        _ => format!("takes {more}"),
    }
}

/// A ratio for a sentence.
fn short_factor(value: f64) -> String {
    if value < 9.95 { decimal(value, 1) } else { rounded(value).replace(".00", "") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_lab::study::{Block, Question, RunValue, SettingSample, compare};
    use kenga_stats::Observed;

    /// A side whose runs on each puzzle, numbered from `first`, take a multiple of a time that grows with the replicate.
    fn side(name: &str, first: usize, factors: &[f64]) -> SettingSample {
        let mut runs = Vec::new();
        for (puzzle, factor) in factors.iter().enumerate() {
            for replicate in 0..10 {
                let block = Block { puzzle: format!("p{}", first + puzzle), seed: 1, replicate };
                let spent = factor * (replicate + 10 * puzzle as u64 + 10) as f64;
                runs.push((block, RunValue::new(Observed::solved(spent), 10_000.0)));
            }
        }
        SettingSample::new(name, name, runs)
    }

    fn found(samples: &[SettingSample]) -> String {
        headline(&compare(samples, &Question::plain(Metric::Calls, 0.05)).expect("they have runs"))
    }

    #[test]
    fn a_difference_on_most_puzzles_alone_is_one_on_these() {
        let mixed = [3.0, 3.0, 3.0, 3.0, 3.0, 0.3, 3.0, 0.5];
        let text = found(&[side("a", 0, &[1.0; 8]), side("b", 0, &mixed)]);
        assert!(text.starts_with("On these puzzles, a is best: "), "{text}");
        let alike = [3.0, 2.9, 3.1, 3.0, 2.8, 3.2, 3.0, 3.0];
        let text = found(&[side("a", 0, &[1.0; 8]), side("b", 0, &alike)]);
        assert!(text.starts_with("On puzzles of this kind, a is best: "), "{text}");
        let text = found(&[side("a", 0, &[1.0]), side("b", 0, &[3.0])]);
        assert!(text.starts_with("a is best: "), "{text}");
    }

    #[test]
    fn settings_that_were_never_tested_are_named() {
        let apart = [side("a", 0, &[1.0; 3]), side("b", 0, &[1.0; 3]), side("c", 0, &[1.0; 3])];
        let [a, b, c] = apart;
        let text = found(&[a, b, c, side("d", 5, &[2.0; 3]), side("e", 5, &[2.0; 3])]);
        assert_eq!(
            text,
            "No significant difference: a ranks first (100 % solved), but none of the other 2 settings is significantly worse. d and e were not tested against a: they have no puzzle in common."
        );
    }
}
