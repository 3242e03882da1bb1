//! Why tuples of a table are dead: few literals that between them strike every one.
//!
//! A small cover is sought greedily: the literal, or the demand of a line, that strikes most tuples a literal first
//! (V. Chvátal, "A greedy heuristic for the set-covering problem", 1979, doi:10.1287/moor.4.3.233).

use crate::problem::{bits, full_mask};
use crate::solver::engine::Engine;
use crate::solver::table::Tables;

use super::super::literals::Literal;
use super::Before;

/// Something that strikes tuples.
#[derive(Clone, Copy, Debug)]
struct Striker {
    /// Its literals, among those gathered.
    first: u32,
    len: u32,
    /// Its tuples, among those gathered: as many words as a table has.
    words: u32,
}

/// The tuples to explain and what could explain them; arrays are used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover {
    /// The tuples left, in words of 64; once gathering begins only the words that are not 0.
    left: Vec<u64>,
    /// Which words these are.
    words: Vec<u32>,
    strikers: Vec<Striker>,
    literals: Vec<Literal>,
    struck: Vec<u64>,
}

impl Cover {
    /// Begins with these tuples.
    pub(super) fn start(&mut self, tuples: &[u64]) {
        self.left.clear();
        self.left.extend_from_slice(tuples);
    }

    /// Only these need an explanation.
    pub(super) fn keep(&mut self, tuples: &[u64]) {
        self.left.iter_mut().zip(tuples).for_each(|(left, tuples)| *left &= tuples);
    }

    /// These need none.
    pub(super) fn drop(&mut self, tuples: &[u64]) {
        self.left.iter_mut().zip(tuples).for_each(|(left, tuples)| *left &= !tuples);
    }

    /// Adds literals, true before a place, that strike the tuples of a table whose cage has these segments.
    pub(super) fn explain(
        &mut self,
        engine: &Engine,
        before: Before,
        table: usize,
        segments: &[u32],
        out: &mut Vec<Literal>,
    ) {
        self.strikers.clear();
        self.literals.clear();
        self.struck.clear();
        self.words.clear();
        self.words.extend((0..self.left.len() as u32).filter(|word| self.left[*word as usize] != 0));
        self.left.retain(|left| *left != 0);
        for (position, cell) in engine.tables.cells(table).iter().enumerate() {
            self.gather_cell(&engine.tables, before, (table, position as u32, *cell));
        }
        for segment in segments {
            for rank in 0..before.known.digits() as u32 {
                self.gather_segment(engine, before, (table, *segment), rank);
            }
        }
        self.choose(out);
    }

    fn gather_cell(&mut self, tables: &Tables, before: Before, (table, position, cell): (usize, u32, u16)) {
        let all = full_mask(before.known.digits());
        let mut lost = all & !before.mask(cell);
        if let Some(own) = before.assigned(cell) {
            let is = before.known.is(cell, own);
            let first = self.literals.len() as u32;
            self.literals.push(is);
            self.strike(tables.support(table, position, own), true);
            self.push(first, before);
            let by_itself = |rank: &u32| before.lost(cell, *rank) != is;
            lost = bits(lost).filter(by_itself).fold(0, |mask, rank| mask | 1 << rank);
        }
        for rank in bits(lost) {
            let first = self.literals.len() as u32;
            self.literals.push(before.known.is_not(cell, rank));
            self.strike(tables.support(table, position, rank), false);
            self.push(first, before);
        }
    }

    /// The segment has a digit, or has not: tuples without it there, or with it, are dead.
    fn gather_segment(&mut self, engine: &Engine, before: Before, (table, segment): (usize, u32), rank: u32) {
        let (within, not_within) =
            (before.known.within(segment, rank), before.known.not_within(segment, rank));
        let (literal, flip) = if before.known.is_before(within, before.place) {
            (within, u64::MAX)
        } else if before.known.is_before(not_within, before.place) {
            (not_within, 0)
        } else {
            return;
        };
        let first = self.literals.len() as u32;
        self.literals.push(literal);
        let positions = engine.crossings()[segment as usize].positions;
        for word in &self.words {
            let with = |position| engine.tables.support(table, position, rank)[*word as usize];
            self.struck.push(bits(positions).fold(0, |all, position| all | with(position)) ^ flip);
        }
        self.push(first, before);
    }

    /// Adds the words of a set of tuples, or of the others.
    fn strike(&mut self, tuples: &[u64], others: bool) {
        let flip = if others { u64::MAX } else { 0 };
        self.struck.extend(self.words.iter().map(|word| tuples[*word as usize] ^ flip));
    }

    /// Takes a striker with the literals from `first` on and the last words struck; one that is free strikes at once.
    fn push(&mut self, first: u32, before: Before) {
        let words = self.struck.len() - self.left.len();
        let mut kept = first as usize;
        for index in first as usize..self.literals.len() {
            let literal = self.literals[index];
            if !before.is_free(literal) && !self.literals[first as usize..kept].contains(&literal) {
                self.literals[kept] = literal;
                kept += 1;
            }
        }
        self.literals.truncate(kept);
        let hits = self.left.iter().zip(&self.struck[words..]).any(|(left, struck)| left & struck != 0);
        if kept == first as usize {
            self.left.iter_mut().zip(&self.struck[words..]).for_each(|(left, struck)| *left &= !struck);
        }
        if kept == first as usize || !hits {
            self.literals.truncate(first as usize);
            self.struck.truncate(words);
            return;
        }
        self.strikers.push(Striker { first, len: kept as u32 - first, words: words as u32 });
    }

    /// Adds literals until every tuple is struck.
    fn choose(&mut self, out: &mut Vec<Literal>) {
        while self.left.iter().any(|left| *left != 0) {
            let worth = |striker: &Striker| {
                let struck = &self.struck[striker.words as usize..];
                let tuples: u32 =
                    self.left.iter().zip(struck).map(|(left, with)| (left & with).count_ones()).sum();
                u64::from(tuples) * 4096 / u64::from(striker.len)
            };
            let best = (0..self.strikers.len())
                .max_by_key(|index| (worth(&self.strikers[*index]), usize::MAX - index));
            let striker = self.strikers[best.expect("every dead tuple was struck by something")];
            let struck = &self.struck[striker.words as usize..];
            self.left.iter_mut().zip(struck).for_each(|(left, struck)| *left &= !struck);
            out.extend_from_slice(&self.literals[striker.first as usize..][..striker.len as usize]);
        }
    }
}
