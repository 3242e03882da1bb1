//! What is planted is found, and nothing where there is nothing.

use super::*;
use crate::study::Feature;
use kenga_core::rng::RunRng;

const OPTIONS: HardnessOptions = HardnessOptions { seed: 1, folds: 5, factor: 2.0 };

/// Features `a` to `d`, uniform and independent, of some puzzles.
fn table(puzzles: usize, rng: &mut RunRng) -> FeatureTable {
    let ids: Vec<String> = (0..puzzles).map(|puzzle| format!("p{puzzle:03}")).collect();
    let mut column = |name: &str| {
        let values = ids.iter().map(|id| (id.clone(), rng.unit())).collect();
        Feature { name: name.to_owned(), values }
    };
    let features = ["a", "b", "c", "d"].map(&mut column).to_vec();
    FeatureTable { puzzles: ids.into_iter().collect(), features, words: Vec::new(), group: None }
}

/// Times of settings that are powers of ten.
fn times(table: &FeatureTable, settings: &[&dyn Fn(&str) -> f64]) -> Times {
    let puzzles: Vec<String> = table.puzzles.iter().cloned().collect();
    let setting = |(index, decades): (usize, &&dyn Fn(&str) -> f64)| {
        let par10: Vec<f64> = puzzles.iter().map(|puzzle| 10f64.powf(decades(puzzle))).collect();
        let solved = vec![1.0; puzzles.len()];
        let own = PuzzleTimes { par10, solved };
        let identity = format!("configuration {index}");
        MeasuredTimes { name: format!("s{index}"), identity, budget: 1e9, cut: own.clone(), own }
    };
    let settings = settings.iter().enumerate().map(setting).collect();
    Times { budget: 1e9, settings, partial: 0, puzzles }
}

fn value(table: &FeatureTable, feature: usize, puzzle: &str) -> f64 {
    table.features[feature].values[puzzle]
}

fn found(times: Times, table: &FeatureTable) -> Hardness {
    let found = of_times(times, table, str::to_owned, OPTIONS, &Interrupt::default());
    found.expect("enough puzzles").expect("nothing interrupts")
}

#[test]
fn a_planted_relation_is_found_and_its_feature_is_the_most_important() {
    let mut rng = StreamKey::run(3, "planted", 0).rng();
    let table = table(60, &mut rng);
    let of_b = |puzzle: &str| 2.0 + 3.0 * value(&table, 1, puzzle);
    let found = found(times(&table, &[&of_b]), &table);
    let setting = &found.settings[0];
    let quality = setting.quality.as_ref().expect("the times vary");
    assert!(quality.r2.value > 0.8 && quality.r2.interval.low > 0.5, "{quality:?}");
    assert!(
        quality.rho.is_some_and(|rho| rho.value > 0.9) && quality.rmse.value < quality.rmse_of_mean.value
    );
    let slope = quality.slope.expect("predictions vary");
    assert!(slope.interval.low < 1.3 && slope.interval.high > 0.9, "{slope:?}");
    let most = (0..4).max_by(|a, b| setting.importance[*a].value.total_cmp(&setting.importance[*b].value));
    assert_eq!((found.groups.len(), most), (4, Some(1)), "{:?}", setting.importance);
    assert!(setting.importance[1].interval.low > 0.5 && setting.importance[0].value < 0.2);
    let bins = &setting.calibration;
    assert_eq!((bins.len(), bins.iter().map(|bin| bin.puzzles).sum::<usize>()), (6, 60));
    assert!(bins.windows(2).all(|two| two[0].predicted < two[1].predicted));
    assert!(bins[0].measured.interval.high < bins[5].measured.interval.low, "{bins:?}");
}

#[test]
fn nothing_is_found_in_noise() {
    for seed in 0..3 {
        let mut rng = StreamKey::run(seed, "noise", 0).rng();
        let table = table(40, &mut rng);
        let noise: BTreeMap<String, f64> =
            table.puzzles.iter().map(|id| (id.clone(), 4.0 * rng.unit())).collect();
        let quality = found(times(&table, &[&|puzzle| noise[puzzle]]), &table).settings[0].quality.clone();
        let r2 = quality.expect("the times vary").r2;
        assert!(r2.value < 0.2 && r2.interval.low <= 0.0, "seed {seed}: {r2:?}");
    }
}

