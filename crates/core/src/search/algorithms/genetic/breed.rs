//! Offspring: their parents, what they inherit, what changes, and what each operator gained.

use std::sync::Arc;

use crate::budget::Guard;
use crate::fitness::{Fitness, Scratch, Terms};
use crate::rng::RunRng;
use crate::search::births;
use crate::search::encodings::Encoding;
use crate::search::operators::Chooser;
use crate::search::operators::crossover::{CROSSOVER, Crossover, Parent};
use crate::search::operators::mutation::{MUTATION, Mutation};
use crate::search::operators::replacement::Replacement;
use crate::search::operators::schedule::Rate;
use crate::search::operators::selection::{SELECTION, Selection};
use crate::search::operators::weights::GuideTally;
use crate::search::population::GenomeIndex;
use crate::search::{Closure, Conflicts, Ledger, OperatorUse, Population, Space};
use crate::spec::Spec;

/// How often a duplicate is mutated again.
const TRIES: usize = 100;

/// Children between two looks at the guard.
const CHILDREN_A_LOOK: usize = 128;

/// The smallest brood that is looked up in an index; comparing is faster below.
const INDEXED: usize = 32;

/// Which crossover, if any, and which mutation made a child.
type MadeBy = (Option<usize>, usize);

/// The names of the operators that one chooses from, or its own.
fn names(operator: &Spec) -> Vec<Arc<str>> {
    let mut ledger = Ledger::default();
    ledger.open("", operator);
    ledger.uses().iter().map(|used| used.name.as_str().into()).collect()
}

/// Which of several operators made the last child; 0 where there is one.
fn chosen(chooser: Option<&mut dyn Chooser>) -> usize {
    chooser.map_or(0, |chooser| chooser.chosen())
}

/// What decides who mates with whom.
pub(super) struct Mating<'a> {
    pub(super) population: &'a Population,
    pub(super) scores: &'a [f64],
    pub(super) replacement: &'a dyn Replacement,
    /// The number of children that the budget can evaluate; the others are not made.
    pub(super) brood: usize,
}

/// Makes offspring of parents.
pub(super) struct Breeder {
    selection: Box<dyn Selection>,
    crossover: Box<dyn Crossover>,
    crossover_rate: Rate,
    /// The rate in this generation.
    rate: f64,
    mutation: Box<dyn Mutation>,
    /// Some operator chooses between several.
    chooses: bool,
    /// Some operator reads the conflicts of parents.
    reads_conflicts: bool,
    refuses_duplicates: bool,
    conflicts: [Conflicts; 2],
    /// Room for the second child of the last pair of an odd number.
    spare: Vec<u8>,
    made_by: Vec<MadeBy>,
    /// Somebody asks how the children of this generation came to be.
    follows_births: bool,
    /// The children right after crossover, one after the other, where somebody does.
    crossed: Vec<u8>,
    /// The names of crossovers and mutations, in the order in which they are chosen.
    names: [Vec<Arc<str>>; 2],
    /// The population and the children so far, where a large brood refuses duplicates.
    index: GenomeIndex,
}

impl Breeder {
    pub(super) fn new(spec: &Spec, genes: usize, offspring: usize) -> Self {
        let mut crossover = CROSSOVER.build(spec.spec("crossover"));
        let mut mutation = MUTATION.build(spec.spec("mutation"));
        Self {
            chooses: crossover.chooser().is_some() || mutation.chooser().is_some(),
            selection: SELECTION.build(spec.spec("selection")),
            reads_conflicts: crossover.reads_conflicts() || mutation.reads_conflicts(),
            crossover,
            crossover_rate: Rate::of(spec.spec("crossover"), "rate"),
            rate: 0.0,
            mutation,
            refuses_duplicates: spec.text("duplicates") == "refuse",
            conflicts: Default::default(),
            spare: vec![0; genes],
            made_by: vec![(None, 0); offspring],
            index: GenomeIndex::default(),
            follows_births: false,
            crossed: Vec::new(),
            names: [OperatorUse::CROSSOVER, OperatorUse::MUTATION].map(|key| names(spec.spec(key))),
        }
    }

