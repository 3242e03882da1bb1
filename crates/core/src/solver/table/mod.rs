//! Clues as tables of tuples, with bitsets of the tuples still alive.
//!
//! Consistency: generalised arc consistency on the table, and with it on the clue together with the rule that cells
//! of the cage which share a line differ. Idempotent.
//! Cost: for every candidate lost or left, as many operations as the table has words of 64 tuples with a live one; the
//! search for a support begins where it last ended.
//!
//! Source: J. Demeulenaere, R. Hartert, C. Lecoutre, G. Perez, L. Perron, J.-C. Régin, P. Schaus, "Compact-Table:
//! efficiently filtering table constraints with reversible sparse bit-sets", CP 2016,
//! doi:10.1007/978-3-319-44953-1_14.

use crate::problem::{bits, mask_of};

use super::space::{Conflict, Space, set_bits};

/// All tables of a puzzle; they share arrays, and a [`TableSpan`] knows its part of each.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    digits: usize,
    tables: Vec<TableSpan>,
    cells: Vec<u16>,
    /// For every table, position and rank: the tuples that have this rank there.
    supports: Vec<u64>,
    /// For every table, position and rank: the word in which a live support was found last.
    residues: Vec<u16>,
    /// For every table: its words, those with live tuples first (a sparse set; only its size is undone).
    order: Vec<u16>,
}

/// One clue's part of the arrays.
#[derive(Clone, Copy, Debug)]
struct TableSpan {
    first_cell: u32,
    width: u32,
    /// Words of 64 tuples.
    words: u32,
    first_support: u32,
    first_residue: u32,
    first_order: u32,
    /// In the space: the number of words with live tuples.
    alive: u32,
    /// In the space: the first word of live tuples.
    live: u32,
    /// In the space: the candidates last seen at the first position; the other positions follow.
    seen: u32,
}

impl Tables {
    /// No tables yet, with room for tables of one word.
    pub(super) fn new(digits: usize, cells: usize) -> Self {
        Self {
            digits,
            tables: Vec::with_capacity(cells / 2),
            cells: Vec::with_capacity(cells),
            supports: Vec::with_capacity(cells * digits),
            residues: Vec::with_capacity(cells * digits),
            order: Vec::with_capacity(cells),
        }
    }

    /// Adds the table of a group from its tuples, `cells.len()` ranks each, removes the candidates without a tuple and
    /// returns the table's index. The tuples must be all that the present candidates allow.
    ///
    /// # Errors
    /// [`Conflict`] when there is no tuple.
    pub(super) fn add(&mut self, cells: &[u16], tuples: &[u8], space: &mut Space) -> Result<usize, Conflict> {
        let (width, count) = (cells.len(), tuples.len() / cells.len());
        if count == 0 {
            return Err(Conflict);
        }
        let words = count.div_ceil(64);
        let alive = space.extend([words as u64]);
        // All tuples are live at first; the last word has fewer than 64.
        let live = space.extend((0..words).map(|word| live_word(count - word * 64)));
        let first_support = self.supports.len();
        let seen = self.add_supports(tuples, width, words);
        for (cell, seen) in cells.iter().zip(seen) {
            space.keep(*cell, seen)?;
        }
        self.tables.push(TableSpan {
            first_cell: self.cells.len() as u32,
            width: width as u32,
            words: words as u32,
            first_support: first_support as u32,
            first_residue: self.residues.len() as u32,
            first_order: self.order.len() as u32,
            alive,
            live,
            seen: space.extend(seen.into_iter().take(width).map(u64::from)),
        });
        self.cells.extend_from_slice(cells);
        self.order.extend(0..words as u16);
        self.residues.resize(self.residues.len() + width * self.digits, 0);
        Ok(self.tables.len() - 1)
    }

    /// Adds the supports of a table and returns the ranks that each position has in some tuple.
    fn add_supports(&mut self, tuples: &[u8], width: usize, words: usize) -> [u32; 32] {
        let (first, stride) = (self.supports.len(), self.digits * words);
        self.supports.resize(first + width * stride, 0);
        let mut seen = [0; 32];
        // A word at a time, so that each is written while it is in the cache.
        for (word, tuples) in tuples.chunks(64 * width).enumerate() {
            for (seen, position) in seen.iter_mut().zip(0..width) {
                let supports = &mut self.supports[first + position * stride + word..];
                let mut bit = 1;
                for rank in tuples[position..].iter().step_by(width) {
                    supports[usize::from(*rank) * words] |= bit;
                    bit <<= 1;
                    *seen |= 1 << rank;
                }
            }
        }
        seen
    }

