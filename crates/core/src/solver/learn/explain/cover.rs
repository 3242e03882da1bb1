//! Why tuples of a table are dead: few literals that between them strike every one.
//!
//! A greedy cover: first the literal that strikes most of the tuples left (V. Chvátal, "A greedy heuristic for the
//! set-covering problem", 1979, doi:10.1287/moor.4.3.233).

use std::ops::Range;

use crate::problem::{bits, full_mask, mask_of};
use crate::solver::engine::Engine;
use crate::solver::table::Tables;

use super::super::literals::Literal;
use super::Before;

/// A literal that strikes tuples.
#[derive(Clone, Copy, Debug)]
struct Striker {
    literal: Literal,
    /// Where the words of its tuples begin in `struck`: as many words as `left` has.
    words: u32,
    /// The number of tuples left that it strikes, when last counted.
    worth: u32,
}

/// The tuples to explain and the literals that strike them; the arrays are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    /// The tuples left, in words of 64; while literals are gathered only the words that are not 0.
    left: Vec<u64>,
    /// The indices of these words in the table.
    words: Vec<u32>,
    strikers: Vec<Striker>,
    struck: Vec<u64>,
}

impl Cover {
    /// Begins with these tuples.
    pub(super) fn start(&mut self, tuples: &[u64]) {
        self.left.clear();
        self.left.extend_from_slice(tuples);
    }

    /// Restricts the tuples to explain to these.
    pub(super) fn keep(&mut self, tuples: &[u64]) {
        for (left, tuples) in self.left.iter_mut().zip(tuples) {
            *left &= tuples;
        }
    }

    /// Takes these from the tuples to explain.
    pub(super) fn drop(&mut self, tuples: &[u64]) {
        for (left, tuples) in self.left.iter_mut().zip(tuples) {
            *left &= !tuples;
        }
    }

    /// Adds literals, true before a place, that strike the tuples of a table whose cage has these segments.
    pub(super) fn explain(
        &mut self,
        engine: &Engine,
        before: Before,
        table: usize,
        segments: Range<u32>,
        out: &mut Vec<Literal>,
    ) {
        self.strikers.clear();
        self.struck.clear();
        self.words.clear();
        self.words.extend((0..self.left.len() as u32).filter(|word| self.left[*word as usize] != 0));
        // Most words of a large table have nothing to explain.
        self.left.retain(|left| *left != 0);
        for (position, cell) in engine.tables.cells(table).iter().enumerate() {
            self.gather_cell(&engine.tables, before, table, position as u32, *cell);
        }
        for segment in segments {
            for rank in 0..before.known.digits() as u32 {
                self.gather_segment(engine, before, table, segment, rank);
            }
        }
        self.choose(out);
    }

    fn gather_cell(&mut self, tables: &Tables, before: Before, table: usize, position: u32, cell: u16) {
        let mut lost = full_mask(before.known.digits()) & !before.mask(cell);
        if let Some(own) = before.assigned(cell) {
            let is = before.known.is(cell, own);
            self.gather(is, before, tables.support(table, position, own), u64::MAX);
            // The assignment strikes all that they strike.
            lost = mask_of(bits(lost).filter(|rank| before.lost(cell, *rank) != is));
        }
        for rank in bits(lost) {
            self.gather(before.known.is_not(cell, rank), before, tables.support(table, position, rank), 0);
        }
    }

    /// Gathers what is known of a digit in a segment: where it has the digit, tuples without it there are dead; where
    /// it has not, tuples with it.
    fn gather_segment(&mut self, engine: &Engine, before: Before, table: usize, segment: u32, rank: u32) {
        // Of the two literals at most one was true before the place.
        let (within, not_within) =
            (before.known.within(segment, rank), before.known.not_within(segment, rank));
        let (literal, flip) = if before.known.is_before(within, before.place) {
            (within, u64::MAX)
        } else if before.known.is_before(not_within, before.place) {
            (not_within, 0)
        } else {
            return;
        };
        if before.is_free(literal) {
            return;
        }
        let positions = engine.crossings.get(segment).positions;
        for (word, left) in self.words.iter().zip(&self.left) {
            let mut with = 0;
            for position in bits(positions) {
                with |= engine.tables.support(table, position, rank)[*word as usize];
            }
            self.struck.push((with ^ flip) & left);
        }
        self.push(literal);
    }

    /// Gathers a literal that strikes the tuples, or with a `flip` of all ones the others. A free literal strikes none
    /// that are left: it was true when they were live.
    fn gather(&mut self, literal: Literal, before: Before, tuples: &[u64], flip: u64) {
        if before.is_free(literal) {
            return;
        }
        for (word, left) in self.words.iter().zip(&self.left) {
            self.struck.push((tuples[*word as usize] ^ flip) & left);
        }
        self.push(literal);
    }

    /// Makes the last words of `struck` those of a literal, unless they are all 0.
    fn push(&mut self, literal: Literal) {
        let words = self.struck.len() - self.left.len();
        let worth = self.struck[words..].iter().map(|struck| struck.count_ones()).sum();
        if worth > 0 {
            self.strikers.push(Striker { literal, words: words as u32, worth });
        } else {
            self.struck.truncate(words);
        }
    }

    /// Adds literals until every tuple is struck. What a literal strikes of the tuples left only becomes less, so that the
    /// best by what they struck when last counted is the best if it still strikes as many (M. Minoux 1978,
    /// doi:10.1007/BFb0006528).
    fn choose(&mut self, out: &mut Vec<Literal>) {
        while self.left.iter().any(|left| *left != 0) {
            let best = (0..self.strikers.len())
                .max_by_key(|index| (self.strikers[*index].worth, usize::MAX - index));
            let striker = &mut self.strikers[best.expect("every dead tuple was struck by something")];
            let struck = &self.struck[striker.words as usize..];
            let worth = self.left.iter().zip(struck).map(|(left, with)| (left & with).count_ones()).sum();
            // It strikes fewer by now: others may be better.
            if std::mem::replace(&mut striker.worth, worth) != worth {
                continue;
            }
            for (left, struck) in self.left.iter_mut().zip(struck) {
                *left &= !struck;
            }
            out.push(striker.literal);
        }
    }
}
