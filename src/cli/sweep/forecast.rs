//! A short pilot: what all runs of a plan cost, and how many of them show a difference of the size that matters.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use miette::{Report, miette};
use serde_json::{Value, json};

use crate::cli::compare::{AskedQuestion, metrics, parse_ratio};
use crate::cli::experiment::unrunnable;
use crate::cli::io::input::parse_share;
use crate::cli::io::progress::Counter;
use kenga_core::budget::{Clock, Interrupt};
use kenga_core::puzzle::operators::common_divisor;
use kenga_core::search::algorithms::Programs;
use kenga_core::text::nearest;
use kenga_lab::experiment::{Plan, RunRecord, Runner, Threads, in_order};
use kenga_lab::study::{Metric, Smallest, key_meant, planned_names};
use kenga_report::{counted, duration, several};
use kenga_stats::{Aim, Z_95, mean};

/// The question that an experiment should answer.
#[derive(clap::Args)]
pub(super) struct PowerArgs {
    /// The smallest ratio of what a solution costs that the experiment should show
    #[arg(long, value_name = "RATIO", default_value_t = Smallest::default().ratio, value_parser = parse_ratio)]
    pub(super) smallest: f64,
    /// The probability of showing it
    #[arg(long, value_name = "P", default_value = "0.8", value_parser = parse_share)]
    pub(super) power: f64,
    /// Significance level, over the whole comparison
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = parse_share)]
    pub(super) alpha: f64,
    /// What `kenga compare --plan` will compare [default: calls; best_fitness where no run can be solved]
    #[arg(long, value_name = "METRIC", value_parser = metrics(), hide_possible_values = true)]
    pub(super) metric: Option<Metric>,
    /// The setting that it will compare all others with
    #[arg(long, value_name = "NAME")]
    pub(super) baseline: Option<String>,
    /// The swept key by whose values it will group settings; repeatable
    #[arg(long, value_name = "KEY")]
    pub(super) by: Vec<String>,
}

/// The question that a plan fixes.
pub(super) struct PlannedQuestion<'a> {
    args: &'a PowerArgs,
    /// The swept keys by which settings are joined.
    by: Vec<String>,
    /// The names of the settings that are compared.
    names: BTreeSet<String>,
}

impl<'a> PlannedQuestion<'a> {
    /// The question about the settings of a plan.
    ///
    /// # Errors
    /// A key that is not swept, or a baseline that no setting is called.
    pub(super) fn new(plan: &Plan, args: &'a PowerArgs) -> Result<Self, Report> {
        let keys = &plan.settings.keys;
        let mut by = Vec::new();
        for text in &args.by {
            let help = if keys.is_empty() {
                "without a sweep".into()
            } else {
                format!("swept: {}", keys.join(", "))
            };
            let key = key_meant(text, keys, keys);
            by.push(key.ok_or_else(|| miette!(help = help, "the plan sweeps no key `{text}`"))?.to_owned());
        }
        let names = planned_names(plan, &by);
        if let Some(baseline) = args.baseline.as_ref().filter(|name| !names.contains(*name)) {
            let near = nearest(baseline, names.iter().map(String::as_str));
            let help = format!(
                "the nearest names: {}",
                near.iter().take(5).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            );
            return Err(miette!(help = help, "no setting of the plan is named `{baseline}`"));
        }
        Ok(Self { args, by, names })
    }

