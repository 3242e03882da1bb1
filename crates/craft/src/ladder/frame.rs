//! What does not change while a puzzle is solved: its groups by what a person does with them, and who sees whom.

use std::cell::Cell;

use kenga_core::budget::{Clock, Interrupt};
use kenga_core::problem::{Blocks, Problem};
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
    pub(super) houses: Vec<usize>,
    /// The distinct groups of two or more cells; every house of two or more is one.
    pub(super) distinct: Vec<usize>,
    /// The groups with a clue.
    pub(super) cages: Vec<usize>,
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

/// A limit of wall time that began to count when it was made.
#[derive(Debug)]
pub struct TimeLimit {
    clock: Clock,
    /// `None` for no limit.
    seconds: Option<f64>,
}

impl TimeLimit {
    /// A limit of so many seconds from now on; `None` for no limit.
    pub fn start(seconds: Option<f64>) -> Self {
        Self { clock: Clock::start(), seconds }
    }

    /// No limit.
    pub(super) fn none() -> Self {
        Self::start(None)
    }

    /// The time is up.
    pub(super) fn is_over(&self) -> bool {
        self.clock.past(self.seconds)
    }

    /// Seconds that are left; `None` for no limit.
    pub fn left(&self) -> Option<f64> {
        self.seconds.map(|seconds| (seconds - self.clock.wall_s()).max(0.0))
    }
}

impl<'a> Frame<'a> {
    /// The frame of a puzzle and of the same puzzle compiled.
    pub fn new(puzzle: &'a Puzzle, problem: &'a Problem) -> Self {
        let (mut houses, mut distinct, mut cages) = (Vec::new(), Vec::new(), Vec::new());
        let (mut overlaps, mut crossings) = (Vec::new(), Vec::new());
        let mut of_cages = Blocks::default();
        for group in 0..problem.groups() {
            let (rule, cells) = (problem.rule(group), problem.cells_of(group));
            if is_house(problem, group) {
                houses.push(group);
            }
            if rule.distinct && cells.len() > 1 {
                distinct.push(group);
            }
            if rule.clue.is_some() {
                cages.push(group);
                of_cages.push(cells.iter().copied());
            }
            let shared = overlapping(problem, group);
            crossings.push(crossing(problem, group, &shared));
            overlaps.push(shared.iter().map(|other| other.group).collect());
        }
        let mut peers = Blocks::default();
        for cell in 0..problem.cells() {
            peers.push(peers_of(problem, cell as u16));
        }
        Self {
            puzzle,
            problem,
            houses,
            distinct,
            peers,
            cages_of: of_cages.inverse(problem.cells()),
            cages,
            overlaps,
            crossings,
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
    pub(super) fn within(self, time_limit: &'a TimeLimit) -> Self {
        Self { time_limit: Some(time_limit), ..self }
    }

    /// The same with another bound on what trials look at, in cells of grids.
    #[must_use]
    pub(crate) fn with_effort(self, cells: u64) -> Self {
        self.effort_left.set(cells);
        self
    }

    /// What trials may still look at, in cells of grids.
    pub(crate) fn effort_left(&self) -> u64 {
        self.effort_left.get()
    }

    /// Says whether one more trial may begin, and counts it.
    pub(super) fn may_try(&self) -> bool {
        let Some(left) = self.effort_left.get().checked_sub(self.problem.cells() as u64) else {
            return false;
        };
        // What a trial costs grows with the grid: it is counted in cells.
        self.effort_left.set(left);
        !self.is_interrupted()
    }

    /// Says whether the interrupt was raised, or the time is up.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::is_raised) || self.time_limit.is_some_and(TimeLimit::is_over)
    }

    /// The cells that must differ from one.
    pub(super) fn peers(&self, cell: u16) -> &[u16] {
        self.peers.get(usize::from(cell))
    }

    /// Every digit stands once in the group.
    pub(super) fn is_house(&self, group: usize) -> bool {
        is_house(self.problem, group)
    }

    /// The cages that a cell lies in, as indices into [`cages`](Self::cages).
    pub(super) fn cages_of(&self, cell: usize) -> &[u16] {
        self.cages_of.get(cell)
    }

    /// The houses with a role.
    pub(super) fn houses_with(&self, role: Role) -> Vec<usize> {
        self.houses.iter().copied().filter(|house| self.problem.rule(*house).role == role).collect()
    }

    /// Groups, and for each with a clue the distinct groups that share two of its cells; none twice.
    pub(super) fn with_overlaps(&self, groups: &[usize]) -> Vec<usize> {
        let mut all = groups.to_vec();
        for group in groups {
            if self.problem.rule(*group).clue.is_some() {
                all.extend(&self.overlaps[*group]);
            }
        }
        // Digits of a cage may repeat, unless a distinct group holds two of its cells: who checks a step must know which.
        let mut seen = vec![false; self.problem.groups()];
        all.retain(|group| !std::mem::replace(&mut seen[*group], true));
        all
    }

    /// The distinct groups that share two or more cells with a group, itself among them.
    pub(super) fn overlaps(&self, group: usize) -> &[usize] {
        &self.overlaps[group]
    }

    /// The distinct groups that share two or more cells with a group and have others.
    pub(super) fn crossings(&self, group: usize) -> &[usize] {
        &self.crossings[group]
    }

    /// Every group.
    pub(super) fn all_groups(&self) -> Vec<usize> {
        (0..self.problem.groups()).collect()
    }

    /// A distinct group that two cells share.
    pub(super) fn joint(&self, one: u16, other: u16) -> Option<usize> {
        distinct_groups(self.problem, one).into_iter().find(|group| self.cells(*group).contains(&other))
    }

    /// The positions of a group's cells for which `is_inside` holds, a mask; those from 32 on are left out.
    pub(super) fn positions(&self, group: usize, is_inside: &dyn Fn(u16) -> bool) -> u32 {
        let mut positions = 0;
        for (position, cell) in self.cells(group).iter().enumerate().take(32) {
            if is_inside(*cell) {
                positions |= 1 << position;
            }
        }
        positions
    }

    /// The positions of a cage's cells that lie in another group, a mask.
    pub(super) fn positions_in(&self, cage: usize, other: usize) -> u32 {
        let cells = self.cells(other);
        self.positions(cage, &|cell| cells.contains(&cell))
    }

    /// The cells of a group.
    pub(super) fn cells(&self, group: usize) -> &'a [u16] {
        self.problem.cells_of(group)
    }
}

