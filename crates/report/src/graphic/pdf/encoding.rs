//! The encoding that PDF calls WinAnsi (Windows-1252), and how wide texts in Helvetica are.
//!
//! Source: Adobe Systems, Core 14 AFM files, Helvetica.afm: advance widths in thousandths of the size.

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
pub(super) fn encoded(text: &str, size: f64) -> (Vec<u8>, f64) {
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
