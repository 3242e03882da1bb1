//! Kenga's algorithms held against their own mathematics.
//!
//! Each test fails by chance at most once in a thousand seeds, and the seed is fixed.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::chain::Proposal;
use super::proposal::RandomMove;
use super::*;
use crate::experiment::{Config, ConfigDraft};
use crate::landscape::{AnyLandscape, Landscape};
use kenga_core::fitness::Fitness;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::rng::StreamKey;
use kenga_core::search::algorithms::{guide, recipe};
use kenga_core::search::encodings::{ENCODINGS, Encoding};
use kenga_core::search::neighbourhood::Neighbourhood;
use kenga_core::solver::{Limits, solve};

/// A 3x3 with a given digit: lines of two and three free genes.
pub(super) const THREE: &str = r#"{"size":3,"cages":[
    {"op":"+","target":3,"cells":[[0,0],[1,0]]},{"op":"-","target":1,"cells":[[0,1],[0,2]]},
    {"op":"*","target":3,"cells":[[1,1],[1,2]]},{"op":"+","target":4,"cells":[[2,0],[2,1]]},
    {"op":"+","target":2,"cells":[[2,2]]}]}"#;

/// A 3x3 with every Latin square for a solution: one cage holds the whole grid.
const ONE_CAGE: &str = r#"{"size":3,"cages":[{"op":"+","target":18,
    "cells":[[0,0],[0,1],[0,2],[1,0],[1,1],[1,2],[2,0],[2,1],[2,2]]}]}"#;

/// A 3x3 without solutions: its cages ask for 19 of 18.
const NONE: &str = r#"{"size":3,"cages":[
    {"op":"+","target":7,"cells":[[0,0],[0,1],[0,2]]},{"op":"+","target":6,"cells":[[1,0],[1,1],[1,2]]},
    {"op":"+","target":6,"cells":[[2,0],[2,1],[2,2]]}]}"#;

/// A 4x4 with several solutions and two given digits.
pub(super) const FOUR: &str = r#"{"size":4,"cages":[
    {"op":"+","target":1,"cells":[[0,0]]},{"op":"+","target":9,"cells":[[0,1],[0,2],[0,3]]},
    {"op":"+","target":9,"cells":[[1,0],[2,0],[3,0]]},{"op":"+","target":1,"cells":[[1,1]]},
    {"op":"*","target":12,"cells":[[1,2],[1,3]]},{"op":"+","target":7,"cells":[[2,1],[2,2],[2,3]]},
    {"op":"+","target":6,"cells":[[3,1],[3,2],[3,3]]}]}"#;

fn puzzle(text: &str) -> Puzzle {
    formats::read("test", text.as_bytes()).remove(0).expect("a sound puzzle")
}

fn config(algorithm: &str) -> Config {
    let text = format!("budget = {{ evaluations = 1000, moves = 1000 }}\nalgorithm = {{ {algorithm} }}");
    ConfigDraft::read("test.toml", &text).expect("readable").finish().expect("sound")
}

fn fitness(puzzle: &Puzzle, config: &Config) -> Arc<Fitness> {
    let problem = Problem::compile(puzzle);
    Arc::new(Fitness::new(problem, config.weights, config.measure).expect("small weights"))
}

