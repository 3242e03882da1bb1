//! The surrogate: a random forest over all runs so far, which says what a configuration promises before it is run.
//!
//! ```text
//! a row          the coordinates of the candidate of a run; -1 for a key that it does not have
//! its target     solved: the logarithm of its calls
//!                failed: from that of the most that a run costs to that of ten times as much, by the
//!                place of its best fitness among failures, of a problem among all runs on the instance
//! ```
//!
//! Source: F. Hutter, H. Hoos, K. Leyton-Brown 2011, Sequential model-based optimization for general algorithm
//! configuration, doi:10.1007/978-3-642-25566-3_40, which also takes half of what it tries from everywhere.

use super::TuneRun;
use super::options::{Cost, Options};
use super::results::place_among;
use kenga_core::rng::RunRng;
use kenga_core::sort::sort_by;
use kenga_stats::{Forest, PENALTY};

/// Trees of the forest.
const TREES: usize = 30;

/// Runs that it is grown on at most, evenly among all: growing takes about a second then.
const MOST: usize = 10_000;

/// The share of runs by which a forest is outgrown.
const OUTGROWN: f64 = 0.1;

/// The coordinate of a key that a candidate does not have.
const ABSENT: f64 = -1.0;

/// A run that it learns from, with the coordinates of its candidate and its place.
#[derive(Clone, Copy)]
pub(super) struct SurrogateRow<'a> {
    /// The coordinates of its candidate.
    pub(super) draws: &'a [Option<f64>],
    pub(super) run: &'a TuneRun,
    /// Its place among all on its instance, of a problem of the user's own.
    pub(super) place: Option<f64>,
}

/// What is predicted of candidates from the runs so far.
pub(super) struct Surrogate {
    forest: Forest,
    /// The runs when it was grown.
    runs: usize,
}

impl Surrogate {
    /// Grows one on runs, one at least.
    pub(super) fn grow(
        options: &Options,
        runs: &[SurrogateRow<'_>],
        compares_failures: bool,
        rng: &mut RunRng,
    ) -> Self {
        let learned: Vec<SurrogateRow<'_>> =
            runs.iter().copied().step_by(runs.len().div_ceil(MOST)).collect();
        let rows: Vec<Vec<f64>> = learned.iter().map(|run| row(run.draws)).collect();
        let targets = targets(options, &learned, compares_failures);
        let forest = Forest::grow(TREES, &rows, &targets, &mut |n| rng.below(n));
        Self { forest, runs: runs.len() }
    }

    /// There are a tenth more runs than when it was grown.
    pub(super) fn is_outgrown(&self, runs: usize) -> bool {
        runs as f64 >= self.runs as f64 * (1.0 + OUTGROWN)
    }

    /// What candidates promise, less is better; `coordinates` are those of each, by key.
    pub(super) fn predict<'a>(&self, coordinates: impl Iterator<Item = &'a [Option<f64>]>) -> Vec<f64> {
        self.forest.predict(&coordinates.map(row).collect::<Vec<_>>())
    }
}

fn row(coordinates: &[Option<f64>]) -> Vec<f64> {
    coordinates.iter().map(|own| own.unwrap_or(ABSENT)).collect()
}

