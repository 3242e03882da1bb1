//! The genetic algorithm.
//!
//! ```text
//! population <- random genomes, evaluated
//! repeat
//!     if a restart is due
//!         start again: random genomes, evaluated; the first weights
//!     if replacement gives up some individuals
//!         re-initialise them: random genomes, evaluated
//!     if the weights are due
//!         change them; evaluate the population again
//!     scores <- max(0, offset - guide), shared by niching
//!     for each pair of offspring
//!         choose two parents by their scores
//!         cross them with probability rate, else clone them
//!         mutate both children; where duplicates are refused, again until they are new
//!     evaluate the offspring
//!     replace
//! until solved or the budget is spent
//! ```
//!
//! The order of random draws: parents, coin, crossover, mutation of the first child, of the second, and again of each
//! that is a duplicate. Every child is evaluated once, changed or not.
//!
//! The *guide* is what selection and replacement compare: the fitness, or, where `weights` adapt, the weighted
//! violation, found by the same evaluation. It is 0 exactly where the fitness is 0. The log always shows the fitness. A
//! migrant from another population keeps its guide until the next change of weights.
//!
//! Duplicates: with `refuse`, a child equal to a member of the population, or to an earlier child of its generation, is
//! mutated again before it is evaluated, at most 100 times; then it is accepted. Only the final genome is evaluated and
//! counted.
//!
//! Source: J. H. Holland 1975, Adaptation in Natural and Artificial Systems; with the parameters of the preset
//! `pyevolve`, the algorithm of C. S. Perone 2009, doi:10.1145/1656395.1656397.

mod breed;
mod engine;
mod memetic;
mod operator_log;

use crate::budget::StopReason;
use crate::search::encodings::{ENCODINGS, EncodingError, encode, encoding_of, for_encoding};
use crate::search::operators::crossover::CROSSOVER;
use crate::search::operators::mutation::MUTATION;
use crate::search::operators::niching::NICHING;
use crate::search::operators::replacement::REPLACEMENT;
use crate::search::operators::restart::RESTART;
use crate::search::operators::scaling::SCALING;
use crate::search::operators::schedule::Rate;
use crate::search::operators::selection::SELECTION;
use crate::search::operators::weights::WEIGHTS;
use crate::search::{Algorithm, MarkovError, MarkovModel, Space, Task};
use crate::spec::{Builder, Catalog, DefaultValue, Member, Param, ParamKind, Spec, SpecError, Value};

use super::{Features, Maker, Recipe, Scores, bounds_where};

use engine::Genetic;
use memetic::Improvement;

pub(super) use memetic::ENTRY as MEMETIC;

pub(super) static ENTRY: Builder<Maker> = Member::new("genetic")
    .about("the genetic algorithm: selection, crossover, mutation and replacement in every generation")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .params(&Param::join::<11>(
        &[Param::member("encoding", &ENCODINGS, "cells").about("how a genome represents a grid")],
        &params(Defaults {
            population: 100,
            selection: "roulette",
            crossover: &["row", "cage", "uniform", "order"],
            mutation: &["swap", "redraw", "reset"],
            replacement: "generational",
            duplicates: "allow",
            restart: "none",
            suits_problems: true,
        }),
    ))
    .build(|spec| {
        check_fit(spec)?;
        Ok(Box::new(GeneticRecipe { spec: spec.clone(), improve: None }))
    });

/// Where the genetic algorithms differ.
struct Defaults {
    population: i64,
    selection: &'static str,
    crossover: &'static [&'static str],
    mutation: &'static [&'static str],
    replacement: &'static str,
    duplicates: &'static str,
    restart: &'static str,
    /// It has the defaults of [`on_problems`] on problems of the user's own.
    suits_problems: bool,
}

/// What every genetic algorithm takes.
const fn params(defaults: Defaults) -> [Param; 10] {
    let offset = ParamKind::ChoiceOrInteger(&["worst"], 0, u32::MAX as i64);
    let tournament = on_problems(&defaults, &[("values", "tournament"), ("permutation", "tournament")]);
    let crossover = on_problems(&defaults, &[("values", "two_point"), ("permutation", "order")]);
    let mutation = on_problems(&defaults, &[("values", "flip"), ("permutation", "inversion")]);
    let plus = on_problems(&defaults, &[("values", "plus"), ("permutation", "plus")]);
    let refuse = on_problems(&defaults, &[("values", "refuse"), ("permutation", "refuse")]);
    [
        Param::count("population", defaults.population).about("number of individuals"),
        Param::new("offset", offset, DefaultValue::Text("worst"))
            .about("scores are max(0, offset - fitness); `worst` is the worst fitness of the population + 1"),
        Param::member("selection", &SELECTION, defaults.selection)
            .on_encodings(tournament)
            .about("how parents are chosen"),
        Param::member("niching", &NICHING, "none").about("how similar individuals lower each other's scores"),
        Param::fitting("crossover", &CROSSOVER, defaults.crossover)
            .on_encodings(crossover)
            .about("how two parents make two children; the default depends on the encoding"),
        Param::fitting("mutation", &MUTATION, defaults.mutation)
            .on_encodings(mutation)
            .about("small random changes of a genome; the default depends on the encoding"),
        Param::member("replacement", &REPLACEMENT, defaults.replacement)
            .on_encodings(plus)
            .about("who survives of parents and offspring"),
        Param::choice("duplicates", &["allow", "refuse"], defaults.duplicates)
            .on_encodings(refuse)
            .about("`refuse` mutates a child again while the population holds its genome"),
        Param::member("weights", &WEIGHTS, "none")
            .about("whether the weights of violated constraints adapt during the run"),
        Param::member("restart", &RESTART, defaults.restart)
            .about("when to start again from a random population"),
    ]
}

