//! The remarks that a reader needs to judge a comparison.

use super::quantities::short_factor;
use crate::span;
use crate::{calls, counted, failures, p_in_words, percent, rounded, several, solved_at_once};
use kenga_core::sort::sort_by;
use kenga_core::text::joined;
use kenga_lab::study::{Comparison, Leader, NoVerdict, Pair};

/// Why there is no finding.
pub(super) fn cannot(comparison: &Comparison, why: NoVerdict) -> String {
    let (tests, noun) = (comparison.tests, comparison.facts.subject.noun());
    match why {
        NoVerdict::NoCommonPuzzle => {
            format!("they have no {noun} in common, so a difference may be due to the {noun}s alone")
        }
        NoVerdict::Dropped => {
            "a race dropped settings because of their results, and p-values for a part of a race are not valid"
                .to_owned()
        }
        NoVerdict::TooFew => {
            let pair = comparison.pairs.iter().find(|pair| pair.untold == Some(NoVerdict::TooFew));
            let (runs, are_paired) =
                pair.map_or((0, false), |pair| (pair.blocks[0].min(pair.blocks[1]), pair.pairs.is_some()));
            let runs = several(runs as u64, if are_paired { "start" } else { "run" });
            let among = corrected(tests);
            if are_paired {
                let needed = fewest_starts(comparison);
                return format!("with {runs} each no difference can be significant{among}; at least {needed} are needed");
            }
            format!("with {runs} each no difference can be significant{among}")
        }
    }
}

/// The fewest starts that can show a difference: each further one halves the smallest p-value.
fn fewest_starts(comparison: &Comparison) -> u64 {
    (1.0 - (comparison.alpha / comparison.tests as f64).log2()).floor() as u64 + 1
}

/// The correction that p-values have, if there are several tests.
fn corrected(tests: usize) -> String {
    match tests {
        1 => String::new(),
        tests => format!(" after Holm's correction for {} tests", counted(tests as u64)),
    }
}

/// What a reader needs to judge a comparison, sentence by sentence.
pub fn remarks(comparison: &Comparison) -> Vec<String> {
    let mut remarks = vec![design(comparison)];
    remarks.extend(failures(comparison.facts.failed));
    remarks.extend(solved_at_once(comparison.facts.solved_at_once, comparison.facts.subject.noun()));
    remarks.extend(long_tail(comparison));
    remarks.extend(overall(comparison));
    remarks.extend(taken_together(comparison));
    remarks.extend(of_budgets(comparison));
    remarks.extend(of_puzzles(comparison));
    remarks.extend(of_races(comparison));
    remarks.extend(of_few(comparison));
    remarks.extend(families(comparison));
    remarks.extend(stability(comparison));
    remarks.extend(comparison.facts.is_measured_apart.then(|| {
        "The settings weigh violations differently: their fitness is in different units and not comparable.".to_owned()
    }));
    remarks.extend((comparison.bounds > 0).then(|| {
        format!(
            "For {} of {} not all solutions are known: distances there are upper bounds.",
            comparison.bounds,
            several(comparison.puzzles as u64, "puzzle")
        )
    }));
    remarks.extend(needed(comparison));
    remarks
}

fn design(comparison: &Comparison) -> String {
    let sides = comparison.settings.len();
    let noun = comparison.facts.subject.noun();
    let puzzles = several(comparison.puzzles as u64, noun);
    let tested = comparison.pairs.iter().filter(|pair| pair.untold.is_none());
    let mut tests: Vec<&str> = tested.map(|pair| pair.test).collect();
    sort_by(&mut tests, Ord::cmp);
    // Pairs may have had different tests, by what their runs allow.
    tests.dedup();
    let tests = if tests.is_empty() { String::new() } else { format!(" ({})", tests.join(", ")) };
    let paired = comparison.pairs.iter().filter(|pair| pair.pairs.is_some()).count();
    if paired < comparison.pairs.len() && paired > 0 {
        format!(
            "{sides} settings on {puzzles}: paired tests where two settings share starts, otherwise tests for independent runs, within each {noun}{tests}."
        )
    } else if paired < comparison.pairs.len() {
        format!(
            "{sides} settings on {puzzles}, without common starts: tests for independent runs, within each {noun}{tests}."
        )
    } else if comparison.common == comparison.blocks {
        format!(
            "{sides} settings on {puzzles}, each with the same {} ({noun}, seed and replicate): paired tests{tests}.",
            several(comparison.blocks as u64, "start"),
        )
    } else {
        format!(
            "{sides} settings on {puzzles}, with {}, {} of them common to all: paired tests on the starts that two settings share{tests}.",
            several(comparison.blocks as u64, "start"),
            counted(comparison.common as u64),
        )
    }
}

