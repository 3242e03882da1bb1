//! Which landscape of a puzzle: an encoding, and what is minimised.

use std::sync::Arc;

use kenga_core::fitness::{CageMeasure, Equals, Fitness, Guide};
use kenga_core::problem::Problem;
use kenga_core::rng::StreamKey;
use kenga_core::search::encodings::{ENCODINGS, Encoder, of_puzzles};
use kenga_core::spec::{Catalog, Member, Place, Spec, Value};

use super::{AnyLandscape, LandscapeError};

/// What is minimised, unless a configuration says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitnessKind {
    /// Repeats and unsatisfied clues, 1 each.
    Binary,
    /// Repeats, and how far clues are from their targets.
    Gap,
    /// The default fitness but for its count term: pairs of equal digits, 1 each, and unsatisfied clues, 10 each.
    Weights,
}

impl FitnessKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Binary, Self::Gap, Self::Weights];

    /// The word for it on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => CageMeasure::Binary.name(),
            Self::Gap => CageMeasure::Gap.name(),
            Self::Weights => "weights",
        }
    }

    /// What it minimises.
    pub fn guide(self) -> Guide {
        match self {
            Self::Binary => Guide::PLAIN,
            Self::Gap => Guide { cages: CageMeasure::Gap, ..Guide::PLAIN },
            Self::Weights => Guide { lines: Equals::Pairs, cage_weight: 10, ..Guide::PLAIN },
        }
    }
}

/// A landscape that any puzzle may have.
pub struct LandscapeSpec {
    /// The name of the encoding.
    pub encoding: String,
    /// The encoding with its parameters, for its random stream.
    pub encoding_text: String,
    encoder: Encoder,
    /// What the guide is called.
    pub fitness: String,
    /// What is minimised.
    pub guide: Guide,
}

impl LandscapeSpec {
    /// The landscape of a resolved encoding under a guide with a name.
    ///
    /// # Panics
    /// When the spec was not resolved against [`ENCODINGS`].
    pub fn new(spec: &Spec, fitness: &str, guide: Guide) -> Self {
        let mut encoding_text = spec.name.clone();
        for named in &spec.values {
            encoding_text += &match &named.value {
                Value::Text(text) => format!(" {}={text}", named.key),
                other => format!(" {}={other:?}", named.key),
            };
        }
        Self {
            encoding: spec.name.clone(),
            encoding_text,
            encoder: ENCODINGS.build(spec),
            fitness: fitness.to_owned(),
            guide,
        }
    }

    /// The landscape of an encoding with its defaults.
    ///
    /// # Panics
    /// When the member is none of [`ENCODINGS`].
    pub fn of(encoding: &Member, kind: FitnessKind) -> Self {
        let spec = ENCODINGS.resolve(&Spec::named(encoding.name), Place::default());
        Self::new(&spec.expect("encodings have defaults"), kind.name(), kind.guide())
    }

    /// Every encoding with every one of some kinds, by encoding.
    pub fn all(kinds: &[FitnessKind]) -> Vec<Self> {
        let mut all = Vec::new();
        for encoding in of_puzzles() {
            all.extend(kinds.iter().map(|kind| Self::of(encoding, *kind)));
        }
        all
    }

    /// The landscape of a puzzle.
    ///
    /// # Errors
    /// [`LandscapeError`] when the encoding cannot hold the puzzle.
    pub fn landscape(&self, problem: Problem) -> Result<AnyLandscape, LandscapeError> {
        AnyLandscape::of_problem(problem, &self.encoder, self.guide)
    }

    /// The landscape of a problem of the user's own, whose fitness is minimised.
    ///
    /// # Errors
    /// [`LandscapeError`] when the encoding is that of other genomes.
    pub fn measured_landscape(&self, fitness: Arc<Fitness>) -> Result<AnyLandscape, LandscapeError> {
        Ok(AnyLandscape::new((self.encoder)(fitness)?, self.guide))
    }

    /// The key of all samples of the landscape of a puzzle, which is given by its canonical text.
    pub fn stream(&self, seed: u64, puzzle: &str) -> StreamKey {
        let Guide { lines, cages, line_weight, cage_weight } = self.guide;
        // Words of its own, not those of `Debug`: a renamed variant must not change the stream.
        let lines = if lines == Equals::Pairs { "pairs" } else { "repeats" };
        let guide = format!("{lines} {} {line_weight} {cage_weight}", cages.name());
        StreamKey::run(seed, puzzle, 0).child("landscape").child(&self.encoding_text).child(&guide)
    }
}
