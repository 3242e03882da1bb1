//! Crossover: two children from two parents.

mod adaptive;
mod cage;
mod conflict;
mod cycle;
mod order;
mod partially_mapped;
mod position_based;
mod row;
mod segments;
mod single_point;
mod two_point;
mod uniform;

use crate::problem::Blocks;
use crate::rng::RunRng;
use crate::search::operators::schedule::rate;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Family, Param};

/// A way to make two children of two parents.
pub trait Crossover: Send {
    /// Writes both children. Every gene of a child comes from one of the parents, or, on permutations, every segment
    /// stays a permutation of the same digits; fixed genes stay. The first child takes after the first parent, the second
    /// after the second.
    fn cross(
        &mut self,
        space: &Space,
        parents: [&[u8]; 2],
        conflicts: [&Conflicts; 2],
        children: [&mut [u8]; 2],
        rng: &mut RunRng,
    );

    /// What it can make of parents; `None` where nothing is said, and every digit may come up anywhere.
    fn closure(&self, space: &Space) -> Option<Closure> {
        let _ = space;
        None
    }

    /// It reads the conflicts of the parents, which are computed only then.
    fn reads_conflicts(&self) -> bool {
        false
    }

    /// Which of several crossovers made the last children; 0 where there is one.
    fn chosen(&self) -> usize {
        0
    }

    /// Is told what a child of [`chosen`](Self::chosen) has gained over the parent it takes after, 0 to 1.
    fn credit(&mut self, chosen: usize, gain: f64) {
        let _ = (chosen, gain);
    }
}

/// Every crossover.
pub static CROSSOVER: Family<Box<dyn Crossover>> = Family {
    name: "crossover",
    about: "two children from two parents",
    entries: &[
        &single_point::ENTRY,
        &two_point::ENTRY,
        &uniform::ENTRY,
        &row::ENTRY,
        &cage::ENTRY,
        &order::ENTRY,
        &position_based::ENTRY,
        &partially_mapped::ENTRY,
        &cycle::ENTRY,
        &conflict::ENTRY,
        &adaptive::ENTRY,
    ],
};

/// How likely a pair of parents is crossed; else it is cloned. Every crossover has it.
pub const RATE: Param = rate(0.9).about("probability that a pair of parents is crossed, else cloned");

/// Writes two children that take every block of genes whole; `exchanged` says of each whether they take it crosswise.
fn exchange(
    blocks: &Blocks,
    mut exchanged: impl FnMut() -> bool,
    parents: [&[u8]; 2],
    [c, d]: [&mut [u8]; 2],
) {
    for block in blocks.iter() {
        let [for_c, for_d] = if exchanged() { [parents[1], parents[0]] } else { parents };
        for gene in block.iter().map(|gene| usize::from(*gene)) {
            (c[gene], d[gene]) = (for_c[gene], for_d[gene]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_go_over_whole() {
        let mut blocks = Blocks::default();
        blocks.push([0, 3]);
        blocks.push([1, 2]);
        let (mut c, mut d, mut coins) = ([9; 4], [9; 4], [false, true].into_iter());
        let exchanged = || coins.next().expect("a coin a block");
        exchange(&blocks, exchanged, [&[0; 4], &[1; 4]], [&mut c, &mut d]);
        assert_eq!((c, d), ([0, 1, 1, 0], [1, 0, 0, 1]));
    }
}
