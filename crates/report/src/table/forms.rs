//! The output formats of a table except text: for documents Markdown, LaTeX and HTML; for programs JSON and CSV, with every
//! value under its own name and in full precision.

use maud::{Markup, html};
use serde_json::{Map, Value};

use kenga_core::text::{cell, joined};

use crate::paragraph::on_page;
use crate::plural;

use super::{Align, Cell, Column, Table, visible};

pub(super) fn markdown(table: &Table) -> String {
    let mut text = paragraph(&markdown_text(&table.title));
    let (mut headings, mut rules) = ("|".to_owned(), "|".to_owned());
    for column in &table.columns {
        headings += &format!(" {} |", markdown_text(&column.heading));
        rules += if column.align == Align::Right { " ---: |" } else { " --- |" };
    }
    text += &format!("{headings}\n{rules}\n");
    for row in &table.rows {
        text.push('|');
        for cell in row {
            let words = markdown_text(&cell.text);
            // Stars around nothing would be a rule.
            let is_strong = cell.is_strong && !words.is_empty();
            text += &if is_strong { format!(" **{words}** |") } else { format!(" {words} |") };
        }
        text.push('\n');
    }
    for note in &table.notes {
        text += &format!("\n{}\n", markdown_text(&note.whole()));
    }
    text
}

fn paragraph(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}\n\n") }
}

fn markdown_text(text: &str) -> String {
    escaped(text, |character| match character {
        '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '~' | '&' | '$' => Some(format!("\\{character}")),
        _ => None,
    })
}

pub(super) fn latex(table: &Table) -> String {
    let (mut letters, mut headings) = (String::new(), Vec::new());
    for column in &table.columns {
        letters.push(if column.align == Align::Right { 'r' } else { 'l' });
        headings.push(latex_text(&column.heading));
    }
    let mut text = "% needs \\usepackage{booktabs,graphicx}\n\\begin{table}\n\\centering\n".to_owned();
    if !table.title.is_empty() {
        text += &format!("\\caption{{{}}}\n", latex_text(&table.title));
    }
    // A table that is too wide is made to fit.
    text += "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";
    text += &format!("\\begin{{tabular}}{{{letters}}}\n  \\toprule\n");
    text += &format!("  {} \\\\\n  \\midrule\n", headings.join(" & "));
    for row in &table.rows {
        let mut cells = Vec::new();
        for cell in row {
            let words = latex_text(&cell.text);
            cells.push(if cell.is_strong { format!("\\textbf{{{words}}}") } else { words });
        }
        text += &format!("  {} \\\\\n", cells.join(" & "));
    }
    text += "  \\bottomrule\n\\end{tabular}}\n";
    for note in &table.notes {
        text += &format!("\n{}\n", latex_text(&note.whole()));
    }
    text + "\\end{table}\n"
}

fn latex_text(text: &str) -> String {
    escaped(text, |character| match character {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => Some(format!("\\{character}")),
        '~' => Some("\\textasciitilde{}".to_owned()),
        '^' => Some("\\textasciicircum{}".to_owned()),
        '\\' => Some("\\textbackslash{}".to_owned()),
        '<' => Some("\\textless{}".to_owned()),
        '>' => Some("\\textgreater{}".to_owned()),
        '|' => Some("\\textbar{}".to_owned()),
        '"' => Some("\\textquotedblright{}".to_owned()),
        '`' => Some("\\textasciigrave{}".to_owned()),
        // LaTeX takes a bracket or a star after the end of a row as its argument.
        '[' | ']' | '*' => Some(format!("{{{character}}}")),
        '−' => Some("$-$".to_owned()),
        '×' => Some("$\\times$".to_owned()),
        '∞' => Some("$\\infty$".to_owned()),
        '≤' => Some("$\\leq$".to_owned()),
        '–' => Some("--".to_owned()),
        '“' => Some("``".to_owned()),
        '”' => Some("''".to_owned()),
        _ => None,
    })
}