    /// The question as `kenga compare --plan` reads it.
    pub(super) fn json(&self) -> Value {
        let PowerArgs { smallest, alpha, metric, baseline, .. } = self.args;
        json!(AskedQuestion {
            metric: metric.map(|metric| metric.name().to_owned()),
            baseline: baseline.clone(),
            by: self.by.clone(),
            alpha: *alpha,
            smallest: *smallest,
        })
    }
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

/// The spread of the ratio between puzzles that is assumed: the standard deviation of its logarithm.
const BETWEEN_PUZZLES: f64 = 0.5;

/// How many runs of every setting, and how many puzzles, show the smallest ratio, with the correction for all pairs that `kenga
/// compare` makes. Holm's is bounded by Bonferroni's, which is that of the first pair.
pub(super) fn power(plan: &Plan, pilot: &Pilot, question: &PlannedQuestion<'_>) -> String {
    let (wanted, settings) = (question.args, question.names.len() as u64);
    if !plan.can_be_solved() {
        return "no numbers of runs are forecast for best values, whose differences are no ratios\n"
            .to_owned();
    }
    let metric = wanted.metric.unwrap_or(Metric::Calls);
    let as_much = match metric {
        Metric::Evaluations | Metric::Moves => format!("as many {}", metric.name()),
        Metric::CpuS => "as much CPU time".to_owned(),
        _ => "as much".to_owned(),
    };
    if !metric.is_time() {
        return format!(
            "no numbers of runs are forecast for {}, whose differences are no ratios\n",
            metric.name()
        );
    }
    let pairs = if wanted.baseline.is_some() { settings - 1 } else { settings * (settings - 1) / 2 }.max(1);
    let replicates = plan.config.replicates;
    let shown = format!(
        "to show that a solution costs {} times {as_much}, with {} power at {}",
        wanted.smallest,
        precise_percent(wanted.power),
        precise_percent(wanted.alpha)
    );
    let has = format!("the plan has {} per setting on each puzzle\n", several(replicates, "run"));
    let Some(spread) = spread(pilot, metric) else {
        return format!("{shown}: unknown, because no run of the pilot solved\n{has}");
    };
    let of_ratio = |tests: u64| {
        let aim = Aim { alpha: wanted.alpha / tests as f64, power: wanted.power };
        // Two settings vary alike.
        aim.for_spread((2.0 * spread).sqrt(), wanted.smallest.ln())
    };
    let mut text = format!("{shown}: {} per setting", several(of_ratio(pairs), "run"));
    if pairs > 1 {
        text += &format!("; {} if a single pair, chosen before, is compared", several(of_ratio(1), "run"));
    }
    let aim = Aim { alpha: wanted.alpha / pairs as f64, power: wanted.power };
    let of_puzzles = BETWEEN_PUZZLES.powi(2) + 2.0 * spread / replicates as f64;
    text += &format!(
        "\nfor the next puzzle of the kind: {} with {} each, if the logarithm of the ratio varies between puzzles with a \
         standard deviation of {BETWEEN_PUZZLES}\n",
        several(aim.for_spread(of_puzzles.sqrt(), wanted.smallest.ln()), "puzzle"),
        several(replicates, "run"),
    );
    if pairs > 1 {
        let with = if wanted.baseline.is_some() { ", each against the baseline," } else { "" };
        text += &format!(
            "{settings} settings{with} are {} pairs: {} / {0} for each, because `kenga compare` corrects for all of them\n",
            counted(pairs),
            precise_percent(wanted.alpha),
        );
    }
    text + &format!(
        "{} of {} of the pilot solved; the numbers hold if runs vary as there and paired runs are uncorrelated; fewer suffice \
         otherwise\n{has}",
        solved(pilot),
        several(pilot.ended.len() as u64, "run"),
    )
}

/// The variance of the logarithm of what a solution costs that a single run of the pilot contributes; `None` without a solution.
fn spread(pilot: &Pilot, metric: Metric) -> Option<f64> {
    let (mut spent, mut share) = (Vec::new(), Vec::new());
    for run in &pilot.ended {
        spent.push(match metric {
            Metric::Evaluations => run.spent.evaluations as f64,
            Metric::Moves => run.spent.moves as f64,
            Metric::CpuS => run.cpu_s,
            _ => (run.spent.evaluations + run.spent.moves) as f64,
        });
        share.push(f64::from(u8::from(run.is_success())));
    }
    let (mean_spent, mean_share) = (mean(&spent), mean(&share));
    if !(mean_share > 0.0 && mean_spent > 0.0) {
        return None;
    }
    let influence = |(spent, share): (&f64, &f64)| (spent / mean_spent - share / mean_share).powi(2);
    Some(mean(&spent.iter().zip(&share).map(influence).collect::<Vec<_>>()))
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
    use super::*;

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
