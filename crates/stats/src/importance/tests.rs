//! Shares of known parts, and floors under noise.

use super::*;
use crate::testing::{assert_close, draws};

/// All settings of a grid with their responses.
fn table(levels: &[usize], response: impl Fn(&[usize]) -> f64) -> (Vec<usize>, Vec<f64>) {
    let cells = 0..levels.iter().product();
    let rows: Vec<Vec<usize>> = cells.map(|cell| combination(levels, cell)).collect();
    let responses = rows.iter().map(|row| response(row)).collect();
    (rows.concat(), responses)
}

fn found(levels: &[usize], response: impl Fn(&[usize]) -> f64) -> Importance {
    let (settings, responses) = table(levels, response);
    importance(levels, &settings, &responses).expect("the grid is full")
}

/// Reference values: statsmodels 0.15, stats.anova_lm of ols("y ~ C(a) * C(b) + C(a) * C(c) + C(b) * C(c)"), sums
/// of squares over their total, for y = (17 a + 5 b + 3 c + 7 a b + 11 a b c) mod 19.
#[test]
fn shares_are_those_of_the_analysis_of_variance() {
    let found = found(&[3, 4, 2], |row| {
        let (a, b, c) = (row[0], row[1], row[2]);
        ((17 * a + 5 * b + 3 * c + 7 * a * b + 11 * a * b * c) % 19) as f64
    });
    assert_close(found.variance, 32.159_722_222_222_22, 1e-12);
    assert_close(found.main[0], 0.045_454_545_454_545_41, 1e-9);
    assert_close(found.main[1], 0.185_920_967_393_651_5, 1e-9);
    assert_close(found.main[2], 0.055_279_637_227_380_79, 1e-9);
    assert_close(found.pairs[0].share, 0.325_523_645_001_079_2, 1e-9);
    assert_close(found.pairs[1].share, 0.132_908_659_036_925_4, 1e-9);
    assert_close(found.pairs[2].share, 0.022_889_224_789_462_304, 1e-9);
    assert_close(found.higher, 0.232_023_321_096_955_45, 1e-9);
}

#[test]
fn parts_are_where_they_were_put() {
    let alone = found(&[3, 2, 4], |row| 5.0 * row[1] as f64);
    assert_eq!((alone.main, alone.higher), (vec![0.0, 1.0, 0.0], 0.0));
    let pair = found(&[2, 2], |row| ((row[0] + row[1]) % 2) as f64);
    assert_eq!(
        (pair.main, pair.pairs),
        (vec![0.0, 0.0], vec![PairShare { first: 0, second: 1, share: 1.0 }])
    );
    let three = found(&[2, 2, 2], |row| (row.iter().sum::<usize>() % 2) as f64);
    assert_close(three.higher, 1.0, 1e-12);
}

#[test]
fn replicates_are_averaged_and_order_is_no_matter() {
    let levels = [2, 3];
    let (mut settings, mut responses) = table(&levels, |row| (row[0] * 4 + row[1]) as f64);
    let once = importance(&levels, &settings, &responses).expect("the grid is full");
    settings.extend([1, 2, 1, 2]);
    responses.extend([5.0, 7.0]);
    let again = importance(&levels, &settings, &responses).expect("the grid is full");
    assert_close(again.main[0], once.main[0], 1e-12);
}

