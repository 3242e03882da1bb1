//! Random numbers: the only place that seeds.
//!
//! A run's stream is keyed by hash(seed, puzzle, replicate) alone, so that settings are compared on the same starts,
//! and no result depends on threads, shards, or the position in a list. Parts of a run draw from children of its key,
//! named by their purpose: `init`, `search`, `island i`.
//!
//! [`RunRng`] implements the traits of `rand`, so that an operator can draw by `rand` and `rand_distr`. Kenga's operators draw by
//! the methods here: `rand` may change what it draws with a new version, and a run has the same bytes for ever.
//!
//! Source: ChaCha with 8 rounds, D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008; bounded integers by
//! D. Lemire, "Fast random integer generation in an interval", 2019, doi:10.1145/3230636.

use std::convert::Infallible;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng, TryRng};
use sha2::{Digest, Sha256};

/// The key of a stream; streams with different keys are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey([u8; 32]);

impl StreamKey {
    /// The key of one run: `puzzle` is its canonical text, `replicate` counts from 0.
    pub fn run(seed: u64, puzzle: &str, replicate: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"kenga run");
        hash.update(seed.to_le_bytes());
        hash.update(replicate.to_le_bytes());
        hash.update(puzzle.as_bytes());
        Self(hash.finalize().into())
    }

    /// The key of a named part of this stream's owner.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"kenga child");
        hash.update(self.0);
        hash.update(name.as_bytes());
        Self(hash.finalize().into())
    }

    /// The generator at the start of the stream.
    #[expect(clippy::disallowed_methods, reason = "the only place that seeds")]
    pub fn rng(&self) -> RunRng {
        RunRng(ChaCha8Rng::from_seed(self.0))
    }
}

/// The random number generator of a run, or of a part of one.
#[derive(Clone, Debug)]
pub struct RunRng(ChaCha8Rng);

impl RunRng {
    /// 32 random bits.
    #[inline]
    pub fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// 64 random bits: two words, the lower first.
    #[inline]
    fn wide_bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform integer from 0 to `n - 1`, without bias.
    ///
    /// # Panics
    /// In debug builds when `n` is 0 or exceeds `u32::MAX`.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0 && n <= u32::MAX as usize, "below needs 1 to 2^32 - 1");
        let n = n as u32;
        // D. Lemire 2019, doi:10.1145/3230636: the upper half of the product is below n, and the lower half says
        // when it would be biased.
        let mut product = u64::from(self.bits()) * u64::from(n);
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = u64::from(self.bits()) * u64::from(n);
            }
        }
        (product >> 32) as usize
    }

    /// A uniform real in [0, 1), a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.wide_bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`; never for 0 or less, always for 1 or more.
    #[inline]
    pub fn coin(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Two different integers from 0 to `n - 1`, the smaller first, every pair as likely as any other.
    ///
    /// # Panics
    /// In debug builds when `n` is below 2.
    #[inline]
    pub fn pair(&mut self, n: usize) -> (usize, usize) {
        let first = self.below(n);
        // Drawn among the others, so that no draw is thrown away.
        let other = self.below(n - 1);
        let second = other + usize::from(other >= first);
        (first.min(second), first.max(second))
    }

    /// Puts a slice in a uniformly random order (Fisher and Yates; R. Durstenfeld 1964, doi:10.1145/364520.364540).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A uniform member of a set of bits, as its index.
    ///
    /// # Panics
    /// In debug builds when the set is empty.
    #[inline]
    pub fn member(&mut self, mask: u32) -> u8 {
        let mut rest = mask;
        for _ in 0..self.below(mask.count_ones() as usize) {
            // Clears the lowest bit.
            rest &= rest - 1;
        }
        rest.trailing_zeros() as u8
    }
}

impl TryRng for RunRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.bits())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.wide_bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand::seq::SliceRandom;

    use super::*;

    fn rng() -> RunRng {
        StreamKey::run(1, "2x2", 0).rng()
    }

    #[test]
    fn values_are_stable() {
        let mut rng = rng();
        let below: Vec<usize> = (0..8).map(|_| rng.below(100)).collect();
        let unit = rng.unit();
        let mut items = [0, 1, 2, 3, 4, 5];
        rng.shuffle(&mut items);
        assert_eq!(below, [71, 52, 83, 53, 20, 87, 47, 94]);
        assert_eq!(unit, 0.400_522_698_902_402_8);
        assert_eq!(items, [2, 5, 4, 3, 0, 1]);
    }

    #[test]
    fn rand_draws_by_it() {
        let (mut rng, mut same) = (rng(), rng());
        assert_eq!(rng.random::<u32>(), same.bits());
        assert_eq!(rng.random::<u64>(), same.wide_bits());
        let mut bytes = [0; 6];
        rng.fill(&mut bytes[..]);
        let words = [same.bits(), same.bits()].map(u32::to_le_bytes);
        assert_eq!(bytes, words.concat()[..6]);
        let mut items: Vec<u32> = (0..50).collect();
        items.shuffle(&mut rng);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        assert!((0..1000).all(|_| (3..7).contains(&rng.random_range(3..7))));
    }

    #[test]
    fn streams_differ_by_seed_puzzle_replicate_and_name() {
        let run = StreamKey::run(1, "a", 0);
        let others = [
            StreamKey::run(2, "a", 0),
            StreamKey::run(1, "b", 0),
            StreamKey::run(1, "a", 1),
            run.child("init"),
            run.child("search"),
        ];
        for (index, other) in others.iter().enumerate() {
            assert_ne!(run, *other);
            assert!(!others[..index].contains(other));
        }
    }

    #[test]
    fn below_is_uniform_within_five_standard_deviations() {
        let mut rng = rng();
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 5 * 93), "{counts:?}");
    }

    #[test]
    fn coins_of_zero_and_one_are_certain() {
        let mut rng = rng();
        assert!((0..1000).all(|_| !rng.coin(0.0) && rng.coin(1.0)));
    }

    #[test]
    fn pairs_are_ordered_and_uniform_within_five_standard_deviations() {
        let mut rng = rng();
        let mut counts = [[0u32; 4]; 4];
        for _ in 0..60_000 {
            let (first, second) = rng.pair(4);
            counts[first][second] += 1;
        }
        for (first, second) in (0..4).flat_map(|first| (0..4).map(move |second| (first, second))) {
            let expected = if first < second { 10_000 } else { 0 };
            assert!(counts[first][second].abs_diff(expected) < 5 * 92, "{counts:?}");
        }
    }

    #[test]
    fn every_member_of_a_set_is_drawn_and_nothing_else() {
        let mut rng = rng();
        let mut seen = 0u32;
        for _ in 0..200 {
            seen |= 1 << rng.member(0b1010_0001);
        }
        assert_eq!(seen, 0b1010_0001);
    }
}
