//! Two cages that meet one distinct group: their digits there must differ.

use crate::ladder::{Candidates, FoundSteps, Score, StepReason, Technique, digits_at, digits_by_cell};

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

impl CagePart {
    /// Says whether some combination of the part does without these digits.
    fn leaves(&self, digits: u32) -> bool {
        self.kinds.iter().any(|kind| kind & digits == 0)
    }
}

fn find(candidates: &Candidates<'_>, found: &mut FoundSteps) {
    let frame = candidates.frame;
    let mut cages_of: Vec<Vec<usize>> = vec![Vec::new(); frame.problem.groups()];
    for (index, cage) in frame.cages.iter().enumerate() {
        for group in frame.overlaps(*cage) {
            cages_of[*group].push(index);
        }
    }
    for group in &frame.distinct {
        let mut parts = Vec::new();
        for index in &cages_of[*group] {
            parts.extend(part(candidates, *index, *group));
        }
        for one in &parts {
            // In both orders: combinations are taken from the first of the two alone.
            for other in &parts {
                if are_apart(frame.cells(one.cage), frame.cells(other.cage)) {
                    compare(candidates, *group, one, other, found);
                }
            }
        }
    }
}

/// The part of a cage in a distinct group that two or more of its cells lie in, where these are not all filled in.
fn part(candidates: &Candidates<'_>, index: usize, group: usize) -> Option<CagePart> {
    let cage = candidates.frame.cages[index];
    let cells = candidates.frame.cells(cage);
    let inside = candidates.frame.positions_in(cage, group);
    // A single cell inside tells no more than its candidates; the group itself no more than it is.
    if inside.count_ones() < 2 || cage == group || cells.iter().all(|cell| candidates.is_filled(*cell)) {
        return None;
    }
    let tuples = candidates.tuples(index).known()?;
    let masks: Vec<u32> = tuples.map(|tuple| digits_at(tuple, inside)).collect();
    let mut kinds = masks.clone();
    kinds.sort_unstable();
    kinds.dedup();
    Some(CagePart { index, cage, masks, kinds })
}

/// Says whether two cages have no common cell, as the signs of a Futoshiki may have: there their digits are the same.
fn are_apart(cells: &[u16], others: &[u16]) -> bool {
    !cells.iter().any(|cell| others.contains(cell))
}

fn compare(
    candidates: &Candidates<'_>,
    group: usize,
    one: &CagePart,
    other: &CagePart,
    found: &mut FoundSteps,
) {
    // Many tuples have the same digits inside: each set of them is compared once.
    if one.kinds.iter().all(|kind| other.leaves(*kind)) {
        return;
    }
    let Some(tuples) = candidates.tuples(one.index).known() else { return };
    let cells = candidates.frame.cells(one.cage);
    let mut free = Vec::new();
    for (tuple, mask) in tuples.zip(&one.masks) {
        if other.leaves(*mask) {
            free.push(tuple);
        }
    }
    let left = digits_by_cell(cells.len(), free.into_iter());
    found.keep(candidates, cells, &left, &|| {
        let (place, cage) = (candidates.group(group), candidates.group(one.cage));
        let blocked = candidates.group(other.cage);
        let words = format!(
            "in {place}, some combinations of {cage} would leave {blocked} none, so they are impossible"
        );
        let ground = [cells, candidates.frame.cells(other.cage)].concat();
        StepReason::new(&[one.cage, other.cage, group], &ground, words)
    });
}
