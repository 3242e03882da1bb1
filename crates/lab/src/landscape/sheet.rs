//! The measures of one landscape of one puzzle.

use kenga_core::fitness::Scale;

use super::measures::{DistancePoint, Finding, Level, Survey, Walk};

/// What was measured of a landscape, and which it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The name of the encoding.
    pub encoding: String,
    /// What a move does, in a word.
    pub neighbourhood: &'static str,
    /// What is minimised, in a word.
    pub fitness: String,
    /// The solutions that distances are to.
    pub solutions: usize,
    /// There are no other solutions.
    pub is_complete: bool,
    /// How values of a problem of the user's own become the distances that are measured; `None` on a puzzle.
    pub scale: Option<Scale>,
    /// What was found, in the order of the measures.
    pub findings: Vec<Finding>,
    /// What figures show, if it was asked for.
    pub curves: Option<Curves>,
}

/// The samples as curves and points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// How many random genomes have each value, ascending.
    pub density: Vec<(i64, usize)>,
    /// The autocorrelation of each way to walk by lag, from 0.
    pub walks: [(Walk, Vec<f64>); 2],
    /// Values and distances of random genomes and local optima.
    pub distances: Vec<DistancePoint>,
    /// What neighbours are like, by level of value.
    pub levels: Vec<Level>,
}

impl Curves {
    /// The curves of a landscape, from the samples of its survey.
    pub fn of(survey: &mut Survey<'_>) -> Self {
        let points = survey.points();
        let mut values: Vec<i64> = points.iter().map(|point| point.around.value).collect();
        values.sort_unstable();
        Self {
            density: values.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect(),
            walks: Walk::ALL.map(|walk| (walk, survey.autocorrelation(walk))),
            distances: survey.distances(),
            levels: survey.levels(),
        }
    }
}
