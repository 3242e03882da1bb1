//! Game IDs of Keen, of Simon Tatham's Portable Puzzle Collection: `4dn:b_a4_a_6aa,m8s1a6s1m4a3d2`.
//!
//! Size 3 to 9, a difficulty that does not change the rules (`d` and one of `enhxu`, `m` for products only), then the
//! walls between cells, then the clues. The inner edges are walked first between horizontal neighbours row by row,
//! then between vertical neighbours column by column, and end with one wall more that is not there.

mod read;
pub(super) mod walls;
mod write;

use super::Format;

pub(super) const FORMAT: Format = Format {
    name: "keen",
    about: "Keen game IDs such as 4:b_a4_a_6aa,m8s1a6s1m4a3d2, one a line",
    many: true,
    recognise: |text| params_end(text.trim_start()).is_some(),
    end: super::line_end,
    read: read::read,
    write: Some(write::write),
};

/// The sizes that Keen has.
const SIZES: std::ops::RangeInclusive<usize> = 3..=9;

/// The difficulties: easy, normal, hard, extreme, unreasonable.
const DIFFICULTIES: &str = "enhxu";

/// The letter of each operator's symbol; a one-cell cage is a given whatever its letter.
const LETTERS: [(char, &str); 4] = [('a', "+"), ('s', "-"), ('m', "*"), ('d', "/")];

/// Where the parameters end that a game ID starts with: digits, letters, then `:` (or `#` before a random seed).
fn params_end(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let letters = text[digits..].bytes().take_while(u8::is_ascii_lowercase).count();
    let end = digits + letters;
    (digits > 0 && text[end..].starts_with([':', '#'])).then_some(end)
}
