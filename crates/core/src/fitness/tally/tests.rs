use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::fitness::CageMeasure;
use crate::fitness::Weights;
use crate::problem::Blocks;
use crate::problem::Problem;
use crate::puzzle::{Cage, Entry, Kakuro, Puzzle, Square, samples};
use crate::rng::{RunRng, StreamKey};

fn fitness(puzzle: &Puzzle) -> Arc<Fitness> {
    let problem = Problem::compile(puzzle);
    Arc::new(Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights"))
}

/// The violation by its definition.
fn slow(fitness: &Fitness, guide: &Guide, invariants: &Invariants, genome: &[u8]) -> i64 {
    let problem = fitness.problem();
    let mut sum = 0;
    for group in 0..problem.groups() {
        let (rule, cells) = (problem.rule(group), problem.cells_of(group));
        let ranks: Vec<u8> = cells.iter().map(|cell| genome[usize::from(*cell)]).collect();
        for (index, rank) in ranks.iter().enumerate().filter(|_| rule.distinct && !invariants.distinct[group])
        {
            let earlier = ranks[..index].iter().filter(|other| *other == rank).count() as i64;
            let equal = if guide.lines == Equals::Pairs { earlier } else { earlier.min(1) };
            sum += i64::from(guide.line_weight) * equal;
        }
        if let Some(clue) = rule.clue.filter(|_| !invariants.clues[group]) {
            let digits: Vec<u8> = ranks.iter().map(|rank| problem.values()[usize::from(*rank)]).collect();
            let missed = crate::fitness::evaluate::measured(clue.gap(&digits), guide.cages);
            sum += i64::from(guide.cage_weight) * i64::from(missed);
        }
    }
    sum
}

fn guide(rng: &mut RunRng) -> Guide {
    Guide {
        lines: if rng.coin(0.5) { Equals::Pairs } else { Equals::Repeats },
        cages: if rng.coin(0.5) { CageMeasure::Gap } else { CageMeasure::Binary },
        line_weight: 1 + rng.below(3) as u32,
        cage_weight: 1 + rng.below(3) as u32,
    }
}

fn random(fitness: &Fitness, rng: &mut RunRng) -> Vec<u8> {
    (0..fitness.problem().cells()).map(|_| rng.below(fitness.problem().digits()) as u8).collect()
}

fn differences_agree(fitness: &Arc<Fitness>, rng: &mut RunRng) {
    let (guide, invariants) = (guide(rng), Invariants::none(fitness.problem()));
    let (cells, digits) = (fitness.problem().cells(), fitness.problem().digits());
    let mut tally = Tally::new(Arc::clone(fitness), guide, &invariants);
    tally.place(&random(fitness, rng));
    for _ in 0..12 {
        let before = tally.value();
        assert_eq!(before, slow(fitness, &guide, &invariants, tally.ranks()));
        assert_eq!(before, tally.violation());
        assert_eq!(before == 0, fitness.evaluate(tally.ranks()) == 0);
        let (first, rank) = (rng.below(cells), rng.below(digits) as u8);
        let mut changed = tally.ranks().to_vec();
        changed[first] = rank;
        assert_eq!(before + tally.change(first, rank), slow(fitness, &guide, &invariants, &changed));
        let other = random(fitness, rng);
        let violation = slow(fitness, &guide, &invariants, &other);
        for bound in [0, violation / 2, violation, violation + 1, i64::MAX] {
            let below = Some(violation).filter(|violation| *violation < bound);
            assert_eq!(tally.violation_below(bound, &other), below, "below {bound}");
        }
        if cells > 1 {
            let (a, b) = rng.pair(cells);
            let mut swapped = tally.ranks().to_vec();
            swapped.swap(a, b);
            let difference = slow(fitness, &guide, &invariants, &swapped) - before;
            assert_eq!(tally.swap(a, b), difference);
            for most in difference - 2..=difference + 2 {
                let within = Some(difference).filter(|difference| *difference <= most);
                assert_eq!(tally.swap_within(a, b, most), within, "at most {most}");
            }
            if rng.coin(0.5) {
                tally.write_swap(a, b);
            }
        }
        tally.write(first, rank);
    }
}

/// Every clue with tuples is a part. The difference of a tuple is that of writing it.
fn exchanges_agree(fitness: &Arc<Fitness>, rng: &mut RunRng) {
    let problem = fitness.problem();
    let (guide, mut invariants, mut cells, mut tuples) =
        (guide(rng), Invariants::none(problem), Blocks::default(), Vec::new());
    let mut genome = random(fitness, rng);
    let mut taken = vec![false; problem.cells()];
    for group in problem.cages() {
        let own = problem.cells_of(group);
        let table = problem.tuples(group, 300);
        let table = table.filter(|table| !table.is_empty());
        if let Some(table) = table.filter(|_| own.iter().all(|cell| !taken[usize::from(*cell)])) {
            own.iter().zip(table.get(rng.below(table.len()))).for_each(|(cell, rank)| {
                (genome[usize::from(*cell)], taken[usize::from(*cell)]) = (*rank, true);
            });
            cells.push(own.iter().copied());
            invariants.clues[group] = true;
            tuples.push(table);
        }
    }
    if cells.is_empty() {
        return;
    }
    let mut tally = Tally::new(Arc::clone(fitness), guide, &invariants);
    tally.place(&genome);
    let mut parts = Parts::link(cells, &tally);
    let mut prices = Vec::new();
    for _ in 0..20 {
        let part = rng.below(parts.len());
        let tuple = tuples[part].get(rng.below(tuples[part].len())).to_vec();
        let mut lanes = tuple.clone();
        lanes.resize_with(tuple.len().next_multiple_of(LANES), || rng.below(problem.digits()) as u8);
        let difference = tally.exchange(&parts, part, &lanes);
        let now = tally.prices(&parts, part, &mut prices);
        let row = |(position, rank): (usize, &u8)| prices[position * problem.digits() + usize::from(*rank)];
        let priced: i32 = tuple.iter().enumerate().map(row).sum();
        assert_eq!(difference, i64::from(priced - now) + tally.clues_of_part(&parts, part, &tuple));
        let before = tally.value();
        tally.write_part(&mut parts, part, &tuple);
        assert_eq!(tally.value(), before + difference);
        assert_eq!(tally.value(), slow(fitness, &guide, &invariants, tally.ranks()));
    }
}

fn crossing_entries() -> Puzzle {
    let entry = |target, cells: &[(usize, usize)]| Entry { target, cells: cells.to_vec() };
    let entries = vec![
        entry(7, &[(0, 0), (0, 1), (0, 2)]),
        entry(9, &[(1, 0), (1, 1), (1, 2)]),
        entry(5, &[(0, 0), (1, 0)]),
        entry(6, &[(0, 1), (1, 1)]),
        entry(5, &[(0, 2), (1, 2)]),
    ];
    Kakuro::new((2, 3), entries).build().expect("a sound puzzle")
}

/// Every cell has a row, a column and a box.
fn killer() -> Puzzle {
    let plus = crate::puzzle::operators::find("+").expect("a known operator");
    let pairs = (0..4).flat_map(|row| [0, 2].map(|column| vec![(row, column), (row, column + 1)]));
    let cages = pairs.map(|cells| Cage::new(plus, 5, cells)).collect();
    Square::killer(4, (2, 2), cages).build().expect("a sound puzzle")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::test_size(12, 100)))]

    #[test]
    fn differences_are_those_of_the_definition(size in 1usize..=16, seed: u64) {
        let mut rng = StreamKey::run(seed, "tally", 0).rng();
        let fitness = fitness(&samples::kenken(size, |n| rng.below(n)));
        differences_agree(&fitness, &mut rng);
        exchanges_agree(&fitness, &mut rng);
    }

    #[test]
    fn differences_agree_where_entries_cross_and_where_cells_have_three_lines(seed: u64) {
        let mut rng = StreamKey::run(seed, "tally", 0).rng();
        for puzzle in [crossing_entries(), killer()] {
            let fitness = fitness(&puzzle);
            differences_agree(&fitness, &mut rng);
            exchanges_agree(&fitness, &mut rng);
        }
    }
}

#[test]
fn weights_are_raised_where_violated_and_can_be_reset() {
    let fitness = fitness(&samples::kenken(4, |_| 0));
    let mut tally = Tally::new(Arc::clone(&fitness), Guide::PLAIN, &Invariants::none(fitness.problem()));
    tally.place(&[0; 16]);
    let before = tally.value();
    tally.raise_weights(1);
    assert_eq!(tally.value(), 2 * before, "every repeat is of a digit that now weighs 2");
    assert_eq!(tally.violation(), before);
    assert!(tally.is_conflicted(0));
    tally.reset_weights();
    assert_eq!(tally.value(), before);
}

#[test]
fn weights_stop_growing_before_they_overflow() {
    let fitness = fitness(&samples::kenken(4, |_| 0));
    let mut tally = Tally::new(Arc::clone(&fitness), Guide::PLAIN, &Invariants::none(fitness.problem()));
    tally.place(&[0; 16]);
    (0..3).for_each(|_| tally.raise_weights(u32::MAX / 2));
    assert_eq!(tally.value(), tally.violation() * i64::from(clue_state::HEAVIEST));
}
