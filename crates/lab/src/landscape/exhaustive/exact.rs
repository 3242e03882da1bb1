//! Exact probabilities and expected running times of an algorithm on one puzzle.

use std::sync::Arc;

use crate::landscape::{AnyLandscape, Landscape};
use kenga_core::fitness::{CageMeasure, Equals, Fitness, Guide};
use kenga_core::search::algorithms::{Recipe, guide};
use kenga_core::search::encodings::{AnyEncoding, ENCODINGS, Encoding, EncodingError};
use kenga_core::search::{MarkovError, MarkovModel};
use kenga_core::spec::Spec;

use super::chain::Chain;
use super::descent::Descent;
use super::passage::passage;
use super::proposal::{RandomMove, proposal};
use super::renewal::Renewal;
use super::visits::visits;
use super::{CallUnit, Progress, SpaceError, Surface, fits};

/// Why there is no exact answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExactError {
    /// The encoding cannot hold the puzzle.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The space is too large.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The algorithm cannot be followed.
    #[error(transparent)]
    Law(#[from] MarkovError),
}

/// An algorithm on a puzzle whose every genome is known.
pub struct Exact {
    law: MarkovModel,
    surface: Surface,
    /// Genes that may change.
    free: usize,
    /// The steps of annealing and of a (1+1) algorithm.
    chain: Option<Chain>,
}

/// The probability to have solved the puzzle, by calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The probability to need at most so many calls, from 0 on.
    pub solved: Vec<f64>,
    /// The call from which on the probability that is left falls by equal factors, to rounding; the rest was not summed genome
    /// by genome.
    pub geometric_from: Option<usize>,
    /// How much probability rounding has made or lost.
    pub lost: f64,
}

impl Curve {
    /// The probability to have solved the puzzle within so many calls.
    pub fn at(&self, calls: usize) -> f64 {
        self.solved[calls.min(self.solved.len() - 1)]
    }
}

/// The expected behaviour of a run without a budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The probability that a run ever solves the puzzle.
    pub success: f64,
    /// Calls of a run until it ends; infinite where it may go on for ever.
    pub calls: f64,
    /// Moves among them.
    pub moves: f64,
    /// Evaluations among them.
    pub evaluations: f64,
    /// How much the equations are off, as a share of one run; 0 where they are solved directly.
    pub residual: f64,
}

/// What is minimised where it does not matter: a genetic algorithm compares fitness.
const NO_GUIDE: Guide =
    Guide { lines: Equals::Repeats, cages: CageMeasure::Binary, line_weight: 1, cage_weight: 1 };

impl Exact {
    /// Looks at every genome of a puzzle under a resolved algorithm, on the threads of the current pool; `None` where it was
    /// interrupted.
    ///
    /// # Errors
    /// [`ExactError`] for an encoding that does not fit, a space that is too large, an algorithm whose state is more than a
    /// genome.
    pub fn new(
        fitness: &Arc<Fitness>,
        (algorithm, recipe): (&Spec, &dyn Recipe),
        progress: &Progress<'_>,
    ) -> Result<Option<Self>, ExactError> {
        let encoder = match algorithm.get("encoding") {
            Some(_) => ENCODINGS.build(algorithm.spec("encoding")),
            None => return Err(MarkovError::Algorithm.into()),
        };
        let encoding: AnyEncoding = encoder(Arc::clone(fitness))?;
        let law = recipe.markov_model(encoding.space())?;
        let guide = match algorithm.get("guide") {
            Some(_) => guide(algorithm.spec("guide")),
            None => NO_GUIDE,
        };
        match AnyLandscape::new(encoding, guide) {
            AnyLandscape::Tuples(landscape) => Self::on(&landscape, law, progress),
            AnyLandscape::Rows(landscape) => Self::on(&landscape, law, progress),
        }
    }

    fn on<E: Encoding>(
        landscape: &Landscape<E>,
        law: MarkovModel,
        progress: &Progress<'_>,
    ) -> Result<Option<Self>, ExactError> {
        let free = landscape.encoding().space().free.len();
        let surface = match law {
            MarkovModel::OnePlusOne(_) => Surface::of_fitness(landscape, progress.interrupt)?,
            _ => Surface::new(landscape, progress.interrupt)?,
        };
        let Some(surface) = surface else { return Ok(None) };
        let numbering = surface.numbering();
        let (cut, chain) = match &law {
            MarkovModel::Metropolis { temperature } => {
                let levels = surface.levels();
                let accepts = |from: usize, to: usize| accepted(levels[from], levels[to], *temperature);
                let chain = Chain::new(&surface, &RandomMove::new(numbering), accepts, progress.interrupt);
                (chain.is_none(), chain)
            }
            MarkovModel::OnePlusOne(mutation) => {
                let proposal = proposal(mutation, numbering, free)?;
                let accepts = |from: usize, to: usize| f64::from(to <= from);
                let chain = Chain::new(&surface, &*proposal, accepts, progress.interrupt);
                (chain.is_none(), chain)
            }
            _ => (false, None),
        };
        Ok((!cut).then_some(Self { law, surface, free, chain }))
    }

