//! Interleaved rounds, and the table of them.

use crate::instance::Instance;
use crate::peer::{Peer, Sample};

/// Measures every peer once a round, so that a machine that slows down slows all of them, and prints, a puzzle at a
/// time, rates in thousands of evaluations a CPU second and how many times faster the first peer is.
///
/// # Errors
/// A peer's sentence, when it could not run.
pub fn measure_and_print(peers: &[Box<dyn Peer>], instances: &[Instance], rounds: u64) -> Result<(), String> {
    println!("thousands of evaluations a CPU second, one thread: median (least - most) of {rounds} rounds");
    println!("first is ...x as fast as this one: median (least - most) of the ratios within each round");
    for instance in instances {
        let samples = interleaved(peers, instance, rounds)?;
        println!("\n{}", instance.name);
        for (peer, row) in peers.iter().zip(&samples) {
            println!("{}", line(peer.name(), row, &samples[0]));
        }
    }
    Ok(())
}

/// One row of samples for every peer.
fn interleaved(
    peers: &[Box<dyn Peer>],
    instance: &Instance,
    rounds: u64,
) -> Result<Vec<Vec<Sample>>, String> {
    let mut samples = vec![Vec::new(); peers.len()];
    for round in 0..rounds {
        for (peer, row) in peers.iter().zip(&mut samples) {
            row.push(peer.measure(instance, round).map_err(|error| format!("{}: {error}", peer.name()))?);
        }
    }
    Ok(samples)
}

fn line(name: &str, row: &[Sample], first: &[Sample]) -> String {
    let rates = Spread::of(row.iter().map(|sample| sample.rate() / 1e3));
    let ratios = Spread::of(row.iter().zip(first).map(|(sample, first)| first.rate() / sample.rate()));
    let evaluations = row.iter().map(|sample| sample.evaluations).sum::<u64>() / row.len() as u64;
    let rate = format!("{:.1} ({:.1} - {:.1})", rates.median, rates.least, rates.most);
    let ratio = format!("{:.2}x ({:.2} - {:.2})", ratios.median, ratios.least, ratios.most);
    format!("  {name:<54} {rate:>28} {ratio:>26}   {evaluations:>9} evaluations each")
}

/// Median and range.
struct Spread {
    median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        let last = values.len() - 1;
        let median = f64::midpoint(values[last / 2], values[values.len() / 2]);
        Self { median, least: values[0], most: values[last] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        let spread = Spread::of([4.0, 1.0, 3.0, 2.0].into_iter());
        assert_eq!((spread.median, spread.least, spread.most), (2.5, 1.0, 4.0));
        assert_eq!(Spread::of([7.0].into_iter()).median, 7.0);
    }
}
