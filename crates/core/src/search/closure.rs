//! Closures: which genomes operators can still make of a population, and which never again.
//!
//! An operator declares two divisions of the genes that describe exactly what it does:
//!
//! ```text
//! taken   blocks of genes that a child takes whole from one parent, in their places
//! moved   blocks of genes within which digits change places; no digit enters or leaves a block
//! ```
//!
//! An operator that brings in digits declares nothing; then every genome stays reachable. Several operators together
//! have the common refinement of their `taken` and the join of their `moved`. The join of both divides the genes into
//! *parts*; no digit goes from one part to another. A genome is reachable only if
//!
//! - of every part that is one block taken whole, some individual holds the genome's digits, in any order within each
//!   block that is moved: all its descendants hold that part whole from one ancestor;
//! - of every part that is several blocks, every digit of the genome stands somewhere in that part of some individual.
//!
//! Both are necessary, whatever selection and replacement do, and a condition that fails once fails for ever, because
//! every new individual inherits the part from individuals that failed. They are not sufficient.
//!
//! ```text
//! crossover      mutation               parts                     lost when
//! single_point   swap                   the free genes            a digit has vanished from the population
//! none           swap                   the genome                no individual has the genome's digits as often as it
//! single_point   none                   every gene                no individual has the genome's digit in some gene
//! row            none                   every row                 no individual has some row of the genome
//! row            row_swap               every row                 no individual has some row's digits, in any order
//! any            reset, redraw, …       -                         never
//! ```

use crate::problem::{Blocks, mask_of};

use super::Population;

/// What operators can make of genomes; it may allow more than they do, never less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closure {
    /// The index of each gene's block that is taken whole.
    taken: Vec<u16>,
    /// The index of each gene's block that is moved within.
    moved: Vec<u16>,
}

impl Closure {
    /// Nothing changes: a genome is copied.
    pub fn copies(genes: usize) -> Self {
        Self { taken: vec![0; genes], moved: (0..genes as u16).collect() }
    }

    /// A child takes every gene from either parent.
    pub(crate) fn takes_genes(genes: usize) -> Self {
        let alone: Vec<u16> = (0..genes as u16).collect();
        Self { taken: alone.clone(), moved: alone }
    }

    /// A child takes every block whole from either parent, and every gene that is in none alone.
    pub fn takes(genes: usize, blocks: &Blocks) -> Self {
        Self { taken: labels(genes, blocks), ..Self::takes_genes(genes) }
    }

    /// Digits change places within blocks; a gene that is in none stays.
    pub fn moves(genes: usize, blocks: &Blocks) -> Self {
        Self { moved: labels(genes, blocks), ..Self::copies(genes) }
    }

    /// What both can make, in any order and any number of times.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        Self { taken: refinement(&self.taken, &other.taken), moved: join(&self.moved, &other.moved) }
    }

    /// What several can make together; `None` where one brings in digits.
    pub fn of_all(genes: usize, closures: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        let mut all = Self::copies(genes);
        for closure in closures {
            all = all.and(&closure?);
        }
        Some(all)
    }
}

/// The division into blocks and genes that are in none, each block named by its first gene.
fn labels(genes: usize, blocks: &Blocks) -> Vec<u16> {
    let mut labels: Vec<u16> = (0..genes as u16).collect();
    for block in blocks.iter() {
        for gene in block {
            labels[usize::from(*gene)] = block[0];
        }
    }
    labels
}

/// The division that separates what either separates.
fn refinement(a: &[u16], b: &[u16]) -> Vec<u16> {
    let mut labels = Vec::with_capacity(a.len());
    for gene in 0..a.len() {
        let same = (0..gene).find(|other| a[*other] == a[gene] && b[*other] == b[gene]);
        labels.push(same.unwrap_or(gene) as u16);
    }
    labels
}

/// The division that joins what either joins.
fn join(a: &[u16], b: &[u16]) -> Vec<u16> {
    let mut labels: Vec<u16> = (0..a.len() as u16).collect();
    for division in [a, b] {
        for gene in 0..division.len() {
            let first = division[..gene].iter().position(|label| *label == division[gene]);
            // The first gene of its block already has the label of all that is joined so far.
            let (kept, gone) = (labels[first.unwrap_or(gene)], labels[gene]);
            if kept == gone {
                continue;
            }
            for label in &mut labels {
                if *label == gone {
                    *label = kept;
                }
            }
        }
    }
    labels
}

/// Which of some genomes are still reachable.
#[derive(Clone, Debug)]
pub struct Reachability {
    parts: Vec<GenePart>,
    /// The distinct requirements of the genomes, part by part.
    wanted: Vec<Vec<Requirement>>,
    /// The index of the requirements that a population met last.
    last: usize,
}

