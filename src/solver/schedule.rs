//! In which order the tables of large cages are built: the one with the fewest assignments first.
//!
//! Assignments are the product of the candidates of a cage's cells. Candidates are only lost while tables are built, so
//! a product is computed again for the cages of the cells that the trail names, and for no other.
//! Cost: a look at every cage left for each that is taken, and the groups of every change once.

use super::build::Cage;
use super::space::Space;
use crate::problem::Problem;

/// No cage of the schedule.
const NONE: usize = usize::MAX;

/// The cages whose tables are still to be built.
pub(super) struct Schedule {
    cages: Vec<Cage>,
    /// The assignments that the candidates of each cage allow.
    assignments: Vec<u64>,
    /// For every group, its place among the cages.
    place_of: Vec<usize>,
    /// The places of the cages left.
    left: Vec<usize>,
    /// Up to where the trail has been read.
    read: usize,
}

impl Schedule {
    /// All of these cages, under the candidates of the present.
    pub(super) fn new(cages: Vec<Cage>, problem: &Problem, space: &Space) -> Self {
        let mut place_of = vec![NONE; problem.groups()];
        for (place, cage) in cages.iter().enumerate() {
            place_of[cage.group] = place;
        }
        let assignments = cages.iter().map(|cage| assignments(cage.group, problem, space)).collect();
        let left = (0..cages.len()).collect();
        Self { cages, assignments, place_of, left, read: space.now() }
    }

    /// Takes the cage with the fewest assignments.
    pub(super) fn next(&mut self, problem: &Problem, space: &Space) -> Option<&Cage> {
        self.read(problem, space);
        let fewest = (0..self.left.len()).min_by_key(|index| self.assignments[self.left[*index]])?;
        let place = self.left.swap_remove(fewest);
        Some(&self.cages[place])
    }

    /// Takes note of the candidates lost since the last time.
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
    fn the_fewest_assignments_of_the_moment_come_first() {
        let sum = operators::find("+").expect("a known operator");
        let row = |row: usize| Cage::new(sum, 10, (0..4).map(|column| (row, column)).collect());
        let puzzle = Square::kenken(4, (0..4).map(row).collect()).build().expect("a sound puzzle");
        let problem = Problem::compile(&puzzle);
        let clue = |group: usize| problem.rule(group).clue.map(|clue| (group, clue));
        let clues: Vec<_> = (0..problem.groups()).filter_map(clue).collect();
        let cages =
            clues.iter().enumerate().map(|(number, &(group, clue))| super::Cage { number, group, clue });
        let mut space = Space::new(&[0b1111; 16], 4);
        let mut schedule = Schedule::new(cages.collect(), &problem, &space);
        space.keep(problem.cells_of(clues[2].0)[1], 0b0111).expect("three digits left");
        assert_eq!(schedule.next(&problem, &space).map(|cage| cage.number), Some(2));
        space.keep(problem.cells_of(clues[3].0)[0], 0b0001).expect("one digit left");
        let order = [3, 0, 1].map(Some).into_iter().chain([None]);
        for expected in order {
            assert_eq!(schedule.next(&problem, &space).map(|cage| cage.number), expected);
        }
    }
}
