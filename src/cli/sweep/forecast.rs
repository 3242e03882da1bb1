//! A short pilot: what all runs of a plan cost, and how many of them show a difference of the size that matters.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use miette::Report;

use crate::cli::experiment::unrunnable;
use crate::cli::io::input::parse_share;
use crate::cli::io::progress::Counter;
use kenga_core::budget::{Clock, Interrupt};
use kenga_core::puzzle::operators::common_divisor;
use kenga_core::search::algorithms::Programs;
use kenga_lab::experiment::{Plan, RunRecord, Runner, Threads, in_order};
use kenga_report::{counted, decimal, duration, several};
use kenga_stats::{Aim, Z_95};

/// The difference that an experiment should show.
#[derive(clap::Args)]
pub(super) struct PowerArgs {
    /// The difference between two shares of solved runs that the experiment should show
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = parse_share)]
    pub(super) detect: f64,
    /// The probability of showing it
    #[arg(long, value_name = "P", default_value = "0.8", value_parser = parse_share)]
    pub(super) power: f64,
    /// Significance level, over the whole comparison
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = parse_share)]
    pub(super) alpha: f64,
}

/// What all runs cost, by those of the pilot.
pub(super) fn cost(plan: &Plan, pilot: &Pilot, jobs: usize) -> String {
    let (count, runs) = (pilot.ended.len(), plan.runs() as f64);
    if count == 0 {
        return "pilot: no run finished in 10 s; the cost is unknown\n".to_owned();
    }
    let mean = pilot.ended.iter().map(|run| run.cpu_s).sum::<f64>() / count as f64;
    let squares = pilot.ended.iter().map(|run| (run.cpu_s - mean).powi(2)).sum::<f64>();
    let mut interval = String::new();
    // One run tells nothing of the spread.
    if count > 1 {
        let error = (squares / (count - 1) as f64 / count as f64).sqrt();
        let (low, high) = ((mean - Z_95 * error).max(0.0) * runs, (mean + Z_95 * error) * runs);
        interval = format!(" ({} to {})", duration(low), duration(high));
    }
    let solved = if plan.can_be_solved() { format!(", {} solved", solved(pilot)) } else { String::new() };
    let mut text = format!(
        "pilot: {}{solved}; all runs take about {} of CPU time{interval}, {} on {}\n",
        several(count as u64, "run"),
        duration(mean * runs),
        duration(mean * runs / jobs as f64),
        several(jobs as u64, "thread"),
    );
    if pilot.cut > 0 {
        let cut = several(pilot.cut as u64, "longer run");
        text += &format!("pilot: {cut} did not finish in 10 s: all runs take more than that\n");
    }
    text
}

/// How many runs of every setting show the difference, with the correction for all pairs that `kenga compare` makes.
/// Holm's is bounded by Bonferroni's, which is that of the first pair.
pub(super) fn power(plan: &Plan, pilot: &Pilot, wanted: &PowerArgs) -> String {
    let settings = plan.settings.all.len() as u64;
    let pairs = (settings * settings.saturating_sub(1) / 2).max(1);
    let (words, base) = base(solved(pilot), pilot.ended.len());
    let shares = match other(base, wanted.detect) {
        Some(other) => format!(
            "to show {} against {} solved {}\n",
            precise_percent(base),
            precise_percent(other),
            needed(pairs, wanted, |aim| aim.pairs_for_shares(base, other, 0.0)),
        ),
        None => format!(
            "no share of solved runs differs by {} from {}: give a --detect of at most {}\n",
            precise_percent(wanted.detect),
            precise_percent(base),
            // Down: what is rounded up is out of reach too.
            decimal((base.max(1.0 - base) * 100.0).floor() / 100.0, 2),
        ),
    };
    let a12 = 0.5 + wanted.detect / 2.0;
    let faster = needed(pairs, wanted, |aim| aim.runs_for_a12(a12));
    let corrected = match pairs {
        1 => String::new(),
        _ => format!(
            "{settings} settings are {} pairs: {} / {0} for each, because `kenga compare` corrects for all of them\n",
            counted(pairs),
            precise_percent(wanted.alpha),
        ),
    };
    format!(
        "{shares}to show that one of two runs is faster in {} of cases {faster}\n{corrected}{words}; the numbers hold \
         if paired runs are uncorrelated; fewer suffice otherwise\nthe plan has {} per setting\n",
        precise_percent(a12),
        several(plan.runs() / settings, "run"),
    )
}

/// How many runs it takes, corrected for all pairs and for one alone.
fn needed(pairs: u64, wanted: &PowerArgs, runs: impl Fn(&Aim) -> Option<u64>) -> String {
    let alone = Aim { alpha: wanted.alpha, power: wanted.power };
    let each = runs(&Aim { alpha: wanted.alpha / pairs as f64, ..alone });
    let mut text = format!(
        "with {} power at {}: {} per setting",
        precise_percent(wanted.power),
        precise_percent(wanted.alpha),
        runs_or_none(each)
    );
    if pairs > 1 {
        let one = runs_or_none(runs(&alone));
        text += &format!("; {one} if a single pair, chosen before, is compared");
    }
    text
}

fn runs_or_none(runs: Option<u64>) -> String {
    runs.map_or_else(|| "no number of runs".to_owned(), |runs| several(runs, "run"))
}