/// The words that stand in on problems of the user's own, by their encodings, where an algorithm has such.
const fn on_problems(
    defaults: &Defaults,
    words: &'static [(&'static str, &'static str)],
) -> &'static [(&'static str, &'static str)] {
    if defaults.suits_problems { words } else { &[] }
}

fn check_fit(spec: &Spec) -> Result<(), SpecError> {
    let encoding = encoding_of(spec);
    CROSSOVER.fits(spec.spec("crossover"), encoding)?;
    MUTATION.fits(spec.spec("mutation"), encoding)?;
    WEIGHTS.fits(spec.spec("weights"), encoding)
}

/// The offset of scores; `None` stands for `worst`.
fn offset(spec: &Spec) -> Option<u32> {
    spec.integer_or_absent("offset").map(|offset| offset as u32)
}

/// A resolved spec whose operators fit its encoding.
struct GeneticRecipe {
    spec: Spec,
    /// The local search of a memetic algorithm.
    improve: Option<Box<dyn Recipe>>,
}

impl Recipe for GeneticRecipe {
    fn spends(&self) -> Vec<StopReason> {
        let improves = self.improve.is_some() && self.spec.real("improve_share") > 0.0;
        bounds_where(|reason| reason != StopReason::Moves || improves)
    }

    fn features(&self) -> Features {
        Features::POPULATION
    }

    fn scores(&self) -> Scores {
        let scaling = match self.spec.spec("selection").get("scaling") {
            Some(Value::Spec(scaling)) => Some(SCALING.build(scaling)),
            _ => None,
        };
        Scores { offset: offset(&self.spec), scaling }
    }

    fn markov_model(&self, space: &Space) -> Result<MarkovModel, MarkovError> {
        let spec = &self.spec;
        // Each condition names the key that breaks it: with all of them, one genome is the whole state.
        let mut replacement = REPLACEMENT.build(spec.spec("replacement"));
        let survives = replacement.is_elitist() && replacement.renewal().is_none();
        let is_steady = WEIGHTS.build(spec.spec("weights")).guide().is_none();
        let mutation = MUTATION.build(spec.spec("mutation")).markov_model(space);
        need(self.improve.is_none(), "improve", "absent")?;
        need(spec.size("population") == 1, "population", "1")?;
        need(Rate::of(spec.spec("crossover"), "rate").is_never(), "crossover.rate", "0")?;
        need(
            survives && replacement.offspring(1) == 1,
            "replacement",
            "one with a single offspring and without the loss of the best",
        )?;
        need(spec.text("duplicates") == "allow", "duplicates", "allow")?;
        need(is_steady, "weights", "none")?;
        need(RESTART.build(spec.spec("restart")).is_never(), "restart", "none")?;
        let Some(mutation) = mutation else {
            let expected = "one whose probabilities are known, at a rate that stays the same";
            return Err(MarkovError::key("mutation", expected));
        };
        Ok(MarkovModel::OnePlusOne(mutation))
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let spec = &self.spec;
        let improve = match self.improve.as_ref().and_then(|recipe| recipe.local_search()) {
            Some(local) => Some(Improvement::new(spec, local.improve(&task.fitness)?)),
            None => None,
        };
        Ok(for_encoding!(encode(spec, &task.fitness)?, encoding => {
            Box::new(Genetic::new(encoding, spec, improve, task)) as Box<dyn Algorithm>
        }))
    }
}

