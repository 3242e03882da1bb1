//! Comparisons for people and for programs. The verdict, in `kenga compare` and in the report, is a sentence, a table of
//! the other settings compared with the first, and remarks.

mod json;
mod table;
mod words;

pub use json::as_json;
pub use table::{comparisons, puzzles, settings};
pub use words::{headline, remarks};

use super::table::{Format, View};
use super::wrap::wrap;
use crate::study::Comparison;

/// The tables and the verdict as text.
pub fn in_words(comparison: &Comparison, view: &View) -> String {
    let mut text = settings(comparison).render(Format::Text, view);
    if comparison.puzzles > 1 {
        text += "\n";
        text += &puzzles(comparison).render(Format::Text, view);
    }
    let prose = |sentence: &str| wrap(sentence, view.width);
    text += &format!("\n{}\n\n", prose(&headline(comparison)));
    text += &comparisons(comparison).render(Format::Text, view);
    text += "\n";
    for remark in remarks(comparison) {
        text += &format!("{}\n", prose(&remark));
    }
    text
}
