//! No digit twice, the cheap part: naked and hidden singles.
//!
//! Consistency: a digit of an assigned cell leaves the other cells of the group; a digit that a full group (as many cells
//! as digits, so that each occurs) has left in one cell only is that cell's. Less than
//! the whole rule in [`distinct`](super::distinct), at a fraction of its cost, and most of what it finds. Idempotent.
//! Cost: O(cells) operations on masks a round; a round more for every batch of cells that become assigned.
//!
//! Source: forward checking (R. M. Haralick, G. L. Elliott, "Increasing tree search efficiency for constraint
//! satisfaction problems", 1980, doi:10.1016/0004-3702(80)90051-X) with the dual rule on digits.

use super::space::{Conflict, Space};

/// Applies both rules to the cells of a distinct group until neither removes a candidate; `due` are all digits where
/// each must occur, else none.
pub(super) fn propagate(cells: &[u16], due: u32, space: &mut Space) -> Result<(), Conflict> {
    loop {
        let Seen { taken, open, once, twice } = look(cells, space)?;
        let hidden = due & !twice & !taken;
        if due & !once != 0 {
            return Err(Conflict);
        }
        if open & taken | hidden == 0 {
            return Ok(());
        }
        for cell in cells {
            let mask = space.mask(*cell);
            if !mask.is_power_of_two() {
                space.keep(*cell, allowed(mask, taken, hidden)?)?;
            }
        }
    }
}

/// What an open cell may hold beside digits that are taken, and that no other cell can hold.
fn allowed(mask: u32, taken: u32, hidden: u32) -> Result<u32, Conflict> {
    match mask & hidden {
        0 => Ok(!taken),
        own if own.is_power_of_two() => Ok(own),
        _ => Err(Conflict),
    }
}

/// What one look at a group tells: the digits of assigned cells, the candidates of the open ones, the digits that one
/// cell or more may hold, and two or more.
struct Seen {
    taken: u32,
    open: u32,
    once: u32,
    twice: u32,
}

fn look(cells: &[u16], space: &Space) -> Result<Seen, Conflict> {
    let mut seen = Seen { taken: 0, open: 0, once: 0, twice: 0 };
    let mut doubled = 0;
    for cell in cells {
        let mask = space.mask(*cell);
        let assigned = if mask.is_power_of_two() { mask } else { 0 };
        doubled |= seen.taken & assigned;
        seen.taken |= assigned;
        seen.open |= mask ^ assigned;
        seen.twice |= seen.once & mask;
        seen.once |= mask;
    }
    if doubled == 0 { Ok(seen) } else { Err(Conflict) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(masks: &[u32], all: u32) -> Result<Vec<u32>, Conflict> {
        let mut space = Space::new(masks, 1);
        let cells: Vec<u16> = (0..masks.len() as u16).collect();
        let full = all.count_ones() as usize == masks.len();
        propagate(&cells, if full { all } else { 0 }, &mut space)?;
        Ok(cells.iter().map(|cell| space.mask(*cell)).collect())
    }

    #[test]
    fn a_digit_of_an_assigned_cell_leaves_the_others() {
        assert_eq!(left(&[0b0001, 0b0011, 0b0111], 0b1111), Ok(vec![0b0001, 0b0010, 0b0100]));
        assert_eq!(left(&[0b01, 0b01], 0b1111), Err(Conflict));
    }

    #[test]
    fn a_digit_with_one_cell_left_is_placed_where_all_must_occur() {
        assert_eq!(left(&[0b011, 0b111, 0b011], 0b111), Ok(vec![0b011, 0b100, 0b011]));
        assert_eq!(left(&[0b0011, 0b0111, 0b0011], 0b1111), Ok(vec![0b0011, 0b0111, 0b0011]));
        assert_eq!(left(&[0b011, 0b011, 0b011], 0b111), Err(Conflict));
    }

    #[test]
    fn two_digits_that_need_the_same_cell_conflict() {
        assert_eq!(left(&[0b0011, 0b0011, 0b0011, 0b1111], 0b1111), Err(Conflict));
    }
}
