//! Deterministic crowding: each child competes with the parent more similar to it.
//!
//! ```text
//! parents   a  b       children  c  d
//! distances a-c + b-d = 9, a-d + b-c = 4:  d against a, c against b
//! d is worse than a: refused      c is as good as b: replaces it
//! ```
//!
//! Only similar individuals compete, so that different ones coexist. Children come in pairs; the last of an odd number
//! competes with the nearer parent.

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Builder, Member};

use super::{OFFSPRING_OR_POPULATION, Replacement, compete};

struct Crowding {
    offspring: Option<usize>,
}

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("crowding")
    .about(
        "deterministic crowding: each child replaces the parent more similar to it unless the child is worse",
    )
    .source(
        "S. W. Mahfoud 1995, Niching methods for genetic algorithms, dissertation, University of Illinois \
                 (deterministic crowding)",
    )
    .params(&[OFFSPRING_OR_POPULATION])
    .build(|spec| Box::new(Crowding { offspring: spec.size_or_absent("offspring") }));

impl Replacement for Crowding {
    fn offspring(&self, population: usize) -> usize {
        self.offspring.unwrap_or(population)
    }

    fn replace(
        &mut self,
        population: &mut Population,
        offspring: &mut Population,
        _rng: &mut RunRng,
        _guard: &mut Guard,
    ) {
        for first in (0..offspring.len()).step_by(2) {
            let [a, b] = offspring.parents(first);
            let apart = |parent: usize, child: usize| population.distance(parent, offspring.genome(child));
            if first + 1 == offspring.len() {
                let rival = if apart(a, first) <= apart(b, first) { a } else { b };
                compete(population, rival, offspring, first);
                continue;
            }
            let second = first + 1;
            // Each parent has one of the children for a rival, in the pairing whose distances add up to less.
            let straight = apart(a, first) + apart(b, second) <= apart(a, second) + apart(b, first);
            let [of_a, of_b] = if straight { [first, second] } else { [second, first] };
            compete(population, a, offspring, of_a);
            compete(population, b, offspring, of_b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn a_child_competes_with_the_more_similar_parent() {
        let mut parents = Population::of([([0, 0, 0], 5), ([1, 1, 1], 7)]);
        let mut children = Population::of([([1, 1, 2], 7), ([0, 0, 2], 6)]);
        (0..2).for_each(|child| children.set_parents(child, [child, 1 - child]));
        let rng = &mut StreamKey::run(1, "", 0).rng();
        Crowding { offspring: None }.replace(&mut parents, &mut children, rng, &mut Guard::default());
        assert_eq!((parents.genome(0), parents.genome(1)), (&[0, 0, 0][..], &[1, 1, 2][..]));
    }
}
