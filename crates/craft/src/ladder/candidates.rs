//! What a person has before them: the candidates of every cell, and the tuples that are left of every cage.

use std::slice::ChunksExact;

use kenga_core::problem::{LostCandidates, bits};
use kenga_core::text::enumeration;

use super::frame::Frame;
use super::tuples::{CageTuples, digits_by_cell};

/// Candidates, cells that are filled in, and the tuples of cages.
#[derive(Clone)]
pub struct Candidates<'a> {
    /// What does not change.
    pub frame: &'a Frame<'a>,
    masks: Vec<u32>,
    is_filled: Vec<bool>,
    open: usize,
    cages: Vec<CageTuples>,
    /// How often candidates or open cells have gone.
    removals: u32,
}

/// A cage that is not filled in.
#[derive(Clone)]
pub(super) struct OpenCage<'a> {
    pub(super) group: usize,
    pub(super) cells: &'a [u16],
    /// What is left for the cells, ranks.
    pub(super) tuples: ChunksExact<'a, u8>,
}

impl<'a> Candidates<'a> {
    /// The candidates at the start: every cell open, every digit a candidate.
    pub fn new(frame: &'a Frame<'a>) -> Self {
        let problem = frame.problem;
        let tables = problem.tables();
        let cages = frame.cages.iter().map(|group| CageTuples::new(problem, *group, tables[*group].as_ref()));
        let mut candidates = Self {
            frame,
            masks: problem.candidates().to_vec(),
            is_filled: vec![false; problem.cells()],
            open: problem.cells(),
            cages: cages.collect(),
            removals: 0,
        };
        // Cages without a table are listed now, where few assignments are left.
        candidates.refresh();
        candidates
    }

    /// The candidates of a cell, a mask of ranks.
    pub fn mask(&self, cell: u16) -> u32 {
        self.masks[usize::from(cell)]
    }

    /// Leaves of what would go the candidates that are there; says whether there are any.
    pub(crate) fn restrict(&self, lost: &mut LostCandidates) -> bool {
        lost.ranks &= self.mask(lost.cell);
        lost.ranks != 0
    }

    /// The candidates of all cells.
    pub fn masks(&self) -> &[u32] {
        &self.masks
    }

    /// Says whether a cell is filled in.
    pub fn is_filled(&self, cell: u16) -> bool {
        self.is_filled[usize::from(cell)]
    }

    /// The cells that are not filled in, ascending.
    pub(crate) fn open_cells(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.masks.len() as u16).filter(|cell| !self.is_filled(*cell))
    }

    /// Says whether every cell is filled in.
    pub(crate) fn is_solved(&self) -> bool {
        self.open == 0
    }

    /// Says whether a cell without candidates, or a cage without tuples, shows that there is no solution.
    pub(super) fn is_refuted(&self) -> bool {
        self.masks.contains(&0) || self.cages.iter().any(|cage| cage.len() == Some(0))
    }

    /// The tuples of a cage, by its index in [`Frame::cages`].
    pub(super) fn tuples(&self, cage: usize) -> &CageTuples {
        &self.cages[cage]
    }

    /// The cells of a group that may hold a digit.
    pub(super) fn places(&self, group: usize, rank: u32) -> impl Iterator<Item = u16> + '_ {
        self.frame.cells(group).iter().copied().filter(move |cell| self.mask(*cell) >> rank & 1 == 1)
    }

    /// The digits that some of the cells may hold, a mask of ranks.
    pub(super) fn union(&self, cells: &[u16]) -> u32 {
        cells.iter().fold(0, |union, cell| union | self.mask(*cell))
    }

    /// The digits that one of the cells alone may hold, a mask of ranks.
    pub(super) fn once(&self, cells: &[u16]) -> u32 {
        let (mut once, mut twice) = (0, 0);
        for cell in cells {
            let mask = self.mask(*cell);
            twice |= once & mask;
            once |= mask;
        }
        once & !twice
    }

    /// The cages with a cell that is not filled in and known tuples.
    pub(super) fn open_cages(&self) -> Vec<OpenCage<'_>> {
        let mut open = Vec::new();
        for (group, tuples) in self.frame.cages.iter().zip(&self.cages) {
            let (group, cells) = (*group, self.frame.cells(*group));
            if let Some(tuples) = tuples.known()
                && !cells.iter().all(|cell| self.is_filled(*cell))
            {
                open.push(OpenCage { group, cells, tuples });
            }
        }
        open
    }

    /// Fills a cell in: the digit leaves all cells that must differ. Call [`refresh`](Self::refresh) afterwards.
    pub(super) fn fill(&mut self, cell: u16, rank: u32) {
        self.remove(cell, !(1 << rank));
        if !std::mem::replace(&mut self.is_filled[usize::from(cell)], true) {
            self.open -= 1;
            self.removals += 1;
        }
        let frame = self.frame;
        // A person strikes the digit out at once: that is no step of its own.
        for peer in frame.peers(cell) {
            self.remove(*peer, 1 << rank);
        }
    }

    /// Removes candidates of a cell. Call [`refresh`](Self::refresh) afterwards.
    pub(super) fn remove(&mut self, cell: u16, ranks: u32) {
        let mask = &mut self.masks[usize::from(cell)];
        if *mask & ranks != 0 {
            *mask &= !ranks;
            self.removals += 1;
            for cage in self.frame.cages_of(usize::from(cell)) {
                // Tuples are filtered when they are asked for next: several candidates often go together.
                self.cages[usize::from(*cage)].is_stale = true;
            }
        }
    }

    /// Filters the tuples of all cages that have lost candidates.
    pub(super) fn refresh(&mut self) {
        for (tuples, group) in self.cages.iter_mut().zip(&self.frame.cages) {
            tuples.refresh(self.frame.problem, *group, &self.masks);
        }
    }
}

