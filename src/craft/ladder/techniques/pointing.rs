//! Pointing: a digit that must stand where two groups meet leaves the rest of the second.
//!
//! The first group is a cage all of whose combinations have the digit in its part of a line, or a house all of whose places for
//! the digit lie in another group.

use crate::craft::ladder::{Candidates, Found, Ground, Score, Technique, digits_at};
use crate::problem::bits;

pub static POINTING: Technique = Technique {
    name: "pointing",
    about: "a digit that a cage or box must have in its part of a line leaves the rest of the line",
    source: "",
    picture: "\
row:  12* {3 4} {3 4} | {1 3 4} {2}      12* {3 4} {3 4} | {1} {2}",
    score: Score(30),
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    let frame = candidates.frame;
    for (index, cage) in frame.cages.iter().enumerate() {
        let cells = frame.cells(*cage);
        if cells.len() > 1 && cells.iter().any(|cell| !candidates.is_filled(*cell)) {
            for line in lines_of(candidates, *cage) {
                from_cage(candidates, index, *cage, line, found);
            }
        }
    }
    for house in &frame.houses {
        for other in lines_of(candidates, *house) {
            from_house(candidates, *house, other, found);
        }
    }
}

/// The distinct groups that share two or more cells with a group and have others.
pub fn lines_of(candidates: &Candidates<'_>, group: usize) -> Vec<usize> {
    let frame = candidates.frame;
    let cells = frame.cells(group);
    let shared = |line: &usize| frame.cells(*line).iter().filter(|cell| cells.contains(cell)).count();
    let crosses =
        |line: &usize| *line != group && shared(line) > 1 && shared(line) < frame.cells(*line).len();
    frame.distinct.iter().copied().filter(crosses).collect()
}

fn from_cage(candidates: &Candidates<'_>, index: usize, cage: usize, line: usize, found: &mut Found) {
    let (cells, others) = (candidates.frame.cells(cage), candidates.frame.cells(line));
    let Some(tuples) = candidates.tuples(index).known() else { return };
    let inside = candidates.frame.positions_in(cage, line);
    let part = |tuple: &[u8]| digits_at(tuple, inside);
    let certain = tuples.map(part).fold(candidates.frame.problem.all_digits(), |all, mask| all & mask);
    if certain == 0 {
        return;
    }
    let outside = others.iter().copied().filter(|cell| !cells.contains(cell));
    found.remove(
        candidates,
        outside.clone().map(|cell| (cell, certain)),
        &Ground(&[cage, line], cells),
        || {
            let gone = outside.clone().fold(0, |mask, cell| mask | candidates.mask(cell)) & certain;
            let (digits, group) = (candidates.digits(gone), candidates.group(cage));
            let line = candidates.group(line);
            format!("every combination of {group} has {digits} in {line}")
        },
    );
}

fn from_house(candidates: &Candidates<'_>, house: usize, other: usize, found: &mut Found) {
    let (cells, others) = (candidates.frame.cells(house), candidates.frame.cells(other));
    let outside = cells.iter().filter(|cell| !others.contains(cell));
    let open = outside.fold(0, |mask, cell| mask | candidates.mask(*cell));
    for rank in bits(candidates.frame.problem.all_digits() & !open) {
        let rest = others.iter().copied().filter(|cell| !cells.contains(cell));
        found.remove(candidates, rest.map(|cell| (cell, 1 << rank)), &Ground(&[house, other], cells), || {
            let (house, other) = (candidates.group(house), candidates.group(other));
            let digit = candidates.digit(rank);
            format!("in {house}, {digit} stands in {other}")
        });
    }
}
