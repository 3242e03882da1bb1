//! The forest against a search over all thresholds, and on a known surface.

use super::*;
use crate::testing::draws;
use kenga_core::rng::{RunRng, StreamKey};

fn rng(seed: u64) -> RunRng {
    StreamKey::run(seed, "forest", 0).rng()
}

fn grow(trees: usize, rows: &[Vec<f64>], targets: &[f64], seed: u64) -> Forest {
    Forest::grow(trees, rows, targets, &mut draws(seed))
}

/// The squared error of the draws of some rows around their mean.
fn squared_error(sample: &TreeSample, rows: &[usize]) -> f64 {
    let mut targets = Vec::new();
    for row in rows {
        targets.extend(vec![sample.targets[*row]; sample.weights[*row].draws as usize]);
    }
    let mean = targets.iter().sum::<f64>() / targets.len() as f64;
    targets.iter().map(|target| (target - mean).powi(2)).sum()
}

/// The squared error after dividing rows by a threshold; none where a part is too small.
fn divided_error(sample: &TreeSample, feature: usize, threshold: f64, rows: &[usize]) -> Option<f64> {
    let is_left = |row: &usize| sample.features[feature].values[*row] <= threshold;
    let (left, right): (Vec<usize>, Vec<usize>) = rows.iter().partition(|row| is_left(row));
    let draws = |rows: &[usize]| rows.iter().map(|row| sample.weights[*row].draws).sum::<u32>();
    let is_allowed = draws(&left) >= LEAF && draws(&right) >= LEAF;
    is_allowed.then(|| squared_error(sample, &left) + squared_error(sample, &right))
}

#[test]
fn a_split_has_the_least_squared_error_of_all_thresholds() {
    let mut rng = rng(1);
    let mut splits = 0;
    for case in 0..300 {
        // Few different values, so that there are ties.
        let count = 2 + rng.below(12);
        let rows: Vec<Vec<f64>> = (0..count).map(|_| vec![rng.below(4) as f64, rng.unit() - 0.5]).collect();
        let targets: Vec<f64> = (0..count).map(|_| rng.below(5) as f64).collect();
        for feature in 0..2 {
            let mut sample = TreeSample::new(&rows, &targets);
            sample.draw_rows(&mut draws(case));
            let part = 0..sample.features[0].drawn.len();
            let drawn: Vec<usize> = sample.rows(&part).iter().map(|row| *row as usize).collect();
            let thresholds = drawn.iter().map(|row| rows[*row][feature]);
            let errors = thresholds.filter_map(|value| divided_error(&sample, feature, value, &drawn));
            let least = errors.fold(f64::INFINITY, f64::min);
            let (whole, weight) = (squared_error(&sample, &drawn), sample.weight(&part));
            let Some(split) = sample.best_split_by(feature, &part, weight, 0.0) else {
                assert!(least > whole - 1e-9, "case {case}: {least} is less than {whole}");
                continue;
            };
            splits += 1;
            let found = divided_error(&sample, feature, split.threshold, &drawn).expect("large parts");
            assert!((found - least).abs() < 1e-9, "case {case}: {found} is not {least}");
            let saved = split.gain / f64::from(weight.draws);
            assert!((whole - saved - least).abs() < 1e-9, "case {case} saves {saved}");
            let middle = sample.divide(&part, &split);
            for place in part {
                let row = sample.features[1 - feature].drawn[place] as usize;
                assert_eq!(place < middle, rows[row][feature] <= split.threshold, "case {case}");
            }
        }
    }
    assert!(splits > 300, "{splits} splits show little");
}

#[test]
fn a_threshold_divides_neighbours_and_far_apart_numbers() {
    for (low, high) in [(1.0, 1.0_f64.next_up()), (-f64::MAX, f64::MAX), (0.0, f64::from_bits(1))] {
        let threshold = between(low, high);
        assert!(low <= threshold && threshold < high, "{threshold}");
    }
    assert_eq!(between(-1.0, 2.0), 0.5);
}

#[test]
fn a_forest_learns_a_step_and_is_the_same_for_the_same_draws() {
    let mut rng = rng(1);
    let rows: Vec<Vec<f64>> = (0..60).map(|_| vec![rng.unit(), rng.unit()]).collect();
    let targets: Vec<f64> = rows.iter().map(|row| if row[0] < 0.5 { 1.0 } else { 4.0 }).collect();
    let ask = [vec![0.1, 0.5], vec![0.9, 0.5]];
    let forest = grow(200, &rows, &targets, 7);
    let found = forest.predict(&ask);
    assert!(found[0] < 1.5 && found[1] > 3.5, "{found:?}");
    assert_eq!(found, grow(200, &rows, &targets, 7).predict(&ask));
    assert_ne!(found, grow(200, &rows, &targets, 8).predict(&ask));
    assert!(forest.predict(&[]).is_empty());
}

#[test]
fn equal_targets_are_predicted_exactly() {
    let rows = vec![vec![0.5, 1.0], vec![0.25, 1.0], vec![0.125, 2.0], vec![2.0, 3.0]];
    assert_eq!(grow(20, &rows, &[7.0; 4], 1).predict(&rows), [7.0; 4]);
    assert_eq!(grow(20, &rows[..1], &[7.0], 1).predict(&rows), [7.0; 4]);
}

/// Ten uniform features of which five count: J. H. Friedman 1991, Multivariate adaptive regression splines,
/// doi:10.1214/aos/1176347963, equation 61; with noise of a standard deviation of about 1.
fn surface(count: usize, noise: f64, rng: &mut RunRng) -> (Vec<Vec<f64>>, Vec<f64>) {
    let rows: Vec<Vec<f64>> = (0..count).map(|_| (0..10).map(|_| rng.unit()).collect()).collect();
    let target = |x: &Vec<f64>| {
        let sum: f64 = (0..12).map(|_| rng.unit()).sum();
        let wave = (std::f64::consts::PI * x[0] * x[1]).sin();
        10.0 * wave + 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4] + noise * (sum - 6.0)
    };
    let targets = rows.iter().map(target).collect();
    (rows, targets)
}

#[test]
fn a_forest_predicts_a_surface_that_it_has_not_seen() {
    let mut rng = rng(2);
    let (rows, targets) = surface(300, 1.0, &mut rng);
    let (asked, measured) = surface(500, 0.0, &mut rng);
    let found = grow(100, &rows, &targets, 3).predict(&asked);
    let mean = measured.iter().sum::<f64>() / 500.0;
    let squares = |of: &dyn Fn(usize) -> f64| (0..500).map(|row| of(row).powi(2)).sum::<f64>();
    let r2 = 1.0 - squares(&|row| found[row] - measured[row]) / squares(&|row| mean - measured[row]);
    assert!(r2 > 0.7 && r2 < 0.9, "{r2}");
}

#[test]
fn a_forest_is_the_same_on_every_platform() {
    let mut rng = rng(3);
    let rows: Vec<Vec<f64>> = (0..50).map(|_| (0..4).map(|_| rng.unit()).collect()).collect();
    let targets: Vec<f64> = rows.iter().map(|x| x[0] * x[1] - x[2]).collect();
    let found = grow(10, &rows, &targets, 5).predict(&rows[..2]);
    assert_eq!(found, [-0.6835342783947832, -0.09730220501251159]);
}
