//! Iterated local search.
//!
//! ```text
//! descend to a local minimum; it is home
//! repeat
//!     kick: `strength` random moves
//!     descend to a local minimum
//!     if it is better than home (or as good, or always), it is home; else go home
//! until solved
//! ```
//!
//! Going home costs no call: its violation is known.
//!
//! Source: H. R. Lourenço, O. C. Martin, T. Stützle 2003, Iterated local search, doi:10.1007/0-306-48056-5_11.

use crate::rng::RunRng;
use crate::search::neighbourhood::Neighbourhood;
use crate::spec::{Builder, Member, Param, Spec};

use super::Maker;
use super::hill_climbing::{Descent, DescentStep, PIVOT};
use super::local::{Advance, ENCODING, GENERATION, GUIDE, Record, Walk, WalkEnd, recipe, restart};

pub(super) static ENTRY: Builder<Maker> = Member::new("iterated")
    .about("iterated local search: descends to a local minimum, perturbs it by random moves, descends again")
    .source("H. R. Lourenço, O. C. Martin, T. Stützle 2003, doi:10.1007/0-306-48056-5_11")
    .params(&[
        ENCODING,
        GUIDE,
        PIVOT,
        Param::count("strength", 3).about("random moves of a perturbation"),
        Param::choice("accept", &["better", "equal", "always"], "equal")
            .about("which new local minimum replaces the current one: a better one, one no worse, or any"),
        restart("luby"),
        GENERATION,
    ])
    .build(|spec| recipe(spec, Iterated::new));

#[derive(Clone, Copy, PartialEq, Eq)]
enum Accept {
    Better,
    Equal,
    Always,
}

struct Iterated {
    strength: u64,
    accept: Accept,
    descent: Descent,
    home: Vec<u8>,
    /// The violation at home; none before the first local minimum.
    lowest: Option<i64>,
    /// Random moves left of the kick.
    kicks: u64,
}

impl Iterated {
    fn new(spec: &Spec) -> Self {
        let accept = match spec.text("accept") {
            "better" => Accept::Better,
            "equal" => Accept::Equal,
            _ => Accept::Always,
        };
        let (strength, descent) = (spec.count("strength"), Descent::of(spec));
        Self { strength, accept, descent, home: Vec::new(), lowest: None, kicks: 0 }
    }

    /// At a local minimum: makes it home, or goes home.
    fn settle<N: Neighbourhood>(&mut self, at: &mut N) {
        let here = at.tally().violation();
        let stays = match (self.accept, self.lowest) {
            (Accept::Always, _) | (_, None) => true,
            (Accept::Better, Some(lowest)) => here < lowest,
            (Accept::Equal, Some(lowest)) => here <= lowest,
        };
        if stays {
            self.lowest = Some(here);
            self.home.clear();
            self.home.extend_from_slice(at.tally().ranks());
        } else {
            at.place(&self.home);
        }
        self.kicks = self.strength;
    }
}

impl Walk for Iterated {
    fn begin<N: Neighbourhood>(&mut self, _at: &mut N, _calls: Option<u64>, _rng: &mut RunRng) {
        // A restart forgets home.
        (self.lowest, self.kicks) = (None, 0);
    }

    fn advance<N: Neighbourhood>(&mut self, at: &mut N, record: &mut Record, rng: &mut RunRng) -> Advance {
        let (limit, mut spent) = (record.limit, 0);
        while spent < limit.enough && !at.is_solved() {
            if self.kicks > 0 {
                let Some(step) = at.random(rng) else {
                    return Advance { moves: spent, end: WalkEnd::Stuck };
                };
                (self.kicks, spent) = (self.kicks - 1, spent + 1);
                at.apply(step);
                if record.look(at, spent) {
                    break;
                }
                continue;
            }
            match self.descent.find(at, limit.most, &mut spent, rng) {
                DescentStep::Better(step) => {
                    at.apply(step);
                    if record.look(at, spent) {
                        break;
                    }
                }
                DescentStep::None => self.settle(at),
                DescentStep::Cut => break,
            }
        }
        Advance::open(spent)
    }
}
