//! `kenga study`: what results show beyond a comparison, a subcommand for each question: a file with `Args` and `run`, and a
//! line in [`StudyCommand`].

mod hardness;

use clap::Subcommand;

use super::io::exit::CommandResult;

/// Study results: which features of puzzles make them hard
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga features book.jsonl -o features.csv
  kenga study hardness --features features.csv results/ga results/tabu")]
pub(super) struct Args {
    #[command(subcommand)]
    command: StudyCommand,
}

#[derive(Subcommand)]
enum StudyCommand {
    Hardness(hardness::Args),
}

pub(super) fn run(args: &Args) -> CommandResult {
    match &args.command {
        StudyCommand::Hardness(args) => hardness::run(args),
    }
}
