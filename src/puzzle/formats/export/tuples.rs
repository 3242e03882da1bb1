//! The tuples of a clue: every way in which its cells can make the target, lines considered.
//!
//! Depth first, a cell at a time, cut by what the operator says of a prefix. Tuples and steps are bounded, so that no
//! cage, however large, takes long.

use super::super::super::Clue;
use super::lines::Lines;

/// The most cells of a clue that is walked.
const WIDEST: usize = 32;

/// Steps granted for every tuple that may be kept; a step tries one digit in one cell.
const STEPS_PER_TUPLE: usize = 32;

/// The tuples of a clue over `cells`, each as many digits as there are cells, in lexical order; `None` when there are
/// more than `limit` or too many steps are needed to tell.
pub(super) fn tuples(
    clue: Clue,
    cells: &[usize],
    digits: &[u8],
    lines: &Lines,
    limit: usize,
) -> Option<Vec<Vec<u8>>> {
    if cells.len() > WIDEST {
        return None;
    }
    let differ = |(position, cell): (usize, &usize)| {
        (0..position).filter(|earlier| lines.must_differ(cells[*earlier], *cell)).collect()
    };
    let clashes = cells.iter().enumerate().map(differ).collect();
    let steps = limit.saturating_mul(STEPS_PER_TUPLE);
    let mut walk = Walk { clue, digits, clashes, prefix: Vec::new(), found: Vec::new(), limit, steps };
    walk.extend().then_some(walk.found)
}

struct Walk<'a> {
    clue: Clue,
    digits: &'a [u8],
    /// The earlier positions that a position must differ from.
    clashes: Vec<Vec<usize>>,
    prefix: Vec<u8>,
    found: Vec<Vec<u8>>,
    limit: usize,
    steps: usize,
}

impl Walk<'_> {
    /// Tries every digit in the next cell; false when the walk is given up.
    fn extend(&mut self) -> bool {
        let position = self.prefix.len();
        let Some(clashes) = self.clashes.get(position) else { return self.keep() };
        let taken: Vec<u8> = clashes.iter().map(|earlier| self.prefix[*earlier]).collect();
        for &digit in self.digits.iter().filter(|digit| !taken.contains(digit)) {
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            self.prefix.push(digit);
            let going = !self.may_hold() || self.extend();
            self.prefix.pop();
            if !going {
                return false;
            }
        }
        true
    }

    fn may_hold(&self) -> bool {
        let rest = self.clashes.len() - self.prefix.len();
        let (low, high) = (self.digits[0], self.digits[self.digits.len() - 1]);
        self.clue.operator.may_hold(&self.prefix, rest, low, high, self.clue.target)
    }

    fn keep(&mut self) -> bool {
        if self.clue.holds(&self.prefix) {
            self.found.push(self.prefix.clone());
        }
        self.found.len() <= self.limit
    }
}
