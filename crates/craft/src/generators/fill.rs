//! Grids that are filled with digits at random.
//!
//! ```text
//! until the grid is full
//!     the cell with the fewest digits left gets one of them at random; where none is left, go back
//! ```

use kenga_core::problem::bits;
use kenga_core::rng::RunRng;

/// A grid that is filled.
pub(super) trait Fill {
    /// The digit of every cell; 0 for none.
    fn digits(&self) -> &[u8];

    /// The digits that an empty cell may have beside those that stand; bit 0 for digit 1.
    fn left(&self, cell: usize) -> u32;

    /// Puts a digit in a cell, or takes it out with 0.
    fn put(&mut self, cell: usize, digit: u8);

    /// Fills the empty cells; false where that fails within the steps.
    fn fill(&mut self, rng: &mut RunRng, steps: &mut usize) -> bool {
        let open = (0..self.digits().len()).filter(|cell| self.digits()[*cell] == 0);
        let Some(cell) = open.min_by_key(|cell| self.left(*cell).count_ones()) else { return true };
        let mut choices: Vec<u32> = bits(self.left(cell)).collect();
        rng.shuffle(&mut choices);
        for rank in choices {
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            self.put(cell, rank as u8 + 1);
            if self.fill(rng, steps) {
                return true;
            }
        }
        self.put(cell, 0);
        false
    }
}