/// Genes that no digit leaves.
#[derive(Clone, Debug)]
struct GenePart {
    genes: Vec<u16>,
    /// Where the part is taken whole, its blocks that are moved within.
    whole: Option<Blocks>,
}

/// What a population must hold of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Requirement {
    /// These digits, somewhere: a mask.
    Digits(u32),
    /// One individual has these digits, in ascending order block by block.
    Blocks(Vec<u8>),
}

impl Reachability {
    /// The reachability of populations that change by `closure` alone for `genomes`.
    pub fn new(closure: &Closure, genomes: &[Vec<u8>]) -> Self {
        let parts = parts(closure);
        let mut wanted: Vec<Vec<Requirement>> = Vec::new();
        for genome in genomes {
            let required: Vec<Requirement> = parts.iter().map(|part| part.requirement(genome)).collect();
            // Many solutions may ask for the same of every part.
            if !wanted.contains(&required) {
                wanted.push(required);
            }
        }
        Self { parts, wanted, last: 0 }
    }

    /// Some genome is reachable from populations that may exchange individuals. Once none is, none ever will be.
    pub fn is_open(&mut self, populations: &[&Population]) -> bool {
        // Most often the genome that was reachable last still is.
        let count = self.wanted.len();
        for step in 0..count {
            let index = (self.last + step) % count;
            let mut wanted = self.parts.iter().zip(&self.wanted[index]);
            if wanted.all(|(part, required)| part.is_met(required, populations)) {
                self.last = index;
                return true;
            }
        }
        self.last = 0;
        false
    }
}

/// Divides the genes, the parts in the order of their first genes.
fn parts(closure: &Closure) -> Vec<GenePart> {
    let of = join(&closure.taken, &closure.moved);
    let mut parts = Vec::new();
    for first in 0..of.len() {
        if of[..first].contains(&of[first]) {
            continue;
        }
        let members = (first..of.len()).filter(|gene| of[*gene] == of[first]);
        let genes: Vec<u16> = members.map(|gene| gene as u16).collect();
        // Both rules agree on a single gene; that of the digits is faster.
        let is_whole = genes.len() > 1
            && genes.iter().all(|gene| closure.taken[usize::from(*gene)] == closure.taken[first]);
        let whole = if is_whole { Some(moved_within(&genes, &closure.moved)) } else { None };
        parts.push(GenePart { genes, whole });
    }
    parts
}

/// The blocks that some genes are moved within.
fn moved_within(genes: &[u16], moved: &[u16]) -> Blocks {
    let mut blocks = Blocks::default();
    let label = |gene: &u16| moved[usize::from(*gene)];
    for (index, gene) in genes.iter().enumerate() {
        if !genes[..index].iter().any(|other| label(other) == label(gene)) {
            blocks.push(genes.iter().copied().filter(|other| label(other) == label(gene)));
        }
    }
    blocks
}

impl GenePart {
    fn requirement(&self, genome: &[u8]) -> Requirement {
        let digit = |gene: &u16| genome[usize::from(*gene)];
        let Some(blocks) = &self.whole else {
            return Requirement::Digits(mask_of(self.genes.iter().map(|gene| u32::from(digit(gene)))));
        };
        let mut digits = Vec::new();
        for block in blocks.iter() {
            let start = digits.len();
            digits.extend(block.iter().map(digit));
            // Digits may change places within a block: only which they are counts.
            digits[start..].sort_unstable();
        }
        Requirement::Blocks(digits)
    }

    fn is_met(&self, required: &Requirement, populations: &[&Population]) -> bool {
        let mut genomes = populations.iter().flat_map(|population| population.genomes());
        match (required, &self.whole) {
            (Requirement::Blocks(digits), Some(blocks)) => genomes.any(|genome| has(genome, blocks, digits)),
            (Requirement::Blocks(_), None) => unreachable!("blocks are wanted of whole parts alone"),
            (Requirement::Digits(mask), _) => {
                let mut missing = *mask;
                for genome in genomes {
                    for gene in &self.genes {
                        missing &= !(1 << genome[usize::from(*gene)]);
                    }
                    if missing == 0 {
                        return true;
                    }
                }
                false
            }
        }
    }
}

