//! Islands: populations that evolve apart and exchange migrants at barriers.
//!
//! ```text
//! every island: a population of its own, a random stream of its own
//! repeat
//!     in parallel, every island: advance by `interval` calls
//!     barrier: every island sends copies of its best `migrants` to its targets,
//!              where they take the places of the worst
//! until an island has solved the puzzle or the budget is spent
//! ```
//!
//! Everything that an island does between two barriers depends on itself alone, and migrants are taken from all islands
//! before any arrives, so that the threads decide nothing. An island that has stopped stays as it is until the barrier.
//!
//! Source: R. Tanese 1989, Distributed genetic algorithms, Proc. 3rd ICGA; E. Cantú-Paz 1998, A survey of parallel
//! genetic algorithms.

mod island;

use rayon::prelude::*;

use crate::budget::{Budget, Spent, StopReason};
use crate::search::encodings::EncodingError;
use crate::search::operators::topology::{TOPOLOGY, Topology};
use crate::search::{Algorithm, Best, Census, Observer, Population, Task};
use crate::spec::{Entry, Kind, Member, Param, Preset, Spec, SpecError};

use island::Island;

use super::{ALGORITHMS, Maker, Recipe, recipe};

pub(super) static ENTRY: Entry<Maker> = Entry {
    member: Member {
        name: "islands",
        about: "populations in parallel that exchange migrants",
        source: "R. Tanese 1989, Distributed genetic algorithms, Proc. 3rd ICGA",
        encodings: &["cells", "rows"],
        params: &[
            Param {
                name: "count",
                kind: Kind::Integer(1, 1024),
                default: Preset::Integer(4),
                about: "islands; they share the budget equally",
            },
            Param {
                name: "interval",
                kind: Kind::Integer(1, i64::MAX),
                default: Preset::Integer(2000),
                about: "calls (evaluations and moves) of each island between two migrations",
            },
            Param {
                name: "migrants",
                kind: Kind::Integer(0, 1_000_000),
                default: Preset::Integer(1),
                about: "how many of its best an island sends to each target",
            },
            Param {
                name: "topology",
                kind: Kind::Member(&TOPOLOGY),
                default: Preset::Text("ring"),
                about: "who sends to whom",
            },
            Param {
                name: "island",
                kind: Kind::Member(&ALGORITHMS),
                default: Preset::Text("genetic"),
                about: "the algorithm of every island",
            },
        ],
    },
    build: |spec: &Spec| {
        let island = recipe(spec.spec("island"))?;
        if !island.has_population() {
            return Err(SpecError::Conflict {
                message: format!(
                    "`{}` has no population of its own to send migrants from",
                    spec.spec("island").name
                ),
                help: "put an algorithm with a population on the islands: genetic".to_owned(),
                place: spec.spec("island").place,
            });
        }
        Ok(Box::new(IslandsRecipe { spec: spec.clone(), island }))
    },
};

struct IslandsRecipe {
    spec: Spec,
    island: Box<dyn Recipe>,
}

impl Recipe for IslandsRecipe {
    fn spends(&self) -> &'static [StopReason] {
        self.island.spends()
    }

    fn has_population(&self) -> bool {
        false
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let count = usize::try_from(self.spec.integer("count")).expect("the range was checked");
        let island = |index: usize| {
            let key = task.key.child(&format!("island {index}"));
            let budget = share(&task.budget, index, count);
            self.island.start(&Task { key, budget, pool: None, ..task.clone() }).map(Island::new)
        };
        let islands = (0..count).map(island).collect::<Result<Vec<_>, _>>()?;
        let topology: Box<dyn Topology> = TOPOLOGY.build(self.spec.spec("topology"));
        let problem = task.fitness.problem();
        let (cells, digits) = (problem.cells(), problem.digits());
        Ok(Box::new(Islands {
            targets: (0..count).map(|from| topology.targets(from, count)).collect(),
            interval: self.spec.integer("interval").unsigned_abs(),
            migrants: usize::try_from(self.spec.integer("migrants")).expect("the range was checked"),
            calls: 0,
            barrier: 0,
            shown: None,
            best: Best { ranks: vec![0; cells], fitness: u32::MAX, at: Spent::default() },
            census: Census::new(cells, digits),
            outbox: Vec::new(),
            islands,
            task: task.clone(),
        }))
    }
}

/// The share of a budget that one of `count` islands gets; the first ones take what is left over.
fn share(budget: &Budget, index: usize, count: usize) -> Budget {
    let part = |total: u64| total / count as u64 + u64::from((index as u64) < total % count as u64);
    Budget { evaluations: budget.evaluations.map(part), moves: budget.moves.map(part), ..*budget }
}

