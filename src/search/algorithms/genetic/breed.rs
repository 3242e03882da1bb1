//! Offspring: who their parents are, what they inherit, what changes, and what was worth it.

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::operators::crossover::{CROSSOVER, Crossover};
use crate::search::operators::mutation::{MUTATION, Mutation};
use crate::search::operators::replacement::Replacement;
use crate::search::operators::schedule::Rate;
use crate::search::operators::selection::{SELECTION, Selection};
use crate::search::population::GenomeIndex;
use crate::search::{Closure, Conflicts, Population, Space, together};
use crate::spec::Spec;

use super::guide::GuideTally;

/// How often a duplicate is mutated again.
const TRIES: usize = 100;

/// Children between two looks at the guard.
const CHILDREN_A_LOOK: usize = 128;

/// The smallest brood that is looked up in an index; comparing is faster below.
const INDEXED: usize = 32;

/// Which crossover, if any, and which mutation made a child.
pub(super) type MadeBy = (Option<usize>, usize);
/// What decides who mates with whom.
pub(super) struct Mating<'a> {
    pub(super) population: &'a Population,
    pub(super) scores: &'a [f64],
    pub(super) replacement: &'a dyn Replacement,
    /// How many children, the first, can be evaluated; the others are not made.
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
    /// Some operator reads the conflicts of parents.
    reads_conflicts: bool,
    refuses_duplicates: bool,
    conflicts: [Conflicts; 2],
    /// The child that an odd number has no use for.
    spare: Vec<u8>,
    made_by: Vec<MadeBy>,
    /// The population and the children so far, where a large brood refuses duplicates.
    index: GenomeIndex,
}

impl Breeder {
    pub(super) fn new(spec: &Spec, genes: usize, offspring: usize) -> Self {
        let crossover = CROSSOVER.build(spec.spec("crossover"));
        let mutation = MUTATION.build(spec.spec("mutation"));
        Self {
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
        }
    }

    /// Some operator reads the conflicts of parents.
    pub(super) fn reads_conflicts(&self) -> bool {
        self.reads_conflicts
    }

    /// What crossover, where there is any, and mutation can make of a population.
    pub(super) fn closure(&self, space: &Space) -> Option<Closure> {
        let crossed = (!self.crossover_rate.is_never()).then(|| self.crossover.closure(space));
        together(space.genes(), crossed.into_iter().chain([self.mutation.closure(space)]))
    }

    /// Readies a generation of `count` children when this share of the budget is spent.
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

    /// Fills the brood: parents, coin, crossover, both mutations, pair by pair; returns whether the guard allowed it.
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
            for child in first..count.min(first + 2) {
                let own = child - first;
                offspring.set_parents(child, [places[own], places[1 - own]]);
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
            let [c, d] = &mut children;
            self.crossover.cross(space, parents, [of_a, of_b], [c, d], rng);
        } else {
            children.iter_mut().zip(parents).for_each(|(child, parent)| child.copy_from_slice(parent));
        }
        let crossover = crossed.then(|| self.crossover.chosen());
        for (index, (child, conflicts)) in children.into_iter().zip([of_a, of_b]).enumerate() {
            self.mutation.mutate(space, child, conflicts, rng);
            if let Some(made_by) = self.made_by.get_mut(first + index) {
                *made_by = (crossover, self.mutation.chosen());
            }
        }
    }

    /// Mutates the children of a pair again until they are new; returns whether the guard allowed it.
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
                self.made_by[child].1 = self.mutation.chosen();
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

    /// Tells operators what the children, which have been evaluated, have gained over the parents they take after.
    pub(super) fn credit(&mut self, population: &Population, offspring: &Population) {
        for (child, (crossover, mutation)) in self.made_by.iter().enumerate() {
            let before = population.guide()[offspring.parents(child)[0]];
            let gained = before.saturating_sub(offspring.guide()[child]);
            let gain = f64::from(gained) / f64::from(before.max(1));
            self.mutation.credit(*mutation, gain);
            if let Some(crossover) = crossover {
                self.crossover.credit(*crossover, gain);
            }
        }
    }
}
