//! Tables and their output formats: for people a terminal of any width, Markdown and LaTeX; for programs JSON and CSV.
//!
//! ```text
//! let mut table = Table::new([
//!     Column::words("setting", "setting"),
//!     Column::numbers("solved", &["solved", "runs"]),
//!     Column::numbers("PAR-10", &["par10"]).priority(2),
//! ]);
//! table.push([
//!     Cell::words("rate 0.05"),
//!     Cell::new("41 of 60", [json!(41), json!(60)]),
//!     Cell::new("61.7 k", [json!(61_730.5)]),
//! ]);
//! output.write(&table.render(format, &view))?;
//! ```

mod choice;
mod forms;
mod note;
mod terminal;

pub(crate) use forms::{is_long, open_rows};
pub(crate) use note::Note;

use serde_json::Value;

use super::counted;
use kenga_core::text::printable;

/// A table with a title, columns, rows and notes.
#[derive(Clone, Debug, Default)]
pub struct Table {
    title: String,
    /// Its label in LaTeX, after `tab:kenga-`; without one it is empty.
    label: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    notes: Vec<Note>,
    /// The command that shows the rows and columns for which a terminal has no room.
    in_full: Option<String>,
    /// Whether a terminal shows every row.
    is_whole: bool,
}

/// A column: its heading for people, and the names of its values for programs.
#[derive(Clone, Debug)]
pub struct Column {
    heading: String,
    names: Vec<String>,
    align: Align,
    priority: u8,
}

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// The columns of a table, each with the cell that a row has in it.
pub struct Fields<'a, T> {
    columns: Vec<Column>,
    cells: Vec<CellOf<'a, T>>,
}

/// Makes the cell of a row.
type CellOf<'a, T> = Box<dyn Fn(&T) -> Cell + 'a>;

impl<T> Default for Fields<'_, T> {
    fn default() -> Self {
        Self { columns: Vec::new(), cells: Vec::new() }
    }
}

impl<'a, T> Fields<'a, T> {
    /// Adds a column on the right.
    pub fn add(&mut self, column: Column, cell: impl Fn(&T) -> Cell + 'a) {
        self.columns.push(column);
        self.cells.push(Box::new(cell));
    }
}

/// The text and the values of one row in one column.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    values: Vec<Value>,
    is_strong: bool,
}

/// The output format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// Aligned text for a terminal.
    #[default]
    Text,
    /// A list of objects, one for each row, with the names of the columns as keys.
    Json,
    /// Comma-separated values under the names of the columns.
    Csv,
    /// A table of GitHub's Markdown.
    Markdown,
    /// A LaTeX `table` with the rules of the package booktabs; one that fits no column of a page spans two.
    Latex,
}

/// The properties of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Its width in columns.
    pub width: usize,
    /// Whether to use escape sequences for colours.
    pub colour: bool,
}

impl Column {
    /// A column of words, aligned left.
    pub fn words(heading: impl Into<String>, name: impl Into<String>) -> Self {
        Self { heading: heading.into(), names: vec![name.into()], align: Align::Left, priority: 0 }
    }

    /// A column of numbers, aligned right; each cell has a value for every name.
    pub fn numbers(heading: impl Into<String>, names: &[&str]) -> Self {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Self { heading: heading.into(), names, align: Align::Right, priority: 0 }
    }

    /// A column of estimates, of which each cell has three values: `share`, `share_low`, `share_high`.
    pub(crate) fn estimate(heading: impl Into<String>, name: &str) -> Self {
        Self::numbers(heading, &[name, &format!("{name}_low"), &format!("{name}_high")])
    }

    /// Sets the priority: a terminal that is too narrow drops the columns with the highest number first; those with 0, the
    /// default, are never dropped.
    #[must_use]
    pub fn priority(self, priority: u8) -> Self {
        Self { priority, ..self }
    }
}

impl Cell {
    /// A cell with its text and its values, one for each name of the column; a missing value or one that is not finite is
    /// null.
    pub fn new(text: impl Into<String>, values: impl IntoIterator<Item = Value>) -> Self {
        Self { text: text.into(), values: values.into_iter().collect(), is_strong: false }
    }

    /// A cell whose value is its text.
    pub fn words(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(text.clone(), [Value::String(text)])
    }

