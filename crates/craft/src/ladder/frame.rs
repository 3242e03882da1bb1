//! What does not change while a puzzle is solved: its groups by what a person does with them, and who sees whom.

use std::cell::Cell;

use super::time_limit::TimeLimit;
use kenga_core::budget::Interrupt;
use kenga_core::problem::{Blocks, Problem, mask_of};
use kenga_core::puzzle::{Puzzle, Role};

/// The cells of all grids that the trials of one puzzle look at together: 60,000 grids of 9x9. What needs more is beyond the
/// ladder.
const MOST_EFFORT: u64 = 5_000_000;

/// What does not change while a puzzle is solved.
pub struct Frame<'a> {
    /// The puzzle, for names.
    pub puzzle: &'a Puzzle,
    /// The same, compiled.
    pub problem: &'a Problem,
    /// The groups in which every digit stands once: distinct, with as many cells as there are digits.
    pub houses: Vec<usize>,
    /// The distinct groups of two or more cells; every house of two or more is one.
    pub distinct: Vec<usize>,
    /// The groups with a clue.
    pub cages: Vec<usize>,
    /// For every cell, those that must differ from it.
    peers: Blocks,
    /// For every cell, the cages that it lies in, as indices into `cages`.
    cages_of: Blocks,
    /// For every group, the distinct groups that share two or more cells with it, itself among them.
    overlaps: Vec<Vec<usize>>,
    /// The same without itself and those that have no other cells.
    crossings: Vec<Vec<usize>>,
    /// Cells of boards that trials may still look at.
    effort_left: Cell<u64>,
    interrupt: Option<&'a Interrupt>,
    time_limit: Option<&'a TimeLimit>,
}

impl<'a> Frame<'a> {
    /// The frame of a puzzle and of the same puzzle compiled.
    pub fn new(puzzle: &'a Puzzle, problem: &'a Problem) -> Self {
        let groups = 0..problem.groups();
        let is_distinct = |group: &usize| problem.rule(*group).distinct && problem.cells_of(*group).len() > 1;
        let distinct: Vec<usize> = groups.clone().filter(is_distinct).collect();
        let cages: Vec<usize> = groups.clone().filter(|group| problem.rule(*group).clue.is_some()).collect();
        let mut of_cages = Blocks::default();
        cages.iter().for_each(|cage| of_cages.push(problem.cells_of(*cage).iter().copied()));
        let mut peers = Blocks::default();
        for cell in 0..problem.cells() {
            peers.push(peers_of(problem, cell as u16));
        }
        let cages_of = of_cages.inverse(problem.cells());
        let houses = groups.clone().filter(|group| is_house(problem, *group)).collect();
        let shared: Vec<Vec<(usize, usize)>> = groups.map(|group| shared_cells(problem, group)).collect();
        let overlaps = shared.iter().map(|others| others.iter().map(|(other, _)| *other).collect()).collect();
        let crosses = |group: usize, (other, count): (usize, usize)| {
            (other != group && count < problem.cells_of(other).len()).then_some(other)
        };
        let crossing = |(group, others): (usize, &Vec<(usize, usize)>)| {
            others.iter().filter_map(|shared| crosses(group, *shared)).collect()
        };
        Self {
            puzzle,
            problem,
            houses,
            distinct,
            cages,
            peers,
            cages_of,
            crossings: shared.iter().enumerate().map(crossing).collect(),
            overlaps,
            effort_left: Cell::new(MOST_EFFORT),
            interrupt: None,
            time_limit: None,
        }
    }

    /// The same with an interrupt, which ends climbs: nothing is concluded after it.
    #[must_use]
    pub fn interruptible(self, interrupt: &'a Interrupt) -> Self {
        Self { interrupt: Some(interrupt), ..self }
    }

    /// The same with a limit of time, which ends climbs as an interrupt does.
    #[must_use]
    pub fn within(self, time_limit: &'a TimeLimit) -> Self {
        Self { time_limit: Some(time_limit), ..self }
    }

    /// The same with another bound on what trials look at, in cells of grids.
    #[must_use]
    pub fn with_effort(self, cells: u64) -> Self {
        self.effort_left.set(cells);
        self
    }

