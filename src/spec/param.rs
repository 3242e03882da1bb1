//! Parameters: what a key takes, and the check of it.

use super::{Catalog, Named, Place, Spec, SpecError, Value, nearest};

/// A parameter of a family's member, or a key of a configuration's section.
#[derive(Clone, Copy)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What stands in when the key is absent.
    pub default: Preset,
    /// What it means, with its unit.
    pub about: &'static str,
}

/// What a parameter takes.
#[derive(Clone, Copy)]
pub enum Kind {
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
}

/// What stands in for an absent key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preset {
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
    /// A flag.
    Flag(bool),
    /// A list of words, or of the names of members.
    Texts(&'static [&'static str]),
    /// An empty table, whose own defaults then apply.
    Section,
}

impl Param {
    /// What the parameter takes, in words: `a whole number from 1 to 9`.
    pub fn expected(&self) -> String {
        self.kind.expected()
    }

    /// The default in words; empty when the key is required.
    pub fn default_in_words(&self) -> String {
        match self.default {
            Preset::Required => "required".to_owned(),
            Preset::Absent => "none".to_owned(),
            Preset::Integer(number) => number.to_string(),
            Preset::Real(number) => number.to_string(),
            Preset::Text(text) => text.to_owned(),
            Preset::Flag(flag) => flag.to_string(),
            Preset::Texts(texts) => texts.join(", "),
            Preset::Section => String::new(),
        }
    }
}

impl Kind {
    fn expected(&self) -> String {
        let bound = |high: i64| if high == i64::MAX { "up".to_owned() } else { format!("to {high}") };
        match *self {
            Self::Integer(low, high) => format!("a whole number from {low} {}", bound(high)),
            Self::Real(f64::MIN, f64::MAX) => "a number".to_owned(),
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
                let article = if family.family().starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
                format!("the name of {article} {}, or a table with one", family.family())
            }
            Self::Members(family) => format!("a list of names of {}, or of tables with one", family.family()),
            Self::Section(_) => "a table".to_owned(),
        }
    }

    /// Checks a value and resolves the specs in it.
    fn accept(&self, named: &Named) -> Result<Value, SpecError> {
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
            (Self::Flag, Value::Flag(_)) | (Self::Text, Value::Text(_)) => true,
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
                let schedule = family.resolve(spec, named)?;
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

/// A real that is a whole number, with every smaller one exact.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0
}

