//! A configuration: its keys, and their checked values.

use std::sync::Arc;

use serde_json::Map;

use super::convergence::{Measure, NAMES, RecordEvery};
use super::json::{spec_from_json, text_without};
use super::labels::{LABEL, SUITE, name_of, take_labels};
use super::own_problem::{PROBLEM, complete};
use super::truth::{DeadRunPolicy, ExactLimits};
use kenga_core::budget::{Budget, StopReason};
use kenga_core::fitness::{CageMeasure, Fitness, FitnessError, Scale, Term, Weights};
use kenga_core::problem::Problem;
use kenga_core::search::algorithms::{ALGORITHMS, REPORTS_COST, Recipe, recipe};
use kenga_core::search::objectives::{OBJECTIVES, scale, terms};
use kenga_core::solver;
use kenga_core::spec::{DefaultValue, Param, ParamKind, Spec, SpecError, Value, resolve_section};
use kenga_core::text::{joined, nearest};

/// The key of a file that names the preset below it.
pub(super) const PRESET: &str = "preset";

/// The key of the sweep.
pub const SWEEP: &str = "sweep";

const fn limit(name: &'static str, about: &'static str) -> Param {
    Param::optional(name, ParamKind::Integer(1, i64::MAX)).about(about)
}

const fn weight(name: &'static str, least: i64, default: i64) -> Param {
    Param::integer(name, least..=1000, default).about("what a violation of the term weighs")
}

static BUDGET: &[Param] = &[
    limit("evaluations", "full fitness computations of a run"),
    limit("moves", "differences of fitness computed by a run"),
    limit("generations", "generations of a run after the initial population"),
    Param::optional("seconds", ParamKind::Real(f64::MIN_POSITIVE, f64::INFINITY))
        .about("wall time of a run: a guard; runs that it ends cannot be reproduced"),
];

static WEIGHTS: &[Param] = &[
    weight("count", 0, 1),
    weight("row", 1, 1),
    weight("column", 1, 1),
    weight("region", 1, 1),
    weight("cage", 1, 10),
    Param::optional("group", ParamKind::Integer(1, 1000))
        .about("what a violation of the term weighs; 1 when absent"),
];

static FITNESS: &[Param] = &[
    Param::choice("cages", CageMeasure::NAMES, CageMeasure::Binary.name())
        .about("an unsatisfied clue counts 1, or its distance from the target up to 100"),
    Param::section("weights", WEIGHTS).about("weights of the terms"),
];

static RECORD: &[Param] = &[
    Param::new("every", ParamKind::ChoiceOrInteger(RecordEvery::WORDS, 0, i64::MAX), DefaultValue::Integer(1)).about("generations between two rows of convergence.csv, or ten per decade, or every improvement; the first and \
                the last are always recorded; 0: no rows"),
    Param::optional("columns", ParamKind::Choices(&NAMES)).about("which columns convergence.csv has beside run, generation, evaluations, moves and best; when absent all but unique, and group only where a puzzle has such groups"),
    Param::flag("gzip", false).about("whether convergence.csv, migrations.csv, groups.csv, operators.csv and populations.csv are \
                compressed, as convergence.csv.gz and so on"),
    Param::flag("migrations", false).about("whether every migrant between islands has a row in migrations.csv"),
    Param::flag("groups", false).about("whether the groups that the best of a run breaks have a row each in groups.csv"),
    Param::flag("operators", false).about("whether operators.csv has a row for every operator of a run: usage and gain"),
    Param::optional("populations", ParamKind::Integer(0, i64::MAX)).about("generations between two whole populations in populations.csv, the first and the last one included; 0 or absent: none"),
];

static EXACT: &[Param] = &[
    Param::integer("nodes", 0..=i64::MAX, 1_000_000).about("decisions of the exact solver for each puzzle; 0: the ground truth stays unknown"),
    Param::count("solutions", 64).about("solutions of each puzzle to look for"),
    Param::choice("dead", DeadRunPolicy::NAMES, "note").about("when a population can reach no solution any more: do nothing, record dead_at in runs.csv, or end the run"),
];

