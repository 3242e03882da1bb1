//! The run of an archipelago: slices between barriers, the generations it shows, and migration.

use rayon::prelude::*;

use crate::budget::{Spent, StopReason};
use crate::rng::RunRng;
use crate::search::{
    Algorithm, Best, Births, Census, Closure, Ledger, Migration, Observer, Population, Task,
};

use super::Island;
use super::migration::{Emigrants, MigrationPolicy};

/// Which islands exchange migrants, how many, and when.
#[derive(Clone)]
pub(super) struct MigrationPlan {
    /// The islands that each island sends to.
    pub(super) targets: Vec<Vec<usize>>,
    /// Calls of each island between two barriers.
    pub(super) interval: u64,
    pub(super) policy: MigrationPolicy,
}

/// A run of an archipelago.
pub(super) struct Islands {
    task: Task,
    islands: Vec<Island>,
    plan: MigrationPlan,
    /// Calls that every island has made, except islands that have stopped.
    calls: u64,
    /// Calls of each island up to the next migration.
    barrier: u64,
    /// Some islands have not made the whole slice.
    is_within_slice: bool,
    /// The last generation shown.
    shown: Option<u64>,
    best: Best,
    census: Census,
    outbox: Vec<Emigrants>,
    rng: RunRng,
    /// The islands that exchange migrants, directly or not, if nothing but operators changes their populations.
    closed: Option<Vec<Vec<usize>>>,
    /// No solution is reachable any more.
    is_given_up: bool,
}

/// The most calls of an island between two times that the archipelago shows generations, which bounds their memory.
const SLICE: u64 = 100_000;

impl Islands {
    pub(super) fn new(islands: Vec<Island>, plan: MigrationPlan, task: &Task) -> Self {
        let problem = task.fitness.problem();
        let (cells, digits) = (problem.cells(), problem.digits());
        let is_closed = islands.iter().all(|island| island.algorithm.closure().is_some());
        Self {
            closed: is_closed.then(|| components(&plan.targets)),
            is_given_up: false,
            plan,
            calls: 0,
            barrier: 0,
            is_within_slice: false,
            shown: None,
            best: Best::none(cells),
            census: Census::new(cells, digits),
            outbox: islands.iter().map(|_| Emigrants::none()).collect(),
            rng: task.key.child("migration").rng(),
            islands,
            task: task.clone(),
        }
    }

    /// Calls `act` for every island, on all threads of the pool.
    fn each(&mut self, act: impl Fn(&mut Island) + Send + Sync) {
        match &self.task.pool {
            Some(pool) => pool.install(|| self.islands.par_iter_mut().for_each(act)),
            None => self.islands.iter_mut().for_each(act),
        }
    }

    /// Updates the best of all islands; of equals the one of the earliest generation, then of the first island.
    fn find_best(&mut self) {
        let key = |island: &Island| (island.algorithm.best().fitness, island.algorithm.best().at.generations);
        let best = self.islands.iter().enumerate().min_by_key(|(_, island)| key(island));
        let (index, island) = best.expect("there is an island");
        let found = island.algorithm.best();
        if found.fitness < self.best.fitness {
            let others = self.islands.iter().enumerate().filter(|(other, _)| *other != index);
            let at = others.fold(found.at, |at, (_, other)| at.beside(other.spent_at(found.at.generations)));
            let (ranks, fitness) = (found.ranks.clone(), found.fitness);
            self.best = Best { ranks, fitness, at: Spent { generations: found.at.generations, ..at } };
        }
    }

