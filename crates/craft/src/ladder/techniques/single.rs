//! Singles: the last open cell of a house or cage, a cell with one candidate, a digit with one place.

use crate::ladder::{Candidates, FoundSteps, Score, StepReason, Technique};
use kenga_core::problem::bits;

pub static LAST_CELL: Technique = Technique {
    name: "last_cell",
    about: "the last open cell of a row, column, region or cage takes the digit that is left for it",
    source: "known to every player; the easiest of Sudoku Explainer by N. Juillerat (2006-2007), for houses alone",
    picture: "\
row A:  3 1 . 4      row A:  3 1 2 4",
    score: Score(10),
    of_cages: false,
    find: find_last,
};

pub static NAKED_SINGLE: Technique = Technique {
    name: "naked_single",
    about: "a cell with one candidate takes it",
    source: "Sudoku Explainer by N. Juillerat (2006-2007)",
    picture: "\
. {2} .      . 2 .",
    score: Score(12),
    of_cages: false,
    find: find_naked,
};

pub static HIDDEN_SINGLE: Technique = Technique {
    name: "hidden_single",
    about: "a digit with one place in a row, column or region goes there",
    source: "Sudoku Explainer by N. Juillerat (2006-2007)",
    picture: "\
{1 2} {2 3 4} {1 2} {2 3}      {1 2} 4 {1 2} {2 3}",
    score: Score(13),
    of_cages: false,
    find: find_hidden,
};

fn find_last(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    let frame = candidates.frame;
    for house in &frame.houses {
        let Some(cell) = only_open(candidates, *house) else { continue };
        let mask = candidates.mask(cell);
        if mask.is_power_of_two() {
            found.fill(candidates, cell, mask.trailing_zeros(), &|| {
                let words = format!("the last open cell of {}", candidates.group(*house));
                StepReason::new(&[*house], frame.cells(*house), words)
            });
        }
    }
    for cage in &frame.cages {
        let Some(cell) = only_open(candidates, *cage) else { continue };
        // The clue may settle what the candidates leave open.
        let Some(rank) = completion(candidates, *cage, cell) else { continue };
        found.fill(candidates, cell, rank, &|| {
            let words = if frame.cells(*cage).len() == 1 {
                "it is given".to_owned()
            } else {
                format!("the last open cell of {}, which no other digit completes", candidates.group(*cage))
            };
            StepReason::new(&[*cage], frame.cells(*cage), words)
        });
    }
}

/// The cell of a group that is open, where all others are filled in.
fn only_open(candidates: &Candidates<'_>, group: usize) -> Option<u16> {
    let mut only = None;
    for cell in candidates.frame.cells(group) {
        if candidates.is_filled(*cell) {
            continue;
        }
        if only.is_some() {
            return None;
        }
        only = Some(*cell);
    }
    only
}

/// The rank of the only candidate that completes a cage, where one alone does.
fn completion(candidates: &Candidates<'_>, cage: usize, cell: u16) -> Option<u32> {
    let clue = candidates.frame.problem.rule(cage).clue?;
    let mut digits = Vec::new();
    let mut place = 0;
    for (position, other) in candidates.frame.cells(cage).iter().enumerate() {
        if *other == cell {
            place = position;
        }
        // All others are filled in: each has one candidate.
        digits.push(candidates.digit(candidates.mask(*other).trailing_zeros()));
    }
    let mut only = None;
    for rank in bits(candidates.mask(cell)) {
        digits[place] = candidates.digit(rank);
        if !clue.holds(&digits) {
            continue;
        }
        if only.is_some() {
            return None;
        }
        only = Some(rank);
    }
    only
}

fn find_naked(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for cell in candidates.open_cells() {
        let mask = candidates.mask(cell);
        if mask.is_power_of_two() {
            found.fill(candidates, cell, mask.trailing_zeros(), &|| {
                StepReason::new(&[], &[cell], "no other candidate is left for it".to_owned())
            });
        }
    }
}

fn find_hidden(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    let frame = candidates.frame;
    for house in &frame.houses {
        // A digit with one place may be filled in there already.
        for rank in bits(candidates.once(frame.cells(*house))) {
            let cell = candidates.places(*house, rank).next().expect("the digit has one place");
            if !candidates.is_filled(cell) {
                found.fill(candidates, cell, rank, &|| {
                    let (digit, group) = (candidates.digit(rank), candidates.group(*house));
                    let words = format!("the only place for {digit} in {group}");
                    StepReason::new(&[*house], frame.cells(*house), words)
                });
            }
        }
    }
}
