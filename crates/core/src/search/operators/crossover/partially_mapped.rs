//! Partially mapped crossover: a stretch of one parent, the rest of the other where it stands.
//!
//! ```text
//! parents   9 8 4 | 5 6 7 | 1 3 2 0      8 7 1 | 2 3 0 | 9 5 4 6
//! mapping   2 - 5, 3 - 6, 0 - 7
//! child     8 0 1 | 5 6 7 | 9 2 4 3      the second parent after exchanging 2 and 5, 3 and 6, 0 and 7
//! ```
//!
//! The other child is made with the parents exchanged. On the free genes of every line.

use crate::spec::{Builder, Member};

use super::{AnyLineCrossover, Crossover, CutRange, LineCrossover, RATE, positions};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("partially_mapped")
    .about("partially mapped crossover (PMX) in each row: a segment of one parent, the rest of the other")
    .source(
        "D. E. Goldberg, R. Lingle 1985, Alleles, loci, and the traveling salesman problem, Proc. 1st ICGA",
    )
    .encodings(&["rows", "permutation"])
    .params(&[RATE])
    .build(|_| {
        Box::new(AnyLineCrossover {
            of_puzzles: LineCrossover::of_stretch(cross_line::<32>),
            wide: LineCrossover::of_stretch(cross_line::<256>),
        })
    });

/// Writes the child that has the stretch between the cuts from `a` and the rest from `b`: in `b`, every digit of the
/// stretch is exchanged to where `a` has it.
fn cross_line<const MOST: usize>(stretch: &CutRange, [a, b]: [&[u8]; 2], child: &mut [u8]) {
    child.copy_from_slice(b);
    let mut held_at = positions::<MOST>(b);
    for place in stretch.first..stretch.second {
        let (digit, displaced) = (a[place], child[place]);
        let other = held_at[usize::from(digit)];
        // A digit that `b` lacks removes the digit that it displaces.
        if let Some(slot) = child.get_mut(usize::from(other)) {
            *slot = displaced;
        }
        held_at[usize::from(displaced)] = other;
        child[place] = digit;
        held_at[usize::from(digit)] = place as u8;
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
            child(cross_line::<32>, CutRange { first: 3, second: 6 }, a, b),
            [8, 0, 1, 5, 6, 7, 9, 2, 4, 3]
        );
        assert_eq!(
            child(cross_line::<32>, CutRange { first: 3, second: 6 }, b, a),
            [9, 8, 4, 2, 3, 0, 1, 6, 5, 7]
        );
    }

    #[test]
    fn chains_of_the_mapping_are_followed_to_their_end() {
        // 0 is displaced by 1 and 1 by 2, so that 0 ends where 2 stood.
        assert_eq!(
            child(cross_line::<32>, CutRange { first: 0, second: 2 }, [1, 2, 0, 3], [0, 1, 3, 2]),
            [1, 2, 3, 0]
        );
    }

    #[test]
    fn digits_of_different_sets_stay_different() {
        assert_eq!(
            child(cross_line::<32>, CutRange { first: 0, second: 1 }, [0, 1, 2], [3, 4, 5]),
            [0, 4, 5]
        );
        assert_eq!(
            child(cross_line::<32>, CutRange { first: 0, second: 2 }, [3, 0, 2], [0, 1, 4]),
            [3, 0, 4]
        );
        assert_eq!(
            child(cross_line::<32>, CutRange { first: 1, second: 3 }, [3, 0, 2], [0, 1, 4]),
            [1, 0, 2]
        );
    }
}
