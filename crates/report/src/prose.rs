//! Text for people: numbers, and prose wrapped between words.

use kenga_core::text::joined;
use kenga_stats::{Estimate, Interval};
use unicode_width::UnicodeWidthChar;

/// A whole number with spaces between thousands: `12 345`.
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

/// A number with so many decimals, rounded as people and spreadsheets do, ties away from zero: 72.5 is `73`. All numbers that
/// people read are rounded here, so that one number has one text.
pub fn decimal(number: f64, decimals: usize) -> String {
    let scale = 10f64.powi(decimals.min(15) as i32);
    let scaled = number * scale;
    // 23 of 40 are 57.49999999999999 % in binary, which is a tie all the same.
    let away = (scaled * (1.0 + 4.0 * f64::EPSILON)).round() / scale;
    let rounded = if scaled.abs() < 1e15 { away } else { number };
    // Nothing is less than nothing.
    let rounded = if rounded == 0.0 { 0.0 } else { rounded };
    format!("{rounded:.decimals$}")
}

/// A number with three significant digits and a suffix for thousands and more: `12.3 k`, `1.05 M`.
pub fn rounded(number: f64) -> String {
    let (scaled, suffix) = match number.abs() {
        size if size >= 999.5e12 => return format!("{number:.2e}"),
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
    decimal(scaled, decimals) + suffix
}

/// Calls, or another number that may be infinite: whole ones below a thousand as they are, `never` where there is no end.
pub fn calls(number: f64) -> String {
    match number {
        number if !number.is_finite() => "never".to_owned(),
        number if number.fract() == 0.0 && number.abs() < 1000.0 => format!("{number:.0}"),
        number => rounded(number),
    }
}

/// A value of a problem: a whole number in full, another one with twelve significant digits, as it may be a sum whose last
/// digits are noise. One of many digits has an exponent, and one that is not known is a dash.
pub fn problem_value(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let is_whole = value.fract() == 0.0;
    let rounded = if is_whole { value } else { format!("{value:.11e}").parse().unwrap_or(value) };
    format!("{rounded:?}").trim_end_matches(".0").to_owned()
}

/// The same of a mean or a median, with five digits.
pub fn short_value(value: f64) -> String {
    problem_value(format!("{value:.4e}").parse().unwrap_or(value))
}

/// A value and its interval: `12 (3 to 45)`, and `never` alone where the whole interval is.
pub(super) fn with_interval(estimate: &Estimate, shown: &dyn Fn(f64) -> String) -> String {
    let Estimate { value, interval: Interval { low, high } } = *estimate;
    let says_nothing = high == f64::INFINITY && low <= 0.0;
    if says_nothing || low == f64::INFINITY {
        return shown(value);
    }
    format!("{} ({})", shown(value), range(estimate.interval, shown))
}

/// An interval: `3 to 45`.
pub(super) fn range(interval: Interval, shown: &dyn Fn(f64) -> String) -> String {
    format!("{} to {}", shown(interval.low), shown(interval.high))
}

/// A number of things whose plural ends in s: `1 run`, `1 234 runs`.
pub fn several(count: u64, noun: &str) -> String {
    format!("{} {}", counted(count), plural(count, noun))
}

/// All of some things: `The only run`, `Both settings`, `All 1 234 runs`.
pub fn all_of(count: u64, noun: &str) -> String {
    match count {
        1 => format!("The only {noun}"),
        2 => format!("Both {noun}s"),
        _ => format!("All {}", several(count, noun)),
    }
}

/// The noun in the number of `count`: `run`, `runs`.
pub fn plural(count: u64, noun: &str) -> String {
    format!("{noun}{}", if count == 1 { "" } else { "s" })
}

/// How failed runs count; `None` without any.
pub fn failures(runs: u64) -> Option<String> {
    let rank = if runs == 1 { "it ranks" } else { "they rank" };
    (runs > 0).then(|| format!("The program of {} failed: {rank} last.", several(runs, "run")))
}

/// What a reader should ask of runs that a program solved within their first hundred evaluations; `None` without any.
pub fn solved_at_once(runs: u64, noun: &str) -> Option<String> {
    if runs == 0 {
        return None;
    }
    let were = if runs == 1 { "was" } else { "were" };
    Some(format!(
        "{} of a program {were} solved at once, within 100 evaluations: does the program solve the {noun} itself?",
        several(runs, "run")
    ))
}

/// A share in per cent: `37 %`. Shares other than 0 and 1 are not rounded to these: `< 1 %`, `> 99 %`.
pub fn percent(share: f64) -> String {
    format!("{} %", bare_percent(share))
}

/// A share in per cent without its sign, for a column that says it: `37`.
pub(super) fn bare_percent(share: f64) -> String {
    let rounded = decimal(share * 100.0, 0);
    match rounded.as_str() {
        "0" if share > CERTAIN => "< 1".to_owned(),
        "100" if share < 1.0 - CERTAIN => "> 99".to_owned(),
        _ => rounded,
    }
}

/// The interval of a share in per cent, without the sign: `0 to 5`. Its ends are rounded alike, those near 0 and 1 too.
pub(super) fn percent_range(Interval { low, high }: Interval) -> String {
    range(Interval { low: low * 100.0, high: high * 100.0 }, &|end| decimal(end, 0))
}

/// A share and its interval in per cent: `1 (0 to 5)`.
pub(super) fn percent_with_interval(share: &Estimate) -> String {
    format!("{} ({})", bare_percent(share.value), percent_range(share.interval))
}

/// What is nearer to 0 or 1 is that: intervals are computed, and end a little beside them.
const CERTAIN: f64 = 1e-9;

/// A p-value: `0.034`, `< 0.001`.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { decimal(p, 3) }
}

