//! Each island sends to its four neighbours on a grid whose ends meet.
//!
//! ```text
//!      |       |       |
//!  <-> 0  <->  1  <->  2 <->      (row 0 meets row 1 at both ends,
//!      |       |       |           column 0 meets column 2)
//!  <-> 3  <->  4  <->  5 <->
//!      |       |       |
//! ```
//!
//! Islands fill the rows one after the other. The grid is the one nearest to a square that holds them all: 12 make 3
//! rows of 4; a prime number makes one row, which is the ring in both directions.

use crate::spec::{Builder, Member};

use super::{IslandTargets, TopologyResult};

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("torus")
    .about("each island exchanges with its four neighbours on a grid whose ends meet")
    .source(
        "M. Gorges-Schleuter 1989, ASPARAGOS: an asynchronous parallel genetic optimization strategy, \
         Proc. 3rd ICGA",
    )
    .build(|_| Ok(Box::new(IslandTargets(targets))));

/// The number of rows of the grid nearest to a square that holds this many islands.
fn rows(islands: usize) -> usize {
    // The largest divisor that is at most the square root.
    let mut rows = islands.isqrt().max(1);
    while !islands.is_multiple_of(rows) {
        rows -= 1;
    }
    rows
}

fn targets(from: usize, islands: usize) -> Vec<usize> {
    let rows = rows(islands);
    let columns = islands / rows;
    let (row, column) = (from / columns, from % columns);
    let at = |row: usize, column: usize| row % rows * columns + column % columns;
    let around =
        [at(row + rows - 1, column), at(row, column + columns - 1), at(row, column + 1), at(row + 1, column)];
    let mut targets: Vec<usize> = around.into_iter().filter(|to| *to != from).collect();
    // In short rows or columns neighbours on both sides are one island.
    targets.sort_unstable();
    targets.dedup();
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_islands_are_three_rows_of_four() {
        assert_eq!(targets(0, 12), [1, 3, 4, 8]);
        assert_eq!(targets(6, 12), [2, 5, 7, 10]);
    }

    #[test]
    fn few_and_primes_are_a_ring() {
        assert_eq!(targets(0, 1), [0; 0]);
        assert_eq!(targets(1, 2), [0]);
        assert_eq!(targets(0, 7), [1, 6]);
        assert_eq!(targets(0, 4), [1, 2]);
    }
}
