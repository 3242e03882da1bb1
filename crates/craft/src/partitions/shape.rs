//! The shape of a cage, and which multisets fit it: cells that must differ never hold equal digits.
//!
//! A digit that occurs several times needs as many cells no two of which must differ, an independent set of the graph
//! of clashes; a digit that occurs once fits any cell that is left. So this is colouring with colour classes of given
//! sizes, decided exactly by backtracking over the occurrences of repeated digits.

use thiserror::Error;

use kenga_core::problem::Problem;
use kenga_core::sort::sort_by;

/// The most cells of a shape, unless all of them must differ.
pub const MOST_SHAPE_CELLS: usize = 1024;

/// Cells, and which of them must differ.
#[derive(Clone, Debug)]
pub struct Shape {
    cells: usize,
    /// `cells * cells` flags, or none when any two cells must differ.
    clashes: Vec<bool>,
    /// The number of cliques, sets of cells any two of which must differ, that cover all cells: no digit occurs more
    /// often.
    cliques: usize,
}

/// Why a text or a group is no shape.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// A row without cells.
    #[error("row {row} of the shape has no cells")]
    EmptyRow {
        /// The row, from 1.
        row: usize,
    },
    /// Something other than a letter.
    #[error("`{found}` in row {row} of the shape is not a letter from A to Z")]
    Letter {
        /// The row, from 1.
        row: usize,
        /// The character.
        found: char,
    },
    /// A cell named twice.
    #[error("column {column} is named twice in row {row} of the shape")]
    Twice {
        /// The row, from 1.
        row: usize,
        /// The column's letter.
        column: char,
    },
    /// More cells than are supported.
    #[error("a shape of {cells} cells has more than {MOST_SHAPE_CELLS}")]
    Size {
        /// The number of cells.
        cells: usize,
    },
}

impl Shape {
    /// Reads rows separated by `/`, each the letters of its columns: `AB/AC` is columns A and B of the first row, A and
    /// C of the second. Returns the cells as `(row, column)` from 0, in order.
    ///
    /// # Errors
    /// [`ShapeError`] when a row is empty, has a character that is no letter or a letter twice, or when there are too many
    /// cells.
    pub fn parse(text: &str) -> Result<Vec<(usize, usize)>, ShapeError> {
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (row, line) in text.trim().split('/').enumerate() {
            if line.trim().is_empty() {
                return Err(ShapeError::EmptyRow { row: row + 1 });
            }
            let first = cells.len();
            for found in line.trim().chars() {
                let column = found.to_ascii_uppercase();
                if !column.is_ascii_uppercase() {
                    return Err(ShapeError::Letter { row: row + 1, found });
                }
                let cell = (row, usize::from(column as u8 - b'A'));
                if cells[first..].contains(&cell) {
                    return Err(ShapeError::Twice { row: row + 1, column });
                }
                cells.push(cell);
            }
        }
        if cells.len() > MOST_SHAPE_CELLS {
            return Err(ShapeError::Size { cells: cells.len() });
        }
        Ok(cells)
    }

    /// The shape of some cells `(row, column)` of a grid in which digits differ in every row and every column.
    ///
    /// # Errors
    /// [`ShapeError::Size`] when there are too many.
    pub fn in_lines(cells: &[(usize, usize)]) -> Result<Self, ShapeError> {
        Self::new(cells.len(), &|a, b| cells[a].0 == cells[b].0 || cells[a].1 == cells[b].1)
    }

    /// The shape of a group of a problem: two cells must differ when they share a distinct group.
    ///
    /// # Errors
    /// [`ShapeError::Size`] when the group is not distinct and has too many cells.
    pub fn of_group(problem: &Problem, group: usize) -> Result<Self, ShapeError> {
        let cells = problem.cells_of(group);
        if problem.rule(group).distinct {
            return Ok(Self { cells: cells.len(), clashes: Vec::new(), cliques: 1 });
        }
        Self::new(cells.len(), &|a, b| problem.must_differ(cells[a], cells[b]))
    }

