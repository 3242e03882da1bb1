//! What simulations have shown, and the tables of it.

use kenga::stats::{Interval, Z_95, wilson_of_share};
use serde_json::Value;

/// How often something holds, and how often it could.
pub type Count = [u64; 2];

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    Any,
    Shown,
    Share,
    PerRun,
    Next,
    NextShares,
    Overall,
    First,
    RatioCovered,
    A12Covered,
    DifferenceCovered,
    NextRatioCovered,
    NextDifferenceCovered,
    ShareCovered,
    NextShareCovered,
    MedianCovered,
    ExpectedCovered,
    Par10Covered,
    NextPar10Covered,
}

/// The columns of what is claimed, and of what intervals cover.
pub const CLAIMS: [Column; 8] = [
    Column::Any,
    Column::Shown,
    Column::Share,
    Column::PerRun,
    Column::Next,
    Column::NextShares,
    Column::Overall,
    Column::First,
];
pub const COVERAGES: [Column; 11] = [
    Column::RatioCovered,
    Column::A12Covered,
    Column::DifferenceCovered,
    Column::NextRatioCovered,
    Column::NextDifferenceCovered,
    Column::ShareCovered,
    Column::NextShareCovered,
    Column::MedianCovered,
    Column::ExpectedCovered,
    Column::Par10Covered,
    Column::NextPar10Covered,
];

impl Column {
    pub fn heading(self) -> &'static str {
        match self {
            Self::Any => "any claim false",
            Self::Shown => "shown",
            Self::Share => "share",
            Self::PerRun => "per run",
            Self::Next => "next",
            Self::NextShares => "next, shares",
            Self::Overall => "overall",
            Self::First => "first",
            Self::RatioCovered => "ratio",
            Self::A12Covered => "A12",
            Self::DifferenceCovered => "difference",
            Self::NextRatioCovered => "next ratio",
            Self::NextDifferenceCovered => "next difference",
            Self::ShareCovered => "share",
            Self::NextShareCovered => "next share",
            Self::MedianCovered => "median",
            Self::ExpectedCovered => "expected",
            Self::Par10Covered => "PAR-10",
            Self::NextPar10Covered => "next PAR-10",
        }
    }
}

/// How many columns there are.
const COLUMNS: usize = Column::NextPar10Covered as usize + 1;

/// A claim that one setting exceeds another, or is exceeded by it.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub is_made: bool,
    /// The sign of the difference that it claims.
    pub sign: i8,
    /// The true sign; 0 if there is no difference.
    pub truth: i8,
}

impl Claim {
    pub fn is_false(&self) -> bool {
        self.is_made && self.sign != self.truth
    }
}

/// What simulations have shown, by column.
#[derive(Clone, Debug)]
pub struct Tally {
    /// How often intervals cover, or claims that could be false are made.
    counts: [Count; COLUMNS],
    /// How often claims that could not be false are made: their power.
    powers: [Count; COLUMNS],
}

impl Default for Tally {
    fn default() -> Self {
        Self { counts: [[0; 2]; COLUMNS], powers: [[0; 2]; COLUMNS] }
    }
}

fn add(count: &mut Count, holds: bool) {
    count[0] += u64::from(holds);
    count[1] += 1;
}

impl Tally {
    pub fn note(&mut self, column: Column, holds: bool) {
        add(&mut self.counts[column as usize], holds);
    }

    pub fn note_power(&mut self, column: Column, holds: bool) {
        add(&mut self.powers[column as usize], holds);
    }

    /// Notes the claims of one kind about all pairs of a folder: whether some is false, or where all pairs differ, some right.
    pub fn note_claims(&mut self, column: Column, claims: &[Claim]) {
        if claims.iter().any(|claim| claim.truth == 0) {
            self.note(column, claims.iter().any(|claim| claim.truth == 0 && claim.is_made));
        } else if !claims.is_empty() {
            self.note_power(column, claims.iter().any(|claim| claim.is_made && claim.sign == claim.truth));
        }
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
        for (counts, others) in [(&mut self.counts, &other.counts), (&mut self.powers, &other.powers)] {
            for (count, other) in counts.iter_mut().zip(others) {
                count[0] += other[0];
                count[1] += other[1];
            }
        }
        self
    }

    /// The figures of some columns, each of `simulations` folders; powers in italics.
    pub fn in_words(&self, columns: &[Column], simulations: u64) -> String {
        let mut figures = Vec::with_capacity(columns.len());
        for column in columns {
            let (count, power) = (self.counts[*column as usize], self.powers[*column as usize]);
            figures.push(match (count[1], power[1]) {
                (0, 1..) => format!("*{}*", percent(power)),
                _ => rate(count, simulations),
            });
        }
        figures.join(" | ")
    }

    /// The same without powers, which no other design shares.
    pub fn without_powers(self) -> Self {
        Self { powers: [[0; 2]; COLUMNS], ..self }
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
