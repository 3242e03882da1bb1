//! Naked subsets: cells of a group that have as many candidates together as there are cells.

use crate::ladder::{Candidates, Found, Reason, Score, Technique};

use super::cover::for_covers;

pub static PAIR: Technique = Technique {
    name: "naked_pair",
    about: "two cells of a distinct group with the same two candidates: these leave the rest of the group",
    source: "preemptive sets: J. F. Crook, \"A pencil-and-paper algorithm for solving Sudoku puzzles\", Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2} {1 2} {1 3 4}      {1 2} {1 2} {3 4}",
    score: Score(32),
    of_cages: false,
    find: |candidates, found| find(2, candidates, found),
};

pub static TRIPLE: Technique = Technique {
    name: "naked_triple",
    about: "three cells of a distinct group with three candidates together: these leave the rest of the group",
    source: "preemptive sets: J. F. Crook, \"A pencil-and-paper algorithm for solving Sudoku puzzles\", Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2} {2 3} {1 3} {3 4}      {1 2} {2 3} {1 3} {4}",
    score: Score(36),
    of_cages: false,
    find: |candidates, found| find(3, candidates, found),
};

pub static QUAD: Technique = Technique {
    name: "naked_quad",
    about: "four cells of a distinct group with four candidates together: these leave the rest of the group",
    source: "preemptive sets: J. F. Crook, \"A pencil-and-paper algorithm for solving Sudoku puzzles\", Notices of the AMS 56 (2009), 460",
    picture: "\
{1 2} {2 3} {3 4} {1 4} {4 5}      {1 2} {2 3} {3 4} {1 4} {5}",
    score: Score(40),
    of_cages: false,
    find: |candidates, found| find(4, candidates, found),
};

fn find(size: u32, candidates: &Candidates<'_>, found: &mut Found) {
    for group in &candidates.frame.distinct {
        let cells = candidates.frame.cells(*group);
        let open: Vec<(u16, u32)> = cells.iter().map(|cell| (*cell, candidates.mask(*cell))).collect();
        for_covers(&open, size, &mut |subset, digits| {
            let rest = cells.iter().copied().filter(|cell| !subset.contains(cell));
            found.remove(candidates, rest.map(|cell| (cell, digits)), || {
                let (names, digits) = (candidates.names(subset.iter().copied()), candidates.digits(digits));
                let words = format!("in {}, {names} hold {digits} among them", candidates.group(*group));
                Reason::new([*group], subset, words)
            });
        });
    }
}
