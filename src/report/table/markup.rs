//! Tables for documents: Markdown and LaTeX.

use super::{Align, Cell, Table, visible};

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
    let mut text = "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n".to_owned();
    if !table.title.is_empty() {
        text += &format!("\\caption{{{}}}\n", latex_text(&table.title));
    }
    text += &format!("\\begin{{tabular}}{{{letters}}}\n  \\toprule\n");
    text += &line(table.columns.iter().map(|column| latex_text(&column.heading)).collect());
    text += "  \\midrule\n";
    for row in &table.rows {
        text += &line(row.iter().map(cell).collect());
    }
    text += "  \\bottomrule\n\\end{tabular}\n";
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
        // Behind the end of a row a bracket or a star would be an argument of it.
        '[' | ']' | '*' => Some(format!("{{{character}}}")),
        '−' => Some("$-$".to_owned()),
        '×' => Some("$\\times$".to_owned()),
        '∞' => Some("$\\infty$".to_owned()),
        _ => None,
    })
}

fn escaped(text: &str, escape: impl Fn(char) -> Option<String>) -> String {
    visible(text)
        .chars()
        .map(|character| escape(character).unwrap_or_else(|| character.to_string()))
        .collect()
}
