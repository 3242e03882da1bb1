//! Validation of a tuning: every claim of its folder checked again.
//!
//! The tuning is repeated from the recorded runs, as when it is resumed: each of them must be the one that is due, within the
//! budget, and all other files must say what follows from them. Some or all of the runs are then made again. The folders of
//! the validation on held-out puzzles are those of experiments, and are checked as such.

mod audit;
mod held_out;
mod replay;
mod snapshot;

use std::path::Path;
use std::sync::Arc;

use super::manifest::{CHECKSUMMED, HELD_OUT, checksums};
use super::run_log::BrokenLine;
use super::{
    AblationStep, Candidate, Cost, Decision, LocalRunner, Options, TuneError, TuneRun, Tuned, Tuner,
};
use crate::experiment::{CappedRuns, Space, Watch};
use crate::results::{
    BEHIND, CHECKSUMS, Difference, Finding, FindingKind, LEDGER, MANIFEST, PUZZLES, RUNS, Replay,
    ResultsError, UnusedCause, Validation, differences_among, puzzle_lines, read_file, wrong_solutions,
};
use audit::{Audit, IdleRunner};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::algorithms::Programs;
use snapshot::{CONFIGS, DERIVED, TuningSnapshot};

/// What was found of a tuning.
#[derive(Clone, Debug, Default)]
pub struct TuneValidation {
    /// The findings, and what was checked of the runs of tuning and of its validation together.
    pub all: Validation,
    /// Candidates that follow from the runs.
    pub candidates: u64,
    /// Decisions that follow from them.
    pub decisions: u64,
    /// Calls of the runs of tuning.
    pub used: u64,
    /// The budget.
    pub budget: u64,
    /// Some run can be solved.
    pub can_solve: bool,
    /// All runs of tuning have been made.
    pub is_complete: bool,
}

/// The kind of check that a folder is put to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Its claims are to hold.
    Validate,
    /// This program has claimed it to go on: ends that a crash has lost are made again.
    Resume,
}

/// How runs are made again.
#[derive(Clone, Copy)]
struct Replaying<'a> {
    purpose: Purpose,
    replay: Replay,
    jobs: usize,
    /// Where programs are started; without, none is.
    programs: Option<&'a Arc<Programs>>,
    watch: &'a dyn Watch,
    interrupt: &'a Interrupt,
}

/// Checks the folder of a tuning. Without `programs` no run of a program is made again: a folder could name any program.
///
/// # Errors
/// [`ResultsError`] when a file is missing or cannot be read; a claim that does not hold is a [`Finding`].
pub fn validate(
    folder: &Path,
    replay: Replay,
    jobs: usize,
    programs: Option<Arc<Programs>>,
    watch: &dyn Watch,
    interrupt: &Interrupt,
) -> Result<TuneValidation, ResultsError> {
    let programs = programs.as_ref();
    let purpose = Purpose::Validate;
    Ok(check_folder(folder, Replaying { purpose, replay, jobs, programs, watch, interrupt })?.found)
}

/// A tuning repeated from its recorded runs, up to the first that is not the one that is due.
#[derive(Default)]
pub(super) struct CheckedTuning {
    /// What does not hold.
    pub(super) found: TuneValidation,
    /// The lines of `ledger.csv`.
    pub(super) listed: u64,
    /// The runs up to there.
    pub(super) runs: Vec<TuneRun>,
    /// What follows from these runs.
    pub(super) candidates: Vec<Candidate>,
    pub(super) decisions: Vec<Decision>,
    pub(super) ablation: Vec<AblationStep>,
}

/// Checks the folder of a tuning without making a run.
///
/// # Errors
/// Those of [`validate`].
pub(super) fn check_without_replay(folder: &Path, jobs: usize) -> Result<CheckedTuning, ResultsError> {
    check_for(Purpose::Validate, folder, jobs)
}