    /// Shows the generations that every running island has completed; at the end, all.
    fn show(&mut self, observer: &mut dyn Observer) {
        let running = self.islands.iter().filter(|island| island.stop.is_none()).map(Island::completed).min();
        let last = running.or_else(|| self.islands.iter().map(Island::completed).max()).unwrap_or(0);
        // An initial population that the budget cut short is not shown.
        let begun = self.islands.iter().any(Island::has_begun);
        let first = self.shown.map_or(0, |shown| shown + 1);
        for generation in (first..=last).filter(|_| begun) {
            let mut census = observer.wants(generation).then_some(&mut self.census);
            if let Some(census) = &mut census {
                census.clear(observer.counts_unique());
            }
            let mut spent = Spent { generations: generation, ..Spent::default() };
            for island in &mut self.islands {
                spent = spent.beside(island.show(generation, census.as_deref_mut()));
            }
            spent.generations = generation;
            if let Some(census) = census {
                observer.observe(spent, census);
            }
            observer.passed(spent, self.leader().fitness);
            self.shown = Some(generation);
        }
    }

    /// Begins the slice up to the next barrier, or less where that is far, with the migration of the last one.
    fn open_slice(&mut self, observer: &mut dyn Observer) {
        if self.calls == self.barrier {
            if self.barrier > 0 {
                self.migrate(observer);
            }
            self.barrier = self.barrier.saturating_add(self.plan.interval);
        }
        self.calls = self.barrier.min(self.calls + SLICE);
    }

    /// Ends a slice that every island has made.
    fn close_slice(&mut self, observer: &mut dyn Observer) {
        self.find_best();
        self.show(observer);
        self.forget_shown();
        self.look_ahead(observer);
    }

    fn forget_shown(&mut self) {
        self.islands.iter_mut().for_each(|island| island.forget(self.shown));
    }

    /// Copies individuals of every island to its targets. All leave before any arrives. None arrives on an island that
    /// has stopped, and an island that is beyond the barrier after a long step takes no part.
    fn migrate(&mut self, observer: &mut dyn Observer) {
        let (spent, barrier) = (self.spent(), self.barrier / self.plan.interval);
        let Self { plan: MigrationPlan { targets, policy, .. }, islands, outbox, rng, .. } = self;
        let edges = targets.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to)));
        for ((island, emigrants), to) in islands.iter_mut().zip(&mut *outbox).zip(&*targets) {
            emigrants.clear();
            if !to.is_empty() && (island.has_moved || island.stop.is_some()) {
                policy.send(population(island), emigrants, rng);
            }
        }
        for (from, to) in edges {
            let island = &mut islands[to];
            if island.stop.is_none() && island.has_moved {
                policy.settle(&outbox[from], population(island), rng, |fitness| {
                    observer.migrated(&Migration { barrier, spent, from, to, fitness });
                });
            }
        }
        islands.iter_mut().for_each(|island| island.has_moved = false);
    }

    /// Asks the observer, between two slices, whether a solution is still reachable. No migrant is on its way then:
    /// each has arrived or was refused. Does not ask after a clock has cut an island.
    fn look_ahead(&mut self, observer: &mut dyn Observer) {
        let is_cut = self.islands.iter().any(|island| island.stop == Some(StopReason::Seconds));
        let spent = self.spent();
        let Some(closed) = self.closed.as_ref().filter(|_| self.best.fitness > 0 && !is_cut) else { return };
        let populations: Vec<&Population> =
            self.islands.iter_mut().map(|island| &*population(island)).collect();
        let joined = |islands: &Vec<usize>| islands.iter().map(|island| populations[*island]).collect();
        let joined: Vec<Vec<&Population>> = closed.iter().map(joined).collect();
        self.is_given_up = observer.gives_up(spent, &joined.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }
}

fn population(island: &mut Island) -> &mut Population {
    island.algorithm.population().expect("islands were checked to have populations")
}

impl Algorithm for Islands {
    fn start(&mut self, observer: &mut dyn Observer) {
        let watching = &*observer;
        self.each(|island| island.start(watching));
        self.find_best();
        self.show(observer);
        self.forget_shown();
    }