/// Calls `act` with what ends no work.
pub(super) fn with_progress<T>(act: impl FnOnce(&Progress<'_>) -> T) -> T {
    let (interrupt, steps) = (Interrupt::default(), AtomicU64::new(0));
    act(&Progress::new(&interrupt, &steps))
}

fn follow(puzzle: &Puzzle, config: &Config, progress: &Progress<'_>) -> Result<Option<Exact>, ExactError> {
    let spec = config.algorithm().clone();
    Exact::new(&fitness(puzzle, config), &spec, &*recipe(&spec).expect("sound"), progress)
}

pub(super) fn exact(text: &str, algorithm: &str) -> Exact {
    let (puzzle, config) = (puzzle(text), config(algorithm));
    let found = |progress: &Progress<'_>| follow(&puzzle, &config, progress);
    with_progress(found).expect("it can be followed").expect("nothing interrupts")
}

fn curve(exact: &Exact, unit: CallUnit, most: usize) -> Curve {
    let found = with_progress(|progress| exact.curve(unit, most, progress));
    found.expect("it can be followed").expect("nothing interrupts")
}

pub(super) fn expected(exact: &Exact) -> Expected {
    with_progress(|progress| exact.expected(progress))
        .expect("it can be followed")
        .expect("nothing interrupts")
}

/// Runs of each algorithm.
const RUNS: u64 = 600;

/// Real runs lie where they have to, on both clocks.
#[track_caller]
fn runs_agree(text: &str, algorithm: &str, unit: CallUnit, most: usize) {
    let (puzzle, config) = (puzzle(text), config(algorithm));
    let exact = exact(text, algorithm);
    let (curve, fitness) = (curve(&exact, unit, most), fitness(&puzzle, &config));
    let recipe = recipe(config.algorithm()).expect("sound");
    let key = |replicate| StreamKey::run(11, text, replicate);
    let limit = CallLimit { most, unit };
    let made =
        with_progress(|progress| Measured::make(&exact, &*recipe, &fitness, key, RUNS, limit, progress));
    let measured = made.expect("it fits").expect("nothing interrupts");
    let found = measured.against(&curve, &[1, most / 20, most / 5, most / 2, most]);
    assert!(found.agrees(), "{algorithm} by {unit:?}: {found:#?}");
}

/// Every algorithm that can be followed, on an encoding where it has one of its own.
pub(super) const ALGORITHMS: &[&str] = &[
    "name = 'hill_climbing', encoding = 'rows'",
    "name = 'hill_climbing', encoding = 'rows', pivot = 'first'",
    "name = 'hill_climbing', encoding = 'rows', restart = 'none'",
    "name = 'hill_climbing', encoding = 'cages', guide = { line_weight = 2 }",
    "name = 'hill_climbing', encoding = 'cages', pivot = 'first'",
    "name = 'annealing', encoding = 'rows', from = 0.7, to = 0.7",
    "name = 'annealing', encoding = 'cages', from = 0.5, to = 0.5, guide = { lines = 'pairs' }",
    "name = 'annealing', encoding = 'rows', from = 3.0, to = 3.0, guide = { cages = 'gap', line_weight = 3 }",
    "name = 'random', encoding = 'rows'",
    "name = 'genetic', encoding = 'rows', population = 1, replacement = 'plus', crossover = { name = 'row', rate = 0 }, mutation = { name = 'swap', rate = 0.13 }",
    "name = 'genetic', encoding = 'rows', population = 1, replacement = 'plus', crossover = { name = 'row', rate = 0 }, mutation = { name = 'swap', rate = 0.05 }",
    "name = 'genetic', encoding = 'rows', population = 1, replacement = 'generational', crossover = { name = 'row', rate = 0 }, mutation = { name = 'row_swap', rate = 0.4 }",
];

#[test]
fn runs_on_a_small_puzzle_lie_where_they_have_to() {
    ALGORITHMS.iter().for_each(|algorithm| runs_agree(THREE, algorithm, CallUnit::Calls, 150));
}

#[test]
fn runs_by_moves_lie_where_they_have_to() {
    for index in [0, 1, 6] {
        runs_agree(THREE, ALGORITHMS[index], CallUnit::Moves, 150);
    }
}

#[test]
fn runs_on_a_puzzle_of_several_solutions_lie_where_they_have_to() {
    // Thousands of genomes, each of which has its chance after every call.
    let most = kenga_testing::size(20, 300);
    for index in [0, 5] {
        runs_agree(FOUR, ALGORITHMS[index], CallUnit::Calls, most);
    }
}

#[test]
fn runs_on_one_cage_of_the_whole_grid_lie_where_they_have_to() {
    for index in [0, 5, 9] {
        runs_agree(ONE_CAGE, ALGORITHMS[index], CallUnit::Calls, 100);
    }
}

#[test]
fn a_child_of_reset_digits_lies_where_it_has_to() {
    let reset = "name = 'genetic', encoding = 'cells', population = 1, replacement = { name = 'steady_state', offspring = 1 }, \
                 crossover = { name = 'single_point', rate = 0 }, mutation = { name = 'reset', rate = 0.3 }";
    let two = r#"{"size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[1,0]]},{"op":"-","target":1,"cells":[[0,1],[1,1]]}]}"#;
    runs_agree(two, reset, CallUnit::Calls, 100);
}

#[test]
fn the_expected_calls_are_the_sum_of_what_is_left() {
    for algorithm in ALGORITHMS.iter().filter(|algorithm| !algorithm.contains("'none'")) {
        let exact = exact(THREE, algorithm);
        let (found, curve) = (expected(&exact), curve(&exact, CallUnit::Calls, 20_000));
        let left: f64 = curve.solved.iter().map(|solved| 1.0 - solved).sum();
        assert!(curve.lost < 1e-9, "{algorithm}: {}", curve.lost);
        if found.calls.is_finite() {
            assert!((found.success - 1.0).abs() < 1e-9, "{algorithm}: {found:?}");
            assert!((left / found.calls - 1.0).abs() < 1e-6, "{algorithm}: {left} and {found:?}");
        } else {
            assert!((found.success - curve.at(20_000)).abs() < 1e-9, "{algorithm}: {found:?}");
        }
    }
}

#[test]
fn a_run_of_one_descent_costs_what_it_takes_to_end() {
    let found = expected(&exact(THREE, ALGORITHMS[2]));
    assert!(found.success > 0.0 && found.success < 1.0 && found.calls.is_finite(), "{found:?}");
    assert!((found.evaluations + found.moves - found.calls).abs() < 1e-9);
}

#[test]
fn without_a_solution_nothing_is_ever_solved() {
    for algorithm in ALGORITHMS {
        let exact = exact(NONE, algorithm);
        assert_eq!(exact.surface().solutions(), [0; 0]);
        assert_eq!(curve(&exact, CallUnit::Calls, 100).at(100), 0.0, "{algorithm}");
        let found = expected(&exact);
        assert_eq!(found.success, 0.0, "{algorithm}");
        assert_eq!(found.calls.is_finite(), algorithm.contains("'none'"), "{algorithm}: {found:?}");
    }
}

/// Calls `check` with the landscape that an algorithm has on a puzzle.
fn on_landscape(text: &str, encoding: &str, check: &dyn Fn(&dyn Checked)) {
    let config = config(&format!("name = 'hill_climbing', encoding = '{encoding}'"));
    let spec = config.algorithm().clone();
    let encoding = ENCODINGS.build(spec.spec("encoding"))(fitness(&puzzle(text), &config)).expect("it fits");
    match AnyLandscape::new(encoding, guide(spec.spec("guide"))) {
        AnyLandscape::Tuples(landscape) => check(&landscape),
        AnyLandscape::Rows(landscape) => check(&landscape),
    }
}

/// What is checked of a landscape of any encoding.
trait Checked {
    fn numbers_are_those_of_its_genomes(&self);
    fn draws_are_as_likely_as_they_are_said_to_be(&self);
    fn solutions(&self) -> Vec<Vec<u8>>;
}

impl<E: Encoding> Checked for Landscape<E> {
    fn numbers_are_those_of_its_genomes(&self) {
        let numbering = Numbering::new(self).expect("it is small");
        let (mut near, mut genome) = (self.neighbourhood(), vec![0; self.problem().cells()]);
        for number in 0..numbering.genomes() {
            numbering.write(number, &mut genome);
            assert_eq!(numbering.find(&genome), Some(number));
            for variable in 0..near.variables() {
                let mut steps = Vec::new();
                near.place(&genome);
                near.scan(variable, u64::MAX, |step, _, _| steps.push(step));
                let led: Vec<usize> = steps
                    .into_iter()
                    .map(|step| {
                        near.place(&genome);
                        near.apply(step);
                        numbering.find(near.tally().ranks()).expect("a genome of the space")
                    })
                    .collect();
                assert!(numbering.targets(variable, number).eq(led), "variable {variable} of {genome:?}");
            }
        }
        genome.fill(9);
        assert_eq!(numbering.find(&genome), None);
    }

    fn draws_are_as_likely_as_they_are_said_to_be(&self) {
        let numbering = Numbering::new(self).expect("it is small");
        let (mut near, mut genome) = (self.neighbourhood(), vec![0; self.problem().cells()]);
        let mut rng = StreamKey::run(3, "draws", 0).rng();
        let count = numbering.genomes();
        let draws = kenga_testing::size(10, 50) * count;
        let mut starts = vec![0.0; count];
        for _ in 0..draws {
            self.encoding().init(&mut genome, &mut rng);
            starts[numbering.find(&genome).expect("a genome of the space")] += 1.0;
        }
        assert_chi_square(&starts, &vec![draws as f64 / count as f64; count]);
        numbering.write(count / 2, &mut genome);
        near.place(&genome);
        let (mut moves, mut chances) = (vec![0.0; count], vec![0.0; count]);
        for _ in 0..30_000 {
            let step = near.random(&mut rng).expect("there are moves");
            near.apply(step);
            moves[numbering.find(near.tally().ranks()).expect("a genome of the space")] += 1.0;
            near.place(&genome);
        }
        let proposal = RandomMove::new(&numbering);
        proposal.each(count / 2, &mut |target, chance| chances[target] += chance * 30_000.0);
        assert_chi_square(&moves, &chances);
    }

    fn solutions(&self) -> Vec<Vec<u8>> {
        let surface = Surface::new(self, &Interrupt::default()).expect("it is small").expect("no interrupt");
        let genome = |number| {
            let mut genome = vec![0; self.problem().cells()];
            surface.numbering().write(number, &mut genome);
            genome
        };
        surface.solutions().into_iter().map(genome).collect()
    }
}

/// What is expected nowhere did not happen, and the rest lies within 4.5 standard deviations of chi-square.
#[track_caller]
fn assert_chi_square(found: &[f64], expected: &[f64]) {
    let mut sum = 0.0;
    let mut degrees: f64 = -1.0;
    for (found, expected) in found.iter().zip(expected) {
        if *expected == 0.0 {
            assert_eq!(*found, 0.0);
        } else {
            sum += (found - expected).powi(2) / expected;
            degrees += 1.0;
        }
    }
    assert!(sum < degrees + 4.5 * (2.0 * degrees).sqrt() + 4.5, "{sum} with {degrees} degrees of freedom");
}

const SPACES: &[(&str, &str)] =
    &[(THREE, "rows"), (THREE, "cages"), (FOUR, "rows"), (ONE_CAGE, "rows"), (NONE, "cages")];

#[test]
fn every_genome_has_its_number_and_every_move_its_target() {
    for (text, encoding) in &SPACES[..2] {
        on_landscape(text, encoding, &|landscape| landscape.numbers_are_those_of_its_genomes());
    }
}

#[test]
fn starts_and_moves_are_drawn_as_likely_as_the_chain_says() {
    for (text, encoding) in SPACES {
        on_landscape(text, encoding, &|landscape| landscape.draws_are_as_likely_as_they_are_said_to_be());
    }
}

#[test]
fn the_genomes_without_violation_are_the_solutions_of_the_solver() {
    for (text, encoding) in SPACES {
        let problem = Problem::compile(&puzzle(text));
        let mut proved = Vec::new();
        solve(
            &problem,
            &Limits { solutions: 1000, ..Limits::default() },
            &Interrupt::default(),
            &mut |ranks| {
                proved.push(ranks.to_vec());
            },
        );
        proved.sort();
        on_landscape(text, encoding, &|landscape| {
            let mut found = landscape.solutions();
            found.sort();
            assert_eq!(found, proved, "{encoding}");
        });
    }
}

fn refusal(text: &str, algorithm: &str) -> String {
    let (puzzle, config) = (puzzle(text), config(algorithm));
    let tried = with_progress(|progress| {
        let exact = follow(&puzzle, &config, progress);
        match exact.map_err(|error| error.to_string())?.expect("nothing interrupts").curve(
            CallUnit::Calls,
            10,
            progress,
        ) {
            Err(error) => Err(error.to_string()),
            Ok(_) => Ok(()),
        }
    });
    tried.expect_err("it cannot be followed")
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let row = |row: usize| {
        let cells: Vec<[usize; 2]> = (0..5).map(|column| [row, column]).collect();
        format!("{{\"op\":\"+\",\"target\":15,\"cells\":{cells:?}}}")
    };
    let five = format!("{{\"size\":5,\"cages\":[{}]}}", (0..5).map(row).collect::<Vec<_>>().join(","));
    assert_eq!(
        refusal(&five, "name = 'hill_climbing', encoding = 'rows'"),
        "the space has 24883200000 genomes: at most 1048576 can be looked at one by one"
    );
    let tabu = refusal(THREE, "name = 'tabu', encoding = 'rows'");
    assert_eq!(tabu, "the state of the algorithm is more than one genome");
    let temperature = refusal(THREE, "name = 'annealing', encoding = 'rows', from = 1, to = 0.5");
    assert_eq!(temperature, "`algorithm.to`: to be followed exactly, it has to be 1, as `algorithm.from`");
    let short = refusal(
        THREE,
        "name = 'hill_climbing', encoding = 'rows', restart = { name = 'stalled', calls = 5 }",
    );
    assert!(
        short.starts_with("`algorithm.restart.calls`: to be followed exactly, it has to be at least"),
        "{short}"
    );
}

#[test]
fn what_takes_too_much_memory_is_refused() {
    let exact = exact(THREE, ALGORITHMS[0]);
    let refused = with_progress(|progress| exact.curve(CallUnit::Calls, 1 << 40, progress));
    let said = refused.expect_err("eight terabytes").to_string();
    assert!(said.starts_with("computing that many calls takes 8796093022216 bytes of memory"), "{said}");
    assert_eq!(fits(&[&[1 << 28], &[2, 1 << 27, 1]]), Ok(()));
    assert!(fits(&[&[1 << 28], &[2, 1 << 27, 1], &[1]]).is_err());
}

#[test]
fn following_further_changes_nothing_before() {
    for algorithm in [ALGORITHMS[0], ALGORITHMS[1]] {
        let exact = exact(THREE, algorithm);
        let found = curve(&exact, CallUnit::Calls, 3_000);
        let longer = curve(&exact, CallUnit::Calls, 6_000);
        assert_eq!(found.solved, longer.solved[..=3_000]);
        assert!(longer.at(6_000) > 1.0 - 1e-9, "{}", longer.at(6_000));
    }
}

#[test]
fn an_interrupt_ends_the_curve_of_a_descent() {
    let exact = exact(THREE, ALGORITHMS[0]);
    let (interrupt, steps) = (Interrupt::default(), AtomicU64::new(0));
    interrupt.raise(2);
    let found = exact.curve(CallUnit::Calls, 100_000_000, &Progress::new(&interrupt, &steps));
    assert_eq!(found, Ok(None));
}

#[test]
fn an_interrupt_ends_the_work() {
    let (puzzle, config) = (puzzle(THREE), config(ALGORITHMS[0]));
    let (interrupt, steps) = (Interrupt::default(), AtomicU64::new(0));
    interrupt.raise(2);
    let progress = Progress::new(&interrupt, &steps);
    let exact = follow(&puzzle, &config, &progress);
    assert!(exact.expect("it can be followed").is_none());
}
