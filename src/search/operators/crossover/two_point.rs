//! A stretch of genes exchanged between the parents.
//!
//! ```text
//! parents        a a a a a a      b b b b b b
//! cuts at 1, 4     |     |          |     |
//! children       a b b b a a      b a a a b b
//! ```
//!
//! The genome is a ring: of its L places to cut, one lies between the last gene and the first. Every pair of different
//! places is as likely, and no gene is more likely than another to be exchanged.

use crate::rng::RunRng;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Builder, Member};

use super::{Crossover, RATE};

struct TwoPoint;

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("two_point")
    .about("exchanges the genes between two different uniform cuts")
    .source("K. A. De Jong 1975, An Analysis of the Behavior of a Class of Genetic Adaptive Systems")
    .encodings(&["cells"])
    .params(&[RATE])
    .build(|_| Box::new(TwoPoint));

/// Copies parents to children, exchanging the genes from the first cut up to the second.
fn cross_between((first, second): (usize, usize), [a, b]: [&[u8]; 2], [c, d]: [&mut [u8]; 2]) {
    c.copy_from_slice(a);
    d.copy_from_slice(b);
    c[first..second].copy_from_slice(&b[first..second]);
    d[first..second].copy_from_slice(&a[first..second]);
}

impl Crossover for TwoPoint {
    fn cross(
        &mut self,
        _space: &Space,
        parents: [&[u8]; 2],
        _: [&Conflicts; 2],
        children: [&mut [u8]; 2],
        rng: &mut RunRng,
    ) {
        let genes = parents[0].len();
        // A ring of one gene has no two places to cut.
        let cuts = if genes > 1 { rng.pair(genes) } else { (0, 0) };
        cross_between(cuts, parents, children);
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::takes_genes(space.genes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stretch_between_the_cuts_is_exchanged() {
        let (mut c, mut d) = ([9; 5], [9; 5]);
        cross_between((1, 3), [&[0; 5], &[1; 5]], [&mut c, &mut d]);
        assert_eq!((c, d), ([0, 1, 1, 0, 0], [1, 0, 0, 1, 1]));
    }
}
