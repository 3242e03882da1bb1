//! The letters of pictures of pixels and of PDF files: outlines that stand in the program, since a machine may have no fonts.
//!
//! Each line of a table is a character (hexadecimal), its advance width, and its outline as in SVG with y upwards, all in
//! thousandths of the size; lines are in the order of characters. The widths are those of Helvetica and Arial.
//!
//! Source: Arimo 1.33, S. Matteson, Google, SIL Open Font License 1.1 (`font/OFL.txt`): Latin, Greek, Cyrillic and some signs.

use std::sync::OnceLock;

use super::Point;

/// Pieces of a curve.
const PIECES: usize = 6;

/// The characters of a weight.
pub(super) struct Font {
    pub(super) is_bold: bool,
    text: &'static str,
    glyphs: OnceLock<Vec<Glyph>>,
}

/// A character of a font.
pub(super) struct Glyph {
    pub(super) character: char,
    /// The advance width, in thousandths of the size.
    pub(super) width: f64,
    outline: &'static str,
}

/// A point of an outline: on it, or the handle of a quadratic Bézier curve between its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OutlinePoint {
    pub(super) at: Point,
    pub(super) is_on_curve: bool,
}

static REGULAR: Font =
    Font { is_bold: false, text: include_str!("font/regular.txt"), glyphs: OnceLock::new() };
static BOLD: Font = Font { is_bold: true, text: include_str!("font/bold.txt"), glyphs: OnceLock::new() };

impl Font {
    /// The font of a weight.
    pub(super) fn of_weight(is_bold: bool) -> &'static Self {
        if is_bold { &BOLD } else { &REGULAR }
    }

    /// All glyphs, by character.
    pub(super) fn glyphs(&self) -> &[Glyph] {
        self.glyphs.get_or_init(|| self.text.lines().filter_map(Glyph::read).collect())
    }

    /// The indices of the glyphs of a text.
    pub(super) fn indices(&self, text: &str) -> Vec<usize> {
        text.chars().map(|character| self.index(character)).collect()
    }

    /// The index of the glyph of a character, or of `?` where the font has none.
    fn index(&self, character: char) -> usize {
        let shown = match character {
            '\u{a0}' | '\u{2009}' | '\u{202f}' | '\n' | '\t' => ' ',
            '\u{2010}' | '\u{2011}' => '-',
            other => other,
        };
        let find = |wanted: char| self.glyphs().binary_search_by_key(&wanted, |glyph| glyph.character);
        find(shown).or_else(|_| find('?')).expect("the font has a question mark")
    }

    /// The width of a text, in thousandths of its size.
    pub(super) fn width(&self, text: &str) -> f64 {
        self.indices(text).into_iter().map(|index| self.glyphs()[index].width).sum()
    }

    /// The outlines of a text as polygons, in thousandths of its size: y grows downwards, (0, 0) is where its base line begins.
    pub(super) fn polygons(&self, text: &str) -> Vec<Vec<Point>> {
        let mut polygons = Vec::new();
        let mut x = 0.0;
        for index in self.indices(text) {
            let glyph = &self.glyphs()[index];
            for contour in glyph.contours() {
                polygons.push(polygon(&contour, x));
            }
            x += glyph.width;
        }
        polygons
    }
}

impl Glyph {
    /// The glyph of a line.
    fn read(line: &'static str) -> Option<Self> {
        let mut words = line.splitn(3, ' ');
        let character = char::from_u32(u32::from_str_radix(words.next()?, 16).ok()?)?;
        Some(Self { character, width: words.next()?.parse().ok()?, outline: words.next().unwrap_or("") })
    }

    /// The closed contours of the outline, y upwards. The first point of each is on the outline; the last one may be the first
    /// again.
    pub(super) fn contours(&self) -> Vec<Vec<OutlinePoint>> {
        let mut contours = Vec::new();
        for contour in self.outline.split_terminator('Z') {
            let mut points = Vec::new();
            for command in contour.split_inclusive(|c: char| c.is_ascii_uppercase()) {
                // The letter at the end belongs to the next command; a curve alone has four numbers.
                let numbers = numbers(command.trim_end_matches(|c: char| c.is_ascii_uppercase()));
                for (place, pair) in numbers.chunks_exact(2).enumerate() {
                    let is_on_curve = 2 * (place + 1) == numbers.len();
                    points.push(OutlinePoint { at: (pair[0], pair[1]), is_on_curve });
                }
            }
            contours.push(points);
        }
        contours
    }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(' ').filter_map(|number| number.parse().ok()).collect()
}

/// A contour moved by `x`, curves in short straight pieces.
fn polygon(contour: &[OutlinePoint], x: f64) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let mut handle = None;
    for point in contour {
        let at = (x + point.at.0, -point.at.1);
        if !point.is_on_curve {
            handle = Some(at);
            continue;
        }
        match (handle.take(), points.last().copied()) {
            (Some(by), Some(from)) => {
                points.extend((1..=PIECES).map(|piece| curve(from, by, at, piece as f64 / PIECES as f64)));
            }
            _ => points.push(at),
        }
    }
    points
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
    fn every_line_is_a_character_with_closed_contours_in_order() {
        for font in [&REGULAR, &BOLD] {
            for line in font.text.lines() {
                let glyph = Glyph::read(line).unwrap_or_else(|| panic!("{line}"));
                let is_closed = glyph.outline.is_empty() || glyph.outline.ends_with('Z');
                assert!(glyph.width >= 0.0 && is_closed, "{}", glyph.character);
                for contour in glyph.contours() {
                    assert!(contour[0].is_on_curve && contour[contour.len() - 1].is_on_curve, "{line}");
                }
            }
            assert!(font.glyphs().is_sorted_by_key(|glyph| glyph.character));
            for character in (' '..='~').chain("×÷−–…≤≥∞éŁčΩЖ€„".chars()) {
                assert_eq!(font.glyphs()[font.index(character)].character, character);
            }
        }
    }

    #[test]
    fn widths_are_those_of_helvetica_and_the_digits_fill_them() {
        assert_eq!((REGULAR.width("0123456789"), REGULAR.width("Wi")), (5560.0, 944.0 + 222.0));
        assert_eq!(REGULAR.width("Kenga 95 %"), 667.0 + 6.0 * 556.0 + 2.0 * 278.0 + 889.0);
        let eight = REGULAR.polygons("8");
        assert_eq!(eight.len(), 3, "two holes");
        let top = eight.iter().flatten().map(|point| point.1).fold(0.0, f64::min);
        assert!((-720.0..-690.0).contains(&top), "{top}");
    }

    #[test]
    fn what_the_font_lacks_is_replaced() {
        let shown = |text: &str| -> String {
            REGULAR.indices(text).into_iter().map(|index| REGULAR.glyphs()[index].character).collect()
        };
        assert_eq!(shown("3−, ≤ 1\u{202f}%"), "3−, ≤ 1 %");
        assert_eq!(shown("数\u{1}独\u{fffd}"), "????");
    }
}
