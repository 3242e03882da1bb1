//! Prose in lines: broken between words, never within one.

use unicode_width::UnicodeWidthChar;

/// Text in lines of at most `width` columns. Lines that the text has stay apart, and what continues one is indented as
/// it is. A word that is wider has a line to itself, whole, so that a path can be copied.
pub fn wrap(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

fn wrap_line(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_owned();
    }
    let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
    let (mut text, mut used) = (indent.to_owned(), indent.len());
    let mut is_first = true;
    for word in line.split_ascii_whitespace() {
        let size = columns(word);
        if !is_first && used + 1 + size > width {
            text += &format!("\n{indent}{word}");
            used = indent.len() + size;
        } else {
            let space = usize::from(!is_first);
            text += &" "[..space];
            text += word;
            used += space + size;
        }
        is_first = false;
    }
    text
}

/// The columns that text takes on a terminal; escape sequences of colours take none.
pub fn columns(text: &str) -> usize {
    let mut within_escape = false;
    let mut columns = 0;
    for character in text.chars() {
        match (within_escape, character) {
            (false, '\u{1b}') => within_escape = true,
            (true, 'm') => within_escape = false,
            (true, _) => {}
            (false, _) => columns += character.width().unwrap_or(0),
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_continue_with_their_indent() {
        assert_eq!(wrap("a bc def", 4), "a bc\ndef");
        assert_eq!(wrap("  one two three\nfour", 9), "  one two\n  three\nfour");
        assert_eq!(wrap("short  as it is\n", 80), "short  as it is\n");
    }

    #[test]
    fn a_word_is_never_broken() {
        assert_eq!(wrap("in /a/long/path now", 6), "in\n/a/long/path\nnow");
    }

    #[test]
    fn colours_take_no_columns_and_wide_characters_two() {
        assert_eq!(columns("\u{1b}[1mab\u{1b}[0m"), 2);
        assert_eq!(columns("賢"), 2);
    }
}
