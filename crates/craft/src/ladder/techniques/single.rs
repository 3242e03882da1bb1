//! Singles: a cell with one candidate, a digit with one place.

use crate::ladder::{Candidates, Found, Reason, Score, Technique};
use kenga_core::problem::bits;

pub static NAKED_SINGLE: Technique = Technique {
    name: "naked_single",
    about: "a cell with one candidate takes it",
    source: "Sudoku Explainer by N. Juillerat (2006-2007)",
    picture: "\
. {2} .      . 2 .",
    score: Score(12),
    of_cages: false,
    find: find_naked,
};

pub static HIDDEN_SINGLE: Technique = Technique {
    name: "hidden_single",
    about: "a digit with one place in a row, column or region goes there",
    source: "Sudoku Explainer by N. Juillerat (2006-2007)",
    picture: "\
{1 2} {2 3 4} {1 2} {2 3}      {1 2} 4 {1 2} {2 3}",
    score: Score(13),
    of_cages: false,
    find: find_hidden,
};

fn find_naked(candidates: &Candidates<'_>, found: &mut Found) {
    for cell in candidates.open_cells() {
        let mask = candidates.mask(cell);
        if mask.is_power_of_two() {
            found.fill(candidates, (cell, mask.trailing_zeros()), || {
                Reason::new([], [cell], "no other candidate is left for it")
            });
        }
    }
}

fn find_hidden(candidates: &Candidates<'_>, found: &mut Found) {
    let frame = candidates.frame;
    for house in &frame.houses {
        let (mut once, mut twice) = (0, 0);
        for cell in frame.cells(*house) {
            let mask = candidates.mask(*cell);
            twice |= once & mask;
            once |= mask;
        }
        for rank in bits(once & !twice) {
            let cell = candidates.places(*house, rank).next().expect("the digit has one place");
            if !candidates.is_filled(cell) {
                found.fill(candidates, (cell, rank), || {
                    let (digit, group) = (candidates.digit(rank), candidates.group(*house));
                    Reason::new(
                        [*house],
                        frame.cells(*house),
                        format!("the only place for {digit} in {group}"),
                    )
                });
            }
        }
    }
}
