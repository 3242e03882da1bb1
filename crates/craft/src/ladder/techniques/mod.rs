//! The techniques: one file each, or one for those that differ in a number alone; one line each in [`TECHNIQUES`], by
//! ascending score.

mod areas;
mod chain;
mod claiming;
mod combinations;
mod cover;
mod fish;
mod forcing;
mod hidden_subset;
mod last_cell;
mod line_product;
mod line_sum;
mod naked_subset;
mod pointing;
mod prime;
mod single;
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
        &last_cell::LAST_CELL,
        &combinations::ONE_COMBINATION,
        &single::NAKED_SINGLE,
        &single::HIDDEN_SINGLE,
        &combinations::COMBINATIONS,
        &combinations::CELL_COMBINATIONS,
        &pointing::POINTING,
        &naked_subset::PAIR,
        &hidden_subset::PAIR,
        &naked_subset::TRIPLE,
        &hidden_subset::TRIPLE,
        &naked_subset::QUAD,
        &hidden_subset::QUAD,
        &fish::X_WING,
        &fish::SWORDFISH,
        &fish::JELLYFISH,
        &chain::CHAIN,
        &claiming::CLAIMING,
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
