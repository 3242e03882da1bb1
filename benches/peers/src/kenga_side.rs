//! kenga's side: the preset `pyevolve` through the public API, on one thread.
//!
//! A run of kenga ends when its puzzle is solved, and nothing disables that. Runs with consecutive replicates are
//! started until the evaluations of a peer's measure are done; every one sets up its problem, fitness and streams anew
//! inside the measure.

use std::sync::Arc;

use kenga::budget::{Budget, Clock, Guard};
use kenga::experiment::{Config, ConfigDraft};
use kenga::fitness::Fitness;
use kenga::problem::Problem;
use kenga::puzzle::Puzzle;
use kenga::rng::StreamKey;
use kenga::search::{Task, run};

use crate::instance::Instance;
use crate::peer::{GENERATIONS, POPULATION, Peer, Sample};

/// kenga with its preset `pyevolve`.
pub struct Kenga {
    config: Config,
}

impl Kenga {
    /// Reads the preset.
    ///
    /// # Errors
    /// kenga's own words, when the preset cannot be read.
    pub fn new() -> Result<Self, String> {
        let draft = ConfigDraft::read("peers", "preset = \"pyevolve\"");
        let config = draft.and_then(ConfigDraft::finish).map_err(|error| error.to_string())?;
        Ok(Self { config })
    }

    /// One run: its evaluations and its best fitness.
    fn run(&self, puzzle: &Puzzle, seed: u64, replicate: u64) -> Result<(u64, u32), String> {
        let Config { recipe, weights, measure, .. } = &self.config;
        let fitness = Fitness::new(Problem::compile(puzzle), *weights, *measure);
        let budget = Budget { generations: Some(GENERATIONS as u64), ..Budget::default() };
        let key = StreamKey::run(seed, &puzzle.canonical_text(), replicate);
        let task = Task::new(Arc::new(fitness.map_err(|error| error.to_string())?), key, budget, Guard::default());
        let mut algorithm = recipe.start(&task).map_err(|error| error.to_string())?;
        let outcome = run(&mut *algorithm, &mut ());
        Ok((outcome.spent.evaluations, outcome.best.fitness))
    }
}

impl Peer for Kenga {
    fn name(&self) -> &str {
        "kenga, preset pyevolve"
    }

    fn measure(&self, instance: &Instance, seed: u64) -> Result<Sample, String> {
        let wanted = instance.runs * (POPULATION * (GENERATIONS + 1)) as u64;
        let clock = Clock::start();
        let mut evaluations = 0;
        for replicate in 0.. {
            if evaluations >= wanted {
                break;
            }
            evaluations += self.run(&instance.puzzle, seed, replicate)?.0;
        }
        Ok(Sample { evaluations, cpu_s: clock.cpu_s() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: u64 = (POPULATION * (GENERATIONS + 1)) as u64;

    #[test]
    fn the_preset_solves_the_4x4_nine_times_in_ten() {
        let instances = Instance::all().expect("the puzzles stand beside the manifest");
        let kenga = Kenga::new().expect("the preset is sound");
        let solved = |replicate: &u64| {
            let (evaluations, best) = kenga.run(&instances[0].puzzle, 1, *replicate).expect("it runs");
            assert!(if best == 0 { evaluations <= WHOLE } else { evaluations == WHOLE });
            best == 0
        };
        let solved = (0..100).filter(solved).count();
        assert!((82..=98).contains(&solved), "{solved}");
    }

    #[test]
    fn the_preset_is_what_the_peers_repeat() {
        let config = Kenga::new().expect("the preset is sound").config;
        assert_eq!(config.algorithm().integer("population"), POPULATION as i64);
        assert_eq!(config.weights, kenga::fitness::Weights::ORIGINAL);
        assert_eq!(config.measure, kenga::fitness::CageMeasure::Binary);
    }
}
