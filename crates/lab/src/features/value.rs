//! The columns of features and their values.

use std::fmt;

/// A column of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureColumn {
    /// Its name, that of no other column.
    pub name: String,
    /// What its values are.
    pub kind: FeatureKind,
    /// What it says, in words.
    pub about: String,
    /// A table of many puzzles for people has it.
    pub is_shown: bool,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// A word.
    Word,
    /// True or false.
    Flag,
    /// A whole number from 0 up.
    Count,
    /// A number from 0 to 1.
    Share,
    /// Any number.
    Real,
}

/// The value of a puzzle in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum FeatureValue {
    /// The puzzle has none, or it was not found within the limits.
    Unknown,
    /// A word.
    Word(String),
    /// True or false.
    Flag(bool),
    /// A whole number.
    Count(u64),
    /// A finite number.
    Number(f64),
}

impl FeatureColumn {
    /// A column.
    pub(super) fn new(name: impl Into<String>, kind: FeatureKind, about: impl Into<String>) -> Self {
        Self { name: name.into(), kind, about: about.into(), is_shown: false }
    }

    /// The same column, which a table of many puzzles has.
    #[must_use]
    pub(super) fn shown(self) -> Self {
        Self { is_shown: true, ..self }
    }
}

#[cfg(test)]
impl FeatureKind {
    /// The word in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Flag => "true, false",
            Self::Count => "count",
            Self::Share => "share",
            Self::Real => "number",
        }
    }

    /// Whether a known value is one of these.
    pub fn takes(self, value: &FeatureValue) -> bool {
        match (self, value) {
            (Self::Word, FeatureValue::Word(_))
            | (Self::Flag, FeatureValue::Flag(_))
            | (Self::Count, FeatureValue::Count(_)) => true,
            (Self::Share, FeatureValue::Number(number)) => (0.0..=1.0).contains(number),
            (Self::Real, FeatureValue::Number(number)) => number.is_finite(),
            _ => false,
        }
    }
}

impl FeatureValue {
    /// A finite number; what is none is unknown.
    pub(super) fn number(number: impl Into<Option<f64>>) -> Self {
        match number.into() {
            // The sum of nothing is -0.
            Some(number) if number.is_finite() => Self::Number(number + 0.0),
            _ => Self::Unknown,
        }
    }

    /// A part of a whole; unknown where there is no whole.
    pub(super) fn share(part: usize, whole: usize) -> Self {
        if whole == 0 { Self::Unknown } else { Self::number(part as f64 / whole as f64) }
    }

    /// A number of things.
    pub(super) fn count(number: usize) -> Self {
        Self::Count(number as u64)
    }
}

impl From<&FeatureValue> for serde_json::Value {
    fn from(value: &FeatureValue) -> Self {
        match value {
            FeatureValue::Unknown => Self::Null,
            FeatureValue::Word(word) => word.as_str().into(),
            FeatureValue::Flag(flag) => (*flag).into(),
            FeatureValue::Count(number) => (*number).into(),
            FeatureValue::Number(number) => (*number).into(),
        }
    }
}

impl fmt::Display for FeatureValue {
    /// Writes the value as a field of a file; what is unknown is empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => Ok(()),
            Self::Word(word) => f.write_str(word),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Count(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}
