//! Candidates: configurations of the space, where they come from, and how newcomers are drawn around them.
//!
//! ```text
//! number    a normal around the parent's coordinate, cut at 0 and 1; its deviation begins at 1/2 and shrinks
//! choice    a chance for every value; that of the parent's value grows
//! a key that the parent does not have    uniform
//! ```
//!
//! Source: M. López-Ibáñez et al. 2016, doi:10.1016/j.orp.2016.09.002, section 2.2.

use serde_json::{Value as Json, json};

use crate::experiment::{AxisKind, Config, Space, SpacePoint, short_key, value_word};
use kenga_core::rng::RunRng;
use kenga_core::spec::Value;
use kenga_stats::{normal_cdf, normal_quantile};

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file's own configuration.
    Default,
    /// A point of Sobol's sequence.
    Sobol,
    /// Drawn around another candidate.
    Parent(usize),
    /// Made for the ablation path.
    Ablation,
}

/// A configuration that is raced.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its index, in the order of birth.
    pub index: usize,
    /// The iteration that it was born in, from 1; 0 for what stands outside the races.
    pub iteration: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// Its coordinate on every axis; `None` where it has no value of the axis.
    pub(super) draws: Vec<Option<f64>>,
    /// The value of every key; `None` where its condition leaves it out.
    pub values: Vec<Option<Value>>,
    /// Its configuration.
    pub config: Config,
    /// How children differ from it, by axis.
    pub(super) models: Vec<SamplingModel>,
}

/// How the values of children lie around that of their parent.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SamplingModel {
    /// A normal with this deviation, of the coordinate.
    Spread(f64),
    /// The chance of every value.
    Chances(Vec<f64>),
}

/// The deviation that numbers begin with.
const WIDEST: f64 = 0.5;

impl SamplingModel {
    /// How children differ from their parent at first, by axis.
    pub(super) fn initial(kinds: &[AxisKind]) -> Vec<Self> {
        let mut models = Vec::with_capacity(kinds.len());
        for kind in kinds {
            models.push(match kind {
                AxisKind::Choice(count) => Self::Chances(vec![1.0 / *count as f64; *count]),
                AxisKind::Steps(_) | AxisKind::Between => Self::Spread(WIDEST),
            });
        }
        models
    }

    /// Narrows it before an iteration; `share` is the part of the iterations that is over.
    pub(super) fn narrow(&mut self, draw: Option<f64>, size: WaveSize, share: f64) {
        let WaveSize { newcomers, keys } = size;
        match self {
            Self::Spread(deviation) => *deviation *= (1.0 / newcomers as f64).powf(1.0 / keys as f64),
            Self::Chances(chances) => {
                let own = draw.map(|draw| place(draw, chances.len()));
                // As irace: no value takes all, so that children of one parent differ in one key in five.
                let most = 0.2f64.powf(1.0 / keys as f64).max(1.0 / chances.len() as f64);
                for (value, chance) in chances.iter_mut().enumerate() {
                    let gain = if own == Some(value) { share } else { 0.0 };
                    *chance = *chance * (1.0 - share) + gain;
                    *chance = chance.min(most);
                }
                normalise(chances);
            }
        }
    }

    /// Widens it again, by two iterations, where newcomers had become too similar.
    pub(super) fn widen(&mut self, size: WaveSize) {
        let WaveSize { newcomers, keys } = size;
        match self {
            Self::Spread(deviation) => {
                *deviation = (*deviation * (newcomers as f64).powf(2.0 / keys as f64)).min(WIDEST);
            }
            Self::Chances(chances) => {
                let largest = chances.iter().copied().fold(0.0, f64::max);
                for chance in chances.iter_mut() {
                    *chance = 0.9 * *chance + 0.1 * largest;
                }
                normalise(chances);
            }
        }
    }

    /// The coordinate of a child.
    fn draw(&self, kind: AxisKind, parent: Option<f64>, rng: &mut RunRng) -> f64 {
        let unit = rng.unit();
        let Some(parent) = parent else { return unit };
        let draw = match self {
            Self::Spread(deviation) => truncated_normal(parent, *deviation, unit),
            Self::Chances(chances) => (drawn(chances, unit) as f64 + 0.5) / chances.len() as f64,
        };
        match kind {
            AxisKind::Steps(count) => (place(draw, count) as f64 + 0.5) / count as f64,
            _ => draw,
        }
    }
}

