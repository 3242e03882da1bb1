//! The numbers of propagators: the order in which they run.
//!
//! Pairs first, then cages of up to [`SMALL`] cells, the cheap part of lines, crossings of the two, then larger cages and their
//! crossings, at last the whole of lines.

use std::ops::Range;

use super::cliques::CliqueCover;
use super::crossing::Crossing;
use super::lines::Lines;
use super::space::Conflict;
use crate::problem::{Problem, bits, mask_of};
use crate::puzzle::Clue;
use crate::puzzle::operators::Relation;
use crate::sort::sort_by_key;

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
pub(super) struct PropagatorNumbering {
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
    /// The number of what the first line demands of its cages; the other lines follow.
    pub(super) demands: usize,
    /// Every crossing, those of a cage together.
    pub(super) crossings: Vec<Crossing>,
    /// The numbers of what excludes by the cages that have crossings, in the order of these.
    pub(super) excludes: Vec<usize>,
    /// The numbers that are reserved for line sums.
    pub(super) line_sums: Range<usize>,
    pub(super) count: usize,
}

impl PropagatorNumbering {
    /// Numbers the propagators of a problem.
    ///
    /// # Errors
    /// [`Conflict`] when a line has more cells than there are digits.
    pub(super) fn of(problem: &Problem) -> Result<Self, Conflict> {
        let mut numbering = Self::sorted(problem);
        numbering.find_lines(problem)?;
        let lines = numbering.lines.len();
        number(&mut numbering.pairs, &mut numbering.count);
        number(&mut numbering.small, &mut numbering.count);
        numbering.singles = numbering.take(lines);
        numbering.demands = numbering.take(lines);
        let (small, large) = (numbering.small.len(), numbering.large.len());
        numbering.cross(problem, 0..small);
        number(&mut numbering.large, &mut numbering.count);
        numbering.cross(problem, small..small + large);
        // Line sums join full lines with cages: without cages there are none.
        let mut full = 0;
        if small + large > 0 {
            for line in 0..lines as u32 {
                full += usize::from(numbering.lines.cells(line).len() == problem.digits());
            }
        }
        let first = numbering.take(full);
        numbering.line_sums = first..numbering.count;
        numbering.distinct = numbering.take(lines);
        Ok(numbering)
    }

    /// The clues over two cells or more, by number of cells, without numbers.
    fn sorted(problem: &Problem) -> Self {
        let (groups, cells) = (problem.groups(), problem.cells());
        let mut numbering = Self {
            small: Vec::with_capacity(groups),
            lines: Lines::with_capacity(groups, 2 * cells),
            line_of: Vec::with_capacity(groups),
            crossings: Vec::with_capacity(groups),
            excludes: Vec::with_capacity(groups),
            ..Self::default()
        };
        for group in 0..groups {
            let Some(clue) = problem.rule(group).clue else { continue };
            let clue = NumberedClue { number: 0, group, clue };
            match problem.cells_of(clue.group).len() {
                0 | 1 => {}
                _ if is_pair(clue.clue) => numbering.pairs.push(clue),
                2..=SMALL => numbering.small.push(clue),
                _ => numbering.large.push(clue),
            }
        }
        // Small cages are cheap and remove much: they run first.
        for clues in [&mut numbering.small, &mut numbering.large] {
            sort_by_key(clues, |clue| (problem.cells_of(clue.group).len(), clue.group));
        }
        numbering
    }

    /// Adds a line for every distinct group; pairs of cells share those of their cliques.
    ///
    /// # Errors
    /// [`Conflict`] when a line has more cells than there are digits.
    fn find_lines(&mut self, problem: &Problem) -> Result<(), Conflict> {
        // A clique with more cells than digits refutes the puzzle, though each of its pairs alone would never
        // fail.
        let cover = CliqueCover::of(problem);
        if cover.cliques.iter().any(|clique| clique.len() > problem.digits()) {
            return Err(Conflict);
        }
        for group in 0..problem.groups() {
            if is_line(problem, group) && problem.cells_of(group).len() > problem.digits() {
                return Err(Conflict);
            }
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

    /// Numbers the crossings of lines with some cages, which are counted small before large.
    fn cross(&mut self, problem: &Problem, cages: Range<usize>) {
        let mut met = Vec::new();
        for place in cages {
            met.clear();
            let cage = self.cage(place);
            self.meet(problem, cage, &mut met);
            let cells = problem.cells_of(cage.group);
            let before = self.crossings.len();
            let number = cage.number as u32;
            for &(line, positions) in &met {
                let (line_cells, shared) = (self.lines.cells(line), positions.count_ones() as usize);
                // One shared cell says nothing; a cage over the whole line leaves nothing outside.
                if shared > 1 && shared < line_cells.len() {
                    let inside = places(cells, positions, line_cells);
                    let full = line_cells.len() == problem.digits();
                    let crossing = Crossing { cage: number, line, positions, inside, full, demanded: 0 };
                    self.crossings.push(crossing);
                }
            }
            if self.crossings.len() > before {
                let exclude = self.take(1);
                self.excludes.push(exclude);
            }
        }
    }

    /// A cage, small before large.
    fn cage(&self, place: usize) -> &NumberedClue {
        self.small.get(place).unwrap_or_else(|| &self.large[place - self.small.len()])
    }

    /// Appends each line that a cell of a cage lies in, with the positions of the cage that do; none where the cage is
    /// too wide for a table.
    fn meet(&self, problem: &Problem, cage: &NumberedClue, met: &mut Vec<(u32, u32)>) {
        let cells = problem.cells_of(cage.group);
        if cells.len() > WIDEST {
            return;
        }
        for (position, cell) in cells.iter().enumerate() {
            for group in problem.groups_of(usize::from(*cell)) {
                let group = usize::from(*group);
                let line = self.line_of[group];
                // A distinct cage is a line itself.
                if line == NO_LINE || group == cage.group {
                    continue;
                }
                match met.iter_mut().find(|(other, _)| *other == line) {
                    Some((_, positions)) => *positions |= 1 << position,
                    None => met.push((line, 1 << position)),
                }
            }
        }
    }
}

/// The positions of a line, whose cells are ascending, that some positions of a cage have there. To count without
/// branches is faster than to search.
fn places(cells: &[u16], positions: u32, line: &[u16]) -> u32 {
    let place = |cell: u16| line.iter().filter(|other| **other < cell).count() as u32;
    mask_of(bits(positions).map(|position| place(cells[position as usize])))
}

/// Gives the next numbers to some clues.
fn number(clues: &mut [NumberedClue], count: &mut usize) {
    for clue in clues {
        clue.number = *count;
        *count += 1;
    }
}

/// Says whether a group is distinct and has two cells or more.
fn is_line(problem: &Problem, group: usize) -> bool {
    problem.rule(group).distinct && problem.cells_of(group).len() > 1
}

/// A clue that is propagated pair by pair: its tuples would be nearly all pairs of digits, and show nothing more.
fn is_pair(clue: Clue) -> bool {
    matches!(clue.operator.relations(2), [Relation::Less | Relation::Greater | Relation::Apart])
}
