//! New candidates: the first ones, and those drawn around the elites.

use std::collections::BTreeSet;

use super::candidate::{SamplingModel, in_words, of_its_keys};
use super::surrogate::Surrogate;
use super::{Candidate, Origin, TargetRunner};
use crate::experiment::{AxisKind, Space, SpacePoint};
use kenga_core::rng::{RunRng, StreamKey};
use kenga_core::sort::sort_by;

/// Makes candidates that differ from all before.
pub(super) struct Sampler<'a> {
    pub(super) space: &'a Space,
    pub(super) kinds: Vec<AxisKind>,
    /// What decides the runs of the candidates so far.
    known: BTreeSet<String>,
    key: StreamKey,
    /// The points of Sobol's sequence that were taken, its seed, and what follows where it ends.
    sobol: (u32, u32),
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

/// The share of newcomers that are drawn from everywhere and not chosen by the surrogate, which knows little of what lies far
/// from all runs.
const FREE_SHARE: f64 = 1.0 / 3.0;

/// How a newcomer is drawn.
struct Draw {
    /// The proposals among which the surrogate chooses.
    proposals: usize,
    /// The share of them that differ from an elite as widely as at the beginning.
    wide_share: f64,
}

/// Most newcomers.
const CHOSEN: Draw = Draw { proposals: 20, wide_share: 0.5 };

