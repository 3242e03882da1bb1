use super::*;
use crate::puzzle::operators::find;
use crate::puzzle::{Clue, DigitSet, Grid, Group, Kind, Puzzle, Role, check, samples};
use crate::rng::{RunRng, StreamKey};

const MEASURES: [CageMeasure; 2] = [CageMeasure::Binary, CageMeasure::Gap];

fn rng() -> RunRng {
    StreamKey::run(7, "fitness", 0).rng()
}

fn random_genome(problem: &Problem, rng: &mut RunRng) -> Vec<u8> {
    (0..problem.cells()).map(|_| rng.below(problem.digits()) as u8).collect()
}

/// The terms by their definition, cell by cell.
fn slow_terms(problem: &Problem, genome: &[u8], measure: CageMeasure) -> Terms {
    let mut terms = Terms::default();
    for group in 0..problem.groups() {
        let (rule, cells) = (problem.rule(group), problem.cells_of(group));
        let digit = |cell: &u16| genome[usize::from(*cell)];
        for (index, a) in cells.iter().enumerate().filter(|_| rule.distinct) {
            let equal = cells[..index].iter().filter(|b| digit(a) == digit(b)).count();
            *terms.of_mut(Term::of_distinct(problem, group)) += equal as u32;
        }
        if let Some(clue) = rule.clue {
            let values: Vec<u8> = cells.iter().map(|c| problem.values()[usize::from(digit(c))]).collect();
            terms.cage += measured(clue.gap(&values), measure);
        }
    }
    if let Some(expected) = problem.expected() {
        let occurrences = |digit: usize| genome.iter().filter(|rank| usize::from(**rank) == digit).count();
        terms.count = (0..problem.digits()).map(|digit| (occurrences(digit) as u32).abs_diff(expected)).sum();
    }
    terms
}

fn agree(problem: &Problem, genome: &[u8]) {
    for measure in MEASURES {
        let fitness = Fitness::new(problem.clone(), Weights::ORIGINAL, measure).expect("small weights");
        let terms = slow_terms(problem, genome, measure);
        assert_eq!(fitness.terms(genome), terms);
        assert_eq!(fitness.evaluate(genome), terms.weighted(&Weights::ORIGINAL));
        each_agrees(&fitness, genome);
        let mut groups = vec![0; problem.groups()];
        fitness.groups(genome, &mut groups);
        assert_eq!(
            groups.iter().sum::<u32>(),
            terms.row + terms.column + terms.region + terms.cage + terms.group
        );
    }
}

/// Many genomes at a time have the fitness that each has alone: rotations of the genome, not a multiple of the lanes.
fn each_agrees(fitness: &Fitness, genome: &[u8]) {
    let cells = genome.len();
    let rotated = |by: usize| {
        let mut genome = genome.to_vec();
        genome.rotate_left(by % cells);
        genome
    };
    let genomes: Vec<Vec<u8>> = (0..2 * LANES + 3).map(rotated).collect();
    let mut values = vec![0; genomes.len()];
    fitness.evaluate_each(&genomes.concat(), &mut values, &mut Scratch::default());
    let alone: Vec<u32> = genomes.iter().map(|genome| fitness.evaluate(genome)).collect();
    assert_eq!(values, alone);
    let mut terms = vec![Terms::default(); genomes.len()];
    fitness.terms_each(&genomes.concat(), &mut terms, &mut Scratch::default());
    let alone: Vec<Terms> = genomes.iter().map(|genome| fitness.terms(genome)).collect();
    assert_eq!(terms, alone);
}

#[test]
fn the_fast_path_agrees_with_the_definition_at_every_size() {
    let mut rng = rng();
    let every = (1..=25).chain([32]).collect();
    for size in crate::test_size(vec![1, 2, 3, 4, 5, 6, 9, 16, 17], every) {
        for _ in 0..if size < 10 { 4 } else { 1 } {
            let problem = Problem::compile(&samples::kenken(size, |n| rng.below(n)));
            let genome = random_genome(&problem, &mut rng);
            agree(&problem, &genome);
            agree(&problem, &vec![0; problem.cells()]);
            agree(&problem, &vec![problem.digits() as u8 - 1; problem.cells()]);
        }
    }
}

#[test]
fn zero_means_solved_and_solved_means_zero() {
    let mut rng = rng();
    let mut solutions = 0;
    for round in 0..200 {
        let puzzle = samples::kenken(1 + round % 3, |n| rng.below(n));
        let problem = Problem::compile(&puzzle);
        for measure in MEASURES {
            let fitness = Fitness::new(problem.clone(), Weights::ORIGINAL, measure).expect("small weights");
            for _ in 0..100 {
                let genome = random_genome(&problem, &mut rng);
                let solved = check(&puzzle, &problem.grid(&genome)).is_solution();
                assert_eq!(fitness.evaluate(&genome) == 0, solved);
                solutions += usize::from(solved);
            }
        }
    }
    assert!(solutions > 1000, "the sample has solutions: {solutions}");
}

