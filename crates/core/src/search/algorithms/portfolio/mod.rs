//! Portfolio: several algorithms run in turn.
//!
//! ```text
//! calls <- the first share
//! repeat
//!     for each stage
//!         start it on a random stream of its own and run it until it has spent `calls` evaluations or `calls` moves
//!     calls <- calls * factor
//! until solved or the budget is spent
//! ```
//!
//! No stage has to suit every puzzle: a turn that would last long is cut, and the others get theirs.
//!
//! Source: B. A. Huberman, R. M. Lukose, T. Hogg 1997, An economics approach to hard computational problems,
//! doi:10.1126/science.275.5296.51; C. P. Gomes, B. Selman 2001, Algorithm portfolios,
//! doi:10.1016/S0004-3702(00)00081-3.

use std::sync::Arc;

use crate::budget::{Budget, Spent, StopReason};
use crate::search::encodings::EncodingError;
use crate::search::{
    Algorithm, Best, Births, Census, Ledger, Migration, Observer, Population, RunDetails, RunStatus, Task,
};
use crate::spec::{Builder, DefaultValue, Member, Param, ParamKind, Spec, SpecError};

use super::{ALGORITHMS, Features, Maker, Recipe, bounds_where, goal, halted, recipe};

pub(super) static ENTRY: Builder<Maker> = Member::new("portfolio")
    .about("runs several algorithms in turn, each round with a larger share of the budget")
    .source("B. A. Huberman, R. M. Lukose, T. Hogg 1997, doi:10.1126/science.275.5296.51; C. P. Gomes, B. Selman 2001, \
                 doi:10.1016/S0004-3702(00)00081-3")
    .params(&[
            Param::new("stages", ParamKind::Members(&ALGORITHMS), DefaultValue::Texts(&["breakout", "annealing"]))
                .about("the algorithms, in the order in which they run"),
            Param::integer("calls", 1..=i64::MAX, 1_000_000)
                .about("limit of evaluations, and of moves, of each stage in the first round"),
            Param::real("factor", 1.0..=1000.0, 4.0)
                .about("factor by which the limit grows each round"),
        ])
    .build(|spec| {
        let stages = spec.specs("stages").map(stage).collect::<Result<Vec<_>, SpecError>>()?;
        Ok(Box::new(PortfolioRecipe {
            spends: spends(&stages),
            stages: stages.into(),
            calls: spec.count("calls"),
            factor: spec.real("factor"),
        }))
    });

/// The recipe of a stage; one that fails would leave the others without their turns.
fn stage(spec: &Spec) -> Maker {
    let recipe = recipe(spec)?;
    if !recipe.features().can_fail {
        return Ok(recipe);
    }
    Err(SpecError::Conflict {
        message: format!("`{}` cannot be a stage: its runs can fail", spec.name),
        help: "let the program itself run several algorithms".to_owned(),
        place: spec.place,
    })
}

/// A bound that ends one stage ends the rounds.
fn spends(stages: &[Box<dyn Recipe>]) -> Vec<StopReason> {
    let mut spends = vec![StopReason::Generations];
    for stage in stages {
        spends.extend(stage.spends());
    }
    bounds_where(|reason| spends.contains(&reason))
}

struct PortfolioRecipe {
    stages: Arc<[Box<dyn Recipe>]>,
    /// Computed once, because stages may be portfolios.
    spends: Vec<StopReason>,
    calls: u64,
    factor: f64,
}

impl Recipe for PortfolioRecipe {
    fn spends(&self) -> Vec<StopReason> {
        self.spends.clone()
    }

    fn features(&self) -> Features {
        let has_population = self.stages.iter().all(|stage| stage.features().has_population);
        Features { has_population, ..Features::default() }
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        // An encoding that cannot hold the puzzle is an error now, not when its turn comes.
        for stage in self.stages.iter().skip(1) {
            stage.start(task)?;
        }
        let (calls, left) = (self.calls as f64, task.budget);
        let turn = PortfolioTurn { round: 0, stage: 0 };
        let stages = Arc::clone(&self.stages);
        let current = stages[0].start(&of_turn(task, turn, share(&left, calls)))?;
        let problem = task.fitness.problem();
        Ok(Box::new(Portfolio {
            stages,
            task: task.clone(),
            calls,
            factor: self.factor,
            turn,
            current,
            previous: None,
            before: Spent::default(),
            gap: 0,
            has_begun: false,
            has_tried: false,
            best: Best::none(problem.cells()),
            stop: None,
            ledger: Ledger::default(),
        }))
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug)]
struct PortfolioTurn {
    round: u64,
    stage: usize,
}

