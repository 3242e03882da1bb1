//! A run of an algorithm on one puzzle, its observers, and the use and gain of its operators.

use std::sync::Arc;

use crate::budget::{Budget, Guard, Spent, StopReason};
use crate::fitness::{Fitness, Term, Terms};
use crate::rng::StreamKey;
use crate::spec::{Spec, Value};

use super::programs::Programs;
use super::{Births, Census, Closure, Population};

/// What an algorithm is started on.
#[derive(Clone)]
pub struct Task {
    /// The problem and its measure.
    pub fitness: Arc<Fitness>,
    /// The key of the run's random streams.
    pub key: StreamKey,
    /// What the run may spend.
    pub budget: Budget,
    /// What can cut the run from outside.
    pub guard: Guard,
    /// Threads for algorithms that can use several; results never depend on it.
    pub pool: Option<Arc<rayon::ThreadPool>>,
    /// The puzzle as JSON, without its solution, for programs that stand in for an algorithm.
    pub puzzle: Arc<str>,
    /// Where such programs run.
    pub programs: Arc<Programs>,
}

impl Task {
    /// A task for algorithms of kenga's own, on the caller's thread alone.
    pub fn new(fitness: Arc<Fitness>, key: StreamKey, budget: Budget, guard: Guard) -> Self {
        Self { fitness, key, budget, guard, pool: None, puzzle: "{}".into(), programs: Arc::default() }
    }
}

/// The best individual of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Its genome: a rank a cell.
    pub ranks: Vec<u8>,
    /// Its fitness.
    pub fitness: u32,
    /// What had been spent when it was found, its own evaluation included.
    pub at: Spent,
}

impl Best {
    /// The best where nothing has been found: worse than any genome.
    pub(super) fn none(genes: usize) -> Self {
        Self { ranks: vec![0; genes], fitness: u32::MAX, at: Spent::default() }
    }

    /// No genome has been evaluated.
    pub fn is_none(&self) -> bool {
        self.fitness == u32::MAX
    }

    /// Becomes this genome.
    pub(super) fn take(&mut self, genome: &[u8], fitness: u32, at: Spent) {
        self.ranks.copy_from_slice(genome);
        (self.fitness, self.at) = (fitness, at);
    }
}

/// An algorithm at work on one puzzle, advanced in steps.
///
/// A step is one generation, or several between two barriers. Complete generations are shown to the observer where it
/// wants them; a generation that the budget cuts short counts for the best and is not shown.
pub trait Algorithm: Send {
    /// Makes and evaluates the initial population, as far as the budget reaches.
    fn start(&mut self, observer: &mut dyn Observer);

    /// Why there is nothing more to do, if so: the puzzle is solved, or the budget spent.
    fn stopped(&self) -> Option<StopReason>;

    /// Advances; returns the stop reason when the run has ended.
    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason>;

    /// Advances by at most a generation of every population, where a step has several; the next [`step`](Self::step) makes
    /// the rest. A run has the same results whichever of the two it calls.
    fn advance(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        self.step(observer)
    }

    /// What has been spent.
    fn spent(&self) -> Spent;

    /// The best individual so far; the first of equals.
    fn best(&self) -> &Best;

    /// The best individual so far within a step as well, of which [`best`](Self::best) learns at its end. It was found when
    /// its own population had spent what it says.
    fn leader(&self) -> &Best {
        self.best()
    }

    /// Shows the population of the last complete generation, if there is one, and returns what had been spent then. Of
    /// islands each shows its own, in their order, one without individuals where it has none; a local search shows a
    /// population of one, where it stands.
    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent;

    /// Adds the last complete generation, if there is one, to a census; what had been spent then is returned.
    fn census(&self, census: &mut Census) -> Spent {
        self.populations(&mut |population| census.add(population))
    }

    /// The population that migrants leave and enter, where there is one.
    fn population(&mut self) -> Option<&mut Population>;

    /// What its operators can make of its populations, where nothing else changes them: one closure for every set of
    /// populations that exchange individuals; `None` where every genome is reachable.
    fn closure(&self) -> Option<Vec<Closure>> {
        None
    }

    /// Usage and gain of its operators in complete generations, where the observer at its start [asks for them].
    ///
    /// [asks for them]: Observer::logs_operators
    fn ledger(&self) -> Ledger {
        Ledger::default()
    }

    /// The births of the last complete generation, of islands each: where the observer [asked] for those of that generation,
    /// and the algorithm breeds. Nothing where it has no populations that breed.
    ///
    /// [asked]: Observer::follows_births
    fn births(&self) -> Vec<Option<Arc<Births>>> {
        Vec::new()
    }

