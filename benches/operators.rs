//! What operators cost: every member of every family, by walking its table.
//!
//! `cargo bench --bench operators`. Items are parents picked, children made, genomes changed, offspring placed. The
//! profile of allocations shows that none is made but in the first call of a member.

use std::fmt;
use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};

use kenga::budget::Guard;
use kenga::fitness::{CageMeasure, Fitness, Guide, Weights};
use kenga::problem::Problem;
use kenga::rng::{RunRng, StreamKey};
use kenga::search::encodings::{ENCODINGS, Encoding, Rows, TupleEncoding};
use kenga::search::neighbourhood::Neighbourhood;
use kenga::search::operators::crossover::{CROSSOVER, Parent};
use kenga::search::operators::mutation::MUTATION;
use kenga::search::operators::niching::NICHING;
use kenga::search::operators::replacement::REPLACEMENT;
use kenga::search::operators::scaling::SCALING;
use kenga::search::operators::selection::SELECTION;
use kenga::search::{Conflicts, Population, Space};
use kenga::spec::{Catalog, Family, Member, Param, ParamKind, Place, Spec};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

const POPULATION: usize = 80;
const SIZES: [usize; 3] = [4, 6, 9];

fn main() {
    divan::main();
}

fn rng() -> RunRng {
    StreamKey::run(1, "bench", 0).rng()
}

/// The member of this name with its defaults.
fn build<T>(family: &'static Family<T>, name: &str) -> T {
    family.build(&family.resolve(&Spec::named(name), Place::default()).expect("defaults resolve"))
}

/// The members of a family but those that only choose among others.
fn names(family: &dyn Catalog) -> Vec<&'static str> {
    let lists = |param: &Param| matches!(param.kind, ParamKind::Members(_));
    let own = |member: &&&Member| !member.params.iter().any(lists);
    family.members().iter().filter(own).map(|member| member.name).collect()
}

/// A member at work on an encoding and a size.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    encoding: &'static str,
    size: usize,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {2}x{2}", self.name, self.encoding, self.size)
    }
}

/// Every member on every encoding that it works on, at every size.
fn cases(family: &dyn Catalog) -> Vec<Case> {
    let fits = |case: &Case| {
        family.fits(&Spec::named(case.name), ENCODINGS.member(case.encoding).expect("an encoding")).is_ok()
    };
    let encodings = |name| ["cells", "rows", "cages"].into_iter().map(move |encoding| (name, encoding));
    let all = names(family).into_iter().flat_map(encodings);
    all.flat_map(|(name, encoding)| SIZES.map(|size| Case { name, encoding, size })).filter(fits).collect()
}

/// What a member works on: two genomes with their conflicts.
struct Ground {
    space: Space,
    genomes: [Vec<u8>; 2],
    conflicts: [Conflicts; 2],
}

fn ground(case: Case, rng: &mut RunRng) -> Ground {
    let problem = Problem::compile(&kenga_testing::kenken(case.size, 1));
    let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
    let fitness = Arc::new(fitness);
    match case.encoding {
        "cells" => started(&TupleEncoding::of_cells(fitness, true), rng),
        "rows" => started(&Rows::new(fitness).expect("a KenKen has lines"), rng),
        _ => started(&TupleEncoding::of_cages(fitness), rng),
    }
}

fn started(encoding: &impl Encoding, rng: &mut RunRng) -> Ground {
    let space = encoding.space().clone();
    let genomes = [(); 2].map(|()| {
        let mut genome = vec![0; space.genes()];
        encoding.init(&mut genome, rng);
        genome
    });
    let mut near = encoding.neighbourhood(Guide::PLAIN);
    let conflicts = [0, 1].map(|index: usize| {
        let mut conflicts = Conflicts::default();
        near.place(&genomes[index]);
        conflicts.read(near.tally(), &space);
        conflicts
    });
    Ground { space, genomes, conflicts }
}

fn scores(rng: &mut RunRng) -> Vec<f64> {
    (0..POPULATION).map(|_| rng.below(200) as f64).collect()
}

#[divan::bench(args = names(&SELECTION))]
fn selection(bencher: Bencher, name: &str) {
    let (mut selection, mut rng) = (build(&SELECTION, name), rng());
    let scores = scores(&mut rng);
    bencher.counter(ItemsCount::new(POPULATION)).bench_local(|| {
        selection.prepare(&scores, POPULATION, 0.5, &mut rng);
        (0..POPULATION).map(|_| selection.pick(&scores, &mut rng)).sum::<usize>()
    });
}

#[divan::bench(args = names(&SCALING))]
fn scaling(bencher: Bencher, name: &str) {
    let (scaling, scores, mut scaled) = (build(&SCALING, name), scores(&mut rng()), [0.0; POPULATION]);
    bencher.counter(ItemsCount::new(POPULATION)).bench_local(|| scaling.scale(&scores, 0.5, &mut scaled));
}

#[divan::bench(args = names(&NICHING))]
fn niching(bencher: Bencher, name: &str) {
    let (niching, mut rng) = (build(&NICHING, name), rng());
    let (population, mut scores) = (Population::new(POPULATION, 36), scores(&mut rng));
    let mut guard = Guard::default();
    bencher
        .counter(ItemsCount::new(POPULATION))
        .bench_local(|| niching.apply(&population, &mut scores, &mut guard));
}

#[divan::bench(args = cases(&CROSSOVER))]
fn crossover(bencher: Bencher, case: Case) {
    let (mut crossover, mut rng) = (build(&CROSSOVER, case.name), rng());
    let Ground { space, genomes: [a, b], conflicts: [of_a, of_b] } = ground(case, &mut rng);
    let (mut c, mut d) = (a.clone(), b.clone());
    let parents = [Parent { genome: &a, conflicts: &of_a }, Parent { genome: &b, conflicts: &of_b }];
    bencher
        .counter(ItemsCount::new(2usize))
        .bench_local(|| crossover.cross(&space, parents, [&mut c, &mut d], &mut rng));
}

#[divan::bench(args = cases(&MUTATION))]
fn mutation(bencher: Bencher, case: Case) {
    let (mut mutation, mut rng) = (build(&MUTATION, case.name), rng());
    let Ground { space, genomes: [mut genome, _], conflicts: [conflicts, _] } = ground(case, &mut rng);
    mutation.prepare(&space, 0.5);
    bencher
        .counter(ItemsCount::new(1usize))
        .bench_local(|| mutation.mutate(&space, &mut genome, &conflicts, &mut rng));
}

#[divan::bench(args = names(&REPLACEMENT))]
fn replacement(bencher: Bencher, name: &str) {
    let (mut replacement, mut rng) = (build(&REPLACEMENT, name), rng());
    let random = |count: usize, rng: &mut RunRng| {
        let mut population = Population::new(count, 36);
        (0..count).for_each(|index| population.set_fitness(index, rng.below(200) as u32));
        population
    };
    let (offspring, mut guard) = (replacement.offspring(POPULATION), Guard::default());
    let (old, new) = (random(POPULATION, &mut rng), random(offspring, &mut rng));
    bencher
        .counter(ItemsCount::new(offspring))
        .with_inputs(|| (old.clone(), new.clone()))
        .bench_local_refs(|(old, new)| replacement.replace(old, new, &mut rng, &mut guard));
}