/// What a person sees at once, as one operation.
impl Candidates<'_> {
    /// Follows singles and combinations to the end; false when they lead to a contradiction.
    ///
    /// Cost: a pass over cells, houses and the tuples of cages that changed, as often as something is found.
    pub(super) fn settle(&mut self) -> bool {
        loop {
            // Before the tuples are filtered, which makes them all fresh.
            let stale: Vec<usize> = (0..self.cages.len()).filter(|cage| self.cages[*cage].is_stale).collect();
            self.refresh();
            if self.is_refuted() {
                return false;
            }
            let before = self.removals;
            self.fill_singles();
            for cage in stale {
                self.support(cage);
            }
            if self.removals == before {
                return true;
            }
        }
    }

    fn fill_singles(&mut self) {
        for cell in 0..self.masks.len() as u16 {
            let mask = self.mask(cell);
            if mask.is_power_of_two() && !self.is_filled(cell) {
                self.fill(cell, mask.trailing_zeros());
            }
        }
        let frame = self.frame;
        for house in &frame.houses {
            let cells = frame.cells(*house);
            let (all, single) = (self.union(cells), self.once(cells));
            for cell in cells {
                let here = self.mask(*cell) & single;
                if here.is_power_of_two() && !self.is_filled(*cell) {
                    self.fill(*cell, here.trailing_zeros());
                }
            }
            // A digit without a place is a contradiction: an empty cell tells it to all.
            if all != frame.problem.all_digits() {
                self.remove(cells[0], u32::MAX);
            }
        }
    }

    /// Removes what no tuple of a cage has.
    fn support(&mut self, cage: usize) {
        let cells = self.frame.cells(self.frame.cages[cage]);
        let Some(tuples) = self.cages[cage].known() else { return };
        let left = digits_by_cell(cells.len(), tuples);
        for (cell, left) in cells.iter().zip(left) {
            self.remove(*cell, !left);
        }
    }
}

/// Words for cells, groups and digits.
impl Candidates<'_> {
    /// The name of a cell, `B2`.
    pub(super) fn name(&self, cell: u16) -> String {
        self.frame.puzzle.cell_name(self.frame.problem.place(usize::from(cell)))
    }

    /// The names of cells, `A1, A2 and B1`.
    pub(super) fn names(&self, cells: &[u16]) -> String {
        enumeration(cells.iter().map(|cell| self.name(*cell)).collect())
    }

    /// The name of a group, `row B`, `cage 8× at A1`.
    pub(super) fn group(&self, group: usize) -> String {
        self.frame.puzzle.group_name(&self.frame.puzzle.groups()[group])
    }

    /// The names of groups, `row B and row C`.
    pub(super) fn groups(&self, groups: &[usize]) -> String {
        enumeration(groups.iter().map(|group| self.group(*group)).collect())
    }

    /// The digit of a rank.
    pub fn digit(&self, rank: u32) -> u8 {
        self.frame.problem.values()[rank as usize]
    }

    /// Digits, `3, 4 and 6`.
    pub(super) fn digits(&self, mask: u32) -> String {
        enumeration(bits(mask).map(|rank| self.digit(rank).to_string()).collect())
    }

    /// Digits of which one is meant, `3, 4 or 6`.
    pub(super) fn any_of(&self, mask: u32) -> String {
        self.digits(mask).replace(" and ", " or ")
    }
}
