//! Shares of known parts, and floors under noise of which the truth is known.

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

/// The shares of the factors, then of the pairs.
fn shares(found: &Importance) -> Vec<f64> {
    parts(found).iter().map(|part| part.share).collect()
}

/// The factors, then the pairs.
fn parts(found: &Importance) -> Vec<PartShare> {
    found.main.iter().copied().chain(found.pairs.iter().map(|pair| pair.part)).collect()
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
    assert_close(found.main[0].share, 0.045_454_545_454_545_41, 1e-9);
    assert_close(found.main[1].share, 0.185_920_967_393_651_5, 1e-9);
    assert_close(found.main[2].share, 0.055_279_637_227_380_79, 1e-9);
    assert_close(found.pairs[0].part.share, 0.325_523_645_001_079_2, 1e-9);
    assert_close(found.pairs[1].part.share, 0.132_908_659_036_925_4, 1e-9);
    assert_close(found.pairs[2].part.share, 0.022_889_224_789_462_304, 1e-9);
    assert_close(found.higher, 0.232_023_321_096_955_45, 1e-9);
}

#[test]
fn parts_are_where_they_were_put() {
    let alone = found(&[3, 2, 4], |row| 5.0 * row[1] as f64);
    assert_eq!((shares(&alone), alone.higher), (vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 0.0));
    let pair = found(&[2, 2], |row| ((row[0] + row[1]) % 2) as f64);
    assert_eq!(shares(&pair), [0.0, 0.0, 1.0]);
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
    assert_close(again.main[0].share, once.main[0].share, 1e-12);
}

#[test]
fn responses_that_never_vary_explain_nothing() {
    let flat = found(&[2, 3], |_| 0.1);
    assert_eq!((shares(&flat), flat.variance, flat.higher), (vec![0.0; 3], 0.0, 0.0));
    let alone = importance(&[1], &[0], &[3.0]).expect("the grid is full");
    assert_eq!(alone.main, [PartShare { share: 0.0, floor: None }]);
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

/// The importance over a grid with `starts` responses of every setting; `response` takes the levels, then draws.
fn measured(
    levels: &[usize],
    starts: usize,
    seed: u64,
    response: impl Fn(&[usize], &mut dyn FnMut() -> f64) -> f64,
) -> Importance {
    let mut draw = draws(seed);
    let mut uniform = move || (draw(1_000_000) as f64 + 0.5) / 1e6;
    let rows = table(levels, |_| 0.0).0;
    let (mut settings, mut responses) = (Vec::new(), Vec::new());
    for _ in 0..starts {
        for row in rows.chunks(levels.len()) {
            settings.extend(row);
            responses.push(response(row, &mut uniform));
        }
    }
    importance(levels, &settings, &responses).expect("a full grid")
}

/// The time of a run that takes `factor` on average, which counts ten budgets when it fails, as a fifth do with factor 1.
fn penalised(factor: f64, uniform: f64) -> f64 {
    let time = -uniform.ln() * factor;
    if time > 1.609 { 16.09 } else { time }
}

/// In how many of `seeds` experiments a factor exceeds its floor, and in how many a pair does.
fn exceeding(seeds: u64, experiment: impl Fn(u64) -> Importance) -> [usize; 2] {
    let mut count = [0, 0];
    for seed in 0..seeds {
        let found = experiment(seed);
        count[0] += usize::from(found.main.iter().any(|part| part.exceeds() == Some(true)));
        count[1] += usize::from(found.pairs.iter().any(|pair| pair.part.exceeds() == Some(true)));
    }
    count
}

#[test]
fn without_an_effect_a_factor_or_a_pair_exceeds_its_floor_in_one_of_twenty_experiments() {
    let designs: [(&[usize], usize); 5] =
        [(&[2, 2], 5), (&[2, 2], 40), (&[4, 2], 40), (&[4, 3, 3], 3), (&[3, 2, 2], 10)];
    let mut all = [0, 0];
    for (levels, starts) in designs {
        let times =
            exceeding(400, |seed| measured(levels, starts, seed, |_, uniform| penalised(1.0, uniform())));
        let solved = exceeding(400, |seed| {
            measured(levels, starts, seed + 400, |_, uniform| f64::from(u8::from(uniform() < 0.4)))
        });
        // 37 or more of 400 have a chance below 1 in 1000 where it is 5 % in each.
        assert!(times.iter().chain(&solved).all(|count| *count <= 36), "{levels:?}: {times:?} {solved:?}");
        all = [0, 1].map(|kind| all[kind] + times[kind] + solved[kind]);
    }
    // 227 are 5 % of 4000 and two standard errors.
    assert!(all.iter().all(|count| *count <= 227), "{all:?}");
}

#[test]
fn runs_that_are_the_same_under_an_inert_factor_add_no_certainty() {
    let levels = [3, 4];
    let same = exceeding(400, |seed| {
        let times = measured(&[3], 8, seed, |_, uniform| penalised(1.0, uniform()));
        let mut draw = draws(seed);
        let (mut settings, mut responses) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            for level in 0..3 {
                let time = penalised(1.0, (draw(1_000_000) as f64 + 0.5) / 1e6);
                for inert in 0..4 {
                    settings.extend([level, inert]);
                    responses.push(time);
                }
            }
        }
        let found = importance(&levels, &settings, &responses).expect("a full grid");
        assert_close(found.variance, times.variance, 1e-9);
        assert!(found.main[1].share < 1e-9 && found.main[1].exceeds() == Some(false), "{found:?}");
        found
    });
    assert!(same[0] <= 28 && same[1] == 0, "{same:?}");
}

