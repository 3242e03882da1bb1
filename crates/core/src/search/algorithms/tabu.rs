//! Tabu search.
//!
//! ```text
//! repeat
//!     of all moves of variables in conflict, take the best that is not tabu,
//!         or that leads below everything found so far; of several a random one
//!     make it, and forbid its return for a random number of steps
//! until solved
//! ```
//!
//! Where every move is tabu a step passes without a move. A step whose scan the budget cuts short is not made.
//!
//! Source: F. Glover 1989, Tabu search - part I, doi:10.1287/ijoc.1.3.190; with moves of variables in conflict alone and a
//! random tenure as in P. Galinier, J.-K. Hao 1997, Tabu search for maximal constraint satisfaction problems,
//! doi:10.1007/BFb0017440.

use crate::rng::RunRng;
use crate::search::neighbourhood::{Neighbourhood, best_move};
use crate::spec::{Builder, Member, Param, Spec};

use super::Maker;
use super::local::{Advance, ENCODING, GENERATION, GUIDE, Record, Walk, WalkEnd, recipe, restart};

pub(super) static ENTRY: Builder<Maker> = Member::new("tabu")
    .about(
        "tabu search: makes the best move of a variable in conflict and forbids its reversal for some steps",
    )
    .source("F. Glover 1989, doi:10.1287/ijoc.1.3.190; P. Galinier, J.-K. Hao 1997, doi:10.1007/BFb0017440")
    .params(&[
        ENCODING,
        GUIDE,
        Param::integer("tenure", 0..=1_000_000, 4)
            .about("least number of steps for which a move's reversal is forbidden"),
        Param::integer("spread", 0..=1_000_000, 10)
            .about("largest random addition to `tenure`, drawn for each move"),
        restart("luby"),
        GENERATION,
    ])
    .build(|spec| recipe(spec, Tabu::new));

struct Tabu {
    tenure: u64,
    spread: usize,
    /// The step at which each slot is free again.
    free_at: Vec<u64>,
    step: u64,
}

impl Tabu {
    fn new(spec: &Spec) -> Self {
        let spread = spec.size("spread");
        Self { tenure: spec.count("tenure"), spread, free_at: Vec::new(), step: 0 }
    }
}

impl Walk for Tabu {
    fn begin<N: Neighbourhood>(&mut self, at: &mut N, _calls: Option<u64>, _rng: &mut RunRng) {
        self.free_at.clear();
        self.free_at.resize(at.slots(), 0);
        self.step = 0;
    }

    fn advance<N: Neighbourhood>(&mut self, at: &mut N, record: &mut Record, rng: &mut RunRng) -> Advance {
        let (limit, mut spent) = (record.limit, 0);
        while spent < limit.enough && !at.is_solved() {
            // A tabu move is allowed where it leads below everything so far (aspiration).
            let aspired = record.violation() - at.tally().violation();
            let is_allowed =
                |slot: usize, difference| self.free_at[slot] <= self.step || difference < aspired;
            let Some((best, _)) = best_move(at, limit.most, &mut spent, rng, is_allowed) else {
                return Advance { moves: spent, end: WalkEnd::Stuck };
            };
            self.step += 1;
            if let Some(step) = best.filter(|_| spent < limit.most) {
                // The slot of the way back, named before the move is made.
                self.free_at[at.return_slot(step)] =
                    self.step + self.tenure + rng.below(self.spread + 1) as u64;
                at.apply(step);
                if record.look(at, spent) {
                    break;
                }
            }
        }
        Advance::open(spent)
    }
}
