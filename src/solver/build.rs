//! From a problem to an engine at its first fixpoint.
//!
//! Propagators are numbered: pairs, cages of up to [`SMALL`] cells, the cheap part of lines, crossings of the two, then larger
//! cages and their crossings, at last the whole of lines. The tables of the larger cages are built one by one, the
//! smallest estimate first, each after a fixpoint of the propagators so far, so that no table holds tuples that these
//! exclude. Cages with more than [`TABLE_CAP`] tuples become chains or probes.

use crate::problem::{Problem, enumerate, mask_of};
use crate::puzzle::Clue;
use crate::puzzle::operators::{Fold, Relation};

use super::cliques::CliqueCover;
use super::combination::Combination;
use super::crossing::Crossing;
use super::engine::{Engine, Lines, Propagator};
use super::pair::Pairs;
use super::probe::Probe;
use super::product::Product;
use super::space::{Conflict, NoFixpoint, Space};
use super::sum::Sum;

/// The most tuples of a table.
const TABLE_CAP: usize = 20_000;

/// The line of a group that is none.
const NO_LINE: u32 = u32::MAX;

/// The place of a group without a table to be built.
const NO_PLACE: usize = usize::MAX;

/// The most cells of a cage whose table is built before anything is propagated.
const SMALL: usize = 4;

/// The most cells of a cage that may become a table: its positions are bits of a mask.
const WIDEST: usize = 32;

/// A clue over two cells or more, and the number of its propagator.
struct NumberedClue {
    number: usize,
    group: usize,
    clue: Clue,
}

/// The numbers of all propagators.
#[derive(Default)]
struct Numbering {
    /// The clues that need no table.
    pairs: Vec<NumberedClue>,
    small: Vec<NumberedClue>,
    large: Vec<NumberedClue>,
    lines: Lines,
    /// The index of every group among the lines; `NO_LINE` for the others.
    line_of: Vec<u32>,
    /// The number of the first line's cheap part; the others follow.
    singles: usize,
    /// The number of the first line's whole part; the others follow.
    distinct: usize,
    /// Every crossing with the numbers of its [`Propagator::Demand`] and [`Propagator::Exclude`].
    crossings: Vec<(usize, usize, Crossing)>,
    count: usize,
}

impl Numbering {
    fn of(problem: &Problem) -> Result<Self, Conflict> {
        let (pairs, mut small): (Vec<_>, Vec<_>) = clues(problem).into_iter().partition(is_pair);
        let is_small = |(group, _): &(usize, Clue)| problem.cells_of(*group).len() <= SMALL;
        let large = small.split_off(small.partition_point(is_small));
        let mut numbering = Self::default();
        numbering.find_lines(problem)?;
        let lines = numbering.lines.len();
        numbering.pairs = numbering.number(pairs);
        numbering.small = numbering.number(small);
        numbering.singles = numbering.take(lines);
        numbering.cross(problem, 0);
        numbering.large = numbering.number(large);
        numbering.cross(problem, numbering.small.len());
        numbering.distinct = numbering.take(lines);
        Ok(numbering)
    }

    /// Adds a line for every distinct group; pairs of cells share those of their cliques.
    ///
    /// # Errors
    /// [`Conflict`] when a line has more cells than there are digits.
    fn find_lines(&mut self, problem: &Problem) -> Result<(), Conflict> {
        let cover = CliqueCover::of(problem);
        let crowded =
            |group: usize| is_line(problem, group) && problem.cells_of(group).len() > problem.digits();
        if cover.cliques.iter().any(|clique| clique.len() > problem.digits())
            || (0..problem.groups()).any(crowded)
        {
            return Err(Conflict);
        }
        let mut line_of_clique = vec![NO_LINE; cover.cliques.len()];
        for group in 0..problem.groups() {
            let line = match cover.clique_of(problem, group) {
                Some(clique) if line_of_clique[clique] == NO_LINE => {
                    line_of_clique[clique] = self.lines.add(&cover.cliques[clique]);
                    line_of_clique[clique]
                }
                Some(clique) => line_of_clique[clique],
                None if is_line(problem, group) => self.lines.add(problem.cells_of(group)),
                None => NO_LINE,
            };
            self.line_of.push(line);
        }
        Ok(())
    }

    /// Takes so many numbers and returns the first.
    fn take(&mut self, count: usize) -> usize {
        self.count += count;
        self.count - count
    }

    fn number(&mut self, clues: Vec<(usize, Clue)>) -> Vec<NumberedClue> {
        clues.into_iter().map(|(group, clue)| NumberedClue { number: self.take(1), group, clue }).collect()
    }

