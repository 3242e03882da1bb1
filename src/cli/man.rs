//! `kenga man`: the manual, one page per command.

use std::io;
use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;

use super::command_line;
use super::io::exit::CommandResult;
use super::io::output::{Overwrite, make_folder, print, write_file};
use kenga_report::several;

/// Write the manual, one page per command
///
/// The pages are kenga.1, kenga-run.1, kenga-sweep-plan.1 and so on, for man(1).
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga man ~/.local/share/man/man1        then: man kenga-run
  kenga man pages && man -l pages/kenga.1")]
pub(super) struct Args {
    /// The folder to write into, created if absent
    dir: PathBuf,
    /// Overwrite pages even if another version or program wrote them
    #[arg(long)]
    force: bool,
}

/// How a page that kenga has written begins.
const OURS: &str = ".TH kenga";

pub(super) fn run(args: &Args) -> CommandResult {
    let mut command = command_line().disable_help_subcommand(true);
    command.build();
    let pages = pages(&command);
    make_folder(&args.dir)?;
    for (name, page) in &pages {
        write_file(&args.dir.join(name), page, Overwrite::own(OURS, args.force))?;
    }
    print(&format!("{} in {}\n", several(pages.len() as u64, "page"), args.dir.display()))
}

/// The pages of a command and of those below it, with their names.
fn pages(command: &Command) -> Vec<(String, String)> {
    let own = Man::new(command.clone());
    let mut all = vec![(own.get_filename(), rendered(&own).expect("memory can be written to"))];
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        all.extend(pages(below));
    }
    all
}

fn rendered(page: &Man) -> io::Result<String> {
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
