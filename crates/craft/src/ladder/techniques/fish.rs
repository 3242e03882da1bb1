//! Fish: as many rows as they have columns together in which a digit can stand, and the reverse.

use crate::ladder::{Candidates, Found, Reason, Score, Technique};
use kenga_core::problem::{bits, mask_of};
use kenga_core::puzzle::Role;

use super::areas::are_apart;
use super::cover::for_covers;

pub static X_WING: Technique = Technique {
    name: "x_wing",
    about: "a digit with the same two columns in two rows leaves the rest of these columns; rows and columns may change places",
    source: "folklore of Sudoku players, as in Sudoku Explainer by N. Juillerat (2006-2007); one of the sets of Keen by S. Tatham, extreme",
    picture: "\
row 1:  . 4 . 4        row 1:  . 4 . 4
row 2:  4 4 4 .        row 2:  4 . 4 .
row 3:  . 4 . 4        row 3:  . 4 . 4",
    score: Score(50),
    of_cages: false,
    find: |candidates, found| find(2, candidates, found),
};

pub static SWORDFISH: Technique = Technique {
    name: "swordfish",
    about: "a digit with three columns together in three rows leaves the rest of these columns, and the reverse",
    source: "folklore of Sudoku players, as in Sudoku Explainer by N. Juillerat (2006-2007); one of the sets of Keen by S. Tatham, extreme",
    picture: "\
rows 1, 3 and 5 hold 4 in columns 2, 4 and 6 only      no other row holds 4 there",
    score: Score(53),
    of_cages: false,
    find: |candidates, found| find(3, candidates, found),
};

pub static JELLYFISH: Technique = Technique {
    name: "jellyfish",
    about: "a digit with four columns together in four rows leaves the rest of these columns, and the reverse",
    source: "folklore of Sudoku players, as in Sudoku Explainer by N. Juillerat (2006-2007); one of the sets of Keen by S. Tatham, extreme",
    picture: "\
rows 1, 3, 5 and 7 hold 4 in columns 2, 4, 6 and 8 only      no other row holds 4 there",
    score: Score(56),
    of_cages: false,
    find: |candidates, found| find(4, candidates, found),
};

fn find(size: u32, candidates: &Candidates<'_>, found: &mut Found) {
    let houses = |role| candidates.frame.houses_with(role).collect::<Vec<usize>>();
    let (rows, columns) = (houses(Role::Row), houses(Role::Column));
    for rank in bits(candidates.frame.problem.all_digits()) {
        for (bases, covers) in [(&rows, &columns), (&columns, &rows)] {
            of_digit(size, rank, bases, covers, candidates, found);
        }
    }
}

fn of_digit(
    size: u32,
    rank: u32,
    bases: &[usize],
    covers: &[usize],
    candidates: &Candidates<'_>,
    found: &mut Found,
) {
    let frame = candidates.frame;
    let crossed = |base: usize| {
        let holds =
            |cover: &usize| candidates.places(base, rank).any(|cell| frame.cells(*cover).contains(&cell));
        let is_covered = |cell: u16| covers.iter().any(|cover| frame.cells(*cover).contains(&cell));
        if !candidates.places(base, rank).all(is_covered) {
            return 0;
        }
        mask_of((0..covers.len()).filter(|index| holds(&covers[*index])).map(|index| index as u32))
    };
    let items: Vec<(usize, u32)> = bases.iter().map(|base| (*base, crossed(*base))).collect();
    for_covers(&items, size, &mut |chosen, crossed| {
        if !are_apart(candidates, chosen) {
            return;
        }
        let covered: Vec<usize> = bits(crossed).map(|index| covers[index as usize]).collect();
        let is_base = |cell: &u16| chosen.iter().any(|base| frame.cells(*base).contains(cell));
        let cells = covered.iter().flat_map(|cover| frame.cells(*cover)).copied();
        let removes = cells.filter(|cell| !is_base(cell)).map(|cell| (cell, 1 << rank));
        found.remove(candidates, removes, || {
            let ground: Vec<u16> = chosen.iter().flat_map(|base| frame.cells(*base)).copied().collect();
            let names = |groups: &[usize]| candidates.groups(groups.iter().copied());
            let digit = candidates.digit(rank);
            let words = format!("in {}, {digit} stands only in {}", names(chosen), names(&covered));
            Reason::new([chosen, &covered].concat(), ground, words)
        });
    });
}
