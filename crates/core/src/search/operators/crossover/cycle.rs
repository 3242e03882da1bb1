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

use crate::search::Closure;
use crate::spec::{Builder, Member};

use super::{Crossover, LineCrossover, RATE, positions};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("cycle")
    .about("cycle crossover (CX) in each row: a cycle of places from one parent, the rest from the other")
    .source(
        "I. M. Oliver, D. J. Smith, J. R. C. Holland 1987, A study of permutation crossover operators on the \
                 traveling salesman problem, Proc. 2nd ICGA",
    )
    .encodings(&["rows"])
    .params(&[RATE])
    .build(|_| {
        Box::new(LineCrossover {
            draw: |length, rng| rng.below(length),
            cross: cross_line,
            closure: |space| Closure::takes_genes(space.genes()),
        })
    });

/// Adds to the mask `reached` the places on the way from `start`: from a place to the digit of `lower` there, and on to
/// the place of that digit in `upper`.
fn follow(start: usize, upper: &[u8], lower: &[u8], mut reached: u32) -> u32 {
    let held_at = positions(upper);
    let mut place = start;
    loop {
        reached |= 1 << place;
        place = usize::from(held_at[usize::from(lower[place])]);
        if place >= upper.len() || reached >> place & 1 == 1 {
            return reached;
        }
    }
}

/// Writes the child that has the cycle through `start` from `a` and the rest from `b`.
fn cross_line(&start: &usize, [a, b]: [&[u8]; 2], child: &mut [u8]) {
    // If the parents hold different sets of digits, a cycle may be a chain, which continues the other way from its
    // start.
    let cycle = follow(start, b, a, follow(start, a, b, 0));
    for (place, digit) in child.iter_mut().enumerate() {
        *digit = if cycle >> place & 1 == 1 { a[place] } else { b[place] };
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
        assert_eq!(child(cross_line, 0, a, b), [9, 2, 3, 1, 5, 4, 7, 8, 6, 0]);
        assert_eq!(child(cross_line, 0, b, a), [1, 8, 2, 4, 7, 6, 5, 0, 9, 3]);
        assert_eq!(child(cross_line, 5, a, b), child(cross_line, 0, a, b));
    }

    #[test]
    fn equal_digits_are_a_cycle_of_one() {
        assert_eq!(child(cross_line, 0, [0, 1, 2], [0, 2, 1]), [0, 2, 1]);
        assert_eq!(child(cross_line, 1, [0, 1, 2], [0, 2, 1]), [0, 1, 2]);
    }

    #[test]
    fn digits_of_different_sets_stay_different() {
        assert_eq!(child(cross_line, 0, [0, 1, 2], [3, 4, 5]), [0, 4, 5]);
        // From the middle of the chain 0/1, 1/2, 2/3 both ways.
        assert_eq!(child(cross_line, 1, [0, 1, 2, 5], [1, 2, 3, 4]), [0, 1, 2, 4]);
        assert_eq!(child(cross_line, 3, [0, 1, 2, 5], [1, 2, 3, 4]), [1, 2, 3, 5]);
    }
}
