//! What kenga answers about puzzles and its tables, as the objects that the command line prints with `--json` and the server
//! sends.
//!
//! **Invariant**: keys and values of the objects are a format that programs read. A new key may come at the end of an object;
//! lines for people may change freely.

mod cells;
mod comparison;
mod errors;
mod explanation;
mod families;
mod givens;
mod grading;
mod hinting;
mod moments;
mod referee;
mod solution;
mod writing;

pub use cells::{cell_names, cell_of, digit_of, parse_grid};
pub use comparison::{
    ComparisonOrder, all_failed, choose_settings, compared, groups_of, keep_puzzles, key_of, study_of,
};
pub use errors::{Clean, Shown, drawn};
pub use explanation::{Ascent, Summit, climb, word};
pub use families::FamilyListing;
pub use givens::Givens;
pub use grading::{GRADE_SECONDS, GradedPuzzle};
pub use hinting::{empty_grid, hint_json, hint_words, own_digits};
pub use moments::{candidate_marks, event_marks, is_about_the_past, proved, step_marks};
pub use referee::{Completion, verdict_json};
pub use solution::{KEPT, PuzzleAnswer, Solver, json_rows};
pub use writing::OutputFormat;
