//! Markdown as kenga's pages use it, shown in lines of a terminal: headings, paragraphs, lists, tables, blocks of code, links.
//!
//! Of a link its words are shown, with the topic in brackets where it leads to another page of the guide, and the address
//! where it leads out of the documentation. Comments are left out.

use super::pages::page;
use kenga_core::text::{BOLD, PLAIN, joined};
use kenga_report::{Cell, Column, Table, TableFormat, View, columns, wrap};

/// A part of a page.
#[derive(Debug, PartialEq)]
enum MarkdownBlock<'a> {
    /// With its hashes.
    Heading(&'a str),
    Paragraph(String),
    /// With its mark, `- ` or `1. `.
    Item {
        mark: &'a str,
        text: String,
    },
    Code(Vec<&'a str>),
    /// Lines that begin with `|`.
    Table(Vec<&'a str>),
}

/// A page in lines of at most the width of the view, but for code, addresses and other long words.
pub(super) fn shown(text: &str, view: &View) -> String {
    let mut shown = String::new();
    let mut follows_item = false;
    for block in blocks(text) {
        let is_item = matches!(block, MarkdownBlock::Item { .. });
        let continues_list = is_item && follows_item;
        if !shown.is_empty() && !continues_list {
            shown += "\n";
        }
        follows_item = is_item;
        shown += &block.shown(view);
    }
    shown
}

/// The parts of a page.
fn blocks(text: &str) -> Vec<MarkdownBlock<'_>> {
    let mut blocks = Vec::new();
    // The last block goes on with the next line of text.
    let mut is_open = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let was_open = std::mem::replace(&mut is_open, false);
        if start.is_empty() {
            continue;
        }
        if start.starts_with("<!--") {
            let mut last = line;
            while !last.contains("-->") {
                let Some(next) = lines.next() else { break };
                last = next;
            }
        } else if start.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.trim_start().starts_with("```")).collect();
            blocks.push(MarkdownBlock::Code(code));
        } else if start.starts_with('#') {
            blocks.push(MarkdownBlock::Heading(start));
        } else if start.starts_with('|') {
            let mut rows = vec![start];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            blocks.push(MarkdownBlock::Table(rows));
        } else if let Some(mark) = mark(start) {
            blocks.push(MarkdownBlock::Item { mark, text: start[mark.len()..].to_owned() });
            is_open = true;
        } else {
            match blocks.last_mut() {
                Some(MarkdownBlock::Paragraph(text) | MarkdownBlock::Item { text, .. }) if was_open => {
                    *text += &format!(" {start}");
                }
                _ => blocks.push(MarkdownBlock::Paragraph(start.to_owned())),
            }
            is_open = true;
        }
    }
    blocks
}

/// The mark of an item of a list at the start of a line.
fn mark(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if line.starts_with("- ") {
        return Some(&line[..2]);
    }
    (digits > 0 && line[digits..].starts_with(". ")).then(|| &line[..digits + 2])
}

impl MarkdownBlock<'_> {
    fn shown(&self, view: &View) -> String {
        match self {
            Self::Heading(text) if view.colour => {
                strong(&inline(text.trim_start_matches('#').trim(), view)) + "\n"
            }
            Self::Heading(text) => format!("{}\n", inline(text, view)),
            Self::Paragraph(text) => format!("{}\n", wrap(&inline(text, view), view.width)),
            Self::Item { mark, text } => {
                let text = wrap(&inline(text, view), view.width.saturating_sub(mark.len()));
                let indent = format!("\n{}", " ".repeat(mark.len()));
                format!("{mark}{}\n", text.replace('\n', &indent))
            }
            Self::Code(lines) => lines.iter().map(|line| code(line, view.width)).collect(),
            Self::Table(rows) => table(rows, view),
        }
    }
}

/// A line of code, indented. A comment that does not fit behind it stands above it; what is still too wide stays whole, so
/// that it can be copied.
fn code(line: &str, width: usize) -> String {
    if INDENT.len() + columns(line) > width
        && let Some((code, comment)) = line.rsplit_once(" # ")
        && code.ends_with(' ')
    {
        let start = code.len() - code.trim_start().len();
        let margin = format!("{INDENT}{}# ", &code[..start]);
        let comment = wrap(comment.trim(), width.saturating_sub(margin.len()));
        let comment = comment.replace('\n', &format!("\n{margin}"));
        return format!("{margin}{comment}\n{INDENT}{}\n", code.trim_end());
    }
    format!("{INDENT}{line}\n")
}

