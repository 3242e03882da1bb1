//! Steps downhill, shared by hill climbing and iterated local search.

use crate::rng::RunRng;
use crate::search::neighbourhood::Neighbourhood;

/// Which of the moves that make things better is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pivot {
    /// The first one, variables in random order.
    First,
    /// The best of all, of equals a random one.
    Best,
}

impl Pivot {
    pub(super) fn of(name: &str) -> Self {
        if name == "first" { Self::First } else { Self::Best }
    }
}

/// A search for one step downhill.
#[derive(Default)]
pub(super) struct Descent {
    order: Vec<u32>,
}

/// What a search for a step has found.
pub(super) enum Found<M> {
    /// A move that makes things better.
    Better(M),
    /// There is none: a local minimum.
    None,
    /// The moves were spent before this was known.
    Cut,
}

impl Descent {
    /// Looks for a move that makes things better, with at most `most` moves; adds those spent to `spent`.
    pub(super) fn find<N: Neighbourhood>(
        &mut self,
        at: &mut N,
        pivot: Pivot,
        most: u64,
        spent: &mut u64,
        rng: &mut RunRng,
    ) -> Found<N::Move> {
        if self.order.len() != at.variables() {
            self.order = (0..at.variables() as u32).collect();
        }
        if pivot == Pivot::First {
            rng.shuffle(&mut self.order);
        }
        let (mut best, mut lowest, mut equals) = (None, -1, 0);
        for variable in &self.order {
            if !at.is_conflicted(*variable as usize) {
                continue;
            }
            *spent += at.scan(*variable as usize, most - *spent, |step, _, difference| {
                if difference > lowest || (pivot == Pivot::First && best.is_some()) {
                    return;
                }
                equals = if difference < lowest { 1 } else { equals + 1 };
                if equals == 1 || rng.below(equals) == 0 {
                    (best, lowest) = (Some(step), difference);
                }
            });
            if pivot == Pivot::First && best.is_some() {
                break;
            }
            if *spent == most {
                return Found::Cut;
            }
        }
        best.map_or(Found::None, Found::Better)
    }
}
