//! Cycle crossover: every digit where one of the parents has it.
//!
//! ```text
//! parents   9 8 2 1 7 4 5 0 6 3      1 2 3 4 5 6 7 8 9 0
//! cycle     ^     ^   ^     ^        9 over 1, 1 over 4, 4 over 6, 6 over 9: from the first place on
//! child     9 2 3 1 5 4 7 8 6 0      the cycle from the first parent, the rest from the second
//! ```
//!
//! The other child is made with the parents exchanged. The cycle starts at a uniform place. On the free genes of every
//! line.

use crate::rng::RunRng;
use crate::search::Closure;
use crate::spec::{Builder, Member};

use super::rank_set::{RankSet, WideSet};
use super::{AnyLineCrossover, Crossover, LineCrossover, RATE, positions};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("cycle")
    .about("cycle crossover (CX) in each row: a cycle of places from one parent, the rest from the other")
    .source(
        "I. M. Oliver, D. J. Smith, J. R. C. Holland 1987, A study of permutation crossover operators on the \
                 traveling salesman problem, Proc. 2nd ICGA",
    )
    .encodings(&["rows", "permutation"])
    .params(&[RATE])
    .build(|_| {
        Box::new(AnyLineCrossover {
            of_puzzles: of_lines(cross_line::<u32, 32>),
            wide: of_lines(cross_line::<WideSet, 256>),
        })
    });

fn of_lines<const MOST: usize>(cross: fn(&usize, [&[u8]; 2], &mut [u8])) -> LineCrossover<usize, MOST> {
    let draw = |length, rng: &mut RunRng| rng.below(length);
    LineCrossover { draw, cross, closure: |space| Closure::takes_genes(space.genes()) }
}

/// Adds to `reached` the places on the way from `start`: from a place to the digit of `lower` there, and on to the place of
/// that digit in `upper`.
fn follow<S: RankSet, const MOST: usize>(start: usize, upper: &[u8], lower: &[u8], mut reached: S) -> S {
    let held_at = positions::<MOST>(upper);
    let mut place = start as u8;
    loop {
        reached.add(place);
        place = held_at[usize::from(lower[usize::from(place)])];
        if usize::from(place) >= upper.len() || reached.has(place) {
            return reached;
        }
    }
}

/// Writes the child that has the cycle through `start` from `a` and the rest from `b`.
fn cross_line<S: RankSet, const MOST: usize>(&start: &usize, [a, b]: [&[u8]; 2], child: &mut [u8]) {
    let cycle = follow::<S, MOST>(start, b, a, follow::<S, MOST>(start, a, b, S::default()));
    for (place, (digit, parents)) in (0..).zip(child.iter_mut().zip(a.iter().zip(b))) {
        *digit = if cycle.has(place) { *parents.0 } else { *parents.1 };
    }
}

#[cfg(test)]
mod tests {
    use super::super::child;
    use super::*;

    #[test]
    fn children_are_those_of_the_textbook() {
        // D. E. Goldberg 1989, section 5 of chapter 5, with 0 for 10.
        let (a, b) = ([9, 8, 2, 1, 7, 4, 5, 0, 6, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]);
        assert_eq!(child(cross_line::<u32, 32>, 0, a, b), [9, 2, 3, 1, 5, 4, 7, 8, 6, 0]);
        assert_eq!(child(cross_line::<u32, 32>, 0, b, a), [1, 8, 2, 4, 7, 6, 5, 0, 9, 3]);
        assert_eq!(child(cross_line::<u32, 32>, 5, a, b), child(cross_line::<u32, 32>, 0, a, b));
    }

    #[test]
    fn equal_digits_are_a_cycle_of_one() {
        assert_eq!(child(cross_line::<u32, 32>, 0, [0, 1, 2], [0, 2, 1]), [0, 2, 1]);
        assert_eq!(child(cross_line::<u32, 32>, 1, [0, 1, 2], [0, 2, 1]), [0, 1, 2]);
    }

    #[test]
    fn digits_of_different_sets_stay_different() {
        assert_eq!(child(cross_line::<u32, 32>, 0, [0, 1, 2], [3, 4, 5]), [0, 4, 5]);
        // From the middle of the chain 0/1, 1/2, 2/3 both ways.
        assert_eq!(child(cross_line::<u32, 32>, 1, [0, 1, 2, 5], [1, 2, 3, 4]), [0, 1, 2, 4]);
        assert_eq!(child(cross_line::<u32, 32>, 3, [0, 1, 2, 5], [1, 2, 3, 4]), [1, 2, 3, 5]);
    }
}
