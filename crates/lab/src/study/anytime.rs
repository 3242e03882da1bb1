//! How good settings are at any time: the areas over their curves, the calls to targets, the best fitness at budgets.
//!
//! Calls are evaluations and moves. A run has attained nothing before its first record, and keeps its best after its end. On
//! each puzzle all settings are measured up to the calls that every one of them was observed for.

use std::collections::{BTreeMap, BTreeSet};

use super::improvements::{Step, Steps};
use super::{Metric, RunSubject, SettingRuns, SettingStats, Study, StudyRun, StudySetting};
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

/// Settings with the best fitness of their runs over calls.
pub struct Anytime<'a> {
    study: &'a Study,
    settings: &'a [SettingRuns<'a>],
    /// By folder and run.
    steps: Vec<Steps>,
    windows: BTreeMap<&'a str, Window>,
    /// What the runs are about.
    pub subject: RunSubject,
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
        let calls = if self.log_calls {
            BoundedAxis::logarithmic(1.0, window.calls.max(2.0))
        } else {
            BoundedAxis::linear(0.0, window.calls.max(1.0))
        };
        let values = if self.log_fitness {
            BoundedAxis::logarithmic(Self::SOLVED, window.worst)
        } else {
            BoundedAxis::linear(0.0, window.worst)
        };
        (calls, values)
    }
}

/// The areas over the curves of a setting.
#[derive(Clone, Debug)]
pub struct SettingArea {
    /// The name of the setting.
    pub name: String,
    /// The mean over puzzles, each counting alike, with its 95 % interval on these puzzles.
    pub mean: Estimate,
    /// The 95 % interval of the mean over all puzzles of the kind; only over several puzzles.
    pub next: Option<Interval>,
    /// The mean over the runs of each puzzle with its 95 % interval, in the order of ids.
    pub puzzles: Vec<(String, Estimate)>,
}

/// The best fitness of a setting on a puzzle within a budget.
#[derive(Clone, Debug)]
pub struct AtBudget {
    /// The name of the setting.
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
    /// Reads the convergence of all folders of a study; every setting has runs.
    ///
    /// # Errors
    /// [`NoAnytime`].
    pub fn read(study: &'a Study, settings: &'a [SettingRuns<'a>]) -> Result<Self, NoAnytime> {
        for folder in &study.folders {
            if folder.plan.config.record_every.is_never() {
                return Err(NoAnytime::NotRecorded(folder.path.display().to_string()));
            }
        }
        let mut steps = Vec::with_capacity(study.folders.len());
        for folder in 0..study.folders.len() {
            steps.push(study.steps(folder)?);
        }
        let mut known =
            Self { study, settings, steps, windows: BTreeMap::new(), subject: RunSubject::of(study) };
        let puzzles: BTreeSet<&str> =
            settings.iter().flat_map(|setting| &setting.runs).map(|run| &*run.row.puzzle).collect();
        for puzzle in puzzles {
            known.windows.insert(puzzle, known.window_of(puzzle));
        }
        Ok(known)
    }

    fn window_of(&self, puzzle: &str) -> Window {
        let (mut longest, mut worst) = (1.0_f64, 1.0_f64);
        let mut known_until = f64::INFINITY;
        for setting in self.settings {
            known_until = known_until.min(setting.known_until(self.study, Some(puzzle)));
            for run in runs_on(setting, puzzle) {
                longest = longest.max(run.calls() as f64);
                worst = worst.max(self.steps(run).first().map_or(0.0, |step| step.1));
            }
        }
        // Beyond that some setting would be judged by runs that nobody made.
        Window { calls: longest.min(known_until).max(1.0), worst }
    }

    /// What is measured on each puzzle, by id.
    pub fn windows(&self) -> &BTreeMap<&'a str, Window> {
        &self.windows
    }

    /// The steps of a run; see [`area_over_curve`].
    fn steps(&self, run: &StudyRun) -> &[Step] {
        self.steps[run.folder].get(&run.row.run).map_or(&[], Vec::as_slice)
    }

    /// The steps of all runs of a setting on a puzzle; see [`area_over_curve`].
    pub fn steps_on(&self, setting: usize, puzzle: &str) -> Vec<&[Step]> {
        runs_on(&self.settings[setting], puzzle).map(|run| self.steps(run)).collect()
    }

    /// The areas over the curves of every setting. `worst` is the fitness from which on nothing counts, 1 or more, the same for
    /// all puzzles; without it that of the [`Window`].
    pub fn areas(&self, axes: AreaAxes, worst: Option<f64>) -> Vec<SettingArea> {
        self.settings.iter().filter_map(|setting| self.area(setting, axes, worst)).collect()
    }

