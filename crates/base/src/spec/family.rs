//! Families: tables of members that are chosen by name, and the tables of a configuration resolved against them:
//! unknown keys are refused, defaults filled in.

use strsim::damerau_levenshtein;

use super::{DefaultValue, Named, Param, ParamKind, Place, Spec, SpecError, Value};
use crate::table::{Entry, ExtensionError, Table};
use crate::text::nearest;

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

/// A member with the function that builds it.
pub struct Builder<T> {
    pub(crate) member: Member,
    pub(crate) build: fn(&Spec) -> T,
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
        let names = || [encoding.name].into_iter().chain(encoding.encodings.iter().copied());
        self.encodings.is_empty() || names().any(|name| self.encodings.contains(&name))
    }

    /// Adds the function that builds the member from a resolved spec.
    pub const fn build<T>(self, build: fn(&Spec) -> T) -> Builder<T> {
        Builder { member: self, build }
    }
}

impl<T> Builder<T> {
    /// What the table says of the member.
    pub fn member(&self) -> &Member {
        &self.member
    }
}

impl<T: 'static> Entry for Builder<T> {
    const EXPECTED: &'static str = "of lower-case letters, digits and `_`, a letter first";

    fn name(&self) -> &'static str {
        self.member.name
    }
}

/// A family: one trait, one table.
pub struct Family<T: 'static> {
    /// The family's name, singular.
    pub name: &'static str,
    /// What its members are for.
    pub about: &'static str,
    table: Table<Builder<T>>,
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
    fn resolve(&self, spec: &Spec, key_place: Place) -> Result<Spec, SpecError> {
        let members = self.members();
        let Some(member) = members.iter().find(|member| member.name == spec.name) else {
            let place = if spec.name.is_empty() { key_place } else { spec.place };
            let known = nearest(&spec.name, members.iter().map(|member| member.name));
            let (family, name) = (self.family().to_owned(), spec.name.clone());
            return Err(SpecError::UnknownName { family, name, known, place });
        };
        resolve(spec, &format!("{} `{}`", self.family(), member.name), member.params)
    }

    /// The member of this name.
    fn member(&self, name: &str) -> Option<&'static Member> {
        self.members().into_iter().find(|member| member.name == name)
    }

    /// Refuses a member that does not work on an encoding, and one that lists such a member or has one of its own family.
    ///
    /// # Errors
    /// [`SpecError::Encoding`], naming the members that work on it.
    fn fits(&self, spec: &Spec, encoding: &Member) -> Result<(), SpecError> {
        let works = |member: &Member| member.works_on(encoding);
        let members = self.members();
        if let Some(member) = members.iter().find(|member| member.name == spec.name && works(member)) {
            return member.params.iter().try_for_each(|param| match param.kind {
                ParamKind::Members(family) => {
                    spec.specs(param.name).try_for_each(|listed| family.fits(listed, encoding))
                }
                ParamKind::Member(family) if family.family() == self.family() => match spec.get(param.name) {
                    Some(Value::Spec(own)) => family.fits(own, encoding),
                    _ => Ok(()),
                },
                _ => Ok(()),
            });
        }
        let fitting: Vec<&str> = members.iter().filter(|m| works(m)).map(|member| member.name).collect();
        Err(SpecError::Encoding {
            family: self.family(),
            name: spec.name.clone(),
            encoding: encoding.name.to_owned(),
            fitting: fitting.join(", "),
            place: spec.place,
        })
    }
}

impl<T> Catalog for Family<T> {
    fn family(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn members(&self) -> Vec<&'static Member> {
        self.entries().map(|entry| &entry.member).collect()
    }
}

impl<T> Family<T> {
    /// A family of kenga's own members, in the order of its table.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        entries: &'static [&'static Builder<T>],
    ) -> Self {
        Self { name, about, table: Table::new(name, entries) }
    }

    /// Every member with the function that builds it.
    pub fn entries(&self) -> impl Iterator<Item = &'static Builder<T>> + use<T> {
        self.table.iter()
    }

    /// Adds members; those that stand in the family already stay where they are.
    ///
    /// # Errors
    /// As [`check`](Self::check); nothing is added then.
    pub fn extend(&self, entries: &[&'static Builder<T>]) -> Result<(), ExtensionError> {
        self.table.extend(entries)
    }

    /// Says whether [`extend`](Self::extend) would add the members.
    ///
    /// # Errors
    /// [`ExtensionError`] for the first without a sound name of its own.
    pub fn check(&self, entries: &[&'static Builder<T>]) -> Result<(), ExtensionError> {
        self.table.check(entries)
    }

    /// Builds the member that a resolved spec names.
    ///
    /// # Panics
    /// When the spec was not resolved against this family.
    pub fn build(&self, spec: &Spec) -> T {
        (self.table.find(&spec.name).expect("a resolved spec names a member").build)(spec)
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

/// Gives a table without a name that of the default member, whose parameters it changes.
fn with_default_member(param: &Param, resolved: &Spec, params: &[Param], mut named: Named) -> Named {
    if let (ParamKind::Member(_), Value::Spec(spec), Some(Value::Text(name))) =
        (param.kind, &mut named.value, default_of(param, resolved, params))
        && spec.name.is_empty()
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

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: &[Param] = &[
        Param::integer("size", 1..=9, 2),
        Param::required("rate", ParamKind::Real(0.0, 1.0)),
        Param::optional("mode", ParamKind::Choice(&["a", "b"])),
    ];

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
}
