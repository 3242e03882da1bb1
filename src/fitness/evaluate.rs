//! Full evaluation over flat data.

use thiserror::Error;

use crate::problem::Problem;
use crate::puzzle::operators::GAP_CAP;

use super::cages::Cages;
use super::lanes::{LANES, Lanes, Scratch};
use super::lines::{PADDING, Pairs, count_deviation};
use super::{CageMeasure, Term, Terms, Weights};

/// The violation of one problem, compiled for evaluation.
///
/// A genome is `problem.cells()` ranks, each below `problem.digits()`.
#[derive(Clone, Debug)]
pub struct Fitness {
    problem: Problem,
    weights: Weights,
    measure: CageMeasure,
    pairs: Vec<Pairs>,
    cages: Cages,
    lanes: Lanes,
    room: Room,
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

/// How many bytes the genome and its padding fill: a power of 4 from 64 on, so that small problems clear little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
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
        let (pairs, cages) = (Pairs::compile(&problem), Cages::compile(&problem, measure));
        let reach = pairs.iter().map(Pairs::reach).chain([problem.cells()]).max().unwrap_or(0);
        let lanes = Lanes::compile(&problem, weights, measure);
        Ok(Self { problem, weights, measure, pairs, cages, lanes, room: Room::for_bytes(reach) })
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// How clues are measured.
    pub fn measure(&self) -> CageMeasure {
        self.measure
    }

    /// The fitness of a genome: one evaluation.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    #[inline]
    pub fn evaluate(&self, genome: &[u8]) -> u32 {
        self.terms_of::<true>(genome).weighted(&self.weights)
    }

    /// The fitness of a genome in which every line of [`Problem::lines`] is known to hold every digit once, so that
    /// neither they nor the count term need a look.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    #[inline]
    pub fn evaluate_permuted(&self, genome: &[u8]) -> u32 {
        self.terms_of::<false>(genome).weighted(&self.weights)
    }

    /// Writes the fitness of genomes that lie one after the other into `values`: as many evaluations as there are values.
    ///
    /// # Panics
    /// When there are not as many genomes as values.
    pub fn evaluate_each(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        self.each::<true>(genomes, values, scratch);
    }

    /// As [`evaluate_each`](Self::evaluate_each), for genomes as in [`evaluate_permuted`](Self::evaluate_permuted).
    ///
    /// # Panics
    /// When there are not as many genomes as values.
    pub fn evaluate_each_permuted(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        self.each::<false>(genomes, values, scratch);
    }

