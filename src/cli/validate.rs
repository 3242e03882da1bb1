//! `kenga validate`: every claim in a results folder checked again.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::experiment::{existing, programs_in};
use super::io::exit::{CommandResult, Exit};
use super::io::input::{read_whole, resume};
use super::io::output::print;
use super::io::progress::{self, Counter};
use super::io::terminal;
use kenga_lab::experiment::cores;
use kenga_lab::results::{Finding, FindingKind, Replay, Validation, validate};
use kenga_report::{counted, several, wrap};

/// Check every claim in a results folder
///
/// Compares checksums; recomputes solved, verified, best_fitness and distance from every grid; checks rows against the
/// convergence; and replays some runs, comparing byte by byte. Exits with 1 when a claim does not hold, and with 3 when
/// another program is writing the folder.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga validate results/ga
  kenga validate results/ga --replay all      replay every run
  kenga validate results/own --programs examples/programs
  kenga validate results/ga --replay 0        only what needs no search")]
pub(super) struct Args {
    /// A folder that `kenga run` has written
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
    let interrupt = progress::interrupt()?;
    let found = {
        let counter = Counter::start("checking; runs replayed", None);
        validate(
            &args.dir,
            args.replay,
            cores(),
            args.programs.clone().map(|folder| programs_in(Some(folder))),
            &counter,
            &interrupt,
        )?
    };
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let words = || wrap(&describe(&found, &args.dir), terminal::columns());
    let done = print(&if args.json { as_json(&found) } else { words() })?;
    Ok(match (found.is_being_written, found.findings.is_empty()) {
        (true, _) => Exit::Undecided,
        (false, true) => done,
        (false, false) => Exit::No,
    })
}

fn describe(found: &Validation, dir: &Path) -> String {
    if found.is_being_written {
        let dir = dir.display();
        return format!(
            "{dir} is being written: what was read is of different moments. Validate it again when the program has ended.\n"
        );
    }
    let mut text = String::new();
    for Finding { kind, file, line, problem } in &found.findings {
        let place = if *line > 0 { format!("{file}, line {line}") } else { (*file).to_owned() };
        text += &format!("{}: {place}: {problem}\n", kind.name());
    }
    text += &format!(
        "{} checked, {} solved; {} of convergence; {} replayed",
        several(found.runs, "run"),
        counted(found.solved),
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
    if found.not_replayable > 0 {
        text += &format!(
            "{} stopped by the time limit and cannot be replayed\n",
            several(found.not_replayable, "run")
        );
    }
    if found.not_started > 0 {
        text += &format!(
            "{} of programs not replayed: kenga starts them with --programs DIR\n",
            several(found.not_started, "run")
        );
    }
    if found.failed > 0 {
        text += &format!("{} failed and cannot be replayed\n", several(found.failed, "run"));
    }
    let refuted = found.findings.iter().filter(|finding| finding.kind == FindingKind::Refuted).count();
    text += match (refuted, found.findings.len()) {
        (0, 0) => "every claim holds\n",
        (0, _) => "no claim is refuted, but the program of some runs does not follow its seed\n",
        _ => "some claims do not hold\n",
    };
    text
}

fn as_json(found: &Validation) -> String {
    let finding = |Finding { kind, file, line, problem }: &Finding| json!({ "kind": kind.name(), "file": file, "line": line, "problem": problem });
    let object = json!({
        "holds": (!found.is_being_written).then_some(found.findings.is_empty()),
        "being_written": found.is_being_written,
        "findings": found.findings.iter().map(finding).collect::<Vec<_>>(),
        "runs": found.runs,
        "solved": found.solved,
        "convergence_rows": found.samples,
        "migrations": found.migrations,
        "replayed": found.replayed,
        "not_replayable": found.not_replayable,
        "failed": found.failed,
        "not_started": found.not_started,
        "missing": found.missing,
        "checksums": found.checksums,
    });
    format!("{object}\n")
}
