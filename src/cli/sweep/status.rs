//! `kenga sweep status`: which shards have ended, and which are to be run.

use std::path::{Path, PathBuf};

use miette::Report;
use serde_json::Value;

use crate::cli::io::exit::{CommandResult, Exit, print_error};
use crate::cli::io::output::{TableForm, print};
use crate::cli::io::terminal;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::Shard;
use kenga_lab::results::{Folder, FolderProgress, ResultsError, shard_folder, shards_in};
use kenga_report::{Cell, Column, Table, TableFormat, counted, several};

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
    /// How many runs it has; unknown where its folder says nothing.
    runs: Option<u64>,
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

/// The most missing shards that the table for people lists; the words behind it count all.
const LISTED: usize = 100;

pub(super) fn run(args: &Args) -> CommandResult {
    let format = args.form.format();
    let most = if format == TableFormat::Text { LISTED } else { usize::MAX };
    let all = statuses(&args.dir, most)?;
    let mut text = table(&all.listed).render(format, &terminal::view());
    if format == TableFormat::Text {
        text += &verdict(&all, &args.dir);
    }
    print(&text)?;
    let is_whole = all.listed.iter().all(|status| status.state == State::Finished);
    Ok(if is_whole { Exit::Done } else { Exit::No })
}

/// The shards of a split, in their order.
struct Statuses {
    /// Those that are there, and the first of those that are missing.
    listed: Vec<ShardStatus>,
    /// How many are missing that are not listed.
    unlisted: u64,
}

/// What is known of every shard of the split in a folder, with at most as many rows of missing ones.
fn statuses(shared: &Path, most_missing: usize) -> Result<Statuses, Report> {
    let there = shards_in(shared)?;
    let of = there[0].of;
    let mut folders = there.iter().peekable();
    let (mut listed, mut missing) = (Vec::new(), 0);
    for index in 0..of {
        let shard = Shard { index, of };
        if folders.next_if_eq(&&shard).is_some() {
            listed.push(status_of(shared, shard));
            continue;
        }
        missing += 1;
        if missing <= most_missing {
            listed.push(ShardStatus { shard, done: 0, runs: None, state: State::Missing });
        }
    }
    let unlisted = missing.saturating_sub(most_missing) as u64;
    Ok(Statuses { listed, unlisted })
}

/// What the folder of a shard says; the error of one that cannot be read goes to standard error, as the others can be.
fn status_of(shared: &Path, shard: Shard) -> ShardStatus {
    let path = shard_folder(shared, shard);
    let is_being_written = Folder::is_being_written(&path);
    match FolderProgress::read(&path) {
        Ok(progress) => {
            let state = if is_being_written {
                State::Running
            } else if !progress.has_ended {
                State::Unfinished
            } else if progress.tally.failed > 0 {
                State::Failed
            } else {
                State::Finished
            };
            let runs = progress.plan.share(progress.shard).count();
            ShardStatus { shard, done: progress.tally.done, runs: Some(runs), state }
        }
        Err(error) => {
            // A program that was killed, or has only just begun, leaves a folder without a manifest.
            if !matches!(error, ResultsError::NoResults { .. }) {
                print_error(&error.into());
            }
            let state = if is_being_written { State::Running } else { State::Unfinished };
            ShardStatus { shard, done: 0, runs: None, state }
        }
    }
}

fn table(all: &[ShardStatus]) -> Table {
    let mut table = Table::new([
        Column::words("shard", "shard"),
        Column::numbers("ended", &["ended"]),
        Column::numbers("runs", &["runs"]),
        Column::words("state", "state"),
    ]);
    for status in all {
        let runs = status.runs.map_or_else(|| Cell::new("", [Value::Null]), Cell::count);
        let state = Cell::words(status.state.name());
        table.push([Cell::words(status.shard.to_string()), Cell::count(status.done), runs, state]);
    }
    table
}

/// How many there are of each state, and what is to be done.
fn verdict(all: &Statuses, shared: &Path) -> String {
    let Statuses { listed, unlisted } = all;
    let mut said = Vec::new();
    for state in [State::Finished, State::Failed, State::Running, State::Unfinished, State::Missing] {
        let mut count = listed.iter().filter(|status| status.state == state).count() as u64;
        if state == State::Missing {
            count += unlisted;
        }
        if count > 0 {
            said.push(format!("{} {}", counted(count), state.name()));
        }
    }
    let mut text = String::new();
    if *unlisted > 0 {
        text += &format!("({} more missing)\n", counted(*unlisted));
    }
    let shared = quoted_path(shared);
    text += &format!("\n{}: {}\n", several(listed.len() as u64 + unlisted, "shard"), said.join(", "));
    let to_run = listed.iter().find(|status| !matches!(status.state, State::Finished | State::Running));
    if let Some(ShardStatus { shard, .. }) = to_run {
        text += &format!("run them with: kenga sweep run PLAN --shard {shard} --out {shared} --resume\n");
    } else if listed.iter().all(|status| status.state == State::Finished) {
        text += &format!("merge them with: kenga sweep merge PLAN {shared} --out DIR\n");
    }
    text
}
