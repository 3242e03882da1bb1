//! Merging of shards, into the bytes that a single program would have written.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::atomic::may_be_killed_here;
use super::atomic_folder::AtomicFolder;
use super::checksums::{Difference, all_differences};
use super::copy::{CopiedRun, Source, copy_runs};
use super::files::{MANIFEST, has_checksums};
use super::shards::{other_plan, refusal};
use super::validate::check_claims;
use super::{Folder, FolderRows, KnownPlan, RaceProgress, Reading, ResultsError};
use crate::experiment::{Plan, Race, Runner, Shard};
use kenga_core::sort::sort_by;
use kenga_core::text::quoted_path;

/// What was merged.
pub struct Merged {
    /// How many runs.
    pub runs: u64,
    /// Where the race is, if the plan is one.
    pub race: Option<RaceProgress>,
}

/// Shards of one split.
struct Split {
    of: u64,
    sources: Vec<Source>,
    /// The place of the source of a shard.
    places: BTreeMap<u64, usize>,
    /// The calls of the runs that they have made, of a race.
    calls: BTreeMap<u64, f64>,
}

/// Merges the shards of a runner's plan, each in one of `folders` or in a folder inside it, to a new folder at `out`, which
/// appears complete. Every claim of a shard is checked before, but for replays. Removes the remains of killed merges. Of a race that is not over, its whole blocks are merged; a folder of fewer
/// of them is replaced.
///
/// # Errors
/// [`ResultsError::Shards`] when one is missing, is named twice, has not ended, or is of another plan;
/// [`ResultsError::TargetExists`] when `out` is not an empty folder; [`ResultsError::Damaged`] for a claim that does not
/// hold; [`ResultsError::Io`].
pub fn merge(runner: &Runner<'_>, folders: &[PathBuf], out: &Path) -> Result<Merged, ResultsError> {
    let plan = runner.plan();
    // A merge that was killed when it had given the folder its name leaves a draft beside it.
    AtomicFolder::clean_up(out).map_err(ResultsError::io("clean up", out))?;
    let is_empty = fs::read_dir(out).is_ok_and(|mut inside| inside.next().is_none());
    let is_taken = out.exists() && !is_empty;
    let may_be_part = plan.settings.race.is_some() && !has_checksums(out);
    if is_taken && !may_be_part {
        return Err(ResultsError::TargetExists { path: out.to_owned() });
    }
    if let Some(problem) = plan.settings.contradiction() {
        return Err(refusal(problem, "plan the sweep again with `kenga sweep plan`"));
    }
    // All shards are checked before anything is written.
    let split = split_of(runner, &result_folders(folders)?)?;
    refuse_inside_of_shard(&split, out)?;
    let runs = match plan.race() {
        None => (0..plan.runs()).collect(),
        Some(race) => runs_of_race(race, &split.calls),
    };
    if is_taken && !is_part_of(out, plan, &runs) {
        return Err(ResultsError::TargetExists { path: out.to_owned() });
    }
    let folder = AtomicFolder::create(out).map_err(ResultsError::io("create", out))?;
    let race = plan.race().map(|_| RaceProgress::of(plan, split.calls.clone()));
    let has_ended = race.as_ref().is_none_or(|progress| progress.race.next().is_none());
    merge_to(runner, split, &runs, has_ended, folder.draft())
        .map_err(|error| error.of_draft(folder.draft(), out))?;
    // A kill from here on loses nothing that the shards do not have.
    let _replaced =
        if is_taken { Some(set_aside(out).map_err(ResultsError::io("replace", out))?) } else { None };
    folder.commit().map_err(|error| match error.kind() {
        // Another merge was faster.
        io::ErrorKind::DirectoryNotEmpty => ResultsError::TargetExists { path: out.to_owned() },
        _ => ResultsError::io("create", out)(error),
    })?;
    Ok(Merged { runs: runs.len() as u64, race })
}

/// Refuses a place in the folder of a shard, which would then hold what is none of its files.
fn refuse_inside_of_shard(split: &Split, out: &Path) -> Result<(), ResultsError> {
    let parent = out.ancestors().skip(1).find_map(|parent| match parent.as_os_str().is_empty() {
        true => Path::new(".").canonicalize().ok(),
        false => parent.canonicalize().ok(),
    });
    let Some(parent) = parent else { return Ok(()) };
    for Source { folder: shard, .. } in &split.sources {
        if shard.canonicalize().is_ok_and(|shard| parent.starts_with(shard)) {
            let problem = format!("{} lies in {}, the folder of a shard", out.display(), shard.display());
            return Err(refusal(problem, "name another folder with --out"));
        }
    }
    Ok(())
}

/// Moves a folder into a draft, which is removed with it.
fn set_aside(out: &Path) -> io::Result<AtomicFolder> {
    let draft = AtomicFolder::create(out)?;
    may_be_killed_here()?;
    fs::rename(out, draft.draft().join("replaced"))?;
    Ok(draft)
}

/// The runs of the blocks of a race that are known whole, in their order: those that one program would have made.
fn runs_of_race(mut race: Race, calls: &BTreeMap<u64, f64>) -> Vec<u64> {
    let mut runs = Vec::new();
    while let Some(block) = race.next() {
        let block: Vec<u64> = block.filter(|run| race.has(*run)).collect();
        let known: Vec<f64> = block.iter().filter_map(|run| calls.get(run).copied()).collect();
        if known.len() < block.len() {
            break;
        }
        race.take(&known);
        runs.extend(block);
    }
    runs
}

