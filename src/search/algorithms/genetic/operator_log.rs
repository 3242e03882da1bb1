//! The log of operators, where an observer follows them.
//!
//! Individuals then keep the terms of their fitness, which the evaluation finds anyhow, so that nothing is evaluated twice.

use crate::fitness::{Fitness, Scratch, Terms};
use crate::search::encodings::Encoding;
use crate::search::{Ledger, Population, Use};
use crate::spec::Spec;

use super::breed::MadeBy;

/// Usage and gain of operators, generation by generation.
pub(super) struct OperatorLog {
    /// The entries of the operators, empty; those of crossovers come first, then those of mutations.
    empty: Ledger,
    crossovers: usize,
    mutations: usize,
    /// Children by what made them, so that each is counted once: the mutations without crossover, with the first one, and
    /// so on.
    made: Vec<Use>,
    /// Children that were improved, where they are.
    improved: Option<Use>,
    /// The offspring before they were improved, one after the other.
    raw: Vec<u8>,
    /// Those of them that were improved.
    taught: Vec<u8>,
    /// The terms of these.
    untaught: Vec<Terms>,
    /// The terms of what was evaluated last.
    terms: Vec<Terms>,
}

impl OperatorLog {
    /// Opens entries for the operators of a spec; `improves` where children are improved.
    pub(super) fn open(spec: &Spec, improves: bool) -> Self {
        let mut empty = Ledger::empty();
        empty.open("crossover", spec.spec("crossover"));
        let crossovers = empty.open("mutation", spec.spec("mutation"));
        let mutations = empty.uses().len() - crossovers;
        let nothing = || Use::new("", String::new());
        let improved = improves.then(|| {
            empty.open("improve", spec.spec("improve"));
            nothing()
        });
        let made = vec![nothing(); (crossovers + 1) * mutations];
        let (raw, taught, untaught, terms) = Default::default();
        Self { empty, crossovers, mutations, made, improved, raw, taught, untaught, terms }
    }

    /// Usage and gain of every operator.
    pub(super) fn ledger(&self) -> Ledger {
        let mut ledger = self.empty.clone();
        for (index, used) in self.made.iter().enumerate() {
            let (crossed, mutation) = (index / self.mutations, index % self.mutations);
            if let Some(crossover) = crossed.checked_sub(1) {
                ledger.add(crossover, used);
            }
            ledger.add(self.crossovers + mutation, used);
        }
        self.improved.iter().for_each(|used| ledger.add(self.crossovers + self.mutations, used));
        ledger
    }

    /// Evaluates the first `count` individuals and notes the terms of each.
    pub(super) fn evaluate(
        &mut self,
        encoding: &impl Encoding,
        population: &mut Population,
        count: usize,
        scratch: &mut Scratch,
    ) {
        let (genomes, values) = population.first_mut(count);
        self.terms.resize(count, Terms::default());
        encoding.terms_each(genomes, &mut self.terms, scratch);
        let weights = encoding.fitness().weights();
        values.iter_mut().zip(&self.terms).for_each(|(value, terms)| *value = terms.weighted(weights));
        population.set_terms(&self.terms);
    }

    /// Notes the offspring before they are improved.
    pub(super) fn before(&mut self, offspring: &Population) {
        if self.improved.is_some() {
            self.raw.clear();
            self.raw.extend_from_slice(offspring.genes());
        }
    }

    /// Enters offspring that have been evaluated; `improved` are those that were improved, in ascending order. What these
    /// were before is evaluated for the log alone and counts nowhere.
    pub(super) fn after(
        &mut self,
        population: &Population,
        offspring: &Population,
        made_by: &[MadeBy],
        improved: &[usize],
        encoding: &impl Encoding,
        scratch: &mut Scratch,
    ) {
        let (fitness, width) = (encoding.fitness(), offspring.width());
        self.taught.clear();
        improved.iter().for_each(|child| self.taught.extend_from_slice(&self.raw[child * width..][..width]));
        self.untaught.resize(improved.len(), Terms::default());
        encoding.terms_each(&self.taught, &mut self.untaught, scratch);
        let mut taught = improved.iter().zip(&self.untaught).peekable();
        for (child, (crossover, mutation)) in made_by.iter().enumerate() {
            let parents = offspring.parents(child);
            let before = parents.map(|parent| population.fitness()[parent]);
            let raw = taught.next_if(|(improved, _)| **improved == child).map(|(_, terms)| *terms);
            let value = raw.map_or(offspring.fitness()[child], |terms| terms.weighted(fitness.weights()));
            let made = || raw.unwrap_or_else(|| terms(offspring, child, fitness));
            let index = crossover.map_or(0, |chosen| chosen + 1) * self.mutations + mutation;
            self.made[index].count(value, before, || [terms(population, parents[0], fitness), made()]);
            if let (Some(raw), Some(used)) = (raw, &mut self.improved) {
                let learned = || [raw, terms(offspring, child, fitness)];
                used.count(offspring.fitness()[child], [value; 2], learned);
            }
        }
    }
}

/// The terms of an individual, which a migrant has not brought along.
fn terms(population: &Population, index: usize, fitness: &Fitness) -> Terms {
    population.terms(index).unwrap_or_else(|| fitness.terms(population.genome(index)))
}