/// A p-value in a sentence: `p = 0.034`, `p < 0.001`.
pub(super) fn p_in_words(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {}", decimal(p, 3)) }
}

/// Seconds for people: `0.8 s`, `8 s`, `3 min`, `2.5 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 9.95 => format!("{} s", decimal(s, 1)),
        s if s < 100.0 => format!("{} s", decimal(s, 0)),
        s if s < 6000.0 => format!("{} min", decimal(s / 60.0, 0)),
        s => format!("{} h", decimal(s / 3600.0, 1)),
    }
}

/// Text in lines of at most `width` columns. Lines of the text stay separate, and continuation lines keep their indent. A
/// word that is wider stays whole on a line of its own, so that a path can be copied, and so does a number with its sign or unit.
pub fn wrap(text: &str, width: usize) -> String {
    joined(text.split('\n').map(|line| wrap_line(line, width)), "\n")
}

fn wrap_line(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_owned();
    }
    let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
    let (mut text, mut used) = (indent.to_owned(), indent.len());
    let mut is_first = true;
    for word in whole_numbers(line) {
        let size = columns(word);
        if !is_first && used + 1 + size > width {
            text += &format!("\n{indent}{word}");
            used = indent.len() + size;
        } else {
            let space = usize::from(!is_first);
            text += &" "[..space];
            text += word;
            used += space + size;
        }
        is_first = false;
    }
    text
}

/// The words of a line; those of a number are one: `84 260`, `30 k`, `5 %`, `1.0 s`, `× 2`, `p < 0.1`, `mutation.rate 0.1`.
fn whole_numbers(line: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    let mut start = 0;
    let line = line.trim_ascii();
    for (place, _) in line.match_indices(' ') {
        let next = line[place + 1..].split([' ', ',', '.', ';', ')', ':']).next().unwrap_or_default();
        let last = line[start..place].chars().last();
        let begins_number = next.parse::<u16>().is_ok();
        let is_unit = matches!(next, "%" | "k" | "M" | "G" | "s") || begins_number && next.len() == 3;
        let is_number = last.is_some_and(|last| last.is_ascii_digit()) && is_unit;
        let is_value = begins_number && is_dotted_key(&line[start..place]);
        let is_related = matches!(last, Some('×' | '=' | '<' | '≤' | '≥')) || matches!(next, "=" | "<");
        if !is_number && !is_value && !is_related {
            words.extend(Some(&line[start..place]).filter(|word| !word.is_empty()));
            start = place + 1;
        }
    }
    words.push(&line[start..]);
    words
}

/// Whether a word is a key such as `mutation.rate`.
fn is_dotted_key(word: &str) -> bool {
    let is_part = |part: &str| part.starts_with(|first: char| first.is_ascii_alphabetic());
    word.contains('.') && word.split('.').all(is_part)
}

