//! From a problem to an engine at its first fixpoint.
//!
//! Propagators have their numbers from `numbering.rs`. The tables of the larger cages are built one by one, the
//! smallest estimate first, each after a fixpoint of the propagators so far, so that no table holds tuples that these
//! exclude. Cages with more than [`TABLE_CAP`] tuples become chains or probes.

use crate::problem::{Problem, TupleWalk};
use crate::puzzle::Clue;
use crate::puzzle::operators::Fold;

use super::combination::Combination;
use super::crossing::Crossings;
use super::engine::{Engine, Propagator};
use super::numbering::{NumberedClue, PropagatorNumbering};
use super::observer::{RemovalCause, SearchObserver};
use super::pair::Pairs;
use super::probe::Probe;
use super::product::Product;
use super::space::{CellChange, Conflict, NoFixpoint, Space};
use super::sum::Sum;

/// The most tuples of a table.
const TABLE_CAP: usize = 20_000;

/// Tables of small cages between two calls of `should_stop`.
const SMALL_BETWEEN_CHECKS: usize = 16;

/// The place of a group without a table to be built.
const NO_PLACE: usize = usize::MAX;

/// Compiles a problem and propagates it to the first fixpoint. Calls `should_stop` before every table, and at intervals
/// between propagators.
///
/// # Errors
/// [`NoFixpoint`] when propagation refutes the problem or `should_stop` says yes.
pub(super) fn build(
    problem: &Problem,
    should_stop: &dyn Fn() -> bool,
    observer: &mut impl SearchObserver,
) -> Result<Engine, NoFixpoint> {
    build_capped(problem, TABLE_CAP, should_stop, observer)
}

/// [`build`] with tables of at most `cap` tuples.
pub(super) fn build_capped(
    problem: &Problem,
    cap: usize,
    should_stop: &dyn Fn() -> bool,
    observer: &mut impl SearchObserver,
) -> Result<Engine, NoFixpoint> {
    // A restricted problem may come without candidates for a cell.
    if problem.candidates().contains(&0) {
        observer.failed(RemovalCause::Empty);
        return Err(NoFixpoint::Conflict);
    }
    let numbering =
        PropagatorNumbering::of(problem).inspect_err(|Conflict| observer.failed(RemovalCause::Crowded))?;
    observer.numbered(problem, &numbering);
    let mut engine = Engine::new(problem.candidates(), problem.values(), numbering.count, numbering.lines);
    engine.line_sums = numbering.line_sums;
    // One-cell clues are no propagators: they hold for good.
    apply_single_cells(&mut engine, problem, observer)?;
    for line in 0..engine.lines.len() {
        // Both parts of each line: the cheap one runs first and most often finds all.
        engine.install(numbering.singles + line, Propagator::Singles(line as u32));
        engine.install(numbering.distinct + line, Propagator::Distinct(line as u32));
    }
    let mut pairs = Pairs::default();
    for NumberedClue { number, group, clue } in numbering.pairs {
        let cells = problem.cells_of(group).try_into().expect("an operator for two cells");
        let pair = pairs.get(cells, problem.values(), clue);
        engine.install(number, Propagator::Pair(Box::new(pair)));
    }
    let mut crossings = numbering.crossings;
    let demanded = engine.space.extend(crossings.iter().map(|_| 0));
    for (word, crossing) in (demanded..).zip(&mut crossings) {
        crossing.demanded = word;
    }
    let crossings = Crossings::new(crossings, numbering.excludes, engine.lines.len(), numbering.count);
    engine.install_crossings(numbering.demands, crossings);
    let limits = TableLimits { cap, should_stop };
    build_cages(&mut engine, problem, &numbering.small, numbering.large, limits, observer)?;
    Ok(engine)
}

/// What bounds the tables.
#[derive(Clone, Copy)]
struct TableLimits<'a> {
    /// The most tuples of one.
    cap: usize,
    should_stop: &'a dyn Fn() -> bool,
}

