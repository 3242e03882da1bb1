//! Islands: populations that evolve in parallel and exchange migrants at barriers.
//!
//! ```text
//! every island: a population of its own, a random stream of its own
//! repeat
//!     in parallel, every island: advance by `interval` calls
//!     barrier: every island sends copies of `migrants` of its individuals to its targets,
//!              where they take the places of others
//! until an island has solved the puzzle or the budget is spent
//! ```
//!
//! Between two barriers an island depends on itself alone, and all migrants leave before any arrives, so that results
//! do not depend on threads. Migration draws its random numbers at the barrier from a stream of its own, first for
//! every island that sends, then for every edge, both in the order of the islands. An island that has stopped stays as
//! it is and takes no more migrants. An island advances until a step reaches the barrier or passes it; a step is a
//! generation, or a chunk of moves of a local search. An island whose step also passed the next barrier takes no part
//! in the migration there.
//!
//! Islands may differ: a list of algorithms is assigned in turn. A local search has a population of one, its best, and
//! continues from a migrant that replaces it. Among islands that differ, the guide of a migrant is its fitness.
//!
//! Source: R. Tanese 1989, Distributed genetic algorithms, Proc. 3rd ICGA; E. Cantú-Paz 1998, A survey of parallel
//! genetic algorithms; for islands that differ, S.-C. Lin, W. F. Punch, E. D. Goodman 1994, Coarse-grain parallel
//! genetic algorithms: categorization and new approach, Proc. 6th IEEE SPDP.

mod archipelago;
mod migration;

use std::collections::VecDeque;

use crate::budget::{Budget, Clock, Spent, StopReason};
use crate::search::encodings::EncodingError;
use crate::search::operators::topology::TOPOLOGY;
use crate::search::{Algorithm, Census, Observer, Task};
use crate::spec::{Builder, Member, Param, ParamKind, Spec, SpecError, Value};

use archipelago::{Islands, MigrationPlan};
use migration::MigrationPolicy;

use super::{ALGORITHMS, Maker, Recipe, Scores, bounds_where, landscapes, recipe};

pub(super) static ENTRY: Builder<Maker> = Member::new("islands")
    .about("populations that evolve in parallel and exchange migrants")
    .source("R. Tanese 1989, Distributed genetic algorithms, Proc. 3rd ICGA")
    .params(&[
        Param::integer("count", 1..=1024, 4).about("number of islands, which share the budget equally"),
        Param::integer("interval", 1..=i64::MAX, 2000)
            .about("calls (evaluations and moves) of each island between two migrations"),
        Param::integer("migrants", 0..=1_000_000, 1)
            .about("individuals of which an island sends copies to each island that it is linked to"),
        migration::SELECT,
        migration::REPLACE,
        Param::member("topology", &TOPOLOGY, "ring").about("which islands send migrants to which"),
        Param::member("island", &ALGORITHMS, "genetic").about("the algorithm of every island"),
        Param::optional("islands", ParamKind::Members(&ALGORITHMS))
            .about("instead of `island`: algorithms that the islands run, assigned in turn"),
    ])
    .build(|spec| {
        let islands = islands_of(spec)?;
        let recipes = islands.iter().map(|island| populated(island)).collect::<Result<Vec<_>, _>>()?;
        let plan = migration_plan(spec, &islands)?;
        Ok(Box::new(IslandsRecipe { islands: recipes, plan }))
    });

/// The algorithms of the islands, to be repeated in turn.
fn islands_of(spec: &Spec) -> Result<Vec<&Spec>, SpecError> {
    let listed: Vec<&Spec> = spec.specs("islands").collect();
    if listed.is_empty() {
        return Ok(vec![spec.spec("island")]);
    }
    let place = spec.place_of("islands");
    let count = spec.integer("count");
    if listed.len() as i64 > count {
        return Err(SpecError::Conflict {
            message: format!("`islands` lists {} algorithms, and `count` is {count}", listed.len()),
            help: format!("set `count` to {} or more", listed.len()),
            place,
        });
    }
    // A default has the place of the table.
    if spec.place_of("island") != spec.place {
        return Err(SpecError::Conflict {
            message: "`island` and `islands` both name the algorithms of the islands".to_owned(),
            help: "keep `island` if all run the same algorithm, else `islands`".to_owned(),
            place,
        });
    }
    Ok(listed)
}

/// The recipe of an algorithm, which must have a population that migrants can leave and join.
fn populated(island: &Spec) -> Maker {
    let recipe = recipe(island)?;
    if recipe.has_population() {
        return Ok(recipe);
    }
    Err(SpecError::Conflict {
        message: format!("`{}` has no population of its own to send migrants from", island.name),
        help: "put an algorithm with a population on the islands: genetic".to_owned(),
        place: island.place,
    })
}

