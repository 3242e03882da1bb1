//! The runs of an experiment that failed, and why.

use std::path::Path;

use miette::Report;

use kenga_core::text::printable;
use kenga_lab::experiment::{Plan, Shard};
use kenga_lab::results::{FailureRow, FolderRows};
use kenga_report::{failures, several};

/// The file that has all of them.
const FILE: &str = "failures.csv";

/// How many reasons are named.
const NAMED: usize = 3;

/// How many lines of standard error are shown of the first run that failed for a reason.
const LINES: usize = 3;

/// The longest part of such a line, in characters.
const LONGEST_LINE: usize = 160;

/// The failed runs by reason, in the order of the first run of each.
#[derive(Default)]
pub(super) struct Failures(Vec<FailureReason>);

/// A reason, the first run that failed for it with what its program wrote to standard error, and how many runs did.
struct FailureReason {
    text: String,
    stderr: String,
    first: u64,
    runs: u64,
}

impl Failures {
    /// Reads those of a folder.
    pub(super) fn read(plan: &Plan, shard: Shard, path: &Path) -> Result<Self, Report> {
        let mut all: Vec<FailureReason> = Vec::new();
        if plan.can_fail() {
            FolderRows::open(path, plan, shard)?.each(|row: FailureRow| {
                match all.iter_mut().find(|known| known.text == row.reason) {
                    Some(known) => known.runs += 1,
                    None => all.push(FailureReason {
                        text: row.reason,
                        stderr: row.stderr,
                        first: row.run,
                        runs: 1,
                    }),
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
        let mut named = String::new();
        for reason in self.0.iter().take(NAMED) {
            // A folder may be a stranger's, who says what he likes.
            let text = printable(&reason.text);
            named += &format!("  run {}: {text}", reason.first);
            if reason.runs > 1 {
                named += &format!(" ({})", several(reason.runs, "run"));
            }
            named += "\n";
            // The end says why a program stopped; what came before is in the file.
            for line in last_lines(&reason.stderr) {
                named += &format!("    stderr: {line}\n");
            }
        }
        let file = path.join(FILE);
        let more =
            format!("{} has every reason, and what the program wrote to standard error.", file.display());
        let again = again.map_or_else(String::new, |command| format!(" Try them again with:\n  {command}"));
        format!("{words} Why:\n{named}{more}{again}\n")
    }
}

/// The last lines that are not empty, each printable and cut where it is long.
fn last_lines(stderr: &str) -> Vec<String> {
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    last.iter().map(|line| printable(&shortened(line)).into_owned()).collect()
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_three_lines_of_standard_error_are_shown_and_cut() {
        let stderr = format!("first\n\nsecond\n  third \u{1b}[2J\n{}\n", "x".repeat(200));
        let reason = FailureReason { text: "it ended".to_owned(), stderr, first: 3, runs: 1 };
        let text = Failures(vec![reason]).text(Path::new("o"), None);
        let long = "x".repeat(160);
        let said = format!(
            "  run 3: it ended\n    stderr: second\n    stderr:   third \u{FFFD}[2J\n    stderr: {long}…\n"
        );
        assert!(text.contains(&said), "{text}");
    }

    #[test]
    fn a_reason_in_a_strangers_folder_moves_no_cursor() {
        let reason = FailureReason {
            text: "it \u{1b}[31m\u{1b}[2Jended".to_owned(),
            stderr: String::new(),
            first: 3,
            runs: 1,
        };
        let text = Failures(vec![reason]).text(Path::new("o"), None);
        assert!(text.contains("  run 3: it \u{FFFD}[31m\u{FFFD}[2Jended\n"), "{text}");
    }
}