#[test]
fn responses_that_never_vary_explain_nothing() {
    let flat = found(&[2, 3], |_| 0.1);
    assert_eq!(
        flat,
        Importance {
            variance: 0.0,
            main: vec![0.0; 2],
            pairs: vec![PairShare { first: 0, second: 1, share: 0.0 }],
            higher: 0.0
        }
    );
    let one = importance(&[1], &[0], &[3.0]).expect("the grid is full");
    assert_eq!(one.main, [0.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let message = |levels: &[usize], settings: &[usize], responses: &[f64]| {
        importance(levels, settings, responses).expect_err("it does not fit").to_string()
    };
    assert_eq!(message(&[2, 2], &[0, 0, 1], &[1.0]), "1 responses need 2 levels each, not 3 in all");
    assert_eq!(message(&[2], &[0, 2], &[1.0, 2.0]), "factor 0 has levels 0 to 1, not 2");
    assert_eq!(message(&[2], &[0, 1], &[1.0, f64::INFINITY]), "response 1 is not finite");
    let hole = message(&[2, 2], &[0, 0, 0, 1, 1, 1], &[1.0; 3]);
    assert_eq!(hole, "no response at levels [1, 0]: the grid is not full");
    assert_eq!(message(&[2], &[], &[]), "no response at levels [0]: the grid is not full");
    let vast = message(&[1 << 40, 1 << 40], &[0, 0], &[1.0]);
    assert_eq!(vast, "no response at levels [0, 1]: the grid is not full");
}

/// All settings of two factors with 6 and 5 levels.
fn noisy(response: impl Fn(usize, usize) -> f64) -> (Vec<usize>, Vec<f64>) {
    let cells = (0..6).flat_map(|a| (0..5).map(move |b| (a, b)));
    let (rows, responses): (Vec<[usize; 2]>, Vec<f64>) = cells.map(|(a, b)| ([a, b], response(a, b))).unzip();
    (rows.concat(), responses)
}

#[test]
fn a_factor_of_nothing_rarely_rises_above_the_floor() {
    let mut above = 0;
    for seed in 0..60 {
        let mut noise = draws(seed);
        let values: Vec<f64> = (0..30).map(|_| noise(1_000_000) as f64).collect();
        // The other factor does a lot, which must not hide what this one does.
        let (settings, responses) = noisy(|a, b| values[a * 5 + b] + 3e6 * b as f64);
        let found = importance(&[6, 5], &settings, &responses).expect("a full grid");
        let floor = importance_floors(&[6, 5], &settings, &responses, 199, &mut draws(seed + 1000))
            .expect("a full grid");
        assert!(found.main[1] > floor.main[1]);
        above += usize::from(found.main[0] > floor.main[0]);
    }
    assert!(above <= 7, "{above} of 60");
}

#[test]
fn of_factors_and_of_pairs_without_effect_one_exceeds_its_floor_in_few_experiments() {
    let levels = [3, 3, 3, 2];
    let shuffles = 2 * ImportanceFloors::fewest_shuffles(levels.len()) + 1;
    let (mut main, mut pairs) = (0, 0);
    for seed in 0..120 {
        let mut noise = draws(seed);
        let values: Vec<f64> = (0..54).map(|_| noise(1_000_000) as f64).collect();
        let (settings, responses) = table(&levels, |row| {
            values[row.iter().zip(levels).fold(0, |cell, (level, count)| cell * count + level)]
        });
        let found = importance(&levels, &settings, &responses).expect("a full grid");
        let floors = importance_floors(&levels, &settings, &responses, shuffles, &mut draws(seed + 1000))
            .expect("a full grid");
        main += usize::from((0..4).any(|factor| found.main[factor] > floors.main[factor]));
        pairs += usize::from((0..6).any(|pair| found.pairs[pair].share > floors.pairs[pair].share));
    }
    // 13 or more of 120 have a chance below 1 % where it is 5 % in each.
    assert!(main <= 12 && pairs <= 12, "of 120 experiments {main} and {pairs}");
}

#[test]
fn pairs_have_a_floor_and_what_never_varies_has_none() {
    let (settings, responses) = noisy(|a, b| if (a + b) % 2 == 0 { 1.0 } else { 0.0 });
    let floor = importance_floors(&[6, 5], &settings, &responses, 99, &mut draws(1)).expect("full");
    let found = importance(&[6, 5], &settings, &responses).expect("a full grid");
    assert!(
        (floor.pairs[0].share - found.pairs[0].share).abs() < 1e-9,
        "of two factors a pair is all that is left"
    );
    let (settings, responses) = noisy(|_, _| 0.1);
    let floor = importance_floors(&[6, 5], &settings, &responses, 99, &mut draws(1)).expect("full");
    assert_eq!(
        floor,
        ImportanceFloors { main: vec![0.0; 2], pairs: vec![PairShare { first: 0, second: 1, share: 0.0 }] }
    );
    let none = importance_floors(&[6, 5], &settings, &responses, 0, &mut draws(1)).expect("full");
    assert_eq!(none.main, [0.0; 2]);
}
