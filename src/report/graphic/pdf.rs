//! A picture as a PDF file, for papers: the shapes in the colours of paper, texts in Helvetica, which every reader has.
//!
//! Texts are in the encoding that PDF calls WinAnsi (Windows-1252).
//!
//! Source: Adobe Systems, Core 14 AFM files, Helvetica.afm: advance widths in thousandths of the size.

use std::collections::BTreeMap;

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::style::{Look, SIZE, channels, look, on_paper};
use super::svg::HEAD;
use super::{Anchor, Element, GENERATOR, Geometry, Graphic, Path, Point, Segment, Text};

/// Points of a pixel: there are 96 pixels and 72 points in an inch.
const POINTS: f32 = 0.75;

/// The distance of the handles of a Bézier curve from its ends for a quarter of a circle of radius 1.
const QUARTER: f64 = 0.552_284_75;

const REGULAR: Name<'_> = Name(b"Regular");
const BOLD: Name<'_> = Name(b"Bold");

impl Graphic {
    /// The picture as a file of its own, with its title above it.
    pub(crate) fn pdf_file(&self, title: &str) -> Vec<u8> {
        let mut page = Page { content: Content::new(), opacities: BTreeMap::new() };
        let (width, height) = (self.width as f32 * POINTS, (self.height + HEAD) as f32 * POINTS);
        // In PDF y grows upwards.
        page.content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, height]);
        let mut head = Self::new(self.width, HEAD);
        head.sized_text("heading", (8.0, 20.0), Anchor::Start, self.title_size(title), title);
        head.shapes.iter().for_each(|shape| page.shape(shape));
        page.content.transform([1.0, 0.0, 0.0, 1.0, 0.0, HEAD as f32]);
        self.shapes.iter().for_each(|shape| page.shape(shape));
        page.file((width, height), title)
    }
}

struct Page {
    content: Content,
    /// The opacities in use, in per cent, with the names of their states.
    opacities: BTreeMap<u8, String>,
}

impl Page {
    fn shape(&mut self, shape: &Element) {
        let look = look(&shape.class);
        if let Geometry::Text(text) = &shape.form {
            return self.text(text, &look);
        }
        if matches!(shape.form, Geometry::Begin(_) | Geometry::End | Geometry::Chart(_))
            || shape.share == Some(0.0)
        {
            return;
        }
        self.content.save_state();
        self.opacity(shape.share.or(look.opacity).unwrap_or(1.0));
        self.pen(&look);
        match &shape.form {
            Geometry::Line(from, to) => self.lines(&[Segment::Move(*from), Segment::Line(*to)]),
            Geometry::Path(path) => self.lines(Path::segments(path)),
            Geometry::Rect(at, size) => {
                let [x, y, width, height] = [at.0, at.1, size.0, size.1].map(|value| value as f32);
                self.content.rect(x, y, width, height);
            }
            Geometry::Circle(middle, radius) => self.circle(*middle, *radius),
            Geometry::Text(_) | Geometry::Begin(_) | Geometry::End | Geometry::Chart(_) => {}
        }
        match (look.fill, look.stroke) {
            (Some(_), Some(_)) => self.content.fill_nonzero_and_stroke(),
            (Some(_), None) => self.content.fill_nonzero(),
            (None, Some(_)) => self.content.stroke(),
            (None, None) => self.content.end_path(),
        };
        self.content.restore_state();
    }

    fn opacity(&mut self, opacity: f64) {
        let percent = (opacity * 100.0).round().clamp(0.0, 100.0) as u8;
        if percent < 100 {
            let name = self.opacities.entry(percent).or_insert_with(|| format!("Opacity{percent}"));
            self.content.set_parameters(Name(name.as_bytes()));
        }
    }

    fn pen(&mut self, look: &Look) {
        if let Some(fill) = look.fill {
            let [red, green, blue] = rgb(on_paper(fill));
            self.content.set_fill_rgb(red, green, blue);
        }
        if let Some(stroke) = look.stroke {
            let [red, green, blue] = rgb(on_paper(stroke));
            self.content.set_stroke_rgb(red, green, blue);
            self.content.set_line_width(look.width.unwrap_or(1.0) as f32);
            self.content.set_line_join(LineJoinStyle::RoundJoin);
            self.content.set_line_cap(match look.cap {
                Some("round") => LineCapStyle::RoundCap,
                Some("square") => LineCapStyle::ProjectingSquareCap,
                _ => LineCapStyle::ButtCap,
            });
            if !look.dash.is_empty() {
                self.content.set_dash_pattern(look.dash.iter().map(|length| *length as f32), 0.0);
            }
        }
    }