/// The keys of a configuration.
pub static CONFIG: &[Param] = &[
    Param::optional("puzzles", ParamKind::Texts).about("files, relative to this one"),
    Param::optional(PROBLEM, ParamKind::Member(&OBJECTIVES))
        .about("a problem of your own, in place of puzzles"),
    Param::optional(SUITE, ParamKind::Text).about("what all puzzles together are called"),
    Param::optional(LABEL, ParamKind::Text)
        .about("what the setting is called; its algorithm's table may have it instead"),
    Param::integer("seed", 0..=i64::MAX, 1).about("the source of all randomness"),
    Param::integer("replicates", 1..=1_000_000_000, 1).about("runs of every puzzle"),
    Param::optional("retries", ParamKind::Integer(0, 1000))
        .about("times that a run that fails is tried again, from its beginning; 0 when absent"),
    Param::section("budget", BUDGET).about("what a run may spend"),
    Param::flag("propagate", false).about("whether propagation by the exact solver first removes candidates"),
    Param::section("fitness", FITNESS).about("what is minimised"),
    Param::member("algorithm", &ALGORITHMS, "genetic").about("the search algorithm"),
    Param::section("record", RECORD).about("what is written down"),
    Param::section("exact", EXACT).about("bounds of the ground truth"),
];

/// A checked configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// The source of all randomness.
    pub seed: u64,
    /// Runs of every puzzle.
    pub replicates: u64,
    /// Times that a run that fails is tried again.
    pub retries: u64,
    /// What a run may spend.
    pub budget: Budget,
    /// Whether propagation takes candidates away before the search.
    pub propagate: bool,
    /// How clues are measured.
    pub measure: CageMeasure,
    /// What violations weigh.
    pub weights: Weights,
    /// Starts the algorithm.
    pub recipe: Arc<dyn Recipe>,
    /// Whether its runs can fail.
    pub can_fail: bool,
    /// Whether a program is the algorithm, or a part of it.
    pub has_program: bool,
    /// Whether its runs report what they cost.
    pub reports_cost: bool,
    /// How values of a problem of the user's own become fitness, but for the reference, which is that of an instance.
    pub scale: Option<Scale>,
    /// The names of the terms of a problem of the user's own.
    pub terms: Vec<String>,
    /// Whether its runs start programs of the user's.
    pub starts_programs: bool,
    /// Which generations have a row of convergence.
    pub record_every: RecordEvery,
    /// Whether files that grow fast are compressed.
    pub record_gzip: bool,
    /// Whether migrants are recorded.
    pub record_migrations: bool,
    /// Whether broken groups are recorded.
    pub record_groups: bool,
    /// Whether the usage and gain of operators are recorded.
    pub record_operators: bool,
    /// Which generations' whole populations are recorded.
    pub record_populations: RecordEvery,
    /// Bounds of the ground truth.
    pub exact: ExactLimits,
    /// What is done about runs that can reach no solution any more.
    pub dead: DeadRunPolicy,
    /// Some puzzle has a distinct group that counts for the term `group`, so that the term has columns of its own.
    pub shows_group_term: bool,
    /// Every key with its value, defaults filled in, in the order of [`CONFIG`].
    pub resolved: Spec,
}

impl Config {
    /// What the setting is called, if it has been given a name.
    pub fn label(&self) -> Option<String> {
        self.name(LABEL)
    }

    /// What all puzzles together are called, if they have been given a name.
    pub fn suite(&self) -> Option<String> {
        self.name(SUITE)
    }

    fn name(&self, key: &str) -> Option<String> {
        self.resolved.get(key).map(|_| self.resolved.text(key).to_owned())
    }

    /// The algorithm, resolved.
    pub fn algorithm(&self) -> &Spec {
        self.resolved.spec("algorithm")
    }

    /// The name of the algorithm; of a program its file.
    pub(crate) fn algorithm_name(&self) -> String {
        let name = self.resolved.get("algorithm").and_then(|algorithm| name_of("algorithm", algorithm));
        name.expect("an algorithm has a name").into_owned()
    }

    /// The calls that count as a generation in the log of a local search; `None` of an algorithm without that key.
    pub(crate) fn calls_of_generation(&self) -> Option<u64> {
        self.algorithm().size_or_absent("generation").map(|calls| calls as u64)
    }

    /// The same but for the seed.
    pub(crate) fn deciding_but_seed(&self) -> String {
        text_without(&self.resolved, &["puzzles", "replicates", "retries", "record", "seed", LABEL, SUITE])
    }

