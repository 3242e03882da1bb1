//! `kenga serve`: the local web server.

mod examples;

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::experiment::{existing, programs_in};
use super::io::exit::{CommandResult, Exit, print_note};
use super::io::input::whole;
use super::io::output::print;
use super::io::signals;
use examples::CONFIGURATIONS;
use kenga_serve::{Options, Server};

/// Serve pages for the browser, and an API over HTTP
///
/// What kenga does with puzzles and experiments. Prints an address with a token, and answers until Ctrl-C; experiments that it
/// runs can then be resumed. The pages at the address ask the same API. Only programs on this machine reach the server, and what starts
/// something or shows what is in DIR takes the token. Each request may use 1 MB and
/// 30 s; long requests do not delay short ones.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder with results folders, and with files of puzzles that experiments may use; it may not be there yet
    #[arg(value_name = "DIR", default_value = "results")]
    folder: PathBuf,
    /// The port to listen on; 0 for one that is free
    #[arg(long, value_name = "PORT", default_value_t = 4321, value_parser = whole(0..=65_535_u16))]
    port: u16,
    /// Listen on this address of the machine, which others may reach; all requests then take the token
    #[arg(long, aliases = ["host", "bind"], value_name = "ADDRESS", default_value_t = Options::LOCAL, value_parser = parse_address)]
    listen: IpAddr,
    /// Write nothing and start no experiments; all else is done
    #[arg(long)]
    read_only: bool,
    /// Start programs in FOLDER, those of experiments in DIR alone, where a run of them is played; whoever has the token can
    /// start them
    #[arg(long, value_name = "FOLDER", value_parser = existing)]
    programs: Option<PathBuf>,
    /// Open the address in the browser
    #[arg(long)]
    open: bool,
}

const EXAMPLES: &str = "\
Examples:
  kenga serve                          with the results folders in results
  kenga serve .                        with those here, and with puzzles here
  kenga serve --port 0 --open          at a free port, in the browser
  kenga serve results --programs study plays runs of programs in study, too
  kenga serve --listen 192.168.1.7     for others in the network
  curl -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' \\
    -d '{\"puzzle\": \"4:b_a4_a_6aa,m8s1a6s1m4a3d2\"}' \\
    http://127.0.0.1:4321/api/v1/solve

Exit code: 2 the port cannot be used; 130 or 143 after a signal.";

/// An address; the names of others are not looked up.
fn parse_address(text: &str) -> Result<IpAddr, String> {
    if text == "localhost" {
        return Ok(Options::LOCAL);
    }
    text.parse().map_err(|_| "expected an address of this machine in numbers, such as 192.168.1.7".to_owned())
}

pub(super) fn run(args: &Args) -> CommandResult {
    let Args { ref folder, port, listen: address, read_only, ref programs, open } = *args;
    let programs = programs.clone().map(|folder| programs_in(Some(folder)));
    let interrupt = signals::interrupt()?;
    let server = Server::bind(
        &Options { folder: folder.clone(), address, port, read_only, programs, examples: &CONFIGURATIONS },
        &interrupt,
    )?;
    let url = server.url();
    if !address.is_loopback() {
        print_note(
            "warning: others in the network can reach this server, and what they send and get is not encrypted",
        );
    }
    // The only line of standard output: a program that starts the server reads the address there.
    print(&format!("{url}\n"))?;
    if open && !opened(&server.ticket()?) {
        print_note("no browser could be started: open the address by hand");
    }
    server.run()?;
    Ok(Exit::Signal(interrupt.signal()))
}

/// Has the system open an address.
fn opened(url: &str) -> bool {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let quiet = Stdio::null;
    Command::new(opener).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
}
