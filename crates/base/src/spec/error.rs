//! Errors of specifications.

use thiserror::Error;

use super::Place;
use crate::text::meant;

/// A key, name or value that cannot be used, and its [`place`](Self::place). Members of one's own make a
/// [`Conflict`](Self::Conflict); the other variants are kenga's own and may change.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpecError {
    /// A key that the table does not take.
    #[doc(hidden)]
    #[error("unknown key `{key}` in {owner}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The table it stands in, in words.
        owner: String,
        /// The keys that would be read, nearest first.
        known: Vec<String>,
        /// Where the key stands.
        place: Place,
    },
    /// A name that a family does not have.
    #[doc(hidden)]
    #[error("there is no {family} named `{name}`")]
    UnknownName {
        /// The family.
        family: String,
        /// The name.
        name: String,
        /// The family's names, nearest first.
        known: Vec<String>,
        /// Where the name stands.
        place: Place,
    },
    /// A required key is missing.
    #[doc(hidden)]
    #[error("the key `{key}` is missing in {owner}")]
    Missing {
        /// The key.
        key: String,
        /// The table it should stand in, in words.
        owner: String,
        /// What it takes, in words.
        expected: String,
        /// Where the table stands.
        place: Place,
    },
    /// A value of another kind, or outside its range.
    #[doc(hidden)]
    #[error("`{key}` takes {expected}, not {found}")]
    Value {
        /// The key.
        key: String,
        /// What it takes, in words.
        expected: String,
        /// What stands there.
        found: String,
        /// Where the value stands.
        place: Place,
    },
    /// A member of a family that cannot work on the chosen encoding.
    #[doc(hidden)]
    #[error("{family} `{name}` does not work on the encoding `{encoding}`")]
    Encoding {
        /// The family.
        family: &'static str,
        /// The member.
        name: String,
        /// The encoding.
        encoding: String,
        /// The members of the family that do, in words.
        fitting: String,
        /// Where the name stands.
        place: Place,
    },
    /// Valid values that do not go together.
    #[error("{message}")]
    Conflict {
        /// What does not fit what.
        message: String,
        /// What to do.
        help: String,
        /// Where the later of the two stands.
        place: Place,
    },
}

impl SpecError {
    /// Where the error stands.
    pub fn place(&self) -> Place {
        match self {
            Self::UnknownKey { place, .. }
            | Self::UnknownName { place, .. }
            | Self::Missing { place, .. }
            | Self::Value { place, .. }
            | Self::Encoding { place, .. }
            | Self::Conflict { place, .. } => *place,
        }
    }

    /// A few words for under the caret.
    pub fn label(&self) -> String {
        match self {
            Self::UnknownKey { .. } => "not a key here".to_owned(),
            Self::UnknownName { .. } => "not a known name".to_owned(),
            Self::Value { .. } => "this value".to_owned(),
            Self::Encoding { .. } => "does not fit the encoding".to_owned(),
            Self::Missing { .. } | Self::Conflict { .. } => "here".to_owned(),
        }
    }

    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::UnknownKey { known, .. } if known.is_empty() => "it takes no keys".to_owned(),
            Self::UnknownKey { key, known, .. } => {
                let all = format!("known: {}", known.join(", "));
                with_meant(key, known, &all)
            }
            Self::UnknownName { name, known, .. } => {
                let all = format!("known, nearest first: {}", known.join(", "));
                with_meant(name, known, &all)
            }
            Self::Missing { key, expected, .. } => format!("add `{key} = …`, {expected}"),
            Self::Value { key, expected, .. } => format!("set `{key}` to {expected}"),
            Self::Encoding { fitting, .. } => format!("choose one of {fitting}"),
            Self::Conflict { help, .. } => help.clone(),
        }
    }
}

/// What is known, after the name that is meant where one is near.
fn with_meant(typed: &str, known: &[String], all: &str) -> String {
    match meant(typed, known.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `{name}`? {}{}", all[..1].to_uppercase(), &all[1..]),
        None => all.to_owned(),
    }
}
