//! Two cages in one line: their digits there must differ.

use crate::craft::ladder::{Board, Found, Ground, Score, Technique};
use crate::problem::bits;

pub static TWO_CAGES: Technique = Technique {
    name: "two_cages",
    about: "a combination of a cage goes when every combination of another repeats one of its digits in a line",
    source: "",
    picture: "\
row:  7+ {1 2 5 6}, 3- {1 2 4 5}      7+ with 5 2 goes: 3- would have 1 4, 2 5 or 5 2",
    score: Score(62),
    find,
};

/// A part of a cage in a line: its index among cages, its group, the positions of its cells there, its digits there in each tuple.
struct Part {
    index: usize,
    cage: usize,
    masks: Vec<u32>,
    /// The same, each once.
    kinds: Vec<u32>,
}

fn find(board: &Board<'_>, found: &mut Found) {
    for line in &board.frame.distinct {
        let parts: Vec<Part> =
            (0..board.frame.cages.len()).filter_map(|index| part(board, index, *line)).collect();
        for one in &parts {
            for other in parts.iter().filter(|other| are_apart(board, one, other)) {
                compare(board, *line, one, other, found);
            }
        }
    }
}

/// Says whether two cages have no common cell, as the signs of a Futoshiki may have: there their digits are the same.
fn are_apart(board: &Board<'_>, one: &Part, other: &Part) -> bool {
    let cells = board.frame.cells(other.cage);
    !board.frame.cells(one.cage).iter().any(|cell| cells.contains(cell))
}

/// The part of a cage in a line, where two or more cells of the cage lie there, not all filled in.
fn part(board: &Board<'_>, index: usize, line: usize) -> Option<Part> {
    let cage = board.frame.cages[index];
    let (cells, others) = (board.frame.cells(cage), board.frame.cells(line));
    let inside = cells.iter().enumerate().filter(|(_, cell)| others.contains(cell));
    let inside = inside.fold(0_u32, |mask, (position, _)| mask | 1 << position);
    if inside.count_ones() < 2 || cage == line || cells.iter().all(|cell| board.is_filled(*cell)) {
        return None;
    }
    let digits = |tuple: &[u8]| bits(inside).fold(0, |mask, position| mask | 1 << tuple[position as usize]);
    let masks: Vec<u32> = board.tuples(index).known()?.map(digits).collect();
    let mut kinds = masks.clone();
    kinds.sort_unstable();
    kinds.dedup();
    Some(Part { index, cage, masks, kinds })
}

fn compare(board: &Board<'_>, line: usize, one: &Part, other: &Part, found: &mut Found) {
    let is_free = |mask: u32| other.kinds.iter().any(|kind| kind & mask == 0);
    if one.kinds.iter().all(|kind| is_free(*kind)) {
        return;
    }
    let Some(tuples) = board.tuples(one.index).known() else { return };
    let cells = board.frame.cells(one.cage);
    let mut left = vec![0_u32; cells.len()];
    for (tuple, _) in tuples.zip(&one.masks).filter(|(_, mask)| is_free(**mask)) {
        left.iter_mut().zip(tuple).for_each(|(mask, rank)| *mask |= 1 << rank);
    }
    let removes = cells.iter().zip(&left).map(|(cell, mask)| (*cell, !mask));
    let ground: Vec<u16> = cells.iter().chain(board.frame.cells(other.cage)).copied().collect();
    found.remove(board, removes, &Ground(&[one.cage, other.cage, line], &ground), || {
        let (line, cage, other) = (board.group(line), board.group(one.cage), board.group(other.cage));
        format!("in {line}, some combinations of {cage} leave none for {other} and go")
    });
}
