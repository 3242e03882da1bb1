//! Clues too wide for a table and without a chain: the operator's bounds judge every candidate.
//!
//! Consistency: a candidate is removed when no digits between the least and the greatest candidate of the open cells
//! could complete it and the digits of the assigned cells; exact once a single cell is open.
//! Idempotent. Cost: O(open cells x digits) questions to the operator, each linear in the assigned cells.

use crate::problem::{bits, mask_of};
use crate::puzzle::Clue;

use super::space::{Conflict, Space};

/// A clue of any operator over any number of cells.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    cells: Vec<u16>,
    values: Vec<u8>,
    clue: Clue,
    /// The digits of the assigned cells, and one to try.
    digits: Vec<u8>,
}

impl Probe {
    pub(super) fn new(cells: &[u16], values: &[u8], clue: Clue) -> Self {
        let digits = Vec::with_capacity(cells.len() + 1);
        Self { cells: cells.to_vec(), values: values.to_vec(), clue, digits }
    }

    pub(super) fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// Removes the candidates that the operator's bounds forbid, to a fixpoint.
    pub(super) fn propagate(&mut self, space: &mut Space) -> Result<(), Conflict> {
        loop {
            let moment = space.now();
            self.pass(space)?;
            if space.now() == moment {
                return Ok(());
            }
        }
    }

    fn pass(&mut self, space: &mut Space) -> Result<(), Conflict> {
        self.digits.clear();
        let mut union = 0;
        for cell in &self.cells {
            let mask = space.mask(*cell);
            if mask.is_power_of_two() {
                self.digits.push(self.values[mask.trailing_zeros() as usize]);
            } else {
                union |= mask;
            }
        }
        let open = self.cells.len() - self.digits.len();
        if open == 0 {
            return if self.clue.holds(&self.digits) { Ok(()) } else { Err(Conflict) };
        }
        // By the union of all candidates, each digit is tried once and not once a cell.
        let allowed = mask_of(bits(union).filter(|rank| self.fits(*rank, open - 1, union)));
        for index in 0..self.cells.len() {
            let cell = self.cells[index];
            if !space.mask(cell).is_power_of_two() {
                space.keep(cell, allowed)?;
            }
        }
        Ok(())
    }

    /// Says whether `rest` further digits could complete a digit and the assigned ones.
    fn fits(&mut self, rank: u32, rest: usize, union: u32) -> bool {
        let low = self.values[union.trailing_zeros() as usize];
        let high = self.values[31 - union.leading_zeros() as usize];
        self.digits.push(self.values[rank as usize]);
        let fits = match rest {
            0 => self.clue.holds(&self.digits),
            _ => self.clue.operator.may_hold(&self.digits, rest, low, high, self.clue.target),
        };
        self.digits.pop();
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::operators;
    use crate::rng::StreamKey;

    fn assignments(masks: &[u32]) -> Vec<Vec<u8>> {
        let start = vec![Vec::new()];
        masks.iter().fold(start, |all, mask| {
            let extend = |tuple: &Vec<u8>| {
                let tuple = tuple.clone();
                bits(*mask).map(move |rank| [tuple.as_slice(), &[rank as u8]].concat()).collect::<Vec<_>>()
            };
            all.iter().flat_map(extend).collect()
        })
    }

    #[test]
    fn no_candidate_of_a_tuple_is_lost_and_the_last_cell_is_exact() {
        let mut rng = StreamKey::run(13, "probe", 0).rng();
        let values = [0, 1, 2, 3, 7];
        let all: Vec<operators::Operator> = operators::TABLE.iter().collect();
        for round in 0..2000 {
            let operator = all[1..][round % (all.len() - 1)];
            // A probe does not keep the order of the cells.
            if !operator.has_target() {
                continue;
            }
            let clue = Clue { operator, target: rng.below(15) as i64 };
            let most = (*operator.cells.end()).min(4);
            let masks: Vec<u32> = (0..2 + rng.below(most - 1)).map(|_| 1 + rng.below(31) as u32).collect();
            let cells: Vec<u16> = (0..masks.len() as u16).collect();
            let mut space = Space::new(&masks, 1);
            let result = Probe::new(&cells, &values, clue).propagate(&mut space);
            let mut found = vec![0u32; masks.len()];
            for tuple in assignments(&masks) {
                let digits: Vec<u8> = tuple.iter().map(|rank| values[usize::from(*rank)]).collect();
                if clue.holds(&digits) {
                    found.iter_mut().zip(&tuple).for_each(|(found, rank)| *found |= 1 << rank);
                }
            }
            let open = masks.iter().filter(|mask| !mask.is_power_of_two()).count();
            let left: Vec<u32> = cells.iter().map(|cell| space.mask(*cell)).collect();
            match result {
                Err(Conflict) => assert!(found.contains(&0), "{clue} {masks:?}"),
                Ok(()) if open < 2 => assert_eq!(left, found, "{clue} {masks:?}"),
                Ok(()) => assert!(found.iter().zip(&left).all(|(found, left)| found & !left == 0)),
            }
        }
    }
}
