//! The labels of settings: the values of the keys that differ between them.

use std::collections::BTreeSet;

use crate::decimal;
use kenga_core::sort::sort_by;
use kenga_core::text::joined;
use kenga_lab::study::{JoinedSettings, Study};

/// The column with the folder.
const FOLDER: &str = "folder";

/// The labels of some settings as a table: a column for each key, a row for each setting.
pub(crate) struct Labels {
    /// The keys, shortened where they stay distinct.
    pub(crate) columns: Vec<String>,
    /// The values; empty for a key without one.
    pub(crate) rows: Vec<Vec<String>>,
    /// The keys that have the same value in all of several settings, with that value.
    pub(crate) common: Vec<(String, String)>,
}

/// A key with its values as levels, numbers by size and others in order of appearance, and the level of every setting.
pub(crate) struct Factor {
    pub(crate) name: String,
    pub(crate) levels: Vec<String>,
    pub(crate) of: Vec<usize>,
}

impl Labels {
    /// The labels of the settings of a comparison by `by`.
    pub(super) fn of(study: &Study, settings: &[JoinedSettings], by: &[String]) -> Self {
        let are_named = settings.iter().any(|joined| study.settings[joined.settings[0]].is_named);
        let (keys, rows) = match by {
            // What has been given a name is not told apart by its folder.
            [] if are_named && study.swept_keys().is_empty() => (Vec::new(), Vec::new()),
            [] => columns_of(study, settings),
            by => (by.to_vec(), settings.iter().map(|setting| setting.values.clone()).collect()),
        };
        let mut labels = Self { columns: short_names(&keys), rows, common: Vec::new() };
        labels.factor_out();
        if labels.columns.is_empty() {
            labels.columns = vec!["setting".to_owned()];
            labels.rows = settings.iter().map(|setting| vec![setting.name.clone()]).collect();
        }
        labels
    }

    /// Moves the columns that are the same in all of several rows to `common`.
    fn factor_out(&mut self) {
        if self.rows.len() < 2 {
            return;
        }
        for column in (0..self.columns.len()).rev() {
            if self.rows.iter().all(|row| row[column] == self.rows[0][column]) {
                let value = self.rows[0][column].clone();
                self.common.insert(0, (self.columns.remove(column), value));
                for row in &mut self.rows {
                    row.remove(column);
                }
            }
        }
    }

    /// The keys of a label, `mutation.rate · population`; empty where it needs no explanation.
    pub(crate) fn heading(&self) -> String {
        match &*self.columns {
            [only] if only == "setting" || only == FOLDER => String::new(),
            columns => columns.join(" · "),
        }
    }

    /// The label of a setting: `0.02 · 80`.
    pub(crate) fn name(&self, setting: usize) -> String {
        joined(self.rows[setting].iter().map(|value| or_dash(value)), " · ")
    }

    /// The keys as factors, the folder among them; empty where settings have only names.
    pub(crate) fn factors(&self) -> Vec<Factor> {
        if self.rows.len() < 2 || self.columns == ["setting"] {
            return Vec::new();
        }
        (0..self.columns.len()).map(|column| self.factor(column)).collect()
    }

    fn factor(&self, column: usize) -> Factor {
        let mut levels: Vec<String> = Vec::new();
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        for row in &self.rows {
            if seen.insert(&row[column]) {
                levels.push(row[column].clone());
            }
        }
        if levels.iter().all(|level| number(level).is_some()) {
            sort_by(&mut levels, |a, b| {
                number(a).unwrap_or_default().total_cmp(&number(b).unwrap_or_default())
            });
        }
        let mut of = Vec::new();
        for row in &self.rows {
            of.push(levels.iter().position(|level| *level == row[column]).expect("every value is a level"));
        }
        Factor { name: self.columns[column].clone(), levels, of }
    }
}

