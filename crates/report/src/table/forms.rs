//! The output formats of a table except text: for documents Markdown, LaTeX and HTML; for programs JSON and CSV, with every
//! value under its own name and in full precision.

use std::collections::BTreeSet;

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

/// The most columns of a table that fits one column of a two-column article; others span both.
const IN_COLUMN: usize = 4;

/// The least length of a text that is set in lines of LaTeX's own, in characters.
const SENTENCE: usize = 60;

pub(super) fn latex(table: &Table) -> String {
    let environment = if table.columns.len() > IN_COLUMN { "table*" } else { "table" };
    let (mut letters, mut headings) = (String::new(), Vec::new());
    for (index, column) in table.columns.iter().enumerate() {
        // Sentences are set in lines.
        let has_sentences = table.rows.iter().any(|row| row[index].text.chars().nth(SENTENCE).is_some());
        letters += match column.align {
            Align::Right => "r",
            Align::Left if has_sentences => "p{0.3\\linewidth}",
            Align::Left => "l",
        };
        let lines = broken(&column.heading).into_iter().map(latex_text).collect();
        headings.push(latex_lines(lines, 'b', column.align));
    }
    let mut text = format!("% needs \\usepackage{{booktabs}}\n\\begin{{{environment}}}\n\\centering\n");
    if !table.title.is_empty() {
        text += &format!("\\caption{{{}.}}\n", latex_text(table.title.trim_end_matches([':', '.'])));
    }
    if !table.label.is_empty() {
        text += &format!("\\label{{tab:kenga-{}}}\n", table.label);
    }
    let space = if table.columns.len() > IN_COLUMN { 5 } else { 3 };
    text += &format!("\\footnotesize\n\\smallskip\n\\setlength{{\\tabcolsep}}{{{space}pt}}\n");
    text += &format!("\\begin{{tabular}}{{@{{}}{letters}@{{}}}}\n  \\toprule\n");
    text += &format!("  {} \\\\\n  \\midrule\n", headings.join(" & "));
    let is_short = table.columns.len() == IN_COLUMN && has_short_keys(table);
    for (index, row) in table.rows.iter().enumerate() {
        let mut cells = Vec::new();
        for (cell, column) in row.iter().zip(&table.columns) {
            cells.push(latex_cell(cell, column.align, is_short));
        }
        let cells = cells.join(" & ");
        let space = if index > 0 && cells.contains("{tabular}") { "  \\addlinespace\n" } else { "" };
        text += &format!("{space}  {cells} \\\\\n");
    }
    text += "  \\bottomrule\n\\end{tabular}\n";
    if !table.notes.is_empty() {
        let notes = joined(table.notes.iter().map(|note| latex_text(&note.whole())), "\\par\n");
        text += "\n\\medskip\n\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n";
        text += &format!("{notes}\n\\end{{minipage}}\n");
    }
    text + &format!("\\end{{{environment}}}\n")
}

/// Whether the names of settings have several keys, whose last words tell them apart.
fn has_short_keys(table: &Table) -> bool {
    let lines = table.rows.iter().flatten().flat_map(|cell| broken(&cell.text));
    let keys: BTreeSet<&str> = lines.filter_map(|line| Some(line.rsplit_once(" = ")?.0)).collect();
    let words: BTreeSet<Option<&str>> = keys.iter().map(|key| key.rsplit('.').next()).collect();
    keys.len() > 1 && keys.len() == words.len()
}

/// A cell: a name with a line for each key, or a number, bold where it is strong, with its interval smaller below it.
fn latex_cell(cell: &Cell, align: Align, is_short: bool) -> String {
    // Commas within words that are no setting part nothing.
    let is_broken = align == Align::Right || cell.text.contains(" = ");
    let (mut lines, parts) = (Vec::new(), if is_broken { broken(&cell.text) } else { vec![&*cell.text] });
    // Bold names of several keys would need more room.
    let is_strong = cell.is_strong && (align == Align::Right || parts.len() == 1);
    for (place, line) in parts.into_iter().enumerate() {
        // The mark of significance hangs beside the number.
        let marked = line.strip_suffix(" *").filter(|_| align == Align::Right);
        let (line, mark) = marked.map_or((line, ""), |line| (line, "\\rlap{\\,*}"));
        let words = match align {
            Align::Left => latex_name(line, is_short),
            Align::Right if place > 0 => format!("\\scriptsize {}", latex_text(line)),
            Align::Right => latex_text(line),
        };
        let is_bold = is_strong && place == 0 && !words.is_empty();
        lines.push(if is_bold { format!("{{\\boldmath\\textbf{{{words}}}}}{mark}") } else { words + mark });
    }
    latex_lines(lines, 't', align)
}

/// A text in lines, which are parted at commas and before a parenthesis.
fn broken(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(", ").into_iter().chain(rest.find(" (")).min() {
        lines.push(&rest[..end]);
        rest = rest[end..].trim_start_matches([',', ' ']);
    }
    lines.push(rest);
    lines
}

/// Several lines are a table within a cell, which stands on its line at the top (`t`) or at the bottom (`b`).
fn latex_lines(lines: Vec<String>, stands_on: char, align: Align) -> String {
    let letter = if align == Align::Right { 'r' } else { 'l' };
    match &*lines {
        [only] => only.clone(),
        lines => format!(
            "\\begin{{tabular}}[{stands_on}]{{@{{}}{letter}@{{}}}}{}\\end{{tabular}}",
            lines.join("\\\\")
        ),
    }
}

/// A name or one key of it, a number as mathematics: `mutation.rate $= 0.1$`, `$0.1$`; a short key is its last word.
fn latex_name(name: &str, is_short: bool) -> String {
    let is_number = |text: &str| text.parse().is_ok_and(f64::is_finite) && !text.contains(['e', 'E']);
    let (key, value) = name.rsplit_once(" = ").unwrap_or(("", name));
    let key = if is_short { key.rsplit('.').next().unwrap_or_default() } else { key };
    match is_number(value) {
        true if key.is_empty() => format!("${value}$"),
        true => format!("{} $= {value}$", latex_text(key)),
        false if key.is_empty() => latex_text(name),
        false => latex_text(&format!("{key} = {value}")),
    }
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
    // A sign stays with its number.
    .replace(" \\%", "~\\%")
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
        self.in_parts(self.rows.split_at(self.rows.len()), None)
    }

    /// The table for a page, all but the first of many rows folded; `key` is unique on the page, so that both parts are
    /// sorted as one.
    pub(crate) fn folded_page(&self, key: &str) -> Markup {
        self.in_parts(self.rows.split_at(open_rows(self.rows.len())), Some(key))
    }

    fn in_parts(&self, (open, folded): (&[Vec<Cell>], &[Vec<Cell>]), key: Option<&str>) -> Markup {
        html! {
            @if !self.title.is_empty() { p { (self.title) } }
            (self.rows_of_page(open, key))
            @if !folded.is_empty() {
                details {
                    summary { (folded.len()) " more " (plural(folded.len() as u64, "row")) }
                    (self.rows_of_page(folded, key))
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