/// The others, which leave the surrogate no choice.
const FREE: Draw = Draw { proposals: 1, wide_share: 1.0 };

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
        let (kinds, known, refused) = (space.kinds(), BTreeSet::new(), Refused::default());
        Self { space, kinds, known, key, sobol: (0, seed), rng, surrogate: None, refused }
    }

    /// The generator of a stream of its own.
    pub(super) fn rng_of(&self, stream: &str) -> RunRng {
        self.key.child(stream).rng()
    }

    /// Notes a candidate that was made elsewhere.
    pub(super) fn note(&mut self, candidate: &Candidate) {
        self.known.insert(candidate.config.deciding());
    }

    /// The next `count` points of Sobol's sequence that are new configurations and can be run, or random ones where it
    /// ends.
    pub(super) fn first(
        &mut self,
        runner: &mut dyn TargetRunner,
        first: usize,
        count: usize,
    ) -> Vec<Candidate> {
        let models = self.widest();
        let mut born: Vec<Candidate> = Vec::new();
        let tries = count.saturating_mul(TRIES).min(1 << 20);
        for _ in 0..tries {
            if born.len() == count {
                break;
            }
            let (index, seed) = self.sobol;
            let random = || self.kinds.iter().map(|_| self.rng.unit()).collect();
            let draws = self.space.sobol(index, seed).unwrap_or_else(random);
            self.sobol.0 += 1;
            if let Some(point) = self.fresh(runner, &draws) {
                let (index, draws) = (first + born.len(), draws.into_iter().map(Some).collect());
                born.push(Candidate::new(index, 1, Origin::Sobol, point, draws, models.clone()));
            }
        }
        born
    }

    /// Draws up to `count` newcomers around the elites, which are in their order: the first is chosen most often. `wave` is
    /// the iteration and what was born in it before.
    pub(super) fn around(
        &mut self,
        runner: &mut dyn TargetRunner,
        elites: &[&Candidate],
        wave: (u64, usize),
        (first, count): (usize, usize),
    ) -> Vec<Candidate> {
        let drawn = self.draw(runner, elites, wave, (first, count), "sampled");
        let parents = similar(&drawn, elites, &self.kinds);
        if parents.is_empty() {
            return drawn;
        }
        // The soft restart: parents whose children can hardly be told apart draw more widely.
        let wide: Vec<Candidate> = elites
            .iter()
            .map(|elite| {
                let mut elite = (*elite).clone();
                if parents.contains(&elite.index) {
                    elite.models.iter_mut().for_each(|model| model.widen((count.max(1), self.kinds.len())));
                }
                elite
            })
            .collect();
        for candidate in &drawn {
            self.known.remove(&candidate.config.deciding());
        }
        self.draw(runner, &wide.iter().collect::<Vec<_>>(), wave, (first, count), "restarted")
    }

    fn draw(
        &mut self,
        runner: &mut dyn TargetRunner,
        elites: &[&Candidate],
        (iteration, before): (u64, usize),
        (first, count): (usize, usize),
        stream: &str,
    ) -> Vec<Candidate> {
        let mut rng = self.key.child(&format!("{stream} {iteration} {before}")).rng();
        let mut born: Vec<Candidate> = Vec::new();
        for _ in 0..count {
            let draw = if rng.unit() < FREE_SHARE { FREE } else { CHOSEN };
            let found = (0..TRIES / draw.proposals)
                .find_map(|_| self.most_promising(runner, elites, &draw, &mut rng));
            if let Some(Proposal { parent, point, draws, models }) = found {
                let (index, origin) = (first + born.len(), Origin::Parent(parent));
                born.push(Candidate::new(index, iteration, origin, point, draws, models));
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
        let mut proposals: Vec<Proposal> =
            (0..draw.proposals).filter_map(|_| self.proposal(elites, draw.wide_share, rng)).collect();
        if let Some(surrogate) = &self.surrogate {
            let promises = surrogate.predict(proposals.iter().map(|proposal| proposal.draws.as_slice()));
            let mut ranked: Vec<(f64, Proposal)> = promises.into_iter().zip(proposals).collect();
            sort_by(&mut ranked, |(one, _), (other, _)| one.total_cmp(other));
            proposals = ranked.into_iter().map(|(_, proposal)| proposal).collect();
        }
        proposals.into_iter().find_map(|proposal| {
            let point = self.runnable(runner, proposal.point)?;
            Some(Proposal { point, ..proposal })
        })
    }

    /// A point around an elite, with a chance of `wide_share` as wide as at the beginning, if the conditions allow it.
    fn proposal(&mut self, elites: &[&Candidate], wide_share: f64, rng: &mut RunRng) -> Option<Proposal> {
        let parent = elites[chosen(elites.len(), rng)];
        let models = if rng.unit() < wide_share { self.widest() } else { parent.models.clone() };
        let draws = parent.child(&self.kinds, &models, rng);
        let point = self.at(&draws)?;
        let draws = of_its_keys(draws.into_iter().map(Some).collect(), &point);
        Some(Proposal { parent: parent.index, point, draws, models })
    }

    /// How children differ from a parent at the beginning.
    fn widest(&self) -> Vec<SamplingModel> {
        self.kinds.iter().copied().map(SamplingModel::initial).collect()
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

    /// What stands at a point, if the conditions allow it, no candidate has its configuration, and it can be run on all
    /// puzzles. It follows from the point and the candidates so far alone, so that a tuning that is resumed draws the same.
    fn fresh(&mut self, runner: &mut dyn TargetRunner, draws: &[f64]) -> Option<SpacePoint> {
        let point = self.at(draws)?;
        self.runnable(runner, point)
    }

    /// A point, if no candidate has its configuration and it can be run on all puzzles.
    pub(super) fn runnable(
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
fn chosen(count: usize, rng: &mut RunRng) -> usize {
    let mut left = rng.below(count * (count + 1) / 2);
    let passes = |place: &usize| {
        let weight = count - place;
        let is_it = left < weight;
        left = left.saturating_sub(weight);
        is_it
    };
    (0..count).find(passes).unwrap_or(count - 1)
}

/// The parents of newcomers that can hardly be told from another candidate of the race.
fn similar(drawn: &[Candidate], elites: &[&Candidate], kinds: &[AxisKind]) -> BTreeSet<usize> {
    let like = |one: &Candidate| {
        let other = drawn.iter().filter(|other| other.index != one.index);
        other.chain(elites.iter().copied()).any(|other| one.is_like(other, kinds))
    };
    let parent = |one: &Candidate| match one.origin {
        Origin::Parent(parent) => Some(parent),
        _ => None,
    };
    drawn.iter().filter(|one| like(one)).filter_map(parent).collect()
}
