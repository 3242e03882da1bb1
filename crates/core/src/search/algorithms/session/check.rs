//! The check of genomes that come from elsewhere: digits become ranks, and none passes that the encoding does not have.
//!
//! Genomes come by the thousand and nearly all are sound, so that each passes a few loops without a branch for a gene.
//! What is wrong with one is looked for only where something is.

use std::sync::Arc;

use crate::problem::{Blocks, bits};
use crate::search::encodings::AnyEncoding;
use crate::search::space::{Change, Choices};

use super::GenomeError;
use super::tuple_index::TupleIndex;

/// The rank of what is no digit of the puzzle.
const NO_RANK: u8 = u8::MAX;

/// What genomes of an encoding are, compiled for checking many.
pub(super) struct Check {
    /// The digit of every rank.
    values: Vec<u8>,
    /// The rank of every digit.
    ranks: [u8; 256],
    /// The first digit, where the digits are consecutive.
    first: Option<u8>,
    /// The candidates of every gene, a mask each.
    candidates: Vec<u32>,
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

impl Check {
    pub(super) fn new(encoding: &AnyEncoding) -> Self {
        let space = encoding.space();
        let values = space.problem().values().to_vec();
        let mut ranks = [NO_RANK; 256];
        values.iter().enumerate().for_each(|(rank, digit)| ranks[usize::from(*digit)] = rank as u8);
        let reach = |mask: &u32| (mask.ilog2() - mask.trailing_zeros()) as u8;
        let is_gapped = |gene: &u16| {
            let mask = &space.candidates[usize::from(*gene)];
            mask.count_ones() != u32::from(reach(mask)) + 1
        };
        let lines = if encoding.permutes() { space.rows.clone() } else { Blocks::default() };
        Self {
            first: values.first().copied().filter(|_| values.windows(2).all(|pair| pair[0] + 1 == pair[1])),
            lowest: space.candidates.iter().map(|mask| mask.trailing_zeros() as u8).collect(),
            reach: space.candidates.iter().map(reach).collect(),
            gapped: (0..space.genes() as u16).filter(is_gapped).collect(),
            candidates: space.candidates.clone(),
            are_in_order: lines.iter().flatten().copied().eq(0..space.genes() as u16),
            lines,
            tuples: choices(encoding).map(|choices| TupleIndex::new(choices, values.len())),
            values,
            ranks,
        }
    }

    /// The genes that hold one of some tuples together, with these tuples in ranks.
    pub(super) fn tuples(&self) -> impl Iterator<Item = (&[u16], impl Iterator<Item = &[u8]>)> {
        self.tuples.iter().flat_map(TupleIndex::tuples)
    }

    /// The genes that hold every digit once, line by line.
    pub(super) fn lines(&self) -> &Blocks {
        &self.lines
    }

    /// Replaces `genomes` by the ranks of genomes of digits, whose number is returned.
    pub(super) fn read(&self, digits: &[u8], genomes: &mut Vec<u8>) -> Result<usize, GenomeError> {
        let width = self.candidates.len();
        if width == 0 {
            return Err(GenomeError::NoGenes);
        }
        if digits.is_empty() {
            return Err(GenomeError::None);
        }
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
        match genomes.chunks_exact(width).position(|genome| !self.holds(genome)) {
            None => Ok(count),
            Some(index) => {
                let genome = &genomes[index * width..][..width];
                Err(self.explain(index, genome, &digits[index * width..]))
            }
        }
    }

    /// The encoding has this genome of ranks.
    fn holds(&self, genome: &[u8]) -> bool {
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
        genome[gene] < 32 && self.candidates[gene] >> genome[gene] & 1 == 1
    }

    /// Every line holds every digit once; ranks are those of digits.
    fn holds_lines(&self, genome: &[u8]) -> bool {
        let full = u32::MAX >> (32 - self.values.len());
        if self.are_in_order {
            genome.chunks_exact(self.values.len()).all(|line| held(line.iter().copied()) == full)
        } else {
            let rank = |gene: &u16| genome[usize::from(*gene)];
            self.lines.iter().all(|line| held(line.iter().map(rank)) == full)
        }
    }

