//! A results folder: begun, continued, finished.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::experiment::{Plan, Runner, Shard};

use super::appended_files::{AppendedFiles, claim, claim_begun};
use super::atomic::{is_draft, may_be_killed_here, remove_drafts};
use super::checksums::{all_differences, checksums};
use super::files::{self, CHECKSUMS, FACTS, LEDGER, MANIFEST, PUZZLES, RETRY, RUNS, SETTINGS, has_checksums};
use super::recovery::{CompleteRuns, Proof, recover};
use super::retry::{Retry, move_retried, remove_folder};
use super::rows::{PuzzleRow, RunRow, columns, csv_text, read_rows};
use super::run_files::run_file;
use super::sink::FolderSink;
use super::validate::{BEHIND, check_claims};
use super::{Manifest, ResultsError, read_plan};

/// An open results folder.
pub struct Folder {
    path: PathBuf,
    /// Tells the folder at the path from another that was put in its place.
    identity: Option<[u64; 2]>,
    /// The runs that are complete.
    done: BTreeSet<u64>,
    /// The files that every run appends its rows to; `None` once a sink has taken them.
    files: Option<AppendedFiles>,
    /// The failed runs that are made first.
    retry: Option<Retry>,
    /// How many failed runs are tried again.
    again: u64,
    /// The changes before the first run, of a folder that is resumed.
    changes: Option<Changes>,
}

/// The changes that resuming makes before the first run, once the complete runs have been checked.
struct Changes {
    shard: Shard,
    runs: CompleteRuns,
    /// The manifest, where it differs.
    manifest: Option<String>,
    /// The checksums do not hold from the first change on.
    ends_checksums: bool,
}

impl Folder {
    /// Begins a folder: creates it if it does not exist, and writes the files that do not depend on runs.
    ///
    /// # Errors
    /// [`ResultsError::NoFolder`] for a file, [`ResultsError::Occupied`] when it holds anything, [`ResultsError::Busy`] when
    /// another program writes it, [`ResultsError::Io`].
    pub fn begin(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        // A device is no folder either.
        if path.exists() && !path.is_dir() {
            return Err(ResultsError::NoFolder { path: path.to_owned() });
        }
        may_be_killed_here()
            .and_then(|()| fs::create_dir_all(path))
            .map_err(ResultsError::io("create", path))?;
        let is_unbegun_yet = is_unbegun(path, plan)?;
        if !is_unbegun_yet && !path.join(LEDGER).exists() {
            return Err(ResultsError::Occupied { path: path.to_owned() });
        }
        // A folder in use is reported as such, before one that is not empty.
        let claim = claim(path)?;
        // Another program may have written it meanwhile.
        if !is_unbegun_yet || !is_unbegun(path, plan)? {
            return Err(ResultsError::Occupied { path: path.to_owned() });
        }
        remove_drafts(path).map_err(ResultsError::io("clean up", path))?;
        files::write_whole(path, PUZZLES, files::puzzle_lines(&plan.puzzles).as_bytes())?;
        if plan.settings.sweep.is_some() {
            files::write_whole(path, SETTINGS, plan.settings.lines().as_bytes())?;
        }
        files::write_whole(path, MANIFEST, Manifest::new(plan, shard).text().as_bytes())?;
        let mut files = AppendedFiles::open(path, plan, Box::new(claim))?;
        let runs = recover(path, plan, shard, Proof::Sizes)?;
        files.cut(path, &runs)?;
        Ok(Self {
            path: path.to_owned(),
            identity: identity_of(path),
            done: BTreeSet::new(),
            files: Some(files),
            retry: None,
            again: 0,
            changes: None,
        })
    }