struct Islands {
    task: Task,
    islands: Vec<Island>,
    targets: Vec<Vec<usize>>,
    interval: u64,
    migrants: usize,
    /// Calls that each island has made, or would have if it had not stopped.
    calls: u64,
    /// Calls of each island up to the next migration.
    barrier: u64,
    /// The last generation shown.
    shown: Option<u64>,
    best: Best,
    census: Census,
    outbox: Vec<Population>,
}

/// The most calls of an island between two looks at what all have done, so that long intervals need no more memory.
const SLICE: u64 = 100_000;

impl Islands {
    /// Does something to every island, on as many threads as there are.
    fn each(&mut self, act: impl Fn(&mut Island) + Send + Sync) {
        match &self.task.pool {
            Some(pool) => pool.install(|| self.islands.par_iter_mut().for_each(act)),
            None => self.islands.iter_mut().for_each(act),
        }
    }

    /// Takes over the best of all islands; of equals the one of the earliest generation, then of the first island.
    fn find_best(&mut self) {
        let key = |island: &Island| (island.algorithm.best().fitness, island.algorithm.best().at.generations);
        let best = self.islands.iter().enumerate().min_by_key(|(_, island)| key(island));
        let (index, island) = best.expect("there is an island");
        let found = island.algorithm.best();
        if found.fitness < self.best.fitness {
            let others = self.islands.iter().enumerate().filter(|(other, _)| *other != index);
            let at = others.fold(found.at, |at, (_, other)| at.beside(other.spent_at(found.at.generations)));
            let (ranks, fitness) = (found.ranks.clone(), found.fitness);
            self.best = Best { ranks, fitness, at: Spent { generations: found.at.generations, ..at } };
        }
    }

    /// Shows the generations that every island has completed which has not stopped; at the end, all.
    fn show(&mut self, observer: &mut dyn Observer) {
        let running = self.islands.iter().filter(|island| island.stop.is_none()).map(Island::completed).min();
        let last = running.or_else(|| self.islands.iter().map(Island::completed).max()).unwrap_or(0);
        // Nothing is shown of a first generation that the budget cut short.
        let begun = self.islands.iter().any(Island::has_begun);
        let first = self.shown.map_or(0, |shown| shown + 1);
        for generation in (first..=last).filter(|_| begun) {
            let mut census = observer.wants(generation).then_some(&mut self.census);
            if let Some(census) = &mut census {
                census.clear();
            }
            let mut spent = Spent { generations: generation, ..Spent::default() };
            for island in &mut self.islands {
                spent = spent.beside(island.show(generation, census.as_deref_mut()));
            }
            spent.generations = generation;
            if let Some(census) = census {
                observer.observe(spent, census);
            }
            observer.passed(spent, self.best.fitness);
            self.shown = Some(generation);
        }
    }

    /// Copies the best of every island over the worst of its targets. All leave before any arrives, and nobody arrives
    /// where an island has stopped.
    fn migrate(&mut self) {
        if self.migrants == 0 || self.targets.iter().all(Vec::is_empty) {
            return;
        }
        let mut order = Vec::new();
        for (island, travellers) in self.islands.iter_mut().zip(&mut self.outbox) {
            let population = island.algorithm.population().expect("islands were checked to have populations");
            population.order_into(&mut order);
            for (place, index) in order.iter().take(travellers.len()).enumerate() {
                travellers.copy_from(place, population, *index as usize);
            }
        }
        for (travellers, targets) in self.outbox.iter().zip(&self.targets) {
            for target in targets {
                let island = &mut self.islands[*target];
                if island.stop.is_none() {
                    settle(travellers, island.algorithm.population().expect("checked above"));
                }
            }
        }
    }
}

/// Copies travellers over the worst individuals, one after the other.
fn settle(travellers: &Population, population: &mut Population) {
    for index in 0..travellers.len().min(population.len()) {
        population.copy_from(population.worst(), travellers, index);
    }
}

impl Algorithm for Islands {
    fn start(&mut self, observer: &mut dyn Observer) {
        let watching = &*observer;
        self.each(|island| island.start(watching));
        self.find_best();
        self.show(observer);
        let room = |island: &mut Island| {
            let population = island.algorithm.population().expect("islands were checked to have populations");
            Population::new(self.migrants.min(population.len()), population.width())
        };
        self.outbox = self.islands.iter_mut().map(room).collect();
    }