/// Who sends how many to whom.
fn migration_plan(spec: &Spec, islands: &[&Spec]) -> Result<MigrationPlan, SpecError> {
    let count = spec.size("count");
    let chosen = spec.spec("topology");
    let topology = TOPOLOGY.build(chosen)?;
    topology.check(count).map_err(|error| SpecError::Conflict {
        message: error.to_string(),
        help: "change `count` or the topology".to_owned(),
        place: chosen.place,
    })?;
    let policy = MigrationPolicy::new(spec, islands.len() > 1);
    let mut targets: Vec<Vec<usize>> = (0..count).map(|from| topology.targets(from, count)).collect();
    if policy.migrants == 0 {
        targets.iter_mut().for_each(Vec::clear);
    }
    check_encodings(islands, &targets)?;
    Ok(MigrationPlan { targets, interval: spec.count("interval"), policy })
}

struct IslandsRecipe {
    islands: Vec<Box<dyn Recipe>>,
    plan: MigrationPlan,
}

impl Recipe for IslandsRecipe {
    /// The bounds that end every island.
    fn spends(&self) -> Vec<StopReason> {
        bounds_where(|reason| self.islands.iter().all(|island| island.spends().contains(&reason)))
    }

    fn has_population(&self) -> bool {
        false
    }

    fn islands(&self) -> Option<usize> {
        Some(self.plan.targets.len())
    }

    fn scores(&self) -> Scores {
        self.islands[0].scores()
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let count = self.plan.targets.len();
        let island = |index: usize| {
            let recipe = &self.islands[index % self.islands.len()];
            let key = task.key.child(&format!("island {index}"));
            let budget = share(&task.budget, index, count);
            recipe.start(&Task { key, budget, pool: None, ..task.clone() }).map(Island::new)
        };
        let islands = (0..count).map(island).collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(Islands::new(islands, self.plan.clone(), task)))
    }
}

/// The share of one of `count` islands in a budget; the first islands share the remainder.
fn share(budget: &Budget, index: usize, count: usize) -> Budget {
    let part = |total: u64| total / count as u64 + u64::from((index as u64) < total % count as u64);
    Budget { evaluations: budget.evaluations.map(part), moves: budget.moves.map(part), ..*budget }
}

/// Refuses islands that send genomes to islands of another encoding; `targets` are those of each island.
///
/// # Errors
/// [`SpecError::Conflict`], naming the first two.
fn check_encodings(islands: &[&Spec], targets: &[Vec<usize>]) -> Result<(), SpecError> {
    let encodings: Vec<Vec<&Spec>> =
        (0..targets.len()).map(|i| encodings_of(islands[i % islands.len()])).collect();
    for (from, to) in targets.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to))) {
        let mut pairs = encodings[from].iter().flat_map(|a| encodings[to].iter().map(move |b| (a, b)));
        if let Some((sends, holds)) = pairs.find(|(a, b)| !are_alike(a, b)) {
            return Err(SpecError::Conflict {
                message: format!(
                    "island {from} sends genomes of the encoding `{}` to island {to}, where they are not valid under `{}`",
                    describe(sends),
                    describe(holds)
                ),
                help: "give islands that exchange migrants one encoding, or set `migrants = 0` or `topology = \"isolated\"`"
                    .to_owned(),
                place: islands[from.max(to) % islands.len()].place,
            });
        }
    }
    Ok(())
}

/// The encoding of an algorithm, or the encodings of all that it lists if it has none of its own.
fn encodings_of(algorithm: &Spec) -> Vec<&Spec> {
    landscapes(algorithm).into_iter().map(|(encoding, _)| encoding).collect()
}

/// The encodings are equal but for their places: the same name, the same flat values.
fn are_alike(a: &Spec, b: &Spec) -> bool {
    let mut pairs = a.values.iter().zip(&b.values);
    a.name == b.name
        && a.values.len() == b.values.len()
        && pairs.all(|(a, b)| a.key == b.key && a.value == b.value)
}

/// The name of an encoding with its textual parameters.
fn describe(encoding: &Spec) -> String {
    let texts = encoding.values.iter().filter_map(|named| match &named.value {
        Value::Text(text) => Some(format!("{} = {text}", named.key)),
        _ => None,
    });
    std::iter::once(encoding.name.clone()).chain(texts).collect::<Vec<_>>().join(", ")
}

/// An algorithm with its population. It stays as it is once it has stopped.
struct Island {
    algorithm: Box<dyn Algorithm>,
    stop: Option<StopReason>,
    /// The island has made a step since the last barrier.
    has_moved: bool,
    /// Seconds of CPU time, on whatever thread.
    cpu_s: f64,
    log: IslandLog,
    /// What had been spent at the last generation that the archipelago has shown and forgotten.
    at: Spent,
}

/// Generations that the island has completed and the archipelago has not forgotten yet.
#[derive(Default)]
struct IslandLog {
    passed: VecDeque<Spent>,
    /// The censuses that are wanted and were not shown, by generation.
    censuses: VecDeque<(u64, Census)>,
    /// Censuses that were shown, whose memory is used again.
    spare: Vec<Census>,
}

