//! What a person has before them: the candidates of every cell, and the tuples that are left of every cage.

use std::cell::Cell;

use crate::budget::Interrupt;
use crate::problem::{Blocks, Problem, bits, enumerate, mask_of};
use crate::puzzle::{Puzzle, Role};
use crate::text::enumeration;

/// The most assignments of a cage without a table that are tried to find its tuples.
const MOST_ASSIGNMENTS: u64 = 1 << 16;

/// The most tuples that are kept of a cage.
const MOST_TUPLES: usize = 1 << 12;

/// The cells of all boards that the trials of one puzzle look at together: 60,000 boards of 9x9. What needs more is beyond the
/// ladder.
const MOST_EFFORT: u64 = 5_000_000;

/// What does not change while a puzzle is solved.
pub(crate) struct Frame<'a> {
    /// The puzzle, for names.
    pub puzzle: &'a Puzzle,
    /// The same, compiled.
    pub problem: &'a Problem,
    /// The groups in which every digit stands once: distinct, with as many cells as there are digits.
    pub houses: Vec<usize>,
    /// The distinct groups of two or more cells.
    pub distinct: Vec<usize>,
    /// The groups with a clue.
    pub cages: Vec<usize>,
    /// For every cell, those that must differ from it.
    peers: Blocks,
    /// For every cell, the cages that it lies in, as indices into `cages`.
    cages_of: Blocks,
    /// Cells of boards that trials may still look at.
    effort_left: Cell<u64>,
    interrupt: Option<&'a Interrupt>,
}

impl<'a> Frame<'a> {
    /// The frame of a puzzle and of the same puzzle compiled.
    pub fn new(puzzle: &'a Puzzle, problem: &'a Problem) -> Self {
        let groups = 0..problem.groups();
        let is_distinct = |group: &usize| problem.rule(*group).distinct && problem.cells_of(*group).len() > 1;
        let distinct: Vec<usize> = groups.clone().filter(is_distinct).collect();
        let is_house = |group: &usize| {
            problem.rule(*group).distinct && problem.cells_of(*group).len() == problem.digits()
        };
        let cages: Vec<usize> = groups.clone().filter(|group| problem.rule(*group).clue.is_some()).collect();
        let mut of_cages = Blocks::default();
        cages.iter().for_each(|cage| of_cages.push(problem.cells_of(*cage).iter().copied()));
        let mut peers = Blocks::default();
        for cell in 0..problem.cells() {
            peers.push(peers_of(problem, cell as u16));
        }
        let cages_of = of_cages.inverse(problem.cells());
        let houses = groups.filter(is_house).collect();
        let effort_left = Cell::new(MOST_EFFORT);
        Self { puzzle, problem, houses, distinct, cages, peers, cages_of, effort_left, interrupt: None }
    }

    /// The same with an interrupt, which ends trials: nothing is concluded from those to come.
    #[must_use]
    pub fn interruptible(self, interrupt: &'a Interrupt) -> Self {
        Self { interrupt: Some(interrupt), ..self }
    }

    /// Says whether one more board may be tried, and counts it.
    pub(super) fn may_try(&self) -> bool {
        let left = self.effort_left.get().checked_sub(self.problem.cells() as u64);
        left.inspect(|left| self.effort_left.set(*left)).is_some()
            && self.interrupt.is_none_or(|interrupt| !interrupt.is_raised())
    }

    /// The cells that must differ from one.
    pub fn peers(&self, cell: u16) -> &[u16] {
        self.peers.get(usize::from(cell))
    }

    /// The houses with a role.
    pub fn houses_with(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        self.houses.iter().copied().filter(move |house| self.problem.rule(*house).role == role)
    }

    /// Groups, and for each with a clue the lines in which two of its cells must differ; none twice.
    pub fn with_lines(&self, groups: &[usize]) -> Vec<usize> {
        let mut all = groups.to_vec();
        for cage in groups.iter().filter(|group| self.problem.rule(**group).clue.is_some()) {
            let cells = self.cells(*cage);
            let shared = |line: &usize| self.cells(*line).iter().filter(|cell| cells.contains(cell)).count();
            all.extend(self.distinct.iter().copied().filter(|line| shared(line) > 1));
        }
        let mut seen = vec![false; self.problem.groups()];
        all.retain(|group| !std::mem::replace(&mut seen[*group], true));
        all
    }

    /// Every group.
    pub fn all_groups(&self) -> Vec<usize> {
        (0..self.problem.groups()).collect()
    }

    /// A distinct group that two cells share.
    pub fn joint(&self, one: u16, other: u16) -> Option<usize> {
        self.distinct.iter().copied().find(|group| {
            let cells = self.cells(*group);
            cells.contains(&one) && cells.contains(&other)
        })
    }

    /// The positions of a group's cells for which `is_inside` holds, a mask; those from 32 on are left out.
    pub fn positions(&self, group: usize, is_inside: impl Fn(u16) -> bool) -> u32 {
        let cells = self.cells(group).iter().enumerate().take(32);
        mask_of(cells.filter(|(_, cell)| is_inside(**cell)).map(|(position, _)| position as u32))
    }

    /// The positions of a cage's cells that lie in a line, a mask.
    pub fn positions_in(&self, cage: usize, line: usize) -> u32 {
        let cells = self.cells(line);
        self.positions(cage, |cell| cells.contains(&cell))
    }

    /// The cells of a group.
    pub fn cells(&self, group: usize) -> &'a [u16] {
        self.problem.cells_of(group)
    }
}

