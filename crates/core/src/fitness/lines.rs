//! Pairs of equal digits in distinct groups, and how often each digit occurs.
//!
//! All pairs of cells in a distinct group are sorted by the difference of their indices. In a row the differences are
//! 1, 2, …; in a column they are the multiples of the width. For each difference one comparison of the genome with
//! itself, shifted, finds the equal pairs of sixteen cells at a time, and a mask keeps those that share a group. Groups
//! may have any shape: an irregular one only adds differences with few pairs.

use wide::u8x16;

use crate::problem::Problem;

use super::Term;

/// Cells compared at a time.
const LANES: usize = 16;

/// Fills a buffer after the genome; no digit has this rank.
pub(super) const PADDING: u8 = u8::MAX;

/// The pairs of one term.
#[derive(Clone, Debug)]
pub(super) struct EqualPairs {
    /// The term that they count for.
    pub(super) term: Term,
    /// They are the pairs of the problem's lines, none of which are equal where every line is a permutation.
    pub(super) of_lines: bool,
    blocks: Vec<PairBlock>,
}

/// Sixteen cells from `cell` on, compared with those from `other` on.
#[derive(Clone, Debug)]
struct PairBlock {
    /// The number of groups that the two cells share, up to [`HEAVIEST`]; the rest is in another block.
    mask: u8x16,
    cell: u32,
    other: u32,
}

/// Two cells of a distinct group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CellPair {
    /// How far the later cell is from the earlier one.
    difference: usize,
    /// The earlier cell.
    cell: usize,
}

impl EqualPairs {
    /// The pairs of all distinct groups, by term, those of the lines apart.
    pub(super) fn compile(problem: &Problem) -> Vec<Self> {
        let lines = problem.lines().unwrap_or_default();
        let mut pairs = Vec::new();
        for of_lines in [true, false] {
            for term in Term::ALL {
                let mut groups = Vec::new();
                for group in 0..problem.groups() {
                    if problem.rule(group).distinct
                        && lines.contains(&group) == of_lines
                        && Term::of_distinct(problem, group) == term
                    {
                        groups.push(group);
                    }
                }
                if !groups.is_empty() {
                    pairs.push(Self::new(problem, term, of_lines, &groups));
                }
            }
        }
        pairs
    }

    /// Sorts the pairs of some distinct groups of one term.
    fn new(problem: &Problem, term: Term, of_lines: bool, groups: &[usize]) -> Self {
        let mut pairs = Vec::new();
        for group in groups {
            let cells = problem.cells_of(*group);
            for (index, later) in cells.iter().enumerate() {
                for cell in &cells[..index] {
                    let (difference, cell) = (usize::from(later - cell), usize::from(*cell));
                    pairs.push(CellPair { difference, cell });
                }
            }
        }
        // By difference, then by place: one comparison of shifted cells serves all pairs of a block.
        pairs.sort_unstable();
        let mut sorted = Self { term, of_lines, blocks: Vec::new() };
        for same in pairs.chunk_by(|a, b| a.difference == b.difference) {
            sorted.push_difference(same);
        }
        sorted
    }

    /// Adds the pairs of one difference, ascending by their first cell.
    fn push_difference(&mut self, pairs: &[CellPair]) {
        let CellPair { difference, cell: start } = pairs[0];
        let last = pairs[pairs.len() - 1].cell;
        let mut masks = vec![[0u32; LANES]; (last - start) / LANES + 1];
        for pair in pairs {
            let place = pair.cell - start;
            masks[place / LANES][place % LANES] += 1;
        }
        for (index, mut rest) in masks.into_iter().enumerate() {
            let cell = (start + index * LANES) as u32;
            // Most pairs share one group. A block holds no more than its byte lanes can sum.
            while rest != [0; LANES] {
                let mask = rest.map(|together| together.min(HEAVIEST));
                rest = std::array::from_fn(|lane| rest[lane] - mask[lane]);
                let mask = mask.map(|together| together as u8);
                self.blocks.push(PairBlock { mask: mask.into(), cell, other: cell + difference as u32 });
            }
        }
    }

    /// The least length of a buffer.
    pub(super) fn reach(&self) -> usize {
        self.blocks.iter().map(|block| block.other as usize + LANES).max().unwrap_or(0)
    }

    /// The number of equal pairs in a padded genome.
    #[inline]
    pub(super) fn equal(&self, buffer: &[u8]) -> u32 {
        let equal = |block: &PairBlock| {
            let (cells, others) = (lane(buffer, block.cell as usize), lane(buffer, block.other as usize));
            cells.simd_eq(others) & block.mask
        };
        self.blocks.chunks(SAFE).map(|blocks| total(blocks.iter().map(equal))).sum()
    }
}

/// Sum over the first `digits` digits of |occurrences in the padded genome - expected|.
#[inline]
pub(super) fn count_deviation(buffer: &[u8], digits: usize, expected: u32) -> u32 {
    let lanes = buffer.as_chunks::<LANES>().0;
    let occurrences = |digit: u8| {
        let here = |cells: &[u8; LANES]| u8x16::from(*cells).simd_eq(u8x16::splat(digit)) & u8x16::splat(1);
        lanes.chunks(SAFE).map(|lanes| total(lanes.iter().map(here))).sum::<u32>()
    };
    (0..digits as u8).map(|digit| occurrences(digit).abs_diff(expected)).sum()
}

#[inline(always)]
fn lane(buffer: &[u8], from: usize) -> u8x16 {
    let bytes: &[u8; LANES] = buffer[from..].first_chunk().expect("the buffer reaches over every block");
    u8x16::from(*bytes)
}

/// The largest number in a mask.
const HEAVIEST: u32 = 4;

/// The number of values up to [`HEAVIEST`] that an 8-bit lane can sum.
const SAFE: usize = u8::MAX as usize / HEAVIEST as usize;

/// The sum over all lanes of up to [`SAFE`] vectors.
#[inline(always)]
fn total(vectors: impl Iterator<Item = u8x16>) -> u32 {
    let lanes = vectors.fold(u8x16::ZERO, |sum, vector| sum + vector);
    lanes.to_array().iter().map(|lane| u32::from(*lane)).sum()
}
