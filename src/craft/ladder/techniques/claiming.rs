//! Claiming: a digit that a line can hold only inside a cage is one of the cage's there.

use crate::craft::ladder::{Board, Found, Ground, Score, Technique};
use crate::problem::bits;

use super::pointing::lines_of;

pub static CLAIMING: Technique = Technique {
    name: "claiming",
    about: "a digit that a line can hold only inside a cage is in every combination of the cage there",
    source: "",
    picture: "\
row:  7+ {1 2 3} {4 5 6} | {1 2} {2 5} …, 6 nowhere else      7+ {1} {6} | …",
    score: Score(60),
    find,
};

fn find(board: &Board<'_>, found: &mut Found) {
    for (index, cage) in board.frame.cages.iter().enumerate() {
        for line in lines_of(board, *cage).into_iter().filter(|line| board.frame.houses.contains(line)) {
            claim(board, index, *cage, line, found);
        }
    }
}

fn claim(board: &Board<'_>, index: usize, cage: usize, line: usize, found: &mut Found) {
    let (cells, others) = (board.frame.cells(cage), board.frame.cells(line));
    let Some(tuples) = board.tuples(index).known() else { return };
    let outside = others.iter().filter(|cell| !cells.contains(cell));
    let open = outside.fold(0, |mask, cell| mask | board.mask(*cell));
    let claimed = board.frame.problem.all_digits() & !open;
    if claimed == 0 || cells.iter().all(|cell| board.is_filled(*cell)) {
        return;
    }
    let inside = cells.iter().enumerate().filter(|(_, cell)| others.contains(cell));
    let inside = inside.fold(0_u32, |mask, (position, _)| mask | 1 << position);
    let mut masks = vec![0_u32; cells.len()];
    for tuple in tuples {
        let part = bits(inside).fold(0, |mask, position| mask | 1 << tuple[position as usize]);
        if claimed & !part == 0 {
            masks.iter_mut().zip(tuple).for_each(|(mask, rank)| *mask |= 1 << rank);
        }
    }
    let removes = cells.iter().zip(&masks).map(|(cell, mask)| (*cell, !mask));
    let ground: Vec<u16> = others.iter().chain(cells).copied().collect();
    found.remove(board, removes, &Ground(&[cage, line], &ground), || {
        let (line, cage, digits) = (board.group(line), board.group(cage), board.digits(claimed));
        format!("{line} can hold {digits} only in {cage}, and combinations without go")
    });
}
