//! The memetic algorithm: a genetic algorithm whose offspring a local search improves before they are evaluated.
//!
//! ```text
//! as the genetic algorithm, but before the offspring are evaluated
//!     each, with probability `improve_share`, becomes the best genome that a local search finds
//!         in `improve_moves` moves from it
//! at each restart, improve_moves <- improve_moves * improve_growth
//! ```
//!
//! Without growth, no restart helps where every solution is further from every child than one improvement goes.
//!
//! Children inherit the improvement (Lamarckian). Placing a child costs the local search one evaluation.
//!
//! Source: P. Moscato 1989, On evolution, search, optimization, genetic algorithms and martial arts, Caltech C3P 826;
//! N. Krasnogor, J. Smith 2005, doi:10.1109/TEVC.2005.850260. A resource that grows with every restart: A. Auger,
//! N. Hansen 2005, doi:10.1109/CEC.2005.1554902, whose resource is the population.

use crate::budget::{Budget, Guard, Spent};
use crate::rng::RunRng;
use crate::search::algorithms::{ALGORITHMS, Improve, Maker, Recipe, recipe};
use crate::search::encodings::ENCODINGS;
use crate::search::{Ledger, Population};
use crate::spec::{Builder, Catalog, Member, Named, Param, Place, Spec, SpecError, Value};

use super::{Defaults, GeneticRecipe, check_fit, params};

pub(in crate::search::algorithms) static ENTRY: Builder<Maker> = Member::new("memetic")
    .about("a genetic algorithm whose offspring a local search improves before they are evaluated")
    .source("P. Moscato 1989, Caltech C3P 826; N. Krasnogor, J. Smith 2005, doi:10.1109/TEVC.2005.850260")
    .params(&Param::join::<15>(
        &[
            Param::member("encoding", &ENCODINGS, "cages")
                .about("how a genome represents a grid, in the local search too"),
            Param::member("improve", &ALGORITHMS, "breakout").about(
                "the local search that improves offspring; its own `encoding` and `restart` are ignored",
            ),
            Param::integer("improve_moves", 1..=i64::MAX, 50_000)
                .about("moves that the local search may spend on a child before the first restart"),
            Param::real("improve_growth", 1.0..=1000.0, 1.5)
                .about("factor by which `improve_moves` grows at each restart"),
            Param::probability("improve_share", 1.0).about("probability that a child is improved"),
        ],
        &params(Defaults {
            population: 10,
            selection: "tournament",
            crossover: &["cage", "row", "uniform", "order"],
            mutation: &["redraw", "swap", "reset"],
            replacement: "steady_state",
            duplicates: "refuse",
            restart: "geometric",
            suits_problems: false,
        }),
    ))
    .build(build);

fn build(spec: &Spec) -> Maker {
    check_fit(spec)?;
    let improve = spec.spec("improve");
    match local_search(improve, spec.spec("encoding"))? {
        Some(local) => Ok(Box::new(GeneticRecipe { spec: spec.clone(), improve: Some(local) })),
        None => Err(SpecError::Conflict {
            message: format!("`{}` is no local search that could improve a child", improve.name),
            help: format!("improve by one of {}", local_searches().join(", ")),
            place: improve.place,
        }),
    }
}

/// The recipe of an algorithm on an encoding; `None` if it is no local search.
///
/// # Errors
/// An algorithm that does not work on the encoding.
fn local_search(algorithm: &Spec, encoding: &Spec) -> Result<Option<Box<dyn Recipe>>, SpecError> {
    // Children are genomes of the memetic algorithm's own encoding, whatever the local search names.
    let (mut algorithm, place) = (algorithm.clone(), algorithm.place);
    let value = Value::Spec(encoding.clone());
    algorithm.set(Named::new("encoding", value, place));
    Ok(Some(recipe(&algorithm)?).filter(|recipe| recipe.local_search().is_some()))
}

/// The names of all local searches.
fn local_searches() -> Vec<&'static str> {
    let mut names = Vec::new();
    for member in ALGORITHMS.members() {
        let Ok(spec) = ALGORITHMS.resolve(&Spec::named(member.name), Place::default()) else { continue };
        if recipe(&spec).is_ok_and(|recipe| recipe.local_search().is_some()) {
            names.push(member.name);
        }
    }
    names
}

