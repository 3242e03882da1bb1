//! Migration: which individuals leave an island, and which they replace on another.
//!
//! ```text
//! best         the first `migrants` in the order of their guides
//! random       any of them, none twice
//! tournament   winners of tournaments of two, without replacement
//!
//! worst            the place of the worst, one after the other
//! random           any place, none twice
//! worst_if_better  the place of the worst, if the migrant has the lower fitness
//! ```
//!
//! An individual that was never evaluated, because the budget was spent, does not migrate.
//!
//! Source: E. Cantú-Paz 2001, Migration policies, selection pressure, and parallel evolutionary algorithms, Journal of
//! Heuristics 7(4), doi:10.1023/A:1011375326814.

use crate::rng::RunRng;
use crate::search::Population;
use crate::spec::{Param, Spec};

pub(super) const SELECT: Param = Param::choice("select", &["best", "random", "tournament"], "best")
    .about("which individuals migrate: the best, random ones, or winners of tournaments of two");

pub(super) const REPLACE: Param = Param::choice("replace", &["worst", "random", "worst_if_better"], "worst")
    .about("whom migrants replace: the worst, random individuals, or the worst if the migrant is better");

/// Which individuals leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Select {
    Best,
    Random,
    Tournament,
}

/// Which individuals are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replace {
    Worst,
    Random,
    WorstIfBetter,
}

/// How migrants are chosen and where they settle.
#[derive(Clone, Copy, Debug)]
pub(super) struct MigrationPolicy {
    /// The most that leave an island for each target.
    pub(super) migrants: usize,
    select: Select,
    replace: Replace,
    /// Islands differ, so that guides cannot be compared and the guide of a migrant is its fitness.
    islands_differ: bool,
}

/// Copies of individuals on their way.
pub(super) struct Emigrants {
    copies: Population,
    /// The number of copies that travel.
    count: usize,
}

impl MigrationPolicy {
    /// The policy of a resolved spec.
    pub(super) fn new(spec: &Spec, islands_differ: bool) -> Self {
        Self {
            migrants: spec.size("migrants"),
            select: match spec.text("select") {
                "random" => Select::Random,
                "tournament" => Select::Tournament,
                _ => Select::Best,
            },
            replace: match spec.text("replace") {
                "random" => Replace::Random,
                "worst_if_better" => Replace::WorstIfBetter,
                _ => Replace::Worst,
            },
            islands_differ,
        }
    }

    /// Copies the individuals that leave a population, in the order in which they will settle.
    pub(super) fn send(&self, population: &Population, to: &mut Emigrants, rng: &mut RunRng) {
        let mut order = Vec::new();
        population.order_into(&mut order);
        // One that the budget left unevaluated would arrive as the worst of all.
        order.retain(|index| population.fitness()[*index as usize] < u32::MAX);
        let count = self.migrants.min(order.len());
        match self.select {
            Select::Best => {}
            Select::Random => put_random_first(&mut order, count, |n| rng.below(n)),
            Select::Tournament => put_winners_first(&mut order, count, |n| rng.below(n)),
        }
        to.reserve(count, population.width());
        for (place, index) in order[..count].iter().enumerate() {
            to.copies.copy_from(place, population, *index as usize);
        }
        to.count = count;
    }

    /// Copies emigrants into a population; calls `settled` with the fitness of each that has found a place.
    pub(super) fn settle(
        &self,
        emigrants: &Emigrants,
        population: &mut Population,
        rng: &mut RunRng,
        mut settled: impl FnMut(u32),
    ) {
        let count = emigrants.count.min(population.len());
        let mut places = Vec::new();
        if self.replace == Replace::Random {
            places.extend(0..population.len() as u32);
            put_random_first(&mut places, count, |n| rng.below(n));
        }
        for index in 0..count {
            // The worst is looked for anew: the last migrant may be it.
            let place = places.get(index).map_or_else(|| population.worst(), |place| *place as usize);
            let fitness = emigrants.copies.fitness()[index];
            if self.replace == Replace::WorstIfBetter && fitness >= population.fitness()[place] {
                continue;
            }
            population.copy_from(place, &emigrants.copies, index);
            if self.islands_differ {
                // A guide under other weights means nothing here.
                population.set_fitness(place, fitness);
            }
            settled(fitness);
        }
    }
}

