//! `kenga report`: results as one page to look at.

use std::fs;
use std::path::{Path, PathBuf};

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::exit::{CommandResult, Exit};
use super::output::Output;
use super::sink::write_file;
use super::studied;
use crate::report::{GENERATOR, report};

/// Show results as one HTML page
///
/// What was run, with pictures of the puzzles; every setting in numbers with intervals; convergence, run-length
/// distributions, success, heat maps, the importance of parameters, and what stays violated. The page holds all that it
/// shows: it loads nothing, follows the light or dark of the screen, and can be printed. Of an experiment that has not
/// ended it shows the runs that are there. The same results give the same bytes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga report results/sweep -o sweep.html
  kenga report results/ga results/tabu -o both.html --title \"Two searches\"
  kenga report results/sweep -o sweep.html --figures figures      every figure as SVG and PDF
  kenga report results/sweep -o rate.html --by algorithm.mutation.rate
  kenga report results/ga -o - | less")]
pub(super) struct Args {
    /// Folders that `kenga run` or `kenga sweep` has written
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The page to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write every figure as SVG and as PDF into this folder too
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    /// The title of the page, else the names of the folders
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Take settings with the same value of this key together; may be given again
    #[arg(long, value_name = "KEY")]
    by: Vec<String>,
}

/// A folder that cannot be made.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot make the folder {path}", path = path.display())]
#[diagnostic(help("check its path and permissions"))]
struct NoFolder {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let (study, by) = studied::read(&args.dirs, &args.by)?;
    let made = report(&study, &by, args.title.as_deref()).ok_or_else(|| studied::no_runs(&args.dirs))?;
    if let Some(folder) = &args.figures {
        make_folder(folder)?;
        for figure in &made.figures {
            write_file(&folder.join(&figure.name), &figure.bytes, Some(GENERATOR))?;
        }
    }
    if args.output == Path::new("-") {
        let mut output = Output::lock();
        output.write(&made.page)?;
        output.flush()?;
    } else {
        write_file(&args.output, &made.page, Some("name=\"generator\" content=\"kenga "))?;
    }
    Ok(Exit::Done)
}

fn make_folder(path: &Path) -> Result<(), Report> {
    fs::create_dir_all(path).map_err(|source| NoFolder { path: path.to_owned(), source }.into())
}
