//! The table `[tune]`, and what follows from it: how many iterations, how many candidates, what a run may cost.
//!
//! Source of the formulas: M. López-Ibáñez, J. Dubois-Lacoste, L. Pérez Cáceres, M. Birattari, T. Stützle 2016, The irace
//! package, doi:10.1016/j.orp.2016.09.002, sections 2.2 and 4.

use crate::experiment::{Config, has_optimum};
use kenga_core::puzzle::Puzzle;
use kenga_core::spec::{DefaultValue, Param, ParamKind, Place, Spec, SpecError};

use super::TuneRun;
use super::instances::{InstanceParts, check_names};

/// The key of the table in a configuration.
pub const TUNE: &str = "tune";

/// What a tuning run compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Calls to the solution; a run without one counts ten times what a run may cost (PAR-10).
    Calls,
    /// The best fitness of a run.
    BestFitness,
    /// Of a problem of the user's own: the share of all runs on the same instance whose best fitness is lower, those that are
    /// equal counting half. So an instance with large values weighs as much as any other, as in the tests by ranks
    /// (Birattari and others 2002, `elimination.rs`).
    Place,
    /// What a program reports.
    Reported,
}

impl Cost {
    /// What it is called in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Calls => CALLS,
            Self::BestFitness | Self::Place => BEST_FITNESS,
            Self::Reported => REPORTED,
        }
    }
}

/// The keys of `[tune]`.
pub static KEYS: &[Param] = &[
    Param::required("budget", ParamKind::Integer(1, i64::MAX))
        .about("calls of all runs that tuning makes, evaluations and moves together; never exceeded"),
    Param::new("validate", ParamKind::Texts, DefaultValue::Texts(&[])).about(
        "files of held-out puzzles, relative to this one, or names of instances of [problem], on which the best and the \
         default are run after it; their calls do not count",
    ),
    Param::optional("cost", ParamKind::Choice(&[CALLS, BEST_FITNESS, REPORTED])).about(
        "what is compared: calls to the solution, failures counting ten budgets of a run, the best fitness, of a \
         [problem] by its place among all runs on the same instance, or what a program with reports_cost reports; absent: calls, or best_fitness where [problem] has an \
         instance without an optimum",
    ),
    Param::integer("first", 2..=1000, 3)
        .about("blocks (a puzzle, a replicate) that a newcomer runs before the first test of a race"),
    Param::probability("alpha", 0.05).about("the level of the tests that drop candidates"),
    Param::integer("elites", 1..=1000, 3).about("candidates at which a race ends"),
    Param::optional("newcomers", ParamKind::Integer(1, 10_000))
        .about("the most new candidates of a race; absent: what the budget of the iteration allows"),
    Param::new("capping", ParamKind::Real(0.0, 1000.0), DefaultValue::Real(1.5)).about(
        "a newcomer is dropped as soon as it costs so many times what the best costs on the same blocks; 0: never",
    ),
    Param::flag("surrogate", true)
        .about("whether most newcomers are the best of twenty draws by a random forest over all runs, or the first of them"),
    Param::new("ablation", ParamKind::Real(0.0, 0.9), DefaultValue::Real(0.1))
        .about("the share of the budget for the ablation path from the default to the best"),
];

/// A checked table `[tune]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Calls of all runs.
    pub budget: u64,
    /// Files of held-out puzzles, or names of held-out instances.
    pub validate: Vec<String>,
    /// What is compared.
    pub cost: Cost,
    /// What is tuned on is a problem of the user's own: its fitness is compared within an instance alone.
    pub has_own_problem: bool,
    /// Some run can be solved: of a problem of the user's own some optimum is known.
    pub can_solve: bool,
    /// Blocks before the first test.
    pub first: usize,
    /// The level of the tests.
    pub alpha: f64,
    /// Candidates at which a race ends.
    pub elites: usize,
    /// The most new candidates of a race, where they are set.
    pub newcomers: Option<usize>,
    /// How many times the cost of the best a newcomer may cost; `None` without a bound.
    pub capping: Option<f64>,
    /// Whether a random forest chooses most newcomers.
    pub surrogate: bool,
    /// The share of the budget for the ablation.
    pub ablation: f64,
    /// The most that a run can cost, in calls.
    pub worst: u64,
    /// How many keys are tuned.
    pub keys: usize,
}

impl Options {
    /// The parts of the instances of a problem of the user's own; `None` where there are puzzles, whose files are read.
    pub fn instances(&self, default: &Config) -> Option<InstanceParts> {
        InstanceParts::of(default, &self.validate)
    }

