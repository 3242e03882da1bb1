//! Offspring: who their parents are, what they inherit, what changes, and what was worth it.

use crate::budget::Guard;
use crate::fitness::{Guide, Tally};
use crate::rng::RunRng;
use crate::search::encodings::Encoding;
use crate::search::neighbourhood::Neighbourhood;
use crate::search::operators::crossover::{CROSSOVER, Crossover, Parent};
use crate::search::operators::mutation::{MUTATION, Mutation};
use crate::search::operators::replacement::Replacement;
use crate::search::operators::schedule::Rate;
use crate::search::operators::selection::{SELECTION, Selection};
use crate::search::operators::weights::{WEIGHTS, Weights};
use crate::search::population::GenomeIndex;
use crate::search::{Closure, Conflicts, Population, Space, together};
use crate::spec::Spec;

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
            let [genome_a, genome_b] = parents;
            let parents =
                [Parent { genome: genome_a, conflicts: of_a }, Parent { genome: genome_b, conflicts: of_b }];
            let [c, d] = &mut children;
            self.crossover.cross(space, parents, [c, d], rng);
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

/// Genomes read between two looks at the guard.
const GENOMES_A_LOOK: usize = 1024;

/// Reads genomes that have been evaluated, or are being evaluated.
pub(super) struct GuideTally {
    weights: Box<dyn Weights>,
    /// Fitness does not guide.
    is_weighted: bool,
    /// Where weights or operators need one.
    tally: Option<Tally>,
}

impl GuideTally {
    /// The tally for the weights of a spec; `reads` where some operator reads conflicts.
    pub(super) fn new<E: Encoding>(spec: &Spec, encoding: &E, reads: bool) -> Self {
        let weights = WEIGHTS.build(spec.spec("weights"));
        let guide = weights.guide();
        let is_weighted = guide.is_some();
        let tally = (reads || is_weighted)
            .then(|| encoding.neighbourhood(guide.unwrap_or(Guide::PLAIN)).tally().clone());
        Self { weights, is_weighted, tally }
    }

    /// Notes the guide of the first `count` individuals, whose fitness has been evaluated, or of fewer when the guard cuts.
    pub(super) fn note(&mut self, population: &mut Population, count: usize, guard: &mut Guard) {
        match &mut self.tally {
            Some(tally) if self.is_weighted => {
                for index in 0..count {
                    if index % GENOMES_A_LOOK == GENOMES_A_LOOK - 1 && guard.cuts() {
                        return;
                    }
                    tally.place(population.genome(index));
                    population.set_guide(index, u32::try_from(tally.value()).unwrap_or(u32::MAX));
                }
            }
            _ => population.follow_fitness(count),
        }
    }

    /// Says whether the weights change now.
    pub(super) fn is_due(&mut self, evaluations: u64) -> bool {
        self.weights.is_due(evaluations)
    }

    /// Changes the weights by the best of a population; its guide is to be computed again.
    pub(super) fn adapt(&mut self, population: &Population) {
        if let Some(tally) = &mut self.tally {
            tally.place(population.genome(population.best()));
            self.weights.adapt(tally);
        }
    }

    /// Gives everything the weight that it had in the beginning.
    pub(super) fn forget(&mut self) {
        if let Some(tally) = &mut self.tally {
            tally.reset_weights();
        }
    }

    /// Reads the conflicts of a genome.
    pub(super) fn conflicts(&mut self, genome: &[u8], space: &Space, conflicts: &mut Conflicts) {
        if let Some(tally) = &mut self.tally {
            tally.place(genome);
            conflicts.read(tally, space);
        }
    }
}
