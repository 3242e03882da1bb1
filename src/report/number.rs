//! Numbers for people.

/// A whole number with its thousands apart: `12 345`.
pub fn counted(number: u64) -> String {
    let digits = number.to_string();
    let head = digits.len() % 3;
    let mut text = digits[..head].to_owned();
    for (index, digit) in digits[head..].chars().enumerate() {
        if index % 3 == 0 && !text.is_empty() {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A number with three significant digits and a suffix for thousands and more: `12.3 k`, `1.05 M`.
pub fn rounded(number: f64) -> String {
    let (scaled, suffix) = match number.abs() {
        size if size >= 999.5e6 => (number / 1e9, " G"),
        size if size >= 999.5e3 => (number / 1e6, " M"),
        size if size >= 999.5 => (number / 1e3, " k"),
        _ => (number, ""),
    };
    let decimals = match scaled.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.0995 || size == 0.0 => 2,
        size => 2 + (-size.log10()).ceil().min(9.0) as usize,
    };
    format!("{scaled:.decimals$}{suffix}")
}

/// So many of something that takes an s in the plural: `1 run`, `1 234 runs`.
pub fn several(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", counted(count), if count == 1 { "" } else { "s" })
}

/// A share in per cent: `37 %`; what is not all is not rounded to all, what is not none not to none.
pub fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    match share {
        share if share > 0.0 && rounded < 1.0 => "< 1 %".to_owned(),
        share if share < 1.0 && rounded > 99.0 => "> 99 %".to_owned(),
        _ => format!("{rounded:.0} %"),
    }
}

/// Seconds for people: `0.8 s`, `8 s`, `3 min`, `2.5 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 9.95 => format!("{s:.1} s"),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let shown = [0, 12, 999, 1000, 12_345, 1_234_567].map(counted);
        assert_eq!(shown, ["0", "12", "999", "1 000", "12 345", "1 234 567"]);
    }

    #[test]
    fn one_has_no_plural() {
        assert_eq!([0, 1, 1000].map(|count| several(count, "run")), ["0 runs", "1 run", "1 000 runs"]);
    }

    #[test]
    fn three_digits_are_significant() {
        let shown = [0.0, 1.5, 12.34, 999.4, 999.6, 12_340.0, 1_050_000.0, 2.5e9].map(rounded);
        assert_eq!([0.0026, 0.0172, -0.000_123_4].map(rounded), ["0.00260", "0.0172", "-0.000123"]);
        assert_eq!(shown, ["0.00", "1.50", "12.3", "999", "1.00 k", "12.3 k", "1.05 M", "2.50 G"]);
    }
}
