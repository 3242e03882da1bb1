//! Clues over two cells that few digits or only the ends of the digits decide: `<`, `>` and `!-`.
//!
//! Consistency: domain consistency; a candidate stays exactly where the other cell has a digit that it goes with.
//! Idempotent. Cost: for each cell one conjunction of masks for each candidate; none while the other cell has more
//! candidates than any digit forbids.
//!
//! Source: C. Lecoutre, J. Vion, "Enforcing arc consistency using bitwise operations", Constraint Programming Letters 2,
//! 2008.

use std::sync::Arc;

use crate::problem::{bits, mask_of};
use crate::puzzle::Clue;

use super::space::{Conflict, Space};

/// Which digits go together.
#[derive(Debug)]
struct Allowed {
    /// For each rank of the first cell, the ranks of the second that it goes with; and the other way round.
    with: [Vec<u32>; 2],
    /// The most digits of the first cell that a digit of the second forbids; and the other way round.
    forbidden: [u32; 2],
}

impl Allowed {
    fn new(clue: Clue, values: &[u8]) -> Self {
        let mut with = [vec![0; values.len()], vec![0; values.len()]];
        for (a, first) in values.iter().enumerate() {
            for (b, second) in values.iter().enumerate() {
                if clue.holds(&[*first, *second]) {
                    with[0][a] |= 1 << b;
                    with[1][b] |= 1 << a;
                }
            }
        }
        let forbidden = [most_forbidden(&with[1]), most_forbidden(&with[0])];
        Self { with, forbidden }
    }
}

/// The most digits that a row of masks, one for each digit, lacks.
fn most_forbidden(rows: &[u32]) -> u32 {
    let least = rows.iter().map(|row| row.count_ones()).min().unwrap_or(0);
    rows.len() as u32 - least
}

/// A clue over two cells.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    cells: [u16; 2],
    allowed: Arc<Allowed>,
}

/// Makes pairs; those of equal clues share their masks.
#[derive(Default)]
pub(super) struct Pairs(Vec<(Clue, Arc<Allowed>)>);

impl Pairs {
    /// The propagator of a clue over two cells.
    pub(super) fn get(&mut self, cells: [u16; 2], values: &[u8], clue: Clue) -> Pair {
        if let Some((_, allowed)) = self.0.iter().find(|(other, _)| *other == clue) {
            return Pair { cells, allowed: Arc::clone(allowed) };
        }
        let allowed = Arc::new(Allowed::new(clue, values));
        self.0.push((clue, Arc::clone(&allowed)));
        Pair { cells, allowed }
    }
}

impl Pair {
    pub(super) fn cells(&self) -> &[u16; 2] {
        &self.cells
    }

    /// Removes the candidates that go with none of the other cell.
    pub(super) fn propagate(&self, space: &mut Space) -> Result<(), Conflict> {
        for own in [0, 1] {
            let (mask, other) = (space.mask(self.cells[own]), space.mask(self.cells[1 - own]));
            if other.count_ones() <= self.allowed.forbidden[1 - own] {
                let goes = |rank: &u32| self.allowed.with[own][*rank as usize] & other != 0;
                space.keep(self.cells[own], mask_of(bits(mask).filter(goes)))?;
            }
        }
        Ok(())
    }

    /// The other cell, and its digits that go with a digit of this cell.
    ///
    /// # Panics
    /// When this is neither cell.
    pub(super) fn opposite(&self, cell: u16, rank: u32) -> (u16, u32) {
        let own = self.cells.iter().position(|other| *other == cell).expect("one of the two cells");
        (self.cells[1 - own], self.allowed.with[own][rank as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::operators;
    use crate::rng::StreamKey;

    #[test]
    fn what_is_left_is_what_a_naive_oracle_leaves() {
        let mut rng = StreamKey::run(17, "pair", 0).rng();
        for round in 0..6000 {
            let values: &[u8] = [&[1, 2, 3, 4, 5][..], &[0, 3, 4, 7, 8]][round % 2];
            let operator = operators::find(["<", ">", "!-"][round % 3]).expect("a known operator");
            let clue = Clue { operator, target: rng.below(6) as i64 };
            let masks = [1 + rng.below(31) as u32, 1 + rng.below(31) as u32];
            let goes = |a: u32, b: u32| clue.holds(&[values[a as usize], values[b as usize]]);
            let first = mask_of(bits(masks[0]).filter(|a| bits(masks[1]).any(|b| goes(*a, b))));
            let second = mask_of(bits(masks[1]).filter(|b| bits(masks[0]).any(|a| goes(a, *b))));
            let mut space = Space::new(&masks, 1);
            let result = Pairs::default().get([0, 1], values, clue).propagate(&mut space);
            match first {
                0 => assert_eq!(result, Err(Conflict), "{clue} {masks:?}"),
                _ => assert_eq!(
                    (result, space.mask(0), space.mask(1)),
                    (Ok(()), first, second),
                    "{clue} {masks:?}"
                ),
            }
        }
    }

    #[test]
    fn equal_clues_share_their_masks() {
        let clue = Clue { operator: operators::find("<").expect("a known operator"), target: 0 };
        let mut pairs = Pairs::default();
        let made = [[0, 1], [1, 2]].map(|cells| pairs.get(cells, &[1, 2, 3], clue));
        assert!(Arc::ptr_eq(&made[0].allowed, &made[1].allowed));
        assert_eq!((made[1].opposite(2, 1), made[1].opposite(1, 1)), ((1, 0b001), (2, 0b100)));
    }
}
