//! From a problem to an engine at its first fixpoint.
//!
//! Propagators are numbered: cages of up to three cells, lines, crossings of the two, then larger cages and their
//! crossings. Tables of the larger cages are built one after the other, smallest estimate first, each after the
//! fixpoint of what stands: what is already impossible is then never tabulated. Cages with more than [`TABLE_CAP`]
//! tuples become chains or probes.

use crate::problem::{Problem, enumerate};
use crate::puzzle::Clue;
use crate::puzzle::operators::Fold;

use super::crossing::Crossing;
use super::distinct::Distinct;
use super::engine::{Engine, Propagator};
use super::probe::Probe;
use super::product::Product;
use super::space::Conflict;
use super::sum::Sum;

/// The most tuples of a table.
const TABLE_CAP: usize = 20_000;

/// The most cells of a cage whose table is built before anything is propagated.
const SMALL: usize = 3;

/// A clue over two cells or more, and the number of its propagator.
struct Cage {
    number: usize,
    group: usize,
    clue: Clue,
}

/// Numbers for all propagators.
struct Plan {
    small: Vec<Cage>,
    lines: Vec<(usize, usize)>,
    large: Vec<Cage>,
    crossings: Vec<(usize, Crossing)>,
    count: usize,
}

impl Plan {
    fn of(problem: &Problem) -> Self {
        let mut small = clues(problem);
        let large = small.split_off(small.partition_point(|(group, _)| is_small(problem, *group)));
        let mut plan =
            Self { small: Vec::new(), lines: Vec::new(), large: Vec::new(), crossings: Vec::new(), count: 0 };
        plan.small = plan.number(small);
        let several = |group: &usize| problem.rule(*group).distinct && problem.cells_of(*group).len() > 1;
        for group in (0..problem.groups()).filter(several) {
            let number = plan.next();
            plan.lines.push((number, group));
        }
        plan.crossings = plan.cross(problem, &plan.small, plan.count);
        plan.count += plan.crossings.len();
        plan.large = plan.number(large);
        let crossings = plan.cross(problem, &plan.large, plan.count);
        plan.count += crossings.len();
        plan.crossings.extend(crossings);
        plan
    }

    fn next(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    fn number(&mut self, clues: Vec<(usize, Clue)>) -> Vec<Cage> {
        clues.into_iter().map(|(group, clue)| Cage { number: self.next(), group, clue }).collect()
    }

    /// The crossings of cages with lines, numbered from `first`.
    fn cross(&self, problem: &Problem, cages: &[Cage], first: usize) -> Vec<(usize, Crossing)> {
        let meet = |cage: &Cage, line: usize| {
            let (cells, line_cells) = (problem.cells_of(cage.group), problem.cells_of(line));
            let other = cage.group != line;
            other.then(|| Crossing::new(cage.number, cells, line_cells, problem.digits())).flatten()
        };
        let all = cages.iter().flat_map(|cage| self.lines.iter().filter_map(move |line| meet(cage, line.1)));
        all.enumerate().map(|(index, crossing)| (first + index, crossing)).collect()
    }
}

fn is_small(problem: &Problem, group: usize) -> bool {
    problem.cells_of(group).len() <= SMALL
}

/// The clues over two cells or more, by number of cells.
fn clues(problem: &Problem) -> Vec<(usize, Clue)> {
    let clue = |group: usize| problem.rule(group).clue.map(|clue| (group, clue));
    let several = |(group, _): &(usize, Clue)| problem.cells_of(*group).len() > 1;
    let mut clues: Vec<(usize, Clue)> = (0..problem.groups()).filter_map(clue).filter(several).collect();
    clues.sort_by_key(|(group, _)| problem.cells_of(*group).len());
    clues
}

/// Compiles a problem and propagates it to the first fixpoint.
///
/// # Errors
/// [`Conflict`] when there is no solution, found without search.
pub(super) fn build(problem: &Problem) -> Result<Engine, Conflict> {
    if problem.candidates().contains(&0) {
        return Err(Conflict);
    }
    let plan = Plan::of(problem);
    let mut engine = Engine::new(problem.candidates(), problem.digits(), plan.count);
    apply_single_cells(&mut engine, problem)?;
    for (number, line) in plan.lines {
        let group = Distinct::new(problem.cells_of(line)).ok_or(Conflict)?;
        engine.install(number, Propagator::Distinct(group));
    }
    for (number, crossing) in plan.crossings {
        engine.install(number, Propagator::Crossing(crossing));
    }
    let mut tuples = Vec::new();
    for cage in &plan.small {
        build_cage(&mut engine, problem, cage, &mut tuples)?;
    }
    engine.fixpoint()?;
    let mut large = plan.large;
    while let Some(next) = (0..large.len()).min_by_key(|index| estimate(&engine, problem, &large[*index])) {
        build_cage(&mut engine, problem, &large.swap_remove(next), &mut tuples)?;
        engine.fixpoint()?;
    }
    Ok(engine)
}

/// Removes the candidates of one-cell clues that do not hold.
fn apply_single_cells(engine: &mut Engine, problem: &Problem) -> Result<(), Conflict> {
    for group in 0..problem.groups() {
        if let (Some(clue), &[cell]) = (problem.rule(group).clue, problem.cells_of(group)) {
            let holds = |rank: &usize| clue.holds(&[problem.values()[*rank]]);
            let allowed = (0..problem.digits()).filter(holds).fold(0, |mask, rank| mask | 1 << rank);
            engine.space.keep(cell, allowed)?;
        }
    }
    Ok(())
}

/// The number of assignments that the candidates of a cage allow.
fn estimate(engine: &Engine, problem: &Problem, cage: &Cage) -> u64 {
    let size = |cell: &u16| u64::from(engine.space.mask(*cell).count_ones());
    problem.cells_of(cage.group).iter().map(size).fold(1, u64::saturating_mul)
}

fn build_cage(
    engine: &mut Engine,
    problem: &Problem,
    cage: &Cage,
    tuples: &mut Vec<u8>,
) -> Result<(), Conflict> {
    let &Cage { number, group, clue } = cage;
    tuples.clear();
    let mask = |cell: usize| engine.space.mask(cell as u16);
    let built = match enumerate(problem, group, clue, mask, TABLE_CAP, tuples) {
        Ok(()) if tuples.is_empty() => return Err(Conflict),
        Ok(()) => Propagator::Table(engine.tables.add(problem.cells_of(group), tuples, &mut engine.space)),
        Err(_) => wide(problem, group, clue),
    };
    engine.install(number, built);
    Ok(())
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
