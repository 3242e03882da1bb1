//! Offspring: their parents, what they inherit, what changes, and what each operator is credited with.

use std::sync::Arc;

use crate::budget::Guard;
use crate::rng::RunRng;
use crate::search::births::MakerNames;
use crate::search::operators::Chooser;
use crate::search::operators::crossover::{CROSSOVER, Crossover, Parent};
use crate::search::operators::mutation::{MUTATION, Mutation};
use crate::search::operators::replacement::Replacement;
use crate::search::operators::schedule::Rate;
use crate::search::operators::selection::{SELECTION, Selection};
use crate::search::operators::weights::GuideTally;
use crate::search::population::GenomeIndex;
use crate::search::{Closure, Conflicts, Ledger, Population, Space};
use crate::spec::Spec;

/// How often a duplicate is mutated again.
const TRIES: usize = 100;

/// Children between two looks at the guard.
const CHECK_EVERY: usize = 128;

/// The smallest brood that is looked up in an index; comparing is faster below.
const INDEXED: usize = 32;

/// What made a child, by its place among the operators to choose from.
#[derive(Clone, Copy, Default)]
pub(super) struct MadeBy {
    /// `None` for a child that was copied from its parent.
    pub(super) crossover: Option<usize>,
    pub(super) mutation: usize,
}

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
    /// The names of the crossovers to choose from.
    crossovers: Vec<Arc<str>>,
    /// The names of the mutations to choose from.
    mutations: Vec<Arc<str>>,
    /// The population and the children so far, where a large brood refuses duplicates.
    index: GenomeIndex,
}

impl Breeder {
    pub(super) fn new(spec: &Spec, genes: usize, offspring: usize) -> Self {
        let mut crossover = CROSSOVER.build(spec.spec("crossover"));
        let mut mutation = MUTATION.build(spec.spec("mutation"));
        Self {
            // Asked once: most operators choose nothing, and then no child pays for it.
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
            made_by: vec![MadeBy::default(); offspring],
            index: GenomeIndex::default(),
            follows_births: false,
            crossed: Vec::new(),
            crossovers: names(spec.spec("crossover")),
            mutations: names(spec.spec("mutation")),
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
    pub(super) fn makers(&self) -> Vec<MakerNames> {
        let mut makers = Vec::with_capacity(self.made_by.len());
        for made_by in &self.made_by {
            makers.push(MakerNames {
                crossover: made_by.crossover.map(|chosen| Arc::clone(&self.crossovers[chosen])),
                mutation: Arc::clone(&self.mutations[made_by.mutation]),
            });
        }
        makers
    }

    /// Some operator reads the conflicts of parents.
    pub(super) fn reads_conflicts(&self) -> bool {
        self.reads_conflicts
    }

    /// What crossover, where there is any, and mutation can make of a population.
    pub(super) fn closure(&self, space: &Space) -> Option<Closure> {
        let mutated = self.mutation.closure(space)?;
        if self.crossover_rate.is_never() {
            return Some(mutated);
        }
        Some(self.crossover.closure(space)?.and(&mutated))
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
        // Parents come in pairs: an odd number of children takes one parent more.
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
            for index in 0..population.len() {
                self.index.add(0, index, [population, offspring]);
            }
        }
        for first in (0..count).step_by(2) {
            if first.is_multiple_of(CHECK_EVERY) && guard.cuts() {
                return false;
            }
            // Both are drawn before the replacement looks at them, so that the order of draws is the same for all.
            let picked = [self.selection.pick(mating.scores, rng), self.selection.pick(mating.scores, rng)];
            let places = [picked[0], mating.replacement.mate(picked, population.len(), rng)];
            let parents = places.map(|place| population.genome(place));
            if self.reads_conflicts {
                for (conflicts, parent) in self.conflicts.iter_mut().zip(parents) {
                    guide.conflicts(parent, space, conflicts);
                }
            }
            let crossed = rng.coin(self.rate);
            self.pair(space, parents, crossed, offspring, first, rng);
            // The second child takes after the second parent.
            offspring.set_parents(first, places);
            if first + 1 < count {
                offspring.set_parents(first + 1, [places[1], places[0]]);
            }
            if self.refuses_duplicates && !self.mutate_until_new(space, mating, offspring, first, guard, rng)
            {
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
        // Without room for the second child of an odd pair it goes to a spare genome.
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
            children[0].copy_from_slice(parents[0]);
            children[1].copy_from_slice(parents[1]);
        }
        if self.follows_births {
            self.crossed.extend_from_slice(children[0]);
            self.crossed.extend_from_slice(children[1]);
        }
        let mut made_by = MadeBy { crossover: crossed.then_some(0), mutation: 0 };
        if crossed && self.chooses {
            made_by.crossover = Some(chosen(self.crossover.chooser()));
        }
        for (index, (child, conflicts)) in children.into_iter().zip([of_a, of_b]).enumerate() {
            self.mutation.mutate(space, child, conflicts, rng);
            if self.chooses {
                made_by.mutation = chosen(self.mutation.chooser());
            }
            // The second child of the last pair of an odd number is thrown away.
            if let Some(noted) = self.made_by.get_mut(first + index) {
                *noted = made_by;
            }
        }
    }

    /// Mutates the children of a pair again until they are new. False if the guard cuts.
    fn mutate_until_new(
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
                // The tries go on from the last genome, which wanders ever further from the parents.
                self.mutation.mutate(space, offspring.genome_mut(child), conflicts, rng);
                self.made_by[child].mutation = chosen(self.mutation.chooser());
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
        for (child, made_by) in self.made_by.iter().enumerate() {
            // A gain is a share of what there was to gain: the same step counts more near the solution.
            let before = population.guide()[offspring.parents(child)[0]];
            let gained = before.saturating_sub(offspring.guide()[child]);
            let gain = f64::from(gained) / f64::from(before.max(1));
            if let Some(chooser) = self.mutation.chooser() {
                chooser.credit(made_by.mutation, gain);
            }
            if let (Some(crossover), Some(chooser)) = (made_by.crossover, self.crossover.chooser()) {
                chooser.credit(crossover, gain);
            }
        }
    }
}