/// An algorithm is a Markov chain only where this holds of a key.
fn need(holds: bool, key: &'static str, expected: &str) -> Result<(), MarkovError> {
    if !holds {
        return Err(MarkovError::key(key, expected));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, Guard, Spent};
    use crate::search::Census;
    use crate::search::algorithms::setup::{resolved, spec, task};
    use crate::spec::Place;

    /// A run on a random 7x7, after its start.
    fn started(values: &[(&str, Value)]) -> Box<dyn Algorithm> {
        started_within(Budget::default(), Guard::default(), values)
    }

    fn started_within(budget: Budget, guard: Guard, values: &[(&str, Value)]) -> Box<dyn Algorithm> {
        let text = |word: &str| Value::Text(word.to_owned());
        let common = [
            ("selection", text("uniform")),
            ("mutation", text("reset")),
            ("replacement", text("steady_state")),
        ];
        let spec = resolved("genetic", &[values, &common].concat());
        let recipe = GeneticRecipe { spec, improve: None };
        let mut algorithm = recipe.start(&task(7, budget, guard)).expect("a KenKen has lines");
        algorithm.start(&mut ());
        algorithm
    }

    #[test]
    fn duplicates_that_are_refused_never_enter() {
        let repeats = |word: &str| {
            let mut algorithm =
                started(&[("duplicates", Value::Text(word.to_owned())), ("population", Value::Integer(10))]);
            for _ in 0..500 {
                assert_eq!(algorithm.step(&mut ()), None);
            }
            let population = algorithm.population().expect("a population");
            (0..population.len()).filter(|index| population.holds(population.genome(*index), *index)).count()
        };
        assert_eq!(repeats("refuse"), 0);
        assert!(repeats("allow") > 0);
    }

    /// Ten individuals with a brood of this size that refuses duplicates.
    fn brooding(brood: i64, budget: Budget, guard: Guard) -> Box<dyn Algorithm> {
        let offspring = spec("plus", &[("offspring", Value::Integer(brood))]);
        let refuse = Value::Text("refuse".to_owned());
        let values = [("replacement", Value::Spec(offspring)), ("duplicates", refuse)];
        let population = ("population", Value::Integer(10));
        started_within(budget, guard, &[&values[..], &[population]].concat())
    }

    #[test]
    fn a_budget_bounds_the_brood() {
        // The guard is looked at every 128 children: a million of them would need more looks than it has.
        let budget = Budget { evaluations: Some(1000), ..Budget::default() };
        let mut algorithm = brooding(1_000_000, budget, Guard::until(500));
        assert_eq!(algorithm.step(&mut ()), Some(StopReason::Evaluations));
        assert_eq!(algorithm.spent(), Spent { evaluations: 1000, ..Spent::default() });
    }

    #[test]
    fn a_generation_is_cut_before_all_are_bred() {
        let mut algorithm = brooding(100_000, Budget::default(), Guard::until(20));
        assert_eq!(algorithm.step(&mut ()), Some(StopReason::Seconds));
        assert_eq!(algorithm.spent(), Spent { evaluations: 10, ..Spent::default() });
    }

    #[test]
    fn a_population_cut_while_it_is_made_is_no_generation() {
        let crowd = ("population", Value::Integer(5000));
        let mut algorithm = started_within(Budget::default(), Guard::until(2), &[crowd]);
        assert_eq!(
            (algorithm.step(&mut ()), algorithm.spent()),
            (Some(StopReason::Seconds), Spent::default())
        );
        let mut census = Census::new(49, 7);
        assert_eq!((algorithm.census(&mut census), census.individuals()), (Spent::default(), 0));
    }

    #[test]
    fn a_brood_that_is_indexed_has_no_duplicates_either() {
        let mut algorithm = brooding(40, Budget::default(), Guard::default());
        (0..50).for_each(|_| assert_eq!(algorithm.step(&mut ()), None));
        let population = algorithm.population().expect("a population");
        assert!((0..10).all(|index| !population.holds(population.genome(index), index)));
    }

    #[test]
    fn a_change_of_weights_costs_an_evaluation_of_everyone() {
        let saw = spec("saw", &[("every", Value::Integer(1))]);
        let mut algorithm = started(&[("weights", Value::Spec(saw)), ("population", Value::Integer(10))]);
        assert_eq!(algorithm.spent().evaluations, 10);
        for step in 1..=20 {
            assert_eq!(algorithm.step(&mut ()), None);
            assert_eq!(algorithm.spent().evaluations, 10 + step * (10 + 2));
        }
    }

    #[test]
    fn random_genomes_leave_no_closure() {
        let is_closed = |key: &str, member: &str| {
            let text = |word: &str| Value::Text(word.to_owned());
            started(&[("mutation", text("swap")), (key, text(member))]).details().closure().is_some()
        };
        for replacement in REPLACEMENT.entries() {
            let Member { name, .. } = replacement.member();
            let spec = REPLACEMENT.resolve(&Spec::named(name), Place::default());
            let renews = REPLACEMENT.build(&spec.expect("defaults")).renewal().is_some();
            assert_eq!(is_closed("replacement", name), !renews, "{name}");
        }
        assert!(!is_closed("replacement", "age_layers"));
        for restart in RESTART.entries() {
            assert_eq!(is_closed("restart", restart.member().name), restart.member().name == "none");
        }
    }

    #[test]
    fn a_restart_costs_an_evaluation_of_everyone() {
        let fixed = spec("fixed", &[("calls", Value::Integer(14))]);
        let mut algorithm = started(&[("restart", Value::Spec(fixed)), ("population", Value::Integer(10))]);
        let spent = [(); 5].map(|()| {
            assert_eq!(algorithm.step(&mut ()), None);
            algorithm.spent().evaluations
        });
        assert_eq!(spent, [12, 14, 26, 28, 40]);
    }
}
