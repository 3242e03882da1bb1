//! A clue: what the digits of a group must make.

use std::fmt;

use super::operators::Operator;

/// An operator and its target. One cell with any operator is a given: it must hold the target itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clue {
    /// How the digits are combined.
    pub operator: Operator,
    /// What they must make, 0 to `i64::MAX`.
    pub target: i64,
}

impl Clue {
    /// Says whether `digits` (values, in any order) make the target.
    pub fn holds(&self, digits: &[u8]) -> bool {
        self.operator.holds(digits, self.target)
    }

    /// Measures how far `digits` are from the target: 0 exactly when the clue holds, at most
    /// [`GAP_CAP`](super::operators::GAP_CAP).
    pub fn gap(&self, digits: &[u8]) -> u32 {
        if self.holds(digits) {
            return 0;
        }
        let gap = self.operator.gap(digits, self.target);
        gap.clamp(1, u64::from(super::operators::GAP_CAP)) as u32
    }
}

impl fmt::Display for Clue {
    /// Writes the clue as puzzles print it: `8*`, `1-`, `3` for a given, `7?` for a hidden operator.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operator.is_given() {
            write!(f, "{}", self.target)
        } else {
            write!(f, "{}{}", self.target, self.operator.symbol())
        }
    }
}