/// How often noise is called predictive.
#[test]
fn noise_is_rarely_called_predictive() {
    let is_called = |seed: u64| {
        let mut rng = StreamKey::run(seed, "noise", 1).rng();
        let table = table(40, &mut rng);
        let puzzles: Vec<String> = table.puzzles.iter().cloned().collect();
        let targets: Vec<f64> = puzzles.iter().map(|_| 4.0 * rng.unit()).collect();
        let units: Vec<usize> = (0..40).collect();
        let (folds, columns) = (Folds::new(&units, 5, &mut rng), Columns::of(&table, &puzzles));
        let key = StreamKey::run(seed, "noise", 2);
        let model = CrossValidated::grow(&columns.used, &targets, &folds, &key, &Interrupt::default())
            .expect("whole");
        let r2 = model.predictions.r2(&mut Resampling { units: &units, rng });
        r2.expect("the targets vary").interval.low > 0.0
    };
    let called = (0..100).into_par_iter().filter(|seed| is_called(*seed)).count();
    assert_eq!(called, 0, "of 100");
}

#[test]
fn a_selector_closes_the_gap_where_a_feature_tells_the_better_setting() {
    let mut rng = StreamKey::run(4, "planted", 0).rng();
    let mut table = table(60, &mut rng);
    // Far from the border, so that no puzzle is a matter of luck.
    table.features[2].values.values_mut().for_each(|value| *value += if *value < 0.5 { -1.0 } else { 1.0 });
    let (first, second) = (
        |puzzle: &str| if value(&table, 2, puzzle) < 0.5 { 2.0 } else { 5.0 },
        |puzzle: &str| {
            if value(&table, 2, puzzle) < 0.5 { 5.0 } else { 2.0 }
        },
    );
    let found = found(times(&table, &[&first, &second]), &table);
    let selection = found.selection.expect("two settings");
    let closed = selection.closed.expect("neither is always the best");
    assert_eq!((closed.value, selection.right), (1.0, Some(1.0)));
    let selected: Vec<Vec<usize>> = selection.selected.iter().map(|setting| vec![*setting]).collect();
    assert_eq!(selected, selection.best);
    assert!(closed.interval.low == 1.0 && selection.of_single.value > 100.0 * selection.of_best.value);
    assert_eq!(selection.of_selector, Estimate { value: 100.0, ..selection.of_selector });
}

#[test]
fn one_setting_or_one_that_is_always_the_best_leaves_no_gap() {
    let mut rng = StreamKey::run(5, "planted", 0).rng();
    let table = table(24, &mut rng);
    let (fast, slow) =
        (|puzzle: &str| value(&table, 0, puzzle), |puzzle: &str| value(&table, 0, puzzle) + 2.0);
    assert_eq!(found(times(&table, &[&fast]), &table).selection, None);
    let selection = found(times(&table, &[&slow, &fast]), &table).selection.expect("two settings");
    assert_eq!((selection.closed, selection.right), (None, Some(1.0)));
    let flat = found(times(&table, &[&|_| 3.0]), &table);
    assert_eq!((&flat.settings[0].quality, flat.settings[0].importance.len()), (&None, 0));
}

#[test]
fn ties_are_all_the_best_and_a_puzzle_that_none_solves_says_nothing() {
    let mut rng = StreamKey::run(8, "planted", 0).rng();
    let table = table(20, &mut rng);
    let mut times = times(&table, &[&|_| 2.0, &|_| 2.0]);
    for setting in &mut times.settings {
        setting.cut.solved[3] = 0.0;
    }
    let found = found(times, &table);
    let selection = found.selection.expect("two settings");
    assert_eq!((&selection.best[0], selection.best[3].len(), found.solved[3]), (&vec![0, 1], 0, false));
    assert_eq!(selection.right, Some(1.0));
    assert_eq!(found.footprints[0].good.iter().filter(|good| **good).count(), 19);
}

#[test]
fn a_setting_is_predicted_at_its_own_budget_and_selected_at_the_common_one() {
    let mut rng = StreamKey::run(9, "planted", 0).rng();
    let table = table(40, &mut rng);
    let (of_a, flat) = (|puzzle: &str| 2.0 + 3.0 * value(&table, 0, puzzle), |_: &str| 3.0);
    let mut times = times(&table, &[&of_a, &flat]);
    times.settings[0].cut.par10.fill(100.0);
    let found = found(times, &table);
    assert!(found.settings[0].quality.as_ref().is_some_and(|quality| quality.r2.value > 0.5));
    assert!(found.settings[0].expected.iter().all(|calls| (calls - 100.0).abs() < 1e-6));
    assert_eq!(found.selection.expect("two settings").closed, None, "cut, the first is always the best");
}

