//! How good settings are at any time: the areas over their curves, the calls to targets, the best fitness at budgets.
//!
//! Calls are evaluations and moves. A run has attained nothing before its first record, and keeps its best after its end. On
//! each puzzle all settings are measured up to the calls that every one of them was observed for.

use std::collections::{BTreeMap, BTreeSet};

use super::arm::ArmRun;
use super::improvements::Steps;
use super::study::StudySetting;
use super::{Arm, Metric, Side, SideSample, Study};
use crate::results::ResultsError;
use kenga_stats::{
    BoundedAxis, Estimate, Interval, Observed, Z_95, area_over_curve, calls_to, mean_area, mean_of_strata,
    median, quantile, value_at,
};

/// Why nothing is known of the runs before their ends.
#[derive(Debug, thiserror::Error)]
pub enum NoAnytime {
    /// A folder was recorded without convergence.
    #[error("{0} holds no convergence: its configuration says `record.every = 0`")]
    NotRecorded(String),
    /// The convergence cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
}

/// The sides of a comparison with the best fitness of their runs over calls.
pub struct Anytime<'a> {
    study: &'a Study,
    arms: &'a [Arm<'a>],
    /// By folder and run.
    steps: Vec<Steps>,
    windows: BTreeMap<&'a str, Window>,
}

/// What is measured on a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The calls up to which every setting was observed.
    pub calls: f64,
    /// The highest fitness with which a run begins its record; 1 or more.
    pub worst: f64,
}

/// The axes of an area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AreaAxes {
    /// Calls from 1 on a logarithmic axis; else from 0 on a linear one.
    pub log_calls: bool,
    /// Fitness from [`AreaAxes::SOLVED`] on a logarithmic axis; else from 0 on a linear one.
    pub log_fitness: bool,
}

impl AreaAxes {
    /// What the fitness 0 counts as on a logarithmic axis.
    pub const SOLVED: f64 = 0.5;

    fn of(self, window: Window) -> (BoundedAxis, BoundedAxis) {
        let calls = match self.log_calls {
            true => BoundedAxis::logarithmic(1.0, window.calls.max(2.0)),
            false => BoundedAxis::linear(0.0, window.calls.max(1.0)),
        };
        let values = match self.log_fitness {
            true => BoundedAxis::logarithmic(Self::SOLVED, window.worst),
            false => BoundedAxis::linear(0.0, window.worst),
        };
        (calls, values)
    }
}

/// The areas over the curves of a side.
#[derive(Clone, Debug)]
pub struct AreaOfSide {
    /// The name of the side.
    pub name: String,
    /// The mean over puzzles, each counting alike, with its 95 % interval on these puzzles.
    pub mean: Estimate,
    /// The 95 % interval of the mean over all puzzles of the kind; only over several puzzles.
    pub next: Option<Interval>,
    /// The mean over the runs of each puzzle with its 95 % interval, in the order of ids.
    pub puzzles: Vec<(String, Estimate)>,
}

/// The best fitness of a side on a puzzle within a budget.
#[derive(Clone, Debug)]
pub struct AtBudget {
    /// The name of the side.
    pub name: String,
    /// The id of the puzzle.
    pub puzzle: String,
    /// The budget in calls.
    pub calls: u64,
    /// Runs.
    pub runs: u64,
    /// Runs that have solved within the budget; `None` beyond what every run was observed for.
    pub solved: Option<u64>,
    /// The fitness; `None` there too, and before the first record of a run.
    pub fitness: Option<FitnessAtBudget>,
}

/// The distribution of the best fitness over runs.
#[derive(Clone, Debug, PartialEq)]
pub struct FitnessAtBudget {
    /// The mean.
    pub mean: f64,
    /// The median with its 95 % interval.
    pub median: Estimate,
    /// The quantiles of [`FitnessAtBudget::SHARES`].
    pub quantiles: [f64; 4],
}

