//! Reading what the user names: files, or `-` for standard input.

use std::fs;
use std::io::{self, Read};

use miette::{Diagnostic, Report};
use thiserror::Error;

/// A file that cannot be read.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot read {name}")]
#[diagnostic(help("{help}"))]
struct Unreadable {
    name: String,
    help: &'static str,
    #[source]
    source: io::Error,
}

/// The bytes of a file, or of standard input for `-`, with the name that errors show.
///
/// # Errors
/// A report that names the file when it cannot be read.
pub(super) fn read_bytes(name: &str) -> Result<(String, Vec<u8>), Report> {
    if name == "-" {
        let mut bytes = Vec::new();
        let shown = "standard input".to_owned();
        return match io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok((shown, bytes)),
            Err(source) => Err(unreadable(&shown, source)),
        };
    }
    fs::read(name).map(|bytes| (name.to_owned(), bytes)).map_err(|source| unreadable(name, source))
}

fn unreadable(name: &str, source: io::Error) -> Report {
    let help = match source.kind() {
        io::ErrorKind::NotFound => "check the path; `-` reads standard input",
        io::ErrorKind::IsADirectory => "name a file, not a folder",
        _ => "check that the file can be read",
    };
    Unreadable { name: name.to_owned(), help, source }.into()
}