/// The width of a text on a terminal, in columns; escape sequences of colours have none.
pub fn columns(text: &str) -> usize {
    let mut within_escape = false;
    let mut columns = 0;
    for character in text.chars() {
        match (within_escape, character) {
            (false, '\u{1b}') => within_escape = true,
            (true, 'm') => within_escape = false,
            (true, _) => {}
            (false, _) => columns += character.width().unwrap_or(0),
        }
    }
    columns
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
    fn two_are_both_and_one_is_the_only_one() {
        let shown = [1, 2, 3].map(|count| all_of(count, "setting"));
        assert_eq!(shown, ["The only setting", "Both settings", "All 3 settings"]);
    }

    #[test]
    fn three_digits_are_significant() {
        let shown = [0.0, 1.5, 12.34, 999.4, 999.6, 12_340.0, 1_050_000.0, 2.5e9].map(rounded);
        assert_eq!([0.0026, 0.0172, -0.000_123_4].map(rounded), ["0.00260", "0.0172", "-0.000123"]);
        assert_eq!(shown, ["0.00", "1.50", "12.3", "999", "1.00 k", "12.3 k", "1.05 M", "2.50 G"]);
    }

    #[test]
    fn ties_are_rounded_away_from_zero_whatever_their_binary() {
        let shares = [0.725, 23.0 / 40.0, 29.0 / 40.0, 0.145, 0.005, 0.995];
        assert_eq!(shares.map(bare_percent), ["73", "58", "73", "15", "1", "> 99"]);
        let decimals = [0.25, 0.35, -0.25, -0.04, 1e300].map(|number| decimal(number, 1).len());
        assert_eq!(
            [0.25, 0.35, -0.25, -0.04].map(|number| decimal(number, 1)),
            ["0.3", "0.4", "-0.3", "0.0"]
        );
        assert_eq!(decimals[4], 303, "a number without decimals stays");
        assert_eq!(decimal(f64::NAN, 1), "NaN");
    }

    #[test]
    fn a_share_has_one_text_with_its_sign_and_without() {
        for share in [0.0, 1e-12, 0.001, 0.004, 0.005, 0.5, 0.725, 0.994, 0.996, 0.9999, 1.0 - 1e-12, 1.0] {
            assert_eq!(percent(share), format!("{} %", bare_percent(share)));
        }
        let share = Estimate { value: 0.004, interval: Interval { low: 0.001, high: 0.996 } };
        assert_eq!(percent_with_interval(&share), "< 1 (0 to 100)");
        assert_eq!([1e-12, 0.001, 0.999, 1.0 - 1e-12].map(percent), ["0 %", "< 1 %", "> 99 %", "100 %"]);
    }

    #[test]
    fn never_is_said_once() {
        let of =
            |value, low, high| with_interval(&Estimate { value, interval: Interval { low, high } }, &calls);
        let never = f64::INFINITY;
        assert_eq!(of(never, never, never), "never");
        assert_eq!(of(never, 420.0, never), "never (420 to never)");
        assert_eq!(of(12.0, 3.5, 12_345.0), "12 (3.50 to 12.3 k)");
    }

    #[test]
    fn a_number_stays_whole_where_a_line_ends() {
        assert_eq!(wrap("it costs 84 260 calls, × 2.5 more", 14), "it costs\n84 260 calls,\n× 2.5 more");
        assert_eq!(wrap("with rate = 0.1, 5 %.", 10), "with\nrate = 0.1,\n5 %.");
        assert_eq!(wrap("of 30 runs 200 solved", 9), "of 30\nruns 200\nsolved");
        assert_eq!(wrap("shown (p < 0.001) in 1.0 s", 12), "shown\n(p < 0.001)\nin 1.0 s");
        assert_eq!(wrap("on mutation.rate 0.08: yes", 16), "on\nmutation.rate 0.08:\nyes");
        assert_eq!(wrap("of runs. 5 more", 9), "of runs.\n5 more");
    }

    #[test]
    fn lines_end_between_words_and_continue_with_their_indent() {
        assert_eq!(wrap("a bc def", 4), "a bc\ndef");
        assert_eq!(wrap("  one two three\nfour", 9), "  one two\n  three\nfour");
        assert_eq!(wrap("short  as it is\n", 80), "short  as it is\n");
    }

    #[test]
    fn a_word_is_never_broken() {
        assert_eq!(wrap("in /a/long/path now", 6), "in\n/a/long/path\nnow");
    }

    #[test]
    fn colours_take_no_columns_and_wide_characters_two() {
        assert_eq!(columns("\u{1b}[1mab\u{1b}[0m"), 2);
        assert_eq!(columns("賢"), 2);
    }
}
