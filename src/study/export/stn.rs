//! Search-trajectory networks: the ways of runs through the space, for the R scripts of the tool STNs and for STNWeb.
//!
//! A location is the best genome so far at the end of a generation; a line is a step of a run to the next location. Results
//! hold no genomes on the way, so that every run is made again, as it was, by the runner's own code. A folder a puzzle, and
//! in it a file a setting, as `create.R` expects them.
//!
//! Source: G. Ochoa, K. M. Malan, C. Blum 2021, Search trajectory networks: a tool for analysing and visualising the behaviour
//! of metaheuristics, doi:10.1016/j.asoc.2021.107492.

use super::names::Names;
use super::{Export, ExportError, ExportFormat, ExportRows, Files};
use crate::budget::{Interrupt, StopReason};
use crate::experiment::{Lens, Runner, cores, on_all_cores};
use crate::study::StudyRun;

/// The format.
pub(super) const FORMAT: ExportFormat = ExportFormat {
    name: "stn",
    about: "a folder for STNs and STNWeb: search-trajectory networks, one file per puzzle and setting; makes the runs again",
    is_folder: true,
    is_table: false,
    write,
};

/// The columns of a file, which a space separates.
const HEAD: &str = "Run Fitness1 Solution1 Fitness2 Solution2";

/// A location: its fitness and its digits.
type Location = (u32, String);

/// Samples that the lens takes of a run, which nobody reads.
const NEVER: u64 = u64::MAX;

fn write(export: &Export, _rows: ExportRows, files: &mut dyn Files) -> Result<(), ExportError> {
    let (mut folders, interrupt) = (Names::default(), Interrupt::default());
    let puzzles: Vec<(&str, String)> =
        export.study.puzzles().into_iter().map(|puzzle| (&*puzzle.id, folders.like(&puzzle.id))).collect();
    let mut runners = Vec::new();
    for source in &export.study.sources {
        let refused = |reason: String| ExportError::Replay { path: source.path.clone(), reason };
        if source.plan.can_fail() {
            return Err(refused("programs of your own make them".to_owned()));
        }
        let runner = Runner::prepare(&source.plan, cores(), &interrupt);
        runners.push(runner.map_err(|error| refused(error.to_string()))?);
    }
    let mut names: Vec<Names> = puzzles.iter().map(|_| Names::default()).collect();
    for setting in &export.study.settings {
        for ((id, folder), names) in puzzles.iter().zip(&mut names) {
            // What the clock has cut cannot be made again.
            let is_whole = |run: &&StudyRun| run.row.stop_reason != StopReason::Seconds.name();
            let here = setting.runs.iter().filter(|run| run.row.puzzle == **id).filter(is_whole);
            let runs: Vec<u64> = here.map(|run| run.row.run).collect();
            if runs.is_empty() {
                continue;
            }
            let runner = &runners[setting.source];
            let ways = on_all_cores(|| trajectories(runner, &runs, &interrupt));
            files.file(&format!("{folder}/{}.txt", names.like(&setting.label)), &mut |out| {
                writeln!(out, "{HEAD}")?;
                for (run, way) in (1..).zip(&ways) {
                    for step in way.windows(2) {
                        let [(before, from), (after, to)] = step else { continue };
                        writeln!(out, "{run} {before} {from} {after} {to}")?;
                    }
                }
                Ok(())
            })?;
        }
    }
    Ok(())
}

/// The locations of each run, in order.
fn trajectories(runner: &Runner<'_>, runs: &[u64], interrupt: &Interrupt) -> Vec<Vec<Location>> {
    use rayon::prelude::*;
    runs.par_iter().map(|run| trajectory(runner, *run, interrupt)).collect()
}

fn trajectory(runner: &Runner<'_>, run: u64, interrupt: &Interrupt) -> Vec<Location> {
    let mut execution = runner.play(runner.plan().id(run), Lens::new(NEVER, false), interrupt);
    let mut way: Vec<Location> = Vec::new();
    loop {
        let stop = execution.stop();
        if let Some(best) = execution.leader()
            && way.last().is_none_or(|(fitness, _)| best.fitness < *fitness)
        {
            way.push((best.fitness, best.ranks.iter().map(|rank| digit(*rank)).collect()));
        }
        if stop.is_some() {
            return way;
        }
        execution.advance();
        if let Some(lens) = execution.lens() {
            lens.samples.clear();
        }
    }
}

/// A digit as one character: 1 to 9, then letters.
fn digit(rank: u8) -> char {
    char::from_digit(u32::from(rank) + 1, 36).expect("there are at most 32 digits")
}
