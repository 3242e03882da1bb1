//! A picture as a PDF file, for papers: the shapes in the colours of paper, texts in an embedded font.

mod file;
mod font;
mod truetype;

use std::collections::BTreeMap;

use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Name, Str};

use super::font::Font;
use super::style::{Look, SIZE, Theme, channels, look};
use super::{Anchor, Element, Geometry, Graphic, Path, Point, Segment, Text};
pub(crate) use file::{Packing, PdfFile};
use font::{UsedGlyphs, WEIGHTS, codes};

/// The distance of the handles of a Bézier curve from its ends for a quarter of a circle of radius 1.
const QUARTER: f64 = 0.552_284_75;

impl Graphic {
    /// The picture as a file of its own, with its title above it.
    pub(crate) fn pdf_file(&self, title: &str) -> Vec<u8> {
        self.themed_pdf_file(title, Theme::Print)
    }

    /// The picture as a file of its own in the colours of a theme, with its title above it; without room for an empty one.
    pub(crate) fn themed_pdf_file(&self, title: &str, theme: Theme) -> Vec<u8> {
        let mut page = PdfPage::new(theme);
        let head = self.head(title);
        let points = self.points() as f32;
        let size = (self.width as f32 * points, (self.height + head.height) as f32 * points);
        page.content.transform([points, 0.0, 0.0, -points, 0.0, size.1]);
        // Paper is white without a background.
        let skipped = usize::from(theme.colour("page") == "#ffffff");
        for shape in head.shapes.iter().skip(skipped) {
            page.shape(shape);
        }
        page.content.transform([1.0, 0.0, 0.0, 1.0, 0.0, head.height as f32]);
        for shape in &self.shapes {
            page.shape(shape);
        }
        let mut file = PdfFile::new(title, Packing::Plain);
        file.add(page, size);
        file.finish()
    }
}

struct PdfPage {
    content: Content,
    theme: Theme,
    /// The opacities in use, in per cent, with the names of their states.
    opacities: BTreeMap<u8, String>,
    used: UsedGlyphs,
}

impl PdfPage {
    fn new(theme: Theme) -> Self {
        Self { content: Content::new(), theme, opacities: BTreeMap::new(), used: UsedGlyphs::default() }
    }

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
            let [red, green, blue] = rgb(self.theme.colour(fill));
            self.content.set_fill_rgb(red, green, blue);
        }
        if let Some(stroke) = look.stroke {
            let [red, green, blue] = rgb(self.theme.colour(stroke));
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
        let font = Font::of_weight(look.is_bold);
        let (weight, (_, name)) = (usize::from(look.is_bold), WEIGHTS[usize::from(look.is_bold)]);
        let words = codes(font, &text.words, &mut self.used[weight]);
        let width = font.width(&text.words) * size / 1000.0;
        let back = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (x, y) = text.at;
        let matrix = if text.runs_upward {
            [0.0, -1.0, -1.0, 0.0, x as f32, (y + back) as f32]
        } else {
            [1.0, 0.0, 0.0, -1.0, (x - back) as f32, y as f32]
        };
        let [red, green, blue] = rgb(self.theme.colour(look.fill.unwrap_or("ink")));
        self.content.begin_text();
        self.content.set_font(name, size as f32);
        self.content.set_fill_rgb(red, green, blue);
        self.content.set_text_matrix(matrix);
        self.content.show(Str(&words));
        self.content.end_text();
    }
}

/// The shares of red, green and blue.
fn rgb(colour: &str) -> [f32; 3] {
    channels(colour).map(|channel| f32::from(channel) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::super::GENERATOR;
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
            "/Identity-H",
            "+KengaSans-Regular",
            "/FontFile2",
            "0.8352941 0.36862746 0 RG",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(graphic.pdf_file("Títle"), file);
    }
}
