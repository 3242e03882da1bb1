//! The rows of the CSV files.

mod convergence;
mod plain;
mod population;
mod run;

use std::path::Path;

use csv::StringRecord;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

use super::ResultsError;
use crate::experiment::Config;

pub use convergence::ConvergenceRow;
pub use plain::{CostRow, FailureRow, GroupRow, MigrationRow, OperatorRow, PuzzleRow, TermRow, TimingRow};
pub use population::PopulationRow;
pub use run::RunRow;

pub(super) use convergence::convergence_header;
pub(super) use plain::operator_header;
pub(super) use run::run_header;
pub(crate) use run::solver_of;

/// A row with its line in the file, from 1.
#[derive(Debug, PartialEq)]
pub(crate) struct Numbered<T> {
    pub(crate) line: u64,
    pub(crate) row: T,
}

/// What is wrong with a row, and its line.
#[derive(Debug)]
pub(super) struct RowProblem {
    pub(super) line: u64,
    pub(super) problem: String,
}

/// A row of a CSV file.
pub trait CsvRow: Clone {
    /// The name of the file.
    const FILE: &'static str;

    /// What [`read`](Self::read) looks up once for many rows: a number for each column, or nothing.
    fn places(_columns: &StringRecord) -> Vec<usize> {
        Vec::new()
    }

    /// Reads a row with these columns and their [`places`](Self::places).
    ///
    /// # Errors
    /// The problem in words.
    fn read(record: &StringRecord, columns: &StringRecord, places: &[usize]) -> Result<Self, String>;

    /// The lines of some rows, without the header.
    fn text(rows: impl IntoIterator<Item = Self>, config: &Config) -> Vec<u8>;
}

/// A row whose columns are its fields.
pub trait PlainRow: Clone + Serialize + DeserializeOwned {
    /// The name of the file.
    const FILE: &'static str;
}

impl<T: PlainRow> CsvRow for T {
    const FILE: &'static str = T::FILE;

    fn read(record: &StringRecord, columns: &StringRecord, _places: &[usize]) -> Result<Self, String> {
        read_fields(record, columns)
    }

    fn text(rows: impl IntoIterator<Item = Self>, _config: &Config) -> Vec<u8> {
        csv_text(rows, false)
    }
}

/// Reads the fields of a row by the names of their columns.
fn read_fields<T: DeserializeOwned>(record: &StringRecord, columns: &StringRecord) -> Result<T, String> {
    record.deserialize(Some(columns)).map_err(|error| problem(&error, columns))
}

/// The header line of a type of row: the names of its fields.
pub(super) fn header<T: Default + Serialize>() -> Vec<u8> {
    header_of(T::default())
}

/// The header line above a row: the names of the fields that it has.
pub(crate) fn header_of(row: impl Serialize) -> Vec<u8> {
    let mut text = csv_text([row], true);
    let end = text.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    text.truncate(end);
    text
}

/// Rows as CSV text, with or without the header.
pub(crate) fn csv_text<T: Serialize>(rows: impl IntoIterator<Item = T>, with_header: bool) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(with_header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("rows are flat and memory does not fail");
    }
    writer.into_inner().expect("memory does not fail")
}

/// The columns that a header line names.
pub(super) fn columns(header: &[u8]) -> StringRecord {
    csv::Reader::from_reader(header).headers().cloned().unwrap_or_default()
}

/// Reads the rows of a CSV text that begins with its header, each with its line.
///
/// # Errors
/// [`ResultsError::Damaged`] naming the line.
pub(super) fn read_rows<T: CsvRow>(path: &Path, text: &[u8]) -> Result<Vec<Numbered<T>>, ResultsError> {
    let header = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
    parse(&text[header..], &columns(&text[..header]), 2).map_err(|wrong| ResultsError::Damaged {
        path: path.to_owned(),
        at: format!(", line {}", wrong.line),
        problem: wrong.problem,
    })
}

