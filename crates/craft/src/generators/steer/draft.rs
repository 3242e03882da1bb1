//! What is steered: a draft, what is poor about it, and what a change of it should tend to.

use crate::generators::order::Wish;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;

/// What is poor about a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::generators) struct Flaws {
    /// How many flaws there are.
    pub(in crate::generators) count: usize,
    /// Cells near which a change may mend one.
    pub(in crate::generators) cells: Vec<u16>,
    /// What such a change should tend to.
    pub(in crate::generators) wish: Wish,
    /// What they are, each once: `an easy corner`.
    pub(in crate::generators) words: Vec<String>,
}

impl Flaws {
    /// Adds flaws of a kind, in words, and cells that they lie in.
    pub(in crate::generators) fn add(&mut self, count: usize, cells: &[u16], words: &str) {
        self.count += count;
        self.cells.extend(cells);
        if count > 0 && !self.words.iter().any(|known| known == words) {
            self.words.push(words.to_owned());
        }
    }
}

/// A puzzle under construction: it has the solution that it was begun with, whatever else.
pub(in crate::generators) trait PuzzleDraft: Clone {
    /// Why there is no puzzle where no draft could be begun.
    const NOT_BEGUN: &'static str = "none could be begun";

    /// Tries that the puzzle counts as: more than one where a change takes as much work as several questions to the solver.
    fn tries(&self) -> u32 {
        1
    }

    /// The puzzle as it is, with its solution.
    fn puzzle(&self) -> Puzzle;

    /// The digits of the solution, a cell of the problem each.
    fn solution(&self) -> &[u8];

    /// Changes the draft at random near some cells, or anywhere if there are none; says whether it found a change.
    fn change(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool;

    /// Changes the draft so that it has none of these other solutions; says whether it found such a change.
    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool;

    /// Exchanges parts of the solution, such as two digits, and leaves the rest as it is as far as that can be; says whether it found such
    /// an exchange.
    fn exchange(&mut self, _rng: &mut RunRng) -> bool {
        false
    }

    /// What is poor about it.
    fn flaws(&self) -> Flaws;

    /// Sets of cells of the problem: the clues within each stand or go together.
    fn parts(&self) -> Vec<Vec<u16>>;
}

/// Changes a draft whose clues stand or are left out, towards a wish: `switch` does so with one of them near some cells, and says whether
/// there was one.
pub(in crate::generators) fn switch_clues(
    near: &[u16],
    wish: Wish,
    mut switch: impl FnMut(&[u16], bool) -> bool,
) -> bool {
    match wish {
        Wish::Tighter | Wish::Smaller => switch(near, true),
        Wish::Looser => switch(near, false),
        Wish::Other => switch(near, false) && switch(&[], true),
    }
}

/// The cells in which two grids differ.
pub(in crate::generators) fn differing(one: &[u8], other: &[u8]) -> Vec<u16> {
    (0..one.len() as u16).filter(|cell| one[usize::from(*cell)] != other[usize::from(*cell)]).collect()
}

/// Draws one of some items: of those that are near where there are such, else of all; none of none.
pub(in crate::generators) fn pick<T: Copy>(
    mut items: Vec<T>,
    is_near: impl Fn(&T) -> bool,
    rng: &mut RunRng,
) -> Option<T> {
    if items.iter().any(&is_near) {
        items.retain(is_near);
    }
    (!items.is_empty()).then(|| items[rng.below(items.len())])
}
