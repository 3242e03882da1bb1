//! `kenga solve`.

use super::exit::{CommandResult, Exit};

/// Solve puzzles exactly
#[derive(clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> CommandResult {
    Ok(Exit::Done)
}
