//! Every measure on every landscape, and what theory or a look at the whole space says of the values.

use std::sync::Arc;

use super::*;
use crate::landscape::exhaustive::Numbering;
use crate::landscape::samples::{encoder, guides};
use crate::landscape::{AnyLandscape, Targets};
use kenga_core::fitness::{CageMeasure, Equals, Guide};
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Cage, Puzzle, Square, operators, samples};
use kenga_core::rng::StreamKey;
use kenga_core::search::encodings::of_puzzles;
use kenga_core::solver::{self, Limits};

const SMALL: Effort = Effort { samples: 30, walks: 8, length: 30, limit: 20, resamples: 100 };

fn targets(problem: &Problem, most: u64) -> Targets {
    let limits = Limits { solutions: most, ..Limits::default() };
    let mut solutions = Vec::new();
    let outcome =
        solver::solve(problem, &limits, &Default::default(), &mut |ranks| solutions.push(ranks.to_vec()));
    Targets { solutions, is_complete: outcome.count_is_exact }
}

fn whole(size: usize, operator: &str, target: i64) -> Puzzle {
    let cells = (0..size * size).map(|cell| (cell / size, cell % size)).collect();
    let operator = operators::find(operator).expect("a known operator");
    Square::kenken(size, vec![Cage::new(operator, target, cells)]).build().expect("a sound puzzle")
}

/// A puzzle of one cell, one cage over the whole grid, none that can be solved, many solutions, and an ordinary one.
fn puzzles() -> Vec<Puzzle> {
    let mut rng = StreamKey::run(1, "measures", 0).rng();
    vec![
        whole(1, "+", 1),
        whole(3, "+", 18),
        whole(3, "+", 19),
        Square::latin(3).build().expect("a Latin square"),
        samples::kenken(5, |n| rng.below(n)),
    ]
}

fn survey<'a>(landscape: &'a AnyLandscape, targets: &'a Targets, effort: Effort, seed: u64) -> Survey<'a> {
    Survey::new(landscape.explorer(), targets, effort, StreamKey::run(seed, "measures", 0))
}

fn all(landscape: &AnyLandscape, targets: &Targets, effort: Effort) -> Vec<Finding> {
    let mut survey = survey(landscape, targets, effort, 1);
    MEASURES.iter().flat_map(|measure| measure.take(&mut survey)).collect()
}

#[test]
fn every_measure_is_finite_or_empty_within_its_range_and_the_same_again() {
    let smaller = Effort { samples: 10, walks: 4, length: 12, limit: 10, resamples: 30 };
    let effort = kenga_testing::size(smaller, SMALL);
    for puzzle in puzzles() {
        let problem = Problem::compile(&puzzle);
        let targets = targets(&problem, 20);
        for member in of_puzzles() {
            for guide in guides() {
                let landscape = AnyLandscape::of_problem(problem.clone(), &encoder(member.name), guide);
                let landscape = landscape.expect("lines");
                let found = all(&landscape, &targets, effort);
                assert_eq!(found, all(&landscape, &targets, effort), "the same seed, the same values");
                for Finding { quantity, outcome } in found {
                    let Some(estimate) = outcome.estimate else { continue };
                    let (low, high) = quantity.range;
                    let is_sound = estimate.value.is_finite()
                        && (low..=high).contains(&estimate.value)
                        && estimate.interval.low <= estimate.interval.high;
                    assert!(is_sound && outcome.samples > 0, "{} {estimate:?}", quantity.name);
                }
            }
        }
    }
}

/// Every flood ends because nothing is better, not because of the limit.
#[test]
fn optima_that_nothing_beats_have_no_depth_and_are_not_cut() {
    let problem = Problem::compile(&whole(3, "+", 19));
    let landscape = AnyLandscape::of_problem(problem, &encoder("rows"), Guide::PLAIN).expect("lines");
    let targets = Targets::default();
    let found = |limit| {
        let effort = Effort { limit, ..SMALL };
        let found = optima::MEASURE.take(&mut survey(&landscape, &targets, effort, 1));
        assert!(found[4].outcome.samples > 0, "no optimum is a solution");
        [found[6].outcome.samples, found[7].outcome.samples]
    };
    assert_eq!(found(5000), [0, 0]);
    assert_eq!(found(1), [8, 8]);
}

