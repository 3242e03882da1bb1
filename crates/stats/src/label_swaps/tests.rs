use super::*;
use crate::testing::assert_close;
use kenga_core::rng::StreamKey;

fn bits(seed: u64) -> impl FnMut() -> u64 {
    let mut rng = StreamKey::run(seed, "exchanges", 0).rng();
    move || u64::from(rng.bits()) << 32 | u64::from(rng.bits())
}

/// Outcomes of `n` starts: each setting solves a share of them, in times around its mean, within a budget of 100.
fn outcomes(seed: u64, n: usize, mean: f64) -> Vec<Outcome> {
    let mut rng = StreamKey::run(seed, "outcomes", 0).rng();
    let mut outcomes = Vec::new();
    for _ in 0..n {
        let time = -mean * (1.0 - rng.unit()).ln();
        outcomes.push(Outcome { spent: time.min(100.0), solved: f64::from(u8::from(time <= 100.0)) });
    }
    outcomes
}

/// The statistics by their definition, of pairs some of which are exchanged.
fn defined(pairs: &[[Outcome; 2]], exchanged: usize) -> [f64; 3] {
    let mut pairs = pairs.to_vec();
    for (place, pair) in pairs.iter_mut().enumerate() {
        if exchanged >> place & 1 == 1 {
            pair.swap(0, 1);
        }
    }
    let Sums { spent, solved, .. } = Sums::new(&pairs);
    let mut influences = [Vec::new(), Vec::new(), Vec::new()];
    for [a, b] in &pairs {
        let first = spent[0] * b.solved + a.spent * solved[1];
        influences[0].push(first - spent[1] * a.solved - b.spent * solved[0]);
        influences[1].push(a.spent - b.spent);
        influences[2].push(a.solved - b.solved);
    }
    influences.map(|parts| {
        let squares: f64 = parts.iter().map(|part| part * part).sum();
        if squares > 0.0 { parts.iter().sum::<f64>().abs() / squares.sqrt() } else { 0.0 }
    })
}

/// The statistic of the cost of a solution.
fn seen_of_cost(test: &SwapTest) -> f64 {
    test.ratios.statistic(1.0)
}

#[test]
fn p_values_count_the_exchanges_that_are_as_extreme() {
    for seed in 0..6 {
        let (a, b) = (outcomes(seed, 9, 40.0), outcomes(seed + 50, 9, 120.0));
        let pairs: Vec<[Outcome; 2]> = a.iter().copied().zip(b.iter().copied()).map(Into::into).collect();
        let test = SwapTest::new(&[[a, b]], true, &mut bits(1)).expect("a puzzle");
        let seen = defined(&pairs, 0);
        // The p-value of the cost may be larger, for the sake of failures that were not seen.
        let exchanges = [test.cost.p(seen_of_cost(&test)), test.spent_p, test.share_p];
        assert!(test.p >= exchanges[0]);
        for (claim, p) in exchanges.into_iter().enumerate() {
            let mut count = 0;
            for exchanged in 0..1 << 9 {
                count += u32::from(defined(&pairs, exchanged)[claim] >= seen[claim] * (1.0 - 1e-9));
            }
            assert_close(p, f64::from(count) / 512.0, 1e-12);
        }
        assert!(test.any_p <= 3.0 * test.p.min(test.spent_p).min(test.share_p));
    }
}

#[test]
fn the_interval_excludes_one_exactly_if_the_test_is_significant() {
    let mut shown = 0;
    for seed in 0..16 {
        for n in [4, 7, 12, 20, 40] {
            for are_paired in [true, false] {
                let puzzle = [outcomes(seed, n, 60.0), outcomes(seed + 900, n, 140.0)];
                let test = SwapTest::new(&[puzzle], are_paired, &mut bits(seed)).expect("a puzzle");
                for alpha in [0.05, 0.01, 0.0005] {
                    let Interval { low, high } = test.ratio_interval(alpha, true);
                    let ratio = test.ratio.expect("they spend calls");
                    assert!(low <= ratio && ratio <= high, "{low} {ratio} {high}");
                    assert_eq!(
                        test.p < alpha,
                        low > 1.0 || high < 1.0,
                        "{seed} {n} {are_paired} {alpha}: {}",
                        test.p
                    );
                    let wider = test.ratio_interval(alpha, false);
                    assert!(wider.low <= low && high <= wider.high);
                    shown += usize::from(test.p < alpha);
                }
            }
        }
    }
    assert!((50..400).contains(&shown), "{shown}");
}

#[test]
fn equal_settings_are_told_apart_as_often_as_the_level_says() {
    let (mut paired, mut dealt, mut any) = (0, 0, 0);
    for seed in 0..150 {
        let puzzle = [outcomes(seed, 16, 70.0), outcomes(seed + 4000, 16, 70.0)];
        let test = |are_paired| {
            SwapTest::new(std::slice::from_ref(&puzzle), are_paired, &mut bits(seed)).expect("a puzzle")
        };
        paired += u32::from(test(true).p < 0.05);
        dealt += u32::from(test(false).p < 0.05);
        any += u32::from(test(true).any_p < 0.05);
    }
    // 150 tests at 5 %: 7.5 with a standard deviation of 2.7.
    assert!((1..=17).contains(&paired) && (1..=17).contains(&dealt) && any <= 17, "{paired} {dealt} {any}");
}

