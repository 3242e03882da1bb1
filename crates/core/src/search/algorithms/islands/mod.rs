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
mod island;
mod migration;

use crate::budget::{Budget, StopReason};
use crate::search::encodings::EncodingError;
use crate::search::operators::topology::TOPOLOGY;
use crate::search::{Algorithm, Task};
use crate::spec::{Builder, Member, Param, ParamKind, Spec, SpecError, Value};

use archipelago::{Islands, MigrationPlan};
use island::Island;
use migration::MigrationPolicy;

use super::{ALGORITHMS, Features, Maker, Recipe, Scores, bounds_where, landscapes, recipe};

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
        let mut recipes = Vec::new();
        for island in &islands {
            recipes.push(populated(island)?);
        }
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
    if recipe.features().has_population {
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
    if let Err(error) = topology.check(count) {
        return Err(SpecError::Conflict {
            message: error.to_string(),
            help: "change `count` or the topology".to_owned(),
            place: chosen.place,
        });
    }
    let policy = MigrationPolicy::new(spec, islands.len() > 1);
    let mut targets = vec![Vec::new(); count];
    // An island that sends none is linked to none, so that encodings may differ.
    if policy.migrants > 0 {
        for (from, to) in targets.iter_mut().enumerate() {
            *to = topology.targets(from, count);
        }
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

    fn features(&self) -> Features {
        Features { islands: Some(self.plan.targets.len()), ..Features::default() }
    }

    fn scores(&self) -> Scores {
        self.islands[0].scores()
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let count = self.plan.targets.len();
        let mut islands = Vec::with_capacity(count);
        for index in 0..count {
            let recipe = &self.islands[index % self.islands.len()];
            // A stream and a share of the budget for each, so that no island depends on another between barriers.
            let key = task.key.child(&format!("island {index}"));
            let budget = share(&task.budget, index, count);
            let algorithm = recipe.start(&Task { key, budget, pool: None, ..task.clone() })?;
            islands.push(Island::new(algorithm));
        }
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
    let encodings: Vec<Vec<&Spec>> = islands.iter().map(|island| encodings_of(island)).collect();
    for (from, targets) in targets.iter().enumerate() {
        for to in targets {
            let (sent, held) = (&encodings[from % islands.len()], &encodings[to % islands.len()]);
            if let Some((sends, holds)) = first_unlike(sent, held) {
                return Err(SpecError::Conflict {
                    message: format!(
                        "island {from} sends genomes of the encoding `{}` to island {to}, where they are not valid under `{}`",
                        describe(sends),
                        describe(holds)
                    ),
                    help: "give islands that exchange migrants one encoding, or set `migrants = 0` or `topology = \"isolated\"`"
                        .to_owned(),
                    place: islands[from.max(*to) % islands.len()].place,
                });
            }
        }
    }
    Ok(())
}

/// The encoding of an algorithm, or the encodings of all that it lists if it has none of its own.
fn encodings_of(algorithm: &Spec) -> Vec<&Spec> {
    landscapes(algorithm).into_iter().map(|(encoding, _)| encoding).collect()
}

/// The first encoding of each list that differ.
fn first_unlike<'a>(sent: &[&'a Spec], held: &[&'a Spec]) -> Option<(&'a Spec, &'a Spec)> {
    for sends in sent {
        for holds in held {
            if sends != holds {
                return Some((sends, holds));
            }
        }
    }
    None
}

/// The name of an encoding with its textual parameters.
fn describe(encoding: &Spec) -> String {
    let mut words = encoding.name.clone();
    for named in &encoding.values {
        if let Value::Text(text) = &named.value {
            words += &format!(", {} = {text}", named.key);
        }
    }
    words
}

#[cfg(test)]
mod tests;
