//! The algorithm at work: budget, evaluation, and the order of things.

use std::mem;

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::fitness::Scratch;
use crate::rng::RunRng;
use crate::search::encodings::Encoding;
use crate::search::operators::niching::{NICHING, Niching};
use crate::search::operators::replacement::{REPLACEMENT, Replacement};
use crate::search::operators::restart::{RESTART, Restart, Stretch};
use crate::search::{Algorithm, Best, Census, Ledger, Observer, Population, Reach, Task};
use crate::spec::Spec;

use super::breed::{Breeder, Mating};
use super::follow::Book;
use super::judge::Judge;
use super::memetic::Improvement;

/// The algorithm at work, compiled for an encoding.
pub(super) struct Genetic<E> {
    encoding: E,
    budget: Budget,
    guard: Guard,
    offset: Option<u32>,
    niching: Box<dyn Niching>,
    breeder: Breeder,
    improve: Option<Improvement>,
    judge: Judge,
    replacement: Box<dyn Replacement>,
    population: Population,
    offspring: Population,
    scratch: Scratch,
    scores: Vec<f64>,
    init_rng: RunRng,
    rng: RunRng,
    spent: Spent,
    /// What had been spent when the last complete generation ended.
    complete: Spent,
    /// The population of then, where one that the budget cuts short has begun to take its place.
    last: Option<Population>,
    best: Best,
    census: Census,
    restart: Box<dyn Restart>,
    restarts: u64,
    begun: Beginning,
    /// Whose operators the book would name.
    spec: Spec,
    /// Where somebody follows operators.
    book: Option<Book>,
    /// Nothing but crossover and mutation makes genomes once the first are there.
    is_closed: bool,
    /// Nothing can come of it.
    is_given_up: bool,
    /// The guard has cut into the population, which is of no generation now.
    is_torn: bool,
}

/// Genomes made between two looks at the guard.
const GENOMES_A_LOOK: usize = 1024;

/// What is to be evaluated.
enum Made {
    /// So many of the population, the first, made at random.
    Anew(usize),
    /// All offspring.
    Offspring,
}

/// The stretch since the population was last made.
struct Beginning {
    /// Calls spent before it.
    at: u64,
    /// Calls spent when it last found something better.
    improved_at: u64,
    best: u32,
}

impl<E: Encoding> Genetic<E> {
    pub(super) fn new(encoding: E, spec: &Spec, improve: Option<Improvement>, task: &Task) -> Self {
        let size = usize::try_from(spec.integer("population")).expect("the range was checked");
        let mut replacement = REPLACEMENT.build(spec.spec("replacement"));
        let restart = RESTART.build(spec.spec("restart"));
        let (genes, digits) = (encoding.space().genes(), encoding.space().digits);
        let offspring = Population::new(replacement.offspring(size), genes);
        let breeder = Breeder::new(spec, genes, offspring.len());
        Self {
            is_closed: improve.is_none() && replacement.renewal().is_none() && restart.is_never(),
            is_given_up: false,
            is_torn: false,
            spec: spec.clone(),
            book: None,
            budget: task.budget,
            guard: task.guard.clone(),
            offset: spec.integer_or_absent("offset").map(|offset| offset as u32),
            judge: Judge::new(spec, &encoding, breeder.reads_conflicts()),
            niching: NICHING.build(spec.spec("niching")),
            breeder,
            improve,
            replacement,
            population: Population::new(size, genes),
            offspring,
            scratch: Scratch::default(),
            scores: vec![0.0; size],
            init_rng: task.key.child("init").rng(),
            rng: task.key.child("search").rng(),
            spent: Spent::default(),
            complete: Spent::default(),
            last: None,
            best: Best { ranks: vec![0; genes], fitness: u32::MAX, at: Spent::default() },
            census: Census::new(genes, digits),
            restart,
            restarts: 0,
            begun: Beginning { at: 0, improved_at: 0, best: u32::MAX },
            encoding,
        }
    }

