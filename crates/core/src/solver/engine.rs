//! Propagators, and their common fixpoint.
//!
//! They run in the order of their numbers, which [`build`](mod@super::build) assigns, the cheap first.

use std::ops::Range;

use crate::problem::{bits, full_mask};

use super::combination::Combination;
use super::crossing::{Crossing, Crossings, union};
use super::distinct;
use super::lines::Lines;
use super::observer::{RemovalCause, SearchObserver};
use super::pair::Pair;
use super::probe::Probe;
use super::product::Product;
use super::space::{Conflict, NoFixpoint, Space};
use super::sum::Sum;
use super::table::Tables;

/// For this many conflicts, branch by table size.
const FEW_CONFLICTS: u64 = 30;

/// Propagators that run between two calls of `should_stop`.
const CHECK_EVERY: u64 = 256;

/// The kinds of propagators.
#[derive(Clone, Debug)]
pub(super) enum Propagator {
    /// A clue that has no propagator yet.
    Unbuilt,
    /// A clue as the table with this index.
    Table(usize),
    /// A clue as a chain of partial sums.
    Sum(Box<Sum>),
    /// A sum over distinct cells as a set of digits.
    Combination(Box<Combination>),
    /// A clue as a chain of divisors.
    Product(Box<Product>),
    /// A clue over two cells by the digits that go together.
    Pair(Box<Pair>),
    /// A clue of any other kind.
    Probe(Box<Probe>),
    /// The cheap part of the line with this index.
    Singles(u32),
    /// The whole of the line with this index.
    Distinct(u32),
    /// The digits that the line with this index demands of its cages.
    Demand(u32),
    /// The digits that the cage with this number excludes from its lines.
    Exclude(u32),
}

/// The state of a search and its propagators.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) space: Space,
    pub(super) tables: Tables,
    pub(super) lines: Lines,
    /// All digits.
    all: u32,
    /// The values of the digits by rank.
    pub(super) values: Vec<u8>,
    /// By number.
    pub(super) propagators: Vec<Propagator>,
    /// The numbers reserved for line sums; none once these have been added.
    pub(super) line_sums: Range<usize>,
    pub(super) crossings: Crossings,
    /// For every cell, the number of its propagators and of their failures.
    pub(super) weights: Vec<u32>,
}

impl Engine {
    /// An engine with lines but without propagators, with room for `count`.
    pub(super) fn new(candidates: &[u32], values: &[u8], count: usize, lines: Lines) -> Self {
        let digits = values.len();
        Self {
            space: Space::new(candidates, count),
            tables: Tables::new(digits, candidates.len()),
            lines,
            all: full_mask(digits),
            values: values.to_vec(),
            line_sums: 0..0,
            propagators: vec![Propagator::Unbuilt; count],
            crossings: Crossings::default(),
            weights: vec![1; candidates.len()],
        }
    }

    /// The candidates of every cell.
    pub(super) fn masks(&self) -> Vec<u32> {
        (0..self.weights.len()).map(|cell| self.space.mask(cell as u16)).collect()
    }

    /// Installs a propagator: it watches its cells and joins the queue. A new table is at its fixpoint; in its place
    /// the crossings that exclude by it join the queue.
    pub(super) fn install(&mut self, number: usize, propagator: Propagator) {
        // Both parts of a line are one constraint: it weighs once.
        let weight = u32::from(!matches!(propagator, Propagator::Singles(_)));
        self.propagators[number] = propagator;
        let (space, weights) = (&mut self.space, &mut self.weights);
        for cell in cells_of(&self.propagators[number], &self.tables, &self.lines) {
            space.watch(*cell, number);
            weights[usize::from(*cell)] += weight;
        }
        match self.propagators[number] {
            // Adding the table has removed what it forbids.
            Propagator::Table(_) => self.wake_exclude(number),
            _ => self.space.wake(number),
        }
    }

    /// Installs the crossings, which exclude under the numbers that they have and demand under those from `demand` on, line
    /// by line.
    pub(super) fn install_crossings(&mut self, demand: usize, crossings: Crossings) {
        self.crossings = crossings;
        for line in 0..self.lines.len() as u32 {
            let of_line = self.crossings.of_line(line);
            let Some(first) = of_line.first() else { continue };
            let is_full = self.crossings.get(*first).full;
            for cell in self.lines.cells(line) {
                self.weights[usize::from(*cell)] += of_line.len() as u32;
                // Only a line with as many cells as digits must have each of them, so that one can become due
                // in a cage.
                if is_full {
                    self.space.watch(*cell, demand + line as usize);
                }
            }
            self.propagators[demand + line as usize] = Propagator::Demand(line);
        }
        for (_, crossing) in self.crossings.iter() {
            let exclude = self.crossings.exclude_of(crossing.cage as usize).expect("the cage has a crossing");
            self.propagators[exclude] = Propagator::Exclude(crossing.cage);
        }
    }

