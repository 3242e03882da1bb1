//! Hill climbing, here downhill: moves that make things better until there is none.
//!
//! ```text
//! repeat
//!     of the moves of variables in conflict, take the first that makes things better, or the best of all
//!     where there is none, begin anew
//! until solved
//! ```
//!
//! Moves of variables without conflict make nothing better, so none is looked at.
//!
//! Source: C. H. Papadimitriou, K. Steiglitz 1982, Combinatorial Optimization, chapter 19.

use crate::rng::RunRng;
use crate::search::neighbourhood::Neighbourhood;
use crate::spec::{Entry, Member, Param, Spec};

use super::Maker;
use super::descent::{Descent, Found, Pivot};
use super::local::{Advance, ENCODING, End, GENERATION, GUIDE, Keep, Room, Walk, recipe, restart};

/// Which improvement is made.
pub(super) const PIVOT: Param = Param::choice("pivot", &["first", "best"], "best")
    .about("the first move that makes things better, or the best of all");

pub(super) static ENTRY: Entry<Maker> = Entry {
    member: Member {
        name: "hill_climbing",
        about: "moves that make things better; a new start where there is none",
        source: "C. H. Papadimitriou, K. Steiglitz 1982, Combinatorial Optimization",
        encodings: &["cells", "rows", "cages"],
        params: &[ENCODING, GUIDE, PIVOT, restart("stalled"), GENERATION],
    },
    build: |spec: &Spec| {
        recipe(spec, |spec| HillClimbing {
            pivot: Pivot::of(spec.text("pivot")),
            descent: Descent::default(),
        })
    },
};

struct HillClimbing {
    pivot: Pivot,
    descent: Descent,
}

impl Walk for HillClimbing {
    fn begin<N: Neighbourhood>(&mut self, _at: &mut N, _calls: Option<u64>, _rng: &mut RunRng) {}

    fn advance<N: Neighbourhood>(
        &mut self,
        at: &mut N,
        room: Room,
        keep: &mut Keep,
        rng: &mut RunRng,
    ) -> Advance {
        let mut spent = 0;
        while spent < room.enough && !at.is_solved() {
            match self.descent.find(at, self.pivot, room.most, &mut spent, rng) {
                Found::Better(step) => {
                    at.apply(step);
                    if keep.look(at, spent) {
                        break;
                    }
                }
                Found::None => {
                    return Advance { moves: spent, end: if spent > 0 { End::Over } else { End::Stuck } };
                }
                Found::Cut => break,
            }
        }
        Advance::open(spent)
    }
}