    fn stopped(&self) -> Option<StopReason> {
        if self.best.fitness == 0 {
            return Some(StopReason::Solved);
        }
        if self.is_given_up {
            return Some(StopReason::Dead);
        }
        if self.islands.iter().any(|island| island.stop.is_none()) {
            return None;
        }
        // A clock that cut one island decided where the run ends. Else the reason of the first island that did not give
        // up is that of all that did not.
        let mut reasons = self.islands.iter().filter_map(|island| island.stop);
        let cut = reasons.clone().find(|reason| *reason == StopReason::Seconds);
        cut.or_else(|| reasons.find(|reason| *reason != StopReason::Stalled)).or(Some(StopReason::Stalled))
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        // One that has been begun a generation at a time is made to its end.
        if !std::mem::take(&mut self.is_within_slice) {
            if let Some(reason) = self.stopped() {
                return Some(reason);
            }
            self.open_slice(observer);
        }
        let (calls, watching) = (self.calls, &*observer);
        self.each(|island| island.advance(calls, watching));
        self.close_slice(observer);
        None
    }

    /// Generations are shown as they are completed. All that islands share waits for the end of the slice.
    fn advance(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if !self.is_within_slice {
            if let Some(reason) = self.stopped() {
                return Some(reason);
            }
            self.open_slice(observer);
        }
        let calls = self.calls;
        for island in self.islands.iter_mut().filter(|island| island.is_before(calls)) {
            island.step(observer);
        }
        self.is_within_slice = self.islands.iter().any(|island| island.is_before(calls));
        match self.is_within_slice {
            true => self.show(observer),
            false => self.close_slice(observer),
        }
        None
    }

