//! `kenga validate`: every claim in a results folder checked again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::experiment::{existing, programs_in};
use super::io::exit::{CommandResult, Exit};
use super::io::input::{read_whole, resume};
use super::io::output::print;
use super::io::progress::Counter;
use super::io::signals;
use super::io::terminal;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::cores;
use kenga_lab::results::{Finding, FindingKind, FolderKind, Replay, Validation, validate};
use kenga_lab::tune::{self, TuneValidation};
use kenga_report::{counted, several, wrap};

/// Check every claim in a results folder
///
/// Compares checksums; recomputes solved, verified, best_fitness and distance from every grid; checks rows against the
/// convergence; and replays some runs, comparing byte by byte. Of a tuning, repeats every decision from the recorded
/// runs, within the budget, and checks its results on held-out puzzles. Exits with 1 when a claim does not hold, and
/// with 3 when another program is writing the folder.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga validate results/ga
  kenga validate results/ga --replay all      replay every run
  kenga validate results/program --programs .    programs beside the folder
  kenga validate results/tune --replay 20     a tuning, and 20 runs of each part
  kenga validate results/ga --replay 0        only what needs no search")]
pub(super) struct Args {
    /// A folder that `kenga run`, `kenga sweep` or `kenga tune` has written
    dir: PathBuf,
    /// How many runs to replay, spread evenly, or `all`
    #[arg(long, value_name = "K|all", default_value = "3", value_parser = parse_replay)]
    replay: Replay,
    /// Replay runs of programs too, which are started in DIR: a folder can name any program
    #[arg(long, value_name = "DIR", value_parser = existing)]
    programs: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn parse_replay(text: &str) -> Result<Replay, String> {
    match text {
        "all" => Ok(Replay::All),
        number => {
            read_whole(number).map(Replay::Some).ok_or_else(|| "expected a whole number, or `all`".to_owned())
        }
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    let interrupt = signals::interrupt()?;
    let counter = Counter::start("checking; runs replayed", None);
    let (dir, replay, jobs) = (&args.dir, args.replay, cores());
    let programs = args.programs.clone().map(|folder| programs_in(Some(folder)));
    let found = match FolderKind::of(dir) {
        FolderKind::Tuning => {
            tune::validate(dir, replay, jobs, programs, &counter, &interrupt).map(FolderFindings::Tuning)
        }
        FolderKind::Experiment | FolderKind::Other => {
            validate(dir, replay, jobs, programs, &counter, &interrupt).map(FolderFindings::Experiment)
        }
    };
    drop(counter);
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let found = found?;
    let text = if args.json { found.json() } else { wrap(&found.describe(&args.dir), terminal::columns()) };
    let done = print(&text)?;
    // The folder was being written: what was read at different moments may disagree without being wrong.
    Ok(match (found.all().is_being_written, found.all().findings.is_empty()) {
        (true, _) => Exit::Undecided,
        (false, true) => done,
        (false, false) => Exit::No,
    })
}

/// What was found of a folder, by its kind.
enum FolderFindings {
    Experiment(Validation),
    Tuning(TuneValidation),
}

impl FolderFindings {
    fn all(&self) -> &Validation {
        match self {
            Self::Experiment(all) => all,
            Self::Tuning(found) => &found.all,
        }
    }

    fn describe(&self, dir: &Path) -> String {
        match self {
            Self::Experiment(all) => describe(all, dir),
            Self::Tuning(found) => describe_tuning(found, dir),
        }
    }

    fn json(&self) -> String {
        let mut object = as_json(self.all());
        if let Self::Tuning(found) = self {
            object["candidates"] = json!(found.candidates);
            object["decisions"] = json!(found.decisions);
            object["used"] = json!(found.used);
            object["budget"] = json!(found.budget);
            object["complete"] = json!(found.is_complete);
        }
        format!("{object}\n")
    }
}

/// What is said of a folder that a program writes again and again while it is read.
fn being_written(dir: &Path) -> String {
    let dir = dir.display();
    format!(
        "{dir} is being written: what was read is of different moments. Validate it again when the program has ended.\n"
    )
}

fn describe_tuning(found: &TuneValidation, dir: &Path) -> String {
    let all = &found.all;
    if all.is_being_written {
        return being_written(dir);
    }
    let mut text = findings(all);
    text += &format!(
        "{} checked{}; {} and {} follow from them\n{} of {} calls spent; {} replayed",
        several(all.runs, "run"),
        if found.can_solve { format!(", {} solved", counted(all.solved)) } else { String::new() },
        several(found.candidates, "candidate"),
        several(found.decisions, "decision"),
        counted(found.used),
        counted(found.budget),
        several(all.replayed, "run"),
    );
    if all.checksums {
        text += "; checksums compared\n";
    } else {
        let folder = quoted_path(dir);
        text += &format!("\nthe tuning has not ended: continue it with\n  kenga tune --resume {folder}\n");
    }
    text += &of_programs(all);
    text += if all.findings.is_empty() { "every claim holds\n" } else { "some claims do not hold\n" };
    text
}

/// What is said of runs of programs that were not replayed.
fn of_programs(found: &Validation) -> String {
    let mut text = String::new();
    if found.not_started > 0 {
        text += &format!(
            "{} of programs not replayed: kenga starts them with --programs DIR\n",
            several(found.not_started, "run")
        );
    }
    if found.failed > 0 {
        text += &format!("{} failed and cannot be replayed\n", several(found.failed, "run"));
    }
    text
}

/// A line a finding.
fn findings(found: &Validation) -> String {
    let mut text = String::new();
    for finding in &found.findings {
        text += &format!("{finding}\n");
    }
    text
}

fn describe(found: &Validation, dir: &Path) -> String {
    if found.is_being_written {
        return being_written(dir);
    }
    let mut text = findings(found);
    text += &format!(
        "{} checked{}; {} of convergence; {} replayed",
        several(found.runs, "run"),
        if found.can_solve { format!(", {} solved", counted(found.solved)) } else { String::new() },
        several(found.samples, "row"),
        several(found.replayed, "run"),
    );
    text += match (found.checksums, found.missing) {
        (true, _) => "; checksums compared\n",
        (false, 0) => "; no checksums to compare\n",
        (false, _) => "; no checksums: the experiment has not ended\n",
    };
    if !found.checksums && found.missing == 0 {
        text +=
            &format!("every run is there, but checksums.txt is missing: write it with\n  {}\n", resume(dir));
    }
    if found.missing > 0 {
        text += &format!("{} missing: run them with\n  {}\n", several(found.missing, "run"), resume(dir));
    }
    if let Some(unused) = &found.unused
        && found.findings.is_empty()
    {
        text += &format!("{unused}: `kenga run --resume` makes these runs again\n");
    }
    if found.not_replayable > 0 {
        text += &format!(
            "{} stopped by the time limit and cannot be replayed\n",
            several(found.not_replayable, "run")
        );
    }
    text += &of_programs(found);
    let refuted = found.findings.iter().filter(|finding| finding.kind == FindingKind::Refuted).count();
    text += match (refuted, found.findings.len()) {
        (0, 0) if found.runs == 0 => "no run is complete, so that no claim was checked\n",
        (0, 0) if found.unused.is_some() => "every claim of these runs holds\n",
        (0, 0) => "every claim holds\n",
        (0, _) if found.changed > 0 && found.unsteady == 0 => {
            "no claim is refuted, but the program of some runs has changed since: it gives other results now\n"
        }
        (0, _) => "no claim is refuted, but the program of some runs does not follow its seed\n",
        _ => "some claims do not hold\n",
    };
    text
}

fn as_json(found: &Validation) -> Value {
    let finding = |Finding { kind, file, line, problem }: &Finding| json!({ "kind": kind.name(), "file": file, "line": line, "problem": problem });
    json!({
        "holds": (!found.is_being_written).then_some(found.findings.is_empty()),
        "being_written": found.is_being_written,
        "findings": found.findings.iter().map(finding).collect::<Vec<_>>(),
        "runs": found.runs,
        "solved": found.solved,
        "convergence_rows": found.samples,
        "migrations": found.migrations,
        "individuals": found.individuals,
        "replayed": found.replayed,
        "not_replayable": found.not_replayable,
        "failed": found.failed,
        "not_started": found.not_started,
        "changed": found.changed,
        "unsteady": found.unsteady,
        "missing": found.missing,
        "unused": found.unused,
        "checksums": found.checksums,
    })
}
