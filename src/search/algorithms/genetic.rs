//! The genetic algorithm.
//!
//! ```text
//! population <- random genomes, evaluated
//! repeat
//!     scores <- max(0, offset - fitness)
//!     for each pair of offspring
//!         choose two parents by their scores
//!         cross them with probability rate, else clone them
//!         mutate both children
//!     evaluate the offspring
//!     replace
//! until solved or the budget is spent
//! ```
//!
//! Draws come in that order: parents, coin, crossover, mutation of the first child, of the second. Every child is
//! evaluated, changed or not.
//!
//! Source: J. H. Holland 1975, Adaptation in Natural and Artificial Systems; with the parameters of the preset
//! `pyevolve`, the algorithm of C. S. Perone 2009, doi:10.1145/1656395.1656397.

use std::mem;
use std::sync::Arc;

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::fitness::Scratch;
use crate::rng::RunRng;
use crate::search::encodings::{AnyEncoding, ENCODINGS, Encoding, EncodingError};
use crate::search::operators::crossover::{CROSSOVER, Crossover};
use crate::search::operators::mutation::{MUTATION, Mutation};
use crate::search::operators::replacement::{REPLACEMENT, Replacement};
use crate::search::operators::schedule::Rate;
use crate::search::operators::selection::{SELECTION, Selection};
use crate::search::{Algorithm, Best, Census, Observer, Population, Task};
use crate::spec::{Catalog, Entry, Kind, Member, Param, Preset, Spec, SpecError};

use super::{Maker, Recipe};

pub(super) static ENTRY: Entry<Maker> = Entry {
    member: Member {
        name: "genetic",
        about: "selection, crossover, mutation, replacement, generation by generation",
        source: "J. H. Holland 1975, Adaptation in Natural and Artificial Systems",
        encodings: &["cells", "rows"],
        params: &[
            Param {
                name: "encoding",
                kind: Kind::Member(&ENCODINGS),
                default: Preset::Text("cells"),
                about: "what a genome is",
            },
            Param {
                name: "population",
                kind: Kind::Integer(1, 1_000_000),
                default: Preset::Integer(100),
                about: "individuals",
            },
            Param {
                name: "offset",
                kind: Kind::ChoiceOrInteger(&["worst"], 0, u32::MAX as i64),
                default: Preset::Text("worst"),
                about: "scores are max(0, offset - fitness); worst: the population's worst fitness + 1",
            },
            Param {
                name: "selection",
                kind: Kind::Member(&SELECTION),
                default: Preset::Text("roulette"),
                about: "who becomes a parent",
            },
            Param {
                name: "crossover",
                kind: Kind::Member(&CROSSOVER),
                default: Preset::Text("row"),
                about: "two children from two parents",
            },
            Param {
                name: "mutation",
                kind: Kind::Member(&MUTATION),
                default: Preset::Text("swap"),
                about: "small random changes of a genome",
            },
            Param {
                name: "replacement",
                kind: Kind::Member(&REPLACEMENT),
                default: Preset::Text("generational"),
                about: "who lives on",
            },
        ],
    },
    build: |spec: &Spec| {
        check_fit(spec)?;
        Ok(Box::new(GeneticRecipe(spec.clone())))
    },
};

fn check_fit(spec: &Spec) -> Result<(), SpecError> {
    let encoding = &spec.spec("encoding").name;
    CROSSOVER.fits(spec.spec("crossover"), encoding)?;
    MUTATION.fits(spec.spec("mutation"), encoding)
}

/// A resolved spec whose operators fit its encoding.
struct GeneticRecipe(Spec);

impl Recipe for GeneticRecipe {
    fn spends(&self) -> &'static [StopReason] {
        &[StopReason::Evaluations, StopReason::Generations]
    }

    fn has_population(&self) -> bool {
        true
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let encoder = ENCODINGS.build(self.0.spec("encoding"));
        Ok(match encoder(Arc::clone(&task.fitness))? {
            AnyEncoding::Cages(encoding) => Box::new(Genetic::new(encoding, &self.0, task)),
            AnyEncoding::Cells(encoding) => Box::new(Genetic::new(encoding, &self.0, task)),
            AnyEncoding::Rows(encoding) => Box::new(Genetic::new(encoding, &self.0, task)),
        })
    }
}

/// The algorithm at work, compiled for an encoding.
struct Genetic<E> {
    encoding: E,
    budget: Budget,
    guard: Guard,
    offset: Option<u32>,
    selection: Box<dyn Selection>,
    crossover: Box<dyn Crossover>,
    crossover_rate: Rate,
    mutation: Box<dyn Mutation>,
    replacement: Box<dyn Replacement>,
    population: Population,
    /// Room for one generation of offspring and one child more, of which odd numbers have no use.
    offspring: Population,
    spare: Vec<u8>,
    scratch: Scratch,
    scores: Vec<f64>,
    init_rng: RunRng,
    rng: RunRng,
    spent: Spent,
    /// What had been spent when the last complete generation ended.
    complete: Spent,
    best: Best,
    census: Census,
}

