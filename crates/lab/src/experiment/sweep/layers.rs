//! The table `[sweep]` as it is written: keys as dotted paths in quotes or as tables in tables, in the file and over it.

use std::sync::Arc;

use super::axis;
use crate::experiment::toml::Sources;
use crate::experiment::toml::merge;
use kenga_core::spec::{Named, Spec, SpecError, Value};

/// The keys of the table that are no axes.
pub(super) const OWN: [&str; 2] = ["method", "where"];

/// Lays a table `[sweep]` over another, if there is one. Axes are known by their dotted paths, however these are
/// written. One above takes the place of one below whole; a part of a range, such as `points`, changes that alone.
///
/// # Errors
/// What is no table, or a key that a table sweeps twice.
pub(in super::super) fn merge_sweep(
    lower: Option<Named>,
    upper: Named,
    sources: &Sources,
) -> Result<Named, SpecError> {
    let Value::Spec(spec) = &upper.value else {
        let (key, expected) = (upper.key.clone(), "a table of keys and their values".to_owned());
        let found = upper.value.kind().to_owned();
        return Err(SpecError::Value { key, expected, found, place: upper.place });
    };
    let mut flat = Spec { place: spec.place, ..Spec::default() };
    flatten("", spec, &mut flat.values)?;
    refuse_twice(&flat, sources)?;
    let Some(Named { key, key_place, value: Value::Spec(mut below), place }) = lower else {
        return Ok(Named { value: Value::Spec(flat), ..upper });
    };
    for named in flat.values {
        merge_axis(&mut below, Arc::unwrap_or_clone(named));
    }
    Ok(Named { key, key_place, value: Value::Spec(below), place })
}

/// Tables in tables to dotted paths, down to the axes.
fn flatten(path: &str, spec: &Spec, values: &mut Vec<Arc<Named>>) -> Result<(), SpecError> {
    if !spec.name.is_empty() {
        return Err(axis::no_axis(&format!("{path}name"), "a text", spec.place));
    }
    for named in &spec.values {
        let key = format!("{path}{}", named.key);
        match &named.value {
            Value::Spec(inner) if !OWN.contains(&key.as_str()) && !axis::is_axis(inner) => {
                if inner.name.is_empty() && inner.values.is_empty() {
                    return Err(axis::no_axis(&key, "an empty table", named.place));
                }
                flatten(&format!("{key}."), inner, values)?;
            }
            _ => values.push(Arc::new(Named { key, ..Named::clone(named) })),
        }
    }
    Ok(())
}

fn refuse_twice(flat: &Spec, sources: &Sources) -> Result<(), SpecError> {
    for (index, named) in flat.values.iter().enumerate() {
        let Some(first) = flat.values[..index].iter().find(|first| first.key == named.key) else { continue };
        let (one, two) = (sources.line(first.key_place), sources.line(named.key_place));
        let mut message = format!("`{}` is swept twice", named.key);
        if one != two {
            message += &format!(", in lines {one} and {two}");
        }
        let help = "give all of its values in one list".to_owned();
        return Err(SpecError::Conflict { message, help, place: named.key_place });
    }
    Ok(())
}

fn merge_axis(lower: &mut Spec, named: Named) {
    // A method keeps the keys that the layer above does not change.
    if OWN.contains(&named.key.as_str()) {
        return merge(lower, &Spec::default().with([named]));
    }
    if let Some((key, part)) = named.key.rsplit_once('.')
        && axis::is_part(part, &named.value)
        && let Some(below) = lower.values.iter_mut().find(|below| below.key == key)
        && let Value::Spec(axis) = &mut Arc::make_mut(below).value
    {
        let part = part.to_owned();
        return axis.set(Named { key: part, ..named });
    }
    lower.set(named);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::toml;

    /// The keys and values of tables laid one over the other, in words.
    fn keys(layers: &[&str]) -> Result<Vec<String>, String> {
        let mut sources = Sources::default();
        let mut below = None;
        for text in layers {
            let source = sources.add("a text", text);
            let spec = toml::read(&sources, source, text).expect("sound TOML");
            let named = spec.entry("sweep").expect("a sweep").clone();
            below = Some(merge_sweep(below, named, &sources).map_err(|error| error.to_string())?);
        }
        let Some(Named { value: Value::Spec(spec), .. }) = below else { panic!("a table") };
        let shown = |named: &Arc<Named>| format!("{}={}", named.key, named.value.as_json());
        Ok(spec.values.iter().map(shown).collect())
    }

    #[test]
    fn a_layer_above_replaces_an_axis_however_both_are_written() {
        let file = "[sweep]\n'a.b' = [1, 2]\nc.d = {from = 1, to = 9, points = 3}\nmethod = 'grid'";
        assert_eq!(
            keys(&[file, "sweep.a.b = [3]"]),
            Ok(vec![
                "a.b=[3]".to_owned(),
                "c.d={\"from\":1,\"to\":9,\"points\":3}".to_owned(),
                "method=\"grid\"".to_owned()
            ])
        );
        let part = keys(&[file, "sweep.c.d.points = 5"]).expect("a sweep");
        assert_eq!(part[1], "c.d={\"from\":1,\"to\":9,\"points\":5}");
        let whole = keys(&[file, "sweep.'c.d' = [1]", "sweep.method.points = 4"]).expect("a sweep");
        assert_eq!(whole[1..], ["c.d=[1]", "method={\"name\":\"grid\",\"points\":4}"]);
    }

    #[test]
    fn a_key_that_is_swept_twice_is_refused_with_its_lines() {
        let said = keys(&["[sweep]\na.b = [1, 2]\n'a.b' = [3]"]);
        assert_eq!(said, Err("`a.b` is swept twice, in lines 2 and 3".to_owned()));
        assert!(keys(&["sweep = {a.b = [1], 'a.b' = [2]}"]).is_err());
        assert!(keys(&["[sweep]\na = [1, 2]\n'a.b' = [3]"]).is_ok(), "a table and a key in it");
    }

    #[test]
    fn an_axis_that_is_an_empty_table_is_refused_by_its_key() {
        for text in ["[sweep]\n'a.b' = {}", "[sweep.a.b]", "[sweep]\na = {b = {}, c = [1]}", "sweep.a.b = {}"]
        {
            let said = keys(&[text]).expect_err("an empty table");
            assert!(said.starts_with("`a.b` takes a list of values, or a range"), "{said}");
            assert!(said.ends_with(", not an empty table"), "{said}");
        }
    }

    #[test]
    fn both_ends_of_a_schedule_are_swept_as_tables_too() {
        let both = keys(&["[sweep]\na.rate.from = [1, 2]\na.rate.to = [3]"]).expect("a sweep");
        assert_eq!(both, ["a.rate.from=[1,2]", "a.rate.to=[3]"]);
    }
}
