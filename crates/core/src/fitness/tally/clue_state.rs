//! The state of the clues that a genome may violate: the value of each and its violation.

use crate::problem::Blocks;
use crate::puzzle::Clue;
use crate::puzzle::operators::{Fold, GAP_CAP};

use crate::fitness::CageMeasure;
use crate::fitness::cages::{ClueForm, CompiledClue, GapTable};
use crate::fitness::evaluate::{Fitness, measured};

/// The most cells whose digits fit the stack.
const SHORT: usize = 32;

/// The largest weight; the prices of a part then fit 32 bits.
pub(super) const HEAVIEST: i32 = 1 << 19;

/// The weight after one more step, at most [`HEAVIEST`].
pub(super) fn raised(weight: i32, step: u32) -> i32 {
    weight.saturating_add_unsigned(step).min(HEAVIEST)
}

/// The clues of a problem that are not satisfied by construction.
#[derive(Clone, Debug)]
pub(super) struct OpenClues {
    measure: CageMeasure,
    values: Vec<u8>,
    clues: Vec<OpenClue>,
    /// Measured clues over one or two cells by the ranks of both, one table after the other.
    tables: Vec<u8>,
    /// The cells of all clues, one after the other.
    cells: Vec<u16>,
    of_cell: Blocks,
    /// The values of sums.
    made: Vec<u64>,
    missed: Vec<u32>,
    weights: Vec<i32>,
}

/// A clue with the place of its cells.
#[derive(Clone, Copy, Debug)]
struct OpenClue {
    form: OpenForm,
    start: u32,
    end: u32,
}

/// How a clue is measured.
#[derive(Clone, Copy, Debug)]
enum OpenForm {
    /// One or two cells: a table from here on, `digits * digits` bytes.
    Table(usize),
    Sum(u64),
    Product(u64),
    Other(Clue),
}

/// A cell that takes another digit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DigitChange {
    pub(super) cell: u16,
    pub(super) rank: u8,
}

/// The rank of a cell of a genome.
#[inline(always)]
fn rank_of(cell: u16, ranks: &[u8]) -> usize {
    usize::from(ranks[usize::from(cell)])
}

impl OpenClues {
    pub(super) fn compile(fitness: &Fitness, measure: CageMeasure, weight: u32, invariants: &[bool]) -> Self {
        let problem = fitness.problem();
        let mut open = Self {
            measure,
            values: problem.values().to_vec(),
            clues: Vec::new(),
            tables: Vec::new(),
            cells: Vec::new(),
            of_cell: Blocks::default(),
            made: Vec::new(),
            missed: Vec::new(),
            weights: Vec::new(),
        };
        let mut cells_of = Blocks::default();
        for (group, is_satisfied) in invariants.iter().enumerate() {
            match fitness.clue(group) {
                Some(clue) if !is_satisfied => {
                    open.push(clue, problem.cells_of(group), weight);
                    cells_of.push(problem.cells_of(group).iter().copied());
                }
                _ => {}
            }
        }
        // The clue of cells that have none: it is never missed.
        open.missed.push(0);
        open.weights.push(0);
        open.of_cell = cells_of.inverse(problem.cells());
        open
    }

    fn push(&mut self, compiled: &CompiledClue, cells: &[u16], weight: u32) {
        let form = match &compiled.form {
            ClueForm::Table(table) => self.table(table),
            ClueForm::Fold(Fold::Sum, target) => OpenForm::Sum(*target),
            ClueForm::Fold(Fold::Product, target) => OpenForm::Product(*target),
            ClueForm::Operator => OpenForm::Other(compiled.clue),
        };
        let start = self.cells.len() as u32;
        self.cells.extend_from_slice(cells);
        self.clues.push(OpenClue { form, start, end: self.cells.len() as u32 });
        self.made.push(0);
        self.missed.push(0);
        self.weights.push(weight as i32);
    }

    fn table(&mut self, table: &GapTable) -> OpenForm {
        let start = self.tables.len();
        for gap in table.gaps() {
            self.tables.push(measured(u32::from(*gap), self.measure) as u8);
        }
        OpenForm::Table(start)
    }

    /// The number of open clues.
    pub(super) fn len(&self) -> usize {
        self.clues.len()
    }

    /// The most that two clues could make good; one after the last is none.
    #[inline(always)]
    pub(super) fn gain(&self, clues: [u16; 2]) -> i64 {
        let [first, second] = clues.map(usize::from);
        i64::from(self.missed[first]) * i64::from(self.weights[first])
            + i64::from(self.missed[second]) * i64::from(self.weights[second])
    }

    /// What two clues would add if a cell of each changed, or one clue if both are the same; one after the last is none.
    #[inline]
    pub(super) fn change_two(&self, clues: [u16; 2], changes: [DigitChange; 2], ranks: &[u8]) -> i64 {
        let none = self.clues.len() as u16;
        let change = |clue: u16, change| if clue == none { 0 } else { self.change(clue, change, ranks) };
        match clues {
            [first, second] if first != second => change(first, changes[0]) + change(second, changes[1]),
            // Both cells in one clue: their changes may make up for each other.
            [both, _] if both != none => self.change_all(both, &changes, ranks),
            _ => 0,
        }
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
        for clue in 0..self.clues.len() {
            self.count_one(clue, ranks);
        }
    }

