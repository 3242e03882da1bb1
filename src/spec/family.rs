//! Families: tables of members that are chosen by name.

use super::{Kind, Named, Param, Spec, SpecError, resolve};
use crate::text::nearest;

/// What the table of a family says of a member.
#[derive(Clone, Copy)]
pub struct Member {
    /// The name in configurations.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Where it was described: authors, year, DOI.
    pub source: &'static str,
    /// The encodings it works on; empty for all.
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

    /// The encodings it works on.
    #[must_use]
    pub const fn encodings(self, encodings: &'static [&'static str]) -> Self {
        Self { encodings, ..self }
    }

    /// Its parameters.
    #[must_use]
    pub const fn params(self, params: &'static [Param]) -> Self {
        Self { params, ..self }
    }

    /// Adds the function that builds the member from a resolved spec.
    pub const fn build<T>(self, build: fn(&Spec) -> T) -> Builder<T> {
        Builder { member: self, build }
    }
}

/// A family: one trait, one table.
pub struct Family<T: 'static> {
    /// The family's name, singular.
    pub name: &'static str,
    /// What its members are for.
    pub about: &'static str,
    /// The table.
    pub entries: &'static [&'static Builder<T>],
}

/// A family without the type of its members: what lists, checks and errors need.
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
    /// A missing or unknown name, or a bad parameter. `named` is where the spec stands.
    fn resolve(&self, spec: &Spec, named: &Named) -> Result<Spec, SpecError> {
        let members = self.members();
        let Some(member) = members.iter().find(|member| member.name == spec.name) else {
            let place = if spec.name.is_empty() { named.key_place } else { spec.place };
            let known = nearest(&spec.name, members.iter().map(|member| member.name));
            let (family, name) = (self.family().to_owned(), spec.name.clone());
            return Err(SpecError::UnknownName { family, name, known, place });
        };
        resolve(spec, &format!("{} `{}`", self.family(), member.name), member.params)
    }

    /// Refuses a member that does not work on an encoding, or lists one that does not.
    ///
    /// # Errors
    /// [`SpecError::Encoding`], naming those that do.
    fn fits(&self, spec: &Spec, encoding: &str) -> Result<(), SpecError> {
        let works = |member: &Member| member.encodings.is_empty() || member.encodings.contains(&encoding);
        let members = self.members();
        if let Some(member) = members.iter().find(|member| member.name == spec.name && works(member)) {
            return member.params.iter().try_for_each(|param| match param.kind {
                Kind::Members(family) => {
                    spec.specs(param.name).try_for_each(|listed| family.fits(listed, encoding))
                }
                _ => Ok(()),
            });
        }
        let fitting: Vec<&str> = members.iter().filter(|m| works(m)).map(|member| member.name).collect();
        Err(SpecError::Encoding {
            family: self.family(),
            name: spec.name.clone(),
            encoding: encoding.to_owned(),
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
        self.entries.iter().map(|entry| &entry.member).collect()
    }
}

impl<T> Family<T> {
    /// Builds the member that a resolved spec names.
    ///
    /// # Panics
    /// When the spec was not resolved against this family.
    pub fn build(&self, spec: &Spec) -> T {
        let entry = self.entries.iter().find(|entry| entry.member.name == spec.name);
        (entry.expect("a resolved spec names a member").build)(spec)
    }
}
