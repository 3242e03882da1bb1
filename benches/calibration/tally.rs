//! What simulations have found, and the tables of it.

use kenga::stats::{Interval, Z_95, wilson_of_share};
use serde_json::Value;

/// How often something holds, and how often it could.
pub type Count = [u64; 2];

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    Shown,
    CannotTell,
    Overall,
    SharesShown,
    NextShown,
    NextSharesShown,
    Ratio,
    A12,
    Difference,
    NextRatio,
    NextDifference,
    Share,
    NextShare,
    Median,
    Expected,
    Par10,
    NextPar10,
}

/// The columns of what is claimed, and of what intervals cover.
pub const DECISIONS: [Column; 6] = [
    Column::Shown,
    Column::SharesShown,
    Column::NextShown,
    Column::NextSharesShown,
    Column::Overall,
    Column::CannotTell,
];
pub const COVERAGES: [Column; 11] = [
    Column::Ratio,
    Column::A12,
    Column::Difference,
    Column::NextRatio,
    Column::NextDifference,
    Column::Share,
    Column::NextShare,
    Column::Median,
    Column::Expected,
    Column::Par10,
    Column::NextPar10,
];

impl Column {
    pub fn heading(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::CannotTell => "cannot tell",
            Self::Overall => "overall",
            Self::SharesShown => "shares",
            Self::NextShown => "next puzzle",
            Self::NextSharesShown => "next, shares",
            Self::Ratio => "ratio",
            Self::A12 => "A12",
            Self::Difference => "difference",
            Self::NextRatio => "next ratio",
            Self::NextDifference => "next difference",
            Self::Share => "share",
            Self::NextShare => "next share",
            Self::Median => "median",
            Self::Expected => "ERT",
            Self::Par10 => "PAR-10",
            Self::NextPar10 => "next PAR-10",
        }
    }
}

/// How many columns there are.
const COLUMNS: usize = Column::NextPar10 as usize + 1;

/// What simulations have found, by column.
#[derive(Clone, Debug)]
pub struct Tally([Count; COLUMNS]);

impl Default for Tally {
    fn default() -> Self {
        Self([[0; 2]; COLUMNS])
    }
}

impl Tally {
    pub fn note(&mut self, column: Column, holds: bool) {
        let count = &mut self.0[column as usize];
        count[0] += u64::from(holds);
        count[1] += 1;
    }

    /// Notes whether an interval, two numbers, covers the truth. A missing end is infinite.
    pub fn covers(&mut self, column: Column, ends: &Value, truth: f64) {
        // Rounding is no miss, nor is that of times to whole calls.
        let far = 1e-6 * truth.abs().max(1.0);
        if let Some(ends) = ends.as_array() {
            let low = ends[0].as_f64().unwrap_or(f64::NEG_INFINITY);
            let high = ends[1].as_f64().unwrap_or(f64::INFINITY);
            self.note(column, low - far <= truth && truth <= high + far);
        }
    }

    pub fn plus(mut self, other: Self) -> Self {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            own[0] += other[0];
            own[1] += other[1];
        }
        self
    }

    /// The figures of some columns, each of `simulations` folders.
    pub fn in_words(&self, columns: &[Column], simulations: u64) -> String {
        let figures: Vec<String> =
            columns.iter().map(|column| rate(self.0[*column as usize], simulations)).collect();
        figures.join(" | ")
    }
}

pub fn percent([holds, all]: Count) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1}", 100.0 * holds as f64 / all as f64) }
}

/// A rate with the farther end of the interval that so many folders leave: what one folder shows several times is not
/// independent.
pub fn rate(count: Count, simulations: u64) -> String {
    let [holds, all] = count;
    if all == 0 {
        return "–".to_owned();
    }
    let share = holds as f64 / all as f64;
    let Interval { low, high } = wilson_of_share(share, all.min(simulations) as f64, Z_95);
    format!("{} ± {:.1}", percent(count), 100.0 * (share - low).max(high - share))
}
