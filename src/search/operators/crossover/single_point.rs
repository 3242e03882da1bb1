//! Everything before a cut from one parent, everything after it from the other.
//!
//! ```text
//! parents   a a a a a a      b b b b b b
//! cut at 2      |                |
//! children  a a b b b b      b b a a a a
//! ```

use crate::rng::RunRng;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Builder, Member};

use super::{Crossover, RATE};

struct SinglePoint;

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("single_point")
    .about("genes before a uniform cut from one parent, the rest from the other")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .encodings(&["cells"])
    .params(&[RATE])
    .build(|_| Box::new(SinglePoint));

/// Copies parents to children, exchanging the genes from `cut` on.
fn cross_at(cut: usize, [a, b]: [&[u8]; 2], [c, d]: [&mut [u8]; 2]) {
    c[..cut].copy_from_slice(&a[..cut]);
    c[cut..].copy_from_slice(&b[cut..]);
    d[..cut].copy_from_slice(&b[..cut]);
    d[cut..].copy_from_slice(&a[cut..]);
}

impl Crossover for SinglePoint {
    fn cross(
        &mut self,
        _space: &Space,
        parents: [&[u8]; 2],
        _: [&Conflicts; 2],
        children: [&mut [u8]; 2],
        rng: &mut RunRng,
    ) {
        let genes = parents[0].len();
        // A cut leaves a gene on either side; a single gene has no place for one.
        let cut = if genes > 1 { 1 + rng.below(genes - 1) } else { genes };
        cross_at(cut, parents, children);
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::takes_genes(space.genes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_divides_the_parents() {
        let (mut c, mut d) = ([9; 4], [9; 4]);
        cross_at(1, [&[0, 0, 0, 0], &[1, 1, 1, 1]], [&mut c, &mut d]);
        assert_eq!((c, d), ([0, 1, 1, 1], [1, 0, 0, 0]));
    }
}
