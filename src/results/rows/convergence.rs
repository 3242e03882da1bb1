//! The rows of `convergence.csv`: run, generation, evaluations, moves, best, and the measures of the experiment's table.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Decimals, Row, csv_text};
use crate::experiment::{Config, MEASURES, MeasureKind, Sample};

/// The columns that are no measures.
const FIXED: [&str; 5] = ["run", "generation", "evaluations", "moves", "best"];

/// A row of `convergence.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvergenceRow {
    /// Index of the run.
    pub run: u64,
    /// The generation; a measure that `[record] columns` leaves out is unknown.
    pub sample: Sample,
}

impl Serialize for ConvergenceRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Sample { generation, evaluations, moves, best, .. } = self.sample;
        let mut row = serializer.serialize_tuple(FIXED.len() + MEASURES.len())?;
        for number in [self.run, generation, evaluations, moves, best.into()] {
            row.serialize_element(&number)?;
        }
        for (place, measure) in MEASURES.iter().enumerate() {
            let value = self.sample.value(place);
            match measure.kind {
                MeasureKind::Count => row.serialize_element(&value.map(|count| count as u64))?,
                MeasureKind::Real => row.serialize_element(&value.map(Decimals))?,
            }
        }
        row.end()
    }
}

impl<'de> Deserialize<'de> for ConvergenceRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ByColumn)
    }
}

/// Reads a row by the names of its columns.
struct ByColumn;

impl<'de> Visitor<'de> for ByColumn {
    type Value = ConvergenceRow;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a row of convergence.csv")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ConvergenceRow, A::Error> {
        let (mut fixed, mut best) = ([None; FIXED.len() - 1], None);
        let mut measures = [f64::NAN; MEASURES.len()];
        while let Some(column) = map.next_key::<&str>()? {
            if let Some(place) = FIXED.iter().position(|fixed| *fixed == column) {
                match fixed.get_mut(place) {
                    Some(number) => *number = Some(map.next_value::<u64>()?),
                    None => best = Some(map.next_value::<u32>()?),
                }
            } else if let Some(place) = MEASURES.iter().position(|measure| measure.name == column) {
                let value = match MEASURES[place].kind {
                    MeasureKind::Count => map.next_value::<Option<u32>>()?.map(f64::from),
                    MeasureKind::Real => map.next_value::<Option<f64>>()?,
                };
                measures[place] = value.unwrap_or(f64::NAN);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let of = |place: usize| fixed[place].ok_or_else(|| A::Error::missing_field(FIXED[place]));
        let best = best.ok_or_else(|| A::Error::missing_field("best"))?;
        let sample = Sample { generation: of(1)?, evaluations: of(2)?, moves: of(3)?, best, measures };
        Ok(ConvergenceRow { run: of(0)?, sample })
    }
}

impl Row for ConvergenceRow {
    fn text(rows: &[Self], config: &Config) -> Vec<u8> {
        convergence_text(rows, config)
    }
}

/// Every column in its order.
fn columns() -> impl Iterator<Item = &'static str> {
    FIXED.into_iter().chain(MEASURES.iter().map(|measure| measure.name))
}

/// The header line of `convergence.csv`.
pub(in crate::results) fn convergence_header(config: &Config) -> Vec<u8> {
    let columns: Vec<&str> = columns().filter(|name| config.keeps(name)).collect();
    (columns.join(",") + "\n").into_bytes()
}

/// Rows of `convergence.csv` with the columns that the configuration keeps.
pub(in crate::results) fn convergence_text(
    rows: impl IntoIterator<Item = impl Serialize>,
    config: &Config,
) -> Vec<u8> {
    let text = csv_text(rows, false);
    let kept: Vec<bool> = columns().map(|name| config.keeps(name)).collect();
    if kept.iter().all(|kept| *kept) {
        return text;
    }
    // Numbers alone: no field is in quotes.
    let mut selected = Vec::with_capacity(text.len());
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let fields = line.split(|byte| *byte == b',').zip(&kept).filter(|(_, kept)| **kept);
        for (index, (field, _)) in fields.enumerate() {
            if index > 0 {
                selected.push(b',');
            }
            selected.extend_from_slice(field);
        }
        selected.push(b'\n');
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::measure;

    /// A text under a header, as rows.
    fn read(text: &str) -> Result<Vec<ConvergenceRow>, String> {
        let rows = super::super::read_rows("convergence.csv".as_ref(), text.as_bytes());
        rows.map(|rows| rows.into_iter().map(|(_, row)| row).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_documentation_names_every_column_in_its_order() {
        let columns: Vec<&str> = columns().collect();
        let page = include_str!("../../../docs/folder.md");
        assert!(page.contains(&format!("`{}`", columns.join(","))), "{columns:?}");
    }

    #[test]
    fn a_row_comes_out_as_it_went_in_and_what_is_left_out_is_unknown() {
        let measures = std::array::from_fn(|place| 0.5 + place as f64).map(|value: f64| value.floor());
        let sample = Sample { generation: 2, evaluations: 30, moves: 4, best: 5, measures };
        let row = ConvergenceRow { run: 1, sample };
        let header: Vec<&str> = columns().collect();
        let text = String::from_utf8(csv_text([&row], false)).expect("text");
        assert_eq!(read(&format!("{}\n{text}", header.join(","))), Ok(vec![row]));
        let short = read("run,generation,evaluations,moves,best,worst\n0,0,8,0,3,9\n").expect("sound rows");
        assert_eq!(short[0].sample.value(measure("worst")), Some(9.0));
        assert_eq!(short[0].sample.value(measure("mean")), None);
    }

    #[test]
    fn damage_is_named_by_its_column() {
        let said = read("run,generation,evaluations,moves,best,worst\n0,0,8,0,3,x\n").expect_err("damage");
        assert_eq!(said, "convergence.csv, line 2: column worst: invalid digit found in string");
        let said = read("run,generation,evaluations,moves\n0,0,8,0\n").expect_err("damage");
        assert_eq!(said, "convergence.csv, line 2: missing field `best`");
    }
}
