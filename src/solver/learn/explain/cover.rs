//! Why tuples of a table are dead: few literals that between them strike every one.
//!
//! A small cover is sought greedily: the literal, or the demand of a line, that strikes most tuples a literal first
//! (V. Chvátal, "A greedy heuristic for the set-covering problem", 1979, doi:10.1287/moor.4.3.233).

use crate::problem::{bits, full_mask};
use crate::solver::crossing::Crossing;
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
    left: Vec<u64>,
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

    /// Gathers what struck tuples before a place.
    pub(super) fn gather(
        &mut self,
        engine: &Engine,
        before: Before,
        table: usize,
        crossings: impl Iterator<Item = Crossing>,
    ) {
        self.strikers.clear();
        self.literals.clear();
        self.struck.clear();
        for (position, cell) in engine.tables.cells(table).iter().enumerate() {
            self.gather_cell(&engine.tables, before, (table, position as u32, *cell));
        }
        for crossing in crossings.filter(|crossing| crossing.full) {
            for rank in 0..before.known.digits() as u32 {
                self.gather_demand(engine, before, (table, &crossing), rank);
            }
        }
    }

    fn gather_cell(&mut self, tables: &Tables, before: Before, (table, position, cell): (usize, u32, u16)) {
        let all = full_mask(before.known.digits());
        let mut lost = all & !before.mask(cell);
        if let Some(own) = before.assigned(cell) {
            let is = before.known.is(cell, own);
            let first = self.literals.len() as u32;
            self.literals.push(is);
            self.push(first, before, tables.support(table, position, own).iter().map(|with| !with));
            let by_itself = |rank: &u32| before.lost(cell, *rank) != is;
            lost = bits(lost).filter(by_itself).fold(0, |mask, rank| mask | 1 << rank);
        }
        for rank in bits(lost) {
            let first = self.literals.len() as u32;
            self.literals.push(before.known.is_not(cell, rank));
            self.push(first, before, tables.support(table, position, rank).iter().copied());
        }
    }

    /// The cells of a line outside the cage have lost a digit: tuples without it are dead.
    fn gather_demand(
        &mut self,
        engine: &Engine,
        before: Before,
        (table, crossing): (usize, &Crossing),
        rank: u32,
    ) {
        let line = engine.lines.cells(crossing.line);
        if !crossing.outside(line).all(|cell| before.is_not(cell, rank)) {
            return;
        }
        let first = self.literals.len() as u32;
        self.literals.extend(crossing.outside(line).map(|cell| before.lost(cell, rank)));
        let words = self.left.len();
        let lacks = |word: usize| {
            !bits(crossing.positions)
                .fold(0, |with, position| with | engine.tables.support(table, position, rank)[word])
        };
        self.push(first, before, (0..words).map(lacks));
    }

    /// Takes a striker with the literals from `first` on; one that is free strikes at once.
    fn push(&mut self, first: u32, before: Before, struck: impl Iterator<Item = u64>) {
        let words = self.struck.len();
        self.struck.extend(struck.take(self.left.len()));
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
    pub(super) fn choose(&mut self, out: &mut Vec<Literal>) {
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
            let before: u64 = self.left.iter().fold(0, |any, left| any | left);
            self.left.iter_mut().zip(struck).for_each(|(left, struck)| *left &= !struck);
            debug_assert!(before != 0);
            out.extend_from_slice(&self.literals[striker.first as usize..][..striker.len as usize]);
        }
    }
}
