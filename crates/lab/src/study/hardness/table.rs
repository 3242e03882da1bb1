//! The features of puzzles, from the file that `kenga features` writes or any like it, and those of them that a model can use.

use std::collections::{BTreeMap, BTreeSet};

use crate::study::Feature;
use kenga_core::text::from_cell;

/// The features of some puzzles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureTable {
    /// The ids of the puzzles.
    pub puzzles: BTreeSet<String>,
    /// The columns of numbers, `true` as 1 and `false` as 0.
    pub features: Vec<Feature>,
    /// The names of the columns of words.
    pub words: Vec<String>,
    /// Groups of puzzles that belong together; the column that names them is no feature.
    pub group: Option<Grouping>,
}

/// Groups of puzzles that belong together, such as families of a generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grouping {
    /// The column that names them.
    pub column: String,
    /// The group of each puzzle; one without is on its own.
    pub of: BTreeMap<String, String>,
}

/// What is wrong with a file of features.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// It is no CSV.
    #[error("line {line}: {problem}")]
    Csv {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// There is no column of ids.
    #[error("the first line has no column `id`: expected the columns that `kenga features` writes")]
    NoId,
    /// There is no column of groups.
    #[error("the first line has no column `{0}`")]
    NoGroup(String),
    /// Two columns have one name.
    #[error("two columns are named `{0}`")]
    Column(String),
    /// Two rows are of one puzzle.
    #[error("line {line}: there is a row of puzzle `{puzzle}` already")]
    Puzzle {
        /// The line, from 1.
        line: u64,
        /// The id.
        puzzle: String,
    },
    /// A field is no number and most others of its column are, or the other way round.
    #[error("line {line}, column `{column}`: expected {expected} as in other rows, not `{found}`")]
    Value {
        /// The line, from 1.
        line: u64,
        /// The name of the column.
        column: String,
        /// What the others are.
        expected: &'static str,
        /// The field.
        found: String,
    },
}

/// A field.
#[derive(Clone)]
struct TableField {
    /// Where it stands.
    line: u64,
    puzzle: String,
    text: String,
}

impl FeatureTable {
    /// Reads comma-separated values: a column `id`, and others of finite numbers, of `true` and `false` (`True` and `TRUE`
    /// too), or of words. A field that is empty, `NA`, `NaN` or `nan` is unknown. The column `group`, if one is named, says
    /// which puzzles belong together.
    ///
    /// # Errors
    /// [`FeatureError`], with the line.
    pub fn read(text: &str, group: Option<&str>) -> Result<Self, FeatureError> {
        // After `\r\n` the reader would give the number of the line before.
        let text = text.replace("\r\n", "\n");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let Header { names, id } = Header::read(&mut reader, group)?;
        let mut table = Self::default();
        let mut fields: Vec<Vec<TableField>> = vec![Vec::new(); names.len()];
        for record in reader.records() {
            let record = record.map_err(|error| broken(&error))?;
            let line = record.position().map_or(0, csv::Position::line);
            let puzzle = from_cell(&record[id]).to_owned();
            if !table.puzzles.insert(puzzle.clone()) {
                return Err(FeatureError::Puzzle { line, puzzle });
            }
            for (fields, field) in fields.iter_mut().zip(&record) {
                if !is_unknown(field) {
                    let text = from_cell(field.trim()).to_owned();
                    fields.push(TableField { line, puzzle: puzzle.clone(), text });
                }
            }
        }
        for (place, (name, fields)) in names.into_iter().zip(fields).enumerate() {
            if place == id {
                continue;
            }
            if group == Some(&*name) {
                let of = fields.into_iter().map(|field| (field.puzzle, field.text)).collect();
                table.group = Some(Grouping { column: name, of });
            } else {
                table.add(name, &fields)?;
            }
        }
        Ok(table)
    }

