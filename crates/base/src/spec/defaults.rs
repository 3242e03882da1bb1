//! Defaults that depend on the encoding, which is resolved before them.

use std::sync::Arc;

use super::{Catalog, DefaultValue, Member, Named, Param, ParamKind, Place, Spec, Value};

/// The default of a parameter, which may depend on those resolved before it.
pub(super) fn default_of(param: &Param, resolved: &Spec, params: &[Param]) -> Option<Value> {
    let encoding = encoding_of(resolved, params);
    for (name, word) in param.on_encodings {
        if encoding.is_some_and(|encoding| encoding.name == *name) {
            return Some(Value::Text((*word).to_owned()));
        }
    }
    Some(match param.default {
        DefaultValue::Required | DefaultValue::Absent => return None,
        DefaultValue::Integer(number) => Value::Integer(number),
        DefaultValue::Real(number) => Value::Real(number),
        DefaultValue::Text(word) => Value::Text(word.to_owned()),
        DefaultValue::Fitting(names) => Value::Text(fitting(param.kind, names, encoding).to_owned()),
        DefaultValue::Flag(flag) => Value::Flag(flag),
        DefaultValue::Texts(texts) => {
            Value::List(texts.iter().map(|text| Value::Text((*text).to_owned())).collect())
        }
        DefaultValue::Section => Value::Spec(Spec { place: resolved.place, ..Spec::default() }),
    })
}

/// The first member that works on the encoding; if none does, the first of all, which is refused later.
fn fitting(kind: ParamKind, names: &[&'static str], encoding: Option<&Member>) -> &'static str {
    if let (ParamKind::Member(family), Some(encoding)) = (kind, encoding) {
        for name in names {
            if family.fits(&Spec::named(name), encoding).is_ok() {
                return name;
            }
        }
    }
    names[0]
}

/// The encoding among the parameters that are resolved.
pub(super) fn encoding_of(resolved: &Spec, params: &[Param]) -> Option<&'static Member> {
    let param = params.iter().find(|param| param.name == "encoding")?;
    match (param.kind, resolved.get(param.name)?) {
        (ParamKind::Member(family), Value::Spec(encoding)) => family.member(&encoding.name),
        _ => None,
    }
}

/// Sets the defaults of a member that depend on the encoding of what the member is part of: the crossover of a
/// `random_mate` is one that works on the genomes of its algorithm. A part with an encoding of its own keeps to that.
pub(super) fn suit(kind: ParamKind, named: &mut Named, encoding: &Member) {
    match (kind, &mut named.value) {
        (ParamKind::Member(family), value) => suit_member(family, value, named.place, encoding),
        (ParamKind::Members(family), Value::List(values)) => {
            for value in values {
                suit_member(family, value, named.place, encoding);
            }
        }
        _ => {}
    }
}

fn suit_member(family: &dyn Catalog, value: &mut Value, place: Place, encoding: &Member) {
    let mut spec = match value {
        Value::Spec(spec) => spec.clone(),
        Value::Text(name) => Spec { place, ..Spec::named(name) },
        _ => return,
    };
    let Some(member) = family.member(&spec.name) else { return };
    if member.params.iter().any(|param| param.name == "encoding") {
        return;
    }
    let mut is_changed = false;
    for param in member.params {
        if let Some(named) = spec.values.iter_mut().find(|named| named.key == param.name) {
            suit(param.kind, Arc::make_mut(named), encoding);
        } else if let DefaultValue::Fitting(names) = param.default {
            let name = fitting(param.kind, names, Some(encoding)).to_owned();
            spec.set(Named::new(param.name, Value::Text(name), spec.place));
        } else {
            continue;
        }
        is_changed = true;
    }
    if is_changed {
        *value = Value::Spec(spec);
    }
}
