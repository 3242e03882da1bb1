//! Forcing: whatever a cell holds, or wherever a digit of a house stands, leads to the same.
//!
//! Each choice is followed with singles and combinations ([`Candidates::settle`]). What no choice leaves goes.

use crate::ladder::{Candidates, FoundSteps, Placement, Score, StepReason, Technique};
use kenga_core::problem::bits;

pub static CELL: Technique = Technique {
    name: "cell_forcing",
    about: "whatever candidate a cell holds, singles and combinations lead to the same conclusion",
    source: "cell forcing chains of Sudoku Explainer by N. Juillerat (2006-2007), with cages",
    picture: "\
A1 {2 5}:  2 leads to C4 = 3, 5 leads to C4 = 3:  C4 is 3",
    score: Score(72),
    of_cages: false,
    find: find_cells,
};

pub static LINE: Technique = Technique {
    name: "line_forcing",
    about: "wherever a digit of a house stands, singles and combinations lead to the same conclusion",
    source: "region forcing chains of Sudoku Explainer by N. Juillerat (2006-2007), with cages",
    picture: "\
4 in row A at A2 or A5:  either leads to C4 = 3:  C4 is 3",
    score: Score(74),
    of_cages: false,
    find: find_houses,
};

/// The most choices that are followed.
const MOST_CHOICES: u32 = 4;

fn find_cells(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for cell in candidates.open_cells() {
        let mask = candidates.mask(cell);
        // The first that leads to something will do: to follow a choice is dear.
        if mask.count_ones() <= MOST_CHOICES && found.is_empty() {
            let choices: Vec<Placement> = bits(mask).map(|rank| Placement { cell, rank }).collect();
            follow(candidates, &choices, found, &|| {
                format!("whether {} is {}", candidates.name(cell), candidates.any_of(mask))
            });
        }
    }
}

fn find_houses(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for house in &candidates.frame.houses {
        for rank in bits(candidates.frame.problem.all_digits()) {
            let places = candidates.places(*house, rank);
            let choices: Vec<Placement> = places.map(|cell| Placement { cell, rank }).collect();
            if (2..=MOST_CHOICES as usize).contains(&choices.len()) && found.is_empty() {
                follow(candidates, &choices, found, &|| {
                    let cells: Vec<u16> = candidates.places(*house, rank).collect();
                    let cells = candidates.names(&cells).replace(" and ", " or ");
                    let (digit, group) = (candidates.digit(rank), candidates.group(*house));
                    format!("whether the {digit} of {group} is at {cells}")
                });
            }
        }
    }
}

/// Follows every choice, and removes what none of them leaves.
fn follow(
    candidates: &Candidates<'_>,
    choices: &[Placement],
    found: &mut FoundSteps,
    words: &dyn Fn() -> String,
) {
    let mut left = vec![0; candidates.masks().len()];
    for Placement { cell, rank } in choices {
        if !candidates.frame.may_try() {
            return;
        }
        let mut after = candidates.clone();
        after.fill(*cell, *rank);
        // A choice that contradicts itself leaves nothing: the others decide.
        if after.settle() {
            for (left, mask) in left.iter_mut().zip(after.masks()) {
                *left |= mask;
            }
        }
    }
    // What is left after one choice at least may stay.
    let all: Vec<u16> = (0..left.len() as u16).collect();
    found.keep(candidates, &all, &left, &|| {
        let cells: Vec<u16> = choices.iter().map(|choice| choice.cell).collect();
        StepReason::new(&candidates.frame.all_groups(), &cells, format!("{}, the same follows", words()))
    });
}