    /// Resumes a folder: keeps its complete runs and cuts what is left of others. Runs that failed are tried again; of a
    /// race, which they have decided, all from the first of them on, and of a shard of one none. A folder whose program was killed before it wrote the
    /// manifest is begun again.
    ///
    /// # Errors
    /// [`ResultsError::NoResults`], [`ResultsError::OtherConfig`] naming the key, [`ResultsError::OtherInput`], [`ResultsError::Edited`] for an experiment
    /// that has ended and was changed since, [`ResultsError::Busy`], [`ResultsError::Gap`], [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn resume(path: &Path, plan: &Plan, shard: Shard) -> Result<Self, ResultsError> {
        if path.is_dir() && is_unbegun(path, plan)? {
            return Self::begin(path, plan, shard);
        }
        // A folder without results, or of another plan, stays as it is.
        new_manifest(path, plan, shard)?;
        let claim = claim_begun(path)?;
        let manifest = new_manifest(path, plan, shard)?;
        check_inputs(path, plan)?;
        let claim = move_retried(path, plan, Box::new(claim))?;
        let KeptRuns { mut runs, has_lost_end } = kept_runs(path, plan, shard, manifest.is_some())?;
        let is_part_of_race = plan.is_part_of_race(shard);
        let mut failed = BTreeSet::new();
        // The failures of a race's shard have decided for all shards, which go on from there.
        if !has_lost_end && !is_part_of_race {
            failed = failed_runs(path, plan, &runs)?;
        }
        let mut retry = None;
        if plan.settings.race.is_none() {
            retry = Retry::begin(path, plan, shard, &failed)?;
        } else if let Some(first) = failed.first() {
            runs.ledger.truncate(runs.ledger.place(*first).expect("a failed run is listed"));
        }
        let is_unchanged = manifest.is_none() && failed.is_empty() && runs.len() == runs.planned;
        // A shard of a race reaches the end that it has lost in several rounds.
        let ends_checksums = is_part_of_race || !has_lost_end && !is_unchanged;
        let mut done: BTreeSet<u64> = runs.ledger.runs().iter().copied().collect();
        let mut again = failed.len() as u64;
        if let Some(retry) = &retry {
            done.retain(|run| !retry.left().contains(run));
            again = retry.left().len() as u64;
        }
        let files = Some(AppendedFiles::open(path, plan, claim)?);
        let changes = Some(Changes { shard, runs, manifest, ends_checksums });
        Ok(Self { path: path.to_owned(), identity: identity_of(path), done, files, retry, again, changes })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The complete runs.
    pub fn done(&self) -> &BTreeSet<u64> {
        &self.done
    }

    /// How many failed runs are tried again.
    pub fn tries_again(&self) -> u64 {
        self.again
    }

    /// Checks the complete runs as [`validate`](super::validate) does but for replays, cuts what is left of others, and
    /// writes the exact facts of the puzzles. Before this, resuming has changed nothing that a reader uses.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for what does not hold and cannot be mended, [`ResultsError::Io`].
    pub fn prepare(&mut self, plan: &Plan, runner: &Runner<'_>) -> Result<(), ResultsError> {
        let facts = csv_text(PuzzleRow::all(plan, runner), true);
        if let Some(changes) = self.changes.take() {
            // A crash may leave zeros, or nothing.
            let known = fs::read(self.path.join(FACTS)).unwrap_or_default();
            if known != facts && known.iter().any(|byte| *byte != 0) {
                let problem = "the facts of the puzzles differ".to_owned();
                return Err(ResultsError::damaged(&self.path.join(FACTS), problem));
            }
            check_claims(&self.path, plan, changes.shard, runner, &changes.runs)?;
            if let Some(retry) = &self.retry {
                check_claims(&retry.inside(), plan, changes.shard, runner, retry.tried())?;
            }
            self.apply(changes, plan)?;
        }
        files::write_whole(&self.path, FACTS, &facts)
    }

    fn apply(&mut self, changes: Changes, plan: &Plan) -> Result<(), ResultsError> {
        let Changes { runs, manifest, ends_checksums, .. } = changes;
        if ends_checksums {
            files::remove(&self.path, CHECKSUMS)?;
        }
        remove_drafts(&self.path).map_err(ResultsError::io("clean up", &self.path))?;
        let mut files =
            self.files.take().expect("a folder is prepared before its files are handed to a sink");
        files.cut(&self.path, &runs)?;
        // A program that was killed had tried all of them.
        if let Some(retry) = self.retry.take_if(|retry| retry.left().is_empty()) {
            files = retry.replace(files, plan)?;
        }
        if self.retry.is_none() {
            // A failed run that is made again because a crash has lost its rows was tried there in vain.
            remove_folder(&self.path.join(RETRY))?;
        }
        self.files = Some(files);
        match manifest {
            Some(manifest) => files::write_whole(&self.path, MANIFEST, manifest.as_bytes()),
            None => Ok(()),
        }
    }