    /// Measures the clues of a cell again; returns the change of their violation, weighted and unweighted.
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
        self.made[clue] = self.sum(clue, ranks);
        self.missed[clue] = self.measure(clue, |cell| rank_of(cell, ranks), 0, 0);
    }

    /// The value of a clue that is a sum, else 0.
    #[inline]
    fn sum(&self, clue: usize, ranks: &[u8]) -> u64 {
        let open = self.clues[clue];
        if !matches!(open.form, OpenForm::Sum(_)) {
            return 0;
        }
        self.cells_of(open).iter().map(|cell| u64::from(self.values[rank_of(*cell, ranks)])).sum()
    }

    /// The violation of all clues by any genome, unweighted. The state is not read.
    pub(super) fn missed_in(&self, ranks: &[u8]) -> i64 {
        let mut missed = 0;
        for clue in 0..self.clues.len() {
            let (made, sum) = (self.made[clue], self.sum(clue, ranks));
            missed += i64::from(self.measure(clue, |cell| rank_of(cell, ranks), made, sum));
        }
        missed
    }

    #[inline(always)]
    fn cells_of(&self, open: OpenClue) -> &[u16] {
        &self.cells[open.start as usize..open.end as usize]
    }

    /// What a clue would add if one of its cells changed.
    #[inline]
    pub(super) fn change(&self, clue: u16, change: DigitChange, ranks: &[u8]) -> i64 {
        let old = ranks[usize::from(change.cell)];
        let rank =
            |cell: u16| usize::from(if cell == change.cell { change.rank } else { ranks[usize::from(cell)] });
        let (before, after) = (self.values[usize::from(old)], self.values[usize::from(change.rank)]);
        self.more(clue, self.measure(usize::from(clue), rank, u64::from(before), u64::from(after)))
    }

    /// What a clue would add if these of its cells changed.
    #[inline]
    pub(super) fn change_all(&self, clue: u16, changes: &[DigitChange], ranks: &[u8]) -> i64 {
        if let [change] = changes {
            return self.change(clue, *change, ranks);
        }
        let rank = |cell: u16| {
            let changed = changes.iter().find(|change| change.cell == cell);
            usize::from(changed.map_or(ranks[usize::from(cell)], |change| change.rank))
        };
        let value = |rank: u8| u64::from(self.values[usize::from(rank)]);
        let before = changes.iter().map(|change| value(ranks[usize::from(change.cell)])).sum();
        let after = changes.iter().map(|change| value(change.rank)).sum();
        self.more(clue, self.measure(usize::from(clue), rank, before, after))
    }

    #[inline(always)]
    fn more(&self, clue: u16, missed: u32) -> i64 {
        let clue = usize::from(clue);
        (i64::from(missed) - i64::from(self.missed[clue])) * i64::from(self.weights[clue])
    }

    /// The violation of a clue, given the rank of each of its cells; the values of the changed cells add up to `before`
    /// and now to `after`.
    #[inline(always)]
    fn measure(&self, clue: usize, rank: impl Fn(u16) -> usize, before: u64, after: u64) -> u32 {
        let open = self.clues[clue];
        let cells = self.cells_of(open);
        let value = |cell: &u16| self.values[rank(*cell)];
        match open.form {
            OpenForm::Table(start) => {
                let (first, second) = (rank(cells[0]), rank(cells[cells.len() - 1]));
                u32::from(self.tables[start + first * self.values.len() + second])
            }
            // A sum is known: a change adds and subtracts, however many cells there are.
            OpenForm::Sum(target) => self.missed_by(self.made[clue] + after - before, target),
            OpenForm::Product(target) => {
                self.missed_by(cells.iter().map(|cell| u64::from(value(cell))).product(), target)
            }
            OpenForm::Other(other) => {
                let mut short = [0; SHORT];
                if cells.len() <= SHORT {
                    for (digit, cell) in short.iter_mut().zip(cells) {
                        *digit = value(cell);
                    }
                    return measured(other.gap(&short[..cells.len()]), self.measure);
                }
                let digits: Vec<u8> = cells.iter().map(value).collect();
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
        let mut weighted = 0;
        for (missed, weight) in self.missed.iter().zip(&self.weights) {
            weighted += i64::from(*missed) * i64::from(*weight);
        }
        weighted
    }

    pub(super) fn raise_weights(&mut self, step: u32) {
        for (weight, missed) in self.weights.iter_mut().zip(&self.missed) {
            if *missed > 0 {
                *weight = raised(*weight, step);
            }
        }
    }

    pub(super) fn reset_weights(&mut self, weight: u32) {
        self.weights.fill(weight as i32);
    }
}
