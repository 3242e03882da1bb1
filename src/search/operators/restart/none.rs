//! Never.

use crate::spec::{Entry, Member, Spec};

use super::Restart;

struct Never;

pub(super) static ENTRY: Entry<Box<dyn Restart>> = Entry {
    member: Member { name: "none", about: "never begins anew", source: "kenga", encodings: &[], params: &[] },
    build: |_: &Spec| Box::new(Never),
};

impl Restart for Never {
    fn length(&self, _restarts: u64) -> Option<u64> {
        None
    }
}