impl Emigrants {
    pub(super) fn none() -> Self {
        Self { copies: Population::new(0, 0), count: 0 }
    }

    /// No individual travels.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    fn reserve(&mut self, count: usize, width: usize) {
        if self.copies.len() < count {
            self.copies = Population::new(count, width);
        }
    }
}

/// Puts `count` uniformly random items first, in random order; `below(n)` draws from 0 to `n - 1`.
fn put_random_first(items: &mut [u32], count: usize, mut below: impl FnMut(usize) -> usize) {
    for place in 0..count {
        let drawn = place + below(items.len() - place);
        items.swap(place, drawn);
    }
}

/// Puts `count` winners of tournaments of two first; items come in the order of their worth, and those that are left
/// stay in it.
fn put_winners_first(items: &mut [u32], count: usize, mut below: impl FnMut(usize) -> usize) {
    for place in 0..count {
        let left = &mut items[place..];
        let winner = below(left.len()).min(below(left.len()));
        left[..=winner].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// What is left of a population of fitness 5, 9, 7 when one of 1, 8, 3, unevaluated has sent two, and who settled.
    fn exchange(select: Select, replace: Replace) -> (Vec<u32>, Vec<u32>) {
        let mut rng = StreamKey::run(1, "migration", 0).rng();
        let policy = MigrationPolicy { migrants: 2, select, replace, islands_differ: false };
        let (from, mut to) =
            (Population::of_fitness(&[1, 8, 3, u32::MAX]), Population::of_fitness(&[5, 9, 7]));
        let (mut emigrants, mut settled) = (Emigrants::none(), Vec::new());
        policy.send(&from, &mut emigrants, &mut rng);
        policy.settle(&emigrants, &mut to, &mut rng, |fitness| settled.push(fitness));
        assert!((0..3).all(|index| u32::from(to.genome(index)[0]) == to.fitness()[index]));
        (to.fitness().to_vec(), settled)
    }

    #[test]
    fn the_best_take_the_places_of_the_worst() {
        assert_eq!(exchange(Select::Best, Replace::Worst), (vec![5, 1, 3], vec![1, 3]));
    }

    #[test]
    fn only_what_was_evaluated_travels_and_none_is_overwritten() {
        for select in [Select::Random, Select::Tournament] {
            let (fitness, settled) = exchange(select, Replace::Random);
            assert!(settled.len() == 2 && settled[0] != settled[1], "{settled:?}");
            assert!(settled.iter().all(|new| [1, 8, 3].contains(new) && fitness.contains(new)));
        }
    }

    #[test]
    fn who_is_no_better_stays_outside() {
        let policy = MigrationPolicy {
            migrants: 9,
            select: Select::Best,
            replace: Replace::WorstIfBetter,
            islands_differ: true,
        };
        let mut rng = StreamKey::run(1, "migration", 0).rng();
        let (mut to, mut emigrants) = (Population::of_fitness(&[5, 4, 7]), Emigrants::none());
        policy.send(&Population::of_fitness(&[5, 6, 5, 8]), &mut emigrants, &mut rng);
        let mut settled = 0;
        policy.settle(&emigrants, &mut to, &mut rng, |_| settled += 1);
        assert_eq!((to.fitness(), settled), (&[5, 4, 5][..], 1));
    }

    #[test]
    fn draws_decide_who_comes_first() {
        let draw = |draws: &'static [usize]| {
            let mut draws = draws.iter();
            move |_: usize| *draws.next().expect("enough draws")
        };
        let (mut random, mut winners) = ([10, 11, 12, 13], [10, 11, 12, 13]);
        put_random_first(&mut random, 2, draw(&[3, 1]));
        assert_eq!(random, [13, 12, 11, 10]);
        put_winners_first(&mut winners, 2, draw(&[3, 2, 1, 2]));
        assert_eq!(winners, [12, 11, 10, 13]);
    }
}
