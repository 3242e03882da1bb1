//! The values of landscapes in long form, and the rows of what figures show.

use std::fmt::Write;

use serde_json::json;

use crate::rounded;
use crate::table::{Cell, Column, Table};
use kenga_core::text::cell;
use kenga_lab::landscape::{Curves, Sheet};

/// One row for each puzzle, encoding, fitness and quantity; empty values are unknown.
pub fn values(sheets: &[Sheet]) -> Table {
    let words = |name: &str| Column::words(name, name);
    let numbers = |name: &str| Column::numbers(name, &[name]);
    let mut table = Table::new([
        words("puzzle"),
        words("encoding"),
        words("neighbourhood").priority(3),
        words("fitness"),
        words("measure"),
        numbers("value"),
        numbers("low").priority(1),
        numbers("high").priority(1),
        numbers("samples").priority(2),
    ]);
    for sheet in sheets {
        for finding in &sheet.findings {
            let estimate = finding.outcome.estimate;
            table.push([
                Cell::words(&*sheet.puzzle),
                Cell::words(&*sheet.encoding),
                Cell::words(sheet.neighbourhood),
                Cell::words(&*sheet.fitness),
                Cell::words(finding.quantity.name),
                number(estimate.map(|found| found.value)),
                number(estimate.map(|found| found.interval.low)),
                number(estimate.map(|found| found.interval.high)),
                Cell::count(finding.outcome.samples as u64),
            ]);
        }
    }
    table.whole()
}

/// A number, which has no value where it is not finite.
fn number(of: Option<f64>) -> Cell {
    Cell::new(of.map_or_else(String::new, rounded), [json!(of)])
}

/// A file of the rows that figures show.
pub struct CurveFile {
    /// Its name.
    pub name: &'static str,
    /// The columns after those of the landscape.
    columns: &'static str,
    /// Writes the rows of a landscape, each after `start`, which ends with a comma.
    rows: fn(&Curves, &str, &mut String),
}

impl CurveFile {
    /// Every file.
    pub const ALL: [Self; 4] = [
        Self { name: "density.csv", columns: "value,genomes", rows: density },
        Self { name: "walks.csv", columns: "walk,lag,autocorrelation", rows: walks },
        Self { name: "distances.csv", columns: "sample,value,cells,moves", rows: distances },
        Self { name: "levels.csv", columns: "from,to,genomes,better,value,neighbours", rows: levels },
    ];

    /// The first line.
    pub fn head(&self) -> String {
        format!("puzzle,encoding,neighbourhood,fitness,{}\n", self.columns)
    }

    /// The rows of a landscape.
    pub fn rows(&self, sheet: &Sheet) -> String {
        let mut text = String::new();
        if let Some(curves) = &sheet.curves {
            (self.rows)(curves, &start(sheet), &mut text);
        }
        text
    }
}

/// The fields that name a landscape, each with its comma.
fn start(sheet: &Sheet) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = [&*sheet.puzzle, &*sheet.encoding, sheet.neighbourhood, &*sheet.fitness];
    writer.write_record(names.map(|name| cell(name).into_owned())).expect("memory takes every record");
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("fields are text").trim_end_matches('\n').to_owned() + ","
}

fn density(curves: &Curves, start: &str, text: &mut String) {
    for (value, genomes) in &curves.density {
        let _ = writeln!(text, "{start}{value},{genomes}");
    }
}

fn walks(curves: &Curves, start: &str, text: &mut String) {
    for (walk, by_lag) in &curves.walks {
        for (lag, rho) in by_lag.iter().enumerate() {
            let _ = writeln!(text, "{start}{},{lag},{rho}", walk.name());
        }
    }
}

fn distances(curves: &Curves, start: &str, text: &mut String) {
    for point in &curves.distances {
        let sample = if point.is_optimum { "optimum" } else { "random" };
        let _ = writeln!(text, "{start}{sample},{},{},{}", point.value, point.cells, point.moves);
    }
}

fn levels(curves: &Curves, start: &str, text: &mut String) {
    for level in &curves.levels {
        let (from, to, genomes) = (level.from, level.to, level.genomes);
        let _ = writeln!(
            text,
            "{start}{from},{to},{genomes},{},{},{}",
            level.better, level.value, level.neighbours
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_quotes_and_line_ends_are_quoted() {
        let sheet = Sheet {
            puzzle: "a,\"b\"\n".to_owned(),
            encoding: "rows".to_owned(),
            neighbourhood: "swap",
            fitness: "gap".to_owned(),
            solutions: 1,
            is_complete: true,
            scale: None,
            findings: Vec::new(),
            curves: None,
        };
        assert_eq!(start(&sheet), "\"a,\"\"b\"\"\n\",rows,swap,gap,");
    }
}
