//! Insertion: a digit is taken out and inserted elsewhere.
//!
//! ```text
//! before  1 2 3 4 5 6
//!           ^     ^
//! after   1 3 4 5 2 6     the first digit of the stretch goes to its end
//! or      1 5 2 3 4 6     the last goes to its beginning
//! ```
//!
//! The digits in between shift by one place and keep their order. On `rows` the stretch lies within one line. Fixed
//! genes in between are skipped.

use crate::search::operators::schedule::rate;
use crate::spec::{Builder, Member};

use super::{Mutation, StretchMutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("insertion")
    .about("with probability rate, moves a digit elsewhere and shifts those in between, on `rows` in one row")
    .source(
        "D. B. Fogel 1988, An evolutionary approach to the traveling salesman problem, Biological Cybernetics \
         60; A. E. Eiben, J. E. Smith 2015, doi:10.1007/978-3-662-44874-8",
    )
    .encodings(&["cells", "rows", "values", "permutation"])
    .params(&[rate(0.1).about("probability that a genome is mutated")])
    .build(|spec| {
        StretchMutation::boxed(spec, |genome, genes, rng| insert(genome, genes, rng.coin(0.5)))
    });

/// Moves the first digit of some genes behind the others, or the last one before them.
fn insert(genome: &mut [u8], genes: &[u16], first_to_end: bool) {
    for step in 1..genes.len() {
        let place = if first_to_end { step } else { genes.len() - step };
        genome.swap(usize::from(genes[place - 1]), usize::from(genes[place]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_digit_moves_and_the_others_keep_their_order() {
        let inserted = |genes: &[u16], first_to_end| {
            let mut genome = [1, 2, 3, 4, 5, 6];
            insert(&mut genome, genes, first_to_end);
            genome
        };
        assert_eq!(inserted(&[1, 2, 3, 4], true), [1, 3, 4, 5, 2, 6]);
        assert_eq!(inserted(&[1, 2, 3, 4], false), [1, 5, 2, 3, 4, 6]);
        assert_eq!(inserted(&[0, 2, 5], true), [3, 2, 6, 4, 5, 1]);
        assert_eq!(inserted(&[], true), [1, 2, 3, 4, 5, 6]);
    }
}
