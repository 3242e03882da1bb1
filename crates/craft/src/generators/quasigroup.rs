//! Quasigroups with holes: a Latin square that has lost a share of its digits, so that it can be completed.
//!
//! Holes are drawn from all cells, or balanced: as many in every row as in any other, and in every column, but for one.
//! Around 42 % of holes in random places completion is hardest, and harder with balanced holes.
//!
//! Sources: D. Achlioptas, C. Gomes, H. Kautz, B. Selman, "Generating satisfiable problem instances", AAAI 2000; balanced
//! holes: H. Kautz, Y. Ruan, D. Achlioptas, C. Gomes, B. Selman, M. Stickel, "Balance and filtering in structured
//! satisfiable problems", IJCAI 2001.

use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{MAX_DIGITS, Puzzle, Square};
use kenga_core::rng::RunRng;
use kenga_core::sort::sort_by_key;
use kenga_core::spec::{Member, Param, ParamKind};

use super::{Entry, Generator, Shortfall, latin_square, percent, shuffled, solved};

pub(super) static ENTRY: Entry = Member::new("quasigroup")
    .about("a Latin square with holes, to be completed: a random square that has lost a share of its digits")
    .source("D. Achlioptas, C. Gomes, H. Kautz, B. Selman, AAAI 2000; balanced holes: H. Kautz et al., IJCAI 2001")
    .params(&[
        Param::required("size", ParamKind::Integer(1, MAX_DIGITS as i64)).about("rows, columns and digits"),
        Param::required("holes", ParamKind::Real(0.0, 1.0)).about("share of the cells that are open"),
        Param::flag("balanced", false).about("as many holes in every row and column as in any other, but for one"),
    ])
    .build(|spec| {
        let (size, share, balanced) = (spec.size("size"), spec.real("holes"), spec.flag("balanced"));
        Box::new(Quasigroup { size, share, balanced })
    });

struct Quasigroup {
    size: usize,
    /// The share of the cells that are open.
    share: f64,
    balanced: bool,
}

impl Generator for Quasigroup {
    fn stem(&self) -> String {
        let balanced = if self.balanced { "balanced-" } else { "" };
        format!("quasigroup-{balanced}{}-{}", self.size, percent(self.share))
    }

    fn make(&self, rng: &mut RunRng, _: &Interrupt) -> Result<Puzzle, Shortfall> {
        let size = self.size;
        let square = latin_square(size, rng);
        let order = if self.balanced { balanced_order(size, rng) } else { shuffled(0..size * size, rng) };
        let holes = (self.share * (size * size) as f64).round() as usize;
        let mut closed = order[holes..].to_vec();
        // Givens are told row by row, whatever the order of the holes.
        closed.sort_unstable();
        let givens = closed.into_iter().map(|cell| (cell / size, cell % size, square[cell])).collect();
        let puzzle = Square { givens, ..Square::latin(size) }.build().expect("a sound Latin square");
        Ok(solved(puzzle, &square))
    }
}

/// All cells in an order whose every beginning is balanced: those with the digit 1 of another random Latin square, then
/// those with 2, and so on. Each digit stands once in every row and column.
fn balanced_order(size: usize, rng: &mut RunRng) -> Vec<usize> {
    let turns = latin_square(size, rng);
    let mut cells = shuffled(0..size * size, rng);
    // The sort is stable: cells of one digit stay in random order.
    sort_by_key(&mut cells, |cell| turns[*cell]);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::{Role, check};
    use kenga_core::rng::StreamKey;

    fn puzzle(size: usize, share: f64, balanced: bool) -> Puzzle {
        Quasigroup { size, share, balanced }
            .make(&mut StreamKey::run(4, "quasigroup", 0).rng(), &Interrupt::default())
            .expect("it is always made")
    }

    #[test]
    fn a_share_of_the_cells_is_open_and_the_square_is_a_solution() {
        for (share, holes) in [(0.0, 0), (0.3, 30), (0.424, 42), (1.0, 100)] {
            for balanced in [false, true] {
                let puzzle = puzzle(10, share, balanced);
                assert_eq!(puzzle.groups_with(Role::Given).count(), 100 - holes);
                assert!(check(&puzzle, puzzle.solution.as_ref().expect("a square")).is_solution());
            }
        }
    }

    #[test]
    fn balanced_holes_differ_by_one_at_most_between_lines() {
        let puzzle = puzzle(12, 0.4, true);
        let open: Vec<usize> = (0..144).filter(|cell| puzzle.given_grid().get(*cell).is_none()).collect();
        for line in 0..12 {
            let row = open.iter().filter(|cell| *cell / 12 == line).count();
            let column = open.iter().filter(|cell| *cell % 12 == line).count();
            assert!((4..=5).contains(&row) && (4..=5).contains(&column), "{row} {column}");
        }
    }
}
