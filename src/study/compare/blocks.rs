//! Which runs of two sides make a pair: those of the same puzzle, seed and replicate.

use std::collections::BTreeSet;

use crate::study::{Arm, Block};

/// Of the smaller of two sides at least that share of the runs must have a partner, else they are no pairs.
const PARTNERS: f64 = 0.5;

/// The blocks that sides have in common.
pub(super) struct Blocks<'a> {
    sides: Vec<Vec<&'a Block>>,
}

impl<'a> Blocks<'a> {
    /// The blocks of some sides; `None` where a side has two runs of a block, or where any two sides share too few.
    pub(super) fn of(arms: &'a [Arm<'a>]) -> Option<Self> {
        let sides: Vec<Vec<&Block>> =
            arms.iter().map(|arm| arm.runs.iter().map(|(block, _)| block).collect()).collect();
        // Runs are sorted by block.
        let is_distinct = |side: &Vec<&Block>| side.windows(2).all(|pair| pair[0] != pair[1]);
        let blocks = Self { sides };
        let count = blocks.sides.len();
        let enough = |(a, b): (usize, usize)| {
            let least = blocks.sides[a].len().min(blocks.sides[b].len()) as f64;
            blocks.pairs(a, b).len() as f64 >= PARTNERS * least
        };
        let mut all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        (blocks.sides.iter().all(is_distinct) && (blocks.are_whole() || all.all(enough))).then_some(blocks)
    }

    /// Every side has all blocks.
    pub(super) fn are_whole(&self) -> bool {
        self.sides.iter().all(|side| *side == self.sides[0])
    }

    /// The blocks that any side has.
    pub(super) fn count(&self) -> usize {
        self.sides.iter().flatten().collect::<BTreeSet<_>>().len()
    }

    /// The runs of two sides that make pairs, by their indices.
    pub(super) fn pairs(&self, first: usize, second: usize) -> Vec<(usize, usize)> {
        let (one, two) = (&self.sides[first], &self.sides[second]);
        let mut pairs = Vec::with_capacity(one.len().min(two.len()));
        let (mut a, mut b) = (0, 0);
        while a < one.len() && b < two.len() {
            match one[a].cmp(two[b]) {
                std::cmp::Ordering::Less => a += 1,
                std::cmp::Ordering::Greater => b += 1,
                std::cmp::Ordering::Equal => {
                    pairs.push((a, b));
                    (a, b) = (a + 1, b + 1);
                }
            }
        }
        pairs
    }

    /// The blocks that all of some sides have: a row a block, with the index of the run of every side.
    pub(super) fn common(&self, sides: &[usize]) -> Vec<Vec<usize>> {
        let row = |block: &&Block| -> Option<Vec<usize>> {
            sides.iter().map(|side| self.sides[*side].binary_search(block).ok()).collect()
        };
        self.sides[sides[0]].iter().filter_map(row).collect()
    }
}
