//! Breakout: at local minima the weights of violated constraints grow.
//!
//! ```text
//! repeat
//!     of all moves of variables in conflict, take the best by the weighted violation
//!     if it makes things better, make it
//!     else add 1 to the weight of everything that is violated;
//!         with probability `plateau` make it all the same where it makes nothing worse
//! until solved
//! ```
//!
//! Source: P. Morris 1993, The breakout method for escaping from local minima, Proc. AAAI, 40-45.

use crate::rng::RunRng;
use crate::search::neighbourhood::{Neighbourhood, best_move};
use crate::spec::{Builder, Member, Param};

use super::Maker;
use super::local::{Advance, ENCODING, GENERATION, GUIDE, Record, Walk, WalkEnd, recipe, restart};

pub(super) static ENTRY: Builder<Maker> = Member::new("breakout")
    .about(
        "makes the best move of a variable in conflict; at a local minimum violated constraints gain weight",
    )
    .source("P. Morris 1993, The breakout method for escaping from local minima, Proc. AAAI")
    .encodings(&["cells", "rows", "cages"])
    .params(&[
        ENCODING,
        GUIDE,
        Param::probability("plateau", 0.5)
            .about("probability of making the best move at a local minimum if it makes nothing worse"),
        restart("luby"),
        GENERATION,
    ])
    .build(|spec| recipe(spec, |spec| Breakout { plateau: spec.real("plateau") }));

struct Breakout {
    plateau: f64,
}

impl Walk for Breakout {
    fn begin<N: Neighbourhood>(&mut self, at: &mut N, _calls: Option<u64>, _rng: &mut RunRng) {
        at.tally_mut().reset_weights();
    }

    fn advance<N: Neighbourhood>(&mut self, at: &mut N, record: &mut Record, rng: &mut RunRng) -> Advance {
        let (limit, mut spent) = (record.limit, 0);
        while spent < limit.enough && !at.is_solved() {
            let Some((best, lowest)) = best_move(at, limit.most, &mut spent, rng, |_, _| true) else {
                return Advance { moves: spent, end: WalkEnd::Stuck };
            };
            // A scan cut short may have missed the best move.
            if spent == limit.most {
                break;
            }
            // A local minimum: weights grow until the present violations are dearer than others.
            if lowest >= 0 {
                at.tally_mut().raise_weights(1);
            }
            if lowest < 0 || (lowest == 0 && rng.coin(self.plateau)) {
                at.apply(best.expect("a move was scanned"));
                if record.look(at, spent) {
                    break;
                }
            }
        }
        Advance::open(spent)
    }
}
