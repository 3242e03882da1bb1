//! The search space as operators see it.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::fitness::{Fitness, Invariants, LANES, LONGEST};
use crate::problem::{Blocks, Problem, bits, mask_of};
use crate::rng::RunRng;

use super::Candidates;

/// What operators may do to a genome of `genes()` ranks.
#[derive(Clone, Debug)]
pub struct Space {
    /// The number of digits; every gene is below it.
    pub digits: usize,
    /// The digits that each gene may take.
    pub candidates: Candidates,
    /// What may change at once.
    pub change: Change,
    /// The genes that may change, ascending.
    pub free: Vec<u16>,
    /// The genes that may change, in lists within which an operator may exchange digits: one list on `cells`; on `rows`
    /// one for each line, whose digits are all different.
    pub segments: Blocks,
    /// The index in `segments` of each gene's list; unused where a gene is fixed.
    pub segment_of: Vec<u16>,
    /// All genes by row (on `rows`: by line).
    pub rows: Blocks,
    /// All genes that have a cage, by cage, and the others one by one; on `cages`, the parts that hold a tuple each.
    pub cages: Blocks,
    pub(super) fitness: Arc<Fitness>,
    /// Made on first use: tables of tuples take time, and most operators need none.
    pub(super) choices: OnceLock<Arc<Choices>>,
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
        self.candidates.genes()
    }

    /// The segment of a free gene.
    #[inline]
    pub fn segment(&self, gene: u16) -> &[u16] {
        self.segments.get(usize::from(self.segment_of[usize::from(gene)]))
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        self.fitness.problem()
    }

    /// The clues and single cells of the genome with the tuples that each may take.
    pub fn choices(&self) -> &Arc<Choices> {
        self.choices.get_or_init(|| {
            Arc::new(match &self.candidates {
                Candidates::Masks(masks) => Choices::of_clues(self.problem(), masks),
                Candidates::Ranges(_) => Choices::of_cells(&self.candidates),
            })
        })
    }

    /// Gives a free gene a digit; on permutations by an exchange with the gene of its segment that holds the digit, if
    /// any.
    pub(super) fn give(&self, gene: u16, rank: u8, genome: &mut [u8]) {
        // Only on permutations has another gene of the line to give the digit up.
        if self.change != Change::Exchanges {
            genome[usize::from(gene)] = rank;
        } else if let Some(holder) =
            self.segment(gene).iter().find(|other| genome[usize::from(**other)] == rank)
        {
            genome.swap(usize::from(gene), usize::from(*holder));
        }
    }
}

/// A partition of the genome into parts, and the tuples that each may take: those of a clue, or the candidates of a
/// single cell.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    pub(super) cells: Blocks,
    /// The clue that each part's tuples satisfy, where it has one.
    clues: Vec<Option<u16>>,
    /// The tuples of all parts, one after the other, and a few ranks more.
    ranks: Vec<u8>,
    /// Where the tuples of each part are.
    tables: Vec<TupleTable>,
    /// The parts with two or more tuples.
    pub(super) free: Vec<u32>,
    /// The sum of the numbers of tuples of the parts before each, and of all.
    pub(super) slots: Vec<usize>,
    /// The part of each gene, unless a fixed gene forbids to redraw it; empty where every cell is a part.
    of_gene: Vec<Option<u16>>,
}

#[derive(Clone, Copy, Debug)]
struct TupleTable {
    start: u32,
    count: u32,
    width: u32,
}

/// Genes that hold one of some tuples together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The genes: cells of the [`Problem`], which has no black ones.
    pub genes: Vec<u16>,
    /// The tuples: a rank a gene. Genes that share a line, as those of a row do, must have different ranks: the search takes
    /// that for granted.
    pub tuples: Vec<Vec<u8>>,
}

impl Part {
    /// What is wrong with it, if anything; its genes become `taken`.
    fn flaw(&self, taken: &mut [bool], digits: usize) -> Option<String> {
        if self.genes.is_empty() || self.tuples.is_empty() {
            return Some("has no genes or no tuples".to_owned());
        }
        if self.genes.len() > LONGEST {
            return Some(format!("has {} genes: expected {LONGEST} at most", self.genes.len()));
        }
        for gene in &self.genes {
            match taken.get_mut(usize::from(*gene)) {
                None => return Some(format!("has gene {gene}, which there is not")),
                Some(true) => return Some(format!("has gene {gene} again")),
                Some(taken) => *taken = true,
            }
        }
        for tuple in &self.tuples {
            if tuple.len() != self.genes.len() || tuple.iter().any(|rank| usize::from(*rank) >= digits) {
                let expected = format!("a rank below {digits} for each of its genes");
                return Some(format!("has the tuple {tuple:?}: expected {expected}"));
            }
        }
        None
    }
}

