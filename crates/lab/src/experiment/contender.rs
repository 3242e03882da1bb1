//! What a puzzle costs an algorithm: calls of a configuration, or decisions of the exact solver.
//!
//! Runs are those that `kenga run` makes with the configuration, each named by its replicate, so that whoever has the puzzle and the
//! configuration makes them again. A run that fails counts ten budgets (PAR-10, `stats/running_time.rs`).

use std::ops::Range;

use serde_json::{Value as Json, json};
use thiserror::Error;

use super::{CappedRuns, Config, RunError};
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::{Limits, solve};
use kenga_stats::{
    Estimate, Interval, Observed, PENALTY, Z_95, expected_time_interval, log_ratio_of_means,
    mean_over_puzzles, successes,
};

/// An algorithm with a name.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name, for people.
    pub name: String,
    /// Its configuration; `None` for the exact solver.
    config: Option<Config>,
}

/// A configuration that cannot be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// The clock would decide.
    #[error("`budget.seconds` bounds its runs: the clock would decide which puzzle is hard")]
    Seconds,
    /// A failed run would cost nothing that is known.
    #[error("[budget] bounds neither the evaluations nor the moves of its runs")]
    Unbounded,
    /// A program may fail for reasons of its own.
    #[error("a program stands in for its algorithm")]
    Program,
}

impl Contender {
    /// The exact solver, which costs the decisions of its proof that there is one solution.
    pub fn exact() -> Self {
        Self { name: "exact".to_owned(), config: None }
    }

    /// A configuration, which costs calls.
    ///
    /// # Errors
    /// Why its cost on a puzzle cannot be measured.
    pub fn new(name: String, config: Config) -> Result<Self, Unfit> {
        let budget = config.budget;
        if budget.seconds.is_some() {
            Err(Unfit::Seconds)
        } else if config.can_fail {
            Err(Unfit::Program)
        } else if budget.evaluations.is_none() && budget.moves.is_none() {
            Err(Unfit::Unbounded)
        } else {
            Ok(Self { name, config: Some(config) })
        }
    }

    /// The two are the same algorithm, whatever they are called and whichever seeds they have.
    pub fn is(&self, other: &Self) -> bool {
        match (&self.config, &other.config) {
            (Some(own), Some(other)) => own.deciding_but_seed() == other.deciding_but_seed(),
            (own, other) => own.is_none() && other.is_none(),
        }
    }

    /// Chance has a part in its costs.
    pub fn is_random(&self) -> bool {
        self.config.is_some()
    }

    /// Its costs on a puzzle, of which nothing is known yet.
    ///
    /// # Errors
    /// A puzzle that its configuration does not fit.
    pub fn costs(&self, puzzle: &Puzzle, interrupt: &Interrupt) -> Result<Costs<'_>, RunError> {
        let Some(config) = &self.config else {
            // A proof that was cut would cost nothing that is known.
            let limits = Limits { nodes: None, ..Limits::default() };
            let outcome = solve(&Problem::compile(puzzle), &limits, interrupt, &mut |_| ());
            return Ok(Costs { contender: self, of: Counted::Proof(outcome.nodes), runs: Vec::new() });
        };
        let mut runs = CappedRuns::prepare(vec![puzzle.clone()], &config.exact, 1, interrupt);
        runs.admit(config, &self.name)?;
        Ok(Costs { contender: self, of: Counted::Runs(config, Box::new(runs)), runs: Vec::new() })
    }
}

/// What a puzzle costs a contender, as far as it was measured.
pub struct Costs<'a> {
    contender: &'a Contender,
    of: Counted<'a>,
    runs: Vec<Observed>,
}

/// What is counted.
enum Counted<'a> {
    /// Decisions of a proof.
    Proof(u64),
    /// Calls of runs.
    Runs(&'a Config, Box<CappedRuns>),
}

