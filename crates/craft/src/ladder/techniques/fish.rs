//! Fish: as many rows as they have columns together in which a digit can stand, and the reverse.

use crate::ladder::{Candidates, FoundSteps, Score, StepReason, Technique};
use kenga_core::problem::bits;
use kenga_core::puzzle::Role;

use super::areas::{are_apart, cells_of};
use super::subset::{for_covers, without};

pub static X_WING: Technique = Technique {
    name: "x_wing",
    about: "a digit with the same two columns in two rows leaves the rest of these columns; rows and columns may change places",
    source: "folklore of Sudoku players, as in Sudoku Explainer by N. Juillerat (2006-2007); one of the sets of Keen by S. Tatham, extreme",
    picture: "\
row A:  . 4 . 4        row A:  . 4 . 4
row B:  4 4 4 .        row B:  4 . 4 .
row C:  . 4 . 4        row C:  . 4 . 4",
    score: Score(50),
    of_cages: false,
    find: |candidates, found| find(2, candidates, found),
};

pub static SWORDFISH: Technique = Technique {
    name: "swordfish",
    about: "a digit with three columns together in three rows leaves the rest of these columns, and the reverse",
    source: "folklore of Sudoku players, as in Sudoku Explainer by N. Juillerat (2006-2007); one of the sets of Keen by S. Tatham, extreme",
    picture: "\
rows A, C and E hold 4 in columns 2, 4 and 6 only      no other row holds 4 there",
    score: Score(53),
    of_cages: false,
    find: |candidates, found| find(3, candidates, found),
};

pub static JELLYFISH: Technique = Technique {
    name: "jellyfish",
    about: "a digit with four columns together in four rows leaves the rest of these columns, and the reverse",
    source: "folklore of Sudoku players, as in Sudoku Explainer by N. Juillerat (2006-2007); one of the sets of Keen by S. Tatham, extreme",
    picture: "\
rows A, C, E and G hold 4 in columns 2, 4, 6 and 8 only      no other row holds 4 there",
    score: Score(56),
    of_cages: false,
    find: |candidates, found| find(4, candidates, found),
};

fn find(size: usize, candidates: &Candidates<'_>, found: &mut FoundSteps) {
    let rows = candidates.frame.houses_with(Role::Row);
    let columns = candidates.frame.houses_with(Role::Column);
    for rank in bits(candidates.frame.problem.all_digits()) {
        of_digit(size, rank, &rows, &columns, candidates, found);
        // Rows and columns may change places.
        of_digit(size, rank, &columns, &rows, candidates, found);
    }
}

fn of_digit(
    size: usize,
    rank: u32,
    bases: &[usize],
    covers: &[usize],
    candidates: &Candidates<'_>,
    found: &mut FoundSteps,
) {
    let crossed: Vec<u32> = bases.iter().map(|base| crossed(candidates, *base, rank, covers)).collect();
    for_covers(&crossed, size, &mut |chosen, crossed| {
        let chosen: Vec<usize> = chosen.iter().map(|index| bases[*index]).collect();
        // Bases with a common cell could share one digit.
        if !are_apart(candidates, &chosen) {
            return;
        }
        let covered: Vec<usize> = bits(crossed).map(|index| covers[index as usize]).collect();
        // In the bases the digit stays: there it takes all places of the covers.
        let ground = cells_of(candidates, &chosen);
        let rest = without(&cells_of(candidates, &covered), &ground);
        found.remove_from(candidates, &rest, 1 << rank, &|| {
            let (bases, covers) = (candidates.groups(&chosen), candidates.groups(&covered));
            let words = format!("in {bases}, {} stands only in {covers}", candidates.digit(rank));
            StepReason::new(&[&chosen[..], &covered].concat(), &ground, words)
        });
    });
}

/// The covers in which a digit of a base can stand, a mask of their indices; 0 where it can stand in none of them, too.
fn crossed(candidates: &Candidates<'_>, base: usize, rank: u32, covers: &[usize]) -> u32 {
    let mut crossed = 0;
    for cell in candidates.places(base, rank) {
        let mut is_covered = false;
        for (index, cover) in covers.iter().enumerate() {
            if candidates.frame.cells(*cover).contains(&cell) {
                crossed |= 1 << index;
                is_covered = true;
            }
        }
        // The digit may stand beside all covers: then they need not hold it in this base.
        if !is_covered {
            return 0;
        }
    }
    crossed
}
