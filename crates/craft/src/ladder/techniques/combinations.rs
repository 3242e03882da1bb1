//! The combinations of a cage: the digits that make its clue.

use crate::ladder::{Candidates, Found, Reason, Score, Technique, digits_by_cell};

pub static ONE_COMBINATION: Technique = Technique {
    name: "one_combination",
    about: "a cage with one combination of digits left holds no other digits",
    source: "Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), easy, where one combination is left",
    picture: "\
12* {1 2 3 4} {3 4}      {3 4} {3 4}",
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

fn find_one(candidates: &Candidates<'_>, found: &mut Found) {
    for_open_cages(candidates, |index, cage| {
        let mut tuples = candidates.tuples(index).known()?.map(sorted);
        let first = tuples.next()?;
        if tuples.any(|tuple| tuple != first) {
            return None;
        }
        let cells = candidates.frame.cells(cage);
        // Behind the ranks of the cells stand zeros, which are the rank of the first digit too.
        let ranks = &first[..cells.len()];
        let digits = ranks.iter().fold(0, |mask, rank| mask | 1 << rank);
        let rest = !digits & candidates.frame.problem.all_digits();
        found.remove(candidates, cells.iter().map(|cell| (*cell, rest)), || {
            let digits: Vec<String> =
                ranks.iter().map(|rank| candidates.digit(u32::from(*rank)).to_string()).collect();
            let words = format!("{} has one combination left, {}", candidates.group(cage), digits.join(" "));
            Reason::new([cage], cells, words)
        });
        Some(())
    });
}

fn find_all(candidates: &Candidates<'_>, found: &mut Found) {
    for_open_cages(candidates, |index, cage| {
        let any = candidates.tuples(index).known()?.flatten().fold(0, |mask, rank| mask | 1 << rank);
        let cells = candidates.frame.cells(cage);
        let rest = !any & candidates.frame.problem.all_digits();
        found.remove(candidates, cells.iter().map(|cell| (*cell, rest)), || {
            let gone = cells.iter().fold(0, |mask, cell| mask | candidates.mask(*cell)) & rest;
            let words =
                format!("no combination of {} has {}", candidates.group(cage), candidates.digits(gone));
            Reason::new([cage], cells, words)
        });
        Some(())
    });
}

fn find_by_cell(candidates: &Candidates<'_>, found: &mut Found) {
    for_open_cages(candidates, |index, cage| {
        let cells = candidates.frame.cells(cage);
        let masks = digits_by_cell(cells.len(), candidates.tuples(index).known()?);
        found.remove(candidates, cells.iter().zip(&masks).map(|(cell, mask)| (*cell, !mask)), || {
            let gone = |(cell, mask): (&u16, &u32)| {
                let gone = candidates.mask(*cell) & !mask;
                (gone != 0).then(|| format!("{} in {}", candidates.digits(gone), candidates.name(*cell)))
            };
            let gone: Vec<String> = cells.iter().zip(&masks).filter_map(gone).collect();
            let words = format!("no combination of {} has {}", candidates.group(cage), gone.join(", nor "));
            Reason::new([cage], cells, words)
        });
        Some(())
    });
}

/// Calls `visit` for every cage with an open cell, by its index and its group.
fn for_open_cages(candidates: &Candidates<'_>, mut visit: impl FnMut(usize, usize) -> Option<()>) {
    for (index, cage) in candidates.frame.cages.iter().enumerate() {
        if candidates.frame.cells(*cage).iter().any(|cell| !candidates.is_filled(*cell)) {
            _ = visit(index, *cage);
        }
    }
}

/// The ranks of a tuple, ascending, with 0 behind them.
fn sorted(tuple: &[u8]) -> [u8; 32] {
    let mut ranks = [0; 32];
    ranks[..tuple.len()].copy_from_slice(tuple);
    ranks[..tuple.len()].sort_unstable();
    ranks
}
