//! What may be asked of an engine, as `--option NAME=VALUE`: each value is read once, and written as the engine reads it.

use miette::{Report, miette};

use kenga_core::text::{meant, printable};

/// Something that may be asked of an engine.
pub(super) struct EngineOption {
    /// Its name, and others that are understood.
    pub(super) names: &'static [&'static str],
    about: &'static str,
    form: Form,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A word of characters that no shell and no engine reads as more than themselves.
    Word,
    /// A whole number from 1.
    Count,
    /// A length of time.
    Time,
    /// An amount of memory.
    Memory,
}

impl EngineOption {
    pub(super) const fn new(names: &'static [&'static str], about: &'static str, form: Form) -> Self {
        Self { names, about, form }
    }
}

// Those that several engines have.
pub(super) const TIME: EngineOption =
    EngineOption::new(&["time", "walltime"], "time limit of a task, such as 02:00:00 or 90m", Form::Time);
pub(super) const MEMORY: EngineOption =
    EngineOption::new(&["memory", "mem"], "memory of a task, such as 2G", Form::Memory);
pub(super) const CPUS: EngineOption = EngineOption::new(&["cpus"], "cores of a task", Form::Count);
pub(super) const THROTTLE: EngineOption =
    EngineOption::new(&["throttle"], "the most tasks that run at once", Form::Count);
pub(super) const QUEUE: EngineOption = EngineOption::new(&["queue", "partition"], "queue", Form::Word);
pub(super) const ACCOUNT: EngineOption = EngineOption::new(&["account"], "account that pays", Form::Word);
pub(super) const PROJECT: EngineOption = EngineOption::new(&["project"], "project", Form::Word);
pub(super) const QOS: EngineOption = EngineOption::new(&["qos"], "quality of service", Form::Word);
pub(super) const MODULES: EngineOption =
    EngineOption::new(&["modules"], "environment modules to load, commas between", Form::Word);
pub(super) const CONTAINER: EngineOption =
    EngineOption::new(&["container"], "image whose kenga runs, by Apptainer", Form::Word);
pub(super) const MAIL: EngineOption =
    EngineOption::new(&["mail"], "address that is told when the merge has ended", Form::Word);

/// A value that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionValue {
    Word(String),
    /// A count, seconds, or mebibytes.
    Number(u64),
}

/// What is asked of an engine.
#[derive(Debug, Default)]
pub(in crate::cli::sweep) struct EngineOptions {
    given: Vec<(&'static str, OptionValue)>,
    /// Options of the engine's own, as it reads them.
    pub(super) passed: Vec<String>,
}

impl EngineOptions {
    /// Reads what is given, `NAME=VALUE` each.
    pub(super) fn read(
        engine: &str,
        known: &'static [EngineOption],
        given: &[String],
    ) -> Result<Self, Report> {
        let mut options = Self::default();
        for text in given {
            let Some((name, value)) = text.split_once('=') else {
                let help = listing(known);
                return Err(miette!(help = help, "--option {}: expected NAME=VALUE", printable(text)));
            };
            let Some(option) = known.iter().find(|option| option.names.contains(&name)) else {
                options.passed.push(passed(engine, known, name, value)?);
                continue;
            };
            let name = option.names[0];
            if options.has(name) {
                return Err(miette!("--option {name} is given twice: give it once"));
            }
            let value = option.form.read(value).map_err(|expected| {
                miette!("--option {name}: expected {expected}, not `{}`", printable(value))
            })?;
            options.given.push((name, value));
        }
        Ok(options)
    }

    pub(in crate::cli::sweep) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    fn value(&self, name: &str) -> Option<&OptionValue> {
        self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// A word.
    pub(super) fn word(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            OptionValue::Word(word) => Some(word),
            OptionValue::Number(_) => None,
        }
    }

    /// A count, a time in seconds, or an amount of memory in mebibytes.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        match self.value(name)? {
            OptionValue::Number(number) => Some(*number),
            OptionValue::Word(_) => None,
        }
    }

    /// Cores of a task.
    pub(in crate::cli::sweep) fn cpus(&self) -> u64 {
        self.number("cpus").unwrap_or(1)
    }

    /// A time limit as `HH:MM:SS`; hours may be more than a day.
    pub(super) fn clock_time(&self) -> Option<String> {
        let seconds = self.number("time")?;
        Some(format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60))
    }
}

