//! What a configuration with a problem of the user's own may leave out.

use kenga_core::search::algorithms::{ALGORITHMS, plain_local_search};
use kenga_core::search::encodings::{ENCODINGS, encoding_of_genomes};
use kenga_core::search::objectives::{OBJECTIVES, default_kind, instances};
use kenga_core::spec::{Catalog, DefaultValue, Named, Param, ParamKind, Spec, SpecError, Value};

/// The key of the problem.
pub(super) const PROBLEM: &str = "problem";

/// Names what a configuration with a problem leaves out: its kind, and the encoding of its genomes. `keys` are those of a
/// configuration, with the default of its algorithm.
///
/// # Errors
/// A problem that is none, and files of puzzles beside it.
pub(super) fn complete(spec: &mut Spec, keys: &[Param]) -> Result<(), SpecError> {
    let Some(Value::Spec(problem)) = spec.get(PROBLEM) else { return Ok(()) };
    if let Some(puzzles) = spec.entry("puzzles") {
        return Err(SpecError::Conflict {
            message: "both `puzzles` and [problem] are set".to_owned(),
            help: "an experiment runs on puzzles or on a problem of your own: take one out".to_owned(),
            place: puzzles.key_place,
        });
    }
    let mut problem = problem.clone();
    if problem.name.is_empty() {
        problem.name = default_kind().to_owned();
    }
    let resolved = OBJECTIVES.resolve(&problem, spec.place_of(PROBLEM))?;
    let all = instances(&resolved)?;
    let encoding = encoding_of_genomes(&all[0].shape);
    if let Some(other) = all.iter().find(|one| encoding_of_genomes(&one.shape) != encoding) {
        return Err(SpecError::Conflict {
            message: format!(
                "[problem]: the instances `{}` and `{}` have genomes of two kinds",
                all[0].id, other.id
            ),
            help: "all are values, or all are permutations".to_owned(),
            place: resolved.place_of("instances"),
        });
    }
    let place = spec.place_of(PROBLEM);
    spec.set(Named::new(PROBLEM, Value::Spec(problem), place));
    let mut algorithm = match spec.get("algorithm") {
        Some(Value::Spec(algorithm)) => algorithm.clone(),
        Some(Value::Text(name)) => Spec { place: spec.place_of("algorithm"), ..Spec::named(name) },
        _ => Spec::default(),
    };
    if algorithm.name.is_empty()
        && let Some(param) = keys.iter().find(|param| param.name == "algorithm")
    {
        algorithm.name = param.default_in_words();
    }
    // The genome decides the encoding, which the configuration then need not name.
    encode(&mut algorithm, encoding);
    let place = spec.place_of("algorithm");
    spec.set(Named::new("algorithm", Value::Spec(algorithm), place));
    Ok(())
}

/// Sets the encoding of an algorithm that names none, and of those that it is made of.
fn encode(algorithm: &mut Spec, encoding: &str) {
    // A name that is no algorithm is refused later, where its place is known.
    let Some(member) = ALGORITHMS.member(&algorithm.name) else { return };
    for param in member.params {
        match param.kind {
            ParamKind::Member(family)
                if family.family() == "encoding" && algorithm.get(param.name).is_none() =>
            {
                set(algorithm, param.name, Value::Text(encoding.to_owned()));
            }
            ParamKind::Member(family) if family.family() == "algorithm" => {
                let mut inner = match algorithm.get(param.name) {
                    Some(Value::Spec(inner)) => inner.clone(),
                    Some(Value::Text(name)) => Spec::named(name),
                    _ => Spec::named(usual_algorithm(param, encoding)),
                };
                if inner.name.is_empty() {
                    usual_algorithm(param, encoding).clone_into(&mut inner.name);
                }
                encode(&mut inner, encoding);
                set(algorithm, param.name, Value::Spec(inner));
            }
            ParamKind::Members(family) if family.family() == "algorithm" => {
                if let Some(all) = encoded_list(algorithm, param, encoding) {
                    set(algorithm, param.name, all);
                }
            }
            _ => {}
        }
    }
}

/// A list of algorithms with their encoding, or those of the default that work on it.
fn encoded_list(algorithm: &Spec, param: &Param, encoding: &str) -> Option<Value> {
    let listed = match (algorithm.get(param.name), param.default) {
        (Some(Value::List(values)), _) => values.clone(),
        (None, DefaultValue::Texts(names)) => {
            let fitting = names.iter().filter(|name| works_on(name, encoding));
            fitting.map(|name| Value::Text((*name).to_owned())).collect()
        }
        _ => return None,
    };
    let mut all = Vec::with_capacity(listed.len());
    for value in listed {
        let mut inner = match value {
            Value::Spec(inner) => inner,
            Value::Text(name) => Spec::named(&name),
            // What is no algorithm is refused where the list is resolved.
            other => return Some(Value::List(vec![other])),
        };
        encode(&mut inner, encoding);
        all.push(Value::Spec(inner));
    }
    Some(Value::List(all))
}

/// The default of a parameter that is an algorithm, or one that works on the encoding.
fn usual_algorithm(param: &Param, encoding: &str) -> &'static str {
    match param.default {
        DefaultValue::Text(name) if works_on(name, encoding) => name,
        _ => plain_local_search(),
    }
}

fn works_on(algorithm: &str, encoding: &str) -> bool {
    let (member, encoding) = (ALGORITHMS.member(algorithm), ENCODINGS.member(encoding));
    member.zip(encoding).is_some_and(|(member, encoding)| member.works_on(encoding))
}

fn set(spec: &mut Spec, key: &str, value: Value) {
    let place = spec.place_of(key);
    spec.set(Named::new(key, value, place));
}
