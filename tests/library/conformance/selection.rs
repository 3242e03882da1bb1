//! Selections pick individuals that exist, better ones more often, equal ones equally often.

use kenga::search::operators::selection::SELECTION;
use kenga::spec::Spec;

use super::setup::{defaults, rng, settings};
use kenga::spec::Catalog;

/// `rounds` generations of as many picks as there are individuals, or one more where that is odd.
fn picks(setting: &Spec, scores: &[f64], rounds: usize, stream: &str) -> Vec<usize> {
    let (mut selection, mut rng) = (SELECTION.build(setting), rng(stream));
    let count = scores.len().next_multiple_of(2);
    let mut picks = Vec::new();
    for round in 0..rounds {
        selection.prepare(scores, count, round as f64 / rounds as f64, &mut rng);
        picks.extend((0..count).map(|_| selection.pick(scores, &mut rng)));
    }
    picks
}

fn samples(count: usize) -> Vec<Vec<f64>> {
    let mut rng = rng("scores");
    vec![
        vec![0.0; count],
        vec![7.0; count],
        (0..count).map(|index| index as f64).collect(),
        (0..count).map(|_| rng.below(1000) as f64).collect(),
        (0..count).map(|index| if index == count / 2 { f64::from(u32::MAX) } else { 0.0 }).collect(),
    ]
}

#[test]
fn picks_are_in_range_and_the_same_for_the_same_stream() {
    for setting in settings(&SELECTION) {
        for scores in [1, 2, 3, 7, 80].into_iter().flat_map(samples) {
            let picked = picks(&setting, &scores, 3, "picks");
            assert!(picked.iter().all(|index| *index < scores.len()), "{setting:?} {scores:?}");
            assert_eq!(picked, picks(&setting, &scores, 3, "picks"), "{setting:?}");
        }
    }
}

#[test]
fn equal_scores_are_picked_equally_often() {
    for (setting, score) in settings(&SELECTION).iter().flat_map(|setting| [(setting, 0.0), (setting, 7.0)]) {
        let mut counts = [0u32; 20];
        picks(setting, &[score; 20], 500, "equal").iter().for_each(|index| counts[*index] += 1);
        // Five standard deviations of a binomial count: 5 * sqrt(10000 / 20) = 112.
        assert!(counts.iter().all(|count| count.abs_diff(500) < 112), "{setting:?} {counts:?}");
    }
}

#[test]
fn better_scores_are_never_picked_less_often() {
    let scores: Vec<f64> = (0..80).map(|index| f64::from(index * 37 % 80)).collect();
    let mean = |setting: &Spec| {
        let picked = picks(setting, &scores, 100, "better");
        picked.iter().map(|index| scores[*index]).sum::<f64>() / picked.len() as f64
    };
    // The mean is 39.5; that of 8000 uniform picks strays by 23.1 / sqrt(8000) = 0.26.
    for setting in settings(&SELECTION) {
        assert!(mean(&setting) > 39.5 - 5.0 * 0.26, "{setting:?}");
    }
    for member in SELECTION.members().iter().filter(|member| member.name != "uniform") {
        assert!(mean(&defaults(&SELECTION, member)) > 43.0, "{}", member.name);
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
