//! The tuner: iterations of a race and of newcomers, within the budget.

use super::blocks::Blocks;
use super::candidate::WaveSize;
use super::results::Results;
use super::sampling::{Refused, Sampler, Wave};
use super::surrogate::{Surrogate, SurrogateRow};
use super::{
    AblationStep, Candidate, Cost, Decision, Journal, Options, RunBatch, RunRequest, TargetRunner, TuneError,
    TuneRun,
};
use crate::experiment::Space;
use kenga_core::rng::StreamKey;

/// How far a tuning is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuneProgress {
    /// The iteration, from 1; 0 while the ablation runs.
    pub iteration: u64,
    /// Candidates that are left in the race.
    pub alive: usize,
    /// Calls of all runs so far.
    pub used: u64,
    /// Runs so far.
    pub runs: u64,
    /// The best candidate so far.
    pub best: usize,
}

/// What a tuning has found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// All candidates.
    pub candidates: Vec<Candidate>,
    /// The elites of the last race, the best first.
    pub elites: Vec<usize>,
    /// Calls of all runs.
    pub used: u64,
    /// Runs.
    pub runs: u64,
    /// How many of them failed.
    pub failed: u64,
    /// Iterations; the last one is the race of the elites alone.
    pub iterations: u64,
    /// The path from the default to the best.
    pub ablation: Vec<AblationStep>,
    /// Points that were drawn and could not be run.
    pub refused: Refused,
}

impl Tuned {
    /// The best candidate.
    pub fn best(&self) -> &Candidate {
        &self.candidates[self.elites[0]]
    }
}

/// A tuning under way.
pub struct Tuner<'a> {
    pub(super) options: &'a Options,
    pub(super) keys: Vec<String>,
    pub(super) runner: &'a mut dyn TargetRunner,
    journal: &'a mut dyn Journal,
    watch: &'a mut dyn FnMut(&TuneProgress),
    pub(super) sampler: Sampler<'a>,
    pub(super) blocks: Blocks,
    pub(super) candidates: Vec<Candidate>,
    pub(super) results: Results,
    /// The elites, the best first.
    pub(super) elites: Vec<usize>,
    pub(super) iteration: u64,
    pub(super) alive: usize,
    /// Calls that all runs may cost until now: the whole budget, or without the shares of the ablation and of the last race.
    pub(super) limit: u64,
}

impl<'a> Tuner<'a> {
    /// A tuning of the space over so many puzzles.
    pub fn new(
        space: &'a Space,
        options: &'a Options,
        puzzles: usize,
        runner: &'a mut dyn TargetRunner,
        journal: &'a mut dyn Journal,
        watch: &'a mut dyn FnMut(&TuneProgress),
    ) -> Self {
        // A stream of its own, so that no run of the same seed shares its draws.
        let key = StreamKey::run(space.default().seed, "kenga tune", 0);
        Self {
            options,
            keys: space.keys(),
            runner,
            journal,
            watch,
            sampler: Sampler::new(space, key),
            blocks: Blocks::new(key, puzzles),
            candidates: Vec::new(),
            results: Results::new(options.has_own_problem),
            elites: Vec::new(),
            iteration: 0,
            alive: 0,
            limit: options.before_last_race(),
        }
    }

    /// Tunes until the budget is spent.
    ///
    /// # Errors
    /// [`TuneError`]; what is written by then can be resumed.
    pub fn tune(mut self) -> Result<Tuned, TuneError> {
        let default = Candidate::default(self.sampler.space);
        self.runner.admit(&default.config, &default.words(&self.keys)).map_err(TuneError::Unrunnable)?;
        self.enter(vec![default])?;
        // The default is raced like any other.
        self.elites = vec![0];
        self.iteration = 1;
        self.alive = 1;
        while self.iterate()? {}
        self.limit = self.options.for_races();
        self.last_race()?;
        let iterations = self.iteration;
        self.limit = self.options.budget;
        let ablation = self.ablate()?;
        for step in &ablation {
            self.journal.step(step)?;
        }
        // Whoever edits `runs.csv` may add runs that no decision asks for.
        if self.journal.recorded()?.is_some() {
            let due = "none, the tuning has ended".to_owned();
            return Err(TuneError::UnexpectedRun { run: self.results.runs, due });
        }
        let failed = self.results.all().filter(|run| run.has_failed()).count() as u64;
        Ok(Tuned {
            failed,
            candidates: self.candidates,
            elites: self.elites,
            used: self.results.used,
            runs: self.results.runs,
            iterations,
            ablation,
            refused: self.sampler.refused,
        })
    }

    /// Makes an iteration; false where the budget suffices for no newcomer, or as many were planned as it is worth.
    fn iterate(&mut self) -> Result<bool, TuneError> {
        // Runs that end at once would let in candidates without number.
        if self.candidates.len() as f64 * self.options.least_of_newcomer() >= self.limit as f64 {
            return Ok(false);
        }
        let (left, planned) = (self.limit - self.results.used, self.options.iterations());
        // What an iteration saves goes to those that follow. Beyond the planned ones each may take as much as one of them.
        let share = match planned.checked_sub(self.iteration) {
            Some(further) => left / (further + 1),
            None => left.min(self.limit / planned),
        };
        let before = self.results.runs;
        let is_made = self.race(self.results.used + share)?;
        self.iteration += u64::from(is_made);
        Ok(is_made && self.results.runs > before)
    }

