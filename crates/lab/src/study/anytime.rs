//! How good settings are at any time: the areas over their curves, the calls to targets, the best fitness at budgets.
//!
//! Calls are evaluations and moves. A run has attained nothing before its first record, and keeps its best after its end. On
//! each puzzle all settings are measured up to the calls that every one of them was observed for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::improvements::{Step, Steps};
use super::{JoinedSettings, Metric, RunSubject, SettingStats, Study, StudySetting};
use crate::experiment::RecordEvery;
use crate::results::ResultsError;
use kenga_core::budget::StopReason;
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
    settings: &'a [JoinedSettings],
    steps: Arc<Steps>,
    windows: BTreeMap<&'a str, Window>,
    /// What the runs are about, with a scale if the values of all instances have one unit.
    pub subject: RunSubject,
}

/// What is measured on a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The calls up to which every setting was observed.
    pub calls: f64,
    /// The highest fitness with which a run begins its record; at least 1 above the best.
    pub worst: f64,
    /// The lowest fitness: 0, or where no optimum is known the best that any run attained.
    pub best: f64,
    /// What the runs on it are about, with the scale of its values.
    pub subject: RunSubject,
}

/// The axes of an area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AreaAxes {
    /// Calls from 1 on a logarithmic axis; else from 0 on a linear one.
    pub log_calls: bool,
    /// Fitness from [`AreaAxes::SOLVED`] above the best on a logarithmic axis; else from the best on a linear one.
    pub log_fitness: bool,
}

impl AreaAxes {
    /// The distance from the best that the best counts as on a logarithmic axis.
    pub const SOLVED: f64 = 0.5;

    /// The axes of calls, and of the distance of a fitness from the best.
    fn of(self, window: Window) -> (BoundedAxis, BoundedAxis) {
        let calls = if self.log_calls {
            BoundedAxis::logarithmic(1.0, window.calls.max(2.0))
        } else {
            BoundedAxis::linear(0.0, window.calls.max(1.0))
        };
        let worst = window.worst - window.best;
        let values = if self.log_fitness {
            BoundedAxis::logarithmic(Self::SOLVED, worst)
        } else {
            BoundedAxis::linear(0.0, worst)
        };
        (calls, values)
    }
}

/// The areas over the curves of a setting.
#[derive(Clone, Debug)]
pub struct CurveArea {
    /// The name of the setting.
    pub name: String,
    /// The mean over puzzles, each counting alike, with its 95 % interval on these puzzles.
    pub mean: Estimate,
    /// The 95 % interval of the mean over all puzzles of the kind; only over several puzzles.
    pub next: Option<Interval>,
    /// The mean over the runs of each puzzle with its 95 % interval, in the order of ids.
    pub puzzles: Vec<(String, Estimate)>,
}

/// The best fitness, or value, of a setting on a puzzle within a budget.
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
    /// The best of the runs that did not fail; `None` there too, and before the first record of a run.
    pub best: Option<BestAtBudget>,
}

/// The distribution of the best fitness, or of the best value of a problem of the user's own, over runs.
#[derive(Clone, Debug, PartialEq)]
pub struct BestAtBudget {
    /// The mean.
    pub mean: f64,
    /// The median with its 95 % interval.
    pub median: Estimate,
    /// The quantiles of [`BestAtBudget::SHARES`].
    pub quantiles: [f64; 4],
}

impl BestAtBudget {
    /// The shares of the quantiles, in percent; the median stands by itself.
    pub const SHARES: [usize; 4] = [10, 25, 75, 90];
}

impl<'a> Anytime<'a> {
    /// Reads the convergence of all folders of a study; every setting has runs.
    ///
    /// # Errors
    /// [`NoAnytime`].
    pub fn read(study: &'a Study, settings: &'a [JoinedSettings]) -> Result<Self, NoAnytime> {
        refuse_unrecorded(study)?;
        Self::new(study, settings, Arc::new(Steps::read(study, |_, _| {})?))
    }

