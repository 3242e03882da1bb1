//! A picture as pixels, in a PNG file.
//!
//! Shapes and letters are drawn here: a picture has straight lines, rectangles, circles and letters alone, and a library that
//! draws any SVG would cost more to compile than all other pictures together.
//!
//! Source: W3C 2003, Portable Network Graphics Specification, second edition.

mod raster;
mod stroke;

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use super::font::Font;
use super::style::{Look, SIZE, Theme, channels, look};
use super::{Anchor, Element, Geometry, Graphic, Text};
use raster::Area;
pub use raster::Canvas;
use stroke::{Line, LineEnd, dashed, disc, lines, stroke};

/// Pixels a metre where one pixel of the file is one of the picture.
const DENSITY: f64 = 96.0 / 0.0254;

impl Graphic {
    /// The picture as a PNG file with its title above it, without one if it is empty; `scale` pixels for one of the picture.
    pub(crate) fn png_file(&self, title: &str, theme: Theme, scale: f64) -> Vec<u8> {
        let head = self.head(title);
        file(&self.canvas(&head, theme, scale), scale)
    }

    /// The picture as pixels with a head above it, whose first shape is the background.
    pub fn canvas(&self, head: &Self, theme: Theme, scale: f64) -> Canvas {
        let [width, height] =
            [self.width, self.height + head.height].map(|length| ((length * scale).ceil() as usize).max(1));
        let mut pen = Pen {
            canvas: Canvas::new(width, height, channels(theme.colour("page"))),
            theme,
            scale,
            down: 0.0,
        };
        for shape in head.shapes.iter().skip(1) {
            pen.shape(shape);
        }
        pen.down = head.height;
        for shape in &self.shapes {
            pen.shape(shape);
        }
        pen.canvas
    }
}

/// Draws shapes on a canvas.
struct Pen {
    canvas: Canvas,
    theme: Theme,
    scale: f64,
    /// How far below the top the picture begins.
    down: f64,
}

impl Pen {
    fn shape(&mut self, shape: &Element) {
        let look = look(&shape.class);
        let (outline, is_line): (Vec<Line>, bool) = match &shape.form {
            Geometry::Line(from, to) => (vec![(vec![*from, *to], false)], true),
            Geometry::Path(path) => (lines(path), false),
            Geometry::Rect((x, y), (width, height)) => {
                let (right, bottom) = (x + width, y + height);
                (vec![(vec![(*x, *y), (right, *y), (right, bottom), (*x, bottom)], true)], false)
            }
            Geometry::Circle(middle, radius) => (vec![(disc(*middle, *radius), true)], false),
            Geometry::Text(text) => return self.text(text, &look),
            Geometry::Begin(_) | Geometry::End | Geometry::Chart(_) => return,
        };
        let opacity = shape.share.or(look.opacity).unwrap_or(1.0);
        if let Some(fill) = look.fill.filter(|_| !is_line) {
            let area = outline.iter().map(|line| line.0.clone()).collect();
            self.fill(area, fill, opacity);
        }
        if let Some(colour) = look.stroke {
            let outline = if look.dash.is_empty() { outline } else { dashed(&outline, look.dash) };
            let end = match look.cap {
                Some("square") => LineEnd::Square,
                Some("round") => LineEnd::Round,
                _ => LineEnd::Butt,
            };
            self.fill(stroke(&outline, look.width.unwrap_or(1.0), end), colour, opacity);
        }
    }

    fn fill(&mut self, mut area: Area, colour: &str, opacity: f64) {
        for (x, y) in area.iter_mut().flatten() {
            (*x, *y) = (*x * self.scale, (*y + self.down) * self.scale);
        }
        self.canvas.fill(&area, channels(self.theme.colour(colour)), opacity);
    }

    fn text(&mut self, text: &Text, look: &Look) {
        let thousandth = text.size.or(look.size).unwrap_or(SIZE) / 1000.0;
        let font = Font::of_weight(look.is_bold);
        let width = font.width(&text.words) * thousandth;
        let back = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let (left, base) = text.at;
        let mut area = font.polygons(&text.words);
        for (x, y) in area.iter_mut().flatten() {
            (*x, *y) = if text.runs_upward {
                (left + *y * thousandth, base - *x * thousandth + back)
            } else {
                (left + *x * thousandth - back, base + *y * thousandth)
            };
        }
        self.fill(area, look.fill.unwrap_or("ink"), 1.0);
    }
}

/// The bytes of a PNG file.
fn file(canvas: &Canvas, scale: f64) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend((canvas.width as u32).to_be_bytes());
    header.extend((canvas.height as u32).to_be_bytes());
    // Eight bits a channel, red, green and blue; the usual compression, filters and order of rows.
    header.extend([8, 2, 0, 0, 0]);
    chunk(b"IHDR", &header, &mut bytes);
    let density = ((DENSITY * scale).round() as u32).to_be_bytes();
    chunk(b"pHYs", &[density.as_slice(), &density, &[1]].concat(), &mut bytes);
    chunk(b"IDAT", &packed(canvas), &mut bytes);
    chunk(b"IEND", &[], &mut bytes);
    bytes
}

/// The rows, each as what differs from the row above, compressed.
fn packed(canvas: &Canvas) -> Vec<u8> {
    const UP: u8 = 2;
    let mut above = vec![[0; 3]; canvas.width];
    let mut plain = Vec::with_capacity(canvas.height * (canvas.width * 3 + 1));
    for row in canvas.pixels.chunks(canvas.width) {
        plain.push(UP);
        for (now, before) in row.iter().flatten().zip(above.iter().flatten()) {
            plain.push(now.wrapping_sub(*before));
        }
        above.copy_from_slice(row);
    }
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer
        .write_all(&plain)
        .and_then(|()| packer.finish())
        .expect("a list of bytes takes all that is written")
}

fn chunk(kind: &[u8; 4], data: &[u8], bytes: &mut Vec<u8>) {
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(data);
    bytes.extend((data.len() as u32).to_be_bytes());
    bytes.extend(kind);
    bytes.extend(data);
    bytes.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_size_and_its_chunks() {
        let mut graphic = Graphic::new(20.0, 10.0);
        graphic.rect("shade", (0.0, 0.0), (20.0, 10.0));
        graphic.text("value", (2.0, 8.0), Anchor::Start, "8");
        let file = graphic.png_file("", Theme::Light, 2.0);
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(&file[8..29], b"\0\0\0\x0dIHDR\0\0\0\x28\0\0\0\x14\x08\x02\0\0\0");
        assert!(file.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
        assert_eq!(graphic.png_file("", Theme::Light, 2.0), file);
    }
}
