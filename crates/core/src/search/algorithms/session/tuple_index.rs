//! Whether the parts of a genome hold tuples, looked up and not searched.
//!
//! ```text
//! tuples of a part      masks
//! 0 1 2                 0 1 -> {2, 3}
//! 0 1 3                 2 0 -> {3}
//! 2 0 3                 all others -> {}
//! ```

use std::sync::Arc;

use crate::search::space::Choices;

/// The most masks of a part: 32 KiB, so that those of a puzzle stay in the cache.
const MOST_MASKS: u64 = 1 << 13;

/// The tuples of the parts of two or more genes; candidates say all of the others.
pub(super) struct TupleIndex {
    choices: Arc<Choices>,
    /// How many digits the puzzle has.
    base: usize,
    /// The genes of the parts with masks, all but the last two of each, one part after the other.
    before: Vec<u16>,
    parts: Vec<MaskedPart>,
    /// For the ranks of a part before the last, read as the digits of a number: which last ranks make a tuple.
    masks: Vec<u32>,
    /// The parts that would have too many masks.
    rest: Vec<CodedPart>,
}

/// A part with masks. Most have two genes.
struct MaskedPart {
    /// How many genes it has before its last two.
    before: usize,
    last: [u16; 2],
    /// Where its masks begin.
    start: usize,
}

/// A part whose tuples are numbers, ascending: the ranks of a tuple are the digits of a number.
struct CodedPart {
    part: usize,
    /// `None` where they do not fit 64 bits: the tuples themselves are searched.
    codes: Option<Vec<u64>>,
}

impl TupleIndex {
    /// The index of a puzzle with this many digits.
    pub(super) fn new(choices: &Arc<Choices>, digits: usize) -> Self {
        let (before, parts, masks, rest) = Default::default();
        let mut index = Self { choices: Arc::clone(choices), base: digits, before, parts, masks, rest };
        for part in (0..choices.len()).filter(|part| choices.cells.get(*part).len() > 1) {
            index.push(part);
        }
        index
    }

    /// The genes of every part with its tuples in ranks.
    pub(super) fn tuples(&self) -> impl Iterator<Item = (&[u16], impl Iterator<Item = &[u8]>)> {
        let parts =
            (0..self.choices.len()).map(|part| (self.choices.cells.get(part), self.choices.ranks(part)));
        parts
            .filter(|(genes, _)| genes.len() > 1)
            .map(|(genes, ranks)| (genes, ranks.chunks_exact(genes.len())))
    }

    /// Every part of a genome holds one of its tuples; ranks are those of digits.
    pub(super) fn holds(&self, genome: &[u8]) -> bool {
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
        let number = |ranks: &[u8]| ranks.iter().fold(0, |number, rank| number * base + u64::from(*rank));
        match base.checked_pow(width as u32) {
            Some(numbers) if numbers / base <= MOST_MASKS => {
                let start = self.masks.len();
                self.masks.resize(start + (numbers / base) as usize, 0);
                for tuple in tuples {
                    self.masks[start + number(&tuple[..width - 1]) as usize] |= 1 << tuple[width - 1];
                }
                let (before, last) = genes.split_at(width - 2);
                self.before.extend_from_slice(before);
                self.parts.push(MaskedPart { before: width - 2, last: [last[0], last[1]], start });
            }
            numbers => {
                let codes = numbers.map(|_| tuples.map(number).collect());
                self.rest.push(CodedPart { part, codes });
            }
        }
    }

    fn finds(&self, part: &CodedPart, genome: &[u8]) -> bool {
        let genes = self.choices.cells.get(part.part);
        let rank = |gene: &u16| u64::from(genome[usize::from(*gene)]);
        let code = || genes.iter().fold(0, |code, gene| code * self.base as u64 + rank(gene));
        match &part.codes {
            Some(codes) => codes.binary_search(&code()).is_ok(),
            None => self.choices.find(part.part, genome).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::algorithms::session::check::tests::{encoding, staircase};
    use crate::search::encodings::AnyEncoding;

    #[test]
    fn parts_of_any_width_are_indexed() {
        let index = |size, cells| match encoding(&staircase(size, cells), "cages") {
            AnyEncoding::Tuples(encoding) => TupleIndex::new(encoding.choices(), size),
            AnyEncoding::Rows(_) => unreachable!("cages hold tuples"),
        };
        let (short, long, longest) = (index(8, 5), index(8, 7), index(20, 15));
        assert_eq!((short.parts.len(), short.masks.len(), short.rest.len()), (1, 4096, 0));
        assert!(long.parts.is_empty() && matches!(&*long.rest, [CodedPart { codes: Some(_), .. }]));
        assert!(longest.parts.is_empty() && matches!(&*longest.rest, [CodedPart { codes: None, .. }]));
        for index in [short, long, longest] {
            let (genes, tuples) = index.tuples().next().expect("a clue with few tuples");
            assert_eq!(tuples.count(), index.choices.count(0), "{genes:?}");
        }
    }
}
