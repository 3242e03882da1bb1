//! The scores of the ladder beside the tiers of Keen: `KENGA_TESTS=all cargo test --test library tiers -- --nocapture` prints
//! the table of docs/techniques.md.

use kenga::budget::Interrupt;
use kenga::craft::ladder::{End, Score, Tier, grade};
use kenga::problem::Problem;
use kenga::puzzle::formats;

/// Of how many puzzles of the corpus one is graded.
fn step() -> usize {
    kenga_testing::size(4, 1)
}

/// Size, Keen's tier and the score of puzzles of the corpus.
fn graded() -> Vec<(usize, Tier, Score)> {
    let corpus = include_bytes!("../../puzzles/corpus/keen.jsonl");
    let graded = formats::read("keen", corpus).into_iter().step_by(step()).map(|puzzle| {
        let puzzle = puzzle.expect("a sound puzzle");
        let letter = puzzle.meta["diff"].as_str().expect("a tier");
        let tier =
            Tier::ALL[["e", "n", "h", "x", "u"].iter().position(|known| *known == letter).expect("a tier")];
        let grade = grade(&puzzle, &Problem::compile(&puzzle), Score(u16::MAX), &Interrupt::default());
        assert_eq!(grade.end, End::Solved, "{}", puzzle.id);
        (puzzle.rows(), tier, grade.score)
    });
    graded.collect()
}

/// Ranks from 0; equal values share the mean of theirs.
fn ranks<T: PartialOrd>(values: &[T]) -> Vec<f64> {
    let rank = |value: &T| {
        let (less, equal) = values.iter().fold((0, 0), |(less, equal), other| {
            (less + u32::from(other < value), equal + u32::from(other == value))
        });
        f64::from(less) + f64::from(equal - 1) / 2.0
    };
    values.iter().map(rank).collect()
}

/// Spearman's rank correlation of tier and score.
fn correlation(graded: &[(usize, Tier, Score)]) -> f64 {
    let tiers = ranks(&graded.iter().map(|puzzle| puzzle.1).collect::<Vec<_>>());
    let scores = ranks(&graded.iter().map(|puzzle| puzzle.2).collect::<Vec<_>>());
    let mean = (graded.len() - 1) as f64 / 2.0;
    let sum = |one: &[f64], two: &[f64]| -> f64 {
        one.iter().zip(two).map(|(one, two)| (one - mean) * (two - mean)).sum()
    };
    sum(&tiers, &scores) / (sum(&tiers, &tiers) * sum(&scores, &scores)).sqrt()
}

#[test]
fn scores_rank_as_the_tiers_of_keen() {
    let all = graded();
    let from_four: Vec<(usize, Tier, Score)> = all.iter().copied().filter(|puzzle| puzzle.0 > 3).collect();
    println!("rank correlation: {:.3}, of sizes 4 to 9 {:.3}", correlation(&all), correlation(&from_four));
    println!("| Keen | {} |", Tier::ALL.map(Tier::name).join(" | "));
    for keen in Tier::ALL {
        let count =
            |own: Tier| all.iter().filter(|puzzle| (puzzle.1, Tier::of(puzzle.2)) == (keen, own)).count();
        println!("| {} | {} |", keen.name(), Tier::ALL.map(|own| count(own).to_string()).join(" | "));
    }
    assert!(correlation(&all) >= 0.9 && correlation(&from_four) >= 0.95);
    let easy = all.iter().filter(|puzzle| puzzle.1 == Tier::Easy);
    assert!(
        easy.clone().count() > 100 / step() && easy.clone().all(|puzzle| Tier::of(puzzle.2) <= Tier::Normal)
    );
}
