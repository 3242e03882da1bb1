//! A stretch of digits in random order.
//!
//! ```text
//! before  1 2 3 4 5 6
//!           ^     ^
//! after   1 4 2 5 3 6
//! ```
//!
//! On `rows` the stretch lies within one line; fixed genes in between are passed over.

use crate::rng::RunRng;
use crate::search::operators::schedule::{Rate, rate};
use crate::search::{Conflicts, Reach, Space};
use crate::spec::{Entry, Member, Spec};

use super::Mutation;
use super::stretches::Stretches;

struct Scramble {
    rate: Rate,
    now: f64,
    stretches: Stretches,
}

pub(super) static ENTRY: Entry<Box<dyn Mutation>> = Entry {
    member: Member {
        name: "scramble",
        about: "with probability rate, puts a random stretch of one segment in random order",
        source: "G. Syswerda 1991, Schedule optimization using genetic algorithms, in L. Davis, Handbook of Genetic \
                 Algorithms",
        encodings: &["cells", "rows"],
        params: &[rate(0.1).about("probability that a genome has a stretch put in random order")],
    },
    build: |spec: &Spec| {
        Box::new(Scramble { rate: Rate::of(spec, "rate"), now: 0.0, stretches: Stretches::default() })
    },
};

/// Puts the digits of some genes in an order: `below(n)` draws from 0 to `n - 1`.
fn shuffle(genome: &mut [u8], genes: &[u16], mut below: impl FnMut(usize) -> usize) {
    for last in (1..genes.len()).rev() {
        genome.swap(usize::from(genes[last]), usize::from(genes[below(last + 1)]));
    }
}

impl Mutation for Scramble {
    fn prepare(&mut self, space: &Space, progress: f64) {
        self.now = self.rate.at(progress);
        self.stretches.prepare(space);
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        if rng.coin(self.now) {
            shuffle(genome, self.stretches.draw(space, rng), |n| rng.below(n));
        }
    }

    fn reach(&self, space: &Space) -> Option<Reach> {
        let genes = space.genes();
        Some(if self.rate.is_never() { Reach::copies(genes) } else { Reach::moves(genes, &space.segments) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_decide_the_order() {
        let mut genome = [1, 2, 3, 4, 5, 6];
        let mut draws = [0, 2, 0].into_iter();
        shuffle(&mut genome, &[1, 2, 3, 4], |_| draws.next().expect("three draws for four genes"));
        // 2 and 5 change places, 4 stays, 5 and 3 change places.
        assert_eq!(genome, [1, 3, 5, 4, 2, 6]);
    }
}
