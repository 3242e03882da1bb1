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

use crate::spec::{Builder, Member};

use super::{Crossover, LineCrossover, RATE, within_lines};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("position_based")
    .about(
        "position-based crossover (POS) in each row: some genes of one parent, the rest in the other's order",
    )
    .source(
        "G. Syswerda 1991, Schedule optimization using genetic algorithms, in L. Davis, Handbook of Genetic \
                 Algorithms",
    )
    .encodings(&["rows"])
    .params(&[RATE])
    .build(|_| {
        Box::new(LineCrossover { draw: |_, rng| rng.bits(), cross: cross_line, closure: within_lines })
    });

/// Writes the child that has the places of a mask from `a` and the order of the rest from `b`.
fn cross_line(&places: &u32, [a, b]: [&[u8]; 2], child: &mut [u8]) {
    let mut kept = 0u32;
    for (place, digit) in a.iter().enumerate() {
        kept |= (places >> place & 1) << digit;
    }
    // Digits that both parents have stand once: those kept are not taken again.
    let mut rest = b.iter().filter(|digit| kept >> **digit & 1 == 0);
    for (place, digit) in child.iter_mut().enumerate() {
        let is_kept = places >> place & 1 == 1;
        *digit = if is_kept { a[place] } else { *rest.next().expect("as many are left as places") };
    }
}

#[cfg(test)]
mod tests {
    use super::super::child;
    use super::*;

    #[test]
    fn places_stay_and_the_rest_keeps_its_order() {
        let (a, b) = ([1, 2, 3, 4, 5, 6], [4, 6, 2, 1, 5, 3]);
        assert_eq!(child(cross_line, 0b01_1010, a, b), [6, 2, 1, 4, 5, 3]);
        assert_eq!(child(cross_line, 0b01_1010, b, a), [2, 6, 3, 1, 5, 4]);
    }

    #[test]
    fn all_places_or_none_make_a_clone() {
        assert_eq!(child(cross_line, 0b111, [2, 0, 1], [0, 1, 2]), [2, 0, 1]);
        assert_eq!(child(cross_line, 0, [2, 0, 1], [0, 1, 2]), [0, 1, 2]);
    }

    #[test]
    fn digits_of_different_sets_stay_different() {
        assert_eq!(child(cross_line, 0b001, [0, 1, 2], [3, 4, 5]), [0, 3, 4]);
        assert_eq!(child(cross_line, 0b010, [0, 1, 2], [1, 3, 0]), [3, 1, 0]);
    }
}
