//! Two cages that meet one distinct group: their digits there must differ.

use crate::ladder::{Candidates, Found, Reason, Score, Technique, digits_at, digits_by_cell};

pub static TWO_CAGES: Technique = Technique {
    name: "two_cages",
    about: "a combination of a cage goes when every combination of another repeats one of its digits in a distinct group",
    source: "kenga's own",
    picture: "\
row:  7+ {1 2 5 6}, 3- {1 2 4 5}      7+ with 5 2 goes: 3- would have 1 4, 2 5 or 5 2",
    score: Score(62),
    of_cages: true,
    find,
};

/// A part of a cage in a distinct group.
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
    let frame = candidates.frame;
    let mut cages_of: Vec<Vec<usize>> = vec![Vec::new(); frame.problem.groups()];
    for (index, cage) in frame.cages.iter().enumerate() {
        frame.overlaps(*cage).iter().for_each(|group| cages_of[*group].push(index));
    }
    for group in &frame.distinct {
        let cages = cages_of[*group].iter();
        let parts: Vec<CagePart> = cages.filter_map(|index| part(candidates, *index, *group)).collect();
        for one in &parts {
            for other in parts.iter().filter(|other| are_apart(candidates, one, other)) {
                compare(candidates, *group, one, other, found);
            }
        }
    }
}

/// Says whether two cages have no common cell, as the signs of a Futoshiki may have: there their digits are the same.
fn are_apart(candidates: &Candidates<'_>, one: &CagePart, other: &CagePart) -> bool {
    let cells = candidates.frame.cells(other.cage);
    !candidates.frame.cells(one.cage).iter().any(|cell| cells.contains(cell))
}

/// The part of a cage in a distinct group that two or more of its cells lie in, where these are not all filled in.
fn part(candidates: &Candidates<'_>, index: usize, group: usize) -> Option<CagePart> {
    let cage = candidates.frame.cages[index];
    let cells = candidates.frame.cells(cage);
    let inside = candidates.frame.positions_in(cage, group);
    if inside.count_ones() < 2 || cage == group || cells.iter().all(|cell| candidates.is_filled(*cell)) {
        return None;
    }
    let digits = |tuple: &[u8]| digits_at(tuple, inside);
    let masks: Vec<u32> = candidates.tuples(index).known()?.map(digits).collect();
    let mut kinds = masks.clone();
    kinds.sort_unstable();
    kinds.dedup();
    Some(CagePart { index, cage, masks, kinds })
}

fn compare(candidates: &Candidates<'_>, group: usize, one: &CagePart, other: &CagePart, found: &mut Found) {
    let is_free = |mask: u32| other.kinds.iter().any(|kind| kind & mask == 0);
    if one.kinds.iter().all(|kind| is_free(*kind)) {
        return;
    }
    let Some(tuples) = candidates.tuples(one.index).known() else { return };
    let cells = candidates.frame.cells(one.cage);
    let free = tuples.zip(&one.masks).filter(|(_, mask)| is_free(**mask)).map(|(tuple, _)| tuple);
    let left = digits_by_cell(cells.len(), free);
    found.remove(candidates, cells.iter().zip(&left).map(|(cell, mask)| (*cell, !mask)), || {
        let [place, cage, blocked] = [group, one.cage, other.cage].map(|group| candidates.group(group));
        let words = format!("in {place}, some combinations of {cage} leave none for {blocked} and go");
        let ground = [cells, candidates.frame.cells(other.cage)].concat();
        Reason::new([one.cage, other.cage, group], ground, words)
    });
}
