//! Order crossover: a stretch of one parent, the rest in the order of the other.
//!
//! ```text
//! parents   9 8 4 | 5 6 7 | 1 3 2 0      8 7 1 | 2 3 0 | 9 5 4 6
//! child             5 6 7                  the stretch of the first
//!                           9 4 8 1        the second from the right cut on, without 5 6 7 …
//!           2 3 0                          … and from its beginning on
//! child     2 3 0 | 5 6 7 | 9 4 8 1
//! ```
//!
//! The other child is made with the parents exchanged. On the free genes of every line.

use crate::spec::{Builder, Member};

use super::rank_set::{RankSet, WideSet};
use super::{AnyLineCrossover, Crossover, CutRange, LineCrossover, RATE};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("order")
    .about("order crossover (OX) in each row: a segment of one parent, the rest in the order of the other")
    .source("L. Davis 1985, Applying adaptive algorithms to epistatic domains, Proc. 9th IJCAI")
    .encodings(&["rows", "permutation"])
    .params(&[RATE])
    .build(|_| {
        Box::new(AnyLineCrossover {
            of_puzzles: LineCrossover::of_stretch(cross_line::<u32>),
            wide: LineCrossover::of_stretch(cross_line::<WideSet>),
        })
    });

/// Writes the child that has the stretch between the cuts from `a` and the order of the rest from `b`.
fn cross_line<S: RankSet>(stretch: &CutRange, [a, b]: [&[u8]; 2], child: &mut [u8]) {
    let &CutRange { first, second } = stretch;
    let mut kept = S::default();
    for place in first..second {
        child[place] = a[place];
        kept.add(a[place]);
    }
    // Both places and digits from the second cut on and around: what follows the stretch keeps its neighbours.
    let places = (second..a.len()).chain(0..first);
    let rest = b[second..].iter().chain(&b[..second]).filter(|digit| !kept.has(**digit));
    for (place, digit) in places.zip(rest) {
        child[place] = *digit;
    }
}

#[cfg(test)]
mod tests {
    use super::super::child;
    use super::*;

    #[test]
    fn children_are_those_of_the_textbook() {
        // D. E. Goldberg 1989, section 5 of chapter 5, with 0 for 10.
        let (a, b) = ([9, 8, 4, 5, 6, 7, 1, 3, 2, 0], [8, 7, 1, 2, 3, 0, 9, 5, 4, 6]);
        assert_eq!(
            child(cross_line::<u32>, CutRange { first: 3, second: 6 }, a, b),
            [2, 3, 0, 5, 6, 7, 9, 4, 8, 1]
        );
        assert_eq!(
            child(cross_line::<u32>, CutRange { first: 3, second: 6 }, b, a),
            [5, 6, 7, 2, 3, 0, 1, 9, 8, 4]
        );
    }

    #[test]
    fn a_stretch_over_everything_is_a_clone() {
        assert_eq!(
            child(cross_line::<u32>, CutRange { first: 0, second: 3 }, [2, 0, 1], [0, 1, 2]),
            [2, 0, 1]
        );
    }

    #[test]
    fn digits_of_different_sets_stay_different() {
        assert_eq!(
            child(cross_line::<u32>, CutRange { first: 0, second: 1 }, [0, 1, 2], [3, 4, 5]),
            [0, 4, 5]
        );
        assert_eq!(
            child(cross_line::<u32>, CutRange { first: 1, second: 2 }, [0, 1, 2], [1, 3, 0]),
            [3, 1, 0]
        );
    }
}
