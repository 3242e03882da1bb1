//! The conformance suite: what every member of every table promises, for kenga's own and for those of programs built on it.
//!
//! Each function adds an entry to its table, unless it stands there, and panics with what the member breaks:
//!
//! ```text
//! #[test]
//! fn rotate_conforms() {
//!     kenga_testing::mutation(&ROTATE);
//! }
//! ```
//!
//! A crossover, for example, makes valid children of valid parents on every encoding that it works on, on puzzles from 1x1 to
//! 25x25, the same for the same random numbers, none that its closure excludes; and a genetic algorithm with it keeps every
//! budget. Some sizes between are left out unless the variable `KENGA_TESTS` is `all`. A debug build takes some seconds for a
//! member, or a minute for a crossover with many parameters.

mod algorithm;
mod field;
mod niching;
mod objective;
mod puzzle;
#[doc(hidden)]
pub mod reach;
mod replacement;
mod schedule;
#[doc(hidden)]
pub mod selection;
#[doc(hidden)]
pub mod setup;
mod table;
#[doc(hidden)]
pub mod topology;
mod variation;

use kenga_core::puzzle::formats::{self, Format};
use kenga_core::puzzle::operators::{self, ClueOperator};
use kenga_core::puzzle::{Puzzle, samples};
use kenga_core::rng::StreamKey;
use kenga_core::search::algorithms::{ALGORITHMS, Maker};
use kenga_core::search::encodings::{ENCODINGS, Encoder};
use kenga_core::search::objectives::{OBJECTIVES, ObjectiveMaker};
use kenga_core::search::operators::crossover::{CROSSOVER, Crossover};
use kenga_core::search::operators::mutation::{MUTATION, Mutation};
use kenga_core::search::operators::niching::{NICHING, Niching};
use kenga_core::search::operators::replacement::{REPLACEMENT, Replacement};
use kenga_core::search::operators::restart::{RESTART, Restart};
use kenga_core::search::operators::scaling::{SCALING, Scaling};
use kenga_core::search::operators::schedule::{SCHEDULE, Schedule};
use kenga_core::search::operators::selection::{SELECTION, Selection};
use kenga_core::search::operators::topology::{TOPOLOGY, TopologyResult};
use kenga_core::search::operators::weights::{WEIGHTS, WeightAdaptation};
use kenga_core::spec::{Builder, Catalog, Family, Spec, Value};

pub use algorithm::{BUDGETS, check_populations, genetic, with};
pub use field::Field;

use reach::fitting;
use setup::{grounds, grounds_of, rng, settings, settings_of};

/// How large a test is: as it is every day, or, where the variable `KENGA_TESTS` is `all`, as large as it can be.
#[doc(hidden)]
pub fn size<T>(everyday: T, all: T) -> T {
    if runs_all() { all } else { everyday }
}

/// Whether tests that take long run too: the variable `KENGA_TESTS` is `all`.
#[doc(hidden)]
pub fn runs_all() -> bool {
    std::env::var_os("KENGA_TESTS").is_some_and(|said| said == "all")
}

/// A random KenKen with cages of up to four cells and any operators, the same for the same size and seed.
pub fn kenken(size: usize, seed: u64) -> Puzzle {
    let mut rng = StreamKey::run(seed, "test puzzle", size as u64).rng();
    samples::random_kenken(size, 4, |n| rng.below(n))
}

/// Adds an entry to its family and checks what the table says; returns the settings that the member is tried with.
fn enter<T>(family: &'static Family<T>, entry: &'static Builder<T>) -> Vec<Spec> {
    family.extend(&[entry]).unwrap_or_else(|error| panic!("{error}"));
    table::check(family, entry.member());
    settings_of(family, entry.member())
}

/// A crossover makes valid children of its parents, nothing that its closure excludes, and repeats itself.
///
/// # Panics
/// With what it breaks.
pub fn crossover(entry: &'static Builder<Box<dyn Crossover>>) {
    let settings = enter(&CROSSOVER, entry);
    variation::check_children(&settings, grounds());
    variation::check_equal_parents(&settings, grounds());
    check_reach(&CROSSOVER, &settings, &MUTATION);
    algorithm::check_slot(&CROSSOVER, &settings);
}

/// A mutation makes valid mutants, nothing that its closure excludes, and repeats itself; at rate 0 it changes nothing.
///
/// # Panics
/// With what it breaks.
pub fn mutation(entry: &'static Builder<Box<dyn Mutation>>) {
    let settings = enter(&MUTATION, entry);
    variation::check_mutants(&settings, grounds());
    variation::check_rates(&settings);
    check_reach(&MUTATION, &settings, &CROSSOVER);
    algorithm::check_slot(&MUTATION, &settings);
}

/// Nothing that the settings make, each beside a setting of the other family and alone, was said to be out of reach.
fn check_reach(family: &dyn Catalog, settings: &[Spec], other_family: &dyn Catalog) {
    let mut rng = rng("reach of one");
    // Of a problem of the user's own no genome is known that could be out of reach.
    let sizes = ["size 2,", "size 3,", "size 4,"];
    let small = grounds().iter().filter(|ground| sizes.iter().any(|size| ground.name.starts_with(size)));
    let is_crossover = family.family() == CROSSOVER.family();
    for (turn, ground) in small.enumerate() {
        let others = fitting(other_family, ground.member);
        for setting in settings {
            if family.fits(setting, ground.member).is_err() {
                continue;
            }
            let setting = Some(setting.clone());
            // All pairs would take too long: every ground has another setting beside those under test.
            for other in [&others[turn * 7 % others.len()], &None] {
                let operators = if is_crossover { [&setting, other] } else { [other, &setting] };
                reach::check(ground, operators, &mut rng);
            }
        }
    }
}

