//! Another tuple for a whole cage.
//!
//! ```text
//! clue    6+ over three cells: 1 2 3, 1 3 2, 2 1 3, …
//! before  4 4 1
//! after   2 1 3
//! ```
//!
//! A gene is drawn, from those in conflict with probability `conflicting`, and its cage takes a uniform tuple of those
//! that satisfy the clue, other than the one it holds. Where a clue has too many tuples the single cell takes another
//! digit.

use crate::rng::RunRng;
use crate::search::{Conflicts, Space};
use crate::spec::{Builder, Member};

use super::Mutation;
use super::draws::{AGAIN, CONFLICTING, Draws, redraw};

struct Redraw(Draws);

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("redraw")
    .about("the cage of a gene drawn from those in conflict takes another tuple that satisfies its clue")
    .source(
        "kenga; the values of a dual variable, R. Dechter, J. Pearl 1989, doi:10.1016/0004-3702(89)90037-4",
    )
    .encodings(&["cells", "cages"])
    .params(&[CONFLICTING, AGAIN])
    .build(|spec| Box::new(Redraw(Draws::of(spec))));

impl Mutation for Redraw {
    fn prepare(&mut self, _space: &Space, _progress: f64) {}

    fn mutate(&mut self, space: &Space, genome: &mut [u8], conflicts: &Conflicts, rng: &mut RunRng) {
        self.0.each(space, conflicts, rng, |gene, rng| redraw(space, gene, genome, rng));
    }

    fn reads_conflicts(&self) -> bool {
        self.0.read_conflicts()
    }
}
