//! Capping: newcomers are dropped as soon as they cost too much, or solve nothing where others do better.
//!
//! What a newcomer may cost is a multiple of what the best has cost on the same blocks: of the elites and of the waves
//! before. So newcomers are capped from the second wave on even where the default solves nothing. But runs
//! without a solution cost so much that capping drops late, and never where nobody solves anything. So a newcomer that has
//! solved none of the first blocks is also dropped when another has, or came nearer by the best fitness (*nearness*).
//!
//! Sources: L. Pérez Cáceres, M. López-Ibáñez, H. Hoos, T. Stützle 2017, An experimental study of adaptive capping in irace,
//! doi:10.1007/978-3-319-69404-7_17, by the best instead of the median elite as F. Hutter, H. Hoos, K. Leyton-Brown,
//! T. Stützle 2009, ParamILS, doi:10.1613/jair.2861.

use super::TuneError;
use super::candidate_race::CandidateRace;
use super::journal::DROPPED;
use super::options::Cost;
use super::tuner::Tuner;

impl Tuner<'_> {
    /// Runs newcomers on the block at a position, each with what it may still cost; those that are left, or `None` where the
    /// budget does not suffice.
    pub(super) fn run_capped(
        &mut self,
        race: &CandidateRace,
        mut left: Vec<usize>,
        position: usize,
    ) -> Result<Option<Vec<usize>>, TuneError> {
        // The bound follows from runs that were over before this block, so that threads change nothing.
        let block = race.order.at(position);
        let allowed = self.allowed(race, position);
        let mut requests = Vec::new();
        for candidate in left.clone() {
            let spent = self.results.sum(self.options, candidate, &race.blocks(position));
            let rest = allowed - spent.expect("who is left has run all blocks before");
            match self.early_end(race, &left, candidate, position, rest) {
                Some(test) => {
                    left.retain(|other| *other != candidate);
                    self.drop_early(race, candidate, position, test)?;
                }
                None => requests.extend(self.request(candidate, block, self.options.cap(rest))),
            }
        }
        if !self.run(&requests)? {
            return Ok(None);
        }
        for candidate in left.clone() {
            let test = if self.results.has_failed(candidate, block) {
                "failed"
            } else if self.results.is_capped(candidate, block) {
                "capping"
            } else {
                continue;
            };
            left.retain(|other| *other != candidate);
            self.drop_early(race, candidate, position + 1, test)?;
        }
        Ok(Some(left))
    }

    /// The test by which a newcomer is dropped before it runs the block at a position; `rest` is what it may still cost.
    fn early_end(
        &self,
        race: &CandidateRace,
        left: &[usize],
        newcomer: usize,
        position: usize,
        rest: f64,
    ) -> Option<&'static str> {
        // A run has calls; a best fitness may be 0.
        if rest < 0.0 || (rest == 0.0 && self.options.cost == Cost::Calls) {
            return Some("capping");
        }
        self.is_surpassed(race, left, newcomer, position).then_some("nearness")
    }

    /// What a newcomer may cost on all blocks up to the horizon: the first blocks, or up to the position where that is later;
    /// so many times what the best has cost there. Infinite where nobody knows them.
    fn allowed(&self, race: &CandidateRace, position: usize) -> f64 {
        let Some(times) = self.options.capping else { return f64::INFINITY };
        let blocks = race.blocks(self.options.first.max(position + 1));
        let mut least = f64::INFINITY;
        for candidate in &race.alive {
            if self.results.has_all(*candidate, &blocks)
                && let Some(sum) = self.results.sum(self.options, *candidate, &blocks)
            {
                least = least.min(sum);
            }
        }
        times * least
    }

    /// A newcomer has solved none of the first blocks up to a position, and another has, or came nearer by the sum of the best
    /// fitness.
    fn is_surpassed(&self, race: &CandidateRace, left: &[usize], newcomer: usize, position: usize) -> bool {
        let Self { options, results, .. } = self;
        if options.cost != Cost::Calls || options.capping.is_none() || position >= options.first {
            return false;
        }
        let blocks = race.blocks(position);
        if results.solved(newcomer, &blocks) > 0 {
            return false;
        }
        let fitness = results.fitness(newcomer, &blocks);
        for other in race.alive.iter().chain(left) {
            if results.has_all(*other, &blocks) {
                let is_nearer = self.compares_failures() && results.fitness(*other, &blocks) < fitness;
                if is_nearer || results.solved(*other, &blocks) > 0 {
                    return true;
                }
            }
        }
        false
    }

    /// Failures can be compared by the best fitness: it means the same for all candidates, as no `fitness.…` is tuned.
    pub(super) fn compares_failures(&self) -> bool {
        self.options.cost == Cost::Calls && !self.keys.iter().any(|key| key.starts_with("fitness"))
    }

    /// Notes that a newcomer is dropped after the first `count` blocks.
    fn drop_early(
        &mut self,
        race: &CandidateRace,
        candidate: usize,
        count: usize,
        test: &'static str,
    ) -> Result<(), TuneError> {
        self.decide(&self.decision(race, count, candidate, DROPPED, test))
    }
}
