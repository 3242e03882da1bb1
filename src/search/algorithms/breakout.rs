//! Breakout: constraint weights that fill up local minima.
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
use crate::search::neighbourhood::Neighbourhood;
use crate::spec::{Builder, Member, Param};

use super::Maker;
use super::local::{Advance, ENCODING, End, GENERATION, GUIDE, Keep, Room, Walk, recipe, restart};

pub(super) static ENTRY: Builder<Maker> = Member::new("breakout")
    .about("the best move of variables in conflict; at local minima what is violated weighs more")
    .source("P. Morris 1993, The breakout method for escaping from local minima, Proc. AAAI")
    .params(&[
        ENCODING,
        GUIDE,
        Param::probability("plateau", 0.5)
            .about("probability of a move that changes nothing for the better, at a local minimum"),
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

    fn advance<N: Neighbourhood>(
        &mut self,
        at: &mut N,
        room: Room,
        keep: &mut Keep,
        rng: &mut RunRng,
    ) -> Advance {
        let mut spent = 0;
        while spent < room.enough && !at.is_solved() {
            let (mut best, mut lowest, mut equals, mut conflicted) = (None, i64::MAX, 0, false);
            for variable in 0..at.variables() {
                if !at.is_conflicted(variable) {
                    continue;
                }
                conflicted = true;
                spent += at.scan(variable, room.most - spent, |step, _, difference| {
                    if difference > lowest {
                        return;
                    }
                    equals = if difference < lowest { 1 } else { equals + 1 };
                    if equals == 1 || rng.below(equals) == 0 {
                        (best, lowest) = (Some(step), difference);
                    }
                });
            }
            if !conflicted {
                return Advance { moves: spent, end: End::Stuck };
            }
            if spent == room.most {
                break;
            }
            if lowest >= 0 {
                at.tally_mut().raise_weights(1);
            }
            if lowest < 0 || (lowest == 0 && rng.coin(self.plateau)) {
                at.apply(best.expect("a move was scanned"));
                if keep.look(at, spent) {
                    break;
                }
            }
        }
        Advance::open(spent)
    }
}
