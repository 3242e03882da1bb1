//! The space of a sweep: what every point of the unit cube stands for, for those who choose the points themselves.
//!
//! A point has a coordinate from 0 to 1 an axis. An axis of `n` values takes its `i`-th one from `i / n` to `(i + 1) / n`;
//! a range takes any number between its ends, on its own scale.

use sobol_burley::sample;

use super::axis::Axis;
use super::{Sweep, SweepPoint, condition};
use crate::experiment::config::{Config, config};
use crate::experiment::json::{Json, at_path, is_value};
use crate::experiment::layers::Layers;
use crate::experiment::settings::label_in_full;
use crate::experiment::toml::ConfigError;
use kenga_core::spec::{Spec, SpecError, Value};

/// The space of a sweep over a configuration.
#[derive(Debug)]
pub struct Space {
    layers: Layers,
    sweep: Sweep,
    presets: Vec<(Value, Spec)>,
    default: Config,
}

/// What an axis of a space takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// One of so many values without an order.
    Choice(usize),
    /// One of so many numbers, in the order of the list.
    Steps(usize),
    /// Any number of a range.
    Between,
}

/// A point of a space: the value of every axis's key, `None` where its condition leaves it out, and the configuration.
#[derive(Clone, Debug)]
pub struct SpacePoint {
    /// The values, in the order of the axes.
    pub values: Vec<Option<Value>>,
    /// The configuration there.
    pub config: Config,
}

impl Space {
    /// The space of a sweep over layers; the presets are those that it names.
    ///
    /// # Errors
    /// What is wrong with the configuration without the sweep.
    pub(in super::super) fn new(
        layers: Layers,
        sweep: Sweep,
        presets: Vec<(Value, Spec)>,
    ) -> Result<Self, ConfigError> {
        let default = config(&layers.merged(&layers.preset), None).map_err(|error| layers.show(&error))?;
        Ok(Self { layers, sweep, presets, default })
    }

    /// The keys of the axes, as dotted paths.
    pub fn keys(&self) -> Vec<String> {
        self.sweep.axes.iter().map(|axis| axis.key.clone()).collect()
    }

    /// What every axis takes.
    pub fn kinds(&self) -> Vec<AxisKind> {
        self.sweep.axes.iter().map(kind).collect()
    }

    /// The sweep as it was written.
    pub fn written(&self) -> Json {
        self.sweep.written.as_json()
    }

    /// The configuration without the sweep.
    pub fn default(&self) -> &Config {
        &self.default
    }

    /// The values of the axes that the configuration has without the sweep, and their coordinates where the axis has them.
    pub fn default_point(&self) -> (SpacePoint, Vec<Option<f64>>) {
        let spec = self.layers.over(None, &self.presets);
        let (mut values, mut draws) = (Vec::new(), Vec::new());
        for axis in &self.sweep.axes {
            // A condition that cannot be asked of the default does not hold of it.
            let holds = condition::all_hold(&axis.when, &spec).unwrap_or(false);
            let value = if holds { at_path(&self.default.resolved, &axis.key) } else { None };
            draws.push(value.as_ref().and_then(|value| axis.draw_of(value)));
            values.push(value);
        }
        (SpacePoint { values, config: self.default.clone() }, draws)
    }

    /// What stands at a point of the unit cube; `None` where `where` excludes it.
    ///
    /// # Errors
    /// What is wrong with the configuration there.
    pub fn at(&self, draws: &[f64]) -> Result<Option<SpacePoint>, ConfigError> {
        self.choose(&|axis| Some(self.sweep.axes[axis].at(draws[axis])))
            .map_err(|error| self.layers.show(&error))
    }

    /// The configuration without the sweep, with some values laid over it; `None` where `where` excludes it or it is no
    /// sound configuration.
    pub fn blend(&self, values: &[Option<Value>]) -> Option<SpacePoint> {
        self.choose(&|axis| values[axis].clone()).ok().flatten()
    }

    /// For every axis those whose place in the space depends on it: their conditions ask for its key, or they stand in its
    /// table.
    pub fn dependents(&self, axis: usize) -> Vec<usize> {
        (0..self.sweep.axes.len()).filter(|other| super::waits(&self.sweep.axes, *other, axis)).collect()
    }

    /// A value for people.
    pub fn label(value: &Value) -> String {
        label_in_full(value)
    }

    /// Coordinates of an axis with their values in words: all of a list, of a range its ends and what lies between.
    pub fn axis_labels(&self, axis: usize) -> Vec<(f64, String)> {
        let axis = &self.sweep.axes[axis];
        let count = axis.values.len();
        let draws: Vec<f64> = match count {
            0 => vec![0.0, 0.25, 0.5, 0.75, 1.0],
            count => (0..count).map(|value| (value as f64 + 0.5) / count as f64).collect(),
        };
        let mut labels = Vec::new();
        for draw in draws {
            let label = match axis.at(draw) {
                Value::Spec(spec) if !spec.name.is_empty() => spec.name,
                value => label_in_full(&value),
            };
            labels.push((draw, label));
        }
        labels
    }