    /// Adds a column: of words where most fields are, and then all must be.
    fn add(&mut self, name: String, fields: &[TableField]) -> Result<(), FeatureError> {
        let numbers: Vec<Option<f64>> = fields.iter().map(|field| number(&field.text)).collect();
        let words = numbers.iter().filter(|number| number.is_none()).count();
        // One misspelt number must not turn a column into words, which no model uses.
        let are_words = 2 * words > fields.len();
        let mut values = BTreeMap::new();
        for (field, number) in fields.iter().zip(numbers) {
            if number.is_none() != are_words {
                let expected = if are_words { "words" } else { "a finite number, true or false" };
                let (line, found) = (field.line, field.text.clone());
                return Err(FeatureError::Value { line, column: name, expected, found });
            }
            if let Some(number) = number {
                values.insert(field.puzzle.clone(), number);
            }
        }
        if are_words {
            self.words.push(name);
        } else {
            self.features.push(Feature { name, values });
        }
        Ok(())
    }
}

/// The names of the columns.
struct Header {
    names: Vec<String>,
    /// Which of them has the ids.
    id: usize,
}

impl Header {
    fn read(reader: &mut csv::Reader<&[u8]>, group: Option<&str>) -> Result<Self, FeatureError> {
        let header = reader.headers().map_err(|error| broken(&error))?;
        let names: Vec<String> = header.iter().map(|name| from_cell(name).to_owned()).collect();
        let id = names.iter().position(|name| name == "id").ok_or(FeatureError::NoId)?;
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return Err(FeatureError::Column(name.clone()));
            }
        }
        if let Some(group) = group
            && !names.iter().any(|name| name == group)
        {
            return Err(FeatureError::NoGroup(group.to_owned()));
        }
        Ok(Self { names, id })
    }
}

fn broken(error: &csv::Error) -> FeatureError {
    let line = error.position().map_or(1, csv::Position::line);
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("expected {expected_len} fields, as in the first line, not {len}")
        }
        _ => "expected comma-separated values in UTF-8".to_owned(),
    };
    FeatureError::Csv { line, problem }
}

/// Whether a field holds no value.
fn is_unknown(field: &str) -> bool {
    matches!(field.trim(), "" | "NA" | "NaN" | "nan")
}

