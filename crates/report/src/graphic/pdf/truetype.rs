//! A TrueType font with some glyphs of the program's own, for embedding in a PDF file.
//!
//! Source: ISO/IEC 14496-22:2019, Open Font Format; ISO 32000-1:2008, 9.9, which tables an embedded font has.

use super::super::font::{Font, Glyph, OutlinePoint};

/// Above and below the base line, in thousandths of the size.
pub(super) const ASCENT: i16 = 905;
pub(super) const DESCENT: i16 = -212;

/// The number of the glyph with an index in its font: glyph 0 is by definition that of unknown characters.
pub(super) fn glyph_number(index: usize) -> u16 {
    index as u16 + 1
}

/// The smallest rectangle around some outlines.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) left: i16,
    pub(super) bottom: i16,
    pub(super) right: i16,
    pub(super) top: i16,
}

/// A font that grows glyph by glyph.
#[derive(Default)]
struct Tables {
    outlines: Vec<u8>,
    /// Where each outline begins, and where the last one ends.
    offsets: Vec<u8>,
    metrics: Vec<u8>,
    bounds: Option<Bounds>,
    glyphs: u16,
    widest: u16,
    most_points: u16,
    most_contours: u16,
}

/// The bytes of a font with the glyphs of these indices, ascending, and the bounds of their outlines. The glyphs between them
/// are empty, so that a number means the same glyph in every file.
pub(super) fn truetype(font: &Font, used: &[usize]) -> (Vec<u8>, Bounds) {
    let mut tables = Tables::default();
    tables.begin_glyph();
    tables.measure(0, 0);
    for index in 0..=used.last().copied().unwrap_or(0) {
        tables.begin_glyph();
        if used.binary_search(&index).is_ok() {
            tables.glyph(&font.glyphs()[index]);
        } else {
            tables.measure(0, 0);
        }
    }
    // The end of the last outline.
    tables.offsets.extend((tables.outlines.len() as u32).to_be_bytes());
    let bounds = tables.bounds.unwrap_or(Bounds { left: 0, bottom: 0, right: 0, top: 0 });
    (tables.file(font.is_bold, bounds), bounds)
}

impl Tables {
    fn begin_glyph(&mut self) {
        self.offsets.extend((self.outlines.len() as u32).to_be_bytes());
        self.glyphs += 1;
    }

    fn measure(&mut self, width: u16, left: i16) {
        self.metrics.extend(width.to_be_bytes());
        self.metrics.extend(left.to_be_bytes());
        self.widest = self.widest.max(width);
    }

    fn glyph(&mut self, glyph: &Glyph) {
        let mut contours = glyph.contours();
        for contour in &mut contours {
            // The format closes a contour itself.
            if contour.len() > 1 && contour.first() == contour.last() {
                contour.pop();
            }
        }
        let points: Vec<OutlinePoint> = contours.concat();
        let bounds = bounds(&points);
        self.measure(glyph.width as u16, bounds.map_or(0, |bounds| bounds.left));
        let Some(bounds) = bounds else { return };
        self.most_points = self.most_points.max(points.len() as u16);
        self.most_contours = self.most_contours.max(contours.len() as u16);
        self.bounds = Some(self.bounds.map_or(bounds, |other| other.joined(bounds)));

        put(&mut self.outlines, &[contours.len() as i16]);
        put(&mut self.outlines, &bounds.numbers());
        let mut end = -1;
        for contour in &contours {
            end += contour.len() as i16;
            put(&mut self.outlines, &[end]);
        }
        put(&mut self.outlines, &[NO_INSTRUCTIONS]);
        // One flag a point: whether it is on the curve; its coordinates follow in full.
        self.outlines.extend(points.iter().map(|point| u8::from(point.is_on_curve)));
        for axis in [|point: &OutlinePoint| point.at.0, |point: &OutlinePoint| point.at.1] {
            let mut last = 0;
            for point in &points {
                let at = axis(point) as i16;
                put(&mut self.outlines, &[at - last]);
                last = at;
            }
        }
        self.outlines.resize(self.outlines.len().next_multiple_of(4), 0);
    }

    /// The tables in one file.
    fn file(self, is_bold: bool, bounds: Bounds) -> Vec<u8> {
        let head = head(is_bold, bounds);
        let hhea = self.horizontal_header(bounds);
        let maxp = self.maximum_profile();
        // In the order of their names.
        assembled(&[
            (b"glyf", self.outlines),
            (b"head", head),
            (b"hhea", hhea),
            (b"hmtx", self.metrics),
            (b"loca", self.offsets),
            (b"maxp", maxp),
        ])
    }