/// An option of the engine's own, given with its dashes or without.
fn passed(engine: &str, known: &[EngineOption], given: &str, value: &str) -> Result<String, Report> {
    let name = given.trim_start_matches('-');
    let is_plain = name == given;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let names = known.iter().flat_map(|option| option.names.iter().copied());
    // Without dashes it may be a slip of the fingers.
    if engine == "kubernetes" || !is_name || is_plain && meant(name, names).is_some() {
        return Err(unknown(engine, known, given));
    }
    Form::Word
        .read(value)
        .map_err(|expected| miette!("--option {given}: expected {expected}, not `{}`", printable(value)))?;
    let is_long = given.starts_with("--") || is_plain && matches!(engine, "slurm" | "parallel");
    Ok(if is_long { format!("--{name}={value}") } else { format!("-{name} {value}") })
}

fn unknown(engine: &str, known: &[EngineOption], name: &str) -> Report {
    let names = known.iter().flat_map(|option| option.names.iter().copied());
    let near = meant(name, names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    let own =
        if engine == "kubernetes" { "" } else { "\nits own with their dashes, such as --option=--nice=5" };
    miette!(help = near + &listing(known) + own, "{engine} has no option `{}`", printable(name))
}

/// All options of an engine, with what they are.
pub(super) fn listing(known: &[EngineOption]) -> String {
    let mut text = "options:".to_owned();
    for option in known {
        text += &format!("\n  {:<12} {}", option.names[0], option.about);
    }
    text
}

impl Form {
    /// Reads a value, or says what was expected.
    fn read(self, text: &str) -> Result<OptionValue, &'static str> {
        let (number, expected) = match self {
            Self::Word => {
                // What stands here goes into a script of a shell, and must be one word there.
                let is_sound = |c: char| c.is_ascii_alphanumeric() || "_.,:+-/@=".contains(c);
                if text.is_empty() || text.starts_with('-') || !text.chars().all(is_sound) {
                    return Err("letters, digits and any of _ . , : + - / @ =");
                }
                return Ok(OptionValue::Word(text.to_owned()));
            }
            Self::Count => (whole(text), "a whole number from 1"),
            Self::Time => (seconds(text), "a time such as 02:00:00, 1-12:00:00, 90m, 36h or 2d"),
            Self::Memory => (mebibytes(text), "an amount such as 512M, 2G or 1T"),
        };
        let number = number.filter(|number| (1..=u64::from(u32::MAX)).contains(number));
        number.map(OptionValue::Number).ok_or(expected)
    }
}

/// Digits alone: a sign is none.
fn whole(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// A time in seconds. A bare number and `10:30` are none: engines differ in what they mean.
fn seconds(text: &str) -> Option<u64> {
    for (unit, size) in [('s', 1), ('m', 60), ('h', 3600), ('d', 86400)] {
        if let Some(number) = text.strip_suffix(unit) {
            return whole(number)?.checked_mul(size);
        }
    }
    // Slurm's way: 1-12:00:00 is a day and a half.
    let (days, clock) = text.split_once('-').unwrap_or(("0", text));
    let mut parts = Vec::new();
    for part in clock.split(':') {
        parts.push(whole(part)?);
    }
    let [hours, minutes, seconds] = parts[..] else { return None };
    if minutes > 59 || seconds > 59 {
        return None;
    }
    whole(days)?.checked_mul(24)?.checked_add(hours)?.checked_mul(3600)?.checked_add(minutes * 60 + seconds)
}

/// An amount of memory in mebibytes.
fn mebibytes(text: &str) -> Option<u64> {
    for (unit, size) in [('M', 1), ('G', 1024), ('T', 1024 * 1024)] {
        if let Some(number) = text.strip_suffix(unit) {
            return whole(number)?.checked_mul(size);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_means_the_same_to_every_engine() {
        for (text, expected) in [
            ("02:00:00", Some(7200)),
            ("1-02:00:01", Some(93601)),
            ("90m", Some(5400)),
            ("2d", Some(172_800)),
            ("100:00:00", Some(360_000)),
            ("120", None),
            ("10:30", None),
            ("00:60:00", None),
            ("-1h", None),
            ("", None),
            ("h", None),
            ("99999999999999999999d", None),
            ("18446744073709551615d", None),
        ] {
            // An empty number is none.
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn memory_has_a_unit() {
        for (text, expected) in
            [("2G", Some(2048)), ("512M", Some(512)), ("2", None), ("2g", None), ("-1G", None), ("G", None)]
        {
            assert_eq!(mebibytes(text), expected, "{text}");
        }
    }
}
