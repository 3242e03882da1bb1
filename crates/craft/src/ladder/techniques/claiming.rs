//! Claiming: a digit that a house can hold only inside a cage is one of the cage's there.

use crate::ladder::{Candidates, Found, Reason, Score, Technique, digits_at, digits_by_cell};

pub static CLAIMING: Technique = Technique {
    name: "claiming",
    about: "a digit that a house can hold only inside a cage is in every combination of the cage there",
    source: "the claiming of Sudoku Explainer by N. Juillerat (2006-2007), with cages for regions",
    picture: "\
row:  7+ {1 2 3} {4 5 6} | {1 2} {2 5} …, 6 nowhere else      7+ {1} {6} | …",
    score: Score(60),
    of_cages: true,
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    let frame = candidates.frame;
    for (index, cage) in frame.cages.iter().enumerate() {
        for house in frame.crossings(*cage).iter().filter(|group| frame.is_house(**group)) {
            claim(candidates, index, *cage, *house, found);
        }
    }
}

fn claim(candidates: &Candidates<'_>, index: usize, cage: usize, house: usize, found: &mut Found) {
    let (cells, others) = (candidates.frame.cells(cage), candidates.frame.cells(house));
    let Some(tuples) = candidates.tuples(index).known() else { return };
    let outside = others.iter().filter(|cell| !cells.contains(cell));
    let open = outside.fold(0, |mask, cell| mask | candidates.mask(*cell));
    let claimed = candidates.frame.problem.all_digits() & !open;
    if claimed == 0 || cells.iter().all(|cell| candidates.is_filled(*cell)) {
        return;
    }
    let inside = candidates.frame.positions_in(cage, house);
    let left = tuples.filter(|tuple| claimed & !digits_at(tuple, inside) == 0);
    let masks = digits_by_cell(cells.len(), left);
    found.remove(candidates, cells.iter().zip(&masks).map(|(cell, mask)| (*cell, !mask)), || {
        let digits = candidates.digits(claimed);
        let words = format!(
            "{} can hold {digits} only in {}, and combinations without {digits} there go",
            candidates.group(house),
            candidates.group(cage)
        );
        Reason::new([cage, house], [others, cells].concat(), words)
    });
}
