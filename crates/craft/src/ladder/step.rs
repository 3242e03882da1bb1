//! One step of a solution, the collection of those that a technique finds, and the check of a step: what it concludes follows from the
//! rules it names and the candidates before it.
//!
//! The exact solver is asked whether the groups that the step names, alone, allow what the step excludes. It searches by itself. Of
//! the compiled puzzle it shares with the techniques the cells of groups and the clues; the tuples of cages it lists anew.

use super::candidates::Candidates;
use super::{Score, Technique};
use kenga_core::budget::Interrupt;
use kenga_core::problem::{Domains, LostCandidates, bits};
use kenga_core::solver::{Limits, Status, solve};

/// A digit in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The cell.
    pub cell: u16,
    /// The rank of the digit.
    pub rank: u32,
}

/// What a technique concludes, and from what.
#[derive(Clone, Debug)]
pub struct Step {
    /// The technique.
    pub technique: &'static Technique,
    /// The round, from 1, once the step is taken.
    pub round: u32,
    /// The cell that is filled in, if one is.
    pub fills: Option<Placement>,
    /// The candidates that go, without those that a filled cell takes from others.
    pub removes: Vec<LostCandidates>,
    /// The groups whose rules the step rests on: with the candidates before it, they imply what it concludes. Empty, as the
    /// next two, where the climb does not speak.
    pub groups: Vec<usize>,
    /// The cells whose candidates the step rests on.
    pub cells: Vec<u16>,
    /// The reason, and with it what changes.
    pub words: String,
}

impl Step {
    /// Its score.
    pub fn score(&self) -> Score {
        self.technique.score
    }

    /// What it changes, in words: `A1 is 3`, or `A1 and A2 lose 2, B1 loses 4`.
    pub(super) fn effect(&self, candidates: &Candidates<'_>) -> String {
        let mut changes = Vec::new();
        if let Some(Placement { cell, rank }) = self.fills {
            changes.push(format!("{} is {}", candidates.name(cell), candidates.digit(rank)));
        }
        // Cells that lose the same are told together, where the first of them stands.
        let mut lost: Vec<(u32, Vec<u16>)> = Vec::new();
        for LostCandidates { cell, ranks } in &self.removes {
            match lost.iter_mut().find(|(same, _)| same == ranks) {
                Some((_, cells)) => cells.push(*cell),
                None => lost.push((*ranks, vec![*cell])),
            }
        }
        for (ranks, cells) in lost {
            let verb = if cells.len() == 1 { "loses" } else { "lose" };
            changes.push(format!("{} {verb} {}", candidates.names(&cells), candidates.digits(ranks)));
        }
        changes.join(", ")
    }

    /// The whole step in words: what it changes, and why.
    pub(super) fn sentence(&self, candidates: &Candidates<'_>) -> String {
        let effect = self.effect(candidates);
        if self.fills.is_some() {
            format!("{effect}: {}", self.words)
        } else {
            format!("{}: {effect}", self.words)
        }
    }
}

/// Why a step is right; made only where the climb speaks.
pub(crate) struct StepReason {
    /// The groups whose rules it uses. Those in which two cells of a cage must differ need not be named.
    groups: Vec<usize>,
    /// The cells whose candidates it uses.
    cells: Vec<u16>,
    words: String,
}

impl StepReason {
    /// A reason from groups and cells, in words.
    pub fn new(groups: &[usize], cells: &[u16], words: String) -> Self {
        Self { groups: groups.to_vec(), cells: cells.to_vec(), words }
    }
}

/// The steps that a technique finds from candidates.
pub(crate) struct FoundSteps {
    technique: &'static Technique,
    /// Reasons are wanted.
    speaks: bool,
    pub(super) steps: Vec<Step>,
}

impl FoundSteps {
    /// Nothing found yet.
    pub fn new(technique: &'static Technique, speaks: bool) -> Self {
        Self { technique, speaks, steps: Vec::new() }
    }

    /// Says whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// A cell that must hold a digit.
    pub fn fill(&mut self, candidates: &Candidates<'_>, cell: u16, rank: u32, why: &dyn Fn() -> StepReason) {
        self.push(candidates, Some(Placement { cell, rank }), Vec::new(), why);
    }

    /// Ranks that go from each of some cells.
    pub fn remove_from(
        &mut self,
        candidates: &Candidates<'_>,
        cells: &[u16],
        ranks: u32,
        why: &dyn Fn() -> StepReason,
    ) {
        let mut removes = Vec::new();
        for cell in cells {
            removes.push(LostCandidates { cell: *cell, ranks });
        }
        self.remove(candidates, removes, why);
    }

    /// Cells that keep no ranks but these.
    pub fn keep(
        &mut self,
        candidates: &Candidates<'_>,
        cells: &[u16],
        left: &[u32],
        why: &dyn Fn() -> StepReason,
    ) {
        let mut removes = Vec::new();
        for (cell, left) in cells.iter().zip(left) {
            removes.push(LostCandidates { cell: *cell, ranks: !left });
        }
        self.remove(candidates, removes, why);
    }

    /// Candidates that go; those that are not there are left out, and nothing is found when none is.
    fn remove(
        &mut self,
        candidates: &Candidates<'_>,
        mut removes: Vec<LostCandidates>,
        why: &dyn Fn() -> StepReason,
    ) {
        removes.retain_mut(|lost| candidates.restrict(lost));
        if !removes.is_empty() {
            self.push(candidates, None, removes, why);
        }
    }

    fn push(
        &mut self,
        candidates: &Candidates<'_>,
        fills: Option<Placement>,
        removes: Vec<LostCandidates>,
        why: &dyn Fn() -> StepReason,
    ) {
        // Words take longer than the search for a step: most climbs only count.
        let reason = if self.speaks { why() } else { StepReason::new(&[], &[], String::new()) };
        // What two cells of a cage must differ by need not be told by each technique.
        let groups = candidates.frame.with_overlaps(&reason.groups);
        let StepReason { cells, words, .. } = reason;
        self.steps.push(Step { technique: self.technique, round: 0, fills, removes, groups, cells, words });
    }
}

/// Decisions of the solver for one candidate.
const NODES: u64 = 200_000;

/// Says whether a step is implied: `None` when the solver cannot tell within its limits, or is interrupted.
pub fn verify(candidates: &Candidates<'_>, step: &Step, interrupt: &Interrupt) -> Option<bool> {
    let mut excluded = step.removes.clone();
    if let Some(Placement { cell, rank }) = step.fills {
        excluded.insert(0, LostCandidates { cell, ranks: !(1 << rank) });
    }
    // Of the puzzle the solver sees the named groups alone.
    let part = candidates.frame.problem.with_only_groups(&step.groups);
    let limits = Limits { solutions: 1, nodes: Some(NODES), ..Limits::default() };
    let mut answer = Some(true);
    for LostCandidates { cell, ranks } in excluded {
        for rank in bits(ranks & candidates.mask(cell)) {
            let mut masks = candidates.masks().to_vec();
            // If the candidate could stay, there would be a way to fill the groups with it.
            masks[usize::from(cell)] = 1 << rank;
            let outcome = solve(&part.restrict(&Domains(masks)), &limits, interrupt, &mut |_| ());
            match outcome.status {
                Status::Unsolvable => {}
                Status::Undecided if interrupt.is_raised() => return None,
                Status::Undecided => answer = None,
                _ => return Some(false),
            }
        }
    }
    answer
}
