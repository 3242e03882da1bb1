//! A laboratory for genetic algorithms and other metaheuristics that knows the answer.

pub mod budget;
pub mod cli;
pub mod experiment;
pub mod fitness;
pub mod problem;
pub mod puzzle;
pub mod report;
pub mod results;
pub mod rng;
pub mod search;
pub mod solver;
pub mod spec;