fn escaped(text: &str, escape: impl Fn(char) -> Option<String>) -> String {
    visible(text)
        .chars()
        .map(|character| escape(character).unwrap_or_else(|| character.to_string()))
        .collect()
}

pub(super) fn json(table: &Table) -> Value {
    let row = |row: &Vec<Cell>| {
        let object: Map<String, Value> =
            named(table, row).map(|(name, value)| (name.to_owned(), value.clone())).collect();
        Value::Object(object)
    };
    Value::Array(table.rows.iter().map(row).collect())
}

pub(super) fn csv(table: &Table) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = table.columns.iter().flat_map(|column| &column.names);
    let records = table.rows.iter().map(|row| named(table, row).map(|(_, value)| field(value)).collect());
    for record in std::iter::once(names.cloned().collect::<Vec<_>>()).chain(records) {
        let cells = record.iter().map(|text| cell(text).into_owned());
        writer.write_record(cells).expect("memory takes every record of as many fields");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("fields are text")
}

/// The values of a row with their names; a missing value is null.
fn named<'a>(table: &'a Table, row: &'a [Cell]) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let of = |(column, cell): (&'a Column, &'a Cell)| {
        let values = cell.values.iter().chain(std::iter::repeat(&Value::Null));
        column.names.iter().map(String::as_str).zip(values)
    };
    table.columns.iter().zip(row).flat_map(of)
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => joined(values.iter().map(field), " "),
        other => other.to_string(),
    }
}

/// The most rows of a table of a page that are all open, and how many of more are.
const MOST_OPEN: usize = 40;
const OPEN_OF_MORE: usize = 20;

/// How many of the rows of a table are open on a page; the others are folded.
pub(crate) fn open_rows(rows: usize) -> usize {
    if rows > MOST_OPEN { OPEN_OF_MORE } else { rows }
}

/// The longest text of a cell that a page keeps as narrow as its longest word.
const SHORT: usize = 24;

/// A text that a page gives some room, and breaks anywhere: the names of settings, long ids.
pub(crate) fn is_long(text: &str) -> bool {
    text.chars().nth(SHORT).is_some()
}

impl Table {
    /// The table for a page.
    pub(crate) fn page(&self) -> Markup {
        html! {
            @if !self.title.is_empty() { p { (self.title) } }
            (self.rows_of_page(&self.rows, None))
            @for note in &self.notes { p.note { (on_page(&note.whole())) } }
        }
    }

    /// The table for a page, all but the first of many rows folded; `key` is unique on the page, so that both parts are
    /// sorted as one.
    pub(crate) fn folded_page(&self, key: &str) -> Markup {
        let (open, folded) = self.rows.split_at(open_rows(self.rows.len()));
        html! {
            @if !self.title.is_empty() { p { (self.title) } }
            (self.rows_of_page(open, Some(key)))
            @if !folded.is_empty() {
                details {
                    summary { (folded.len()) " more " (plural(folded.len() as u64, "row")) }
                    (self.rows_of_page(folded, Some(key)))
                }
            }
            @for note in &self.notes { p.note { (on_page(&note.whole())) } }
        }
    }

    fn rows_of_page(&self, rows: &[Vec<Cell>], key: Option<&str>) -> Markup {
        let class = |align: Align| (align == Align::Right).then_some("number");
        let class_of_cell =
            |align: Align, text: &str| class(align).or_else(|| is_long(text).then_some("long"));
        html! {
            div.wide {
                table data-rows=[key] {
                    thead {
                        tr { @for column in &self.columns { th class=[class(column.align)] { (column.heading) } } }
                    }
                    tbody {
                        @for row in rows {
                            tr {
                                @for (column, cell) in self.columns.iter().zip(row) {
                                    td class=[class_of_cell(column.align, &cell.text)] {
                                        @if cell.is_strong { strong { (cell.text) } } @else { (cell.text) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