    fn lines(&mut self, segments: &[Segment]) {
        for segment in segments {
            match *segment {
                Segment::Move((x, y)) => self.content.move_to(x as f32, y as f32),
                Segment::Line((x, y)) => self.content.line_to(x as f32, y as f32),
                Segment::Close => self.content.close_path(),
            };
        }
    }

    fn circle(&mut self, (x, y): Point, radius: f64) {
        // The corners of a diamond; the circle leaves each in the direction of the next.
        let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let at = |(dx, dy): Point| ((x + dx * radius) as f32, (y + dy * radius) as f32);
        let (first_x, first_y) = at(corners[0]);
        self.content.move_to(first_x, first_y);
        for quarter in 0..4 {
            let (from, to) = (corners[quarter], corners[(quarter + 1) % 4]);
            let (x1, y1) = at((from.0 + QUARTER * to.0, from.1 + QUARTER * to.1));
            let (x2, y2) = at((to.0 + QUARTER * from.0, to.1 + QUARTER * from.1));
            let (x3, y3) = at(to);
            self.content.cubic_to(x1, y1, x2, y2, x3, y3);
        }
        self.content.close_path();
    }

    fn text(&mut self, text: &Text, look: &Look) {
        let size = text.size.or(look.size).unwrap_or(SIZE);
        let (words, width) = encoded(&text.words, size);
        let back = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (x, y) = text.at;
        let matrix = match text.runs_upward {
            true => [0.0, -1.0, -1.0, 0.0, x as f32, (y + back) as f32],
            false => [1.0, 0.0, 0.0, -1.0, (x - back) as f32, y as f32],
        };
        let [red, green, blue] = rgb(on_paper(look.fill.unwrap_or("ink")));
        self.content.begin_text();
        self.content.set_font(if look.is_bold { BOLD } else { REGULAR }, size as f32);
        self.content.set_fill_rgb(red, green, blue);
        self.content.set_text_matrix(matrix);
        self.content.show(Str(&words));
        self.content.end_text();
    }

    /// The bytes of a file with one page.
    fn file(self, (width, height): (f32, f32), title: &str) -> Vec<u8> {
        let mut free = 1;
        let mut next = || {
            free += 1;
            Ref::new(free - 1)
        };
        let (info, catalog, pages, page, regular, bold, content) =
            (next(), next(), next(), next(), next(), next(), next());
        let states: Vec<(Ref, u8, String)> =
            self.opacities.into_iter().map(|(percent, name)| (next(), percent, name)).collect();
        let mut pdf = Pdf::new();
        pdf.document_info(info).producer(TextStr(GENERATOR)).title(TextStr(title));
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page]).count(1);
        let mut leaf = pdf.page(page);
        leaf.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(content);
        let mut resources = leaf.resources();
        resources.fonts().pair(REGULAR, regular).pair(BOLD, bold);
        if !states.is_empty() {
            let mut dict = resources.ext_g_states();
            for (state, _, name) in &states {
                dict.pair(Name(name.as_bytes()), *state);
            }
        }
        resources.finish();
        leaf.finish();
        for (font, name) in [(regular, &b"Helvetica"[..]), (bold, b"Helvetica-Bold")] {
            pdf.type1_font(font).base_font(Name(name)).encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        pdf.stream(content, &self.content.finish());
        for (state, percent, _) in &states {
            let opacity = f32::from(*percent) / 100.0;
            pdf.ext_graphics(*state).non_stroking_alpha(opacity).stroking_alpha(opacity);
        }
        pdf.finish()
    }
}

/// The shares of red, green and blue.
fn rgb(colour: &str) -> [f32; 3] {
    channels(colour).map(|channel| f32::from(channel) / 255.0)
}

/// The first characters of the two ranges in which the encoding follows Unicode.
const ASCII: u32 = 0x20;
const LATIN: u32 = 0xa1;

/// The widths from the space to the tilde.
const ASCII_WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The widths from U+00A1 to U+00FF.
const LATIN_WIDTHS: [u16; 95] = [
    333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333, 333, 333, 556,
    537, 278, 333, 333, 365, 556, 834, 834, 834, 611, 667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667,
    667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
    556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
];

