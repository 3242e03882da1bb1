//! Moves that replace the tuple of several cells.

use std::ops::Range;

use crate::problem::Blocks;

use super::Tally;
use super::clue_state::DigitChange;
use super::surroundings::Surroundings;

/// The most cells of a part.
pub(crate) const LONGEST: usize = 32;

/// A partition of some cells into parts, each with the lines and open clues that it touches, and with what other parts
/// hold in these lines.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    cells: Blocks,
    /// The runs of every part, from the first up to the second.
    spans: Vec<(u32, u32)>,
    /// The runs of all parts, one part after the other.
    runs: Vec<LineRun>,
    /// Positions within the part.
    incidences: Vec<u8>,
    /// The slot of every incidence in the surroundings.
    slots: Vec<u32>,
    surroundings: Surroundings,
    /// The open clues of every part.
    clues: Blocks,
}

/// A line of a part, and the incidences of the part there.
#[derive(Clone, Copy, Debug)]
struct LineRun {
    line: u16,
    start: u32,
    end: u32,
}

impl LineRun {
    /// The places of its incidences.
    #[inline(always)]
    fn incidences(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Parts {
    /// Links parts with the lines and open clues of a tally.
    ///
    /// # Panics
    /// When a part has more than 32 cells.
    pub(crate) fn link(cells: Blocks, tally: &Tally) -> Self {
        let mut parts = Self {
            cells: Blocks::default(),
            spans: Vec::new(),
            runs: Vec::new(),
            incidences: Vec::new(),
            slots: Vec::new(),
            surroundings: Surroundings::new(&cells, &tally.lines, tally.line_groups.len()),
            clues: Blocks::default(),
        };
        for (index, part) in cells.iter().enumerate() {
            parts.link_part(index, part, tally);
        }
        parts.cells = cells;
        parts.update_all(tally);
        parts
    }

    fn link_part(&mut self, index: usize, part: &[u16], tally: &Tally) {
        let mut touched: Vec<(u16, u8, u32)> = Vec::new();
        let mut clues: Vec<u16> = Vec::new();
        assert!(part.len() <= LONGEST, "a part has up to 32 cells");
        for (position, cell) in (0..).zip(part) {
            for (place, line) in tally.lines.get(usize::from(*cell)).iter().enumerate() {
                let slot = self.surroundings.slot(index, usize::from(position), place, *line);
                touched.push((*line, position, slot));
            }
            clues.extend(tally.clues.of(usize::from(*cell)));
        }
        // By line, then by position.
        touched.sort_unstable();
        clues.sort_unstable();
        clues.dedup();
        let first = self.runs.len() as u32;
        // The cells of the part that lie in one line are priced together.
        for run in touched.chunk_by(|a, b| a.0 == b.0) {
            let start = self.incidences.len() as u32;
            for (_, position, slot) in run {
                self.incidences.push(*position);
                self.slots.push(*slot);
            }
            self.runs.push(LineRun { line: run[0].0, start, end: self.incidences.len() as u32 });
        }
        self.spans.push((first, self.runs.len() as u32));
        self.clues.push(clues);
    }

    /// Brings up to date what all parts hold, after the tally was placed.
    pub(crate) fn update_all(&mut self, tally: &Tally) {
        for part in 0..self.len() {
            self.update(part, tally);
        }
        for (line, held) in tally.held[..tally.line_groups.len()].iter().enumerate() {
            self.surroundings.refresh(line, *held);
        }
    }

    /// Brings up to date what a part holds, and what others see of it in the lines where its digits changed.
    fn update(&mut self, part: usize, tally: &Tally) {
        let cells = self.cells.get(part);
        self.surroundings.hold(part, cells.iter().map(|cell| tally.ranks[usize::from(*cell)]));
        let (start, end) = self.spans[part];
        for run in &self.runs[start as usize..end as usize] {
            let own = tally.own(cells, &self.incidences[run.incidences()]);
            // Only in lines where this part holds other digits than before do others see a change.
            if self.surroundings.note_own(&self.slots[run.incidences()], own) {
                let line = usize::from(run.line);
                self.surroundings.refresh(line, tally.held[line]);
            }
        }
    }

    /// The number of parts.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cells of a part.
    #[inline]
    pub(crate) fn cells(&self, part: usize) -> &[u16] {
        self.cells.get(part)
    }

    /// Writes a tuple into a part of a genome.
    pub(crate) fn write(&self, part: usize, tuple: &[u8], genome: &mut [u8]) {
        for (cell, rank) in self.cells(part).iter().zip(tuple) {
            genome[usize::from(*cell)] = *rank;
        }
    }

    #[inline(always)]
    fn lines(&self, part: usize) -> impl Iterator<Item = (usize, &[u8])> {
        let (start, end) = self.spans[part];
        let runs = self.runs[start as usize..end as usize].iter();
        runs.map(|run| (usize::from(run.line), &self.incidences[run.incidences()]))
    }
}

impl Tally {
    /// What writing `tuple`, which repeats no digit in a line, into a part would add: one move. Nothing is changed. The
    /// tuple is followed by any ranks up to a multiple of [`LANES`](super::LANES).
    #[inline]
    pub(crate) fn exchange(&self, parts: &Parts, part: usize, tuple: &[u8]) -> i64 {
        let lines = if self.by_masks {
            parts.surroundings.repeats_gained(part, tuple) * self.guide.line_weight as i32
        } else if self.is_measured() {
            return self.measured_difference(|genome| parts.write(part, tuple, genome));
        } else {
            self.exchange_by_weights(parts, part, tuple)
        };
        match parts.clues.get(part) {
            // On `cages` most clues are parts themselves, and none is left to measure.
            [] => i64::from(lines),
            _ => i64::from(lines) + self.clues_of_part(parts, part, tuple),
        }
    }

    #[inline]
    fn exchange_by_weights(&self, parts: &Parts, part: usize, tuple: &[u8]) -> i32 {
        let cells = parts.cells(part);
        let mut sum = 0;
        for (line, positions) in parts.lines(part) {
            let start = line * self.digits;
            let own = self.own(cells, positions);
            for position in positions {
                let position = usize::from(*position);
                let (old, new) = (self.ranks[usize::from(cells[position])], tuple[position]);
                sum += self.price(start, own, new) - self.price(start, own, old);
            }
        }
        sum
    }

    /// Writes what every digit in every cell of a part would cost in lines, given all other parts: `cells * digits`
    /// numbers. Returns what the current tuple costs.
    pub(crate) fn prices(&self, parts: &Parts, part: usize, prices: &mut Vec<i32>) -> i32 {
        let cells = parts.cells(part);
        prices.clear();
        prices.resize(cells.len() * self.digits, 0);
        for (line, positions) in parts.lines(part) {
            let start = line * self.digits;
            let own = self.own(cells, positions);
            for position in positions {
                let position = usize::from(*position);
                let row = &mut prices[position * self.digits..][..self.digits];
                // The part's own digits are taken out: whichever tuple comes, the present one has made way.
                let held = &self.occurrences[start..][..self.digits];
                let weights = &self.weights[start..][..self.digits];
                for (rank, ((price, held), weight)) in row.iter_mut().zip(held).zip(weights).enumerate() {
                    *price += weight * i32::from((held - (own >> rank & 1) as u16).min(self.cap));
                }
            }
        }
        let mut now = 0;
        for (row, cell) in prices.chunks_exact(self.digits).zip(cells) {
            now += row[usize::from(self.ranks[usize::from(*cell)])];
        }
        now
    }

    /// What the open clues of a part would add if it took a tuple.
    #[inline]
    pub(crate) fn clues_of_part(&self, parts: &Parts, part: usize, tuple: &[u8]) -> i64 {
        let mut sum = 0;
        for clue in parts.clues.get(part) {
            let mut changes = [DigitChange::default(); LONGEST];
            let mut count = 0;
            for (cell, rank) in parts.cells(part).iter().zip(tuple) {
                // A clue may lie partly outside the part.
                if self.clues.of(usize::from(*cell)).contains(clue) {
                    changes[count] = DigitChange { cell: *cell, rank: *rank };
                    count += 1;
                }
            }
            sum += self.clues.change_all(*clue, &changes[..count], &self.ranks);
        }
        sum
    }

    /// A group that the part touches is violated.
    #[inline]
    pub(crate) fn is_part_conflicted(&self, parts: &Parts, part: usize) -> bool {
        parts.cells(part).iter().any(|cell| self.is_conflicted(usize::from(*cell)))
    }

    /// Writes a tuple into a part.
    pub(crate) fn write_part(&mut self, parts: &mut Parts, part: usize, tuple: &[u8]) {
        if self.is_measured() {
            parts.write(part, tuple, &mut self.ranks);
            self.measure();
            return;
        }
        for (cell, rank) in parts.cells(part).iter().zip(tuple) {
            self.write(usize::from(*cell), *rank);
        }
        parts.update(part, self);
    }

    /// The digits of a part in a line, which are all different.
    #[inline(always)]
    fn own(&self, cells: &[u16], positions: &[u8]) -> u32 {
        positions
            .iter()
            .fold(0, |own, position| own | 1 << self.ranks[usize::from(cells[usize::from(*position)])])
    }

    /// What a digit costs in a line, given the cells outside the part.
    #[inline(always)]
    fn price(&self, start: usize, own: u32, rank: u8) -> i32 {
        let held = self.occurrences[start + usize::from(rank)] - (own >> rank & 1) as u16;
        self.weights[start + usize::from(rank)] * i32::from(held.min(self.cap))
    }
}
