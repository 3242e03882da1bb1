//! Usage and gain of operators: how often each was applied, and how often that improved the fitness.

use super::super::measurements::Measurements;
use super::super::table::{Cell, Column, Table};
use super::super::{counted, decimal};
use super::importance::{BarPair, bars};
use super::{Drawn, Figure, NotDrawn, percent};
use kenga_lab::results::{OperatorRow, ResultsError};

pub(super) const FIGURE: Figure = Figure { id: "operators", title: "Usage and gain of operators", draw };

/// The most settings whose operators are in the table.
const LISTED: usize = 12;

/// The terms of fitness, as `operators.csv` calls them.
const TERMS: [&str; 6] = ["count", "row", "column", "region", "cage", "group"];

/// An operator over the runs of a setting.
#[derive(Default)]
struct OperatorCredit {
    family: String,
    name: String,
    applied: u64,
    better: u64,
    best: u64,
    gain: u64,
    /// The sums by which terms shrank.
    repaired: [u64; TERMS.len()],
}

/// The operators of a setting, in the order of the runs.
type Credits = Vec<OperatorCredit>;

impl OperatorCredit {
    fn add(&mut self, row: &OperatorRow) {
        self.applied += row.applied;
        self.better += row.better;
        self.best += row.best;
        self.gain += row.gain;
        let repaired = [row.count, row.row, row.column, row.region, row.cage, row.group.unwrap_or(0)];
        for (sum, one) in self.repaired.iter_mut().zip(repaired) {
            *sum += one;
        }
    }

    fn share(&self, of: u64) -> f64 {
        of as f64 / self.applied.max(1) as f64
    }

    /// The term that shrank most, and its share of all that shrank.
    fn main_term(&self) -> String {
        let all: u64 = self.repaired.iter().sum();
        // Of equal terms the first, in the order of the columns.
        let most = (0..TERMS.len()).max_by_key(|term| (self.repaired[*term], std::cmp::Reverse(*term)));
        match most.filter(|_| all > 0) {
            Some(most) => format!("{} ({})", TERMS[most], percent(self.repaired[most] as f64 / all as f64)),
            None => "–".to_owned(),
        }
    }
}

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    let credits = credits(measurements)
        .map_err(|why| NotDrawn::Because(format!("The usage of operators cannot be read: {why}.")))?;
    let mut with = measurements.order.clone();
    with.retain(|setting| !credits[*setting].is_empty());
    let Some(best) = with.first().copied() else { return Err(NotDrawn::Silently) };
    let several = measurements.settings.len() > 1;
    let (mut rows, mut top) = (Vec::new(), 0.0_f64);
    for one in &credits[best] {
        // A child that is better than both parents is better than the one it resembles: the first share is the larger.
        let shares = [one.share(one.better), one.share(one.best)];
        rows.push(BarPair::plain(format!("{} {}", one.family, one.name), shares));
        top = top.max(shares[0]);
    }
    let of_best = if several {
        format!(" Shown is the best setting, {}; the table has others.", measurements.labels.name(best))
    } else {
        String::new()
    };
    let caption = format!(
        "How often an operator made a child better than the parent that it resembles, and better than both parents; for moves, how often a move that was made improved the fitness.{of_best}"
    );
    let axis = ("share of applications", (top * 1.05).clamp(0.01, 1.0));
    let chart = |width| bars(&rows, ["better than the parent", "better than both"], axis, width);
    let drawn =
        Drawn::one(measurements, "operators", "Applications that improved the fitness", caption, chart);
    Ok(Drawn { table: Some(("Gain of operators", table(measurements, &credits, &with))), ..drawn })
}

/// A row for each operator of the best settings.
fn table(measurements: &Measurements<'_>, credits: &[Credits], with: &[usize]) -> Table {
    let several = measurements.settings.len() > 1;
    let mut columns = Vec::new();
    if several {
        columns.push(Column::words("setting", "setting"));
    }
    columns.extend(["family", "operator"].map(|heading| Column::words(heading, heading)));
    let numbers = ["applied", "better, %", "best, %", "gain", "gain / 1 000"];
    columns.extend(numbers.map(|heading| Column::numbers(heading, &[])));
    columns.push(Column::words("repairs most", "repairs"));
    let mut table = Table::new(columns);
    for setting in with.iter().take(LISTED) {
        for one in &credits[*setting] {
            let mut words = Vec::new();
            if several {
                words.push(measurements.labels.name(*setting));
            }
            words.extend([
                one.family.clone(),
                one.name.clone(),
                counted(one.applied),
                decimal(one.share(one.better) * 100.0, 1),
                decimal(one.share(one.best) * 100.0, 1),
                counted(one.gain),
                decimal(one.share(one.gain) * 1000.0, 0),
                one.main_term(),
            ]);
            table.push(words.into_iter().map(Cell::words));
        }
    }
    let left = match with.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" Of {} settings {more} are left out.", with.len()),
    };
    table.note(format!(
        "Sums over all runs, from operators.csv: children that an operator had a part in, or moves that were made; those better than the parent, and better than both parents; by how much they were better together, and for each 1 000 applications; and the unweighted term of fitness that shrank most.{left}"
    ));
    table
}

/// The credits of every setting; empty where none were recorded.
fn credits(measurements: &Measurements<'_>) -> Result<Vec<Credits>, ResultsError> {
    let mut sums: Vec<Credits> = Vec::new();
    sums.resize_with(measurements.settings.len(), Vec::new);
    for (folder, of) in measurements.study.folders.iter().enumerate() {
        if !of.plan.config.record_operators {
            continue;
        }
        let settings = measurements.runs_of(folder);
        of.rows.each(|row: OperatorRow| {
            let Some(setting) = settings.get(&row.run) else { return };
            let credits = &mut sums[*setting];
            for one in credits.iter_mut() {
                if one.family == row.family && one.name == row.operator {
                    return one.add(&row);
                }
            }
            let (family, name) = (row.family.clone(), row.operator.clone());
            let mut one = OperatorCredit { family, name, ..OperatorCredit::default() };
            one.add(&row);
            credits.push(one);
        })?;
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_term_is_the_one_that_shrank_most() {
        assert_eq!(
            OperatorCredit { repaired: [1, 6, 0, 0, 1, 0], ..OperatorCredit::default() }.main_term(),
            "row (75 %)"
        );
        assert_eq!(OperatorCredit::default().main_term(), "–");
        assert_eq!(OperatorCredit::default().share(0), 0.0);
    }
}
