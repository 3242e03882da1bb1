//! Whether islands that differ can read each other's genomes.

use crate::spec::{Spec, SpecError, Value};

/// Refuses islands that send genomes to others where they would not be valid. `targets` are those of each island.
///
/// # Errors
/// [`SpecError::Conflict`], naming the first two.
pub(super) fn check(islands: &[&Spec], targets: &[Vec<usize>]) -> Result<(), SpecError> {
    let encodings: Vec<Vec<&Spec>> = (0..targets.len()).map(|i| of(islands[i % islands.len()])).collect();
    for (from, to) in targets.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to))) {
        let mut pairs = encodings[from].iter().flat_map(|a| encodings[to].iter().map(move |b| (a, b)));
        if let Some((sends, holds)) = pairs.find(|(a, b)| !are_alike(a, b)) {
            return Err(SpecError::Conflict {
                message: format!(
                    "island {from} sends genomes of the encoding `{}` to island {to}, where they are not valid under `{}`",
                    in_words(sends),
                    in_words(holds)
                ),
                help: "give islands that exchange migrants one encoding, or set `migrants = 0` or `topology = \"isolated\"`"
                    .to_owned(),
                place: islands[from.max(to) % islands.len()].place,
            });
        }
    }
    Ok(())
}

/// The encoding of an algorithm; those of all that it lists, where it has none of its own.
fn of(algorithm: &Spec) -> Vec<&Spec> {
    if let Some(Value::Spec(encoding)) = algorithm.get("encoding") {
        return vec![encoding];
    }
    algorithm.values.iter().flat_map(|named| algorithm.specs(&named.key)).flat_map(of).collect()
}

/// The encodings are one, wherever they stand: a name and flat values.
fn are_alike(a: &Spec, b: &Spec) -> bool {
    let mut pairs = a.values.iter().zip(&b.values);
    a.name == b.name
        && a.values.len() == b.values.len()
        && pairs.all(|(a, b)| a.key == b.key && a.value == b.value)
}

/// The name of an encoding with the texts that it is told.
fn in_words(encoding: &Spec) -> String {
    let texts = encoding.values.iter().filter_map(|named| match &named.value {
        Value::Text(text) => Some(format!("{} = {text}", named.key)),
        _ => None,
    });
    std::iter::once(encoding.name.clone()).chain(texts).collect::<Vec<_>>().join(", ")
}
