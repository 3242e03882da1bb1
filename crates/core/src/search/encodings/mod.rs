//! Encodings: how a genome represents a grid, which changes it allows, and how it is evaluated.
//!
//! A new member makes one of the structures of [`AnyEncoding`], for which algorithms are compiled, and has a line in
//! [`ENCODINGS`]. **Invariant.** What [`Encoding::init`] draws, and in which order, is part of the format: golden runs.

mod cages;
mod cells;
mod permutation;
mod rows;
mod values;

use std::sync::{Arc, OnceLock};

use thiserror::Error;

use crate::fitness::{Fitness, Guide, Scratch, Terms};
use crate::problem::{Blocks, GenomeShape, Problem};
use crate::rng::RunRng;
use crate::spec::{Catalog, Family, Member, Spec};

use super::Candidates;
use super::neighbourhood::{Neighbourhood, Redraws};
use super::space::{Change, Choices, Space};

pub use super::space::Part;
pub use rows::Rows;

/// A genome is one rank a cell; an encoding says which of them are reachable.
pub trait Encoding: Send + Sync {
    /// How local searches move.
    type Near: Neighbourhood;

    /// The fitness that evaluates genomes.
    fn fitness(&self) -> &Fitness;

    /// What operators may do to genomes.
    fn space(&self) -> &Space;

    /// The logarithm to base 10 of the number of genomes.
    fn log10_genomes(&self) -> f64;

    /// Writes a random genome.
    fn init(&self, genome: &mut [u8], rng: &mut RunRng);

    /// Every line of its genomes holds every digit once, so that evaluations skip lines and the count term.
    fn skips_lines(&self) -> bool {
        false
    }

    /// The fitness of a genome: one evaluation. Genomes come from [`init`](Self::init) and operators that fit.
    #[inline]
    fn evaluate(&self, genome: &[u8]) -> u32 {
        if self.skips_lines() {
            self.fitness().evaluate_permuted(genome)
        } else {
            self.fitness().evaluate(genome)
        }
    }

    /// Writes the fitness of every one of `genomes`, one after the other, into `values`: an evaluation each.
    fn evaluate_each(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        if self.skips_lines() {
            self.fitness().evaluate_each_permuted(genomes, values, scratch);
        } else {
            self.fitness().evaluate_each(genomes, values, scratch);
        }
    }

    /// As [`evaluate_each`](Self::evaluate_each), term by term and unweighted.
    fn terms_each(&self, genomes: &[u8], terms: &mut [Terms], scratch: &mut Scratch) {
        if self.skips_lines() {
            self.fitness().terms_each_permuted(genomes, terms, scratch);
        } else {
            self.fitness().terms_each(genomes, terms, scratch);
        }
    }

    /// The neighbourhood of a local search that minimises the violation under `guide`.
    fn neighbourhood(&self, guide: Guide) -> Self::Near;
}

/// Why an encoding cannot hold a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EncodingError {
    /// `rows` needs lines.
    #[error(
        "the encoding `rows` needs distinct groups that together hold every cell once and every digit each"
    )]
    NoLines,
    /// An encoding of a program's own needs something else.
    #[error("{0}")]
    Unsuitable(String),
}

/// One of the encodings, for algorithms to be compiled for each.
pub enum AnyEncoding {
    /// See [`TupleEncoding`].
    Tuples(TupleEncoding),
    /// See [`Rows`].
    Rows(Rows),
}

/// Compiles an expression for each of the encodings, and runs it with the one that an [`AnyEncoding`] is.
macro_rules! for_encoding {
    ($any:expr, $encoding:ident => $run:expr) => {
        match $any {
            $crate::search::encodings::AnyEncoding::Tuples($encoding) => $run,
            $crate::search::encodings::AnyEncoding::Rows($encoding) => $run,
        }
    };
}
pub(in crate::search) use for_encoding;

