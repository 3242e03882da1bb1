//! The tables: the settings in numbers, by puzzle too, and each compared with the reference.

use std::collections::BTreeSet;

use serde_json::json;

use super::cells::{MARK, estimate, estimate_as, ratio_cell, rounded_percent, share, share_range, solved};
use super::quantities::{about, points, unit};
use super::words::bracketed;
use crate::prose::short_value;
use crate::span;
use crate::table::{Cell, Column, Fields, Note, Table};
use crate::{calls, counted, decimal, p_value, several};
use kenga_lab::study::{Comparison, Metric, NoVerdict, Pair, PuzzleStats, SettingStats};
use kenga_stats::Estimate;

/// The other settings compared with the reference, from best to worst; significant differences are bold.
pub fn comparisons(comparison: &Comparison) -> Table {
    let (is_time, noun) = (comparison.metric.is_time(), comparison.facts.subject.noun());
    let unit = unit(comparison.metric);
    let level = rounded_percent(1.0 - comparison.alpha);
    let reference = &comparison.settings[comparison.reference].spoken;
    let mark = |is_shown: bool| if is_shown { MARK } else { "" };
    let alpha = comparison.alpha;
    let mut fields: Fields<'_, Pair> = Fields::default();
    fields.add(Column::words("setting", "setting"), |pair| {
        Cell::words(comparison.settings[pair.second].name.clone())
    });
    let a12 = Column::estimate(format!("A12 ({level} %)"), "a12");
    let a12_cell = move |pair: &Pair| {
        let cell = estimate(where_comparable(pair, pair.a12), &|value| decimal(value, 2));
        cell.strong_if(!is_time && pair.is_shown(alpha))
    };
    if is_time {
        let ratio = Column::estimate(format!("× {unit} ({level} %)"), "ratio");
        fields.add(ratio, move |pair| ratio_cell(pair.ratio).strong_if(pair.is_shown(alpha)));
    } else {
        fields.add(a12.clone(), a12_cell);
    }
    fields.add(Column::numbers("p", &["p_holm"]), move |pair| {
        p_cell(pair, pair.holm, mark(pair.is_shown(alpha)), noun)
    });
    if comparison.facts.subject.can_be_solved {
        let heading = format!("solved, points ({level} %)");
        let share = Column::numbers(heading, &["share_difference", "share_low", "share_high"]).priority(1);
        fields.add(share, move |pair| {
            let cell = estimate(where_comparable(pair, pair.share), &points);
            cell.strong_if(pair.is_share_shown(alpha))
        });
        let share_p = Column::numbers("p, solved", &["share_p_holm"]).priority(1);
        fields
            .add(share_p, move |pair| p_cell(pair, pair.share_holm, mark(pair.is_share_shown(alpha)), noun));
    }
    if is_time {
        let spent = Column::numbers(format!("{unit} a run"), &["per_run"]).priority(2);
        fields.add(spent, |pair| {
            pair.spent.map_or_else(Cell::default, |spent| Cell::new(calls(spent[1]), [json!(spent[1])]))
        });
        let spent_p = Column::numbers(format!("p, {unit} a run"), &["per_run_p_holm"]).priority(2);
        fields
            .add(spent_p, move |pair| p_cell(pair, pair.spent_holm, mark(pair.is_spent_shown(alpha)), noun));
        fields.add(a12.priority(5), a12_cell);
    }
    let mut table = Table::of(&comparison.pairs, fields)
        .titled(format!("Compared with the reference, {}:", bracketed(reference)));
    table.paragraph(about_columns(comparison, unit));
    table
}

