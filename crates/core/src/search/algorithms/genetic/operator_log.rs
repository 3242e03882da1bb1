//! Usage and gain of operators, generation by generation, where an observer follows them.

use crate::fitness::{Fitness, Scratch, Terms};
use crate::search::encodings::Encoding;
use crate::search::{Ledger, OperatorUse, Population};
use crate::spec::Spec;

use super::breed::MadeBy;

/// Counts what every operator had a part in.
///
/// Individuals then keep the terms of their fitness, which every evaluation finds, so that nothing is evaluated twice.
pub(super) struct OperatorLog {
    /// The entries of the operators, empty; those of crossovers come first, then those of mutations.
    empty: Ledger,
    crossovers: usize,
    mutations: usize,
    /// Children by what made them, each counted once: the mutations without crossover, with the first crossover, and so
    /// on.
    made: Vec<OperatorUse>,
    /// Children that a local search improved, where there is one.
    improved: Option<OperatorUse>,
    /// The offspring before they were improved, one after the other.
    raw: Vec<u8>,
    /// Those of `raw` that were improved.
    unimproved: Vec<u8>,
    /// The terms of `unimproved`.
    unimproved_terms: Vec<Terms>,
    /// The terms of the last evaluation.
    terms: Vec<Terms>,
}

impl OperatorLog {
    /// Opens entries for the operators of a spec; `improves` says whether children are improved.
    pub(super) fn open(spec: &Spec, improves: bool) -> Self {
        let mut empty = Ledger::default();
        empty.open(OperatorUse::CROSSOVER, spec.spec("crossover"));
        let crossovers = empty.open(OperatorUse::MUTATION, spec.spec("mutation"));
        let mutations = empty.uses().len() - crossovers;
        let nothing = OperatorUse::new("", String::new());
        let mut improved = None;
        if improves {
            empty.open(OperatorUse::IMPROVE, spec.spec("improve"));
            improved = Some(nothing.clone());
        }
        Self {
            empty,
            crossovers,
            mutations,
            made: vec![nothing; (crossovers + 1) * mutations],
            improved,
            raw: Vec::new(),
            unimproved: Vec::new(),
            unimproved_terms: Vec::new(),
            terms: Vec::new(),
        }
    }

    /// Usage and gain of every operator.
    pub(super) fn ledger(&self) -> Ledger {
        let mut ledger = self.empty.clone();
        for (index, used) in self.made.iter().enumerate() {
            let (crossed, mutation) = (index / self.mutations, index % self.mutations);
            if crossed > 0 {
                ledger.add(crossed - 1, used);
            }
            ledger.add(self.crossovers + mutation, used);
        }
        if let Some(used) = &self.improved {
            ledger.add(self.crossovers + self.mutations, used);
        }
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
        for (value, terms) in values.iter_mut().zip(&self.terms) {
            *value = terms.weighted(encoding.fitness().weights());
        }
        // Copies of individuals take their terms along: parents need no second evaluation.
        population.set_terms(&self.terms);
    }

    /// Notes the offspring before they are improved.
    pub(super) fn before(&mut self, offspring: &Population) {
        if self.improved.is_some() {
            self.raw.clear();
            self.raw.extend_from_slice(offspring.genes());
        }
    }

    /// Enters evaluated offspring; `improved` are those that were improved, in ascending order. Their genomes before
    /// the improvement are evaluated for the log alone, which does not count.
    pub(super) fn after(
        &mut self,
        population: &Population,
        offspring: &Population,
        made_by: &[MadeBy],
        improved: &[usize],
        encoding: &impl Encoding,
        scratch: &mut Scratch,
    ) {
        let fitness = encoding.fitness();
        self.evaluate_unimproved(improved, offspring.width(), encoding, scratch);
        // Those that were improved come in ascending order: one pass meets each.
        let mut next = 0;
        for (child, made_by) in made_by.iter().enumerate() {
            // What the operators made is the child before it was improved.
            let mut raw = None;
            if improved.get(next) == Some(&child) {
                raw = Some(self.unimproved_terms[next]);
                next += 1;
            }
            let value = match raw {
                Some(terms) => terms.weighted(fitness.weights()),
                None => offspring.fitness()[child],
            };
            let parents = offspring.parents(child);
            let before = parents.map(|parent| population.fitness()[parent]);
            let of_child = || terms(offspring, child, fitness);
            let place = made_by.crossover.map_or(0, |chosen| chosen + 1) * self.mutations + made_by.mutation;
            self.made[place].count(value, before, || {
                [terms(population, parents[0], fitness), raw.unwrap_or_else(of_child)]
            });
            if let (Some(raw), Some(used)) = (raw, &mut self.improved) {
                used.count(offspring.fitness()[child], [value; 2], || [raw, of_child()]);
            }
        }
    }

    /// Finds the terms that the improved children had before.
    fn evaluate_unimproved(
        &mut self,
        improved: &[usize],
        width: usize,
        encoding: &impl Encoding,
        scratch: &mut Scratch,
    ) {
        self.unimproved.clear();
        for child in improved {
            self.unimproved.extend_from_slice(&self.raw[child * width..][..width]);
        }
        self.unimproved_terms.resize(improved.len(), Terms::default());
        encoding.terms_each(&self.unimproved, &mut self.unimproved_terms, scratch);
    }
}

/// The terms of an individual; those of a migrant are computed.
fn terms(population: &Population, index: usize, fitness: &Fitness) -> Terms {
    population.terms(index).unwrap_or_else(|| fitness.terms(population.genome(index)))
}