/// The local search with its share of the work.
pub(super) struct Improvement {
    local: Box<dyn Improve>,
    /// Moves for each child before the first restart; `moves` is the number now.
    first: u64,
    moves: u64,
    growth: f64,
    share: f64,
    /// The children that it improved last.
    applied: Vec<usize>,
    /// The number of children in a row from which no move was possible.
    unmoved: u32,
}

/// Children between two looks at the guard, which matters where each takes few moves.
const CHECK_EVERY: usize = 32;

/// After this many children without a move the problem has none.
const UNMOVED: u32 = 1000;

impl Improvement {
    pub(super) fn new(spec: &Spec, local: Box<dyn Improve>) -> Self {
        Self {
            local,
            applied: Vec::new(),
            first: spec.count("improve_moves"),
            moves: spec.count("improve_moves"),
            growth: spec.real("improve_growth"),
            share: spec.real("improve_share"),
            unmoved: 0,
        }
    }

    /// The children that it improved last.
    pub(super) fn applied(&self) -> &[usize] {
        &self.applied
    }

    /// Sets the moves for each child after this many restarts.
    pub(super) fn begin(&mut self, restarts: u64) {
        self.moves = (self.first as f64 * self.growth.powf(restarts as f64)) as u64;
    }

    /// Counts the moves of the local search from now on.
    pub(super) fn follow(&mut self) {
        self.local.follow();
    }

    /// Usage and gain of its moves, if they are counted.
    pub(super) fn ledger(&self) -> Ledger {
        self.local.ledger()
    }

    /// No move is possible, so that no move will ever be spent.
    pub(super) fn is_stuck(&self) -> bool {
        self.unmoved >= UNMOVED
    }

    /// Improves children until the budget is spent, one of them solves the puzzle, or the guard cuts.
    pub(super) fn apply(
        &mut self,
        offspring: &mut Population,
        budget: &Budget,
        guard: &mut Guard,
        spent: &mut Spent,
        rng: &mut RunRng,
    ) {
        self.applied.clear();
        for child in 0..offspring.len() {
            if guard.cuts_at(child, CHECK_EVERY) {
                break;
            }
            let left = budget.moves.map_or(u64::MAX, |moves| moves.saturating_sub(spent.moves));
            let moves = self.moves.min(left);
            // The coin comes first: it is drawn whatever the budget, so that budgets change no draws.
            if !rng.coin(self.share) || moves == 0 || budget.evaluations_left(spent) == 0 {
                continue;
            }
            // Placing the child tells its fitness.
            spent.evaluations += 1;
            self.applied.push(child);
            let improved = self.local.improve(offspring.genome_mut(child), moves, guard, rng);
            spent.moves += improved.moves;
            self.unmoved = if improved.moves == 0 { self.unmoved.saturating_add(1) } else { 0 };
            if improved.solved {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;
    use crate::search::algorithms::Improved;
    use crate::search::algorithms::setup::resolved;

    /// Spends all its moves and finds nothing.
    struct Fruitless;

    impl Improve for Fruitless {
        fn improve(&mut self, _: &mut [u8], moves: u64, _: &mut Guard, _: &mut RunRng) -> Improved {
            Improved { moves, solved: false }
        }

        fn follow(&mut self) {}

        fn ledger(&self) -> Ledger {
            Ledger::default()
        }
    }

    #[test]
    fn every_restart_goes_further_from_each_child_and_never_past_the_budget() {
        let spec = resolved("memetic", &[("improve_moves", Value::Integer(100))]);
        let mut improvement = Improvement::new(&spec, Box::new(Fruitless));
        let (mut child, mut spent) = (Population::new(1, 1), Spent::default());
        let budget = Budget { moves: Some(500), ..Budget::default() };
        let mut rng = StreamKey::run(1, "memetic", 0).rng();
        let moves = [1, 2, 3, 4].map(|restarts| {
            let before = spent.moves;
            improvement.apply(&mut child, &budget, &mut Guard::default(), &mut spent, &mut rng);
            improvement.begin(restarts);
            spent.moves - before
        });
        assert_eq!(moves, [100, 150, 225, 25]);
    }
}
