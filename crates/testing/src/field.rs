//! Runs, and what holds for every one of them.

use std::sync::Arc;

use kenga_core::budget::{Budget, Guard, Spent, StopReason};
use kenga_core::fitness::Fitness;
use kenga_core::problem::GenomeShape;
use kenga_core::puzzle::{Puzzle, check};
use kenga_core::rng::StreamKey;
use kenga_core::search::algorithms::{ALGORITHMS, recipe};
use kenga_core::search::encodings::{ENCODINGS, is_of_problems};
use kenga_core::search::{Algorithm, Census, Observer, RunOutcome, Task, run};
use kenga_core::spec::{Member, Spec};

use super::setup::{defaults, fitness, fitness_of_genomes, resolve};

/// A puzzle, or a problem of the user's own, to run on.
#[derive(Clone)]
pub struct Field {
    puzzle: Puzzle,
    fitness: Arc<Fitness>,
}

/// Watches everything and believes nothing.
struct Sceptic {
    budget: Budget,
    last: Spent,
    best: u32,
    shown: Vec<(Spent, Census)>,
}

impl Observer for Sceptic {
    fn wants(&self, generation: u64) -> bool {
        generation.is_multiple_of(3)
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        assert!(self.wants(spent.generations) && census.best() <= census.worst());
        assert!(census.worst() < u32::MAX, "only what was evaluated is shown");
        assert!((f64::from(census.best())..=f64::from(census.worst())).contains(&census.mean()));
        assert!((0.0..=1.0).contains(&census.diversity()));
        self.shown.push((spent, census.clone()));
    }

    fn passed(&mut self, spent: Spent, best: u32) {
        assert!(is_within(&spent, &self.budget) && spent.evaluations >= self.last.evaluations);
        assert!(spent.moves >= self.last.moves);
        assert!(spent.generations >= self.last.generations && best <= self.best);
        let shown = self.shown.last().filter(|(at, _)| at.generations == spent.generations);
        assert!(shown.is_none_or(|(_, census)| census.best() >= best), "nothing is shown below the best");
        (self.last, self.best) = (spent, best);
    }
}

impl Field {
    /// The field of a puzzle.
    pub fn new(puzzle: Puzzle) -> Self {
        Self { fitness: fitness(&puzzle), puzzle }
    }

    /// The field of a problem whose best genome has the lowest value, or number, in every place.
    pub fn of_genomes(shape: &GenomeShape) -> Self {
        let puzzle = Puzzle::of_genome(shape.clone()).expect("a sound shape");
        Self::of_problem(puzzle, fitness_of_genomes(shape))
    }

    /// The field of a problem that is not one of digits in a grid.
    pub(super) fn of_problem(puzzle: Puzzle, fitness: Arc<Fitness>) -> Self {
        Self { puzzle, fitness }
    }

    /// Runs an algorithm, checks its claims, and returns them with everything it showed.
    pub fn run(
        &self,
        spec: &Spec,
        evaluations: u64,
        pool: Option<&Arc<rayon::ThreadPool>>,
    ) -> (RunOutcome, Vec<(Spent, Census)>) {
        self.run_within(spec, Budget { evaluations: Some(evaluations), ..Budget::default() }, pool)
    }

    /// As [`run`](Self::run), within any budget.
    pub fn run_within(
        &self,
        spec: &Spec,
        budget: Budget,
        pool: Option<&Arc<rayon::ThreadPool>>,
    ) -> (RunOutcome, Vec<(Spent, Census)>) {
        let mut algorithm = self.algorithm(spec, budget, pool);
        let mut sceptic = Sceptic { budget, last: Spent::default(), best: u32::MAX, shown: Vec::new() };
        let outcome = run(&mut *algorithm, &mut sceptic);
        self.check(&outcome, &budget, spec);
        (outcome, sceptic.shown)
    }

