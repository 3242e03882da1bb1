//! Two cages in one line: their digits there must differ.

use crate::craft::ladder::{Candidates, Found, Ground, Score, Technique, digits_at, digits_by_cell};

pub static TWO_CAGES: Technique = Technique {
    name: "two_cages",
    about: "a combination of a cage goes when every combination of another repeats one of its digits in a line",
    source: "",
    picture: "\
row:  7+ {1 2 5 6}, 3- {1 2 4 5}      7+ with 5 2 goes: 3- would have 1 4, 2 5 or 5 2",
    score: Score(62),
    find,
};

/// A part of a cage in a line.
struct CagePart {
    /// The cage among those of the frame, and its group.
    index: usize,
    cage: usize,
    /// The digits there of each tuple, masks of ranks.
    masks: Vec<u32>,
    /// The same, each once.
    kinds: Vec<u32>,
}

fn find(candidates: &Candidates<'_>, found: &mut Found) {
    for line in &candidates.frame.distinct {
        let parts: Vec<CagePart> =
            (0..candidates.frame.cages.len()).filter_map(|index| part(candidates, index, *line)).collect();
        for one in &parts {
            for other in parts.iter().filter(|other| are_apart(candidates, one, other)) {
                compare(candidates, *line, one, other, found);
            }
        }
    }
}

/// Says whether two cages have no common cell, as the signs of a Futoshiki may have: there their digits are the same.
fn are_apart(candidates: &Candidates<'_>, one: &CagePart, other: &CagePart) -> bool {
    let cells = candidates.frame.cells(other.cage);
    !candidates.frame.cells(one.cage).iter().any(|cell| cells.contains(cell))
}

/// The part of a cage in a line, where two or more cells of the cage lie there, not all filled in.
fn part(candidates: &Candidates<'_>, index: usize, line: usize) -> Option<CagePart> {
    let cage = candidates.frame.cages[index];
    let cells = candidates.frame.cells(cage);
    let inside = candidates.frame.positions_in(cage, line);
    if inside.count_ones() < 2 || cage == line || cells.iter().all(|cell| candidates.is_filled(*cell)) {
        return None;
    }
    let digits = |tuple: &[u8]| digits_at(tuple, inside);
    let masks: Vec<u32> = candidates.tuples(index).known()?.map(digits).collect();
    let mut kinds = masks.clone();
    kinds.sort_unstable();
    kinds.dedup();
    Some(CagePart { index, cage, masks, kinds })
}

fn compare(candidates: &Candidates<'_>, line: usize, one: &CagePart, other: &CagePart, found: &mut Found) {
    let is_free = |mask: u32| other.kinds.iter().any(|kind| kind & mask == 0);
    if one.kinds.iter().all(|kind| is_free(*kind)) {
        return;
    }
    let Some(tuples) = candidates.tuples(one.index).known() else { return };
    let cells = candidates.frame.cells(one.cage);
    let free = tuples.zip(&one.masks).filter(|(_, mask)| is_free(**mask)).map(|(tuple, _)| tuple);
    let left = digits_by_cell(cells.len(), free);
    let removes = cells.iter().zip(&left).map(|(cell, mask)| (*cell, !mask));
    let ground: Vec<u16> = cells.iter().chain(candidates.frame.cells(other.cage)).copied().collect();
    found.remove(candidates, removes, &Ground(&[one.cage, other.cage, line], &ground), || {
        let (line, cage, other) =
            (candidates.group(line), candidates.group(one.cage), candidates.group(other.cage));
        format!("in {line}, some combinations of {cage} leave none for {other} and go")
    });
}
