//! The folders of shards: where they are, and whether they are of a plan.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Manifest, Reading, ResultsError, RunRow, TimingRow, files, read_plan};
use crate::experiment::{KeyDifference, Plan, RunCosts, Shard};
use kenga_core::sort::sort_by_key;

/// The folder of a shard in one that several share.
pub fn shard_folder(shared: &Path, shard: Shard) -> PathBuf {
    shared.join(folder_name(shard))
}

fn folder_name(shard: Shard) -> String {
    format!("shard-{}-of-{}", shard.index, shard.of)
}

/// The shards whose folders are in `shared`, at least one, in their order; all are of one split.
///
/// # Errors
/// [`ResultsError::NoResults`] when there is no such folder; [`ResultsError::Shards`] when they are of several splits;
/// [`ResultsError::Io`].
pub fn shards_in(shared: &Path) -> Result<Vec<Shard>, ResultsError> {
    let mut found: Vec<Shard> = Vec::new();
    for entry in fs::read_dir(shared).map_err(ResultsError::io("read", shared))? {
        let name = entry.map_err(ResultsError::io("read", shared))?.file_name();
        let Some(shard) = name.to_str().and_then(shard_named) else { continue };
        if let Some(other) = found.first().filter(|other| other.of != shard.of) {
            let problem = format!("{} has shards of {} and of {}", shared.display(), other.of, shard.of);
            return Err(refusal(problem, "keep the shards of one split in a folder of their own"));
        }
        found.push(shard);
    }
    if found.is_empty() {
        return Err(ResultsError::NoResults { path: shared.to_owned() });
    }
    sort_by_key(&mut found, |shard| shard.index);
    Ok(found)
}

/// The shards whose folders are in `shared`, as [`shards_in`] gives them; none where there is no such folder.
///
/// # Errors
/// [`ResultsError::Shards`] when they are of several splits; [`ResultsError::Io`].
pub fn shards_if_any(shared: &Path) -> Result<Vec<Shard>, ResultsError> {
    if !shared.exists() {
        return Ok(Vec::new());
    }
    match shards_in(shared) {
        Err(ResultsError::NoResults { .. }) => Ok(Vec::new()),
        there => there,
    }
}

/// The shard whose folder has a name, `shard-2-of-7`.
fn shard_named(name: &str) -> Option<Shard> {
    let (index, of) = name.strip_prefix("shard-")?.split_once("-of-")?;
    let shard: Shard = format!("{index}/{of}").parse().ok()?;
    // `shard-01-of-3` is no name that kenga gives.
    (name == folder_name(shard)).then_some(shard)
}

/// Checks that runs of a plan may be added to the folder of a shard.
///
/// # Errors
/// [`ResultsError::Shards`] where it is of another plan; none for a folder without a plan, which is begun again.
pub fn check_plan_of(plan: &Plan, folder: &Path) -> Result<(), ResultsError> {
    let Ok((theirs, shard)) = read_plan(folder) else { return Ok(()) };
    let mut ours = plan.clone();
    if theirs.config.replicates < ours.config.replicates {
        // Their runs are appended.
        ours.config.replicates = theirs.config.replicates;
    }
    let Some(difference) = other_plan(&theirs, shard, &ours) else { return Ok(()) };
    let problem = format!("{} is a shard of another plan: {difference}", folder.display());
    Err(refusal(problem, "choose another folder for this plan"))
}

/// The costs of a plan's runs as those of an earlier folder were.
///
/// # Errors
/// Those of [`Reading::open`]; [`ResultsError::OtherCosts`] if the folder has no run of the plan.
pub fn earlier_costs(plan: &Plan, folder: &Path) -> Result<RunCosts, ResultsError> {
    let earlier = Reading::open(folder)?;
    let mut cpu_s = BTreeMap::new();
    for (run, TimingRow { cpu_s: seconds, .. }) in earlier.rows.timing()? {
        if !(0.0..1e9).contains(&seconds) {
            let problem = format!("run {run} has a cpu_s of {seconds}; seconds from 0 to 1e9 are expected");
            return Err(ResultsError::damaged(&folder.join(files::TIMING), problem));
        }
        cpu_s.insert(run, seconds);
    }
    // A run that failed does not say how long one takes.
    earlier.rows.each(|row: RunRow| {
        if row.has_failed() {
            cpu_s.remove(&row.run);
        }
    })?;
    plan.costs_by_earlier(&earlier.plan, &cpu_s)
        .ok_or_else(|| ResultsError::OtherCosts { path: folder.to_owned() })
}

/// The first difference of two plans, replicates included; `shard` is that of a folder of theirs.
pub(super) fn other_plan(theirs: &Plan, shard: Shard, ours: &Plan) -> Option<String> {
    let mut difference = Manifest::new(theirs, shard).difference(&Manifest::new(ours, shard));
    let (was, is) = (theirs.config.replicates, ours.config.replicates);
    if difference.is_none() && was != is {
        difference = Some(KeyDifference::new("replicates", &was, &is));
    }
    if let Some(KeyDifference { key, was, is }) = difference {
        return Some(format!("`{key}` is {was}, not {is}"));
    }
    if theirs.settings.lines() != ours.settings.lines() {
        return Some("its settings differ".to_owned());
    }
    if files::puzzle_lines(&theirs.puzzles) != files::puzzle_lines(&ours.puzzles) {
        return Some("its puzzles differ".to_owned());
    }
    None
}

pub(super) fn refusal(problem: String, help: &str) -> ResultsError {
    ResultsError::Shards { problem, help: help.to_owned() }
}
