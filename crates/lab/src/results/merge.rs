//! Merging of shards, into the bytes that a single program would have written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::atomic::step;
use super::atomic_folder::AtomicFolder;
use super::checksums::{Difference, differences};
use super::files::{self, FACTS, MANIFEST, RUNS, TIMING};
use super::run_files::{RunFile, run_files_of};
use super::run_reader::as_stored;
use super::{Folder, FolderRows, KnownPlan, Manifest, Reading, ResultsError, read_plan};
use crate::experiment::{KeyDifference, Plan, Shard};
use kenga_core::sort::{sort_by, sort_by_key};
use kenga_core::text::quoted_path;

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

/// The shard whose folder has a name, `shard-2-of-7`.
fn shard_named(name: &str) -> Option<Shard> {
    let (index, of) = name.strip_prefix("shard-")?.split_once("-of-")?;
    let shard: Shard = format!("{index}/{of}").parse().ok()?;
    // `shard-01-of-3` is no name that kenga gives.
    (name == folder_name(shard)).then_some(shard)
}

/// Merges the shards of a plan, each in one of `folders` or in a folder inside it, to a new folder at `out`, which appears
/// complete. Removes the remains of killed merges.
///
/// # Errors
/// [`ResultsError::Shards`] when one is missing, is named twice, has not ended, or is of another plan;
/// [`ResultsError::TargetExists`] when `out` is not an empty folder; [`ResultsError::Damaged`] for rows that are out of order;
/// [`ResultsError::Io`].
pub fn merge(plan: &Plan, folders: &[PathBuf], out: &Path) -> Result<(), ResultsError> {
    let is_empty = fs::read_dir(out).is_ok_and(|mut inside| inside.next().is_none());
    if out.exists() && !is_empty {
        return Err(ResultsError::TargetExists { path: out.to_owned() });
    }
    // All shards are checked before anything is written.
    let shards = in_order_of_shards(plan, &result_folders(folders)?)?;
    let folder = AtomicFolder::create(out).map_err(ResultsError::io("create", out))?;
    merge_to(plan, &shards, folder.draft()).map_err(|error| error.of_draft(folder.draft(), out))?;
    folder.commit().map_err(|error| match error.kind() {
        // Another merge was faster.
        io::ErrorKind::DirectoryNotEmpty => ResultsError::TargetExists { path: out.to_owned() },
        _ => ResultsError::io("create", out)(error),
    })
}