    /// The fitness of a problem, of the candidates that propagation leaves where the configuration asks for it; and
    /// whether propagation alone solves the problem.
    ///
    /// # Errors
    /// [`FitnessError`] for a problem and weights whose numbers do not fit.
    pub fn fitness(&self, problem: &Problem) -> Result<(Fitness, bool), FitnessError> {
        let (problem, by_propagation) =
            if self.propagate { propagate(problem) } else { (problem.clone(), false) };
        Ok((Fitness::new(problem, self.weights, self.measure)?, by_propagation))
    }

    /// Another configuration makes the same [`fitness`](Self::fitness) of every problem.
    pub(crate) fn evaluates_as(&self, other: &Self) -> bool {
        self.weights == other.weights
            && self.measure == other.measure
            && self.propagate == other.propagate
            && self.resolved.get(PROBLEM) == other.resolved.get(PROBLEM)
    }

    /// Puzzle files as the configuration names them.
    pub fn puzzles(&self) -> Vec<String> {
        self.resolved.texts("puzzles")
    }
}

// The rooms of kenga use these; their names may change.
#[doc(hidden)]
impl Config {
    /// The experiment is about a problem of the user's own.
    pub fn has_own_problem(&self) -> bool {
        self.resolved.get(PROBLEM).is_some()
    }

    /// All that decides what a run of a replicate does, as text.
    pub fn deciding(&self) -> String {
        text_without(&self.resolved, &["puzzles", "replicates", "retries", "record", LABEL, SUITE])
    }

    /// A measure has a column of convergence.
    pub fn keeps(&self, measure: &Measure) -> bool {
        let record = self.resolved.spec("record");
        match record.get("columns") {
            Some(_) => record.texts("columns").iter().any(|column| column == measure.name),
            // A problem of the user's own has none of the terms of puzzles, and no known solution.
            None if self.has_own_problem() => !measure.is_optional && !measure.is_of_puzzles(),
            None => !measure.is_optional || self.shows_group_term && measure.name == Term::Group.name(),
        }
    }

    /// Checks a resolved configuration that a manifest has kept.
    ///
    /// # Errors
    /// A key or a value that this version does not know.
    pub fn from_json(resolved: &Map<String, serde_json::Value>) -> Result<Self, SpecError> {
        config(&spec_from_json(resolved), None)
    }
}

/// The problem with the candidates that propagation leaves, and whether that solves it. Of a problem that propagation
/// refutes nothing is left, so it stays as it is.
fn propagate(problem: &Problem) -> (Problem, bool) {
    let domains = solver::propagate(problem);
    if domains.is_empty() {
        return (problem.clone(), false);
    }
    let solves = domains.0.iter().all(|mask| mask.is_power_of_two());
    (problem.restrict(&domains), solves)
}

/// Checks a spec and fills the defaults in. What is equal in another configuration is shared with it: so a hundred thousand
/// settings of a sweep fit into memory.
pub(super) fn config(spec: &Spec, other: Option<&Config>) -> Result<Config, SpecError> {
    let mut whole = spec.clone();
    take_labels(&mut whole)?;
    complete(&mut whole, CONFIG)?;
    let mut resolved = resolve_section(&whole, "the configuration", CONFIG).map_err(with_preset)?;
    // Before the recipe is made, which keeps the algorithm's values.
    if let Some(other) = other {
        resolved.share(&other.resolved);
    }
    let problem = match resolved.get(PROBLEM) {
        Some(Value::Spec(problem)) => Some(problem),
        _ => None,
    };
    if let Some(problem) = problem {
        OBJECTIVES.build(problem)?;
    }
    let (budget, fitness, exact) =
        (resolved.spec("budget"), resolved.spec("fitness"), resolved.spec("exact"));
    let record = resolved.spec("record");
    // Whether operators fit the encoding is checked by making the recipe.
    let algorithm = resolved.spec("algorithm");
    let recipe = recipe(algorithm)?;
    let features = recipe.features();
    Ok(Config {
        seed: resolved.count("seed"),
        replicates: resolved.count("replicates"),
        retries: resolved.integer_or_absent("retries").map_or(0, i64::unsigned_abs),
        budget: budget_of(budget, &recipe.spends())?,
        propagate: resolved.flag("propagate"),
        measure: CageMeasure::of(fitness.text("cages")).expect("the choice was checked"),
        weights: weights_of(fitness.spec("weights")),
        can_fail: features.can_fail || problem.is_some(),
        has_program: features.can_fail,
        scale: problem.map(|problem| scale(problem, None, None)),
        terms: problem.map(terms).unwrap_or_default(),
        reports_cost: algorithm.get(REPORTS_COST) == Some(&Value::Flag(true)),
        // A program as the algorithm, or one that says what genomes are worth; a problem in Rust starts none.
        starts_programs: features.can_fail || problem.is_some_and(|problem| problem.get("command").is_some()),
        record_every: RecordEvery::of(record.get("every")),
        record_gzip: record.flag("gzip"),
        record_migrations: record.flag("migrations"),
        record_groups: record.flag("groups"),
        record_operators: record.flag("operators"),
        record_populations: RecordEvery::of(record.get("populations")),
        dead: DeadRunPolicy::named(exact.text("dead")),
        shows_group_term: false,
        exact: ExactLimits { nodes: exact.count("nodes"), solutions: exact.count("solutions") },
        recipe: recipe.into(),
        resolved,
    })
}

