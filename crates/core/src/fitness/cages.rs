//! Clues compiled for every evaluator, and the cage term: unsatisfied clues, counted or measured.
//!
//! A clue over one or two cells is a table over their ranks: rows of bits for the binary measure, bytes for the gap. A
//! sum or a product over three to eight cells is a fold over an array of that length. All other clues call their
//! operator.

use crate::problem::Problem;
use crate::puzzle::Clue;
use crate::puzzle::operators::{Fold, GAP_CAP};

use super::CageMeasure;

/// The longest sum or product with a fold of fixed length.
const LONGEST_FOLD: usize = 8;

/// Every clue of a problem, sorted by how it is evaluated.
#[derive(Clone, Debug)]
pub(super) struct Cages {
    measure: CageMeasure,
    /// Digit values by rank.
    values: [u8; 32],
    pairs: Vec<PairTable>,
    gaps: Vec<[u8; 32 * 32]>,
    folds: Vec<CageFolds>,
    others: Vec<OperatorClue>,
}

/// A clue over two cells; one over a single cell names it twice.
#[derive(Clone, Debug)]
struct PairTable {
    cells: [u16; 2],
    /// Bit `b` of row `a` is set where ranks `a` and `b` satisfy the clue.
    satisfied: [u32; 32],
}

/// Sums or products of one length, their cells one after the other.
#[derive(Clone, Debug)]
struct CageFolds {
    fold: Fold,
    length: usize,
    cells: Vec<u16>,
    targets: Vec<u64>,
}

#[derive(Clone, Debug)]
struct OperatorClue {
    cells: Vec<u16>,
    clue: Clue,
}

impl Cages {
    /// No clue yet.
    pub(super) fn new(problem: &Problem, measure: CageMeasure) -> Self {
        let mut values = [0; 32];
        // A problem of the user's own, which has no clue, may have more.
        for (known, value) in values.iter_mut().zip(problem.values()) {
            *known = *value;
        }
        Self { measure, values, pairs: vec![], gaps: vec![], folds: vec![], others: vec![] }
    }

    pub(super) fn compile(problem: &Problem, clues: &[Option<CompiledClue>], measure: CageMeasure) -> Self {
        let mut cages = Self::new(problem, measure);
        for (group, clue) in clues.iter().enumerate() {
            if let Some(clue) = clue {
                cages.push(clue, problem.cells_of(group));
            }
        }
        cages
    }

    /// It has no clue.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.folds.is_empty() && self.others.is_empty()
    }

    /// Adds a clue.
    pub(super) fn push(&mut self, compiled: &CompiledClue, cells: &[u16]) {
        match &compiled.form {
            ClueForm::Table(table) => self.push_pair(table, [cells[0], cells[cells.len() - 1]]),
            ClueForm::Fold(fold, target) if cells.len() <= LONGEST_FOLD => {
                self.push_fold(*fold, cells, *target)
            }
            _ => self.others.push(OperatorClue { cells: cells.to_vec(), clue: compiled.clue }),
        }
    }

    fn push_pair(&mut self, table: &GapTable, cells: [u16; 2]) {
        let (mut satisfied, mut gaps) = ([0u32; 32], [0u8; 32 * 32]);
        for (a, row) in table.rows().enumerate() {
            gaps[a * 32..][..row.len()].copy_from_slice(row);
            for (b, gap) in row.iter().enumerate() {
                satisfied[a] |= u32::from(*gap == 0) << b;
            }
        }
        // Rows of bits for the binary measure; bytes only where gaps are measured.
        self.pairs.push(PairTable { cells, satisfied });
        if self.measure == CageMeasure::Gap {
            self.gaps.push(gaps);
        }
    }

    fn push_fold(&mut self, fold: Fold, cells: &[u16], target: u64) {
        let length = cells.len();
        for folds in &mut self.folds {
            if folds.fold == fold && folds.length == length {
                folds.cells.extend_from_slice(cells);
                folds.targets.push(target);
                return;
            }
        }
        self.folds.push(CageFolds { fold, length, cells: cells.to_vec(), targets: vec![target] });
    }

    /// The cage term of a genome.
    #[inline]
    pub(super) fn violation(&self, genome: &[u8]) -> u32 {
        let (values, mut violation) = (&self.values, 0);
        // Asked once and not for every clue: the loops below run for every genome.
        match self.measure {
            CageMeasure::Binary => {
                for pair in &self.pairs {
                    violation += pair.unsatisfied(genome);
                }
                for folds in &self.folds {
                    violation += folds.violation::<false>(genome, values);
                }
                for other in &self.others {
                    violation += u32::from(other.gap(genome, values) > 0);
                }
            }
            CageMeasure::Gap => {
                for (pair, gaps) in self.pairs.iter().zip(&self.gaps) {
                    violation += u32::from(gaps[pair.code(genome)]);
                }
                for folds in &self.folds {
                    violation += folds.violation::<true>(genome, values);
                }
                for other in &self.others {
                    violation += other.gap(genome, values);
                }
            }
        }
        violation
    }
}

