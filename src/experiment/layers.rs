//! Layers of a configuration: preset, file, `--set`, each over the one before.

use crate::spec::{Named, Spec, Value};

/// Lays `upper` over `lower`. Tables are merged key by key; but a table that changes the name of a member starts
/// anew, for the parameters below belong to the member that was there.
pub(super) fn lay_over(lower: &mut Spec, upper: Spec) {
    let renames = !upper.name.is_empty() && !lower.name.is_empty() && upper.name != lower.name;
    if renames {
        *lower = upper;
        return;
    }
    if !upper.name.is_empty() {
        (lower.name, lower.place) = (upper.name, upper.place);
    }
    for named in upper.values {
        lay_key(lower, named);
    }
}

fn lay_key(lower: &mut Spec, named: Named) {
    let Some(below) = lower.values.iter_mut().find(|below| below.key == named.key) else {
        lower.values.push(named);
        return;
    };
    match (&mut below.value, named.value) {
        (Value::Spec(lower), Value::Spec(upper)) => lay_over(lower, upper),
        // A member given by its bare name below gets parameters from above.
        (Value::Text(name), Value::Spec(upper)) if upper.name.is_empty() || upper.name == *name => {
            below.value = Value::Spec(Spec { name: name.clone(), ..upper });
            (below.key_place, below.place) = (named.key_place, named.place);
        }
        // The bare name of the member that is there already changes nothing.
        (Value::Spec(lower), Value::Text(name)) if lower.name == name => {}
        (_, value) => *below = Named { value, ..named },
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::Sources;
    use super::super::toml;
    use super::*;

    fn read(text: &str) -> Spec {
        toml::read(&Sources::default(), 0, text).expect("sound TOML")
    }

    fn laid(lower: &str, upper: &str) -> Spec {
        let mut spec = read(lower);
        lay_over(&mut spec, read(upper));
        spec
    }

    fn member(spec: &Spec) -> (&str, Vec<&str>) {
        let Some(Value::Spec(member)) = spec.get("m") else { panic!("a table") };
        (&member.name, member.values.iter().map(|named| named.key.as_str()).collect())
    }

    #[test]
    fn keys_are_merged_and_the_upper_one_wins() {
        let spec = laid("a = 1\n[m]\nname = 'x'\np = 1", "a = 2\n[m]\nq = 3");
        assert_eq!(spec.get("a"), Some(&Value::Integer(2)));
        assert_eq!(member(&spec), ("x", vec!["p", "q"]));
    }

    #[test]
    fn another_member_starts_anew() {
        assert_eq!(member(&laid("m = {name = 'x', p = 1}", "m = {name = 'y', q = 3}")), ("y", vec!["q"]));
        assert_eq!(laid("m = {name = 'x', p = 1}", "m = 'y'").get("m"), Some(&Value::Text("y".to_owned())));
    }

    #[test]
    fn a_bare_name_takes_parameters_from_above_and_keeps_those_below() {
        assert_eq!(member(&laid("m = 'x'", "m.q = 3")), ("x", vec!["q"]));
        assert_eq!(member(&laid("m = {name = 'x', p = 1}", "m = 'x'")), ("x", vec!["p"]));
    }
}
