//! Algorithms keep their budgets, tell the truth, and repeat themselves, whatever operators they have.

use kenga_core::budget::{Budget, StopReason};
use kenga_core::problem::GenomeShape;
use kenga_core::search::algorithms::recipe;
use kenga_core::search::encodings::{ENCODINGS, is_of_problems};
use kenga_core::spec::{Catalog, DefaultValue, Member, ParamKind, Spec, Value};

use super::setup::{has_defaults, named, resolve, settings_of, spec};
use super::{ALGORITHMS, Field, kenken};

/// Numbers of evaluations, below, at and above the usual population.
pub const BUDGETS: [u64; 5] = [1, 7, 79, 81, 1003];

/// The spec with a value under a key.
pub fn with(spec: &Spec, key: &str, value: Value) -> Spec {
    let mut spec = spec.clone();
    spec.set(named(key, value));
    spec
}

/// The genetic algorithm on an encoding, with the operators that it has there by default.
pub fn genetic(encoding: &str) -> Spec {
    spec("genetic", &[("encoding", Value::Text(encoding.to_owned()))])
}

/// Genetic algorithms of any population with the member in its slot keep every budget and repeat themselves, on every encoding
/// that it works on.
pub(super) fn check_slot(slot: &dyn Catalog, settings: &[Spec]) {
    for (field, encoding) in fields() {
        // Of its settings the first: its defaults, or, of a member that lists others, a list that fits.
        if let Some(setting) = settings.iter().find(|setting| slot.fits(setting, encoding).is_ok()) {
            let value = Value::Spec(setting.clone());
            check_populations(&field, &with(&genetic(encoding.name), slot.family(), value));
        }
    }
}

/// A field for every encoding: a KenKen, or a problem of the user's own, that it holds. One without any is left out.
fn fields() -> Vec<(Field, &'static Member)> {
    let grounds = [
        Field::new(kenken(4, 3)),
        Field::of_genomes(&GenomeShape::Values(vec![[0, 9], [2, 2], [1, 60], [0, 1], [0, 9]])),
        Field::of_genomes(&GenomeShape::Permutations(vec![7, 1, 2])),
    ];
    let mut fields = Vec::new();
    for field in grounds {
        for encoding in ENCODINGS.members() {
            if field.fits(encoding) {
                fields.push((field.clone(), encoding));
            }
        }
    }
    fields
}

/// A genetic algorithm keeps every budget with every population, and repeats itself.
pub fn check_populations(field: &Field, setting: &Spec) {
    for population in [1, 2, 3, 7, 80] {
        let setting = with(setting, "population", Value::Integer(population));
        for budget in BUDGETS {
            let first = field.run(&setting, budget, None);
            assert!(
                budget == 1003 || first == field.run(&setting, budget, None),
                "{setting:?} repeats itself"
            );
        }
    }
}

/// Evaluations, and moves that end a search which spends no evaluations.
pub(super) fn within(evaluations: u64) -> Budget {
    Budget { evaluations: Some(evaluations), moves: Some(3000), ..Budget::default() }
}

/// The algorithm keeps its budgets with every value of its parameters, repeats itself, and solves what has one grid.
pub(super) fn check(member: &'static Member) {
    let (field, tiny) = (Field::new(kenken(4, 3)), Field::new(kenken(1, 3)));
    if !has_defaults(member) {
        return;
    }
    for setting in settings_of(&ALGORITHMS, member) {
        // Values at the ends of two parameters may not go together.
        if recipe(&setting).is_ok() {
            field.run_within(&setting, within(300), None);
        }
    }
    for (field, encoding) in fields() {
        // One that is made of others has their encodings, which are those of puzzles.
        if is_of_problems(encoding.name) && !has_encoding(member) {
            continue;
        }
        let setting = on_encoding(member, encoding);
        let made = recipe(&resolve(&ALGORITHMS, &setting)).map(drop);
        assert_eq!(made.is_ok(), member.works_on(encoding), "{} on {}: {made:?}", member.name, encoding.name);
        if made.is_err() {
            continue;
        }
        for evaluations in BUDGETS {
            let first = field.run_within(&setting, within(evaluations), None);
            let again = field.generations_within(&setting, within(evaluations));
            assert_eq!(first, again, "{setting:?} repeats itself, a generation at a time");
        }
        if tiny.fits(encoding) {
            let (outcome, _) = tiny.run_within(&setting, within(1000), None);
            assert_eq!(outcome.stop, StopReason::Solved, "{setting:?} on a puzzle of one cell");
        }
    }
}

/// Every algorithm that works on an encoding keeps its budgets there.
pub(super) fn check_encoding(encoding: &'static Member) {
    let Some((field, _)) = fields().into_iter().find(|(_, held)| held.name == encoding.name) else { return };
    for member in ALGORITHMS.members() {
        if has_encoding(member) && has_defaults(member) && member.works_on(encoding) {
            let setting = on_encoding(member, encoding);
            for evaluations in BUDGETS {
                field.run_within(&setting, within(evaluations), None);
            }
        }
    }
}

/// The algorithm on an encoding; the algorithm that is a part of it is one that works there.
pub(super) fn on_encoding(member: &Member, encoding: &Member) -> Spec {
    let mut setting = Spec::named(member.name);
    if has_encoding(member) {
        setting = with(&setting, "encoding", Value::Text(encoding.name.to_owned()));
    }
    for param in member.params {
        if let (ParamKind::Member(family), DefaultValue::Text(part)) = (param.kind, param.default)
            && family.family() == ALGORITHMS.family()
            && family.fits(&Spec::named(part), encoding).is_err()
        {
            setting = with(&setting, param.name, Value::Text("hill_climbing".to_owned()));
        }
    }
    setting
}

/// Whether the encoding is a parameter of the algorithm.
pub(super) fn has_encoding(member: &Member) -> bool {
    member.params.iter().any(|param| param.name == "encoding")
}
