//! One step of a solution, and the collection of those that a technique finds.

use super::candidates::Candidates;
use super::{Score, Technique};

/// What a technique concludes, and from what.
#[derive(Clone, Debug)]
pub struct Step {
    /// The technique.
    pub technique: &'static Technique,
    /// The round, from 1, once the step is taken.
    pub round: u32,
    /// The cell that is filled in and the rank of its digit, if one is.
    pub fills: Option<(u16, u32)>,
    /// The candidates that go, masks of ranks by cell, without those that a filled cell takes from others.
    pub removes: Vec<(u16, u32)>,
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
    pub fn effect(&self, candidates: &Candidates<'_>) -> String {
        let filled = self
            .fills
            .iter()
            .map(|(cell, rank)| format!("{} is {}", candidates.name(*cell), candidates.digit(*rank)));
        let mut lost: Vec<(u32, Vec<u16>)> = Vec::new();
        for (cell, ranks) in &self.removes {
            match lost.iter_mut().find(|(same, _)| same == ranks) {
                Some((_, cells)) => cells.push(*cell),
                None => lost.push((*ranks, vec![*cell])),
            }
        }
        let lost = lost.iter().map(|(ranks, cells)| {
            let verb = if cells.len() == 1 { "loses" } else { "lose" };
            format!("{} {verb} {}", candidates.names(cells.iter().copied()), candidates.digits(*ranks))
        });
        filled.chain(lost).collect::<Vec<_>>().join(", ")
    }

    /// The whole step in words: what it changes, and why.
    pub(super) fn sentence(&self, candidates: &Candidates<'_>) -> String {
        let effect = self.effect(candidates);
        match self.fills {
            Some(_) => format!("{effect}: {}", self.words),
            None => format!("{}: {effect}", self.words),
        }
    }
}

/// Why a step is right; made only where the climb speaks.
pub struct Reason {
    /// The groups whose rules it uses. Those in which two cells of a cage must differ need not be named.
    groups: Vec<usize>,
    /// The cells whose candidates it uses.
    cells: Vec<u16>,
    words: String,
}

impl Reason {
    /// A reason from groups and cells, in words.
    pub fn new(groups: impl Into<Vec<usize>>, cells: impl Into<Vec<u16>>, words: impl Into<String>) -> Self {
        Self { groups: groups.into(), cells: cells.into(), words: words.into() }
    }
}

/// The steps that a technique finds from candidates.
pub struct Found {
    technique: &'static Technique,
    /// Reasons are wanted.
    speaks: bool,
    pub(super) steps: Vec<Step>,
}

impl Found {
    /// Nothing found yet.
    pub fn new(technique: &'static Technique, speaks: bool) -> Self {
        Self { technique, speaks, steps: Vec::new() }
    }

    /// Says whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// A cell that must hold a digit.
    pub fn fill(&mut self, candidates: &Candidates<'_>, fills: (u16, u32), why: impl FnOnce() -> Reason) {
        self.push(candidates, Some(fills), Vec::new(), why);
    }

    /// Candidates that go; those that are not there are left out, and nothing is found when none is.
    pub fn remove(
        &mut self,
        candidates: &Candidates<'_>,
        removes: impl IntoIterator<Item = (u16, u32)>,
        why: impl FnOnce() -> Reason,
    ) {
        let there = removes.into_iter().map(|(cell, ranks)| (cell, ranks & candidates.mask(cell)));
        let removes: Vec<(u16, u32)> = there.filter(|(_, ranks)| *ranks != 0).collect();
        if !removes.is_empty() {
            self.push(candidates, None, removes, why);
        }
    }

    fn push(
        &mut self,
        candidates: &Candidates<'_>,
        fills: Option<(u16, u32)>,
        removes: Vec<(u16, u32)>,
        why: impl FnOnce() -> Reason,
    ) {
        let Reason { groups, cells, words } =
            if self.speaks { why() } else { Reason::new([], [], String::new()) };
        let groups = candidates.frame.with_overlaps(&groups);
        self.steps.push(Step { technique: self.technique, round: 0, fills, removes, groups, cells, words });
    }
}