    fn area(&self, setting: &SettingRuns<'_>, axes: AreaAxes, worst: Option<f64>) -> Option<SettingArea> {
        let mut by_puzzle: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        // The runs of a block are not independent: they count as one value.
        for runs in setting.runs.chunk_by(|a, b| a.start() == b.start()) {
            let puzzle = &*runs[0].row.puzzle;
            let window = self.windows[puzzle];
            let (calls, values) = axes.of(Window { worst: worst.unwrap_or(window.worst), ..window });
            let mut sum = 0.0;
            for run in runs {
                sum += area_over_curve(self.steps(run), calls, values);
            }
            by_puzzle.entry(puzzle).or_default().push(sum / runs.len() as f64);
        }
        let mut puzzles = Vec::with_capacity(by_puzzle.len());
        for (puzzle, areas) in &by_puzzle {
            if let Some(mean) = mean_area(areas, Z_95) {
                puzzles.push(((*puzzle).to_owned(), mean));
            }
        }
        let means: Vec<Estimate> = puzzles.iter().map(|(_, mean)| *mean).collect();
        let values: Vec<f64> = means.iter().map(|mean| mean.value).collect();
        let mean = mean_of_strata(&means)?;
        let next = mean_area(&values, Z_95)?.interval;
        // One puzzle says nothing of another.
        let next = if values.len() > 1 { Some(next) } else { None };
        Some(SettingArea { name: setting.name.clone(), mean, next, puzzles })
    }

    /// The calls to attain a fitness, measured as those to a solution are. A run that never attains it is censored.
    pub fn to_target(&self, fitness: u32) -> Vec<SettingStats> {
        let observed = |run: &StudyRun| {
            Some(match calls_to(self.steps(run), f64::from(fitness)) {
                Some(calls) => Observed::solved(calls),
                None => Observed::failed(run.row.calls() as f64),
            })
        };
        let mut measured = Vec::with_capacity(self.settings.len());
        for setting in self.settings {
            let sample = setting
                .sample_of(self.study, Metric::Calls, observed)
                .expect("every setting has runs, and every run a time");
            measured.push(SettingStats::new(&sample, true, &super::Groups::default()));
        }
        measured
    }

    /// The best fitness within a budget, puzzle by puzzle.
    pub fn at_budget(&self, calls: u64) -> Vec<AtBudget> {
        let mut all = Vec::new();
        for puzzle in self.windows.keys() {
            for setting in self.settings {
                let runs: Vec<&StudyRun> = runs_on(setting, puzzle).collect();
                if runs.is_empty() {
                    continue;
                }
                let (mut solved, mut fitness) = (None, None);
                // A run that failed with less says nothing of this budget.
                if setting.known_until(self.study, Some(puzzle)) >= calls as f64 {
                    let within = |run: &&&StudyRun| run.row.solved && run.calls() <= calls;
                    solved = Some(runs.iter().filter(within).count() as u64);
                    fitness = self.fitness(&runs, calls as f64);
                }
                let (name, puzzle) = (setting.name.clone(), (*puzzle).to_owned());
                all.push(AtBudget { name, puzzle, calls, runs: runs.len() as u64, solved, fitness });
            }
        }
        all
    }

    fn fitness(&self, runs: &[&StudyRun], calls: f64) -> Option<FitnessAtBudget> {
        let mut values = Vec::with_capacity(runs.len());
        for run in runs {
            values.push(value_at(self.steps(run), calls)?);
        }
        values.sort_unstable_by(f64::total_cmp);
        Some(FitnessAtBudget {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            median: median(&values)?,
            quantiles: FitnessAtBudget::SHARES.map(|percent| quantile(&values, percent)),
        })
    }
}

/// The runs of a setting on a puzzle.
fn runs_on<'a>(setting: &SettingRuns<'a>, puzzle: &str) -> impl Iterator<Item = &'a StudyRun> {
    setting.runs.iter().copied().filter(move |run| run.row.puzzle == puzzle)
}

impl StudySetting {
    /// The calls up to which its runs were observed, on one puzzle or on all; infinite where all of them solved.
    fn known_until(&self, puzzle: Option<&str>) -> f64 {
        // The most calls of a run by puzzle, and whether all runs solved: one that failed says how far its puzzle is known.
        let mut longest: BTreeMap<&str, (u64, bool)> = BTreeMap::new();
        for StudyRun { row, .. } in &self.runs {
            if puzzle.is_none_or(|puzzle| row.puzzle == puzzle) {
                let (calls, all_solved) = longest.entry(&row.puzzle).or_insert((0, true));
                *calls = (*calls).max(row.calls());
                *all_solved &= row.solved;
            }
        }
        let mut known = f64::INFINITY;
        for (calls, all_solved) in longest.into_values() {
            if !all_solved {
                known = known.min(calls as f64);
            }
        }
        known
    }
}

impl SettingRuns<'_> {
    /// The calls up to which its runs are observed, on one puzzle or on all: nothing is known beyond a budget. Infinite where
    /// all runs solved.
    pub fn known_until(&self, study: &Study, puzzle: Option<&str>) -> f64 {
        let mut known = f64::INFINITY;
        for setting in &self.settings {
            known = known.min(study.settings[*setting].known_until(puzzle));
        }
        known
    }
}
