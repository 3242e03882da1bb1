//! New candidates: the first ones, and those drawn around the elites.

use std::collections::BTreeSet;

use super::candidate::{SamplingModel, WaveSize, in_words, present_draws};
use super::surrogate::Surrogate;
use super::{Candidate, Origin, TargetRunner};
use crate::experiment::{AxisKind, Space, SpacePoint};
use kenga_core::rng::{RunRng, StreamKey};
use kenga_core::sort::sort_by;

/// Makes candidates that differ from all before.
pub(super) struct Sampler<'a> {
    pub(super) space: &'a Space,
    pub(super) kinds: Vec<AxisKind>,
    /// [`Config::deciding`](crate::experiment::Config::deciding) of every configuration that was drawn, or was made elsewhere:
    /// of candidates, and of those that cannot be run.
    known: BTreeSet<String>,
    key: StreamKey,
    /// How many points of Sobol's sequence were taken, and its seed.
    sobol_taken: u32,
    sobol_seed: u32,
    /// What follows where the sequence ends.
    rng: RunRng,
    /// What chooses among proposals, once there are runs.
    pub(super) surrogate: Option<Surrogate>,
    /// Points whose configuration cannot be used or run.
    pub(super) refused: Refused,
}

/// Points of the space that were drawn and cannot be used or run, as if `where` excluded them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// How many.
    pub count: u64,
    /// Why the first of them was refused; empty without any.
    pub first: String,
}

impl Refused {
    fn note(&mut self, why: String) {
        if self.count == 0 {
            self.first = why;
        }
        self.count += 1;
    }
}

/// Draws for one newcomer before it is given up: the space may have no more configurations.
const TRIES: usize = 100;

/// The share of newcomers that the surrogate does not choose: it knows little of configurations far from all runs.
const ANYWHERE_SHARE: f64 = 1.0 / 3.0;

/// A wave of newcomers.
#[derive(Clone, Copy)]
pub(super) struct Wave {
    /// The iteration, from 1.
    pub(super) iteration: u64,
    /// How many were born in it before.
    pub(super) born: usize,
    /// The index of the first one.
    pub(super) first: usize,
    /// How many there are at most.
    pub(super) count: usize,
}

/// How a newcomer is drawn.
struct Draw {
    /// The proposals among which the surrogate chooses.
    proposals: usize,
    /// The share of them that differ from an elite as widely as at the beginning.
    wide_share: f64,
}

/// The surrogate takes the best of many proposals: most newcomers.
const PROMISING: Draw = Draw { proposals: 20, wide_share: 0.5 };

/// One proposal from anywhere in the space: the other newcomers.
const ANYWHERE: Draw = Draw { proposals: 1, wide_share: 1.0 };

/// A configuration that may become a newcomer.
struct Proposal {
    parent: usize,
    point: SpacePoint,
    draws: Vec<Option<f64>>,
    models: Vec<SamplingModel>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(space: &'a Space, key: StreamKey) -> Self {
        let mut rng = key.child("first").rng();
        let seed = rng.bits();
        Self {
            space,
            kinds: space.kinds(),
            known: BTreeSet::new(),
            key,
            sobol_taken: 0,
            sobol_seed: seed,
            rng,
            surrogate: None,
            refused: Refused::default(),
        }
    }

    /// The generator of a stream of its own.
    pub(super) fn rng_of(&self, stream: &str) -> RunRng {
        self.key.child(stream).rng()
    }

    /// Notes a candidate that was made elsewhere.
    pub(super) fn note(&mut self, candidate: &Candidate) {
        self.known.insert(candidate.config.deciding());
    }

    /// The next points of Sobol's sequence that are new configurations and can be run, or random ones where it ends.
    pub(super) fn first(&mut self, runner: &mut dyn TargetRunner, wave: Wave) -> Vec<Candidate> {
        let models = SamplingModel::initial(&self.kinds);
        let mut born: Vec<Candidate> = Vec::new();
        // The space may have fewer configurations than are asked for.
        let tries = wave.count.saturating_mul(TRIES).min(1 << 20);
        for _ in 0..tries {
            if born.len() == wave.count {
                break;
            }
            let draws = self.next_point();
            if let Some(point) = self.at(&draws)
                && let Some(point) = self.admit_new(runner, point)
            {
                let draws = draws.into_iter().map(Some).collect();
                let index = wave.first + born.len();
                born.push(Candidate::new(index, 1, Origin::Sobol, point, draws, models.clone()));
            }
        }
        born
    }

    /// The next point of Sobol's sequence, or a random one where it ends.
    fn next_point(&mut self) -> Vec<f64> {
        let taken = self.sobol_taken;
        self.sobol_taken += 1;
        match self.space.sobol(taken, self.sobol_seed) {
            Some(point) => point,
            None => self.kinds.iter().map(|_| self.rng.unit()).collect(),
        }
    }

    /// Draws newcomers around the elites, which are in their order: the first is chosen most often.
    pub(super) fn around(
        &mut self,
        runner: &mut dyn TargetRunner,
        elites: &[&Candidate],
        wave: Wave,
    ) -> Vec<Candidate> {
        let drawn = self.draw(runner, elites, wave, "sampled");
        let parents = similar(&drawn, elites, &self.kinds);
        if parents.is_empty() {
            return drawn;
        }
        // The soft restart: parents whose children can hardly be told apart draw more widely.
        let size = WaveSize { newcomers: wave.count.max(1), keys: self.kinds.len() };
        let mut wide: Vec<Candidate> = elites.iter().map(|elite| (*elite).clone()).collect();
        for elite in &mut wide {
            if parents.contains(&elite.index) {
                for model in &mut elite.models {
                    model.widen(size);
                }
            }
        }
        // They are given up, so that the same points may be drawn again.
        for candidate in &drawn {
            self.known.remove(&candidate.config.deciding());
        }
        // A stream of its own: the wide draws do not repeat the narrow ones.
        self.draw(runner, &wide.iter().collect::<Vec<_>>(), wave, "restarted")
    }

