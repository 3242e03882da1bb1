//! The search space as operators see it, and the conflicts of a genome in it.

use std::sync::{Arc, OnceLock};

use crate::fitness::{Fitness, Tally};
use crate::problem::{Blocks, Problem};
use crate::rng::RunRng;

use super::neighbourhood::Choices;

/// What operators may do to a genome of `genes()` ranks.
#[derive(Clone, Debug)]
pub struct Space {
    /// The number of digits; every gene is below it.
    pub digits: usize,
    /// The digits that each gene may take, a mask a gene, never empty.
    pub candidates: Vec<u32>,
    /// What may change at once.
    pub change: Change,
    /// The genes that may change, ascending.
    pub free: Vec<u16>,
    /// The genes that may change, in lists within which an operator may exchange digits: one list on `cells`, one a
    /// line on `rows`, where every list holds different digits.
    pub segments: Blocks,
    /// The index in `segments` of each gene's list; unused where a gene is fixed.
    pub segment_of: Vec<u16>,
    /// All genes by row (on `rows`: by line).
    pub rows: Blocks,
    /// All genes that have a cage, by cage, and the others one by one; on `cages`, the parts that hold a tuple each.
    pub cages: Blocks,
    pub(super) parts: LazyParts,
}

/// The smallest change that leaves a genome valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Any digit in any gene: `cells`.
    Digits,
    /// Two digits of a segment exchanged: `rows`.
    Exchanges,
    /// Another tuple in a part: `cages`.
    Tuples,
}

impl Space {
    /// The number of genes, fixed ones included.
    pub fn genes(&self) -> usize {
        self.candidates.len()
    }

    /// The segment of a free gene.
    pub fn segment(&self, gene: u16) -> &[u16] {
        self.segments.get(usize::from(self.segment_of[usize::from(gene)]))
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        self.parts.fitness.problem()
    }

    /// The parts of the genome with their tuples, made when they are first asked for.
    pub fn parts(&self) -> &Parts {
        self.parts.made.get_or_init(|| Arc::new(Parts::new(self.problem(), &self.candidates)))
    }
}

/// Parts that are made when they are first asked for: tables of tuples take time, and most operators need none.
#[derive(Clone, Debug)]
pub(super) struct LazyParts {
    fitness: Arc<Fitness>,
    made: OnceLock<Arc<Parts>>,
}

impl LazyParts {
    pub(super) fn new(fitness: &Arc<Fitness>) -> Self {
        Self { fitness: Arc::clone(fitness), made: OnceLock::new() }
    }
}

/// The parts of a genome, each the cells of a clue or a single cell, and the tuples that each may take.
#[derive(Clone, Debug)]
pub struct Parts {
    choices: Choices,
    /// The part of each gene, where it can be redrawn.
    of_gene: Vec<Option<u16>>,
}

impl Parts {
    fn new(problem: &Problem, candidates: &[u32]) -> Self {
        let choices = Choices::of_clues(problem, candidates);
        let mut of_gene = vec![None; candidates.len()];
        for (part, cells) in choices.cells().iter().enumerate() {
            let may_take = |tuple: &[u8]| {
                let mut pairs = cells.iter().zip(tuple);
                pairs.all(|(cell, rank)| candidates[usize::from(*cell)] >> rank & 1 == 1)
            };
            let is_free = cells.iter().any(|cell| candidates[usize::from(*cell)].count_ones() > 1);
            if is_free && choices.ranks(part).chunks_exact(cells.len()).all(may_take) {
                cells.iter().for_each(|cell| of_gene[usize::from(*cell)] = Some(part as u16));
            }
        }
        Self { choices, of_gene }
    }

    /// The part that a gene lies in, unless a fixed gene forbids to redraw it.
    pub fn of(&self, gene: u16) -> Option<usize> {
        self.of_gene[usize::from(gene)].map(usize::from)
    }

    /// The cells of a part.
    pub fn cells(&self, part: usize) -> &[u16] {
        self.choices.cells().get(part)
    }

    /// A uniform tuple of a part other than the one that a genome holds there; `None` where there is no other.
    pub fn other(&self, part: usize, genome: &[u8], rng: &mut RunRng) -> Option<&[u8]> {
        let (count, held) = (self.choices.count(part), self.choices.find(part, genome));
        let others = count - usize::from(held.is_some());
        if others == 0 {
            return None;
        }
        let drawn = rng.below(others);
        let passes = held.is_some_and(|held| drawn >= held);
        Some(self.choices.tuple(part, drawn + usize::from(passes)))
    }
}

/// The genes of a genome that lie in a violated group: their digit stands elsewhere in a distinct group, or their clue
/// does not hold.
///
/// The evaluation of a genome finds every violated group, so that to read the conflicts of a genome that has been
/// evaluated is no further evaluation. Those of other genomes are never read.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    flags: Vec<bool>,
    genes: Vec<u16>,
}

impl Conflicts {
    /// Reads the conflicts of the genome at which a tally stands.
    pub fn read(&mut self, tally: &Tally, space: &Space) {
        self.flags.clear();
        self.flags.extend((0..space.genes()).map(|gene| tally.is_conflicted(gene)));
        self.genes.clear();
        self.genes.extend(space.free.iter().copied().filter(|gene| self.flags[usize::from(*gene)]));
    }

    /// A gene is in conflict.
    #[inline]
    pub fn holds(&self, gene: u16) -> bool {
        self.flags.get(usize::from(gene)).copied().unwrap_or(false)
    }

    /// The free genes in conflict, ascending.
    pub fn genes(&self) -> &[u16] {
        &self.genes
    }
}
