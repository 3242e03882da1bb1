//! `kenga sweep status`: which shards have ended, and which are to be run.

use std::path::{Path, PathBuf};

use miette::Report;
use serde_json::Value;

use crate::cli::io::exit::{CommandResult, Exit};
use crate::cli::io::output::{TableForm, print};
use crate::cli::io::terminal;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::Shard;
use kenga_lab::results::{Folder, FolderProgress, shard_folder, shards_in};
use kenga_report::{Cell, Column, Table, TableFormat, several};

/// Say which shards have ended, and which are to be run
///
/// Reads the folder that the shards share, also while they run. Exits with 1 while one is missing or has not ended.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep status results/shards           a row each
  kenga sweep status results/shards --csv     for programs")]
pub(in crate::cli) struct Args {
    /// The folder of `kenga sweep run --out DIR`
    dir: PathBuf,
    #[command(flatten)]
    form: TableForm,
}

/// What is known of a shard.
struct ShardStatus {
    shard: Shard,
    done: u64,
    /// How many runs it has; 0 where its folder is missing.
    runs: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Finished,
    /// Some of its runs have failed: it tries them again when it is run again.
    Failed,
    /// A program is writing its folder.
    Running,
    Unfinished,
    Missing,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Running => "running",
            Self::Unfinished => "unfinished",
            Self::Missing => "missing",
        }
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    let mut all = Vec::new();
    for shard in shards_in(&args.dir)? {
        all.push(status_of(&args.dir, shard)?);
    }
    let format = args.form.format();
    let mut text = table(&all).render(format, &terminal::view());
    if format == TableFormat::Text {
        text += &verdict(&all, &args.dir);
    }
    print(&text)?;
    let is_whole = all.iter().all(|status| status.state == State::Finished);
    Ok(if is_whole { Exit::Done } else { Exit::No })
}

fn status_of(shared: &Path, shard: Shard) -> Result<ShardStatus, Report> {
    let path = shard_folder(shared, shard);
    if !path.exists() {
        return Ok(ShardStatus { shard, done: 0, runs: 0, state: State::Missing });
    }
    let progress = FolderProgress::read(&path)?;
    let state = if Folder::is_being_written(&path) {
        State::Running
    } else if !progress.has_ended {
        State::Unfinished
    } else if progress.tally.failed > 0 {
        State::Failed
    } else {
        State::Finished
    };
    let runs = progress.plan.share(progress.shard).count();
    Ok(ShardStatus { shard, done: progress.tally.done, runs, state })
}

fn table(all: &[ShardStatus]) -> Table {
    let mut table = Table::new([
        Column::words("shard", "shard"),
        Column::numbers("ended", &["ended"]),
        Column::numbers("runs", &["runs"]),
        Column::words("state", "state"),
    ]);
    for status in all {
        let runs = match status.state {
            State::Missing => Cell::new("", [Value::Null]),
            _ => Cell::count(status.runs),
        };
        let state = Cell::words(status.state.name());
        table.push([Cell::words(status.shard.to_string()), Cell::count(status.done), runs, state]);
    }
    table
}

/// How many there are of each state, and what is to be done.
fn verdict(all: &[ShardStatus], shared: &Path) -> String {
    let mut said = Vec::new();
    for state in [State::Finished, State::Failed, State::Running, State::Unfinished, State::Missing] {
        let count = all.iter().filter(|status| status.state == state).count() as u64;
        if count > 0 {
            said.push(format!("{count} {}", state.name()));
        }
    }
    let shared = quoted_path(shared);
    let mut text = format!("\n{}: {}\n", several(all.len() as u64, "shard"), said.join(", "));
    let to_run = all.iter().find(|status| !matches!(status.state, State::Finished | State::Running));
    if let Some(ShardStatus { shard, .. }) = to_run {
        text += &format!("run them with: kenga sweep run PLAN --shard {shard} --out {shared} --resume\n");
    } else if all.iter().all(|status| status.state == State::Finished) {
        text += &format!("merge them with: kenga sweep merge PLAN {shared} --out DIR\n");
    }
    text
}