    /// Evaluates the first individuals or the offspring, as far as the budget reaches; says whether it reached.
    fn evaluate(&mut self, made: Made) -> bool {
        let (count, population) = match made {
            Made::Anew(count) => (count, &mut self.population),
            Made::Offspring => (self.offspring.len(), &mut self.offspring),
        };
        let room = self.budget.evaluations_left(&self.spent);
        let within = (count as u64).min(room) as usize;
        if let Some(book) = &mut self.book {
            book.evaluate(&self.encoding, population, within, &mut self.scratch);
        } else {
            let (genomes, values) = population.first_mut(within);
            self.encoding.evaluate_each(genomes, values, &mut self.scratch);
        }
        self.judge.guide(population, within, &mut self.guard);
        for (index, &fitness) in population.fitness()[..within].iter().enumerate() {
            self.spent.evaluations += 1;
            if fitness < self.begun.best {
                (self.begun.best, self.begun.improved_at) = (fitness, self.spent.calls());
            }
            if fitness < self.best.fitness {
                self.best.fitness = fitness;
                self.best.ranks.copy_from_slice(population.genome(index));
                self.best.at = self.spent;
            }
        }
        within == count && !self.guard.has_cut()
    }

    /// Makes and evaluates a population, as far as the budget reaches; says whether it reached.
    fn begin(&mut self) -> bool {
        let now = self.spent.calls();
        self.begun = Beginning { at: now, improved_at: now, best: u32::MAX };
        let everyone = self.population.len();
        self.replacement.begin(everyone);
        self.make_anew(everyone)
    }

    /// Makes and evaluates the first individuals, as far as the budget reaches; says whether it reached.
    fn make_anew(&mut self, count: usize) -> bool {
        // What cannot be evaluated is not made.
        let within = (count as u64).min(self.budget.evaluations_left(&self.spent)) as usize;
        if within < count && self.complete != Spent::default() {
            self.last = Some(self.population.clone());
        }
        for index in 0..within {
            if index % GENOMES_A_LOOK == GENOMES_A_LOOK - 1 && self.guard.cuts() {
                self.is_torn = true;
                return false;
            }
            self.encoding.init(self.population.genome_mut(index), &mut self.init_rng);
        }
        self.evaluate(Made::Anew(count))
    }

    /// Why the making of a population or of offspring ended early.
    fn cut_short(&self) -> StopReason {
        match self.stopped() {
            Some(StopReason::Solved) => StopReason::Solved,
            _ if self.guard.has_cut() => StopReason::Seconds,
            stopped => stopped.unwrap_or(StopReason::Evaluations),
        }
    }

    /// Begins anew when a restart is due; says whether the budget reached.
    fn renew(&mut self) -> bool {
        let (now, begun) = (self.spent.calls(), &self.begun);
        let stretch =
            Stretch { restarts: self.restarts, calls: now - begun.at, stalled: now - begun.improved_at };
        if !self.restart.is_due(&stretch) {
            return true;
        }
        self.restarts += 1;
        self.judge.forget();
        if let Some(improve) = &mut self.improve {
            improve.begin(self.restarts);
        }
        self.begin()
    }

    /// Makes those anew that replacement gives up; says whether the budget reached.
    fn rejuvenate(&mut self) -> bool {
        let Some(renewal) = self.replacement.renewal() else { return true };
        let count = renewal.renew(&mut self.population, &mut self.rng, &mut self.guard);
        self.is_torn |= self.guard.has_cut();
        !self.is_torn && (count == 0 || self.make_anew(count))
    }

    /// Changes the weights when they are due and evaluates the population anew, as far as the budget reaches; says
    /// whether it reached.
    fn reweigh(&mut self) -> bool {
        if !self.judge.is_due(self.spent.evaluations) {
            return true;
        }
        let (count, room) = (self.population.len() as u64, self.budget.evaluations_left(&self.spent));
        self.spent.evaluations += count.min(room);
        self.judge.adapt(&self.population);
        self.judge.guide(&mut self.population, count as usize, &mut self.guard);
        count < room && !self.guard.has_cut()
    }

    /// Says whether the guard let it.
    fn score(&mut self) -> bool {
        let guide = self.population.guide();
        let worst = || guide[self.population.worst()].saturating_add(1);
        let offset = self.offset.unwrap_or_else(worst);
        for (score, guide) in self.scores.iter_mut().zip(guide) {
            *score = f64::from(offset.saturating_sub(*guide));
        }
        self.niching.apply(&self.population, &mut self.scores, &mut self.guard)
    }