impl AnyEncoding {
    /// See [`Encoding::space`].
    pub fn space(&self) -> &Space {
        for_encoding!(self, encoding => encoding.space())
    }

    /// See [`Encoding::init`].
    pub fn init(&self, genome: &mut [u8], rng: &mut RunRng) {
        for_encoding!(self, encoding => encoding.init(genome, rng));
    }

    /// See [`Encoding::skips_lines`].
    pub fn skips_lines(&self) -> bool {
        for_encoding!(self, encoding => encoding.skips_lines())
    }

    /// Every line of its genomes holds every digit once, whether or not evaluations skip them.
    pub(in crate::search) fn lines_are_permutations(&self) -> bool {
        matches!(self, Self::Rows(rows) if rows.lines_are_permutations())
    }

    /// See [`Encoding::evaluate_each`].
    pub fn evaluate_each(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        for_encoding!(self, encoding => encoding.evaluate_each(genomes, values, scratch));
    }

    /// See [`Encoding::terms_each`].
    pub fn terms_each(&self, genomes: &[u8], terms: &mut [Terms], scratch: &mut Scratch) {
        for_encoding!(self, encoding => encoding.terms_each(genomes, terms, scratch));
    }
}

/// A genome of parts, cages or single cells, each with one of its tuples.
pub struct TupleEncoding {
    fitness: Arc<Fitness>,
    space: Space,
    choices: Arc<Choices>,
}

impl TupleEncoding {
    /// The parts of a genome with their tuples.
    pub(in crate::search) fn choices(&self) -> &Arc<Choices> {
        &self.choices
    }

    /// The space in which any two genes may exchange digits.
    fn space(fitness: &Arc<Fitness>, change: Change, candidates: Vec<u32>) -> Space {
        let problem = fitness.problem();
        let genes: Vec<u16> = (0..problem.cells() as u16).collect();
        let row = |gene: &u16| problem.row_of(usize::from(*gene));
        let rows = Blocks::of(genes.chunk_by(|a, b| row(a) == row(b)));
        space(fitness, change, Candidates::Masks(candidates), &Blocks::of([&genes[..]]), rows)
    }
}

impl Encoding for TupleEncoding {
    type Near = Redraws;

    fn fitness(&self) -> &Fitness {
        &self.fitness
    }

    fn space(&self) -> &Space {
        &self.space
    }

    fn log10_genomes(&self) -> f64 {
        let mut log10 = 0.0;
        for part in 0..self.choices.len() {
            log10 += (self.choices.count(part) as f64).log10();
        }
        log10
    }

    fn init(&self, genome: &mut [u8], rng: &mut RunRng) {
        self.choices.scatter(genome, rng);
    }

    fn neighbourhood(&self, guide: Guide) -> Redraws {
        Redraws::new(Arc::clone(&self.choices), &self.fitness, guide)
    }
}

/// Makes an encoding for a problem.
pub type Encoder = Box<dyn Fn(Arc<Fitness>) -> Result<AnyEncoding, EncodingError> + Send + Sync>;

/// Every encoding.
pub static ENCODINGS: Family<Encoder> = Family::new(
    "encoding",
    "how a genome represents a grid",
    &[&cells::ENTRY, &rows::ENTRY, &cages::ENTRY, &values::ENTRY, &permutation::ENTRY],
);

/// Makes the encoding that a resolved spec has under `encoding` for a problem.
///
/// # Errors
/// [`EncodingError`] when it cannot hold the puzzle.
pub(in crate::search) fn encode(spec: &Spec, fitness: &Arc<Fitness>) -> Result<AnyEncoding, EncodingError> {
    let encoding = spec.spec("encoding");
    if fitness.problem().genome().is_some() && !is_of_problems(&encoding.name) {
        return Err(EncodingError::other_genomes(&encoding.name, fitness.problem()));
    }
    ENCODINGS.build(encoding)(Arc::clone(fitness))
}

