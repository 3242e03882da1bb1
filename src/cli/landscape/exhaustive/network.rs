//! The network of the local optima: written as GraphML, drawn, and in words.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use miette::{Report, miette};

use super::{ExhaustiveArgs, Found, display};
use crate::cli::io::exit::print_note;
use crate::cli::io::output::Destination;
use kenga_core::budget::Interrupt;
use kenga_lab::landscape::exhaustive::{Optima, Progress};
use kenga_lab::landscape::{Network, NetworkMetrics};
use kenga_report::{self as report, counted, several};

/// The network of the local optima, and what standard error says of it.
pub(super) struct OptimaNetwork {
    network: Network,
    words: String,
}

/// Finds the network of the local optima; `None` where it was interrupted.
pub(super) fn find(
    args: &ExhaustiveArgs,
    found: &Found,
    interrupt: &Interrupt,
) -> Result<Option<OptimaNetwork>, Report> {
    let steps = Arc::new(AtomicU64::new(0));
    let _display = display(&format!("{}: the network of its optima", found.puzzle), &steps);
    let progress = Progress::new(interrupt, &steps);
    let Some(optima) = Optima::find(found.exact.surface(), &progress) else { return Ok(None) };
    let made =
        optima.network(args.ways.1, &progress).map_err(|error| miette!("{}: {error}", found.puzzle))?;
    let Some(network) = made else { return Ok(None) };
    let mut words = optima_words(&optima) + "\n";
    if let Some(metrics) = network.metrics() {
        words += &network_words(&network, &metrics);
    }
    Ok(Some(OptimaNetwork { network, words }))
}

/// Writes the files that are asked for.
pub(super) fn write(
    args: &ExhaustiveArgs,
    puzzle: &str,
    made: &OptimaNetwork,
    files: Vec<(&PathBuf, Destination)>,
) -> Result<(), Report> {
    for line in made.words.lines() {
        print_note(line);
    }
    for (path, mut file) in files {
        if path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("svg")) {
            let title = format!("{puzzle}: local optima, by {}", args.ways.0[0]);
            file.write(report::network(&made.network.heaviest(args.most), &title))?;
        } else {
            file.write(made.network.graphml())?;
        }
        file.finish()?;
    }
    Ok(())
}

/// What the local optima are, in words.
fn optima_words(optima: &Optima<'_>) -> String {
    let all = &optima.optima;
    let best = all.iter().map(|one| one.violation).min();
    let (mut closed, mut strict, mut basins, mut first_basins) = (0, 0, 0.0, 0.0);
    for one in all {
        closed += u64::from(one.is_closed);
        strict += u64::from(one.is_strict);
        if Some(one.violation) == best {
            basins += one.basin;
            first_basins += one.first_basin;
        }
    }
    format!(
        "{}, {} closed, {} strict; the best hold {:.3} % of the starts of hill climbing with the best move, {:.3} % with the \
         first",
        several(all.len() as u64, "local optimum").replace("optimums", "optima"),
        counted(closed),
        counted(strict),
        basins * 100.0,
        first_basins * 100.0,
    )
}

/// What the network is, in words.
fn network_words(network: &Network, metrics: &NetworkMetrics) -> String {
    let NetworkMetrics { funnels, funnel_share, clustering, path_length, reach, page_rank, .. } = metrics;
    format!(
        "{} edges; {} with {:.1} % of the basins in the best; clustering {clustering:.3}; path to the best {path_length:.2} from \
         {:.1} % of the optima; PageRank of the best {page_rank:.4}",
        counted(network.edges.len() as u64),
        several(*funnels as u64, "funnel"),
        funnel_share * 100.0,
        reach * 100.0,
    )
}