    /// Notes the children of the next generation right after crossover, or does not.
    pub(super) fn follow_births(&mut self, follows: bool) {
        self.follows_births = follows;
        self.crossed.clear();
    }

    /// The children right after crossover, one after the other, where they were noted.
    pub(super) fn crossed(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.crossed)
    }

    /// What made each child, by name.
    pub(super) fn makers(&self) -> Vec<births::MadeBy> {
        let [crossovers, mutations] = &self.names;
        let of = |(crossover, mutation): &MadeBy| {
            (crossover.map(|chosen| Arc::clone(&crossovers[chosen])), Arc::clone(&mutations[*mutation]))
        };
        self.made_by.iter().map(of).collect()
    }

    /// Some operator reads the conflicts of parents.
    pub(super) fn reads_conflicts(&self) -> bool {
        self.reads_conflicts
    }

    /// What crossover, where there is any, and mutation can make of a population.
    pub(super) fn closure(&self, space: &Space) -> Option<Closure> {
        let crossed = (!self.crossover_rate.is_never()).then(|| self.crossover.closure(space));
        Closure::of_all(space.genes(), crossed.into_iter().chain([self.mutation.closure(space)]))
    }

    /// Prepares a generation of `count` children; `progress` is the share of the budget spent.
    pub(super) fn prepare(
        &mut self,
        space: &Space,
        scores: &[f64],
        count: usize,
        progress: f64,
        rng: &mut RunRng,
    ) {
        self.rate = self.crossover_rate.at(progress);
        self.selection.prepare(scores, count.next_multiple_of(2), progress, rng);
        self.mutation.prepare(space, progress);
    }

    /// Makes the brood pair by pair: parents, coin, crossover, both mutations. False if the guard cuts.
    pub(super) fn breed(
        &mut self,
        space: &Space,
        mating: &Mating,
        guide: &mut GuideTally,
        offspring: &mut Population,
        guard: &mut Guard,
        rng: &mut RunRng,
    ) -> bool {
        let (population, count) = (mating.population, mating.brood);
        if self.refuses_duplicates && count >= INDEXED {
            self.index.clear(population.len() + count);
            (0..population.len()).for_each(|index| self.index.add(0, index, [population, offspring]));
        }
        for first in (0..count).step_by(2) {
            if first.is_multiple_of(CHILDREN_A_LOOK) && guard.cuts() {
                return false;
            }
            let picked = [(); 2].map(|()| self.selection.pick(mating.scores, rng));
            let places = [picked[0], mating.replacement.mate(picked, population.len(), rng)];
            let parents = places.map(|place| population.genome(place));
            if self.reads_conflicts {
                for (conflicts, parent) in self.conflicts.iter_mut().zip(parents) {
                    guide.conflicts(parent, space, conflicts);
                }
            }
            let crossed = rng.coin(self.rate);
            self.pair(space, parents, crossed, offspring, first, rng);
            offspring.set_parents(first, places);
            if first + 1 < count {
                offspring.set_parents(first + 1, [places[1], places[0]]);
            }
            if self.refuses_duplicates && !self.renew(space, mating, offspring, first, guard, rng) {
                return false;
            }
        }
        true
    }

    /// Makes a pair of children from `first` on, or the last one.
    fn pair(
        &mut self,
        space: &Space,
        parents: [&[u8]; 2],
        crossed: bool,
        offspring: &mut Population,
        first: usize,
        rng: &mut RunRng,
    ) {
        let mut children = match offspring.len() - first {
            1 => [offspring.genome_mut(first), &mut self.spare[..]],
            _ => offspring.two_genomes_mut(first),
        };
        let [of_a, of_b] = &self.conflicts;
        if crossed {
            let [genome_a, genome_b] = parents;
            let parents =
                [Parent { genome: genome_a, conflicts: of_a }, Parent { genome: genome_b, conflicts: of_b }];
            let [c, d] = &mut children;
            self.crossover.cross(space, parents, [c, d], rng);
        } else {
            children.iter_mut().zip(parents).for_each(|(child, parent)| child.copy_from_slice(parent));
        }
        if self.follows_births {
            children.iter().for_each(|child| self.crossed.extend_from_slice(child));
        }
        let crossover = crossed.then(|| if self.chooses { chosen(self.crossover.chooser()) } else { 0 });
        for (index, (child, conflicts)) in children.into_iter().zip([of_a, of_b]).enumerate() {
            self.mutation.mutate(space, child, conflicts, rng);
            if let Some(made_by) = self.made_by.get_mut(first + index) {
                *made_by = (crossover, if self.chooses { chosen(self.mutation.chooser()) } else { 0 });
            }
        }
    }

    /// Mutates the children of a pair again until they are new. False if the guard cuts.
    fn renew(
        &mut self,
        space: &Space,
        mating: &Mating,
        offspring: &mut Population,
        first: usize,
        guard: &mut Guard,
        rng: &mut RunRng,
    ) -> bool {
        let (population, is_indexed) = (mating.population, mating.brood >= INDEXED);
        for (child, conflicts) in (first..mating.brood).zip(&self.conflicts) {
            for _ in 0..TRIES {
                let genome = offspring.genome(child);
                let is_known = if is_indexed {
                    self.index.holds(genome, [population, offspring])
                } else {
                    population.holds(genome, population.len()) || offspring.holds(genome, child)
                };
                if !is_known {
                    break;
                }
                if guard.cuts() {
                    return false;
                }
                self.mutation.mutate(space, offspring.genome_mut(child), conflicts, rng);
                self.made_by[child].1 = chosen(self.mutation.chooser());
            }
            if is_indexed {
                self.index.add(1, child, [population, offspring]);
            }
        }
        true
    }

    /// What made each child.
    pub(super) fn made_by(&self) -> &[MadeBy] {
        &self.made_by
    }

    /// Credits operators that choose with the gain of evaluated children over the parents they take after.
    pub(super) fn credit(&mut self, population: &Population, offspring: &Population) {
        if !self.chooses {
            return;
        }
        for (child, (crossover, mutation)) in self.made_by.iter().enumerate() {
            let before = population.guide()[offspring.parents(child)[0]];
            let gained = before.saturating_sub(offspring.guide()[child]);
            let gain = f64::from(gained) / f64::from(before.max(1));
            if let Some(chooser) = self.mutation.chooser() {
                chooser.credit(*mutation, gain);
            }
            if let (Some(crossover), Some(chooser)) = (crossover, self.crossover.chooser()) {
                chooser.credit(*crossover, gain);
            }
        }
    }
}