/// A genome has these digits in its blocks, each block's in any order.
fn has(genome: &[u8], blocks: &Blocks, digits: &[u8]) -> bool {
    let mut rest = digits;
    for block in blocks.iter() {
        // The digits lie block after block, as the requirement was written.
        let (of_block, after) = rest.split_at(block.len());
        rest = after;
        // Most blocks are single genes: comparing is enough.
        if let [gene] = block {
            if genome[usize::from(*gene)] != of_block[0] {
                return false;
            }
            continue;
        }
        let mut surplus = [0i32; 32];
        for (gene, digit) in block.iter().zip(of_block) {
            surplus[usize::from(genome[usize::from(*gene)])] += 1;
            surplus[usize::from(*digit)] -= 1;
        }
        if surplus != [0; 32] {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn population(genomes: &[&[u8]]) -> Population {
        Population::of(genomes.iter().map(|genome| (*genome, 0)))
    }

    fn blocks(lists: &[&[u16]]) -> Blocks {
        Blocks::of(lists.iter().copied())
    }

    fn is_open(closure: &Closure, genomes: &[&[u8]], wanted: &[u8]) -> bool {
        Reachability::new(closure, &[wanted.to_vec()]).is_open(&[&population(genomes)])
    }

    const GENOMES: &[&[u8]] = &[&[0, 0, 1, 2], &[1, 1, 1, 2]];

    #[test]
    fn copies_reach_nothing_else() {
        let closure = Closure::copies(4);
        assert!(is_open(&closure, GENOMES, &[1, 1, 1, 2]));
        assert!(!is_open(&closure, GENOMES, &[0, 1, 1, 2]));
    }

    #[test]
    fn genes_that_are_taken_stay_in_their_places() {
        let closure = Closure::takes_genes(4);
        assert!(is_open(&closure, GENOMES, &[1, 0, 1, 2]));
        assert!(!is_open(&closure, GENOMES, &[1, 0, 2, 1]));
        let pairs = Closure::takes(4, &blocks(&[&[0, 1], &[2, 3]]));
        assert!(is_open(&pairs, &[&[0, 1, 1, 1], &[1, 1, 0, 2]], &[0, 1, 0, 2]));
        assert!(!is_open(&pairs, GENOMES, &[1, 0, 1, 2]));
    }

    #[test]
    fn moves_alone_keep_how_often_each_digit_stands() {
        let closure = Closure::moves(4, &blocks(&[&[0, 1, 2, 3]]));
        assert!(is_open(&closure, GENOMES, &[2, 1, 0, 0]));
        assert!(!is_open(&closure, GENOMES, &[2, 1, 1, 0]));
        let pairs = Closure::moves(4, &blocks(&[&[2, 3]]));
        assert!(is_open(&pairs, GENOMES, &[0, 0, 2, 1]));
        assert!(!is_open(&pairs, GENOMES, &[0, 1, 0, 2]));
    }

    #[test]
    fn what_is_taken_and_moved_needs_every_digit_somewhere() {
        let all = Closure::moves(4, &blocks(&[&[0, 1, 2, 3]]));
        let closure = Closure::takes_genes(4).and(&all);
        assert!(is_open(&closure, GENOMES, &[2, 2, 2, 0]));
        assert!(!is_open(&closure, GENOMES, &[3, 0, 1, 2]));
        let halves = Closure::takes_genes(4).and(&Closure::moves(4, &blocks(&[&[0, 1], &[2, 3]])));
        assert!(is_open(&halves, GENOMES, &[1, 0, 2, 2]));
        assert!(!is_open(&halves, GENOMES, &[2, 0, 1, 1]));
    }

    #[test]
    fn one_reachable_genome_is_enough_and_equal_requirements_are_one() {
        let closure = Closure::takes_genes(4).and(&Closure::moves(4, &blocks(&[&[0, 1, 2, 3]])));
        let mut reachability =
            Reachability::new(&closure, &[vec![3; 4], vec![3; 4], vec![0, 1, 2, 0], vec![2, 1, 0, 0]]);
        assert_eq!(reachability.wanted.len(), 2);
        assert!(reachability.is_open(&[&population(GENOMES)]));
        assert!(!reachability.is_open(&[&population(&[&[0, 0, 0, 1]])]));
        assert!(reachability.is_open(&[&population(&[&[0, 0, 0, 1]]), &population(&[&[2, 2, 2, 2]])]));
        assert!(!Reachability::new(&closure, &[]).is_open(&[&population(GENOMES)]));
    }

    #[test]
    fn divisions_meet_and_join() {
        assert_eq!(refinement(&[0, 0, 0, 3], &[0, 1, 1, 1]), [0, 1, 1, 3]);
        assert_eq!(join(&[0, 0, 2, 3], &[0, 1, 1, 3]), [0, 0, 0, 3]);
        assert_eq!(join(&[0, 1, 0, 1], &[0, 1, 2, 1]), [0, 1, 0, 1]);
    }

    #[test]
    fn an_operator_that_brings_in_digits_leaves_nothing_out_of_reach() {
        assert_eq!(Closure::of_all(2, [Some(Closure::copies(2)), None].into_iter()), None);
        assert_eq!(Closure::of_all(2, [].into_iter()), Some(Closure::copies(2)));
    }
}