fn number(text: &str) -> Option<f64> {
    match text {
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        text => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// A feature that a model uses, with its value for each puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedFeature {
    /// Its name.
    pub name: String,
    /// The value of each puzzle, in the order of the puzzles; `None` where it is unknown.
    pub values: Vec<Option<f64>>,
}

impl UsedFeature {
    /// For how many puzzles it is unknown.
    pub fn unknown(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// Its values, the unknown ones replaced by the median over the puzzles that `counts` says.
    pub(super) fn filled(&self, counts: impl Fn(usize) -> bool) -> Vec<f64> {
        let mut known = Vec::with_capacity(self.values.len());
        for (place, value) in self.values.iter().enumerate() {
            if let Some(value) = value
                && counts(place)
            {
                known.push(*value);
            }
        }
        known.sort_unstable_by(f64::total_cmp);
        // Where it is unknown for all of them, any number says as little.
        let middle = known.get(known.len() / 2).copied().unwrap_or(0.0);
        self.values.iter().map(|value| value.unwrap_or(middle)).collect()
    }
}

/// The columns of a table for some puzzles: those that a model can use, and why it cannot use the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// The features with two different known values or more.
    pub used: Vec<UsedFeature>,
    /// The names of those whose known values never vary.
    pub constant: Vec<String>,
    /// The names of those that are never known.
    pub empty: Vec<String>,
    /// The names of those of words.
    pub words: Vec<String>,
}

impl Columns {
    pub(super) fn of(table: &FeatureTable, puzzles: &[String]) -> Self {
        let mut columns = Self { words: table.words.clone(), ..Self::default() };
        for feature in &table.features {
            let values: Vec<Option<f64>> =
                puzzles.iter().map(|puzzle| feature.values.get(puzzle).copied()).collect();
            let mut known = values.iter().flatten();
            let name = feature.name.clone();
            match known.next() {
                None => columns.empty.push(name),
                Some(first) if known.all(|other| other == first) => columns.constant.push(name),
                Some(_) => columns.used.push(UsedFeature { name, values }),
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(table: &FeatureTable, column: usize, puzzle: &str) -> Option<f64> {
        table.features[column].values.get(puzzle).copied()
    }

    #[test]
    fn numbers_flags_words_and_unknown_values_are_told_apart() {
        let table =
            FeatureTable::read("id,kind,n,exact,none\na,kenken,3,true,\n\"b,1\",kakuro,,false,\n", None)
                .expect("sound");
        assert_eq!(table.words, ["kind"]);
        assert_eq!((value(&table, 0, "a"), value(&table, 0, "b,1")), (Some(3.0), None));
        assert_eq!((value(&table, 1, "a"), value(&table, 1, "b,1")), (Some(1.0), Some(0.0)));
        let columns = Columns::of(&table, &["a".to_owned(), "b,1".to_owned()]);
        assert_eq!((columns.constant, columns.empty), (vec!["n".to_owned()], vec!["none".to_owned()]));
        assert_eq!(columns.used[0].name, "exact");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said = |text: &str| FeatureTable::read(text, None).expect_err("it is wrong").to_string();
        for ends in ["\n", "\r\n"] {
            let text = "id,n|a,1|b,1,2|".replace('|', ends);
            assert_eq!(said(&text), "line 3: expected 2 fields, as in the first line, not 3");
            let text = "id,n|a,1|a,2|".replace('|', ends);
            assert_eq!(said(&text), "line 3: there is a row of puzzle `a` already");
        }
        assert!(said("n\n1\n").contains("no column `id`"));
        assert_eq!(said("id,n,n\n"), "two columns are named `n`");
        assert_eq!(said("id,n\na,1\na,2\n"), "line 3: there is a row of puzzle `a` already");
        assert!(said("id,n\na,1\nb,many\n").starts_with("line 3, column `n`: expected a finite number"));
        let words = said("id,n\na,one\nb,two\nc,3\nd,four\n");
        assert_eq!(words, "line 4, column `n`: expected words as in other rows, not `3`");
        assert!(said("id,n\na,1\nb,inf\n").contains("not `inf`"));
    }

    #[test]
    fn missing_values_of_other_programs_are_unknown() {
        let text = "id,n,m,f\na,1,x,True\nb,NA,NA,FALSE\nc,NaN,y,\nd, nan ,z,\n";
        let table = FeatureTable::read(text, None).expect("sound");
        assert_eq!((value(&table, 0, "a"), table.features[0].values.len()), (Some(1.0), 1));
        assert_eq!((value(&table, 1, "a"), value(&table, 1, "b")), (Some(1.0), Some(0.0)));
        assert_eq!(table.words, ["m"]);
    }

    #[test]
    fn a_column_names_groups_and_is_no_feature() {
        let text = "id,n,family\na,1,7\nb,2,7\nc,3,\n";
        let table = FeatureTable::read(text, Some("family")).expect("sound");
        assert_eq!((table.features.len(), table.words.len()), (1, 0));
        let group = table.group.expect("it was asked for");
        assert_eq!((group.of.get("b").map(String::as_str), group.of.get("c")), (Some("7"), None));
        let error = FeatureTable::read(text, Some("famly")).expect_err("no such column").to_string();
        assert_eq!(error, "the first line has no column `famly`");
    }

    #[test]
    fn unknown_values_become_the_median_of_the_puzzles_that_count() {
        let values = vec![Some(1.0), None, Some(5.0), Some(9.0), Some(100.0)];
        let feature = UsedFeature { name: "n".to_owned(), values };
        assert_eq!((feature.unknown(), feature.filled(|place| place != 4)[1]), (1, 5.0));
        assert_eq!(feature.filled(|_| false)[1], 0.0);
    }
}
