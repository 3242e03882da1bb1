//! The groups of a Futoshiki: a Latin square in which a digit is less than one beside it.

use super::operators::{GREATER, LESS, Relation};
use super::{
    Clue, Defect, Group, Kind, Puzzle, PuzzlePart, Role, Square, are_neighbours, indices, position, square,
};

/// Two neighbouring cells, `(row, column)` from 0: the digit of the first is less than that of the second.
pub type LessPair = [(usize, usize); 2];

/// The parts of a Futoshiki; [`build`](Self::build) checks them and makes the groups.
#[derive(Clone, Debug)]
pub struct Futoshiki {
    /// The side, 1 to 32.
    pub size: usize,
    /// The digits; 1 to `size` when absent.
    pub digits: Option<Vec<u8>>,
    /// Digits printed in cells: `(row, column, digit)`.
    pub givens: Vec<(usize, usize, u8)>,
    /// Which digit is less than which; a pair that occurs twice is one, and both ways it is a rule that no digits satisfy.
    pub less: Vec<LessPair>,
    /// Further groups as they are.
    pub groups: Vec<Group>,
}

impl Futoshiki {
    /// A Futoshiki with the digits 1 to `size` and without givens.
    pub fn new(size: usize, less: Vec<LessPair>) -> Self {
        Self { size, digits: None, givens: Vec::new(), less, groups: Vec::new() }
    }

    /// Checks the structure and builds the puzzle: distinct rows and columns, the pairs, givens.
    ///
    /// # Errors
    /// The first [`Defect`] found: a size or digit set out of range; a pair outside the grid or of cells that share no
    /// edge; a given outside the grid.
    pub fn build(self) -> Result<Puzzle, Defect> {
        let size = (self.size, self.size);
        let mut groups = self.groups;
        for (index, pair) in self.less.iter().enumerate() {
            // A pair has no target.
            square::check_part(PuzzlePart::Pair(index), pair, 0, size)?;
            if !are_neighbours(pair[0], pair[1]) {
                return Err(Defect::NotNeighbours { pair: index, cells: *pair });
            }
            let group = less_group(*pair, self.size);
            // Texts name a pair from both cells.
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        let (digits, givens) = (self.digits, self.givens);
        Square { kind: Kind::Futoshiki, digits, givens, groups, ..Square::latin(self.size) }.build()
    }
}

/// The group of a pair: its cells are in grid order, so that the operator says which is less.
fn less_group(pair: LessPair, size: usize) -> Group {
    let mut cells = indices(&pair, size);
    let operator = if cells[0] < cells[1] { LESS } else { GREATER };
    cells.sort_unstable();
    Group { role: Role::Group, cells, distinct: false, clue: Some(Clue { operator, target: 0 }) }
}

/// The pair that a group of a Futoshiki stands for, row-major indices, the lesser first; `None` for any other group.
pub fn less_pair(puzzle: &Puzzle, group: &Group) -> Option<[usize; 2]> {
    let (&[first, second], Some(clue)) = (&*group.cells, group.clue) else { return None };
    let is_plain = group.role == Role::Group && !group.distinct && clue.target == 0;
    if !is_plain || !are_neighbours(position(first, puzzle.cols()), position(second, puzzle.cols())) {
        return None;
    }
    match clue.operator.relations(2) {
        [Relation::Less] => Some([first, second]),
        [Relation::Greater] => Some([second, first]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_become_groups_in_grid_order_and_none_is_repeated() {
        let less = vec![[(0, 1), (0, 0)], [(0, 1), (1, 1)], [(0, 1), (0, 0)], [(0, 0), (0, 1)]];
        let puzzle = Futoshiki::new(3, less).build().expect("a sound puzzle");
        let groups: Vec<(&[usize], String)> = puzzle
            .groups_with(Role::Group)
            .map(|group| (&*group.cells, group.clue.expect("a clue").to_string()))
            .collect();
        let expected = [(&[0, 1][..], "<"), (&[0, 1], ">"), (&[1, 4], "<")];
        assert_eq!(groups, expected.map(|(cells, clue)| (cells, clue.to_owned())));
        let pairs: Vec<_> = puzzle.groups().iter().filter_map(|group| less_pair(&puzzle, group)).collect();
        assert_eq!(pairs, [[0, 1], [1, 0], [1, 4]]);
        assert_eq!(puzzle.groups().len(), 9);
    }

    #[test]
    fn cells_that_share_no_edge_are_refused() {
        let of = |pair: LessPair| Futoshiki::new(3, vec![[(0, 0), (0, 1)], pair]).build();
        for cells in [[(0, 0), (1, 1)], [(0, 0), (0, 2)], [(0, 2), (1, 0)], [(1, 1), (1, 1)]] {
            assert_eq!(of(cells), Err(Defect::NotNeighbours { pair: 1, cells }));
        }
        assert!(matches!(of([(0, 2), (0, 3)]), Err(Defect::Outside { part: PuzzlePart::Pair(1), .. })));
        assert_eq!(Futoshiki::new(33, vec![]).build(), Err(Defect::Size(33)));
    }
}
