//! The tables of a configuration resolved against families and parameters: unknown keys are refused, values checked,
//! defaults filled in.

use strsim::damerau_levenshtein;

use super::{Catalog, DefaultValue, Member, Named, Param, ParamKind, Place, Spec, SpecError, Value};
use crate::text::nearest;

/// See [`Catalog::resolve`].
pub(super) fn resolve_member(family: &dyn Catalog, spec: &Spec, key_place: Place) -> Result<Spec, SpecError> {
    let members = family.members();
    if spec.name.is_empty() {
        let names: Vec<&str> = members.iter().map(|member| member.name).collect();
        let (key, owner) = ("name".to_owned(), format!("the table of the {}", family.family()));
        let expected = format!("one of {}", names.join(", "));
        return Err(SpecError::Missing { key, owner, expected, place: key_place });
    }
    let Some(member) = members.iter().find(|member| member.name == spec.name) else {
        let known = nearest(&spec.name, members.iter().map(|member| member.name));
        let (family, name) = (family.family().to_owned(), spec.name.clone());
        return Err(SpecError::UnknownName { family, name, known, place: spec.place });
    };
    resolve(spec, &format!("{} `{}`", family.family(), member.name), member.params)
}

/// See [`Catalog::fits`].
pub(super) fn fits(family: &dyn Catalog, spec: &Spec, encoding: &Member) -> Result<(), SpecError> {
    let works = |member: &Member| member.works_on(encoding);
    let members = family.members();
    if let Some(member) = members.iter().find(|member| member.name == spec.name && works(member)) {
        return member.params.iter().try_for_each(|param| match param.kind {
            ParamKind::Members(inner) => {
                spec.specs(param.name).try_for_each(|listed| inner.fits(listed, encoding))
            }
            ParamKind::Member(inner) if inner.family() == family.family() => match spec.get(param.name) {
                Some(Value::Spec(own)) => inner.fits(own, encoding),
                _ => Ok(()),
            },
            _ => Ok(()),
        });
    }
    let fitting: Vec<&str> = members.iter().filter(|m| works(m)).map(|member| member.name).collect();
    Err(SpecError::Encoding {
        family: family.family(),
        name: spec.name.clone(),
        encoding: encoding.name.to_owned(),
        fitting: fitting.join(", "),
        place: spec.place,
    })
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

/// Checks a spec against its parameters and fills the defaults in, in the order of the parameters.
///
/// # Errors
/// An unknown key, a missing one, or a value of the wrong kind or outside its range.
pub fn resolve(spec: &Spec, owner: &str, params: &[Param]) -> Result<Spec, SpecError> {
    let names = || params.iter().map(|param| param.name);
    if let Some(named) = spec.values.iter().find(|named| !names().any(|name| name == named.key)) {
        let (key, place) = (named.key.clone(), named.key_place);
        let inner = params.iter().flat_map(|param| inside(param, spec)).map(|param| param.name);
        let all = nearest(&key, names().chain(inner));
        let near = all.first().map_or("", String::as_str);
        let holders = params.iter().filter(|param| inside(param, spec).any(|inner| inner.name == near));
        let paths = holders.map(|param| format!("{}.{}", param.name, near));
        let is_slip = damerau_levenshtein(&key, near) <= SLIPS && !names().any(|name| name == near);
        let paths = paths.filter(|_| is_slip);
        let known = paths.chain(nearest(&key, names())).collect();
        return Err(SpecError::UnknownKey { key, owner: owner.to_owned(), known, place });
    }
    let mut resolved = Spec { name: spec.name.clone(), place: spec.place, values: Vec::new() };
    for param in params {
        let named = match spec.entry(param.name) {
            Some(named) => named.clone(),
            None => match filled(param, &resolved, params) {
                Some(named) => named,
                None if param.default == DefaultValue::Absent => continue,
                None => return Err(missing(param, owner, spec.place)),
            },
        };
        let named = with_default_member(param, &resolved, params, named);
        let value = param.kind.accept(&named)?;
        resolved.values.push(Named { value, ..named });
    }
    Ok(resolved)
}

/// Letters by which a misspelt key may differ from one of an inner table that is suggested for it.
const SLIPS: usize = 2;

/// The parameters of the section or the member that the parameter holds.
fn inside(param: &Param, spec: &Spec) -> impl Iterator<Item = &'static Param> {
    let defaults: &[&str] = match &param.default {
        DefaultValue::Text(name) => &[name],
        DefaultValue::Fitting(names) => names,
        _ => &[],
    };
    let params = match param.kind {
        ParamKind::Section(params) => params.iter().collect::<Vec<_>>(),
        ParamKind::Member(family) => {
            let is_meant = |name: &str| match spec.entry(param.name).map(|named| &named.value) {
                Some(Value::Spec(spec)) if !spec.name.is_empty() => spec.name == name,
                Some(Value::Text(text)) => text == name,
                _ => defaults.contains(&name),
            };
            let meant = family.members().into_iter().filter(|member| is_meant(member.name));
            meant.flat_map(|member| member.params).collect()
        }
        _ => Vec::new(),
    };
    params.into_iter()
}

