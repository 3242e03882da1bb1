//! Crossovers and mutations: valid in, valid out, and the same for the same stream.

use kenga::rng::RunRng;
use kenga::search::Space;
use kenga::search::operators::crossover::CROSSOVER;
use kenga::search::operators::mutation::MUTATION;
use kenga::spec::Catalog;

use crate::setup::{Ground, grounds, rng, settings};

fn start(ground: &Ground, rng: &mut RunRng) -> Vec<u8> {
    let mut genome = vec![0; ground.encoding.space().genes()];
    ground.encoding.init(&mut genome, rng);
    genome
}

fn digits_of(genome: &[u8], genes: &[u16]) -> u32 {
    genes.iter().fold(0, |digits, gene| digits | 1 << genome[usize::from(*gene)])
}

/// Every gene is one of its candidates; on `rows` every line holds as many different digits as it can.
fn is_valid(ground: &Ground, genome: &[u8]) -> bool {
    let space = ground.encoding.space();
    let candidate = |gene: usize| genome[gene] < 32 && space.candidates[gene] >> genome[gene] & 1 == 1;
    let fixed = |gene: &&u16| space.candidates[usize::from(**gene)].count_ones() == 1;
    let full = |line: &[u16]| {
        let givens: Vec<u16> = line.iter().filter(fixed).copied().collect();
        let expected = digits_of(genome, &givens).count_ones() as usize + line.len() - givens.len();
        digits_of(genome, line).count_ones() as usize == expected
    };
    (0..space.genes()).all(candidate) && (ground.encoding_name != "rows" || space.rows.iter().all(full))
}

fn multiset(genome: &[u8]) -> Vec<u8> {
    let mut digits = genome.to_vec();
    digits.sort_unstable();
    digits
}

#[test]
fn genomes_start_valid_and_spaces_are_consistent() {
    let mut rng = rng("start");
    for ground in grounds() {
        let space: &Space = ground.encoding.space();
        let genes = |lists: &kenga::search::Blocks| {
            let mut genes: Vec<u16> = lists.iter().flatten().copied().collect();
            genes.sort_unstable();
            genes
        };
        let all: Vec<u16> = (0..space.genes() as u16).collect();
        assert_eq!((genes(&space.rows), genes(&space.cages)), (all.clone(), all), "{}", ground.name);
        assert_eq!(genes(&space.segments), space.free, "{}", ground.name);
        assert!(space.free.iter().all(|gene| space.segment(*gene).contains(gene)), "{}", ground.name);
        for _ in 0..5 {
            let genome = start(&ground, &mut rng);
            assert!(is_valid(&ground, &genome), "{} {genome:?}", ground.name);
            let value = ground.encoding.evaluate(&genome);
            assert_eq!(value, ground.encoding.fitness().evaluate(&genome), "{}", ground.name);
        }
    }
}

#[test]
fn children_are_valid_and_made_of_their_parents() {
    for (setting, ground) in
        settings(&CROSSOVER).iter().flat_map(|setting| grounds().into_iter().map(move |g| (setting, g)))
    {
        if CROSSOVER.fits(setting, ground.encoding_name).is_err() {
            continue;
        }
        let (mut crossover, mut rng) = (CROSSOVER.build(setting), rng(&ground.name));
        for _ in 0..10 {
            let (a, b) = (start(&ground, &mut rng), start(&ground, &mut rng));
            let mut children = [vec![99; a.len()], vec![99; a.len()]];
            let mut again = (children.clone(), rng.clone());
            let mut cross = |[c, d]: &mut [Vec<u8>; 2], rng: &mut RunRng| {
                crossover.cross(ground.encoding.space(), [&a, &b], [c, d], rng);
            };
            cross(&mut children, &mut rng);
            cross(&mut again.0, &mut again.1);
            let label = format!("{} on {}: {a:?} {b:?} {children:?}", setting.name, ground.name);
            assert_eq!(children, again.0, "{label}");
            assert!(children.iter().all(|child| is_valid(&ground, child)), "{label}");
            if ground.encoding_name == "cells" {
                let pair = |gene: usize| [children[0][gene], children[1][gene]];
                assert!(
                    (0..a.len())
                        .all(|gene| pair(gene) == [a[gene], b[gene]] || pair(gene) == [b[gene], a[gene]]),
                    "{label}"
                );
            }
        }
    }
}

#[test]
fn equal_parents_have_equal_children() {
    for (setting, ground) in
        settings(&CROSSOVER).iter().flat_map(|setting| grounds().into_iter().map(move |g| (setting, g)))
    {
        if CROSSOVER.fits(setting, ground.encoding_name).is_ok() {
            let mut rng = rng(&ground.name);
            let parent = start(&ground, &mut rng);
            let (mut c, mut d) = (vec![99; parent.len()], vec![99; parent.len()]);
            CROSSOVER.build(setting).cross(
                ground.encoding.space(),
                [&parent, &parent],
                [&mut c, &mut d],
                &mut rng,
            );
            assert_eq!([&c, &d], [&parent, &parent], "{} on {}", setting.name, ground.name);
        }
    }
}

#[test]
fn mutants_are_valid_and_hold_the_same_digits_unless_drawn_anew() {
    for (setting, ground) in
        settings(&MUTATION).iter().flat_map(|setting| grounds().into_iter().map(move |g| (setting, g)))
    {
        if MUTATION.fits(setting, ground.encoding_name).is_err() {
            continue;
        }
        let (mut mutation, mut rng) = (MUTATION.build(setting), rng(&ground.name));
        for round in 0..10 {
            mutation.prepare(ground.encoding.space(), f64::from(round) / 10.0);
            let genome = start(&ground, &mut rng);
            let (mut mutant, mut again) = (genome.clone(), (genome.clone(), rng.clone()));
            mutation.mutate(ground.encoding.space(), &mut mutant, &mut rng);
            mutation.mutate(ground.encoding.space(), &mut again.0, &mut again.1);
            let label = format!("{} on {}: {genome:?} {mutant:?}", setting.name, ground.name);
            assert_eq!(mutant, again.0, "{label}");
            assert!(is_valid(&ground, &mutant), "{label}");
            assert!(setting.name == "reset" || multiset(&mutant) == multiset(&genome), "{label}");
        }
    }
}

#[test]
fn a_rate_of_zero_changes_nothing_and_one_does() {
    let ground = grounds().into_iter().find(|ground| ground.name == "size 6, rows");
    let ground = ground.expect("a ground");
    for setting in settings(&MUTATION).iter().filter(|setting| MUTATION.fits(setting, "rows").is_ok()) {
        let (mut mutation, mut rng) = (MUTATION.build(setting), rng("rate"));
        mutation.prepare(ground.encoding.space(), 0.0);
        let genome = start(&ground, &mut rng);
        let mut mutant = genome.clone();
        (0..100).for_each(|_| mutation.mutate(ground.encoding.space(), &mut mutant, &mut rng));
        match setting.real_or_absent("rate") {
            Some(0.0) => assert_eq!(mutant, genome, "{}", setting.name),
            _ => assert_ne!(mutant, genome, "{}", setting.name),
        }
    }
}