    /// The same with steps that are known.
    ///
    /// # Errors
    /// [`NoAnytime::NotRecorded`].
    pub fn new(
        study: &'a Study,
        settings: &'a [JoinedSettings],
        steps: Arc<Steps>,
    ) -> Result<Self, NoAnytime> {
        refuse_unrecorded(study)?;
        let subject = RunSubject::of(study).with_scale(study.scale_on(None));
        let mut known = Self { study, settings, steps, windows: BTreeMap::new(), subject };
        let mut puzzles: BTreeSet<&str> = BTreeSet::new();
        for setting in settings {
            puzzles.extend(setting.runs().map(|run| &**study.puzzle_of(run)));
        }
        for puzzle in puzzles {
            known.windows.insert(puzzle, known.window_of(puzzle));
        }
        Ok(known)
    }

    fn window_of(&self, puzzle: &str) -> Window {
        let (mut longest, mut worst, mut best) = (1.0_f64, 1.0_f64, f64::INFINITY);
        let mut known_until = f64::INFINITY;
        for setting in self.settings {
            known_until = known_until.min(setting.known_until(self.study, Some(puzzle)));
            for run in setting.runs_on(self.study, Some(puzzle)) {
                longest = longest.max(self.study.runs.calls(run) as f64);
                worst = worst.max(self.steps(run).first().map_or(0.0, |step| step.1));
                best = best.min(self.steps(run).last().map_or(f64::INFINITY, |step| step.1));
            }
        }
        if self.subject.can_be_solved || best.is_infinite() {
            best = 0.0;
        }
        // Beyond that some setting would be judged by runs that nobody made.
        let calls = longest.min(known_until).max(1.0);
        let scale = self.subject.scale.and_then(|_| self.study.scale_on(Some(puzzle)));
        Window { calls, worst: worst.max(best + 1.0), best, subject: self.subject.with_scale(scale) }
    }

