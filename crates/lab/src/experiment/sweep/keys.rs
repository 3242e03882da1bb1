//! The keys that an axis may have: dotted paths that some configuration takes.

use super::{COMMON, axis, layers};
use crate::experiment::config::{CONFIG, PRESET};
use kenga_core::spec::{Named, Param, ParamKind, SpecError};
use kenga_core::text::nearest;

/// Refuses a key that no configuration has, whatever its value is: not every point of a sweep need have the key, so that
/// the check of the configurations alone would let it pass where a condition leaves it out.
///
/// # Errors
/// [`SpecError::UnknownKey`], with the keys of the same table nearest first.
pub(super) fn is_known(named: &Named) -> Result<(), SpecError> {
    let mut tables: Vec<&'static Param> = CONFIG.iter().collect();
    let mut owner = "the sweep".to_owned();
    let mut before = "";
    for (index, key) in named.key.split('.').enumerate() {
        let mut known: Vec<&str> = tables.iter().map(|param| param.name).collect();
        if index == 0 {
            known.extend(layers::OWN);
            known.push(PRESET);
        } else if tables.iter().any(|param| param.name == axis::WHEN.name) {
            // Nothing lies below a number: what stands there was meant for the axis.
            known.push("values");
            owner = format!("the axis `{before}`");
        } else {
            known.push("name");
            owner = format!("`{before}`");
        }
        if !known.contains(&key) {
            known.retain(|name| index > 0 || !COMMON.contains(name));
            known.sort_unstable();
            known.dedup();
            let known = nearest(key, known);
            return Err(SpecError::UnknownKey { key: key.to_owned(), owner, known, place: named.key_place });
        }
        let Some(below) = below(key, &tables) else { return Ok(()) };
        tables = below;
        let end = if before.is_empty() { key.len() } else { before.len() + 1 + key.len() };
        before = &named.key[..end];
    }
    Ok(())
}

/// The parameters that may stand in the table of a key, in whatever member it is of; `None` where any may.
fn below(key: &str, tables: &[&'static Param]) -> Option<Vec<&'static Param>> {
    let mut all: Vec<&'static Param> = Vec::new();
    for param in tables {
        if param.name != key {
            continue;
        }
        match param.kind {
            ParamKind::Section(params) => all.extend(params),
            ParamKind::Member(family) | ParamKind::Scheduled(_, _, family) => {
                for member in family.members() {
                    all.extend(member.params);
                }
            }
            ParamKind::Members(_) | ParamKind::Table => return None,
            _ => all.extend(axis::RANGE),
        }
    }
    if all.is_empty() { None } else { Some(all) }
}