    fn draw(
        &mut self,
        runner: &mut dyn TargetRunner,
        elites: &[&Candidate],
        wave: Wave,
        stream: &str,
    ) -> Vec<Candidate> {
        let Wave { iteration, born: before, first, count } = wave;
        let mut rng = self.rng_of(&format!("{stream} {iteration} {before}"));
        let mut born: Vec<Candidate> = Vec::new();
        for _ in 0..count {
            let draw = if rng.unit() < ANYWHERE_SHARE { ANYWHERE } else { PROMISING };
            // The more points a try draws, the fewer tries: a newcomer costs at most `TRIES` points.
            for _ in 0..TRIES / draw.proposals {
                if let Some(found) = self.most_promising(runner, elites, &draw, &mut rng) {
                    let Proposal { parent, point, draws, models } = found;
                    let (index, origin) = (first + born.len(), Origin::Parent(parent));
                    born.push(Candidate::new(index, iteration, origin, point, draws, models));
                    break;
                }
            }
        }
        born
    }

    /// Of some proposals the best by the surrogate that no candidate is and that can be run on all puzzles.
    fn most_promising(
        &mut self,
        runner: &mut dyn TargetRunner,
        elites: &[&Candidate],
        draw: &Draw,
        rng: &mut RunRng,
    ) -> Option<Proposal> {
        let mut proposals = Vec::with_capacity(draw.proposals);
        for _ in 0..draw.proposals {
            proposals.extend(self.proposal(elites, draw.wide_share, rng));
        }
        // All are tried in turn: the best may be known already, or refused.
        if let Some(surrogate) = &self.surrogate {
            let promises = surrogate.predict(proposals.iter().map(|proposal| proposal.draws.as_slice()));
            let mut ranked: Vec<(f64, Proposal)> = promises.into_iter().zip(proposals).collect();
            sort_by(&mut ranked, |(one, _), (other, _)| one.total_cmp(other));
            proposals = ranked.into_iter().map(|(_, proposal)| proposal).collect();
        }
        for proposal in proposals {
            if let Some(point) = self.admit_new(runner, proposal.point) {
                return Some(Proposal { point, ..proposal });
            }
        }
        None
    }

    /// A point around an elite, with a chance of `wide_share` as wide as at the beginning, if the conditions allow it.
    fn proposal(&mut self, elites: &[&Candidate], wide_share: f64, rng: &mut RunRng) -> Option<Proposal> {
        let parent = elites[draw_parent(elites.len(), rng)];
        // Drawn for every proposal, so that one choice shifts no later draw.
        let is_wide = rng.unit() < wide_share;
        let models = if is_wide { SamplingModel::initial(&self.kinds) } else { parent.models.clone() };
        let draws = parent.child(&self.kinds, &models, rng);
        let point = self.at(&draws)?;
        let draws = present_draws(draws.into_iter().map(Some).collect(), &point);
        Some(Proposal { parent: parent.index, point, draws, models })
    }

    /// What stands at a point, if the conditions allow it.
    fn at(&mut self, draws: &[f64]) -> Option<SpacePoint> {
        match self.space.at(draws) {
            Ok(point) => point,
            Err(error) => {
                self.refused.note(error.to_string());
                None
            }
        }
    }

    /// Takes a point if its configuration is new and can be run on all puzzles. What it says follows from the point and the
    /// configurations before alone, so that a tuning that is resumed draws the same.
    pub(super) fn admit_new(
        &mut self,
        runner: &mut dyn TargetRunner,
        point: SpacePoint,
    ) -> Option<SpacePoint> {
        if !self.known.insert(point.config.deciding()) {
            return None;
        }
        match runner.admit(&point.config, &in_words(&self.space.keys(), &point.values)) {
            Ok(()) => Some(point),
            Err(why) => {
                self.refused.note(why);
                None
            }
        }
    }
}

/// The place of a parent among `count` elites: that at place i, from 0, with a chance in proportion to `count - i`.
fn draw_parent(count: usize, rng: &mut RunRng) -> usize {
    let mut left = rng.below(count * (count + 1) / 2);
    for place in 0..count {
        let weight = count - place;
        if left < weight {
            return place;
        }
        left -= weight;
    }
    unreachable!("the number is below the sum of all weights")
}

/// The parents of newcomers that can hardly be told from another candidate of the race.
fn similar(drawn: &[Candidate], elites: &[&Candidate], kinds: &[AxisKind]) -> BTreeSet<usize> {
    let mut parents = BTreeSet::new();
    for one in drawn {
        let is_like_newcomer =
            drawn.iter().any(|other| other.index != one.index && one.is_like(other, kinds));
        let is_like_elite = elites.iter().any(|elite| one.is_like(elite, kinds));
        if let Origin::Parent(parent) = one.origin
            && (is_like_newcomer || is_like_elite)
        {
            parents.insert(parent);
        }
    }
    parents
}
