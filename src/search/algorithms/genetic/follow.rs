//! The book that is kept of operators, where somebody follows them.

use crate::fitness::Fitness;
use crate::search::{Ledger, Population, Valued};
use crate::spec::Spec;

use super::breed::MadeBy;

/// A ledger, and which of its entries are whose.
pub(super) struct Book {
    ledger: Ledger,
    crossover: usize,
    mutation: usize,
    improve: Option<usize>,
    /// The offspring before they were improved.
    raw: Option<Population>,
}

impl Book {
    /// Opens entries for the operators of a spec; `improves` where children are improved.
    pub(super) fn open(spec: &Spec, improves: bool) -> Self {
        let mut ledger = Ledger::empty();
        let crossover = ledger.open("crossover", spec.spec("crossover"));
        let mutation = ledger.open("mutation", spec.spec("mutation"));
        let improve = improves.then(|| ledger.open("improve", spec.spec("improve")));
        Self { ledger, crossover, mutation, improve, raw: None }
    }

    pub(super) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Notes the offspring before they are improved. Their fitness is found for the book alone and counts nowhere.
    pub(super) fn before(&mut self, offspring: &Population, fitness: &Fitness) {
        if self.improve.is_some() {
            let raw = self.raw.insert(offspring.clone());
            for child in 0..raw.len() {
                raw.set_fitness(child, fitness.evaluate(offspring.genome(child)));
            }
        }
    }

    /// Enters offspring that have been evaluated; `improved` are those that were improved.
    pub(super) fn after(
        &mut self,
        population: &Population,
        offspring: &Population,
        made_by: &[MadeBy],
        improved: &[usize],
        fitness: &Fitness,
    ) {
        let made = self.raw.as_ref().unwrap_or(offspring);
        for (child, (crossover, mutation)) in made_by.iter().enumerate() {
            let parents = offspring.parents(child).map(|parent| valued(population, parent));
            let entries = crossover.map(|chosen| self.crossover + chosen);
            for entry in entries.into_iter().chain([self.mutation + mutation]) {
                self.ledger.enter(entry, fitness, valued(made, child), parents);
            }
        }
        for (entry, child) in
            self.improve.into_iter().flat_map(|entry| improved.iter().map(move |c| (entry, *c)))
        {
            self.ledger.enter(entry, fitness, valued(offspring, child), [valued(made, child); 2]);
        }
    }
}

fn valued(population: &Population, index: usize) -> Valued<'_> {
    Valued { genome: population.genome(index), fitness: population.fitness()[index] }
}
