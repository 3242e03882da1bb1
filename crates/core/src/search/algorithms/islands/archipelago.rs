//! The run of an archipelago: slices between barriers, the generations it shows, and migration.

use std::sync::Arc;

use rayon::prelude::*;

use crate::budget::{Spent, StopReason};
use crate::rng::RunRng;
use crate::search::{
    Algorithm, Best, Births, Census, Closure, Ledger, Migration, Observer, Population, RunDetails, RunStatus,
    Task,
};

use super::super::goal;
use super::island::Island;
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
        let is_closed = islands.iter().all(|island| island.algorithm.details().closure().is_some());
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
        let mut found: (usize, &Best) = (0, self.islands[0].algorithm.best());
        for (index, island) in self.islands.iter().enumerate().skip(1) {
            let best = island.algorithm.best();
            if (best.fitness, best.at.generations) < (found.1.fitness, found.1.at.generations) {
                found = (index, best);
            }
        }
        let (index, found) = found;
        if found.fitness >= self.best.fitness {
            return;
        }
        // The others had spent by then what they had when they completed the same generation.
        let mut at = found.at;
        for (other, island) in self.islands.iter().enumerate() {
            if other != index {
                at = at.beside(island.spent_at(found.at.generations));
            }
        }
        at.generations = found.at.generations;
        self.best = Best { at, ..found.clone() };
    }

    /// The last generation that every running island has completed; at the end, the last of all.
    fn last_generation(&self) -> u64 {
        let running = self.islands.iter().filter(|island| island.stop.is_none());
        match running.map(Island::completed).min() {
            Some(last) => last,
            // All have ended, some earlier than others: those stay as they were in the later generations.
            None => self.islands.iter().map(Island::completed).max().unwrap_or(0),
        }
    }

    /// Shows the generations that every running island has completed; at the end, all.
    fn show(&mut self, observer: &mut dyn Observer) {
        // An initial population that the budget cut short is not shown.
        if !self.islands.iter().any(Island::has_begun) {
            return;
        }
        let first = self.shown.map_or(0, |shown| shown + 1);
        for generation in first..=self.last_generation() {
            let mut census = observer.wants(generation).then_some(&mut self.census);
            if let Some(census) = &mut census {
                census.clear(observer.counts_unique());
                census.keep_individuals(observer.keeps_individuals(generation));
            }
            let mut spent = Spent { generations: generation, ..Spent::default() };
            for (index, island) in self.islands.iter_mut().enumerate() {
                spent = spent.beside(island.show(generation, census.as_deref_mut()));
                if let Some(census) = &mut census {
                    census.fill_up(index + 1);
                }
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
        // Slices show the generations in between; they end nothing, so that their length changes no result.
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
        for island in &mut self.islands {
            island.forget(self.shown);
        }
    }

    /// Copies individuals of every island to its targets. All leave before any arrives. None arrives on an island that
    /// has stopped, and an island that is beyond the barrier after a long step takes no part.
    fn migrate(&mut self, observer: &mut dyn Observer) {
        let (spent, barrier) = (self.spent(), self.barrier / self.plan.interval);
        let Self { plan: MigrationPlan { targets, policy, .. }, islands, outbox, rng, .. } = self;
        for ((island, emigrants), to) in islands.iter_mut().zip(&mut *outbox).zip(&*targets) {
            // An island that has stopped still sends its individuals.
            emigrants.clear();
            if !to.is_empty() && (island.has_moved || island.stop.is_some()) {
                policy.send(population(island), emigrants, rng);
            }
        }
        for (from, targets) in targets.iter().enumerate() {
            for &to in targets {
                let island = &mut islands[to];
                if island.stop.is_none() && island.has_moved {
                    policy.settle(&outbox[from], population(island), rng, |fitness| {
                        observer.migrated(&Migration { barrier, spent, from, to, fitness });
                    });
                }
            }
        }
        for island in islands {
            island.has_moved = false;
        }
    }

    /// Asks the observer, between two slices, whether a solution is still reachable. No migrant is on its way then:
    /// each has arrived or was refused. Does not ask after a clock has cut an island.
    fn look_ahead(&mut self, observer: &mut dyn Observer) {
        let is_cut = self.islands.iter().any(|island| island.stop == Some(StopReason::Seconds));
        if self.best.fitness == 0 || is_cut {
            return;
        }
        let spent = self.spent();
        let Some(closed) = &self.closed else { return };
        let populations: Vec<_> = self.islands.iter_mut().map(|island| &*population(island)).collect();
        let mut joined: Vec<Vec<&Population>> = Vec::new();
        for islands in closed {
            joined.push(islands.iter().map(|island| populations[*island]).collect());
        }
        let joined: Vec<&[&Population]> = joined.iter().map(Vec::as_slice).collect();
        self.is_given_up = observer.gives_up(spent, &joined);
    }

    /// What all islands together have spent.
    fn spent(&self) -> Spent {
        self.islands.iter().map(|island| island.algorithm.spent()).fold(Spent::default(), Spent::beside)
    }

    /// Why there is nothing more to do, if so.
    fn stopped(&self) -> Option<StopReason> {
        if self.best.fitness == 0 {
            return Some(goal(&self.task.fitness));
        }
        if self.is_given_up {
            return Some(StopReason::Dead);
        }
        // A clock that cut one island decided where the run ends. Else the reason of the first island that did not give
        // up is that of all that did not.
        let mut reason = StopReason::Stalled;
        for island in &self.islands {
            let stop = island.stop?;
            if matches!(stop, StopReason::Seconds | StopReason::Failed) || reason == StopReason::Stalled {
                reason = stop;
            }
        }
        Some(reason)
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

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        // One that has been begun a generation at a time is made to its end.
        if !std::mem::take(&mut self.is_within_slice) {
            if let Some(reason) = self.stopped() {
                return Some(reason);
            }
            self.open_slice(observer);
        }
        let (calls, watching) = (self.calls, &*observer);
        self.each(|island| island.run_until(calls, watching));
        self.close_slice(observer);
        None
    }

    /// Generations are shown as they are completed. All that islands share waits for the end of the slice.
    fn step_one_generation(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if !self.is_within_slice {
            if let Some(reason) = self.stopped() {
                return Some(reason);
            }
            self.open_slice(observer);
        }
        let calls = self.calls;
        for island in &mut self.islands {
            if island.is_before(calls) {
                island.step(observer);
            }
        }
        self.is_within_slice = self.islands.iter().any(|island| island.is_before(calls));
        if self.is_within_slice {
            self.show(observer);
        } else {
            self.close_slice(observer);
        }
        None
    }

    fn status(&self) -> RunStatus<'_> {
        RunStatus { spent: self.spent(), best: &self.best, stop: self.stopped() }
    }

    fn leader(&self) -> &Best {
        let mut leader = &self.best;
        for island in &self.islands {
            if island.algorithm.best().fitness < leader.fitness {
                leader = island.algorithm.best();
            }
        }
        leader
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        let none = Population::new(0, self.best.ranks.len());
        let mut all = Spent::default();
        for island in &self.islands {
            let mut has_any = false;
            let spent = island.algorithm.populations(&mut |population| {
                has_any = true;
                see(population);
            });
            if !has_any {
                see(&none);
            }
            all = all.beside(spent);
        }
        all
    }

    fn details(&self) -> &dyn RunDetails {
        self
    }
}

