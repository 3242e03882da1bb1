//! Parameters: what a key takes, its default, and the check of its value.

use std::ops::RangeInclusive;

use super::{Catalog, Named, Spec, SpecError, Value, resolve_section};
use crate::text::nearest;

/// A parameter of a family's member, or a key of a configuration's section.
#[derive(Clone, Copy)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParamKind,
    /// What stands in when the key is absent.
    pub default: DefaultValue,
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

impl Param {
    /// A parameter of any kind with any default.
    pub const fn new(name: &'static str, kind: ParamKind, default: DefaultValue) -> Self {
        Self { name, kind, default, about: "" }
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
    fn expected(&self) -> String {
        let bound = |high: i64| if high == i64::MAX { "up".to_owned() } else { format!("to {high}") };
        match *self {
            Self::Integer(low, high) => format!("a whole number from {low} {}", bound(high)),
            Self::Real(f64::MIN, f64::MAX) => "a number".to_owned(),
            Self::Real(f64::MIN_POSITIVE, f64::INFINITY) => "a number above 0".to_owned(),
            Self::Real(low, f64::INFINITY) => format!("a number of at least {low}"),
            Self::Real(low, high) => format!("a number from {low} to {high}"),
            Self::Scheduled(low, high, family) => {
                format!("a number from {low} to {high}, or a {} of them", family.family())
            }
            Self::Choice(words) => words.join(" | "),
            Self::ChoiceOrInteger(words, low, high) => {
                format!("{} or a whole number from {low} {}", words.join(" | "), bound(high))
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

    /// Checks a value and resolves the specs in it.
    pub(super) fn accept(&self, named: &Named) -> Result<Value, SpecError> {
        let number_in = |low: f64, high: f64| match named.value {
            Value::Integer(number) => (low..=high).contains(&(number as f64)),
            Value::Real(number) => number.is_finite() && (low..=high).contains(&number),
            _ => false,
        };
        let word_in =
            |words: &[&str]| matches!(&named.value, Value::Text(text) if words.contains(&text.as_str()));
        let fits = match (*self, &named.value) {
            (Self::Integer(low, high) | Self::ChoiceOrInteger(_, low, high), Value::Integer(number)) => {
                (low..=high).contains(number)
            }
            // `1e5` is how people write a large whole number.
            (Self::Integer(low, high) | Self::ChoiceOrInteger(_, low, high), Value::Real(number))
                if is_whole(*number) && (low..=high).contains(&(*number as i64)) =>
            {
                return Ok(Value::Integer(*number as i64));
            }
            (Self::Real(low, high) | Self::Scheduled(low, high, _), Value::Integer(_) | Value::Real(_)) => {
                number_in(low, high)
            }
            (Self::Choice(words) | Self::ChoiceOrInteger(words, ..), Value::Text(_)) => word_in(words),
            (Self::Flag, Value::Flag(_)) | (Self::Text, Value::Text(_)) | (Self::Table, Value::Spec(_)) => {
                true
            }
            (Self::Choices(words), Value::List(asked)) => some_of(words, asked, named)?,
            (Self::List, Value::List(values)) => !values.is_empty(),
            (Self::Texts, Value::List(texts)) => texts.iter().all(|text| matches!(text, Value::Text(_))),
            (Self::Member(family), Value::Spec(_) | Value::Text(_)) => return member_of(family, named),
            (Self::Members(family), Value::List(values)) if !values.is_empty() => {
                let members = values
                    .iter()
                    .map(|value| member_of(family, &Named { value: value.clone(), ..named.clone() }));
                return members.collect::<Result<_, _>>().map(Value::List);
            }
            (Self::Scheduled(low, high, family), Value::Spec(spec)) => {
                let schedule = family.resolve(spec, named.key_place)?;
                check_ends(&schedule, Self::Real(low, high))?;
                return Ok(Value::Spec(schedule));
            }
            (Self::Section(params), Value::Spec(spec)) => {
                return resolve_section(spec, &format!("[{}]", named.key), params).map(Value::Spec);
            }
            _ => false,
        };
        if fits { Ok(named.value.clone()) } else { Err(self.refusal(named)) }
    }

    fn refusal(&self, named: &Named) -> SpecError {
        let found = match &named.value {
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => format!("\"{text}\""),
            Value::Flag(flag) => flag.to_string(),
            Value::List(values) if values.is_empty() => "an empty list".to_owned(),
            other => other.kind().to_owned(),
        };
        SpecError::Value { key: named.key.clone(), expected: self.expected(), found, place: named.place }
    }
}

/// Reals represent every whole number up to here: 2^53.
pub const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// A real that is a whole number and not too large to be exact.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= MAX_EXACT
}

/// The list has known words only, each once.
fn some_of(words: &[&str], asked: &[Value], named: &Named) -> Result<bool, SpecError> {
    for (index, word) in asked.iter().enumerate() {
        let Value::Text(text) = word else { return Ok(false) };
        if !words.contains(&text.as_str()) {
            let known = nearest(text, words.iter().copied());
            let family = named.key.strip_suffix('s').unwrap_or(&named.key).to_owned();
            return Err(SpecError::UnknownName { family, name: text.clone(), known, place: named.place });
        }
        if asked[..index].contains(word) {
            let key = &named.key;
            return Err(SpecError::Conflict {
                message: format!("`{key}` names `{text}` twice"),
                help: "name each once".to_owned(),
                place: named.place,
            });
        }
    }
    Ok(true)
}

/// Resolves a name, or a table with one, to the member that it names.
fn member_of(family: &'static dyn Catalog, named: &Named) -> Result<Value, SpecError> {
    match &named.value {
        Value::Spec(spec) => family.resolve(spec, named.key_place).map(Value::Spec),
        Value::Text(name) => {
            let spec = Spec { name: name.clone(), place: named.place, values: Vec::new() };
            family.resolve(&spec, named.key_place).map(Value::Spec)
        }
        _ => Err(ParamKind::Member(family).refusal(named)),
    }
}

/// Checks that a schedule starts and ends within a range, which it then never leaves.
fn check_ends(schedule: &Spec, range: ParamKind) -> Result<(), SpecError> {
    let mut ends = ["from", "to"].into_iter().filter_map(|end| schedule.entry(end));
    ends.try_for_each(|end| range.accept(end).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Builder, Family, Member, Place};

    static RED: Builder<u8> = Member::new("red").params(&[Param::integer("depth", 0..=9, 3)]).build(|_| 0);

    static COLOURS: Family<u8> = Family::new("colour", "", &[&RED]);

    #[test]
    fn lists_of_members_are_resolved_one_by_one() {
        let accept = |value: Value| {
            let named = Named::new("of", value, Place::default());
            ParamKind::Members(&COLOURS).accept(&named).map_err(|error| error.to_string())
        };
        let (red, text) = (Spec::named("red"), |word: &str| Value::Text(word.to_owned()));
        let Ok(Value::List(members)) = accept(Value::List(vec![text("red"), Value::Spec(red)])) else {
            panic!("two members")
        };
        assert!(members.len() == 2 && members[0] == members[1]);
        assert!(matches!(&members[0], Value::Spec(red) if red.integer("depth") == 3));
        let wanted =
            "`of` takes a list of names from `kenga list colour`, or of tables with one, not an empty list";
        assert_eq!(accept(Value::List(Vec::new())), Err(wanted.to_owned()));
        assert!(accept(Value::List(vec![text("blue")])).is_err());
        let number = accept(Value::List(vec![Value::Integer(1)]));
        assert_eq!(
            number,
            Err("`of` takes a name from `kenga list colour`, or a table with one, not 1".to_owned())
        );
    }
}
