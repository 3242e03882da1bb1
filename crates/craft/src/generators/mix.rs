//! What is drawn by weights.

use kenga_core::rng::RunRng;

/// Reads a weight, 0 to a million.
pub(super) fn weight(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|weight| (0.0..=1e6).contains(weight))
}

/// Draws an index by the weights of all; none where they sum to 0.
pub(super) fn draw(weights: &[f64], rng: &mut RunRng) -> Option<usize> {
    let mut point = rng.unit() * weights.iter().sum::<f64>();
    let reached = |weight: &f64| {
        point -= weight;
        point < 0.0
    };
    // Rounding may leave a point beyond the last.
    weights.iter().position(reached).or_else(|| weights.iter().rposition(|weight| *weight > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::StreamKey;

    #[test]
    fn indices_are_drawn_by_their_weights_and_none_without() {
        let mut rng = StreamKey::run(1, "mix", 0).rng();
        let mut ones = 0;
        for _ in 0..4000 {
            let drawn = draw(&[0.0, 1.0, 3.0, 0.0], &mut rng).expect("weights");
            assert!(drawn == 1 || drawn == 2);
            ones += usize::from(drawn == 1);
        }
        assert!((870..1130).contains(&ones), "{ones}");
        assert_eq!((draw(&[0.0, 0.0], &mut rng), draw(&[], &mut rng)), (None, None));
    }
}
