//! The digits that a puzzle may use.

use super::Defect;

/// The most digits a puzzle may have: candidate sets are 32-bit masks.
pub const MAX_DIGITS: usize = 32;

/// Up to 32 different digit values, ascending. Behind this module a digit is its *rank* here, 0 to `len - 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigitSet {
    values: Vec<u8>,
}

impl DigitSet {
    /// Builds the set from values in any order.
    ///
    /// # Errors
    /// [`Defect::Digits`] when there is no value, more than 32, or one twice.
    pub fn new(mut values: Vec<u8>) -> Result<Self, Defect> {
        values.sort_unstable();
        let twice = values.windows(2).any(|pair| pair[0] == pair[1]);
        if values.is_empty() || values.len() > MAX_DIGITS || twice {
            return Err(Defect::Digits { count: values.len(), twice });
        }
        Ok(Self { values })
    }

    /// The digits 1 to `n`.
    ///
    /// # Errors
    /// [`Defect::Digits`] when `n` is not in 1..=32.
    pub fn one_to(n: usize) -> Result<Self, Defect> {
        let last = u8::try_from(n).unwrap_or(u8::MAX);
        Self::new((1..=last).collect())
    }

    /// How many digits there are, 1 to 32.
    #[expect(clippy::len_without_is_empty, reason = "a digit set is never empty")]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The values, ascending; the index is the rank.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The rank of a value, if it is in the set.
    pub fn rank(&self, value: u8) -> Option<u8> {
        self.values.binary_search(&value).ok().map(|rank| rank as u8)
    }

    /// Says whether these are the digits 1 to `n`, what a puzzle of size `n` has when it says nothing.
    pub fn is_one_to(&self, n: usize) -> bool {
        self.values.len() == n && self.values[0] == 1 && usize::from(self.values[n - 1]) == n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_ascending_values() {
        let digits = DigitSet::new(vec![7, 2, 5, 3]).expect("four different digits");
        assert_eq!(digits.values(), [2, 3, 5, 7]);
        assert_eq!(digits.rank(5), Some(2));
        assert_eq!(digits.rank(4), None);
    }

    #[test]
    fn empty_repeated_and_oversized_sets_are_refused() {
        assert!(DigitSet::new(vec![]).is_err());
        assert!(DigitSet::new(vec![3, 3]).is_err());
        assert!(DigitSet::one_to(0).is_err());
        assert!(DigitSet::one_to(33).is_err());
        assert!(DigitSet::one_to(32).is_ok());
    }
}
