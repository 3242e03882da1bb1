//! The letters of pictures of pixels: outlines that stand in the program, since a machine may have no fonts.
//!
//! Each line of a table is a character (hexadecimal), its advance width, and its outline as in SVG with y upwards, all in
//! thousandths of the size. The widths are those of Helvetica, as in PDF.
//!
//! Source: Arimo 1.33, S. Matteson, Google, SIL Open Font License 1.1 (`font/OFL.txt`); Basic Latin, Latin-1 and some signs.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::super::Point;
use super::raster::Area;

/// Pieces of a curve.
const PIECES: usize = 6;

/// A character: its width, and its outline as text.
type Glyph = (f64, &'static str);

/// The characters of a weight.
struct Font {
    text: &'static str,
    glyphs: OnceLock<BTreeMap<char, Glyph>>,
}

static REGULAR: Font = Font { text: include_str!("font/regular.txt"), glyphs: OnceLock::new() };
static BOLD: Font = Font { text: include_str!("font/bold.txt"), glyphs: OnceLock::new() };

impl Font {
    /// The glyph of a character, or of `?` where the font has none.
    fn glyph(&self, character: char) -> Glyph {
        let glyphs = self.glyphs.get_or_init(|| self.text.lines().filter_map(entry).collect());
        glyphs.get(&character).or_else(|| glyphs.get(&'?')).copied().unwrap_or((556.0, ""))
    }
}

/// The character of a line and its glyph.
fn entry(line: &'static str) -> Option<(char, Glyph)> {
    let mut words = line.splitn(3, ' ');
    let character = char::from_u32(u32::from_str_radix(words.next()?, 16).ok()?)?;
    Some((character, (words.next()?.parse().ok()?, words.next().unwrap_or(""))))
}

fn font(is_bold: bool) -> &'static Font {
    if is_bold { &BOLD } else { &REGULAR }
}

/// The width of a text, in thousandths of its size.
pub(super) fn width(text: &str, is_bold: bool) -> f64 {
    text.chars().map(|character| font(is_bold).glyph(character).0).sum()
}

/// The outlines of a text, in thousandths of its size: y grows downwards, (0, 0) is where its base line begins.
pub(super) fn outlines(text: &str, is_bold: bool) -> Area {
    let mut area = Area::new();
    let mut x = 0.0;
    for character in text.chars() {
        let (width, outline) = font(is_bold).glyph(character);
        for contour in outline.split_inclusive('Z') {
            area.push(contour_of(contour, x));
        }
        x += width;
    }
    area
}

/// The points of one closed contour, curves in short straight pieces.
fn contour_of(outline: &str, x: f64) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for command in commands(outline) {
        let numbers: Vec<f64> = command[1..].split(' ').filter_map(|number| number.parse().ok()).collect();
        match (&*numbers, points.last().copied()) {
            (&[to_x, to_y], _) => points.push((x + to_x, -to_y)),
            (&[by_x, by_y, to_x, to_y], Some(from)) => {
                let (by, to) = ((x + by_x, -by_y), (x + to_x, -to_y));
                points.extend((1..=PIECES).map(|piece| curve(from, by, to, piece as f64 / PIECES as f64)));
            }
            _ => {}
        }
    }
    points
}

/// The commands of an outline: a letter and its numbers.
fn commands(outline: &str) -> impl Iterator<Item = &str> {
    let starts = outline.match_indices(|c: char| c.is_ascii_uppercase()).map(|(start, _)| start);
    let ends = outline.match_indices(|c: char| c.is_ascii_uppercase()).map(|(start, _)| start).skip(1);
    starts.zip(ends.chain([outline.len()])).map(|(start, end)| &outline[start..end])
}

/// A point of a quadratic Bézier curve.
fn curve(from: Point, by: Point, to: Point, at: f64) -> Point {
    let mix = |from: f64, by: f64, to: f64| {
        let back = 1.0 - at;
        back * back * from + 2.0 * back * at * by + at * at * to
    };
    (mix(from.0, by.0, to.0), mix(from.1, by.1, to.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_character_with_closed_contours() {
        for font in [&REGULAR, &BOLD] {
            for line in font.text.lines() {
                let (character, (width, outline)) = entry(line).unwrap_or_else(|| panic!("{line}"));
                assert!(width >= 0.0 && (outline.is_empty() || outline.ends_with('Z')), "{character}");
            }
            assert!(
                (' '..='~').all(|character| font.text.contains(&format!("{:04X} ", u32::from(character))))
            );
        }
    }

    #[test]
    fn widths_are_those_of_helvetica_and_the_digits_fill_them() {
        assert_eq!((width("0123456789", false), width("Wi", false)), (5560.0, 944.0 + 222.0));
        let eight = outlines("8", false);
        assert_eq!(eight.len(), 3, "two holes");
        let top = eight.iter().flatten().map(|point| point.1).fold(0.0, f64::min);
        assert!((-720.0..-690.0).contains(&top), "{top}");
    }
}
