//! `kenga tune --shard`: the runs of a shard, round by round.

use std::path::Path;
use std::time::Duration;

use super::{Args, TuneRequest, stopped, tune, with_programs};
use crate::cli::io::exit::{CommandResult, Exit, print_note};
use crate::cli::io::output::print;
use kenga_core::text::quoted_path;
use kenga_lab::experiment::Shard;
use kenga_lab::tune::{LocalRunner, NoJournal, ShardRunner, ShardRuns, TuneError, TuneShard};
use kenga_report::several;

/// Makes the runs of a shard that are due now; where it waits for the others, all of its runs.
///
/// # Errors
/// A folder that cannot be read or written, or is one of another tuning; a default that fails.
pub(super) fn run(args: &Args, request: &TuneRequest, shard: Shard, local: LocalRunner<'_>) -> CommandResult {
    let shared = args.out.as_deref().expect("it is required");
    let interrupt = local.interrupt;
    let folder = TuneShard::open(shared, shard, &request.manifest)?;
    let recorded = ShardRuns::read(shared, &request.manifest, &request.options)?;
    let mut runner =
        ShardRunner { local, shard: folder, recorded, patience: args.wait.map(Duration::from_secs) };
    match tune(args, request, &mut runner, &mut NoJournal) {
        Ok(tuned) => {
            let runs = several(tuned.runs, "run");
            say(
                args,
                &format!(
                    "The tuning is over, after {runs}. Gather them with:\n  {}\n",
                    gather(args, request, shared)
                ),
            )
        }
        Err(TuneError::OtherShards { due, missing }) => {
            let missing = several(missing as u64, "run");
            let text = format!(
                "Shard {shard} has made its runs. This round still needs {missing} of its {due} from other shards.\nRun the same command again when they have ended.\n"
            );
            if args.quiet && args.wait.is_some() {
                // It was to go on to the end: the log of its task says why it did not.
                print_note(text.trim_end());
            }
            let done = say(args, &text)?;
            // An engine takes another exit code for a shard that failed.
            Ok(if args.require_all { Exit::Undecided } else { done })
        }
        Err(TuneError::Interrupted) => {
            print_note("Interrupted: finished runs are kept. The same command goes on.");
            Ok(Exit::Signal(interrupt.signal()))
        }
        Err(error) => Err(stopped(error, shared, "the same command")),
    }
}

fn say(args: &Args, text: &str) -> CommandResult {
    if args.quiet { Ok(Exit::Done) } else { print(text) }
}

/// The command that makes the folder of the tuning.
fn gather(args: &Args, request: &TuneRequest, shared: &Path) -> String {
    let config = quoted_path(Path::new(args.config.named().unwrap_or("FILE")));
    with_programs(args, request, format!("kenga tune {config} --shards {} --out DIR", quoted_path(shared)))
}
