//! Inversion: a segment of digits is reversed.
//!
//! ```text
//! before  1 2 3 4 5 6
//!           ^     ^
//! after   1 5 4 3 2 6
//! ```
//!
//! On `rows` the stretch lies within one line. Fixed genes in between are skipped.

use crate::search::operators::schedule::rate;
use crate::spec::{Builder, Member};

use super::{Mutation, StretchMutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("inversion")
    .about("with probability rate, reverses a random segment of the genome, on `rows` of one row")
    .source(
        "J. H. Holland 1975, Adaptation in Natural and Artificial Systems; A. E. Eiben, J. E. Smith 2015, \
                 Introduction to Evolutionary Computing, doi:10.1007/978-3-662-44874-8",
    )
    .encodings(&["cells", "rows", "values", "permutation"])
    .params(&[rate(0.1).about("probability that a genome is mutated")])
    .build(|spec| StretchMutation::boxed(spec, |genome, genes, _| reverse(genome, genes)));

/// Reverses the digits of some genes.
fn reverse(genome: &mut [u8], genes: &[u16]) {
    let half = genes.len() / 2;
    for (first, last) in genes[..half].iter().zip(genes.iter().rev()) {
        genome.swap(usize::from(*first), usize::from(*last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reversed(genes: &[u16]) -> [u8; 6] {
        let mut genome = [1, 2, 3, 4, 5, 6];
        reverse(&mut genome, genes);
        genome
    }

    #[test]
    fn the_digits_of_the_genes_are_reversed() {
        assert_eq!(reversed(&[1, 2, 3, 4]), [1, 5, 4, 3, 2, 6]);
        assert_eq!(reversed(&[0, 2, 5]), [6, 2, 3, 4, 5, 1]);
        assert_eq!(reversed(&[]), [1, 2, 3, 4, 5, 6]);
    }
}