    /// What is wrong with a genome that the encoding does not have; `digits` begin with its own.
    #[cold]
    fn explain(&self, index: usize, genome: &[u8], digits: &[u8]) -> GenomeError {
        let in_words = |genes: &[u16]| genes.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
        if let Some(gene) = (0..genome.len()).find(|gene| !self.may_hold(*gene, genome)) {
            let candidates = bits(self.candidates[gene]).map(|rank| self.values[rank as usize].to_string());
            let candidates = candidates.collect::<Vec<_>>().join(", ");
            return GenomeError::Digit { genome: index, gene, digit: digits[gene], candidates };
        }
        for line in self.lines.iter() {
            let mut seen = 0u32;
            for gene in line {
                let gene = usize::from(*gene);
                if seen >> genome[gene] & 1 == 1 {
                    return GenomeError::Line { genome: index, digit: digits[gene], genes: in_words(line) };
                }
                seen |= 1 << genome[gene];
            }
        }
        let genes = self.tuples.as_ref().and_then(|tuples| tuples.first_without(genome));
        let genes = in_words(genes.expect("a genome fails for a digit, a line or a tuple"));
        GenomeError::Tuple { genome: index, genes }
    }
}

/// The parts that hold tuples, where the encoding has some.
fn choices(encoding: &AnyEncoding) -> Option<&Arc<Choices>> {
    match encoding {
        AnyEncoding::Tuples(tuples) if encoding.space().change == Change::Tuples => Some(tuples.choices()),
        _ => None,
    }
}

/// The ranks of a line as a mask; each is below 32.
#[inline(always)]
fn held(line: impl Iterator<Item = u8>) -> u32 {
    line.fold(0, |held, rank| held | 1 << (rank & 31))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::fitness::{CageMeasure, Fitness, Weights};
    use crate::problem::{Domains, Problem};
    use crate::puzzle::{Cage, Square, operators, samples};
    use crate::rng::{RunRng, StreamKey};
    use crate::search::encodings::{Encoding, Rows, TupleEncoding};

    pub(in super::super) fn encoding(problem: &Problem, name: &str) -> AnyEncoding {
        let fitness = Fitness::new(problem.clone(), Weights::ORIGINAL, CageMeasure::Binary);
        let fitness = Arc::new(fitness.expect("small weights"));
        match name {
            "cells" => AnyEncoding::Tuples(TupleEncoding::of_cells(fitness, true)),
            "cages" => AnyEncoding::Tuples(TupleEncoding::of_cages(fitness)),
            _ => AnyEncoding::Rows(Rows::new(fitness).expect("a square has lines")),
        }
    }

    /// A Latin square with one clue, which goes down a staircase of this many cells and has few tuples.
    pub(in super::super) fn staircase(size: usize, cells: usize) -> Problem {
        let plus = operators::find("+").expect("a known operator");
        let cells: Vec<_> = (0..cells).map(|step| (step / 2, step.div_ceil(2))).collect();
        let cage = Cage::new(plus, cells.len() as i64 * 3 / 2 + 2, cells);
        let square = Square { cages: vec![cage], ..Square::latin(size) };
        Problem::compile(&square.build().expect("a sound puzzle"))
    }

    /// Gene by gene and tuple by tuple, whether the encoding has a genome.
    fn is_sound(encoding: &AnyEncoding, genome: &[u8]) -> bool {
        let space = encoding.space();
        let digits = genome.iter().zip(&space.candidates);
        let lines = if encoding.permutes() { space.rows.clone() } else { Blocks::default() };
        let is_line = |line: &[u16]| {
            (0..space.digits)
                .all(|rank| line.iter().any(|gene| usize::from(genome[usize::from(*gene)]) == rank))
        };
        let is_part = |choices: &Choices, part: usize| {
            let genes = choices.cells.get(part);
            let held: Vec<u8> = genes.iter().map(|gene| genome[usize::from(*gene)]).collect();
            choices.ranks(part).chunks_exact(genes.len()).any(|tuple| tuple == held)
        };
        digits.into_iter().all(|(rank, mask)| *rank < 32 && mask >> rank & 1 == 1)
            && lines.iter().all(is_line)
            && choices(encoding).is_none_or(|all| (0..all.len()).all(|part| is_part(all, part)))
    }

    /// Checks starts of an encoding and what a few changes make of them; counts those that are sound, and the others.
    fn tried(encoding: &AnyEncoding, rng: &mut RunRng) -> [usize; 2] {
        let (check, digits, mut counts) = (Check::new(encoding), encoding.space().digits, [0; 2]);
        for changes in (0..400).map(|round| round % 4) {
            let mut genome = vec![0; encoding.space().genes()];
            match encoding {
                AnyEncoding::Tuples(encoding) => encoding.init(&mut genome, rng),
                AnyEncoding::Rows(encoding) => encoding.init(&mut genome, rng),
            }
            for _ in 0..changes {
                let (gene, other) = (rng.below(genome.len()), rng.below(genome.len()));
                genome.swap(gene, other);
                genome[gene] = if rng.coin(0.2) { rng.below(256) } else { rng.below(digits) } as u8;
            }
            let expected = is_sound(encoding, &genome);
            assert_eq!(check.holds(&genome), expected, "{genome:?}");
            let values = encoding.space().problem().values();
            let digits: Vec<u8> =
                genome.iter().map(|rank| *values.get(usize::from(*rank)).unwrap_or(&0)).collect();
            assert_eq!(check.read(&digits, &mut Vec::new()).is_ok(), expected, "{genome:?}");
            counts[usize::from(!expected)] += 1;
        }
        counts
    }

    #[test]
    fn genomes_pass_just_when_the_encoding_has_them() {
        let mut rng = StreamKey::run(1, "check", 0).rng();
        let mut problems: Vec<Problem> =
            (2..10).map(|size| Problem::compile(&samples::kenken(size, |n| rng.below(n)))).collect();
        // Candidates with gaps, and some genes with a single one.
        let masks =
            (0..81).map(|cell| if cell % 5 == 0 { 1 << (cell % 9) } else { 0b1_0110_1101 | 1 << (cell % 9) });
        problems.push(problems[7].restrict(&Domains(masks.collect())));
        problems.extend([staircase(8, 5), staircase(8, 7), staircase(20, 15)]);
        for (index, problem) in problems.iter().enumerate() {
            for name in ["cells", "rows", "cages"] {
                let [sound, wrong] = tried(&encoding(problem, name), &mut rng);
                assert!(sound >= 100 && wrong >= 20, "{sound} and {wrong} of problem {index} in {name}");
            }
        }
    }
}
