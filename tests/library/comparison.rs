//! Comparisons: designs with known answers, and simulations of designs in which nothing differs.

use kenga::rng::{RunRng, StreamKey};
use kenga::stats::{Interval, Observed};
use kenga::study::{Block, Comparison, Metric, NoVerdict, Pair, Question, RunValue, SettingSample, compare};

const BUDGET: f64 = 1000.0;

fn block(puzzle: usize, seed: u64, replicate: u64) -> Block {
    Block { puzzle: format!("p{puzzle}").into(), seed, replicate }
}

/// A time with mean `mean` of a search without memory, cut at the budget.
fn run(rng: &mut RunRng, mean: f64) -> Observed {
    match -(1.0 - rng.unit()).ln() * mean {
        spent if spent < BUDGET => Observed::solved(spent),
        _ => Observed::failed(BUDGET),
    }
}

/// A sample of runs, so many of each puzzle, with a mean time for each.
fn sample(rng: &mut RunRng, seed: u64, puzzles: &[(u64, f64)]) -> SettingSample {
    let name = format!("side {seed}");
    let of = |(puzzle, (runs, mean)): (usize, &(u64, f64))| -> Vec<(Block, RunValue)> {
        (0..*runs).map(|at| (block(puzzle, seed, at), RunValue::new(run(rng, *mean), BUDGET))).collect()
    };
    SettingSample::new(&name, &name, puzzles.iter().enumerate().flat_map(of).collect())
}

fn compared(samples: &[SettingSample]) -> Comparison {
    compare(samples, &Question::plain(Metric::Calls, 0.05)).expect("they have runs")
}

fn pair(samples: &[SettingSample]) -> Pair {
    compared(samples).pairs.swap_remove(0)
}

/// The same runs with so many copies of each, as of a key that changes nothing.
fn copied(sample: &SettingSample, copies: u32) -> SettingSample {
    let runs = sample.blocks().iter().flat_map(|of| {
        (0..copies).map(move |variant| (of.block.clone(), RunValue { variant, ..of.runs[0] }))
    });
    SettingSample::new(&sample.name, &sample.spoken, runs.collect())
}

/// Gives a sample the starts of another seed, so that they make pairs.
fn on_starts_of(sample: &SettingSample, seed: u64) -> SettingSample {
    let runs = sample.blocks().iter().map(|of| (Block { seed, ..of.block.clone() }, of.runs[0]));
    SettingSample::new(&sample.name, &sample.spoken, runs.collect())
}

#[test]
fn a_key_that_changes_nothing_changes_no_number() {
    let mut rng = StreamKey::run(1, "compare", 0).rng();
    let one = sample(&mut rng, 1, &[(12, 400.0), (12, 900.0)]);
    let two = on_starts_of(&sample(&mut rng, 2, &[(12, 500.0), (12, 1500.0)]), 1);
    let (once, four) = (pair(&[one.clone(), two.clone()]), pair(&[copied(&one, 4), copied(&two, 4)]));
    assert_eq!(
        (once.p, once.ratio, once.a12, once.log_rank_p),
        (four.p, four.ratio, four.a12, four.log_rank_p)
    );
    assert_eq!((once.pairs, four.pairs), (Some(24), Some(24)));
}

#[test]
fn puzzles_that_two_sides_ran_unequally_often_show_no_difference_by_themselves() {
    let mut rng = StreamKey::run(2, "compare", 0).rng();
    let mut shown = 0;
    for _ in 0..60 {
        let one = sample(&mut rng, 1, &[(60, 100.0), (12, 2000.0)]);
        let two = sample(&mut rng, 2, &[(12, 100.0), (60, 2000.0)]);
        let found = pair(&[one, two]);
        assert_eq!((found.test, found.pairs), ("label swaps within puzzles", None));
        shown += usize::from(found.is_shown(0.05)) + usize::from(found.is_share_shown(0.05));
    }
    assert!(shown <= 14, "of 120 tests of sides that do not differ {shown} show a difference");
}

