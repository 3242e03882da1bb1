//! Position-based crossover: some places of one parent, the rest in the order of the other.
//!
//! ```text
//! parents   1 2 3 4 5 6      4 6 2 1 5 3
//! places      ^   ^ ^
//! child       2   4 5        the places of the first
//!           6 2 1 4 5 3      the second from left to right, without 2 4 5
//! ```
//!
//! Every place is one of them by a fair coin. The other child is made with the parents exchanged and the same places. On
//! the free genes of every line.

use crate::rng::RunRng;
use crate::spec::{Builder, Member};

use super::rank_set::{RankSet, WideSet};
use super::{AnyLineCrossover, Crossover, LineCrossover, RATE, within_lines};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("position_based")
    .about(
        "position-based crossover (POS) in each row: some genes of one parent, the rest in the other's order",
    )
    .source(
        "G. Syswerda 1991, Schedule optimization using genetic algorithms, in L. Davis, Handbook of Genetic \
                 Algorithms",
    )
    .encodings(&["rows", "permutation"])
    .params(&[RATE])
    .build(|_| {
        Box::new(AnyLineCrossover {
            of_puzzles: LineCrossover { draw: |_, rng| rng.bits(), cross: cross_line, closure: within_lines },
            wide: LineCrossover { draw: |_, rng| wide_places(rng), cross: cross_line, closure: within_lines },
        })
    });

/// Any of 256 places.
fn wide_places(rng: &mut RunRng) -> WideSet {
    let mut places = WideSet::default();
    for word in &mut places {
        *word = u64::from(rng.bits()) | u64::from(rng.bits()) << 32;
    }
    places
}

/// Writes the child that has the places of a set from `a` and the order of the rest from `b`.
fn cross_line<S: RankSet>(places: &S, [a, b]: [&[u8]; 2], child: &mut [u8]) {
    let mut kept = S::default();
    for (place, digit) in (0..).zip(a) {
        kept.add_if(*digit, places.has(place));
    }
    let mut rest = b.iter().filter(|digit| !kept.has(**digit));
    for (place, (digit, own)) in (0..).zip(child.iter_mut().zip(a)) {
        *digit = if places.has(place) { *own } else { *rest.next().expect("as many are left as places") };
    }
}

#[cfg(test)]
mod tests {
    use super::super::child;
    use super::*;

    #[test]
    fn places_stay_and_the_rest_keeps_its_order() {
        let (a, b) = ([1, 2, 3, 4, 5, 6], [4, 6, 2, 1, 5, 3]);
        assert_eq!(child(cross_line::<u32>, 0b01_1010, a, b), [6, 2, 1, 4, 5, 3]);
        assert_eq!(child(cross_line::<u32>, 0b01_1010, b, a), [2, 6, 3, 1, 5, 4]);
    }

    #[test]
    fn all_places_or_none_make_a_clone() {
        assert_eq!(child(cross_line::<u32>, 0b111, [2, 0, 1], [0, 1, 2]), [2, 0, 1]);
        assert_eq!(child(cross_line::<u32>, 0, [2, 0, 1], [0, 1, 2]), [0, 1, 2]);
    }

    #[test]
    fn digits_of_different_sets_stay_different() {
        assert_eq!(child(cross_line::<u32>, 0b001, [0, 1, 2], [3, 4, 5]), [0, 3, 4]);
        assert_eq!(child(cross_line::<u32>, 0b010, [0, 1, 2], [1, 3, 0]), [3, 1, 0]);
    }
}