    /// What is measured on each puzzle, by id.
    pub fn windows(&self) -> &BTreeMap<&'a str, Window> {
        &self.windows
    }

    /// The local searches among the settings, each with the calls between two records of a run: its key `generation`, times
    /// a number in `record.every`.
    pub fn record_gaps(&self) -> Vec<(&str, u64)> {
        let mut gaps = Vec::new();
        for compared in self.settings {
            let mut longest = 0;
            for index in &compared.settings {
                let StudySetting { folder, setting, .. } = self.study.settings[*index];
                let config = &self.study.folders[folder].plan.setting(setting).config;
                let calls = config.calls_of_generation().unwrap_or(0);
                let every = if let RecordEvery::Generations(every) = config.record_every { every } else { 1 };
                longest = longest.max(calls.saturating_mul(every));
            }
            if longest > 1 {
                gaps.push((&*compared.spoken, longest));
            }
        }
        gaps
    }

    /// The steps of a run; see [`area_over_curve`]. A run whose program failed ranks behind all others: it has none.
    fn steps(&self, run: usize) -> &[Step] {
        if self.study.runs.has_failed(run) { &[] } else { self.steps.of_run(run) }
    }

    /// The steps of all runs of a setting on a puzzle; see [`area_over_curve`].
    pub fn steps_on(&self, setting: usize, puzzle: &str) -> Vec<&[Step]> {
        self.settings[setting].runs_on(self.study, Some(puzzle)).map(|run| self.steps(run)).collect()
    }

    /// The areas over the curves of every setting. `worst` is the fitness or value from which on nothing counts, a unit or more
    /// from the best, the same for all puzzles; without it that of the [`Window`].
    pub fn areas(&self, axes: AreaAxes, worst: Option<f64>) -> Vec<CurveArea> {
        self.settings.iter().filter_map(|setting| self.area(setting, axes, worst)).collect()
    }

    fn area(&self, setting: &JoinedSettings, axes: AreaAxes, worst: Option<f64>) -> Option<CurveArea> {
        let runs: Vec<usize> = setting.runs().collect();
        let start = |run: usize| self.study.runs.start(run);
        let mut by_puzzle: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        // The runs of a block are not independent: they count as one value.
        for runs in runs.chunk_by(|a, b| start(*a) == start(*b)) {
            let puzzle = &**self.study.puzzle_of(runs[0]);
            let window = self.windows[puzzle];
            let worst =
                worst.map_or(window.worst, |worst| window.subject.fitness(worst)).max(window.best + 1.0);
            let (calls, values) = axes.of(Window { worst, ..window });
            let mut sum = 0.0;
            for run in runs {
                let steps: Vec<Step> =
                    self.steps(*run).iter().map(|(calls, best)| (*calls, best - window.best)).collect();
                sum += area_over_curve(&steps, calls, values);
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
        Some(CurveArea { name: setting.name.clone(), mean, next, puzzles })
    }

    /// The calls to attain a fitness or value, measured as those to a solution are. A run that never attains it is censored.
    pub fn to_target(&self, target: f64) -> Vec<SettingStats> {
        let observed = |run: usize| {
            // Division may leave a target a little less than a whole number of units.
            let fitness = self.windows[&**self.study.puzzle_of(run)].subject.fitness(target) + 1e-6;
            Some(match calls_to(self.steps(run), fitness) {
                Some(calls) => Observed::solved(calls),
                None => Observed::failed(self.study.runs.spent(run) as f64),
            })
        };
        let mut measured = Vec::with_capacity(self.settings.len());
        for setting in self.settings {
            let sample = setting
                .sample_of(self.study, Metric::Calls, None, observed)
                .expect("every setting has runs, and every run a time");
            measured.push(SettingStats::new(&sample, true, &super::Groups::default()));
        }
        measured
    }

    /// The best fitness or value within a budget, puzzle by puzzle.
    pub fn at_budget(&self, calls: u64) -> Vec<AtBudget> {
        let mut all = Vec::new();
        for (puzzle, window) in &self.windows {
            for setting in self.settings {
                let runs = setting.runs_on(self.study, Some(puzzle));
                let count = runs.len() as u64;
                if count == 0 {
                    continue;
                }
                let (mut solved, mut best) = (None, None);
                // A run that failed with less says nothing of this budget.
                if setting.known_until(self.study, Some(puzzle)) >= calls as f64 {
                    let known = &self.study.runs;
                    let within = |run: &usize| known.solved[*run] && known.calls(*run) <= calls;
                    solved = Some(runs.clone().filter(within).count() as u64);
                    best = self.best(runs, calls as f64, &window.subject);
                }
                let (name, puzzle) = (setting.name.clone(), (*puzzle).to_owned());
                all.push(AtBudget { name, puzzle, calls, runs: count, solved, best });
            }
        }
        all
    }

    fn best(
        &self,
        runs: impl ExactSizeIterator<Item = usize>,
        calls: f64,
        subject: &RunSubject,
    ) -> Option<BestAtBudget> {
        let mut values = Vec::with_capacity(runs.len());
        for run in runs.filter(|run| !self.study.runs.has_failed(*run)) {
            values.push(subject.value(value_at(self.steps(run), calls)?));
        }
        values.sort_unstable_by(f64::total_cmp);
        Some(BestAtBudget {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            median: median(&values)?,
            quantiles: BestAtBudget::SHARES.map(|percent| quantile(&values, percent)),
        })
    }
}

/// Refuses a study without convergence.
fn refuse_unrecorded(study: &Study) -> Result<(), NoAnytime> {
    for folder in &study.folders {
        if folder.plan.config.record_every.is_never() {
            return Err(NoAnytime::NotRecorded(folder.path.display().to_string()));
        }
    }
    Ok(())
}

impl JoinedSettings {
    /// The calls up to which its runs are observed, on one puzzle or on all: nothing is known beyond a budget. Infinite where
    /// all runs attained fitness 0.
    pub fn known_until(&self, study: &Study, puzzle: Option<&str>) -> f64 {
        let runs = &study.runs;
        // By setting and puzzle the most calls of a run, and whether all runs attained 0: one that did not says how far its
        // puzzle is known.
        let mut longest: BTreeMap<(u32, u32), (u64, bool)> = BTreeMap::new();
        for run in self.runs_on(study, puzzle) {
            let place = (runs.setting[run], runs.puzzle[run]);
            let (calls, are_at_end) = longest.entry(place).or_insert((0, true));
            *calls = (*calls).max(runs.spent(run));
            *are_at_end &= runs.solved[run] || runs.stop[run] == StopReason::Bound;
        }
        let mut known = f64::INFINITY;
        for (calls, are_at_end) in longest.into_values() {
            if !are_at_end {
                known = known.min(calls as f64);
            }
        }
        known
    }
}
