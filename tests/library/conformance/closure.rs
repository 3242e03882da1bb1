//! What operators say they can reach is never less than they do: no genome that they ever make was said to be lost.

use kenga::rng::RunRng;
use kenga::search::operators::crossover::{CROSSOVER, Parent};
use kenga::search::operators::mutation::MUTATION;
use kenga::search::{Closure, Population, Reachability};
use kenga::spec::{Catalog, Spec};

use super::setup::{Ground, grounds, rng, settings};

/// The settings that work on an encoding, and none.
fn fitting(catalog: &dyn Catalog, encoding: &str) -> Vec<Option<Spec>> {
    let fits = |setting: &Spec| catalog.fits(setting, encoding).is_ok();
    settings(catalog).into_iter().filter(fits).map(Some).chain([None]).collect()
}

/// Genomes that have much in common, so that there is much to be lost.
fn poor(ground: &Ground, count: usize, rng: &mut RunRng) -> Vec<Vec<u8>> {
    let mut first = vec![0; ground.encoding.space().genes()];
    ground.encoding.init(&mut first, rng);
    let narrow = |genome: &mut Vec<u8>, rng: &mut RunRng| {
        // On `cells` any digit may stand anywhere: leave one out.
        let without = rng.below(ground.encoding.space().digits) as u8;
        let free = ground.encoding.space().free.clone();
        for gene in free
            .into_iter()
            .map(usize::from)
            .filter(|gene| ground.encoding.space().candidates[*gene].count_ones() > 1)
        {
            if genome[gene] == without {
                let others = ground.encoding.space().candidates[gene] & !(1 << without);
                genome[gene] = rng.member(others);
            }
        }
    };
    if ground.encoding_name == "cells" {
        narrow(&mut first, rng);
    }
    let mut genomes = vec![first.clone()];
    while genomes.len() < count {
        let mut other = first.clone();
        match rng.below(2) {
            0 => {}
            _ => ground.encoding.init(&mut other, rng),
        }
        if ground.encoding_name == "cells" && rng.coin(0.8) {
            narrow(&mut other, rng);
        }
        genomes.push(other);
    }
    genomes
}

fn population(genomes: &[Vec<u8>]) -> Population {
    let mut population = Population::new(genomes.len(), genomes[0].len());
    for (index, genome) in genomes.iter().enumerate() {
        population.genome_mut(index).copy_from_slice(genome);
    }
    population
}

/// What comes of genomes, crossed and mutated again and again; all of it is kept, as no run could.
fn descendants(
    ground: &Ground,
    [crossover, mutation]: [&Option<Spec>; 2],
    genomes: &[Vec<u8>],
    rounds: usize,
    rng: &mut RunRng,
) -> Vec<Vec<u8>> {
    let space = ground.encoding.space();
    let mut crossover = crossover.as_ref().map(|spec| CROSSOVER.build(spec));
    let mut mutation = mutation.as_ref().map(|spec| MUTATION.build(spec));
    if let Some(mutation) = &mut mutation {
        mutation.prepare(space, 0.5);
    }
    let mut pool = genomes.to_vec();
    for _ in 0..rounds {
        let [a, b] = [pool[rng.below(pool.len())].clone(), pool[rng.below(pool.len())].clone()];
        let [of_a, of_b] = [ground.encoding.conflicts(&a), ground.encoding.conflicts(&b)];
        let (mut c, mut d) = (a.clone(), b.clone());
        if let Some(crossover) = &mut crossover {
            let parents = [Parent { genome: &a, conflicts: &of_a }, Parent { genome: &b, conflicts: &of_b }];
            crossover.cross(space, parents, [&mut c, &mut d], rng);
        }
        if let Some(mutation) = &mut mutation {
            mutation.mutate(space, &mut c, &of_a, rng);
            mutation.mutate(space, &mut d, &of_b, rng);
        }
        pool.extend([c, d]);
    }
    pool
}

fn closure(ground: &Ground, [crossover, mutation]: [&Option<Spec>; 2]) -> Option<Closure> {
    let space = ground.encoding.space();
    let crossed = crossover.as_ref().map(|spec| CROSSOVER.build(spec).closure(space));
    let mutated = mutation.as_ref().map(|spec| MUTATION.build(spec).closure(space));
    Closure::of_all(space.genes(), crossed.into_iter().chain(mutated))
}

/// One in so many pairs of operators is tried on a ground.
const SHARE: usize = 12;

