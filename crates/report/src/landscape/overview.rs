//! Landscapes on a terminal: a table for each puzzle and encoding, or for each encoding over many puzzles.

use crate::table::{Cell, Column, Table, TableFormat, View};
use crate::{decimal, problem_value, rounded, several, wrap};
use kenga_lab::landscape::Sheet;
use kenga_lab::landscape::measures::Finding;

/// The most puzzles with tables of their own.
const ALONE: usize = 3;

/// Tables with a row for each quantity and a column for each fitness.
pub fn overview(sheets: &[Sheet], view: &View) -> String {
    let puzzles = names(sheets.iter().map(|sheet| &*sheet.puzzle));
    let mut text = String::new();
    let mut parts: Vec<Vec<&Sheet>> = Vec::new();
    if puzzles.len() <= ALONE {
        for puzzle in &puzzles {
            parts.push(sheets.iter().filter(|sheet| sheet.puzzle == *puzzle).collect());
        }
    } else {
        parts.push(sheets.iter().collect());
    }
    for of_part in &parts {
        for encoding in names(of_part.iter().map(|sheet| &*sheet.encoding)) {
            let mut of_encoding = of_part.clone();
            of_encoding.retain(|sheet| sheet.encoding == encoding);
            if !text.is_empty() {
                text += "\n";
            }
            text += &table(&of_encoding).render(TableFormat::Text, view);
        }
    }
    text + &wrap(note(puzzles.len()), view.width)
}

/// What the numbers are.
fn note(puzzles: usize) -> &'static str {
    match puzzles {
        0 => "",
        1..=ALONE => {
            "\n± is the farther end of the 95 % interval; --csv has both ends and the samples. \
             Empty: undefined, or, of depth and plateaus, beyond --limit.\n"
        }
        _ => "\nThe least value, the median and the greatest over the puzzles; --csv has each.\n",
    }
}

/// Different names in the order in which they first come.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The table of some landscapes of one encoding, of a single puzzle or of many.
fn table(sheets: &[&Sheet]) -> Table {
    let fitness = names(sheets.iter().map(|sheet| &*sheet.fitness));
    let puzzles = names(sheets.iter().map(|sheet| &*sheet.puzzle));
    let mut columns = vec![Column::words("measure", "measure")];
    columns.extend(fitness.iter().map(|name| Column::numbers(*name, &[name])));
    let mut table = Table::new(columns);
    let quantities = sheets.first().map_or(&[][..], |sheet| &sheet.findings);
    for Finding { quantity, .. } in quantities {
        let mut row = vec![Cell::words(quantity.name)];
        for fitness in &fitness {
            let mut found = Vec::new();
            for sheet in sheets.iter().filter(|sheet| sheet.fitness == *fitness) {
                found.extend(sheet.findings.iter().filter(|finding| finding.quantity == *quantity));
            }
            row.push(Cell::words(if puzzles.len() == 1 { one(&found) } else { many(&found) }));
        }
        table.push(row);
    }
    let mut table = table.titled(title(sheets, &puzzles)).whole();
    if let Some(scale) = sheets.first().and_then(|sheet| sheet.scale) {
        let from = if scale.is_optimum { "optimum" } else { "bound" };
        let unit = scale.resolution.map_or(String::new(), |unit| format!(", in units of {unit:?}"));
        table.note(format!("Values are distances from the {from}{unit}."));
    }
    table
}

fn title(sheets: &[&Sheet], puzzles: &[&str]) -> String {
    let Some(first) = sheets.first() else { return String::new() };
    let (encoding, neighbourhood) = (&first.encoding, first.neighbourhood);
    let solutions = match (first.scale, first.solutions, first.is_complete) {
        (Some(scale), ..) if scale.is_optimum => {
            format!("optimum {}, its genomes unknown", problem_value(scale.reference))
        }
        (Some(_), ..) => "optimum unknown".to_owned(),
        (None, 0, true) => "unsolvable".to_owned(),
        (None, 0, false) => "no solution known".to_owned(),
        (None, count, true) => several(count as u64, "solution"),
        (None, count, false) => format!("{} known, there may be more", several(count as u64, "solution")),
    };
    match puzzles {
        [puzzle] => format!("{puzzle}, {encoding} ({neighbourhood}), {solutions}"),
        _ => format!("{encoding} ({neighbourhood}), {}", several(puzzles.len() as u64, "puzzle")),
    }
}

/// A value with the farther end of its interval.
fn one(found: &[&Finding]) -> String {
    let Some(estimate) = found.first().and_then(|finding| finding.outcome.estimate) else {
        return String::new();
    };
    let far =
        (estimate.interval.low - estimate.value).abs().max((estimate.interval.high - estimate.value).abs());
    if !far.is_finite() || far == 0.0 || estimate.value.abs() >= 1e4 {
        return rounded(estimate.value);
    }
    // Two digits of the interval say how many of the value mean something.
    let decimals = (1.0 - far.log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{} ±{}", decimal(estimate.value, decimals), decimal(far, decimals))
}

/// The least value, the median and the greatest.
fn many(found: &[&Finding]) -> String {
    let mut values: Vec<f64> =
        found.iter().filter_map(|finding| Some(finding.outcome.estimate?.value)).collect();
    values.sort_unstable_by(f64::total_cmp);
    match values.as_slice() {
        [] => String::new(),
        [least, .., greatest] => [*least, values[values.len() / 2], *greatest].map(rounded).join("  "),
        [only] => rounded(*only),
    }
}