impl Costs<'_> {
    /// Makes the runs of these replicates; `None` after an interrupt. The exact solver has its costs from the start.
    pub fn measure(&mut self, replicates: Range<u64>, interrupt: &Interrupt) -> Option<()> {
        let Counted::Runs(config, runs) = &self.of else { return Some(()) };
        for replicate in replicates {
            let run = runs.make(config, (0, replicate), None, interrupt)?;
            self.runs.push(Observed { spent: run.spent.calls() as f64, solved: run.solved });
        }
        Some(())
    }

    /// The name of the contender.
    pub fn name(&self) -> &str {
        &self.contender.name
    }

    /// Forgets the runs made so far.
    pub fn forget(&mut self) {
        self.runs.clear();
    }

    /// The runs made, and how many of them solved; `None` of the exact solver, which has none and always solves.
    pub fn solved(&self) -> Option<(usize, usize)> {
        match self.of {
            Counted::Runs(..) => Some((self.runs.len(), successes(&self.runs))),
            Counted::Proof(_) => None,
        }
    }

    /// log10 of how many times as much it costs as another, with the 95 % interval; `None` unless both count calls.
    pub fn log_ratio(&self, other: &Self) -> Option<Estimate> {
        Some(log_ratio_of_means(&self.penalised()?, &other.penalised()?, Z_95))
    }

    /// The calls of each run, a failure counting ten budgets; `None` of the exact solver.
    fn penalised(&self) -> Option<Vec<f64>> {
        self.solved()?;
        let budget = self.budget();
        // Solved at once is a call, too, so that a mean is at least 1.
        Some(self.runs.iter().map(|run| run.penalised(budget).max(1.0)).collect())
    }

    /// The mean cost, at least 1: calls, a failure counting ten budgets, or decisions. Infinite before the first run.
    pub fn mean(&self) -> f64 {
        let mean = match self.of {
            Counted::Proof(decisions) => decisions as f64,
            Counted::Runs(..) if self.runs.is_empty() => f64::INFINITY,
            Counted::Runs(..) => {
                self.runs.iter().map(|run| run.penalised(self.budget())).sum::<f64>() / self.runs.len() as f64
            }
        };
        mean.max(1.0)
    }

    /// The calls that PAR-10 counts tenfold for a failure: the sum of the bounds of the configuration's evaluations and moves. A run of which
    /// only moves are bounded may spend more: a start is an evaluation too.
    fn budget(&self) -> f64 {
        let Counted::Runs(config, _) = self.of else { return f64::INFINITY };
        let bounds = [config.budget.evaluations, config.budget.moves];
        bounds.into_iter().flatten().sum::<u64>() as f64
    }

    /// What was found, as an object. Of a configuration: `name`, `runs`, `solved`, `budget` (the bounds of evaluations and moves, together), `par10` (mean calls, a
    /// failure counting ten budgets) and `expected_calls` (of an algorithm that is restarted when it fails; null without a
    /// success), each with its 95 % interval. Of the exact solver: `name` and `decisions`.
    pub fn figures(&self) -> Json {
        let name = &self.contender.name;
        if let Counted::Proof(decisions) = self.of {
            return json!({"name": name, "decisions": decisions});
        }
        let budget = self.budget();
        let most = PENALTY * budget;
        // Intervals of means are those of values from 0 to 1, and no run counts more than `most`.
        let shares: Vec<f64> = self.runs.iter().map(|run| run.penalised(budget) / most).collect();
        let par10 = mean_over_puzzles(&[&shares], Z_95).map_or(NOTHING, |mean| mean.these);
        let expected = expected_time_interval(&self.runs, budget, Z_95);
        json!({
            "name": name,
            "runs": self.runs.len(),
            "solved": successes(&self.runs),
            "budget": budget as u64,
            "par10": whole(self.mean()),
            "par10_95": [whole(par10.low * most), whole(par10.high * most)],
            "expected_calls": whole(expected.value),
            "expected_calls_95": [whole(expected.interval.low), whole(expected.interval.high)],
        })
    }
}

/// What is known of a share without a run.
const NOTHING: Interval = Interval { low: 0.0, high: 1.0 };