    /// Runs propagators until the queue is empty.
    ///
    /// # Errors
    /// [`Conflict`] when one fails; its cells then weigh more, and the queue is empty.
    pub(super) fn fixpoint(&mut self, observer: &mut impl SearchObserver) -> Result<(), Conflict> {
        while let Some(number) = self.space.pop() {
            self.settle(number, observer)?;
        }
        Ok(())
    }

    /// [`fixpoint`](Self::fixpoint) that ends when `should_stop` says yes; the queue keeps the rest.
    ///
    /// # Errors
    /// [`NoFixpoint`] when a propagator fails or `should_stop` says yes.
    pub(super) fn fixpoint_until(
        &mut self,
        should_stop: &dyn Fn() -> bool,
        observer: &mut impl SearchObserver,
    ) -> Result<(), NoFixpoint> {
        for runs in 1u64.. {
            let Some(number) = self.space.pop() else { break };
            self.settle(number, observer)?;
            if runs.is_multiple_of(CHECK_EVERY) && should_stop() {
                return Err(NoFixpoint::Stopped);
            }
        }
        Ok(())
    }

    /// Runs a propagator from the queue.
    fn settle(&mut self, number: usize, observer: &mut impl SearchObserver) -> Result<(), Conflict> {
        let result = match self.propagators[number] {
            Propagator::Demand(line) => self.demand(line, observer),
            Propagator::Exclude(cage) => self.exclude(cage as usize, observer),
            _ => self.run_shown(number, observer),
        };
        // What the others would find is undone with the decision.
        if result.is_err() {
            self.space.clear_pending();
            return Err(Conflict);
        }
        self.space.dequeue(number);
        Ok(())
    }

    /// [`run`](Self::run), seen by an observer.
    fn run_shown(&mut self, number: usize, observer: &mut impl SearchObserver) -> Result<(), Conflict> {
        let from = self.space.now();
        let result = self.run(number);
        observer.changed(&self.space, RemovalCause::Propagator(number), from);
        result.inspect_err(|Conflict| {
            observer.failed(RemovalCause::Propagator(number));
            self.blame(number);
        })
    }

    /// There are line sums to add.
    pub(super) fn has_line_sums(&self) -> bool {
        !self.line_sums.is_empty()
    }

    /// The number of digits.
    pub(super) fn digits(&self) -> usize {
        self.all.count_ones() as usize
    }

    /// Puts every crossing in the queue.
    pub(super) fn wake_crossings(&mut self) {
        for (number, propagator) in self.propagators.iter().enumerate() {
            if matches!(propagator, Propagator::Demand(_) | Propagator::Exclude(_)) {
                self.space.wake(number);
            }
        }
    }

    /// Adds to the weights of a propagator's cells.
    pub(super) fn blame(&mut self, number: usize) {
        for cell in cells_of(&self.propagators[number], &self.tables, &self.lines) {
            self.weights[usize::from(*cell)] += 1;
        }
    }

    /// Adds to the weights of a line's cells.
    pub(super) fn blame_line(&mut self, line: u32) {
        for cell in self.lines.cells(line) {
            self.weights[usize::from(*cell)] += 1;
        }
    }

    /// Puts what excludes by a cage in the queue.
    fn wake_exclude(&mut self, cage: usize) {
        if let Some(exclude) = self.crossings.exclude_of(cage) {
            self.space.wake(exclude);
        }
    }

    /// Runs a propagator that is no crossing.
    #[inline]
    pub(super) fn run(&mut self, number: usize) -> Result<(), Conflict> {
        let (digits, space) = (self.digits(), &mut self.space);
        match &mut self.propagators[number] {
            Propagator::Unbuilt | Propagator::Demand(_) | Propagator::Exclude(_) => Ok(()),
            Propagator::Table(table) => {
                let moment = space.now();
                self.tables.propagate(*table, space)?;
                // What every live tuple shares may have become more.
                if space.now() != moment {
                    self.wake_exclude(number);
                }
                Ok(())
            }
            Propagator::Sum(sum) => sum.propagate(space),
            Propagator::Combination(sum) => sum.propagate(space),
            Propagator::Product(product) => product.propagate(space),
            Propagator::Pair(pair) => pair.propagate(space),
            Propagator::Probe(probe) => probe.propagate(space),
            Propagator::Singles(line) => {
                let cells = self.lines.cells(*line);
                let full = cells.len() == digits;
                distinct::singles(cells, if full { self.all } else { 0 }, space)
            }
            Propagator::Distinct(line) => {
                let (cells, hints) = self.lines.cells_and_hints(*line);
                distinct::propagate(cells, hints, digits, space)
            }
        }
    }

    /// Strikes the tuples of a crossing's cage that do not put a digit in the line.
    pub(super) fn demand_digit(&mut self, crossing: &Crossing, rank: u32) -> Result<(), Conflict> {
        let Some(table) = self.table_of(crossing) else { return Ok(()) };
        if self.tables.demand(table, crossing.positions, rank, &mut self.space)? {
            self.space.wake(crossing.cage as usize);
            self.wake_exclude(crossing.cage as usize);
        }
        Ok(())
    }

