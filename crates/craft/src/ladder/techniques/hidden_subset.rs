//! Hidden subsets: digits of a house that have as many places together as there are digits.

use crate::ladder::{Candidates, Found, Reason, Score, Technique};
use kenga_core::problem::{bits, mask_of};

use super::cover::for_covers;

pub static PAIR: Technique = Technique {
    name: "hidden_pair",
    about: "two digits with the same two places in a row, column or region: other digits leave these cells",
    source: "Sudoku Explainer by N. Juillerat (2006-2007); the complement of a preemptive set of J. F. Crook, Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2 3} {1 2 4} {3 4} {3 4}      {1 2} {1 2} {3 4} {3 4}",
    score: Score(34),
    of_cages: false,
    find: |candidates, found| find(2, candidates, found),
};

pub static TRIPLE: Technique = Technique {
    name: "hidden_triple",
    about: "three digits with three places together in a row, column or region: other digits leave these cells",
    source: "Sudoku Explainer by N. Juillerat (2006-2007); the complement of a preemptive set of J. F. Crook, Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2 5} {2 3} {1 3 4} {4 5} {4 5}      {1 2} {2 3} {1 3} {4 5} {4 5}",
    score: Score(38),
    of_cages: false,
    find: |candidates, found| find(3, candidates, found),
};

pub static QUAD: Technique = Technique {
    name: "hidden_quad",
    about: "four digits with four places together in a row, column or region: other digits leave these cells",
    source: "Sudoku Explainer by N. Juillerat (2006-2007); the complement of a preemptive set of J. F. Crook, Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2 5} {2 3} {3 4} {1 4 6} {5 6} {5 6}      {1 2} {2 3} {3 4} {1 4} {5 6} {5 6}",
    score: Score(42),
    of_cages: false,
    find: |candidates, found| find(4, candidates, found),
};

fn find(size: u32, candidates: &Candidates<'_>, found: &mut Found) {
    for house in &candidates.frame.houses {
        let cells = candidates.frame.cells(*house);
        let places = |rank: u32| {
            let open = cells.iter().enumerate().filter(|(_, cell)| candidates.mask(**cell) >> rank & 1 == 1);
            mask_of(open.map(|(position, _)| position as u32))
        };
        let all = bits(candidates.frame.problem.all_digits());
        let digits: Vec<(u32, u32)> = all.map(|rank| (rank, places(rank))).collect();
        for_covers(&digits, size, &mut |subset, positions| {
            let digits = mask_of(subset.iter().copied());
            let held: Vec<u16> = bits(positions).map(|position| cells[position as usize]).collect();
            found.remove(candidates, held.iter().map(|cell| (*cell, !digits)), || {
                let (names, digits) = (candidates.names(held.iter().copied()), candidates.digits(digits));
                let words = format!("in {}, {digits} have no places but {names}", candidates.group(*house));
                Reason::new([*house], cells, words)
            });
        });
    }
}
