//! The finding of a comparison in sentences.

mod claims;

use super::quantities::{about, factor_range, short_factor, turned, unit};
use super::words::{bracketed, cannot};
use crate::prose::short_value;
use crate::{calls, counted, decimal, p_in_words, several};
use claims::Sides;
use kenga_core::text::enumeration;
use kenga_lab::study::{Comparison, Metric, NoVerdict, Pair, SettingStats};

/// The most settings that a sentence names.
const NAMED: usize = 3;

/// The most settings without a test that a sentence names.
const UNTESTED: usize = 8;

/// The finding in sentences; over several puzzles they say whether it is about these or about their kind.
pub fn headline(comparison: &Comparison) -> String {
    let runs: u64 = comparison.settings.iter().map(|side| side.runs).sum();
    if comparison.facts.failed > 0 && comparison.facts.failed == runs {
        return "The program of every run failed: there is nothing to compare.".to_owned();
    }
    if comparison.metric.is_time() && !comparison.facts.subject.can_be_solved {
        return "No optimum is known, so that nothing counts as solved: `kenga compare --metric best_fitness` compares the values.".to_owned();
    }
    if comparison.metric.is_time() && comparison.settings.iter().all(|side| side.solved == 0) {
        let a = if comparison.facts.subject.is_own_problem { "an instance" } else { "a puzzle" };
        return format!(
            "No run of any setting has solved {a}, so times cannot be compared: `kenga compare --metric best_fitness` compares how close they came."
        );
    }
    if let Some(why) = comparison.pairs.first().and_then(|pair| pair.untold)
        && comparison.pairs.iter().all(|pair| pair.untold.is_some())
    {
        return format!(
            "These runs cannot tell which setting is better: {}.{}",
            cannot(comparison, why),
            so_far(comparison)
        );
    }
    let groups = PairGroups::new(comparison);
    let text = match &comparison.pairs[..] {
        [only] if only.p.is_some() => one_pair(comparison, only),
        _ if comparison.reference != comparison.order[0] || !groups.better.is_empty() => {
            against_baseline(comparison, &groups)
        }
        _ => best_of_several(comparison, &groups),
    };
    text + &not_tested(comparison)
}

/// The pairs of a comparison, by what the cost of a solution shows.
struct PairGroups<'a> {
    /// The second is significantly better than the reference.
    better: Vec<&'a Pair>,
    /// The second is significantly worse.
    worse: Vec<&'a Pair>,
    /// The second was tested, and does not differ significantly.
    open: Vec<&'a Pair>,
}

impl<'a> PairGroups<'a> {
    fn new(comparison: &'a Comparison) -> Self {
        let mut groups = Self { better: Vec::new(), worse: Vec::new(), open: Vec::new() };
        for pair in comparison.pairs.iter().filter(|pair| pair.p.is_some()) {
            match (pair.is_shown(comparison.alpha), pair.is_second_better) {
                (true, true) => groups.better.push(pair),
                (true, false) => groups.worse.push(pair),
                (false, _) => groups.open.push(pair),
            }
        }
        groups
    }
}

/// The finding about two settings.
fn one_pair(comparison: &Comparison, pair: &Pair) -> String {
    let sides = Sides::new(comparison, pair);
    let better = bracketed(&sides.better.spoken);
    if pair.is_shown(comparison.alpha) {
        let claims = sides.claims().map_or_else(String::new, |claims| format!(" {claims}"));
        let claims = claims + &small(comparison, pair);
        return format!(
            "{}{better} is better: {}.{claims}{}",
            on_these(comparison),
            sides.effect(),
            of_kind(comparison, pair)
        );
    }
    if let Some(claims) = sides.other_claims() {
        return on_these(comparison).to_owned() + &claims;
    }
    let worse = bracketed(&sides.worse.spoken);
    if let Some(p) = pair.equivalence_holm.filter(|p| *p < comparison.alpha) {
        return format!(
            "{}{better} and {worse} are equivalent: what a solution costs differs by less than {} times ({}).",
            on_these(comparison),
            short_factor(comparison.facts.smallest.ratio),
            p_in_words(p)
        );
    }
    format!("{better} ranks first, but {worse} is not shown to be worse: {}.", sides.effect())
}

/// Whether a difference that is shown is smaller than what matters.
fn small(comparison: &Comparison, pair: &Pair) -> String {
    match pair.equivalence_holm.filter(|p| *p < comparison.alpha) {
        Some(p) => format!(
            " The difference is smaller than the {} times that matter ({}).",
            short_factor(comparison.facts.smallest.ratio),
            p_in_words(p)
        ),
        None => String::new(),
    }
}