impl FitnessAtBudget {
    /// The shares of the quantiles, in percent; the median stands by itself.
    pub const SHARES: [usize; 4] = [10, 25, 75, 90];
}

impl<'a> Anytime<'a> {
    /// Reads the convergence of all folders of a study; every side has runs.
    ///
    /// # Errors
    /// [`NoAnytime`].
    pub fn read(study: &'a Study, arms: &'a [Arm<'a>]) -> Result<Self, NoAnytime> {
        let silent = |source: &&super::StudyFolder| source.plan.config.record_every.is_never();
        if let Some(source) = study.sources.iter().find(silent) {
            return Err(NoAnytime::NotRecorded(source.path.display().to_string()));
        }
        let steps = (0..study.sources.len()).map(|source| study.steps(source)).collect::<Result<_, _>>()?;
        let mut found = Self { study, arms, steps, windows: BTreeMap::new() };
        let puzzles: BTreeSet<&str> =
            arms.iter().flat_map(|arm| &arm.runs).map(|one| &*one.block.puzzle).collect();
        found.windows = puzzles.into_iter().map(|id| (id, found.window_of(id))).collect();
        Ok(found)
    }

    fn window_of(&self, puzzle: &str) -> Window {
        let runs = || self.arms.iter().flat_map(|arm| &arm.runs).filter(|one| one.block.puzzle == puzzle);
        let longest = runs().map(|one| one.run.calls() as f64).fold(1.0, f64::max);
        let known = self.arms.iter().map(|arm| arm.known_until(self.study, Some(puzzle)));
        let first = |one: &ArmRun<'_>| self.steps(one).first().map_or(0.0, |step| step.1);
        Window { calls: known.fold(longest, f64::min).max(1.0), worst: runs().map(first).fold(1.0, f64::max) }
    }

    /// What is measured on each puzzle, by id.
    pub fn windows(&self) -> &BTreeMap<&'a str, Window> {
        &self.windows
    }

    /// The steps of a run; see [`area_over_curve`].
    pub fn steps(&self, one: &ArmRun<'_>) -> &[(f64, f64)] {
        let source = self.study.settings[one.setting].source;
        self.steps[source].get(&one.run.row.run).map_or(&[], Vec::as_slice)
    }

    /// The steps of all runs of a side on a puzzle.
    pub fn steps_on(&self, arm: usize, puzzle: &str) -> Vec<&[(f64, f64)]> {
        let here = self.arms[arm].runs.iter().filter(|one| one.block.puzzle == puzzle);
        here.map(|one| self.steps(one)).collect()
    }

    /// The areas over the curves of every side. `worst` is the fitness from which on nothing counts, 1 or more, the same for
    /// all puzzles; without it that of the [`Window`].
    pub fn areas(&self, axes: AreaAxes, worst: Option<f64>) -> Vec<AreaOfSide> {
        self.arms.iter().filter_map(|arm| self.area(arm, axes, worst)).collect()
    }

    fn area(&self, arm: &Arm<'_>, axes: AreaAxes, worst: Option<f64>) -> Option<AreaOfSide> {
        let area = |one: &ArmRun<'_>| {
            let window = self.windows[&*one.block.puzzle];
            let (calls, values) = axes.of(Window { worst: worst.unwrap_or(window.worst), ..window });
            area_over_curve(self.steps(one), calls, values)
        };
        let blocks = arm.runs.chunk_by(|a, b| a.block == b.block);
        // The runs of a block are not independent: they count as one value.
        let of_block = |runs: &[ArmRun<'_>]| runs.iter().map(area).sum::<f64>() / runs.len() as f64;
        let mut by_puzzle: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for runs in blocks {
            by_puzzle.entry(&runs[0].block.puzzle).or_default().push(of_block(runs));
        }
        let means = by_puzzle.iter().filter_map(|(id, values)| Some((*id, mean_area(values, Z_95)?)));
        let puzzles: Vec<(String, Estimate)> = means.map(|(id, mean)| (id.to_owned(), mean)).collect();
        let values: Vec<Estimate> = puzzles.iter().map(|one| one.1).collect();
        let mean = mean_of_strata(&values)?;
        let next = mean_area(&values.iter().map(|one| one.value).collect::<Vec<_>>(), Z_95)?.interval;
        Some(AreaOfSide { name: arm.name.clone(), mean, next: (values.len() > 1).then_some(next), puzzles })
    }

