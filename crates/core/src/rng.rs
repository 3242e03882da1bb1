//! Random numbers: the only place that seeds.
//!
//! A run's stream is keyed by hash(seed, puzzle, replicate) alone, so that settings are compared on the same starts,
//! and no result depends on threads, shards, or the position in a list. Parts of a run draw from children of its key,
//! named by their purpose: `init`, `search`, `island i`.
//!
//! Source: ChaCha with 8 rounds, D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008; bounded integers by
//! D. Lemire, "Fast random integer generation in an interval", 2019, doi:10.1145/3230636.

use chacha20::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
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
        RunRng { next: WORDS, words: [0; WORDS], source: ChaCha8Rng::from_seed(self.0) }
    }
}

/// Words that the generator makes at a time.
const WORDS: usize = 64;

/// The random number generator of a run, or of a part of one.
#[derive(Debug)]
pub struct RunRng {
    /// The first of `words` that has not been drawn.
    next: usize,
    words: [u32; WORDS],
    source: ChaCha8Rng,
}

impl Clone for RunRng {
    fn clone(&self) -> Self {
        let source = ChaCha8Rng::deserialize_state(&self.source.serialize_state());
        Self { next: self.next, words: self.words, source }
    }
}

impl RunRng {
    /// 32 random bits.
    #[inline]
    pub fn bits(&mut self) -> u32 {
        if self.next >= WORDS {
            self.refill();
        }
        let word = self.words[self.next];
        self.next += 1;
        word
    }

    /// 64 random bits: two words, the lower first.
    #[inline]
    fn wide_bits(&mut self) -> u64 {
        // Two words side by side; at the end of the buffer `torn_bits` refills it.
        if let Some(&[low, high]) = self.words.get(self.next..self.next + 2).and_then(<[u32]>::first_chunk) {
            self.next += 2;
            return u64::from(low) | u64::from(high) << 32;
        }
        self.torn_bits()
    }

    /// As [`wide_bits`](Self::wide_bits), of the last word and the first of the next ones, or where no word is left.
    #[cold]
    fn torn_bits(&mut self) -> u64 {
        u64::from(self.bits()) | u64::from(self.bits()) << 32
    }

    /// Apart from what draws, so that this stays short wherever it is inlined.
    #[cold]
    fn refill(&mut self) {
        let mut bytes = [0; 4 * WORDS];
        self.source.fill_bytes(&mut bytes);
        for (word, bytes) in self.words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.next = 0;
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

#[cfg(test)]
mod tests {

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
    #[expect(clippy::disallowed_methods, reason = "an oracle of the same key")]
    fn words_are_those_of_the_crate_s_own_generator() {
        let key = StreamKey::run(1, "2x2", 0);
        let (mut rng, mut oracle) = (key.rng(), ChaCha8Rng::from_seed(key.0));
        for draw in 0..1000 {
            // Every place of the words is met by both, as three words are no divisor of theirs.
            if draw % 2 == 0 {
                assert_eq!(rng.bits(), oracle.next_u32());
            } else {
                assert_eq!(rng.wide_bits(), oracle.next_u64());
            }
        }
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
