//! A mutation of one's own, in a program that is kenga with that mutation.
//!
//! ```text
//! cargo run --example own_operator -- list mutation
//! cargo run --example own_operator -- run --config examples/own_operator.toml
//! cargo test --example own_operator
//! ```

use std::process::ExitCode;

use kenga::Extensions;
use kenga::rng::RunRng;
use kenga::search::operators::Variation;
use kenga::search::operators::mutation::Mutation;
use kenga::search::operators::schedule::{Rate, rate};
use kenga::search::{Closure, Conflicts, Space};
use kenga::spec::{Builder, Member};

/// What configurations, errors and `kenga list` know of the mutation, and how it is built from its parameters.
static ROTATE: Builder<Box<dyn Mutation>> = Member::new("rotate")
    .about("with probability rate, three neighbours of a segment pass their digits on")
    .source("an example")
    .encodings(&["cells", "rows"])
    .params(&[rate(0.1).about("probability that a genome is mutated")])
    .build(|spec| Box::new(Rotate { rate: Rate::of(spec, "rate"), now: 0.0 }));

/// ```text
/// before  1 2 3 4 5 6
///           ^ ^ ^
/// after   1 4 2 3 5 6
/// ```
struct Rotate {
    rate: Rate,
    /// The rate in this generation.
    now: f64,
}

impl Mutation for Rotate {
    fn prepare(&mut self, _space: &Space, progress: f64) {
        self.now = self.rate.at(progress);
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        if space.free.is_empty() || !rng.coin(self.now) {
            return;
        }
        // A segment holds the genes that may exchange digits: on `rows` those of a row, on `cells` all.
        let segment = space.segment(space.free[rng.below(space.free.len())]);
        if segment.len() > 2 {
            let first = rng.below(segment.len() - 2);
            rotate(genome, [segment[first], segment[first + 1], segment[first + 2]]);
        }
    }
}

/// Digits change places within segments, so that none comes in: dead runs are found.
impl Variation for Rotate {
    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::moves(space.genes(), &space.segments))
    }
}

/// Passes the digits of three genes on, the last to the first.
fn rotate(genome: &mut [u8], [a, b, c]: [u16; 3]) {
    genome.swap(usize::from(a), usize::from(c));
    genome.swap(usize::from(b), usize::from(c));
}

static EXTENSIONS: Extensions = Extensions::new().mutations(&[&ROTATE]);

fn main() -> ExitCode {
    kenga::cli::main_with(&EXTENSIONS)
}

#[test]
fn it_conforms() {
    kenga_testing::mutation(&ROTATE);
}
