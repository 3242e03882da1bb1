//! Lines: the distinct groups, in flat arrays.

use std::ops::Range;

/// The distinct groups of two cells or more.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    cells: Vec<u16>,
    /// Where each line begins among the cells, and the end.
    start: Vec<u32>,
    /// For every cell of every line, the rank that it last matched.
    hints: Vec<u8>,
}

impl Lines {
    /// No lines, with room for so many and their cells.
    pub(super) fn with_capacity(lines: usize, cells: usize) -> Self {
        let (start, hints) = (Vec::with_capacity(lines), Vec::with_capacity(cells));
        Self { cells: Vec::with_capacity(cells), start, hints }
    }

    /// Adds a line and returns its index.
    pub(super) fn add(&mut self, cells: &[u16]) -> u32 {
        self.start.push(self.cells.len() as u32);
        self.cells.extend_from_slice(cells);
        self.hints.resize(self.cells.len(), 0);
        self.start.len() as u32 - 1
    }

    /// The number of lines.
    pub(super) fn len(&self) -> usize {
        self.start.len()
    }

    /// The cells of a line, ascending.
    pub(super) fn cells(&self, line: u32) -> &[u16] {
        &self.cells[self.range(line)]
    }

    /// The cells of a line, and for each the rank that it last matched.
    pub(super) fn cells_and_hints(&mut self, line: u32) -> (&[u16], &mut [u8]) {
        let range = self.range(line);
        (&self.cells[range.clone()], &mut self.hints[range])
    }

    fn range(&self, line: u32) -> Range<usize> {
        let end = self.start.get(line as usize + 1).map_or(self.cells.len(), |end| *end as usize);
        self.start[line as usize] as usize..end
    }
}