    /// A whole number.
    pub fn count(number: u64) -> Self {
        Self::new(counted(number), [number.into()])
    }

    /// Adds a value that only programs see.
    #[must_use]
    pub(crate) fn with_value(mut self, value: Value) -> Self {
        self.values.push(value);
        self
    }

    /// Makes the cell bold, where the format allows.
    #[must_use]
    pub fn strong(self) -> Self {
        self.strong_if(true)
    }

    /// Makes the cell bold under a condition.
    #[must_use]
    pub(crate) fn strong_if(self, is_strong: bool) -> Self {
        Self { is_strong, ..self }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), ..Self::default() }
    }

    /// A table with these rows.
    pub(crate) fn of<T>(rows: &[T], fields: Fields<'_, T>) -> Self {
        let mut table = Self::new(fields.columns);
        for row in rows {
            table.push(fields.cells.iter().map(|cell| cell(row)));
        }
        table
    }

    /// Sets the title, the caption in LaTeX.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Sets the label in LaTeX, `tab:kenga-LABEL`.
    #[must_use]
    pub fn labelled(self, label: &str) -> Self {
        Self { label: label.to_owned(), ..self }
    }

    /// Sets the command that shows the whole table; by default the option `--csv`.
    #[must_use]
    pub fn in_full_by(self, command: impl Into<String>) -> Self {
        Self { in_full: Some(command.into()), ..self }
    }

    /// Shows every row on a terminal, however many there are.
    #[must_use]
    pub fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row.
    ///
    /// # Panics
    /// Unless it has one cell for each column.
    pub fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        let row: Vec<Cell> = row.into_iter().collect();
        assert_eq!(row.len(), self.columns.len(), "a row has a cell for every column");
        self.rows.push(row);
    }

    /// Adds a sentence below the table, for people.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(Note::default().sentence(note));
    }

    /// Adds a paragraph below the table, for people.
    pub(crate) fn paragraph(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Renders the table in a format. Only text depends on the width. Where the view has colours the output is a terminal, and
    /// escape sequences within names are replaced in every format.
    pub fn render(&self, format: TableFormat, view: &View) -> String {
        let data = match format {
            TableFormat::Text => return terminal::text(self, view),
            TableFormat::Json => format!("{}\n", self.json()),
            TableFormat::Csv => forms::csv(self),
            TableFormat::Markdown => forms::markdown(self),
            TableFormat::Latex => forms::latex(self),
        };
        // Names come from files. On a terminal no control character of theirs may act; in a file all bytes stay.
        if view.colour { printable(&data).into_owned() } else { data }
    }

    /// The rows as a list of objects.
    pub fn json(&self) -> Value {
        forms::json(self)
    }
}