    /// Reads a resolved table; `default` bounds the runs.
    ///
    /// # Errors
    /// A budget of runs that does not bound their calls or asks the clock, and a budget too small for one race.
    pub fn new(spec: &Spec, default: &Config, keys: usize) -> Result<Self, SpecError> {
        let conflict =
            |message: String, help: String, place: Place| Err(SpecError::Conflict { message, help, place });
        let worst = match (default.budget.evaluations, default.budget.moves, default.budget.seconds) {
            (Some(evaluations), Some(moves), None) => evaluations.saturating_add(moves),
            (_, _, Some(_)) => {
                let message = "`budget.seconds` cannot bound the runs of a tuning".to_owned();
                let help = "tuning does not use the clock: set evaluations and moves in [budget]".to_owned();
                return conflict(message, help, spec.place);
            }
            _ => {
                let message = "[budget] does not bound the calls of a run".to_owned();
                let help = "set evaluations and moves in [budget]; 1 suffices for a kind that the algorithm does not use";
                return conflict(message, help.to_owned(), spec.place);
            }
        };
        let instances = default.instances().unwrap_or_default();
        if default.has_own_problem() {
            check_names(spec, &instances)?;
        }
        let cost = cost_of(spec, default, &instances)?;
        let options = Self {
            budget: spec.count("budget"),
            validate: spec.texts("validate"),
            cost,
            has_own_problem: default.has_own_problem(),
            can_solve: instances.is_empty() || instances.iter().any(has_optimum),
            first: spec.size("first"),
            alpha: spec.real("alpha"),
            elites: spec.size("elites"),
            newcomers: spec.size_or_absent("newcomers"),
            // Twice a place means nothing, nor does twice a cost that may be below 0.
            capping: Some(spec.real("capping"))
                .filter(|times| *times > 0.0 && !matches!(cost, Cost::Place | Cost::Reported)),
            surrogate: spec.flag("surrogate"),
            ablation: spec.real("ablation"),
            worst,
            keys,
        };
        // Without one whole race nothing would be compared with the default.
        let least = options.least();
        if options.budget < least {
            let message = format!("a budget of {} calls is too small for one race", options.budget);
            let help = format!(
                "set `budget` in [tune] to {least} at least: {} candidates, {} blocks, runs of up to {worst} calls{}",
                SMALLEST_WAVE + 1,
                options.first,
                if options.ablation > 0.0 { ", and the share of the ablation" } else { "" },
            );
            return conflict(message, help, spec.place_of("budget"));
        }
        Ok(options)
    }

    /// The least budget: the default and a wave on the first blocks, if all runs cost as much as they can.
    fn least(&self) -> u64 {
        let race = self.worst.saturating_mul((SMALLEST_WAVE as u64 + 1) * self.first as u64);
        (race as f64 / (1.0 - self.ablation) / (1.0 - LAST_RACE)).ceil() as u64 + 1
    }

    /// What a thing to tune on is called.
    pub fn noun(&self) -> &'static str {
        if self.has_own_problem { "instance" } else { "puzzle" }
    }

    /// Calls that races may spend.
    pub fn for_races(&self) -> u64 {
        self.budget - (self.budget as f64 * self.ablation) as u64
    }

    /// Calls that are spent before the elites race alone.
    pub(super) fn before_last_race(&self) -> u64 {
        self.for_races() - (self.for_races() as f64 * LAST_RACE) as u64
    }

    /// How many iterations are planned: 2 + log2 of the number of keys as irace, fewer where each would have less than
    /// fifteen runs of full length.
    pub fn iterations(&self) -> u64 {
        let affordable = self.before_last_race() / self.worst / RUNS_OF_ITERATION;
        (2 + u64::from(self.keys.max(1).ilog2())).min(affordable.max(2))
    }

    /// How many newcomers are drawn at a time: few, since a wave is capped by those before it; a hundredth of the runs of full
    /// length that the budget allows, where that is more, so that threads have work.
    pub(super) fn wave(&self) -> usize {
        let wave = (self.most_blocks() / 100).clamp(SMALLEST_WAVE, 1000);
        self.newcomers.map_or(wave, |most| wave.min(most))
    }

    /// The least that a newcomer is planned with, in calls: runs that end at once shall not make candidates without number.
    pub(super) fn least_of_newcomer(&self) -> f64 {
        self.worst as f64 / 10.0
    }

    /// The most blocks of a race, of which runs that end at once would make any number: as many as runs of full length are in
    /// the budget.
    pub(super) fn most_blocks(&self) -> usize {
        usize::try_from(self.budget / self.worst).unwrap_or(usize::MAX)
    }

    /// The calls after which a run has cost so much; `None` where no number of calls says so.
    pub(super) fn cap(&self, cost: f64) -> Option<u64> {
        (self.cost == Cost::Calls && cost < self.worst as f64).then(|| cost.ceil() as u64)
    }

    /// What a race compares of a run, whose place among those on the same instance is `place`; less is better. Nothing is
    /// worse than a failure.
    pub(super) fn cost(&self, run: &TuneRun, place: impl FnOnce() -> f64) -> f64 {
        if run.has_failed() {
            return f64::INFINITY;
        }
        match self.cost {
            Cost::Calls if run.solved => run.calls_to_best.max(1) as f64,
            Cost::Calls => self.worst as f64 * PENALTY,
            Cost::BestFitness => run.best_fitness.map_or(f64::INFINITY, f64::from),
            Cost::Place => place(),
            Cost::Reported => run.cost.flatten().unwrap_or(f64::INFINITY),
        }
    }
}