/// Refuses the folder of a tuning, which this program has claimed, if a claim does not hold that no run has to be made for.
///
/// # Errors
/// [`ResultsError::Damaged`] for the first of them, and those of [`validate`].
pub(super) fn refuse_what_does_not_hold(folder: &Path, jobs: usize) -> Result<(), ResultsError> {
    let findings = check_for(Purpose::Resume, folder, jobs)?.found.all.findings;
    let Some(Finding { file, line, problem, .. }) = findings.into_iter().next() else { return Ok(()) };
    let at = if line > 0 { format!(", line {line}") } else { String::new() };
    Err(ResultsError::Damaged { path: folder.join(&*file), at, problem })
}

fn check_for(purpose: Purpose, folder: &Path, jobs: usize) -> Result<CheckedTuning, ResultsError> {
    let (replay, interrupt) = (Replay::Some(0), &Interrupt::default());
    check_folder(folder, Replaying { purpose, replay, jobs, programs: None, watch: &(), interrupt })
}

fn check_folder(folder: &Path, replaying: Replaying<'_>) -> Result<CheckedTuning, ResultsError> {
    let Replaying { jobs, interrupt, programs, .. } = replaying;
    let mut files = TuningSnapshot::read(folder, replaying.purpose)?;
    let (space, options) = files.manifest.space_and_options(folder)?;
    let mut exact = space.default().exact;
    if replaying.replay == Replay::Some(0) {
        // Only runs ask for the solutions, and looking for them may take minutes.
        exact.nodes = 0;
    }
    let ready = CappedRuns::prepare(files.manifest.puzzles.clone(), &exact, jobs, interrupt);
    let ready = ready.with_programs(programs.cloned().unwrap_or_default());
    let mut runs = std::mem::take(&mut files.recorded.runs);
    let mut check =
        Check { folder, files: &files, purpose: replaying.purpose, found: TuneValidation::default() };
    check.found.budget = options.budget;
    check.found.can_solve = options.can_solve;
    check.found.all.checksums = files.has_ended;
    if interrupt.is_raised() {
        return Ok(CheckedTuning { found: check.found, ..CheckedTuning::default() });
    }
    check.inputs()?;
    check.checksums()?;
    check.ledger();
    check.plausible(&runs, &space, &options);
    let mut idle = IdleRunner { local: LocalRunner { runs: ready, jobs, interrupt } };
    let mut audit = Audit::new(&runs, files.runs_before);
    let tuned = check.repeat(&space, &options, &mut idle, &mut audit)?;
    match &files.recorded.broken {
        Some(BrokenLine { file, number, problem }) => check.refute(file, *number, problem.clone()),
        None => check.derived(&audit, tuned.as_ref()),
    }
    check.configs(&space, tuned.as_ref());
    runs.truncate(audit.taken);
    let compares_costs = options.cost == Cost::Reported;
    check.replay(&runs, &audit.candidates, compares_costs, &mut idle, replaying);
    check.held_out(&space, tuned.as_ref(), replaying)?;
    let Audit { candidates, decisions, ablation, .. } = audit;
    let (found, listed) = (check.found, files.recorded.complete.listed);
    Ok(CheckedTuning { found, listed, runs, candidates, decisions, ablation })
}

struct Check<'a> {
    folder: &'a Path,
    files: &'a TuningSnapshot,
    purpose: Purpose,
    found: TuneValidation,
}