fn overall(comparison: &Comparison) -> Option<String> {
    // Of two settings the pair is the whole comparison.
    let test = comparison.overall.filter(|_| comparison.settings.len() > 2)?;
    let noun = comparison.facts.subject.noun();
    let name = match (comparison.ranks.is_some(), comparison.puzzles) {
        (false, _) => "Kruskal-Wallis".to_owned(),
        (true, 1) => {
            format!("Friedman over the {} of one {noun}", several(comparison.ranked as u64, "start"))
        }
        (true, _) => format!("Friedman over {}", several(comparison.ranked as u64, noun)),
    };
    let says = if test.p < comparison.alpha {
        "By their average ranks the settings differ significantly"
    } else {
        "By their average ranks the settings do not differ significantly"
    };
    let up_to = match comparison.overall_limit {
        Some(limit) => format!(" up to {}, the smallest budget", rounded(limit)),
        None => String::new(),
    };
    let is_pair_shown = comparison.pairs.iter().any(|pair| pair.is_shown(comparison.alpha));
    let though = match (test.p < comparison.alpha, is_pair_shown) {
        (true, false) => format!(" No pair is shown to differ{}.", corrected(comparison.tests)),
        (false, true) if comparison.puzzles > 1 => {
            format!(" This test has one value for each {noun}, those of pairs have one for each start.")
        }
        (false, true) if comparison.metric.is_time() => {
            " Ranks count a small difference like a large one; the tests of pairs compare costs.".to_owned()
        }
        _ => String::new(),
    };
    Some(format!("{says} ({name}{up_to}, {}).{though}", p_in_words(test.p)))
}

/// The first pair whose difference may be due to a tail that was not seen.
fn long_tail(comparison: &Comparison) -> Option<String> {
    let pair = comparison.pairs.iter().find(|pair| pair.is_tail_unseen && pair.is_shown(comparison.alpha))?;
    let (mut better, mut worse) = (pair.first, pair.second);
    if pair.is_second_better {
        (better, worse) = (worse, better);
    }
    let [better, worse] = [better, worse].map(|setting| bracketed(&comparison.settings[setting].spoken));
    Some(format!(
        "A few expensive runs decide what {better} costs, and not what {worse} costs. {} may have missed others: then {better} costs more than its interval says. In simulations up to 16 % of equal settings like these seemed to differ, in place of {}.",
        several(
            pair.blocks.into_iter().min().unwrap_or(0) as u64,
            if pair.pairs.is_some() { "start" } else { "run" }
        ),
        percent(comparison.alpha),
    ))
}

fn taken_together(comparison: &Comparison) -> Option<String> {
    (comparison.runs_of_block > 1).then(|| {
        format!(
            "Up to {} runs from the same start count as one, with {}.",
            comparison.runs_of_block,
            if comparison.metric.is_time() {
                "the means of what they spent and solved"
            } else {
                "the mean of their ranks"
            }
        )
    })
}

/// Warnings about the puzzles as a sample of their kind.
fn families(comparison: &Comparison) -> Option<String> {
    let noun = comparison.facts.subject.noun();
    if comparison.pairs.iter().all(|pair| pair.next.is_none()) {
        let name = comparison.groups.as_ref().filter(|_| comparison.puzzles > 2 && !comparison.is_race)?;
        return Some(format!(
            "The {noun}s are of fewer than three families (by {name}), so nothing is said of {noun}s of this kind."
        ));
    }
    let mut parts = Vec::new();
    if comparison.facts.repeated > 0 {
        let (are, count) =
            if comparison.facts.repeated == 1 { ("is", "it counts") } else { ("are", "they count") };
        parts.push(format!(
            "{} {are} the same as another under another id: {count} once with that one",
            several(comparison.facts.repeated as u64, noun)
        ));
    }
    if let Some((column, count)) = &comparison.facts.possible_groups {
        parts.push(format!(
            "the {noun}s are of {count} {column}s: if settings differ by {column}, `--group {column}` makes these the sample"
        ));
    }
    (!parts.is_empty()).then(|| {
        format!("Claims about {noun}s of this kind take the {noun}s for a sample; {}.", parts.join("; "))
    })
}

