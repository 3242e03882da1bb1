//! Reading what the user names: files or standard input, results folders, members of tables, and whole numbers, written as
//! in configurations: `250`, `100_000`, `1e5`.

use std::fmt::Display;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::exit::print_note;
use kenga_core::spec::MAX_EXACT;
use kenga_core::text::{joined, quoted_path};
use kenga_lab::study::Study;
use kenga_report::answers::{all_failed, study_of};

/// A file that cannot be read.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot read {name}")]
#[diagnostic(help("{help}"))]
struct Unreadable {
    name: String,
    help: &'static str,
    #[source]
    source: io::Error,
}

/// The bytes of a file, or of standard input for `-`, with the name that errors show.
///
/// # Errors
/// A report that names the file when it cannot be read.
pub(super) fn read_bytes(name: &str) -> Result<(String, Vec<u8>), Report> {
    if name == "-" {
        let mut bytes = Vec::new();
        let shown = "standard input".to_owned();
        return match io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok((shown, bytes)),
            Err(source) => Err(unreadable(&shown, source)),
        };
    }
    fs::read(name).map(|bytes| (name.to_owned(), bytes)).map_err(|source| unreadable(name, source))
}

fn unreadable(name: &str, source: io::Error) -> Report {
    let help = match source.kind() {
        io::ErrorKind::NotFound => "check the path; `-` reads standard input",
        io::ErrorKind::IsADirectory => "name a file, not a folder",
        _ => "check that the file can be read",
    };
    Unreadable { name: name.to_owned(), help, source }.into()
}

/// The text of a file, or of standard input for `-`, with the name that errors show.
///
/// # Errors
/// A report when it cannot be read, or is no text; `help` says what is expected.
pub(in crate::cli) fn read_text(name: &str, help: &str) -> Result<(String, String), Report> {
    let (name, bytes) = read_bytes(name)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(_) => Err(miette!(help = help, "{name} is not UTF-8 text")),
    }
}

/// The files that a configuration names, which are relative to its folder.
pub(in crate::cli) fn beside(config: &str, files: &[String]) -> Vec<String> {
    match Path::new(config).parent() {
        Some(base) if config != "-" => {
            files.iter().map(|file| base.join(file).to_string_lossy().into_owned()).collect()
        }
        _ => files.to_vec(),
    }
}

/// Reads folders whose settings have the keys, and says on standard error which hold a part of their experiment. The keys
/// come back as dotted paths: a key may be given as tables shorten it.
///
/// # Errors
/// A folder that cannot be read, or a key that no setting has.
pub(in crate::cli) fn study(dirs: &[PathBuf], keys: &[String]) -> Result<(Study, Vec<String>), Report> {
    let (study, keys) = study_of(dirs, keys)?;
    for note in study.partial() {
        print_note(&note);
    }
    Ok((study, keys))
}

/// The error of folders without a run that has ended, or whose runs all failed.
pub(in crate::cli) fn no_runs(study: &Study, dirs: &[PathBuf]) -> Report {
    if let Some(error) = all_failed(study) {
        return error;
    }
    let names = joined(dirs.iter().map(|dir| dir.display()), ", ");
    miette!(help = unfinished(study, dirs), "{names}: no run has ended")
}

/// What to do about results that are not there yet.
pub(in crate::cli) fn unfinished(study: &Study, dirs: &[PathBuf]) -> String {
    if study.folders.iter().any(|folder| folder.rows.is_damaged()) {
        return "`kenga validate` names every difference: restore the files, or repeat the runs in another folder"
            .to_owned();
    }
    let commands = joined(dirs.iter().map(|dir| format!("`{}`", resume(dir))), ", ");
    format!("finish the experiment first: {commands}")
}

/// The command that continues a folder, whoever began it.
pub(in crate::cli) fn resume(path: &Path) -> String {
    format!("kenga run --resume {}", quoted_path(path))
}

/// Reads a number of seconds.
pub(in crate::cli) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 1e9".to_owned()),
    }
}

/// Reads the members of a table by name; `words` gives the name and what it is.
pub(in crate::cli) fn one_of<T: Copy + Send + Sync + 'static>(
    table: impl IntoIterator<Item = T>,
    words: fn(T) -> [&'static str; 2],
) -> impl TypedValueParser<Value = T> {
    let table: Vec<T> = table.into_iter().collect();
    let mut values = Vec::with_capacity(table.len());
    for member in &table {
        let [name, about] = words(*member);
        values.push(PossibleValue::new(name).help(about));
    }
    PossibleValuesParser::new(values).map(move |name| {
        let member = table.iter().find(|member| words(**member)[0] == name);
        *member.expect("the name is one of them")
    })
}

/// Reads a share that is neither nothing nor all.
pub(in crate::cli) fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number between 0 and 1".to_owned()),
    }
}

/// Reads whole numbers of a range.
pub(in crate::cli) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: TryFrom<u64> + PartialOrd + Display + Copy,
{
    move |text| {
        if let Some(number) = read_whole(text).and_then(|number| T::try_from(number).ok())
            && range.contains(&number)
        {
            return Ok(number);
        }
        if is_too_large(text) {
            let (low, high) = (range.start(), range.end());
            return Err(format!("{text} is too large: expected a whole number from {low} to {high}"));
        }
        Err(expected(&range))
    }
}

/// The text is a whole number, but one beyond 64 bits.
fn is_too_large(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u64>().is_err() && !text.is_empty()
}

/// What is expected, in words.
fn expected<T: Display>(range: &RangeInclusive<T>) -> String {
    let (low, high) = (range.start(), range.end().to_string());
    if high == u64::MAX.to_string() || high == usize::MAX.to_string() {
        format!("expected a whole number from {low} up")
    } else {
        format!("expected a whole number from {low} to {high}")
    }
}

/// The number that a text is; underscores stand between digits.
pub(in crate::cli) fn read_whole(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    for (place, byte) in bytes.iter().enumerate() {
        if *byte != b'_' {
            continue;
        }
        let before = place > 0 && bytes[place - 1].is_ascii_digit();
        let after = bytes.get(place + 1).is_some_and(u8::is_ascii_digit);
        if !before || !after {
            return None;
        }
    }
    let digits = text.replace('_', "");
    if let Ok(number) = digits.parse() {
        return Some(number);
    }
    // `1e5` is a whole number too, as long as a float holds it exactly.
    let real: f64 = digits.parse().ok()?;
    (real.fract() == 0.0 && (0.0..=MAX_EXACT).contains(&real)).then_some(real as u64)
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
            assert_eq!(read_whole(text), Some(number), "{text}");
        }
        assert_eq!(read_whole("18446744073709551615"), Some(u64::MAX));
        for text in
            ["", " 1", "-1", "1.5", "1e400", "nan", "inf", "1__0", "_1", "1_", "1_e5", "0x10", "1e17", "a"]
        {
            assert_eq!(read_whole(text), None, "{text}");
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