/// The budget of one turn.
fn share(left: &Budget, calls: f64) -> Budget {
    // The conversion saturates.
    let calls = calls as u64;
    Budget {
        evaluations: Some(left.evaluations.unwrap_or(calls).min(calls)),
        moves: Some(left.moves.unwrap_or(calls).min(calls)),
        ..*left
    }
}

fn of_turn(task: &Task, turn: PortfolioTurn, budget: Budget) -> Task {
    let key = task.key.child(&format!("stage {} round {}", turn.stage, turn.round));
    Task { key, budget, ..task.clone() }
}

struct Portfolio {
    stages: Arc<[Box<dyn Recipe>]>,
    task: Task,
    calls: f64,
    factor: f64,
    turn: PortfolioTurn,
    current: Box<dyn Algorithm>,
    /// The last turn that completed its initial population, and what had been spent before it. Its last generation is
    /// that of the run until the current turn has one.
    previous: Option<(Spent, Box<dyn Algorithm>)>,
    /// What had been spent before this turn.
    before: Spent,
    /// Generations that the initial population of this turn adds: 1 after a turn that completed its own, else 0.
    gap: u64,
    /// The initial population of this turn is complete.
    has_begun: bool,
    /// A stage of this round did not give up at once.
    has_tried: bool,
    best: Best,
    stop: Option<StopReason>,
    /// Usage and gain of the operators of earlier turns.
    ledger: Ledger,
}

/// Adds what was spent before the turn to what the observer sees.
struct TurnObserver<'a> {
    observer: &'a mut dyn Observer,
    before: Spent,
    best: u32,
    has_begun: &'a mut bool,
}

fn after(before: Spent, spent: Spent) -> Spent {
    Spent {
        evaluations: before.evaluations + spent.evaluations,
        moves: before.moves + spent.moves,
        generations: before.generations + spent.generations,
    }
}

impl Observer for TurnObserver<'_> {
    fn wants(&self, generation: u64) -> bool {
        self.observer.wants(self.before.generations + generation)
    }

    fn counts_unique(&self) -> bool {
        self.observer.counts_unique()
    }

    fn keeps_individuals(&self, generation: u64) -> bool {
        self.observer.keeps_individuals(self.before.generations + generation)
    }

    fn logs_operators(&self) -> bool {
        self.observer.logs_operators()
    }

    fn follows_births(&self) -> bool {
        self.observer.follows_births()
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        self.observer.observe(after(self.before, spent), census);
    }

    fn passed(&mut self, spent: Spent, best: u32) {
        *self.has_begun = true;
        self.observer.passed(after(self.before, spent), best.min(self.best));
    }

    fn migrated(&mut self, migration: &Migration) {
        let spent = after(self.before, migration.spent);
        self.observer.migrated(&Migration { spent, ..*migration });
    }
}

impl Portfolio {
    fn with_current(
        &mut self,
        observer: &mut dyn Observer,
        act: impl FnOnce(&mut dyn Algorithm, &mut dyn Observer) -> Option<StopReason>,
    ) -> Option<StopReason> {
        let (before, best) = (self.origin(), self.best.fitness);
        let mut later = TurnObserver { observer, before, best, has_begun: &mut self.has_begun };
        let reason = act(&mut *self.current, &mut later);
        let found = self.current.best();
        if found.fitness < self.best.fitness {
            self.best = Best { at: after(before, found.at), ..found.clone() };
        }
        reason
    }

    /// What is spent before this turn, its initial population counted as a generation where another precedes it.
    fn origin(&self) -> Spent {
        Spent { generations: self.before.generations + self.gap, ..self.before }
    }

    /// What is spent outside this turn.
    fn base(&self) -> Spent {
        if self.has_begun { self.origin() } else { self.before }
    }

    /// What is left to a turn that begins.
    fn left(&self) -> Budget {
        let (spent, budget) = (self.origin(), self.task.budget);
        Budget {
            evaluations: budget.evaluations.map(|limit| limit.saturating_sub(spent.evaluations)),
            moves: budget.moves.map(|limit| limit.saturating_sub(spent.moves)),
            generations: budget.generations.map(|limit| limit.saturating_sub(spent.generations)),
            ..budget
        }
    }