/// Text with control characters replaced.
fn visible(text: &str) -> String {
    printable(text).replace(['\n', '\t'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A table as `compare` has it.
    fn sample() -> Table {
        let mut table = Table::new([
            Column::words("setting", "setting"),
            Column::numbers("solved", &["solved", "runs"]),
            Column::numbers("share % (95 %)", &["share", "share_low", "share_high"]),
            Column::numbers("calls, median (95 %)", &["calls", "calls_low", "calls_high"]),
            Column::numbers("expected, with restarts (95 %)", &["expected"]).priority(1),
            Column::numbers("PAR-10 (95 %)", &["par10"]).priority(3),
            Column::numbers("mean rank", &["rank"]).priority(2),
        ])
        .titled("Two settings");
        table.push([
            Cell::words("mutation.rate 0.05, population 20").strong(),
            Cell::new("57 of 60", [json!(57), json!(60)]),
            Cell::new("95 (86 to 98)", [json!(0.95), json!(0.86), json!(0.98)]),
            Cell::new("12 345 (9 871 to 15 202)", [json!(12345), json!(9871), json!(15202)]),
            Cell::new("13.1 k (10.2 k to 16.9 k)", [json!(13_100.5)]),
            Cell::new("14.0 k (11.0 k to 19.1 k)", [json!(14_000)]),
            Cell::new("1.25", [json!(1.25)]),
        ]);
        table.push([
            Cell::words("50 % & more_|\u{1b}[31m\\, \"quoted\""),
            Cell::new("3 of 60", [json!(3), json!(60)]),
            Cell::new("5 (2 to 14)", [json!(0.05), json!(0.02), json!(0.14)]),
            Cell::new("never", [json!(f64::INFINITY)]),
            Cell::new("1.20 M (0.50 M to 3.10 M)", [json!(1_200_000.0)]),
            Cell::default(),
            Cell::new("1.75", [json!(1.75)]),
        ]);
        table.note("Numbers over several puzzles are means of those by puzzle, each of which counts alike.");
        table
    }

    fn at(width: usize) -> String {
        sample().render(TableFormat::Text, &View { width, colour: false })
    }

    #[test]
    fn a_wide_terminal_shows_all_columns_and_whole_headings() {
        insta::assert_snapshot!(at(160));
    }

    #[test]
    fn at_80_columns_the_least_columns_are_left_out_and_named() {
        insta::assert_snapshot!(at(80));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in 20..200 {
            let text = at(width);
            let widest = text.lines().map(crate::columns).max();
            assert!(widest.is_some_and(|widest| widest <= width), "{width}:\n{text}");
        }
    }

    #[test]
    fn what_is_strong_is_bold_where_colours_are_wanted() {
        let text = sample().render(TableFormat::Text, &View { width: 160, colour: true });
        assert!(text.contains("\u{1b}[1mmutation.rate 0.05, population 20\u{1b}[0m"), "{text}");
        assert!(!at(160).contains('\u{1b}'), "neither a colour nor that of the cell");
    }

    #[test]
    fn a_column_that_is_left_out_is_not_explained() {
        let mut table = sample();
        table.paragraph(
            Note::default().about("par10", "PAR-10 is a mean.").about("share", "A share is of runs."),
        );
        table.paragraph(Note::default().about("rank", "Ranks are averages."));
        let at = |width| table.render(TableFormat::Text, &View { width, colour: false });
        assert!(
            at(160).ends_with("PAR-10 is a mean. A share is of runs.\nRanks are averages.\n"),
            "{}",
            at(160)
        );
        let narrow = at(80);
        assert!(narrow.contains("\nA share is of runs.\n"), "{narrow}");
        assert!(
            !narrow.contains("is a mean") && !narrow.contains("averages") && !narrow.contains("\n\n"),
            "{narrow}"
        );
        assert!(
            table
                .render(TableFormat::Markdown, &View { width: 80, colour: false })
                .contains("PAR-10 is a mean.")
        );
    }

    #[test]
    fn programs_read_numbers() {
        insta::assert_snapshot!(sample().render(TableFormat::Csv, &View { width: 80, colour: false }));
        let on_a_terminal = sample().render(TableFormat::Csv, &View { width: 80, colour: true });
        assert!(!on_a_terminal.contains('\u{1b}'), "{on_a_terminal}");
        assert_eq!(sample().json()[0]["share_low"], json!(0.86));
        assert_eq!(sample().json()[1]["calls"], Value::Null);
        assert_eq!(sample().json()[1]["par10"], Value::Null);
    }

    #[test]
    fn markup_escapes_its_own_characters() {
        insta::assert_snapshot!(sample().render(TableFormat::Markdown, &View { width: 80, colour: false }));
        insta::assert_snapshot!(sample().render(TableFormat::Latex, &View { width: 80, colour: false }));
    }

    #[test]
    fn latex_has_signs_that_every_engine_sets_and_no_argument_behind_a_row() {
        let mut table = Table::new([Column::words("× calls", "calls")]);
        table.push([Cell::words("[−1.5 to ∞] `a` *")]);
        table.push([Cell::words("– ≤ “b”")]);
        let text = table.render(TableFormat::Latex, &View { width: 80, colour: false });
        assert!(text.contains("  $\\times$ calls \\\\\n"), "{text}");
        let cell = "{[}$-$1.5 to $\\infty${]} \\textasciigrave{}a\\textasciigrave{} {*} \\\\";
        assert!(text.contains(&format!("  {cell}\n")), "{text}");
        assert!(text.contains("  -- $\\leq$ ``b'' \\\\\n"), "{text}");
        assert!(text.is_ascii(), "{text}");
    }
}
