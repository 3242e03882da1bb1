//! The runs of an experiment that failed, and why.

use std::path::Path;

use miette::Report;

use kenga_core::text::printable;
use kenga_lab::experiment::Plan;
use kenga_lab::results::{FailureRow, Reading};
use kenga_report::{failures, several};

/// The file that has all of them.
const FILE: &str = "failures.csv";

/// How many reasons are named.
const NAMED: usize = 3;

/// The failed runs by reason, in the order of the first run of each.
#[derive(Default)]
pub(super) struct Failures(Vec<Reason>);

/// A reason, the first run that failed for it, and how many did.
struct Reason {
    text: String,
    first: u64,
    runs: u64,
}

impl Failures {
    /// Reads those of a folder.
    pub(super) fn read(plan: &Plan, path: &Path) -> Result<Self, Report> {
        let mut all: Vec<Reason> = Vec::new();
        if plan.can_fail() {
            Reading::open(path)?.rows.each(|row: FailureRow| {
                match all.iter_mut().find(|known| known.text == row.reason) {
                    Some(known) => known.runs += 1,
                    None => all.push(Reason { text: row.reason, first: row.run, runs: 1 }),
                }
            })?;
        }
        Ok(Self(all))
    }

    /// How many runs failed.
    pub(super) fn runs(&self) -> u64 {
        self.0.iter().map(|reason| reason.runs).sum()
    }

    /// What people should know of them, and the command that tries them again, if there is one; empty without any.
    pub(super) fn text(&self, path: &Path, again: Option<&str>) -> String {
        let Some(words) = failures(self.runs()) else { return String::new() };
        let named = self.0.iter().take(NAMED).map(|Reason { text, first, runs }| {
            // A folder may be a stranger's, who says what he likes.
            let text = printable(text);
            match runs {
                1 => format!("  run {first}: {text}\n"),
                runs => format!("  run {first}: {text} ({})\n", several(*runs, "run")),
            }
        });
        let named: String = named.collect();
        let file = path.join(FILE);
        let more =
            format!("{} has every reason, and what the program wrote to standard error.", file.display());
        let again = again.map_or_else(String::new, |command| format!(" Try them again with:\n  {command}"));
        format!("{words} Why:\n{named}{more}{again}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_in_a_strangers_folder_moves_no_cursor() {
        let reason = Reason { text: "it \u{1b}[31m\u{1b}[2Jended".to_owned(), first: 3, runs: 1 };
        let text = Failures(vec![reason]).text(Path::new("o"), None);
        assert!(text.contains("  run 3: it \u{FFFD}[31m\u{FFFD}[2Jended\n"), "{text}");
    }
}
