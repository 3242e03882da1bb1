//! Scramble: a segment of digits is shuffled.
//!
//! ```text
//! before  1 2 3 4 5 6
//!           ^     ^
//! after   1 4 2 5 3 6
//! ```
//!
//! On `rows` the stretch lies within one line. Fixed genes in between are skipped.

use crate::search::operators::schedule::rate;
use crate::search::operators::shuffle;
use crate::spec::{Builder, Member};

use super::{Mutation, StretchMutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("scramble")
    .about("with probability rate, shuffles a random segment of the genome, on `rows` of one row")
    .source(
        "G. Syswerda 1991, Schedule optimization using genetic algorithms, in L. Davis, Handbook of Genetic \
                 Algorithms",
    )
    .encodings(&["cells", "rows", "values", "permutation"])
    .params(&[rate(0.1).about("probability that a genome is mutated")])
    .build(|spec| {
        StretchMutation::boxed(spec, |genome, genes, rng| shuffle(genome, genes, |n| rng.below(n)))
    });

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
