//! The compression of links: the bit format of lz-string (pieroxy, 2013), in its base64 alphabet.
//!
//! It is LZ78 (J. Ziv, A. Lempel 1978, DOI 10.1109/TIT.1978.1055934) over UTF-16 units. A token names a phrase of the
//! dictionary; 0 and 1 stand for a new unit of 8 or 16 bits, 2 for the end. After each token the phrase before it, longer
//! by one unit, joins the dictionary. A token has as many bits as the number of phrases, the three special ones included.
//! Numbers start with their lowest bit; six bits make a character.

use std::collections::BTreeMap;

/// The characters of base64, by their value.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The tokens that name no phrase: a new unit of 8 bits, a new one of 16, the end.
const SPECIAL: usize = 3;

const END: usize = 2;

/// The most UTF-16 units that a text may have; that of a puzzle has a few thousand.
pub(super) const MOST_UNITS: usize = 1 << 20;

/// The number of bits of a token beside so many phrases.
fn width(phrases: usize) -> u32 {
    usize::BITS - phrases.leading_zeros()
}

/// Compresses a text.
pub(super) fn compress(text: &str) -> String {
    let mut encoder = Encoder::default();
    // The longest known phrase that the text goes on with; 0 before the first unit.
    let mut phrase = 0;
    for unit in text.encode_utf16() {
        encoder.meet(unit);
        phrase = encoder.extend(phrase, unit);
    }
    if phrase > 0 {
        encoder.token(phrase);
    }
    encoder.number(END, width(encoder.size()));
    encoder.finish()
}

/// The dictionary and the bits written so far.
#[derive(Default)]
struct Encoder {
    /// The number of a phrase, by that of all but its last unit (0 for none) and by the last.
    phrases: BTreeMap<(usize, u16), usize>,
    /// The phrases of one unit that are not written yet, by number.
    fresh: BTreeMap<usize, u16>,
    units: usize,
    tokens: usize,
    bits: Vec<bool>,
}

impl Encoder {
    /// The phrases that a reader knows before the next token.
    fn size(&self) -> usize {
        SPECIAL + self.units + self.tokens.saturating_sub(1)
    }

    fn add(&mut self, key: (usize, u16)) -> usize {
        let number = SPECIAL + self.phrases.len();
        self.phrases.insert(key, number);
        number
    }

    /// Adds a unit that does not occur earlier.
    fn meet(&mut self, unit: u16) {
        if !self.phrases.contains_key(&(0, unit)) {
            let number = self.add((0, unit));
            self.fresh.insert(number, unit);
        }
    }

    /// The phrase longer by a unit; where it is new, it writes the phrase and begins another.
    fn extend(&mut self, phrase: usize, unit: u16) -> usize {
        if let Some(longer) = self.phrases.get(&(phrase, unit)) {
            return *longer;
        }
        // Not with phrase 0: `meet` has added every unit alone.
        self.token(phrase);
        self.add((phrase, unit));
        self.phrases[&(0, unit)]
    }

    fn token(&mut self, phrase: usize) {
        // A reader joins the phrase of a token only after it: the width lags by one.
        let bits = width(self.size());
        match self.fresh.remove(&phrase) {
            Some(unit) => {
                let wide = unit > 255;
                self.number(usize::from(wide), bits);
                self.number(usize::from(unit), if wide { 16 } else { 8 });
                self.units += 1;
            }
            None => self.number(phrase, bits),
        }
        self.tokens += 1;
    }

    fn number(&mut self, number: usize, bits: u32) {
        for bit in 0..bits {
            self.bits.push(number >> bit & 1 == 1);
        }
    }

    /// The characters of the bits and of at least one more, with `=` up to a multiple of four.
    fn finish(mut self) -> String {
        self.bits.resize((self.bits.len() / 6 + 1) * 6, false);
        let mut text = String::with_capacity(self.bits.len() / 6 + 3);
        for bits in self.bits.chunks(6) {
            let mut value = 0;
            for bit in bits {
                value = value * 2 + usize::from(*bit);
            }
            text.push(char::from(ALPHABET[value]));
        }
        while !text.len().is_multiple_of(4) {
            text.push('=');
        }
        text
    }
}

