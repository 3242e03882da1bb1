//! What operators say they can reach is never less than they do: no genome that they ever make was said to be lost.

use kenga_core::rng::RunRng;
use kenga_core::search::operators::crossover::{CROSSOVER, Parent};
use kenga_core::search::operators::mutation::MUTATION;
use kenga_core::search::{Change, Closure, Population, Reachability, Space};
use kenga_core::spec::{Catalog, Member, Spec};

use super::setup::{Ground, settings};

/// The settings that work on an encoding, and none.
pub fn fitting(catalog: &dyn Catalog, encoding: &Member) -> Vec<Option<Spec>> {
    let mut fitting = Vec::new();
    for setting in settings(catalog) {
        if catalog.fits(&setting, encoding).is_ok() {
            fitting.push(Some(setting));
        }
    }
    fitting.push(None);
    fitting
}

/// Genomes that have much in common, so that there is much to be lost.
pub fn poor(ground: &Ground, count: usize, rng: &mut RunRng) -> Vec<Vec<u8>> {
    let space = ground.encoding.space();
    let mut first = vec![0; space.genes()];
    ground.encoding.init(&mut first, rng);
    if space.change == Change::Digits {
        drop_digit(space, &mut first, rng);
    }
    let mut genomes = vec![first.clone()];
    while genomes.len() < count {
        let mut other = first.clone();
        if rng.below(2) > 0 {
            ground.encoding.init(&mut other, rng);
        }
        if space.change == Change::Digits && rng.coin(0.8) {
            drop_digit(space, &mut other, rng);
        }
        genomes.push(other);
    }
    genomes
}

/// Replaces one digit, drawn at random, wherever it stands and others may.
fn drop_digit(space: &Space, genome: &mut [u8], rng: &mut RunRng) {
    let without = rng.below(space.digits) as u8;
    for gene in &space.free {
        let gene = usize::from(*gene);
        if genome[gene] == without && space.candidates.count(gene) > 1 {
            genome[gene] = space.candidates.draw_other(gene, without, rng);
        }
    }
}

/// A population of these genomes.
pub fn population(genomes: &[Vec<u8>]) -> Population {
    let mut population = Population::new(genomes.len(), genomes[0].len());
    for (index, genome) in genomes.iter().enumerate() {
        population.genome_mut(index).copy_from_slice(genome);
    }
    population
}

/// What comes of genomes, crossed and mutated again and again; all of it is kept, as no run could.
pub fn descendants(
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

/// What both operators can make together.
pub fn closure(ground: &Ground, [crossover, mutation]: [&Option<Spec>; 2]) -> Option<Closure> {
    let space = ground.encoding.space();
    let crossed = crossover.as_ref().map(|spec| CROSSOVER.build(spec).closure(space));
    let mutated = mutation.as_ref().map(|spec| MUTATION.build(spec).closure(space));
    Closure::of_all(space.genes(), crossed.into_iter().chain(mutated))
}

/// The operators make nothing on a ground that their closure said was out of reach. Returns how many of some genomes were lost, and how
/// many were not; nothing where digits come in.
///
/// # Panics
/// When something comes up that was out of reach.
pub fn check(ground: &Ground, operators: [&Option<Spec>; 2], rng: &mut RunRng) -> [u64; 2] {
    let Some(closure) = closure(ground, operators) else { return [0; 2] };
    let [mut lost, mut kept] = [0; 2];
    let [crossover, mutation] =
        operators.map(|operator| operator.as_ref().map_or("none", |spec| spec.name.as_str()));
    let label = format!("crossover {crossover} and mutation {mutation} on {}", ground.name);
    let genomes = poor(ground, 3, rng);
    let first = population(&genomes);
    let made = descendants(ground, operators, &genomes, 40, rng);
    for genome in &made {
        let is_open = Reachability::new(&closure, std::slice::from_ref(genome)).is_open(&[&first]);
        assert!(is_open, "{label}: {genome:?} comes of {genomes:?}, against the closure");
    }
    let last = population(&made[made.len() - 3..]);
    for genome in poor(ground, 6, rng) {
        let mut wanted = Reachability::new(&closure, &[genome]);
        if wanted.is_open(&[&first]) {
            kept += 1;
        } else {
            lost += 1;
            assert!(!wanted.is_open(&[&last]), "{label}: what was lost came back");
        }
    }
    [lost, kept]
}
