//! A problem as propagators, and their common fixpoint.
//!
//! Propagators run in the order of their numbers, the cheap first: cages of up to three cells, lines, crossings of the
//! two, larger cages. Tables of the larger cages are built one after the other, smallest estimate first, each
//! after the fixpoint of what stands: what is already impossible is then never tabulated. Cages with more than
//! [`TABLE_CAP`] tuples become chains or probes.

use crate::problem::{Problem, enumerate};
use crate::puzzle::Clue;
use crate::puzzle::operators::Fold;

use super::crossing::Crossing;
use super::distinct::Distinct;
use super::probe::Probe;
use super::product::Product;
use super::space::{Conflict, Space};
use super::sum::Sum;
use super::table::Tables;

/// The most tuples of a table.
const TABLE_CAP: usize = 20_000;

/// The most cells of a cage whose table is built before anything is propagated.
const SMALL: usize = 3;

/// What a propagator's number stands for.
#[derive(Clone, Debug)]
enum Propagator {
    /// A clue whose form is not decided yet.
    Unbuilt,
    /// A clue as the table with this index.
    Table(usize),
    /// A clue as a chain of partial sums.
    Sum(Sum),
    /// A clue as a chain of divisors.
    Product(Product),
    /// A clue of any other kind.
    Probe(Probe),
    /// A distinct group.
    Distinct(Distinct),
    /// A cage and a distinct group.
    Crossing(Crossing),
}

/// Everything that a search works on.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) space: Space,
    propagators: Vec<Propagator>,
    tables: Tables,
    /// How often each cell was part of a failed propagator, and of how many propagators it is.
    weights: Vec<u32>,
}

/// A clue over two cells or more that is still to be built.
struct Pending {
    propagator: usize,
    group: usize,
    clue: Clue,
}

impl Engine {
    /// Compiles a problem and propagates it to the first fixpoint.
    ///
    /// # Errors
    /// [`Conflict`] when there is no solution, found without search.
    pub(super) fn compile(problem: &Problem) -> Result<Self, Conflict> {
        let (clues, lines) = groups_of(problem);
        let small = clues.iter().filter(|(group, _)| problem.cells_of(*group).len() <= SMALL).count();
        let crossings = find_crossings(problem, &clues, &lines, small);
        let count = clues.len() + lines.len() + crossings.len();
        let mut engine = Self {
            space: Space::new(problem.candidates(), count),
            propagators: vec![Propagator::Unbuilt; count],
            tables: Tables::new(problem.digits()),
            weights: vec![1; problem.cells()],
        };
        engine.apply_single_cells(problem)?;
        for (index, line) in lines.iter().enumerate() {
            let group = Distinct::new(problem.cells_of(*line)).ok_or(Conflict)?;
            engine.install(small + index, Propagator::Distinct(group));
        }
        for (index, crossing) in crossings.into_iter().enumerate() {
            engine.install(small + lines.len() + index, Propagator::Crossing(crossing));
        }
        let shift = lines.len() + count - clues.len() - lines.len();
        let pending = clues.iter().enumerate().map(|(index, &(group, clue))| {
            let propagator = if index < small { index } else { index + shift };
            Pending { propagator, group, clue }
        });
        engine.build(problem, pending.collect(), small)?;
        Ok(engine)
    }

    /// The candidates of every cell.
    pub(super) fn masks(&self) -> Vec<u32> {
        (0..self.weights.len()).map(|cell| self.space.mask(cell as u16)).collect()
    }

    /// Removes the candidates of one-cell clues that do not hold.
    fn apply_single_cells(&mut self, problem: &Problem) -> Result<(), Conflict> {
        if problem.candidates().contains(&0) {
            return Err(Conflict);
        }
        for group in 0..problem.groups() {
            if let (Some(clue), &[cell]) = (problem.rule(group).clue, problem.cells_of(group)) {
                let holds = |rank: &usize| clue.holds(&[problem.values()[*rank]]);
                let allowed = (0..problem.digits()).filter(holds).fold(0, |mask, rank| mask | 1 << rank);
                self.space.keep(cell, allowed)?;
            }
        }
        Ok(())
    }

    /// Builds the small clues, then the others from the least estimate up, with a fixpoint after each.
    fn build(&mut self, problem: &Problem, mut pending: Vec<Pending>, small: usize) -> Result<(), Conflict> {
        let mut tuples = Vec::new();
        let mut large = pending.split_off(small);
        for clue in &pending {
            self.build_clue(problem, clue, &mut tuples)?;
        }
        self.fixpoint()?;
        while let Some(next) =
            (0..large.len()).min_by_key(|index| self.estimate(problem, large[*index].group))
        {
            let clue = large.swap_remove(next);
            self.build_clue(problem, &clue, &mut tuples)?;
            self.fixpoint()?;
        }
        Ok(())
    }

    /// The number of assignments that the candidates of a group allow.
    fn estimate(&self, problem: &Problem, group: usize) -> u64 {
        let sizes = problem.cells_of(group).iter().map(|cell| u64::from(self.space.mask(*cell).count_ones()));
        sizes.fold(1, u64::saturating_mul)
    }

    fn build_clue(
        &mut self,
        problem: &Problem,
        pending: &Pending,
        tuples: &mut Vec<u8>,
    ) -> Result<(), Conflict> {
        let &Pending { propagator, group, clue } = pending;
        tuples.clear();
        let mask = |cell: usize| self.space.mask(cell as u16);
        let built = match enumerate(problem, group, clue, mask, TABLE_CAP, tuples) {
            Ok(()) if tuples.is_empty() => return Err(Conflict),
            Ok(()) => Propagator::Table(self.tables.add(problem.cells_of(group), tuples, &mut self.space)),
            Err(_) => wide(problem, group, clue),
        };
        self.install(propagator, built);
        Ok(())
    }