/// Reads rows with these columns, whose lines are counted from `first`.
pub(super) fn parse<T: CsvRow>(
    text: &[u8],
    columns: &StringRecord,
    first: u64,
) -> Result<Vec<Numbered<T>>, RowProblem> {
    let (mut rows, places) = (Vec::new(), T::places(columns));
    let mut take = |record: &StringRecord, line: u64| {
        if record.len() != columns.len() {
            let problem = format!("{} fields, the header names {}", record.len(), columns.len());
            return Err(RowProblem { line, problem });
        }
        let row = T::read(record, columns, &places).map_err(|problem| RowProblem { line, problem })?;
        rows.push(Numbered { line, row });
        Ok(())
    };
    // A CSV reader takes longer to build than the few rows of a run take to read; most rows need none.
    let is_plain = !text.iter().any(|byte| matches!(byte, b'"' | b'\r'));
    if let (true, Ok(text)) = (is_plain, str::from_utf8(text)) {
        let mut record = StringRecord::with_capacity(text.len(), columns.len());
        for (line, row) in (first..).zip(text.lines()).filter(|(_, row)| !row.is_empty()) {
            record.clear();
            row.split(',').for_each(|field| record.push_field(field));
            take(&record, line)?;
        }
        return Ok(rows);
    }
    // `flexible` lets rows of any length through, so that their lines can be named.
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    for record in reader.records() {
        let record = record.map_err(|error| RowProblem {
            line: line_of(error.position(), first),
            problem: error.to_string(),
        })?;
        take(&record, line_of(record.position(), first))?;
    }
    Ok(rows)
}

fn line_of(position: Option<&csv::Position>, first: u64) -> u64 {
    position.map_or(first, |at| first + at.line() - 1)
}

/// The problem of a record, with the name of its column.
fn problem(error: &csv::Error, columns: &StringRecord) -> String {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else { return error.to_string() };
    match err.field().and_then(|field| columns.get(usize::try_from(field).ok()?)) {
        Some(name) => format!("column {name}: {}", err.kind()),
        None => err.kind().to_string(),
    }
}

/// Writes a real number with six decimals, trailing zeros left out.
fn push_decimals(number: f64, text: &mut Vec<u8>) {
    match quick_decimals(number, &mut [0; 24]) {
        Some(quick) => text.extend_from_slice(quick.as_bytes()),
        None => text.extend_from_slice(slow_decimals(number).as_bytes()),
    }
}

fn six_decimals<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = Vec::new();
    push_decimals(*number, &mut text);
    serializer.serialize_str(str::from_utf8(&text).expect("digits are text"))
}

