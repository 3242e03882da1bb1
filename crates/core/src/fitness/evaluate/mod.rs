//! Full evaluation of genomes.

use std::sync::Arc;

use thiserror::Error;

use crate::problem::Problem;
use crate::puzzle::operators::GAP_CAP;

use super::cages::{Cages, CompiledClue, compile_clues};
use super::lane_totals::LANES;
use super::lines::{EqualPairs, PADDING, count_deviation};
use super::objective::MeasuredObjective;
use super::simd::{Lanes, Scratch};
use super::{CageMeasure, Halted, Objective, Scale, Term, Terms, Weights};

/// The violation of one problem, compiled for evaluation.
///
/// A genome is `problem.cells()` ranks, each below `problem.digits()`.
#[derive(Clone, Debug)]
pub struct Fitness {
    problem: Problem,
    weights: Weights,
    measure: CageMeasure,
    clues: Vec<Option<CompiledClue>>,
    pairs: Vec<EqualPairs>,
    cages: Cages,
    lanes: Lanes,
    buffer_size: BufferSize,
    /// What says the fitness in place of the groups, of a problem of the user's own.
    objective: Option<MeasuredObjective>,
}

/// Why a fitness cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FitnessError {
    /// The worst assignment would not fit 32 bits.
    #[error("the largest possible fitness, {worst}, exceeds {}; use smaller weights", u32::MAX)]
    TooLarge {
        /// An upper bound of the fitness.
        worst: u64,
    },
}

/// The size of the genome with its padding: a power of 4 from 64 on, so that small problems clear little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BufferSize {
    Bytes64,
    Bytes256,
    Bytes1024,
    Bytes4096,
    Heap(usize),
}

impl Fitness {
    /// Compiles the fitness of a problem.
    ///
    /// # Errors
    /// [`FitnessError::TooLarge`] when weights make a fitness possible that does not fit 32 bits.
    pub fn new(problem: Problem, weights: Weights, measure: CageMeasure) -> Result<Self, FitnessError> {
        let worst = worst_case(&problem, &weights);
        if worst > u64::from(u32::MAX) {
            return Err(FitnessError::TooLarge { worst });
        }
        let clues = compile_clues(&problem);
        let (pairs, cages) = (EqualPairs::compile(&problem), Cages::compile(&problem, &clues, measure));
        let reach = pairs.iter().map(EqualPairs::reach).max().unwrap_or(0).max(problem.cells());
        let lanes = Lanes::compile(&problem, &clues, weights, measure);
        Ok(Self {
            problem,
            weights,
            measure,
            clues,
            pairs,
            cages,
            lanes,
            buffer_size: BufferSize::for_bytes(reach),
            objective: None,
        })
    }

    /// The fitness of a problem of the user's own: what `objective` says, on a scale. Terms and weights tell nothing of it; the
    /// fitness stands in the term `cage`.
    pub fn of_objective(problem: Problem, objective: Arc<dyn Objective>, scale: Scale) -> Self {
        let weights = Weights { cage: 1, ..Weights::default() };
        let plain = Self::new(problem, weights, CageMeasure::Binary).expect("no group, no violation");
        Self { objective: Some(MeasuredObjective::new(objective, scale)), ..plain }
    }

    /// How values of the objective become fitness; `None` of a puzzle.
    pub fn scale(&self) -> Option<&Scale> {
        self.objective.as_ref().map(MeasuredObjective::scale)
    }

    /// Whether fitness 0 is a solution: always of a puzzle; of a problem of the user's own if its optimum is known.
    pub fn zero_is_solved(&self) -> bool {
        self.scale().is_none_or(|scale| scale.is_optimum)
    }

    /// Why there are no more values, if so; always `None` of a puzzle.
    pub fn halted(&self) -> Option<&Halted> {
        self.objective.as_ref().and_then(MeasuredObjective::halted)
    }