    /// Puts a propagator in its place, in the queue, and on the watch.
    fn install(&mut self, number: usize, propagator: Propagator) {
        self.propagators[number] = propagator;
        for_cells(&self.propagators[number], &self.tables, |cell| {
            self.space.watch(cell, number);
            self.weights[usize::from(cell)] += 1;
        });
        self.space.wake(number);
    }

    /// Runs propagators until none has anything to do.
    ///
    /// # Errors
    /// [`Conflict`] when one finds that nothing is left; its cells then weigh more, and the queue is empty.
    pub(super) fn fixpoint(&mut self) -> Result<(), Conflict> {
        while let Some(number) = self.space.next() {
            if self.run(number).is_err() {
                let weights = &mut self.weights;
                for_cells(&self.propagators[number], &self.tables, |cell| weights[usize::from(cell)] += 1);
                self.space.forget_pending();
                return Err(Conflict);
            }
            self.space.rest(number);
        }
        Ok(())
    }

    fn run(&mut self, number: usize) -> Result<(), Conflict> {
        let (propagators, space) = (&mut self.propagators, &mut self.space);
        let table = match &propagators[number] {
            Propagator::Crossing(crossing) => match propagators[crossing.cage()] {
                Propagator::Table(table) => Some(table),
                _ => return Ok(()),
            },
            _ => None,
        };
        match (&mut propagators[number], table) {
            (Propagator::Table(table), _) => self.tables.propagate(*table, space),
            (Propagator::Distinct(group), _) => group.propagate(space),
            (Propagator::Crossing(crossing), Some(table)) => {
                crossing.propagate(table, &mut self.tables, space)
            }
            (Propagator::Sum(sum), _) => sum.propagate(space),
            (Propagator::Product(product), _) => product.propagate(space),
            (Propagator::Probe(probe), _) => probe.propagate(space),
            (Propagator::Unbuilt | Propagator::Crossing(_), _) => Ok(()),
        }
    }

    /// The open cell with the fewest candidates for its weight, the first of equals; `None` when all are assigned.
    pub(super) fn choose_cell(&self) -> Option<u16> {
        let mut best = None;
        let (mut best_size, mut best_weight) = (1u64, 0u64);
        for (cell, weight) in self.weights.iter().enumerate() {
            let mask = self.space.mask(cell as u16);
            let (size, weight) = (u64::from(mask.count_ones()), u64::from(*weight));
            if size > 1 && size * best_weight < best_size * weight {
                (best, best_size, best_weight) = (Some(cell as u16), size, weight);
            }
        }
        best
    }
}

/// The clues over two cells or more, by number of cells, and the distinct groups of two cells or more.
fn groups_of(problem: &Problem) -> (Vec<(usize, Clue)>, Vec<usize>) {
    let several = |group: &usize| problem.cells_of(*group).len() > 1;
    let clue = |group: usize| problem.rule(group).clue.map(|clue| (group, clue));
    let mut clues: Vec<(usize, Clue)> = (0..problem.groups()).filter(several).filter_map(clue).collect();
    clues.sort_by_key(|(group, _)| problem.cells_of(*group).len());
    let lines = (0..problem.groups()).filter(several).filter(|group| problem.rule(*group).distinct);
    (clues, lines.collect())
}

/// The crossings of clues with lines; clues are numbered as propagators: small ones first, others after all else.
fn find_crossings(
    problem: &Problem,
    clues: &[(usize, Clue)],
    lines: &[usize],
    small: usize,
) -> Vec<Crossing> {
    let mut crossings = Vec::new();
    let mut first_large = Vec::new();
    for (index, (group, _)) in clues.iter().enumerate() {
        let cells = problem.cells_of(*group);
        for line in lines.iter().filter(|line| *line != group) {
            if let Some(crossing) = Crossing::new(index, cells, problem.cells_of(*line), problem.digits()) {
                if index >= small {
                    first_large.push(crossings.len());
                }
                crossings.push(crossing);
            }
        }
    }
    let shift = lines.len() + crossings.len();
    for index in first_large {
        crossings[index].move_cage(shift);
    }
    crossings
}

/// The propagator of a clue with too many tuples.
fn wide(problem: &Problem, group: usize, clue: Clue) -> Propagator {
    let (cells, values) = (problem.cells_of(group), problem.values());
    let probe = || Propagator::Probe(Probe::new(cells, values, clue));
    match clue.operator.fold() {
        Some(Fold::Sum) => Propagator::Sum(Sum::new(cells, values, clue.target.unsigned_abs())),
        Some(Fold::Product) => {
            Product::new(cells, values, clue.target.unsigned_abs()).map_or_else(probe, Propagator::Product)
        }
        None => probe(),
    }
}

fn for_cells(propagator: &Propagator, tables: &Tables, mut act: impl FnMut(u16)) {
    let cells = match propagator {
        Propagator::Unbuilt => &[],
        Propagator::Table(table) => tables.cells(*table),
        Propagator::Sum(sum) => sum.cells(),
        Propagator::Product(product) => product.cells(),
        Propagator::Probe(probe) => probe.cells(),
        Propagator::Distinct(group) => group.cells(),
        Propagator::Crossing(crossing) => return crossing.cells().for_each(act),
    };
    cells.iter().copied().for_each(&mut act);
}