#[inline(always)]
fn rank(genome: &[u8], cell: u16) -> usize {
    usize::from(genome[usize::from(cell)]) & 31
}

impl PairTable {
    #[inline(always)]
    fn unsatisfied(&self, genome: &[u8]) -> u32 {
        let row = self.satisfied[rank(genome, self.cells[0])];
        !(row >> rank(genome, self.cells[1])) & 1
    }

    #[inline(always)]
    fn code(&self, genome: &[u8]) -> usize {
        rank(genome, self.cells[0]) * 32 + rank(genome, self.cells[1])
    }
}

impl CageFolds {
    #[inline]
    fn violation<const GAP: bool>(&self, genome: &[u8], values: &[u8; 32]) -> u32 {
        match self.length {
            3 => self.fold::<3, GAP>(genome, values),
            4 => self.fold::<4, GAP>(genome, values),
            5 => self.fold::<5, GAP>(genome, values),
            6 => self.fold::<6, GAP>(genome, values),
            7 => self.fold::<7, GAP>(genome, values),
            _ => self.fold::<8, GAP>(genome, values),
        }
    }

    #[inline]
    fn fold<const N: usize, const GAP: bool>(&self, genome: &[u8], values: &[u8; 32]) -> u32 {
        let digits = |cells: &[u16; N]| cells.map(|cell| u64::from(values[rank(genome, cell)]));
        let made = self.cells.as_chunks::<N>().0.iter().zip(&self.targets);
        match self.fold {
            Fold::Sum => made.map(|(cells, t)| missed::<GAP>(digits(cells).iter().sum(), *t)).sum(),
            Fold::Product => made.map(|(cells, t)| missed::<GAP>(digits(cells).iter().product(), *t)).sum(),
        }
    }
}

#[inline(always)]
fn missed<const GAP: bool>(value: u64, target: u64) -> u32 {
    if GAP { value.abs_diff(target).min(u64::from(GAP_CAP)) as u32 } else { u32::from(value != target) }
}

impl OperatorClue {
    /// The gap of the clue, from its operator.
    fn gap(&self, genome: &[u8], values: &[u8; 32]) -> u32 {
        // Only a cage of more than 1024 cells needs memory.
        let mut short = [0u8; 1024];
        let mut long = Vec::new();
        let digits = match short.get_mut(..self.cells.len()) {
            Some(digits) => digits,
            None => {
                long.resize(self.cells.len(), 0);
                &mut long[..]
            }
        };
        for (digit, cell) in digits.iter_mut().zip(&self.cells) {
            *digit = values[rank(genome, *cell)];
        }
        self.clue.gap(digits)
    }
}

/// The longest product that fits 64 bits for all digits: 255^8.
const LONGEST_PRODUCT: usize = 8;

/// A clue and how it is evaluated.
#[derive(Clone, Debug)]
pub(super) struct CompiledClue {
    pub(super) clue: Clue,
    pub(super) form: ClueForm,
}

/// How a clue is evaluated.
#[derive(Clone, Debug)]
pub(super) enum ClueForm {
    /// One or two cells: their gaps by rank.
    Table(GapTable),
    /// A sum, or a product of up to [`LONGEST_PRODUCT`] cells, with its target.
    Fold(Fold, u64),
    /// Any other clue: its operator is called.
    Operator,
}

/// The gap of a clue by the ranks of its first and second cell, row by row; over one cell the second rank has no
/// effect.
#[derive(Clone, Debug)]
pub(super) struct GapTable {
    digits: usize,
    gaps: Vec<u8>,
}

impl GapTable {
    fn new(clue: Clue, cells: usize, values: &[u8]) -> Self {
        let mut gaps = Vec::with_capacity(values.len() * values.len());
        for first in values {
            for second in values {
                gaps.push(clue.gap(&[*first, *second][..cells]) as u8);
            }
        }
        Self { digits: values.len(), gaps }
    }

    /// The gaps, row by row.
    pub(super) fn gaps(&self) -> &[u8] {
        &self.gaps
    }

    /// For every rank of the first cell, the gaps by the rank of the second.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.gaps.chunks_exact(self.digits)
    }
}

/// The clue of every group that has one, by group.
pub(super) fn compile_clues(problem: &Problem) -> Vec<Option<CompiledClue>> {
    (0..problem.groups()).map(|group| compile_clue(problem, group)).collect()
}

fn compile_clue(problem: &Problem, group: usize) -> Option<CompiledClue> {
    let clue = problem.rule(group).clue?;
    let target = clue.target.unsigned_abs();
    let form = match (problem.cells_of(group).len(), clue.operator.fold) {
        (cells @ (1 | 2), _) => ClueForm::Table(GapTable::new(clue, cells, problem.values())),
        (_, Some(Fold::Sum)) => ClueForm::Fold(Fold::Sum, target),
        (..=LONGEST_PRODUCT, Some(Fold::Product)) => ClueForm::Fold(Fold::Product, target),
        _ => ClueForm::Operator,
    };
    Some(CompiledClue { clue, form })
}
