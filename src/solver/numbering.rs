//! The numbers of propagators: the order in which they run.
//!
//! Pairs first, then cages of up to [`SMALL`] cells, the cheap part of lines, crossings of the two, then larger cages and their
//! crossings, at last the whole of lines.

use crate::problem::Problem;
use crate::puzzle::Clue;
use crate::puzzle::operators::Relation;

use super::cliques::CliqueCover;
use super::crossing::Crossing;
use super::engine::Lines;
use super::space::Conflict;

/// The line of a group that is none.
const NO_LINE: u32 = u32::MAX;

/// The most cells of a cage whose table is built before anything is propagated.
const SMALL: usize = 4;

/// The most cells of a cage that may become a table: its positions are bits of a mask.
const WIDEST: usize = 32;

/// A clue over two cells or more, and the number of its propagator.
pub(super) struct NumberedClue {
    pub(super) number: usize,
    pub(super) group: usize,
    pub(super) clue: Clue,
}

/// The numbers of all propagators.
#[derive(Default)]
pub(super) struct Numbering {
    /// The clues that need no table.
    pub(super) pairs: Vec<NumberedClue>,
    pub(super) small: Vec<NumberedClue>,
    pub(super) large: Vec<NumberedClue>,
    pub(super) lines: Lines,
    /// The index of every group among the lines; `NO_LINE` for the others.
    pub(super) line_of: Vec<u32>,
    /// The number of the first line's cheap part; the others follow.
    pub(super) singles: usize,
    /// The number of the first line's whole part; the others follow.
    pub(super) distinct: usize,
    /// Every crossing with the numbers of its [`Propagator::Demand`] and [`Propagator::Exclude`].
    pub(super) crossings: Vec<(usize, usize, Crossing)>,
    pub(super) count: usize,
}

impl Numbering {
    /// Numbers the propagators of a problem.
    ///
    /// # Errors
    /// [`Conflict`] when a line has more cells than there are digits.
    pub(super) fn of(problem: &Problem) -> Result<Self, Conflict> {
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
