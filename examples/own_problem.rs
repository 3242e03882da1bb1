//! A problem of one's own in Rust, in a program that is kenga with that problem: the largest cut of a random graph.
//!
//! ```text
//! cargo run --example own_problem -- list problem
//! cargo run --example own_problem -- run --config examples/own_problem.toml
//! cargo test --example own_problem
//! ```

use std::process::ExitCode;
use std::sync::Arc;

use kenga::Extensions;
use kenga::fitness::{Halted, Objective};
use kenga::rng::StreamKey;
use kenga::search::objectives::{GENOME, ObjectiveMaker, ObjectiveRecipe, ObjectiveStart};
use kenga::spec::{Builder, Member, Param};

/// What configurations, errors and `kenga list` know of the problem. Beside its own parameters it has those of genomes.
static MAX_CUT: Builder<ObjectiveMaker> = Member::new("max_cut")
    .about("edges of a random graph between the vertices of value 0 and those of value 1")
    .source("R. M. Karp 1972, Reducibility among combinatorial problems, doi:10.1007/978-1-4684-2001-2_9")
    .params(&Param::join::<13>(
        &[
            Param::probability("density", 0.5).about("probability that two vertices have an edge"),
            Param::integer("graph", 0..=i64::MAX, 1).about("the seed of the graph"),
        ],
        &GENOME,
    ))
    .build(|spec| Ok(Box::new(RandomGraph { density: spec.real("density"), seed: spec.count("graph") })));

struct RandomGraph {
    density: f64,
    seed: u64,
}

impl ObjectiveRecipe for RandomGraph {
    fn start(&self, start: ObjectiveStart) -> Arc<dyn Objective> {
        let mut rng = StreamKey::run(self.seed, "graph", 0).rng();
        let mut edges = Vec::new();
        for second in 0..start.shape.genes() {
            for first in 0..second {
                if rng.coin(self.density) {
                    edges.push([first, second]);
                }
            }
        }
        Arc::new(MaxCut { vertices: start.shape.genes(), edges })
    }
}

struct MaxCut {
    vertices: usize,
    edges: Vec<[usize; 2]>,
}

impl Objective for MaxCut {
    fn evaluate(&self, genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
        for (genome, value) in genomes.chunks_exact(self.vertices).zip(values) {
            let cut = self.edges.iter().filter(|[first, second]| genome[*first] != genome[*second]);
            *value = cut.count() as f64;
        }
        Ok(())
    }
}

static EXTENSIONS: Extensions = Extensions::new().problems(&[&MAX_CUT]);

fn main() -> ExitCode {
    kenga::cli::main_with(&EXTENSIONS)
}

#[cfg(test)]
mod tests {
    use kenga::spec::Value;

    use super::*;

    #[test]
    fn it_conforms() {
        let vertices = Value::Integer(12);
        let sides = Value::List(vec![Value::Integer(0), Value::Integer(1)]);
        // No cut has more edges than the graph: 12 * 11 / 2.
        let params = [
            ("genes", vertices),
            ("values", sides),
            ("maximise", Value::Flag(true)),
            ("bound", Value::Integer(66)),
        ];
        kenga_testing::objective(&MAX_CUT, &params);
    }
}