impl Check<'_> {
    fn refute(&mut self, file: &'static str, line: u64, problem: String) {
        self.found.all.findings.push(Finding {
            kind: FindingKind::Refuted,
            file: file.into(),
            line,
            problem,
        });
    }

    /// Compares a file with what kenga writes.
    fn compare(&mut self, file: &'static str, was: &[u8], is: &[u8]) {
        if let Some(line) = other_line(was, is) {
            self.refute(file, line, "kenga writes this line differently".to_owned());
        }
    }

    /// Checks the manifest and the puzzles.
    fn inputs(&mut self) -> Result<(), ResultsError> {
        let manifest = &self.files.manifest;
        let whole = [
            (MANIFEST, manifest.text(None)),
            (PUZZLES, puzzle_lines(&manifest.puzzles)),
            (HELD_OUT, puzzle_lines(&manifest.held_out)),
        ];
        for (file, text) in whole {
            self.compare(file, &read_file(self.folder, file)?, text.as_bytes());
        }
        for (file, puzzles) in [(PUZZLES, &manifest.puzzles), (HELD_OUT, &manifest.held_out)] {
            for (line, problem) in wrong_solutions(puzzles) {
                self.refute(file, line, problem);
            }
        }
        // The same puzzle under another id is no held-out one.
        let tuned_on: Vec<String> = manifest.puzzles.iter().map(Puzzle::canonical_text).collect();
        for (line, puzzle) in (1..).zip(&manifest.held_out) {
            if tuned_on.contains(&puzzle.canonical_text()) {
                self.refute(HELD_OUT, line, format!("{} is tuned on", puzzle.id));
            }
        }
        Ok(())
    }

    fn checksums(&mut self) -> Result<(), ResultsError> {
        if !self.files.has_ended {
            return Ok(());
        }
        let before = self.found.all.findings.len();
        for Difference { line, file, problem } in differences_among(self.folder, &CHECKSUMMED, &CHECKSUMMED)?
        {
            self.refute(CHECKSUMS, line, format!("{file} {problem}"));
        }
        // The order of the lines is fixed too.
        if self.found.all.findings.len() == before {
            let text = checksums(self.folder)?;
            self.compare(CHECKSUMS, &read_file(self.folder, CHECKSUMS)?, text.as_bytes());
        }
        Ok(())
    }

    /// Checks that the rows of all runs are those that the ledger lists.
    fn ledger(&mut self) {
        let complete = &self.files.recorded.complete;
        if let Some(missing) = complete.missing {
            self.refute(missing, 0, "the file is missing".to_owned());
        }
        if let Some(longer) = complete.longer.filter(|_| self.files.has_ended && complete.unused.is_none()) {
            self.refute(longer, 0, BEHIND.to_owned());
        }
        let Some(unused) = &complete.unused else { return };
        let may_be_lost = match unused.cause {
            UnusedCause::Crash => true,
            // Rows may have been added since the ledger was read; and resuming makes these runs again.
            UnusedCause::LedgerEnd => self.files.is_locked,
            UnusedCause::Damage => false,
        };
        if self.files.has_ended || !may_be_lost {
            self.refute(unused.file, unused.line, unused.note());
        }
        self.found.all.unused = Some(unused.note());
    }

    /// Checks that each run is possible by itself.
    fn plausible(&mut self, runs: &[TuneRun], space: &Space, options: &Options) {
        let mut used = 0u64;
        for (line, run) in (2..).zip(runs) {
            if let Some(problem) = run.problem(space.default()) {
                self.refute(RUNS, line, format!("run {}: {problem}", run.run));
            }
            used = used.saturating_add(run.calls());
            self.found.all.solved += u64::from(run.solved);
        }
        if used > options.budget {
            let problem = format!("its runs cost {used} calls, and the budget is {}", options.budget);
            self.refute(RUNS, 0, problem);
        }
        self.found.used = used;
        self.found.all.runs += runs.len() as u64;
    }

    /// Repeats the tuning from its runs; `None` where they end before it does, or are not those that are due.
    fn repeat(
        &mut self,
        space: &Space,
        options: &Options,
        idle: &mut IdleRunner<'_>,
        audit: &mut Audit,
    ) -> Result<Option<Tuned>, ResultsError> {
        let puzzles = self.files.manifest.puzzles.len();
        let mut unwatched = |_: &_| {};
        match Tuner::new(space, options, puzzles, idle, audit, &mut unwatched).tune() {
            Ok(tuned) => {
                self.found.is_complete = true;
                Ok(Some(tuned))
            }
            // A run of the default that failed is not recorded, so that none is handed over.
            Err(TuneError::Interrupted | TuneError::DefaultFailed(_) | TuneError::OtherShards { .. }) => {
                Ok(None)
            }
            Err(TuneError::Folder(error)) => Err(error),
            Err(TuneError::Unrunnable(why)) => Err(ResultsError::damaged(&self.folder.join(MANIFEST), why)),
            Err(TuneError::UnexpectedRun { run, due }) => {
                // The run itself was handed over, and is not one of those that are checked.
                audit.taken -= 1;
                self.refute(RUNS, run + 2, format!("run {run} is not the one that is due: {due}"));
                Ok(None)
            }
        }
    }

    /// Compares the files that follow from the runs.
    fn derived(&mut self, audit: &Audit, tuned: Option<&Tuned>) {
        let is_refuted =
            self.found.all.findings.iter().any(|finding| [RUNS, LEDGER].contains(&&*finding.file));
        if tuned.is_none() && self.files.has_ended && !is_refuted {
            self.refute(RUNS, 0, "its runs end before the tuning does".to_owned());
        }
        if is_refuted && tuned.is_none() {
            // What follows from runs that do not hold says nothing of the other files.
            return;
        }
        for ((file, was), derived) in DERIVED.into_iter().zip(&self.files.derived).zip(&audit.derived) {
            let least = match (self.files.has_ended, self.may_have_lost_ends()) {
                (true, _) => derived.text.len(),
                (false, false) => derived.least,
                (false, true) => 0,
            };
            match was {
                None if least == 0 => {}
                None => self.refute(file, 0, "it is missing".to_owned()),
                Some(was) => self.follows(file, was, derived.text.as_bytes(), least),
            }
        }
        self.found.candidates = audit.derived[0].text.lines().count() as u64;
        self.found.decisions = audit.derived[1].text.lines().count() as u64 - 1;
    }

    /// Compares a file with what follows from the runs, of which it holds `least` bytes at least.
    fn follows(&mut self, file: &'static str, was: &[u8], is: &[u8], least: usize) {
        if was.len() >= least && is.starts_with(was) || self.may_have_lost_ends() && was.starts_with(is) {
            return;
        }
        let line = other_line(was, is).unwrap_or_default();
        self.refute(file, line, "it does not say what follows from the runs".to_owned());
    }

    /// Whether a crash may have lost the last runs, or the end of what follows from them: the tuning goes on and makes both again.
    pub(super) fn may_have_lost_ends(&self) -> bool {
        self.purpose == Purpose::Resume && !self.files.has_ended
    }

    /// Compares the configurations that are written at the end.
    fn configs(&mut self, space: &Space, tuned: Option<&Tuned>) {
        let manifest = &self.files.manifest;
        let best = tuned.map(|tuned| manifest.best_toml(&tuned.best().config));
        let default = tuned.map(|_| manifest.default_toml(space.default()));
        for ((file, was), is) in CONFIGS.into_iter().zip(&self.files.configs).zip([best, default]) {
            match (was, is) {
                (Some(was), Some(is)) => self.compare(file, was, is.as_bytes()),
                // Resuming makes the lost runs again, and then this file.
                (Some(_), None) if self.may_have_lost_ends() => {}
                (Some(_), None) => {
                    self.refute(file, 0, "it is there although the runs of the tuning are not".to_owned());
                }
                (None, _) if self.files.has_ended => self.refute(file, 0, "it is missing".to_owned()),
                (None, _) => {}
            }
        }
    }
}

/// The first line, from 1, in which a text differs from another; `None` where they are the same.
fn other_line(was: &[u8], is: &[u8]) -> Option<u64> {
    if was == is {
        return None;
    }
    let same = was.iter().zip(is).take_while(|(one, other)| one == other).count();
    Some(was[..same].iter().filter(|byte| **byte == b'\n').count() as u64 + 1)
}