    /// The number of tables.
    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    /// The number of live tuples of a table.
    pub(super) fn live_tuples(&self, table: usize, space: &Space) -> u32 {
        let TableSpan { live, words, .. } = self.tables[table];
        (live..live + words).map(|word| space.word(word).count_ones()).sum()
    }

    /// The sum of every live tuple, where they all have the same; `values` are those of the digits.
    pub(super) fn constant_sum(&self, table: usize, values: &[u8], space: &Space) -> Option<u64> {
        let TableSpan { live, words, width, .. } = self.tables[table];
        let mut common = None;
        for word in 0..words {
            // Tuples are not stored, only which of them have a digit: 64 sums grow a position at a time.
            let mut sums = [0; 64];
            for position in 0..width {
                for (rank, value) in values.iter().enumerate() {
                    let with = self.support(table, position, rank as u32)[word as usize];
                    for tuple in set_bits(&[with]) {
                        sums[tuple] += u64::from(*value);
                    }
                }
            }
            for tuple in set_bits(&[space.word(live + word)]) {
                if *common.get_or_insert(sums[tuple]) != sums[tuple] {
                    return None;
                }
            }
        }
        common
    }

    /// The cells of a table.
    pub(super) fn cells(&self, table: usize) -> &[u16] {
        let table = &self.tables[table];
        &self.cells[table.first_cell as usize..][..table.width as usize]
    }

    /// The tuples that have a rank at a position, in words of 64.
    pub(super) fn support(&self, table: usize, position: u32, rank: u32) -> &[u64] {
        let table = self.tables[table];
        let first = table.first_support + (position * self.digits as u32 + rank) * table.words;
        &self.supports[first as usize..][..table.words as usize]
    }

