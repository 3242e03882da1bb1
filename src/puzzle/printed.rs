//! Where the clues of a Kakuro are printed: in the black cells before its entries.

use super::{Puzzle, Role};

/// The sums that one black cell shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlackClues {
    /// That of the entry below it.
    pub down: Option<i64>,
    /// That of the entry to its right.
    pub across: Option<i64>,
}

/// The clues of a whole puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedClues {
    /// Those of every cell, row-major; white cells have none.
    pub cells: Vec<BlackClues>,
    /// Entries, as indices of [`Puzzle::groups`], that have no free black cell before them or another white cell behind.
    pub unplaced: Vec<usize>,
}

impl PrintedClues {
    /// Finds the black cell of every entry with a clue. A single cell may be an entry down or across; the one above it is
    /// tried first.
    pub fn of(puzzle: &Puzzle) -> Self {
        let cells = vec![BlackClues::default(); puzzle.rows() * puzzle.cols()];
        let mut printed = Self { cells, unplaced: Vec::new() };
        for (index, group) in
            puzzle.groups().iter().enumerate().filter(|(_, group)| group.role == Role::Entry)
        {
            let target = group.clue.map(|clue| clue.target);
            if !target.is_some_and(|target| printed.place(puzzle, &group.cells, target)) {
                printed.unplaced.push(index);
            }
        }
        printed
    }

    /// Prints the clue of an entry, ascending cells; says whether there is a place for it.
    fn place(&mut self, puzzle: &Puzzle, entry: &[usize], target: i64) -> bool {
        let (cols, first, last) = (puzzle.cols(), entry[0], entry[entry.len() - 1]);
        let in_step = |step: usize| entry.windows(2).all(|pair| pair[1] - pair[0] == step);
        let ends = |next: usize| next >= self.cells.len() || puzzle.is_black(next);
        let down = first >= cols && in_step(cols) && ends(last + cols) && puzzle.is_black(first - cols);
        let across = !first.is_multiple_of(cols)
            && in_step(1)
            && ((last + 1).is_multiple_of(cols) || ends(last + 1))
            && puzzle.is_black(first - 1);
        let places = [down.then(|| first - cols), across.then(|| first - 1)];
        for (index, cell) in places.into_iter().enumerate().filter_map(|(index, cell)| Some((index, cell?))) {
            let clues = &mut self.cells[cell];
            let clue = if index == 0 { &mut clues.down } else { &mut clues.across };
            if clue.is_none() {
                *clue = Some(target);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Entry, Kakuro};

    fn printed(shape: (usize, usize), entries: &[(i64, &[(usize, usize)])]) -> PrintedClues {
        let entry =
            |(target, cells): &(i64, &[(usize, usize)])| Entry { target: *target, cells: cells.to_vec() };
        PrintedClues::of(
            &Kakuro::new(shape, entries.iter().map(entry).collect()).build().expect("sound entries"),
        )
    }

    #[test]
    fn clues_stand_before_their_entries() {
        let clues = printed((2, 3), &[(3, &[(1, 1), (1, 2)]), (1, &[(1, 1)])]);
        assert_eq!(clues.cells[1], BlackClues { down: Some(1), across: None });
        assert_eq!(clues.cells[3], BlackClues { down: None, across: Some(3) });
        assert!(clues.unplaced.is_empty());
    }

    #[test]
    fn an_entry_at_the_edge_or_cut_short_has_no_place() {
        let clues = printed((1, 4), &[(3, &[(0, 0), (0, 1)]), (4, &[(0, 3)])]);
        assert_eq!((clues.unplaced, clues.cells[2].across), (vec![0], Some(4)));
        assert_eq!(printed((1, 4), &[(3, &[(0, 1), (0, 2)]), (4, &[(0, 3)])]).unplaced, [0, 1]);
    }
}
