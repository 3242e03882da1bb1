//! How wide a text is, closely enough to keep texts apart: the advance widths of DejaVu Sans,
//! wider than those of Helvetica and Arial, in classes of characters.

/// The width of a text of some size, in the unit of the size; rather too wide than too narrow.
pub(in crate::report) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

fn advance(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' | '|' => 0.29,
        ' ' | 'I' | '.' | ',' | ':' | ';' | '/' => 0.34,
        'f' | 't' | '!' | '(' | ')' | '[' | ']' | '·' | '-' => 0.40,
        'r' | '"' | '*' => 0.46,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' | '—' => 0.98,
        'A'..='Z' | '+' | '=' | '<' | '>' | '&' | '×' => 0.76,
        '\0'..='\u{24f}' => 0.63,
        _ => 1.0,
    }
}

/// A text cut in the middle so that it is no wider than `room`.
pub(in crate::report) fn shortened(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let characters: Vec<char> = text.chars().collect();
    let cut = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let tail = &characters[characters.len() - tail..];
        characters[..head].iter().chain(&['…']).chain(tail).collect()
    };
    (0..characters.len()).rev().map(cut).find(|text| text_width(text, size) <= room).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_in_the_middle_to_its_room() {
        assert_eq!(shortened("short", 12.0, 100.0), "short");
        let cut = shortened("algorithm.mutation.rate = 0.02", 12.0, 80.0);
        assert!(cut.starts_with("algo") && cut.ends_with("0.02") && cut.contains('…'), "{cut}");
        assert!(text_width(&cut, 12.0) <= 80.0);
        assert_eq!(shortened("anything", 12.0, 1.0), "");
    }
}
