//! The line of statistics of the original: generation, percent of the budget, and the largest, least and mean score,
//! scaled and raw.

use crate::budget::{Budget, Spent};
use crate::experiment::{Config, Plan, RunId};
use crate::search::Census;
use crate::search::operators::scaling::{SCALING, Scaling};
use crate::spec::{Spec, Value};

/// What stands above the lines: their scores rise where the fitness of tables falls.
pub(super) const HEADING: &str = "\
# Scores, scaled (raw): higher is better. A raw score is the offset minus the fitness, of which 0 is best.\n";

/// Makes the lines of one experiment.
pub(super) struct Statistics {
    /// By setting.
    lines: Vec<Line>,
}

struct Line {
    budget: Budget,
    offset: Option<u32>,
    scaling: Option<Box<dyn Scaling>>,
}

impl Statistics {
    /// Reads what the lines of every setting need.
    pub(super) fn new(plan: &Plan) -> Self {
        Self { lines: plan.settings.all.iter().map(|setting| Line::new(&setting.config)).collect() }
    }

    /// The line of one generation.
    pub(super) fn line(&self, id: RunId, spent: Spent, census: &Census) -> String {
        self.lines[id.setting as usize].text(id, spent, census)
    }
}

impl Line {
    /// Reads offset and scaling from the genetic algorithm; that of the islands, where there are some.
    fn new(config: &Config) -> Self {
        let algorithm = &config.algorithm.spec();
        let genetic = match algorithm.get("island") {
            Some(Value::Spec(island)) => island,
            _ => algorithm,
        };
        let offset = genetic.integer_or_absent("offset").map(|offset| offset as u32);
        Self { budget: config.budget, offset, scaling: scaling(genetic) }
    }

    fn text(&self, id: RunId, spent: Spent, census: &Census) -> String {
        let (generation, progress) = (spent.generations, self.budget.progress(&spent));
        let offset = self.offset.unwrap_or_else(|| census.worst().saturating_add(1));
        let raw: Vec<f64> =
            census.fitness().iter().map(|fitness| f64::from(offset.saturating_sub(*fitness))).collect();
        let mut scaled = raw.clone();
        if let Some(scaling) = &self.scaling {
            scaling.scale(&raw, progress, &mut scaled);
        }
        let [raw, scaled] = [raw, scaled].map(|scores| {
            let largest = scores.iter().copied().fold(f64::MIN, f64::max);
            let least = scores.iter().copied().fold(f64::MAX, f64::min);
            [largest, least, scores.iter().sum::<f64>() / scores.len() as f64]
        });
        let pair = |index: usize| format!("{:.2}({:.2})", scaled[index], raw[index]);
        format!(
            "run {}  Gen. {generation} ({:.2}%): Max/Min/Avg Fitness(Raw) [{}/{}/{}]\n",
            id.run,
            progress * 100.0,
            pair(0),
            pair(1),
            pair(2)
        )
    }
}

fn scaling(genetic: &Spec) -> Option<Box<dyn Scaling>> {
    let Some(Value::Spec(selection)) = genetic.get("selection") else { return None };
    match selection.get("scaling") {
        Some(Value::Spec(scaling)) => Some(SCALING.build(scaling)),
        _ => None,
    }
}
