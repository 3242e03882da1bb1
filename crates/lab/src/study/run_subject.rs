//! What runs are about: puzzles, or instances of a problem of the user's own.

use std::collections::BTreeMap;

use super::Study;
use crate::experiment::Plan;
use kenga_core::fitness::Scale;
use kenga_stats::{Estimate, Interval};

/// What the runs of an experiment or a study are about, as far as tables and sentences depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSubject {
    /// They are about a problem of the user's own.
    pub is_own_problem: bool,
    /// Runs can be solved: of a problem of the user's own the best value of every instance is known.
    pub can_be_solved: bool,
    /// How values become fitness, the same in all runs; `None` of puzzles, and where instances count from different values.
    pub scale: Option<Scale>,
}

impl Default for RunSubject {
    fn default() -> Self {
        Self::PUZZLES
    }
}

impl RunSubject {
    /// Puzzles.
    pub const PUZZLES: Self = Self { is_own_problem: false, can_be_solved: true, scale: None };

    /// What an experiment is about.
    pub fn of_plan(plan: &Plan) -> Self {
        if !plan.config.has_own_problem() {
            return Self::PUZZLES;
        }
        Self { is_own_problem: true, can_be_solved: plan.can_be_solved(), scale: plan.scale() }
    }

    /// What all folders of a study are about.
    pub fn of(study: &Study) -> Self {
        let mut folders = study.folders.iter().map(|folder| Self::of_plan(&folder.plan));
        let Some(mut subject) = folders.next() else { return Self::PUZZLES };
        for other in folders {
            subject.is_own_problem &= other.is_own_problem;
            subject.can_be_solved &= other.can_be_solved;
            // Fitness of two scales has no value in common.
            if subject.scale != other.scale {
                subject.scale = None;
            }
        }
        subject
    }

    /// The same with another scale: that of an instance, or of means over all instances.
    #[must_use]
    pub fn with_scale(self, scale: Option<Scale>) -> Self {
        Self { scale, ..self }
    }

    /// What one of them is called.
    pub fn noun(&self) -> &'static str {
        if self.is_own_problem { "instance" } else { "puzzle" }
    }

    /// The best fitness as people know it: a value of the problem, where all count from the same one.
    pub fn value(&self, fitness: f64) -> f64 {
        self.scale.map_or(fitness, |scale| scale.value(fitness))
    }

    /// The fitness of a value: its distance from the best one in units, below 0 beyond it. On puzzles the fitness itself.
    pub fn fitness(&self, value: f64) -> f64 {
        let Some(Scale { reference, resolution, maximise, .. }) = self.scale else { return value };
        let distance = if maximise { reference - value } else { value - reference };
        distance / resolution.unwrap_or(1.0)
    }

    /// The same of an estimate, whose interval ends the other way round where the highest value is best.
    pub fn estimate(&self, found: Estimate) -> Estimate {
        let (one, other) = (self.value(found.interval.low), self.value(found.interval.high));
        let interval = Interval { low: one.min(other), high: one.max(other) };
        Estimate { value: self.value(found.value), interval }
    }

    /// What the best fitness is called.
    pub fn best(&self) -> &'static str {
        self.word(["best fitness", "best value", "best value"])
    }

    /// The quantity that runs attain: a fitness or a value.
    pub fn quantity(&self) -> &'static str {
        self.word(["fitness", "value", "value"])
    }

    /// What is worse than the best: a higher fitness, a higher or a lower value.
    pub fn worse(&self) -> &'static str {
        self.word(["higher fitness", "higher value", "lower value"])
    }

    /// What is better.
    pub fn better(&self) -> &'static str {
        self.word(["lower fitness", "lower value", "higher value"])
    }

    /// The word for a fitness, for a value to be lowered, or for one to be raised.
    fn word(&self, [fitness, minimised, maximised]: [&'static str; 3]) -> &'static str {
        match self.scale {
            None => fitness,
            Some(Scale { maximise: false, .. }) => minimised,
            Some(Scale { maximise: true, .. }) => maximised,
        }
    }
}

impl Study {
    /// How values became fitness in a run; `None` of a run on a puzzle.
    pub fn scale(&self, run: usize) -> Option<Scale> {
        self.folders[self.runs.folder[run] as usize].plan.scale_of(self.runs.run[run])
    }

    /// How values became fitness in the runs on an instance; or without one, how a mean of fitness over all instances, each
    /// counting alike, is one of values. `None` on puzzles, and where settings have several units.
    pub fn scale_on(&self, instance: Option<&str>) -> Option<Scale> {
        let mut scales: BTreeMap<&str, Scale> = BTreeMap::new();
        for run in self.counted_runs() {
            let id = &**self.puzzle_of(run);
            if instance.is_none_or(|instance| instance == id) {
                let scale = self.scale(run)?;
                let first = *scales.entry(id).or_insert(scale);
                let any = scales.first_key_value()?.1;
                if first != scale || (any.resolution, any.maximise) != (scale.resolution, scale.maximise) {
                    return None;
                }
            }
        }
        let reference = scales.values().map(|scale| scale.reference).sum::<f64>() / scales.len() as f64;
        let is_optimum = scales.values().all(|scale| scale.is_optimum);
        Some(Scale { reference, is_optimum, ..*scales.first_key_value()?.1 })
    }

    /// The best value of a run in the units of its problem; `None` on a puzzle, and of a run that evaluated nothing.
    pub fn value(&self, run: usize) -> Option<f64> {
        Some(self.scale(run)?.value(f64::from(self.runs.best_fitness[run]?)))
    }

    /// How many runs there are, if their values are compared and all of them failed: there is no result to show.
    pub fn all_failed(&self) -> Option<u64> {
        let runs = self.counted_runs().count() as u64;
        let have_failed = runs > 0 && self.counted_runs().all(|run| self.runs.has_failed(run));
        (have_failed && !RunSubject::of(self).can_be_solved).then_some(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_highest_value_ends_the_other_way_round() {
        let scale = Scale { reference: 100.0, is_optimum: false, resolution: Some(0.5), maximise: true };
        let subject = RunSubject { is_own_problem: true, can_be_solved: false, scale: Some(scale) };
        let found = Estimate { value: 20.0, interval: Interval { low: 10.0, high: 40.0 } };
        let shown = subject.estimate(found);
        assert_eq!((shown.value, shown.interval.low, shown.interval.high), (90.0, 80.0, 95.0));
        assert_eq!(RunSubject::PUZZLES.estimate(found), found);
        assert_eq!((subject.better(), subject.worse()), ("higher value", "lower value"));
    }
}