/// Why a text cannot be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// The character with this index, in bytes, is not in the alphabet.
    Character(usize),
    /// The bits end before the end token.
    Truncated,
    /// A token names no phrase.
    Phrase,
    /// The text is longer than [`MOST_UNITS`].
    Long,
    /// The units are no text.
    Text,
}

/// Decompresses what [`compress`] or another program wrote. A space counts as `+`, which browsers turn into one.
///
/// # Errors
/// The first [`Flaw`].
pub(super) fn decompress(text: &str) -> Result<String, Flaw> {
    let mut bits = Bits::read(text)?;
    // Every phrase is a piece of the text: its start and length.
    let mut phrases = vec![(0, 0); SPECIAL];
    let mut units: Vec<u16> = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    loop {
        let token = bits.number(width(phrases.len()))?;
        let start = units.len();
        match token {
            END => return String::from_utf16(&units).map_err(|_| Flaw::Text),
            0 | 1 => {
                units.push(bits.number(if token == 0 { 8 } else { 16 })? as u16);
                phrases.push((start, 1));
            }
            _ => {
                let (at, length) = match (phrases.get(token), last) {
                    (Some(phrase), _) => *phrase,
                    // The phrase that this token itself completes.
                    (None, Some((at, length))) if token == phrases.len() => (at, length + 1),
                    _ => return Err(Flaw::Phrase),
                };
                if units.len() + length > MOST_UNITS {
                    return Err(Flaw::Long);
                }
                // A growing phrase ends with the unit that is written first here.
                for index in at..at + length {
                    units.push(units[index]);
                }
            }
        }
        if let Some((at, length)) = last {
            phrases.push((at, length + 1));
        }
        last = Some((start, units.len() - start));
    }
}

/// The bits of a text in base64.
struct Bits {
    bits: std::vec::IntoIter<bool>,
}

impl Bits {
    fn read(text: &str) -> Result<Self, Flaw> {
        let mut bits = Vec::with_capacity(6 * text.len());
        for (index, byte) in text.trim_end_matches('=').bytes().enumerate() {
            let byte = if byte == b' ' { b'+' } else { byte };
            let value = ALPHABET.iter().position(|known| *known == byte).ok_or(Flaw::Character(index))?;
            for bit in [5, 4, 3, 2, 1, 0] {
                bits.push(value >> bit & 1 == 1);
            }
        }
        Ok(Self { bits: bits.into_iter() })
    }

    fn number(&mut self, bits: u32) -> Result<usize, Flaw> {
        let mut number = 0;
        for bit in 0..bits {
            number |= usize::from(self.bits.next().ok_or(Flaw::Truncated)?) << bit;
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_texts_have_the_characters_that_lz_string_gives_them() {
        for (text, packed) in [
            ("", "Q==="),
            ("hello", "BYUwNmD2Q==="),
            ("Hello, world!", "BIUwNmD2A0AEDukBOYAmBCIA"),
            ("nnnnnnnnnnnnnnnn13", "HY1/AjAzEA=="),
        ] {
            assert_eq!(compress(text), packed, "{text}");
            assert_eq!(decompress(packed).as_deref(), Ok(text));
        }
        assert_eq!(decompress("BIUwNmD2A0AEDukBOYAmBCIA=").as_deref(), Ok("Hello, world!"));
    }

    #[test]
    fn damage_is_told_apart() {
        assert_eq!(decompress(""), Err(Flaw::Truncated));
        assert_eq!(decompress("BIUwNmD2A0"), Err(Flaw::Truncated));
        assert_eq!(decompress("BIU!"), Err(Flaw::Character(3)));
        assert_eq!(decompress("wAAA"), Err(Flaw::Phrase));
    }

    #[test]
    fn a_short_text_cannot_fill_the_memory() {
        let text = "a".repeat(MOST_UNITS + 2);
        assert_eq!(decompress(&compress(&text)), Err(Flaw::Long));
    }

    proptest! {
        #[test]
        fn every_text_is_read_back(text in "\\PC{0,60}|[a-c]{0,300}") {
            prop_assert_eq!(decompress(&compress(&text)), Ok(text));
        }

        #[test]
        fn no_text_makes_it_panic(text in "[A-Za-z0-9+/]{0,200}") {
            let _ = decompress(&text);
        }
    }
}
