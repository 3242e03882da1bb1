//! The tables of a configuration resolved against families and parameters: unknown keys are refused, values checked,
//! defaults filled in.

use strsim::damerau_levenshtein;

use super::defaults::{default_of, encoding_of, suit};
use super::{Catalog, DefaultValue, Member, Named, Param, ParamKind, Place, Spec, SpecError, Value};
use crate::text::{joined, nearest};

/// See [`Catalog::resolve`].
pub(super) fn resolve_member(family: &dyn Catalog, spec: &Spec, key_place: Place) -> Result<Spec, SpecError> {
    let members = family.members();
    if spec.name.is_empty() {
        let names = joined(members.iter().map(|member| member.name), ", ");
        let (key, owner) = ("name".to_owned(), format!("the table of the {}", family.family()));
        let expected = format!("one of {names}");
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
    let mut fitting = Vec::new();
    for member in family.members() {
        if !member.works_on(encoding) {
            continue;
        }
        if member.name == spec.name {
            return parts_fit(family, member, spec, encoding);
        }
        fitting.push(member.name);
    }
    Err(SpecError::Encoding {
        family: family.family(),
        name: spec.name.clone(),
        encoding: encoding.name.to_owned(),
        fitting: fitting.join(", "),
        place: spec.place,
    })
}

/// Checks the members that a member lists, and one of its own family in it.
fn parts_fit(family: &dyn Catalog, member: &Member, spec: &Spec, encoding: &Member) -> Result<(), SpecError> {
    for param in member.params {
        match (param.kind, spec.get(param.name)) {
            (ParamKind::Members(inner), _) => {
                for listed in spec.specs(param.name) {
                    inner.fits(listed, encoding)?;
                }
            }
            // An algorithm inside another works on the genomes of that one.
            (ParamKind::Member(inner), Some(Value::Spec(own))) if inner.family() == family.family() => {
                inner.fits(own, encoding)?;
            }
            _ => {}
        }
    }
    Ok(())
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
    let names: Vec<&str> = params.iter().map(|param| param.name).collect();
    for named in &spec.values {
        if !names.contains(&named.key.as_str()) {
            let (key, place) = (named.key.clone(), named.key_place);
            let known = meant_keys(&key, spec, params, &names);
            return Err(SpecError::UnknownKey { key, owner: owner.to_owned(), known, place });
        }
    }
    // In the order of the parameters: a default may depend on those before it, as on the encoding.
    let values = Vec::with_capacity(params.len());
    let mut resolved = Spec { name: spec.name.clone(), place: spec.place, values };
    for param in params {
        let default = default_of(param, &resolved, params);
        let mut named = match (spec.entry(param.name), &default) {
            (Some(named), _) => named.clone(),
            (None, Some(value)) => Named::new(param.name, value.clone(), resolved.place),
            (None, None) if param.default == DefaultValue::Absent => continue,
            (None, None) => {
                let (key, owner, expected) = (param.name.to_owned(), owner.to_owned(), param.expected());
                return Err(SpecError::Missing { key, owner, expected, place: spec.place });
            }
        };
        // `mutation = { rate = 0.1 }` changes the default mutation.
        name_default_member(param, default, &mut named);
        if let Some(encoding) = encoding_of(&resolved, params) {
            suit(param.kind, &mut named, encoding);
        }
        let value = param.kind.accept(&named)?;
        resolved.set(Named { value, ..named });
    }
    Ok(resolved)
}

/// The keys that an unknown one may mean: those of inner tables by their paths, then those of the table itself.
fn meant_keys(key: &str, spec: &Spec, params: &[Param], names: &[&str]) -> Vec<String> {
    let mut all = names.to_vec();
    for param in params {
        all.extend(inside(param, spec).iter().map(|inner| inner.name));
    }
    // The key may be meant for an inner table: `rate` of a mutation written beside it.
    let all = nearest(key, all);
    let near = all.first().map_or("", String::as_str);
    let mut known = Vec::new();
    if damerau_levenshtein(key, near) <= SLIPS && !names.contains(&near) {
        for param in params {
            if inside(param, spec).iter().any(|inner| inner.name == near) {
                known.push(format!("{}.{}", param.name, near));
            }
        }
    }
    known.extend(nearest(key, names.iter().copied()));
    known
}

/// Letters by which a misspelt key may differ from one of an inner table that is suggested for it.
const SLIPS: usize = 2;

/// The parameters of the section or the member that the parameter holds.
fn inside(param: &Param, spec: &Spec) -> Vec<&'static Param> {
    let family = match param.kind {
        ParamKind::Section(params) => return params.iter().collect(),
        ParamKind::Member(family) => family,
        _ => return Vec::new(),
    };
    // Where nothing is chosen, the key is meant for what stands in: of several defaults for any.
    let mut meant: Vec<&str> = match (spec.get(param.name), param.default) {
        (Some(Value::Spec(spec)), _) if !spec.name.is_empty() => vec![spec.name.as_str()],
        (Some(Value::Text(text)), _) => vec![text.as_str()],
        (_, DefaultValue::Text(name)) => vec![name],
        (_, DefaultValue::Fitting(names)) => names.to_vec(),
        _ => Vec::new(),
    };
    if spec.get(param.name).is_none() {
        meant.extend(param.on_encodings.iter().map(|(_, name)| name));
    }
    let mut params = Vec::new();
    for member in family.members() {
        if meant.contains(&member.name) {
            params.extend(member.params);
        }
    }
    params
}