    /// Numbers the crossings of lines with the cages from `first` on, small before large.
    fn cross(&mut self, problem: &Problem, first: usize) {
        let before = self.crossings.len();
        let mut met: Vec<Crossing> = Vec::new();
        for cage in self.small.iter().chain(&self.large).skip(first) {
            met.clear();
            self.meet(problem, cage, &mut met);
            let shared = |crossing: &&Crossing| {
                let inside = crossing.inside.count_ones() as usize;
                inside > 1 && inside < self.lines.cells(crossing.line).len()
            };
            self.crossings.extend(met.iter().filter(shared).map(|crossing| (0, 0, *crossing)));
        }
        for index in before..self.crossings.len() {
            self.crossings[index].0 = self.take(1);
        }
        for index in before..self.crossings.len() {
            self.crossings[index].1 = self.take(1);
        }
    }

    /// Appends a cage's crossings, one for each line that one of its cells lies in; none where the cage is too wide for
    /// a table.
    fn meet(&self, problem: &Problem, cage: &NumberedClue, met: &mut Vec<Crossing>) {
        let cells = problem.cells_of(cage.group);
        if cells.len() > WIDEST {
            return;
        }
        for (position, cell) in cells.iter().enumerate() {
            for group in problem.groups_of(usize::from(*cell)).iter().map(|group| usize::from(*group)) {
                let line = self.line_of[group];
                if line == NO_LINE || group == cage.group {
                    continue;
                }
                let line_cells = self.lines.cells(line);
                let place = line_cells.binary_search(cell).expect("a group's cells are ascending");
                let found = met.iter_mut().find(|crossing| crossing.line == line);
                match found {
                    Some(crossing) => {
                        crossing.positions |= 1 << position;
                        crossing.inside |= 1 << place;
                    }
                    None => met.push(Crossing {
                        cage: cage.number as u32,
                        line,
                        positions: 1 << position,
                        inside: 1 << place,
                        full: line_cells.len() == problem.digits(),
                    }),
                }
            }
        }
    }
}

/// Says whether a group is distinct and has two cells or more.
fn is_line(problem: &Problem, group: usize) -> bool {
    problem.rule(group).distinct && problem.cells_of(group).len() > 1
}

/// A clue that is propagated pair by pair: its tuples would be nearly all pairs of digits, and show nothing more.
fn is_pair((_, clue): &(usize, Clue)) -> bool {
    matches!(clue.operator.relations(2), [Relation::Less | Relation::Greater | Relation::Apart])
}

/// The clues over two cells or more, by number of cells.
fn clues(problem: &Problem) -> Vec<(usize, Clue)> {
    let clue = |group: usize| problem.rule(group).clue.map(|clue| (group, clue));
    let several = |(group, _): &(usize, Clue)| problem.cells_of(*group).len() > 1;
    let mut clues: Vec<(usize, Clue)> = (0..problem.groups()).filter_map(clue).filter(several).collect();
    clues.sort_by_key(|(group, _)| problem.cells_of(*group).len());
    clues
}

/// Compiles a problem and propagates it to the first fixpoint. Calls `should_stop` before every table, and at intervals
/// between propagators.
///
/// # Errors
/// [`NoFixpoint`] when propagation refutes the problem or `should_stop` says yes.
pub(super) fn build(problem: &Problem, should_stop: &dyn Fn() -> bool) -> Result<Engine, NoFixpoint> {
    build_capped(problem, TABLE_CAP, should_stop)
}

/// [`build`] with tables of at most `cap` tuples.
pub(super) fn build_capped(
    problem: &Problem,
    cap: usize,
    should_stop: &dyn Fn() -> bool,
) -> Result<Engine, NoFixpoint> {
    if problem.candidates().contains(&0) {
        return Err(NoFixpoint::Conflict);
    }
    let numbering = Numbering::of(problem)?;
    let mut engine = Engine::new(problem.candidates(), problem.digits(), numbering.count, numbering.lines);
    apply_single_cells(&mut engine, problem)?;
    for line in 0..engine.lines.len() {
        engine.install(numbering.singles + line, Propagator::Singles(line as u32));
        engine.install(numbering.distinct + line, Propagator::Distinct(line as u32));
    }
    let mut pairs = Pairs::default();
    for NumberedClue { number, group, clue } in numbering.pairs {
        let cells = problem.cells_of(group).try_into().expect("an operator for two cells");
        let pair = pairs.get(cells, problem.values(), clue);
        engine.install(number, Propagator::Pair(Box::new(pair)));
    }
    for (demand, exclude, crossing) in numbering.crossings {
        engine.install_crossing(demand, exclude, crossing);
    }
    build_cages(&mut engine, problem, (numbering.small, numbering.large), cap, should_stop)?;
    Ok(engine)
}