/// Stores the generations of one island for the archipelago.
struct IslandObserver<'a> {
    wanted: &'a dyn Observer,
    log: &'a mut IslandLog,
}

impl Observer for IslandObserver<'_> {
    fn wants(&self, generation: u64) -> bool {
        self.wanted.wants(generation)
    }

    fn counts_unique(&self) -> bool {
        self.wanted.counts_unique()
    }

    fn logs_operators(&self) -> bool {
        self.wanted.logs_operators()
    }

    fn follows_births(&self) -> bool {
        self.wanted.follows_births()
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        let mut kept = self.log.spare.pop().unwrap_or_else(|| Census::new(0, 1));
        kept.clone_from(census);
        self.log.censuses.push_back((spent.generations, kept));
    }

    fn passed(&mut self, spent: Spent, _best: u32) {
        self.log.passed.push_back(spent);
    }
}

impl Island {
    fn new(algorithm: Box<dyn Algorithm>) -> Self {
        Self {
            algorithm,
            stop: None,
            has_moved: false,
            cpu_s: 0.0,
            log: IslandLog::default(),
            at: Spent::default(),
        }
    }

    /// Makes the initial population.
    fn start(&mut self, observer: &dyn Observer) {
        let clock = Clock::start();
        self.algorithm.start(&mut IslandObserver { wanted: observer, log: &mut self.log });
        self.stop = self.algorithm.stopped();
        self.cpu_s += clock.cpu_s();
    }

    /// Advances until this many calls are spent.
    fn advance(&mut self, calls: u64, observer: &dyn Observer) {
        let clock = Clock::start();
        let mut kept = IslandObserver { wanted: observer, log: &mut self.log };
        while self.stop.is_none() && self.algorithm.spent().calls() < calls {
            self.has_moved = true;
            self.stop = self.algorithm.step(&mut kept);
        }
        self.stop = self.stop.or_else(|| self.algorithm.stopped());
        self.cpu_s += clock.cpu_s();
    }

    /// It has not spent this many calls and would go on.
    fn is_before(&self, calls: u64) -> bool {
        self.stop.is_none() && self.algorithm.spent().calls() < calls
    }

    /// Makes one step, on the caller's thread.
    fn step(&mut self, observer: &dyn Observer) {
        self.has_moved = true;
        let stop = self.algorithm.step(&mut IslandObserver { wanted: observer, log: &mut self.log });
        self.stop = stop.or_else(|| self.algorithm.stopped());
    }

    /// The initial population is complete.
    fn has_begun(&self) -> bool {
        !self.log.passed.is_empty() || self.at.evaluations > 0
    }

    /// The last generation that the island has completed.
    fn completed(&self) -> u64 {
        self.log.passed.back().unwrap_or(&self.at).generations
    }

    /// What the island had spent when it completed this generation, or at its end if it never did. The generation is
    /// one that the archipelago has not forgotten yet.
    fn spent_at(&self, generation: u64) -> Spent {
        let first = self.log.passed.front().map_or(generation, |spent| spent.generations);
        let index = generation.checked_sub(first).and_then(|index| usize::try_from(index).ok());
        match index.and_then(|index| self.log.passed.get(index)) {
            Some(spent) => *spent,
            None if first > generation => self.at,
            None => self.algorithm.spent(),
        }
    }

    /// Forgets the generations that the archipelago has shown.
    fn forget(&mut self, shown: Option<u64>) {
        let passed = &mut self.log.passed;
        while let Some(spent) = passed.pop_front_if(|spent| Some(spent.generations) <= shown) {
            self.at = spent;
        }
    }

    /// Adds the island to a census of this generation, as it was then or as it stopped; what it had spent is returned.
    fn show(&mut self, generation: u64, census: Option<&mut Census>) -> Spent {
        let passed = &self.log.passed;
        let first = passed.front().map_or(u64::MAX, |spent| spent.generations);
        let index = generation.checked_sub(first).map(|index| (index as usize).min(passed.len() - 1));
        let spent = index.map_or(self.at, |index| passed[index]);
        let kept = match self.log.censuses.front() {
            Some((shown, _)) if *shown == generation => self.log.censuses.pop_front(),
            _ => None,
        };
        match (census, kept) {
            (Some(census), Some((_, kept))) => {
                census.merge(&kept);
                self.log.spare.push(kept);
            }
            (Some(census), None) => {
                self.algorithm.census(census);
            }
            (None, _) => {}
        }
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::algorithms::setup::{resolved, spec};

    #[test]
    fn islands_that_are_listed_are_scored_as_the_first() {
        let island = |offset| Value::Spec(spec("genetic", &[("offset", Value::Integer(offset))]));
        let islands = resolved("islands", &[("islands", Value::List(vec![island(7), island(8)]))]);
        assert_eq!(recipe(&islands).expect("a sound spec").scores().offset, Some(7));
    }
}