    /// An objective says what genomes are worth.
    #[inline]
    pub(super) fn is_of_objective(&self) -> bool {
        self.objective.is_some()
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The compiled clue of a group, if it has one.
    pub(super) fn clue(&self, group: usize) -> Option<&CompiledClue> {
        self.clues[group].as_ref()
    }

    /// How clues are measured.
    pub fn measure(&self) -> CageMeasure {
        self.measure
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The fitness of a genome: one evaluation.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    #[inline]
    pub fn evaluate(&self, genome: &[u8]) -> u32 {
        if let Some(objective) = &self.objective {
            return objective.evaluate(genome);
        }
        self.terms_of::<true>(genome).weighted(&self.weights)
    }

    /// As [`evaluate_each`](Self::evaluate_each), for genomes as in [`evaluate_permuted`](Self::evaluate_permuted).
    ///
    /// # Panics
    /// When there are not as many genomes as values.
    pub(crate) fn evaluate_each_permuted(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        self.each::<false>(genomes, values, scratch);
    }

    /// As [`terms_each`](Self::terms_each), for genomes as in [`evaluate_permuted`](Self::evaluate_permuted).
    ///
    /// # Panics
    /// When there are not as many genomes as terms.
    pub(crate) fn terms_each_permuted(&self, genomes: &[u8], terms: &mut [Terms], scratch: &mut Scratch) {
        self.split::<false>(genomes, terms, scratch);
    }

    /// The terms of a genome, unweighted.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    pub fn terms(&self, genome: &[u8]) -> Terms {
        if let Some(objective) = &self.objective {
            return Terms { cage: objective.evaluate(genome), ..Terms::default() };
        }
        self.terms_of::<true>(genome)
    }

    /// The violation of every group, unweighted: pairs of equal digits where it is distinct, plus its clue's measure.
    /// The count term belongs to no group.
    ///
    /// # Panics
    /// When `violations` has another length than the problem has groups.
    pub fn groups(&self, genome: &[u8], violations: &mut [u32]) {
        assert_eq!(violations.len(), self.problem.groups(), "one number a group");
        let mut ranks = Vec::new();
        for (group, violation) in violations.iter_mut().enumerate() {
            ranks.clear();
            ranks.extend(self.problem.cells_of(group).iter().map(|cell| genome[usize::from(*cell)]));
            *violation = self.group_violation(group, &mut ranks);
        }
    }

    fn group_violation(&self, group: usize, ranks: &mut [u8]) -> u32 {
        let rule = self.problem.rule(group);
        let mut violation = 0;
        if rule.distinct {
            for (index, rank) in ranks.iter().enumerate() {
                violation += ranks[..index].iter().filter(|other| *other == rank).count() as u32;
            }
        }
        if let Some(clue) = rule.clue {
            // Clues are over digits; the ranks are not needed any more.
            for rank in &mut *ranks {
                *rank = self.problem.values()[usize::from(*rank)];
            }
            violation += measured(clue.gap(ranks), self.measure);
        }
        violation
    }

    fn each<const LINES: bool>(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        if let Some(objective) = &self.objective {
            assert_eq!(genomes.len(), self.problem.cells() * values.len(), "one genome a value");
            return objective.evaluate_each(genomes, values);
        }
        self.fill(
            genomes,
            values,
            |genomes| self.lanes.evaluate::<LINES>(genomes, scratch),
            |genome| self.terms_of::<LINES>(genome).weighted(&self.weights),
        );
    }

    fn split<const LINES: bool>(&self, genomes: &[u8], terms: &mut [Terms], scratch: &mut Scratch) {
        if self.is_of_objective() {
            // An objective says one number for a genome: it stands as the cage term.
            let mut values = vec![0; terms.len()];
            self.each::<LINES>(genomes, &mut values, scratch);
            for (terms, value) in terms.iter_mut().zip(values) {
                *terms = Terms { cage: value, ..Terms::default() };
            }
            return;
        }
        self.fill(
            genomes,
            terms,
            |genomes| self.lanes.terms::<LINES>(genomes, scratch),
            |genome| self.terms_of::<LINES>(genome),
        );
    }

    /// Writes the fitness of genomes, sixteen at a time and the last ones one by one.
    #[inline(always)]
    fn fill<T: Copy + Default>(
        &self,
        genomes: &[u8],
        values: &mut [T],
        mut sixteen: impl FnMut(&[u8]) -> [T; LANES],
        one: impl Fn(&[u8]) -> T,
    ) {
        let cells = self.problem.cells();
        assert_eq!(genomes.len(), cells * values.len(), "one genome a value");
        // Chunks of no cells would be none.
        if cells == 0 {
            return values.fill(T::default());
        }
        // Lanes first; the last genomes, too few for them, one by one.
        let (sixteens, rest) = values.as_chunks_mut::<LANES>();
        let (in_lanes, alone) = genomes.split_at(sixteens.len() * LANES * cells);
        for (values, genomes) in sixteens.iter_mut().zip(in_lanes.chunks_exact(LANES * cells)) {
            *values = sixteen(genomes);
        }
        for (value, genome) in rest.iter_mut().zip(alone.chunks_exact(cells)) {
            *value = one(genome);
        }
    }

    #[inline]
    fn terms_of<const LINES: bool>(&self, genome: &[u8]) -> Terms {
        assert_eq!(genome.len(), self.problem.cells(), "one rank a cell");
        match self.buffer_size {
            BufferSize::Bytes64 => self.padded::<LINES>(genome, &mut [PADDING; 64]),
            BufferSize::Bytes256 => self.padded::<LINES>(genome, &mut [PADDING; 256]),
            BufferSize::Bytes1024 => self.padded::<LINES>(genome, &mut [PADDING; 1024]),
            BufferSize::Bytes4096 => self.padded::<LINES>(genome, &mut [PADDING; 4096]),
            BufferSize::Heap(bytes) => self.padded::<LINES>(genome, &mut vec![PADDING; bytes]),
        }
    }

    #[inline]
    fn padded<const LINES: bool>(&self, genome: &[u8], buffer: &mut [u8]) -> Terms {
        // Blocks of sixteen cells may reach beyond the genome.
        buffer[..genome.len()].copy_from_slice(genome);
        let mut terms = Terms { cage: self.cages.violation(genome), ..Terms::default() };
        for pairs in self.pairs.iter().filter(|pairs| LINES || !pairs.of_lines) {
            *terms.of_mut(pairs.term) += pairs.equal(buffer);
        }
        if let (true, Some(expected)) = (LINES, self.problem.expected()) {
            let blocks = genome.len().next_multiple_of(16);
            terms.count = count_deviation(&buffer[..blocks], self.problem.digits(), expected);
        }
        terms
    }
}

// The rooms of kenga use these; their names may change.
#[doc(hidden)]
impl Fitness {
    /// Another fitness of the same problem and scale, for a run of its own.
    ///
    /// # Panics
    /// When it is that of a puzzle.
    #[must_use]
    pub fn with_objective(&self, objective: Arc<dyn Objective>) -> Self {
        let scale = *self.scale().expect("a problem of the user's own");
        Self { objective: Some(MeasuredObjective::new(objective, scale)), ..self.clone() }
    }

