//! An algorithm of one's own, in a program that is kenga with that algorithm.
//!
//! ```text
//! cargo run --example own_algorithm -- list algorithm
//! cargo run --example own_algorithm -- run --config examples/own_algorithm.toml
//! cargo test --example own_algorithm
//! ```

use std::process::ExitCode;

use kenga::Extensions;
use kenga::rng::RunRng;
use kenga::search::Conflicts;
use kenga::search::algorithms::{ENCODING, GenomeError, Maker, PlainSearch, Session, plain};
use kenga::search::operators::mutation::{MUTATION, Mutation};
use kenga::spec::{Builder, Member, Param};

/// What configurations, errors and `kenga list` know of the algorithm. Its mutation is any of kenga's.
static ONE_PLUS_ONE: Builder<Maker> = Member::new("one_plus_one")
    .about("a parent has a child, which takes its place unless it is worse")
    .source("I. Rechenberg 1973, Evolutionsstrategie")
    .params(&[
        ENCODING,
        Param::fitting("mutation", &MUTATION, &["reset", "row_swap", "redraw", "swap"])
            .about("what changes a child"),
        Param::count("children", 100).about("children that count as a generation in the log"),
    ])
    .build(|spec| {
        plain(spec, |spec| {
            let (mutation, children) = (MUTATION.build(spec.spec("mutation")), spec.count("children"));
            Box::new(OnePlusOne { mutation, children, parent: Vec::new(), fitness: u32::MAX })
        })
    });

struct OnePlusOne {
    mutation: Box<dyn Mutation>,
    children: u64,
    /// A digit a gene; empty before the first generation.
    parent: Vec<u8>,
    fitness: u32,
}

impl PlainSearch for OnePlusOne {
    fn generation(
        &mut self,
        session: &mut Session,
        rng: &mut RunRng,
    ) -> Result<Option<Vec<u8>>, GenomeError> {
        if self.parent.is_empty() {
            self.parent = session.random_genome();
            self.fitness = session.evaluate(&self.parent, false)?.fitness[0];
            return Ok(Some(self.parent.clone()));
        }
        self.mutation.prepare(session.space(), 0.0);
        for _ in 0..self.children {
            // Operators work on ranks: 0 for the lowest digit.
            let mut child = session.ranks(&self.parent);
            self.mutation.mutate(session.space(), &mut child, &Conflicts::default(), rng);
            let child = session.digits(&child);
            // Nothing is evaluated once the budget is spent or the puzzle solved.
            let Some(fitness) = session.evaluate(&child, false)?.fitness.first().copied() else { break };
            if fitness <= self.fitness {
                (self.parent, self.fitness) = (child, fitness);
            }
        }
        Ok(Some(self.parent.clone()))
    }
}

static EXTENSIONS: Extensions = Extensions::new().algorithms(&[&ONE_PLUS_ONE]);

fn main() -> ExitCode {
    kenga::cli::main_with(&EXTENSIONS)
}

#[test]
fn it_conforms() {
    kenga_testing::algorithm(&ONE_PLUS_ONE);
}