/// What a table asks to compare; where it does not say, what can be compared on all instances.
fn cost_of(spec: &Spec, default: &Config, instances: &[Puzzle]) -> Result<Cost, SpecError> {
    let unknown = instances.iter().find(|instance| !has_optimum(instance));
    let asked = spec.entry("cost").map(|_| spec.text("cost"));
    match (asked, unknown) {
        (Some(REPORTED), _) if !default.reports_cost => Err(SpecError::Conflict {
            message: "`cost = \"reported\"`, and the algorithm reports no cost".to_owned(),
            help: "it is for programs: set `reports_cost = true` in [algorithm]".to_owned(),
            place: spec.place_of("cost"),
        }),
        (Some(REPORTED), _) => Ok(Cost::Reported),
        (Some(CALLS), Some(instance)) => Err(SpecError::Conflict {
            message: format!("`cost = \"calls\"`, and no run can solve the instance `{}`", instance.id),
            help: "set its `optimum`, or use `cost = \"best_fitness\"`".to_owned(),
            place: spec.place_of("cost"),
        }),
        (Some(CALLS) | None, None) => Ok(Cost::Calls),
        _ if default.has_own_problem() => Ok(Cost::Place),
        _ => Ok(Cost::BestFitness),
    }
}

const CALLS: &str = "calls";
const BEST_FITNESS: &str = "best_fitness";
const REPORTED: &str = "reported";

/// Newcomers of a wave, at least.
const SMALLEST_WAVE: usize = 3;

/// Runs of full length that an iteration has at least, if it can be.
const RUNS_OF_ITERATION: u64 = 15;

/// The share of the races' budget that is kept for the race of the elites alone.
const LAST_RACE: f64 = 0.1;

/// The part of a race's share that newcomers may spend on the first blocks.
pub(super) const WAVE_SHARE: f64 = 0.6;

/// How many budgets a run without a solution counts.
const PENALTY: f64 = kenga_stats::PENALTY;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ConfigDraft;

    fn options(budget: &str, tune: &str) -> Result<Options, String> {
        let text = format!("budget = {budget}\n[tune]\n{tune}\n[sweep]\n'algorithm.population' = [10, 20]");
        let mut draft = ConfigDraft::read("x.toml", &text).expect("sound TOML");
        let spec = draft.take_section(TUNE, KEYS).map_err(|error| error.to_string())?.expect("a table");
        let space = draft.space().expect("a space");
        Options::new(&spec, space.default(), 1).map_err(|error| format!("{error}; {}", error.help()))
    }

    #[test]
    fn a_budget_below_one_race_is_refused_with_the_least_one() {
        let said = options("{evaluations = 99, moves = 1}", "budget = 10").expect_err("too small");
        assert!(said.contains("to 1483 at least: 4 candidates, 3 blocks, runs of up to 100 calls"), "{said}");
        let least = options("{evaluations = 99, moves = 1}", "budget = 1483").expect("enough");
        assert_eq!((least.for_races(), least.iterations()), (1335, 2));
        assert!(least.before_last_race() >= 1200);
        assert_eq!(options("{evaluations = 99, moves = 1}", "budget = 1335\nablation = 0").err(), None);
    }

    #[test]
    fn runs_without_a_bound_in_calls_are_refused() {
        for bad in ["{evaluations = 9}", "{generations = 9}", "{evaluations = 9, moves = 1, seconds = 1}"] {
            assert!(options(bad, "budget = 100000").is_err(), "{bad}");
        }
        assert!(options("{evaluations = 9, moves = 1}", "").is_err_and(|said| said.contains("budget")));
        assert!(options("{evaluations = 9, moves = 1}", "budget = 9\nbugdet = 1").is_err());
    }

    #[test]
    fn runs_are_cut_where_calls_are_compared() {
        let with = |tune: &str| {
            options("{evaluations = 99, moves = 1}", &format!("budget = 100_000\n{tune}")).expect("enough")
        };
        assert_eq!((with("").capping, with("capping = 0").capping), (Some(1.5), None));
        assert_eq!((with("").cap(30.5), with("").cap(100.0)), (Some(31), None));
        assert_eq!(with("cost = 'best_fitness'").cap(30.5), None);
    }

    #[test]
    fn iterations_and_waves_follow_from_the_budget() {
        let with = |budget: u64, keys: usize| Options {
            keys,
            ..options("{evaluations = 99, moves = 1}", &format!("budget = {budget}\nablation = 0"))
                .expect("enough")
        };
        let planned = |budget: u64, keys: usize| (with(budget, keys).iterations(), with(budget, keys).wave());
        assert_eq!([planned(2_000, 8), planned(6_000, 8), planned(100_000, 8)], [(2, 3), (3, 3), (5, 10)]);
        assert_eq!([planned(100_000, 1), planned(1 << 40, 8)], [(2, 10), (5, 1000)]);
        assert_eq!(Options { newcomers: Some(2), ..with(100_000, 8) }.wave(), 2);
    }
}