#[test]
fn permuted_lines_can_be_skipped() {
    let mut rng = rng();
    for size in [1, 4, 9, 17] {
        let problem = Problem::compile(&samples::kenken(size, |n| rng.below(n)));
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
        let mut genome: Vec<u8> = (0..size * size).map(|cell| (cell % size) as u8).collect();
        genome.chunks_mut(size).for_each(|row| rng.shuffle(row));
        let fit = fitness.evaluate(&genome);
        assert_eq!(fitness.evaluate_permuted(&genome), fit);
        let (genomes, mut values) = (genome.repeat(LANES), [0; LANES]);
        fitness.evaluate_each_permuted(&genomes, &mut values, &mut Scratch::default());
        assert_eq!(values, [fit; LANES]);
        let mut terms = [Terms::default(); LANES];
        fitness.terms_each_permuted(&genomes, &mut terms, &mut Scratch::default());
        assert_eq!(terms, [fitness.terms(&genome); LANES]);
    }
}

#[test]
fn entries_regions_and_other_digit_sets_are_just_groups() {
    let clue = |symbol, target| Some(Clue { operator: find(symbol).expect("a known operator"), target });
    let group = |role, cells, distinct, clue| Group { role, cells, distinct, clue };
    let groups = vec![
        group(Role::Entry, vec![0, 1, 2], true, clue("+", 10)),
        group(Role::Entry, vec![1, 4], true, clue("+", 5)),
        group(Role::Region, vec![3, 4, 5], true, None),
        group(Role::Cage, vec![3, 5], true, clue("*", 14)),
        group(Role::Group, vec![0, 3, 5], true, None),
        group(Role::Group, vec![2, 4], true, clue("+", 8)),
    ];
    let digits = DigitSet::new(vec![2, 3, 5, 7]).expect("four digits");
    let puzzle = Puzzle::new(Kind::KenKen, (2, 3), digits, vec![false; 6], groups).expect("a sound puzzle");
    let problem = Problem::compile(&puzzle);
    let mut rng = rng();
    for _ in 0..200 {
        agree(&problem, &random_genome(&problem, &mut rng));
    }
    let solved = problem.ranks(&Grid::parse("3 2 5/2 3 7", 2, 3).expect("a 2x3 grid")).expect("known digits");
    let heavy = Weights { group: 7, ..Weights::ORIGINAL };
    let fitness = Fitness::new(problem.clone(), heavy, CageMeasure::Gap).expect("small weights");
    assert_eq!(fitness.evaluate(&solved), 0);
    let twice = problem.ranks(&Grid::parse("3 2 3/3 3 2", 2, 3).expect("a 2x3 grid")).expect("known digits");
    let terms = fitness.terms(&twice);
    assert_eq!((terms.group, terms.region), (2, 1));
    assert_eq!(fitness.evaluate(&twice), terms.weighted(&heavy));
}

#[test]
fn equal_groups_count_separately() {
    let group = || Group { role: Role::Region, cells: (0..6).collect(), distinct: true, clue: None };
    let digits = DigitSet::one_to(6).expect("six digits");
    let groups = (0..700).map(|_| group()).collect();
    let puzzle = Puzzle::new(Kind::KenKen, (1, 6), digits, vec![false; 6], groups).expect("a sound puzzle");
    agree(&Problem::compile(&puzzle), &[0, 0, 1, 1, 1, 2]);
}

#[test]
fn a_puzzle_without_cells_is_solved() {
    let digits = DigitSet::new(vec![1, 2]).expect("two digits");
    let puzzle = Puzzle::new(Kind::KenKen, (1, 2), digits, vec![true; 2], vec![]).expect("all black");
    let fitness = Fitness::new(Problem::compile(&puzzle), Weights::ORIGINAL, CageMeasure::Binary)
        .expect("small weights");
    let mut values = [7; LANES + 1];
    fitness.evaluate_each(&[], &mut values, &mut Scratch::default());
    assert_eq!((fitness.evaluate(&[]), values), (0, [0; LANES + 1]));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let problem = Problem::compile(&samples::kenken(9, |_| 0));
    let heavy = Weights { cage: u32::MAX, ..Weights::ORIGINAL };
    assert!(matches!(Fitness::new(problem, heavy, CageMeasure::Gap), Err(FitnessError::TooLarge { .. })));
}
