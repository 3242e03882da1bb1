//! A sweep: keys of the configuration with the values that they take, and the settings that come of it.
//!
//! ```toml
//! [sweep]
//! method = "grid"
//! where = ["algorithm.replacement.elitism < algorithm.population"]
//! "algorithm.population" = [20, 80, 320]
//! "algorithm.mutation.rate" = { from = 0.001, to = 0.1, points = 5, scale = "log" }
//! "algorithm.crossover.rate" = { values = [0.5, 0.9], when = "algorithm.crossover.name != none" }
//! ```

mod axis;
mod condition;
mod keys;
mod kinds;
mod layers;
mod manifest;
mod method;
mod space;

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::config::{Config, PRESET, config};
use super::json::{canonical, canonical_spec};
use super::labels::{LABEL, SUITE};
use super::settings::{Setting, Settings, short_key, value_word};
use super::toml::{Sources, merge};
use axis::Axis;
use condition::Condition;
use kenga_core::rng::{RunRng, StreamKey};
use kenga_core::spec::{Named, Place, Spec, SpecError, Value};
use kenga_core::text::joined;
use method::{Method, Points};

pub(crate) use condition::is_inside;
pub(super) use layers::merge_sweep;
pub use manifest::SettingsError;
pub(super) use method::METHODS;
pub use space::{AxisKind, Space, SpacePoint};

/// The most points that conditions may choose from.
const MOST_POINTS: usize = 1_000_000;

/// More settings than anyone can look at, and fewer than memory holds.
const MOST_SETTINGS: usize = 100_000;

/// The keys of a configuration that say nothing of the search: all settings have them in common, so that they are compared
/// on the same puzzles and the same starts.
pub const COMMON: [&str; 7] = ["puzzles", SUITE, "seed", "replicates", "retries", "record", "exact"];

/// A sweep, read and checked by itself.
#[derive(Debug)]
pub(super) struct Sweep {
    written: Value,
    place: Place,
    method: Method,
    conditions: Vec<Condition>,
    axes: Vec<Axis>,
    /// The axes in the order in which they are laid over a configuration.
    order: Vec<usize>,
}

/// The value of every axis's key, or `None` where its condition leaves it out.
type SweepPoint = Vec<Option<Value>>;

impl Sweep {
    /// Reads the table `[sweep]`, whose layers are [laid over each other](merge_sweep).
    ///
    /// # Errors
    /// An unknown method, an axis or a condition that is none, a key that cannot be swept, or no axis at all.
    pub(super) fn read(named: &Named, sources: &Sources) -> Result<Self, SpecError> {
        let Value::Spec(spec) = &named.value else { panic!("layers of [sweep] are tables") };
        let method = Method::read(spec)?;
        let conditions = condition::entry(spec, "where", sources)?;
        let mut keys = spec.values.clone();
        keys.retain(|named| !layers::OWN.contains(&named.key.as_str()));
        // All keys first: a value that is no axis may only stand there because its key is misspelt.
        for named in &keys {
            keys::is_known(named)?;
        }
        let mut axes = Vec::new();
        for named in keys {
            axes.push(Axis::read(&named, sources)?);
        }
        let Some(order) = order(&axes) else {
            let message = "circular `when` conditions: one asks for a key inside its own axis, or two ask for each other";
            let help = "ask for a key that is set apart from the axis".to_owned();
            return Err(SpecError::Conflict { message: message.to_owned(), help, place: named.key_place });
        };
        let (written, place) = (named.value.clone(), named.key_place);
        let sweep = Self { written, place, method, conditions, axes, order };
        sweep.check()?;
        Ok(sweep)
    }

