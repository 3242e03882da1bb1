//! Forcing: whatever a cell holds, or wherever a digit of a line stands, leads to the same.
//!
//! Each choice is followed with singles and combinations ([`Board::settle`]). What no choice leaves goes.

use crate::craft::ladder::{Board, Found, Ground, Score, Technique};
use crate::problem::bits;

pub static CELL: Technique = Technique {
    name: "cell_forcing",
    about: "whatever candidate a cell holds, singles and combinations lead to the same conclusion",
    source: "",
    picture: "\
A1 {2 5}:  2 leads to C4 = 3, 5 leads to C4 = 3:  C4 is 3",
    score: Score(72),
    find: find_cells,
};

pub static LINE: Technique = Technique {
    name: "line_forcing",
    about: "wherever a digit of a line stands, singles and combinations lead to the same conclusion",
    source: "",
    picture: "\
4 in row 1 at A2 or A5:  either leads to C4 = 3:  C4 is 3",
    score: Score(74),
    find: find_lines,
};

/// The most choices that are followed.
const MOST_CHOICES: u32 = 4;

fn find_cells(board: &Board<'_>, found: &mut Found) {
    for cell in board.open_cells() {
        let mask = board.mask(cell);
        if mask.count_ones() <= MOST_CHOICES && found.is_empty() {
            let choices: Vec<(u16, u32)> = bits(mask).map(|rank| (cell, rank)).collect();
            follow(board, &choices, found, || {
                format!("whether {} is {}", board.name(cell), board.digits(mask).replace(" and ", " or "))
            });
        }
    }
}

fn find_lines(board: &Board<'_>, found: &mut Found) {
    for house in &board.frame.houses {
        for rank in bits(board.frame.problem.all_digits()) {
            let choices: Vec<(u16, u32)> = board.places(*house, rank).map(|cell| (cell, rank)).collect();
            if (2..=MOST_CHOICES as usize).contains(&choices.len()) && found.is_empty() {
                follow(board, &choices, found, || {
                    let cells = board.names(choices.iter().map(|(cell, _)| *cell)).replace(" and ", " or ");
                    format!("whether the {} of {} is at {cells}", board.digit(rank), board.group(*house))
                });
            }
        }
    }
}

fn follow(board: &Board<'_>, choices: &[(u16, u32)], found: &mut Found, words: impl Fn() -> String) {
    let mut left = vec![0; board.masks().len()];
    for (cell, rank) in choices {
        if !board.frame.may_try() {
            return;
        }
        let mut after = board.clone();
        after.fill(*cell, *rank);
        if after.settle() {
            left.iter_mut().zip(after.masks()).for_each(|(all, mask)| *all |= mask);
        }
    }
    let removes = left.iter().enumerate().map(|(cell, mask)| (cell as u16, !mask));
    let cells: Vec<u16> = choices.iter().map(|(cell, _)| *cell).collect();
    found.remove(board, removes, &Ground(&board.frame.all_groups(), &cells), || {
        format!("{}, the same follows", words())
    });
}
