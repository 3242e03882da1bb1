use super::*;
use kenga_lab::study::{Block, Groups, Question, RunValue, SettingSample, compare};
use kenga_stats::Observed;

/// A setting whose runs on each puzzle, numbered from `first`, take a multiple of a time that grows with the replicate.
fn side(name: &str, first: usize, factors: &[f64]) -> SettingSample {
    let mut runs = Vec::new();
    for (puzzle, factor) in factors.iter().enumerate() {
        for replicate in 0..10 {
            let block = Block { puzzle: format!("p{}", first + puzzle).into(), seed: 1, replicate };
            let spent = factor * (replicate + 10 * puzzle as u64 + 10) as f64;
            runs.push((block, RunValue::new(Observed::solved(spent), 10_000.0)));
        }
    }
    SettingSample::new(name, name, runs)
}

/// A setting on one puzzle of which `solved` of `runs` runs solve, spread over the starts, after about so many calls; a failed
/// run spends 1,000.
fn part(name: &str, runs: u64, solved: u64, calls: f64) -> SettingSample {
    let mut values = Vec::new();
    for replicate in 0..runs {
        let block = Block { puzzle: "p".into(), seed: 1, replicate };
        // A step without a common divisor spreads the solved runs of settings alike.
        let place = replicate * 7 % runs;
        let spent = calls * (0.5 + (replicate * 13 % runs) as f64 / runs as f64);
        let run = if place < solved { Observed::solved(spent) } else { Observed::failed(1000.0) };
        values.push((block, RunValue::new(run, 1000.0)));
    }
    SettingSample::new(name, name, values)
}

fn sentence(samples: &[SettingSample]) -> String {
    headline(&compare(samples, &Question::plain(Metric::Calls, 0.05)).expect("they have runs"))
}

/// One sentence of every kind, to be read aloud.
#[test]
fn every_kind_of_finding_has_its_sentence() {
    let few = |name: &str, solved| part(name, 5, solved, 300.0);
    let cases = [
        ("all three claims", vec![part("a", 40, 36, 300.0), part("b", 40, 16, 800.0)]),
        ("cost and share", vec![part("a", 40, 34, 700.0), part("b", 40, 16, 500.0)]),
        ("cost and calls", vec![part("a", 40, 39, 200.0), part("b", 40, 39, 600.0)]),
        ("all solved", vec![part("a", 40, 40, 200.0), part("b", 40, 40, 600.0)]),
        ("trade-off", vec![part("a", 40, 39, 640.0), part("b", 40, 24, 10.0)]),
        ("nothing", vec![part("a", 40, 21, 500.0), part("b", 40, 18, 500.0)]),
        ("equal", vec![part("a", 40, 40, 500.0), part("b", 40, 40, 500.0)]),
        ("three equal", ["a", "b", "c"].map(|name| part(name, 40, 40, 500.0)).into()),
        ("one never solves", vec![part("a", 20, 15, 500.0), part("b", 20, 0, 500.0)]),
        ("nothing solved", vec![part("a", 20, 0, 500.0), part("b", 20, 0, 500.0)]),
        ("too few", vec![few("a", 4), few("b", 2)]),
        (
            "several",
            vec![
                part("a", 40, 36, 400.0),
                part("b", 37, 33, 410.0),
                part("c", 37, 32, 420.0),
                part("d", 40, 8, 500.0),
            ],
        ),
        ("best of three", vec![part("a", 40, 38, 200.0), part("b", 40, 16, 500.0), part("c", 40, 6, 500.0)]),
    ];
    let mut text = String::new();
    for (name, samples) in cases {
        text += &format!("{name}: {}\n", sentence(&samples));
    }
    let baseline = [part("a", 40, 38, 200.0), part("b", 40, 16, 500.0), part("c", 40, 17, 500.0)];
    let question = Question::plain(Metric::Calls, 0.05).from_baseline(Some("b"));
    text += &format!("baseline: {}\n", headline(&compare(&baseline, &question).expect("they have runs")));
    let question = Question::plain(Metric::BestFitness, 0.05);
    let values = [side("a", 0, &[1.0]), side("b", 0, &[3.0])];
    text += &format!("values: {}\n", headline(&compare(&values, &question).expect("they have runs")));
    let values = [side("a", 0, &[1.0; 8]), side("b", 0, &[1.4; 8])];
    text +=
        &format!("values on several: {}\n", headline(&compare(&values, &question).expect("they have runs")));
    insta::assert_snapshot!(text);
}

