//! What a study of hardness shows, in sentences.

use crate::report::{counted, percent, several};
use crate::study::hardness::{Columns, Hardness, SettingHardness};

/// What it is about.
pub(crate) fn headline(found: &Hardness) -> String {
    let folds = found.folds.iter().max().map_or(0, |last| last + 1);
    let budget = match found.budget.is_finite() {
        true => format!(", runs cut at {} calls", counted(found.budget as u64)),
        false => String::new(),
    };
    format!(
        "{}, {}, {folds} folds{budget}. {}",
        several(found.puzzles.len() as u64, "puzzle"),
        several(found.settings.len() as u64, "setting"),
        of_columns(&found.columns)
    )
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
pub(crate) fn remarks(found: &Hardness) -> Vec<String> {
    let mut remarks: Vec<String> = found.settings.iter().map(of_setting).collect();
    remarks.extend(of_selection(found));
    let [x, y] = found.projection.explained.map(percent);
    remarks.push(format!(
        "The plane is that of the first two principal components of {} features, one of each group that goes together; it \
         keeps {x} and {y} of their variance.",
        found.groups.len()
    ));
    remarks.push("Calibration, all features and every puzzle are in --csv, --json and --out.".to_owned());
    if found.left_out > 0 {
        remarks.push(format!(
            "{} with runs but without features, or without runs of some setting, left out.",
            several(found.left_out as u64, "puzzle")
        ));
    }
    remarks.push(
        "Intervals are over puzzles, with the models as they are. A feature that predicts is not thereby a cause.".to_owned(),
    );
    remarks
}

fn of_setting(setting: &SettingHardness) -> String {
    let name = &setting.times.name;
    match &setting.quality {
        None => format!("{name}: its times hardly vary, so that there is nothing to predict."),
        Some(quality) if quality.r2.interval.low > 0.0 => {
            format!("{name}: features predict its time better than its mean does.")
        }
        Some(_) => {
            format!(
                "{name}: not shown that features predict its time better than its mean does; importances say little."
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
        Some(_) => "not shown that the selector beats the single best".to_owned(),
    };
    Some(format!(
        "Selection: {words}; on {} of the puzzles it takes a setting that is as good as the best. The virtual best is chosen after the \
         fact, and a little too good with few replicates.",
        percent(selection.right)
    ))
}