fn is_house(problem: &Problem, group: usize) -> bool {
    problem.rule(group).distinct && problem.cells_of(group).len() == problem.digits()
}

/// A distinct group that shares cells with another.
struct Overlap {
    group: usize,
    /// How many cells they share.
    shared: usize,
}

/// The distinct groups that share two or more cells with a group, ascending.
fn overlapping(problem: &Problem, group: usize) -> Vec<Overlap> {
    let mut others = Vec::new();
    for cell in problem.cells_of(group) {
        others.extend(distinct_groups(problem, *cell));
    }
    others.sort_unstable();
    let mut overlaps = Vec::new();
    // A group is in the list once for each cell that it shares.
    for run in others.chunk_by(|one, other| one == other) {
        if run.len() > 1 {
            overlaps.push(Overlap { group: run[0], shared: run.len() });
        }
    }
    overlaps
}

/// Those of the groups that overlap with one that have other cells.
fn crossing(problem: &Problem, group: usize, overlaps: &[Overlap]) -> Vec<usize> {
    let mut crossing = Vec::new();
    for other in overlaps {
        // From a group without other cells nothing can go.
        if other.group != group && other.shared < problem.cells_of(other.group).len() {
            crossing.push(other.group);
        }
    }
    crossing
}

/// The distinct groups of a cell, ascending.
fn distinct_groups(problem: &Problem, cell: u16) -> Vec<usize> {
    let groups = problem.groups_of(usize::from(cell)).iter().map(|group| usize::from(*group));
    groups.filter(|group| problem.rule(*group).distinct).collect()
}

/// The cells that share a distinct group with one, ascending.
fn peers_of(problem: &Problem, cell: u16) -> Vec<u16> {
    let mut peers = Vec::new();
    for group in distinct_groups(problem, cell) {
        peers.extend(problem.cells_of(group));
    }
    peers.sort_unstable();
    peers.dedup();
    peers.retain(|peer| *peer != cell);
    peers
}
