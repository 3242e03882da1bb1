//! The verdict: what a comparison has found, in a sentence, a table and remarks.

use maud::{Markup, html};

use crate::report::compare::{comparisons, headline, remarks};
use crate::study::Comparison;

/// What a comparison has found.
pub(in crate::report) struct Verdict<'a> {
    /// The puzzle; `None` for all together.
    pub(in crate::report) puzzle: Option<String>,
    pub(in crate::report) comparison: Found<'a>,
}

/// A comparison that the material has, or one that was made for the verdict.
pub(in crate::report) enum Found<'a> {
    Known(&'a Comparison),
    Own(Box<Comparison>),
}

impl<'a> From<&'a Comparison> for Found<'a> {
    fn from(found: &'a Comparison) -> Self {
        Self::Known(found)
    }
}

impl From<Comparison> for Found<'_> {
    fn from(found: Comparison) -> Self {
        Self::Own(Box::new(found))
    }
}

impl Verdict<'_> {
    fn comparison(&self) -> &Comparison {
        match &self.comparison {
            Found::Known(found) => found,
            Found::Own(found) => found,
        }
    }
}

/// The section with some verdicts; nothing without one.
pub(super) fn section(verdicts: &[Verdict<'_>]) -> Markup {
    html! {
        @if !verdicts.is_empty() {
            section id="verdict" {
                h2 { "Verdict" }
                @for verdict in verdicts {
                    @match &verdict.puzzle {
                        None => (whole(verdict.comparison())),
                        Some(puzzle) => details.part {
                            summary { "On " b { (puzzle) } ": " (headline(verdict.comparison())) }
                            (comparisons(verdict.comparison()).page())
                        },
                    }
                }
                @if verdicts.len() > 1 {
                    p.note { "The first verdict is over all puzzles. What is shown on a puzzle holds for this puzzle, and Holm's correction counts the tests of one table." }
                }
            }
        }
    }
}

fn whole(comparison: &Comparison) -> Markup {
    html! {
        p { strong { (headline(comparison)) } }
        (comparisons(comparison).page())
        @for remark in remarks(comparison) { p.note { (remark) } }
    }
}
