//! The claims about two settings, each in words.

use super::super::quantities::{ratio_range, short_factor, turned, unit};
use super::super::words::bracketed;
use super::{mean, mean_name};
use crate::{calls, decimal, p_in_words, percent};
use kenga_lab::study::{Comparison, Metric, Pair, SettingStats};

/// The settings of a pair, the better one first.
pub(super) struct Sides<'a> {
    comparison: &'a Comparison,
    pair: &'a Pair,
    pub(super) better: &'a SettingStats,
    pub(super) worse: &'a SettingStats,
    /// Whether the better one is the second of the pair.
    is_turned: bool,
}

impl<'a> Sides<'a> {
    pub(super) fn new(comparison: &'a Comparison, pair: &'a Pair) -> Self {
        let (first, second) = (&comparison.settings[pair.first], &comparison.settings[pair.second]);
        let is_turned = pair.is_second_better;
        let (better, worse) = if is_turned { (second, first) } else { (first, second) };
        Self { comparison, pair, better, worse, is_turned }
    }

    /// By how much the better one is better: `a solution costs 30 k calls against 74 k, 2.5 times (1.5 to 4.1; p < 0.001)`.
    pub(super) fn effect(&self) -> String {
        let p = self.pair.holm.map_or_else(|| "not tested".to_owned(), p_in_words);
        if !self.comparison.metric.is_time() {
            return self.values(&p);
        }
        let unit = unit(self.comparison.metric);
        let Some([better, worse]) = self.costs() else { return format!("no run has spent any {unit}") };
        let costs = format!("a solution costs {} {unit}", calls(better));
        if worse.is_infinite() {
            let ends = self.pair.ratio.map(|ratio| turned(ratio.interval, self.is_turned));
            let least = match ends {
                Some(ends) if ends.low > 1.0 => {
                    format!("at least {} times as many; ", short_factor(ends.low))
                }
                _ => String::new(),
            };
            return format!("{costs}, and {} never solves ({least}{p})", bracketed(&self.worse.spoken));
        }
        match self.pair.ratio {
            Some(ratio) if better > 0.0 => {
                format!("{costs} against {}, {}; {p})", calls(worse), ratio_range(ratio, self.is_turned))
            }
            _ => format!("{costs} against {} ({p})", calls(worse)),
        }
    }

    /// The cost of a solution under both, the better one first; `None` for values that are no times.
    fn costs(&self) -> Option<[f64; 2]> {
        self.pair.costs().map(|costs| self.in_order(costs))
    }

    /// The numbers of both settings, those of the better one first.
    fn in_order(&self, [first, second]: [f64; 2]) -> [f64; 2] {
        if self.is_turned { [second, first] } else { [first, second] }
    }

    /// The same of values that are no times: `a run of it has the lower value with probability 0.83 (0.70 to 0.92; p = 0.003)`.
    fn values(&self, p: &str) -> String {
        let subject = &self.comparison.facts.subject;
        let value = match self.comparison.metric {
            Metric::BestFitness => subject.better(),
            Metric::Distance => "smaller distance",
            _ => "lower cost",
        };
        // A12 is the probability that the second has the larger value, which is the worse one.
        let a12 = self.pair.a12;
        let (chance, low, high) = if self.is_turned {
            (1.0 - a12.value, 1.0 - a12.interval.high, 1.0 - a12.interval.low)
        } else {
            (a12.value, a12.interval.low, a12.interval.high)
        };
        let two = |number: f64| decimal(number, 2);
        let chance = format!(
            "a run of it has the {value} with probability {} ({} to {}; {p})",
            two(chance),
            two(low),
            two(high)
        );
        match self.comparison.puzzles {
            1 => format!(
                "its {} is {} against {}, and {chance}",
                mean_name(self.comparison),
                mean(self.comparison, self.better),
                mean(self.comparison, self.worse)
            ),
            _ => chance,
        }
    }