/// A selection picks individuals that exist, better ones not less often, equal ones equally often.
///
/// # Panics
/// With what it breaks.
pub fn selection(entry: &'static Builder<Box<dyn Selection>>) {
    let settings = enter(&SELECTION, entry);
    selection::check_picks(&settings);
    selection::check_equal_scores(&settings);
    selection::check_better_scores(&settings);
    algorithm::check_slot(&SELECTION, &settings);
}

/// A scaling makes finite scores of 0 or more that stand in the same order.
///
/// # Panics
/// With what it breaks.
pub fn scaling(entry: &'static Builder<Box<dyn Scaling>>) {
    for setting in enter(&SCALING, entry) {
        let scaling = SCALING.build(&setting);
        for scores in [vec![0.0; 3], vec![7.0; 3], vec![5.0], (0..40).map(f64::from).collect()] {
            let mut scaled = vec![f64::NAN; scores.len()];
            scaling.scale(&scores, 0.5, &mut scaled);
            let is_sound = scaled.iter().all(|score| score.is_finite() && *score >= 0.0);
            assert!(is_sound && scaled.is_sorted(), "scaling {setting:?} makes {scaled:?} of {scores:?}");
        }
        let wheel = setup::spec("roulette", &[("scaling", Value::Spec(setting.clone()))]);
        algorithm::check_slot(&SELECTION, &[setup::resolve(&SELECTION, &wheel)]);
    }
}

/// A niching leaves scores finite, and lowers none but by company.
///
/// # Panics
/// With what it breaks.
pub fn niching(entry: &'static Builder<Box<dyn Niching>>) {
    let settings = enter(&NICHING, entry);
    niching::check(&settings);
    algorithm::check_slot(&NICHING, &settings);
}

/// A replacement keeps the size of the population, makes up no individual, and keeps the best where it says so.
///
/// # Panics
/// With what it breaks.
pub fn replacement(entry: &'static Builder<Box<dyn Replacement>>) {
    let settings = enter(&REPLACEMENT, entry);
    replacement::check(&settings);
    algorithm::check_slot(&REPLACEMENT, &settings);
}

/// Genetic algorithms with the adaptation of weights keep their budgets and repeat themselves.
///
/// # Panics
/// With what it breaks.
pub fn weights(entry: &'static Builder<Box<dyn WeightAdaptation>>) {
    algorithm::check_slot(&WEIGHTS, &enter(&WEIGHTS, entry));
}

/// Genetic algorithms with the restart keep their budgets and repeat themselves.
///
/// # Panics
/// With what it breaks.
pub fn restart(entry: &'static Builder<Box<dyn Restart>>) {
    algorithm::check_slot(&RESTART, &enter(&RESTART, entry));
}

/// A topology names islands that exist, never the sender, none twice.
///
/// # Panics
/// With what it breaks.
pub fn topology(entry: &'static Builder<TopologyResult>) {
    topology::check(&enter(&TOPOLOGY, entry));
}

/// A schedule, which has the keys `from` and `to`, hits both ends and stays between them.
///
/// # Panics
/// With what it breaks.
pub fn schedule(entry: &'static Builder<Box<dyn Schedule>>) {
    enter(&SCHEDULE, entry);
    schedule::check(entry.member());
}

/// An encoding starts with valid genomes, which operators and algorithms that work on it keep valid.
///
/// # Panics
/// With what it breaks.
pub fn encoding(entry: &'static Builder<Encoder>) {
    enter(&ENCODINGS, entry);
    let grounds = grounds_of(entry.member(), 6);
    assert!(!grounds.is_empty(), "encoding `{}` holds no KenKen of size 1 to 6", entry.member().name);
    variation::check_starts(&grounds);
    variation::check_children(&settings(&CROSSOVER), &grounds);
    variation::check_mutants(&settings(&MUTATION), &grounds);
    algorithm::check_encoding(entry.member());
}

/// An algorithm keeps every budget, repeats itself, and claims nothing that is not so; one with a key that must be given is
/// only looked up.
///
/// # Panics
/// With what it breaks.
pub fn algorithm(entry: &'static Builder<Maker>) {
    ALGORITHMS.extend(&[entry]).unwrap_or_else(|error| panic!("{error}"));
    table::check(&ALGORITHMS, entry.member());
    algorithm::check(entry.member());
}

/// A problem of the user's own, with parameters such as its genomes, gives a genome the same value in every call, on every
/// thread and in every run; every value has a fitness on its scale; and every algorithm that suits its genomes repeats itself.
///
/// # Panics
/// With the promise that it breaks, the genome, and the parameters.
pub fn objective(entry: &'static Builder<ObjectiveMaker>, params: &[(&str, Value)]) {
    OBJECTIVES.extend(&[entry]).unwrap_or_else(|error| panic!("{error}"));
    table::check(&OBJECTIVES, entry.member());
    objective::check(&objective::resolved(entry.member().name, params));
}

/// An operator of clues holds by its rule for digits in any order, denies no prefix of what holds, and the exact solver finds
/// with it what the referee accepts.
///
/// # Panics
/// With what it breaks.
pub fn clue_operator(operator: &'static ClueOperator) {
    operators::TABLE.extend(&[operator]).unwrap_or_else(|error| panic!("{error}"));
    puzzle::check_operator(operator);
    puzzle::check_solutions(operator);
}

/// A format reads these texts, and again what it writes of them.
///
/// # Panics
/// With what it breaks.
pub fn format(format: &'static Format, examples: &[&str]) {
    formats::TABLE.extend(&[format]).unwrap_or_else(|error| panic!("{error}"));
    puzzle::check_format(format, examples);
}
