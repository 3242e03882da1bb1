//! Parameters and members: what a key takes, its default, and the families whose members have parameters of their own.
//!
//! These stand in one file because each is made of the others: a parameter may take a member, and a member has parameters.

use std::ops::RangeInclusive;

use super::{Place, Reading, Spec, SpecError};

/// A parameter of a family's member, or a key of a configuration's section.
#[derive(Clone, Copy)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParamKind,
    /// What stands in when the key is absent.
    pub default: DefaultValue,
    /// Encodings, by name, on which another word stands in.
    pub on_encodings: &'static [(&'static str, &'static str)],
    /// What it means, with its unit.
    pub about: &'static str,
}

/// What a parameter takes.
#[derive(Clone, Copy)]
pub enum ParamKind {
    /// A whole number from the first bound to the second.
    Integer(i64, i64),
    /// A real number from the first bound to the second.
    Real(f64, f64),
    /// A real number from the first bound to the second, or a schedule of them.
    Scheduled(f64, f64, &'static dyn Catalog),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words, or a whole number from the first bound to the second.
    ChoiceOrInteger(&'static [&'static str], i64, i64),
    /// `true` or `false`.
    Flag,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A list of some of these words, each once.
    Choices(&'static [&'static str]),
    /// A list of values of any kind.
    List,
    /// A member of a family: its name, or a table with its name.
    Member(&'static dyn Catalog),
    /// A list of one or more members of a family, each as above.
    Members(&'static dyn Catalog),
    /// A table of further parameters.
    Section(&'static [Param]),
    /// A table of any keys.
    Table,
}

/// What stands in for an absent key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// Nothing: the key must be there.
    Required,
    /// Nothing: the key stays absent.
    Absent,
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A word, or the name of a member.
    Text(&'static str),
    /// The first of these members that works on the encoding, which is resolved before.
    Fitting(&'static [&'static str]),
    /// A flag.
    Flag(bool),
    /// A list of words, or of the names of members.
    Texts(&'static [&'static str]),
    /// An empty table, whose own defaults then apply.
    Section,
}

/// A member of a family, as its table describes it.
#[derive(Clone, Copy)]
pub struct Member {
    /// The name in configurations.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Where it was described: authors, year, DOI.
    pub source: &'static str,
    /// The encodings it works on; empty for all. Of an encoding: others, whose operators work on it too.
    pub encodings: &'static [&'static str],
    /// Its parameters.
    pub params: &'static [Param],
}

/// A family without the type of its members, for lists, checks and errors.
pub trait Catalog: Sync {
    /// The family's name, singular.
    fn family(&self) -> &'static str;

    /// What its members are for.
    fn about(&self) -> &'static str;

    /// Its members, in the order of the table.
    fn members(&self) -> Vec<&'static Member>;

    /// Finds the member that a spec names, checks the spec against its parameters and fills the defaults in.
    ///
    /// # Errors
    /// A missing or unknown name, or a bad parameter. A missing name is reported at `key_place`, the place of the
    /// spec's key.
    fn resolve(&self, spec: &Spec, key_place: Place) -> Result<Spec, SpecError>;

    /// The member of this name.
    fn member(&self, name: &str) -> Option<&'static Member> {
        self.members().into_iter().find(|member| member.name == name)
    }

    /// Refuses a member that does not work on an encoding, and one that lists such a member or has one of its own family.
    ///
    /// # Errors
    /// [`SpecError::Encoding`], naming the members that work on it.
    fn fits(&self, spec: &Spec, encoding: &Member) -> Result<(), SpecError>;
}

impl Member {
    /// A member without parameters that works on every encoding.
    pub const fn new(name: &'static str) -> Self {
        Self { name, about: "", source: "", encodings: &[], params: &[] }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Where it was described: authors, year, DOI.
    #[must_use]
    pub const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    /// The encodings it works on. Of an encoding: others, whose operators work on it too.
    #[must_use]
    pub const fn encodings(self, encodings: &'static [&'static str]) -> Self {
        Self { encodings, ..self }
    }

    /// Its parameters.
    #[must_use]
    pub const fn params(self, params: &'static [Param]) -> Self {
        Self { params, ..self }
    }

    /// Says whether it works on an encoding.
    pub fn works_on(&self, encoding: &Self) -> bool {
        self.encodings.is_empty()
            || self.encodings.contains(&encoding.name)
            || encoding.encodings.iter().any(|other| self.encodings.contains(other))
    }
}

impl Param {
    /// A parameter of any kind with any default.
    pub const fn new(name: &'static str, kind: ParamKind, default: DefaultValue) -> Self {
        Self { name, kind, default, on_encodings: &[], about: "" }
    }

    /// On some encodings another word stands in: `&[("permutation", "order")]`.
    #[must_use]
    pub const fn on_encodings(self, on_encodings: &'static [(&'static str, &'static str)]) -> Self {
        Self { on_encodings, ..self }
    }

    /// What the parameter means, with its unit.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// A parameter that must be given.
    pub const fn required(name: &'static str, kind: ParamKind) -> Self {
        Self::new(name, kind, DefaultValue::Required)
    }

    /// A parameter that may be absent.
    pub const fn optional(name: &'static str, kind: ParamKind) -> Self {
        Self::new(name, kind, DefaultValue::Absent)
    }

    /// A whole number within a range.
    pub const fn integer(name: &'static str, range: RangeInclusive<i64>, default: i64) -> Self {
        Self::new(name, ParamKind::Integer(*range.start(), *range.end()), DefaultValue::Integer(default))
    }

    /// A whole number from 1 to a million.
    pub const fn count(name: &'static str, default: i64) -> Self {
        Self::integer(name, 1..=1_000_000, default)
    }

