//! What a study of hardness shows, in sentences.

use crate::{counted, percent, several};
use kenga_lab::study::hardness::{Columns, Hardness, TimeModel};

/// What it is about.
pub fn headline(found: &Hardness) -> String {
    let folds = found.folds.iter().max().map_or(0, |last| last + 1);
    let budget = if found.budget.is_infinite() {
        String::new()
    } else if longer(found).is_empty() {
        format!(", runs cut at {} calls", counted(found.budget as u64))
    } else {
        format!(", budgets from {} calls", counted(found.budget as u64))
    };
    let groups = found.grouping.as_ref().map_or_else(String::new, |(column, count)| {
        format!(" in {} by `{column}`", several(*count as u64, "group"))
    });
    format!(
        "{}{groups}, {}, {folds} folds{budget}. {}",
        several(found.puzzles.len() as u64, "puzzle"),
        several(found.settings.len() as u64, "setting"),
        of_columns(&found.columns)
    )
}

/// The settings whose budget is a tenth or more above the least.
fn longer(found: &Hardness) -> Vec<&str> {
    let is_longer =
        // Budgets are taken from runs, whose first step may be larger: small differences are none.
        |setting: &&TimeModel| setting.times.budget >= 1.1 * found.budget && found.budget.is_finite();
    found.settings.iter().filter(is_longer).map(|setting| &*setting.times.name).collect()
}

/// That settings have different budgets, and what that means; `None` where all have one.
pub fn budgets_differ(found: &Hardness) -> Option<String> {
    let longer = longer(found);
    (!longer.is_empty()).then(|| {
        format!(
            "Each setting is predicted at its own budget. The selector and footprints cut all runs at {} calls, less than the budget \
             of {}. An algorithm whose schedule depends on its budget, such as annealing, would search differently with the smaller one.",
            counted(found.budget as u64),
            longer.join(", ")
        )
    })
}

/// Which columns are used, and what is done about unknown values.
fn of_columns(columns: &Columns) -> String {
    let Columns { used, constant, empty, words } = columns;
    let all = used.len() + constant.len() + empty.len() + words.len();
    let reasons =
        [(constant.len(), "never vary"), (empty.len(), "are never known"), (words.len(), "are words")];
    let reasons: Vec<String> = reasons
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, reason)| format!("{count} {reason}"))
        .collect();
    let others = if reasons.is_empty() { String::new() } else { format!("; {}", reasons.join(", ")) };
    let unknown: Vec<String> = used
        .iter()
        .filter(|feature| feature.unknown() > 0)
        .map(|feature| format!("{} ({})", feature.name, feature.unknown()))
        .collect();
    let filled = match unknown.as_slice() {
        [] => String::new(),
        names => {
            format!(" Unknown values count as the median of the training puzzles: {}.", names.join(", "))
        }
    };
    format!("{} of {all} columns are used{others}.{filled}", used.len())
}

/// What is shown and what is not, a sentence each.
pub fn remarks(found: &Hardness) -> Vec<String> {
    let mut remarks: Vec<String> = found.settings.iter().map(of_setting).collect();
    remarks.extend(budgets_differ(found));
    remarks.extend(of_selection(found));
    remarks.extend(of_unsolved(found));
    let [x, y] = found.projection.explained.map(percent);
    remarks.push(format!(
        "The plane is that of the first two principal components of {} features, one of each group that goes together; it \
         keeps {x} and {y} of their variance.",
        found.groups.len()
    ));
    remarks.push("Calibration and all importances are also in --csv; --json and --out add every puzzle, column and axis.".to_owned());
    if found.left_out > 0 {
        remarks.push(format!(
            "Not used: {}, which have runs but no features, or no runs of some setting.",
            several(found.left_out as u64, "puzzle")
        ));
    }
    let over = if found.grouping.is_some() { "groups of puzzles" } else { "puzzles" };
    remarks.push(format!(
        "Intervals resample {over} and keep the trained models. A feature that predicts need not be a cause.",
    ));
    remarks
}

fn of_setting(setting: &TimeModel) -> String {
    let name = &setting.times.name;
    match &setting.quality {
        None => format!("{name}: its times hardly vary, so that there is nothing to predict."),
        Some(quality) if quality.r2.interval.low > 0.0 => {
            format!("{name}: features predict its time better than its mean does.")
        }
        Some(_) => {
            format!(
                "{name}: features are not shown to predict its time better than its mean does; its importances are not findings and are not \
                 printed here."
            )
        }
    }
}

fn of_selection(found: &Hardness) -> Option<String> {
    let selection = found.selection.as_ref()?;
    let words = match &selection.closed {
        None => "one setting is the best on every puzzle, so that there is nothing to select".to_owned(),
        Some(closed) if closed.interval.low > 0.0 => "the selector beats the single best".to_owned(),
        Some(closed) if closed.interval.high < 0.0 => "the selector is worse than the single best".to_owned(),
        Some(_) => "it is not shown that the selector beats the single best".to_owned(),
    };
    let right = selection.right.map_or_else(String::new, |share| {
        format!(
            "; on {} of the puzzles that some setting solves, its choice is as good as the best",
            percent(share)
        )
    });
    Some(format!(
        "Selection: {words}{right}. The virtual best is chosen after the fact, and a little too good with few replicates.",
    ))
}

/// How many puzzles say nothing of which setting is good.
fn of_unsolved(found: &Hardness) -> Option<String> {
    let count = found.solved.iter().filter(|solved| !**solved).count() as u64;
    let says = if count == 1 { "it says" } else { "they say" };
    (count > 0).then(|| {
        format!(
            "No setting solves {}, all runs cut at the least budget: {says} nothing of which setting is good.",
            several(count, "puzzle")
        )
    })
}
