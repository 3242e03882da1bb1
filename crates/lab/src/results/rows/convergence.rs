//! The rows of `convergence.csv`: run, generation, evaluations, moves, best, and the measures of the experiment's table.

use std::io::Write;
use std::str::FromStr;

use csv::StringRecord;

use super::{CsvRow, push_decimals};
use crate::experiment::{Config, MEASURES, MeasureKind, Sample};
use crate::results::files::CONVERGENCE;

/// The columns that are not measures.
const FIXED: [&str; 5] = ["run", "generation", "evaluations", "moves", "best"];

/// A row of `convergence.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvergenceRow {
    /// Index of the run.
    pub run: u64,
    /// The generation; a measure without a column is unknown.
    pub sample: Sample,
}

impl ConvergenceRow {
    /// Writes the row with the measures at these places.
    fn write(&self, measures: impl IntoIterator<Item = usize>, text: &mut Vec<u8>) {
        const ROOM: &str = "memory does not fail";
        let Sample { generation, evaluations, moves, best, .. } = self.sample;
        write!(text, "{},{generation},{evaluations},{moves},{best}", self.run).expect(ROOM);
        for place in measures {
            text.push(b',');
            match (MEASURES[place].kind, self.sample.value(place)) {
                (MeasureKind::Count, Some(count)) => write!(text, "{}", count as u64).expect(ROOM),
                (MeasureKind::Real, Some(real)) => push_decimals(real, text),
                (_, None) => {}
            }
        }
        text.push(b'\n');
    }
}

impl CsvRow for ConvergenceRow {
    const FILE: &'static str = CONVERGENCE;

    /// The place of each column in [`FIXED`] or, behind these, in [`MEASURES`]; of any other one beyond both.
    fn places(columns: &StringRecord) -> Vec<usize> {
        let names = || FIXED.into_iter().chain(MEASURES.iter().map(|measure| measure.name));
        let place = |column| names().position(|name| name == column).unwrap_or(usize::MAX);
        columns.iter().map(place).collect()
    }

    fn read(record: &StringRecord, columns: &StringRecord, places: &[usize]) -> Result<Self, String> {
        let (mut fixed, mut measures) = ([None; FIXED.len()], [f64::NAN; MEASURES.len()]);
        for ((field, place), column) in record.iter().zip(places).zip(columns) {
            if let Some(number_of) = fixed.get_mut(*place) {
                *number_of = Some(number::<u64>(column, field)?);
            } else if let Some(value) = measures.get_mut(place - FIXED.len())
                && !field.is_empty()
            {
                *value = match MEASURES[place - FIXED.len()].kind {
                    MeasureKind::Count => number::<u32>(column, field)?.into(),
                    MeasureKind::Real => number(column, field)?,
                };
            }
        }
        // Read as the other counts are, and then held to the range of a fitness.
        let best = u32::try_from(required(&fixed, 4)?).map_err(|error| format!("column best: {error}"))?;
        let (generation, evaluations) = (required(&fixed, 1)?, required(&fixed, 2)?);
        let sample = Sample { generation, evaluations, moves: required(&fixed, 3)?, best, measures };
        Ok(Self { run: required(&fixed, 0)?, sample })
    }

    fn text(rows: impl IntoIterator<Item = Self>, config: &Config) -> Vec<u8> {
        let (mut text, measures) = (Vec::new(), measures(config));
        for row in rows {
            row.write(measures.iter().copied(), &mut text);
        }
        text
    }
}

/// The value of a column that is no measure.
fn required(fixed: &[Option<u64>; FIXED.len()], place: usize) -> Result<u64, String> {
    fixed[place].ok_or_else(|| format!("missing field `{}`", FIXED[place]))
}

fn number<T: FromStr>(column: &str, field: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    field.parse().map_err(|error| format!("column {column}: {error}"))
}

/// The places of the measures that a configuration keeps.
fn measures(config: &Config) -> Vec<usize> {
    (0..MEASURES.len()).filter(|place| config.keeps(&MEASURES[*place])).collect()
}

/// The header line of `convergence.csv`.
pub(in crate::results) fn convergence_header(config: &Config) -> Vec<u8> {
    let mut columns = FIXED.to_vec();
    columns.extend(measures(config).into_iter().map(|place| MEASURES[place].name));
    (columns.join(",") + "\n").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Measure, measure};

    /// A text under a header, as rows.
    fn read(text: &str) -> Result<Vec<ConvergenceRow>, String> {
        let rows = super::super::read_rows("convergence.csv".as_ref(), text.as_bytes());
        let rows = rows.map_err(|error| error.to_string())?;
        Ok(rows.into_iter().map(|numbered| numbered.row).collect())
    }

    #[test]
    fn the_documentation_names_every_column_in_its_order() {
        let page = include_str!("../../../../../docs/folder.md");
        let (optional, always) = MEASURES.iter().partition::<Vec<&Measure>, _>(|measure| measure.is_optional);
        let always: Vec<&str> = FIXED.into_iter().chain(always.iter().map(|measure| measure.name)).collect();
        assert!(page.contains(&format!("`{}`", always.join(","))), "{always:?}");
        assert!(optional.iter().all(|measure| page.contains(&format!("\n- `{}`", measure.name))));
    }

    #[test]
    fn a_row_comes_out_as_it_went_in_and_what_is_left_out_is_unknown() {
        let measures = std::array::from_fn(|place| 0.5 + place as f64).map(|value: f64| value.floor());
        let sample = Sample { generation: 2, evaluations: 30, moves: 4, best: 5, measures };
        let row = ConvergenceRow { run: 1, sample };
        let header: Vec<&str> =
            FIXED.into_iter().chain(MEASURES.iter().map(|measure| measure.name)).collect();
        let mut text = Vec::new();
        row.write(0..MEASURES.len(), &mut text);
        let text = String::from_utf8(text).expect("text");
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
