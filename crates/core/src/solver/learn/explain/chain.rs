//! Why a chain does not reach its target: the removed digits whose steps would join a state that the start reaches to
//! one that reaches the target.
//!
//! From the last cell to the first: a removed digit that joins no two such states is allowed again; the others are the
//! explanation (G. Gange, P. J. Stuckey, R. Szymanek, "MDD propagators with explanation", Constraints 16, 2011,
//! doi:10.1007/s10601-011-9111-x).

use crate::problem::{bits, full_mask};
use crate::solver::space::set_bits;
use crate::solver::steps::Steps;

use super::super::literals::Literal;
use super::{Before, Conclusion};

/// Sets of states; the arrays are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct StateChain {
    forwards: Vec<u64>,
    after: Vec<u64>,
    before: Vec<u64>,
}

impl StateChain {
    pub(super) fn explain<S: Steps>(
        &mut self,
        steps: &S,
        before: Before,
        event: Conclusion,
        out: &mut Vec<Literal>,
    ) {
        let mask = |cell: u16| match event {
            Conclusion::Removed(other, rank) if other == cell => 1 << rank,
            _ => before.mask(cell),
        };
        let words = steps.states().div_ceil(64);
        let cells = steps.cells();
        self.forwards.clear();
        self.forwards.resize(words * (cells.len() + 1), 0);
        set(&mut self.forwards, steps.start());
        for (index, cell) in cells.iter().enumerate() {
            let (done, rest) = self.forwards.split_at_mut((index + 1) * words);
            for state in set_bits(&done[index * words..]) {
                for next in bits(mask(*cell)).filter_map(|rank| steps.next(state, rank)) {
                    set(&mut rest[..words], next);
                }
            }
        }
        self.after.clear();
        self.after.resize(words, 0);
        set(&mut self.after, steps.end());
        for (index, cell) in cells.iter().enumerate().rev() {
            // The removed digit is what is to be explained: it counts as the only one of its cell.
            let fixed = matches!(event, Conclusion::Removed(other, _) if other == *cell);
            let mut allowed = mask(*cell);
            if !fixed {
                let removed = full_mask(before.known.digits()) & !allowed;
                let needed = self.joining(steps, &self.forwards[index * words..][..words], removed);
                before.add_lost(*cell, needed, out);
                // Of an assigned cell one literal explains all: then none of its digits is allowed again.
                allowed |= if needed.count_ones() > 1 && before.assigned(*cell).is_some() {
                    0
                } else {
                    removed & !needed
                };
            }
            self.step_back(steps, allowed, words);
        }
    }

    /// The digits that lead from a state of `from` to one that reaches the end.
    fn joining<S: Steps>(&self, steps: &S, from: &[u64], ranks: u32) -> u32 {
        let mut joining = 0;
        for state in set_bits(from) {
            for rank in bits(ranks & !joining) {
                if steps.next(state, rank).is_some_and(|next| has(&self.after, next)) {
                    joining |= 1 << rank;
                }
            }
        }
        joining
    }

    /// Replaces the states after a cell by those before it.
    fn step_back<S: Steps>(&mut self, steps: &S, allowed: u32, words: usize) {
        self.before.clear();
        self.before.resize(words, 0);
        for state in 0..steps.states() {
            if bits(allowed).any(|rank| steps.next(state, rank).is_some_and(|next| has(&self.after, next))) {
                set(&mut self.before, state);
            }
        }
        std::mem::swap(&mut self.after, &mut self.before);
    }
}

fn set(words: &mut [u64], state: usize) {
    words[state / 64] |= 1 << (state % 64);
}

fn has(words: &[u64], state: usize) -> bool {
    words[state / 64] & 1 << (state % 64) != 0
}
