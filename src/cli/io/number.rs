//! Whole numbers of the command line, written as in configurations: `250`, `100_000`, `1e5`.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// Above it not every whole number is a real one.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads whole numbers of a range.
pub(in crate::cli) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<u64> + PartialOrd + Display + Copy,
{
    move |text| {
        let number = read(text).and_then(|number| T::try_from(number).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| match is_too_large(text) {
            true => format!(
                "{text} is too large: expected a whole number from {} to {}",
                range.start(),
                range.end()
            ),
            false => expected(&range),
        })
    }
}

/// The text is a whole number, but one beyond 64 bits.
fn is_too_large(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u64>().is_err() && !text.is_empty()
}

/// What is expected, in words.
pub(in crate::cli) fn expected<T: Display>(range: &RangeInclusive<T>) -> String {
    let (low, high) = (range.start(), range.end().to_string());
    match high == u64::MAX.to_string() || high == usize::MAX.to_string() {
        true => format!("expected a whole number from {low} up"),
        false => format!("expected a whole number from {low} to {high}"),
    }
}

/// The number that a text is; underscores stand between digits.
pub(in crate::cli) fn read(text: &str) -> Option<u64> {
    let is_digit =
        |part: &str, place: Option<char>| !part.is_empty() && place.is_some_and(|c| c.is_ascii_digit());
    let mut parts = text.split('_').peekable();
    let mut digits = parts.next()?.to_owned();
    for part in parts {
        if !is_digit(part, part.chars().next()) || !is_digit(&digits, digits.chars().last()) {
            return None;
        }
        digits += part;
    }
    let real =
        || digits.parse().ok().filter(|real: &f64| real.fract() == 0.0 && (0.0..=EXACT).contains(real));
    digits.parse().ok().or_else(|| real().map(|real| real as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_in_configurations() {
        for (text, number) in [
            ("0", 0),
            ("250", 250),
            ("1e5", 100_000),
            ("1_000_000", 1_000_000),
            ("2.5e3", 2500),
            ("1_0e1_0", 100_000_000_000),
        ] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        assert_eq!(read("18446744073709551615"), Some(u64::MAX));
        for text in
            ["", " 1", "-1", "1.5", "1e400", "nan", "inf", "1__0", "_1", "1_", "1_e5", "0x10", "1e17", "a"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_outside_the_range_is_refused_with_the_range() {
        assert_eq!(whole(1..=65_535_u16)("1e4"), Ok(10_000));
        for text in ["0", "65536", "1e5", "many"] {
            let said = "expected a whole number from 1 to 65535".to_owned();
            assert_eq!(whole(1..=65_535_u16)(text), Err(said), "{text}");
        }
        assert_eq!(whole(1..=u64::MAX)("0"), Err("expected a whole number from 1 up".to_owned()));
    }

    #[test]
    fn a_number_beyond_64_bits_is_called_too_large() {
        let said =
            "18446744073709551616 is too large: expected a whole number from 0 to 18446744073709551615";
        assert_eq!(whole(0..=u64::MAX)("18446744073709551616"), Err(said.to_owned()));
    }
}