    /// Makes the offspring, as many as the budget can still evaluate; says whether the guard let it.
    fn breed(&mut self) -> bool {
        if !self.score() {
            return false;
        }
        let (space, progress) = (self.encoding.space(), self.budget.progress(&self.spent));
        let (judge, guard, rng) = (&mut self.judge, &mut self.guard, &mut self.rng);
        let (population, offspring) = (&self.population, &mut self.offspring);
        self.breeder.prepare(space, &self.scores, offspring.len(), progress, rng);
        let brood = (offspring.len() as u64).min(self.budget.evaluations_left(&self.spent)) as usize;
        let mating = Mating { population, scores: &self.scores, replacement: &*self.replacement, brood };
        self.breeder.breed(space, &mating, judge, offspring, guard, rng)
    }

    /// Enters the offspring in the book, where one is kept.
    fn enter(&mut self) {
        if let Some(book) = &mut self.book {
            let improved = self.improve.as_ref().map_or(&[][..], Improvement::applied);
            let (population, offspring, made_by) =
                (&self.population, &self.offspring, self.breeder.made_by());
            book.after(population, offspring, made_by, improved, &self.encoding, &mut self.scratch);
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
        if self.is_closed && self.best.fitness > 0 {
            self.is_given_up = observer.gives_up(self.spent, &[&[&self.population]]);
        }
        observer.passed(self.spent, self.best.fitness);
    }
}

impl<E: Encoding> Algorithm for Genetic<E> {
    fn start(&mut self, observer: &mut dyn Observer) {
        if observer.follows() {
            self.book = Some(Book::open(&self.spec, self.improve.is_some()));
            self.improve.iter_mut().for_each(Improvement::follow);
        }
        if self.begin() {
            self.show(observer);
        }
    }

    fn stopped(&self) -> Option<StopReason> {
        match self.best.fitness {
            0 => Some(StopReason::Solved),
            _ if self.is_given_up => Some(StopReason::Dead),
            _ => self.budget.reached(&self.spent),
        }
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if let Some(reason) = self.stopped() {
            return Some(reason);
        }
        if self.guard.cuts() {
            return Some(StopReason::Seconds);
        }
        // Moves alone would never end it.
        let moves_alone = self.budget.evaluations.is_none() && self.budget.generations.is_none();
        if moves_alone && self.improve.as_ref().is_some_and(Improvement::is_stuck) {
            return Some(StopReason::Stalled);
        }
        if !self.renew() || !self.rejuvenate() || !self.reweigh() {
            return Some(self.cut_short());
        }
        if let Some(reason) = self.stopped() {
            return Some(reason);
        }
        if !self.breed() {
            return Some(StopReason::Seconds);
        }
        if let Some(book) = &mut self.book {
            book.before(&self.offspring);
        }
        if let Some(improve) = &mut self.improve {
            let (guard, spent) = (&mut self.guard, &mut self.spent);
            improve.apply(&mut self.offspring, &self.budget, guard, spent, &mut self.rng);
        }
        self.spent.generations += 1;
        if !self.evaluate(Made::Offspring) {
            self.spent.generations -= 1;
            return Some(self.cut_short());
        }
        self.breeder.credit(&self.population, &self.offspring);
        self.enter();
        let (rng, guard) = (&mut self.rng, &mut self.guard);
        self.replacement.replace(&mut self.population, &mut self.offspring, rng, guard);
        if self.guard.has_cut() {
            (self.is_torn, self.spent.generations) = (true, self.spent.generations - 1);
            return Some(StopReason::Seconds);
        }
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
        if self.complete != Spent::default() && !self.is_torn {
            census.add(self.last.as_ref().unwrap_or(&self.population));
        }
        self.complete
    }

    fn population(&mut self) -> Option<&mut Population> {
        Some(&mut self.population)
    }

    fn ledger(&self) -> Ledger {
        let mut all = self.book.as_ref().map_or_else(Ledger::empty, Book::ledger);
        self.improve.iter().for_each(|improve| all.merge(improve.ledger()));
        all
    }

    fn reach(&self) -> Option<Vec<Reach>> {
        let reach = if self.is_closed { self.breeder.reach(self.encoding.space()) } else { None };
        reach.map(|reach| vec![reach])
    }
}
