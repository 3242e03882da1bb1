//! The fonts of a PDF file: embedded, with the glyphs that its texts use, because publishers refuse others.

use std::collections::BTreeSet;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};

use super::super::font::Font;
use super::truetype::{ASCENT, DESCENT, glyph_number, truetype};

/// The height of capitals, in thousandths of the size.
const CAPITALS: f32 = 688.0;

/// The glyphs in use, by index, of the regular and the bold font.
pub(super) type UsedGlyphs = [BTreeSet<usize>; 2];

/// The weights in their order, with the names of their fonts in the resources of a page.
pub(super) const WEIGHTS: [(bool, Name<'static>); 2] = [(false, Name(b"Regular")), (true, Name(b"Bold"))];

/// The codes of a text, two bytes a glyph.
pub(super) fn codes(font: &Font, text: &str, used: &mut BTreeSet<usize>) -> Vec<u8> {
    let mut codes = Vec::new();
    for index in font.indices(text) {
        used.insert(index);
        codes.extend(glyph_number(index).to_be_bytes());
    }
    codes
}

/// Writes a font with the glyphs in use. `references` are the font's own and those of its four parts.
pub(super) fn write(pdf: &mut Pdf, references: [Ref; 5], font: &Font, used: &BTreeSet<usize>) {
    let [whole, glyphs, descriptor, program, to_unicode] = references;
    let used: Vec<usize> = used.iter().copied().collect();
    let (file, bounds) = truetype(font, &used);
    // A tag tells this subset from others of the same font.
    let tag = tag(&used);
    let name = format!("{tag}+KengaSans-{}", if font.is_bold { "Bold" } else { "Regular" });
    let name = Name(name.as_bytes());
    pdf.type0_font(whole)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(glyphs)
        .to_unicode(to_unicode);

    let mut cid = pdf.cid_font(glyphs);
    cid.subtype(CidFontType::Type2)
        .base_font(name)
        .system_info(IDENTITY)
        .font_descriptor(descriptor)
        .default_width(0.0)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for index in &used {
        widths.consecutive(glyph_number(*index), [font.glyphs()[*index].width as f32]);
    }
    widths.finish();
    cid.finish();

    let [left, bottom, right, top] = [bounds.left, bounds.bottom, bounds.right, bounds.top].map(f32::from);
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(left, bottom, right, top))
        .italic_angle(0.0)
        .ascent(f32::from(ASCENT))
        .descent(f32::from(DESCENT))
        .cap_height(CAPITALS)
        .stem_v(if font.is_bold { 140.0 } else { 88.0 })
        .font_file2(program);

    let packed = deflated(&file);
    pdf.stream(program, &packed).filter(Filter::FlateDecode).pair(Name(b"Length1"), file.len() as i32);

    let mut map = UnicodeCmap::new(Name(b"KengaSans"), IDENTITY);
    for index in &used {
        map.pair(glyph_number(*index), font.glyphs()[*index].character);
    }
    pdf.stream(to_unicode, &deflated(map.finish().as_slice())).filter(Filter::FlateDecode);
}

const IDENTITY: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Six letters for a set of glyphs.
fn tag(used: &[usize]) -> String {
    // FNV-1a.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for index in used {
        hash = (hash ^ *index as u64).wrapping_mul(0x0100_0000_01b3);
    }
    let mut tag = String::new();
    for _ in 0..6 {
        tag.push(char::from(b'A' + (hash % 26) as u8));
        hash /= 26;
    }
    tag
}

/// Bytes as zlib packs them.
pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).and_then(|()| packer.finish()).expect("a list of bytes takes all that is written")
}