/// A whole number; null where it is infinite.
fn whole(number: f64) -> Json {
    if number.is_finite() { json!(number.round() as u64) } else { Json::Null }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ConfigDraft;
    use kenga_core::puzzle::{Cage, Square, operators};

    fn puzzle() -> Puzzle {
        let plus = operators::find("+").expect("a known operator");
        let row = |row: usize, cols: Range<usize>, target| {
            Cage::new(plus, target, cols.map(|col| (row, col)).collect())
        };
        let cages = vec![row(0, 0..2, 3), row(0, 2..3, 3), row(1, 0..1, 2), row(1, 1..3, 4), row(2, 0..3, 6)];
        Square::kenken(3, cages).build().expect("a sound puzzle")
    }

    fn config(text: &str) -> Config {
        ConfigDraft::read("x.toml", text).and_then(ConfigDraft::finish).expect("a sound configuration")
    }

    fn contender(text: &str) -> Result<Contender, Unfit> {
        Contender::new("x".to_owned(), config(text))
    }

    #[test]
    fn configurations_that_cannot_be_measured_are_refused() {
        assert_eq!(contender("budget = {seconds = 1, evaluations = 9}").err(), Some(Unfit::Seconds));
        assert_eq!(contender("budget = {generations = 9}").err(), Some(Unfit::Unbounded));
        assert!(contender("budget = {moves = 9}\n[algorithm]\nname = 'annealing'").is_ok());
    }

    #[test]
    fn a_contender_is_known_by_its_algorithm_whatever_the_seed() {
        let one = contender("budget = {evaluations = 9}").expect("sound");
        let same = contender("budget = {evaluations = 9}\nreplicates = 7\nseed = 2").expect("sound");
        let other = contender("budget = {evaluations = 8}").expect("sound");
        assert!(one.is(&same) && !one.is(&other) && !one.is(&Contender::exact()));
        assert!(Contender::exact().is(&Contender::exact()));
    }

    #[test]
    fn a_failure_counts_ten_budgets_and_more_runs_add_to_those_before() {
        let hopeless = contender("budget = {evaluations = 1}\n[algorithm]\npopulation = 2").expect("sound");
        let mut costs = hopeless.costs(&puzzle(), &Interrupt::default()).expect("it fits");
        costs.measure(0..2, &Interrupt::default()).expect("no interrupt");
        costs.measure(2..3, &Interrupt::default()).expect("no interrupt");
        let figures = costs.figures();
        assert_eq!(
            (&figures["runs"], &figures["solved"], &figures["par10"]),
            (&json!(3), &json!(0), &json!(10))
        );
        assert_eq!((costs.mean(), &figures["expected_calls"]), (10.0, &Json::Null));
    }

    #[test]
    fn the_budget_is_that_of_the_configuration_whatever_runs_spend() {
        let text = "budget = {moves = 1}\n[algorithm]\nname = 'annealing'\nencoding = 'cells'";
        let short = contender(text).expect("sound");
        let mut costs = short.costs(&puzzle(), &Interrupt::default()).expect("it fits");
        costs.measure(0..4, &Interrupt::default()).expect("no interrupt");
        let spent = costs.runs.iter().map(|run| run.spent).fold(0.0, f64::max);
        let figures = costs.figures();
        assert!(spent > 1.0, "a start and a move: {spent}");
        assert_eq!(
            (&figures["budget"], &figures["solved"], &figures["par10"]),
            (&json!(1), &json!(0), &json!(10))
        );
    }

    #[test]
    fn an_interrupt_ends_the_runs() {
        let interrupt = Interrupt::default();
        let contender = contender("budget = {evaluations = 9}").expect("sound");
        let mut costs = contender.costs(&puzzle(), &interrupt).expect("it fits");
        interrupt.raise(2);
        assert_eq!(costs.measure(0..2, &interrupt), None);
        assert_eq!(costs.mean(), f64::INFINITY);
    }

    #[test]
    fn the_exact_solver_costs_the_decisions_of_its_proof_at_least_one() {
        let exact = Contender::exact();
        let costs = exact.costs(&puzzle(), &Interrupt::default()).expect("it fits all");
        assert_eq!(costs.mean(), costs.figures()["decisions"].as_f64().expect("a number").max(1.0));
    }
}