    /// The terms of a genome, unweighted.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    pub fn terms(&self, genome: &[u8]) -> Terms {
        self.terms_of::<true>(genome)
    }

    /// The violation of every group, unweighted: pairs of equal digits where it is distinct, plus its clue's measure.
    /// The count term belongs to no group.
    ///
    /// # Panics
    /// When `violations` has another length than the problem has groups.
    pub fn groups(&self, genome: &[u8], violations: &mut [u32]) {
        assert_eq!(violations.len(), self.problem.groups(), "one number a group");
        let mut digits = Vec::new();
        for (group, violation) in violations.iter_mut().enumerate() {
            digits.clear();
            digits.extend(self.problem.cells_of(group).iter().map(|cell| genome[usize::from(*cell)]));
            *violation = self.group_violation(group, &mut digits);
        }
    }

    fn group_violation(&self, group: usize, ranks: &mut [u8]) -> u32 {
        let rule = self.problem.rule(group);
        let equal =
            |(index, rank): (usize, &u8)| ranks[..index].iter().filter(|other| *other == rank).count();
        let pairs = if rule.distinct { ranks.iter().enumerate().map(equal).sum::<usize>() as u32 } else { 0 };
        let values = self.problem.values();
        ranks.iter_mut().for_each(|rank| *rank = values[usize::from(*rank)]);
        pairs + rule.clue.map_or(0, |clue| measured(clue.gap(ranks), self.measure))
    }

    fn each<const LINES: bool>(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        let cells = self.problem.cells();
        assert_eq!(genomes.len(), cells * values.len(), "one genome a value");
        if cells == 0 {
            return values.fill(0);
        }
        let (sixteens, rest) = values.as_chunks_mut::<LANES>();
        let (in_lanes, alone) = genomes.split_at(sixteens.len() * LANES * cells);
        for (values, genomes) in sixteens.iter_mut().zip(in_lanes.chunks_exact(LANES * cells)) {
            *values = self.lanes.evaluate::<LINES>(genomes, scratch);
        }
        for (value, genome) in rest.iter_mut().zip(alone.chunks_exact(cells)) {
            *value = self.terms_of::<LINES>(genome).weighted(&self.weights);
        }
    }

    #[inline]
    fn terms_of<const LINES: bool>(&self, genome: &[u8]) -> Terms {
        assert_eq!(genome.len(), self.problem.cells(), "one rank a cell");
        match self.room {
            Room::Bytes64 => self.padded::<LINES>(genome, &mut [PADDING; 64]),
            Room::Bytes256 => self.padded::<LINES>(genome, &mut [PADDING; 256]),
            Room::Bytes1024 => self.padded::<LINES>(genome, &mut [PADDING; 1024]),
            Room::Bytes4096 => self.padded::<LINES>(genome, &mut [PADDING; 4096]),
            Room::Heap(bytes) => self.padded::<LINES>(genome, &mut vec![PADDING; bytes]),
        }
    }

    #[inline]
    fn padded<const LINES: bool>(&self, genome: &[u8], buffer: &mut [u8]) -> Terms {
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

impl Room {
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

/// A measured clue: the gap itself, or whether there is one.
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
            worst += cells * (cells - 1) / 2 * u64::from(weights.of(term));
        }
        worst += u64::from(rule.clue.is_some()) * u64::from(GAP_CAP) * u64::from(weights.cage);
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::operators::find;
    use crate::puzzle::{Clue, DigitSet, Grid, Group, Kind, Puzzle, Role, check, samples};
    use crate::rng::{RunRng, StreamKey};

    const MEASURES: [CageMeasure; 2] = [CageMeasure::Binary, CageMeasure::Gap];

    fn rng() -> RunRng {
        StreamKey::run(7, "fitness", 0).rng()
    }

    fn random_genome(problem: &Problem, rng: &mut RunRng) -> Vec<u8> {
        (0..problem.cells()).map(|_| rng.below(problem.digits()) as u8).collect()
    }

    /// The terms by their definition, cell by cell.
    fn slow_terms(problem: &Problem, genome: &[u8], measure: CageMeasure) -> Terms {
        let mut terms = Terms::default();
        for group in 0..problem.groups() {
            let (rule, cells) = (problem.rule(group), problem.cells_of(group));
            let digit = |cell: &u16| genome[usize::from(*cell)];
            for (index, a) in cells.iter().enumerate().filter(|_| rule.distinct) {
                let equal = cells[..index].iter().filter(|b| digit(a) == digit(b)).count();
                *terms.of_mut(Term::of_distinct(problem, group)) += equal as u32;
            }
            if let Some(clue) = rule.clue {
                let values: Vec<u8> = cells.iter().map(|c| problem.values()[usize::from(digit(c))]).collect();
                terms.cage += measured(clue.gap(&values), measure);
            }
        }
        if let Some(expected) = problem.expected() {
            let occurrences =
                |digit: usize| genome.iter().filter(|rank| usize::from(**rank) == digit).count();
            terms.count =
                (0..problem.digits()).map(|digit| (occurrences(digit) as u32).abs_diff(expected)).sum();
        }
        terms
    }

    fn agree(problem: &Problem, genome: &[u8]) {
        for measure in MEASURES {
            let fitness = Fitness::new(problem.clone(), Weights::ORIGINAL, measure).expect("small weights");
            let terms = slow_terms(problem, genome, measure);
            assert_eq!(fitness.terms(genome), terms);
            assert_eq!(fitness.evaluate(genome), terms.weighted(&Weights::ORIGINAL));
            each_agrees(&fitness, genome);
            let mut groups = vec![0; problem.groups()];
            fitness.groups(genome, &mut groups);
            assert_eq!(groups.iter().sum::<u32>(), terms.row + terms.column + terms.region + terms.cage);
        }
    }

    /// Many genomes at a time are worth what each is alone: the genome's rotations, more than a whole number of lanes.
    fn each_agrees(fitness: &Fitness, genome: &[u8]) {
        let cells = genome.len();
        let rotated = |by: usize| {
            let mut genome = genome.to_vec();
            genome.rotate_left(by % cells);
            genome
        };
        let genomes: Vec<Vec<u8>> = (0..2 * LANES + 3).map(rotated).collect();
        let mut values = vec![0; genomes.len()];
        fitness.evaluate_each(&genomes.concat(), &mut values, &mut Scratch::default());
        let alone: Vec<u32> = genomes.iter().map(|genome| fitness.evaluate(genome)).collect();
        assert_eq!(values, alone);
    }

    #[test]
    fn the_fast_path_agrees_with_the_definition_at_every_size() {
        let mut rng = rng();
        for size in (1..=25).chain([32]) {
            for _ in 0..4 {
                let problem = Problem::compile(&samples::kenken(size, |n| rng.below(n)));
                let genome = random_genome(&problem, &mut rng);
                agree(&problem, &genome);
                agree(&problem, &vec![0; problem.cells()]);
            }
        }
    }

    #[test]
    fn zero_means_solved_and_solved_means_zero() {
        let mut rng = rng();
        let mut solutions = 0;
        for round in 0..200 {
            let puzzle = samples::kenken(1 + round % 3, |n| rng.below(n));
            let problem = Problem::compile(&puzzle);
            for measure in MEASURES {
                let fitness =
                    Fitness::new(problem.clone(), Weights::ORIGINAL, measure).expect("small weights");
                for _ in 0..100 {
                    let genome = random_genome(&problem, &mut rng);
                    let solved = check(&puzzle, &problem.grid(&genome)).is_solution();
                    assert_eq!(fitness.evaluate(&genome) == 0, solved);
                    solutions += usize::from(solved);
                }
            }
        }
        assert!(solutions > 1000, "the sample has solutions: {solutions}");
    }

    #[test]
    fn permuted_lines_need_no_look() {
        let mut rng = rng();
        for size in [1, 4, 9, 17] {
            let problem = Problem::compile(&samples::kenken(size, |n| rng.below(n)));
            let fitness =
                Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
            let mut genome: Vec<u8> = (0..size * size).map(|cell| (cell % size) as u8).collect();
            genome.chunks_mut(size).for_each(|row| rng.shuffle(row));
            let fit = fitness.evaluate(&genome);
            assert_eq!(fitness.evaluate_permuted(&genome), fit);
            let (genomes, mut values) = (genome.repeat(LANES), [0; LANES]);
            fitness.evaluate_each_permuted(&genomes, &mut values, &mut Scratch::default());
            assert_eq!(values, [fit; LANES]);
        }
    }

    #[test]
    fn entries_regions_and_other_digit_sets_are_just_groups() {
        let clue = |symbol, target| Some(Clue { operator: find(symbol).expect("a known operator"), target });
        let group = |role, cells, distinct, clue| Group { role, cells, distinct, clue };
        let groups = vec![
            group(Role::Entry, vec![0, 1, 2], true, clue("+", 10)),
            group(Role::Entry, vec![1, 4], true, clue("+", 5)),
            group(Role::Region, vec![3, 4, 5], true, None),
            group(Role::Cage, vec![3, 5], true, clue("*", 14)),
        ];
        let digits = DigitSet::new(vec![2, 3, 5, 7]).expect("four digits");
        let puzzle =
            Puzzle::new(Kind::KenKen, (2, 3), digits, vec![false; 6], groups).expect("a sound puzzle");
        let problem = Problem::compile(&puzzle);
        let mut rng = rng();
        for _ in 0..200 {
            agree(&problem, &random_genome(&problem, &mut rng));
        }
        let solved =
            problem.ranks(&Grid::parse("3 2 5/2 3 7", 2, 3).expect("a 2x3 grid")).expect("known digits");
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Gap).expect("small weights");
        assert_eq!(fitness.evaluate(&solved), 0);
    }

    #[test]
    fn groups_that_say_the_same_count_as_often_as_they_are_there() {
        let group = || Group { role: Role::Region, cells: (0..6).collect(), distinct: true, clue: None };
        let digits = DigitSet::one_to(6).expect("six digits");
        let groups = (0..700).map(|_| group()).collect();
        let puzzle =
            Puzzle::new(Kind::KenKen, (1, 6), digits, vec![false; 6], groups).expect("a sound puzzle");
        agree(&Problem::compile(&puzzle), &[0, 0, 1, 1, 1, 2]);
    }

    #[test]
    fn a_puzzle_without_cells_is_solved() {
        let digits = DigitSet::new(vec![1, 2]).expect("two digits");
        let puzzle = Puzzle::new(Kind::KenKen, (1, 2), digits, vec![true; 2], vec![]).expect("all black");
        let fitness = Fitness::new(Problem::compile(&puzzle), Weights::ORIGINAL, CageMeasure::Binary)
            .expect("small weights");
        let mut values = [7; LANES + 1];
        fitness.evaluate_each(&[], &mut values, &mut Scratch::default());
        assert_eq!((fitness.evaluate(&[]), values), (0, [0; LANES + 1]));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let problem = Problem::compile(&samples::kenken(9, |_| 0));
        let heavy = Weights { cage: u32::MAX, ..Weights::ORIGINAL };
        assert!(matches!(Fitness::new(problem, heavy, CageMeasure::Gap), Err(FitnessError::TooLarge { .. })));
    }
}