    /// What trials may still look at, in cells of grids.
    pub fn effort_left(&self) -> u64 {
        self.effort_left.get()
    }

    /// Says whether one more trial may begin, and counts it.
    pub(super) fn may_try(&self) -> bool {
        let left = self.effort_left.get().checked_sub(self.problem.cells() as u64);
        left.inspect(|left| self.effort_left.set(*left)).is_some() && !self.is_interrupted()
    }

    /// Says whether the interrupt was raised, or the time is up.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::is_raised) || self.time_limit.is_some_and(TimeLimit::is_over)
    }

    /// The cells that must differ from one.
    pub fn peers(&self, cell: u16) -> &[u16] {
        self.peers.get(usize::from(cell))
    }

    /// Every digit stands once in the group.
    pub fn is_house(&self, group: usize) -> bool {
        is_house(self.problem, group)
    }

    /// The cages that a cell lies in, as indices into [`cages`](Self::cages).
    pub fn cages_of(&self, cell: usize) -> &[u16] {
        self.cages_of.get(cell)
    }

    /// The houses with a role.
    pub fn houses_with(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        self.houses.iter().copied().filter(move |house| self.problem.rule(*house).role == role)
    }

    /// Groups, and for each with a clue the distinct groups that share two of its cells; none twice.
    pub fn with_overlaps(&self, groups: &[usize]) -> Vec<usize> {
        let cages = groups.iter().filter(|group| self.problem.rule(**group).clue.is_some());
        let overlaps = cages.flat_map(|cage| &self.overlaps[*cage]);
        let mut seen = vec![false; self.problem.groups()];
        let is_new = |group: &usize| !std::mem::replace(&mut seen[*group], true);
        groups.iter().chain(overlaps).copied().filter(is_new).collect()
    }

    /// The distinct groups that share two or more cells with a group, itself among them.
    pub fn overlaps(&self, group: usize) -> &[usize] {
        &self.overlaps[group]
    }

    /// The distinct groups that share two or more cells with a group and have others.
    pub fn crossings(&self, group: usize) -> &[usize] {
        &self.crossings[group]
    }

    /// Every group.
    pub fn all_groups(&self) -> Vec<usize> {
        (0..self.problem.groups()).collect()
    }

    /// A distinct group that two cells share.
    pub fn joint(&self, one: u16, other: u16) -> Option<usize> {
        let shares =
            |group: &usize| self.problem.rule(*group).distinct && self.cells(*group).contains(&other);
        let groups = self.problem.groups_of(usize::from(one)).iter().map(|group| usize::from(*group));
        groups.filter(shares).min()
    }

    /// The positions of a group's cells for which `is_inside` holds, a mask; those from 32 on are left out.
    pub fn positions(&self, group: usize, is_inside: impl Fn(u16) -> bool) -> u32 {
        let cells = self.cells(group).iter().enumerate().take(32);
        mask_of(cells.filter(|(_, cell)| is_inside(**cell)).map(|(position, _)| position as u32))
    }

    /// The positions of a cage's cells that lie in another group, a mask.
    pub fn positions_in(&self, cage: usize, other: usize) -> u32 {
        let cells = self.cells(other);
        self.positions(cage, |cell| cells.contains(&cell))
    }

    /// The cells of a group.
    pub fn cells(&self, group: usize) -> &'a [u16] {
        self.problem.cells_of(group)
    }
}

fn is_house(problem: &Problem, group: usize) -> bool {
    problem.rule(group).distinct && problem.cells_of(group).len() == problem.digits()
}

/// The distinct groups that share two or more cells with a group, ascending, and how many these are.
fn shared_cells(problem: &Problem, group: usize) -> Vec<(usize, usize)> {
    let of_cell = |cell: &u16| problem.groups_of(usize::from(*cell)).iter().map(|group| usize::from(*group));
    let mut others: Vec<usize> = problem
        .cells_of(group)
        .iter()
        .flat_map(of_cell)
        .filter(|other| problem.rule(*other).distinct)
        .collect();
    others.sort_unstable();
    let runs = others.chunk_by(|one, other| one == other).map(|run| (run[0], run.len()));
    runs.filter(|(_, count)| *count > 1).collect()
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
