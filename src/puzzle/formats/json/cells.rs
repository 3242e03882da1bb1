//! Cells as programs write them: `[0, 1]`, `{"row": 0, "col": 1}`, `{"x": 1, "y": 0}`, `"A2"`, `"R1C2"`, `1`.
//!
//! Pairs and numbers count from 0, or from 1 where no 0 stands in any cage and the last row, column or cell does.

use super::super::super::Cage;
use super::super::error::Fault;
use super::keys::Keys;
use super::node::Node;

const CELL: &str = "a cell, [row, column] from 0";
const NAME: &str = "the name of a cell, such as \"A1\" or \"R1C1\"";

/// A cell as the text says it.
#[derive(Clone, Copy, Debug)]
pub(super) enum CellText {
    /// Counted from 0.
    Known((usize, usize)),
    /// Row and column, counted from 0 or 1.
    Pair(usize, usize),
    /// Row by row, counted from 0 or 1.
    Number(usize),
}

impl CellText {
    pub(super) fn read(node: Node<'_>) -> Result<Self, Fault> {
        if node.is_object() {
            let keys = Keys::read(node, CELL)?.only(&["row", "col", "column", "r", "c", "y", "x"])?;
            let (row, column) =
                (keys.need_one(&["row", "r", "y"])?, keys.need_one(&["col", "column", "c", "x"])?);
            return Ok(Self::Pair(row.number(CELL)?, column.number(CELL)?));
        }
        if node.is_list() {
            let [row, column] = node.array(CELL)?;
            return Ok(Self::Pair(row.number(CELL)?, column.number(CELL)?));
        }
        if node.is_text() {
            return node.word(NAME)?.cell().map(Self::Known).ok_or_else(|| node.unexpected(NAME));
        }
        Ok(Self::Number(node.number(CELL)?))
    }
}

/// Gives every cage its cells, counted from 0. Says whether the text counts from 1, as it may where `cover` says that the
/// cages hold every cell.
pub(super) fn settle(cages: &mut [Cage], texts: &[Vec<CellText>], size: usize, cover: bool) -> bool {
    let (mut pairs, mut numbers) = (Base { zero: !cover, last: false }, Base { zero: !cover, last: false });
    for cell in texts.iter().flatten() {
        match *cell {
            CellText::Known(_) => {}
            CellText::Pair(row, column) => [row, column].into_iter().for_each(|part| pairs.see(part, size)),
            CellText::Number(number) => numbers.see(number, size * size),
        }
    }
    for (cage, cells) in cages.iter_mut().zip(texts) {
        let settled = cells.iter().map(|cell| match *cell {
            CellText::Known(cell) => cell,
            CellText::Pair(row, column) => (row - pairs.least(), column - pairs.least()),
            CellText::Number(number) => {
                ((number - numbers.least()) / size, (number - numbers.least()) % size)
            }
        });
        cage.cells = settled.collect();
    }
    pairs.least() + numbers.least() > 0
}

/// What is known about where counting starts.
struct Base {
    zero: bool,
    last: bool,
}

impl Base {
    fn see(&mut self, number: usize, count: usize) {
        self.zero |= number == 0;
        self.last |= number == count;
    }

    fn least(&self) -> usize {
        usize::from(self.last && !self.zero)
    }
}
