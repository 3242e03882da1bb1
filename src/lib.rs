//! A laboratory for genetic algorithms and other metaheuristics that knows the answer.
//!
//! Its problem is KenKen: small enough to be solved exactly and hard enough to defeat a naive genetic algorithm. An
//! exact solver stands beside the search, so that every claim is checked. The program `kenga` is [`cli`]; everything it
//! does can be done from here.
//!
//! # A tour
//!
//! A [`puzzle`] is cells, digits and groups with rules; [`puzzle::formats`] reads it. [`problem`] compiles it into flat
//! arrays, which the exact [`solver`] and the [`fitness`] work on; [`craft`] makes puzzles. A [`search`] is an algorithm, an encoding and
//! operators, all chosen by name from tables and described by a [`spec`]. An [`experiment`] makes many runs of it
//! and checks what they claim; the program writes, measures and presents them.
//!
//! A program with operators, algorithms, encodings or formats of its own gives its [`Extensions`] to [`cli::main_with`] and has
//! them checked by `kenga::testing`, which the feature `testing` brings.
//!
//! The rooms stand in crates of their own, `kenga-core` and others, and keep their paths here.
//!
//! ```
//! use std::sync::Arc;
//!
//! use kenga::budget::{Guard, Interrupt};
//! use kenga::experiment::ConfigDraft;
//! use kenga::fitness::Fitness;
//! use kenga::problem::Problem;
//! use kenga::puzzle::{check, formats};
//! use kenga::rng::StreamKey;
//! use kenga::search::{self, Task};
//! use kenga::solver::{self, Limits, Status};
//!
//! // A puzzle, from a Keen game ID; the format is recognised.
//! let puzzle = formats::read("tour", b"4:b_a4_a_6aa,m8s1a6s1m4a3d2").remove(0)?;
//! let problem = Problem::compile(&puzzle);
//!
//! // What the exact solver knows: there is one solution.
//! let mut solutions = Vec::new();
//! let outcome = solver::solve(&problem, &Limits::default(), &Interrupt::default(), &mut |ranks| {
//!     solutions.push(problem.grid(ranks));
//! });
//! assert_eq!(outcome.status, Status::Unique);
//!
//! // A genetic algorithm, described as in a configuration file.
//! let config = ConfigDraft::read("tour.toml", r#"
//!     budget.evaluations = 200_000
//!     [algorithm]
//!     name = "genetic"
//!     encoding = "rows"
//!     selection = "tournament"
//!     mutation = { name = "row_swap", rate = 0.2 }
//! "#)?.finish()?;
//!
//! let fitness = Fitness::new(problem.clone(), config.weights, config.measure)?;
//! let key = StreamKey::run(config.seed, &puzzle.canonical_text(), 0);
//! let task = Task::new(Arc::new(fitness), key, config.budget, Guard::default());
//! let mut algorithm = config.recipe.start(&task)?;
//! let run = search::run(&mut *algorithm, &mut ());
//!
//! // Its claim, checked by the referee and against the proof.
//! assert_eq!(run.best.fitness, 0);
//! let grid = problem.grid(&run.best.ranks);
//! assert!(check(&puzzle, &grid).is_solution());
//! assert_eq!(grid, solutions[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cli;
mod extensions;

pub use extensions::Extensions;
pub use kenga_core::{budget, fitness, problem, puzzle, rng, search, solver, spec, table};
pub use kenga_craft as craft;
pub use kenga_lab::experiment;
#[cfg(feature = "testing")]
pub use kenga_testing as testing;
// The program, the Python package and the benches use these; their names may change.
#[doc(hidden)]
pub use {
    kenga_craft::models,
    kenga_lab::{landscape, playback, results, study},
    kenga_report as report, kenga_stats as stats,
};