/// Builds the small cages in order, then the large ones, each after a fixpoint of the propagators so far.
fn build_cages(
    engine: &mut Engine,
    problem: &Problem,
    (small, large): (Vec<NumberedClue>, Vec<NumberedClue>),
    cap: usize,
    should_stop: &dyn Fn() -> bool,
) -> Result<(), NoFixpoint> {
    let mut tuples = Vec::with_capacity(256);
    for cage in &small {
        check_stop(should_stop)?;
        build_cage(engine, problem, (cage, cap), &mut tuples)?;
    }
    engine.fixpoint_until(should_stop)?;
    let mut large = TableOrder::new(large, problem, &engine.space);
    while let Some(cage) = large.next(problem, &engine.space) {
        check_stop(should_stop)?;
        build_cage(engine, problem, (cage, cap), &mut tuples)?;
        engine.fixpoint_until(should_stop)?;
    }
    Ok(())
}

fn check_stop(should_stop: &dyn Fn() -> bool) -> Result<(), NoFixpoint> {
    if should_stop() { Err(NoFixpoint::Stopped) } else { Ok(()) }
}

/// Removes the candidates of one-cell clues that do not hold.
fn apply_single_cells(engine: &mut Engine, problem: &Problem) -> Result<(), Conflict> {
    for group in 0..problem.groups() {
        if let (Some(clue), &[cell]) = (problem.rule(group).clue, problem.cells_of(group)) {
            let holds = |rank: &usize| clue.holds(&[problem.values()[*rank]]);
            let allowed = (0..problem.digits()).filter(holds).map(|rank| rank as u32);
            engine.space.keep(cell, mask_of(allowed))?;
        }
    }
    Ok(())
}

fn build_cage(
    engine: &mut Engine,
    problem: &Problem,
    (cage, cap): (&NumberedClue, usize),
    tuples: &mut Vec<u8>,
) -> Result<(), Conflict> {
    let &NumberedClue { number, group, clue } = cage;
    tuples.clear();
    let mask = |cell: usize| engine.space.mask(cell as u16);
    let built = match enumerate(problem, group, clue, mask, cap, tuples) {
        Ok(()) => Propagator::Table(engine.tables.add(problem.cells_of(group), tuples, &mut engine.space)?),
        Err(_) => wide(problem, group, clue)?,
    };
    engine.install(number, built);
    Ok(())
}

/// The propagator of a clue with too many tuples.
fn wide(problem: &Problem, group: usize, clue: Clue) -> Result<Propagator, Conflict> {
    let (cells, values, target) = (problem.cells_of(group), problem.values(), clue.target.unsigned_abs());
    let probe = || Propagator::Probe(Box::new(Probe::new(cells, values, clue)));
    Ok(match clue.operator.fold {
        Some(Fold::Sum) if all_differ(problem, group) => {
            let sum = Combination::new(cells, values, target).ok_or(Conflict)?;
            Propagator::Combination(Box::new(sum))
        }
        Some(Fold::Sum) => Propagator::Sum(Box::new(Sum::new(cells, values, target))),
        Some(Fold::Product) => Product::new(cells, values, target)
            .map_or_else(probe, |product| Propagator::Product(Box::new(product))),
        None => probe(),
    })
}

/// No two cells of a group may hold the same digit.
fn all_differ(problem: &Problem, group: usize) -> bool {
    let cells = problem.cells_of(group);
    let differs = |index: usize| cells[..index].iter().all(|cell| problem.must_differ(*cell, cells[index]));
    problem.rule(group).distinct || (1..cells.len()).all(differs)
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
        let fewest = (0..self.left.len()).min_by_key(|index| self.assignments[self.left[*index]])?;
        let place = self.left.swap_remove(fewest);
        Some(&self.cages[place])
    }

    /// Updates the assignments with the candidates lost since the last call.
    fn read(&mut self, problem: &Problem, space: &Space) {
        while let Some((cell, before, after)) = space.change(self.read) {
            self.read += 1;
            if before == after {
                continue;
            }
            for group in problem.groups_of(usize::from(cell)).iter().map(|group| usize::from(*group)) {
                if let Some(known) = self.assignments.get_mut(self.place_of[group]) {
                    *known = assignments(group, problem, space);
                }
            }
        }
    }
}

/// The number of assignments that the candidates of a group allow.
fn assignments(group: usize, problem: &Problem, space: &Space) -> u64 {
    let size = |cell: &u16| u64::from(space.mask(*cell).count_ones());
    problem.cells_of(group).iter().map(size).fold(1, u64::saturating_mul)
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
