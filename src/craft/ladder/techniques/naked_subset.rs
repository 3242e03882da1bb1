//! Naked subsets: cells of a group that have as many candidates together as there are cells.

use crate::craft::ladder::{Board, Found, Ground, Score, Technique};

use super::cover::for_covers;

pub static PAIR: Technique = Technique {
    name: "naked_pair",
    about: "two cells of a line with the same two candidates: these leave the rest of the line",
    source: "",
    picture: "\
{1 2} {1 2} {1 3 4}      {1 2} {1 2} {3 4}",
    score: Score(32),
    find: |board, found| find(2, board, found),
};

pub static TRIPLE: Technique = Technique {
    name: "naked_triple",
    about: "three cells of a line with three candidates together: these leave the rest of the line",
    source: "",
    picture: "\
{1 2} {2 3} {1 3} {3 4}      {1 2} {2 3} {1 3} {4}",
    score: Score(36),
    find: |board, found| find(3, board, found),
};

pub static QUAD: Technique = Technique {
    name: "naked_quad",
    about: "four cells of a line with four candidates together: these leave the rest of the line",
    source: "",
    picture: "\
{1 2} {2 3} {3 4} {1 4} {4 5}      {1 2} {2 3} {3 4} {1 4} {5}",
    score: Score(40),
    find: |board, found| find(4, board, found),
};

fn find(size: u32, board: &Board<'_>, found: &mut Found) {
    for line in &board.frame.distinct {
        let cells = board.frame.cells(*line);
        let open: Vec<(u16, u32)> = cells.iter().map(|cell| (*cell, board.mask(*cell))).collect();
        for_covers(&open, size, &mut |subset, digits| {
            let rest = cells.iter().copied().filter(|cell| !subset.contains(cell));
            found.remove(board, rest.map(|cell| (cell, digits)), &Ground(&[*line], subset), || {
                let (names, digits) = (board.names(subset.iter().copied()), board.digits(digits));
                let line = board.group(*line);
                format!("in {line}, {names} hold {digits} among them")
            });
        });
    }
}