/// What the columns of the comparisons mean, in sentences.
fn about_columns(comparison: &Comparison, unit: &str) -> Note {
    let mut note = Note::default();
    if comparison.metric.is_time() {
        note = note
            .about("ratio", format!("× {unit}: the {unit} that a solution costs with restarts, the setting's divided by the reference's."))
            .about("per_run", format!("{unit} a run: to the solution, or to the end of a run without one; the reference takes {}.", reference_spends(comparison)))
            .about("a12", "A12 is the probability that a run of the setting takes longer than one of the reference, ties counting half.");
    } else {
        // Of values of which the highest is best, fitness is the larger the lower they are.
        let larger = if comparison.metric == Metric::BestFitness {
            comparison.facts.subject.worse()
        } else {
            "larger value"
        };
        note = note.about(
            "a12",
            format!("A12 is the probability that a run of the setting has the {larger} on the same {}, ties counting half.", comparison.facts.subject.noun()),
        );
    }
    if comparison.puzzles > 1 {
        note = note
            .sentence(format!("Intervals and tests are about these {}s.", comparison.facts.subject.noun()));
    }
    let mut about_p = Vec::new();
    if comparison.tests > 1 && comparison.pairs.iter().any(|pair| pair.holm.is_some()) {
        about_p.push(format!(
            "p and intervals have Holm's correction for {}, so that all of them hold together in {} % of experiments",
            several(comparison.tests as u64, "test"),
            rounded_percent(1.0 - comparison.alpha)
        ));
    }
    if comparison.pairs.iter().any(|pair| pair.is_any_shown(comparison.alpha)) {
        about_p.push(format!("* marks significance at the {} % level", rounded_percent(comparison.alpha)));
    }
    if about_p.is_empty() { note } else { note.about("p_holm", format!("{}.", about_p.join("; "))) }
}

/// What a run of the reference spends, which may depend on the setting that it is compared with.
fn reference_spends(comparison: &Comparison) -> String {
    let (low, high) = span(comparison.pairs.iter().filter_map(|pair| Some(pair.spent?[0])));
    if calls(low) == calls(high) { calls(low) } else { format!("{} to {}", calls(low), calls(high)) }
}

/// An estimate of a pair; `None` where both share no puzzle.
fn where_comparable(pair: &Pair, found: Estimate) -> Option<Estimate> {
    (pair.untold != Some(NoVerdict::NoCommonPuzzle)).then_some(found)
}

/// A corrected p-value, or why there is none.
fn p_cell(pair: &Pair, p: Option<f64>, mark: &str, noun: &str) -> Cell {
    let text = match (p, pair.untold) {
        (Some(p), _) => p_value(p) + mark,
        (None, Some(NoVerdict::Dropped)) => "dropped".to_owned(),
        (None, Some(NoVerdict::NoCommonPuzzle)) => format!("no {noun}"),
        (None, Some(NoVerdict::TooFew) | None) => "–".to_owned(),
    };
    Cell::new(text, [json!(p)]).strong_if(!mark.is_empty())
}

