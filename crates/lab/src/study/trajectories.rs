//! Search trajectories of runs: the best genomes so far, one after another.
//!
//! Results hold no genomes on the way, so that every run is made again, as it was, by the runner's own code. Runs that the clock
//! has cut cannot be made again and are left out.
//!
//! Source: G. Ochoa, K. M. Malan, C. Blum 2021, Search trajectory networks: a tool for analysing and visualising the behaviour
//! of metaheuristics, doi:10.1016/j.asoc.2021.107492.

use std::path::PathBuf;

use miette::Diagnostic;
use rayon::prelude::*;
use thiserror::Error;

use super::{Study, StudyFolder, StudySetting};
use crate::experiment::{LiveView, Runner, cores, on_all_cores};
use kenga_core::budget::Interrupt;

/// The locations of a run, in order: the fitness of the best so far, falling, and its digits row by row, letters beyond 9.
pub type Trajectory = Vec<(u32, String)>;

/// The trajectories of the runs of a setting.
pub struct SettingTrajectories<'a> {
    /// The setting.
    pub setting: &'a StudySetting,
    /// The trajectory of each run, in order.
    pub runs: Vec<Trajectory>,
}

/// Runs cannot be made again.
#[derive(Debug, Error, Diagnostic)]
#[error("the runs of {path} cannot be made again: {reason}", path = path.display())]
#[diagnostic(help("search-trajectory networks need runs of kenga's own algorithms"))]
pub struct ReplayError {
    /// The folder.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// Generations between the samples of the view, which are not wanted here.
const NEVER: u64 = u64::MAX;

impl Study {
    /// Makes the runs on a puzzle again, on all cores: the trajectories of every setting that has such runs, in order. After an
    /// interrupt they are incomplete.
    ///
    /// # Errors
    /// [`ReplayError`] where a folder has runs of other programs.
    pub fn trajectories_on(
        &self,
        puzzle: &str,
        interrupt: &Interrupt,
    ) -> Result<Vec<SettingTrajectories<'_>>, ReplayError> {
        let runners = self.runners(interrupt)?;
        let mut sets = Vec::new();
        for setting in &self.settings {
            let runner = &runners[setting.folder];
            let mut runs = Vec::new();
            for run in setting.runs() {
                if **self.puzzle_of(run) == *puzzle && !self.runs.was_cut_by_the_clock(run) {
                    runs.push(self.runs.run[run]);
                }
            }
            if !runs.is_empty() {
                let again = || runs.par_iter().map(|run| trajectory(runner, *run, interrupt)).collect();
                sets.push(SettingTrajectories { setting, runs: on_all_cores(again) });
            }
        }
        Ok(sets)
    }

    /// The runner of each folder.
    fn runners(&self, interrupt: &Interrupt) -> Result<Vec<Runner<'_>>, ReplayError> {
        let mut runners = Vec::with_capacity(self.folders.len());
        for StudyFolder { path, plan, .. } in &self.folders {
            if plan.starts_programs() {
                let reason = "programs of your own make them".to_owned();
                return Err(ReplayError { path: path.clone(), reason });
            }
            match Runner::prepare(plan, cores(), interrupt) {
                Ok(runner) => runners.push(runner),
                Err(error) => {
                    return Err(ReplayError { path: path.clone(), reason: error.to_string() });
                }
            }
        }
        Ok(runners)
    }
}

fn trajectory(runner: &Runner<'_>, run: u64, interrupt: &Interrupt) -> Trajectory {
    let mut execution = runner.play(runner.plan().id(run), LiveView::new(NEVER, false), interrupt);
    let mut trajectory = Trajectory::new();
    loop {
        let stop = execution.stop();
        if let Some(best) = execution.leader()
            && trajectory.last().is_none_or(|(fitness, _)| best.fitness < *fitness)
        {
            trajectory.push((best.fitness, best.ranks.iter().map(|rank| digit(*rank)).collect()));
        }
        if stop.is_some() {
            return trajectory;
        }
        execution.step_one_generation();
        // It would keep what nobody asks for until the end of the run.
        if let Some(view) = execution.live_view() {
            view.samples.clear();
        }
    }
}

/// A digit as one character: 1 to 9, then letters.
fn digit(rank: u8) -> char {
    char::from_digit(u32::from(rank) + 1, 36).expect("there are at most 32 digits")
}
