//! How a command ends: exit codes, and the printing of errors.

use std::fs;
use std::io::{self, IsTerminal};

use miette::{Report, miette};

use super::progress::say;
use super::terminal;
use kenga_core::budget::Interrupt;
use kenga_core::sort::sort_by;
use kenga_core::text::{printable, quoted_path};
use kenga_lab::results::{FolderKind, ResultsError};
use kenga_report::answers::Clean;
use kenga_report::wrap;

/// The answer of a command that ended without an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) enum Exit {
    /// Done; the answer, if there is one, is yes.
    #[default]
    Done,
    /// Done, and the answer is no.
    No,
    /// Something in the input was bad; the rest was done.
    BadInput,
    /// Limits ended the work before an answer.
    Undecided,
    /// A signal with this number ended the work in good order.
    Signal(usize),
}

impl Exit {
    /// [`Exit::Signal`] when the interrupt is raised, else [`Exit::Done`].
    pub(in crate::cli) fn of(interrupt: &Interrupt) -> Self {
        match interrupt.signal() {
            0 => Self::Done,
            signal => Self::Signal(signal),
        }
    }

    /// The exit code: 0, 1, 2, 3, or 128 and the signal.
    pub(in crate::cli) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::BadInput => 2,
            Self::Undecided => 3,
            Self::Signal(number) => 128 + number as u8,
        }
    }

    /// The one that speaks for both: a signal, then bad input, then undecided, then no.
    pub(in crate::cli) fn and(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::Undecided => 2,
            Self::BadInput => 3,
            Self::Signal(_) => 4,
        }
    }
}

/// What every command returns; an error exits with 2.
pub(in crate::cli) type CommandResult = Result<Exit, Report>;

/// The exit code of a command, whose error is printed; a closed pipe is no error.
pub(in crate::cli) fn finish(result: CommandResult) -> u8 {
    match result {
        Ok(exit) => exit.code(),
        Err(report) if is_closed_pipe(&report) => Exit::Done.code(),
        Err(report) => {
            print_error(&with_folders_inside(report));
            Exit::BadInput.code()
        }
    }
}

/// How many folders are named where the one that holds them was.
const NAMED: usize = 5;

/// The error of a folder that holds no results itself names those in it that do.
fn with_folders_inside(report: Report) -> Report {
    let Some(ResultsError::NoResults { path }) = report.downcast_ref() else { return report };
    let mut inside = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if FolderKind::of(&entry.path()) != FolderKind::Other {
            inside.push(entry.path());
        }
    }
    if inside.is_empty() {
        return report;
    }
    // The order of a listing is the file system's.
    sort_by(&mut inside, Ord::cmp);
    let named: Vec<String> = inside.iter().take(NAMED).map(|path| quoted_path(path)).collect();
    let rest = inside.len() - named.len();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let help = format!("name folders in it: {}{more}", named.join(", "));
    miette!(help = help, "{report}")
}

/// Prints an error to standard error, with the line and a caret where it has a place.
pub(in crate::cli) fn print_error(report: &Report) {
    say(&format!("{:?}\n", Clean::new(report, terminal::columns())));
}

/// Prints a sentence to standard error that is no error; on a terminal in lines as wide as that.
pub(in crate::cli) fn print_note(text: &str) {
    let text = printable(text);
    if io::stderr().is_terminal() {
        say(&format!("{}\n", wrap(&text, terminal::columns())));
    } else {
        say(&format!("{text}\n"));
    }
}

/// Says on standard error what a command wrote.
pub(in crate::cli) fn wrote(what: &str) {
    print_note(&format!("wrote {what}"));
}

fn is_closed_pipe(report: &Report) -> bool {
    // `kenga … | head` closes the pipe when it has seen enough.
    for error in report.chain() {
        if let Some(error) = error.downcast_ref::<io::Error>()
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_many_puzzles_two_beats_three_beats_one() {
        assert_eq!(Exit::No.and(Exit::Undecided).code(), 3);
        assert_eq!(Exit::BadInput.and(Exit::Undecided).code(), 2);
        assert_eq!(Exit::Done.and(Exit::No).code(), 1);
        assert_eq!(Exit::Done.and(Exit::Signal(2)).code(), 130);
    }
}