/// The cells that share a distinct group with one, ascending.
fn peers_of(problem: &Problem, cell: u16) -> Vec<u16> {
    let groups = problem.groups_of(usize::from(cell)).iter().map(|group| usize::from(*group));
    let distinct = groups.filter(|group| problem.rule(*group).distinct);
    let mut peers: Vec<u16> = distinct.flat_map(|group| problem.cells_of(group)).copied().collect();
    peers.sort_unstable();
    peers.dedup();
    peers.retain(|peer| *peer != cell);
    peers
}

/// The digits of a tuple at some positions, a mask of ranks.
pub(crate) fn digits_at(tuple: &[u8], positions: u32) -> u32 {
    mask_of(bits(positions).map(|position| u32::from(tuple[position as usize])))
}

/// For each of `width` cells the digits that some of the tuples have there, masks of ranks.
pub(crate) fn digits_by_cell<'a>(width: usize, tuples: impl IntoIterator<Item = &'a [u8]>) -> Vec<u32> {
    let mut masks = vec![0; width];
    for tuple in tuples {
        masks.iter_mut().zip(tuple).for_each(|(mask, rank)| *mask |= 1 << rank);
    }
    masks
}

/// The tuples that are left of one cage.
#[derive(Clone, Debug)]
pub(crate) struct CageTuples {
    width: usize,
    /// The ranks, `width` a tuple; meaningless where there are too many tuples.
    ranks: Vec<u8>,
    /// The tuples are known.
    is_known: bool,
    /// A candidate of its cells has gone since the tuples were last filtered.
    is_stale: bool,
}

impl CageTuples {
    /// The tuples, where they are known.
    pub fn known(&self) -> Option<impl Iterator<Item = &[u8]> + Clone> {
        self.is_known.then(|| self.ranks.chunks_exact(self.width))
    }

    /// The number of tuples, where it is known.
    pub fn len(&self) -> Option<usize> {
        self.is_known.then(|| self.ranks.len() / self.width)
    }

    /// Keeps the tuples that the candidates of their cells allow.
    fn filter(&mut self, cells: &[u16], masks: &[u32]) {
        let width = self.width;
        let mut kept = 0;
        for start in (0..self.ranks.len()).step_by(width) {
            let tuple = &self.ranks[start..start + width];
            let fits = |(rank, cell): (&u8, &u16)| masks[usize::from(*cell)] >> rank & 1 == 1;
            if tuple.iter().zip(cells).all(fits) {
                self.ranks.copy_within(start..start + width, kept);
                kept += width;
            }
        }
        self.ranks.truncate(kept);
    }
}

/// Candidates, cells that are filled in, and the tuples of cages.
#[derive(Clone)]
pub(crate) struct Board<'a> {
    /// What does not change.
    pub frame: &'a Frame<'a>,
    masks: Vec<u32>,
    is_filled: Vec<bool>,
    open: usize,
    cages: Vec<CageTuples>,
    /// How often candidates or open cells have gone.
    removals: u32,
}

impl<'a> Board<'a> {
    /// The board at the start: every cell open, every digit a candidate.
    pub fn new(frame: &'a Frame<'a>) -> Self {
        let problem = frame.problem;
        let tables = problem.tables();
        let cage = |group: &usize| CageTuples {
            width: problem.cells_of(*group).len(),
            ranks: tables[*group].as_ref().map_or_else(Vec::new, |table| table.ranks().to_vec()),
            is_known: tables[*group].is_some(),
            is_stale: tables[*group].is_none(),
        };
        let mut board = Self {
            frame,
            masks: problem.candidates().to_vec(),
            is_filled: vec![false; problem.cells()],
            open: problem.cells(),
            cages: frame.cages.iter().map(cage).collect(),
            removals: 0,
        };
        board.refresh();
        board
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
            for cage in self.frame.cages_of.get(usize::from(cell)) {
                self.cages[usize::from(*cage)].is_stale = true;
            }
        }
    }

    /// Filters the tuples of all cages that have lost candidates.
    pub fn refresh(&mut self) {
        for (index, tuples) in self.cages.iter_mut().enumerate().filter(|(_, tuples)| tuples.is_stale) {
            let group = self.frame.cages[index];
            let cells = self.frame.cells(group);
            if !tuples.is_known {
                list(self.frame.problem, group, &self.masks, tuples);
            }
            tuples.filter(cells, &self.masks);
            tuples.is_stale = false;
        }
    }
}

/// What a person sees at once, as one operation.
impl Board<'_> {
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

/// Lists the tuples of a cage that had too many, where few assignments of its cells are left.
fn list(problem: &Problem, group: usize, masks: &[u32], tuples: &mut CageTuples) {
    let mask = |cell: usize| masks[cell];
    let held = || problem.cells_of(group).iter().map(|cell| mask(usize::from(*cell)));
    let assignments = held().map(|mask| u64::from(mask.count_ones())).fold(1, u64::saturating_mul);
    let Some(clue) = problem.rule(group).clue else { return };
    tuples.ranks.clear();
    if assignments == 1 {
        // However many cells there are.
        let ranks: Vec<u8> = held().map(|mask| mask.trailing_zeros() as u8).collect();
        let digits: Vec<u8> = ranks.iter().map(|rank| problem.values()[usize::from(*rank)]).collect();
        tuples.is_known = true;
        if clue.holds(&digits) {
            tuples.ranks = ranks;
        }
    } else if assignments <= MOST_ASSIGNMENTS {
        tuples.is_known = enumerate(problem, group, clue, mask, MOST_TUPLES, &mut tuples.ranks).is_ok();
    }
}

/// Words for what stands on the board.
impl Board<'_> {
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