/// One setting always solves, the other fails rarely and dearly, and a solution costs the same.
#[test]
fn rare_failures_that_few_starts_show_are_no_difference_of_costs() {
    let (mut shown, mut without) = (0, 0);
    for seed in 0..200 {
        let mut rng = StreamKey::run(seed, "rare", 0).rng();
        let mut steady = Vec::new();
        let mut quick = Vec::new();
        for _ in 0..60 {
            steady.push(Outcome { spent: 0.84 + 0.2 * rng.unit(), solved: 1.0 });
            let fails = rng.coin(0.086);
            let spent = if fails { 1.0 } else { 0.746 + 0.2 * rng.unit() };
            quick.push(Outcome { spent, solved: f64::from(u8::from(!fails)) });
        }
        let test = SwapTest::new(&[[steady, quick]], true, &mut bits(seed)).expect("runs");
        shown += u32::from(test.p < 0.05);
        without += u32::from(test.cost.p(test.ratios.statistic(1.0)) < 0.05);
    }
    assert!(shown <= 18 && without > shown, "{shown} {without}");
}

/// Of times without failures the test is Student's of the differences, and the largest statistic is that of any claim.
#[test]
fn without_failures_the_statistic_is_students() {
    let mut units = Vec::new();
    for unit in 0..9 {
        let of = |spent: f64| Outcome { spent, solved: 1.0 };
        units.push([of(10.0 + f64::from(unit * unit % 7)), of(12.0 + f64::from(unit % 4))]);
    }
    // Student's test has no scale: shares of a hundred are within their range.
    let differences: Vec<f64> = units.iter().map(|[a, b]| (b.spent - a.spent) / 100.0).collect();
    let test = SwapTest::over_units(units).expect("units");
    let student = crate::mean_share_difference(&differences, crate::Z_95).expect("differences");
    assert_close(test.spent_p, student.p, 1e-9);
    assert_close(test.p, student.p, 1e-9);
    assert_close(test.any_p, student.p, 1e-9);
}

#[test]
fn a_setting_that_never_solves_leaves_one_end_open() {
    let solving = vec![Outcome { spent: 10.0, solved: 1.0 }; 12];
    let failing = vec![Outcome { spent: 100.0, solved: 0.0 }; 12];
    for are_paired in [true, false] {
        let test =
            SwapTest::new(&[[solving.clone(), failing.clone()]], are_paired, &mut bits(1)).expect("runs");
        let Interval { low, high } = test.ratio_interval(0.05, true);
        assert_eq!((test.ratio, high), (Some(f64::INFINITY), f64::INFINITY));
        assert!(test.p < 0.01 && low > 1.0 && low < 1e4, "{low} {}", test.p);
        let back =
            SwapTest::new(&[[failing.clone(), solving.clone()]], are_paired, &mut bits(1)).expect("runs");
        let Interval { low, high } = back.ratio_interval(0.05, true);
        assert_eq!((back.ratio, low), (Some(0.0), 0.0));
        assert!(high < 1.0 && high > 0.0, "{high}");
    }
    let none = SwapTest::new(&[[failing.clone(), failing]], true, &mut bits(1)).expect("runs");
    assert_eq!((none.p, none.share_p, none.ratio), (1.0, 1.0, None));
}

#[test]
fn joined_identical_runs_change_nothing_and_few_starts_cannot_tell() {
    let (a, b) = (outcomes(3, 30, 50.0), outcomes(77, 30, 110.0));
    let once = SwapTest::new(&[[a.clone(), b.clone()]], true, &mut bits(5)).expect("runs");
    // A puzzle that stands in the sample twice as often counts alike, so that its weight is what decides.
    let halves = [[a[..10].to_vec(), b[..10].to_vec()], [a[10..].to_vec(), b[10..].to_vec()]];
    let weighted = SwapTest::new(&halves, true, &mut bits(5)).expect("runs");
    assert!(weighted.p < 0.2 && (once.p - weighted.p).abs() < 0.2);
    let five = SwapTest::new(&[[a[..5].to_vec(), b[..5].to_vec()]], true, &mut bits(5)).expect("runs");
    assert_eq!(five.least_p, 0.0625);
    assert_eq!(five.ratio_interval(0.05, true).high, f64::INFINITY);
}

#[test]
fn the_next_puzzle_has_students_test_and_settings_that_hardly_differ_are_equivalent() {
    let mut units = Vec::new();
    for puzzle in 0..12 {
        let spent = 10.0 + f64::from(puzzle);
        let of = |factor: f64| Outcome { spent: spent * factor, solved: 1.0 };
        units.push([of(1.0), of(1.02 + 0.01 * f64::from(puzzle % 3))]);
    }
    let test = SwapTest::over_units(units).expect("puzzles");
    assert!(test.p < 0.001 && test.equivalence_p(1.25) < 0.001 && test.equivalence_p(1.001) > 0.5);
    let Interval { low, high } = test.ratio_interval(0.05, true);
    assert!(1.0 < low && high < 1.1, "{low} {high}");
    let aim = Aim::default();
    assert!(test.units_for(1.001, aim) > test.units_for(1.25, aim));
    let equal = vec![[Outcome { spent: 1.0, solved: 1.0 }, Outcome { spent: 2.0, solved: 1.0 }]; 5];
    assert_eq!(SwapTest::over_units(equal).expect("puzzles").p, 0.0625);
}
