//! What kenga answers about puzzles and its tables, as the objects that the command line prints with `--json` and the server
//! sends.

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

pub(crate) use cells::{cell_names, cell_of, digit_of, parse_grid};
pub(crate) use comparison::{ComparisonOrder, compared, keep_puzzles, key_of, study_of};
pub(crate) use errors::{Clean, Shown, drawn};
pub(crate) use explanation::{Ascent, Summit, climb, word};
pub(crate) use families::FamilyListing;
pub(crate) use givens::Givens;
pub(crate) use grading::GradedPuzzle;
pub(crate) use hinting::{empty_grid, hint_json, hint_words, own_digits};
pub(crate) use moments::{candidate_marks, event_marks, is_about_the_past, proved, step_marks};
pub(crate) use referee::{Completion, verdict_json};
pub(crate) use solution::{KEPT, PuzzleAnswer, Solver, json_rows};
pub(crate) use writing::OutputFormat;