/// The folder holds the beginning of these runs of the race, and nobody writes it.
fn is_part_of(out: &Path, plan: &Plan, runs: &[u64]) -> bool {
    if KnownPlan::new(plan).shard_of(out) != Some(Shard::WHOLE) || Folder::is_being_written(out) {
        return false;
    }
    let Ok(rows) = FolderRows::open(out, plan, Shard::WHOLE) else { return false };
    rows.unused().is_none() && rows.complete.len() <= runs.len() as u64
}

fn merge_to(
    runner: &Runner<'_>,
    split: Split,
    runs: &[u64],
    has_ended: bool,
    out: &Path,
) -> Result<(), ResultsError> {
    let plan = runner.plan();
    let mut folder = Folder::begin(out, plan, Shard::WHOLE)?;
    folder.prepare(plan, runner)?;
    let deal = plan.share(Shard { index: 0, of: split.of });
    let mut copied = Vec::new();
    for run in runs {
        let shard = deal.shard_of(*run);
        let source = *split.places.get(&shard).expect("the runs are those of the shards");
        copied.push(CopiedRun { run: *run, source });
    }
    copy_runs(plan, &split.sources, &copied, out)?;
    if has_ended { folder.finish() } else { Ok(()) }
}

/// Every folder of results among `folders` and, where one holds none itself, inside it.
fn result_folders(folders: &[PathBuf]) -> Result<Vec<PathBuf>, ResultsError> {
    let mut found = Vec::new();
    for folder in folders {
        if folder.join(MANIFEST).exists() {
            found.push(folder.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(folder).map_err(ResultsError::io("read", folder))? {
            let path = entry.map_err(ResultsError::io("read", folder))?.path();
            if path.join(MANIFEST).exists() {
                inside.push(path);
            }
        }
        if inside.is_empty() {
            return Err(ResultsError::NoResults { path: folder.clone() });
        }
        // The order of a listing is the file system's; errors should not depend on it.
        sort_by(&mut inside, Ord::cmp);
        found.extend(inside);
    }
    Ok(found)
}

/// The folders by their shards; an error where a shard is missing, doubled or foreign. A race may be merged at any time, and
/// some of its shards may have no runs.
fn split_of(runner: &Runner<'_>, folders: &[PathBuf]) -> Result<Split, ResultsError> {
    let plan = runner.plan();
    let mut split = Split { of: 0, sources: Vec::new(), places: BTreeMap::new(), calls: BTreeMap::new() };
    let is_race = plan.settings.race.is_some();
    let known = KnownPlan::new(plan);
    for folder in folders {
        let (shard, rows) = match known.shard_of(folder) {
            Some(shard) => (shard, FolderRows::open(folder, plan, shard)?),
            None => rows_of_plan(folder, plan)?,
        };
        if split.of == 0 {
            split.of = shard.of;
        }
        if split.of != shard.of {
            let problem = format!("{} is one of {}, others are of {}", folder.display(), shard.of, split.of);
            return Err(refusal(problem, "merge shards of one split, K/N with the same N"));
        }
        // A shard that was made twice may differ in its times.
        if let Some(twin) = split.places.insert(shard.index, split.sources.len()) {
            let twin = split.sources[twin].folder.display();
            let problem = format!("{shard} appears twice: {twin} and {}", folder.display());
            return Err(refusal(problem, "name one of them"));
        }
        if rows.has_checksums || !is_race {
            check_shard(folder, shard, &rows)?;
        }
        rows.complete.check(folder)?;
        check_claims(folder, plan, shard, runner, &rows.complete)?;
        if is_race {
            split.calls.append(&mut rows.race_calls()?);
        }
        split.sources.push(Source { folder: folder.clone(), runs: rows.complete });
    }
    if is_race || split.places.len() as u64 == split.of {
        return Ok(split);
    }
    let help = "make them with `kenga sweep run PLAN --shard K/N --out DIR`, and name DIR too";
    Err(refusal(missing(&split.places, split.of), help))
}

/// The shard that a folder is for, and its rows.
///
/// # Errors
/// [`ResultsError::Shards`] where it is of another plan.
fn rows_of_plan(folder: &Path, plan: &Plan) -> Result<(Shard, FolderRows), ResultsError> {
    let Reading { plan: theirs, shard, rows } = Reading::open(folder)?;
    if let Some(difference) = other_plan(&theirs, shard, plan) {
        let problem = format!("{} is a shard of another plan: {difference}", folder.display());
        return Err(refusal(problem, "merge folders that were run from this plan file"));
    }
    Ok((shard, rows))
}

/// Which shards are missing; of many the first.
fn missing(by_index: &BTreeMap<u64, usize>, of: u64) -> String {
    let absent = (0..of).filter(|index| !by_index.contains_key(index));
    let named: Vec<String> = absent.take(NAMED).map(|index| format!("{index}/{of}")).collect();
    let mut text = format!("missing: {}", named.join(", "));
    let unnamed = of - by_index.len() as u64 - named.len() as u64;
    if unnamed > 0 {
        text += &format!(" and {unnamed} more");
    }
    text
}

/// The most missing shards that an error names.
const NAMED: usize = 10;

/// Refuses the folder of a shard that has not ended, or was changed since.
fn check_shard(folder: &Path, shard: Shard, rows: &FolderRows) -> Result<(), ResultsError> {
    if !rows.has_checksums {
        let problem = format!("{shard} in {} is unfinished", folder.display());
        return Err(refusal(
            problem,
            &format!("finish it with `kenga run --resume {}`", quoted_path(folder)),
        ));
    }
    let help = "run the shard again; `kenga validate` says what has changed";
    if let Some(Difference { file, problem, .. }) = all_differences(folder)?.first() {
        return Err(refusal(format!("{file} in {} {problem}", folder.display()), help));
    }
    if let Some(note) = rows.note() {
        return Err(refusal(format!("{}: {note}", folder.display()), help));
    }
    Ok(())
}
