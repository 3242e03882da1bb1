//! What the tables promise together.

use kenga::search::operators::{crossover::CROSSOVER, mutation::MUTATION};
use kenga::search::{encodings::of_puzzles, families};
use kenga::spec::{Catalog, SpecError};
use kenga_testing::setup::{defaults, lists_others, spec};

#[test]
fn families_have_unique_names_and_say_what_they_are() {
    let mut names: Vec<_> = families().iter().map(|family| family.family()).collect();
    assert!(families().iter().all(|family| !family.about().is_empty()));
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn members_fit_the_encodings_that_they_name_and_no_other() {
    for family in families() {
        for member in family.members() {
            // Whether a member that lists others fits depends on its list.
            for encoding in of_puzzles().into_iter().filter(|_| !lists_others(member)) {
                let works = member.encodings.is_empty() || member.encodings.contains(&encoding.name);
                let outcome = family.fits(&defaults(family, member), encoding);
                assert_eq!(
                    outcome.is_ok(),
                    works,
                    "{} {} on {}",
                    family.family(),
                    member.name,
                    encoding.name
                );
                assert!(works || matches!(outcome, Err(SpecError::Encoding { .. })));
            }
        }
    }
}

#[test]
fn every_encoding_has_a_crossover_and_a_mutation() {
    for encoding in of_puzzles() {
        for family in [&CROSSOVER as &dyn Catalog, &MUTATION] {
            let fits = |name: &str| family.fits(&spec(name, &[]), encoding).is_ok();
            assert!(family.members().iter().any(|member| fits(member.name)), "{}", encoding.name);
        }
    }
}