    /// The other two claims about the pair, in one sentence with `it` for the better one; `None` if only times have them.
    pub(super) fn claims(&self) -> Option<String> {
        let (alpha, pair) = (self.comparison.alpha, self.pair);
        let spent = self.spent()?;
        if self.pair.shares == [1.0, 1.0] {
            // A run costs what a solution costs.
            return Some("All runs of both solved.".to_owned());
        }
        let share = self.share();
        let (solves, takes) = (share.says("It solves"), spent.says("its runs take"));
        Some(match (pair.is_share_shown(alpha), pair.is_spent_shown(alpha)) {
            (true, true) => {
                let joint = if share.is_better == spent.is_better { "and" } else { "but" };
                format!("{solves}, {joint} {takes}.")
            }
            (true, false) => format!(
                "{solves}; {}.",
                spent.is_not_shown(&format!("{} per run", unit(self.comparison.metric)))
            ),
            (false, true) => format!("{}; {}.", capital(&takes), share.is_not_shown("shares")),
            (false, false) => return None,
        })
    }

    /// The other claims if they are shown and the cost of a solution is not.
    pub(super) fn other_claims(&self) -> Option<String> {
        let (alpha, pair) = (self.comparison.alpha, self.pair);
        let spent = self.spent()?;
        let share = self.share();
        let name = bracketed(&self.better.spoken);
        let solves = share.says(&format!("{name} solves"));
        Some(match (pair.is_share_shown(alpha), pair.is_spent_shown(alpha)) {
            (true, true) => {
                let joint = if share.is_better == spent.is_better { "and" } else { "but" };
                format!(
                    "{solves}, {joint} {}; which costs less per solution is not shown: {}.",
                    spent.says("its runs take"),
                    self.effect()
                )
            }
            (true, false) => format!("{solves}; that a solution costs less is not shown: {}.", self.effect()),
            (false, true) => {
                let takes = spent.says(&format!("the runs of {name} take"));
                format!("{}; that a solution costs less is not shown: {}.", capital(&takes), self.effect())
            }
            (false, false) => return None,
        })
    }

    /// The shares solved.
    fn share(&self) -> Claim {
        let [better, worse] = self.in_order(self.pair.shares);
        Claim {
            better: percent(better).replace(" %", ""),
            worse: percent(worse),
            is_better: better >= worse,
            words: ["more", "less"],
            p: self.pair.share_holm,
        }
    }

    /// The effort of a run; `None` for values that are no times.
    fn spent(&self) -> Option<Claim> {
        let [better, worse] = self.in_order(self.pair.spent?);
        let unit = unit(self.comparison.metric);
        Some(Claim {
            better: calls(better),
            worse: calls(worse),
            is_better: better <= worse,
            words: match unit {
                "calls" => ["fewer calls", "more calls"],
                "evaluations" => ["fewer evaluations", "more evaluations"],
                "moves" => ["fewer moves", "more moves"],
                _ => ["less CPU time", "more CPU time"],
            },
            p: self.pair.spent_holm,
        })
    }
}

/// A claim beside that about the cost of a solution.
struct Claim {
    better: String,
    worse: String,
    /// Whether the setting that costs less is better in this, too.
    is_better: bool,
    /// A better and a worse setting in a word.
    words: [&'static str; 2],
    p: Option<f64>,
}

impl Claim {
    fn p(&self) -> String {
        self.p.map_or_else(|| "not tested".to_owned(), p_in_words)
    }

    /// `It solves more, 68 against 39 % (p = 0.002)`.
    fn says(&self, subject: &str) -> String {
        let word = self.words[usize::from(!self.is_better)];
        format!("{subject} {word}, {} against {} ({})", self.better, self.worse, self.p())
    }

    fn is_not_shown(&self, what: &str) -> String {
        format!("a difference in {what} is not shown ({} against {}, {})", self.better, self.worse, self.p())
    }
}

/// A sentence with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
