//! The ladder against the exact solver, and against the tiers of Keen.

use super::*;
use crate::problem::Problem;
use crate::puzzle::{Puzzle, formats, samples};
use crate::rng::StreamKey;

const SAMPLE: &str = include_str!("../../../puzzles/keen-sample.jsonl");
const UNSOLVABLE: &str = include_str!("../../../puzzles/unsat-multi.jsonl");
const SUDOKU: &str = include_str!("../../../puzzles/family/sudoku-9x9.json");

/// Signs that share cells.
const FUTOSHIKI: &str = include_str!("../../../puzzles/futoshiki-9x9.jsonl");

/// Puzzles of other kinds than KenKen.
const FAMILY: [&str; 5] = [
    SUDOKU,
    include_str!("../../../puzzles/family/kakuro-6x6.json"),
    include_str!("../../../puzzles/family/killer-6x6.json"),
    include_str!("../../../puzzles/family/latin-7x7.json"),
    include_str!("../../../puzzles/family/futoshiki-6x6.json"),
];

fn corpus(text: &str) -> Vec<Puzzle> {
    let puzzles = formats::read("corpus", text.as_bytes()).into_iter();
    puzzles.map(|puzzle| puzzle.expect("a sound puzzle")).collect()
}

/// Climbs to the end, and has the solver check every step; says how it ended.
fn climb(puzzle: &Puzzle, ceiling: Score) -> End {
    let problem = Problem::compile(puzzle);
    let frame = Frame::new(puzzle, &problem);
    let mut climb = Climb::new(Candidates::new(&frame), ceiling).speaking();
    climb.run(&mut |candidates, step| {
        assert_eq!(
            verify(candidates, step),
            Some(true),
            "{}: {} {}",
            puzzle.id,
            step.technique.name,
            step.words
        );
        assert!(!step.words.is_empty() && !step.effect(candidates).is_empty());
    })
}

#[test]
fn techniques_stand_by_ascending_score() {
    let scores: Vec<Score> = TECHNIQUES.iter().map(|technique| technique.score).collect();
    assert!(scores.is_sorted());
    assert!(TECHNIQUES.iter().all(|technique| !technique.about.is_empty() && !technique.picture.is_empty()));
}

#[test]
fn the_documentation_lists_them() {
    let page = include_str!("../../../docs/techniques.md");
    for technique in TECHNIQUES.iter() {
        let Technique { name, score, about, .. } = technique;
        let row = format!("| {name} | {score} | {} | {about} |\n", Tier::of(*score).name());
        assert!(page.contains(&row), "docs/techniques.md has no line {row}");
    }
}

#[test]
fn every_step_is_implied_by_the_rules_that_it_names() {
    for puzzle in corpus(SAMPLE) {
        assert_eq!(climb(&puzzle, Score(u16::MAX)), End::Solved, "{}", puzzle.id);
    }
}

#[test]
fn the_ladder_serves_every_kind() {
    for puzzle in FAMILY.into_iter().flat_map(corpus) {
        assert_eq!(climb(&puzzle, Score(u16::MAX)), End::Solved, "{}", puzzle.id);
    }
}

#[test]
fn clues_that_share_cells_are_read_rightly() {
    for puzzle in corpus(FUTOSHIKI) {
        assert_ne!(climb(&puzzle, MOST_WITHOUT_TRIALS), End::Refuted, "{}", puzzle.id);
    }
}

#[test]
fn a_cage_of_any_size_is_checked_in_the_end() {
    // One cage over a 6x6 grid, whose digits add up to 126; one cell of each row is open.
    let cells: Vec<String> = (0..36).map(|cell| format!("[{},{}]", cell / 6, cell % 6)).collect();
    let given = |cell: usize| format!("[{},{},{}]", cell / 6, cell % 6, (cell / 6 + cell % 6) % 6 + 1);
    let givens: Vec<String> = (0..35).filter(|cell| cell % 7 != 0).map(given).collect();
    for (target, end) in [(126, End::Solved), (125, End::Refuted)] {
        let text = format!(
            r#"{{"size":6,"cages":[{{"op":"+","target":{target},"cells":[{}]}}],"givens":[{}]}}"#,
            cells.join(","),
            givens.join(",")
        );
        assert_eq!(climb(&corpus(&text).remove(0), MOST_WITHOUT_TRIALS), end, "{target}");
    }
}

#[test]
fn rows_that_share_cells_make_no_region() {
    let text =
        r#"{"kind":"latin","size":3,"groups":[{"role":"row","distinct":true,"cells":[[0,0],[1,1],[2,2]]}]}"#;
    // A diagonal is called a row here; several squares fit.
    let puzzle = corpus(text).remove(0);
    assert_eq!(climb(&puzzle, MOST_WITHOUT_TRIALS), End::Stuck);
}

#[test]
fn steps_on_random_puzzles_are_implied_however_many_solutions_there_are() {
    let mut rng = StreamKey::run(1, "ladder", 0).rng();
    for size in [1, 2, 3, 4, 4, 5, 5] {
        let puzzle = samples::kenken(size, |n| rng.below(n));
        assert_ne!(climb(&puzzle, Score(89)), End::Refuted, "{}", puzzle.canonical_text());
    }
}

#[test]
fn a_puzzle_without_a_solution_is_refuted_or_leaves_the_ladder_stuck() {
    for puzzle in corpus(UNSOLVABLE).into_iter().filter(|puzzle| puzzle.rows() <= 6) {
        let has_solution = puzzle.meta.get("exact_count").is_some_and(|count| count != 0);
        let end = climb(&puzzle, Score(89));
        assert_ne!(end, End::Solved, "{}", puzzle.id);
        assert!(end == End::Stuck || !has_solution, "{}", puzzle.id);
    }
}

/// The tier that Keen gave a puzzle, by its id: `keen-9dx-3`.
fn keen_tier(puzzle: &Puzzle) -> Option<Tier> {
    let word = puzzle.id.split('-').nth(1)?;
    let letter = word.split_once('d')?.1.chars().next()?;
    "enhxu".find(letter).map(|index| Tier::ALL[index])
}

#[test]
fn what_keen_calls_easy_is_easy_or_normal() {
    let easy = corpus(SAMPLE).into_iter().filter(|puzzle| keen_tier(puzzle) == Some(Tier::Easy));
    for puzzle in easy {
        let grade = grade(&puzzle, &Problem::compile(&puzzle), Score(u16::MAX));
        assert!(grade.tier() <= Tier::Normal, "{}: {}", puzzle.id, grade.score);
    }
}

#[test]
fn tiers_split_the_scores() {
    for pair in Tier::ALL.windows(2) {
        assert_eq!(pair[0].most().0 + 1, pair[1].least().0);
        assert_eq!([pair[0].most(), pair[1].least()].map(Tier::of), [pair[0], pair[1]]);
    }
}

#[test]
fn a_hint_leads_to_the_next_digit_or_names_the_mistake() {
    let puzzle = corpus(SUDOKU).remove(0);
    let problem = Problem::compile(&puzzle);
    let mut grid = puzzle.given_grid();
    while let Hint::Steps(steps) = hint(&puzzle, &problem, &grid) {
        let (cell, rank) = steps.last().and_then(|step| step.fills).expect("the last step fills a cell");
        grid.set(problem.place(usize::from(cell)), Some(problem.values()[rank as usize]));
    }
    assert!(crate::puzzle::check(&puzzle, &grid).is_solution(), "{grid}");
    let right = grid.get(7).expect("a digit");
    grid.set(7, Some(right % 9 + 1));
    assert!(matches!(hint(&puzzle, &problem, &grid), Hint::Mistake(7)));
}
