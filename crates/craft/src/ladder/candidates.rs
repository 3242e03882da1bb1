//! What a person has before them: the candidates of every cell, and the tuples that are left of every cage.

use kenga_core::problem::bits;
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

impl<'a> Candidates<'a> {
    /// The candidates at the start: every cell open, every digit a candidate.
    pub fn new(frame: &'a Frame<'a>) -> Self {
        let problem = frame.problem;
        let tables = problem.tables();
        let cage = |group: &usize| CageTuples::new(problem, *group, tables[*group].as_ref());
        let mut candidates = Self {
            frame,
            masks: problem.candidates().to_vec(),
            is_filled: vec![false; problem.cells()],
            open: problem.cells(),
            cages: frame.cages.iter().map(cage).collect(),
            removals: 0,
        };
        candidates.refresh();
        candidates
    }

    /// The candidates of a cell, a mask of ranks.
    pub fn mask(&self, cell: u16) -> u32 {
        self.masks[usize::from(cell)]
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
    pub fn open_cells(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.masks.len() as u16).filter(|cell| !self.is_filled(*cell))
    }

    /// Says whether every cell is filled in.
    pub fn is_solved(&self) -> bool {
        self.open == 0
    }

    /// Says whether a cell without candidates, or a cage without tuples, shows that there is no solution.
    pub fn is_refuted(&self) -> bool {
        self.masks.contains(&0) || self.cages.iter().any(|cage| cage.len() == Some(0))
    }

    /// The tuples of a cage, by its index in [`Frame::cages`].
    pub fn tuples(&self, cage: usize) -> &CageTuples {
        &self.cages[cage]
    }

    /// The cells of a group that may hold a digit.
    pub fn places(&self, group: usize, rank: u32) -> impl Iterator<Item = u16> + Clone + '_ {
        self.frame.cells(group).iter().copied().filter(move |cell| self.mask(*cell) >> rank & 1 == 1)
    }

    /// Fills a cell in: the digit leaves all cells that must differ. Call [`refresh`](Self::refresh) afterwards.
    pub fn fill(&mut self, cell: u16, rank: u32) {
        self.remove(cell, !(1 << rank));
        if !std::mem::replace(&mut self.is_filled[usize::from(cell)], true) {
            self.open -= 1;
            self.removals += 1;
        }
        let frame = self.frame;
        for peer in frame.peers(cell) {
            self.remove(*peer, 1 << rank);
        }
    }

    /// Removes candidates of a cell. Call [`refresh`](Self::refresh) afterwards.
    pub fn remove(&mut self, cell: u16, ranks: u32) {
        let mask = &mut self.masks[usize::from(cell)];
        if *mask & ranks != 0 {
            *mask &= !ranks;
            self.removals += 1;
            for cage in self.frame.cages_of(usize::from(cell)) {
                self.cages[usize::from(*cage)].is_stale = true;
            }
        }
    }

    /// Filters the tuples of all cages that have lost candidates.
    pub fn refresh(&mut self) {
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
    pub fn settle(&mut self) -> bool {
        loop {
            let stale: Vec<usize> = (0..self.cages.len()).filter(|cage| self.cages[*cage].is_stale).collect();
            self.refresh();
            if self.is_refuted() {
                return false;
            }
            let before = self.removals;
            self.fill_singles();
            stale.into_iter().for_each(|cage| self.support(cage));
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
            let (mut once, mut twice) = (0, 0);
            for mask in frame.cells(*house).iter().map(|cell| self.mask(*cell)) {
                twice |= once & mask;
                once |= mask;
            }
            let single = once & !twice;
            for cell in frame.cells(*house) {
                let here = self.mask(*cell) & single;
                if here.is_power_of_two() && !self.is_filled(*cell) {
                    self.fill(*cell, here.trailing_zeros());
                }
            }
            if once != frame.problem.all_digits() {
                self.remove(frame.cells(*house)[0], u32::MAX);
            }
        }
    }

    /// Removes what no tuple of a cage has.
    fn support(&mut self, cage: usize) {
        let cells = self.frame.cells(self.frame.cages[cage]);
        let Some(tuples) = self.cages[cage].known() else { return };
        let masks = digits_by_cell(cells.len(), tuples);
        cells.iter().zip(masks).for_each(|(cell, mask)| self.remove(*cell, !mask));
    }
}

/// Words for cells, groups and digits.
impl Candidates<'_> {
    /// The name of a cell, `B2`.
    pub fn name(&self, cell: u16) -> String {
        self.frame.puzzle.cell_name(self.frame.problem.place(usize::from(cell)))
    }

    /// The names of cells, `A1, A2 and B1`.
    pub fn names(&self, cells: impl IntoIterator<Item = u16>) -> String {
        enumeration(cells.into_iter().map(|cell| self.name(cell)).collect())
    }

    /// The name of a group, `row 2`, `cage 8* at A1`.
    pub fn group(&self, group: usize) -> String {
        self.frame.puzzle.group_name(&self.frame.puzzle.groups()[group])
    }

    /// The names of groups, `row 2 and row 3`.
    pub fn groups(&self, groups: impl IntoIterator<Item = usize>) -> String {
        enumeration(groups.into_iter().map(|group| self.group(group)).collect())
    }

    /// The digit of a rank.
    pub fn digit(&self, rank: u32) -> u8 {
        self.frame.problem.values()[rank as usize]
    }

    /// Digits, `3, 4 and 6`.
    pub fn digits(&self, mask: u32) -> String {
        enumeration(bits(mask).map(|rank| self.digit(rank).to_string()).collect())
    }
}
