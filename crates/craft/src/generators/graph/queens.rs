//! Queens graphs: the fields of a chessboard, an edge between two where a queen goes from one to the other.
//!
//! A colouring with `n` colours is `n` solutions of the `n` queens problem that fill the board. Rows, columns and long
//! diagonals are cliques of `n` vertices, so that fewer colours never do; for 6, 8, 9 and 10 more are needed than `n`.
//!
//! Source: M. Vasquez, "New results on the queens_n^2 graph coloring problem", Journal of Heuristics 10, 2004.

use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;
use kenga_core::spec::{Member, Param, ParamKind};

use super::super::{Entry, Generator, Shortfall};
use super::{COLORS, Edges, coloring};

pub(in crate::generators) static ENTRY: Entry = Member::new("queens-graph")
    .about(
        "the fields of a chessboard, to be coloured so that no queen goes from one to another of its colour",
    )
    .source("M. Vasquez, Journal of Heuristics 10, 2004")
    .params(&[
        Param::required("size", ParamKind::Integer(1, 32)).about("rows and columns of the chessboard"),
        COLORS,
    ])
    .build(|spec| {
        let number = |key: &str| spec.integer(key) as usize;
        Box::new(Queens { size: number("size"), colors: number("colors") })
    });

struct Queens {
    size: usize,
    colors: usize,
}

impl Generator for Queens {
    fn stem(&self) -> String {
        format!("queens-{}-{}", self.size, self.colors)
    }

    fn is_random(&self) -> bool {
        false
    }

    fn make(&self, _: &mut RunRng, _: &Interrupt) -> Result<Puzzle, Shortfall> {
        Ok(coloring(self.size * self.size, self.colors, edges(self.size)))
    }
}

/// The moves of a queen on a board of `size * size` fields, row-major.
fn edges(size: usize) -> Edges {
    let attacks = |one: usize, two: usize| {
        let (rows, columns) = ((one / size).abs_diff(two / size), (one % size).abs_diff(two % size));
        rows == 0 || columns == 0 || rows == columns
    };
    let pairs = (0..size * size).flat_map(|high| (0..high).map(move |low| (low, high)));
    pairs.filter(|(low, high)| attacks(*low, *high)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queens_go_along_rows_columns_and_diagonals() {
        // The numbers of edges of the DIMACS graphs queen5_5 to queen8_8.
        assert_eq!([5, 6, 7, 8].map(|size| edges(size).len()), [160, 290, 476, 728]);
        assert_eq!(edges(1), []);
        assert!(edges(3).contains(&(0, 8)) && !edges(3).contains(&(0, 5)));
    }

    #[test]
    fn the_largest_board_fits() {
        assert_eq!(
            Queens { size: 32, colors: 32 }
                .make(&mut kenga_core::rng::StreamKey::run(1, "", 0).rng(), &Interrupt::default())
                .expect("it is always made")
                .rows(),
            32
        );
    }
}
