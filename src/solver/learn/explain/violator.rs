//! Why cells of a line cannot all be different: a set of cells with fewer digits than cells.
//!
//! For a removed candidate, the cell is given the digit and the others are matched without it; the matching fails at a
//! cell from which no chain of moves leads to a free digit. The cells on these chains, and the digits that they still
//! have, are the set (P. Hall, 1935; explanations from it: C. Downing, T. Feydy, P. J. Stuckey, "Explaining
//! alldifferent", ACSC 2012).

use crate::problem::{bits, full_mask};

use super::super::literals::Literal;
use super::{Before, Event, Segments};

/// Cells to be matched to digits.
struct Matching {
    masks: Vec<u32>,
    owner: [usize; 32],
    used: u32,
}

/// Adds that the cells of a set have none but its digits; or that two cells have the same digit, where that is all.
pub(super) fn explain(
    cells: &[u16],
    segments: Segments,
    before: Before,
    event: Event,
    out: &mut Vec<Literal>,
) {
    let (apart, taken) = match event {
        Event::Removed(cell, rank) => (Some(cell), 1 << rank),
        _ => (None, 0),
    };
    if same_digit(cells, apart, before, taken, out) {
        return;
    }
    let mask = |cell: &u16| if Some(*cell) == apart { 0 } else { before.mask(*cell) & !taken };
    let mut matching = Matching { masks: cells.iter().map(mask).collect(), owner: [0; 32], used: 0 };
    for index in (0..cells.len()).filter(|index| Some(cells[*index]) != apart) {
        let mut tried = 0;
        if !matching.augment(index, &mut tried) {
            let owners = bits(tried).fold(0, |owners, rank| owners | 1 << matching.owner[rank as usize]);
            let gone = full_mask(before.known.digits()) & !tried & !taken;
            segments.add_lost(cells, owners | 1 << index, gone, before, out);
            return;
        }
    }
    unreachable!("a line does nothing to cells that can all be different");
}

/// Adds the assignment that takes the digit, or two of the same digit.
fn same_digit(cells: &[u16], apart: Option<u16>, before: Before, taken: u32, out: &mut Vec<Literal>) -> bool {
    let mut seen = taken;
    for cell in cells.iter().filter(|cell| Some(**cell) != apart) {
        let Some(rank) = before.assigned(*cell) else { continue };
        if seen & 1 << rank != 0 {
            let same = |other: &&u16| Some(**other) != apart && before.assigned(**other) == Some(rank);
            let twin = cells.iter().find(same);
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
