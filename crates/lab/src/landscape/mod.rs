//! Fitness landscapes of puzzles whose solutions are known.
//!
//! A *landscape* is the genomes of an encoding, the moves of its neighbourhood that lead from one to another, and the
//! violation that a local search minimises. Here are its points, walks and neighbours; [`measures`] says in numbers what
//! it looks like, from samples.
//!
//! Sources: C. M. Reidys, P. F. Stadler 2002, Combinatorial landscapes, doi:10.1137/S0036144501395952; K. M. Malan 2021,
//! A survey of advances in landscape analysis for optimisation, doi:10.3390/a14020040.
//!
//! **Invariant.** Random streams are keyed by seed, puzzle, encoding and guide ([`LandscapeSpec::stream`]) and then by sample;
//! the order of draws within a sample is part of what a seed gives. Nothing here knows which encoding it measures: a new one
//! is an arm of [`AnyLandscape`].

pub mod exhaustive;
pub mod measures;
mod network;
mod position;
mod sheet;
mod spec;
mod targets;

use std::sync::Arc;

use kenga_core::fitness::{CageMeasure, Fitness, FitnessError, Guide, Weights};
use kenga_core::problem::Problem;
use kenga_core::search::encodings::{AnyEncoding, Encoder, Encoding, EncodingError, Rows, TupleEncoding};
use kenga_core::search::neighbourhood::Neighbourhood;

pub use network::{Edge, Network, NetworkMetrics, Node};
pub use position::{Explorer, Flood, MovePair, Position};
pub use sheet::{Curves, Sheet};
pub use spec::{FitnessKind, LandscapeSpec};
pub use targets::Targets;

/// The genomes of an encoding, the neighbourhood of its local searches, and the violation under a guide, which is 0 at the
/// solutions alone.
pub struct Landscape<E: Encoding> {
    encoding: E,
    guide: Guide,
}

impl<E: Encoding> Landscape<E> {
    /// The landscape of an encoding under a guide.
    pub fn new(encoding: E, guide: Guide) -> Self {
        Self { encoding, guide }
    }

    /// Its encoding.
    pub fn encoding(&self) -> &E {
        &self.encoding
    }

    /// The problem whose solutions have violation 0.
    pub fn problem(&self) -> &Problem {
        self.encoding.fitness().problem()
    }

    /// A place on it, which is undefined until it is [placed](Neighbourhood::place).
    pub fn neighbourhood(&self) -> E::Near {
        self.encoding.neighbourhood(self.guide)
    }
}

/// The landscape of one of the encodings, for what is compiled for each.
pub enum AnyLandscape {
    /// A move gives a part another of its tuples.
    Tuples(Landscape<TupleEncoding>),
    /// A move exchanges two digits of a line.
    Rows(Landscape<Rows>),
}

/// Why a puzzle has no such landscape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LandscapeError {
    /// The encoding cannot hold the puzzle.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The violation may not fit 32 bits.
    #[error(transparent)]
    Fitness(#[from] FitnessError),
}

impl AnyLandscape {
    /// The landscape of an encoding under a guide.
    pub fn new(encoding: AnyEncoding, guide: Guide) -> Self {
        match encoding {
            AnyEncoding::Tuples(encoding) => Self::Tuples(Landscape::new(encoding, guide)),
            AnyEncoding::Rows(encoding) => Self::Rows(Landscape::new(encoding, guide)),
        }
    }

    /// The landscape that an entry of [`ENCODINGS`](kenga_core::search::encodings::ENCODINGS) makes of a problem.
    ///
    /// # Errors
    /// [`LandscapeError`] when the encoding cannot hold the puzzle.
    pub fn of_problem(problem: Problem, encoder: &Encoder, guide: Guide) -> Result<Self, LandscapeError> {
        // The guide alone is minimised; the fitness only holds the compiled clues.
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary)?;
        Ok(Self::new(encoder(Arc::new(fitness))?, guide))
    }

    /// The logarithm to base 10 of the number of genomes.
    pub fn log10_genomes(&self) -> f64 {
        match self {
            Self::Tuples(landscape) => landscape.encoding.log10_genomes(),
            Self::Rows(landscape) => landscape.encoding.log10_genomes(),
        }
    }

    /// What a move does, in a word.
    pub fn neighbourhood(&self) -> &'static str {
        match self {
            Self::Tuples(_) => <TupleEncoding as Encoding>::Near::NAME,
            Self::Rows(_) => <Rows as Encoding>::Near::NAME,
        }
    }

    /// A place on it from which it can be explored.
    pub fn explorer(&self) -> Box<dyn Explorer + '_> {
        match self {
            Self::Tuples(landscape) => Box::new(Position::new(landscape)),
            Self::Rows(landscape) => Box::new(Position::new(landscape)),
        }
    }
}

/// Landscapes for the tests of this room.
#[cfg(test)]
pub(crate) mod samples {
    use super::*;
    use kenga_core::fitness::Equals;
    use kenga_core::puzzle::samples;
    use kenga_core::rng::RunRng;
    use kenga_core::search::encodings::{ENCODINGS, of_puzzles};
    use kenga_core::spec::{Catalog, Place, Spec};

    /// Guides that measure in every way.
    pub(crate) fn guides() -> [Guide; 3] {
        let gap = Guide { cages: CageMeasure::Gap, ..Guide::PLAIN };
        [Guide::PLAIN, gap, Guide { lines: Equals::Pairs, line_weight: 2, cage_weight: 5, ..gap }]
    }

    /// Makes an encoding by its name, with its defaults.
    pub(crate) fn encoder(name: &str) -> Encoder {
        let spec = ENCODINGS.resolve(&Spec::named(name), Place::default()).expect("a known encoding");
        ENCODINGS.build(&spec)
    }

    /// Every encoding of a random KenKen under every guide.
    pub(crate) fn landscapes(size: usize, rng: &mut RunRng) -> Vec<AnyLandscape> {
        let problem = Problem::compile(&samples::kenken(size, |n| rng.below(n)));
        let mut landscapes = Vec::new();
        for member in of_puzzles() {
            for guide in guides() {
                let encoder = encoder(member.name);
                let landscape = AnyLandscape::of_problem(problem.clone(), &encoder, guide);
                landscapes.push(landscape.expect("a KenKen has lines"));
            }
        }
        landscapes
    }
}