    fn check(&self) -> Result<(), SpecError> {
        let conflict = |message: String, help: &str, place| {
            Err(SpecError::Conflict { message, help: help.to_owned(), place })
        };
        if self.axes.is_empty() {
            let help = "add a key and its values, such as `\"algorithm.population\" = [40, 80]`";
            return conflict("[sweep] varies no key".to_owned(), help, self.place);
        }
        for axis in &self.axes {
            // A key inside such a table is as common as the table.
            let head = axis.key.split('.').next().unwrap_or_default();
            if COMMON.contains(&head) {
                let help = "settings are compared on the same puzzles and the same starts";
                return conflict(format!("`{}` cannot be swept", axis.key), help, axis.place);
            }
            if axis.key == PRESET && (axis.levels().is_none() || !axis.when.is_empty()) {
                let help = "name presets in a list: they lie below the keys that a condition could ask for";
                return conflict(
                    "`preset` takes a list of names, without `when`".to_owned(),
                    help,
                    axis.place,
                );
            }
        }
        Ok(())
    }

    /// The presets that are swept, if any are.
    pub(super) fn presets(&self) -> Vec<Named> {
        let mut presets = Vec::new();
        for axis in &self.axes {
            if axis.key == PRESET {
                for value in &axis.values {
                    let (key, key_place, place) = (axis.key.clone(), axis.place, axis.place);
                    presets.push(Named { key, key_place, value: value.clone(), place });
                }
            }
        }
        presets
    }

    /// The key has a value of its own in every setting.
    pub(super) fn sets(&self, key: &str) -> bool {
        self.axes.iter().any(|axis| axis.key == key && axis.is_everywhere())
    }

    /// The settings, each laid over what `lower` gives for its preset. Points with equal configurations are
    /// one setting, the first of them.
    ///
    /// # Errors
    /// No setting, too many, or what is wrong with the configuration at a point.
    pub(super) fn settings(
        &self,
        seed: u64,
        lower: &dyn Fn(Option<&Value>) -> Spec,
    ) -> Result<Settings, SpecError> {
        let mut rng = Self::rng(seed);
        let mut distinct = DistinctPoints::default();
        for draws in self.points(&mut rng)? {
            // What a condition leaves out makes points equal: each is made once.
            let (point, spec) = self.point(&draws, lower)?;
            if distinct.is_new(&point) && condition::all_hold(&self.conditions, &spec)? {
                let config =
                    config(&spec, distinct.last()).map_err(|error| self.at_point(error, &point, lower))?;
                distinct.keep(point, config);
            }
            if distinct.drawn > MOST_POINTS {
                return Err(self.refused(format!("the sweep has more than {MOST_POINTS} points")));
            }
            if distinct.kept.len() > MOST_SETTINGS {
                return Err(self.refused(format!("the sweep has more than {MOST_SETTINGS} settings")));
            }
        }
        if let Some(first) = distinct.kept.first() {
            self.check_below(&first.values, lower)?;
        }
        self.named(distinct)
    }

    /// Refuses a value that its key cannot have where the axis of the key hides it from every setting: whoever wrote it
    /// should know.
    fn check_below(
        &self,
        point: &SweepPoint,
        lower: &dyn Fn(Option<&Value>) -> Spec,
    ) -> Result<(), SpecError> {
        for (hidden, axis) in self.axes.iter().enumerate() {
            let choose = |index: usize| if index == hidden { None } else { point[index].clone() };
            // Without the axis a condition or another key may fail; that is no fault of the value.
            let Ok((_, spec)) = self.laid(&choose, lower) else { continue };
            let Err(error) = config(&spec, None) else { continue };
            let is_of_value = matches!(error, SpecError::Value { .. } | SpecError::UnknownName { .. });
            if is_of_value && place_of_value(&spec, &axis.key) == Some(error.place()) {
                return Err(error);
            }
        }
        Ok(())
    }

    /// The random numbers of the points.
    fn rng(seed: u64) -> RunRng {
        StreamKey::run(seed, "sweep", 0).rng()
    }

