//! What operators say they can reach is never less than they do: no genome that they ever make was said to be lost.

use kenga::rng::RunRng;
use kenga::search::operators::crossover::CROSSOVER;
use kenga::search::operators::mutation::MUTATION;
use kenga::search::{Closure, Reachability};
use kenga::spec::{Catalog, Spec};

use kenga_testing::reach::{check, closure, descendants, fitting, poor, population};
use kenga_testing::setup::{Ground, grounds, rng, settings};

/// One in so many pairs of operators is tried on a ground.
const SHARE: usize = 12;

#[test]
fn nothing_that_operators_make_was_out_of_reach() {
    let (mut rng, mut lost, mut kept) = (rng("reach"), 0u64, 0u64);
    let small = |ground: &Ground| {
        ["size 2,", "size 3,", "size 4,", "equal"].iter().any(|name| ground.name.starts_with(name))
    };
    for (turn, ground) in grounds().iter().filter(|ground| small(ground)).enumerate() {
        let mutations = fitting(&MUTATION, ground.member);
        for (row, crossover) in fitting(&CROSSOVER, ground.member).into_iter().enumerate() {
            // Every pair of operators meets some of the grounds, every ground some of the pairs.
            for mutation in mutations.iter().skip((turn + row) % SHARE).step_by(SHARE) {
                let counts = check(ground, [&crossover, mutation], &mut rng);
                (lost, kept) = (lost + counts[0], kept + counts[1]);
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
        // Those that bring digits in put everything within reach.
        let closes = |crossover: &Option<Spec>| closure(ground, [crossover, &None]).is_some();
        let crossovers: Vec<_> = fitting(&CROSSOVER, ground.member).into_iter().filter(closes).collect();
        let mutations = fitting(&MUTATION, ground.member);
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
                if (0..4).any(|gene| !fixed.holds(gene, genome[gene])) {
                    continue;
                }
                let is_open = Reachability::new(&closure, std::slice::from_ref(&genome))
                    .is_open(&[&population(&genomes)]);
                assert_eq!(is_open, made.contains(&genome), "{operators:?} {genomes:?} {genome:?}");
            }
        }
    }
}