/// Where another setting would rank first. These are descriptions, which no test backs.
fn stability(comparison: &Comparison) -> Option<String> {
    let stability = &comparison.stability;
    let name = |setting: usize| bracketed(&comparison.settings[setting].spoken);
    let first = comparison.order[0];
    if stability.leader != Some(first) || comparison.are_apart {
        return None;
    }
    let noun = comparison.facts.subject.noun();
    let mut parts = Vec::new();
    match &stability.without[..] {
        [] if comparison.puzzles > 1 => {
            parts.push(format!("{} ranks first whichever {noun} is left out", name(first)));
        }
        [] => {}
        [Leader { puzzle, setting }] => {
            parts.push(format!("if {noun} {puzzle} is left out, {} ranks first", name(*setting)))
        }
        [Leader { puzzle, setting }, rest @ ..] => parts.push(format!(
            "if {noun} {puzzle} is left out, {} ranks first, and any of {} others changes the first place, too",
            name(*setting),
            rest.len()
        )),
    }
    if let Some(second) = comparison.order.get(1)
        && let Some(better_on) = stability.better_on.get(*second)
        && !better_on.is_empty()
    {
        let few = better_on.iter().take(3).map(String::as_str);
        let more = if better_on.len() > 3 { ", …" } else { "" };
        parts.push(format!(
            "on {} of {} {} is ahead of {} (on {}{more})",
            better_on.len(),
            several(comparison.puzzles as u64, noun),
            name(*second),
            name(first),
            joined(few, ", ")
        ));
    }
    if let Some(setting) = stability.at_half {
        parts.push(format!("at half the budget {} ranks first", name(setting)));
    }
    if let Some(by_variant) = by_variant(comparison) {
        parts.push(by_variant);
    }
    (!parts.is_empty()).then(|| format!("How firm the order is, without a test: {}.", parts.join("; ")))
}

/// The setting that ranks first with each combination of the other keys, if these differ.
fn by_variant(comparison: &Comparison) -> Option<String> {
    let leaders = &comparison.stability.by_variant;
    let mut parts = Vec::new();
    for (variant, setting) in leaders.iter().take(4) {
        let variant = comparison.facts.variants.get(*variant as usize)?;
        parts.push(format!("{} with {variant}", bracketed(&comparison.settings[*setting].name)));
    }
    let more = if leaders.len() > 4 { ", …" } else { "" };
    (!parts.is_empty())
        .then(|| format!("which setting ranks first depends on the other keys: {}{more}", parts.join(", ")))
}

fn of_budgets(comparison: &Comparison) -> Option<String> {
    let (least, most) = span(comparison.pairs.iter().filter_map(|pair| pair.limit));
    if comparison.metric.is_time() {
        if !least.is_finite() {
            return None;
        }
        let (least, most) = (rounded(least), rounded(most));
        let up_to = if least == most { least } else { format!("{least} to {most}") };
        return Some(format!(
            "Budgets differ: two settings are compared up to the smaller one ({up_to}); the table of settings shows each at its own."
        ));
    }
    if let Some(calls) = unequal_calls(comparison) {
        return Some(calls);
    }
    (comparison.facts.is_unequal || least.is_finite()).then(|| {
        "Budgets differ: a setting with a larger budget may end better for that reason alone.".to_owned()
    })
}