    /// The sink for further runs, which takes the open files.
    ///
    /// # Panics
    /// When called twice, or before [`prepare`](Self::prepare) of a folder that is resumed.
    pub fn sink<'a>(&mut self, plan: &'a Plan) -> FolderSink<'a> {
        assert!(self.changes.is_none(), "the folder was not prepared");
        let files = self.files.take().expect("the folder's files were handed to a sink");
        FolderSink::with_retry(plan, files, self.retry.take())
    }

    /// Refuses a folder that was put in the place of the one that the runs were written to.
    ///
    /// # Errors
    /// [`ResultsError::Replaced`].
    pub(super) fn check_place(&self) -> Result<(), ResultsError> {
        if self.identity == identity_of(&self.path) {
            return Ok(());
        }
        Err(ResultsError::Replaced { path: self.path.clone() })
    }

    /// Checks the claims of all runs, if a part of them was there before: the later runs may show what the earlier ones lack.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`] for a claim that does not hold, [`ResultsError::Io`].
    pub(super) fn check_resumed(
        &self,
        plan: &Plan,
        shard: Shard,
        runner: &Runner<'_>,
    ) -> Result<(), ResultsError> {
        if self.done.is_empty() {
            return Ok(());
        }
        let runs = recover(&self.path, plan, shard, Proof::Sizes)?;
        // Those before have been checked.
        if runs.len() == self.done.len() as u64 {
            return Ok(());
        }
        check_claims(&self.path, plan, shard, runner, &runs)
    }

    /// Writes the checksums, once all runs are complete. Those of an experiment that had ended and lost its end stay, and have to
    /// hold again.
    ///
    /// # Errors
    /// [`ResultsError::Edited`] for an experiment that had ended with other bytes, [`ResultsError::Io`].
    pub fn finish(&self) -> Result<(), ResultsError> {
        if !has_checksums(&self.path) {
            return files::write_whole(&self.path, CHECKSUMS, checksums(&self.path)?.as_bytes());
        }
        match all_differences(&self.path)?.first() {
            Some(edited) => Err(edited.refusal(&self.path)),
            None => Ok(()),
        }
    }

    /// The columns of `runs.csv`; none before it has any.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn run_columns(path: &Path) -> Result<Vec<String>, ResultsError> {
        let text = files::read(path, RUNS)?;
        let header = text.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok(columns(header).iter().map(str::to_owned).collect())
    }

    /// The exact facts of the puzzles.
    ///
    /// # Errors
    /// [`ResultsError::Damaged`], [`ResultsError::Io`].
    pub fn facts(path: &Path) -> Result<Vec<PuzzleRow>, ResultsError> {
        let rows = read_rows::<PuzzleRow>(&path.join(FACTS), &files::read(path, FACTS)?)?;
        Ok(rows.into_iter().map(|numbered| numbered.row).collect())
    }
}

/// The manifest of a folder of a plan, if it is not the one that is there.
///
/// # Errors
/// [`ResultsError::NoResults`], [`ResultsError::OtherVersion`], [`ResultsError::OtherConfig`] naming the key.
fn new_manifest(path: &Path, plan: &Plan, shard: Shard) -> Result<Option<String>, ResultsError> {
    let no_results = || ResultsError::NoResults { path: path.to_owned() };
    let text = fs::read_to_string(path.join(MANIFEST)).map_err(|_| no_results())?;
    let (was, is) = (Manifest::parse(&text).ok_or_else(no_results)?, Manifest::new(plan, shard));
    if let Some(difference) = was.difference(&is) {
        return Err(ResultsError::OtherConfig { path: path.to_owned(), difference });
    }
    Ok(Some(is.text()).filter(|manifest| *manifest != text))
}