impl<E: Encoding> Genetic<E> {
    fn new(encoding: E, spec: &Spec, task: &Task) -> Self {
        let size = usize::try_from(spec.integer("population")).expect("the range was checked");
        let replacement = REPLACEMENT.build(spec.spec("replacement"));
        let (genes, digits) = (encoding.space().genes(), encoding.space().digits);
        Self {
            budget: task.budget,
            guard: task.guard.clone(),
            offset: spec.integer_or_absent("offset").map(|offset| offset as u32),
            selection: SELECTION.build(spec.spec("selection")),
            crossover: CROSSOVER.build(spec.spec("crossover")),
            crossover_rate: Rate::of(spec.spec("crossover"), "rate"),
            mutation: MUTATION.build(spec.spec("mutation")),
            population: Population::new(size, genes),
            offspring: Population::new(replacement.offspring(size), genes),
            replacement,
            spare: vec![0; genes],
            scratch: Scratch::default(),
            scores: vec![0.0; size],
            init_rng: task.key.child("init").rng(),
            rng: task.key.child("search").rng(),
            spent: Spent::default(),
            complete: Spent::default(),
            best: Best { ranks: vec![0; genes], fitness: u32::MAX, at: Spent::default() },
            census: Census::new(genes, digits),
            encoding,
        }
    }

    /// Evaluates up to `count` individuals, as far as the budget reaches; says whether it reached.
    fn evaluate(&mut self, count: usize, initial: bool) -> bool {
        let room = self.budget.evaluations_left(&self.spent);
        let within = (count as u64).min(room) as usize;
        let population = if initial { &mut self.population } else { &mut self.offspring };
        let (genomes, values) = population.first_mut(within);
        self.encoding.evaluate_each(genomes, values, &mut self.scratch);
        for (index, &fitness) in population.fitness()[..within].iter().enumerate() {
            self.spent.evaluations += 1;
            if fitness < self.best.fitness {
                self.best.fitness = fitness;
                self.best.ranks.copy_from_slice(population.genome(index));
                self.best.at = self.spent;
            }
        }
        within == count
    }

    fn score(&mut self) {
        let fitness = self.population.fitness();
        let worst = || fitness[self.population.worst()].saturating_add(1);
        let offset = self.offset.unwrap_or_else(worst);
        for (score, fitness) in self.scores.iter_mut().zip(fitness) {
            *score = f64::from(offset.saturating_sub(*fitness));
        }
    }

    /// Fills the offspring: parents, coin, crossover, both mutations, pair by pair.
    fn breed(&mut self, progress: f64) {
        let count = self.offspring.len();
        let rate = self.crossover_rate.at(progress);
        self.selection.prepare(&self.scores, count.next_multiple_of(2), progress, &mut self.rng);
        self.mutation.prepare(self.encoding.space(), progress);
        for first in (0..count).step_by(2) {
            let pick = |selection: &mut dyn Selection, rng: &mut RunRng| selection.pick(&self.scores, rng);
            let (a, b) =
                (pick(&mut *self.selection, &mut self.rng), pick(&mut *self.selection, &mut self.rng));
            let parents = [self.population.genome(a), self.population.genome(b)];
            let mut children = match count - first {
                1 => [self.offspring.genome_mut(first), &mut self.spare[..]],
                _ => self.offspring.two_genomes_mut(first),
            };
            let space = self.encoding.space();
            if self.rng.coin(rate) {
                let [c, d] = &mut children;
                self.crossover.cross(space, parents, [c, d], &mut self.rng);
            } else {
                children.iter_mut().zip(parents).for_each(|(child, parent)| child.copy_from_slice(parent));
            }
            for child in children {
                self.mutation.mutate(space, child, &mut self.rng);
            }
        }
    }

    fn show(&mut self, observer: &mut dyn Observer) {
        self.complete = self.spent;
        if observer.wants(self.spent.generations) {
            let mut census = mem::replace(&mut self.census, Census::new(0, 1));
            census.clear();
            census.add(&self.population);
            observer.observe(self.spent, &census);
            self.census = census;
        }
        observer.passed(self.spent, self.best.fitness);
    }
}

impl<E: Encoding> Algorithm for Genetic<E> {
    fn start(&mut self, observer: &mut dyn Observer) {
        for index in 0..self.population.len() {
            self.encoding.init(self.population.genome_mut(index), &mut self.init_rng);
        }
        if self.evaluate(self.population.len(), true) {
            self.show(observer);
        }
    }

    fn stopped(&self) -> Option<StopReason> {
        if self.best.fitness == 0 { Some(StopReason::Solved) } else { self.budget.reached(&self.spent) }
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if let Some(reason) = self.stopped() {
            return Some(reason);
        }
        if self.guard.cuts() {
            return Some(StopReason::Seconds);
        }
        self.score();
        self.breed(self.budget.progress(&self.spent));
        self.spent.generations += 1;
        if !self.evaluate(self.offspring.len(), false) {
            self.spent.generations -= 1;
            let solved = self.best.fitness == 0;
            return Some(if solved { StopReason::Solved } else { StopReason::Evaluations });
        }
        self.replacement.replace(&mut self.population, &mut self.offspring, &mut self.rng);
        self.show(observer);
        None
    }

    fn spent(&self) -> Spent {
        self.spent
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn census(&self, census: &mut Census) -> Spent {
        if self.complete != Spent::default() {
            census.add(&self.population);
        }
        self.complete
    }

    fn population(&mut self) -> Option<&mut Population> {
        Some(&mut self.population)
    }
}
