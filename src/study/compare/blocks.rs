//! Which blocks of two sides make a pair: those of the same puzzle, seed and replicate.

use crate::study::Sample;
use crate::study::sample::Block;

/// Of the smaller of two sides at least that share of the blocks must have a partner, else they are no pairs.
const PARTNERS: f64 = 0.5;

/// The blocks that two sides have in common, by their indices; `None` where these are too few for pairs.
pub(super) fn matched(one: &Sample, two: &Sample) -> Option<Vec<(usize, usize)>> {
    let least = one.blocks.len().min(two.blocks.len());
    let mut pairs = Vec::with_capacity(least);
    let (mut a, mut b) = (0, 0);
    while a < one.blocks.len() && b < two.blocks.len() {
        match one.blocks[a].0.cmp(&two.blocks[b].0) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                pairs.push((a, b));
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    (!pairs.is_empty() && pairs.len() as f64 >= PARTNERS * least as f64).then_some(pairs)
}

/// The blocks that all sides have: a row a block, with its index at every side.
pub(super) fn common(samples: &[Sample]) -> Vec<Vec<usize>> {
    let place = |sample: &Sample, block: &Block| sample.blocks.binary_search_by(|one| one.0.cmp(block)).ok();
    let row = |(block, _): &(Block, _)| samples.iter().map(|sample| place(sample, block)).collect();
    samples.first().map_or_else(Vec::new, |first| first.blocks.iter().filter_map(row).collect())
}
