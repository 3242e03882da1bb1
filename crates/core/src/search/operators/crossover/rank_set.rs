//! Sets of ranks or places of a line: a word for those of puzzles, four wider ones for problems of the user's own.

/// A set of small numbers.
pub(super) trait RankSet: Copy + Default {
    /// How many numbers there may be, from 0 on.
    const MOST: usize;

    /// Adds a number where a condition holds.
    fn add_if(&mut self, rank: u8, holds: bool);

    /// Says whether it has a number.
    fn has(&self, rank: u8) -> bool;

    /// Adds a number.
    #[inline(always)]
    fn add(&mut self, rank: u8) {
        self.add_if(rank, true);
    }
}

impl RankSet for u32 {
    const MOST: usize = 32;

    #[inline(always)]
    fn add_if(&mut self, rank: u8, holds: bool) {
        *self |= u32::from(holds) << rank;
    }

    #[inline(always)]
    fn has(&self, rank: u8) -> bool {
        *self >> rank & 1 == 1
    }
}

/// Any bytes.
pub(super) type WideSet = [u64; 4];

impl RankSet for WideSet {
    const MOST: usize = 256;

    fn add_if(&mut self, rank: u8, holds: bool) {
        self[usize::from(rank / 64)] |= u64::from(holds) << (rank % 64);
    }

    fn has(&self, rank: u8) -> bool {
        self[usize::from(rank / 64)] >> (rank % 64) & 1 == 1
    }
}
