//! Merging of shards, into the bytes that a single program would have written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::atomic::step;
use super::atomic_folder::AtomicFolder;
use super::checksums::{Difference, differences};
use super::files::{self, FACTS, MANIFEST, RUNS, TIMING};
use super::run_files::{RunFile, run_files_of};
use super::run_reader::{RunReader, as_stored};
use super::{Folder, Manifest, Reading, ResultsError};
use crate::experiment::{KeyDifference, Plan, Shard};
use kenga_core::sort::sort_by;
use kenga_core::text::quoted_path;

/// The folder of a shard in one that several share.
pub fn shard_folder(shared: &Path, shard: Shard) -> PathBuf {
    shared.join(format!("shard-{}-of-{}", shard.index, shard.of))
}

/// Merges the shards of a plan, each in one of `folders` or in a folder inside it, to a new folder at `out`, which appears
/// complete. Removes the remains of killed merges.
///
/// # Errors
/// [`ResultsError::Shards`] when one is missing, is named twice, has not ended, or is of another plan;
/// [`ResultsError::TargetExists`] when `out` is not an empty folder; [`ResultsError::Damaged`] for rows that are out of order;
/// [`ResultsError::Io`].
pub fn merge(plan: &Plan, folders: &[PathBuf], out: &Path) -> Result<(), ResultsError> {
    let is_empty = |path: &Path| fs::read_dir(path).is_ok_and(|mut inside| inside.next().is_none());
    if out.exists() && !is_empty(out) {
        return Err(ResultsError::TargetExists { path: out.to_owned() });
    }
    let shards = whole_set(plan, &found(folders)?)?;
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
fn found(folders: &[PathBuf]) -> Result<Vec<PathBuf>, ResultsError> {
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
        sort_by(&mut inside, Ord::cmp);
        found.extend(inside);
    }
    Ok(found)
}

/// The folders in the order of their shards; an error where a shard is missing, doubled or foreign.
fn whole_set(plan: &Plan, folders: &[PathBuf]) -> Result<Vec<PathBuf>, ResultsError> {
    let refuse = |problem: String, help: &str| Err(ResultsError::Shards { problem, help: help.to_owned() });
    let mut of = None;
    let mut by_index: Vec<Option<PathBuf>> = Vec::new();
    for folder in folders {
        let reading = Reading::open(folder)?;
        let shard = reading.shard;
        if let Some(difference) = other_plan(&reading.plan, plan) {
            let problem = format!("{} is a shard of another plan: {difference}", folder.display());
            return refuse(problem, "merge folders that were run from this plan file");
        }
        if *of.get_or_insert(shard.of) != shard.of {
            let problem =
                format!("{} is one of {}, others are of {}", folder.display(), shard.of, by_index.len());
            return refuse(problem, "merge shards of one split, K/N with the same N");
        }
        by_index.resize(shard.of as usize, None);
        if let Some(twin) = by_index[shard.index as usize].replace(folder.clone()) {
            let problem = format!("{shard} appears twice: {} and {}", twin.display(), folder.display());
            return refuse(problem, "name one of them");
        }
        if !reading.rows.has_ended {
            let problem = format!("{shard} in {} is unfinished", folder.display());
            return refuse(problem, &format!("finish it with `kenga run --resume {}`", quoted_path(folder)));
        }
        if let Some(difference) = differences(folder)?.first() {
            let Difference { file, problem, .. } = difference;
            let problem = format!("{file} in {} {problem}", folder.display());
            return refuse(problem, "run the shard again; `kenga validate` says what has changed");
        }
        if let Some(unused) = reading.rows.unused() {
            let problem = format!("{}: {}", folder.display(), unused.note());
            return refuse(problem, "run the shard again; `kenga validate` says what has changed");
        }
    }
    let missing: Vec<String> = by_index
        .iter()
        .enumerate()
        .filter(|(_, folder)| folder.is_none())
        .map(|(index, _)| format!("{index}/{}", by_index.len()))
        .collect();
    if !missing.is_empty() {
        let problem = format!("missing: {}", missing.join(", "));
        return refuse(
            problem,
            "make them with `kenga sweep run PLAN --shard K/N --out DIR`, and name DIR too",
        );
    }
    Ok(by_index.into_iter().flatten().collect())
}

/// The first difference of two plans, replicates included.
fn other_plan(theirs: &Plan, ours: &Plan) -> Option<String> {
    let shown = |KeyDifference { key, was, is }: &KeyDifference| format!("`{key}` is {was}, not {is}");
    let manifest = |plan| Manifest::new(plan, Shard::WHOLE);
    if let Some(difference) = manifest(theirs).difference(&manifest(ours)) {
        return Some(shown(&difference));
    }
    let (was, is) = (theirs.config.replicates, ours.config.replicates);
    if was != is {
        return Some(shown(&KeyDifference::new("replicates", &was, &is)));
    }
    if theirs.settings.lines() != ours.settings.lines() {
        return Some("its settings differ".to_owned());
    }
    (files::puzzle_lines(theirs) != files::puzzle_lines(ours)).then(|| "its puzzles differ".to_owned())
}

/// Merges one file of every shard, run by run.
fn merge_file(plan: &Plan, shards: &[PathBuf], out: &Path, file: &RunFile) -> Result<(), ResultsError> {
    let (name, header) = (file.file(&plan.config), (file.header)(plan));
    // Timing may be missing.
    let may_lack = file.name == TIMING;
    let is_there = |shard: &&PathBuf| !may_lack || shard.join(name).exists();
    let open = |shard: &PathBuf| RunReader::open(&shard.join(name), Some(&header));
    let open = |shard: &PathBuf| Some(shard).filter(is_there).map(open).transpose();
    let mut shards: Vec<Option<RunReader>> = shards.iter().map(open).collect::<Result<_, _>>()?;
    let path = out.join(name);
    let mut writer =
        BufWriter::new(step().and_then(|()| File::create(&path)).map_err(ResultsError::io("write", &path))?);
    let mut write = |text: &[u8]| {
        writer.write_all(&as_stored(name, text.to_vec())).map_err(ResultsError::io("write", &path))
    };
    write(&header)?;
    for run in 0..plan.runs() {
        let of = shards.len() as u64;
        let Some(reader) = &mut shards[(run % of) as usize] else { continue };
        if reader.peek() == Some(run) {
            reader.next()?.map_or(Ok(()), |run_rows| write(&run_rows.text))?;
        } else if file.name == RUNS {
            return Err(reader.damaged_ahead(format!("run {run} is missing or out of order")));
        }
    }
    for reader in shards.iter().flatten() {
        if reader.is_torn() && !may_lack {
            return Err(reader.torn());
        }
        if let Some(run) = reader.peek() {
            return Err(reader.damaged_ahead(format!("run {run} is out of order")));
        }
    }
    writer.flush().map_err(ResultsError::io("write", &path))
}
