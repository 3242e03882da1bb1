//! A laboratory for genetic algorithms and other metaheuristics that knows the answer.

pub mod budget;
pub mod cli;
pub mod problem;
pub mod puzzle;
pub mod report;
pub mod rng;
pub mod solver;
