//! The techniques: a static each, those that are alike in one file, and a line each in [`TECHNIQUES`] at the place of its score.
//!
//! A new one finds its steps from [`Candidates`](super::Candidates) alone, draws nothing and keeps nothing, and names in the
//! [`StepReason`](super::StepReason) of each step every group whose rule it used: the tests have the exact solver check that.
//!
//! **Invariant**: scores and the order of the table decide grades, hints and what `--difficulty` finds; so does the order of steps
//! within a technique. Words and pictures may change freely.

mod areas;
mod chain;
mod combinations;
mod fish;
mod forcing;
mod line_product;
mod line_sum;
mod pointing;
mod prime;
mod single;
mod subset;
mod trial;
mod two_cages;

use super::{Score, Technique};
use kenga_core::table::Table;

/// The greatest score of a technique that tries nothing out.
pub const MOST_WITHOUT_TRIALS: Score = Score(trial::TRIAL.score.0 - 1);

/// Every technique, the cheapest first.
pub static TECHNIQUES: Table<Technique> = Table::new(
    "technique",
    &[
        &single::LAST_CELL,
        &combinations::ONE_COMBINATION,
        &single::NAKED_SINGLE,
        &single::HIDDEN_SINGLE,
        &combinations::COMBINATIONS,
        &combinations::CELL_COMBINATIONS,
        &pointing::POINTING,
        &subset::NAKED_PAIR,
        &subset::HIDDEN_PAIR,
        &subset::NAKED_TRIPLE,
        &subset::HIDDEN_TRIPLE,
        &subset::NAKED_QUAD,
        &subset::HIDDEN_QUAD,
        &fish::X_WING,
        &fish::SWORDFISH,
        &fish::JELLYFISH,
        &chain::CHAIN,
        &pointing::CLAIMING,
        &line_sum::ONE_LINE,
        &two_cages::TWO_CAGES,
        &prime::PRIME,
        &line_sum::LINES,
        &line_sum::SPLIT,
        &line_sum::PARITY,
        &line_product::PRODUCT,
        &prime::COUNT,
        &line_sum::SUMS,
        &trial::TRIAL,
        &forcing::CELL,
        &forcing::LINE,
        &trial::NESTED,
        &trial::TRIAL_IN_TRIAL,
        &trial::DEEP,
    ],
);
