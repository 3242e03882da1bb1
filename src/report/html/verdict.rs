//! The place of a verdict in words: which settings differ, and how that is known.

use maud::{Markup, html};

/// What a comparison says.
pub(in crate::report) struct Verdict {
    /// The puzzle; `None` for all together.
    pub(in crate::report) puzzle: Option<String>,
    pub(in crate::report) sentences: Vec<String>,
}

/// The section with the sentences of some verdicts; nothing without one.
pub(super) fn section(verdicts: &[Verdict]) -> Markup {
    html! {
        @if !verdicts.is_empty() {
            section id="verdict" {
                h2 { "Verdict" }
                @if verdicts.len() > 1 {
                    p.note { "First over all puzzles, then on each by itself. Holm's correction counts the pairs of one heading; what is shown on a puzzle holds for this puzzle." }
                }
                @for verdict in verdicts {
                    @match &verdict.puzzle {
                        Some(puzzle) => h3 { "On " (puzzle) },
                        None if verdicts.len() > 1 => h3 { "Over all puzzles" },
                        None => {},
                    }
                    @for sentence in &verdict.sentences { p { (sentence) } }
                }
            }
        }
    }
}