/// Reading a file takes the keys `preset` and `sweep` out; a misspelling of them should suggest them all the same.
fn with_preset(error: SpecError) -> SpecError {
    match error {
        SpecError::UnknownKey { key, owner, known, place } if owner == "the configuration" => {
            let known = nearest(&key, known.iter().map(String::as_str).chain([PRESET, SWEEP]));
            SpecError::UnknownKey { key, owner, known, place }
        }
        other => other,
    }
}

fn budget_of(spec: &Spec, spends: &[StopReason]) -> Result<Budget, SpecError> {
    let limit = |key| spec.integer_or_absent(key).map(i64::unsigned_abs);
    let budget = Budget {
        evaluations: limit("evaluations"),
        moves: limit("moves"),
        generations: limit("generations"),
        seconds: spec.real_or_absent("seconds"),
    };
    if spends.iter().any(|reason| budget.bounds(*reason)) {
        return Ok(budget);
    }
    let names = joined(spends.iter().map(|reason| reason.name()), " or ");
    Err(SpecError::Conflict {
        message: "[budget] sets no limit that this algorithm uses: an unsolved run would never end"
            .to_owned(),
        help: format!("set {names} in [budget]; seconds are only a guard"),
        place: spec.place,
    })
}

fn weights_of(spec: &Spec) -> Weights {
    Weights {
        count: spec.integer("count") as u32,
        row: spec.integer("row") as u32,
        column: spec.integer("column") as u32,
        region: spec.integer("region") as u32,
        cage: spec.integer("cage") as u32,
        group: spec.integer_or_absent("group").unwrap_or(1) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ConfigDraft;
    use kenga_core::puzzle::formats;

    fn config(text: &str) -> Config {
        let text = format!("budget.evaluations = 10\n{text}");
        ConfigDraft::read("test", &text).and_then(ConfigDraft::finish).expect("a sound configuration")
    }

    #[test]
    fn terms_and_propagation_alone_decide_how_a_configuration_evaluates() {
        let plain = config("");
        assert!(plain.evaluates_as(&config("seed = 7\nalgorithm.name = \"random\"")));
        for other in ["fitness.cages = \"gap\"", "fitness.weights.row = 2", "propagate = true"] {
            assert!(!plain.evaluates_as(&config(other)), "{other}");
        }
    }

    #[test]
    fn fitness_is_that_of_the_remaining_candidates_only_where_propagation_is_asked_for() {
        let given = r#"{"kind":"latin","size":2,"givens":[[0,0,1]]}"#;
        let refuted = r#"{"kind":"latin","size":2,"givens":[[0,0,1],[0,1,1]]}"#;
        for (text, propagate, solves) in [(given, false, false), (given, true, true), (refuted, true, false)]
        {
            let puzzle = formats::read("test", text.as_bytes()).remove(0).expect("a puzzle");
            let problem = Problem::compile(&puzzle);
            let (fitness, by_propagation) =
                config(&format!("propagate = {propagate}")).fitness(&problem).expect("small weights");
            let is_restricted = fitness.problem().candidates() != problem.candidates();
            assert_eq!((by_propagation, is_restricted), (solves, solves), "{text}");
        }
    }
}
