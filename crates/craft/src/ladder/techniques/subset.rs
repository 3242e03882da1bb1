//! Subsets: cells of a group that have as many candidates together as there are cells (naked), or digits of a house that have as
//! many places together as there are digits (hidden). Of the digits of a house one part is naked where the rest is hidden.

use crate::ladder::{Candidates, FoundSteps, Score, StepReason, Technique};
use kenga_core::problem::bits;

pub static NAKED_PAIR: Technique = Technique {
    name: "naked_pair",
    about: "two cells of a distinct group with the same two candidates: these leave the rest of the group",
    source: "preemptive sets: J. F. Crook, \"A pencil-and-paper algorithm for solving Sudoku puzzles\", Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2} {1 2} {1 3 4}      {1 2} {1 2} {3 4}",
    score: Score(32),
    of_cages: false,
    find: |candidates, found| naked(2, candidates, found),
};

pub static NAKED_TRIPLE: Technique = Technique {
    name: "naked_triple",
    about: "three cells of a distinct group with three candidates together: these leave the rest of the group",
    source: "preemptive sets: J. F. Crook, \"A pencil-and-paper algorithm for solving Sudoku puzzles\", Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2} {2 3} {1 3} {3 4}      {1 2} {2 3} {1 3} {4}",
    score: Score(36),
    of_cages: false,
    find: |candidates, found| naked(3, candidates, found),
};

pub static NAKED_QUAD: Technique = Technique {
    name: "naked_quad",
    about: "four cells of a distinct group with four candidates together: these leave the rest of the group",
    source: "preemptive sets: J. F. Crook, \"A pencil-and-paper algorithm for solving Sudoku puzzles\", Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2} {2 3} {3 4} {1 4} {4 5}      {1 2} {2 3} {3 4} {1 4} {5}",
    score: Score(40),
    of_cages: false,
    find: |candidates, found| naked(4, candidates, found),
};

pub static HIDDEN_PAIR: Technique = Technique {
    name: "hidden_pair",
    about: "two digits with the same two places in a row, column or region: other digits leave these cells",
    source: "Sudoku Explainer by N. Juillerat (2006-2007); the complement of a preemptive set of J. F. Crook, Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2 3} {1 2 4} {3 4} {3 4}      {1 2} {1 2} {3 4} {3 4}",
    score: Score(34),
    of_cages: false,
    find: |candidates, found| hidden(2, candidates, found),
};

pub static HIDDEN_TRIPLE: Technique = Technique {
    name: "hidden_triple",
    about: "three digits with three places together in a row, column or region: other digits leave these cells",
    source: "Sudoku Explainer by N. Juillerat (2006-2007); the complement of a preemptive set of J. F. Crook, Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2 5} {2 3} {1 3 4} {4 5} {4 5}      {1 2} {2 3} {1 3} {4 5} {4 5}",
    score: Score(38),
    of_cages: false,
    find: |candidates, found| hidden(3, candidates, found),
};

pub static HIDDEN_QUAD: Technique = Technique {
    name: "hidden_quad",
    about: "four digits with four places together in a row, column or region: other digits leave these cells",
    source: "Sudoku Explainer by N. Juillerat (2006-2007); the complement of a preemptive set of J. F. Crook, Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2 5} {2 3} {3 4} {1 4 6} {5 6} {5 6}      {1 2} {2 3} {3 4} {1 4} {5 6} {5 6}",
    score: Score(42),
    of_cages: false,
    find: |candidates, found| hidden(4, candidates, found),
};

fn naked(size: usize, candidates: &Candidates<'_>, found: &mut FoundSteps) {
    for group in &candidates.frame.distinct {
        let cells = candidates.frame.cells(*group);
        let masks: Vec<u32> = cells.iter().map(|cell| candidates.mask(*cell)).collect();
        for_covers(&masks, size, &mut |chosen, digits| {
            let subset: Vec<u16> = chosen.iter().map(|index| cells[*index]).collect();
            // The cells of the subset use all its digits up.
            found.remove_from(candidates, &without(cells, &subset), digits, &|| {
                let (names, digits) = (candidates.names(&subset), candidates.digits(digits));
                let words = format!("in {}, {names} can hold only {digits}", candidates.group(*group));
                StepReason::new(&[*group], &subset, words)
            });
        });
    }
}

fn hidden(size: usize, candidates: &Candidates<'_>, found: &mut FoundSteps) {
    let ranks: Vec<u32> = bits(candidates.frame.problem.all_digits()).collect();
    for house in &candidates.frame.houses {
        let cells = candidates.frame.cells(*house);
        // For every digit the positions of the cells that may hold it.
        let mut places = vec![0; ranks.len()];
        for (position, cell) in cells.iter().enumerate() {
            for (index, rank) in ranks.iter().enumerate() {
                places[index] |= (candidates.mask(*cell) >> rank & 1) << position;
            }
        }
        for_covers(&places, size, &mut |chosen, positions| {
            // The masks are of positions here: digits and places have changed roles.
            let mut digits = 0;
            for index in chosen {
                digits |= 1 << ranks[*index];
            }
            let held: Vec<u16> = bits(positions).map(|position| cells[position as usize]).collect();
            found.remove_from(candidates, &held, !digits, &|| {
                let (names, digits) = (candidates.names(&held), candidates.digits(digits));
                let words = format!("in {}, {digits} fit only in {names}", candidates.group(*house));
                StepReason::new(&[*house], cells, words)
            });
        });
    }
}

/// The cells that are not among others.
pub fn without(cells: &[u16], others: &[u16]) -> Vec<u16> {
    cells.iter().copied().filter(|cell| !others.contains(cell)).collect()
}

/// Calls `visit` with every choice of `size` masks of 2 to `size` bits that have `size` bits together: their indices, and the bits.
/// Choices are in lexical order.
pub fn for_covers(masks: &[u32], size: usize, visit: &mut dyn FnMut(&[usize], u32)) {
    let mut few: Vec<usize> = (0..masks.len()).collect();
    // A single is found by cheaper techniques, and a wide mask is in no choice.
    few.retain(|index| (2..=size as u32).contains(&masks[*index].count_ones()));
    if few.len() >= size {
        choose(masks, &few, size, 0, &mut Vec::with_capacity(size), visit);
    }
}

fn choose(
    masks: &[u32],
    open: &[usize],
    size: usize,
    union: u32,
    chosen: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], u32),
) {
    if chosen.len() == size {
        return visit(chosen, union);
    }
    for (place, index) in open.iter().enumerate() {
        let union = union | masks[*index];
        // More bits than there are to be: no further choice takes one back.
        if union.count_ones() as usize <= size {
            chosen.push(*index);
            choose(masks, &open[place + 1..], size, union, chosen, visit);
            chosen.pop();
        }
    }
}