impl Choices {
    /// A part for every cell.
    pub(crate) fn of_cells(candidates: &Candidates) -> Self {
        let mut choices = Self::default();
        for cell in 0..candidates.genes() {
            choices.push(&[cell as u16], candidates.ranks(cell), None);
        }
        choices.finish()
    }

    /// A part for every clue with few enough tuples that overlaps no earlier one, in the order of the groups, and for
    /// every cell that is left.
    pub(crate) fn of_clues(problem: &Problem, candidates: &[u32]) -> Self {
        let mut choices = Self::default();
        let mut taken = vec![false; problem.cells()];
        for (group, tuples) in problem.tables().iter().enumerate() {
            let cells = problem.cells_of(group);
            match tuples {
                Some(tuples) if !tuples.is_empty() && cells.iter().all(|cell| !taken[usize::from(*cell)]) => {
                    for cell in cells {
                        taken[usize::from(*cell)] = true;
                    }
                    choices.push(cells, tuples.ranks().iter().copied(), Some(group as u16));
                }
                _ => {}
            }
        }
        choices.complete(&taken, candidates)
    }

    /// These parts, and one for every cell that is in none. The candidates of the cells of a part become the digits of its
    /// tuples.
    ///
    /// # Errors
    /// The first part that is none, and why.
    pub(super) fn of_parts(parts: &[Part], candidates: &mut [u32], digits: usize) -> Result<Self, String> {
        let (mut choices, mut taken) = (Self::default(), vec![false; candidates.len()]);
        for (index, part) in parts.iter().enumerate() {
            if let Some(flaw) = part.flaw(&mut taken, digits) {
                return Err(format!("part {index} {flaw}"));
            }
            for (place, gene) in part.genes.iter().enumerate() {
                let held = part.tuples.iter().map(|tuple| u32::from(tuple[place]));
                candidates[usize::from(*gene)] = mask_of(held);
            }
            let mut tuples: Vec<&Vec<u8>> = part.tuples.iter().collect();
            // Tuples are found by bisection, and stand once, so that draws are uniform.
            tuples.sort_unstable();
            tuples.dedup();
            choices.push(&part.genes, tuples.into_iter().flatten().copied(), None);
        }
        Ok(choices.complete(&taken, candidates))
    }

    /// Adds a part for every cell that no other part has taken, and finds the part of each gene.
    fn complete(mut self, taken: &[bool], candidates: &[u32]) -> Self {
        for (cell, taken) in taken.iter().enumerate() {
            if !taken {
                self.push_single(cell as u16, candidates[cell]);
            }
        }
        self.find_parts(candidates);
        self.finish()
    }

    /// Fills in the part of each gene.
    fn find_parts(&mut self, candidates: &[u32]) {
        self.of_gene = vec![None; candidates.len()];
        for part in 0..self.len() {
            if self.is_free(part, candidates) {
                for cell in self.cells.get(part) {
                    self.of_gene[usize::from(*cell)] = Some(part as u16);
                }
            }
        }
    }

    /// Some cell of a part may change, and the candidates allow each of its tuples.
    fn is_free(&self, part: usize, candidates: &[u32]) -> bool {
        let cells = self.cells.get(part);
        if cells.iter().all(|cell| candidates[usize::from(*cell)].count_ones() == 1) {
            return false;
        }
        for tuple in self.ranks(part).chunks_exact(cells.len()) {
            for (cell, rank) in cells.iter().zip(tuple) {
                if candidates[usize::from(*cell)] >> rank & 1 == 0 {
                    return false;
                }
            }
        }
        true
    }

    fn push_single(&mut self, cell: u16, candidates: u32) {
        self.push(&[cell], bits(candidates).map(|rank| rank as u8), None);
    }

