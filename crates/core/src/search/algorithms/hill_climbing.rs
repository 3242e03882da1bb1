//! Hill climbing, here downhill: makes improving moves until there is none.
//!
//! ```text
//! repeat
//!     of the moves of variables in conflict, take the first that makes things better, or the best of all
//!     where there is none, restart
//! until solved
//! ```
//!
//! A move of a variable without conflict improves nothing and is not looked at.
//!
//! Source: C. H. Papadimitriou, K. Steiglitz 1982, Combinatorial Optimization, chapter 19.

use crate::rng::RunRng;
use crate::search::neighbourhood::Neighbourhood;
use crate::search::operators::restart::RESTART;
use crate::search::{MarkovError, MarkovModel};
use crate::spec::{Builder, Member, Param, Spec};

use super::Maker;
use super::local::{Advance, ENCODING, GENERATION, GUIDE, Record, Walk, WalkEnd, recipe, restart};

/// Which improvement is made.
pub(super) const PIVOT: Param = Param::choice("pivot", &["first", "best"], "best")
    .about("whether to make the first improving move or the best");

pub(super) static ENTRY: Builder<Maker> = Member::new("hill_climbing")
    .about("makes improving moves until there is none, then restarts")
    .source("C. H. Papadimitriou, K. Steiglitz 1982, Combinatorial Optimization")
    .params(&[ENCODING, GUIDE, PIVOT, restart("stalled"), GENERATION])
    .build(|spec| recipe(spec, |spec| HillClimbing(Descent::of(spec))));

struct HillClimbing(Descent);

impl Walk for HillClimbing {
    fn markov_model(spec: &Spec) -> Result<MarkovModel, MarkovError> {
        let restart = RESTART.build(spec.spec("restart"));
        // Lengths never fall: the first stretch is the shortest.
        let patience = restart.patience().unwrap_or(u64::MAX).min(restart.length(0).unwrap_or(u64::MAX));
        Ok(MarkovModel::Descent { takes_first: takes_first(spec), restarts: !restart.is_never(), patience })
    }

    fn advance<N: Neighbourhood>(&mut self, at: &mut N, record: &mut Record, rng: &mut RunRng) -> Advance {
        let (limit, mut spent) = (record.limit, 0);
        while spent < limit.enough && !at.is_solved() {
            match self.0.find(at, limit.most, &mut spent, rng) {
                DescentStep::Better(step) => {
                    at.apply(step);
                    if record.look(at, spent) {
                        break;
                    }
                }
                DescentStep::None => {
                    // Where not a single move was looked at no variable in conflict has any: no other start would help.
                    return Advance {
                        moves: spent,
                        end: if spent > 0 { WalkEnd::Over } else { WalkEnd::Stuck },
                    };
                }
                DescentStep::Cut => break,
            }
        }
        Advance::open(spent)
    }
}

/// Whether the first improving move is made, as a spec with a `pivot` says.
fn takes_first(spec: &Spec) -> bool {
    spec.text("pivot") == "first"
}

/// A search for one step downhill.
pub(super) struct Descent {
    /// Make the first improving move, variables in random order; else the best of all, of equals a random one.
    takes_first: bool,
    order: Vec<u32>,
}

/// What a search for a step has found.
pub(super) enum DescentStep<M> {
    /// An improving move.
    Better(M),
    /// There is none: a local minimum.
    None,
    /// The moves were spent before this was known.
    Cut,
}

impl Descent {
    /// The search that a spec with a `pivot` describes.
    pub(super) fn of(spec: &Spec) -> Self {
        Self { takes_first: takes_first(spec), order: Vec::new() }
    }

    /// Looks for an improving move, with at most `most` moves; adds those spent to `spent`.
    pub(super) fn find<N: Neighbourhood>(
        &mut self,
        at: &mut N,
        most: u64,
        spent: &mut u64,
        rng: &mut RunRng,
    ) -> DescentStep<N::Move> {
        if self.order.len() != at.variables() {
            self.order = (0..at.variables() as u32).collect();
        }
        if self.takes_first {
            rng.shuffle(&mut self.order);
        } else {
            at.foresee(most - *spent);
        }
        let (mut best, mut lowest, mut equals, takes_first) = (None, -1, 0, self.takes_first);
        for variable in &self.order {
            if !at.is_conflicted(*variable as usize) {
                continue;
            }
            *spent += at.scan(*variable as usize, most - *spent, |step, _, difference| {
                if difference > lowest || (takes_first && best.is_some()) {
                    return;
                }
                equals = if difference < lowest { 1 } else { equals + 1 };
                if equals == 1 || rng.below(equals) == 0 {
                    (best, lowest) = (Some(step), difference);
                }
            });
            if takes_first && best.is_some() {
                break;
            }
            // Whether the rest holds a better move is not known: the step is not made.
            if *spent == most {
                return DescentStep::Cut;
            }
        }
        best.map_or(DescentStep::None, DescentStep::Better)
    }
}