    /// As [`run_within`](Self::run_within), advanced a generation at a time. The populations are those of the last census.
    pub fn generations_within(&self, spec: &Spec, budget: Budget) -> (RunOutcome, Vec<(Spent, Census)>) {
        let mut algorithm = self.algorithm(spec, budget, None);
        let mut sceptic = Sceptic { budget, last: Spent::default(), best: u32::MAX, shown: Vec::new() };
        let problem = self.fitness.problem();
        algorithm.start(&mut sceptic);
        let stop = loop {
            let stop = algorithm.step_one_generation(&mut sceptic);
            let mut census = Census::new(problem.cells(), problem.digits());
            // Asked for or shown, a population is that of the last complete generation.
            let complete = algorithm.populations(&mut |population| census.add(population));
            if let Some((_, shown)) = sceptic.shown.last().filter(|(at, _)| *at == complete) {
                assert_eq!(*shown, census, "{spec:?}");
            }
            assert!(algorithm.leader().fitness <= algorithm.best().fitness, "{spec:?}");
            if let Some(stop) = stop {
                break stop;
            }
        };
        let outcome = RunOutcome { best: algorithm.best().clone(), spent: algorithm.spent(), stop };
        self.check(&outcome, &budget, spec);
        (outcome, sceptic.shown)
    }

    /// The puzzle or problem can be held in an encoding.
    pub fn fits(&self, encoding: &Member) -> bool {
        self.fitness.problem().genome().is_some() == is_of_problems(encoding.name)
            && ENCODINGS.build(&defaults(&ENCODINGS, encoding))(Arc::clone(&self.fitness)).is_ok()
    }

    /// An algorithm that is ready to start.
    pub fn algorithm(
        &self,
        spec: &Spec,
        budget: Budget,
        pool: Option<&Arc<rayon::ThreadPool>>,
    ) -> Box<dyn Algorithm> {
        let (fitness, guard) = (Arc::clone(&self.fitness), Guard::default());
        let key = StreamKey::run(1, &self.puzzle.canonical_text(), 0);
        let task = Task { pool: pool.cloned(), ..Task::new(fitness, key, budget, guard) };
        let recipe = recipe(&resolve(&ALGORITHMS, spec)).expect("members that go together");
        recipe.start(&task).expect("the encoding suits the field")
    }

    fn check(&self, outcome: &RunOutcome, budget: &Budget, spec: &Spec) {
        let RunOutcome { best, spent, stop } = outcome;
        assert!(
            is_within(spent, budget)
                && best.at.evaluations <= spent.evaluations
                && best.at.moves <= spent.moves,
            "{outcome:?} {spec:?}"
        );
        assert!(
            // One more: the best may be of the generation that the budget cut short.
            best.at.evaluations >= 1 && best.at.generations <= spent.generations + 1,
            "{outcome:?} {spec:?}"
        );
        assert_eq!(best.fitness, self.fitness.evaluate(&best.ranks), "{outcome:?} {spec:?}");
        assert_eq!(
            best.fitness == 0,
            matches!(stop, StopReason::Solved | StopReason::Bound),
            "{outcome:?} {spec:?}"
        );
        if *stop == StopReason::Evaluations {
            assert_eq!(budget.evaluations, Some(spent.evaluations), "{outcome:?} {spec:?}");
        }
        if *stop == StopReason::Moves {
            assert_eq!(budget.moves, Some(spent.moves), "{outcome:?} {spec:?}");
        }
        // The referee knows nothing of problems of the user's own.
        if self.fitness.problem().genome().is_some() {
            return;
        }
        let grid = self.fitness.problem().grid(&best.ranks);
        assert_eq!(best.fitness == 0, check(&self.puzzle, &grid).is_solution(), "{outcome:?} {spec:?}");
    }
}

fn is_within(spent: &Spent, budget: &Budget) -> bool {
    budget.evaluations.is_none_or(|limit| spent.evaluations <= limit)
        && budget.moves.is_none_or(|limit| spent.moves <= limit)
}
