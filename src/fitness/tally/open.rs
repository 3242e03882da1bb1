//! Clues that a genome may break, and what each of them misses.

use crate::problem::{Blocks, Problem};
use crate::puzzle::Clue;
use crate::puzzle::operators::{Fold, GAP_CAP};

use crate::fitness::CageMeasure;
use crate::fitness::evaluate::measured;

/// The longest product that 64 bits hold, whatever its digits.
const LONGEST_PRODUCT: usize = 8;

/// The clues of a problem that are not kept by construction.
#[derive(Clone, Debug)]
pub(super) struct OpenClues {
    measure: CageMeasure,
    values: Vec<u8>,
    kinds: Vec<Kind>,
    /// Measured clues over one or two cells by the ranks of both, one table after the other.
    tables: Vec<u8>,
    cells: Blocks,
    of_cell: Blocks,
    /// What sums make.
    made: Vec<u64>,
    missed: Vec<u32>,
    weights: Vec<i32>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// One or two cells: a table from here on, `digits * digits` bytes.
    Table(usize),
    Sum(u64),
    Product(u64),
    Other(Clue),
}

impl OpenClues {
    pub(super) fn compile(problem: &Problem, measure: CageMeasure, weight: u32, kept: &[bool]) -> Self {
        let mut open = Self {
            measure,
            values: problem.values().to_vec(),
            kinds: Vec::new(),
            tables: Vec::new(),
            cells: Blocks::default(),
            of_cell: Blocks::default(),
            made: Vec::new(),
            missed: Vec::new(),
            weights: Vec::new(),
        };
        let mut clue_of = vec![None; problem.groups()];
        for group in (0..problem.groups()).filter(|group| !kept[*group]) {
            let Some(clue) = problem.rule(group).clue else { continue };
            clue_of[group] = Some(open.kinds.len() as u16);
            open.push(clue, problem.cells_of(group), weight);
        }
        for cell in 0..problem.cells() {
            open.of_cell
                .push(problem.groups_of(cell).iter().filter_map(|group| clue_of[usize::from(*group)]));
        }
        open
    }

    fn push(&mut self, clue: Clue, cells: &[u16], weight: u32) {
        let kind = match (cells.len(), clue.operator.fold()) {
            (1 | 2, _) => self.table(clue, cells.len()),
            (_, Some(Fold::Sum)) => Kind::Sum(clue.target.unsigned_abs()),
            (3..=LONGEST_PRODUCT, Some(Fold::Product)) => Kind::Product(clue.target.unsigned_abs()),
            _ => Kind::Other(clue),
        };
        self.kinds.push(kind);
        self.cells.push(cells.iter().copied());
        self.made.push(0);
        self.missed.push(0);
        self.weights.push(weight as i32);
    }

    fn table(&mut self, clue: Clue, cells: usize) -> Kind {
        let start = self.tables.len();
        for first in &self.values {
            for second in &self.values {
                let gap = clue.gap(&[*first, *second][..cells]);
                self.tables.push(measured(gap, self.measure) as u8);
            }
        }
        Kind::Table(start)
    }

    /// The open clues of a cell.
    #[inline(always)]
    pub(super) fn of(&self, cell: usize) -> &[u16] {
        self.of_cell.get(cell)
    }

    #[inline]
    pub(super) fn is_missed(&self, clue: u16) -> bool {
        self.missed[usize::from(clue)] > 0
    }

    pub(super) fn count(&mut self, ranks: &[u8]) {
        for clue in 0..self.kinds.len() {
            self.count_one(clue, ranks);
        }
    }

    /// Counts the clues of a cell anew; says what they miss more than before, weighted and not.
    pub(super) fn recount(&mut self, cell: usize, ranks: &[u8]) -> (i64, i64) {
        let (mut weighted, mut plain) = (0, 0);
        for index in 0..self.of_cell.get(cell).len() {
            let clue = usize::from(self.of_cell.get(cell)[index]);
            let before = i64::from(self.missed[clue]);
            self.count_one(clue, ranks);
            let more = i64::from(self.missed[clue]) - before;
            plain += more;
            weighted += more * i64::from(self.weights[clue]);
        }
        (weighted, plain)
    }

    fn count_one(&mut self, clue: usize, ranks: &[u8]) {
        if let Kind::Sum(_) = self.kinds[clue] {
            let value = |cell: &u16| u64::from(self.values[usize::from(ranks[usize::from(*cell)])]);
            self.made[clue] = self.cells.get(clue).iter().map(value).sum();
        }
        self.missed[clue] = self.measure(clue, &[], ranks);
    }

    /// What a clue would add if these of its cells changed.
    #[inline]
    pub(super) fn change(&self, clue: u16, changes: &[(u16, u8)], ranks: &[u8]) -> i64 {
        let clue = usize::from(clue);
        let missed = i64::from(self.measure(clue, changes, ranks)) - i64::from(self.missed[clue]);
        missed * i64::from(self.weights[clue])
    }

    /// What a clue misses after these of its cells have changed.
    #[inline]
    fn measure(&self, clue: usize, changes: &[(u16, u8)], ranks: &[u8]) -> u32 {
        let rank = |cell: u16| {
            let changed = changes.iter().find(|(other, _)| *other == cell);
            usize::from(changed.map_or(ranks[usize::from(cell)], |(_, rank)| *rank))
        };
        let value = |cell: &u16| u64::from(self.values[rank(*cell)]);
        let cells = self.cells.get(clue);
        match self.kinds[clue] {
            Kind::Table(start) => {
                let (first, second) = (rank(cells[0]), rank(cells[cells.len() - 1]));
                u32::from(self.tables[start + first * self.values.len() + second])
            }
            Kind::Sum(target) => {
                let before =
                    |(cell, _): &(u16, u8)| u64::from(self.values[usize::from(ranks[usize::from(*cell)])]);
                let after = |(_, rank): &(u16, u8)| u64::from(self.values[usize::from(*rank)]);
                let made = self.made[clue] + changes.iter().map(after).sum::<u64>();
                self.missed_by(made - changes.iter().map(before).sum::<u64>(), target)
            }
            Kind::Product(target) => self.missed_by(cells.iter().map(value).product(), target),
            Kind::Other(other) => {
                let digits: Vec<u8> = cells.iter().map(|cell| self.values[rank(*cell)]).collect();
                measured(other.gap(&digits), self.measure)
            }
        }
    }

    #[inline(always)]
    fn missed_by(&self, made: u64, target: u64) -> u32 {
        match self.measure {
            CageMeasure::Binary => u32::from(made != target),
            CageMeasure::Gap => made.abs_diff(target).min(u64::from(GAP_CAP)) as u32,
        }
    }

    pub(super) fn missed(&self) -> i64 {
        self.missed.iter().map(|missed| i64::from(*missed)).sum()
    }

    pub(super) fn weighted(&self) -> i64 {
        self.missed
            .iter()
            .zip(&self.weights)
            .map(|(missed, weight)| i64::from(*missed) * i64::from(*weight))
            .sum()
    }

    pub(super) fn raise_weights(&mut self, step: u32) {
        for (weight, missed) in self.weights.iter_mut().zip(&self.missed) {
            *weight += step as i32 * i32::from(*missed > 0);
        }
    }

    pub(super) fn reset_weights(&mut self, weight: u32) {
        self.weights.fill(weight as i32);
    }
}