/// The encodings of puzzles, in the order of the table: all but those of problems of the user's own.
#[doc(hidden)]
pub fn of_puzzles() -> Vec<&'static Member> {
    let mut members = ENCODINGS.members();
    members.retain(|member| !is_of_problems(member.name));
    members
}

/// The encoding is one of problems of the user's own, and holds no puzzle.
#[doc(hidden)]
pub fn is_of_problems(encoding: &str) -> bool {
    [values::ENTRY.member().name, permutation::ENTRY.member().name].contains(&encoding)
}

/// The encoding of a problem of the user's own, by the name in the table.
#[doc(hidden)]
pub fn encoding_of_genomes(shape: &GenomeShape) -> &'static str {
    match shape {
        GenomeShape::Values(_) => values::ENTRY.member().name,
        GenomeShape::Permutations(_) => permutation::ENTRY.member().name,
    }
}

impl EncodingError {
    /// The encoding is for other genomes than those of the problem.
    fn other_genomes(encoding: &str, problem: &Problem) -> Self {
        Self::Unsuitable(match problem.genome() {
            Some(shape) => {
                let suits = encoding_of_genomes(shape);
                format!("the genomes of this problem need the encoding `{suits}`, not `{encoding}`")
            }
            None => format!(
                "the encoding `{encoding}` is for problems of your own: a puzzle needs `cells`, `rows` or `cages`"
            ),
        })
    }
}

/// The encoding that a resolved spec has under `encoding`.
///
/// # Panics
/// When the spec was not resolved against [`ENCODINGS`].
#[doc(hidden)]
pub fn encoding_of(spec: &Spec) -> &'static Member {
    ENCODINGS.member(&spec.spec("encoding").name).expect("a resolved spec names an encoding")
}

/// The candidates of every gene: one digit where a given is fixed, all where propagation left none.
fn candidates(problem: &Problem, fix_givens: bool) -> Vec<u32> {
    let mut candidates = problem.candidates().to_vec();
    for (cell, mask) in candidates.iter_mut().enumerate() {
        match problem.given(cell) {
            // A given without a digit that makes its clue hold is a cell like any other.
            Some(rank) if fix_givens => *mask = 1 << rank,
            // Propagation refuted the puzzle: the search is to run all the same, in vain.
            _ if *mask == 0 => *mask = problem.all_digits(),
            _ => {}
        }
    }
    candidates
}

/// The space with these candidates, whose genes may exchange digits within the blocks `exchange`.
fn space(
    fitness: &Arc<Fitness>,
    change: Change,
    candidates: Candidates,
    exchange: &Blocks,
    rows: Blocks,
) -> Space {
    let problem = fitness.problem();
    let is_free = |gene: &u16| candidates.count(usize::from(*gene)) > 1;
    let free = (0..candidates.genes() as u16).filter(is_free).collect();
    let (mut segments, mut segment_of) = (Blocks::default(), vec![0; candidates.genes()]);
    for (index, block) in exchange.iter().enumerate() {
        for gene in block {
            segment_of[usize::from(*gene)] = index as u16;
        }
        segments.push(block.iter().copied().filter(is_free));
    }
    let (digits, cages) = (problem.digits(), cages(problem));
    let (fitness, choices) = (Arc::clone(fitness), OnceLock::new());
    Space { digits, candidates, change, free, segments, segment_of, rows, cages, fitness, choices }
}

/// The cells of every cage, without those of earlier cages, then all other cells one by one.
fn cages(problem: &Problem) -> Blocks {
    let (mut cages, mut caged) = (Blocks::default(), vec![false; problem.cells()]);
    for group in problem.cages() {
        let cells = problem.cells_of(group);
        cages.push(cells.iter().copied().filter(|cell| !caged[usize::from(*cell)]));
        for cell in cells {
            caged[usize::from(*cell)] = true;
        }
    }
    for (cell, is_caged) in caged.iter().enumerate() {
        if !is_caged {
            cages.push([cell as u16]);
        }
    }
    cages
}