    /// Seconds of CPU time spent on threads other than the caller's, and by other programs.
    fn helpers_cpu_s(&self) -> f64 {
        0.0
    }

    /// Why the run has [failed](StopReason::Failed), if so.
    fn failure(&self) -> Option<&Failure> {
        None
    }
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What the program did, in a sentence.
    pub reason: String,
    /// The last lines that it wrote to standard error, at most 4 KiB.
    pub stderr: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutcome {
    /// The best individual.
    pub best: Best,
    /// What was spent.
    pub spent: Spent,
    /// Why it ended.
    pub stop: StopReason,
}

/// Runs an algorithm to its end. The outcome of a run that its guard cut cannot be reproduced: a clock or a signal
/// decided where it ended.
pub fn run(algorithm: &mut dyn Algorithm, observer: &mut dyn Observer) -> RunOutcome {
    algorithm.start(observer);
    let stop = loop {
        if let Some(reason) = algorithm.step(observer) {
            break reason;
        }
    };
    RunOutcome { best: algorithm.best().clone(), spent: algorithm.spent(), stop }
}

/// Watches a run.
pub trait Observer: Send + Sync {
    /// It wants a census of this generation; 0 is the initial population.
    fn wants(&self, generation: u64) -> bool;

    /// Receives the census of a complete generation that it wants.
    fn observe(&mut self, spent: Spent, census: &Census);

    /// Receives the populations of a run that has not solved the puzzle, and says whether the run may end because no
    /// solution is reachable. Called after every complete generation, or between two slices of islands, if nothing but
    /// operators changes the populations. Populations that exchange individuals stand together, in the order of
    /// [`Algorithm::closure`].
    fn gives_up(&mut self, spent: Spent, populations: &[&[&Population]]) -> bool {
        let _ = (spent, populations);
        false
    }

    /// It wants censuses to count distinct genomes.
    fn counts_unique(&self) -> bool {
        false
    }

    /// It wants usage and gain of the operators at the end.
    fn logs_operators(&self) -> bool {
        false
    }

    /// It wants the births of the generation that is being made.
    fn follows_births(&self) -> bool {
        false
    }

    /// Called after every complete generation, wanted or not, with the best fitness of the run so far.
    fn passed(&mut self, spent: Spent, best: u32) {
        let _ = (spent, best);
    }

    /// Called for every migrant that has settled on another island, in the order of settling.
    fn migrated(&mut self, migration: &Migration) {
        let _ = migration;
    }
}

/// Watches nothing.
impl Observer for () {
    fn wants(&self, _generation: u64) -> bool {
        false
    }

    fn observe(&mut self, _spent: Spent, _census: &Census) {}
}

/// The arrival of a copy of an individual on another island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The number of the barrier, from 1: every island had spent `barrier` times `interval` calls, or had stopped.
    pub barrier: u64,
    /// What all islands together had spent.
    pub spent: Spent,
    /// The island that it left, from 0.
    pub from: usize,
    /// The island that it entered, from 0.
    pub to: usize,
    /// Its fitness.
    pub fitness: u32,
}

/// Usage and gain of one operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorUse {
    /// Its family, of [`OperatorUse::FAMILIES`].
    pub family: &'static str,
    /// Its name. An adaptive operator is logged under the one that it chose, a move as `search.move`.
    pub name: String,
    /// Children that it had a part in, or moves that were made.
    pub applied: u64,
    /// Those better than the individual that they take after, or than the position before.
    pub better: u64,
    /// Those better than both parents, or than all positions before.
    pub best: u64,
    /// The sum of the improvements of the better ones.
    pub gain: u64,
    /// The sum of the decreases of each term over the better ones, unweighted, in the order of [`Term::ALL`]; increases
    /// are not subtracted.
    pub repaired: [u64; Term::ALL.len()],
}

/// Usage and gain of every operator of a run, in the order in which the configuration names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    uses: Vec<OperatorUse>,
}

impl Ledger {
    /// A ledger of one entry.
    pub fn of(used: OperatorUse) -> Self {
        Self { uses: vec![used] }
    }

    /// Adds empty entries for an operator, or for each of those that it chooses from; returns the index of the first.
    pub fn open(&mut self, family: &'static str, spec: &Spec) -> usize {
        let first = self.uses.len();
        match spec.get("of") {
            Some(Value::List(_)) => {
                self.uses
                    .extend(spec.specs("of").map(|member| OperatorUse::new(family, member.name.clone())));
            }
            _ => self.uses.push(OperatorUse::new(family, spec.name.clone())),
        }
        first
    }