    fn horizontal_header(&self, bounds: Bounds) -> Vec<u8> {
        let mut table = VERSION_1.to_vec();
        let (line_gap, slope) = (33, [1, 0, 0]);
        put(&mut table, &[ASCENT, DESCENT, line_gap, self.widest as i16]);
        put(&mut table, &[bounds.left, 0, bounds.right]);
        put(&mut table, &slope);
        put(&mut table, &[0; 5]);
        put(&mut table, &[self.glyphs as i16]);
        table
    }

    fn maximum_profile(&self) -> Vec<u8> {
        let mut table = VERSION_1.to_vec();
        put(&mut table, &[self.glyphs as i16, self.most_points as i16, self.most_contours as i16]);
        // No composites, and two zones of points, of which instructions would use the second.
        put(&mut table, &[0, 0, 2]);
        put(&mut table, &[0; 8]);
        table
    }
}

const VERSION_1: [u8; 4] = [0, 1, 0, 0];
const NO_INSTRUCTIONS: i16 = 0;

fn head(is_bold: bool, bounds: Bounds) -> Vec<u8> {
    const MAGIC: [u8; 4] = [0x5f, 0x0f, 0x3c, 0xf5];
    const UNITS: i16 = 1000;
    let mut table = [VERSION_1, VERSION_1, [0; 4], MAGIC].concat();
    put(&mut table, &[0, UNITS]);
    // No dates: the same glyphs give the same bytes.
    table.extend([0; 16]);
    put(&mut table, &bounds.numbers());
    let (smallest_size, direction, long_offsets) = (8, 2, 1);
    put(&mut table, &[i16::from(is_bold), smallest_size, direction, long_offsets, 0]);
    table
}

/// A directory of tables, and the tables.
fn assembled(tables: &[(&[u8; 4], Vec<u8>); 6]) -> Vec<u8> {
    let mut file = VERSION_1.to_vec();
    // The number of tables, and how a reader searches among six: 64 bytes, two steps, 32 bytes left.
    put(&mut file, &[6, 64, 2, 32]);
    let mut offset = file.len() + 16 * tables.len();
    for (name, table) in tables {
        file.extend(*name);
        file.extend(checksum(table).to_be_bytes());
        file.extend((offset as u32).to_be_bytes());
        file.extend((table.len() as u32).to_be_bytes());
        offset += table.len().next_multiple_of(4);
    }
    let mut adjustment = 0;
    for (name, table) in tables {
        if *name == b"head" {
            adjustment = file.len() + 8;
        }
        file.extend(table);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    let whole = 0xb1b0_afba_u32.wrapping_sub(checksum(&file));
    file[adjustment..adjustment + 4].copy_from_slice(&whole.to_be_bytes());
    file
}

/// The sum of a table's words.
fn checksum(table: &[u8]) -> u32 {
    let mut sum = 0_u32;
    for word in table.chunks(4) {
        let mut bytes = [0; 4];
        bytes[..word.len()].copy_from_slice(word);
        sum = sum.wrapping_add(u32::from_be_bytes(bytes));
    }
    sum
}

fn put(bytes: &mut Vec<u8>, numbers: &[i16]) {
    for number in numbers {
        bytes.extend(number.to_be_bytes());
    }
}

/// The bounds of some points; `None` without any.
fn bounds(points: &[OutlinePoint]) -> Option<Bounds> {
    let mut bounds: Option<Bounds> = None;
    for point in points {
        let (x, y) = (point.at.0 as i16, point.at.1 as i16);
        let here = Bounds { left: x, bottom: y, right: x, top: y };
        bounds = Some(bounds.map_or(here, |other| other.joined(here)));
    }
    bounds
}

impl Bounds {
    fn joined(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            bottom: self.bottom.min(other.bottom),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
        }
    }

    fn numbers(self) -> [i16; 4] {
        [self.left, self.bottom, self.right, self.top]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_has_its_tables_and_the_sum_that_readers_check() {
        let font = Font::of_weight(false);
        let used = font.indices("%8");
        let (file, bounds) = truetype(font, &used);
        assert_eq!(checksum(&file), 0xb1b0_afba);
        assert!(bounds.top > 680 && bounds.bottom <= 0 && bounds.right > 800);
        for (place, name) in ["glyf", "head", "hhea", "hmtx", "loca", "maxp"].into_iter().enumerate() {
            assert_eq!(&file[12 + 16 * place..][..4], name.as_bytes());
        }
        let number = |at: usize| u32::from_be_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
        let (loca, entries) = (number(12 + 16 * 4 + 8) as usize, number(12 + 16 * 4 + 12) as usize / 4);
        assert_eq!(entries, used[1] + 3, "glyph 0, those up to the last that is used, and the end");
        let length = |glyph: usize| number(loca + 4 * glyph + 4) - number(loca + 4 * glyph);
        assert!(length(used[0] + 1) > 100 && length(used[1] + 1) > 100);
        assert_eq!((length(0), length(used[0])), (0, 0));
    }
}