/// The value of a key in a figure, where one without a value shows a dash.
pub(crate) fn or_dash(value: &str) -> &str {
    if value.is_empty() { "–" } else { value }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Factor {
    /// The levels as numbers, if all are numbers.
    pub(crate) fn numbers(&self) -> Option<Vec<f64>> {
        self.levels.iter().map(|level| number(level)).collect()
    }

    /// The factor with neighbouring levels grouped into at most `most`.
    pub(crate) fn binned(&self, most: usize) -> Self {
        if self.levels.len() <= most || self.numbers().is_none() {
            return Self { name: self.name.clone(), levels: self.levels.clone(), of: self.of.clone() };
        }
        let count = self.levels.len();
        let mut levels = Vec::new();
        let mut first = 0;
        for bin in 0..most {
            // There are more levels than bins: every bin holds one at least, those with `level * most / count == bin`.
            let end = ((bin + 1) * count).div_ceil(most);
            let (low, high) = (rounded_number(&self.levels[first]), rounded_number(&self.levels[end - 1]));
            levels.push(if end - first > 1 { format!("{low}–{high}") } else { low });
            first = end;
        }
        let of = self.of.iter().map(|level| level * most / count).collect();
        Self { name: self.name.clone(), levels, of }
    }
}

fn rounded_number(text: &str) -> String {
    text.parse().map_or(text.to_owned(), three_digits)
}

/// A number with three significant digits.
fn three_digits(number: f64) -> String {
    if number == 0.0 || number.fract() == 0.0 {
        return number.to_string();
    }
    let decimals = (2 - number.abs().log10().floor() as i32).max(0) as usize;
    let text = decimal(number, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The keys that name the settings of several folders; else the folder, where there are several, and every swept key.
fn columns_of(study: &Study, settings: &[JoinedSettings]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut several = study.folders.len() > 1;
    let mut keys = study.swept_keys();
    if !study.naming_keys().is_empty() {
        several = false;
        keys = study.naming_keys().to_vec();
    }
    let mut rows = Vec::new();
    for joined in settings {
        let setting = &study.settings[joined.settings[0]];
        let folder = &study.folders[setting.folder];
        let swept = &folder.plan.settings;
        let mut row = Vec::new();
        if several {
            // A folder of one setting is called as that is.
            let is_named = setting.is_named && swept.keys.is_empty();
            row.push(tidy(if is_named { &setting.label } else { &folder.name }));
        }
        for key in &keys {
            // A key that another folder sweeps has one value here, which has no label.
            let value = match swept.keys.iter().position(|other| other == key) {
                Some(column) => &swept.all[setting.setting as usize].labels[column],
                None => setting.values.get(key).map_or("", String::as_str),
            };
            row.push(tidy(value));
        }
        rows.push(row);
    }
    let mut columns = Vec::new();
    if several {
        columns.push(FOLDER.to_owned());
    }
    columns.extend(keys.iter().cloned());
    (columns, rows)
}

/// A number with many digits, such as a point of a logarithmic axis, rounded to three.
fn tidy(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() && value.len() > 7 && value.contains('.') => three_digits(number),
        _ => value.to_owned(),
    }
}

/// Dotted paths without the table of the algorithm and the word `name`, unless two would be the same.
fn short_names(keys: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for key in keys {
        let inner = key.strip_prefix("algorithm.").unwrap_or(key);
        let inner = inner.strip_suffix(".name").unwrap_or(inner);
        names.push(if inner == "name" { "algorithm".to_owned() } else { inner.to_owned() });
    }
    distinct(names, keys)
}

/// Short names; where two would be the same, those in full.
pub(crate) fn distinct(short: Vec<String>, full: &[String]) -> Vec<String> {
    let mut names = short.clone();
    for (index, name) in short.iter().enumerate() {
        if short.iter().filter(|other| *other == name).count() > 1 {
            names[index].clone_from(&full[index]);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lose_what_all_of_them_share() {
        let keys = ["algorithm.name", "algorithm.mutation.rate", "algorithm.crossover.name", "fitness.cages"];
        let names = short_names(&keys.map(str::to_owned));
        assert_eq!(names, ["algorithm", "mutation.rate", "crossover", "fitness.cages"]);
        let alike = ["algorithm.mutation", "algorithm.mutation.name"].map(str::to_owned);
        assert_eq!(short_names(&alike), alike);
    }

    #[test]
    fn what_all_settings_share_is_taken_out_of_their_labels() {
        let row = |values: [&str; 3]| values.map(str::to_owned).to_vec();
        let rows = vec![row(["10", "swap", "x"]), row(["9", "swap", ""])];
        let columns = ["size", "mutation", "other"].map(str::to_owned).to_vec();
        let mut labels = Labels { columns, rows, common: Vec::new() };
        labels.factor_out();
        assert_eq!(labels.heading(), "size · other");
        assert_eq!([labels.name(0), labels.name(1)], ["10 · x", "9 · –"]);
        assert_eq!(labels.common, [("mutation".to_owned(), "swap".to_owned())]);
        let size = &labels.factors()[0];
        assert_eq!((&*size.levels, &*size.of), (&["9".to_owned(), "10".to_owned()][..], &[1, 0][..]));
    }

    #[test]
    fn many_levels_are_put_into_bins() {
        let levels: Vec<String> = (0..20).map(|level| (f64::from(level) * 0.123_456).to_string()).collect();
        let factor = Factor { name: "rate".to_owned(), of: (0..20).collect(), levels };
        let binned = factor.binned(8);
        assert_eq!((binned.levels.len(), binned.of[0], binned.of[19]), (8, 0, 7));
        assert_eq!(binned.levels[1], "0.37–0.494");
    }
}
