//! Tables of members that are found by name: kenga's own, and those that a program built on it adds.
//!
//! A table only grows, and no name in it ever means another member than before. So it does not matter what was looked up
//! before a table grew.

use std::ptr;
use std::sync::{PoisonError, RwLock};

use thiserror::Error;

/// A member of a [`Table`].
pub trait Entry: 'static {
    /// What a name must be, in words.
    const EXPECTED: &'static str;

    /// Its name.
    fn name(&self) -> &'static str;

    /// Other names that find it.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Says whether a name is what it must be.
    fn is_sound(name: &str) -> bool {
        is_snake_case(name)
    }
}

/// Says whether a name is of lower-case letters, digits and `_`, a letter first.
#[doc(hidden)]
pub fn is_snake_case(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(|c: char| c.is_ascii_lowercase()) else { return false };
    rest.trim_start_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_').is_empty()
}

/// Members in a fixed order: kenga's own, then those that were added, in the order of adding.
pub struct Table<T: 'static> {
    /// What its members are, singular.
    what: &'static str,
    own: &'static [&'static T],
    more: RwLock<Vec<&'static T>>,
}

/// Why a table does not take a member.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExtensionError {
    /// Another member has the name.
    #[error("there is a {what} named `{name}` already: choose another name for the one of your own")]
    Taken {
        /// What the members of the table are.
        what: &'static str,
        /// The name.
        name: &'static str,
    },
    /// The name is none that a configuration or a puzzle could use.
    #[error("a {what} cannot be named `{name}`: a name is {expected}")]
    Name {
        /// What the members of the table are.
        what: &'static str,
        /// The name.
        name: &'static str,
        /// What a name must be.
        expected: &'static str,
    },
}

impl<T: Entry> Table<T> {
    /// A table of kenga's own members; `what` they are, singular.
    pub const fn new(what: &'static str, own: &'static [&'static T]) -> Self {
        Self { what, own, more: RwLock::new(Vec::new()) }
    }

    /// Every member, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = &'static T> + use<T> {
        self.own.iter().copied().chain(self.more())
    }

    /// The member of this name.
    pub fn find(&self, name: &str) -> Option<&'static T> {
        self.iter().find(|member| member.name() == name)
    }

    /// The members that were added.
    fn more(&self) -> Vec<&'static T> {
        // A table that only grows is whole even where a thread has panicked.
        self.more.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds members; those that stand in the table stay where they are.
    ///
    /// # Errors
    /// As [`check`](Self::check); nothing is added then.
    pub fn extend(&self, members: &[&'static T]) -> Result<(), ExtensionError> {
        // The lock is held over the check, so that no other thread adds the same name in between.
        let mut more = self.more.write().unwrap_or_else(PoisonError::into_inner);
        let fresh = self.fresh(&more, members)?;
        more.extend(fresh);
        Ok(())
    }

    /// Says whether [`extend`](Self::extend) would add the members.
    ///
    /// # Errors
    /// [`ExtensionError`] for the first that has no sound name, or that of another member.
    pub fn check(&self, members: &[&'static T]) -> Result<(), ExtensionError> {
        self.fresh(&self.more(), members)?;
        Ok(())
    }

    /// Those of `members` that do not stand in the table.
    fn fresh(&self, more: &[&'static T], members: &[&'static T]) -> Result<Vec<&'static T>, ExtensionError> {
        let what = self.what;
        let mut known = [self.own, more].concat();
        let first = known.len();
        for member in members {
            // The same member again is no conflict: two parts of a program may add what both need.
            if known.iter().any(|other| ptr::eq(*other, *member)) {
                continue;
            }
            for name in names(*member) {
                if !T::is_sound(name) {
                    return Err(ExtensionError::Name { what, name, expected: T::EXPECTED });
                }
                if known.iter().any(|other| names(*other).contains(&name)) {
                    return Err(ExtensionError::Taken { what, name });
                }
            }
            known.push(member);
        }
        Ok(known.split_off(first))
    }
}

/// All names of a member.
fn names<T: Entry>(member: &T) -> Vec<&'static str> {
    [&[member.name()][..], member.aliases()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Colour(&'static str, &'static [&'static str]);

    impl Entry for Colour {
        const EXPECTED: &'static str = "of lower-case letters";

        fn name(&self) -> &'static str {
            self.0
        }

        fn aliases(&self) -> &'static [&'static str] {
            self.1
        }
    }

    static RED: Colour = Colour("red", &["rouge"]);
    static BLUE: Colour = Colour("blue", &[]);
    static GREEN: Colour = Colour("green", &["vert"]);

    static OWN: &[&Colour] = &[&RED];

    fn names_of(table: &Table<Colour>) -> Vec<&'static str> {
        table.iter().map(Entry::name).collect()
    }

    #[test]
    fn members_stand_behind_kengas_own_once_each() {
        let table = Table::new("colour", OWN);
        for members in [&[&BLUE][..], &[&RED, &BLUE], &[&GREEN, &GREEN]] {
            table.extend(members).expect("names of their own");
        }
        assert_eq!(names_of(&table), ["red", "blue", "green"]);
        assert!(ptr::eq(table.find("green").expect("it was added"), &raw const GREEN));
        assert!(table.find("grey").is_none());
    }

    #[test]
    fn a_name_that_is_taken_is_refused_and_nothing_is_added() {
        static OTHER_RED: Colour = Colour("red", &[]);
        static ROUGE: Colour = Colour("rouge", &[]);
        static VERT: Colour = Colour("olive", &["vert"]);
        let table = Table::new("colour", OWN);
        for (members, name) in
            [(&[&BLUE, &OTHER_RED][..], "red"), (&[&ROUGE], "rouge"), (&[&GREEN, &VERT], "vert")]
        {
            let taken = ExtensionError::Taken { what: "colour", name };
            assert_eq!(table.check(members), Err(taken.clone()));
            assert_eq!(table.extend(members), Err(taken));
        }
        assert_eq!(names_of(&table), ["red"]);
    }

    #[test]
    fn a_name_that_no_file_could_use_is_refused() {
        static EMPTY: Colour = Colour("", &[]);
        static SPACED: Colour = Colour("light red", &[]);
        static LOUD: Colour = Colour("olive", &["OLIVE"]);
        let table = Table::new("colour", OWN);
        for (member, wrong) in [(&EMPTY, ""), (&SPACED, "light red"), (&LOUD, "OLIVE")] {
            let error = table.extend(&[member]).expect_err("no name");
            assert_eq!(
                error.to_string(),
                format!("a colour cannot be named `{wrong}`: a name is of lower-case letters")
            );
        }
    }
}