#[test]
fn an_interrupt_ends_every_measure() {
    let problem = Problem::compile(&puzzles()[4]);
    let landscape = AnyLandscape::of_problem(problem, &encoder("rows"), Guide::PLAIN).expect("lines");
    let endless = usize::MAX;
    let effort =
        Effort { samples: endless, walks: endless, length: endless, limit: endless, resamples: 1000 };
    let interrupt = kenga_core::budget::Interrupt::default();
    interrupt.raise(2);
    let targets = Targets::default();
    let mut survey = survey(&landscape, &targets, effort, 1).interrupted_by(&interrupt);
    for measure in MEASURES {
        assert!(measure.take(&mut survey).iter().all(|finding| finding.outcome.estimate.is_none()));
    }
    crate::landscape::Curves::of(&mut survey);
}

#[test]
fn a_quantity_does_not_depend_on_which_others_are_taken() {
    let problem = Problem::compile(&puzzles()[4]);
    let targets = targets(&problem, 20);
    let landscape = AnyLandscape::of_problem(problem, &encoder("rows"), Guide::PLAIN).expect("lines");
    let together = all(&landscape, &targets, SMALL);
    let alone: Vec<Finding> =
        MEASURES.iter().rev().flat_map(|one| one.take(&mut survey(&landscape, &targets, SMALL, 1))).collect();
    assert_eq!(together.len(), alone.len());
    assert!(together.iter().all(|finding| alone.contains(finding)));
}

#[test]
fn names_are_those_of_no_other() {
    let names: Vec<&str> =
        MEASURES.iter().flat_map(|measure| measure.quantities).map(|quantity| quantity.name).collect();
    for (index, name) in names.iter().enumerate() {
        assert!(!names[..index].contains(name), "{name}");
    }
    assert!(
        MEASURES.iter().all(|measure| !measure.about.is_empty()
            && measure.source.contains("19") | measure.source.contains("20"))
    );
}

fn value_of(found: &[Finding], name: &str) -> Estimate {
    let finding = found.iter().find(|finding| finding.quantity.name == name).expect("a quantity");
    finding.outcome.estimate.unwrap_or_else(|| panic!("{name} is empty"))
}

/// Without clues, pairs of equal digits are a pure interaction of two genes: an elementary landscape. A component that
/// depends on k of P genes of n digits, of which a move redraws one, has rho(1) = 1 - k n / ((n - 1) P); on permutations,
/// where a move exchanges two digits of one of n lines, the component of two lines has 1 - 4 / (n (n - 1)).
#[test]
fn equal_digits_alone_make_elementary_landscapes_with_known_autocorrelation() {
    let pairs = Guide { lines: Equals::Pairs, ..Guide::PLAIN };
    let effort = Effort { walks: 150, length: 1000, ..SMALL };
    for n in kenga_testing::size(vec![3, 5], vec![3, 4, 5]) {
        let problem = Problem::compile(&Square::latin(n).build().expect("a Latin square"));
        let (targets, size) = (Targets::default(), n as f64);
        for (name, rho) in [
            ("cells", 1.0 - 2.0 * size / ((size - 1.0) * size * size)),
            ("rows", 1.0 - 4.0 / (size * (size - 1.0))),
        ] {
            let landscape = AnyLandscape::of_problem(problem.clone(), &encoder(name), pairs).expect("lines");
            let found = autocorrelation::MEASURE.take(&mut survey(&landscape, &targets, effort, 7));
            let random = value_of(&found, "rho_random");
            assert!((random.value - rho).abs() < 0.01, "{name} {n}: {random:?}, not {rho}");
            assert!(random.interval.low - 0.004 < rho && rho < random.interval.high + 0.004, "{random:?}");
            // On an elementary landscape rho falls by the same factor with every move.
            let by_lag = survey(&landscape, &targets, effort, 7).autocorrelation(Walk::Random);
            assert!((by_lag[3] - rho.powi(3)).abs() < 0.02, "{by_lag:?}");
        }
    }
}

