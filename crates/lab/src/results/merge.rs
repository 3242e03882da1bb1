//! Merging of shards, into the bytes that a single program would have written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::atomic::may_be_killed_here;
use super::atomic_folder::AtomicFolder;
use super::checksums::{Difference, differences};
use super::files::{self, FACTS, MANIFEST, RUNS, TIMING, has_checksums};
use super::run_files::{RunFile, run_files_of};
use super::run_reader::as_stored;
use super::shards::{other_plan, refusal};
use super::{Folder, FolderRows, KnownPlan, RaceProgress, Reading, ResultsError};
use crate::experiment::{Plan, Race, Shard};
use kenga_core::sort::sort_by;
use kenga_core::text::quoted_path;

/// What was merged.
pub struct Merged {
    /// How many runs.
    pub runs: u64,
    /// Where the race is, if the plan is one.
    pub race: Option<RaceProgress>,
}

/// Shards of one split, by their index.
struct Split {
    of: u64,
    folders: BTreeMap<u64, PathBuf>,
    /// The calls of the runs that they have made, of a race.
    calls: BTreeMap<u64, f64>,
}

/// Merges the shards of a plan, each in one of `folders` or in a folder inside it, to a new folder at `out`, which appears
/// complete. Removes the remains of killed merges. Of a race that is not over, its whole blocks are merged; a folder of fewer
/// of them is replaced.
///
/// # Errors
/// [`ResultsError::Shards`] when one is missing, is named twice, has not ended, or is of another plan;
/// [`ResultsError::TargetExists`] when `out` is not an empty folder; [`ResultsError::Damaged`] for rows that are out of order;
/// [`ResultsError::Io`].
pub fn merge(plan: &Plan, folders: &[PathBuf], out: &Path) -> Result<Merged, ResultsError> {
    let is_empty = fs::read_dir(out).is_ok_and(|mut inside| inside.next().is_none());
    let is_taken = out.exists() && !is_empty;
    let may_be_part = plan.settings.race.is_some() && !has_checksums(out);
    if is_taken && !may_be_part {
        return Err(ResultsError::TargetExists { path: out.to_owned() });
    }
    // All shards are checked before anything is written.
    let split = split_of(plan, &result_folders(folders)?)?;
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
    merge_to(plan, &split, &runs, has_ended, folder.draft())
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
    for shard in split.folders.values() {
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
    rows.unused().is_none() && rows.runs().len() <= runs.len()
}

fn merge_to(
    plan: &Plan,
    split: &Split,
    runs: &[u64],
    has_ended: bool,
    out: &Path,
) -> Result<(), ResultsError> {
    let folder = Folder::begin(out, plan, Shard::WHOLE)?;
    // A shard that was killed before its first run may lack them.
    let facts = split.folders.values().find(|shard| shard.join(FACTS).exists());
    let first = facts.or(split.folders.values().next()).expect("folders without any are refused");
    files::write_whole(out, FACTS, &files::read(first, FACTS)?)?;
    for file in run_files_of(plan) {
        merge_file(plan, split, runs, out, file)?;
    }
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
fn split_of(plan: &Plan, folders: &[PathBuf]) -> Result<Split, ResultsError> {
    let mut split = Split { of: 0, folders: BTreeMap::new(), calls: BTreeMap::new() };
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
        if let Some(twin) = split.folders.insert(shard.index, folder.clone()) {
            let problem = format!("{shard} appears twice: {} and {}", twin.display(), folder.display());
            return Err(refusal(problem, "name one of them"));
        }
        if rows.has_checksums || !is_race {
            check_shard(folder, shard, &rows)?;
        }
        if is_race {
            split.calls.append(&mut rows.race_calls()?);
        }
    }
    if is_race || split.folders.len() as u64 == split.of {
        return Ok(split);
    }
    let help = "make them with `kenga sweep run PLAN --shard K/N --out DIR`, and name DIR too";
    Err(refusal(missing(&split.folders, split.of), help))
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
fn missing(by_index: &BTreeMap<u64, PathBuf>, of: u64) -> String {
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
    if let Some(Difference { file, problem, .. }) = differences(folder)?.first() {
        return Err(refusal(format!("{file} in {} {problem}", folder.display()), help));
    }
    if let Some(note) = rows.note() {
        return Err(refusal(format!("{}: {note}", folder.display()), help));
    }
    Ok(())
}

/// Merges one file of every shard, run by run.
fn merge_file(
    plan: &Plan,
    split: &Split,
    runs: &[u64],
    out: &Path,
    file: &RunFile,
) -> Result<(), ResultsError> {
    let (name, header) = (file.file(&plan.config), (file.header)(plan));
    // Timing may be missing.
    let may_lack = file.name == TIMING;
    // Shards of a race have runs that nobody needs, and may be in the midst of others.
    let is_race = plan.settings.race.is_some();
    let mut readers = BTreeMap::new();
    for (index, shard) in &split.folders {
        if !shard.join(name).exists() && (may_lack || is_race) {
            continue;
        }
        readers.insert(*index, file.reader_among(shard, plan, split.folders.len())?);
    }
    let path = out.join(name);
    let created = may_be_killed_here().and_then(|()| File::create(&path));
    let mut writer = BufWriter::new(created.map_err(ResultsError::io("write", &path))?);
    writer.write_all(&as_stored(name, header)).map_err(ResultsError::io("write", &path))?;
    let deal = plan.share(Shard { index: 0, of: split.of });
    for run in runs {
        let Some(reader) = readers.get_mut(&deal.shard_of(*run)) else { continue };
        while is_race && reader.peek().is_some_and(|ahead| ahead < *run) {
            reader.next()?;
        }
        // A run may have no rows in the other files.
        if reader.peek() == Some(*run) {
            let text = reader.next()?.expect("it was peeked at").text.clone();
            writer.write_all(&as_stored(name, text)).map_err(ResultsError::io("write", &path))?;
        } else if file.name == RUNS {
            return Err(reader.damaged_ahead(format!("run {run} is missing or out of order")));
        }
    }
    for reader in readers.values().filter(|_| !is_race) {
        if reader.is_torn() && !may_lack {
            return Err(reader.torn());
        }
        if let Some(run) = reader.peek() {
            return Err(reader.damaged_ahead(format!("run {run} is out of order")));
        }
    }
    writer.flush().map_err(ResultsError::io("write", &path))
}
