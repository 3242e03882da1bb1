//! `kenga sweep status`: which shards have ended, and which are to be run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::shard_status::{ShardState, ShardStatus, Statuses};
use crate::cli::experiment::{round_words, settings_left};
use crate::cli::io::exit::{CommandResult, Exit};
use crate::cli::io::output::{TableForm, print};
use crate::cli::io::terminal;
use kenga_core::text::quoted_path;
use kenga_report::{Cell, Column, Table, TableFormat, counted, several};

/// Say which shards have ended, and which are to be run
///
/// Reads the folder that the shards share, also while they run. Exits with 1 while one is missing or has not ended. Of a
/// race it shows the round that is to be made, and exits with 1 until it is over.
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

/// The most missing shards that the table for people lists; the words behind it count all.
const LISTED: usize = 100;

pub(super) fn run(args: &Args) -> CommandResult {
    let format = args.form.format();
    let most = if format == TableFormat::Text { LISTED } else { usize::MAX };
    let all = Statuses::read(&args.dir, most)?;
    let mut text = table(&all).render(format, &terminal::view());
    if format == TableFormat::Text {
        text += &verdict(&all, &args.dir);
    }
    print(&text)?;
    Ok(if all.are_finished() { Exit::Done } else { Exit::No })
}

fn table(all: &Statuses) -> Table {
    let mut columns = vec![
        Column::words("shard", "shard"),
        Column::numbers("ended", &["ended"]),
        Column::numbers("runs", &["runs"]),
        Column::words("state", "state"),
    ];
    // Where a race is over there is no round.
    let mut round = None;
    if let Some((_, race)) = &all.race {
        columns.push(Column::numbers("round", &["round"]));
        let number = race.next().map(|_| race.round());
        round = Some(number.map_or_else(|| Cell::new("", [Value::Null]), Cell::count));
    }
    let mut table = Table::new(columns);
    for status in &all.listed {
        let runs = status.runs.map_or_else(|| Cell::new("", [Value::Null]), Cell::count);
        let state = Cell::words(status.state.name());
        let cells = [Cell::words(status.shard.to_string()), Cell::count(status.done), runs, state];
        table.push(cells.into_iter().chain(round.clone()));
    }
    table
}

/// How many there are of each state, and what is to be done.
fn verdict(all: &Statuses, shared: &Path) -> String {
    let Statuses { listed, unlisted, race } = all;
    let mut said = Vec::new();
    for state in [
        ShardState::Finished,
        ShardState::Failed,
        ShardState::Running,
        ShardState::Unfinished,
        ShardState::Missing,
    ] {
        let count = all.count(state);
        if count > 0 {
            said.push(format!("{} {}", counted(count), state.name()));
        }
    }
    let mut text = String::new();
    if *unlisted > 0 {
        text += &format!("({} more missing)\n", counted(*unlisted));
    }
    let shared = quoted_path(shared);
    if let Some((plan, race)) = race {
        text += &format!("\nRace: {}\n{}", round_words(plan, race), settings_left(plan, race));
    }
    text += &format!("\n{}: {}\n", several(listed.len() as u64 + unlisted, "shard"), said.join(", "));
    let to_run = listed.iter().find(|status| status.is_to_run());
    if let Some(ShardStatus { shard, .. }) = to_run {
        text += &format!("run them with: kenga sweep run PLAN --shard {shard} --out {shared} --resume\n");
    } else if all.are_finished() {
        text += &format!("merge them with: kenga sweep merge PLAN {shared} --out DIR\n");
    }
    text
}
