//! What puzzles are written as: the formats of the command line, and pictures.

use std::sync::LazyLock;

use kenga_core::puzzle::Puzzle;
use kenga_report::answers::OutputFormat;
use kenga_report::drawing::{self, Marks, Style, Theme};

/// The pictures, each with what it is.
pub(super) const PICTURES: [[&str; 2]; 3] = [
    ["png", "a picture of pixels"],
    ["pdf", "a picture to print, black on white"],
    ["svg", "a picture of shapes and text"],
];

/// The pictures that are bytes: JSON holds them in base64.
pub(super) const BINARY: [&str; 2] = ["png", "pdf"];

/// The names of all that is written.
pub(super) static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let pictures = PICTURES.iter().map(|[name, _]| *name);
    OutputFormat::all().map(OutputFormat::name).chain(pictures).collect()
});

/// Pixels of a PNG for each of the picture, as `kenga draw` has them.
const SCALE: f64 = 2.0;

/// The most pixels in a row or a column of a PNG: the largest puzzle would take half a gigabyte.
const PIXELS: f64 = 4000.0;

/// A puzzle as a picture of this name: the file that `kenga draw` writes.
pub(super) fn drawn(puzzle: &Puzzle, name: &str) -> String {
    let theme = if name == "pdf" { Theme::Print } else { Theme::Light };
    let picture = drawing::picture(puzzle, &Marks::new(puzzle), &Style { theme, ..Style::default() });
    match name {
        "png" => {
            let (width, height) = picture.size();
            base64(&picture.png(&puzzle.id, SCALE.min(PIXELS / width.max(height))))
        }
        "pdf" => base64(&picture.pdf(&puzzle.id)),
        _ => picture.svg(&puzzle.id),
    }
}

/// Bytes as text (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut word = 0;
        for place in 0..3 {
            word = word << 8 | u32::from(group.get(place).copied().unwrap_or(0));
        }
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            // A group of n bytes has n + 1 letters; the rest is filled up.
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }
}