/// The finding where the first of several is the reference and none is better.
fn best_of_several(comparison: &Comparison, groups: &PairGroups<'_>) -> String {
    let first = &comparison.settings[comparison.reference];
    let name = bracketed(&first.spoken);
    let mut text = match (&groups.worse[..], &groups.open[..]) {
        ([next, rest @ ..], []) => {
            let sides = Sides::new(comparison, next);
            let claims = sides.claims().map_or_else(String::new, |claims| format!(" {claims}"));
            let next_name = spoken(comparison, next);
            let mut text = format!(
                "{}{name} is best; the next is {next_name}: {}.{claims}{}",
                on_these(comparison),
                sides.effect(),
                of_kind(comparison, next)
            );
            if !rest.is_empty() {
                text += &format!(
                    " {} {}, too ({}).",
                    names(comparison, rest, NAMED),
                    verb(comparison, rest.len()),
                    worst_p(rest)
                );
            }
            text
        }
        (worse, open) => {
            let mut text = format!(
                "{}{name} ranks first ({}), ",
                if worse.is_empty() { "" } else { on_these(comparison) },
                achieved(comparison, first)
            );
            if let Some(equivalent) = equivalent(comparison, open, "it") {
                text += &format!("and {equivalent}");
            } else {
                let are = if open.len() == 1 { "is" } else { "are" };
                text += &format!("but {} {are} not shown to be worse", names(comparison, open, NAMED));
                if let Some(ratio) = open[0].ratio
                    && ratio.interval.low < ratio.interval.high
                    && ratio.interval.low > 0.0
                    && ratio.interval.high.is_finite()
                {
                    text += &format!(
                        "; a solution with {} costs {} times as much",
                        spoken(comparison, open[0]),
                        factor_range(ratio.interval)
                    );
                }
            }
            text += ".";
            if !worse.is_empty() {
                text += &format!(
                    " {} {} ({}).",
                    names(comparison, worse, NAMED),
                    verb(comparison, worse.len()),
                    worst_p(worse)
                );
            }
            text
        }
    };
    // Claims about the others that the cost of a solution does not show.
    for pair in groups.open.iter().take(NAMED) {
        if let Some(claims) = Sides::new(comparison, pair).other_claims() {
            text += &format!(" Beside {}: {claims}", spoken(comparison, pair));
        }
    }
    text
}

/// The finding where the reference is a baseline or not the best.
fn against_baseline(comparison: &Comparison, groups: &PairGroups<'_>) -> String {
    let name = bracketed(&comparison.settings[comparison.reference].spoken);
    let mut parts = Vec::new();
    if let [first, rest @ ..] = &groups.better[..] {
        let sides = Sides::new(comparison, first);
        parts.push(format!(
            "{}{} is better than {name}: {}",
            on_these(comparison),
            spoken(comparison, first),
            sides.effect()
        ));
        parts.extend(sides.claims().map(|claims| claims.trim_end_matches('.').to_owned()));
        let kind = of_kind(comparison, first);
        if !kind.is_empty() {
            parts.push(kind.trim().trim_end_matches('.').to_owned());
        }
        if !rest.is_empty() {
            let are = if rest.len() == 1 { "is" } else { "are" };
            parts.push(format!("{} {are} better, too ({})", names(comparison, rest, NAMED), worst_p(rest)));
        }
    }
    if !groups.worse.is_empty() {
        let are = if groups.worse.len() == 1 { "is" } else { "are" };
        let on = if parts.is_empty() { on_these(comparison) } else { "" };
        parts.push(format!(
            "{on}{} {are} worse than {name} ({})",
            names(comparison, &groups.worse, NAMED),
            worst_p(&groups.worse)
        ));
    }
    if let Some(equivalent) = equivalent(comparison, &groups.open, &name) {
        parts.push(equivalent);
        return format!("{}.", parts.join(". "));
    }
    if parts.is_empty() {
        return format!("No setting is shown to differ from {name}.");
    }
    let open = match groups.open.len() {
        0 => String::new(),
        1 => format!(" {} is not shown to differ from {name}.", spoken(comparison, groups.open[0])),
        open => format!(" {} others are not shown to differ from {name}.", counted(open as u64)),
    };
    format!("{}.{open}", parts.join(". "))
}