/// Every setting in numbers, from best to worst; the best of what is compared is bold.
pub fn settings(comparison: &Comparison) -> Table {
    let (is_time, noun) = (comparison.metric.is_time(), comparison.facts.subject.noun());
    let several = comparison.puzzles > 1;
    let side = |index: &usize| &comparison.settings[*index];
    let is_best = |index: &usize| *index == comparison.order[0];
    let can_be_solved = comparison.facts.subject.can_be_solved;
    // Values on different instances cannot be pooled: only programs get their mean, in the column before.
    let hides_mean = several && comparison.facts.subject.is_own_problem && !is_time;
    let named =
        |names: &[&'static str]| if hides_mean { [names, &["mean"]].concat() } else { names.to_vec() };
    let with_mean =
        |cell: Cell, of: &usize| if hides_mean { cell.with_value(json!(side(of).mean)) } else { cell };
    let mut fields: Fields<'_, usize> = Fields::default();
    fields.add(Column::words("setting", "setting"), |of| Cell::words(side(of).name.clone()));
    if can_be_solved {
        let count = Column::numbers("solved", &["solved", "runs"]);
        fields.add(count, |of| solved(side(of).solved, side(of).runs));
        let share_of = Column::estimate("share % (95 %)", "share");
        fields.add(share_of, |of| share(side(of).share));
    } else {
        let runs = Column::numbers("runs", &named(&["runs"]));
        fields.add(runs, |of| with_mean(Cell::new(counted(side(of).runs), [json!(side(of).runs)]), of));
    }
    if several && can_be_solved {
        let names = named(&["next_low", "next_high"]);
        fields.add(Column::numbers(format!("next {noun} %"), &names).priority(2), |of| {
            let unknown = || Cell::new("", [json!(null), json!(null)]);
            with_mean(side(of).share_next.map_or_else(unknown, share_range), of)
        });
    } else if !several {
        let median = Column::estimate(format!("{}, median (95 %)", about(comparison)), "median");
        let median = if is_time { median.priority(3) } else { median };
        fields.add(median, |of| {
            estimate_as(side(of).median, &|found| as_known(comparison, found), &|value| {
                shown(comparison, value)
            })
        });
    }
    if is_time {
        let expected =
            Column::estimate(format!("{} per solution (95 %)", unit(comparison.metric)), "expected");
        fields.add(expected, |of| estimate(side(of).ert, &calls).strong_if(is_best(of)));
    } else if !hides_mean {
        let mean = Column::numbers("mean", &["mean"]).priority(1);
        fields.add(mean, |of| {
            let text = shown(comparison, mean_as_known(comparison, side(of)));
            Cell::new(text, [json!(side(of).mean)]).strong_if(is_best(of))
        });
    }
    if let Some(line) = &comparison.ranks {
        fields.add(Column::numbers("rank", &["rank"]).priority(4), |of| {
            Cell::new(decimal(line.average[*of], 2), [json!(line.average[*of])])
        });
    }
    let mut table = Table::of(&comparison.order, fields);
    if several && can_be_solved {
        let costs = if is_time {
            format!(
                " {} per solution are all that was spent over all solutions, each {noun} counting alike.",
                unit(comparison.metric)
            )
        } else {
            String::new()
        };
        table.paragraph(
            Note::default()
                .sentence(format!("Shares are means over the {noun}s, each counting alike.{costs} Intervals are about these {noun}s."))
                .about("next_low", format!("“next {noun}” is the interval of the chance to solve another {noun} of their kind.")),
        );
    }
    table
}

/// A row for each puzzle and setting, puzzle by puzzle.
pub fn puzzles(comparison: &Comparison) -> Table {
    let mut ids = BTreeSet::new();
    for side in &comparison.settings {
        ids.extend(side.puzzles.iter().map(|puzzle| &puzzle.id));
    }
    let mut rows: Vec<(&SettingStats, &PuzzleStats)> = Vec::new();
    for id in ids {
        for side in &comparison.order {
            let side = &comparison.settings[*side];
            rows.extend(side.on(id).map(|puzzle| (side, puzzle)));
        }
    }
    let (median, noun) = (format!("{}, median (95 %)", about(comparison)), comparison.facts.subject.noun());
    let mut fields: Fields<'_, (&SettingStats, &PuzzleStats)> = Fields::default();
    fields.add(Column::words(noun, "puzzle"), |of| Cell::words(of.1.id.clone()));
    fields.add(Column::words("setting", "setting"), |of| Cell::words(of.0.name.clone()));
    if comparison.facts.subject.can_be_solved {
        let count = Column::numbers("solved", &["solved", "runs"]);
        fields.add(count, |of| solved(of.1.solved, of.1.runs));
        let share_of = Column::estimate("share % (95 %)", "share").priority(1);
        fields.add(share_of, |of| share(of.1.share));
    } else {
        let runs = Column::numbers("runs", &["runs"]);
        fields.add(runs, |of| Cell::new(counted(of.1.runs), [json!(of.1.runs)]));
    }
    fields.add(Column::estimate(median, "median"), |of| {
        estimate_as(Some(of.1.median), &|found| on_instance(comparison, &of.1.id, found), &|value| {
            shown(comparison, value)
        })
    });
    if comparison.metric.is_time() {
        let expected =
            Column::estimate(format!("{} per solution (95 %)", unit(comparison.metric)), "expected");
        fields.add(expected, |of| estimate(of.1.ert, &calls));
    }
    Table::of(&rows, fields)
}

/// An estimate of what is compared, as people know it: a fitness as a value of the problem.
fn as_known(comparison: &Comparison, found: Estimate) -> Estimate {
    if comparison.metric == Metric::BestFitness { comparison.facts.subject.estimate(found) } else { found }
}

/// The same of an instance, whose values count from its own optimum.
fn on_instance(comparison: &Comparison, instance: &str, found: Estimate) -> Estimate {
    let scale = comparison.facts.scales.get(instance).copied();
    if comparison.metric == Metric::BestFitness {
        comparison.facts.subject.with_scale(scale).estimate(found)
    } else {
        found
    }
}

/// The same of the mean of a setting.
fn mean_as_known(comparison: &Comparison, side: &SettingStats) -> f64 {
    if comparison.metric == Metric::BestFitness {
        comparison.facts.subject.value(side.mean)
    } else {
        side.mean
    }
}

/// A number of what is compared: a value of a problem with its digits, all else in short.
fn shown(comparison: &Comparison, number: f64) -> String {
    let is_value = comparison.metric == Metric::BestFitness && comparison.facts.subject.scale.is_some();
    if is_value { short_value(number) } else { calls(number) }
}
