//! A choice of the columns of a table.

use super::{Align, Column, Note, Table};

impl Table {
    /// Keeps the columns with these names, in their order, behind those of words at the left, which name the rows. Names that
    /// the table does not have are ignored, notes on other columns are dropped. False if no column is left but the names.
    pub fn keep_columns(&mut self, names: &[String]) -> bool {
        let mut chosen: Vec<usize> = (0..self.columns.len()).collect();
        chosen.retain(|index| self.columns[..=*index].iter().all(|column| column.align == Align::Left));
        let rows = chosen.len();
        for name in names {
            chosen.extend(self.column(name).filter(|index| !chosen.contains(index)));
        }
        for row in &mut self.rows {
            *row = chosen.iter().map(|index| std::mem::take(&mut row[*index])).collect();
        }
        self.columns = chosen.iter().map(|index| self.columns[*index].clone()).collect();
        for note in &mut self.notes {
            let is_kept =
                |about: &str| self.columns.iter().any(|column| column.names.iter().any(|one| one == about));
            *note = Note::default().sentence(note.text(is_kept));
        }
        self.notes.retain(|note| !note.whole().is_empty());
        chosen.len() > rows
    }

    /// The column of a name: a name of its values, or the first word of its heading, `calls` for `× calls (95 %)`; of two with
    /// this word one without a comma.
    pub fn column(&self, name: &str) -> Option<usize> {
        let is_named = |column: &Column| column.names.iter().any(|one| one == name);
        let begins = |column: &Column| column.word() == name;
        let is_plain = |column: &Column| begins(column) && !column.heading.contains(',');
        let place = self.columns.iter().position(is_named).or(self.columns.iter().position(is_plain));
        place.or(self.columns.iter().position(begins))
    }

    /// The names by which [`column`](Self::column) knows columns.
    pub fn column_names(&self) -> impl Iterator<Item = &str> {
        self.columns
            .iter()
            .flat_map(|column| column.names.iter().take(1).map(String::as_str).chain([column.word()]))
    }
}

impl Column {
    /// The first word of the heading.
    fn word(&self) -> &str {
        self.heading.trim_start_matches("× ").split([',', ' ']).next().unwrap_or_default()
    }
}