/// What the forest learns of runs; failures are told apart only where their best fitness can be compared.
fn targets(options: &Options, runs: &[SurrogateRow<'_>], compares_failures: bool) -> Vec<f64> {
    if options.cost == Cost::Reported {
        return reported_targets(runs);
    }
    let is_success = |run: &TuneRun| run.solved && options.cost == Cost::Calls;
    // Where fitness means something else for each candidate, all failures are alike.
    let is_graded = compares_failures || options.cost != Cost::Calls;
    let mut failures: Vec<u32> = Vec::new();
    for SurrogateRow { run, .. } in runs {
        if !is_success(run) {
            failures.push(fitness(run));
        }
    }
    failures.sort_unstable();
    let mut targets = Vec::with_capacity(runs.len());
    for SurrogateRow { run, place, .. } in runs {
        targets.push(if is_success(run) {
            (run.calls().max(1) as f64).ln()
        } else {
            let share = match place {
                _ if !is_graded => 1.0,
                Some(place) => *place,
                None => place_among(&failures, fitness(run)),
            };
            (options.worst as f64).ln() + share * PENALTY.ln()
        });
    }
    targets
}

/// The places of reported costs, whose scale is unknown; nothing is worse than a failure.
fn reported_targets(runs: &[SurrogateRow<'_>]) -> Vec<f64> {
    let mut costs = Vec::with_capacity(runs.len());
    for SurrogateRow { run, .. } in runs {
        costs.push(run.cost.flatten().unwrap_or(f64::INFINITY));
    }
    let mut sorted = costs.clone();
    sort_by(&mut sorted, f64::total_cmp);
    costs.into_iter().map(|cost| place_among(&sorted, cost)).collect()
}

fn fitness(run: &TuneRun) -> u32 {
    run.sound_fitness().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ConfigDraft;
    use crate::tune::{KEYS, TUNE};
    use kenga_core::rng::StreamKey;

    fn forest(rows: &[Vec<f64>], targets: &[f64]) -> Forest {
        let mut rng = StreamKey::run(1, "forest", 0).rng();
        Forest::grow(TREES, rows, targets, &mut |n| rng.below(n))
    }

    fn run(solved: bool, calls: u64, best_fitness: u32) -> TuneRun {
        let best_fitness = Some(best_fitness);
        TuneRun { solved, evaluations: calls, best_fitness, calls_to_best: calls, ..TuneRun::default() }
    }

    fn options(tune: &str) -> Options {
        let text = format!(
            "budget = {{ evaluations = 999, moves = 1 }}\nalgorithm.name = 'genetic'\n[tune]\n{tune}"
        );
        let mut draft = ConfigDraft::read("x.toml", &text).expect("sound TOML");
        let spec = draft.take_section(TUNE, KEYS).expect("a sound table").expect("a table");
        Options::new(&spec, &draft.finish().expect("a sound configuration"), 2).expect("sound options")
    }

    #[test]
    fn failures_promise_less_than_successes_and_the_less_the_further_from_a_solution() {
        let runs = [run(true, 100, 0), run(false, 1000, 4), run(false, 30, 9), run(false, 1000, 4)];
        let mut learned = Vec::new();
        for run in &runs {
            learned.push(SurrogateRow { draws: &[], run, place: None });
        }
        let runs = learned;
        let powers =
            |found: Vec<f64>| found.into_iter().map(|target| target.exp().round()).collect::<Vec<_>>();
        let by_calls = options("budget = 100_000");
        // The places of the failures are 1/3, 5/6 and 1/3.
        assert_eq!(powers(targets(&by_calls, &runs, true)), [100.0, 2154.0, 6813.0, 2154.0]);
        assert_eq!(powers(targets(&by_calls, &runs, false)), [100.0, 10_000.0, 10_000.0, 10_000.0]);
        // By the best fitness a solution is the best place, an eighth.
        let by_fitness = options("budget = 100_000\ncost = 'best_fitness'");
        assert_eq!(powers(targets(&by_fitness, &runs, false)), [1334.0, 3162.0, 7499.0, 3162.0]);
    }

    #[test]
    fn a_surrogate_tells_a_key_that_is_absent_from_one_that_is_there() {
        let rows: Vec<Vec<f64>> = (0..20).map(|i| row(&[Some(0.5), (i % 2 == 0).then_some(0.9)])).collect();
        let targets: Vec<f64> = (0..20).map(|i| f64::from(i % 2)).collect();
        let surrogate = Surrogate { forest: forest(&rows, &targets), runs: 20 };
        let promise =
            surrogate.predict([[Some(0.5), Some(0.9)], [Some(0.5), None]].iter().map(|own| &own[..]));
        assert!(promise[0] < 0.3 && promise[1] > 0.7, "{promise:?}");
    }

    #[test]
    fn few_and_equal_runs_grow_a_forest() {
        for count in 1..4 {
            let rows = vec![vec![0.5]; count];
            let targets = vec![7.0; count];
            assert_eq!(forest(&rows, &targets).predict(&rows), targets);
        }
    }
}
