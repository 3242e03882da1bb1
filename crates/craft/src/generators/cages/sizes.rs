//! How large cages are: sizes with weights, as texts such as `1..5` and `2:5,3:4,4:1`.

use super::super::mix;
use kenga_core::rng::RunRng;
use kenga_core::spec::{Place, SpecError};

/// The most cells of a cage that is made to order.
pub(super) const LARGEST: usize = 12;

/// The sizes that cages may have, each with a weight.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::generators) struct SizeMix {
    /// The weight of every size from 0 to [`LARGEST`]; 0 for those that no cage may have.
    weights: [f64; LARGEST + 1],
}

impl SizeMix {
    /// Reads `SIZES[:WEIGHT],…`, where `SIZES` is a number of cells or a range `A..B`, both ends included.
    ///
    /// # Errors
    /// What is expected instead, with the key.
    pub(in crate::generators) fn parse(text: &str) -> Result<Self, SpecError> {
        let refusal = || SpecError::Value {
            key: "cages".to_owned(),
            expected: format!("sizes from 1 to {LARGEST} such as 1..5, or with weights such as 2:5,3:4,4:1"),
            found: format!("\"{text}\""),
            place: Place::default(),
        };
        let mut weights = [0.0; LARGEST + 1];
        for part in text.split(',') {
            let (sizes, weight) = part.split_once(':').unwrap_or((part, "1"));
            let (first, last) = sizes.split_once("..").unwrap_or((sizes, sizes));
            let bound = |text: &str| text.trim().parse().ok().filter(|size| (1..=LARGEST).contains(size));
            let (first, last) = bound(first).zip(bound(last)).ok_or_else(refusal)?;
            let weight = mix::weight(weight).ok_or_else(refusal)?;
            weights.get_mut(first..=last).ok_or_else(refusal)?.fill(weight);
        }
        let mix = Self { weights };
        if mix.total() > 0.0 { Ok(mix) } else { Err(refusal()) }
    }

    fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Says whether a cage may have so many cells.
    pub(in crate::generators) fn allows(&self, cells: usize) -> bool {
        self.weights.get(cells).is_some_and(|weight| *weight > 0.0)
    }

    /// The most cells of a cage.
    pub(in crate::generators) fn largest(&self) -> usize {
        (1..=LARGEST).rev().find(|cells| self.allows(*cells)).expect("one size at least has a weight")
    }

    /// The share of one-cell cages among all, by the weights.
    pub(in crate::generators) fn singles(&self) -> f64 {
        self.weights[1] / self.total()
    }

    /// Draws a size.
    pub(super) fn draw(&self, rng: &mut RunRng) -> usize {
        mix::draw(&self.weights, rng).expect("one size at least has a weight")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(text: &str) -> Vec<(usize, f64)> {
        let mix = SizeMix::parse(text).expect(text);
        (1..=LARGEST).filter(|size| mix.allows(*size)).map(|size| (size, mix.weights[size])).collect()
    }

    #[test]
    fn sizes_and_ranges_have_weights_and_later_ones_win() {
        assert_eq!(weights("3"), [(3, 1.0)]);
        assert_eq!(weights("1..3"), [(1, 1.0), (2, 1.0), (3, 1.0)]);
        assert_eq!(weights("2:5, 3:4,4:0.5"), [(2, 5.0), (3, 4.0), (4, 0.5)]);
        assert_eq!(weights("1..4:2,1:0"), [(2, 2.0), (3, 2.0), (4, 2.0)]);
    }

    #[test]
    fn what_is_no_mix_of_sizes_is_refused() {
        for text in ["", "0", "13", "4..2", "a", "2:", "2:-1", "1:0", "2:nan", "..", "2;3"] {
            let error = SizeMix::parse(text).expect_err(text).to_string();
            assert!(error.starts_with("`cages` takes sizes from 1 to 12"), "{error}");
        }
    }
}
