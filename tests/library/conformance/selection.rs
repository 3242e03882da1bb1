//! What some selections promise and others do not.

use kenga::search::operators::selection::SELECTION;
use kenga::spec::Catalog;
use kenga_testing::selection::{mean_score, picks};
use kenga_testing::setup::{defaults, settings};

#[test]
fn all_but_the_uniform_selection_prefer_better_scores() {
    for member in SELECTION.members().iter().filter(|member| member.name != "uniform") {
        assert!(mean_score(&defaults(&SELECTION, member)) > 43.0, "{}", member.name);
    }
}

#[test]
fn who_scores_nothing_is_not_picked_beside_someone_who_does_by_shares() {
    let scores = [0.0, 5.0, 0.0, 3.0, 0.0];
    for name in ["roulette", "stochastic_universal", "best_ties"] {
        let setting =
            settings(&SELECTION).into_iter().find(|setting| setting.name == name).expect("a member");
        assert!(picks(&setting, &scores, 100, "zero").iter().all(|index| scores[*index] > 0.0), "{name}");
    }
}
