//! What suits the genomes of a problem of the user's own: defaults by the encoding, and the mutation `flip`.

use std::sync::Arc;

use kenga::fitness::{Fitness, Halted, Objective, Scale};
use kenga::problem::{GenomeShape, Problem};
use kenga::puzzle::Puzzle;
use kenga::rng::StreamKey;
use kenga::search::Conflicts;
use kenga::search::encodings::ENCODINGS;
use kenga::search::operators::mutation::MUTATION;
use kenga::spec::{Builder, Catalog, Family, Member, Named, Param, Place, Spec, Value};

static CELLS: Builder<()> = Member::new("cells").build(|_| ());
static TOUR: Builder<()> = Member::new("tour").build(|_| ());
static PLACES: Family<()> = Family::new("encoding", "", &[&CELLS, &TOUR]);

static CUT: Builder<()> = Member::new("cut").encodings(&["cells"]).build(|_| ());
static ORDER: Builder<()> = Member::new("order").encodings(&["tour"]).build(|_| ());
static CONTROL: Builder<()> =
    Member::new("control").params(&[Param::fitting("of", &CROSSOVERS, &["cut", "order"])]).build(|_| ());
static CROSSOVERS: Family<()> = Family::new("crossover", "", &[&CUT, &ORDER, &CONTROL]);

static SEARCH: Builder<()> = Member::new("search")
    .params(&[
        Param::member("encoding", &PLACES, "cells"),
        Param::fitting("crossover", &CROSSOVERS, &["cut", "order"]),
        Param::choice("twins", &["allow", "refuse"], "allow").on_encodings(&[("tour", "refuse")]),
    ])
    .build(|_| ());
static SEARCHES: Family<()> = Family::new("algorithm", "", &[&SEARCH]);

fn resolved(keys: &[(&str, &str)]) -> Spec {
    let mut spec = Spec::named("search");
    for (key, word) in keys {
        spec.set(Named::new(*key, Value::Text((*word).to_owned()), Place::default()));
    }
    SEARCHES.resolve(&spec, Place::default()).expect("a sound spec")
}

#[test]
fn an_encoding_may_have_another_default() {
    assert_eq!(resolved(&[]).text("twins"), "allow");
    assert_eq!(resolved(&[("encoding", "tour")]).text("twins"), "refuse");
    assert_eq!(resolved(&[("encoding", "tour"), ("twins", "allow")]).text("twins"), "allow");
}

#[test]
fn the_part_of_a_member_suits_the_encoding_of_the_whole() {
    let part = |encoding| {
        let spec = resolved(&[("encoding", encoding), ("crossover", "control")]);
        spec.spec("crossover").spec("of").name.clone()
    };
    assert_eq!([part("cells"), part("tour")], ["cut", "order"]);
}

struct Worthless;

impl Objective for Worthless {
    fn evaluate(&self, _genomes: &[u8], _values: &mut [f64]) -> Result<(), Halted> {
        Ok(())
    }
}

/// How often the genes 0, 4 and 0 take each value when they are flipped 3000 times.
fn flipped(rate: Option<f64>) -> [[u32; 6]; 3] {
    let ranges = GenomeShape::Values(vec![[0, 1], [3, 5], [0, 1]]);
    let puzzle = Puzzle::of_genome(ranges).expect("a sound shape");
    let scale = Scale { reference: 0.0, is_optimum: true, resolution: None, maximise: false };
    let fitness = Arc::new(Fitness::of_objective(Problem::compile(&puzzle), Arc::new(Worthless), scale));
    let encoding = ENCODINGS.build(&Spec::named("values"))(fitness).expect("genes of values");
    let rate = rate.map(|rate| Named::new("rate", Value::Real(rate), Place::default()));
    let spec = Spec::named("flip").with(rate);
    let mut flip = MUTATION.build(&MUTATION.resolve(&spec, Place::default()).expect("a sound spec"));
    let mut rng = StreamKey::run(1, "flip", 0).rng();
    let mut counts = [[0; 6]; 3];
    flip.prepare(encoding.space(), 0.0);
    for _ in 0..3000 {
        let mut genome = [0, 4, 0];
        flip.mutate(encoding.space(), &mut genome, &Conflicts::default(), &mut rng);
        for (count, value) in counts.iter_mut().zip(genome) {
            count[usize::from(value)] += 1;
        }
    }
    counts
}

#[test]
fn every_gene_that_is_flipped_takes_another_value_each_as_likely() {
    let [first, second, third] = flipped(Some(1.0));
    assert_eq!((first[1], second[4], third[1]), (3000, 0, 3000));
    assert!(second[3].abs_diff(1500) < 137 && second[3] + second[5] == 3000, "{second:?}");
}

#[test]
fn without_a_rate_one_gene_is_flipped_on_average() {
    let [first, second, third] = flipped(None);
    // Five standard deviations of a binomial count: 5 * sqrt(3000 * 1/3 * 2/3) = 129.
    assert!([first[1], 3000 - second[4], third[1]].iter().all(|count| count.abs_diff(1000) < 129));
}
