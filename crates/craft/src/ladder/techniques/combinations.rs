//! The combinations of a cage: the digits that make its clue.

use std::slice::ChunksExact;

use crate::ladder::{Candidates, FoundSteps, OpenCage, Score, StepReason, Technique, digits_by_cell};

pub static ONE_COMBINATION: Technique = Technique {
    name: "one_combination",
    about: "a cage with one combination of digits left holds no other digits",
    source: "Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), easy, where one combination is left",
    picture: "\
12× {1 2 3 4} {3 4}      {3 4} {3 4}",
    score: Score(11),
    of_cages: true,
    find: find_one,
};

pub static COMBINATIONS: Technique = Technique {
    name: "combinations",
    about: "a digit that no combination of a cage has leaves all its cells",
    source: "Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), easy",
    picture: "\
7+ {1 2 3 4 5} {1 2 3 4 5}, 5 out of row      {3 4} {3 4}",
    score: Score(15),
    of_cages: true,
    find: find_all,
};

pub static CELL_COMBINATIONS: Technique = Technique {
    name: "cell_combinations",
    about: "a digit that no combination of a cage has in a cell leaves that cell",
    source: "Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), normal",
    picture: "\
3- {1 4} {1 2 3 4}      {1 4} {1 4}",
    score: Score(20),
    of_cages: true,
    find: find_by_cell,
};

fn find_one(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for OpenCage { group, cells, tuples } in candidates.open_cages() {
        let Some(ranks) = only_combination(tuples) else { continue };
        // The digits that are not in it.
        let mut rest = candidates.frame.problem.all_digits();
        for rank in &ranks {
            rest &= !(1 << rank);
        }
        found.remove_from(candidates, cells, rest, &|| {
            let mut words = format!("{} has one combination left,", candidates.group(group));
            for rank in &ranks {
                words += &format!(" {}", candidates.digit(u32::from(*rank)));
            }
            StepReason::new(&[group], cells, words)
        });
    }
}

/// The ranks of tuples, ascending, where they are the same for all.
fn only_combination(mut tuples: ChunksExact<'_, u8>) -> Option<Vec<u8>> {
    let first = sorted(tuples.next()?);
    tuples.all(|tuple| sorted(tuple) == first).then_some(first)
}

fn find_all(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for OpenCage { group, cells, tuples } in candidates.open_cages() {
        let mut rest = candidates.frame.problem.all_digits();
        for rank in tuples.flatten() {
            rest &= !(1 << rank);
        }
        found.remove_from(candidates, cells, rest, &|| {
            let gone = candidates.any_of(candidates.union(cells) & rest);
            StepReason::new(
                &[group],
                cells,
                format!("no combination of {} has {gone}", candidates.group(group)),
            )
        });
    }
}

fn find_by_cell(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for OpenCage { group, cells, tuples } in candidates.open_cages() {
        let left = digits_by_cell(cells.len(), tuples);
        found.keep(candidates, cells, &left, &|| {
            let mut gone = Vec::new();
            for (cell, left) in cells.iter().zip(&left) {
                let digits = candidates.mask(*cell) & !left;
                if digits != 0 {
                    gone.push(format!("{} in {}", candidates.any_of(digits), candidates.name(*cell)));
                }
            }
            let words = format!("no combination of {} has {}", candidates.group(group), gone.join(", nor "));
            StepReason::new(&[group], cells, words)
        });
    }
}

/// The ranks of a tuple, ascending.
fn sorted(tuple: &[u8]) -> Vec<u8> {
    let mut ranks = tuple.to_vec();
    ranks.sort_unstable();
    ranks
}