/// Gives a table without a name that of the default member, whose parameters it changes. An empty table changes none and
/// chooses none: it stays without a name, and is refused.
fn name_default_member(param: &Param, default: Option<Value>, named: &mut Named) {
    if let (ParamKind::Member(_), Value::Spec(spec), Some(Value::Text(name))) =
        (param.kind, &mut named.value, default)
        && spec.name.is_empty()
        && !spec.values.is_empty()
    {
        spec.name = name;
    }
}

impl ParamKind {
    /// Checks a value and resolves the specs in it.
    pub(super) fn accept(&self, named: &Named) -> Result<Value, SpecError> {
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
            (Self::Real(low, high) | Self::Scheduled(low, high, _), Value::Integer(number)) => {
                (low..=high).contains(&(*number as f64))
            }
            (Self::Real(low, high) | Self::Scheduled(low, high, _), Value::Real(number)) => {
                number.is_finite() && (low..=high).contains(number)
            }
            (Self::Choice(words) | Self::ChoiceOrInteger(words, ..), Value::Text(text)) => {
                words.contains(&text.as_str())
            }
            (Self::Flag, Value::Flag(_)) | (Self::Text, Value::Text(_)) | (Self::Table, Value::Spec(_)) => {
                true
            }
            (Self::Choices(words), Value::List(asked)) => some_of(words, asked, named)?,
            (Self::List, Value::List(values)) => !values.is_empty(),
            (Self::Texts, Value::List(texts)) => texts.iter().all(|text| matches!(text, Value::Text(_))),
            (Self::Member(family), Value::Spec(_) | Value::Text(_)) => return member_of(family, named),
            (Self::Members(family), Value::List(values)) if !values.is_empty() => {
                let mut members = Vec::with_capacity(values.len());
                for value in values {
                    members.push(member_of(family, &Named { value: value.clone(), ..named.clone() })?);
                }
                return Ok(Value::List(members));
            }
            (Self::Scheduled(low, high, family), Value::Spec(spec)) => {
                let schedule = family.resolve(spec, named.key_place)?;
                // A schedule never leaves the range between its ends.
                for end in ["from", "to"] {
                    if let Some(end) = schedule.entry(end) {
                        Self::Real(low, high).accept(end)?;
                    }
                }
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
        // A word named twice is a slip of the pen: one of them was meant to be another.
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
        let number = "`of` takes a name from `kenga list colour`, or a table with one, not 1";
        assert_eq!(accept(Value::List(vec![Value::Integer(1)])), Err(number.to_owned()));
    }
}