/// That the costs under the others are that of the reference but for the smallest difference that matters; `None` unless this is
/// shown of all.
fn equivalent(comparison: &Comparison, others: &[&Pair], to: &str) -> Option<String> {
    let p = others.iter().map(|pair| pair.equivalence_holm.unwrap_or(1.0)).fold(0.0, f64::max);
    let are = if others.len() == 1 { "is" } else { "are" };
    (!others.is_empty() && p < comparison.alpha).then(|| {
        format!(
            "{} {are} equivalent to {to}: what a solution costs differs by less than {} times ({})",
            names(comparison, others, NAMED),
            short_factor(comparison.facts.smallest.ratio),
            p_in_words(p)
        )
    })
}

/// Whether a finding is about these puzzles.
fn on_these(comparison: &Comparison) -> &'static str {
    match (comparison.puzzles, comparison.facts.subject.is_own_problem) {
        (..2, _) => "",
        (_, false) => "On these puzzles, ",
        (_, true) => "On these instances, ",
    }
}

/// Whether the difference of a pair holds for the kind of the puzzles; nothing on one puzzle.
fn of_kind(comparison: &Comparison, pair: &Pair) -> String {
    let Some(next) = pair.next else { return String::new() };
    let noun = comparison.facts.subject.noun();
    let is_shown = pair.is_shown_of_kind(comparison.alpha);
    let by = if comparison.metric.is_time() {
        let ends = turned(next.difference.interval, pair.is_second_better);
        if ends.low <= 0.0 && ends.high.is_infinite() {
            "any ratio is possible".to_owned()
        } else if is_shown && ends.low == 1.0 {
            // The test excludes this end.
            if ends.high.is_finite() {
                format!("more than 1, up to {} times", short_factor(ends.high))
            } else {
                "more than 1 time".to_owned()
            }
        } else {
            format!("{} times", factor_range(ends))
        }
    } else {
        let kenga_stats::Interval { low, high } = next.difference.interval;
        let (low, high) = if pair.is_second_better { (1.0 - high, 1.0 - low) } else { (low, high) };
        let above = if is_shown && low == 0.5 { "above " } else { "" };
        format!("probability {above}{} to {}", decimal(low, 2), decimal(high, 2))
    };
    if is_shown {
        return format!(" It holds for {noun}s of this kind, too: {by} ({}).", p_in_words(next.holm));
    }
    format!(" That it holds for {noun}s of this kind is not shown: {by} ({}).", p_in_words(next.holm))
}

/// The results of the first settings, if there are too few runs to show anything.
fn so_far(comparison: &Comparison) -> String {
    if !comparison.facts.subject.can_be_solved {
        return String::new();
    }
    let mut parts = Vec::new();
    for setting in comparison.order.iter().take(NAMED) {
        let side = &comparison.settings[*setting];
        parts.push(format!(
            "{} solved {} of {}",
            bracketed(&side.spoken),
            counted(side.solved),
            counted(side.runs)
        ));
    }
    format!(" So far {}.", enumeration(parts))
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
        format!(": {have} no {} in common", comparison.facts.subject.noun())
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
        names.push(several((pairs.len() - names.len()) as u64, "other"));
    }
    enumeration(names)
}

/// The largest p-value of some pairs, which bounds the others.
fn worst_p(pairs: &[&Pair]) -> String {
    let p = p_in_words(pairs.iter().filter_map(|pair| pair.holm).fold(0.0, f64::max));
    if pairs.len() > 1 { p.replace("p = ", "p ≤ ") } else { p }
}

/// The verb for worse settings.
fn verb(comparison: &Comparison, count: usize) -> &'static str {
    match (comparison.metric.is_time(), count) {
        (true, 1) => "costs more",
        (true, _) => "cost more",
        (false, 1) => "is worse",
        (false, _) => "are worse",
    }
}

/// The result of a setting.
fn achieved(comparison: &Comparison, side: &SettingStats) -> String {
    if comparison.metric.is_time() {
        return format!("{} {} per solution", calls(side.cost()), unit(comparison.metric));
    }
    // The mean over instances of different scale says nothing.
    if comparison.puzzles > 1 {
        return format!("by {}", about(comparison));
    }
    format!("{} {}", mean_name(comparison), mean(comparison, side))
}

/// The name of the mean of a setting, for values that are no times.
fn mean_name(comparison: &Comparison) -> &'static str {
    match comparison.metric {
        Metric::BestFitness if comparison.facts.subject.scale.is_some() => "mean value",
        Metric::BestFitness => "mean fitness",
        Metric::Distance => "mean distance",
        _ => "mean cost",
    }
}

fn mean(comparison: &Comparison, side: &SettingStats) -> String {
    match comparison.metric {
        Metric::BestFitness if comparison.facts.subject.scale.is_some() => {
            short_value(comparison.facts.subject.value(side.mean))
        }
        _ => calls(side.mean),
    }
}

#[cfg(test)]
mod tests;
