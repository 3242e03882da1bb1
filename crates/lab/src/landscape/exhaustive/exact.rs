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
use super::first_passage::first_passage;
use super::proposal::{RandomMove, proposal};
use super::renewal::{Outcome, Renewal};
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
    Model(#[from] MarkovError),
}

/// An algorithm on a puzzle whose every genome is known.
pub struct Exact {
    model: MarkovModel,
    surface: Surface,
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
        algorithm: &Spec,
        recipe: &dyn Recipe,
        progress: &Progress<'_>,
    ) -> Result<Option<Self>, ExactError> {
        if algorithm.get("encoding").is_none() {
            return Err(MarkovError::Algorithm.into());
        }
        let encoder = ENCODINGS.build(algorithm.spec("encoding"));
        let encoding: AnyEncoding = encoder(Arc::clone(fitness))?;
        let model = recipe.markov_model(encoding.space())?;
        let guide = if algorithm.get("guide").is_some() { guide(algorithm.spec("guide")) } else { NO_GUIDE };
        match AnyLandscape::new(encoding, guide) {
            AnyLandscape::Tuples(landscape) => Self::on(&landscape, model, progress),
            AnyLandscape::Rows(landscape) => Self::on(&landscape, model, progress),
        }
    }

    fn on<E: Encoding>(
        landscape: &Landscape<E>,
        model: MarkovModel,
        progress: &Progress<'_>,
    ) -> Result<Option<Self>, ExactError> {
        let free = landscape.encoding().space().free.len();
        let surface = match model {
            MarkovModel::OnePlusOne(_) => Surface::of_fitness(landscape, progress.interrupt)?,
            _ => Surface::new(landscape, progress.interrupt)?,
        };
        let Some(surface) = surface else { return Ok(None) };
        let numbering = surface.numbering();
        let levels = surface.levels();
        let chain = match &model {
            MarkovModel::Metropolis { temperature } => {
                let accepts = |from: usize, to: usize| accepted(levels[from], levels[to], *temperature);
                Chain::new(&surface, &RandomMove::new(numbering), accepts, progress.interrupt)
            }
            MarkovModel::OnePlusOne(mutation) => {
                let proposal = proposal(mutation, numbering, free)?;
                let accepts = |from: usize, to: usize| f64::from(to <= from);
                Chain::new(&surface, &*proposal, accepts, progress.interrupt)
            }
            MarkovModel::Descent { .. } | MarkovModel::Sampling => {
                return Ok(Some(Self { model, surface, chain: None }));
            }
        };
        // Only an interrupt leaves no chain.
        Ok(chain.map(|chain| Self { model, surface, chain: Some(chain) }))
    }

    /// What every genome is worth: its violation under the algorithm's guide, or for a (1+1) algorithm its fitness.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The algorithm.
    pub fn model(&self) -> &MarkovModel {
        &self.model
    }

    /// The probability to have solved the puzzle, by calls up to `most`; `None` where it was interrupted.
    ///
    /// # Errors
    /// [`ExactError`] where a restart may cut a cycle of hill climbing short, or where so many calls take too much memory.
    pub fn curve(
        &self,
        unit: CallUnit,
        most: usize,
        progress: &Progress<'_>,
    ) -> Result<Option<Curve>, ExactError> {
        // Before the long work: the curve itself may take too much memory.
        fits(&[&[most + 1]])?;
        match self.model {
            MarkovModel::Descent { .. } => {
                let Some(renewal) = self.renewal(unit, progress)? else { return Ok(None) };
                let Some(solved) = renewal.solved(most, progress)? else { return Ok(None) };
                Ok(Some(Curve { solved: cumulative(solved), geometric_from: None, lost: 0.0 }))
            }
            MarkovModel::Sampling => {
                let miss = 1.0 - self.share_of_solutions();
                let solved = (0..=most).map(|calls| 1.0 - miss.powf(calls as f64)).collect();
                Ok(Some(Curve { solved, geometric_from: None, lost: 0.0 }))
            }
            MarkovModel::Metropolis { .. } | MarkovModel::OnePlusOne(_) => {
                self.chain_curve(unit, most, progress)
            }
        }
    }

    fn chain_curve(
        &self,
        unit: CallUnit,
        most: usize,
        progress: &Progress<'_>,
    ) -> Result<Option<Curve>, ExactError> {
        // The start is evaluated. Algorithms that make no moves have one unit.
        let start = if self.model.evaluates() { 1 } else { unit.evaluation() };
        let counts_records = !self.model.evaluates() && unit == CallUnit::Calls;
        let left = most.saturating_sub(start);
        let Some(passage) = first_passage(self.chain(), &self.surface, counts_records, left, progress)?
        else {
            return Ok(None);
        };
        let mut solved = vec![0.0; start];
        solved.extend(passage.solved);
        solved.truncate(most + 1);
        let geometric_from = passage.geometric_from.map(|calls| calls + start);
        Ok(Some(Curve { solved: cumulative(solved), geometric_from, lost: passage.lost }))
    }

    fn chain(&self) -> &Chain {
        self.chain.as_ref().expect("annealing and (1+1) algorithms have a chain")
    }

    /// The share of solutions in all genomes.
    fn share_of_solutions(&self) -> f64 {
        self.surface.solutions().len() as f64 / self.surface.numbering().genomes() as f64
    }

    fn renewal(&self, unit: CallUnit, progress: &Progress<'_>) -> Result<Option<Renewal>, MarkovError> {
        let MarkovModel::Descent { takes_first, restarts, patience } = self.model else {
            unreachable!("only hill climbing is a renewal process")
        };
        let descent = Descent::new(&self.surface, takes_first);
        let Some(renewal) = Renewal::new(&descent, &self.surface, unit, restarts, progress) else {
            return Ok(None);
        };
        let longest = renewal.longest();
        if longest as u64 > patience {
            let expected = format!("at least {longest}, which the longest way to a local optimum takes");
            return Err(MarkovError::Key { key: "restart.calls", expected });
        }
        Ok(Some(renewal))
    }

    /// What the algorithm comes to without a bound; `None` where it was interrupted.
    ///
    /// # Errors
    /// [`MarkovError`] where a restart may cut a cycle of hill climbing short.
    pub fn expected(&self, progress: &Progress<'_>) -> Result<Option<Expected>, MarkovError> {
        match self.model {
            MarkovModel::Descent { .. } => {
                let Some(calls) = self.renewal(CallUnit::Calls, progress)? else { return Ok(None) };
                let Some(moves) = self.renewal(CallUnit::Moves, progress)? else { return Ok(None) };
                let Outcome { success, cost: calls } = calls.expected();
                let moves = moves.expected().cost;
                Ok(Some(Expected { success, calls, moves, evaluations: calls - moves, residual: 0.0 }))
            }
            MarkovModel::Sampling => {
                let share = self.share_of_solutions();
                let (success, calls) = (f64::from(share > 0.0), 1.0 / share);
                Ok(Some(Expected { success, calls, moves: 0.0, evaluations: calls, residual: 0.0 }))
            }
            MarkovModel::Metropolis { .. } | MarkovModel::OnePlusOne(_) => Ok(self.chain_expected(progress)),
        }
    }

    fn chain_expected(&self, progress: &Progress<'_>) -> Option<Expected> {
        let makes_moves = !self.model.evaluates();
        let found = visits(self.chain(), &self.surface, makes_moves, progress)?;
        let (moves, evaluations) =
            if makes_moves { (found.steps, found.records) } else { (0.0, found.steps + 1.0) };
        let (success, residual) = (found.success, found.residual);
        Some(Expected { success, calls: moves + evaluations, moves, evaluations, residual })
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