/// Usage and gain of operators, generation by generation, where an observer follows them.
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
        let nothing = || OperatorUse::new("", String::new());
        let improved = improves.then(|| {
            empty.open(OperatorUse::IMPROVE, spec.spec("improve"));
            nothing()
        });
        let made = vec![nothing(); (crossovers + 1) * mutations];
        let (raw, unimproved, unimproved_terms, terms) = Default::default();
        Self { empty, crossovers, mutations, made, improved, raw, unimproved, unimproved_terms, terms }
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
        let (fitness, width) = (encoding.fitness(), offspring.width());
        self.unimproved.clear();
        improved
            .iter()
            .for_each(|child| self.unimproved.extend_from_slice(&self.raw[child * width..][..width]));
        self.unimproved_terms.resize(improved.len(), Terms::default());
        encoding.terms_each(&self.unimproved, &mut self.unimproved_terms, scratch);
        let mut unimproved = improved.iter().zip(&self.unimproved_terms).peekable();
        for (child, (crossover, mutation)) in made_by.iter().enumerate() {
            let parents = offspring.parents(child);
            let before = parents.map(|parent| population.fitness()[parent]);
            let raw = unimproved.next_if(|(improved, _)| **improved == child).map(|(_, terms)| *terms);
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

/// The terms of an individual; those of a migrant are computed.
fn terms(population: &Population, index: usize, fitness: &Fitness) -> Terms {
    population.terms(index).unwrap_or_else(|| fitness.terms(population.genome(index)))
}
