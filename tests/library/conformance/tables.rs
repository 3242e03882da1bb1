//! Tables say what a user needs to know, in the words that a configuration can use.

use kenga::search::algorithms::{ALGORITHMS, recipe};
use kenga::search::operators::{
    crossover::CROSSOVER, mutation::MUTATION, schedule::SCHEDULE, topology::TOPOLOGY,
};
use kenga::search::{encodings::ENCODINGS, families};
use kenga::spec::{Catalog, Place, SpecError, Value};

use super::setup::{defaults, has_defaults, lists_others, resolve, settings, spec};

fn is_snake_case(name: &str) -> bool {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letters)
}

#[test]
fn families_and_members_have_unique_names_and_say_what_they_are() {
    let mut family_names: Vec<_> = families().iter().map(|family| family.family()).collect();
    for family in families() {
        assert!(is_snake_case(family.family()) && !family.about().is_empty(), "{}", family.family());
        let mut names: Vec<_> = family.members().iter().map(|member| member.name).collect();
        for member in family.members() {
            let said = !member.about.is_empty() && !member.source.is_empty();
            assert!(is_snake_case(member.name) && said, "{} {}", family.family(), member.name);
        }
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
    family_names.sort_unstable();
    assert!(family_names.windows(2).all(|pair| pair[0] != pair[1]), "{family_names:?}");
}

#[test]
fn every_parameter_says_what_it_means() {
    for family in families() {
        for member in family.members() {
            for (index, param) in member.params.iter().enumerate() {
                let label = format!("{} {} {}", family.family(), member.name, param.name);
                assert!(is_snake_case(param.name) && !param.about.is_empty(), "{label}");
                assert!(!param.expected().is_empty(), "{label}");
                assert!(member.params[..index].iter().all(|other| other.name != param.name), "{label}");
            }
        }
    }
}

#[test]
fn defaults_and_ends_resolve_to_themselves() {
    for family in families() {
        for member in family.members() {
            let resolved = defaults(family, member);
            assert_eq!(resolve(family, &resolved), resolved, "{} {}", family.family(), member.name);
        }
        assert!(settings(family).len() >= family.members().len());
    }
}

#[test]
fn encodings_that_members_name_exist_and_others_are_refused() {
    let encodings: Vec<_> = ENCODINGS.members().iter().map(|member| member.name).collect();
    for family in families() {
        for member in family.members() {
            assert!(member.encodings.iter().all(|name| encodings.contains(name)), "{}", member.name);
            // Whether a member that lists others fits depends on its list.
            for encoding in encodings.iter().filter(|_| !lists_others(member)) {
                let works = member.encodings.is_empty() || member.encodings.contains(encoding);
                let outcome = family.fits(&defaults(family, member), encoding);
                assert_eq!(outcome.is_ok(), works, "{} {} on {encoding}", family.family(), member.name);
                assert!(works || matches!(outcome, Err(SpecError::Encoding { .. })));
            }
        }
    }
}

#[test]
fn every_encoding_has_a_crossover_and_a_mutation() {
    for encoding in ENCODINGS.members() {
        for family in [&CROSSOVER as &dyn Catalog, &MUTATION] {
            let fits = |name: &str| family.fits(&spec(name, &[]), encoding.name).is_ok();
            assert!(family.members().iter().any(|member| fits(member.name)), "{}", encoding.name);
        }
    }
}

#[test]
fn an_encoding_alone_is_enough_for_every_algorithm_that_works_on_it() {
    let mut tried = 0;
    for member in ALGORITHMS.members().into_iter().filter(|member| has_defaults(member)) {
        let has_own = member.params.iter().any(|param| param.name == "encoding");
        for encoding in ENCODINGS.members().into_iter().filter(|_| has_own) {
            let asked = spec(member.name, &[("encoding", Value::Text(encoding.name.to_owned()))]);
            let works = member.encodings.is_empty() || member.encodings.contains(&encoding.name);
            let outcome = recipe(&resolve(&ALGORITHMS, &asked)).map(drop).map_err(|error| error.to_string());
            assert_eq!(outcome.is_ok(), works, "{} on {}: {outcome:?}", member.name, encoding.name);
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    for family in [&CROSSOVER as &dyn Catalog, &MUTATION, &SCHEDULE, &TOPOLOGY] {
        for member in family.members() {
            let wrong = spec(&format!("{}x", member.name), &[]);
            let error = family.resolve(&wrong, Place::default());
            let Err(SpecError::UnknownName { known, .. }) = error else { panic!("{error:?}") };
            assert_eq!(known[0], member.name);
        }
    }
}
