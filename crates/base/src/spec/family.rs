//! Families: tables of members that are chosen by name, each with the function that builds it.

use super::resolve::{fits, resolve_member};
use super::{Catalog, Member, Place, Spec, SpecError};
use crate::table::{Entry, ExtensionError, Table};

/// A member with the function that builds it.
pub struct Builder<T> {
    pub(crate) member: Member,
    pub(crate) build: fn(&Spec) -> T,
}

impl Member {
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

    fn resolve(&self, spec: &Spec, key_place: Place) -> Result<Spec, SpecError> {
        resolve_member(self, spec, key_place)
    }

    fn fits(&self, spec: &Spec, encoding: &Member) -> Result<(), SpecError> {
        fits(self, spec, encoding)
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
