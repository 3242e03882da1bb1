//! Why cells of a line cannot all be different: a set of cells with fewer digits than cells.
//!
//! For a removed candidate, the cell is given the digit and the others are matched without it; the matching fails at a
//! cell from which no chain of moves leads to a free digit. The cells on these chains, and the digits that they still
//! have, are the set (P. Hall, 1935; explanations from it: C. Downing, T. Feydy, P. J. Stuckey, "Explaining
//! alldifferent", ACSC 2012).

use crate::problem::{bits, full_mask};

use super::super::literals::Literal;
use super::{Before, Deed};

/// Cells to be matched to digits.
struct Matching {
    masks: Vec<u32>,
    owner: [usize; 32],
    used: u32,
}

/// Adds that the cells of a set have none but its digits; and that two cells have the same digit, where that is all.
pub(super) fn explain(cells: &[u16], before: Before, deed: Deed, out: &mut Vec<Literal>) {
    let (apart, taken) = match deed {
        Deed::Removed(cell, rank) => (Some(cell), 1 << rank),
        Deed::Failed(_) => (None, 0),
    };
    let others: Vec<u16> = cells.iter().copied().filter(|cell| Some(*cell) != apart).collect();
    if same_digit(&others, before, taken, out) {
        return;
    }
    let masks = others.iter().map(|cell| before.mask(*cell) & !taken).collect();
    let mut matching = Matching { masks, owner: [0; 32], used: 0 };
    for index in 0..others.len() {
        let mut tried = 0;
        if !matching.augment(index, &mut tried) {
            let gone = full_mask(before.known.digits()) & !tried & !taken;
            before.add_lost(others[index], gone, out);
            for rank in bits(tried) {
                before.add_lost(others[matching.owner[rank as usize]], gone, out);
            }
            return;
        }
    }
    unreachable!("a line does nothing to cells that can all be different");
}

/// Adds the assignment that takes the digit, or two of the same digit.
fn same_digit(cells: &[u16], before: Before, taken: u32, out: &mut Vec<Literal>) -> bool {
    let mut seen = taken;
    for cell in cells {
        let Some(rank) = before.assigned(*cell) else { continue };
        if seen & 1 << rank != 0 {
            let twin = cells.iter().find(|other| before.assigned(**other) == Some(rank));
            out.extend(twin.into_iter().chain([cell]).map(|cell| before.known.is(*cell, rank)));
            return true;
        }
        seen |= 1 << rank;
    }
    false
}

impl Matching {
    fn augment(&mut self, index: usize, tried: &mut u32) -> bool {
        while self.masks[index] & !*tried != 0 {
            let free = self.masks[index] & !*tried & !self.used;
            let open = if free != 0 { free } else { self.masks[index] & !*tried };
            let rank = open.trailing_zeros();
            *tried |= 1 << rank;
            if free != 0 || self.augment(self.owner[rank as usize], tried) {
                self.owner[rank as usize] = index;
                self.used |= 1 << rank;
                return true;
            }
        }
        false
    }
}