    /// This turn made progress, or a longer one would.
    fn is_worth_another(&self, ended: StopReason) -> bool {
        let spent = self.current.spent();
        let gave_up = ended == StopReason::Stalled;
        // A turn too short to begin may suffice in a longer round. Where rounds do not grow, a bound on evaluations ends them.
        let grows = self.factor > 1.0 || self.task.budget.evaluations.is_some();
        spent.moves > 0 || spent.generations > 0 || (!gave_up && grows)
    }

    /// Lets the current stage act, and starts the next one where it has ended.
    fn proceed(
        &mut self,
        observer: &mut dyn Observer,
        act: impl FnOnce(&mut dyn Algorithm, &mut dyn Observer) -> Option<StopReason>,
    ) -> Option<StopReason> {
        if let Some(reason) = self.stopped() {
            return Some(reason);
        }
        // Turns may be too short for any stage to look.
        if self.task.guard.cuts() {
            return Some(StopReason::Seconds);
        }
        let ended = self.with_current(observer, act)?;
        if matches!(ended, StopReason::Seconds | StopReason::Failed) {
            self.stop = Some(ended);
            return self.stop;
        }
        if let Some(reason) = self.stopped() {
            return Some(reason);
        }
        self.stop = self.next_turn(ended, observer);
        self.stopped()
    }

    /// Starts the turn of the next stage after one has ended; returns why there is no more to do, if so.
    fn next_turn(&mut self, ended: StopReason, observer: &mut dyn Observer) -> Option<StopReason> {
        self.has_tried |= self.is_worth_another(ended);
        // Of the turn that has ended; what follows makes them those of the next.
        let (origin, had_begun) = (self.origin(), self.has_begun);
        self.before = self.spent();
        self.gap = self.gap.max(u64::from(self.has_begun));
        self.has_begun = false;
        self.turn.stage += 1;
        // A round in which every stage gave up at once would be followed by others like it, for ever.
        if self.turn.stage == self.stages.len() {
            if !self.has_tried {
                return Some(StopReason::Stalled);
            }
            self.turn = PortfolioTurn { round: self.turn.round + 1, stage: 0 };
            self.calls *= self.factor;
            self.has_tried = false;
        }
        let task = of_turn(&self.task, self.turn, share(&self.left(), self.calls));
        // Before the algorithm goes: its operators are the run's.
        self.ledger.merge(self.current.details().ledger());
        let next = self.stages[self.turn.stage].start(&task).expect("it was started before");
        let ended = std::mem::replace(&mut self.current, next);
        if had_begun {
            // Its last generation is shown until the next turn has one of its own.
            self.previous = Some((origin, ended));
        }
        self.start(observer);
        None
    }

    /// Why there is nothing more to do, if so.
    fn stopped(&self) -> Option<StopReason> {
        self.status().stop
    }

    /// What all turns have spent.
    fn spent(&self) -> Spent {
        after(self.base(), self.current.spent())
    }
}

impl Algorithm for Portfolio {
    fn start(&mut self, observer: &mut dyn Observer) {
        self.with_current(observer, |current, observer| {
            current.start(observer);
            None
        });
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        self.proceed(observer, |current, observer| current.step(observer))
    }

    fn step_one_generation(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        self.proceed(observer, |current, observer| current.step_one_generation(observer))
    }

    fn status(&self) -> RunStatus<'_> {
        // Stages may be portfolios: each is asked once.
        let spent = self.spent();
        let mut stop = halted(&self.task.fitness).or(self.stop).or(self.task.budget.reached(&spent));
        if self.best.fitness == 0 {
            stop = Some(goal(&self.task.fitness));
        }
        RunStatus { spent, best: &self.best, stop }
    }

    fn leader(&self) -> &Best {
        let current = self.current.leader();
        if current.fitness < self.best.fitness { current } else { &self.best }
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        match &self.previous {
            Some((origin, previous)) if !self.has_begun => after(*origin, previous.populations(see)),
            _ => after(self.base(), self.current.populations(see)),
        }
    }

    fn population(&mut self) -> Option<&mut Population> {
        self.current.population()
    }

    fn details(&self) -> &dyn RunDetails {
        self
    }
}

impl RunDetails for Portfolio {
    fn ledger(&self) -> Ledger {
        let mut all = self.ledger.clone();
        all.merge(self.current.details().ledger());
        all
    }

    fn births(&self) -> Vec<Option<Arc<Births>>> {
        if self.has_begun { self.current.details().births() } else { Vec::new() }
    }

    fn helpers_cpu_s(&self) -> f64 {
        self.current.details().helpers_cpu_s()
    }
}

#[cfg(test)]
mod tests;
