//! Whether the parts of a genome hold tuples, looked up and not searched.
//!
//! ```text
//! tuples of a part      masks
//! 0 1 2                 0 1 -> {2, 3}
//! 0 1 3                 2 0 -> {3}
//! 2 0 3                 all others -> {}
//! ```

use std::slice::ChunksExact;
use std::sync::Arc;

use crate::search::space::Choices;

/// The most masks of a part: 32 KiB, so that those of a puzzle stay in the cache.
const MOST_MASKS: u64 = 1 << 13;

/// The tuples of the parts of two or more genes; candidates say all of the others.
pub(super) struct TupleIndex {
    pub(super) choices: Arc<Choices>,
    /// How many digits the puzzle has.
    base: usize,
    /// The genes of the parts with masks, all but the last two of each, one part after the other.
    before: Vec<u16>,
    pub(super) parts: Vec<MaskedPart>,
    /// For the ranks of a part before the last, read as the digits of a number: which last ranks make a tuple.
    pub(super) masks: Vec<u32>,
    /// The parts that would have too many masks.
    pub(super) rest: Vec<CodedPart>,
}

/// A part with masks. Most have two genes.
pub(super) struct MaskedPart {
    /// How many genes it has before its last two.
    before: usize,
    last: [u16; 2],
    /// Where its masks begin.
    start: usize,
}

/// A part whose tuples are numbers, ascending: the ranks of a tuple are the digits of a number.
pub(super) struct CodedPart {
    part: usize,
    /// `None` where they do not fit 64 bits: the tuples themselves are searched.
    pub(super) codes: Option<Vec<u64>>,
}

impl TupleIndex {
    /// The index of a puzzle with this many digits.
    pub(super) fn new(choices: &Arc<Choices>, digits: usize) -> Self {
        let mut index = Self {
            choices: Arc::clone(choices),
            base: digits,
            before: Vec::new(),
            parts: Vec::new(),
            masks: Vec::new(),
            rest: Vec::new(),
        };
        for (part, genes) in choices.cells.iter().enumerate() {
            if genes.len() > 1 {
                index.push(part);
            }
        }
        index
    }

    /// The genes of every part with its tuples in ranks.
    pub(super) fn tuples(&self) -> impl Iterator<Item = (&[u16], ChunksExact<'_, u8>)> {
        let parts = self.choices.cells.iter().enumerate().filter(|(_, genes)| genes.len() > 1);
        parts.map(|(part, genes)| (genes, self.choices.ranks(part).chunks_exact(genes.len())))
    }

    /// Every part of a genome holds one of its tuples; ranks are those of digits.
    pub(super) fn holds(&self, genome: &[u8]) -> bool {
        // Without a branch for a part: nearly every genome is sound.
        let (mut before, mut holds) = (self.before.iter(), 1);
        let rank = |gene: u16| usize::from(genome[usize::from(gene)]);
        for part in &self.parts {
            let prefix =
                before.by_ref().take(part.before).fold(0, |prefix, gene| prefix * self.base + rank(*gene));
            let mask = self.masks[part.start + prefix * self.base + rank(part.last[0])];
            holds &= mask >> (rank(part.last[1]) & 31);
        }
        holds & 1 == 1 && self.rest.iter().all(|part| self.finds(part, genome))
    }

    /// The genes of the first part of a genome that holds none of its tuples.
    pub(super) fn first_without(&self, genome: &[u8]) -> Option<&[u16]> {
        let part = (0..self.choices.len()).find(|part| self.choices.find(*part, genome).is_none());
        part.map(|part| self.choices.cells.get(part))
    }

    fn push(&mut self, part: usize) {
        let (genes, tuples) = (self.choices.cells.get(part), self.choices.ranks(part));
        let (base, width) = (self.base as u64, genes.len());
        let tuples = tuples.chunks_exact(width);
        // A mask for every prefix of a tuple, where they fit the cache; else the tuples as sorted numbers.
        match base.checked_pow(width as u32) {
            Some(numbers) if numbers / base <= MOST_MASKS => {
                let start = self.masks.len();
                self.masks.resize(start + (numbers / base) as usize, 0);
                for tuple in tuples {
                    self.masks[start + number(&tuple[..width - 1], base) as usize] |= 1 << tuple[width - 1];
                }
                let (before, last) = genes.split_at(width - 2);
                self.before.extend_from_slice(before);
                self.parts.push(MaskedPart { before: width - 2, last: [last[0], last[1]], start });
            }
            numbers => {
                let codes = numbers.map(|_| tuples.map(|tuple| number(tuple, base)).collect());
                self.rest.push(CodedPart { part, codes });
            }
        }
    }

    fn finds(&self, part: &CodedPart, genome: &[u8]) -> bool {
        let Some(codes) = &part.codes else { return self.choices.find(part.part, genome).is_some() };
        let mut code = 0;
        for gene in self.choices.cells.get(part.part) {
            code = code * self.base as u64 + u64::from(genome[usize::from(*gene)]);
        }
        codes.binary_search(&code).is_ok()
    }
}

/// The number whose digits to this base the ranks are.
fn number(ranks: &[u8], base: u64) -> u64 {
    ranks.iter().fold(0, |number, rank| number * base + u64::from(*rank))
}