    /// Lets the objective check its values at the end of a run; [`halted`](Self::halted) then says what is wrong.
    pub fn finish(&self) {
        if let Some(objective) = &self.objective {
            objective.finish();
        }
    }

    /// Seconds of CPU time that other processes have used for the objective so far.
    pub fn helpers_cpu_s(&self) -> f64 {
        self.objective.as_ref().map_or(0.0, MeasuredObjective::helpers_cpu_s)
    }

    /// What the value of a genome of a problem of the user's own consists of; `None` where that cannot be known.
    pub fn objective_terms(&self, genome: &[u8]) -> Option<Vec<f64>> {
        self.objective.as_ref()?.terms(genome)
    }

    /// The fitness of a genome in which every line of [`Problem::lines`] holds every digit once, so that lines and the
    /// count term are skipped.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    #[inline]
    pub fn evaluate_permuted(&self, genome: &[u8]) -> u32 {
        if let Some(objective) = &self.objective {
            return objective.evaluate(genome);
        }
        self.terms_of::<false>(genome).weighted(&self.weights)
    }

    /// Writes the fitness of genomes that lie one after the other into `values`: as many evaluations as there are
    /// values.
    ///
    /// # Panics
    /// When there are not as many genomes as values.
    pub fn evaluate_each(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        self.each::<true>(genomes, values, scratch);
    }

    /// Writes the terms of genomes that lie one after the other, unweighted: as many evaluations as there are terms.
    ///
    /// # Panics
    /// When there are not as many genomes as terms.
    pub fn terms_each(&self, genomes: &[u8], terms: &mut [Terms], scratch: &mut Scratch) {
        self.split::<true>(genomes, terms, scratch);
    }
}

impl BufferSize {
    fn for_bytes(bytes: usize) -> Self {
        match bytes.next_multiple_of(16) {
            0..=64 => Self::Bytes64,
            65..=256 => Self::Bytes256,
            257..=1024 => Self::Bytes1024,
            1025..=4096 => Self::Bytes4096,
            more => Self::Heap(more),
        }
    }
}

/// The violation of a clue by its gap.
pub(super) fn measured(gap: u32, measure: CageMeasure) -> u32 {
    match measure {
        CageMeasure::Binary => u32::from(gap > 0),
        CageMeasure::Gap => gap,
    }
}

/// An upper bound of the fitness.
fn worst_case(problem: &Problem, weights: &Weights) -> u64 {
    let mut worst = 2 * problem.cells() as u64 * u64::from(weights.count);
    for group in 0..problem.groups() {
        let (cells, rule) = (problem.cells_of(group).len() as u64, problem.rule(group));
        if rule.distinct {
            let term = Term::of_distinct(problem, group);
            // All cells equal.
            worst += cells * (cells - 1) / 2 * u64::from(weights.of(term));
        }
        worst += u64::from(rule.clue.is_some()) * u64::from(GAP_CAP) * u64::from(weights.cage);
    }
    worst
}

#[cfg(test)]
mod tests;