#[test]
fn nothing_that_operators_make_was_out_of_reach() {
    let (mut rng, mut lost, mut kept) = (rng("reach"), 0u64, 0u64);
    let small = |ground: &Ground| {
        ["size 2,", "size 3,", "size 4,", "equal"].iter().any(|name| ground.name.starts_with(name))
    };
    for (turn, ground) in grounds().iter().filter(|ground| small(ground)).enumerate() {
        let mutations = fitting(&MUTATION, ground.encoding_name);
        for (row, crossover) in fitting(&CROSSOVER, ground.encoding_name).into_iter().enumerate() {
            // Every pair of operators meets some of the grounds, every ground some of the pairs.
            for mutation in mutations.iter().skip((turn + row) % SHARE).step_by(SHARE) {
                let operators = [&crossover, mutation];
                let Some(closure) = closure(ground, operators) else { continue };
                let genomes = poor(ground, 3, &mut rng);
                let first = population(&genomes);
                let made = descendants(ground, operators, &genomes, 40, &mut rng);
                for genome in &made {
                    let is_open =
                        Reachability::new(&closure, std::slice::from_ref(genome)).is_open(&[&first]);
                    assert!(is_open, "{crossover:?} {mutation:?} on {}: {genomes:?} {genome:?}", ground.name);
                }
                let last = population(&made[made.len() - 3..]);
                for mut wanted in
                    poor(ground, 6, &mut rng).into_iter().map(|genome| Reachability::new(&closure, &[genome]))
                {
                    match wanted.is_open(&[&first]) {
                        true => kept += 1,
                        false => {
                            lost += 1;
                            assert!(
                                !wanted.is_open(&[&last]),
                                "{crossover:?} {mutation:?}: what was lost came back"
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(lost > 800 && kept > 800, "{lost} lost, {kept} kept");
}

/// Those of a pool that are nearest to a genome, or any.
fn parents<'a>(pool: &'a [Vec<u8>], sought: Option<&[u8]>, rng: &mut RunRng) -> [&'a [u8]; 2] {
    let mut any = || pool[rng.below(pool.len())].as_slice();
    let random = [any(), any()];
    let Some(sought) = sought else { return random };
    let distance = |genome: &[u8]| genome.iter().zip(sought).filter(|(a, b)| a != b).count();
    let nearest = pool.iter().min_by_key(|genome| distance(genome)).expect("there are genomes");
    [nearest, random[1]]
}

/// Islands with operators of their own: whatever comes of all their genomes, crossed across islands as no migrants could be,
/// at random and in pursuit of what is wanted, was said to be within reach of them together; and what was not never comes.
#[test]
fn nothing_that_islands_make_together_was_out_of_reach() {
    let (mut rng, mut lost, mut met) = (rng("reach of islands"), 0u64, 0u64);
    let small = |ground: &Ground| ["size 2,", "size 3,"].iter().any(|name| ground.name.starts_with(name));
    for ground in grounds().iter().filter(|ground| small(ground)) {
        let crossovers = fitting(&CROSSOVER, ground.encoding_name);
        let mutations = fitting(&MUTATION, ground.encoding_name);
        for _ in 0..60 {
            let islands = [(); 2]
                .map(|()| [&crossovers[rng.below(crossovers.len())], &mutations[rng.below(mutations.len())]]);
            let genes = ground.encoding.space().genes();
            let of = |operators: &[&Option<Spec>; 2]| closure(ground, *operators);
            let Some(joined) = Closure::of_all(genes, islands.iter().map(of)) else { continue };
            let own = [(); 2].map(|()| poor(ground, 1, &mut rng));
            let populations = own.each_ref().map(|genomes| population(genomes));
            let populations = populations.each_ref();
            let wanted = poor(ground, 3, &mut rng);
            let open = |genome: &Vec<u8>| {
                Reachability::new(&joined, std::slice::from_ref(genome)).is_open(&populations)
            };
            let is_open: Vec<bool> = wanted.iter().map(open).collect();
            let mut pool = own.concat();
            for round in 0..60 {
                let sought = (round % 2 == 0).then(|| wanted[round / 2 % wanted.len()].as_slice());
                let couple = parents(&pool, sought, &mut rng).map(<[u8]>::to_vec);
                let made = descendants(ground, islands[rng.below(2)], &couple, 1, &mut rng);
                pool.extend_from_slice(&made[2..]);
            }
            assert!(pool.iter().all(open), "{islands:?} on {}: {own:?}", ground.name);
            for (genome, is_open) in wanted.iter().zip(is_open) {
                let comes = pool.contains(genome);
                assert!(is_open || !comes, "{islands:?} on {}: {own:?} {genome:?}", ground.name);
                (lost, met) = (lost + u64::from(!is_open), met + u64::from(comes));
            }
        }
    }
    assert!(lost > 30 && met > 60, "{lost} lost, {met} met");
}

/// On a 2x2 all that can ever come up is known: what is not lost comes up, where the rule is exact.
#[test]
fn what_single_point_and_swap_can_reach_is_exactly_what_comes_up() {
    let ground = grounds().iter().find(|ground| ground.name == "size 2, cells").expect("a ground");
    let mut rng = rng("exact");
    let one = |catalog: &dyn Catalog, name: &str, rate: f64| {
        let fits = |setting: &Spec| setting.name == name && setting.real_or_absent("rate") == Some(rate);
        settings(catalog).into_iter().find(fits)
    };
    let crossover = one(&CROSSOVER, "single_point", 1.0);
    let mutation = one(&MUTATION, "swap", 0.02);
    for operators in [[&crossover, &mutation], [&crossover, &None], [&None, &mutation]] {
        let closure = closure(ground, operators).expect("no digit comes in");
        for _ in 0..5 {
            let genomes = poor(ground, 2, &mut rng);
            let made = descendants(ground, operators, &genomes, 2000, &mut rng);
            for code in 0..16u8 {
                let genome: Vec<u8> = (0..4).map(|gene| code >> gene & 1).collect();
                let fixed = &ground.encoding.space().candidates;
                if (0..4).any(|gene| fixed[gene] >> genome[gene] & 1 == 0) {
                    continue;
                }
                let is_open = Reachability::new(&closure, std::slice::from_ref(&genome))
                    .is_open(&[&population(&genomes)]);
                assert_eq!(is_open, made.contains(&genome), "{operators:?} {genomes:?} {genome:?}");
            }
        }
    }
}
