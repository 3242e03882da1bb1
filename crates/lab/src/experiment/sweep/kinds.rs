//! The kinds of values that a key takes, in any member of a family that has it.

use kenga_core::spec::{Param, ParamKind};

/// The key takes real numbers.
pub(super) fn is_real(key: &str, params: &[Param]) -> bool {
    takes_only(key, params, |kind| matches!(kind, ParamKind::Real(..) | ParamKind::Scheduled(..)))
}

/// The key takes such values alone.
pub(super) fn takes_only(key: &str, params: &[Param], is_such: fn(&ParamKind) -> bool) -> bool {
    let kinds = kinds(key, params);
    !kinds.is_empty() && kinds.iter().all(is_such)
}

/// The kinds that the key takes in every member that has it; other keys say which member it is.
fn kinds(key: &str, params: &[Param]) -> Vec<ParamKind> {
    let (head, rest) = match key.split_once('.') {
        Some((head, rest)) => (head, Some(rest)),
        None => (key, None),
    };
    let Some(param) = params.iter().find(|param| param.name == head) else { return Vec::new() };
    let Some(rest) = rest else { return vec![param.kind] };
    match param.kind {
        ParamKind::Section(params) => kinds(rest, params),
        ParamKind::Member(family) => {
            let mut all = Vec::new();
            for member in family.members() {
                all.extend(kinds(rest, member.params));
            }
            all
        }
        _ => Vec::new(),
    }
}
