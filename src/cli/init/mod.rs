//! `kenga init`: a folder to start from, with everything that its first commands need.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};
use std::path::{Path, PathBuf};

use miette::{Report, miette};

use super::io::exit::{CommandResult, wrote};
use super::io::input::one_of;
use super::io::output::{make_folder, print, refuse_existing, unwritable_file};
use super::io::progress::say;
use kenga_core::text::{joined, quoted_path};
use kenga_lab::results::OutputFile;

/// Write a small folder that works at once: an experiment, a lesson
///
/// Every line of its configuration is explained by a comment. Files that are there are never replaced without --force.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga init --for sweep               in the current folder
  kenga init first --for sweep         in a new one
  kenga init own --for program         an algorithm of your own, in Python
  kenga init class --for lesson        an hour's lesson
  kenga init book --for puzzles        puzzles to print")]
pub(super) struct Args {
    /// The folder, made if it is not there
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// What it is for; asked for on a terminal
    #[arg(long = "for", value_name = "WHAT", value_parser = one_of(STARTERS, |starter| [starter.name, starter.about]))]
    starter: Option<&'static Starter>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
}

/// What a folder can be for.
struct Starter {
    name: &'static str,
    about: &'static str,
    files: &'static [StarterFile],
    /// The two commands to run next in the folder.
    next: [&'static str; 2],
}

struct StarterFile {
    name: &'static str,
    text: &'static str,
}

/// A choice whose files stand in the folder here of its name.
macro_rules! starter {
    ($name:ident: $about:literal, [$($file:literal),*], $next:expr) => {
        Starter {
            name: stringify!($name),
            about: $about,
            files: &[$(
                StarterFile { name: $file, text: include_str!(concat!(stringify!($name), "/", $file)) },
            )*],
            next: $next,
        }
    };
}

static STARTERS: &[Starter] = &[
    starter!(
        sweep: "which mutation rate and population size are best?",
        ["sweep.toml", "puzzle.txt", "README.md"],
        ["kenga run sweep.toml", "kenga compare results/sweep --by algorithm.mutation.rate"]
    ),
    starter!(
        program: "your own algorithm in Python, beside one of kenga's",
        ["program.toml", "search.py", "puzzle.txt", "README.md"],
        ["kenga run program.toml", "kenga compare results/program --by algorithm"]
    ),
    starter!(
        lesson: "an hour's lesson about a genetic algorithm",
        ["lesson.toml", "puzzle.txt", "README.md"],
        ["kenga run lesson.toml", "kenga guide teaching"]
    ),
    starter!(
        puzzles: "puzzles to grade, print and make",
        ["book.jsonl", "genetic.toml", "README.md"],
        ["kenga grade book.jsonl", "kenga draw book.jsonl -o book.pdf --per-page 4"]
    ),
];

pub(super) fn run(args: &Args) -> CommandResult {
    let starter = match args.starter {
        Some(starter) => starter,
        None => ask()?,
    };
    write(starter, &args.dir, args.force)?;
    print(&next(starter, &args.dir))
}

/// Asks on a terminal what the folder is for.
///
/// # Errors
/// A report with the choices where nobody can be asked, or the answer is none of them.
fn ask() -> Result<&'static Starter, Report> {
    let mut choices = String::new();
    for (index, starter) in STARTERS.iter().enumerate() {
        choices += &format!("  {}  {:<9}{}\n", index + 1, starter.name, starter.about);
    }
    if !stdin().is_terminal() || !stderr().is_terminal() {
        let help = format!("one of these:\n{choices}");
        return Err(miette!(help = help, "say with --for what the folder is for"));
    }
    say(&format!("What is the folder for?\n{choices}Number or name: "));
    let _ = stderr().flush();
    let mut answer = String::new();
    // Where nothing can be read there is no answer.
    let _ = stdin().lock().read_line(&mut answer);
    let answer = answer.trim();
    for (index, starter) in STARTERS.iter().enumerate() {
        if answer == starter.name || answer == (index + 1).to_string() {
            return Ok(starter);
        }
    }
    Err(miette!(
        help = "nothing was written; ask again with `kenga init`",
        "`{answer}` is none of the choices"
    ))
}

/// Writes the files: all of them, or none.
///
/// # Errors
/// A report that names the file that is there already, or cannot be written.
fn write(starter: &Starter, dir: &Path, force: bool) -> Result<(), Report> {
    make_folder(dir)?;
    let mut drafts = Vec::new();
    for file in starter.files {
        let path = dir.join(file.name);
        refuse_existing(&path, force)?;
        let mut draft = OutputFile::create(&path).map_err(|source| unwritable_file(&path, source))?;
        draft.write_all(file.text.as_bytes()).map_err(|source| unwritable_file(&path, source))?;
        drafts.push((path, draft));
    }
    // No file appears before all are written.
    for (path, draft) in drafts {
        draft.commit(force).map_err(|source| unwritable_file(&path, source))?;
    }
    let names = joined(starter.files.iter().map(|file| file.name), ", ");
    wrote(&format!("{names} in {}", dir.display()));
    Ok(())
}

/// What to do next.
fn next(starter: &Starter, dir: &Path) -> String {
    let mut text = "Next:\n".to_owned();
    // A folder whose name is no text cannot be named in one.
    if dir != Path::new(".") && dir.to_str().is_some() {
        text += &format!("  cd {}\n", quoted_path(dir));
    }
    for command in starter.next {
        text += &format!("  {command}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use kenga_lab::experiment::ConfigDraft;

    use super::*;

    #[test]
    fn every_line_of_a_configuration_is_explained() {
        for starter in STARTERS {
            for file in starter.files.iter().filter(|file| file.name.ends_with(".toml")) {
                let lines: Vec<&str> = file.text.lines().collect();
                for line in &lines {
                    let says_something = line.contains(" = ") && !line.starts_with([' ', '#']);
                    let is_axis = line.starts_with('"') || line.starts_with("algorithm = ");
                    let is_named = line.starts_with("name = ");
                    assert!(
                        !says_something || is_axis || is_named || line.contains('#'),
                        "{}: {line}",
                        file.name
                    );
                }
            }
        }
    }

    #[test]
    fn the_lesson_is_that_of_the_documentation() {
        let settings = |text: &str| {
            let text = text.replace("../puzzles/original/4x4.txt", "puzzle.txt");
            let draft = ConfigDraft::read("lesson.toml", &text).expect("TOML");
            draft.finish().expect("a configuration").resolved
        };
        let written = settings(include_str!("lesson/lesson.toml"));
        assert_eq!(written, settings(include_str!("../../../configs/lesson.toml")));
    }
}