    fn stopped(&self) -> Option<StopReason> {
        if self.best.fitness == 0 {
            return Some(StopReason::Solved);
        }
        // They share one budget: what stopped the first stopped, or is about to stop, the others.
        if self.islands.iter().all(|island| island.stop.is_some()) { self.islands[0].stop } else { None }
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if let Some(reason) = self.stopped() {
            return Some(reason);
        }
        if self.calls == self.barrier {
            if self.barrier > 0 {
                self.migrate();
            }
            self.barrier = self.barrier.saturating_add(self.interval);
        }
        self.calls = self.barrier.min(self.calls + SLICE);
        let (calls, watching) = (self.calls, &*observer);
        self.each(|island| island.advance(calls, watching));
        self.find_best();
        self.show(observer);
        None
    }

    fn spent(&self) -> Spent {
        self.islands.iter().fold(Spent::default(), |sum, island| sum.beside(island.algorithm.spent()))
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn census(&self, census: &mut Census) -> Spent {
        let each = self.islands.iter().map(|island| island.algorithm.census(census));
        each.fold(Spent::default(), Spent::beside)
    }

    fn population(&mut self) -> Option<&mut Population> {
        None
    }

    fn helpers_cpu_s(&self) -> f64 {
        let elsewhere = self.task.pool.is_some();
        if elsewhere { self.islands.iter().map(|island| island.cpu_s).sum() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::budget::Guard;
    use crate::fitness::{CageMeasure, Fitness, Weights};
    use crate::problem::Problem;
    use crate::puzzle::samples;
    use crate::rng::StreamKey;
    use crate::search::run;
    use crate::spec::{Catalog, Named, Place, Value};

    /// Keeps every `every`-th generation.
    struct Every {
        every: u64,
        seen: Vec<(Spent, Census)>,
    }

    impl Observer for Every {
        fn wants(&self, generation: u64) -> bool {
            generation.is_multiple_of(self.every)
        }

        fn observe(&mut self, spent: Spent, census: &Census) {
            self.seen.push((spent, census.clone()));
        }
    }

    fn spec(name: &str, values: &[(&str, Value)]) -> Spec {
        let mut spec = Spec::named(name);
        for (key, value) in values {
            let (key, key_place, value) = ((*key).to_owned(), Place::default(), value.clone());
            spec.set(Named { key, key_place, value, place: key_place });
        }
        spec
    }

    /// Runs islands of 10 individuals; what was seen, and the last generation as it is at the end.
    fn watch(every: u64, evaluations: u64, interval: i64) -> (Vec<(Spent, Census)>, (Spent, Census)) {
        let island = Value::Spec(spec("genetic", &[("population", Value::Integer(10))]));
        let keys = [("count", Value::Integer(3)), ("interval", Value::Integer(interval)), ("island", island)];
        let named = spec("", &[("algorithm", Value::Flag(true))]).values.swap_remove(0);
        let resolved = ALGORITHMS.resolve(&spec("islands", &keys), &named).expect("a sound spec");
        let mut draw = StreamKey::run(5, "islands", 0).rng();
        let problem = Problem::compile(&samples::kenken(6, |n| draw.below(n)));
        let (cells, digits) = (problem.cells(), problem.digits());
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
        let task = Task {
            fitness: Arc::new(fitness),
            key: StreamKey::run(1, "islands", 0),
            budget: Budget { evaluations: Some(evaluations), ..Budget::default() },
            guard: Guard::default(),
            pool: None,
        };
        let recipe = recipe(&resolved).expect("members that fit");
        let mut islands = recipe.start(&task).expect("any puzzle has cells");
        let mut observer = Every { every, seen: Vec::new() };
        run(&mut *islands, &mut observer);
        let mut last = Census::new(cells, digits);
        let complete = islands.census(&mut last);
        (observer.seen, (complete, last))
    }

    #[test]
    fn what_is_shown_does_not_depend_on_what_else_is_shown() {
        // 600 evaluations end the shares exactly on a barrier, 640 just past one.
        for (evaluations, interval) in [(600, 50), (640, 50), (631, 1_000_000), (25, 50)] {
            let (all, last) = watch(1, evaluations, interval);
            let (some, _) = watch(7, evaluations, interval);
            let sevenths = all.iter().filter(|(spent, _)| spent.generations.is_multiple_of(7));
            assert!(sevenths.eq(&some), "{evaluations} evaluations");
            let generations: Vec<u64> = all.iter().map(|(spent, _)| spent.generations).collect();
            assert!(generations.iter().copied().eq(0..generations.len() as u64), "{generations:?}");
            match all.last() {
                Some((spent, census)) => {
                    assert_eq!((spent.generations, census), (last.0.generations, &last.1))
                }
                None => assert_eq!(last.1.individuals(), 0),
            }
        }
    }
}
