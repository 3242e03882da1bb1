//! Claiming: a digit that a line can hold only inside a cage is one of the cage's there.

use crate::craft::ladder::{Candidates, Found, Ground, Score, Technique, digits_at, digits_by_cell};

use super::pointing::lines_of;

pub static CLAIMING: Technique = Technique {
    name: "claiming",
    about: "a digit that a line can hold only inside a cage is in every combination of the cage there",
    source: "",
    picture: "\
row:  7+ {1 2 3} {4 5 6} | {1 2} {2 5} …, 6 nowhere else      7+ {1} {6} | …",
    score: Score(60),
    find,
};

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    for (index, cage) in candidates.frame.cages.iter().enumerate() {
        for line in
            lines_of(candidates, *cage).into_iter().filter(|line| candidates.frame.houses.contains(line))
        {
            claim(candidates, index, *cage, line, found);
        }
    }
}

fn claim(candidates: &Candidates<'_>, index: usize, cage: usize, line: usize, found: &mut Found) {
    let (cells, others) = (candidates.frame.cells(cage), candidates.frame.cells(line));
    let Some(tuples) = candidates.tuples(index).known() else { return };
    let outside = others.iter().filter(|cell| !cells.contains(cell));
    let open = outside.fold(0, |mask, cell| mask | candidates.mask(*cell));
    let claimed = candidates.frame.problem.all_digits() & !open;
    if claimed == 0 || cells.iter().all(|cell| candidates.is_filled(*cell)) {
        return;
    }
    let inside = candidates.frame.positions_in(cage, line);
    let left = tuples.filter(|tuple| claimed & !digits_at(tuple, inside) == 0);
    let masks = digits_by_cell(cells.len(), left);
    let removes = cells.iter().zip(&masks).map(|(cell, mask)| (*cell, !mask));
    let ground: Vec<u16> = others.iter().chain(cells).copied().collect();
    found.remove(candidates, removes, &Ground(&[cage, line], &ground), || {
        let (line, cage, digits) =
            (candidates.group(line), candidates.group(cage), candidates.digits(claimed));
        format!("{line} can hold {digits} only in {cage}, and combinations without go")
    });
}
