//! The output formats of a table except text: for documents Markdown, LaTeX and HTML; for programs JSON and CSV, with every
//! value under its own name and in full precision.

use maud::{Markup, html};
use serde_json::{Map, Value};

use kenga_core::text::cell;

use super::{Align, Cell, Column, Table, visible};

pub(super) fn markdown(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let cell = |cell: &Cell| match (markdown_text(&cell.text), cell.is_strong) {
        (text, true) if !text.is_empty() => format!("**{text}**"),
        (text, _) => text,
    };
    let mut text = paragraph(&markdown_text(&table.title));
    text += &line(table.columns.iter().map(|column| markdown_text(&column.heading)).collect());
    let rule = |align| if align == Align::Right { "---:" } else { "---" };
    text += &line(table.columns.iter().map(|column| rule(column.align).to_owned()).collect());
    for row in &table.rows {
        text += &line(row.iter().map(cell).collect());
    }
    for note in &table.notes {
        text += &format!("\n{}\n", markdown_text(note));
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
    let line = |cells: Vec<String>| format!("  {} \\\\\n", cells.join(" & "));
    let cell = |cell: &Cell| match (latex_text(&cell.text), cell.is_strong) {
        (text, true) => format!("\\textbf{{{text}}}"),
        (text, false) => text,
    };
    let letter = |align| if align == Align::Right { 'r' } else { 'l' };
    let letters: String = table.columns.iter().map(|column| letter(column.align)).collect();
    let mut text = "% needs \\usepackage{booktabs,graphicx}\n\\begin{table}\n\\centering\n".to_owned();
    if !table.title.is_empty() {
        text += &format!("\\caption{{{}}}\n", latex_text(&table.title));
    }
    // A table that is too wide is made to fit.
    text += "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";
    text += &format!("\\begin{{tabular}}{{{letters}}}\n  \\toprule\n");
    text += &line(table.columns.iter().map(|column| latex_text(&column.heading)).collect());
    text += "  \\midrule\n";
    for row in &table.rows {
        text += &line(row.iter().map(cell).collect());
    }
    text += "  \\bottomrule\n\\end{tabular}}\n";
    for note in &table.notes {
        text += &format!("\n{}\n", latex_text(note));
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
        Value::Array(values) => values.iter().map(field).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

impl Table {
    /// The table for a page.
    pub(crate) fn page(&self) -> Markup {
        let class = |align: Align| (align == Align::Right).then_some("number");
        html! {
            @if !self.title.is_empty() { p { (self.title) } }
            div.wide {
                table {
                    thead {
                        tr { @for column in &self.columns { th class=[class(column.align)] { (column.heading) } } }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (column, cell) in self.columns.iter().zip(row) {
                                    td class=[class(column.align)] {
                                        @if cell.is_strong { strong { (cell.text) } } @else { (cell.text) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @for note in &self.notes { p.note { (note) } }
        }
    }
}
