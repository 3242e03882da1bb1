//! Estimation of distributions: a probability for every digit of every cell, or every tuple of every cage.
//!
//! ```text
//! the model <- uniform
//! repeat
//!     sample a population from the model, and evaluate it
//!     count, for every part, how often each of its tuples stands in the best `selected` individuals
//!     the model <- (1 - rate) model + rate (shares of those counts), no probability below the margin
//! until solved
//! ```
//!
//! With a rate of 1 it is the univariate marginal distribution algorithm, with a small one population-based incremental
//! learning. The margin, 1 / (tuples x parts), keeps every genome possible.
//!
//! Source: H. Mühlenbein, G. Paaß 1996, doi:10.1007/3-540-61723-X_982; S. Baluja 1994, Population-based incremental
//! learning, CMU-CS-94-163.

use std::sync::Arc;

use crate::budget::{Spent, StopReason};
use crate::fitness::Scratch;
use crate::rng::RunRng;
use crate::search::encodings::{
    AnyEncoding, ENCODINGS, Encoding, EncodingError, TupleEncoding, encode, encoding_of,
};
use crate::search::operators::schedule::{Rate, rate};
use crate::search::population::CHECK_EVERY;
use crate::search::space::Choices;
use crate::search::{Algorithm, Observer, Population, RunStatus, Task};
use crate::spec::{Builder, Catalog, Member, Param, Spec};

use super::{ALGORITHMS, Features, Maker, Recipe, RunState};

pub(super) static ENTRY: Builder<Maker> = Member::new("estimation")
    .about(
        "an estimation-of-distribution algorithm: samples genomes from probabilities learned from the best",
    )
    .source("H. Mühlenbein, G. Paaß 1996, doi:10.1007/3-540-61723-X_982; S. Baluja 1994, CMU-CS-94-163")
    .encodings(&["cells", "cages", "values"])
    .params(&[
        Param::member("encoding", &ENCODINGS, "cages").about("how a genome represents a grid"),
        Param::integer("population", 2..=1_000_000, 200).about("samples per generation"),
        Param::probability("selected", 0.2)
            .about("share of the samples that the model learns from; at least one"),
        rate(0.1).about("learning rate: the share of the model that each generation replaces"),
    ])
    .build(|spec| {
        ALGORITHMS.fits(spec, encoding_of(spec))?;
        Ok(Box::new(EstimationRecipe(spec.clone())))
    });

struct EstimationRecipe(Spec);

impl Recipe for EstimationRecipe {
    fn spends(&self) -> Vec<StopReason> {
        vec![StopReason::Evaluations, StopReason::Generations]
    }

    fn features(&self) -> Features {
        Features::POPULATION
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        match encode(&self.0, &task.fitness)? {
            AnyEncoding::Tuples(encoding) => Ok(Box::new(Estimation::new(encoding, &self.0, task))),
            AnyEncoding::Rows(_) => unreachable!("the configuration was checked"),
        }
    }
}

/// A probability for every tuple of every part.
struct Distribution {
    choices: Arc<Choices>,
    /// By slot.
    probabilities: Vec<f64>,
    counts: Vec<u32>,
}

impl Distribution {
    fn uniform(choices: Arc<Choices>) -> Self {
        let mut probabilities = Vec::new();
        for part in 0..choices.len() {
            let count = choices.count(part);
            probabilities.extend(std::iter::repeat_n(1.0 / count as f64, count));
        }
        let counts = vec![0; probabilities.len()];
        Self { choices, probabilities, counts }
    }

    /// Writes a genome of parts drawn by their probabilities.
    fn sample(&self, genome: &mut [u8], rng: &mut RunRng) {
        for part in 0..self.choices.len() {
            let range = self.choices.slots_of(part);
            let (mut drawn, mut index) = (rng.unit(), 0);
            let last = range.len() - 1;
            for probability in &self.probabilities[range] {
                // The probabilities, rounded, may add up to a little less than 1: the last takes the rest.
                if drawn < *probability || index == last {
                    break;
                }
                drawn -= probability;
                index += 1;
            }
            self.choices.write(part, index, genome);
        }
    }

