//! `kenga convert`.

use super::exit::{CommandResult, Exit};

/// Write a puzzle in another format
#[derive(clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> CommandResult {
    Ok(Exit::Done)
}
