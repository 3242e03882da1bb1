//! Evaluation of sixteen genomes at a time, one in each lane of a vector.
//!
//! ```text
//! genomes    1 2 3 …      cells    1 3 2 …    cell 0 of every genome
//!            3 1 2 …               2 1 3 …    cell 1
//!            2 3 1 …               3 2 1 …
//! ```
//!
//! With genomes transposed, no index depends on a digit: a pair of cells is one comparison for sixteen genomes, a sum
//! one addition for each cell, and nothing is summed across lanes. A clue over one or two cells is the list of the
//! digits that satisfy it; sums and products of more cells fold in 16 bits. All other clues, and all where gaps are
//! measured, are left to [`Cages`], genome by genome.

use std::array;

use wide::u8x16;

use crate::problem::Problem;
use crate::puzzle::Clue;
use crate::puzzle::operators::Fold;

use super::cages::{Cages, ClueForm, CompiledClue, GapTable};
use super::lane_totals::{LANES, LaneTotals, Separate, Sums, Weighted};
use super::{CageMeasure, Term, Terms, Weights};

/// Memory for sixteen transposed genomes, reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Vec<u8x16>);

/// A fitness compiled for lanes.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    cells: usize,
    digits: u8,
    expected: Option<u32>,
    weights: Weights,
    groups: Vec<DistinctGroup>,
    pairs: Vec<PairCodes>,
    folds: Vec<NarrowFold>,
    rest: Cages,
}

/// A distinct group.
#[derive(Clone, Debug)]
struct DistinctGroup {
    cells: Vec<u16>,
    term: Term,
    of_lines: bool,
}

/// A clue over two cells; one over a single cell names it twice.
#[derive(Clone, Debug)]
struct PairCodes {
    cells: [u16; 2],
    /// The codes, `16 * first + second`, of the ranks that satisfy the clue.
    satisfied: Vec<u8x16>,
}

/// A sum or product that fits 16 bits for all digits.
#[derive(Clone, Debug)]
struct NarrowFold {
    fold: Fold,
    target: u16,
    /// The value of rank 0; the values of the other ranks follow without a gap.
    least: u16,
    cells: Vec<u16>,
}

impl Lanes {
    pub(super) fn compile(
        problem: &Problem,
        clues: &[Option<CompiledClue>],
        weights: Weights,
        measure: CageMeasure,
    ) -> Self {
        let mut lanes = Self {
            cells: problem.cells(),
            digits: problem.digits() as u8,
            expected: problem.expected(),
            weights,
            groups: distinct_groups(problem, &weights),
            pairs: Vec::new(),
            folds: Vec::new(),
            rest: Cages::new(problem, measure),
        };
        for (group, clue) in clues.iter().enumerate() {
            let Some(clue) = clue else { continue };
            let cells = problem.cells_of(group);
            // Lanes tell whether a clue holds, not by how much it does not.
            if measure == CageMeasure::Gap || !lanes.push(clue, cells, problem.values()) {
                lanes.rest.push(clue, cells);
            }
        }
        lanes
    }

    /// Adds a clue. False if it does not fit.
    fn push(&mut self, compiled: &CompiledClue, cells: &[u16], values: &[u8]) -> bool {
        match (&compiled.form, narrow_fold(compiled.clue, cells, values)) {
            (ClueForm::Table(table), _) if values.len() <= LANES => self.push_pair(table, cells),
            (_, Some(folded)) => self.folds.push(folded),
            _ => return false,
        }
        true
    }

    fn push_pair(&mut self, table: &GapTable, cells: &[u16]) {
        let mut satisfied = Vec::new();
        for (a, row) in table.rows().enumerate() {
            for (b, gap) in row.iter().enumerate() {
                // A clue over a single cell, which is named twice, holds where both are the same rank.
                if *gap == 0 && (cells.len() > 1 || a == b) {
                    satisfied.push(u8x16::splat((a * LANES + b) as u8));
                }
            }
        }
        self.pairs.push(PairCodes { cells: [cells[0], cells[cells.len() - 1]], satisfied });
    }

