//! Products too wide for a table: a chain over the divisors of the target.
//!
//! Consistency: generalised arc consistency on the product alone, without the rule that cells in a line differ.
//! Idempotent.
//! Cost: one pass forwards and one backwards over the open cells: O(cells x digits x divisors met). A target has few
//! divisors made of digits: 12! has 792.
//!
//! Source: the layered automaton of G. Pesant, "A regular language membership constraint", CP 2004,
//! doi:10.1007/978-3-540-30201-8_36, its states the products still to be made.

use crate::problem::{bits, mask_of};

use super::space::{Conflict, Space, set_bits};
use super::steps::Steps;

/// The most divisors that a chain is built over.
const MOST_STATES: usize = 4096;

/// No state: the digit does not divide the rest.
const DEAD: u16 = u16::MAX;

/// A product over cells.
#[derive(Clone, Debug)]
pub(super) struct Product {
    cells: Vec<u16>,
    digits: usize,
    /// For every divisor, ascending, and every rank: the index of the quotient.
    next: Vec<u16>,
    /// The index of the target itself.
    start: u16,
    /// The open cells of one call.
    open: Vec<u16>,
    /// The divisors that may be left before every open cell; `words` words each.
    chain: Vec<u64>,
    words: usize,
}

impl Product {
    /// A product; `None` when the target is 0 or has too many divisors.
    pub(super) fn new(cells: &[u16], values: &[u8], target: u64) -> Option<Self> {
        let divisors = quotients(values, target)?;
        let index = |divisor: u64| divisors.binary_search(&divisor).map_or(DEAD, |index| index as u16);
        let mut next = Vec::with_capacity(divisors.len() * values.len());
        for divisor in &divisors {
            for value in values {
                let value = u64::from(*value);
                let divides = value > 0 && divisor.is_multiple_of(value);
                next.push(if divides { index(divisor / value) } else { DEAD });
            }
        }
        let words = divisors.len().div_ceil(64);
        Some(Self {
            cells: cells.to_vec(),
            digits: values.len(),
            next,
            start: index(target),
            open: Vec::with_capacity(cells.len()),
            chain: vec![0; (cells.len() + 1) * words],
            words,
        })
    }

    pub(super) fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// Removes every candidate without support.
    pub(super) fn propagate(&mut self, space: &mut Space) -> Result<(), Conflict> {
        // Assigned cells divide first: the chain is over the open ones alone.
        let mut state = self.start;
        self.open.clear();
        for cell in &self.cells {
            let mask = space.mask(*cell);
            if mask.is_power_of_two() {
                state = self.next[usize::from(state) * self.digits + mask.trailing_zeros() as usize];
                if state == DEAD {
                    return Err(Conflict);
                }
            } else {
                self.open.push(*cell);
            }
        }
        self.forwards(state, space);
        for index in (0..self.open.len()).rev() {
            self.backwards(index, space)?;
        }
        // Index 0 is the divisor 1: the digits have made the target.
        if self.open.is_empty() && state != 0 { Err(Conflict) } else { Ok(()) }
    }

    fn forwards(&mut self, state: u16, space: &Space) {
        self.chain[..(self.open.len() + 1) * self.words].fill(0);
        self.chain[usize::from(state / 64)] |= 1 << (state % 64);
        for (index, cell) in self.open.iter().enumerate() {
            let (done, rest) = self.chain.split_at_mut((index + 1) * self.words);
            let mask = space.mask(*cell);
            for state in set_bits(&done[index * self.words..]) {
                for rank in bits(mask) {
                    let next = self.next[state * self.digits + rank as usize];
                    if next != DEAD {
                        rest[usize::from(next / 64)] |= 1 << (next % 64);
                    }
                }
            }
        }
        let end = self.open.len() * self.words;
        // Only the divisor 1, at index 0, makes the target.
        let reached = self.chain[end] & 1;
        self.chain[end..end + self.words].fill(0);
        self.chain[end] = reached;
    }