impl TableLimits<'_> {
    /// # Errors
    /// [`NoFixpoint::Stopped`] when the caller says so.
    fn check_stop(self) -> Result<(), NoFixpoint> {
        if (self.should_stop)() { Err(NoFixpoint::Stopped) } else { Ok(()) }
    }
}

/// Builds the small cages in order, then the large ones, each after a fixpoint of the propagators so far.
fn build_cages(
    engine: &mut Engine,
    problem: &Problem,
    small: &[NumberedClue],
    large: Vec<NumberedClue>,
    limits: TableLimits<'_>,
    observer: &mut impl SearchObserver,
) -> Result<(), NoFixpoint> {
    let mut walk = TupleWalk::new(problem);
    for (index, cage) in small.iter().enumerate() {
        if index % SMALL_BETWEEN_CHECKS == 0 {
            limits.check_stop()?;
        }
        build_cage(engine, problem, cage, limits.cap, &mut walk, observer)?;
    }
    engine.fixpoint_until(limits.should_stop, observer)?;
    let mut large = TableOrder::new(large, problem, &engine.space);
    while let Some(cage) = large.next(problem, &engine.space) {
        limits.check_stop()?;
        build_cage(engine, problem, cage, limits.cap, &mut walk, observer)?;
        // The next table then holds no tuple that this one excludes.
        engine.fixpoint_until(limits.should_stop, observer)?;
    }
    Ok(())
}

/// Removes the candidates of one-cell clues that do not hold.
fn apply_single_cells(
    engine: &mut Engine,
    problem: &Problem,
    observer: &mut impl SearchObserver,
) -> Result<(), Conflict> {
    for group in 0..problem.groups() {
        let (Some(clue), &[cell]) = (problem.rule(group).clue, problem.cells_of(group)) else { continue };
        let mut allowed = 0;
        for (rank, value) in problem.values().iter().enumerate() {
            allowed |= u32::from(clue.holds(&[*value])) << rank;
        }
        let from = engine.space.now();
        let result = engine.space.keep(cell, allowed);
        observer.changed(&engine.space, RemovalCause::Given(group), from);
        result.inspect_err(|Conflict| observer.failed(RemovalCause::Given(group)))?;
    }
    Ok(())
}

fn build_cage(
    engine: &mut Engine,
    problem: &Problem,
    cage: &NumberedClue,
    cap: usize,
    walk: &mut TupleWalk,
    observer: &mut impl SearchObserver,
) -> Result<(), Conflict> {
    let &NumberedClue { number, group, clue } = cage;
    let mask = |cell: usize| engine.space.mask(cell as u16);
    let (from, cause) = (engine.space.now(), RemovalCause::Propagator(number));
    let built = match walk.find(group, clue, mask, cap) {
        Ok(tuples) => {
            engine.tables.add(problem.cells_of(group), tuples, &mut engine.space).map(Propagator::Table)
        }
        Err(_) => wide(problem, group, clue),
    };
    observer.changed(&engine.space, cause, from);
    engine.install(number, built.inspect_err(|Conflict| observer.failed(cause))?);
    Ok(())
}

/// The propagator of a clue with too many tuples.
fn wide(problem: &Problem, group: usize, clue: Clue) -> Result<Propagator, Conflict> {
    let (cells, values, target) = (problem.cells_of(group), problem.values(), clue.target.unsigned_abs());
    match clue.operator.fold {
        Some(Fold::Sum) if all_differ(problem, group) => {
            let sum = Combination::new(cells, values, target).ok_or(Conflict)?;
            return Ok(Propagator::Combination(Box::new(sum)));
        }
        Some(Fold::Sum) => return Ok(Propagator::Sum(Box::new(Sum::new(cells, values, target)))),
        Some(Fold::Product) => {
            if let Some(product) = Product::new(cells, values, target) {
                return Ok(Propagator::Product(Box::new(product)));
            }
        }
        None => {}
    }
    // Also a product without a chain: one of 0, or with too many divisors.
    Ok(Propagator::Probe(Box::new(Probe::new(cells, values, clue))))
}

