//! The ladder against the exact solver, and against the tiers of Keen.

use super::*;
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Grid, Puzzle, formats, samples};
use kenga_core::rng::StreamKey;
use kenga_core::solver::Status;

const SAMPLE: &str = include_str!("../../../../puzzles/keen-sample.jsonl");
const UNSOLVABLE: &str = include_str!("../../../../puzzles/unsat-multi.jsonl");
const SUDOKU: &str = include_str!("../../../../puzzles/family/sudoku-9x9.json");

/// Signs that share cells.
const FUTOSHIKI: &str = include_str!("../../../../puzzles/futoshiki-9x9.jsonl");

const UNREASONABLE: &str = include_str!("../../../../puzzles/keen-9x9-unreasonable.jsonl");
const QUEENS: &str = include_str!("../../../../puzzles/queens.jsonl");
const MAGIC: &str = include_str!("../../../../puzzles/magic.jsonl");
const GRAPHS: &str = include_str!("../../../../puzzles/graphs-colorable.jsonl");

/// 25x25, of `kenga generate --kind kakuro --rows 25 --cols 25 --seed 1`.
const LARGE_KAKURO: &str = "\
    https://puzz.link/p?kakuro/24/24/0CmB008le009m07lb0eBm50..jCnHdmCbm0Vrg0.l.06lfgm84lc0bem8cna0l.0In0\
    Bm0Dn9dlg036n500cm.05l.i3lB045l0Gqf00cl30E8l69l0am90jam.n60.03l.08l.dal0elf0.g080g06008lA07alM003leg\
    l.09mZanAhn06l.0dn.90gjr50eflbbl..0blb0eEmahl..0bn7Em90.0Cp07l..A0Shmj5l05lf0..07lA0J0ghlR0e0md05blI\
    09ime0O0.6Hn0bo0am0hl.0bmaEoEDoWBmd7lN0Dgo0gl0CmC06dlE0e8m0cm0cl.H7lcDsbelShl.G6liel0Mv58m05l0fl.04l\
    08l40Ajn0Gn0gld6l.80f0.D6o..h0Dfm.jIo0glJ9l.m.a7l9blael0hl50Cenj090bdl7jo08le0607047l400Kp0Dp0Zs0Cp0\
    Cm0dl..0fn0al0dnN6dbd3B77F5Bh6736EaijghPJe8e6";

