//! Puzzles for tests and benches.

mod samples;

use kenga::puzzle::{Cage, Puzzle, Square, operators};
use kenga::rng::StreamKey;

/// A random KenKen with cages of up to four cells, the same for the same size and seed.
pub fn kenken(size: usize, seed: u64) -> Puzzle {
    let mut rng = StreamKey::run(seed, "test puzzle", size as u64).rng();
    samples::kenken(size, 4, |n| rng.below(n))
}