/// What the speed of narrowing depends on.
#[derive(Clone, Copy)]
pub(super) struct WaveSize {
    /// How many newcomers are drawn.
    pub(super) newcomers: usize,
    /// How many keys there are.
    pub(super) keys: usize,
}

/// The value that a uniform number from 0 to 1 draws.
fn drawn(chances: &[f64], unit: f64) -> usize {
    let mut left = unit;
    for (value, chance) in chances.iter().enumerate() {
        left -= chance;
        if left < 0.0 {
            return value;
        }
    }
    // The chances sum to 1 but for rounding.
    chances.len() - 1
}

fn normalise(chances: &mut [f64]) {
    let sum: f64 = chances.iter().sum();
    for chance in chances {
        *chance /= sum;
    }
}

/// Which of `count` values stands at a coordinate.
fn place(draw: f64, count: usize) -> usize {
    ((draw * count as f64) as usize).min(count - 1)
}

/// The quantile `unit` of a normal that is cut at 0 and 1.
fn truncated_normal(mean: f64, deviation: f64, unit: f64) -> f64 {
    let low = normal_cdf((0.0 - mean) / deviation);
    let high = normal_cdf((1.0 - mean) / deviation);
    let x = mean + deviation * normal_quantile(low + unit * (high - low));
    x.clamp(0.0, 1.0)
}

impl Candidate {
    /// The file's own configuration.
    pub(super) fn default(space: &Space) -> Self {
        let (point, draws) = space.default_point();
        let models = SamplingModel::initial(&space.kinds());
        Self::new(0, 1, Origin::Default, point, draws, models)
    }

    pub(super) fn new(
        index: usize,
        iteration: u64,
        origin: Origin,
        point: SpacePoint,
        draws: Vec<Option<f64>>,
        models: Vec<SamplingModel>,
    ) -> Self {
        let draws = present_draws(draws, &point);
        Self { index, iteration, origin, draws, values: point.values, config: point.config, models }
    }

    /// The coordinates of a child that differs by these models.
    pub(super) fn child(&self, kinds: &[AxisKind], models: &[SamplingModel], rng: &mut RunRng) -> Vec<f64> {
        let mut draws = Vec::with_capacity(kinds.len());
        for ((kind, draw), model) in kinds.iter().zip(&self.draws).zip(models) {
            draws.push(model.draw(*kind, *draw, rng));
        }
        draws
    }

    /// It can hardly be told from another: the same choices, numbers closer than a ten-thousandth of their range.
    pub(super) fn is_like(&self, other: &Self, kinds: &[AxisKind]) -> bool {
        for ((own, other), kind) in self.draws.iter().zip(&other.draws).zip(kinds) {
            let is_like = match (own, other, kind) {
                (Some(own), Some(other), AxisKind::Between) => (own - other).abs() < 1e-4,
                (Some(own), Some(other), AxisKind::Choice(count) | AxisKind::Steps(count)) => {
                    place(*own, *count) == place(*other, *count)
                }
                _ => own.is_none() && other.is_none(),
            };
            if !is_like {
                return false;
            }
        }
        true
    }

    /// Its coordinate on an axis, from 0 to 1; `None` where it has no value of the axis.
    pub fn draw(&self, axis: usize) -> Option<f64> {
        self.draws[axis]
    }

    /// Its value on an axis in a word, of a table its name; `None` where it has none.
    pub fn word(&self, axis: usize) -> Option<String> {
        self.values[axis].as_ref().map(value_word)
    }

    /// It in words: `rate = 0.05, population = 40`.
    pub fn words(&self, keys: &[String]) -> String {
        in_words(keys, &self.values)
    }

    /// The values as an object.
    pub fn values_json(&self, keys: &[String]) -> Json {
        let mut object = serde_json::Map::new();
        for (key, value) in keys.iter().zip(&self.values) {
            object.insert(key.clone(), value.as_ref().map_or(Json::Null, Value::as_json));
        }
        Json::Object(object)
    }

