//! What a pilot says of a plan: what all runs cost, and how many of them show a difference of the size that matters.

use super::pilot::Pilot;
use crate::cli::compare::parse_share;
use crate::experiment::Plan;
use crate::report::{counted, duration, several};
use crate::stats::{Aim, Z_95};

/// The difference that an experiment should show.
#[derive(clap::Args)]
pub(super) struct Wanted {
    /// The difference between two shares of solved runs that the experiment should show
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = parse_share)]
    pub(super) detect: f64,
    /// The chance to show it
    #[arg(long, value_name = "P", default_value = "0.8", value_parser = parse_share)]
    pub(super) power: f64,
    /// The chance to claim a difference where there is none, in the whole comparison
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = parse_share)]
    pub(super) alpha: f64,
}

/// What all runs cost, by those of the pilot.
pub(super) fn cost(plan: &Plan, pilot: &Pilot, jobs: usize) -> String {
    let times: Vec<f64> = pilot.ended.iter().map(|run| run.cpu_s).collect();
    let runs = plan.runs() as f64;
    if times.is_empty() {
        return "pilot: no run ended in 10 s, so that nothing is known of the cost\n".to_owned();
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
    let error = (squares / times.len().saturating_sub(1).max(1) as f64 / times.len() as f64).sqrt();
    let (low, high) = ((mean - Z_95 * error).max(0.0) * runs, (mean + Z_95 * error) * runs);
    // One run tells nothing of the spread.
    let interval = match times.len() {
        1 => String::new(),
        _ => format!(" ({} to {})", duration(low), duration(high)),
    };
    let mut text = format!(
        "pilot: {}, {} solved; all runs take about {} of CPU time{interval}, {} on {}\n",
        several(times.len() as u64, "run"),
        solved(pilot),
        duration(mean * runs),
        duration(mean * runs / jobs as f64),
        several(jobs as u64, "thread"),
    );
    if pilot.cut > 0 {
        let cut = several(pilot.cut as u64, "longer run");
        text += &format!("pilot: {cut} did not end in 10 s: it takes more than that\n");
    }
    text
}

/// How many runs of every setting show the difference, with the correction for all pairs that `kenga compare` makes.
/// Holm's is bounded by Bonferroni's, which is that of the first pair.
pub(super) fn power(plan: &Plan, pilot: &Pilot, wanted: &Wanted) -> String {
    let settings = plan.settings.all.len() as u64;
    let pairs = (settings * settings.saturating_sub(1) / 2).max(1);
    let alone = Aim { alpha: wanted.alpha, power: wanted.power };
    let each = Aim { alpha: wanted.alpha / pairs as f64, ..alone };
    let (words, base) = base(solved(pilot), pilot.ended.len());
    let shares = match other(base, wanted.detect) {
        Some(other) => format!(
            "to show {} against {} solved {}\n",
            percent(base),
            percent(other),
            needed(pairs, wanted, |aim| aim.pairs_for_shares(base, other, 0.0), [&each, &alone]),
        ),
        None => format!(
            "no share of solved runs differs by {} from {}: give a --detect of at most {:.2}\n",
            percent(wanted.detect),
            percent(base),
            base.max(1.0 - base),
        ),
    };
    let a12 = 0.5 + wanted.detect / 2.0;
    let faster = needed(pairs, wanted, |aim| aim.runs_for_a12(a12), [&each, &alone]);
    let corrected = match pairs {
        1 => String::new(),
        _ => format!(
            "{settings} settings are {} pairs: {} / {0} for each, for `kenga compare` corrects for all of them\n",
            counted(pairs),
            percent(wanted.alpha),
        ),
    };
    format!(
        "{shares}to show that one of two runs is faster in {} of cases {faster}\n{corrected}{words}; the numbers hold where \
         the two runs of a pair have no luck in common, and fewer do where they have\nthe plan has {} a setting\n",
        percent(a12),
        several(plan.runs() / settings, "run"),
    )
}

/// How many runs it takes, corrected for all pairs and for one alone.
fn needed(
    pairs: u64,
    wanted: &Wanted,
    runs: impl Fn(&Aim) -> Option<u64>,
    [each, alone]: [&Aim; 2],
) -> String {
    let shown =
        |aim: &Aim| runs(aim).map_or_else(|| "no number of runs".to_owned(), |runs| several(runs, "run"));
    let (power, alpha) = (percent(wanted.power), percent(wanted.alpha));
    let one = match pairs {
        1 => String::new(),
        _ => format!("; {} if a single pair, chosen before, is compared", shown(alone)),
    };
    format!("with {power} power at {alpha}: {} a setting{one}", shown(each))
}

/// The share of runs that are solved, over all settings, and where it is from. None and all are taken as half a run.
fn base(solved: u64, runs: usize) -> (String, f64) {
    if runs == 0 {
        return ("50 % is taken for want of a pilot run that ended".to_owned(), 0.5);
    }
    let (share, half) = (solved as f64 / runs as f64, 0.5 / runs as f64);
    let base = share.clamp(half, 1.0 - half);
    let mean =
        format!("the mean over the settings of the pilot, {solved} of {}", several(runs as u64, "run"));
    match base == share {
        true => (format!("{} is {mean}", percent(base)), base),
        false => (format!("{} is taken for {mean}", percent(base)), base),
    }
}

/// A share that differs so much, the greater one if there are two.
fn other(base: f64, difference: f64) -> Option<f64> {
    // What is beyond the ends by rounding is not.
    let is_share = |share: &f64| (-1e-9..=1.0 + 1e-9).contains(share);
    [base + difference, base - difference].into_iter().find(is_share).map(|share| share.clamp(0.0, 1.0))
}

fn solved(pilot: &Pilot) -> u64 {
    pilot.ended.iter().filter(|run| run.solved).count() as u64
}

/// A share in percent, with three digits where it takes them.
fn percent(share: f64) -> String {
    let rounded: f64 = format!("{:.2e}", share * 100.0).parse().expect("a number that was written is read");
    format!("{rounded} %")
}

#[cfg(test)]
mod tests {
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
        assert_eq!(
            base(6, 24),
            ("25 % is the mean over the settings of the pilot, 6 of 24 runs".to_owned(), 0.25)
        );
        assert_eq!(base(0, 20).1, 0.025);
        assert_eq!(base(20, 20).1, 0.975);
        assert_eq!(base(0, 0).1, 0.5);
        assert_eq!(base(1, 1).1, 0.5);
    }

    #[test]
    fn percentages_have_the_digits_they_take() {
        assert_eq!([0.25, 1.0 / 3.0, 0.0005, 1.0].map(percent), ["25 %", "33.3 %", "0.05 %", "100 %"]);
    }
}