    /// What every genome is worth: its violation under the algorithm's guide, or for a (1+1) algorithm its fitness.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The algorithm.
    pub fn law(&self) -> &MarkovModel {
        &self.law
    }

    /// Genes that may change.
    pub fn free(&self) -> usize {
        self.free
    }

    /// The probability to have solved the puzzle, by calls up to `most`; `None` where it was interrupted.
    ///
    /// # Errors
    /// [`ExactError`] where a restart may cut a stretch of hill climbing short, or where so many calls take too much memory.
    pub fn curve(
        &self,
        unit: CallUnit,
        most: usize,
        progress: &Progress<'_>,
    ) -> Result<Option<Curve>, ExactError> {
        fits(&[&[most + 1]])?;
        // Algorithms that make no moves have one unit.
        let start = if self.law.evaluates() { 1 } else { unit.evaluation() };
        let curve = match &self.law {
            MarkovModel::Descent { .. } => {
                let Some(renewal) = self.renewal(unit, progress)? else { return Ok(None) };
                let solved = renewal.solved(most, progress)?;
                solved.map(|solved| Curve { solved: cumulative(solved), geometric_from: None, lost: 0.0 })
            }
            MarkovModel::Sampling => Some(self.sampling(most)),
            _ => {
                let counts_records = !self.law.evaluates() && unit == CallUnit::Calls;
                let chain = self.chain.as_ref().expect("annealing and (1+1) algorithms have a chain");
                let left = most.saturating_sub(start);
                let passage = passage(chain, &self.surface, (counts_records, left), progress)?;
                passage.map(|passage| {
                    let mut solved = passage.solved;
                    solved.splice(0..0, vec![0.0; start]);
                    solved.truncate(most + 1);
                    let geometric_from = passage.geometric_from.map(|calls| calls + start);
                    Curve { solved: cumulative(solved), geometric_from, lost: passage.lost }
                })
            }
        };
        Ok(curve)
    }

    fn sampling(&self, most: usize) -> Curve {
        let miss = 1.0 - self.surface.solutions().len() as f64 / self.surface.numbering().genomes() as f64;
        let solved = (0..=most).map(|calls| 1.0 - miss.powf(calls as f64)).collect();
        Curve { solved, geometric_from: None, lost: 0.0 }
    }

    fn renewal(&self, unit: CallUnit, progress: &Progress<'_>) -> Result<Option<Renewal>, MarkovError> {
        let MarkovModel::Descent { takes_first, restarts, patience } = self.law else {
            unreachable!("only hill climbing is a renewal process")
        };
        let descent = Descent::new(&self.surface, takes_first);
        let renewal = Renewal::new(&descent, &self.surface, (unit, restarts), progress);
        match renewal {
            Some(renewal) if renewal.longest() as u64 > patience => {
                let longest = renewal.longest();
                let expected = format!("at least {longest}, which the longest way to a local optimum takes");
                Err(MarkovError::Key { key: "restart.calls", expected })
            }
            renewal => Ok(renewal),
        }
    }

    /// What the algorithm comes to without a bound; `None` where it was interrupted.
    ///
    /// # Errors
    /// [`MarkovError`] where a restart may cut a stretch of hill climbing short.
    pub fn expected(&self, progress: &Progress<'_>) -> Result<Option<Expected>, MarkovError> {
        match &self.law {
            MarkovModel::Descent { .. } => {
                let Some(calls) = self.renewal(CallUnit::Calls, progress)? else { return Ok(None) };
                let Some(moves) = self.renewal(CallUnit::Moves, progress)? else { return Ok(None) };
                let ((success, calls), (_, moves)) = (calls.expected(), moves.expected());
                Ok(Some(Expected { success, calls, moves, evaluations: calls - moves, residual: 0.0 }))
            }
            MarkovModel::Sampling => {
                let share = self.surface.solutions().len() as f64 / self.surface.numbering().genomes() as f64;
                let (success, calls) = (f64::from(share > 0.0), 1.0 / share);
                Ok(Some(Expected { success, calls, moves: 0.0, evaluations: calls, residual: 0.0 }))
            }
            law => {
                let counts_records = !law.evaluates();
                let chain = self.chain.as_ref().expect("annealing and (1+1) algorithms have a chain");
                let found = visits(chain, &self.surface, counts_records, progress);
                Ok(found.map(|found| {
                    let (moves, evaluations) =
                        if counts_records { (found.steps, found.records) } else { (0.0, found.steps + 1.0) };
                    let (success, residual) = (found.success, found.residual);
                    Expected { success, calls: moves + evaluations, moves, evaluations, residual }
                }))
            }
        }
    }
}

/// The probability that annealing makes a move, which it draws with 32 bits.
fn accepted(from: u32, to: u32, temperature: f64) -> f64 {
    if to <= from {
        return 1.0;
    }
    let chance = (-f64::from(to - from) / temperature).exp() * 2f64.powi(32);
    chance.min(f64::from(u32::MAX)).floor() / 2f64.powi(32)
}

fn cumulative(mut solved: Vec<f64>) -> Vec<f64> {
    let mut sum = 0.0;
    for solved in &mut solved {
        sum += *solved;
        *solved = f64::min(sum, 1.0);
    }
    solved
}