    fn new(cells: usize, differ: &dyn Fn(usize, usize) -> bool) -> Result<Self, ShapeError> {
        if cells > MOST_SHAPE_CELLS {
            return Err(ShapeError::Size { cells });
        }
        let mut clashes = Vec::with_capacity(cells * cells);
        for one in 0..cells {
            for other in 0..cells {
                clashes.push(one != other && differ(one, other));
            }
        }
        // Where any two cells must differ, no flag is needed, however many cells there are.
        if clashes.iter().filter(|clash| **clash).count() == cells * cells.saturating_sub(1) {
            return Ok(Self { cells, clashes: Vec::new(), cliques: 1 });
        }
        let mut shape = Self { cells, clashes, cliques: cells };
        shape.cliques = shape.cover();
        Ok(shape)
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Says whether any two cells must differ.
    pub fn is_distinct(&self) -> bool {
        self.cliques <= 1
    }

    /// Says whether the cells can hold these ascending digits, one each; `None` when `should_stop`, called at every
    /// step, says yes.
    ///
    /// # Panics
    /// When there are not as many digits as cells.
    pub fn fits(&self, digits: &[u64], should_stop: &mut dyn FnMut() -> bool) -> Option<bool> {
        assert_eq!(digits.len(), self.cells, "a digit for every cell");
        let mut repeated: Vec<usize> = digits.chunk_by(|a, b| a == b).map(<[u64]>::len).collect();
        repeated.retain(|times| *times > 1);
        // The digits that are hardest to place come first.
        sort_by(&mut repeated, |a, b| b.cmp(a));
        match repeated.first() {
            None => Some(true),
            Some(most) if *most > self.cliques => Some(false),
            Some(_) => self.place(&occurrences(&repeated), should_stop),
        }
    }

    /// Places the occurrences of repeated digits one after the other, those of one digit in ascending cells.
    fn place(&self, occurrences: &[Occurrence], should_stop: &mut dyn FnMut() -> bool) -> Option<bool> {
        let mut taken = vec![false; self.cells];
        let mut places: Vec<usize> = Vec::with_capacity(occurrences.len());
        let mut from = 0;
        while places.len() < occurrences.len() {
            if should_stop() {
                return None;
            }
            let this = occurrences[places.len()];
            let others = &places[places.len() - this.earlier..];
            // Later occurrences go to later cells.
            let mut open = from..self.cells - this.later;
            match open.find(|cell| !taken[*cell] && !others.iter().any(|other| self.clash(*cell, *other))) {
                Some(cell) => {
                    taken[cell] = true;
                    places.push(cell);
                    from = match occurrences.get(places.len()) {
                        Some(next) if next.earlier > 0 => cell + 1,
                        // Digits that occur equally often are interchangeable: their first cells ascend.
                        Some(next) if next.later == this.earlier => {
                            places[places.len() - 1 - this.earlier] + 1
                        }
                        _ => 0,
                    };
                }
                None => {
                    let Some(cell) = places.pop() else { return Some(false) };
                    taken[cell] = false;
                    from = cell + 1;
                }
            }
        }
        Some(true)
    }

    fn clash(&self, a: usize, b: usize) -> bool {
        self.clashes[a * self.cells + b]
    }

    /// The number of cliques in a greedy cover: each cell joins the first that it fits.
    fn cover(&self) -> usize {
        let mut cliques: Vec<Vec<usize>> = Vec::new();
        for cell in 0..self.cells {
            let mut fitting = cliques.iter_mut();
            match fitting.find(|clique| clique.iter().all(|other| self.clash(cell, *other))) {
                Some(clique) => clique.push(cell),
                None => cliques.push(vec![cell]),
            }
        }
        cliques.len()
    }
}

/// One of several equal digits.
#[derive(Clone, Copy)]
struct Occurrence {
    /// The number of occurrences before it.
    earlier: usize,
    /// The number of occurrences after it.
    later: usize,
}

fn occurrences(repeated: &[usize]) -> Vec<Occurrence> {
    let mut occurrences = Vec::new();
    for times in repeated {
        for earlier in 0..*times {
            occurrences.push(Occurrence { earlier, later: times - 1 - earlier });
        }
    }
    occurrences
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use kenga_core::puzzle::operators;
    use kenga_core::puzzle::{Cage, Square};

    fn fits(text: &str, digits: &[u64]) -> bool {
        let shape = Shape::in_lines(&Shape::parse(text).expect("a shape")).expect("few cells");
        shape.fits(digits, &mut || false).expect("it never stops")
    }

    /// Some order of the digits has no two equal ones in a row or a column.
    fn naive(cells: &[(usize, usize)], rest: &mut Vec<u64>, placed: &mut Vec<u64>) -> bool {
        if rest.is_empty() {
            return true;
        }
        (0..rest.len()).any(|index| {
            let digit = rest.remove(index);
            let here = cells[placed.len()];
            let alone = |(cell, other): (&(usize, usize), &u64)| {
                *other != digit || (cell.0 != here.0 && cell.1 != here.1)
            };
            let mut found = false;
            if cells.iter().zip(&*placed).all(alone) {
                placed.push(digit);
                found = naive(cells, rest, placed);
                placed.pop();
            }
            rest.insert(index, digit);
            found
        })
    }

    #[test]
    fn equal_digits_stand_apart() {
        assert!(!fits("AB", &[2, 2]) && fits("AB", &[2, 3]));
        assert!(fits("AB/AC", &[1, 1, 2, 3]) && fits("ab / bc", &[1, 1, 2, 2]));
        assert!(fits("AB/AB", &[1, 1, 2, 2]) && !fits("AB/AB", &[1, 1, 1, 2]));
        assert!(fits("ABC/ABC/ABC", &[1, 1, 1, 2, 2, 2, 3, 3, 3]));
        assert!(fits("ABC/ABC/ABC", &[1, 1, 1, 2, 2, 2, 3, 4, 4]));
    }

    #[test]
    fn a_text_that_is_no_shape_is_named() {
        let error = |text: &str| Shape::parse(text).expect_err("no shape");
        assert_eq!(error(""), ShapeError::EmptyRow { row: 1 });
        assert_eq!(error("AB//C"), ShapeError::EmptyRow { row: 2 });
        assert_eq!(error("AB/A1"), ShapeError::Letter { row: 2, found: '1' });
        assert_eq!(error("AB/CaA"), ShapeError::Twice { row: 2, column: 'A' });
        let rows = vec!["ABCDEFGHIJKLMNOPQRSTUVWXYZ"; 40].join("/");
        assert_eq!(error(&rows), ShapeError::Size { cells: 1040 });
        assert_eq!(Shape::parse("b/Ac"), Ok(vec![(0, 1), (1, 0), (1, 2)]));
    }

    #[test]
    fn a_group_has_the_shape_that_its_distinct_groups_give_it() {
        let sum = operators::find("+").expect("a known operator");
        let cages = vec![
            Cage { repeats: false, ..Cage::new(sum, 6, vec![(0, 0), (0, 1), (1, 0)]) },
            Cage::new(sum, 12, vec![(0, 2), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]),
        ];
        let problem = Problem::compile(&Square::kenken(3, cages).build().expect("a sound puzzle"));
        let shapes: Vec<Shape> =
            problem.cages().map(|cage| Shape::of_group(&problem, cage).expect("few cells")).collect();
        assert!(shapes[0].is_distinct() && !shapes[1].is_distinct());
        assert_eq!(shapes[0].fits(&[1, 1, 4], &mut || false), Some(false));
        assert_eq!(shapes[1].fits(&[1, 1, 2, 2, 3, 3], &mut || false), Some(true));
        assert_eq!(shapes[1].fits(&[1, 1, 2, 2, 3, 3], &mut || true), None);
    }

    proptest! {
        #[test]
        fn it_fits_exactly_when_some_order_does(picked in proptest::collection::btree_set((0usize..4, 0usize..4), 1..8), digits in proptest::collection::vec(1u64..4, 8)) {
            let cells: Vec<(usize, usize)> = picked.into_iter().collect();
            let mut digits = digits[..cells.len()].to_vec();
            digits.sort_unstable();
            let shape = Shape::in_lines(&cells).expect("few cells");
            let expected = naive(&cells, &mut digits.clone(), &mut Vec::new());
            prop_assert_eq!(shape.fits(&digits, &mut || false), Some(expected));
        }
    }
}