    /// Adds usage and gain of an entry's operator from elsewhere.
    pub fn add(&mut self, entry: usize, used: &OperatorUse) {
        self.uses[entry].add(used);
    }

    /// Adds another ledger; entries of one family and name become one.
    pub fn merge(&mut self, other: Self) {
        for theirs in other.uses {
            let same = |ours: &&mut OperatorUse| (ours.family, &ours.name) == (theirs.family, &theirs.name);
            match self.uses.iter_mut().find(same) {
                Some(ours) => ours.add(&theirs),
                None => self.uses.push(theirs),
            }
        }
    }

    /// The entries.
    pub fn uses(&self) -> &[OperatorUse] {
        &self.uses
    }
}

impl OperatorUse {
    /// The families whose operators make or improve children, and that of moves.
    pub const FAMILIES: [&str; 4] = [Self::CROSSOVER, Self::MUTATION, Self::IMPROVE, Self::MOVE];
    /// Crossover operators.
    pub const CROSSOVER: &str = "crossover";
    /// Mutation operators.
    pub const MUTATION: &str = "mutation";
    /// Local searches that improve children.
    pub const IMPROVE: &str = "improve";
    /// Moves of a local search.
    pub const MOVE: &str = "move";

    /// An operator that has not been used yet.
    pub(super) fn new(family: &'static str, name: String) -> Self {
        Self { family, name, applied: 0, better: 0, best: 0, gain: 0, repaired: [0; Term::ALL.len()] }
    }

    /// Counts a child by its fitness and that of its parents, first the one that it takes after. `terms` returns the
    /// terms of that parent and of the child, and is called only if the child is better.
    #[inline]
    pub(super) fn count(&mut self, child: u32, parents: [u32; 2], terms: impl FnOnce() -> [Terms; 2]) {
        self.applied += 1;
        if child >= parents[0] {
            return;
        }
        self.better += 1;
        self.best += u64::from(child < parents[1]);
        self.gain += u64::from(parents[0] - child);
        let [before, after] = terms();
        for (repaired, term) in self.repaired.iter_mut().zip(Term::ALL) {
            *repaired += u64::from(before.of(term).saturating_sub(after.of(term)));
        }
    }

    fn add(&mut self, other: &Self) {
        self.applied += other.applied;
        self.better += other.better;
        self.best += other.best;
        self.gain += other.gain;
        self.repaired.iter_mut().zip(other.repaired).for_each(|(sum, more)| *sum += more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::{CageMeasure, Fitness, Weights};
    use crate::problem::Problem;
    use crate::puzzle::{Cage, Square, operators};

    /// A 2x2 of two cages, each a column of sum 3.
    fn fitness() -> Fitness {
        let plus = operators::find("+").expect("a known operator");
        let column = |column: usize| Cage::new(plus, 3, vec![(0, column), (1, column)]);
        let puzzle = Square::kenken(2, vec![column(0), column(1)]).build().expect("a sound puzzle");
        Fitness::new(Problem::compile(&puzzle), Weights::ORIGINAL, CageMeasure::Binary)
            .expect("small weights")
    }

    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.open("mutation", &Spec::named("swap")), 0);
        ledger
    }

    #[test]
    fn better_children_are_counted_with_the_terms_they_repair() {
        let (fitness, mut used) = (fitness(), OperatorUse::new("mutation", "swap".to_owned()));
        // One column violates its cage, has an equal pair, makes one in a row, and both digits miss their count by one.
        let genomes = [[0, 1, 1, 1], [0, 1, 1, 0]];
        let [wrong, right] = genomes.map(|genome| fitness.evaluate(&genome));
        used.count(right, [wrong, right], || genomes.map(|genome| fitness.terms(&genome)));
        used.count(wrong, [right, wrong], || unreachable!("it is no better"));
        assert_eq!((used.applied, used.better, used.best), (2, 1, 0));
        assert_eq!((used.gain, used.repaired), (u64::from(wrong), [2, 1, 1, 0, 1, 0]));
    }

    #[test]
    fn entries_of_one_name_become_one() {
        let (mut all, mut other) = (ledger(), ledger());
        other.uses[0].applied = 3;
        other.open("crossover", &Spec::named("row"));
        all.merge(other.clone());
        all.merge(other);
        assert_eq!(all.uses().iter().map(|used| used.applied).collect::<Vec<_>>(), [6, 0]);
    }
}