#[test]
fn a_strong_factor_exceeds_its_floor_and_an_inert_one_beside_it_does_not() {
    // Two levels and two, then four and two with 40 starts: the second factor triples the time.
    for (levels, starts) in [(&[2, 2][..], 20), (&[4, 2], 40)] {
        let mut strong = 0;
        let mut inert = 0;
        for seed in 0..200 {
            let found = measured(levels, starts, seed, |row, uniform| {
                penalised(1.0 + 2.0 * row[1] as f64, uniform())
            });
            strong += usize::from(found.main[1].exceeds() == Some(true));
            inert += usize::from(found.main[0].exceeds() == Some(true));
        }
        assert!(strong >= 170 && inert <= 16, "{levels:?}: {strong} {inert}");
    }
    // What two factors do together only has a floor that can be exceeded too.
    let both = |seed| {
        measured(&[2, 2], 20, seed, |row, uniform| {
            penalised(if row[0] == row[1] { 1.0 } else { 6.0 }, uniform())
        })
    };
    assert!(exceeding(100, both)[1] >= 90);
}

/// Reference values: statsmodels 0.15, stats.anova.AnovaRM(data, "y", "start", within = ["a", "b"]), F over the quantiles of
/// scipy 1.17, stats.f.isf(0.05 / 2, 2, 6), f.isf(0.05 / 2, 1, 3) and f.isf(0.05, 2, 6).
#[test]
fn the_ratio_of_share_and_floor_is_that_of_f_and_its_quantile() {
    let (mut settings, mut responses) = (Vec::new(), Vec::new());
    for start in 0..4_usize {
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
            settings.extend([a, b]);
            let noise = (7 * start * start + 11 * a * start + 5 * b * start + 3 * a * b * start) % 7;
            responses.push((4 * a + 5 * b + 6 * a * b + noise) as f64);
        }
    }
    let found = importance(&[3, 2], &settings, &responses).expect("a full grid");
    let expected = [
        491.81249999999994 / 7.259855680060178,
        117.29827915869981 / 17.443443320725112,
        64.31249999999999 / 5.143252849784718,
    ];
    for (part, expected) in parts(&found).iter().zip(expected) {
        assert_close(part.share / part.floor.expect("four starts"), expected, 1e-9);
    }
}

#[test]
fn few_starts_have_no_floor_where_they_are_alike() {
    let alike = |starts| measured(&[2, 2], starts, 1, |row, _| row[0] as f64).main[0];
    assert_eq!([1, 2, 6].map(alike), [PartShare { share: 1.0, floor: None }; 3]);
    // With 7 starts chance makes them alike with probability 1 / 64, less than 1 / 40.
    assert_eq!(alike(7), PartShare { share: 1.0, floor: Some(0.0) });
    let differing = measured(&[2, 2], 2, 1, |_, uniform| uniform());
    assert!(parts(&differing).iter().all(|part| part.floor.is_some()), "{differing:?}");
    let alone = measured(&[2, 2], 1, 1, |_, uniform| uniform());
    assert!(parts(&alone).iter().all(|part| part.floor.is_none() && part.exceeds().is_none()), "{alone:?}");
}
