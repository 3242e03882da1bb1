//! The state of a search: candidates, the words of propagators, the trail that restores them, and the queue.
//!
//! Everything that backtracking restores is a 64-bit word: the first words are the candidates of the cells, the others
//! belong to propagators. A change pushes the old word on the trail; backtracking pops it. For a cell the trail also
//! holds the new candidates ([`Space::change`]). No node allocates: the trail grows to the deepest path and is reused.
//! Trailing follows D. H. D. Warren, "An abstract Prolog instruction set", 1983.
//!
//! The queue is a bitset over the propagators. They are numbered in the order in which they should run, so that the
//! next one is the lowest bit, and a cell wakes its propagators by one disjunction.

/// Propagation leaves a cell without a candidate or a clue without a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conflict;

/// Why there is no fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoFixpoint {
    /// There is no solution.
    Conflict,
    /// A limit or an interrupt stopped propagation.
    Stopped,
}

impl From<Conflict> for NoFixpoint {
    fn from(Conflict: Conflict) -> Self {
        Self::Conflict
    }
}

/// A cell with its candidates before and after a change.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellChange {
    pub(super) cell: u16,
    pub(super) before: u32,
    pub(super) after: u32,
}

impl CellChange {
    pub(super) fn lost(self) -> u32 {
        self.before & !self.after
    }
}

/// The words, the trail, and the queue of propagators to run.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// The lower half of a cell's word holds its candidates.
    words: Vec<u64>,
    cells: u32,
    trail: Vec<(u32, u64)>,
    pending: Vec<u64>,
    /// The propagators that each cell wakes, as many words a cell as `pending` has.
    watchers: Vec<u64>,
}

impl Space {
    /// A space with these candidates and an empty queue for `propagators`.
    pub(super) fn new(candidates: &[u32], propagators: usize) -> Self {
        let stride = propagators.div_ceil(64).max(1);
        let mut words = Vec::with_capacity(candidates.len() * 4);
        words.extend(candidates.iter().map(|mask| u64::from(*mask)));
        Self {
            words,
            cells: candidates.len() as u32,
            trail: Vec::with_capacity(candidates.len() * 8),
            pending: vec![0; stride],
            watchers: vec![0; stride * candidates.len()],
        }
    }

    /// The candidates of a cell, a mask of ranks.
    #[inline]
    pub(super) fn mask(&self, cell: u16) -> u32 {
        self.words[usize::from(cell)] as u32
    }

    /// Keeps the candidates of a cell that are in `allowed`, and wakes its propagators when some are lost.
    #[inline]
    pub(super) fn keep(&mut self, cell: u16, allowed: u32) -> Result<(), Conflict> {
        let before = self.mask(cell);
        if before & !allowed == 0 { Ok(()) } else { self.narrow(cell, before, before & allowed) }
    }

    /// [`keep`](Self::keep) where candidates are lost. Not inlined: the common case then costs one test.
    #[inline(never)]
    fn narrow(&mut self, cell: u16, before: u32, after: u32) -> Result<(), Conflict> {
        if after == 0 {
            return Err(Conflict);
        }
        // A candidate mask has 32 bits: the old and the new one share a word of the trail.
        self.trail.push((u32::from(cell), u64::from(after) << 32 | u64::from(before)));
        self.words[usize::from(cell)] = u64::from(after);
        let stride = self.pending.len();
        let watchers = &self.watchers[usize::from(cell) * stride..][..stride];
        for (pending, watcher) in self.pending.iter_mut().zip(watchers) {
            *pending |= watcher;
        }
        Ok(())
    }

    /// A word by its index.
    #[inline]
    pub(super) fn word(&self, index: u32) -> u64 {
        self.words[index as usize]
    }

    /// Writes a word; backtracking restores it.
    #[inline]
    pub(super) fn set(&mut self, index: u32, value: u64) {
        let word = &mut self.words[index as usize];
        self.trail.push((index, *word));
        *word = value;
    }

    /// Adds words and returns the index of the first.
    pub(super) fn extend(&mut self, values: impl IntoIterator<Item = u64>) -> u32 {
        let first = self.words.len() as u32;
        self.words.extend(values);
        first
    }

    /// The present moment, for [`backtrack`](Self::backtrack).
    pub(super) fn now(&self) -> usize {
        self.trail.len()
    }

    /// Restores every word to its value at `moment`.
    pub(super) fn backtrack(&mut self, moment: usize) {
        // The last change first: the oldest value of a word is written last.
        for (index, value) in self.trail.drain(moment..).rev() {
            self.words[index as usize] = value;
        }
    }

    /// The change of a cell at a moment; one that changes nothing where another word changed, `None` for the present.
    pub(super) fn change(&self, moment: usize) -> Option<CellChange> {
        let (index, old) = *self.trail.get(moment)?;
        if index >= self.cells {
            return Some(CellChange { cell: 0, before: 0, after: 0 });
        }
        Some(CellChange { cell: index as u16, before: old as u32, after: (old >> 32) as u32 })
    }

    /// Every word.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Makes a propagator run whenever a cell loses candidates.
    pub(super) fn watch(&mut self, cell: u16, propagator: usize) {
        let stride = self.pending.len();
        self.watchers[usize::from(cell) * stride + propagator / 64] |= 1 << (propagator % 64);
    }

    /// Puts a propagator in the queue.
    #[inline]
    pub(super) fn wake(&mut self, propagator: usize) {
        self.pending[propagator / 64] |= 1 << (propagator % 64);
    }

    /// Removes a propagator from the queue: its own changes need not wake it.
    #[inline]
    pub(super) fn dequeue(&mut self, propagator: usize) {
        self.pending[propagator / 64] &= !(1 << (propagator % 64));
    }

    /// Removes the first propagator from the queue and returns it.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<usize> {
        for (index, word) in self.pending.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                // Clears the lowest bit.
                *word &= *word - 1;
                return Some(index * 64 + bit);
            }
        }
        None
    }

    /// Empties the queue.
    pub(super) fn clear_pending(&mut self) {
        self.pending.fill(0);
    }
}

/// The indices of the set bits of some words, ascending.
pub(super) fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(index, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(index * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backtracking_restores_every_word() {
        let mut space = Space::new(&[0b111, 0b111], 1);
        let extra = space.extend([9]);
        let moment = space.now();
        space.keep(0, 0b011).expect("two digits left");
        space.keep(0, 0b001).expect("one digit left");
        space.set(extra, 4);
        assert_eq!((space.mask(0), space.word(extra)), (1, 4));
        space.backtrack(moment);
        assert_eq!((space.mask(0), space.mask(1), space.word(extra)), (0b111, 0b111, 9));
    }

    #[test]
    fn a_cell_wakes_its_watchers_only_when_it_loses_candidates() {
        let mut space = Space::new(&[0b11, 0b11], 130);
        space.watch(0, 129);
        space.watch(0, 3);
        space.keep(0, 0b111).expect("nothing lost");
        assert_eq!(space.pop(), None);
        space.keep(0, 0b01).expect("one digit left");
        assert_eq!([space.pop(), space.pop(), space.pop()], [Some(3), Some(129), None]);
        assert_eq!(space.keep(0, 0b10), Err(Conflict));
    }
}