    /// The next wave of so many newcomers, in an iteration that has drawn `born` before.
    pub(super) fn newcomers(&mut self, count: usize, born: usize) -> Vec<Candidate> {
        let wave = Wave { iteration: self.iteration, born, first: self.candidates.len(), count };
        // Only the default is known by then: there is nothing to draw around.
        if self.iteration == 1 {
            return self.sampler.first(self.runner, wave);
        }
        if born == 0 {
            self.narrow();
        }
        self.learn();
        let elites: Vec<&Candidate> = self.elites.iter().map(|elite| &self.candidates[*elite]).collect();
        self.sampler.around(self.runner, &elites, wave)
    }

    /// Grows the surrogate, where one is asked for, anew where there are a tenth more runs than when it was grown.
    fn learn(&mut self) {
        if !self.options.surrogate {
            return;
        }
        let mut runs = Vec::new();
        for run in self.results.all() {
            let place = self.results.place(run);
            runs.push(SurrogateRow { draws: &self.candidates[run.candidate].draws, run, place });
        }
        let is_outgrown = self.sampler.surrogate.as_ref().is_none_or(|old| old.is_outgrown(runs.len()));
        if runs.is_empty() || !is_outgrown {
            return;
        }
        let mut rng = self.sampler.rng_of(&format!("surrogate {}", runs.len()));
        let surrogate = Surrogate::grow(self.options, &runs, self.compares_failures(), &mut rng);
        self.sampler.surrogate = Some(surrogate);
    }

    /// Narrows the sampling models of the elites, by as many as were born in the iteration before.
    fn narrow(&mut self) {
        let before = self.iteration - 1;
        let newcomers = self.candidates.iter().filter(|one| one.iteration == before).count().max(1);
        let planned = self.options.iterations().max(self.iteration);
        let share = before as f64 / planned as f64;
        let size = WaveSize { newcomers, keys: self.keys.len() };
        for elite in &self.elites {
            let Candidate { draws, models, .. } = &mut self.candidates[*elite];
            for (model, draw) in models.iter_mut().zip(draws.iter()) {
                model.narrow(*draw, size, share);
            }
        }
    }

    /// Takes candidates in, all of which can be run.
    pub(super) fn enter(&mut self, born: Vec<Candidate>) -> Result<(), TuneError> {
        for candidate in born {
            self.sampler.note(&candidate);
            self.journal.candidate(&candidate, &self.keys)?;
            self.candidates.push(candidate);
        }
        Ok(())
    }

    /// A request for a run that is not known yet.
    pub(super) fn request(&self, candidate: usize, block: usize, cap: Option<u64>) -> Option<RunRequest> {
        if self.results.has(candidate, block) {
            return None;
        }
        Some(RunRequest { candidate, block, place: self.blocks.place(block), cap })
    }

    /// Runs candidates on blocks, uncapped, where they have not yet; false where the budget does not suffice.
    pub(super) fn run_in_full(&mut self, candidates: &[usize], blocks: &[usize]) -> Result<bool, TuneError> {
        let mut requests = Vec::new();
        for candidate in candidates {
            for block in blocks {
                requests.extend(self.request(*candidate, *block, None));
            }
        }
        self.run(&requests)
    }

    /// Makes runs, as many at once as the budget could pay if each cost all that it may; false where it cannot pay them
    /// all.
    pub(super) fn run(&mut self, requests: &[RunRequest]) -> Result<bool, TuneError> {
        let mut left = requests;
        while !left.is_empty() {
            // Each is paid as if it spent its whole budget, so that no thread can exceed that of the tuning.
            let payable = (self.limit - self.results.used) / self.options.worst;
            let now = left.len().min(usize::try_from(payable).unwrap_or(usize::MAX));
            if now == 0 {
                return Ok(false);
            }
            self.make(&left[..now])?;
            left = &left[now..];
        }
        Ok(true)
    }

    /// Makes runs that the budget can pay: those that are recorded are taken as they are.
    fn make(&mut self, requests: &[RunRequest]) -> Result<(), TuneError> {
        let Self { runner, candidates, results, journal, watch, iteration, alive, elites, .. } = self;
        let compares_costs = self.options.cost == Cost::Reported;
        let mut batch =
            RunBatch { first: results.runs, iteration: *iteration, requests, candidates, compares_costs };
        // The journal of a tuning that is resumed holds the first of them.
        let mut made = 0;
        while made < requests.len() {
            let Some(recorded) = journal.recorded()? else { break };
            recorded.check_due(&batch, made, self.options.worst)?;
            results.add(recorded);
            made += 1;
        }
        if made == requests.len() {
            return Ok(());
        }
        batch.first = results.runs;
        batch.requests = &requests[made..];
        let mut lost = None;
        let end = runner.make(&batch, &mut |run: TuneRun| {
            if run.candidate == 0 && run.has_failed() {
                lost = Some(TuneError::DefaultFailed(run.failure.unwrap_or_default()));
                return false;
            }
            if let Err(error) = journal.run(&run) {
                lost = Some(error.into());
                return false;
            }
            results.add(run);
            watch(&TuneProgress {
                iteration: *iteration,
                alive: *alive,
                used: results.used,
                runs: results.runs,
                best: elites[0],
            });
            true
        });
        match lost {
            Some(error) => Err(error),
            None => end,
        }
    }

    /// Notes a decision.
    pub(super) fn decide(&mut self, decision: &Decision) -> Result<(), TuneError> {
        Ok(self.journal.decision(decision)?)
    }
}
