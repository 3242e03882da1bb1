//! The `kenga` program; everything it does is in [`kenga::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    kenga::cli::main()
}
