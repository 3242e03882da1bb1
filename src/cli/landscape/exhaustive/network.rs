//! The network of the local optima: written as GraphML, drawn, and in words.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use miette::{Report, miette};

use super::{ExhaustiveArgs, Found, display};
use crate::cli::io::exit::print_note;
use crate::cli::io::output::Destination;
use kenga_core::budget::Interrupt;
use kenga_lab::landscape::exhaustive::{Optima, Optimum, Progress};
use kenga_lab::landscape::{Network, NetworkMetrics};
use kenga_report::{self as report, counted, several};

/// The network of the local optima, with what standard error says of it; `None` where it was interrupted.
pub(super) fn find(
    args: &ExhaustiveArgs,
    found: &Found,
    interrupt: &Interrupt,
) -> Result<Option<(Network, String)>, Report> {
    let steps = Arc::new(AtomicU64::new(0));
    let _display = display(&format!("{}: the network of its optima", found.puzzle), &steps);
    let progress = Progress::new(interrupt, &steps);
    let Some(optima) = Optima::find(found.exact.surface(), &progress) else { return Ok(None) };
    let made =
        optima.network(args.ways.1, &progress).map_err(|error| miette!("{}: {error}", found.puzzle))?;
    let metrics = made.as_ref().and_then(Network::metrics);
    let words = metrics.zip(made.as_ref()).map(|(metrics, made)| network_words(made, &metrics));
    let words = format!("{}\n{}", optima_words(&optima), words.unwrap_or_default());
    Ok(made.map(|made| (made, words)))
}

/// Writes the files that are asked for.
pub(super) fn write(
    args: &ExhaustiveArgs,
    puzzle: &str,
    (network, words): &(Network, String),
    files: Vec<(&PathBuf, Destination)>,
) -> Result<(), Report> {
    words.lines().for_each(print_note);
    for (path, mut file) in files {
        let is_drawing = path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("svg"));
        let title = format!("{puzzle}: local optima, by {}", args.ways.0[0]);
        let drawing = || report::network(&network.heaviest(args.most), &title);
        file.write(if is_drawing { drawing() } else { network.graphml() })?;
        file.finish()?;
    }
    Ok(())
}

/// What the local optima are, in words.
fn optima_words(optima: &Optima<'_>) -> String {
    let all = &optima.optima;
    let of = |holds: fn(&&Optimum) -> bool| counted(all.iter().filter(holds).count() as u64);
    let best = all.iter().map(|one| one.violation).min();
    let basin = |basin: fn(&Optimum) -> f64| -> f64 {
        all.iter().filter(|one| Some(one.violation) == best).map(basin).sum::<f64>() * 100.0
    };
    format!(
        "{}, {} closed, {} strict; the best hold {:.3} % of the starts of hill climbing with the best move, {:.3} % with the \
         first",
        several(all.len() as u64, "local optimum").replace("optimums", "optima"),
        of(|one| one.is_closed),
        of(|one| one.is_strict),
        basin(|one| one.basin),
        basin(|one| one.first_basin),
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