    /// The table of a crossing's cage, if the cage has one.
    pub(super) fn table_of(&self, crossing: &Crossing) -> Option<usize> {
        match self.propagators[crossing.cage as usize] {
            Propagator::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Demands the digits that a full line can hold inside one of its cages only.
    pub(super) fn demand(&mut self, line: u32, observer: &mut impl SearchObserver) -> Result<(), Conflict> {
        let missing = self.missing(line);
        for place in 0..self.crossings.of_line(line).len() {
            let index = self.crossings.of_line(line)[place];
            let crossing = *self.crossings.get(index);
            let due = crossing.due(missing, self.lines.cells(line), &self.space);
            let demanded = self.space.word(crossing.demanded) as u32;
            // A digit is demanded once: the tuples without it stay struck until the decision is undone.
            if due & !demanded == 0 || self.table_of(&crossing).is_none() {
                continue;
            }
            self.space.set(crossing.demanded, u64::from(due | demanded));
            let struck = bits(due & !demanded).try_for_each(|rank| self.demand_digit(&crossing, rank));
            struck.inspect_err(|Conflict| self.fail_crossing(index, observer))?;
        }
        Ok(())
    }

    /// The digits that no cell of a line has yet.
    pub(super) fn missing(&self, line: u32) -> u32 {
        let assigned = |cell: &u16| self.space.mask(*cell).is_power_of_two();
        let assigned = self.lines.cells(line).iter().copied().filter(assigned);
        full_mask(self.digits()) & !union(assigned, &self.space)
    }

    /// Removes from its lines the digits that every live tuple of a cage puts there.
    pub(super) fn exclude(
        &mut self,
        cage: usize,
        observer: &mut impl SearchObserver,
    ) -> Result<(), Conflict> {
        for index in self.crossings.of_cage(cage) {
            let crossing = *self.crossings.get(index);
            let Some(table) = self.table_of(&crossing) else { return Ok(()) };
            let from = self.space.now();
            let line = self.lines.cells(crossing.line);
            let excluded = crossing.exclude(line, table, &self.tables, &mut self.space);
            observer.changed(&self.space, RemovalCause::Crossing(index), from);
            excluded.inspect_err(|Conflict| self.fail_crossing(index, observer))?;
        }
        Ok(())
    }

    fn fail_crossing(&mut self, index: u32, observer: &mut impl SearchObserver) {
        observer.failed(RemovalCause::Crossing(index));
        self.blame_line(self.crossings.get(index).line);
    }

    /// The open cell to decide on; `None` when all are assigned. For the first conflicts it lies in the table with the
    /// fewest live tuples; later it has the fewest candidates for its weight. The first of equals.
    pub(super) fn choose_cell(&self, conflicts: u64) -> Option<u16> {
        // Weights say nothing before there were conflicts; small tables do.
        let early = if conflicts < FEW_CONFLICTS { self.cell_of_smallest_table() } else { None };
        early.or_else(|| self.heaviest_cell())
    }

    fn cell_of_smallest_table(&self) -> Option<u16> {
        let tables = (0..self.tables.len()).map(|table| (self.tables.live_tuples(table, &self.space), table));
        let (_, table) = tables.filter(|(tuples, _)| *tuples > 1).min()?;
        let size = |cell: &u16| self.space.mask(*cell).count_ones();
        self.tables.cells(table).iter().copied().filter(|cell| size(cell) > 1).min_by_key(size)
    }

    fn heaviest_cell(&self) -> Option<u16> {
        let mut best = None;
        let (mut best_size, mut best_weight) = (1u64, 0u64);
        for (cell, weight) in self.weights.iter().enumerate() {
            let mask = self.space.mask(cell as u16);
            let (size, weight) = (u64::from(mask.count_ones()), u64::from(*weight));
            // Fractions are compared crosswise, without rounding.
            if size > 1 && size * best_weight < best_size * weight {
                (best, best_size, best_weight) = (Some(cell as u16), size, weight);
            }
        }
        best
    }
}

/// The cells that a propagator watches; none for crossings, which watch others.
fn cells_of<'a>(propagator: &'a Propagator, tables: &'a Tables, lines: &'a Lines) -> &'a [u16] {
    match propagator {
        Propagator::Unbuilt | Propagator::Demand(_) | Propagator::Exclude(_) => &[],
        Propagator::Table(table) => tables.cells(*table),
        Propagator::Sum(sum) => sum.cells(),
        Propagator::Combination(sum) => sum.cells(),
        Propagator::Product(product) => product.cells(),
        Propagator::Pair(pair) => pair.cells(),
        Propagator::Probe(probe) => probe.cells(),
        Propagator::Singles(line) | Propagator::Distinct(line) => lines.cells(*line),
    }
}
