//! When to give up and start anew.

use super::super::material::{Advice, Material};
use super::super::{counted, rounded};
use super::Sheet;

/// Settings of a puzzle whose restarts are spoken of.
const SPOKEN: usize = 12;

/// A ratio of times above this is hardly a gain.
const SLIGHT: f64 = 0.95;

/// The chance to advise a restart where none gains.
const ALPHA: f64 = 0.05;

/// A gain is shown, and is not slight.
pub(in crate::report) fn is_worth(advice: &Advice) -> bool {
    advice.holm < ALPHA && ratio(advice) <= SLIGHT
}

fn ratio(advice: &Advice) -> f64 {
    advice.test.with / advice.test.without
}

/// A line for each setting of which a cutoff looks better, on every puzzle that is shown; of many settings the best. `None`
/// where none does.
pub(super) fn sheet(material: &Material<'_>) -> Option<Sheet> {
    let several = material.puzzles > 1;
    let mut rows = Vec::new();
    let mut left = 0;
    for (part, of) in material.parts.iter().enumerate() {
        let with_advice = |setting| Some((setting, material.numbers(setting, part)?.advice?));
        let found: Vec<(usize, Advice)> =
            material.order_of(part).into_iter().filter_map(with_advice).collect();
        left += found.len().saturating_sub(SPOKEN);
        for (setting, advice) in found.iter().take(SPOKEN) {
            let puzzle = several.then(|| of.puzzle.clone());
            let words = std::iter::once(material.labels.name(*setting)).chain(columns(advice));
            rows.push(puzzle.into_iter().chain(words).collect());
        }
    }
    let heading = Some(material.labels.heading()).filter(|heading| !heading.is_empty());
    let mut head: Vec<(String, bool)> = Vec::new();
    head.extend(several.then(|| ("puzzle".to_owned(), false)));
    head.push((heading.unwrap_or_else(|| "setting".to_owned()), false));
    for column in ["give up after", "calls then", "calls else", "ratio (95 %)", "p"] {
        head.push((column.to_owned(), true));
    }
    head.push(("advice".to_owned(), false));
    let of_each = if several { " of each puzzle" } else { "" };
    let left = match left {
        0 => String::new(),
        left => format!(
            " Shown are the {SPOKEN} best settings{of_each}; {} more are left out.",
            counted(left as u64)
        ),
    };
    let note = format!(
        "The calls after which giving up and starting anew looks best, and the expected calls to a solution then and else. “Calls then” are of cutoffs that were chosen on other runs than those they are judged on (five folds), none in the last tenth before the budget; p is that of no gain, after Holm's correction over all settings and puzzles. To start anew is advised where p is below 5 % and the gain is 5 % or more. Settings of which no cutoff looks better, or with fewer than 20 runs or 8 solutions by the cutoff, have no line.{left}"
    );
    (!rows.is_empty()).then_some(Sheet { title: "When to start anew", head, rows, note })
}

fn columns(advice: &Advice) -> [String; 6] {
    let test = &advice.test;
    let words = match advice.holm < ALPHA {
        _ if is_worth(advice) => "start anew",
        true => "hardly a gain",
        false => "no gain shown",
    };
    let range = format!("{:.2} ({:.2} to {:.2})", ratio(advice), test.ratio.low, test.ratio.high);
    let p = if advice.holm < 0.001 { "< 0.001".to_owned() } else { format!("{:.3}", advice.holm) };
    [counted(test.cutoff as u64), rounded(test.with), rounded(test.without), range, p, words.to_owned()]
}