/// The slow oracle: averages over all 216 genomes lie within the intervals of the samples.
#[test]
fn samples_agree_with_the_whole_space() {
    let plus = operators::find("+").expect("a known operator");
    let cage = |target, cells: &[(usize, usize)]| Cage::new(plus, target, cells.to_vec());
    let cages = vec![
        cage(4, &[(0, 0), (0, 1)]),
        cage(5, &[(0, 2), (1, 2)]),
        cage(3, &[(1, 0), (1, 1)]),
        cage(6, &[(2, 0), (2, 1), (2, 2)]),
    ];
    let puzzle = Square::kenken(3, cages).build();
    let problem = Problem::compile(&puzzle.expect("a sound puzzle"));
    let targets = targets(&problem, 100);
    let guide = Guide { cages: CageMeasure::Gap, ..Guide::PLAIN };
    let landscape = AnyLandscape::of_problem(problem, &encoder("rows"), guide).expect("lines");
    let effort = Effort { samples: 1500, walks: 200, length: 300, limit: 100, resamples: 400 };
    let found = all(&landscape, &targets, effort);
    let mut at = landscape.explorer();
    let free = at.space().free.len();
    assert_eq!(free, 9, "no givens, so that every genome is in the space");
    let AnyLandscape::Rows(rows) = &landscape else { panic!("a landscape of rows") };
    let numbering = Numbering::new(rows).expect("216 genomes");
    let (mut genomes, mut around) = (Vec::new(), Vec::new());
    for number in 0..numbering.genomes() {
        let mut genome = vec![0; free];
        numbering.write(number, &mut genome);
        at.place(&genome);
        around.push(Surroundings::of(&mut *at));
        genomes.push(genome);
    }
    assert_eq!(genomes.len(), 216);
    let count = genomes.len() as f64;
    let mean_of = |of: &dyn Fn(&Surroundings) -> f64| around.iter().map(of).sum::<f64>() / count;
    let mean = mean_of(&|one| one.value as f64);
    let variance = mean_of(&|one| (one.value as f64 - mean).powi(2));
    let next = mean_of(&|one| {
        (one.value as f64 - mean) * (one.value as f64 + one.rise as f64 / one.neighbours as f64 - mean)
    });
    let distances: Vec<f64> =
        genomes.iter().map(|genome| f64::from(targets.moves(genome, at.space()).expect("solved"))).collect();
    let far = distances.iter().sum::<f64>() / count;
    let far_variance = distances.iter().map(|one| (one - far).powi(2)).sum::<f64>() / count;
    let shared: f64 =
        around.iter().zip(&distances).map(|(one, far_one)| (one.value as f64 - mean) * (far_one - far)).sum();
    for (name, exact) in [
        ("density_mean", mean),
        ("density_depth", mean / variance.sqrt()),
        ("rho_random", next / variance),
        ("fdc_random_moves", shared / count / (variance * far_variance).sqrt()),
        ("optimum_share", mean_of(&|one| f64::from(u8::from(one.better == 0)))),
        ("improving_random", mean_of(&|one| one.better().expect("neighbours"))),
        ("neutral_random", mean_of(&|one| one.equal().expect("neighbours"))),
        ("cloud_slope", next / variance),
    ] {
        let Estimate { value, interval } = value_of(&found, name);
        // Eight intervals of 95 %: some slack, a third of their width at either end.
        let slack = (interval.high - interval.low) / 3.0;
        let holds = interval.low - slack <= exact && exact <= interval.high + slack;
        assert!(holds, "{name}: {value} within {interval:?}, not {exact}");
    }
    // Every descent of so small a space ends where the whole space has an optimum.
    let lowest: Vec<&Vec<u8>> =
        genomes.iter().zip(&around).filter(|(_, one)| one.better == 0).map(|(genome, _)| genome).collect();
    let optima: Arc<[LocalOptimum]> = survey(&landscape, &targets, effort, 1).optima();
    assert!(optima.iter().all(|optimum| lowest.contains(&&optimum.genome)));
}

/// Two moves whose cells share no line and no clue always add up; inside the graph some do not.
#[test]
fn there_is_no_epistasis_outside_the_known_graph() {
    for puzzle in [&puzzles()[3], &puzzles()[4]] {
        let problem = Problem::compile(puzzle);
        for member in of_puzzles() {
            for guide in guides() {
                let landscape = AnyLandscape::of_problem(problem.clone(), &encoder(member.name), guide);
                let landscape = landscape.expect("lines");
                let effort = Effort { samples: 600, ..SMALL };
                let targets = Targets::default();
                let found = epistasis::MEASURE.take(&mut survey(&landscape, &targets, effort, 5));
                assert!(value_of(&found, "epistasis_inside").value > 0.0);
                let outside = &found[2].outcome;
                assert!(outside.estimate.is_none_or(|found| found.value == 0.0), "{outside:?}");
                assert!(outside.samples > 0 || puzzle.rows() == 3, "{outside:?}");
            }
        }
    }
}
