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

use rayon::prelude::*;

use crate::budget::{Budget, Clock, Spent, StopReason};
use crate::search::encodings::EncodingError;
use crate::search::operators::topology::{TOPOLOGY, Topology};
use crate::search::{Algorithm, Best, Census, Observer, Population, Task};
use crate::spec::{Entry, Kind, Member, Param, Preset, Spec};

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
        Ok(Box::new(IslandsRecipe { spec: spec.clone(), island }))
    },
};

struct IslandsRecipe {
    spec: Spec,
    island: Box<dyn Recipe>,
}

impl Recipe for IslandsRecipe {
    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let count = usize::try_from(self.spec.integer("count")).expect("the range was checked");
        let island = |index: usize| {
            let key = task.key.child(&format!("island {index}"));
            let budget = share(&task.budget, index, count);
            let algorithm = self.island.start(&Task { key, budget, pool: None, ..task.clone() })?;
            Ok(Island { algorithm, stop: None, log: Log::default(), cpu_s: 0.0 })
        };
        let islands = (0..count).map(island).collect::<Result<Vec<_>, _>>()?;
        let topology: Box<dyn Topology> = TOPOLOGY.build(self.spec.spec("topology"));
        let problem = task.fitness.problem();
        let (cells, digits) = (problem.cells(), problem.digits());
        Ok(Box::new(Islands {
            targets: (0..count).map(|from| topology.targets(from, count)).collect(),
            interval: self.spec.integer("interval").unsigned_abs(),
            migrants: usize::try_from(self.spec.integer("migrants")).expect("the range was checked"),
            barrier: 0,
            migration: 0,
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

/// The most calls that every island makes in a step, however far the next migration is: a run is not deaf, and what the
/// islands show is not kept, for longer.
const CALLS_A_STEP: u64 = 16_384;

struct Islands {
    task: Task,
    islands: Vec<Island>,
    targets: Vec<Vec<usize>>,
    interval: u64,
    migrants: usize,
    /// Calls of each island up to which it has been advanced.
    barrier: u64,
    /// Calls of each island up to the next migration.
    migration: u64,
    best: Best,
    census: Census,
    outbox: Vec<Population>,
}

struct Island {
    algorithm: Box<dyn Algorithm>,
    stop: Option<StopReason>,
    log: Log,
    cpu_s: f64,
}

/// What one island showed since the last barrier.
#[derive(Default)]
struct Log {
    /// What had been spent after each complete generation.
    passed: Vec<Spent>,
    /// The censuses that someone wants.
    shown: Vec<(u64, Census)>,
}

/// Keeps what one island shows until the barrier.
struct Shelf<'a> {
    wanted: &'a dyn Observer,
    log: &'a mut Log,
}

impl Observer for Shelf<'_> {
    fn wants(&self, generation: u64) -> bool {
        self.wanted.wants(generation)
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        self.log.shown.push((spent.generations, census.clone()));
    }

    fn passed(&mut self, spent: Spent, _best: u32) {
        self.log.passed.push(spent);
    }
}

impl Island {
    /// Starts the island, or advances it to the barrier.
    fn advance(&mut self, barrier: u64, observer: &dyn Observer) {
        let clock = Clock::start();
        let mut shelf = Shelf { wanted: observer, log: &mut self.log };
        if barrier == 0 {
            self.algorithm.start(&mut shelf);
        }
        let calls = |spent: Spent| spent.evaluations + spent.moves;
        while self.stop.is_none() && calls(self.algorithm.spent()) < barrier {
            self.stop = self.algorithm.step(&mut shelf);
        }
        self.cpu_s += clock.cpu_s();
    }

    /// What the island had spent when it completed this generation, or at its end if it never did.
    fn spent_at(&self, generation: u64) -> Spent {
        let at = self.log.passed.iter().find(|spent| spent.generations >= generation);
        at.copied().unwrap_or_else(|| self.algorithm.spent())
    }
}

impl Islands {
    fn advance(&mut self, observer: &mut dyn Observer) {
        let (barrier, watching) = (self.barrier, &*observer);
        self.islands.iter_mut().for_each(|island| island.log = Log::default());
        match &self.task.pool {
            Some(pool) => pool.install(|| {
                self.islands.par_iter_mut().for_each(|island| island.advance(barrier, watching));
            }),
            None => self.islands.iter_mut().for_each(|island| island.advance(barrier, watching)),
        }
        self.find_best();
        self.show(observer);
    }

    /// Takes over the best of all islands; of equals the one of the earliest generation, then of the first island.
    fn find_best(&mut self) {
        let best =
            |island: &Island| (island.algorithm.best().fitness, island.algorithm.best().at.generations);
        let Some((index, island)) = self.islands.iter().enumerate().min_by_key(|(_, island)| best(island))
        else {
            return;
        };
        let found = island.algorithm.best();
        if found.fitness < self.best.fitness {
            let others = self.islands.iter().enumerate().filter(|(other, _)| *other != index);
            let at = others.fold(found.at, |at, (_, other)| add(at, other.spent_at(found.at.generations)));
            let (ranks, fitness) = (found.ranks.clone(), found.fitness);
            self.best = Best { ranks, fitness, at: Spent { generations: found.at.generations, ..at } };
        }
    }

    /// Shows the generations completed since the last barrier, all islands together.
    fn show(&mut self, observer: &mut dyn Observer) {
        let Some(longest) = self.islands.iter().max_by_key(|island| island.log.passed.len()) else { return };
        for generation in longest.log.passed.iter().map(|spent| spent.generations) {
            let spent = self
                .islands
                .iter()
                .fold(Spent::default(), |sum, island| add(sum, island.spent_at(generation)));
            let spent = Spent { generations: generation, ..spent };
            if observer.wants(generation) {
                self.census.clear();
                for island in &self.islands {
                    match island.log.shown.iter().find(|(shown, _)| *shown == generation) {
                        Some((_, census)) => self.census.merge(census),
                        None => drop(island.algorithm.census(&mut self.census)),
                    }
                }
                observer.observe(spent, &self.census);
            }
            observer.passed(spent, self.best.fitness);
        }
    }

    fn migrate(&mut self) {
        self.outbox.clear();
        let mut order = Vec::new();
        for island in &mut self.islands {
            let Some(population) = island.algorithm.population() else { return };
            let leaving = self.migrants.min(population.len());
            population.order_into(&mut order);
            let mut travellers = Population::new(leaving, population.width());
            (0..leaving).for_each(|index| travellers.copy_from(index, population, order[index] as usize));
            self.outbox.push(travellers);
        }
        for (travellers, targets) in self.outbox.iter().zip(&self.targets) {
            for target in targets {
                let population = self.islands[*target].algorithm.population().expect("all islands have one");
                for index in 0..travellers.len().min(population.len()) {
                    population.copy_from(population.worst(), travellers, index);
                }
            }
        }
    }
}

/// Adds what was spent side by side: evaluations and moves add up, generations run along.
fn add(a: Spent, b: Spent) -> Spent {
    Spent {
        evaluations: a.evaluations + b.evaluations,
        moves: a.moves + b.moves,
        generations: a.generations.max(b.generations),
    }
}

impl Algorithm for Islands {
    fn start(&mut self, observer: &mut dyn Observer) {
        self.advance(observer);
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if self.best.fitness == 0 {
            return Some(StopReason::Solved);
        }
        if self.islands.iter().all(|island| island.stop.is_some()) {
            return self.islands[0].stop;
        }
        if self.barrier == self.migration {
            if self.barrier > 0 {
                self.migrate();
            }
            self.migration = self.migration.saturating_add(self.interval);
        }
        self.barrier = self.barrier.saturating_add(CALLS_A_STEP).min(self.migration);
        self.advance(observer);
        None
    }

    fn spent(&self) -> Spent {
        self.islands.iter().fold(Spent::default(), |sum, island| add(sum, island.algorithm.spent()))
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn census(&self, census: &mut Census) -> Spent {
        let each = self.islands.iter().map(|island| island.algorithm.census(census));
        each.fold(Spent::default(), add)
    }

    fn population(&mut self) -> Option<&mut Population> {
        None
    }

    fn helpers_cpu_s(&self) -> f64 {
        let elsewhere = self.task.pool.is_some();
        if elsewhere { self.islands.iter().map(|island| island.cpu_s).sum() } else { 0.0 }
    }
}