#[test]
fn a_difference_on_most_puzzles_alone_is_one_on_these() {
    let mixed = [0.2, 5.0, 0.3, 4.0, 0.2, 6.0, 3.0, 0.2];
    let text = sentence(&[side("a", 0, &[1.0; 8]), side("b", 0, &mixed)]);
    assert!(text.starts_with("On these puzzles, a is better: "), "{text}");
    assert!(text.contains("That it holds for puzzles of this kind is not shown"), "{text}");
    let alike = [3.0, 2.9, 3.1, 3.0, 2.8, 3.2, 3.0, 3.0];
    let text = sentence(&[side("a", 0, &[1.0; 8]), side("b", 0, &alike)]);
    assert!(text.contains("It holds for puzzles of this kind, too: "), "{text}");
    let text = sentence(&[side("a", 0, &[1.0]), side("b", 0, &[3.0])]);
    assert!(text.starts_with("a is better: "), "{text}");
}

#[test]
fn families_of_puzzles_are_the_sample_of_their_kind() {
    let sides = [side("a", 0, &[1.0; 8]), side("b", 0, &[2.0, 2.1, 1.9, 2.2, 1.8, 2.0, 2.1, 2.3])];
    let units = |groups: Groups| {
        let question = Question::plain(Metric::Calls, 0.05).in_groups(groups);
        compare(&sides, &question).expect("they have runs").pairs[0].next.map(|next| next.units)
    };
    let family = |puzzle: usize| (format!("p{puzzle}"), format!("tier {}", puzzle % 4));
    let groups = Groups { name: "tier".to_owned(), families: (0..8).map(family).collect() };
    assert_eq!((units(Groups::default()), units(groups)), (Some(8), Some(4)));
}

#[test]
fn settings_that_were_never_tested_are_named() {
    let apart = [side("a", 0, &[1.0; 3]), side("b", 0, &[1.0; 3]), side("c", 0, &[1.0; 3])];
    let [a, b, c] = apart;
    let text = sentence(&[a, b, c, side("d", 5, &[2.0; 3]), side("e", 5, &[2.0; 3])]);
    assert_eq!(
        text,
        "a ranks first (24.5 calls per solution), and b and c are equivalent to it: what a solution costs differs by less than 1.25 times (p < 0.001). d and e were not tested against a: they have no puzzle in common."
    );
}

#[test]
fn a_setting_whose_cost_depends_on_few_dear_runs_has_a_remark_if_it_is_better() {
    let side = |name: &str, calls: &dyn Fn(u64) -> f64| {
        let block = |replicate| Block { puzzle: "p".into(), seed: 1, replicate };
        let run = |replicate| (block(replicate), RunValue::new(Observed::solved(calls(replicate)), 1e6));
        SettingSample::new(name, name, (0..20).map(run).collect())
    };
    let few_dear = |replicate: u64| if replicate == 7 { 900.0 } else { 100.0 };
    let even = |replicate: u64| 700.0 + 10.0 * replicate as f64;
    for (calls, is_told) in
        [(&few_dear as &dyn Fn(u64) -> f64, true), (&|replicate| even(replicate) / 5.0, false)]
    {
        let compared = compare(&[side("a", calls), side("b", &even)], &Question::plain(Metric::Calls, 0.05));
        let remarks = crate::compare::remarks(&compared.expect("they have runs"));
        let tails =
            remarks.iter().filter(|remark| remark.starts_with("A few expensive runs decide what a costs"));
        assert_eq!(tails.count(), usize::from(is_told), "{remarks:?}");
    }
}