    fn push(&mut self, cells: &[u16], ranks: impl Iterator<Item = u8>, clue: Option<u16>) {
        let start = self.ranks.len();
        self.ranks.extend(ranks);
        let count = (self.ranks.len() - start) / cells.len();
        self.tables.push(TupleTable { start: start as u32, count: count as u32, width: cells.len() as u32 });
        self.cells.push(cells.iter().copied());
        self.clues.push(clue);
    }

    fn finish(mut self) -> Self {
        let mut sum = 0;
        for part in 0..self.tables.len() {
            self.slots.push(sum);
            sum += self.count(part);
            if self.count(part) > 1 {
                self.free.push(part as u32);
            }
        }
        self.slots.push(sum);
        // Moves read whole lanes, also those of the last tuple.
        self.ranks.resize(self.ranks.len() + LANES, 0);
        self
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// The slots of a part's tuples.
    pub(crate) fn slots_of(&self, part: usize) -> Range<usize> {
        self.slots[part]..self.slots[part + 1]
    }

    /// Writes a tuple of a part into a genome.
    pub(crate) fn write(&self, part: usize, index: usize, genome: &mut [u8]) {
        for (cell, rank) in self.cells.get(part).iter().zip(self.tuple(part, index)) {
            genome[usize::from(*cell)] = *rank;
        }
    }

    /// The clues that are parts: every genome satisfies them.
    pub(crate) fn invariants(&self, problem: &Problem) -> Invariants {
        let mut invariants = Invariants::none(problem);
        for clue in self.clues.iter().flatten() {
            invariants.clues[usize::from(*clue)] = true;
        }
        invariants
    }

    /// The number of tuples of a part.
    #[inline]
    pub(crate) fn count(&self, part: usize) -> usize {
        self.tables[part].count as usize
    }

    /// The tuples of a part, one after the other.
    #[inline(always)]
    pub(crate) fn ranks(&self, part: usize) -> &[u8] {
        let table = self.tables[part];
        &self.ranks[table.start as usize..][..(table.count * table.width) as usize]
    }

    /// One tuple of a part.
    #[inline(always)]
    pub(crate) fn tuple(&self, part: usize, index: usize) -> &[u8] {
        let table = self.tables[part];
        &self.ranks[table.start as usize + index * table.width as usize..][..table.width as usize]
    }

    /// One tuple of a part, and any ranks after it up to a multiple of [`LANES`].
    #[inline(always)]
    pub(crate) fn whole_lanes(&self, part: usize, index: usize) -> &[u8] {
        let table = self.tables[part];
        let width = (table.width as usize).next_multiple_of(LANES);
        &self.ranks[table.start as usize + index * table.width as usize..][..width]
    }

    /// The index of the tuple that a part of a genome holds, if any.
    pub fn find(&self, part: usize, genome: &[u8]) -> Option<usize> {
        let cells = self.cells.get(part);
        let holds = |index: usize| {
            let tuple = self.tuple(part, index).iter();
            tuple.copied().cmp(cells.iter().map(|cell| genome[usize::from(*cell)]))
        };
        // Tuples stand in lexical order.
        let (mut low, mut high) = (0, self.count(part));
        while low < high {
            let middle = (low + high) / 2;
            match holds(middle) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// The cells of the part of a gene, and a uniform tuple for them other than the one that the genome holds; `None`
    /// where there is no other, or a fixed gene forbids it.
    pub(crate) fn other(&self, gene: u16, genome: &[u8], rng: &mut RunRng) -> Option<(&[u16], &[u8])> {
        let part = usize::from(self.of_gene[usize::from(gene)]?);
        let held = self.find(part, genome);
        // On `cells` a part may hold what is no tuple of its clue: then any tuple is another one.
        let others = self.count(part) - usize::from(held.is_some());
        if others == 0 {
            return None;
        }
        let drawn = rng.below(others);
        let passes = held.is_some_and(|held| drawn >= held);
        Some((self.cells.get(part), self.tuple(part, drawn + usize::from(passes))))
    }

    /// Writes a uniform tuple into every part.
    pub(crate) fn scatter(&self, genome: &mut [u8], rng: &mut RunRng) {
        for (part, table) in self.tables.iter().enumerate() {
            let drawn = rng.below(table.count as usize);
            match self.cells.get(part) {
                // Most often a part is a cell: a loop over one would cost more than what it does.
                [cell] => genome[usize::from(*cell)] = self.ranks[table.start as usize + drawn],
                _ => self.write(part, drawn, genome),
            }
        }
    }
}