    /// Prunes one open cell, and keeps of the divisors before it those from which 1 can be reached.
    fn backwards(&mut self, index: usize, space: &mut Space) -> Result<(), Conflict> {
        let (before, after) = self.chain[index * self.words..].split_at_mut(self.words);
        let mask = space.mask(self.open[index]);
        let mut left = 0;
        for (word, states) in before.iter_mut().enumerate() {
            for bit in set_bits(&[*states]) {
                // A divisor from which no candidate leads on supports nothing: the cell before must not count
                // on it.
                let row = &self.next[(word * 64 + bit) * self.digits..][..self.digits];
                let leads = |rank: &u32| {
                    let next = row[*rank as usize];
                    next != DEAD && after[usize::from(next / 64)] & 1 << (next % 64) != 0
                };
                let ranks = mask_of(bits(mask).filter(leads));
                left |= ranks;
                if ranks == 0 {
                    *states &= !(1 << bit);
                }
            }
        }
        space.keep(self.open[index], left)
    }
}

impl Steps for Product {
    fn cells(&self) -> &[u16] {
        &self.cells
    }

    fn states(&self) -> usize {
        self.next.len() / self.digits
    }

    fn start(&self) -> usize {
        usize::from(self.start)
    }

    fn end(&self) -> usize {
        0
    }

    fn next(&self, state: usize, rank: u32) -> Option<usize> {
        let next = self.next[state * self.digits + rank as usize];
        (next != DEAD).then_some(usize::from(next))
    }
}

/// Everything that dividing the target by digits can leave, ascending.
fn quotients(values: &[u8], target: u64) -> Option<Vec<u64>> {
    if target == 0 {
        return None;
    }
    let mut found = std::collections::BTreeSet::from([1, target]);
    let mut next = vec![target];
    while let Some(divisor) = next.pop() {
        for value in values {
            let value = u64::from(*value);
            // A factor of 1 leads to the same divisor.
            if value > 1 && divisor.is_multiple_of(value) && found.insert(divisor / value) {
                next.push(divisor / value);
            }
        }
        if found.len() > MOST_STATES {
            return None;
        }
    }
    Some(found.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// The candidates that occur in an assignment that makes the target, by trying all.
    fn supported(values: &[u8], masks: &[u32], target: u64) -> Vec<u32> {
        let mut found = vec![0; masks.len()];
        let mut counter = vec![0; masks.len()];
        loop {
            let fits = counter.iter().zip(masks).all(|(rank, mask)| mask & 1 << rank != 0);
            let product: u64 = counter.iter().map(|rank: &usize| u64::from(values[*rank])).product();
            if fits && product == target {
                found.iter_mut().zip(&counter).for_each(|(found, rank)| *found |= 1 << rank);
            }
            let Some(place) = counter.iter().position(|rank| rank + 1 < values.len()) else { return found };
            counter[place] += 1;
            counter[..place].fill(0);
        }
    }

    #[test]
    fn what_is_left_is_what_a_naive_oracle_leaves() {
        let mut rng = StreamKey::run(17, "product", 0).rng();
        for round in 0..2000 {
            let values: &[u8] = [&[1, 2, 3, 4, 6][..], &[0, 2, 3, 5, 10]][round % 2];
            let masks: Vec<u32> = (0..1 + rng.below(4)).map(|_| 1 + rng.below(31) as u32).collect();
            let digit = |mask: &u32| u64::from(values[usize::from(rng.member(*mask))]);
            let target = masks.iter().map(digit).product::<u64>().max(1) + u64::from(round % 7 == 0);
            let cells: Vec<u16> = (0..masks.len() as u16).collect();
            let mut space = Space::new(&masks, 1);
            let mut product = Product::new(&cells, values, target).expect("few divisors");
            let result = product.propagate(&mut space);
            let expected = supported(values, &masks, target);
            if expected.contains(&0) {
                assert_eq!(result, Err(Conflict), "{values:?} {masks:?} {target}");
            } else {
                let left: Vec<u32> = cells.iter().map(|cell| space.mask(*cell)).collect();
                assert_eq!((result, left), (Ok(()), expected), "{values:?} {masks:?} {target}");
            }
        }
    }

    #[test]
    fn a_target_of_zero_is_left_to_others() {
        assert!(Product::new(&[0, 1], &[0, 1], 0).is_none());
    }
}