/// Puzzles of other kinds than KenKen.
const FAMILY: [&str; 5] = [
    SUDOKU,
    include_str!("../../../../puzzles/family/kakuro-6x6.json"),
    include_str!("../../../../puzzles/family/killer-6x6.json"),
    include_str!("../../../../puzzles/family/latin-7x7.json"),
    include_str!("../../../../puzzles/family/futoshiki-6x6.json"),
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
            verify(candidates, step, &Interrupt::default()),
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
    let page = include_str!("../../../../docs/techniques.md");
    for technique in TECHNIQUES.iter() {
        let Technique { name, score, about, source, .. } = technique;
        let row = format!("| {name} | {score} | {} | {about} | {source} |\n", Tier::of(*score).name());
        assert!(!source.is_empty() && page.contains(&row), "docs/techniques.md has no row {row}");
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
fn a_large_kakuro_is_climbed_to_the_end() {
    let puzzle = corpus(LARGE_KAKURO).remove(0);
    assert_eq!((puzzle.rows(), puzzle.cols()), (25, 25));
    assert_eq!(climb(&puzzle, Score(u16::MAX)), End::Solved);
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
fn rows_that_share_cells_make_no_area() {
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
        let grade = grade(&puzzle, &Problem::compile(&puzzle), Score(u16::MAX), &Interrupt::default());
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
    while let Hint::Steps(steps) = hint(&puzzle, &problem, &grid, &Interrupt::default()) {
        let (cell, digit) = steps.last().and_then(|step| step.fills).expect("the last step fills a cell");
        grid.set(cell, Some(digit));
    }
    assert!(kenga_core::puzzle::check(&puzzle, &grid).is_solution(), "{grid}");
    let right = grid.get(7).expect("a digit");
    grid.set(7, Some(right % 9 + 1));
    let told = |grid: &Grid| hint(&puzzle, &problem, grid, &Interrupt::default());
    assert_eq!(told(&grid), Hint::Mistake(7));
    // A digit that the puzzle does not have is one as well.
    grid.set(3, Some(10));
    assert_eq!(told(&grid), Hint::Mistake(3));
}

/// The grid after every step that an explanation shows, and how it ends.
fn explained(puzzle: &Puzzle, interrupt: &Interrupt) -> (Grid, End, Status) {
    let mut grid = puzzle.given_grid();
    let mut rounds = vec![0];
    let most = Score(u16::MAX);
    let (end, status) = explain(puzzle, &Problem::compile(puzzle), most, interrupt, &mut |step| {
        assert!(!step.words.is_empty() && (step.fills.is_some() || !step.removes.is_empty()));
        assert!(step.groups.iter().all(|group| *group < puzzle.groups().len()));
        step.fills.iter().for_each(|(cell, digit)| grid.set(*cell, Some(*digit)));
        rounds.push(step.round);
    });
    assert!(rounds.is_sorted());
    (grid, end, status)
}

#[test]
fn an_explanation_ends_with_the_solution_or_says_why_not() {
    for puzzle in FAMILY.into_iter().flat_map(corpus) {
        let (grid, end, status) = explained(&puzzle, &Interrupt::default());
        assert_eq!((end, status), (End::Solved, Status::Unique), "{}", puzzle.id);
        assert!(kenga_core::puzzle::check(&puzzle, &grid).is_solution(), "{}", puzzle.id);
    }
    let several = puzzle(r#""kind":"latin","size":3"#);
    let (_, end, status) = explained(&several, &Interrupt::default());
    assert_eq!((end, status), (End::Stuck, Status::Multiple));
    let grade = grade(&several, &Problem::compile(&several), Score(u16::MAX), &Interrupt::default());
    assert_eq!(grade.outcome(), "multiple");
    let raised = Interrupt::default();
    raised.raise(2);
    assert_eq!(explained(&several, &raised).1, End::Stuck);
}

/// Hints from the empty grid to the last digit: the steps of each, taken alone, lead to what it says.
fn hints_suffice(puzzle: &Puzzle) {
    let problem = Problem::compile(puzzle);
    let frame = Frame::new(puzzle, &problem);
    let mut grid = puzzle.given_grid();
    while let Ok(steps) = hint::next_steps(puzzle, &problem, &grid, &Interrupt::default()) {
        let mut candidates = hint::filled(&frame, &grid);
        for step in &steps {
            let verdict = verify(&candidates, step, &Interrupt::default());
            assert_eq!(verdict, Some(true), "{} {grid}: {}", puzzle.id, step.words);
            step.removes.iter().for_each(|lost| candidates.remove(lost.cell, lost.ranks));
            candidates.refresh();
        }
        let Placement { cell, rank } =
            steps.last().and_then(|step| step.fills).expect("the last step fills a cell");
        grid.set(problem.place(usize::from(cell)), Some(problem.values()[rank as usize]));
    }
}

#[test]
fn the_steps_of_a_hint_suffice() {
    let needs_trials = |puzzle: &Puzzle| {
        let grade = grade(puzzle, &Problem::compile(puzzle), Score(u16::MAX), &Interrupt::default());
        grade.score > MOST_WITHOUT_TRIALS
    };
    corpus(SAMPLE).into_iter().step_by(20).for_each(|puzzle| hints_suffice(&puzzle));
    let hard = corpus(UNREASONABLE).into_iter().filter(needs_trials).take(1);
    hard.for_each(|puzzle| hints_suffice(&puzzle));
}

#[test]
fn an_interrupt_ends_climbs_hints_and_checks() {
    let puzzle = corpus(SUDOKU).remove(0);
    let problem = Problem::compile(&puzzle);
    let interrupt = Interrupt::default();
    interrupt.raise(2);
    assert!(matches!(hint(&puzzle, &problem, &puzzle.given_grid(), &interrupt), Hint::Beyond));
    let frame = Frame::new(&puzzle, &problem).interruptible(&interrupt);
    let mut climb = Climb::new(Candidates::new(&frame), Score(u16::MAX));
    assert_eq!(climb.run(&mut |_, _| panic!("a step")), End::Stuck);
}

/// A puzzle of a size, as JSON without the braces.
fn puzzle(text: &str) -> Puzzle {
    corpus(&format!("{{{text}}}")).remove(0)
}

#[test]
fn puzzles_of_one_cell_are_climbed() {
    let one = r#"{"size":1,"cages":[{"op":"+","target":1,"cells":[[0,0]]}]}"#;
    assert_eq!(climb(&corpus(one).remove(0), Score(u16::MAX)), End::Solved);
    let none = r#"{"size":1,"cages":[{"op":"+","target":2,"cells":[[0,0]]}]}"#;
    assert_eq!(climb(&corpus(none).remove(0), Score(u16::MAX)), End::Refuted);
}

#[test]
fn one_cage_over_the_whole_grid_leads_nowhere_by_itself() {
    let text = r#""size":3,"cages":[{"op":"+","target":18,"cells":[[0,0],[0,1],[0,2],[1,0],[1,1],[1,2],[2,0],[2,1],[2,2]]}]"#;
    assert_eq!(climb(&puzzle(text), MOST_WITHOUT_TRIALS), End::Stuck);
    assert_eq!(climb(&puzzle(&text.replace("18", "17")), MOST_WITHOUT_TRIALS), End::Refuted);
}

#[test]
fn queens_magic_squares_and_graphs_are_climbed() {
    for text in [QUEENS, MAGIC, GRAPHS] {
        for puzzle in corpus(text).into_iter().take(kenga_testing::size(1, 3)) {
            climb(&puzzle, MOST_WITHOUT_TRIALS);
        }
    }
}

#[test]
fn distinct_groups_of_any_role_are_houses() {
    // A diagonal holds every digit; a group of two cells does not.
    let text = r#""kind":"latin","size":3,"givens":[[0,0,1]],"groups":[{"distinct":true,"cells":[[0,0],[1,1],[2,2]]},{"distinct":true,"cells":[[0,1],[2,0]]}]"#;
    let puzzle = puzzle(text);
    let problem = Problem::compile(&puzzle);
    let frame = Frame::new(&puzzle, &problem);
    assert_eq!((frame.houses.len(), frame.distinct.len()), (7, 8));
    assert_ne!(climb(&puzzle, Score(u16::MAX)), End::Refuted);
}

/// The distinct groups that share cells with a group, as the tables of the frame should have them.
#[test]
fn groups_that_overlap_are_those_with_two_common_cells() {
    for puzzle in FAMILY.into_iter().flat_map(corpus) {
        let problem = Problem::compile(&puzzle);
        let frame = Frame::new(&puzzle, &problem);
        for group in frame.all_groups() {
            let cells = frame.cells(group);
            let shared =
                |other: &usize| frame.cells(*other).iter().filter(|cell| cells.contains(cell)).count();
            let overlaps: Vec<usize> =
                frame.distinct.iter().copied().filter(|other| shared(other) > 1).collect();
            assert_eq!(frame.overlaps(group), overlaps);
            let crosses = |other: &usize| *other != group && shared(other) < frame.cells(*other).len();
            assert_eq!(frame.crossings(group), overlaps.into_iter().filter(crosses).collect::<Vec<_>>());
        }
    }
}

#[test]
fn one_combination_without_a_1_takes_the_1_from_its_cells() {
    // Cages of one column let every digit stand anywhere else.
    let text = r#""kind":"latin","size":4,"cages":[{"op":"*","target":12,"cells":[[0,0],[0,1]]}]"#;
    let puzzle = puzzle(text);
    let problem = Problem::compile(&puzzle);
    let frame = Frame::new(&puzzle, &problem);
    let mut effects = Vec::new();
    let mut climb = Climb::new(Candidates::new(&frame), MOST_WITHOUT_TRIALS).speaking();
    climb.run(&mut |candidates, step| {
        if step.technique.name == "one_combination" {
            effects.push(step.effect(candidates));
        }
    });
    assert_eq!(effects, ["A1 and A2 lose 1 and 2"]);
}
