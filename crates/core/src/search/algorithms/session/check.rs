//! The check of genomes that come from elsewhere: digits become ranks, and none passes that the encoding does not have.
//!
//! Genomes come by the thousand and nearly all are sound, so that each passes a few loops without a branch for a gene.
//! What is wrong with one is looked for only where something is.

use std::slice::ChunksExact;
use std::sync::Arc;

use crate::problem::Blocks;
use crate::search::Candidates;
use crate::search::encodings::AnyEncoding;
use crate::search::space::{Change, Choices};
use crate::text::joined;

use super::GenomeError;
use super::tuple_index::TupleIndex;

/// The rank of what is no digit of the puzzle.
const NO_RANK: u8 = u8::MAX;

/// What genomes of an encoding are, compiled for checking many.
pub(super) struct GenomeCheck {
    /// The digit of every rank.
    values: Vec<u8>,
    /// The rank of every digit.
    ranks: [u8; 256],
    /// The first digit, where the digits are consecutive.
    first: Option<u8>,
    candidates: Candidates,
    /// The lowest candidate of every gene.
    lowest: Vec<u8>,
    /// How far the highest candidate of every gene is above the lowest.
    reach: Vec<u8>,
    /// The genes that may not hold every rank between the two.
    gapped: Vec<u16>,
    /// The genes that hold every digit once.
    lines: Blocks,
    /// There are lines, and they lie one after the other.
    are_in_order: bool,
    tuples: Option<TupleIndex>,
}

impl GenomeCheck {
    pub(super) fn new(encoding: &AnyEncoding) -> Self {
        let space = encoding.space();
        let values = space.problem().values().to_vec();
        let mut ranks = [NO_RANK; 256];
        for (rank, digit) in values.iter().enumerate() {
            ranks[usize::from(*digit)] = rank as u8;
        }
        let (mut lowest, mut reach, mut gapped) = (Vec::new(), Vec::new(), Vec::new());
        for gene in 0..space.genes() {
            let least = space.candidates.least(gene);
            let most = space.candidates.ranks(gene).last().unwrap_or(least);
            lowest.push(least);
            reach.push(most - least);
            if space.candidates.count(gene) != usize::from(most - least) + 1 {
                gapped.push(gene as u16);
            }
        }
        // Then one subtraction makes ranks of digits, sixteen at a time; a table is read digit by digit.
        let are_consecutive = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let lines = if encoding.lines_are_permutations() { space.rows.clone() } else { Blocks::default() };
        Self {
            first: if are_consecutive { values.first().copied() } else { None },
            lowest,
            reach,
            gapped,
            candidates: space.candidates.clone(),
            are_in_order: lines.iter().flatten().copied().eq(0..space.genes() as u16),
            lines,
            tuples: choices(encoding).map(|choices| TupleIndex::new(choices, values.len())),
            values,
            ranks,
        }
    }

    /// The genes that hold one of some tuples together, with these tuples in ranks.
    pub(super) fn tuples(&self) -> impl Iterator<Item = (&[u16], ChunksExact<'_, u8>)> {
        self.tuples.iter().flat_map(TupleIndex::tuples)
    }

    /// The genes that hold every digit once, line by line.
    pub(super) fn lines(&self) -> &Blocks {
        &self.lines
    }

    /// Replaces `genomes` by the ranks of genomes of digits, whose number is returned.
    pub(super) fn read(&self, digits: &[u8], genomes: &mut Vec<u8>) -> Result<usize, GenomeError> {
        let width = self.candidates.genes();
        if width == 0 {
            return Err(GenomeError::NoGenes);
        }
        if digits.is_empty() {
            return Err(GenomeError::None);
        }
        // Genomes lie one after the other: a rest is part of one.
        let (count, found) = (digits.len() / width, digits.len() % width);
        if found > 0 {
            return Err(GenomeError::Length { genome: count, found, expected: width });
        }
        genomes.clear();
        match self.first {
            // Without a table many are converted at once.
            Some(first) => genomes.extend(digits.iter().map(|digit| digit.wrapping_sub(first))),
            None => genomes.extend(digits.iter().map(|digit| self.ranks[usize::from(*digit)])),
        }
        for (index, genome) in genomes.chunks_exact(width).enumerate() {
            if !self.holds(genome) {
                return Err(self.explain(index, genome, &digits[index * width..]));
            }
        }
        Ok(count)
    }

    /// The encoding has this genome of ranks.
    pub(super) fn holds(&self, genome: &[u8]) -> bool {
        let bounds = self.lowest.iter().zip(&self.reach);
        // A rank below the lowest candidate wraps, and so is far above the highest.
        let outside = genome.iter().zip(bounds).fold(0, |outside, (rank, (lowest, reach))| {
            outside | rank.wrapping_sub(*lowest).saturating_sub(*reach)
        });
        outside == 0
            && self.gapped.iter().all(|gene| self.may_hold(usize::from(*gene), genome))
            && self.holds_lines(genome)
            && self.tuples.as_ref().is_none_or(|tuples| tuples.holds(genome))
    }

    fn may_hold(&self, gene: usize, genome: &[u8]) -> bool {
        self.candidates.holds(gene, genome[gene])
    }

    /// Every line holds every digit once; ranks are those of digits.
    fn holds_lines(&self, genome: &[u8]) -> bool {
        if let Candidates::Ranges(_) = self.candidates {
            return self.lines.iter().all(|line| repeated(line, genome).is_none());
        }
        let full = u32::MAX >> (32 - self.values.len());
        if self.are_in_order {
            genome.chunks_exact(self.values.len()).all(|line| held(line.iter().copied()) == full)
        } else {
            let is_full = |line: &[u16]| held(line.iter().map(|gene| genome[usize::from(*gene)])) == full;
            self.lines.iter().all(is_full)
        }
    }

    /// What is wrong with a genome that the encoding does not have; `digits` begin with its own.
    #[cold]
    fn explain(&self, index: usize, genome: &[u8], digits: &[u8]) -> GenomeError {
        for (gene, digit) in digits[..genome.len()].iter().enumerate() {
            if !self.may_hold(gene, genome) {
                let candidates =
                    joined(self.candidates.ranks(gene).map(|rank| self.values[usize::from(rank)]), ", ");
                return GenomeError::Digit { genome: index, gene, digit: *digit, candidates };
            }
        }
        for line in self.lines.iter() {
            if let Some(gene) = repeated(line, genome) {
                return GenomeError::Line { genome: index, digit: digits[gene], genes: joined(line, ", ") };
            }
        }
        let genes = self.tuples.as_ref().and_then(|tuples| tuples.first_without(genome));
        let genes = genes.expect("a genome fails for a digit, a line or a tuple");
        GenomeError::Tuple { genome: index, genes: joined(genes, ", ") }
    }
}

/// The parts that hold tuples, where the encoding has some.
pub(super) fn choices(encoding: &AnyEncoding) -> Option<&Arc<Choices>> {
    match encoding {
        AnyEncoding::Tuples(tuples) if encoding.space().change == Change::Tuples => Some(tuples.choices()),
        _ => None,
    }
}

/// The first gene of a line whose rank stands before it in the line.
fn repeated(line: &[u16], genome: &[u8]) -> Option<usize> {
    let mut seen = [false; 256];
    let repeats = |gene: &u16| std::mem::replace(&mut seen[usize::from(genome[usize::from(*gene)])], true);
    line.iter().copied().find(repeats).map(usize::from)
}

/// The ranks of a line as a mask; each is below 32.
#[inline(always)]
fn held(line: impl Iterator<Item = u8>) -> u32 {
    line.fold(0, |held, rank| held | 1 << (rank & 31))
}
