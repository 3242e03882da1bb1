//! Moves that exchange the digits of two cells.

use crate::problem::Blocks;

use super::clue_state::{DigitChange, OpenClues};
use super::{Tally, has};

/// The line and the open clue of every cell, side by side.
#[derive(Clone, Debug)]
pub(super) struct Links {
    of: Vec<CellLinks>,
    /// No cell has a second line or a second open clue.
    is_complete: bool,
}

/// The first line and the first open clue of a cell; where it has none, the number of all.
#[derive(Clone, Copy, Debug)]
struct CellLinks {
    line: u16,
    clue: u16,
}

impl Links {
    pub(super) fn new(lines: &Blocks, clues: &OpenClues, none: [usize; 2]) -> Self {
        let [no_line, no_clue] = none.map(|number| number as u16);
        let mut links = Self { of: Vec::new(), is_complete: true };
        for (cell, lines) in lines.iter().enumerate() {
            let clues = clues.of(cell);
            links.is_complete &= lines.len() <= 1 && clues.len() <= 1;
            let line = lines.first().copied().unwrap_or(no_line);
            links.of.push(CellLinks { line, clue: clues.first().copied().unwrap_or(no_clue) });
        }
        links
    }
}

impl Tally {
    /// What exchanging the digits of two different cells would add: one move. Nothing is changed.
    #[inline]
    pub fn swap(&self, first: usize, second: usize) -> i64 {
        let (a, b) = (self.ranks[first], self.ranks[second]);
        if a == b {
            return 0;
        }
        if self.is_measured() {
            return self.measured_difference(|genome| genome.swap(first, second));
        }
        // A line with both cells has the same digits as before.
        let (of_first, of_second) = (self.lines.get(first), self.lines.get(second));
        let (mut sum, first, second) = (0, first as u16, second as u16);
        for line in of_first {
            sum += if has(of_second, *line) { 0 } else { self.moved(*line, a, b) };
        }
        for line in of_second {
            sum += if has(of_first, *line) { 0 } else { self.moved(*line, b, a) };
        }
        let changes = [DigitChange { cell: first, rank: b }, DigitChange { cell: second, rank: a }];
        let (of_first, of_second) = (self.clues.of(usize::from(first)), self.clues.of(usize::from(second)));
        for clue in of_first {
            sum += if has(of_second, *clue) {
                self.clues.change_all(*clue, &changes, &self.ranks)
            } else {
                self.clues.change(*clue, changes[0], &self.ranks)
            };
        }
        for clue in of_second.iter().filter(|clue| !has(of_first, **clue)) {
            sum += self.clues.change(*clue, changes[1], &self.ranks);
        }
        sum
    }

    /// What exchanging the digits of two different cells would add, if that is at most `most`.
    ///
    /// Where lines count by masks and every cell has at most one line and one open clue, the lines come first: when
    /// even clues that become satisfied cannot make good what they add, no clue is measured.
    #[inline]
    pub(crate) fn swap_within(&self, first: usize, second: usize, most: i64) -> Option<i64> {
        if !(self.by_masks && self.links.is_complete) {
            return Some(self.swap(first, second)).filter(|difference| *difference <= most);
        }
        let (a, b) = (self.ranks[first], self.ranks[second]);
        if a == b {
            return (most >= 0).then_some(0);
        }
        let (here, there) = (self.links.of[first], self.links.of[second]);
        let lines = if here.line == there.line { 0 } else { self.crossed([here.line, there.line], [a, b]) };
        let mut sum = lines * i64::from(self.guide.line_weight);
        let clues = [here.clue, there.clue];
        // However the clues end, the exchange costs more than the search accepts.
        if sum - self.clues.gain(clues) > most {
            return None;
        }
        let (first, second) = (first as u16, second as u16);
        let changes = [DigitChange { cell: first, rank: b }, DigitChange { cell: second, rank: a }];
        sum += self.clues.change_two(clues, changes, &self.ranks);
        (sum <= most).then_some(sum)
    }

    /// The repeats that two lines gain when the first gives its digit `a` for the digit `b` of the second.
    #[inline(always)]
    fn crossed(&self, lines: [u16; 2], [a, b]: [u8; 2]) -> i64 {
        let [first, second] = lines.map(|line| self.held[usize::from(line)]);
        let gained = (first.once >> b & 1) + (second.once >> a & 1);
        let lost = (first.twice >> a & 1) + (second.twice >> b & 1);
        i64::from(gained) - i64::from(lost)
    }
}
