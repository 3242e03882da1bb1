//! What the tests of this room share.

use crate::rng::StreamKey;

/// Holds two numbers to a relative difference (absolute below 1); equal infinities are close.
#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64) {
    let scale = if expected == 0.0 { 1.0 } else { expected.abs() };
    assert!(found == expected || (found - expected).abs() <= tolerance * scale, "{found} is not {expected}");
}

/// A source of draws for the bootstrap, the same for the same seed.
pub(crate) fn draws(seed: u64) -> impl FnMut(usize) -> usize {
    let mut rng = StreamKey::run(seed, "statistics", 0).rng();
    move |n| rng.below(n)
}