    /// The fitness of sixteen genomes that lie one after the other.
    pub(super) fn evaluate<const LINES: bool>(&self, genomes: &[u8], scratch: &mut Scratch) -> [u32; LANES] {
        let mut total = Weighted::new(self.weights);
        self.sum::<LINES, _>(genomes, scratch, &mut total);
        total.finish()
    }

    /// The terms of sixteen genomes that lie one after the other, unweighted.
    pub(super) fn terms<const LINES: bool>(&self, genomes: &[u8], scratch: &mut Scratch) -> [Terms; LANES] {
        let mut totals = Separate::new();
        self.sum::<LINES, _>(genomes, scratch, &mut totals);
        totals.finish()
    }

    #[inline(always)]
    fn sum<const LINES: bool, T: LaneTotals>(&self, genomes: &[u8], scratch: &mut Scratch, totals: &mut T) {
        // Terms in an order in which few sums have to be moved to the totals.
        let cells = transpose(genomes, self.cells, &mut scratch.0);
        let mut sums = Sums::of(totals);
        self.add_groups::<LINES, _>(cells, &mut sums);
        if let (true, Some(expected)) = (LINES, self.expected) {
            self.add_count(cells, expected, &mut sums);
        }
        self.add_pairs(cells, &mut sums);
        self.add_folds(cells, &mut sums);
        sums.flush();
        if !self.rest.is_empty() {
            let mut missed = [0; LANES];
            for (missed, genome) in missed.iter_mut().zip(genomes.chunks_exact(self.cells)) {
                *missed = self.rest.violation(genome);
            }
            totals.add(Term::Cage, missed);
        }
    }

    #[inline(always)]
    fn add_groups<const LINES: bool, T: LaneTotals>(&self, cells: &[u8x16], sums: &mut Sums<'_, T>) {
        for group in &self.groups {
            if !LINES && group.of_lines {
                continue;
            }
            // Of a length that the compiler knows it makes no loops, whose ends the processor would have to guess.
            match group.cells.len() {
                4 => add_group_of::<4, T>(group, cells, sums),
                5 => add_group_of::<5, T>(group, cells, sums),
                6 => add_group_of::<6, T>(group, cells, sums),
                7 => add_group_of::<7, T>(group, cells, sums),
                8 => add_group_of::<8, T>(group, cells, sums),
                9 => add_group_of::<9, T>(group, cells, sums),
                _ => add_group(group, cells, sums),
            }
        }
    }

    #[inline(always)]
    fn add_count<T: LaneTotals>(&self, cells: &[u8x16], expected: u32, sums: &mut Sums<'_, T>) {
        if cells.len() <= FEW_CELLS {
            // It is the number of lines, which have a cell each at least.
            self.add_few_counts(cells, expected as u8, sums);
        } else {
            self.add_many_counts(cells, expected, sums);
        }
    }

    /// The count term in bytes.
    #[inline(always)]
    fn add_few_counts<T: LaneTotals>(&self, cells: &[u8x16], expected: u8, sums: &mut Sums<'_, T>) {
        let expected = u8x16::splat(expected);
        let deviation = |counted: u8x16| counted.saturating_sub(expected) | expected.saturating_sub(counted);
        // Every cell holds a digit, so that the last one has what the others leave.
        let (mut deviations, mut rest) = (u8x16::ZERO, u8x16::splat(cells.len() as u8));
        let (mut first, last) = (0, self.digits - 1);
        while first < last {
            // Three to five at a time, so that none is counted in vain in grids of 4x4 to 11x11.
            let counted: &[u8x16] = match last - first {
                3 | 6 => &count_digits::<3>(first, cells),
                5 | 10 => &count_digits::<5>(first, cells),
                _ => &count_digits::<4>(first, cells),
            };
            let some = counted.len().min(usize::from(last - first));
            for counted in &counted[..some] {
                deviations += deviation(*counted);
                rest -= *counted;
            }
            first += some as u8;
        }
        sums.ready(Term::Count, 2 * cells.len());
        sums.lanes += deviations + deviation(rest);
    }