fn merge_to(plan: &Plan, shards: &[PathBuf], out: &Path) -> Result<(), ResultsError> {
    let folder = Folder::begin(out, plan, Shard::WHOLE)?;
    let facts = files::read(&shards[0], FACTS)?;
    files::write_whole(out, FACTS, &facts)?;
    for file in run_files_of(plan) {
        merge_file(plan, shards, out, file)?;
    }
    folder.finish()
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

/// The folders in the order of their shards; an error where a shard is missing, doubled or foreign.
fn in_order_of_shards(plan: &Plan, folders: &[PathBuf]) -> Result<Vec<PathBuf>, ResultsError> {
    let mut by_index: BTreeMap<u64, PathBuf> = BTreeMap::new();
    let mut of = None;
    let known = KnownPlan::new(plan);
    for folder in folders {
        let (shard, rows) = match known.shard_of(folder) {
            Some(shard) => (shard, FolderRows::open(folder, plan, shard)?),
            None => rows_of_plan(folder, plan)?,
        };
        let of = *of.get_or_insert(shard.of);
        if of != shard.of {
            let problem = format!("{} is one of {}, others are of {of}", folder.display(), shard.of);
            return Err(refusal(problem, "merge shards of one split, K/N with the same N"));
        }
        // A shard that was made twice may differ in its times.
        if let Some(twin) = by_index.insert(shard.index, folder.clone()) {
            let problem = format!("{shard} appears twice: {} and {}", twin.display(), folder.display());
            return Err(refusal(problem, "name one of them"));
        }
        check_shard(folder, shard, &rows)?;
    }
    let of = of.unwrap_or(1);
    if by_index.len() as u64 == of {
        return Ok(by_index.into_values().collect());
    }
    let help = "make them with `kenga sweep run PLAN --shard K/N --out DIR`, and name DIR too";
    Err(refusal(missing(&by_index, of), help))
}

/// The shard that a folder is for, and its rows.
///
/// # Errors
/// [`ResultsError::Shards`] where it is of another plan.
fn rows_of_plan(folder: &Path, plan: &Plan) -> Result<(Shard, FolderRows), ResultsError> {
    let Reading { plan: theirs, shard, rows } = Reading::open(folder)?;
    if let Some(difference) = other_plan(&theirs, plan) {
        let problem = format!("{} is a shard of another plan: {difference}", folder.display());
        return Err(refusal(problem, "merge folders that were run from this plan file"));
    }
    Ok((shard, rows))
}

/// Checks that runs of a plan may be added to the folder of a shard.
///
/// # Errors
/// [`ResultsError::Shards`] where it is of another plan; none for a folder without a plan, which is begun again.
pub fn check_plan_of(plan: &Plan, folder: &Path) -> Result<(), ResultsError> {
    let Ok((theirs, _)) = read_plan(folder) else { return Ok(()) };
    let mut ours = plan.clone();
    if theirs.config.replicates < ours.config.replicates {
        // Their runs are appended.
        ours.config.replicates = theirs.config.replicates;
    }
    let Some(difference) = other_plan(&theirs, &ours) else { return Ok(()) };
    let problem = format!("{} is a shard of another plan: {difference}", folder.display());
    Err(refusal(problem, "choose another folder for this plan"))
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

fn refusal(problem: String, help: &str) -> ResultsError {
    ResultsError::Shards { problem, help: help.to_owned() }
}

/// The first difference of two plans, replicates included.
fn other_plan(theirs: &Plan, ours: &Plan) -> Option<String> {
    let mut difference = Manifest::new(theirs, Shard::WHOLE).difference(&Manifest::new(ours, Shard::WHOLE));
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

/// Merges one file of every shard, run by run.
fn merge_file(plan: &Plan, shards: &[PathBuf], out: &Path, file: &RunFile) -> Result<(), ResultsError> {
    let (name, header) = (file.file(&plan.config), (file.header)(plan));
    // Timing may be missing.
    let may_lack = file.name == TIMING;
    let mut readers = Vec::with_capacity(shards.len());
    for shard in shards {
        let is_lacking = may_lack && !shard.join(name).exists();
        let reader = if is_lacking { None } else { Some(file.reader_among(shard, plan, shards.len())?) };
        readers.push(reader);
    }
    let path = out.join(name);
    let created = step().and_then(|()| File::create(&path));
    let mut writer = BufWriter::new(created.map_err(ResultsError::io("write", &path))?);
    writer.write_all(&as_stored(name, header)).map_err(ResultsError::io("write", &path))?;
    let deal = plan.share(Shard { index: 0, of: readers.len() as u64 });
    for run in 0..plan.runs() {
        let Some(reader) = &mut readers[deal.shard_of(run) as usize] else { continue };
        // A run may have no rows in the other files.
        if reader.peek() == Some(run) {
            let text = reader.next()?.expect("it was peeked at").text.clone();
            writer.write_all(&as_stored(name, text)).map_err(ResultsError::io("write", &path))?;
        } else if file.name == RUNS {
            return Err(reader.damaged_ahead(format!("run {run} is missing or out of order")));
        }
    }
    for reader in readers.iter().flatten() {
        if reader.is_torn() && !may_lack {
            return Err(reader.torn());
        }
        if let Some(run) = reader.peek() {
            return Err(reader.damaged_ahead(format!("run {run} is out of order")));
        }
    }
    writer.flush().map_err(ResultsError::io("write", &path))
}