/// Some of the words were asked for, each once.
fn some_of(words: &[&str], asked: &[Value], named: &Named) -> Result<bool, SpecError> {
    for (index, word) in asked.iter().enumerate() {
        let Value::Text(text) = word else { return Ok(false) };
        if !words.contains(&text.as_str()) {
            let known = nearest(text, words.iter().copied());
            let family = named.key.strip_suffix('s').unwrap_or(&named.key).to_owned();
            return Err(SpecError::UnknownName { family, name: text.clone(), known, place: named.place });
        }
        if asked[..index].contains(word) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Resolves a name, or a table with one, to the member that it names.
fn member_of(family: &'static dyn Catalog, named: &Named) -> Result<Value, SpecError> {
    match &named.value {
        Value::Spec(spec) => family.resolve(spec, named).map(Value::Spec),
        Value::Text(name) => {
            let spec = Spec { name: name.clone(), place: named.place, values: Vec::new() };
            family.resolve(&spec, named).map(Value::Spec)
        }
        _ => Err(Kind::Member(family).refusal(named)),
    }
}

/// Resolves a table that is no member of a family: it has no name.
///
/// # Errors
/// A name, or what [`resolve`] refuses.
pub fn resolve_section(spec: &Spec, owner: &str, params: &[Param]) -> Result<Spec, SpecError> {
    if spec.name.is_empty() {
        return resolve(spec, owner, params);
    }
    let known = nearest("name", params.iter().map(|param| param.name));
    Err(SpecError::UnknownKey { key: "name".to_owned(), owner: owner.to_owned(), known, place: spec.place })
}

/// Checks that a schedule starts and ends within a range; in between it stays between its ends.
fn check_ends(schedule: &Spec, range: Kind) -> Result<(), SpecError> {
    let mut ends = ["from", "to"].into_iter().filter_map(|end| schedule.entry(end));
    ends.try_for_each(|end| range.accept(end).map(drop))
}

/// Checks a spec against its parameters and fills the defaults in, in the order of the parameters.
///
/// # Errors
/// An unknown key, a missing one, or a value of the wrong kind or outside its range.
pub fn resolve(spec: &Spec, owner: &str, params: &[Param]) -> Result<Spec, SpecError> {
    let names = || params.iter().map(|param| param.name);
    if let Some(named) = spec.values.iter().find(|named| !names().any(|name| name == named.key)) {
        let (key, place) = (named.key.clone(), named.key_place);
        let inside = params.iter().filter(|param| has_inside(param, spec, &key));
        let inside = inside.map(|param| format!("{}.{key}", param.name));
        let known = inside.chain(nearest(&key, names())).collect();
        return Err(SpecError::UnknownKey { key, owner: owner.to_owned(), known, place });
    }
    let mut resolved = Spec { name: spec.name.clone(), place: spec.place, values: Vec::new() };
    for param in params {
        let named = match spec.entry(param.name) {
            Some(named) => named.clone(),
            None => match filled(param, spec.place) {
                Some(named) => named,
                None if param.default == Preset::Absent => continue,
                None => return Err(missing(param, owner, spec.place)),
            },
        };
        let named = with_default_member(param, named);
        let value = param.kind.accept(&named)?;
        resolved.values.push(Named { value, ..named });
    }
    Ok(resolved)
}

/// The table or the member that the parameter holds takes the key.
fn has_inside(param: &Param, spec: &Spec, key: &str) -> bool {
    let takes = |params: &[Param]| params.iter().any(|param| param.name == key);
    let default = match param.default {
        Preset::Text(name) => name,
        _ => "",
    };
    match param.kind {
        Kind::Section(params) => takes(params),
        Kind::Member(family) => {
            let name = match spec.entry(param.name).map(|named| &named.value) {
                Some(Value::Spec(spec)) if !spec.name.is_empty() => &spec.name,
                Some(Value::Text(name)) => name,
                _ => default,
            };
            family.members().iter().any(|member| member.name == name && takes(member.params))
        }
        _ => false,
    }
}

/// A table without a name changes the parameters of the default member.
fn with_default_member(param: &Param, mut named: Named) -> Named {
    if let (Kind::Member(_), Preset::Text(name), Value::Spec(spec)) =
        (param.kind, param.default, &mut named.value)
        && spec.name.is_empty()
    {
        spec.name = name.to_owned();
    }
    named
}

fn filled(param: &Param, place: Place) -> Option<Named> {
    let value = match param.default {
        Preset::Required | Preset::Absent => return None,
        Preset::Integer(number) => Value::Integer(number),
        Preset::Real(number) => Value::Real(number),
        Preset::Text(text) => Value::Text(text.to_owned()),
        Preset::Flag(flag) => Value::Flag(flag),
        Preset::Texts(texts) => {
            Value::List(texts.iter().map(|text| Value::Text((*text).to_owned())).collect())
        }
        Preset::Section => Value::Spec(Spec { place, ..Spec::default() }),
    };
    Some(Named { key: param.name.to_owned(), key_place: place, value, place })
}

fn missing(param: &Param, owner: &str, place: Place) -> SpecError {
    let (key, owner) = (param.name.to_owned(), owner.to_owned());
    SpecError::Missing { key, owner, expected: param.expected(), place }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Entry, Family, Member};

    const PARAMS: &[Param] = &[
        Param { name: "size", kind: Kind::Integer(1, 9), default: Preset::Integer(2), about: "" },
        Param { name: "rate", kind: Kind::Real(0.0, 1.0), default: Preset::Required, about: "" },
        Param { name: "mode", kind: Kind::Choice(&["a", "b"]), default: Preset::Absent, about: "" },
    ];

    fn spec(values: &[(&str, Value)]) -> Spec {
        let mut spec = Spec::named("test");
        for (key, value) in values {
            let (place, key) = (Place::default(), (*key).to_owned());
            spec.set(Named { key, key_place: place, value: value.clone(), place });
        }
        spec
    }

    static COLOURS: Family<u8> = Family {
        name: "colour",
        about: "",
        entries: &[&Entry {
            member: Member {
                name: "red",
                about: "",
                source: "",
                encodings: &["a"],
                params: &[Param {
                    name: "depth",
                    kind: Kind::Integer(0, 9),
                    default: Preset::Integer(3),
                    about: "",
                }],
            },
            build: |_| 0,
        }],
    };

    #[test]
    fn lists_of_members_are_resolved_one_by_one() {
        let accept = |value: Value| {
            let place = Place::default();
            let named = Named { key: "of".to_owned(), key_place: place, value, place };
            Kind::Members(&COLOURS).accept(&named).map_err(|error| error.to_string())
        };
        let (red, text) = (Spec::named("red"), |word: &str| Value::Text(word.to_owned()));
        let Ok(Value::List(members)) = accept(Value::List(vec![text("red"), Value::Spec(red)])) else {
            panic!("two members")
        };
        assert!(members.len() == 2 && members[0] == members[1]);
        assert!(matches!(&members[0], Value::Spec(red) if red.integer("depth") == 3));
        let wanted = "`of` takes a list of names of colour, or of tables with one, not an empty list";
        assert_eq!(accept(Value::List(Vec::new())), Err(wanted.to_owned()));
        assert!(accept(Value::List(vec![text("blue")])).is_err());
        let number = accept(Value::List(vec![Value::Integer(1)]));
        assert_eq!(number, Err("`of` takes the name of a colour, or a table with one, not 1".to_owned()));
    }

    fn outcome(values: &[(&str, Value)]) -> Result<Spec, String> {
        resolve(&spec(values), "test", PARAMS).map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_are_filled_in_and_absent_keys_stay_absent() {
        let resolved = outcome(&[("rate", Value::Integer(1))]).expect("a sound spec");
        assert_eq!((resolved.integer("size"), resolved.real("rate")), (2, 1.0));
        assert_eq!(resolved.get("mode"), None);
    }

    #[test]
    fn wrong_keys_kinds_and_ranges_are_named() {
        let rate = ("rate", Value::Real(0.5));
        let said = |extra| outcome(&[rate.clone(), extra]).expect_err("a bad spec");
        assert_eq!(said(("sise", Value::Integer(1))), "unknown key `sise` in test");
        assert_eq!(said(("size", Value::Integer(10))), "`size` takes a whole number from 1 to 9, not 10");
        assert_eq!(said(("mode", Value::Text("c".to_owned()))), "`mode` takes a | b, not \"c\"");
        let high = outcome(&[("rate", Value::Real(1.5))]).expect_err("a bad spec");
        assert_eq!(high, "`rate` takes a number from 0 to 1, not 1.5");
        assert_eq!(outcome(&[]).expect_err("a bad spec"), "the key `rate` is missing in test");
        let nan = outcome(&[("rate", Value::Real(f64::NAN))]).expect_err("a bad spec");
        assert_eq!(nan, "`rate` takes a number from 0 to 1, not NaN");
        let whole = outcome(&[rate.clone(), ("size", Value::Real(3.0))]);
        assert_eq!(whole.map(|spec| spec.integer("size")), Ok(3));
    }
}
