//! Propagators, and their common fixpoint.
//!
//! They run in the order of their numbers, which [`build`](super::build) gives out, the cheap first.

use super::crossing::Crossing;
use super::distinct::Distinct;
use super::probe::Probe;
use super::product::Product;
use super::space::{Conflict, Space};
use super::sum::Sum;
use super::table::Tables;

/// What a propagator's number stands for.
#[derive(Clone, Debug)]
pub(super) enum Propagator {
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
    pub(super) tables: Tables,
    propagators: Vec<Propagator>,
    /// For every propagator that is a cage, its crossings, woken when it loses tuples.
    crossings: Vec<Vec<usize>>,
    /// How often each cell was part of a failed propagator, and of how many propagators it is.
    weights: Vec<u32>,
}

impl Engine {
    /// An engine without propagators, with room for `count`.
    pub(super) fn new(candidates: &[u32], digits: usize, count: usize) -> Self {
        Self {
            space: Space::new(candidates, count),
            tables: Tables::new(digits),
            propagators: vec![Propagator::Unbuilt; count],
            crossings: vec![Vec::new(); count],
            weights: vec![1; candidates.len()],
        }
    }

    /// The candidates of every cell.
    pub(super) fn masks(&self) -> Vec<u32> {
        (0..self.weights.len()).map(|cell| self.space.mask(cell as u16)).collect()
    }

    /// Puts a propagator in its place, in the queue, and on the watch.
    pub(super) fn install(&mut self, number: usize, propagator: Propagator) {
        if let Propagator::Crossing(crossing) = &propagator {
            self.crossings[crossing.cage()].push(number);
        }
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
        let space = &mut self.space;
        match &mut self.propagators[number] {
            Propagator::Unbuilt => Ok(()),
            Propagator::Table(table) => {
                let moment = space.now();
                self.tables.propagate(*table, space)?;
                if space.now() != moment {
                    wake_all(&self.crossings[number], space);
                }
                Ok(())
            }
            Propagator::Sum(sum) => sum.propagate(space),
            Propagator::Product(product) => product.propagate(space),
            Propagator::Probe(probe) => probe.propagate(space),
            Propagator::Distinct(group) => group.propagate(space),
            Propagator::Crossing(_) => self.cross(number),
        }
    }

    /// Runs a crossing; one whose cage has no table has nothing to go by.
    fn cross(&mut self, number: usize) -> Result<(), Conflict> {
        let Propagator::Crossing(crossing) = &self.propagators[number] else { return Ok(()) };
        let Propagator::Table(table) = self.propagators[crossing.cage()] else { return Ok(()) };
        if crossing.propagate(table, &mut self.tables, &mut self.space)? {
            self.space.wake(crossing.cage());
            wake_all(&self.crossings[crossing.cage()], &mut self.space);
        }
        Ok(())
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

fn wake_all(numbers: &[usize], space: &mut Space) {
    for number in numbers {
        space.wake(*number);
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
