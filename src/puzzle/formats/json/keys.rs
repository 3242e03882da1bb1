//! The keys of an object: known, none twice, taken by name.

use std::collections::BTreeSet;

use super::super::error::{Fault, Malformed, Span};
use super::node::{Entry, Node};
use crate::text::{nearest, resembles};

/// The pairs of one object.
pub(in super::super) struct Keys<'a> {
    owner: Node<'a>,
    pub(in super::super) entries: Vec<Entry<'a>>,
}

impl<'a> Keys<'a> {
    /// Reads an object in which no key stands twice.
    pub(in super::super) fn read(owner: Node<'a>, expected: &str) -> Result<Self, Fault> {
        let entries = owner.object(expected)?;
        let mut known = BTreeSet::new();
        for Entry { key, key_span, .. } in &entries {
            if !known.insert(key.as_str()) {
                let what = Malformed::RepeatedKey(key.clone());
                return Err(Fault::new(what, key_span.clone(), "this key stands before already"));
            }
        }
        Ok(Self { owner, entries })
    }

    /// Refuses keys that are not among the known ones.
    pub(in super::super) fn only(self, known: &[&'static str]) -> Result<Self, Fault> {
        match self.entries.iter().find(|entry| !known.contains(&&*entry.key)) {
            Some(entry) => Err(unknown(&entry.key, entry.key_span.clone(), known)),
            None => Ok(self),
        }
    }

    /// The value of a key that may be absent.
    pub(in super::super) fn get(&self, key: &str) -> Option<Node<'a>> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value)
    }

    /// The value of the one key of these that is there, if any; the others are what other programs call it.
    pub(super) fn get_one(&self, names: &[&'static str]) -> Result<Option<Node<'a>>, Fault> {
        let mut found = self.entries.iter().filter(|entry| names.contains(&&*entry.key));
        let first = found.next();
        match found.next() {
            Some(second) => {
                let label = format!(
                    "`{}` says this already: expected one of the two",
                    first.map_or("", |entry| &entry.key)
                );
                Err(Fault::new(Malformed::RepeatedKey(second.key.clone()), second.key_span.clone(), label))
            }
            None => Ok(first.map(|entry| entry.value)),
        }
    }

    /// The value of the one key of these that must be there.
    pub(super) fn need_one(&self, names: &[&'static str]) -> Result<Node<'a>, Fault> {
        self.get_one(names)?.map_or_else(|| self.need(names[0]), Ok)
    }

    /// The value of a key that must be there.
    pub(in super::super) fn need(&self, key: &'static str) -> Result<Node<'a>, Fault> {
        self.get(key).ok_or_else(|| self.missing(key))
    }

    /// The fault of an object without a key that it must have.
    pub(super) fn missing(&self, key: &'static str) -> Fault {
        let label = format!("expected `\"{key}\": …` before this");
        Fault::new(Malformed::MissingKey(key), self.owner.closing(), label)
    }
}

fn unknown(key: &str, span: Span, known: &[&'static str]) -> Fault {
    let nearest = &nearest(key, known.iter().copied())[0];
    let label = if resembles(key, nearest) {
        format!("did you mean `{nearest}`?")
    } else {
        "not a key of this object".to_owned()
    };
    Fault::new(Malformed::UnknownKey(key.to_owned()), span, label)
        .help(format!("known keys: {}", known.join(", ")))
}