fn slow_decimals(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// [`slow_decimals`] without an allocation; `None` where the number is negative, large, or so near to the middle of two
/// decimals that only exact arithmetic can round it.
fn quick_decimals(number: f64, buffer: &mut [u8; 24]) -> Option<&str> {
    if !(0.0..1e6).contains(&number) || number.is_sign_negative() {
        return None;
    }
    let scaled = number * 1e6;
    // The product is off by less than a thousandth.
    if ((scaled - scaled.floor()) - 0.5).abs() < 1e-3 {
        return None;
    }
    let mut digits = scaled.round() as u64;
    let mut start = buffer.len();
    let mut has_end = false;
    for place in 0.. {
        let digit = (digits % 10) as u8;
        digits /= 10;
        if place == 6 && has_end {
            start -= 1;
            buffer[start] = b'.';
        }
        has_end |= digit != 0;
        if has_end || place >= 6 {
            start -= 1;
            buffer[start] = b'0' + digit;
        }
        if place >= 6 && digits == 0 {
            break;
        }
    }
    str::from_utf8(&buffer[start..]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(cpu_s: f64) -> TimingRow {
        TimingRow { run: 3, cpu_s, wall_s: 1.0 }
    }

    #[test]
    fn reals_have_up_to_six_decimals() {
        let text = csv_text(&[timing(0.123_456_789), timing(2.5), timing(0.0), timing(10.0)], true);
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text, "run,cpu_s,wall_s\n3,0.123457,1\n3,2.5,1\n3,0,1\n3,10,1\n");
    }

    #[test]
    fn quick_decimals_are_those_of_exact_arithmetic() {
        let mut number = 0.000_000_1;
        let near = |number: f64| [number, number.next_down(), number.next_up(), number.round()];
        while number < 2e6 {
            for number in near(number).into_iter().chain(near((number * 1e6).round() / 1e6 + 5e-7)) {
                let mut buffer = [0; 24];
                if let Some(quick) = quick_decimals(number, &mut buffer) {
                    assert_eq!(quick, slow_decimals(number), "{number:e}");
                }
            }
            number *= 1.003;
        }
        let mut buffer = [0; 24];
        assert_eq!(quick_decimals(10.0, &mut buffer), Some("10"));
        assert_eq!(quick_decimals(0.5, &mut buffer), Some("0.5"));
        assert_eq!(quick_decimals(0.0, &mut buffer), Some("0"));
        assert!(
            [-0.0, -1.0, f64::NAN, 1e6].iter().all(|number| quick_decimals(*number, &mut buffer).is_none())
        );
    }

    #[test]
    fn headers_name_the_fields_in_their_order() {
        assert_eq!(header::<TimingRow>(), b"run,cpu_s,wall_s\n");
        assert!(header::<PuzzleRow>().starts_with(b"puzzle,cells,digits,solutions,"));
    }

    #[test]
    fn rows_round_trip_and_damage_is_named_by_line() {
        let path = Path::new("timing.csv");
        let rows = read_rows::<TimingRow>(path, b"run,cpu_s,wall_s\n3,0.5,1\n").expect("sound rows");
        assert_eq!(rows, [Numbered { line: 2, row: timing(0.5) }]);
        let error =
            read_rows::<TimingRow>(path, b"run,cpu_s,wall_s\n3,0.5,1\n4,x,1\n").expect_err("a bad row");
        let said = "timing.csv, line 3: column cpu_s: invalid float literal";
        assert_eq!(error.to_string(), said);
    }

    #[test]
    fn a_row_is_read_alike_with_and_without_quoted_fields() {
        let header = String::from_utf8(run_header(&["algorithm.a".to_owned()])).expect("text");
        let read = |line: &str| {
            let rows = read_rows::<RunRow>(Path::new("runs.csv"), format!("{header}{line}\n").as_bytes());
            rows.map_err(|error| error.to_string())
        };
        let plain = "7,p,0,2,0.5,true,true,search,9,0,2,0,7,0,solved,,0,1 2/2 1";
        let sound = read(plain).expect("a sound row");
        assert_eq!(
            (sound[0].row.run, sound[0].row.swept[0].as_str(), sound[0].row.dead_at),
            (7, "0.5", None)
        );
        for edit in [",p,", ",9,0,", ",true,search", ",solved,", ",0,1 2", ",0.5"] {
            for with in [edit, ",x,", ",,", ""] {
                let line = plain.replace(edit, with);
                let quoted = line.replacen("1 2/2 1", "\"1 2/2 1\"", 1);
                assert_eq!(read(&line), read(&quoted), "{line}");
            }
        }
    }

    #[test]
    fn texts_that_a_spreadsheet_would_run_are_cells_and_are_read_back() {
        let failure = FailureRow {
            puzzle: "p".to_owned(),
            reason: "-x".to_owned(),
            stderr: "=1\n\"a\"".to_owned(),
            ..FailureRow::default()
        };
        let text = csv_text([failure.clone()], true);
        assert!(String::from_utf8_lossy(&text).ends_with("0,p,0,0,'-x,\"'=1\n\"\"a\"\"\"\n"));
        let rows = read_rows::<FailureRow>(Path::new("failures.csv"), &text).expect("sound rows");
        assert_eq!(rows, [Numbered { line: 2, row: failure }]);
        let keys = ["algorithm.a".to_owned(), "algorithm.b".to_owned()];
        let header = String::from_utf8(run_header(&keys)).expect("text");
        let line = "0,p,0,0,'=1+1,-3,false,false,,9,0,2,4,1,0,evaluations,,,1 2/2 1\n";
        let rows =
            read_rows::<RunRow>(Path::new("runs.csv"), (header + line).as_bytes()).expect("sound rows");
        assert_eq!(rows[0].row.swept, ["=1+1", "-3"]);
        assert_eq!(String::from_utf8_lossy(&csv_text([rows[0].row.clone()], false)), line);
    }
}