/// No two cells of a group may hold the same digit.
fn all_differ(problem: &Problem, group: usize) -> bool {
    if problem.rule(group).distinct {
        return true;
    }
    let cells = problem.cells_of(group);
    for (index, cell) in cells.iter().enumerate() {
        if !cells[..index].iter().all(|earlier| problem.must_differ(*earlier, *cell)) {
            return false;
        }
    }
    true
}

/// The cages whose tables are still to be built, the one with the fewest assignments first: the product of the numbers
/// of candidates of its cells.
///
/// While tables are built cells only lose candidates, so only the cages of the cells that the trail names get a new
/// product. Cost: for each cage taken one pass over those left, and one over the groups of every changed cell.
struct TableOrder {
    cages: Vec<NumberedClue>,
    /// The assignments that the candidates of each cage allow.
    assignments: Vec<u64>,
    /// For every group, its place among the cages.
    place_of: Vec<usize>,
    /// The places of the cages left.
    left: Vec<usize>,
    /// The moment up to which the trail has been read.
    read: usize,
}

impl TableOrder {
    /// The order of these cages under the present candidates.
    fn new(cages: Vec<NumberedClue>, problem: &Problem, space: &Space) -> Self {
        let mut place_of = vec![NO_PLACE; problem.groups()];
        for (place, cage) in cages.iter().enumerate() {
            place_of[cage.group] = place;
        }
        let assignments = cages.iter().map(|cage| assignments(cage.group, problem, space)).collect();
        let left = (0..cages.len()).collect();
        Self { cages, assignments, place_of, left, read: space.now() }
    }

    /// Removes the cage with the fewest assignments from the order and returns it.
    fn next(&mut self, problem: &Problem, space: &Space) -> Option<&NumberedClue> {
        self.read(problem, space);
        // The fewest assignments make the smallest table, which may shrink the others before they are built.
        let fewest = (0..self.left.len()).min_by_key(|index| self.assignments[self.left[*index]])?;
        let place = self.left.swap_remove(fewest);
        Some(&self.cages[place])
    }

    /// Updates the assignments with the candidates lost since the last call.
    fn read(&mut self, problem: &Problem, space: &Space) {
        while let Some(CellChange { cell, before, after }) = space.change(self.read) {
            self.read += 1;
            if before == after {
                continue;
            }
            for group in problem.groups_of(usize::from(cell)) {
                let group = usize::from(*group);
                if let Some(known) = self.assignments.get_mut(self.place_of[group]) {
                    *known = assignments(group, problem, space);
                }
            }
        }
    }
}

/// The number of assignments that the candidates of a group allow.
fn assignments(group: usize, problem: &Problem, space: &Space) -> u64 {
    let mut assignments = 1u64;
    for cell in problem.cells_of(group) {
        assignments = assignments.saturating_mul(u64::from(space.mask(*cell).count_ones()));
    }
    assignments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cage, Square, operators};

    #[test]
    fn the_cage_with_the_fewest_assignments_comes_first() {
        let sum = operators::find("+").expect("a known operator");
        let row = |row: usize| Cage::new(sum, 10, (0..4).map(|column| (row, column)).collect());
        let puzzle = Square::kenken(4, (0..4).map(row).collect()).build().expect("a sound puzzle");
        let problem = Problem::compile(&puzzle);
        let clue = |group: usize| problem.rule(group).clue.map(|clue| (group, clue));
        let clues: Vec<_> = (0..problem.groups()).filter_map(clue).collect();
        let cages =
            clues.iter().enumerate().map(|(number, &(group, clue))| NumberedClue { number, group, clue });
        let mut space = Space::new(&[0b1111; 16], 4);
        let mut order = TableOrder::new(cages.collect(), &problem, &space);
        space.keep(problem.cells_of(clues[2].0)[1], 0b0111).expect("three digits left");
        assert_eq!(order.next(&problem, &space).map(|cage| cage.number), Some(2));
        space.keep(problem.cells_of(clues[3].0)[0], 0b0001).expect("one digit left");
        for expected in [Some(3), Some(0), Some(1), None] {
            assert_eq!(order.next(&problem, &space).map(|cage| cage.number), expected);
        }
    }
}