/// The share of runs that are solved, over all settings, and where it is from. None and all are taken as half a run.
fn base(solved: u64, runs: usize) -> (String, f64) {
    if runs == 0 {
        return ("assuming 50 %: no pilot run finished".to_owned(), 0.5);
    }
    let (share, half) = (solved as f64 / runs as f64, 0.5 / runs as f64);
    let base = share.clamp(half, 1.0 - half);
    let pilot = format!("{solved} of {} of the pilot solved", several(runs as u64, "run"));
    if base == share {
        (format!("{}: {pilot}", precise_percent(base)), base)
    } else {
        (format!("assuming {}: {pilot}", precise_percent(base)), base)
    }
}

/// A share that differs so much, the greater one if there are two.
fn other(base: f64, difference: f64) -> Option<f64> {
    // What is beyond the ends by rounding is not.
    let mut shares = [base + difference, base - difference].into_iter();
    Some(shares.find(|share| (-1e-9..=1.0 + 1e-9).contains(share))?.clamp(0.0, 1.0))
}

fn solved(pilot: &Pilot) -> u64 {
    pilot.ended.iter().filter(|run| run.is_success()).count() as u64
}

/// A share in percent, with three digits where it takes them.
fn precise_percent(share: f64) -> String {
    let rounded: f64 = format!("{:.2e}", share * 100.0).parse().expect("a number that was written is read");
    format!("{rounded} %")
}

/// Runs of a pilot that may wait, for each thread, for an earlier one.
const AHEAD: usize = 4;

/// Seconds of wall time that a pilot may take.
const PATIENCE_S: f64 = 10.0;

/// What the runs of a pilot have shown.
pub(super) struct Pilot {
    /// Runs that ended.
    pub(super) ended: Vec<RunRecord>,
    /// Runs that the pilot had no time to end.
    pub(super) cut: usize,
}

/// Makes `count` runs, spread evenly over the plan, as long as patience lasts.
pub(super) fn pilot(
    plan: &Plan,
    count: u64,
    jobs: usize,
    programs: Arc<Programs>,
    interrupt: &Interrupt,
) -> Result<Pilot, Report> {
    let stop = Interrupt::default();
    let runner = {
        let _progress = Counter::start("solving the puzzles exactly", None);
        Runner::prepare(plan, jobs, interrupt).map_err(|error| unrunnable(&error))?
    };
    let runner = runner.with_programs(programs);
    let chosen: Vec<u64> = chosen(count.min(plan.runs()), plan.runs()).collect();
    let counter = Counter::start("pilot runs", Some(chosen.len() as u64));
    let (clock, done) = (Clock::start(), AtomicBool::new(false));
    let mut ended = Vec::with_capacity(chosen.len());
    thread::scope(|scope| {
        // Where the system starts no more threads, this one works alone, and for as long as it takes.
        let _ = thread::Builder::new().spawn_scoped(scope, || {
            while !done.load(Ordering::Relaxed) && clock.wall_s() < PATIENCE_S && !interrupt.is_raised() {
                thread::sleep(Duration::from_millis(20));
            }
            stop.raise(Interrupt::ABANDONED);
        });
        let Ok(()) = in_order(
            chosen.iter().take_while(|_| !stop.is_raised()),
            Threads { jobs, ahead: AHEAD },
            |run| runner.run_one(*run, None, &counter, &stop),
            |record| {
                ended.extend(record);
                Ok::<_, Infallible>(())
            },
        );
        done.store(true, Ordering::Relaxed);
    });
    Ok(Pilot { cut: chosen.len() - ended.len(), ended })
}

/// Some of the runs of a plan, spread over all.
fn chosen(count: u64, runs: u64) -> impl Iterator<Item = u64> {
    let step = u128::from(step(runs));
    (0..u128::from(count)).map(move |index| (index * step % u128::from(runs)) as u64)
}

/// The step from one run of a pilot to the next: about the golden section of all runs, and with no divisor in common with
/// their number, so that settings, puzzles and replicates take turns and no run comes twice.
fn step(runs: u64) -> u64 {
    let golden = (runs as f64 * 0.618_033_988_749_895) as u64;
    (golden.max(1)..).find(|step| common_divisor(*step, runs) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_other_share_is_one() {
        assert_eq!(other(0.25, 0.1), Some(0.35));
        assert_eq!(other(0.9, 0.1), Some(1.0));
        assert_eq!(other(0.95, 0.25), Some(0.7));
        assert_eq!(other(0.25, 0.9), None);
    }

    #[test]
    fn the_share_is_that_of_the_pilot_away_from_none_and_all() {
        assert_eq!(base(6, 24), ("25 %: 6 of 24 runs of the pilot solved".to_owned(), 0.25));
        assert_eq!(base(0, 20).1, 0.025);
        assert_eq!(base(20, 20).1, 0.975);
        assert_eq!(base(0, 0).1, 0.5);
        assert_eq!(base(1, 1).1, 0.5);
    }

    #[test]
    fn percentages_have_the_digits_they_take() {
        assert_eq!(
            [0.25, 1.0 / 3.0, 0.0005, 1.0].map(precise_percent),
            ["25 %", "33.3 %", "0.05 %", "100 %"]
        );
    }

    #[test]
    fn settings_take_turns_and_no_run_comes_twice() {
        for runs in [1, 2, 3, 8, 96, 1000, 4802] {
            let chosen: BTreeSet<u64> = chosen(runs, runs).collect();
            assert_eq!(chosen.len() as u64, runs);
        }
        let settings: BTreeSet<u64> = chosen(8, 96).map(|run| run % 8).collect();
        assert_eq!(settings.len(), 8);
    }
}