    /// The count term of more cells than bytes can hold.
    fn add_many_counts<T: LaneTotals>(&self, cells: &[u8x16], expected: u32, sums: &mut Sums<'_, T>) {
        let mut deviations = [0; LANES];
        for first in (0..self.digits).step_by(DIGITS_AT_ONCE) {
            let mut surplus = [[-(expected as i32); LANES]; DIGITS_AT_ONCE];
            for cells in cells.chunks(usize::from(u8::MAX)) {
                let counted: [u8x16; DIGITS_AT_ONCE] = count_digits(first, cells);
                for (surplus, counted) in surplus.iter_mut().zip(counted) {
                    for (sum, more) in surplus.iter_mut().zip(counted.to_array()) {
                        *sum += i32::from(more);
                    }
                }
            }
            // The last of them may be no digits.
            for surplus in &surplus[..DIGITS_AT_ONCE.min(usize::from(self.digits - first))] {
                for (sum, surplus) in deviations.iter_mut().zip(surplus) {
                    *sum += surplus.unsigned_abs();
                }
            }
        }
        sums.add(Term::Count, deviations);
    }

    #[inline(always)]
    fn add_pairs<T: LaneTotals>(&self, cells: &[u8x16], sums: &mut Sums<'_, T>) {
        for PairCodes { cells: [first, second], satisfied } in &self.pairs {
            let doubled = |lanes: u8x16| lanes + lanes;
            let high = doubled(doubled(doubled(doubled(cells[usize::from(*first)]))));
            let code = high + cells[usize::from(*second)];
            sums.ready(Term::Cage, 1);
            let unsatisfied = u8x16::splat(1);
            // A comparison is 255 where it holds, which is minus one: the 1 of an unsatisfied clue becomes 0.
            sums.lanes += satisfied.iter().fold(unsatisfied, |sum, other| sum + code.simd_eq(*other));
        }
    }

    #[inline(always)]
    fn add_folds<T: LaneTotals>(&self, cells: &[u8x16], sums: &mut Sums<'_, T>) {
        for folded in &self.folds {
            sums.ready(Term::Cage, 1);
            let values =
                |cell: &u16| cells[usize::from(*cell)].to_array().map(|rank| u16::from(rank) + folded.least);
            let made = match folded.fold {
                Fold::Sum => fold(folded.cells.iter().map(values), 0, u16::wrapping_add),
                Fold::Product => fold(folded.cells.iter().map(values), 1, u16::wrapping_mul),
            };
            sums.lanes += u8x16::from(made.map(|made| u8::from(made != folded.target)));
        }
    }
}

/// The distinct groups, sorted by weight, then by term.
fn distinct_groups(problem: &Problem, weights: &Weights) -> Vec<DistinctGroup> {
    let lines = problem.lines().unwrap_or_default();
    let mut groups = Vec::new();
    for group in 0..problem.groups() {
        if problem.rule(group).distinct {
            groups.push(DistinctGroup {
                cells: problem.cells_of(group).to_vec(),
                term: Term::of_distinct(problem, group),
                of_lines: lines.contains(&group),
            });
        }
    }
    // Sums in bytes are added to the totals where the weight or the term changes.
    groups.sort_by_key(|group| (weights.of(group.term), group.term as usize));
    groups
}

/// Digits counted in one pass over many cells: their sums do not wait for each other.
const DIGITS_AT_ONCE: usize = 3;

/// The deviations of so many cells sum to a byte: a cell adds at most two, as a digit too many and for one that lacks.
const FEW_CELLS: usize = 127;

/// Counts a digit and those after it in at most 255 cells.
#[inline(always)]
fn count_digits<const N: usize>(first: u8, cells: &[u8x16]) -> [u8x16; N] {
    let digits: [u8x16; N] = array::from_fn(|index| u8x16::splat(first + index as u8));
    let mut counted = [u8x16::ZERO; N];
    for cell in cells {
        for (counted, digit) in counted.iter_mut().zip(digits) {
            *counted -= cell.simd_eq(digit);
        }
    }
    counted
}

