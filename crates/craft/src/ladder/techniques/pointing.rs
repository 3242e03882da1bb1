//! Pointing and claiming: what must stand where two groups meet.
//!
//! *Pointing*: a digit that must stand where two groups meet leaves the rest of the second. The first is a cage all of whose
//! combinations have the digit in its part of the second, or a house all of whose places for the digit lie in the second.
//!
//! *Claiming*: a digit that a house can hold only inside a cage is one of the cage's there.

use crate::ladder::{
    Candidates, FoundSteps, OpenCage, Score, StepReason, Technique, digits_at, digits_by_cell,
};
use kenga_core::problem::bits;

use super::subset::without;

pub static POINTING: Technique = Technique {
    name: "pointing",
    about: "a digit that a cage or house must have where it meets a distinct group leaves the rest of the group",
    source: "Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), hard, for cages; Sudoku Explainer by N. Juillerat (2006-2007), pointing and claiming, for regions",
    picture: "\
row:  12× {3 4} {3 4} | {1 3 4} {2}      12× {3 4} {3 4} | {1} {2}",
    score: Score(30),
    of_cages: false,
    find: point,
};

pub static CLAIMING: Technique = Technique {
    name: "claiming",
    about: "a digit that a house can hold only inside a cage is in every combination of the cage there",
    source: "the claiming of Sudoku Explainer by N. Juillerat (2006-2007), with cages for regions",
    picture: "\
row:  7+ {1 2 3} {4 5 6} | {1 2} {2 5} …, 6 nowhere else      7+ {1} {6} | …",
    score: Score(60),
    of_cages: true,
    find: claim,
};

fn point(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    let frame = candidates.frame;
    for cage in candidates.open_cages() {
        if cage.cells.len() > 1 {
            for other in frame.crossings(cage.group) {
                point_from_cage(candidates, &cage, *other, found);
            }
        }
    }
    for house in &frame.houses {
        for other in frame.crossings(*house) {
            point_from_house(candidates, *house, *other, found);
        }
    }
}

fn point_from_cage(candidates: &Candidates<'_>, cage: &OpenCage<'_>, other: usize, found: &mut FoundSteps) {
    let OpenCage { group, cells, .. } = *cage;
    let inside = candidates.frame.positions_in(group, other);
    let mut certain = candidates.frame.problem.all_digits();
    for tuple in cage.tuples.clone() {
        certain &= digits_at(tuple, inside);
        if certain == 0 {
            return;
        }
    }
    // Cells of the cage itself may hold the digit, and one of them does.
    let outside = without(candidates.frame.cells(other), cells);
    found.remove_from(candidates, &outside, certain, &|| {
        let gone = candidates.digits(candidates.union(&outside) & certain);
        let (name, other_name) = (candidates.group(group), candidates.group(other));
        let words = format!("every combination of {name} has {gone} in {other_name}");
        StepReason::new(&[group, other], cells, words)
    });
}

fn point_from_house(candidates: &Candidates<'_>, house: usize, other: usize, found: &mut FoundSteps) {
    let (cells, others) = (candidates.frame.cells(house), candidates.frame.cells(other));
    let certain = candidates.frame.problem.all_digits() & !beside(candidates, cells, others);
    if certain == 0 {
        return;
    }
    let rest = without(others, cells);
    for rank in bits(certain) {
        found.remove_from(candidates, &rest, 1 << rank, &|| {
            let (house_name, other_name) = (candidates.group(house), candidates.group(other));
            let words = format!("in {house_name}, {} stands in {other_name}", candidates.digit(rank));
            StepReason::new(&[house, other], cells, words)
        });
    }
}

fn claim(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for cage in candidates.open_cages() {
        for other in candidates.frame.crossings(cage.group) {
            if candidates.frame.is_house(*other) {
                claim_in(candidates, &cage, *other, found);
            }
        }
    }
}

fn claim_in(candidates: &Candidates<'_>, cage: &OpenCage<'_>, house: usize, found: &mut FoundSteps) {
    let OpenCage { group, cells, .. } = *cage;
    let others = candidates.frame.cells(house);
    // What can stand nowhere else in the house must stand in the cage.
    let claimed = candidates.frame.problem.all_digits() & !beside(candidates, others, cells);
    if claimed == 0 {
        return;
    }
    let inside = candidates.frame.positions_in(group, house);
    let left = cage.tuples.clone().filter(|tuple| claimed & !digits_at(tuple, inside) == 0);
    let left = digits_by_cell(cells.len(), left);
    found.keep(candidates, cells, &left, &|| {
        let digits = candidates.digits(claimed);
        let (place, name) = (candidates.group(house), candidates.group(group));
        let words = format!(
            "{place} can hold {digits} only in {name}, so combinations of it without {digits} there are impossible"
        );
        StepReason::new(&[group, house], &[others, cells].concat(), words)
    });
}

/// The digits that cells which are not among others may hold, a mask of ranks.
fn beside(candidates: &Candidates<'_>, cells: &[u16], others: &[u16]) -> u32 {
    let mut union = 0;
    for cell in cells {
        if !others.contains(cell) {
            union |= candidates.mask(*cell);
        }
    }
    union
}