impl RunDetails for Islands {
    fn closure(&self) -> Option<Vec<Closure>> {
        let mut closures = Vec::new();
        for islands in self.closed.as_ref()? {
            let mut closure = Closure::copies(self.best.ranks.len());
            for island in islands {
                closure = closure.and(&self.islands[*island].algorithm.details().closure()?.pop()?);
            }
            closures.push(closure);
        }
        Some(closures)
    }

    fn ledger(&self) -> Ledger {
        let mut all = Ledger::default();
        for island in &self.islands {
            all.merge(island.algorithm.details().ledger());
        }
        all
    }

    fn births(&self) -> Vec<Option<Arc<Births>>> {
        self.islands.iter().map(|island| island.algorithm.details().births().pop().flatten()).collect()
    }

    fn helpers_cpu_s(&self) -> f64 {
        if self.task.pool.is_none() {
            return 0.0;
        }
        self.islands.iter().map(|island| island.cpu_s).sum()
    }
}

/// The components of the topology, whichever way migrants go: each in ascending order, that of the first island first.
pub(super) fn components(targets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut component: Vec<usize> = (0..targets.len()).collect();
    for (from, to) in targets.iter().enumerate() {
        for to in to {
            let (a, b) = (component[from], component[*to]);
            for component in &mut component {
                if *component == a.max(b) {
                    *component = a.min(b);
                }
            }
        }
    }
    // A component has the number of its first island.
    let mut components: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![0; targets.len()];
    for (island, first) in component.into_iter().enumerate() {
        if first == island {
            place[island] = components.len();
            components.push(Vec::new());
        }
        components[place[first]].push(island);
    }
    components
}