#[test]
fn groups_are_kept_whole_and_few_are_refused() {
    let mut rng = StreamKey::run(10, "planted", 0).rng();
    let mut table = table(40, &mut rng);
    let by = |size: usize| {
        let of = (0..40).map(|puzzle| (format!("p{puzzle:03}"), (puzzle / size).to_string())).collect();
        Some(Grouping { column: "family".to_owned(), of })
    };
    table.group = by(4);
    let found = found(times(&table, &[&|puzzle| value(&table, 0, puzzle)]), &table);
    assert_eq!(found.grouping, Some(("family".to_owned(), 10)));
    assert!(found.folds.chunks(4).all(|group| group.iter().all(|fold| *fold == group[0])));
    table.group = by(5);
    let error = of_times(times(&table, &[&|_| 1.0]), &table, str::to_owned, OPTIONS, &Interrupt::default());
    assert!(matches!(error, Err(HardnessError::TooFewGroups { found: 8, .. })), "{error:?}");
}

#[test]
fn puzzles_that_share_a_text_or_a_group_are_one_unit() {
    let words = |all: [&str; 6]| all.map(str::to_owned).to_vec();
    let (puzzles, texts) = (words(["a", "b", "c", "d", "e", "f"]), words(["1", "2", "3", "2", "4", "1"]));
    assert_eq!(units(&puzzles, &texts, None), [0, 1, 2, 1, 3, 0]);
    // `e` joins the group of `f` to that of `d`.
    let of = [("c", "x"), ("d", "x"), ("f", "y"), ("e", "y")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    let group = Grouping { column: "g".to_owned(), of: of.into() };
    assert_eq!(units(&puzzles, &texts, Some(&group)), [0, 1, 1, 1, 0, 0]);
}

#[test]
fn a_name_changes_nothing_that_is_found() {
    let mut rng = StreamKey::run(11, "planted", 0).rng();
    let table = table(30, &mut rng);
    let mut renamed = times(&table, &[&|puzzle| value(&table, 0, puzzle)]);
    let named = found(renamed.clone(), &table);
    renamed.settings[0].name = "another".to_owned();
    let other = found(renamed, &table);
    assert_eq!(
        (&named.settings[0].predicted, &named.settings[0].quality),
        (&other.settings[0].predicted, &other.settings[0].quality)
    );
}

#[test]
fn too_few_puzzles_and_features_that_never_vary_are_refused() {
    let mut rng = StreamKey::run(6, "planted", 0).rng();
    let few = table(19, &mut rng);
    let error = of_times(times(&few, &[&|_| 1.0]), &few, str::to_owned, OPTIONS, &Interrupt::default());
    assert!(matches!(error, Err(HardnessError::TooFew { found: 19, .. })), "{error:?}");
    // Twenty names of ten puzzles are ten.
    let twice = table(20, &mut rng);
    let half = |puzzle: &str| (puzzle[1..].parse::<usize>().expect("a number") / 2).to_string();
    let error = of_times(times(&twice, &[&|_| 1.0]), &twice, half, OPTIONS, &Interrupt::default());
    assert!(matches!(error, Err(HardnessError::TooFew { found: 10, .. })), "{error:?}");
    let mut flat = table(20, &mut rng);
    flat.features.iter_mut().flat_map(|feature| feature.values.values_mut()).for_each(|value| *value = 1.0);
    let error = of_times(times(&flat, &[&|_| 1.0]), &flat, str::to_owned, OPTIONS, &Interrupt::default());
    assert!(matches!(error, Err(HardnessError::NoFeature)), "{error:?}");
}

#[test]
fn the_same_numbers_come_from_any_number_of_threads_and_an_interrupt_ends_the_work() {
    let mut rng = StreamKey::run(7, "planted", 0).rng();
    let table = table(22, &mut rng);
    let (one, two) = (|puzzle: &str| value(&table, 0, puzzle), |puzzle: &str| value(&table, 1, puzzle));
    let work = || found(times(&table, &[&one, &two]), &table);
    let on = |threads| crate::experiment::on_cores(threads, work);
    assert_eq!(on(1), on(3));
    let interrupt = Interrupt::default();
    interrupt.raise(2);
    let ended = of_times(times(&table, &[&one]), &table, str::to_owned, OPTIONS, &interrupt);
    assert!(matches!(ended, Ok(None)));
}
