//! One side of a comparison in numbers.

use super::{CompareError, Metric};
use crate::rng::StreamKey;
use crate::stats::{
    Bootstrap, Estimate, Interval, Median, Observed, PENALTY, Z_95, expected_running_time_interval,
    mean_of_strata, median, penalised_average_interval, rank_values, wilson,
};
use crate::study::Arm;

/// One side in numbers. Puzzles do not mix: numbers over several are means of those by puzzle, each counting alike.
pub struct Side {
    /// Its name.
    pub name: String,
    /// Runs.
    pub runs: u64,
    /// Those that solved.
    pub solved: u64,
    /// The share of solved runs with its 95 % interval: Wilson's, or from those of its puzzles.
    pub share: Estimate,
    /// The median with its 95 % interval, failed runs infinite; of one puzzle alone.
    pub median: Option<Median>,
    /// Expected running time with restarts after failure, and its 95 % bootstrap interval; of times and of one puzzle
    /// alone.
    pub ert: Option<Estimate>,
    /// Penalised average, a failed run counting ten times what the longest run of any side spent, likewise; of times
    /// alone.
    pub par10: Option<Estimate>,
    /// The same by puzzle, in the order of their ids.
    pub puzzles: Vec<OfPuzzle>,
    /// What its runs show, in the order of their blocks.
    pub observed: Vec<Observed>,
    /// Whether they solved, whatever is compared.
    pub hits: Vec<bool>,
    /// The puzzle of each run, as an index of all that are compared.
    pub strata: Vec<usize>,
}

/// The runs of one side on one puzzle.
pub struct OfPuzzle {
    /// The id of the puzzle.
    pub id: String,
    /// Runs.
    pub runs: u64,
    /// Those that solved.
    pub solved: u64,
    /// The share of solved runs with Wilson's 95 % interval.
    pub share: Estimate,
    /// The median with its 95 % interval, failed runs infinite.
    pub median: Median,
    /// Expected running time with restarts after failure; of times alone.
    pub ert: Option<Estimate>,
    /// Penalised average; of times alone.
    pub par10: Option<Estimate>,
}

/// What the runs of a side show of a metric.
pub(super) fn observed(arm: &Arm<'_>, metric: Metric) -> Result<Vec<Observed>, CompareError> {
    if arm.runs.is_empty() {
        return Err(CompareError::NoRun(arm.name.clone()));
    }
    let observe = |run: &crate::study::StudyRun| {
        metric.observed(run).ok_or_else(|| CompareError::NoValue {
            run: run.row.run,
            side: arm.name.clone(),
            metric: metric.name(),
        })
    };
    arm.runs.iter().map(|(_, run)| observe(run)).collect()
}

impl Side {
    /// Measures a side; `puzzles` are the ids of all that are compared, and `longest` what the longest run spent.
    pub(super) fn new(
        arm: &Arm<'_>,
        observed: Vec<Observed>,
        metric: Metric,
        puzzles: &[&str],
        longest: f64,
    ) -> Self {
        let key = StreamKey::run(0, "compare", 0).child("bootstrap");
        let hits: Vec<bool> = arm.runs.iter().map(|(_, run)| run.row.solved).collect();
        let stratum = |id: &str| puzzles.binary_search(&id).expect("the puzzle of a run is one of all");
        let strata: Vec<usize> = arm.runs.iter().map(|(block, _)| stratum(&block.puzzle)).collect();
        let of = |(stratum, id): (usize, &&str)| {
            let runs = || (0..strata.len()).filter(|run| strata[*run] == stratum);
            let observed: Vec<Observed> = runs().map(|run| observed[run]).collect();
            let solved = runs().filter(|run| hits[*run]).count() as u64;
            // One puzzle draws as it always did.
            let key = if puzzles.len() > 1 { key.child(id) } else { key };
            OfPuzzle::new(id, &observed, solved, metric, longest, &key)
        };
        let of_puzzles: Vec<OfPuzzle> = puzzles.iter().enumerate().filter_map(of).collect();
        let mean = |part: &dyn Fn(&OfPuzzle) -> Option<Estimate>| -> Option<Estimate> {
            mean_of_strata(&of_puzzles.iter().map(part).collect::<Option<Vec<_>>>()?)
        };
        let only = if puzzles.len() == 1 { of_puzzles.first() } else { None };
        Self {
            name: arm.name.clone(),
            runs: observed.len() as u64,
            solved: hits.iter().filter(|hit| **hit).count() as u64,
            share: mean(&|part| Some(part.share)).expect("a side has a run"),
            median: only.map(|only| only.median),
            ert: only.and_then(|only| only.ert),
            par10: only.map_or_else(|| mean(&|part| part.par10), |only| only.par10),
            puzzles: of_puzzles,
            observed,
            hits,
            strata,
        }
    }
}

impl OfPuzzle {
    fn new(
        id: &str,
        observed: &[Observed],
        solved: u64,
        metric: Metric,
        longest: f64,
        key: &StreamKey,
    ) -> Option<Self> {
        let runs = observed.len() as u64;
        let median = median(&rank_values(observed))?;
        let mut rng = key.rng();
        let mut draw = |n: usize| rng.below(n);
        let (is_time, bootstrap) = (metric.is_time(), Bootstrap::default());
        let ert = is_time.then(|| expected_running_time_interval(observed, bootstrap, &mut draw));
        let par10 =
            is_time.then(|| penalised_average_interval(observed, longest, PENALTY, bootstrap, &mut draw));
        let interval: Interval = wilson(solved, runs, Z_95);
        let share = Estimate { value: solved as f64 / runs as f64, interval };
        Some(Self { id: id.to_owned(), runs, solved, share, median, ert, par10 })
    }
}
