//! The instances of a problem of the user's own, as puzzles without groups, and what says what their genomes are worth.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::own_problem::PROBLEM;
use super::{Config, Plan, Settings};
use kenga_core::budget::Guard;
use kenga_core::fitness::{Fitness, Halted, Objective, Scale};
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::search::algorithms::Programs;
use kenga_core::search::objectives::{OBJECTIVES, ObjectiveStart, instances};
use kenga_core::spec::{Spec, Value};

/// The best value is known, so that a run can find it.
pub(crate) fn has_optimum(instance: &Puzzle) -> bool {
    instance.meta.contains_key("optimum")
}

#[doc(hidden)]
impl Config {
    /// The problem of the user's own, resolved; `None` where there are puzzles.
    fn problem(&self) -> Option<&Spec> {
        match self.resolved.get(PROBLEM)? {
            Value::Spec(problem) => Some(problem),
            _ => None,
        }
    }

    /// The instances of a problem of the user's own, each as a puzzle without groups; `None` where the configuration names
    /// files of puzzles.
    ///
    /// # Panics
    /// Never: the configuration was checked.
    pub fn instances(&self) -> Option<Vec<Puzzle>> {
        let all = instances(self.problem()?).expect("the configuration was checked");
        let mut puzzles = Vec::with_capacity(all.len());
        for instance in all {
            let mut puzzle = Puzzle::of_genome(instance.shape).expect("the configuration was checked");
            puzzle.id = instance.id;
            let known = [("optimum", instance.optimum), ("bound", instance.bound)];
            let numbers =
                known.into_iter().filter_map(|(key, number)| Some((key.to_owned(), json!(number?))));
            puzzle.meta = numbers.collect();
            if !instance.options.is_empty() {
                puzzle.meta.insert("options".to_owned(), Json::Object(instance.options));
            }
            puzzles.push(puzzle);
        }
        Some(puzzles)
    }

    /// The fitness of an instance, as runs know it before they start: it has no values yet.
    pub(super) fn fitness_of_instance(&self, puzzle: &Puzzle, problem: &Problem) -> Option<Fitness> {
        Some(Fitness::of_objective(problem.clone(), Arc::new(Silent), self.scale(puzzle)?))
    }

    /// How values of an instance become fitness; `None` where there are puzzles.
    pub fn scale(&self, instance: &Puzzle) -> Option<Scale> {
        let number = |key: &str| instance.meta.get(key).and_then(Json::as_f64);
        let reference = number("optimum").or(number("bound")).unwrap_or(0.0);
        Some(Scale { reference, is_optimum: has_optimum(instance), ..self.scale? })
    }

    /// The fitness of an instance, measured by an objective that is started for it; `None` where there are puzzles.
    pub fn measured_fitness(
        &self,
        puzzle: &Puzzle,
        guard: Guard,
        programs: Arc<Programs>,
    ) -> Option<Fitness> {
        let objective = self.objective(puzzle, guard, programs)?;
        Some(Fitness::of_objective(Problem::compile(puzzle), objective, self.scale(puzzle)?))
    }

    /// The problems of the user's own are the same, with the same options.
    pub fn has_same_problem(&self, other: &Self) -> bool {
        self.problem() == other.problem()
    }

    /// The objective of an instance, for a run of its own.
    pub(super) fn objective(
        &self,
        puzzle: &Puzzle,
        guard: Guard,
        programs: Arc<Programs>,
    ) -> Option<Arc<dyn Objective>> {
        let problem = self.problem()?;
        let mut options = problem.spec("options").as_json();
        let own = puzzle.meta.get("options").and_then(Json::as_object).cloned();
        options.extend(own.unwrap_or_else(Map::new));
        let recipe = OBJECTIVES.build(problem).expect("the configuration was checked");
        let shape = puzzle.genome()?.clone();
        Some(recipe.start(ObjectiveStart { shape, options, guard, programs }))
    }
}

impl Plan {
    /// Runs can solve: they are about puzzles, or the best value of every instance is known.
    pub fn can_be_solved(&self) -> bool {
        self.puzzles.iter().all(|puzzle| puzzle.genome().is_none() || has_optimum(puzzle))
    }

    /// How values become fitness in a run; `None` on a puzzle.
    pub fn scale_of(&self, run: u64) -> Option<Scale> {
        let id = self.id(run);
        self.setting(id.setting).config.scale(&self.puzzles[id.puzzle])
    }

    /// The value of a fitness in a run; `None` on a puzzle, and without a fitness.
    pub fn value(&self, run: u64, fitness: Option<u32>) -> Option<f64> {
        Some(self.scale_of(run)?.value(f64::from(fitness?)))
    }

    /// How values become fitness, the same in all runs; `None` where there are puzzles, and where the instances or settings
    /// count from other values, so that the best fitness is not the best value.
    pub fn scale(&self) -> Option<Scale> {
        let first = self.config.scale(self.puzzles.first()?)?;
        for setting in &self.settings.all {
            for puzzle in &self.puzzles {
                if setting.config.scale(puzzle) != Some(first) {
                    return None;
                }
            }
        }
        Some(first)
    }
}

impl Settings {
    /// The instances of the problem of the user's own that all settings are about; `None` where they are about puzzles.
    ///
    /// # Errors
    /// Settings with other genomes or instances, in a sentence.
    pub fn instances(&self) -> Result<Option<Vec<Puzzle>>, String> {
        let first = self.all[0].config.instances();
        for setting in &self.all {
            if setting.config.instances() != first {
                let keys = "a sweep may vary `problem.options` and what no genome depends on";
                return Err(format!("the settings have other genomes or instances: {keys}"));
            }
        }
        Ok(first)
    }
}

/// Has no values: nothing is measured before a run starts.
struct Silent;

impl Objective for Silent {
    fn evaluate(&self, _genomes: &[u8], _values: &mut [f64]) -> Result<(), Halted> {
        Err(Halted::Cut)
    }
}