    /// The calls to attain a fitness, measured as those to a solution are. A run that never attains it is censored.
    pub fn to_target(&self, fitness: u32) -> Vec<Side> {
        let sample = |arm: &Arm<'_>| -> SideSample {
            arm.sample_of(self.study, Metric::Calls, |one| Some(self.observed(one, fitness)))
                .expect("every side has runs, and every run a time")
        };
        self.arms.iter().map(|arm| Side::new(&sample(arm), true)).collect()
    }

    fn observed(&self, one: &ArmRun<'_>, fitness: u32) -> Observed {
        match calls_to(self.steps(one), f64::from(fitness)) {
            Some(calls) => Observed::solved(calls),
            None => Observed::failed(one.run.row.calls() as f64),
        }
    }

    /// The best fitness within a budget, puzzle by puzzle.
    pub fn at_budget(&self, calls: u64) -> Vec<AtBudget> {
        let of = |puzzle: &str, arm: &Arm<'_>| {
            let runs: Vec<&ArmRun<'_>> = arm.runs.iter().filter(|one| one.block.puzzle == puzzle).collect();
            let within = |one: &&ArmRun<'_>| one.run.row.solved && one.run.calls() <= calls;
            let known = arm.known_until(self.study, Some(puzzle)) >= calls as f64;
            (!runs.is_empty()).then(|| AtBudget {
                name: arm.name.clone(),
                puzzle: puzzle.to_owned(),
                calls,
                runs: runs.len() as u64,
                solved: known.then(|| runs.iter().filter(|one| within(one)).count() as u64),
                fitness: known.then(|| self.fitness(&runs, calls as f64)).flatten(),
            })
        };
        let puzzles = self.windows.keys();
        puzzles.flat_map(|puzzle| self.arms.iter().filter_map(|arm| of(puzzle, arm))).collect()
    }

    fn fitness(&self, runs: &[&ArmRun<'_>], calls: f64) -> Option<FitnessAtBudget> {
        let values = runs.iter().map(|one| value_at(self.steps(one), calls));
        let mut values = values.collect::<Option<Vec<f64>>>()?;
        values.sort_unstable_by(f64::total_cmp);
        Some(FitnessAtBudget {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            median: median(&values)?,
            quantiles: FitnessAtBudget::SHARES.map(|percent| quantile(&values, percent)),
        })
    }
}

impl StudySetting {
    /// The calls up to which its runs were observed, on one puzzle or on all; infinite where all of them solved.
    fn known_until(&self, puzzle: Option<&str>) -> f64 {
        let mut longest: BTreeMap<&str, (u64, bool)> = BTreeMap::new();
        let runs = self.runs.iter().map(|run| &run.row);
        for row in runs.filter(|row| puzzle.is_none_or(|puzzle| row.puzzle == puzzle)) {
            let (calls, solved) = longest.entry(&row.puzzle).or_insert((0, true));
            *calls = (*calls).max(row.calls());
            *solved &= row.solved;
        }
        let open = longest.into_values().filter(|(_, solved)| !solved);
        open.map(|(calls, _)| calls as f64).fold(f64::INFINITY, f64::min)
    }
}

impl Arm<'_> {
    /// The calls up to which its runs are observed, on one puzzle or on all: nothing is known beyond a budget. Infinite where
    /// all runs solved.
    pub fn known_until(&self, study: &Study, puzzle: Option<&str>) -> f64 {
        let settings = self.settings.iter().map(|setting| &study.settings[*setting]);
        settings.map(|setting| setting.known_until(puzzle)).fold(f64::INFINITY, f64::min)
    }
}
