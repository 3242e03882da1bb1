//! Comparisons as tables, as words and for programs.

mod json;
mod table;
mod words;

pub use json::as_json;
pub use words::{brief_verdict, in_words, verdict};
