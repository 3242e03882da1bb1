//! A clue as a chain of states. Sums and products are such chains; learning explains what they remove.

/// A chain of states, one step a cell.
pub(super) trait Steps {
    /// The cells, in the order of their steps.
    fn cells(&self) -> &[u16];
    /// The number of states.
    fn states(&self) -> usize;
    /// The state before the first cell.
    fn start(&self) -> usize;
    /// The state after the last cell.
    fn end(&self) -> usize;
    /// The state that a digit leads to, if any.
    fn next(&self, state: usize, rank: u32) -> Option<usize>;
}
