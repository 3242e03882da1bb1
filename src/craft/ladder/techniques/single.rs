//! Singles: a cell with one candidate, a digit with one place.

use crate::craft::ladder::{Board, Found, Ground, Score, Technique};
use crate::problem::bits;

pub static NAKED_SINGLE: Technique = Technique {
    name: "naked_single",
    about: "a cell with one candidate takes it",
    source: "",
    picture: "\
. {2} .      . 2 .",
    score: Score(12),
    find: find_naked,
};

pub static HIDDEN_SINGLE: Technique = Technique {
    name: "hidden_single",
    about: "a digit with one place in a row, column or box goes there",
    source: "",
    picture: "\
{1 2} {2 3 4} {1 2} {2 3}      {1 2} 4 {1 2} {2 3}",
    score: Score(13),
    find: find_hidden,
};

fn find_naked(board: &Board<'_>, found: &mut Found) {
    for cell in board.open_cells() {
        let mask = board.mask(cell);
        if mask.is_power_of_two() {
            found.fill(board, (cell, mask.trailing_zeros()), &Ground(&[], &[cell]), || {
                "no other candidate is left for it".to_owned()
            });
        }
    }
}

fn find_hidden(board: &Board<'_>, found: &mut Found) {
    let frame = board.frame;
    for house in &frame.houses {
        let (mut once, mut twice) = (0, 0);
        for cell in frame.cells(*house) {
            let mask = board.mask(*cell);
            twice |= once & mask;
            once |= mask;
        }
        for rank in bits(once & !twice) {
            let cell = board.places(*house, rank).next().expect("the digit has one place");
            if !board.is_filled(cell) {
                found.fill(board, (cell, rank), &Ground(&[*house], frame.cells(*house)), || {
                    format!("the only place for {} in {}", board.digit(rank), board.group(*house))
                });
            }
        }
    }
}
