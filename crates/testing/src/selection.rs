//! Selections pick individuals that exist, better ones more often, equal ones equally often.

use kenga_core::search::operators::selection::SELECTION;
use kenga_core::spec::Spec;

use super::setup::rng;

/// `rounds` generations of as many picks as there are individuals, or one more where that is odd.
pub fn picks(setting: &Spec, scores: &[f64], rounds: usize, stream: &str) -> Vec<usize> {
    let (mut selection, mut rng) = (SELECTION.build(setting), rng(stream));
    let count = scores.len().next_multiple_of(2);
    let mut picks = Vec::new();
    for round in 0..rounds {
        selection.prepare(scores, count, round as f64 / rounds as f64, &mut rng);
        for _ in 0..count {
            picks.push(selection.pick(scores, &mut rng));
        }
    }
    picks
}

fn samples(count: usize) -> Vec<Vec<f64>> {
    let mut rng = rng("scores");
    let ascending = (0..count).map(|index| index as f64).collect();
    let random = (0..count).map(|_| rng.below(1000) as f64).collect();
    let mut one_large = vec![0.0; count];
    one_large[count / 2] = f64::from(u32::MAX);
    vec![vec![0.0; count], vec![7.0; count], ascending, random, one_large]
}

/// Picks are in range, and the same for the same stream.
pub(super) fn check_picks(settings: &[Spec]) {
    for setting in settings {
        for scores in [1, 2, 3, 7, 80].into_iter().flat_map(samples) {
            let picked = picks(setting, &scores, 3, "picks");
            assert!(picked.iter().all(|index| *index < scores.len()), "{setting:?} {scores:?}");
            assert_eq!(picked, picks(setting, &scores, 3, "picks"), "{setting:?}");
        }
    }
}

/// Equal scores are picked equally often.
pub(super) fn check_equal_scores(settings: &[Spec]) {
    for setting in settings {
        for score in [0.0, 7.0] {
            let mut counts = [0u32; 20];
            for index in picks(setting, &[score; 20], 500, "equal") {
                counts[index] += 1;
            }
            // Five standard deviations of a binomial count: 5 * sqrt(10000 / 20) = 112.
            assert!(counts.iter().all(|count| count.abs_diff(500) < 112), "{setting:?} {counts:?}");
        }
    }
}

/// The mean score of those that are picked of the scores 0 to 79. That of uniform picks is 39.5, and strays by 23.1 / sqrt(8000) = 0.26.
pub fn mean_score(setting: &Spec) -> f64 {
    let scores: Vec<f64> = (0..80).map(|index| f64::from(index * 37 % 80)).collect();
    let picked = picks(setting, &scores, 100, "better");
    picked.iter().map(|index| scores[*index]).sum::<f64>() / picked.len() as f64
}

/// Better scores are never picked less often.
pub(super) fn check_better_scores(settings: &[Spec]) {
    for setting in settings {
        let mean = mean_score(setting);
        assert!(mean > 39.5 - 5.0 * 0.26, "selection {setting:?} picks a mean score of {mean}, chance 39.5");
    }
}