/// The settings that make the most and the fewest calls, if values are compared after different numbers of calls.
fn unequal_calls(comparison: &Comparison) -> Option<String> {
    let mut spent: Vec<(f64, usize)> = Vec::new();
    for (setting, calls) in comparison.facts.calls.iter().enumerate() {
        spent.extend(calls.map(|calls| (calls, setting)));
    }
    let fewest = *spent.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let most = *spent.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let name = |setting: usize| bracketed(&comparison.settings[setting].spoken);
    (most.0 > 1.5 * fewest.0).then(|| {
        format!(
            "A run of {} makes {} calls and one of {} makes {}: a setting that makes more may end better for that reason alone. `--budgets {}` compares them after as many.",
            name(most.1),
            calls(most.0),
            name(fewest.1),
            calls(fewest.0),
            fewest.0.floor(),
        )
    })
}

fn of_puzzles(comparison: &Comparison) -> Option<String> {
    let noun = comparison.facts.subject.noun();
    if comparison.share_none {
        return Some(format!(
            "Some settings have no {noun} in common and are not tested against each other: a difference may be due to the {noun}s alone."
        ));
    }
    comparison.are_apart.then(|| format!("Not all settings have the same {noun}s: two are compared on the {noun}s that both have; the table of settings covers all that each has."))
}

/// What a race means for the tests and the intervals.
fn of_races(comparison: &Comparison) -> Option<String> {
    let dropped = match comparison.dropped.len() {
        0 => "no setting".to_owned(),
        dropped => format!("{} because of their results", several(dropped as u64, "setting")),
    };
    match (comparison.is_race, comparison.dropped.is_empty()) {
        (true, none) => {
            let of_dropped = if none {
                ""
            } else {
                " Dropped settings look worse than they are, and there is no test over all settings."
            };
            Some(format!(
                "The race dropped {dropped}. It looked after every block: the p-values are corrected for that, the intervals are not.{of_dropped}"
            ))
        }
        (false, false) => Some(format!(
            "A race decided by its results how many runs {} have: those that it dropped look worse than they are. No p-value is given, because none is valid for a part of a race.",
            several(comparison.dropped.len() as u64, "setting")
        )),
        (false, true) => comparison.has_looks.then(|| {
            "A race looked at the results after every block. The p-values are not corrected for that, because settings are joined or runs left out.".to_owned()
        }),
    }
}

fn of_few(comparison: &Comparison) -> Option<String> {
    let few = comparison.pairs.iter().filter(|pair| pair.untold == Some(NoVerdict::TooFew)).count();
    (few > 0 && few < comparison.pairs.len()).then(|| {
        format!("For {}: {}.", several(few as u64, "setting"), cannot(comparison, NoVerdict::TooFew))
    })
}

/// The fewest puzzles of which a power is told: below, normal quantiles say too little.
const FEWEST_UNITS: u64 = 6;

/// How many starts, or puzzles, would settle the first pair that is not significant.
fn needed(comparison: &Comparison) -> Option<String> {
    let is_open = |pair: &&Pair| !pair.is_shown(comparison.alpha) && pair.runs_needed.is_some();
    let pair = comparison.pairs.iter().find(is_open)?;
    let noun = comparison.facts.subject.noun();
    let start = match comparison.tests {
        1 => "A".to_owned(),
        tests => format!("After Holm's correction for {} tests, a", counted(tests as u64)),
    };
    let on_these = if comparison.puzzles > 1 { format!(" on these {noun}s") } else { String::new() };
    let next = pair.next.and_then(|next| next.needed).map_or_else(String::new, |units| {
        let unit = comparison
            .groups
            .as_deref()
            .map_or_else(|| noun.to_owned(), |name| format!("family (by {name})"));
        format!(
            ", and for the next {noun} of the kind about {}",
            several(units.max(FEWEST_UNITS), &unit).replace("familys", "families")
        )
    });
    Some(format!(
        "{start} difference of {} times from {} would be shown with 80 % power{on_these} by about {} of each setting{next}, if runs vary as here (--smallest).",
        short_factor(comparison.facts.smallest.ratio),
        bracketed(&comparison.settings[pair.second].spoken),
        several(
            pair.runs_needed?.max(fewest_starts(comparison)),
            if pair.pairs.is_some() { "start" } else { "run" }
        ),
    ))
}

/// A name in a sentence, in brackets where it has punctuation.
pub(super) fn bracketed(name: &str) -> String {
    if name.contains([':', ',', '=']) { format!("[{name}]") } else { name.to_owned() }
}