/// The other characters of the encoding with their bytes and widths.
const OTHERS: &[(char, u8, u16)] = &[
    ('€', 0x80, 556),
    ('‚', 0x82, 222),
    ('ƒ', 0x83, 556),
    ('„', 0x84, 333),
    ('…', 0x85, 1000),
    ('†', 0x86, 556),
    ('‡', 0x87, 556),
    ('ˆ', 0x88, 333),
    ('‰', 0x89, 1000),
    ('Š', 0x8a, 667),
    ('‹', 0x8b, 333),
    ('Œ', 0x8c, 1000),
    ('Ž', 0x8e, 611),
    ('‘', 0x91, 222),
    ('’', 0x92, 222),
    ('“', 0x93, 333),
    ('”', 0x94, 333),
    ('•', 0x95, 350),
    ('–', 0x96, 556),
    ('—', 0x97, 1000),
    ('˜', 0x98, 333),
    ('™', 0x99, 1000),
    ('š', 0x9a, 500),
    ('›', 0x9b, 333),
    ('œ', 0x9c, 944),
    ('ž', 0x9e, 500),
    ('Ÿ', 0x9f, 667),
];

/// Substitutes for characters that the encoding lacks.
const SUBSTITUTES: &[(char, &str)] = &[
    ('−', "\u{2013}"),
    ('≤', "<="),
    ('≥', ">="),
    ('→', "->"),
    ('←', "<-"),
    ('\u{a0}', " "),
    ('\u{202f}', " "),
    ('\n', " "),
    ('\t', " "),
];

/// A text in the encoding, and its width in the unit of its size. Characters without a substitute become `?`.
fn encoded(text: &str, size: f64) -> (Vec<u8>, f64) {
    let (mut bytes, mut width) = (Vec::with_capacity(text.len()), 0);
    for character in text.chars() {
        let substitute = SUBSTITUTES.iter().find(|(of, _)| *of == character);
        let mut one = [0; 4];
        for character in substitute.map_or(&*character.encode_utf8(&mut one), |(_, text)| text).chars() {
            let (byte, advance) = code(character).unwrap_or((b'?', 556));
            bytes.push(byte);
            width += u32::from(advance);
        }
    }
    (bytes, f64::from(width) * size / 1000.0)
}

/// The byte of a character and its width.
fn code(character: char) -> Option<(u8, u16)> {
    let number = u32::from(character);
    let within = |first: u32, widths: &[u16; 95]| {
        let width = *widths.get(number.checked_sub(first)? as usize)?;
        Some((u8::try_from(number).ok()?, width))
    };
    let other = || OTHERS.iter().find(|other| other.0 == character).map(|other| (other.1, other.2));
    within(ASCII, &ASCII_WIDTHS).or_else(|| within(LATIN, &LATIN_WIDTHS)).or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_who_made_it_and_holds_shapes_and_words() {
        let mut graphic = Graphic::new(100.0, 50.0);
        graphic.line("series s1", (0.0, 0.0), (10.0, 10.0));
        graphic.path("band c0", super::super::area(&[(0.0, 0.0), (5.0, 1.0)], &[(0.0, 9.0), (5.0, 9.0)]));
        graphic.text("tick", (50.0, 20.0), Anchor::End, "12 (−3)");
        let file = graphic.pdf_file("Títle");
        let text = String::from_utf8_lossy(&file);
        assert!(text.starts_with("%PDF-1.7") && text[..1000].contains(GENERATOR), "{text}");
        for part in [
            "/MediaBox [0 0 75 60]",
            "0 0 m\n10 10 l\nS",
            "[7 3] 0 d",
            "/Opacity16 gs",
            "/ca 0.16",
            "/WinAnsiEncoding",
            "0.8352941 0.36862746 0 RG",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(graphic.pdf_file("Títle"), file);
    }

    #[test]
    fn widths_are_those_of_the_font() {
        assert_eq!(encoded("Kenga 95 %", 1000.0).1, 667.0 + 6.0 * 556.0 + 2.0 * 278.0 + 889.0);
        assert_eq!(encoded("×÷é…", 1000.0), (vec![0xd7, 0xf7, 0xe9, 0x85], 584.0 + 584.0 + 556.0 + 1000.0));
    }

    #[test]
    fn what_the_encoding_lacks_is_replaced() {
        assert_eq!(encoded("3−, ≤ 1\u{202f}%", 10.0).0, b"3\x96, <= 1 %");
        assert_eq!(encoded("数\u{1}独\u{fffd}", 10.0).0, b"????");
    }
}
