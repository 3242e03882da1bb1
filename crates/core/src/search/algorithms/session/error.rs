//! What is wrong with genomes and populations that come from elsewhere.

use thiserror::Error;

use super::MOST_IDLE;

/// Why a session refuses genomes, or a population of them; genomes and genes count from 0. Its variants, which may change,
/// are for kenga's own answers to programs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenomeError {
    /// There is no genome.
    #[doc(hidden)]
    #[error("there is none")]
    None,
    /// The puzzle has no cell.
    #[doc(hidden)]
    #[error("the puzzle has no cell that holds a digit")]
    NoGenes,
    /// It has too few or too many digits.
    #[doc(hidden)]
    #[error("genome {genome} has {found} digits, not {expected}")]
    Length {
        /// Which.
        genome: usize,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A digit that its gene may not hold.
    #[doc(hidden)]
    #[error("gene {gene} of genome {genome} is {digit}; its candidates are {candidates}")]
    Digit {
        /// Which genome.
        genome: usize,
        /// Which gene.
        gene: usize,
        /// Its digit.
        digit: u8,
        /// What it may be, in words.
        candidates: String,
    },
    /// A line that is no permutation.
    #[doc(hidden)]
    #[error("genome {genome} has the digit {digit} twice in the genes {genes}, which hold every digit once")]
    Line {
        /// Which genome.
        genome: usize,
        /// The digit.
        digit: u8,
        /// The genes of the line, in words.
        genes: String,
    },
    /// A cage without one of its tuples.
    #[doc(hidden)]
    #[error("genome {genome} has none of their tuples in the genes {genes}")]
    Tuple {
        /// Which genome.
        genome: usize,
        /// The genes of the cage, in words.
        genes: String,
    },
    /// A population before the first evaluation.
    #[doc(hidden)]
    #[error("nothing was evaluated before it")]
    NoneEvaluated,
    /// An individual that is better than all that was evaluated.
    #[doc(hidden)]
    #[error("it has an individual of fitness {fitness}, but the best that was evaluated is {best}")]
    NotEvaluated {
        /// Its fitness.
        fitness: u32,
        /// The lowest fitness that was evaluated.
        best: u32,
    },
    /// Too many populations one after the other.
    #[doc(hidden)]
    #[error("it is one of more than {MOST_IDLE} without an evaluation")]
    Idle,
}
