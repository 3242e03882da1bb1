//! `kenga guardian`, hidden: kills the programs of an experiment whose kenga was killed.

use std::io;

use super::io::exit::{CommandResult, Exit};
use crate::search::algorithms::guard;

/// Kill what is left of programs when standard input ends; `kenga run` starts it
#[derive(clap::Args)]
#[command(hide = true)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> CommandResult {
    guard(io::stdin().lock());
    Ok(Exit::Done)
}