/// The runs that a folder keeps when it is resumed.
struct KeptRuns {
    runs: CompleteRuns,
    /// A crash has taken the end of an experiment that had ended: it is made again, and the checksums judge it.
    has_lost_end: bool,
}

/// The runs that a folder keeps, which are more replicates than before if it `is_extended`.
///
/// # Errors
/// [`ResultsError::Edited`], [`ResultsError::Gap`], [`ResultsError::Damaged`], [`ResultsError::Io`].
fn kept_runs(path: &Path, plan: &Plan, shard: Shard, is_extended: bool) -> Result<KeptRuns, ResultsError> {
    let edited = all_differences(path)?.into_iter().next();
    let runs = recover(path, plan, shard, Proof::Rows)?;
    let checked = runs.check(path);
    let lacks_end = checked.is_ok() && runs.len() < runs.planned && !is_extended;
    if let Some(edited) = &edited
        && !lacks_end
    {
        return Err(edited.refusal(path));
    }
    checked?;
    let has_lost_end = edited.is_some();
    if let Some(longer) = runs.longer.filter(|_| !has_lost_end && has_checksums(path)) {
        return Err(ResultsError::damaged(&path.join(longer), BEHIND.to_owned()));
    }
    Ok(KeptRuns { runs, has_lost_end })
}

/// The complete runs that failed.
fn failed_runs(path: &Path, plan: &Plan, runs: &CompleteRuns) -> Result<BTreeSet<u64>, ResultsError> {
    let mut failed = BTreeSet::new();
    if plan.can_fail() && runs.len() > 0 {
        let file = run_file(RUNS).expect("every folder has it").row_file(plan);
        let mut reader = runs.reader(path, &file, 1)?;
        reader.each(|row: RunRow| {
            if row.has_failed() {
                failed.insert(row.run);
            }
            Ok::<(), ResultsError>(())
        })?;
    }
    Ok(failed)
}

/// The device and the number of a folder, where the system tells them.
#[cfg(unix)]
fn identity_of(path: &Path) -> Option<[u64; 2]> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| [metadata.dev(), metadata.ino()])
}

#[cfg(not(unix))]
fn identity_of(_path: &Path) -> Option<[u64; 2]> {
    None
}

/// Whether the folder is empty, or holds only what a program writes before the manifest.
fn is_unbegun(path: &Path, plan: &Plan) -> Result<bool, ResultsError> {
    for entry in fs::read_dir(path).map_err(ResultsError::io("read", path))? {
        let name = entry.map_err(ResultsError::io("read", path))?.file_name();
        let is_expected = match name.to_str() {
            Some(PUZZLES) => is_text(path, PUZZLES, &files::puzzle_lines(&plan.puzzles)),
            Some(SETTINGS) => is_text(path, SETTINGS, &plan.settings.lines()),
            Some(LEDGER) => fs::metadata(path.join(LEDGER)).is_ok_and(|ledger| ledger.len() == 0),
            Some(name) => is_draft(name),
            None => false,
        };
        if !is_expected {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_text(folder: &Path, name: &str, text: &str) -> bool {
    files::read(folder, name).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// Refuses a folder of other puzzles or settings than the plan's, or whose settings do not follow from its sweep.
fn check_inputs(path: &Path, plan: &Plan) -> Result<(), ResultsError> {
    if files::read(path, PUZZLES)? != files::puzzle_lines(&plan.puzzles).as_bytes() {
        return Err(ResultsError::OtherInput { path: path.to_owned(), what: "puzzles", file: PUZZLES });
    }
    let has_settings = plan.settings.sweep.is_some();
    if has_settings && files::read(path, SETTINGS)? != plan.settings.lines().as_bytes() {
        return Err(ResultsError::OtherInput { path: path.to_owned(), what: "settings", file: SETTINGS });
    }
    if has_settings && let Some(problem) = read_plan(path)?.0.settings.contradiction() {
        return Err(ResultsError::damaged(&path.join(SETTINGS), problem));
    }
    Ok(())
}
