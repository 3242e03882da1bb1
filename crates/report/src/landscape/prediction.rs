//! Which measure of which landscape goes with running time.

use std::collections::BTreeMap;

use serde_json::json;

use crate::table::{Cell, Column, Table};
use crate::{decimal, p_value};
use kenga_lab::landscape::Sheet;
use kenga_lab::study::{Feature, Prediction};

/// The values of each quantity of each landscape, by puzzle; the name is the landscape and the quantity, joined by spaces.
pub fn features(sheets: &[Sheet]) -> Vec<Feature> {
    let mut order: Vec<String> = Vec::new();
    let mut values: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for sheet in sheets {
        for finding in &sheet.findings {
            let name = format!("{} {} {}", sheet.encoding, sheet.fitness, finding.quantity.name);
            if !values.contains_key(&name) {
                order.push(name.clone());
            }
            let of_puzzles = values.entry(name).or_default();
            of_puzzles.extend(finding.outcome.estimate.map(|found| (sheet.puzzle.clone(), found.value)));
        }
    }
    let mut features = Vec::new();
    for name in order {
        features.push(Feature { values: values.remove(&name).unwrap_or_default(), name });
    }
    features
}

/// The table of correlations, the strongest first; of many, those in front are shown on a terminal.
pub fn predictions(found: &[Prediction], features: &[Feature], most: usize) -> Table {
    // A narrow terminal leaves out first what is the same in every row.
    let words = |name: &str, part: &dyn Fn(&Prediction) -> String| {
        let differs = found.windows(2).any(|two| part(&two[0]) != part(&two[1]));
        Column::words(name, name).priority(if differs { 0 } else { 4 })
    };
    let part = |index: usize| {
        move |one: &Prediction| {
            features[one.feature].name.split(' ').nth(index).unwrap_or_default().to_owned()
        }
    };
    let mut table = Table::new([
        words("encoding", &part(0)),
        words("fitness", &part(1)),
        Column::words("measure", "measure"),
        words("setting", &|one| one.setting.clone()),
        Column::numbers("rho (95 %)", &["rho", "rho_low", "rho_high"]),
        Column::numbers("p", &["p"]).priority(2),
        Column::numbers("Holm", &["p_holm"]),
        Column::numbers("puzzles", &["puzzles"]).priority(1),
        Column::numbers("unsolved", &["unsolved"]).priority(3),
    ]);
    for one in found.iter().take(most) {
        let (rho, low, high) = (one.rho.value, one.rho.interval.low, one.rho.interval.high);
        let [words, from, to] = [rho, low, high].map(|number| decimal(number, 2));
        let mut row: Vec<Cell> = features[one.feature].name.splitn(3, ' ').map(Cell::words).collect();
        row.extend([
            Cell::words(&*one.setting),
            Cell::new(format!("{words} ({from} to {to})"), [json!(rho), json!(low), json!(high)]),
            Cell::new(p_value(one.p), [json!(one.p)]),
            Cell::new(p_value(one.holm), [json!(one.holm)]),
            Cell::count(one.puzzles as u64),
            Cell::count(one.unsolved as u64),
        ]);
        table.push(row);
    }
    table.whole()
}

/// What the correlations show, in words.
pub fn verdict(found: &[Prediction], most: usize) -> String {
    let shown_to_differ = found.iter().filter(|one| one.holm <= 0.05).count();
    let all = found.len();
    let shown =
        if all > most { format!(" Shown are the {most} strongest; --csv has all.") } else { String::new() };
    let claim = match (all, shown_to_differ) {
        (0, _) => {
            "No correlation: fewer than 4 puzzles have both measures and runs, or none of them differs."
                .to_owned()
        }
        (_, 0) => format!("None of {all} correlations differs from 0 at the 5 % level (Holm)."),
        _ => format!("{shown_to_differ} of {all} correlations differ from 0 at the 5 % level (Holm)."),
    };
    format!(
        "{claim}{shown} rho is Spearman's, of a measure and the expected calls with restarts, over puzzles; a \
         puzzle that no run solved counts as the hardest. A correlation over puzzles is no cause.\n"
    )
}