    /// The `index`-th point of Sobol's sequence, scrambled by a seed; `None` with more axes than it has dimensions.
    pub fn sobol(&self, index: u32, seed: u32) -> Option<Vec<f64>> {
        let axes = self.sweep.axes.len() as u32;
        if axes > sobol_burley::NUM_DIMENSIONS || index >= 1 << 16 {
            return None;
        }
        Some((0..axes).map(|axis| f64::from(sample(index, axis, seed))).collect())
    }

    /// Tries points all over the space, so that a configuration that cannot be used is found before anything is run.
    ///
    /// # Errors
    /// What is wrong with the configuration at the first such point; more axes than Sobol's sequence has dimensions are not
    /// looked at.
    pub fn check(&self) -> Result<(), ConfigError> {
        /// Enough to meet every value of a list in most spaces.
        const POINTS: u32 = 512;
        for point in 0..POINTS {
            let Some(draws) = self.sobol(point, 1) else { break };
            self.at(&draws)?;
        }
        Ok(())
    }

    fn choose(&self, choose: &dyn Fn(usize) -> Option<Value>) -> Result<Option<SpacePoint>, SpecError> {
        let lower = |name: Option<&Value>| self.layers.over(name, &self.presets);
        let (values, spec): (SweepPoint, Spec) = self.sweep.laid(choose, &lower)?;
        if !condition::all_hold(&self.sweep.conditions, &spec)? {
            return Ok(None);
        }
        let config = config(&spec, Some(&self.default))
            .map_err(|error| self.sweep.at_point(error, &values, &lower))?;
        Ok(Some(SpacePoint { values, config }))
    }
}

fn kind(axis: &Axis) -> AxisKind {
    let values = &axis.values;
    let are_numbers = values.iter().all(|value| matches!(value, Value::Integer(_) | Value::Real(_)));
    if values.is_empty() {
        AxisKind::Between
    } else if values.len() > 2 && are_numbers {
        AxisKind::Steps(values.len())
    } else {
        AxisKind::Choice(values.len())
    }
}

impl Axis {
    /// The coordinate of a resolved value; `None` for one that is no value of the axis.
    fn draw_of(&self, is: &Value) -> Option<f64> {
        if let Some(range) = &self.range {
            return range.draw_of(condition::number(is)?);
        }
        let place = self.values.iter().position(|value| is_value(value, is))?;
        Some((place as f64 + 0.5) / self.values.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::ConfigDraft;

    fn space(sweep: &str) -> Space {
        let text = format!(
            "budget.evaluations = 9\nalgorithm = {{name = 'genetic', population = 40}}\n[sweep]\n{sweep}"
        );
        ConfigDraft::read("x.toml", &text).and_then(ConfigDraft::space).expect("a sound space")
    }

    #[test]
    fn the_default_has_its_place_in_the_space() {
        let space = space(
            "'algorithm.population' = {from = 10, to = 160, scale = 'log'}\n'algorithm.crossover' = ['uniform', 'two_point']",
        );
        assert_eq!(space.kinds(), [AxisKind::Between, AxisKind::Choice(2)]);
        let (point, draws) = space.default_point();
        assert_eq!(point.values[0], Some(Value::Integer(40)));
        assert!(draws[0].is_some_and(|draw| (draw - 0.5).abs() < 1e-12), "{draws:?}");
        let at = space.at(&[0.5, 0.9]).expect("a sound point").expect("no condition");
        assert_eq!(at.values, [Some(Value::Integer(40)), Some(Value::Text("two_point".to_owned()))]);
    }

    #[test]
    fn conditions_leave_keys_and_points_out() {
        let space = space(
            "where = 'algorithm.population > 20'\n'algorithm.population' = [10, 30, 50]\n\
             'algorithm.crossover.name' = ['uniform', 'two_point']\n\
             'algorithm.crossover.rate' = {from = 0.1, to = 0.9, when = 'algorithm.crossover.name == uniform'}",
        );
        assert!(space.at(&[0.1, 0.1, 0.5]).expect("sound").is_none());
        let at = |choice| space.at(&[0.9, choice, 0.5]).expect("sound").expect("it is not excluded");
        assert_eq!(at(0.2).values[2], Some(Value::Real(0.5)));
        assert_eq!(at(0.8).values[2], None);
        assert_eq!(space.kinds()[0], AxisKind::Steps(3));
        assert_eq!(space.dependents(1), [2]);
        let flipped = space.blend(&[Some(Value::Integer(50)), None, None]).expect("a sound blend");
        assert_eq!(flipped.values, [Some(Value::Integer(50)), None, None]);
    }
}
