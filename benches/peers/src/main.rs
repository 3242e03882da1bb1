//! kenga's genetic algorithm beside those of other libraries, on one thread, in one process, in turns.

mod deap_side;
mod fitness;
mod genetic_algorithm_side;
mod instance;
mod kenga_side;
mod original;
mod peer;
mod plain;
mod table;

use std::process::ExitCode;

use deap_side::Deap;
use genetic_algorithm_side::{OriginalOperators, OwnOperators};
use instance::Instance;
use kenga_side::Kenga;
use peer::Peer;

const USAGE: &str = "usage: peers [--rounds N] [--deap PYTHON] [--tune]
  --rounds N      measures of every peer on every puzzle [5]
  --deap PYTHON   measure DEAP too, with this interpreter, as .venv/bin/python
  --tune          compare the configurations of genetic_algorithm's own operators instead";

struct Options {
    rounds: u64,
    deap: Option<String>,
    tune: bool,
}

fn main() -> ExitCode {
    let run = || {
        let options = options(std::env::args().skip(1))?;
        let instances = Instance::all()?;
        let peers = if options.tune { candidates() } else { peers(&options)? };
        table::measure_and_print(&peers, &instances, options.rounds)
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The rows of the table; the others are compared with the first.
fn peers(options: &Options) -> Result<Vec<Box<dyn Peer>>, String> {
    let mut peers: Vec<Box<dyn Peer>> = vec![
        Box::new(Kenga::new()?),
        Box::new(OwnOperators::plain()),
        Box::new(OwnOperators::default()),
        Box::new(OriginalOperators),
    ];
    if let Some(python) = &options.deap {
        peers.push(Box::new(Deap { python: python.into() }));
    }
    Ok(peers)
}

/// The rows of the table of `--tune`.
fn candidates() -> Vec<Box<dyn Peer>> {
    OwnOperators::candidates().into_iter().map(|peer| Box::new(peer) as Box<dyn Peer>).collect()
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { rounds: 5, deap: None, tune: false };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => {
                let rounds = arguments.next().and_then(|value| value.parse().ok());
                options.rounds = rounds.filter(|&rounds| rounds > 0).ok_or(USAGE)?;
            }
            "--deap" => options.deap = Some(arguments.next().ok_or(USAGE)?),
            "--tune" => options.tune = true,
            _ => return Err(USAGE.to_string()),
        }
    }
    Ok(options)
}
