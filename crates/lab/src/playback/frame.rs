//! One moment of a run, as it is shown.

use std::sync::Arc;

use super::{Origin, Origins};
use crate::experiment::{BrokenGroup, Execution, Sample};
use kenga_core::budget::{Spent, StopReason};
use kenga_core::fitness::Terms;
use kenga_core::puzzle::Grid;
use kenga_core::search::{Ledger, Migration, Population};
use kenga_core::sort::sort_by_key;

/// The most individuals of a frame, over all its islands, and the most genes.
pub const MOST_ROWS: usize = 2048;
const MOST_GENES: usize = 1 << 19;

/// One moment of a run: all that a viewer shows of it. The same run has the same frame at a generation, however it came there.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The last complete generation; 0 is the initial population.
    pub generation: u64,
    /// What had been spent.
    pub spent: Spent,
    /// The share of the budget that was spent, 0 to 1.
    pub progress: f64,
    /// Why the run had ended, if it had.
    pub stop: Option<StopReason>,
    /// What went wrong, where it failed.
    pub failure: Option<String>,
    /// Evaluations spent when the population had lost every solution, where that is known.
    pub dead_at: Option<u64>,
    /// The best individual so far; `None` before the first evaluation.
    pub best: Option<Leader>,
    /// The measures of the generation, as convergence.csv has them; `None` before the first complete one.
    pub sample: Option<Sample>,
    /// The populations, one for every island; of a local search one of one individual.
    pub islands: Vec<Rows>,
    /// How these came to be, of each, where the player follows that and the algorithm says it.
    pub origins: Vec<Origins>,
    /// Usage and gain of the operators, where they are counted.
    pub operators: Ledger,
    /// The migrants of the last barrier, in the order in which they settled.
    pub migrations: Vec<Migration>,
    /// Migrants that had settled so far.
    pub migrants: u64,
}

/// The best individual of a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leader {
    /// It, as a grid.
    pub grid: Grid,
    /// Its fitness.
    pub fitness: u32,
    /// The terms of its fitness, unweighted.
    pub terms: Terms,
    /// The groups that it breaks, in the order of the puzzle.
    pub broken: Vec<BrokenGroup>,
    /// The nearest true solution, where one is known.
    pub truth: Option<Grid>,
}

impl Leader {
    /// The cells, by their places in the grid, in which it differs from the nearest true solution; none where no solution is
    /// known.
    pub fn wrong(&self) -> impl Iterator<Item = usize> {
        let (cells, truth) = (self.grid.cells(), self.truth.as_ref().map_or(&[][..], Grid::cells));
        (0..truth.len()).filter(move |place| cells[*place] != truth[*place])
    }
}

/// A population sorted by fitness, best first, equals in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// How many individuals the population has. A large one shows as many of them as there is room for, at even distances.
    pub individuals: usize,
    width: usize,
    /// A rank a gene, genome after genome.
    genes: Vec<u8>,
    fitness: Vec<u32>,
}

impl Rows {
    /// At most `most` individuals of a population, 1 or more.
    pub(super) fn of(population: &Population, most: usize) -> Self {
        let mut order: Vec<usize> = (0..population.len()).collect();
        sort_by_key(&mut order, |index| population.fitness()[*index]);
        let shown = order.len().min(most);
        let mut rows = Self { individuals: order.len(), width: population.width(), ..Self::default() };
        for row in 0..shown {
            // The first and the last are among them.
            let place = if shown < 2 { 0 } else { row * (order.len() - 1) / (shown - 1) };
            rows.genes.extend_from_slice(population.genome(order[place]));
            rows.fitness.push(population.fitness()[order[place]]);
        }
        rows
    }

    /// The rows that are shown.
    pub fn len(&self) -> usize {
        self.fitness.len()
    }

    /// There is no individual.
    pub fn is_empty(&self) -> bool {
        self.fitness.is_empty()
    }

    /// The genes of a genome: one for every cell that holds a digit.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The genome of a row: a rank a gene.
    pub fn genome(&self, row: usize) -> &[u8] {
        &self.genes[row * self.width..][..self.width]
    }

    /// The fitness of every row.
    pub fn fitness(&self) -> &[u32] {
        &self.fitness
    }
}

impl Frame {
    /// The frame of a run as it stands.
    pub(super) fn of(execution: &mut Execution<'_>, sample: Option<Sample>, origins: Vec<Origins>) -> Self {
        // The sample of a generation that was recorded is not taken again: it costs a census.
        let sample = sample.or_else(|| execution.sample());
        let (fitness, truth) = (execution.fitness(), execution.truth());
        let problem = fitness.problem();
        let best = execution.leader().map(|best| Leader {
            grid: problem.grid(&best.ranks),
            fitness: best.fitness,
            terms: fitness.terms(&best.ranks),
            broken: BrokenGroup::of(fitness, &best.ranks),
            truth: truth.nearest(&best.ranks).map(|ranks| problem.grid(ranks)),
        });
        let rows = MOST_ROWS.min(MOST_GENES / problem.cells().max(1));
        let islands = islands(execution, rows);
        let (spent, stop, dead_at) = (execution.spent(), execution.stop(), execution.dead_at());
        let (operators, failure) = (execution.ledger(), execution.failure());
        let failure = failure.map(|failure| failure.reason.clone());
        let progress = execution.config().budget.progress(&spent);
        let view = execution.live_view().expect("a run that is played has a live view");
        Self {
            generation: view.passed.map_or(0, |passed| passed.generations),
            spent,
            progress,
            stop,
            failure,
            dead_at,
            best,
            sample,
            islands,
            origins,
            operators,
            migrations: view.migrations.clone(),
            migrants: view.migrants,
        }
    }

    /// The moment without what takes most memory of it: it can be found again.
    pub(super) fn without_origins(self: &Arc<Self>) -> Arc<Self> {
        if self.origins.is_empty() {
            return Arc::clone(self);
        }
        Arc::new(Self { origins: Vec::new(), ..Self::clone(self) })
    }

    /// How an individual came to be, by its island and its row there; `None` where that was not noted.
    pub fn origin(&self, island: usize, row: usize) -> Option<Origin<'_>> {
        let rows = self.islands.get(island)?;
        if row >= rows.len() {
            return None;
        }
        if self.generation == 0 {
            return Some(Origin::Random);
        }
        Some(self.origins.get(island)?.origin(rows.genome(row)))
    }

    /// Its bytes in memory, about.
    pub(super) fn bytes(&self) -> usize {
        let mut bytes = size_of::<Self>() + 64 * self.migrations.len() + 256 * self.operators.uses().len();
        for rows in &self.islands {
            bytes += 64 + rows.genes.len() + 4 * rows.fitness.len();
        }
        for origins in &self.origins {
            bytes += origins.bytes();
        }
        if let Some(best) = &self.best {
            bytes += 4 * best.grid.cells().len() + 16 * best.broken.len();
        }
        bytes
    }
}

/// The populations of a run, which share so many rows; each has one at least.
fn islands(execution: &Execution<'_>, rows: usize) -> Vec<Rows> {
    let mut count = 0;
    execution.populations(&mut |_| count += 1);
    let most = (rows / count.max(1)).max(1);
    let mut islands = Vec::with_capacity(count);
    execution.populations(&mut |population| islands.push(Rows::of(population, most)));
    islands
}