/// Adds the equal pairs of a group of `N` cells, at most 23: so many fit a byte.
#[inline(always)]
fn add_group_of<const N: usize, T: LaneTotals>(
    group: &DistinctGroup,
    cells: &[u8x16],
    sums: &mut Sums<'_, T>,
) {
    let numbers: &[u16; N] = group.cells[..].try_into().expect("the group has this length");
    let line = numbers.map(|cell| cells[usize::from(cell)]);
    // A sum of its own, so that no group waits for the last one.
    let mut equal = u8x16::ZERO;
    for index in 1..N {
        for other in 0..index {
            equal += line[index].simd_eq(line[other]);
        }
    }
    sums.ready(group.term, N * (N - 1) / 2);
    sums.lanes -= equal;
}

/// Adds the equal pairs of a group of any length.
fn add_group<T: LaneTotals>(group: &DistinctGroup, cells: &[u8x16], sums: &mut Sums<'_, T>) {
    for (index, cell) in group.cells.iter().enumerate() {
        let cell = cells[usize::from(*cell)];
        for others in group.cells[..index].chunks(usize::from(u8::MAX)) {
            sums.ready(group.term, others.len());
            for other in others {
                sums.lanes -= cell.simd_eq(cells[usize::from(*other)]);
            }
        }
    }
}

/// The clue as a fold, if it is one that fits 16 bits and the digits have no gap.
fn narrow_fold(clue: Clue, cells: &[u16], values: &[u8]) -> Option<NarrowFold> {
    let fold = clue.operator.fold?;
    let (least, most) = (*values.first()?, *values.last()?);
    let length = u32::try_from(cells.len()).ok()?;
    let largest = match fold {
        Fold::Sum => u64::from(length) * u64::from(most),
        Fold::Product => u64::from(most).checked_pow(length)?,
    };
    let fits = largest <= u64::from(u16::MAX) && usize::from(most - least) + 1 == values.len();
    // No digits make a target that does not fit.
    let target = u16::try_from(clue.target).ok()?;
    fits.then(|| NarrowFold { fold, target, least: u16::from(least), cells: cells.to_vec() })
}

#[inline(always)]
fn fold(cells: impl Iterator<Item = [u16; LANES]>, start: u16, combine: fn(u16, u16) -> u16) -> [u16; LANES] {
    let mut made = [start; LANES];
    for values in cells {
        for (made, value) in made.iter_mut().zip(values) {
            *made = combine(*made, value);
        }
    }
    made
}

/// Transposes sixteen genomes: cell by cell, a lane for each genome.
fn transpose<'a>(genomes: &[u8], cells: usize, columns: &'a mut Vec<u8x16>) -> &'a [u8x16] {
    columns.resize(cells.max(LANES), u8x16::ZERO);
    let mut rows = [u8x16::ZERO; LANES];
    // The last block ends at the last cell and overlaps the one before: none is short, but that of a genome of
    // fewer than sixteen cells.
    let mut block = |from: usize| {
        for (row, genome) in rows.iter_mut().zip(genomes.chunks_exact(cells)) {
            *row = match genome[from..].first_chunk::<LANES>() {
                Some(ranks) => u8x16::from(*ranks),
                None => short(genome),
            };
        }
        columns[from..from + LANES].copy_from_slice(&transpose_block(rows));
    };
    (0..cells / LANES).for_each(|index| block(index * LANES));
    if !cells.is_multiple_of(LANES) {
        block(cells.saturating_sub(LANES));
    }
    &columns[..cells]
}

/// Exchanges rows and columns. Each round interleaves row `i` with row `i + 8`, which rotates the eight bits of an
/// element's place, row before column, by one; four rounds exchange the halves.
#[inline]
fn transpose_block(mut rows: [u8x16; LANES]) -> [u8x16; LANES] {
    for _ in 0..4 {
        let mut shuffled = [u8x16::ZERO; LANES];
        for (index, pair) in shuffled.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let (upper, lower) = (rows[index], rows[index + LANES / 2]);
            *pair = [u8x16::unpack_low(upper, lower), u8x16::unpack_high(upper, lower)];
        }
        rows = shuffled;
    }
    rows
}

/// The ranks of a genome of fewer than sixteen cells.
fn short(genome: &[u8]) -> u8x16 {
    let mut ranks = [0; LANES];
    ranks[..genome.len()].copy_from_slice(genome);
    ranks.into()
}
