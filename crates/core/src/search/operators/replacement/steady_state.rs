//! Steady state: each of a few children replaces the worst individual.
//!
//! ```text
//! population  2 5 7 9     children  6, then 8
//! 6 for 9     2 5 7 6
//! 8 for 7     refused: it is worse
//! ```
//!
//! A child replaces the worst individual unless it is worse itself. Of several worst a uniform one is replaced, so that
//! a population of equal fitness still changes. Each child costs O(population).

use std::cmp::Ordering;

use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Builder, Member};

use super::{OFFSPRING, OneByOne, Replacement};

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("steady_state")
    .about("each child replaces the worst individual unless the child is worse")
    .source(
        "D. Whitley 1989, The GENITOR algorithm and selection pressure, Proc. 3rd ICGA; G. Syswerda 1991, \
                 doi:10.1016/B978-0-08-050684-5.50009-4",
    )
    .params(&[OFFSPRING])
    .build(|spec| Box::new(OneByOne { offspring: spec.size("offspring"), rival: Box::new(rival) }));

/// One of the worst, unless the child is worse.
fn rival(population: &Population, offspring: &Population, child: usize, rng: &mut RunRng) -> Option<usize> {
    let (worst, count) = worst(population.guide());
    if offspring.guide()[child] > worst {
        return None;
    }
    Some(nth_with(population.guide(), worst, rng.below(count)))
}

/// The highest guide, and how many individuals have it.
fn worst(fitness: &[u32]) -> (u32, usize) {
    let (mut worst, mut count) = (0, 0);
    for fitness in fitness {
        match fitness.cmp(&worst) {
            Ordering::Less => {}
            Ordering::Equal => count += 1,
            Ordering::Greater => (worst, count) = (*fitness, 1),
        }
    }
    (worst, count)
}

/// The place of the `nth` individual, from 0, with this guide.
fn nth_with(fitness: &[u32], wanted: u32, nth: usize) -> usize {
    let mut places = (0..fitness.len()).filter(|place| fitness[*place] == wanted);
    places.nth(nth).expect("the index is below their count")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(parents: &[u32], children: &[u32]) -> Vec<u32> {
        super::super::next(
            &mut OneByOne { offspring: children.len(), rival: Box::new(rival) },
            parents,
            children,
        )
    }

    #[test]
    fn children_take_the_place_of_the_worst_one_by_one() {
        assert_eq!(next(&[2, 5, 7, 9], &[6, 8]), [2, 5, 7, 6]);
        assert_eq!(next(&[2, 5, 7, 9], &[8, 1]), [2, 5, 7, 1]);
        assert_eq!(next(&[3], &[3, 2, 9]), [2]);
    }

    #[test]
    fn the_worst_are_counted_and_found() {
        assert_eq!(worst(&[4, 9, 2, 9]), (9, 2));
        assert_eq!(worst(&[0, 0, 0]), (0, 3));
        assert_eq!(nth_with(&[4, 9, 2, 9], 9, 1), 3);
    }
}
