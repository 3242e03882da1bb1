//! Random graphs: every two vertices are joined with the same probability.
//!
//! The edges depend on the seed and the number alone, not on the colours: the same graph can be tried with fewer.
//!
//! Source: E. N. Gilbert, "Random graphs", Annals of Mathematical Statistics 30, 1959, doi:10.1214/aoms/1177706098.

use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{MAX_CELLS, Puzzle};
use kenga_core::rng::RunRng;
use kenga_core::spec::{Member, Param, ParamKind, SpecError};

use super::super::{Entry, Generator, Shortfall, conflict, percent};
use super::{COLORS, coloring, most_edges};

pub(in crate::generators) static ENTRY: Entry = Member::new("random-graph")
    .about("a graph in which every two vertices are joined with the same probability, to be coloured")
    .source("E. N. Gilbert 1959, doi:10.1214/aoms/1177706098")
    .params(&[
        Param::required("size", ParamKind::Integer(1, 4096)).about("how many vertices"),
        Param::required("edges", ParamKind::Real(0.0, 1.0)).about("probability that two vertices are joined"),
        COLORS,
    ])
    .build(|spec| {
        let (vertices, colors) = (spec.integer("size") as usize, spec.integer("colors") as usize);
        Box::new(Random { vertices, probability: spec.real("edges"), colors })
    });

struct Random {
    vertices: usize,
    /// The probability that two vertices are joined.
    probability: f64,
    colors: usize,
}

impl Generator for Random {
    fn stem(&self) -> String {
        format!("{}-{}", self.stream(), self.colors)
    }

    fn stream(&self) -> String {
        format!("random-graph-{}-{}", self.vertices, percent(self.probability))
    }

    /// Refuses graphs that could have more edges than a puzzle has groups: six standard deviations above the mean.
    fn check(&self) -> Result<(), SpecError> {
        let (pairs, p) = (most_edges(self.vertices) as f64, self.probability);
        let most = (pairs * p + 6.0 * (pairs * p * (1.0 - p)).sqrt()).ceil();
        if most <= MAX_CELLS as f64 {
            return Ok(());
        }
        let message =
            format!("about {:.0} edges are too many: a puzzle has up to {MAX_CELLS} groups", pairs * p);
        Err(conflict(message, "lower `size` or `edges`"))
    }

    fn make(&self, rng: &mut RunRng, _: &Interrupt) -> Result<Puzzle, Shortfall> {
        let pairs = (0..self.vertices).flat_map(|high| (0..high).map(move |low| (low, high)));
        let edges = pairs.filter(|_| rng.coin(self.probability)).collect();
        Ok(coloring(self.vertices, self.colors, edges))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::Role;
    use kenga_core::rng::StreamKey;

    fn random(vertices: usize, probability: f64, colors: usize) -> Random {
        Random { vertices, probability, colors }
    }

    #[test]
    fn as_many_pairs_are_joined_as_the_probability_says() {
        let edges = |probability| {
            let puzzle = random(100, probability, 5)
                .make(&mut StreamKey::run(2, "graph", 0).rng(), &Interrupt::default())
                .expect("it is always made");
            puzzle.groups_with(Role::Group).count()
        };
        assert_eq!((edges(0.0), edges(1.0)), (0, 4950));
        // Four standard deviations are 84.
        assert!((411..=579).contains(&edges(0.1)), "{}", edges(0.1));
    }

    #[test]
    fn graphs_with_too_many_edges_are_refused_and_others_are_not() {
        assert!(random(1000, 0.12, 5).check().is_ok() && random(362, 1.0, 5).check().is_ok());
        assert!(random(1000, 0.13, 5).check().is_err() && random(363, 1.0, 5).check().is_err());
    }
}