    /// Its line of `candidates.jsonl`.
    pub(super) fn line(&self, keys: &[String]) -> String {
        let (origin, parent) = match self.origin {
            Origin::Default => ("default", None),
            Origin::Sobol => ("sobol", None),
            Origin::Parent(parent) => ("sampled", Some(parent)),
            Origin::Ablation => ("ablation", None),
        };
        let mut config = self.config.resolved.as_json();
        config.shift_remove("puzzles");
        let line = json!({
            "candidate": self.index,
            "iteration": self.iteration,
            "origin": origin,
            "parent": parent,
            "values": self.values_json(keys),
            "draws": self.draws,
            "config": config,
        });
        format!("{line}\n")
    }
}

/// The coordinates on the axes whose keys stand at a point.
pub(super) fn present_draws(mut draws: Vec<Option<f64>>, point: &SpacePoint) -> Vec<Option<f64>> {
    for (draw, value) in draws.iter_mut().zip(&point.values) {
        if value.is_none() {
            *draw = None;
        }
    }
    draws
}

/// The values of keys in words; those without a value are left out.
pub(super) fn in_words(keys: &[String], values: &[Option<Value>]) -> String {
    let mut words = Vec::new();
    for (key, value) in keys.iter().zip(values) {
        if let Some(value) = value {
            words.push(format!("{} = {}", short_key(key), Space::label(value)));
        }
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::StreamKey;

    const SIZE: WaveSize = WaveSize { newcomers: 16, keys: 4 };

    #[test]
    fn numbers_stay_within_their_range_and_near_the_parent() {
        for (mean, deviation) in [(0.0, 0.01), (1.0, 0.01), (0.3, 0.5), (0.5, 1e-9)] {
            let draws = (0..=100).map(|step| truncated_normal(mean, deviation, f64::from(step) / 100.0));
            assert!(draws.clone().all(|draw| (0.0..=1.0).contains(&draw)), "{mean} {deviation}");
            assert!(draws.clone().zip(draws.skip(1)).all(|(a, b)| a <= b));
        }
        assert!((truncated_normal(0.3, 0.01, 0.5) - 0.3).abs() < 1e-9);
        assert!(truncated_normal(0.0, 0.01, 0.99) < 0.03);
    }

    #[test]
    fn models_narrow_and_widen_again() {
        let mut spread = SamplingModel::Spread(0.5);
        spread.narrow(Some(0.5), SIZE, 0.5);
        assert_eq!(spread, SamplingModel::Spread(0.25));
        spread.widen(SIZE);
        assert_eq!(spread, SamplingModel::Spread(0.5));
        let mut chances = SamplingModel::initial(&[AxisKind::Choice(4)]).remove(0);
        chances.narrow(Some(0.3), SIZE, 0.25);
        let SamplingModel::Chances(found) = &chances else { panic!("chances") };
        assert_eq!(found, &[0.1875, 0.4375, 0.1875, 0.1875]);
        for _ in 0..50 {
            chances.narrow(Some(0.3), SIZE, 0.5);
        }
        let SamplingModel::Chances(found) = &chances else { panic!("chances") };
        assert!(found[1] > 0.6 && found.iter().sum::<f64>() < 1.0 + 1e-9, "{found:?}");
        let before = found[0];
        chances.widen(SIZE);
        let SamplingModel::Chances(found) = &chances else { panic!("chances") };
        assert!(found[0] > before);
    }

    #[test]
    fn a_child_of_a_parent_without_the_key_is_drawn_from_everywhere() {
        let mut rng = StreamKey::run(1, "tune", 0).rng();
        let model = SamplingModel::Spread(1e-6);
        let far: Vec<f64> = (0..100).map(|_| model.draw(AxisKind::Between, None, &mut rng)).collect();
        assert!(far.iter().any(|draw| *draw < 0.1) && far.iter().any(|draw| *draw > 0.9));
        let near = (0..100).map(|_| model.draw(AxisKind::Steps(4), Some(0.375), &mut rng));
        assert!(near.into_iter().all(|draw| draw == 0.375));
    }
}
