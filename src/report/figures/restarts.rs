//! When to give up and start anew.

use super::super::material::Material;
use super::super::{counted, rounded};
use super::Sheet;
use crate::stats::RestartAdvice;

/// Settings of a puzzle whose restarts are spoken of.
const SPOKEN: usize = 12;

/// A ratio of times above this is hardly a gain.
const SLIGHT: f64 = 0.95;

/// The whole interval says that restarts gain, and not hardly.
pub(in crate::report) fn is_worth(advice: &RestartAdvice) -> bool {
    advice.ratio.high < 1.0 && ratio(advice) <= SLIGHT
}

fn ratio(advice: &RestartAdvice) -> f64 {
    advice.with / advice.without
}

/// A line for each setting that solved, on every puzzle that is shown; of many settings the best. `None` where none did.
pub(super) fn sheet(material: &Material<'_>) -> Option<Sheet> {
    let several = material.puzzles > 1;
    let mut rows = Vec::new();
    let mut left = 0;
    for (part, of) in material.parts.iter().enumerate() {
        let with_advice = |setting| Some((setting, material.numbers(setting, part)?.advice?));
        let found: Vec<(usize, RestartAdvice)> =
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
    for column in ["give up after", "calls then", "calls else", "ratio (95 %)"] {
        head.push((column.to_owned(), true));
    }
    head.push(("advice".to_owned(), false));
    let of_each = if several { " of each puzzle" } else { "" };
    let left = match left {
        0 => String::new(),
        left => format!(
            " Shown are the {SPOKEN} best settings{of_each} that solved; {} more are left out.",
            counted(left as u64)
        ),
    };
    let note = format!(
        "The cutoff after which giving up and starting anew takes the fewest expected calls to a solution, by the Kaplan-Meier estimate of these runs: so many “calls then”, and “calls else”, when every run goes on to the end of its budget. The interval of their ratio is of {} bootstrap resamples; to start anew is advised where it lies wholly below 1 and the gain is 5 % or more. The cutoff was chosen on the same runs, which flatters the gain.{left}",
        counted(2000)
    );
    (!rows.is_empty()).then_some(Sheet { title: "When to start anew", head, rows, note })
}

fn columns(advice: &RestartAdvice) -> [String; 5] {
    let without = rounded(advice.without);
    let Some(cutoff) = advice.cutoff else {
        let none = "–".to_owned();
        return [none.clone(), none.clone(), without, none, "do not".to_owned()];
    };
    let ends = match advice.ratio.high.is_finite() {
        true => format!("{:.2} to {:.2}", advice.ratio.low, advice.ratio.high),
        false => format!("{:.2} or more", advice.ratio.low),
    };
    let words = match advice.ratio.high < 1.0 {
        _ if is_worth(advice) => "start anew",
        true => "hardly a gain",
        false => "no gain shown",
    };
    let range = format!("{:.2} ({ends})", ratio(advice));
    [counted(cutoff as u64), rounded(advice.with), without, range, words.to_owned()]
}