    fn spent(&self) -> Spent {
        self.islands.iter().fold(Spent::default(), |sum, island| sum.beside(island.algorithm.spent()))
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn leader(&self) -> &Best {
        let of_islands = self.islands.iter().map(|island| island.algorithm.best());
        of_islands.fold(&self.best, |best, found| if found.fitness < best.fitness { found } else { best })
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        let none = Population::new(0, self.best.ranks.len());
        let each = self.islands.iter().map(|island| {
            let mut has_any = false;
            let spent = island.algorithm.populations(&mut |population| {
                has_any = true;
                see(population);
            });
            if !has_any {
                see(&none);
            }
            spent
        });
        each.fold(Spent::default(), Spent::beside)
    }

    fn population(&mut self) -> Option<&mut Population> {
        None
    }

    fn births(&self) -> Vec<Option<std::sync::Arc<Births>>> {
        self.islands.iter().map(|island| island.algorithm.births().pop().flatten()).collect()
    }

    fn ledger(&self) -> Ledger {
        let mut all = Ledger::default();
        self.islands.iter().for_each(|island| all.merge(island.algorithm.ledger()));
        all
    }

    fn closure(&self) -> Option<Vec<Closure>> {
        let genes = self.best.ranks.len();
        let of = |island: &usize| self.islands[*island].algorithm.closure()?.pop();
        self.closed.as_ref()?.iter().map(|islands| Closure::of_all(genes, islands.iter().map(of))).collect()
    }

    fn helpers_cpu_s(&self) -> f64 {
        let elsewhere = self.task.pool.is_some();
        if elsewhere { self.islands.iter().map(|island| island.cpu_s).sum() } else { 0.0 }
    }
}

/// The components of the topology, whichever way migrants go: each in ascending order, that of the first island first.
fn components(targets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut component: Vec<usize> = (0..targets.len()).collect();
    for (from, to) in targets.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to))) {
        let (kept, gone) = (component[from].min(component[to]), component[from].max(component[to]));
        component.iter_mut().filter(|component| **component == gone).for_each(|component| *component = kept);
    }
    let members = |wanted: usize| (0..targets.len()).filter(|island| component[*island] == wanted).collect();
    (0..targets.len()).filter(|island| component[*island] == *island).map(members).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, Guard};
    use crate::search::algorithms::recipe;
    use crate::search::algorithms::setup::{resolved, spec, task};
    use crate::search::run;
    use crate::spec::Value;

    /// Keeps every `every`-th generation.
    struct Every {
        every: u64,
        seen: Vec<(Spent, Census)>,
    }

    impl Observer for Every {
        fn wants(&self, generation: u64) -> bool {
            generation.is_multiple_of(self.every)
        }

        fn observe(&mut self, spent: Spent, census: &Census) {
            self.seen.push((spent, census.clone()));
        }
    }

    /// Runs islands of 10 individuals; what was seen, and the last generation as it is at the end.
    fn watch(every: u64, evaluations: u64, interval: i64) -> (Vec<(Spent, Census)>, (Spent, Census)) {
        let island = Value::Spec(spec("genetic", &[("population", Value::Integer(10))]));
        let keys = [("count", Value::Integer(3)), ("interval", Value::Integer(interval)), ("island", island)];
        let recipe = recipe(&resolved("islands", &keys)).expect("members that fit");
        let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
        let mut islands = recipe.start(&task(6, budget, Guard::default())).expect("any puzzle has cells");
        let mut observer = Every { every, seen: Vec::new() };
        run(&mut *islands, &mut observer);
        let mut last = Census::new(36, 6);
        let complete = islands.census(&mut last);
        (observer.seen, (complete, last))
    }

    #[test]
    fn steps_and_generations_can_be_mixed() {
        let island = Value::Spec(spec("genetic", &[("population", Value::Integer(10))]));
        let keys = [("count", Value::Integer(3)), ("interval", Value::Integer(70)), ("island", island)];
        let recipe = recipe(&resolved("islands", &keys)).expect("members that fit");
        let budget = Budget { evaluations: Some(2000), ..Budget::default() };
        let made = |advances: usize| {
            let mut islands = recipe.start(&task(6, budget, Guard::default())).expect("any puzzle has cells");
            let mut observer = Every { every: 1, seen: Vec::new() };
            islands.start(&mut observer);
            loop {
                (0..advances).for_each(|_| {
                    assert!(islands.advance(&mut observer).is_none_or(|_| islands.stopped().is_some()))
                });
                if let Some(stop) = islands.step(&mut observer) {
                    return (stop, islands.best().clone(), islands.spent(), observer.seen);
                }
            }
        };
        assert_eq!(made(0), made(1));
        assert_eq!(made(0), made(9));
    }

    #[test]
    fn what_is_shown_does_not_depend_on_what_else_is_shown() {
        // 600 evaluations end the shares exactly on a barrier, 640 just past one.
        for (evaluations, interval) in [(600, 50), (640, 50), (631, 1_000_000), (25, 50)] {
            let (all, last) = watch(1, evaluations, interval);
            let (some, _) = watch(7, evaluations, interval);
            let sevenths = all.iter().filter(|(spent, _)| spent.generations.is_multiple_of(7));
            assert!(sevenths.eq(&some), "{evaluations} evaluations");
            let generations: Vec<u64> = all.iter().map(|(spent, _)| spent.generations).collect();
            assert!(generations.iter().copied().eq(0..generations.len() as u64), "{generations:?}");
            match all.last() {
                Some((spent, census)) => {
                    assert_eq!((spent.generations, census), (last.0.generations, &last.1))
                }
                None => assert_eq!(last.1.individuals(), 0),
            }
        }
    }

    #[test]
    fn migrants_join_islands_whichever_way_they_go() {
        let joined =
            |targets: &[&[usize]]| components(&targets.iter().map(|to| to.to_vec()).collect::<Vec<_>>());
        assert_eq!(joined(&[&[], &[], &[]]), [[0], [1], [2]]);
        assert_eq!(joined(&[&[1], &[2], &[0]]), [[0, 1, 2]]);
        assert_eq!(joined(&[&[3], &[], &[1], &[], &[0]]), [vec![0, 3, 4], vec![1, 2]]);
        assert_eq!(joined(&[&[], &[3], &[0], &[2]]), [[0, 1, 2, 3]]);
    }
}