    /// A real number within a range.
    pub const fn real(name: &'static str, range: RangeInclusive<f64>, default: f64) -> Self {
        Self::new(name, ParamKind::Real(*range.start(), *range.end()), DefaultValue::Real(default))
    }

    /// A probability or a share: a real number from 0 to 1.
    pub const fn probability(name: &'static str, default: f64) -> Self {
        Self::real(name, 0.0..=1.0, default)
    }

    /// One of some words.
    pub const fn choice(name: &'static str, words: &'static [&'static str], default: &'static str) -> Self {
        Self::new(name, ParamKind::Choice(words), DefaultValue::Text(default))
    }

    /// `true` or `false`.
    pub const fn flag(name: &'static str, default: bool) -> Self {
        Self::new(name, ParamKind::Flag, DefaultValue::Flag(default))
    }

    /// A member of a family.
    pub const fn member(name: &'static str, family: &'static dyn Catalog, default: &'static str) -> Self {
        Self::new(name, ParamKind::Member(family), DefaultValue::Text(default))
    }

    /// A member of a family; the default is the first of `defaults` that works on the encoding.
    pub const fn fitting(
        name: &'static str,
        family: &'static dyn Catalog,
        defaults: &'static [&'static str],
    ) -> Self {
        Self::new(name, ParamKind::Member(family), DefaultValue::Fitting(defaults))
    }

    /// A table of further parameters; absent, it is an empty one.
    pub const fn section(name: &'static str, params: &'static [Self]) -> Self {
        Self::new(name, ParamKind::Section(params), DefaultValue::Section)
    }

    /// Two lists of parameters, one after the other; `N` is the length of both.
    pub const fn join<const N: usize>(first: &[Self], rest: &[Self]) -> [Self; N] {
        assert!(N == first.len() + rest.len());
        let mut all = [first[0]; N];
        // A constant function has no iterators.
        let mut index = 1;
        while index < N {
            all[index] = if index < first.len() { first[index] } else { rest[index - first.len()] };
            index += 1;
        }
        all
    }

    /// What the parameter takes, in words: `a whole number from 1 to 9`.
    pub fn expected(&self) -> String {
        self.kind.expected()
    }

    /// The default in words; empty when the key is required.
    pub fn default_in_words(&self) -> String {
        let mut words = self.usual_default_in_words();
        for (encoding, word) in self.on_encodings {
            words += &format!("; on {encoding} {word}");
        }
        words
    }

    /// The default where no encoding has another.
    fn usual_default_in_words(&self) -> String {
        match self.default {
            DefaultValue::Required => "required".to_owned(),
            DefaultValue::Absent => "none".to_owned(),
            DefaultValue::Integer(number) => number.to_string(),
            DefaultValue::Real(number) => number.to_string(),
            DefaultValue::Text(text) => text.to_owned(),
            DefaultValue::Flag(flag) => flag.to_string(),
            DefaultValue::Fitting(names) => names.join(" or "),
            DefaultValue::Texts(texts) => texts.join(", "),
            DefaultValue::Section => String::new(),
        }
    }
}

impl ParamKind {
    /// What it takes, in words.
    pub(super) fn expected(&self) -> String {
        match *self {
            Self::Integer(low, high) => whole_numbers(low, high),
            // Bounds that no value reaches are not shown.
            Self::Real(f64::MIN, f64::MAX) => "a number".to_owned(),
            Self::Real(f64::MIN_POSITIVE, f64::INFINITY) => "a number above 0".to_owned(),
            Self::Real(low, f64::INFINITY) => format!("a number of at least {low}"),
            Self::Real(low, high) => format!("a number from {low} to {high}"),
            Self::Scheduled(low, high, family) => {
                format!("a number from {low} to {high}, or a {} of them", family.family())
            }
            Self::Choice(words) => words.join(" | "),
            Self::ChoiceOrInteger(words, low, high) => {
                format!("{} or {}", words.join(" | "), whole_numbers(low, high))
            }
            Self::Flag => "true or false".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Texts => "a list of texts".to_owned(),
            Self::Choices(words) => format!("a list of some of {}, each once", words.join(" | ")),
            Self::List => "a list of values".to_owned(),
            Self::Member(family) => {
                format!("a name from `kenga list {}`, or a table with one", family.family())
            }
            Self::Members(family) => {
                format!("a list of names from `kenga list {}`, or of tables with one", family.family())
            }
            Self::Section(_) | Self::Table => "a table".to_owned(),
        }
    }
}

impl Reading {
    /// Says whether a key of this kind can be read so.
    pub fn suits(self, kind: &ParamKind) -> bool {
        match self {
            Self::Value => true,
            Self::Integer => matches!(kind, ParamKind::Integer(..) | ParamKind::ChoiceOrInteger(..)),
            Self::Count => matches!(kind, ParamKind::Integer(0.., _)),
            Self::Real => matches!(kind, ParamKind::Real(..) | ParamKind::Scheduled(..)),
            Self::Text => matches!(kind, ParamKind::Text | ParamKind::Choice(_)),
            Self::Flag => matches!(kind, ParamKind::Flag),
            Self::List => matches!(
                kind,
                ParamKind::Texts | ParamKind::Choices(_) | ParamKind::List | ParamKind::Members(_)
            ),
            Self::Spec => matches!(kind, ParamKind::Member(_) | ParamKind::Section(_) | ParamKind::Table),
        }
    }
}

fn whole_numbers(low: i64, high: i64) -> String {
    if high == i64::MAX {
        return format!("a whole number from {low} up");
    }
    format!("a whole number from {low} to {high}")
}
