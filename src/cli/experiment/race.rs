//! Where a race is, in words.

use std::path::Path;

use miette::Report;

use kenga_lab::experiment::{Plan, Race, Shard};
use kenga_lab::results::{FolderRows, round_of_shard};
use kenga_report::{counted, several};

/// How many settings that are left of a race are named.
const LINES: usize = 60;

/// Remaining settings of a race and runs made; empty without a race. Of a shard, where the race of all shards is.
pub(super) fn race_text(plan: &Plan, shard: Shard, path: &Path, rows: &FolderRows) -> Result<String, Report> {
    if plan.is_part_of_race(shard) {
        let race = round_of_shard(plan, shard, path)?;
        return Ok(format!("Race: {}\n", round_words(plan, &race)));
    }
    let calls = rows.race_calls()?;
    let Some(race) = plan.race().map(|race| race.replay(&calls)) else { return Ok(String::new()) };
    Ok(format!(
        "Race: {} after {}, {} of {} made:\n{}",
        left(plan, &race),
        several(race.block(), "block"),
        counted(calls.len() as u64),
        several(plan.runs(), "run"),
        settings_left(plan, &race)
    ))
}

/// Where a race in rounds is, and how many settings are left.
pub(in crate::cli) fn round_words(plan: &Plan, race: &Race) -> String {
    let left = left(plan, race);
    if race.next().is_none() {
        return format!("over after {}, {left}", several(race.block(), "block"));
    }
    let blocks = race.blocks();
    let (first, last) = (counted(blocks.start + 1), counted(blocks.end));
    let blocks = if first == last { format!("block {first}") } else { format!("blocks {first} to {last}") };
    format!("round {}, {blocks}, {left}", counted(race.round()))
}

fn left(plan: &Plan, race: &Race) -> String {
    let all = several(plan.settings.all.len() as u64, "setting");
    format!("{} of {all} left", counted(race.left().len() as u64))
}

/// The settings that are left, the first of many, a line each.
pub(in crate::cli) fn settings_left(plan: &Plan, race: &Race) -> String {
    let mut lines = String::new();
    for setting in race.left().iter().take(LINES) {
        lines += &format!("  {}\n", plan.settings.describe(*setting));
    }
    lines
}
