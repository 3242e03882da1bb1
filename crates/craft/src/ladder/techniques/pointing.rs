//! Pointing: a digit that must stand where two groups meet leaves the rest of the second.
//!
//! The first group is a cage all of whose combinations have the digit in its part of the second, or a house all of whose places
//! for the digit lie in the second.

use crate::ladder::{Candidates, Found, Reason, Score, Technique, digits_at};
use kenga_core::problem::bits;

pub static POINTING: Technique = Technique {
    name: "pointing",
    about: "a digit that a cage or house must have where it meets a distinct group leaves the rest of the group",
    source: "Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), hard, for cages; Sudoku Explainer by N. Juillerat (2006-2007), pointing and claiming, for regions",
    picture: "\
row:  12* {3 4} {3 4} | {1 3 4} {2}      12* {3 4} {3 4} | {1} {2}",
    score: Score(30),
    of_cages: false,
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    let frame = candidates.frame;
    for (index, cage) in frame.cages.iter().enumerate() {
        let cells = frame.cells(*cage);
        if cells.len() > 1 && cells.iter().any(|cell| !candidates.is_filled(*cell)) {
            for other in frame.crossings(*cage) {
                from_cage(candidates, index, *cage, *other, found);
            }
        }
    }
    for house in &frame.houses {
        for other in frame.crossings(*house) {
            from_house(candidates, *house, *other, found);
        }
    }
}

fn from_cage(candidates: &Candidates<'_>, index: usize, cage: usize, other: usize, found: &mut Found) {
    let (cells, others) = (candidates.frame.cells(cage), candidates.frame.cells(other));
    let Some(tuples) = candidates.tuples(index).known() else { return };
    let inside = candidates.frame.positions_in(cage, other);
    let part = |tuple: &[u8]| digits_at(tuple, inside);
    let certain = tuples.map(part).fold(candidates.frame.problem.all_digits(), |all, mask| all & mask);
    if certain == 0 {
        return;
    }
    let outside = others.iter().copied().filter(|cell| !cells.contains(cell));
    found.remove(candidates, outside.clone().map(|cell| (cell, certain)), || {
        let gone = outside.clone().fold(0, |mask, cell| mask | candidates.mask(cell)) & certain;
        let (group, other_group) = (candidates.group(cage), candidates.group(other));
        let words = format!("every combination of {group} has {} in {other_group}", candidates.digits(gone));
        Reason::new([cage, other], cells, words)
    });
}

fn from_house(candidates: &Candidates<'_>, house: usize, other: usize, found: &mut Found) {
    let (cells, others) = (candidates.frame.cells(house), candidates.frame.cells(other));
    let outside = cells.iter().filter(|cell| !others.contains(cell));
    let open = outside.fold(0, |mask, cell| mask | candidates.mask(*cell));
    for rank in bits(candidates.frame.problem.all_digits() & !open) {
        let rest = others.iter().copied().filter(|cell| !cells.contains(cell));
        found.remove(candidates, rest.map(|cell| (cell, 1 << rank)), || {
            let (house_name, other_name) = (candidates.group(house), candidates.group(other));
            let words = format!("in {house_name}, {} stands in {other_name}", candidates.digit(rank));
            Reason::new([house, other], cells, words)
        });
    }
}