    /// The points that the method draws.
    ///
    /// # Errors
    /// Axes that it cannot take, or a grid of too many points.
    fn points<'a>(&self, rng: &'a mut RunRng) -> Result<Points<'a>, SpecError> {
        let levels: Vec<Option<usize>> = self.axes.iter().map(Axis::levels).collect();
        let points = self.method.points(&levels, rng)?;
        // A grid knows how many it has; none of them is made where they are too many. Without a condition each is a setting.
        let free = self.conditions.is_empty() && self.axes.iter().all(Axis::is_everywhere);
        let (most, what) = if free { (MOST_SETTINGS, "settings") } else { (MOST_POINTS, "points") };
        if points.size_hint().0 > most {
            return Err(self.refused(format!("the sweep has more than {most} {what}")));
        }
        Ok(points)
    }

    /// The settings with labels that tell them apart, and what is to be said of them.
    fn named(&self, distinct: DistinctPoints) -> Result<Settings, SpecError> {
        if distinct.kept.is_empty() {
            return Err(self.refused("`where` excludes every setting".to_owned()));
        }
        let mut notes: Vec<String> = self.axes.iter().filter_map(Axis::note).collect();
        notes.extend(distinct.note());
        let keys = self.axes.iter().map(|axis| axis.key.clone()).collect();
        let sweep = Some(self.written.as_json());
        let settings = Settings { notes, ..Settings::new(keys, distinct.kept, sweep, self.method.race) };
        let alike = || Some(format!("two settings that differ would both be called {}", settings.alike()?));
        if let Some(problem) = settings.shared_label().or_else(alike) {
            return Err(self.refused(problem));
        }
        Ok(settings)
    }

    /// The values at a point of the unit cube, and the configuration there.
    fn point(
        &self,
        draws: &[f64],
        lower: &dyn Fn(Option<&Value>) -> Spec,
    ) -> Result<(SweepPoint, Spec), SpecError> {
        self.laid(&|axis| Some(self.axes[axis].at(draws[axis])), lower)
    }

    /// The values that are chosen for axes, where their conditions hold, and the configuration with them.
    fn laid(
        &self,
        choose: &dyn Fn(usize) -> Option<Value>,
        lower: &dyn Fn(Option<&Value>) -> Spec,
    ) -> Result<(SweepPoint, Spec), SpecError> {
        let preset = self.axes.iter().position(|axis| axis.key == PRESET).and_then(choose);
        let mut spec = lower(preset.as_ref());
        let mut point: SweepPoint = vec![None; self.axes.len()];
        for &index in &self.order {
            let axis = &self.axes[index];
            let Some(value) = choose(index) else { continue };
            if condition::all_hold(&axis.when, &spec)? {
                // A preset lies below the file already.
                if axis.key != PRESET {
                    merge(&mut spec, &axis.layer(value.clone()));
                }
                point[index] = Some(value);
            }
        }
        Ok((point, spec))
    }

    fn refused(&self, message: String) -> SpecError {
        let help = "change the axes or the conditions of [sweep]".to_owned();
        SpecError::Conflict { message, help, place: self.place }
    }

    /// An error of a setting names the setting: its key may be right elsewhere in the sweep. One that is the same at both
    /// ends of all axes has nothing to do with them.
    fn at_point(
        &self,
        error: SpecError,
        point: &SweepPoint,
        lower: &dyn Fn(Option<&Value>) -> Spec,
    ) -> SpecError {
        let is_same_at = |draw: f64| {
            let laid = self.point(&vec![draw; self.axes.len()], lower);
            laid.is_ok_and(|(_, spec)| config(&spec, None).err().as_ref() == Some(&error))
        };
        if is_same_at(0.0) && is_same_at(1.0) {
            return error;
        }
        let mut values = Vec::new();
        for (axis, value) in self.axes.iter().zip(point) {
            if let Some(value) = value {
                values.push(format!("{} = {}", short_key(&axis.key), value_word(value)));
            }
        }
        let message = format!("{error}, in the setting {}", values.join(", "));
        let help = format!("{}; an axis is limited by `when`, all settings by `where`", error.help());
        SpecError::Conflict { message, help, place: error.place() }
    }
}