/// What stands before a line of code.
const INDENT: &str = "  ";

/// A table, its second row the line that says how columns are aligned.
fn table(rows: &[&str], view: &View) -> String {
    let plain = View { colour: false, ..*view };
    let alignment = rows.get(1).map_or_else(Vec::new, |row| cells(row));
    let mut columns = Vec::new();
    for (index, heading) in cells(rows[0]).into_iter().enumerate() {
        let heading = inline(heading, &plain);
        let is_number = alignment.get(index).is_some_and(|mark| mark.ends_with(':'));
        columns.push(if is_number { Column::numbers(heading, &[""]) } else { Column::words(heading, "") });
    }
    let count = columns.len();
    let mut table = Table::new(columns).whole();
    for row in rows.iter().skip(2) {
        let mut row: Vec<Cell> =
            cells(row).into_iter().map(|cell| Cell::words(inline(cell, &plain))).collect();
        row.resize(count, Cell::default());
        table.push(row);
    }
    table.render(TableFormat::Text, view)
}

/// The cells of a row; a bar within code parts none.
fn cells(row: &str) -> Vec<&str> {
    let row = row.trim().trim_start_matches('|');
    let mut cells = Vec::new();
    let (mut start, mut is_code) = (0, false);
    for (index, letter) in row.char_indices() {
        match letter {
            '`' => is_code = !is_code,
            '|' if !is_code => {
                cells.push(row[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    cells
}

/// The words of a paragraph without the marks of links and emphasis.
fn inline(text: &str, view: &View) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(['`', '[', '!', '*']) {
        shown += &rest[..place];
        rest = &rest[place..];
        match InlineSpan::at(rest, view) {
            Some(span) => {
                shown += &span.shown;
                rest = &rest[span.length..];
            }
            None => {
                shown += &rest[..1];
                rest = &rest[1..];
            }
        }
    }
    shown + rest
}

/// Code, a link, a picture or emphasised words.
struct InlineSpan {
    shown: String,
    /// Its bytes in the source.
    length: usize,
}

impl InlineSpan {
    /// What begins at the start of a text; none where its first character stands for itself.
    fn at(text: &str, view: &View) -> Option<Self> {
        if let Some(code) = text.strip_prefix('`') {
            let length = code.find('`')? + 2;
            return Some(Self { shown: text[..length].to_owned(), length });
        }
        if text.starts_with("![") {
            let link = Link::at(&text[1..])?;
            return Some(Self { shown: format!("(picture: {})", link.label), length: link.length + 1 });
        }
        if text.starts_with('[') {
            let link = Link::at(text)?;
            return Some(Self { shown: link.shown(view), length: link.length });
        }
        for mark in ["**", "*"] {
            let Some(inside) = text.strip_prefix(mark) else { continue };
            let end = inside.find(mark).filter(|end| *end > 0 && !inside.starts_with(' '))?;
            let words = inline(&inside[..end], view);
            let shown = if view.colour { strong(&words) } else { words };
            return Some(Self { shown, length: end + 2 * mark.len() });
        }
        None
    }
}

/// `[label](target)`.
struct Link<'a> {
    label: &'a str,
    target: &'a str,
    length: usize,
}

impl<'a> Link<'a> {
    /// The link at the start of a text.
    fn at(text: &'a str) -> Option<Self> {
        let mut is_code = false;
        for (index, letter) in text.char_indices() {
            match letter {
                '`' => is_code = !is_code,
                ']' if !is_code => {
                    let behind = text[index + 1..].strip_prefix('(')?;
                    let end = behind.find(')')?;
                    return Some(Self {
                        label: &text[1..index],
                        target: &behind[..end],
                        length: index + end + 3,
                    });
                }
                _ => {}
            }
        }
        None
    }

    fn shown(&self, view: &View) -> String {
        let label = inline(self.label, view);
        if self.target.contains("://") {
            return if self.label == self.target { label } else { format!("{label} ({})", self.target) };
        }
        let file = self.target.split('#').next().unwrap_or_default();
        match file.strip_suffix(".md").and_then(page) {
            Some(page) if [page.topic, file].contains(&self.label) => format!("[{}]", page.topic),
            Some(page) => format!("{label} [{}]", page.topic),
            None => label,
        }
    }
}

/// Bold text. Each word is set off by itself: a pager forgets it at the end of a line.
fn strong(text: &str) -> String {
    joined(text.split(' ').map(|word| format!("{BOLD}{word}{PLAIN}")), " ")
}

#[cfg(test)]
mod tests {
    use super::super::pages::PAGES;
    use super::*;

    const PLAIN_VIEW: View = View { width: 80, colour: false };

    fn plain(text: &str) -> String {
        shown(text, &PLAIN_VIEW)
    }

    #[test]
    fn paragraphs_are_wrapped_and_comments_left_out() {
        assert_eq!(
            plain("# Title\n\nOne\ntwo.\n\n<!-- not run: a\nb -->\n\nThree.\n"),
            "# Title\n\nOne two.\n\nThree.\n"
        );
        let long = plain(&"word ".repeat(40));
        assert!(long.lines().count() == 3 && long.lines().all(|line| line.len() <= 80), "{long}");
    }

    #[test]
    fn a_comment_that_does_not_fit_behind_code_stands_above_it() {
        let command = "kenga run sweep.toml --set algorithm.population=40";
        let text = format!("```sh\n{command}   # with another size of the population\n  a = 1 # b\n```\n");
        assert_eq!(
            plain(&text),
            format!("  # with another size of the population\n  {command}\n    a = 1 # b\n")
        );
        let long = format!("```sh\n{command} {command}\n```\n");
        assert_eq!(plain(&long), format!("  {command} {command}\n"), "nothing to move");
    }

    #[test]
    fn items_of_a_list_stand_together_and_hang() {
        assert_eq!(plain("- one\n  goes on\n- two\n\n1. first\n"), "- one goes on\n- two\n1. first\n");
        let long = plain(&format!("- {}", "word ".repeat(20)));
        assert!(long.lines().nth(1).is_some_and(|line| line.starts_with("  word")), "{long}");
    }

    #[test]
    fn code_stays_as_it_is() {
        assert_eq!(
            plain("```sh\na  *b* [c](d.md)\n\n# no heading\n```\n"),
            "  a  *b* [c](d.md)\n  \n  # no heading\n"
        );
        assert_eq!(
            plain("`3*4` is `*`, 3 * 4 * 5 is 60, `[a](b)`"),
            "`3*4` is `*`, 3 * 4 * 5 is 60, `[a](b)`\n"
        );
    }

    #[test]
    fn a_link_is_its_words_and_where_it_leads() {
        for (written, expected) in [
            ("[races](sweeps.md#racing)", "races [sweeps]"),
            ("[sweeps.md](sweeps.md)", "[sweeps]"),
            ("[above](#racing)", "above"),
            ("[ga.py](../examples/programs/ga.py)", "ga.py"),
            ("[pymoo](https://pymoo.org)", "pymoo (https://pymoo.org)"),
            ("[`a[0]`](tune.md)", "`a[0]` [tune]"),
            ("from [0, 1] to [2](tune.md)", "from [0, 1] to 2 [tune]"),
            ("![A grid](figures/grid.svg)", "(picture: A grid)"),
            ("a [b", "a [b"),
        ] {
            assert_eq!(plain(written), format!("{expected}\n"));
        }
    }

    #[test]
    fn emphasis_is_bold_where_there_are_colours() {
        assert_eq!(plain("a **b c** *d*"), "a b c d\n");
        let coloured = shown("a **b c**", &View { width: 80, colour: true });
        assert_eq!(coloured, format!("a {BOLD}b{PLAIN} {BOLD}c{PLAIN}\n"));
    }

    #[test]
    fn a_table_is_aligned_and_a_bar_in_code_parts_no_cells() {
        let text = plain("| key | n |\n|---|---:|\n| `a | b` | 1 |\n| c | 20 |\n");
        assert_eq!(text, "key        n\n────────────\n`a | b`    1\nc         20\n");
    }

    #[test]
    fn every_page_fits_80_columns_but_for_code_and_addresses() {
        for page in PAGES {
            for block in blocks(page.text) {
                if matches!(block, MarkdownBlock::Code(_)) {
                    continue;
                }
                for line in block.shown(&PLAIN_VIEW).lines() {
                    // A word is never broken.
                    let is_word = !line.trim().contains(' ') || line.contains("://");
                    assert!(is_word || columns(line) <= 80, "{}: {line}", page.topic);
                    assert!(!line.contains("](") && !line.contains("-->"), "{}: {line}", page.topic);
                }
            }
        }
    }
}
