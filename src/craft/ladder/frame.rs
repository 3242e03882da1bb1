//! What does not change while a puzzle is solved: its groups by what a person does with them, and who sees whom.

use std::cell::Cell;

use crate::budget::Interrupt;
use crate::problem::{Blocks, Problem, mask_of};
use crate::puzzle::{Puzzle, Role};

/// The cells of all grids that the trials of one puzzle look at together: 60,000 grids of 9x9. What needs more is beyond the
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
    pub(super) cages_of: Blocks,
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

    /// Says whether one more trial may begin, and counts it.
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