/// Where the value of a dotted path stands, if it has one.
fn place_of_value(spec: &Spec, key: &str) -> Option<Place> {
    match key.split_once('.') {
        Some((head, rest)) => match spec.get(head)? {
            Value::Spec(inner) => place_of_value(inner, rest),
            _ => None,
        },
        None if key == "name" => (!spec.name.is_empty()).then_some(spec.place),
        None => spec.entry(key).map(|named| named.place),
    }
}

/// The order in which axes apply: after the axes whose tables contain their key and those their condition asks for;
/// `None` if circular.
fn order(axes: &[Axis]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = Vec::with_capacity(axes.len());
    while order.len() < axes.len() {
        let next = (0..axes.len()).find(|axis| !order.contains(axis) && may_be_next(axes, *axis, &order))?;
        order.push(next);
    }
    Some(order)
}

/// No axis that is still to come has to apply before this one.
fn may_be_next(axes: &[Axis], axis: usize, order: &[usize]) -> bool {
    (0..axes.len()).all(|other| order.contains(&other) || !waits(axes, axis, other))
}

/// An axis applies after another one: it stands in its table, or its condition asks for its key.
fn waits(axes: &[Axis], axis: usize, other: usize) -> bool {
    let (axis, other) = (&axes[axis], &axes[other]);
    let asks = axis.when.iter().any(|condition| condition.asks(&other.key));
    is_inside(&axis.key, &other.key) || axis.key != other.key && asks
}

/// The distinct settings among the points drawn so far.
#[derive(Default)]
struct DistinctPoints {
    /// Settings, no two of which are equal, without labels.
    kept: Vec<Setting>,
    /// Points drawn.
    drawn: usize,
    /// Points that repeat others although no condition left a key out.
    merged: usize,
    points: BTreeSet<Fingerprint>,
    configs: BTreeSet<Fingerprint>,
}

/// 16 bytes of the SHA-256 of a text.
type Fingerprint = [u8; 16];

fn fingerprint(text: &str) -> Fingerprint {
    let digest = Sha256::digest(text);
    std::array::from_fn(|byte| digest[byte])
}

impl DistinctPoints {
    /// A point was drawn; it is not one of those before.
    fn is_new(&mut self, point: &SweepPoint) -> bool {
        self.drawn += 1;
        let is_new = self.points.insert(fingerprint(&in_text(point)));
        // That the same is left without a key is what conditions are for.
        self.merged += usize::from(!is_new && point.iter().all(Option::is_some));
        is_new
    }

    /// Keeps a point, unless one before it has the same configuration.
    fn keep(&mut self, point: SweepPoint, config: Config) {
        let mut resolved = config.resolved.clone();
        // A name makes no other setting.
        resolved.values.retain(|named| named.key != LABEL);
        if !self.configs.insert(fingerprint(&canonical_spec(&resolved))) {
            self.merged += 1;
            return;
        }
        self.kept.push(Setting::new(point, config));
    }

    /// The setting before, of which the next one has most values.
    fn last(&self) -> Option<&Config> {
        self.kept.last().map(|setting| &setting.config)
    }

    /// What a person should know of the points, if anything.
    fn note(&self) -> Option<String> {
        let Self { merged, drawn, .. } = *self;
        if merged == 0 {
            return None;
        }
        let left = match self.kept.len() {
            1 => "1 setting is".to_owned(),
            left => format!("{left} settings are"),
        };
        Some(format!("{merged} of {drawn} points repeat others; {left} left"))
    }
}

/// A point as a text that tells it from others.
fn in_text(point: &SweepPoint) -> String {
    joined(point.iter().map(|value| value.as_ref().map_or(String::new(), canonical)), " ")
}