/// Gives a table without a name that of the default member, whose parameters it changes. An empty table changes none and
/// chooses none: it stays without a name, and is refused.
fn with_default_member(param: &Param, resolved: &Spec, params: &[Param], mut named: Named) -> Named {
    if let (ParamKind::Member(_), Value::Spec(spec), Some(Value::Text(name))) =
        (param.kind, &mut named.value, default_of(param, resolved, params))
        && spec.name.is_empty()
        && !spec.values.is_empty()
    {
        spec.name = name;
    }
    named
}

fn filled(param: &Param, resolved: &Spec, params: &[Param]) -> Option<Named> {
    let place = resolved.place;
    let value = default_of(param, resolved, params)?;
    Some(Named::new(param.name, value, place))
}

/// The default of a parameter, which may depend on those resolved before it.
fn default_of(param: &Param, resolved: &Spec, params: &[Param]) -> Option<Value> {
    let text = |text: &str| Value::Text(text.to_owned());
    Some(match param.default {
        DefaultValue::Required | DefaultValue::Absent => return None,
        DefaultValue::Integer(number) => Value::Integer(number),
        DefaultValue::Real(number) => Value::Real(number),
        DefaultValue::Text(word) => text(word),
        DefaultValue::Fitting(names) => text(fitting(param.kind, names, encoding_of(resolved, params))),
        DefaultValue::Flag(flag) => Value::Flag(flag),
        DefaultValue::Texts(texts) => Value::List(texts.iter().copied().map(text).collect()),
        DefaultValue::Section => Value::Spec(Spec { place: resolved.place, ..Spec::default() }),
    })
}

/// The first member that works on the encoding; if none does, the first of all, which is refused later.
fn fitting<'a>(kind: ParamKind, names: &[&'a str], encoding: Option<&Member>) -> &'a str {
    let fits = |name: &&&str| match (kind, encoding) {
        (ParamKind::Member(family), Some(encoding)) => family.fits(&Spec::named(name), encoding).is_ok(),
        _ => true,
    };
    names.iter().find(fits).unwrap_or(&names[0])
}

/// The encoding among the parameters that are resolved.
fn encoding_of(resolved: &Spec, params: &[Param]) -> Option<&'static Member> {
    let param = params.iter().find(|param| param.name == "encoding")?;
    match (param.kind, resolved.get(param.name)?) {
        (ParamKind::Member(family), Value::Spec(encoding)) => family.member(&encoding.name),
        _ => None,
    }
}

fn missing(param: &Param, owner: &str, place: Place) -> SpecError {
    let (key, owner) = (param.name.to_owned(), owner.to_owned());
    SpecError::Missing { key, owner, expected: param.expected(), place }
}

impl ParamKind {
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
    use crate::spec::{Builder, Family};

    const PARAMS: &[Param] = &[
        Param::integer("size", 1..=9, 2),
        Param::required("rate", ParamKind::Real(0.0, 1.0)),
        Param::optional("mode", ParamKind::Choice(&["a", "b"])),
    ];

    static RED: Builder<u8> = Member::new("red").params(&[Param::integer("depth", 0..=9, 3)]).build(|_| 0);

    static COLOURS: Family<u8> = Family::new("colour", "", &[&RED]);

    fn spec(values: &[(&str, Value)]) -> Spec {
        let mut spec = Spec::named("test");
        for (key, value) in values {
            spec.set(Named::new(*key, value.clone(), Place::default()));
        }
        spec
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
    fn what_takes_no_keys_says_so() {
        let error = resolve(&spec(&[("x", Value::Integer(1))]), "test", &[]).expect_err("it has a key");
        assert_eq!(
            (error.to_string().as_str(), error.help().as_str()),
            ("unknown key `x` in test", "it takes no keys")
        );
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