    /// Learns from some individuals.
    fn learn(&mut self, population: &Population, best: &[u32], rate: f64) {
        self.counts.fill(0);
        for individual in best {
            let genome = population.genome(*individual as usize);
            for part in 0..self.choices.len() {
                if let Some(held) = self.choices.find(part, genome) {
                    self.counts[self.choices.slots_of(part).start + held] += 1;
                }
            }
        }
        for part in 0..self.choices.len() {
            let range = self.choices.slots_of(part);
            let margin = 1.0 / (range.len() * self.choices.len()) as f64;
            let probabilities = &mut self.probabilities[range.clone()];
            for (probability, count) in probabilities.iter_mut().zip(&self.counts[range]) {
                let share = f64::from(*count) / best.len() as f64;
                // A probability of 0 would never come back.
                *probability = ((1.0 - rate) * *probability + rate * share).max(margin);
            }
            let sum: f64 = probabilities.iter().sum();
            for probability in probabilities {
                *probability /= sum;
            }
        }
    }
}

struct Estimation {
    encoding: TupleEncoding,
    run: RunState,
    model: Distribution,
    selected: usize,
    rate: Rate,
    population: Population,
    /// Room for the next generation.
    samples: Population,
    order: Vec<u32>,
    scratch: Scratch,
}

impl Estimation {
    fn new(encoding: TupleEncoding, spec: &Spec, task: &Task) -> Self {
        let size = spec.size("population");
        let genes = encoding.space().genes();
        Self {
            run: RunState::new(task, encoding.space()),
            model: Distribution::uniform(Arc::clone(encoding.choices())),
            encoding,
            selected: ((size as f64 * spec.real("selected")).round() as usize).max(1),
            rate: Rate::of(spec, "rate"),
            population: Population::new(size, genes),
            samples: Population::new(size, genes),
            order: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Samples and evaluates a population, as far as the budget reaches; returns whether it sufficed.
    fn sample(&mut self, initial: bool) -> bool {
        // Samples that cannot be evaluated are not drawn.
        let within = self.run.within(self.samples.len());
        let rng = if initial { &mut self.run.init_rng } else { &mut self.run.rng };
        for index in 0..within {
            if self.run.guard.cuts_at(index, CHECK_EVERY) {
                return false;
            }
            self.model.sample(self.samples.genome_mut(index), rng);
        }
        let (genomes, values) = self.samples.first_mut(within);
        self.encoding.evaluate_each(genomes, values, &mut self.scratch);
        // Migrants are chosen by their guides.
        self.samples.follow_fitness(within);
        for index in 0..within {
            self.run.count(self.samples.genome(index), self.samples.fitness()[index]);
        }
        // What an objective that has halted did not answer is no population either.
        let reached = within == self.samples.len() && self.run.fitness.halted().is_none();
        if reached {
            // A population cut short is no generation: the last one stays.
            std::mem::swap(&mut self.population, &mut self.samples);
        }
        reached
    }

    fn show(&mut self, observer: &mut dyn Observer) {
        self.run.show(observer, |census| census.add(&self.population));
    }
}

impl Algorithm for Estimation {
    fn start(&mut self, observer: &mut dyn Observer) {
        if self.sample(true) {
            self.show(observer);
        }
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if let Some(reason) = self.run.stopped_now() {
            return Some(reason);
        }
        self.population.order_into(&mut self.order);
        let best = &self.order[..self.selected.min(self.order.len())];
        self.model.learn(&self.population, best, self.rate.at(self.run.budget.progress(&self.run.spent)));
        // Samples belong to the generation that they make; one that is cut short is none.
        self.run.spent.generations += 1;
        if !self.sample(false) {
            self.run.spent.generations -= 1;
            return Some(self.run.cut_short());
        }
        self.show(observer);
        None
    }

    fn status(&self) -> RunStatus<'_> {
        self.run.status()
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        if self.run.has_begun() {
            see(&self.population);
        }
        self.run.complete
    }

    fn population(&mut self) -> Option<&mut Population> {
        Some(&mut self.population)
    }
}
