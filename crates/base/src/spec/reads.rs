//! The values of specs that code reads, and what it takes each for: a test compares them with the parameters of the tables.
//! They are noted only while somebody [records](record_reads) them; no loop of a run reads a spec.

use std::cell::RefCell;
use std::sync::Arc;

use super::{Named, ParamKind};

/// The kind of value that code takes a key for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Any: the code looks at the kind.
    Value,
    /// A whole number.
    Integer,
    /// A whole number from 0.
    Count,
    /// A real number.
    Real,
    /// A text.
    Text,
    /// A flag.
    Flag,
    /// A list.
    List,
    /// A table.
    Spec,
}

impl Reading {
    /// Says whether a key of this kind can be read so.
    pub fn suits(self, kind: &ParamKind) -> bool {
        match self {
            Self::Value => true,
            Self::Integer => matches!(kind, ParamKind::Integer(..) | ParamKind::ChoiceOrInteger(..)),
            Self::Count => matches!(kind, ParamKind::Integer(0.., _)),
            Self::Real => matches!(kind, ParamKind::Real(..) | ParamKind::Scheduled(..)),
            Self::Text => matches!(kind, ParamKind::Text | ParamKind::Choice(_)),
            Self::Flag => matches!(kind, ParamKind::Flag),
            Self::List => matches!(
                kind,
                ParamKind::Texts | ParamKind::Choices(_) | ParamKind::List | ParamKind::Members(_)
            ),
            Self::Spec => matches!(kind, ParamKind::Member(_) | ParamKind::Section(_) | ParamKind::Table),
        }
    }
}

thread_local! {
    static READS: RefCell<Option<Vec<(Arc<Named>, Reading)>>> = const { RefCell::new(None) };
}

/// Notes that code reads a value.
pub(super) fn note(named: &Arc<Named>, reading: Reading) {
    READS.with_borrow_mut(|reads| {
        if let Some(reads) = reads {
            reads.push((Arc::clone(named), reading));
        }
    });
}

/// Does work, and lists the values that it reads on this thread, with what each was taken for.
pub fn record_reads<T>(work: impl FnOnce() -> T) -> (T, Vec<(Arc<Named>, Reading)>) {
    READS.set(Some(Vec::new()));
    let result = work();
    (result, READS.take().unwrap_or_default())
}
