//! The encoding `rows`: every line is a permutation of the digits. [`super::permutation`] is its like for problems of the
//! user's own.

use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Invariants};
use crate::problem::{Blocks, Problem, bits};
use crate::rng::RunRng;
use crate::spec::{Builder, Member};

use super::{AnyEncoding, Encoder, Encoding, EncodingError, candidates, space};
use crate::search::Candidates;
use crate::search::Space;
use crate::search::neighbourhood::Swaps;
use crate::search::space::Change;

/// A genome is a permutation of the digits in every line, givens in their places; columns and cages are left to search.
pub struct Rows {
    pub(super) fitness: Arc<Fitness>,
    pub(super) space: Space,
    /// Evaluation skips the puzzle's lines: those of the encoding are the same, and none has two equal givens.
    pub(super) skips_lines: bool,
    /// Every line of a genome is a permutation, whether or not the puzzle has it as a line.
    pub(super) lines_are_permutations: bool,
}

pub(super) static ENTRY: Builder<Encoder> = Member::new("rows")
    .about("permutation encoding: every row is a permutation of the digits, givens in their places")
    .source("permutation encoding; T. Mantere, J. Koljonen 2007, doi:10.1109/CEC.2007.4424632 (Sudoku)")
    .build(|_| Box::new(|fitness| Rows::new(fitness).map(AnyEncoding::Rows)));

impl Rows {
    /// The encoding for a problem.
    ///
    /// # Errors
    /// [`EncodingError::NoLines`] when the problem has no lines.
    pub fn new(fitness: Arc<Fitness>) -> Result<Self, EncodingError> {
        let problem = fitness.problem();
        let groups = problem.lines().ok_or(EncodingError::NoLines)?;
        let lines = Blocks::of(groups.iter().map(|group| problem.cells_of(*group)));
        let skips_lines = lines.iter().all(|line| givens_differ(problem, line));
        Ok(Self { lines_are_permutations: skips_lines, ..Self::of(fitness, lines, skips_lines) })
    }

    /// Every line of its genomes is a permutation.
    pub(in crate::search) fn lines_are_permutations(&self) -> bool {
        self.lines_are_permutations
    }

    /// An encoding of a program's own: lines that hold every digit once, givens in their places, whatever groups the puzzle
    /// has. In the table it names `rows` as the encoding whose operators work on it.
    ///
    /// # Errors
    /// [`EncodingError::Unsuitable`] unless every gene is in one line, every line has as many genes as there are digits, and
    /// no line has two equal givens.
    pub fn of_lines(fitness: Arc<Fitness>, lines: &[Vec<u16>]) -> Result<Self, EncodingError> {
        let problem = fitness.problem();
        let mut genes: Vec<u16> = lines.concat();
        genes.sort_unstable();
        if !genes.iter().copied().eq(0..problem.cells() as u16) {
            let flaw = "every gene is in one of the lines, and in no other".to_owned();
            return Err(EncodingError::Unsuitable(flaw));
        }
        for (index, line) in lines.iter().enumerate() {
            let (found, expected) = (line.len(), problem.digits());
            if found != expected {
                let flaw = format!("line {index} has {found} genes, and there are {expected} digits");
                return Err(EncodingError::Unsuitable(flaw));
            }
            if !givens_differ(problem, line) {
                return Err(EncodingError::Unsuitable(format!("line {index} has two equal givens")));
            }
        }
        Ok(Self::of(fitness, Blocks::of(lines.iter().map(Vec::as_slice)), false))
    }

    fn of(fitness: Arc<Fitness>, lines: Blocks, skips_lines: bool) -> Self {
        let problem = fitness.problem();
        let mut masks = candidates(problem, true);
        for (gene, mask) in masks.iter_mut().enumerate() {
            // Only givens fix a gene: a permutation cannot honour other candidates.
            if problem.given(gene).is_none() {
                *mask = problem.all_digits();
            }
        }
        let space = space(&fitness, Change::Exchanges, Candidates::Masks(masks), &lines, lines.clone());
        Self { fitness, space, skips_lines, lines_are_permutations: true }
    }
}

/// Writes a random permutation into every line.
fn scatter(lines: &Blocks, genome: &mut [u8], rng: &mut RunRng) {
    for line in lines.iter() {
        let (first, length) = (usize::from(line[0]), line.len());
        let permutation = &mut genome[first..first + length];
        for (place, value) in permutation.iter_mut().enumerate() {
            *value = place as u8;
        }
        rng.shuffle(permutation);
    }
}

fn givens_differ(problem: &Problem, line: &[u16]) -> bool {
    let mut seen = 0u32;
    for cell in line {
        if let Some(rank) = problem.given(usize::from(*cell)) {
            if seen >> rank & 1 == 1 {
                return false;
            }
            seen |= 1 << rank;
        }
    }
    true
}

impl Encoding for Rows {
    type Near = Swaps;

    fn fitness(&self) -> &Fitness {
        &self.fitness
    }

    fn space(&self) -> &Space {
        &self.space
    }

    fn log10_genomes(&self) -> f64 {
        let mut log10 = 0.0;
        for segment in self.space.segments.iter() {
            // The orders of a segment: the factorial of its length.
            log10 += (1..=segment.len()).map(|factor| (factor as f64).log10()).sum::<f64>();
        }
        log10
    }

    fn init(&self, genome: &mut [u8], rng: &mut RunRng) {
        if self.fitness.problem().genome().is_some() {
            return scatter(&self.space.rows, genome, rng);
        }
        let given = |gene: u16| self.fitness.problem().given(usize::from(gene));
        for line in self.space.rows.iter() {
            let mut rest = self.fitness.problem().all_digits();
            for gene in line {
                if let Some(rank) = given(*gene) {
                    genome[usize::from(*gene)] = rank;
                    rest &= !(1 << rank);
                }
            }
            let (mut digits, mut count) = ([0u8; 32], 0);
            for rank in bits(rest) {
                digits[count] = rank as u8;
                count += 1;
            }
            // The draws depend on how many digits are free alone: every algorithm starts with the same genomes.
            rng.shuffle(&mut digits[..count]);
            let free = line.iter().filter(|gene| given(**gene).is_none());
            free.zip(digits).for_each(|(gene, digit)| genome[usize::from(*gene)] = digit);
        }
    }

    #[inline]
    fn skips_lines(&self) -> bool {
        self.skips_lines
    }

    fn neighbourhood(&self, guide: Guide) -> Swaps {
        let problem = self.fitness.problem();
        let mut invariants = Invariants::none(problem);
        for line in problem.lines().unwrap_or_default() {
            invariants.distinct[line] = self.skips_lines;
        }
        Swaps::new(Arc::clone(&self.fitness), guide, &invariants, &self.space.segments)
    }
}
