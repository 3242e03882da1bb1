//! Blocks: the runs on which candidates are compared, a puzzle and a replicate each, in an order without end.

use std::collections::BTreeMap;

use kenga_core::rng::StreamKey;
use kenga_core::sort::sort_by_key;

/// The blocks of a tuning.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    key: StreamKey,
    puzzles: usize,
}

impl Blocks {
    /// Blocks over so many puzzles, at least one: every puzzle once in random order, then again, and so on.
    pub(super) fn new(key: StreamKey, puzzles: usize) -> Self {
        Self { key: key.child("blocks"), puzzles }
    }

    /// The puzzle and the replicate of a block.
    pub(super) fn place(&self, block: usize) -> (usize, u64) {
        let replicate = block / self.puzzles;
        // Drawn anew for every block: an order without end is not kept.
        let mut order: Vec<usize> = (0..self.puzzles).collect();
        self.key.child(&format!("replicate {replicate}")).rng().shuffle(&mut order);
        (order[block % self.puzzles], replicate as u64)
    }

    /// The order in which the race of an iteration takes its blocks: a new one, those that were used before in random
    /// order, then further new ones without end.
    pub(super) fn order(&self, iteration: u64, used: usize) -> RaceOrder {
        let mut blocks: Vec<usize> = (0..used).collect();
        self.key.child(&format!("iteration {iteration}")).rng().shuffle(&mut blocks);
        // The elites have been chosen on the others, where they may have been lucky.
        blocks.insert(0, used);
        RaceOrder(blocks)
    }
}

/// The blocks of a race: these, then all that follow.
#[derive(Clone, Debug)]
pub(super) struct RaceOrder(Vec<usize>);

impl RaceOrder {
    /// The first `used` blocks by a key, then new ones.
    pub(super) fn by_key(used: usize, key: impl Fn(usize) -> usize) -> Self {
        let mut blocks: Vec<usize> = (0..used).collect();
        sort_by_key(&mut blocks, |block| key(*block));
        Self(blocks)
    }

    /// The block at a position of the race.
    pub(super) fn at(&self, position: usize) -> usize {
        self.0.get(position).copied().unwrap_or(position)
    }

    /// The first positions, by block.
    pub(super) fn positions(&self, count: usize) -> BTreeMap<usize, usize> {
        (0..count).map(|position| (self.at(position), position)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> Blocks {
        Blocks::new(StreamKey::run(3, "", 0), 5)
    }

    #[test]
    fn every_puzzle_comes_once_a_replicate() {
        for replicate in 0..3 {
            let mut puzzles: Vec<usize> = (0..5)
                .map(|block| blocks().place(replicate * 5 + block))
                .inspect(|(_, of)| assert_eq!(*of, replicate as u64))
                .map(|(puzzle, _)| puzzle)
                .collect();
            puzzles.sort_unstable();
            assert_eq!(puzzles, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn blocks_are_taken_by_their_key_then_new_ones() {
        let order = RaceOrder::by_key(4, |block| block % 2);
        assert_eq!((0..6).map(|position| order.at(position)).collect::<Vec<_>>(), [0, 2, 1, 3, 4, 5]);
    }

    #[test]
    fn a_race_begins_with_a_new_block_and_takes_every_block_once() {
        for used in [0, 1, 7] {
            let order = blocks().order(2, used);
            let mut taken: Vec<usize> = (0..12).map(|position| order.at(position)).collect();
            assert_eq!(taken[0], used);
            taken.sort_unstable();
            assert_eq!(taken, (0..12).collect::<Vec<_>>());
        }
    }
}