/// A standard normal number.
fn normal(rng: &mut RunRng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

#[test]
fn settings_that_are_equal_over_the_kind_are_rarely_shown_on_the_next_puzzle() {
    let mut rng = StreamKey::run(6, "compare", 0).rng();
    let (mut on_these, mut of_kind, mut covered, mut disagree) = (0, 0, 0, 0);
    for _ in 0..200 {
        // Each setting is better on some puzzles; the logarithm of the factor is normal, with mean 0.
        let mut side = |seed| {
            let puzzles: Vec<(u64, f64)> =
                (0..12).map(|_| (20, 300.0 * (0.5 * normal(&mut rng)).exp())).collect();
            on_starts_of(&sample(&mut rng, seed, &puzzles), 1)
        };
        let found = pair(&[side(1), side(2)]);
        let next = found.next.expect("twelve puzzles");
        let Interval { low, high } = next.difference.interval;
        on_these += usize::from(found.is_shown(0.05));
        of_kind += usize::from(found.is_shown_of_kind(0.05));
        covered += usize::from(low <= 1.0 && 1.0 <= high);
        for (share, is_shown) in [
            (found.share.interval, found.is_share_shown(0.05)),
            (next.share.interval, next.share_holm < 0.05),
        ] {
            let holds_zero = share.low <= 0.0 && 0.0 <= share.high;
            assert!(if is_shown { share.low >= 0.0 || share.high <= 0.0 } else { holds_zero }, "{found:?}");
        }
        disagree += usize::from((next.holm < 0.05) != (low > 1.0 || high < 1.0));
    }
    assert!(on_these > 30, "on these puzzles {on_these} of 200 differ, as the puzzles make them");
    assert!(of_kind <= 20, "{of_kind} of 200 claims about the kind are false");
    assert!(covered >= 180, "{covered} of 200 intervals hold the truth");
    assert_eq!(disagree, 0, "test and interval agree");
}

#[test]
fn one_puzzle_says_nothing_of_the_next() {
    let mut rng = StreamKey::run(7, "compare", 0).rng();
    let two =
        [sample(&mut rng, 1, &[(20, 100.0), (20, 200.0)]), sample(&mut rng, 2, &[(20, 100.0), (20, 200.0)])];
    assert_eq!(pair(&two).next, None);
}

#[test]
fn the_ratio_is_that_of_the_times_however_many_runs_fail() {
    let mut rng = StreamKey::run(3, "compare", 0).rng();
    for mean in [200.0, 900.0] {
        let one = sample(&mut rng, 1, &[(400, mean)]);
        let two = on_starts_of(&sample(&mut rng, 2, &[(400, 1.5 * mean)]), 1);
        let found = compared(&[one, two]);
        let ratio = found.pairs[0].ratio.expect("they solved");
        assert_eq!(found.order, [0, 1]);
        assert!(ratio.interval.low < 1.5 && 1.5 < ratio.interval.high, "{ratio:?}");
        assert!((1.2..1.9).contains(&ratio.value), "{ratio:?}");
    }
}

#[test]
fn what_cannot_be_told_is_not_shown() {
    let time = |puzzle, replicate, spent| {
        (block(puzzle, 1, replicate), RunValue::new(Observed::solved(spent), BUDGET))
    };
    let side = |name: &str, puzzle, runs: u64, spent: f64| {
        SettingSample::new(name, name, (0..runs).map(|at| time(puzzle, at, spent + at as f64)).collect())
    };
    let apart = pair(&[side("a", 0, 20, 1.0), side("b", 1, 20, 500.0)]);
    assert_eq!((apart.untold, apart.p, apart.is_shown(0.05)), (Some(NoVerdict::NoCommonPuzzle), None, false));
    let few = pair(&[side("a", 0, 5, 1.0), side("b", 0, 5, 500.0)]);
    assert_eq!((few.untold, few.is_shown(0.05)), (Some(NoVerdict::TooFew), false));
    let enough = pair(&[side("a", 0, 6, 1.0), side("b", 0, 6, 500.0)]);
    assert_eq!((enough.untold, enough.is_shown(0.05)), (None, true));
    // Among three sides six runs are too few again.
    let three = [side("a", 0, 6, 1.0), side("b", 0, 6, 500.0), side("c", 0, 6, 700.0)];
    assert_eq!(pair(&three).untold, Some(NoVerdict::TooFew));
}

#[test]
fn sides_are_compared_up_to_the_smaller_budget() {
    let long = |spent: f64| RunValue::new(Observed::solved(spent), BUDGET);
    let cut = |spent: f64| {
        RunValue::new(if spent <= 100.0 { Observed::solved(spent) } else { Observed::failed(100.0) }, 100.0)
    };
    let times: Vec<f64> = (0..30).map(|at| 10.0 * f64::from(at)).collect();
    let side = |name: &str, read: &dyn Fn(f64) -> RunValue| {
        let run = |(at, spent): (usize, &f64)| (block(0, 1, at as u64), read(*spent));
        SettingSample::new(name, name, times.iter().enumerate().map(run).collect())
    };
    let found = compared(&[side("short", &cut), side("long", &long)]);
    // The table has each at its own budget; the comparison has the same runs twice.
    assert_eq!((found.settings[0].solved, found.settings[1].solved), (11, 30));
    let found = &found.pairs[0];
    assert_eq!((found.p, found.share.value, found.limit), (Some(1.0), 0.0, Some(100.0)));
}

#[test]
fn runs_of_a_block_are_matched_by_what_else_differs() {
    // Each side misses one variant: two settings are compared on the variants that both have.
    let run =
        |variant: u32, spent: f64| RunValue { variant, ..RunValue::new(Observed::solved(spent), BUDGET) };
    let side = |name: &str, variants: &[u32]| {
        let runs = (0..8).flat_map(|at| {
            variants
                .iter()
                .map(move |variant| (block(0, 1, at), run(*variant, 10.0 * f64::from(*variant + 1))))
        });
        SettingSample::new(name, name, runs.collect())
    };
    let found = pair(&[side("a", &[0, 1, 2]), side("b", &[1, 2, 3])]);
    assert_eq!((found.p, found.a12.value), (Some(1.0), 0.5));
}

#[test]
fn the_difference_of_shares_is_that_of_the_shares_however_many_pairs_a_puzzle_has() {
    let mut rng = StreamKey::run(4, "compare", 0).rng();
    let design = [(24, 3000.0), (4, 200.0), (9, 900.0)];
    let one = sample(&mut rng, 1, &design);
    let two = on_starts_of(&sample(&mut rng, 2, &design), 1);
    let found = compared(&[one, two]);
    let (pair, sides) = (&found.pairs[0], &found.settings);
    let difference = sides[pair.second].share.value - sides[pair.first].share.value;
    assert!((pair.share.value - difference).abs() < 1e-12, "{pair:?} {difference}");
    assert!(pair.share.interval.low < difference && difference < pair.share.interval.high, "{pair:?}");
}

#[test]
fn intervals_count_that_the_best_of_many_was_chosen_by_the_same_runs() {
    let mut rng = StreamKey::run(5, "compare", 0).rng();
    let side = |rng: &mut RunRng, name: &str| {
        let mut one = on_starts_of(&sample(rng, 1, &[(30, 600.0)]), 1);
        name.clone_into(&mut one.name);
        one
    };
    let sides: Vec<SettingSample> = ["a", "b", "c", "d"].map(|name| side(&mut rng, name)).into();
    let chosen = compared(&sides);
    let named =
        Question::plain(Metric::Calls, 0.05).from_baseline(Some(&chosen.settings[chosen.reference].name));
    let fixed = compare(&sides, &named).expect("they have runs");
    let level = |found: &Comparison| found.pairs[0].level;
    assert!(level(&chosen) > 0.99 && level(&fixed) > 0.98 && level(&fixed) < level(&chosen));
    assert!((level(&compared(&sides[..2])) - 0.95).abs() < 1e-12);
    let width = |pair: &Pair| pair.a12.interval.high - pair.a12.interval.low;
    assert!(chosen.pairs.iter().zip(&fixed.pairs).all(|(wide, narrow)| width(wide) > 1.05 * width(narrow)));
}
