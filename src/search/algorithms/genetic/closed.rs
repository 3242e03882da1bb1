//! Whether a population is closed: changed by crossover and mutation alone.

use crate::spec::Spec;

/// The keys that are known to bring in no genome of their own, or that are looked at here.
const KNOWN: [&str; 11] = [
    "encoding",
    "population",
    "offset",
    "selection",
    "niching",
    "crossover",
    "mutation",
    "replacement",
    "duplicates",
    "weights",
    "restart",
];

/// The replacements that leave individuals of the population and its offspring alone.
const CHOOSERS: [&str; 5] = ["generational", "plus", "steady_state", "crowding", "restricted_tournament"];

/// Nothing but crossover and mutation makes genomes, once the first are there: there is no restart, no local search, and
/// nothing that is not known here.
pub(super) fn is_closed(spec: &Spec) -> bool {
    spec.values.iter().all(|value| KNOWN.contains(&value.key.as_str()))
        && CHOOSERS.contains(&spec.spec("replacement").name.as_str())
        && spec.spec("restart").name == "none"
}

#[cfg(test)]
mod tests {
    use super::super::ENTRY;
    use super::*;
    use crate::search::algorithms::ALGORITHMS;
    use crate::spec::{Catalog, Named, Place, Value};

    fn spec(values: &[(&str, &str)]) -> Spec {
        let place = Place::default();
        let named = |(key, value): &(&str, &str)| Named {
            key: (*key).to_owned(),
            key_place: place,
            value: Value::Text((*value).to_owned()),
            place,
        };
        let spec = Spec { values: values.iter().map(named).collect(), ..Spec::named("genetic") };
        ALGORITHMS.resolve(&spec, &named(&("algorithm", ""))).expect("a sound spec")
    }

    #[test]
    fn restarts_open_a_population() {
        assert!(is_closed(&spec(&[])));
        assert!(!is_closed(&spec(&[("restart", "luby")])));
    }

    #[test]
    fn every_key_is_known() {
        let unknown = |key: &&str| !KNOWN.contains(key);
        assert_eq!(ENTRY.member.params.iter().map(|param| param.name).find(unknown), None);
    }
}