    /// The live tuples of a table in a copy of the [space's words](Space::words).
    pub(super) fn live_at<'a>(&self, table: usize, words: &'a [u64]) -> &'a [u64] {
        let table = self.tables[table];
        &words[table.live as usize..][..table.words as usize]
    }

    /// Strikes the tuples that the candidates forbid, then removes the candidates without a tuple.
    pub(super) fn propagate(&mut self, table: usize, space: &mut Space) -> Result<(), Conflict> {
        let table = self.tables[table];
        if table.words == 1 {
            return self.propagate_word(table, space);
        }
        for position in 0..table.width {
            self.strike(table, position, space)?;
        }
        for position in 0..table.width {
            self.prune(table, position, space)?;
        }
        Ok(())
    }

    /// [`propagate`](Self::propagate) for a table of one word, as most are: it needs no sparse set, no residues, and
    /// not the candidates last seen.
    fn propagate_word(&self, table: TableSpan, space: &mut Space) -> Result<(), Conflict> {
        let cells = &self.cells[table.first_cell as usize..][..table.width as usize];
        let first = table.first_support as usize;
        let supports_of = |position: usize| &self.supports[first + position * self.digits..][..self.digits];
        let before = space.word(table.live);
        let mut live = before;
        for (position, cell) in cells.iter().enumerate() {
            let supports = supports_of(position);
            live &= bits(space.mask(*cell)).fold(0, |with, rank| with | supports[rank as usize]);
        }
        if live == 0 {
            return Err(Conflict);
        }
        // Every write costs an entry of the trail, also one that changes nothing.
        if live != before {
            space.set(table.live, live);
        }
        for (position, cell) in cells.iter().enumerate() {
            let (mask, supports) = (space.mask(*cell), supports_of(position));
            if !mask.is_power_of_two() {
                let supported = |rank: &u32| supports[*rank as usize] & live != 0;
                space.keep(*cell, mask_of(bits(mask).filter(supported)))?;
            }
        }
        Ok(())
    }

    /// Strikes the tuples that have a candidate which the position has lost since the last call.
    fn strike(&mut self, table: TableSpan, position: u32, space: &mut Space) -> Result<(), Conflict> {
        let now = space.mask(self.cells[(table.first_cell + position) as usize]);
        let before = space.word(table.seen + position) as u32;
        if now == before {
            return Ok(());
        }
        space.set(table.seen + position, u64::from(now));
        let lost = before & !now;
        // Either what is lost or what is left says which tuples go: the shorter list.
        if lost.count_ones() < now.count_ones() {
            self.intersect(table, 1 << position, lost, true, space)
        } else {
            self.intersect(table, 1 << position, now, false, space)
        }
    }

    /// Keeps only the tuples that have `rank` at one of `positions`; says whether it struck any.
    pub(super) fn demand(
        &mut self,
        table: usize,
        positions: u32,
        rank: u32,
        space: &mut Space,
    ) -> Result<bool, Conflict> {
        let moment = space.now();
        self.intersect(self.tables[table], positions, 1 << rank, false, space)?;
        Ok(space.now() != moment)
    }

    /// The subset of `ranks` of which every live tuple has each at one of `positions`.
    pub(super) fn certain(&self, table: usize, positions: u32, ranks: u32, space: &Space) -> u32 {
        let table = self.tables[table];
        let order = &self.order[table.first_order as usize..][..space.word(table.alive) as usize];
        order.iter().fold(ranks, |certain, word| {
            let live = space.word(table.live + u32::from(*word));
            let is_everywhere =
                |rank: &u32| live & !self.union(table, positions, 1 << rank, u32::from(*word)) == 0;
            mask_of(bits(certain).filter(is_everywhere))
        })
    }

    /// The tuples of one word that have one of `ranks` at one of `positions`.
    #[inline]
    fn union(&self, table: TableSpan, positions: u32, ranks: u32, word: u32) -> u64 {
        let mut union = 0;
        for position in bits(positions) {
            let first = table.first_support + position * self.digits as u32 * table.words + word;
            for rank in bits(ranks) {
                union |= self.supports[(first + rank * table.words) as usize];
            }
        }
        union
    }

    /// Keeps the tuples that have one of `ranks` at one of `positions`, or with `negate` those that have none.
    fn intersect(
        &mut self,
        table: TableSpan,
        positions: u32,
        ranks: u32,
        negate: bool,
        space: &mut Space,
    ) -> Result<(), Conflict> {
        let flip = if negate { u64::MAX } else { 0 };
        let before = space.word(table.alive) as u32;
        let mut alive = before;
        for index in (0..before).rev() {
            let place = (table.first_order + index) as usize;
            let word = u32::from(self.order[place]);
            let live = space.word(table.live + word);
            let left = live & (self.union(table, positions, ranks, word) ^ flip);
            if left != live {
                space.set(table.live + word, left);
                if left == 0 {
                    alive -= 1;
                    // The word goes behind those with live tuples. Backtracking restores their number, and with it the
                    // set.
                    self.order.swap(place, (table.first_order + alive) as usize);
                }
            }
        }
        if alive != before {
            space.set(table.alive, u64::from(alive));
        }
        if alive == 0 { Err(Conflict) } else { Ok(()) }
    }

    /// Removes the candidates of a position that no live tuple has.
    fn prune(&mut self, table: TableSpan, position: u32, space: &mut Space) -> Result<(), Conflict> {
        let cell = self.cells[(table.first_cell + position) as usize];
        let before = space.mask(cell);
        if before.is_power_of_two() {
            return Ok(());
        }
        let left = mask_of(bits(before).filter(|rank| self.has_support(table, position, *rank, space)));
        if left != before {
            space.keep(cell, left)?;
            space.set(table.seen + position, u64::from(left));
        }
        Ok(())
    }

    fn has_support(&mut self, table: TableSpan, position: u32, rank: u32, space: &Space) -> bool {
        let index = position * self.digits as u32 + rank;
        let first = table.first_support + index * table.words;
        let residue = (table.first_residue + index) as usize;
        let alive = |word: u32| space.word(table.live + word) & self.supports[(first + word) as usize] != 0;
        // Where the last support was found there mostly still is one.
        if alive(u32::from(self.residues[residue])) {
            return true;
        }
        let order = &self.order[table.first_order as usize..][..space.word(table.alive) as usize];
        match order.iter().find(|word| alive(u32::from(**word))) {
            Some(&word) => {
                self.residues[residue] = word;
                true
            }
            None => false,
        }
    }
}

/// The first word of `left` live tuples.
fn live_word(left: usize) -> u64 {
    if left >= 64 { u64::MAX } else { (1 << left) - 1 }
}

#[cfg(test)]
mod tests;
