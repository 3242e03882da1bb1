//! An axis of a sweep: a key and the values that it takes.

use super::condition::{self, Condition};
use super::kinds::{is_real, takes_only};
use crate::experiment::config::CONFIG;
use crate::experiment::toml::Sources;
use kenga_core::spec::{Named, Param, ParamKind, Place, Spec, SpecError, Value, resolve_section};

/// A key and its values.
#[derive(Debug)]
pub(super) struct Axis {
    /// The dotted path of the key.
    pub(super) key: String,
    /// Where it stands.
    pub(super) place: Place,
    /// The settings that have the key: all in which every condition holds.
    pub(super) when: Vec<Condition>,
    /// The values that it takes; none where it takes any number of the range.
    pub(super) values: Vec<Value>,
    /// The range of which it takes any number, in place of values.
    pub(super) range: Option<Range>,
    /// How many values were asked for.
    asked: usize,
}

static VALUES: &[Param] = &[Param::required("values", ParamKind::List).about("the values"), WHEN];

/// The settings that have the key: a condition, or a list of them that must all hold.
pub(super) const WHEN: Param =
    Param::optional("when", ParamKind::List).about("the settings that have the key");

/// A table is an axis, and not one of tables in tables on the way to it.
pub(super) fn is_axis(spec: &Spec) -> bool {
    for end in ["from", "to"] {
        // A schedule has such keys, too; where they are swept, a list or a table stands there.
        if !matches!(spec.get(end), None | Some(Value::Spec(_) | Value::List(_))) {
            return true;
        }
    }
    !matches!(spec.get("values"), None | Some(Value::Spec(_)))
}

/// A key with this value changes a part of the axis that it stands in.
pub(super) fn is_part(key: &str, value: &Value) -> bool {
    let is_list = matches!(value, Value::List(_));
    match key {
        "values" => is_list,
        "when" => true,
        _ => !is_list && RANGE.iter().any(|param| param.name == key),
    }
}

/// The error for what is neither a list of values nor a range.
pub(super) fn no_axis(key: &str, found: &str, place: Place) -> SpecError {
    let expected =
        "a list of values, or a range such as { from = 0.01, to = 1, points = 5, scale = \"log\" }";
    SpecError::Value { key: key.to_owned(), expected: expected.to_owned(), found: found.to_owned(), place }
}

impl Axis {
    /// Reads the axis of a key, which is a dotted path.
    ///
    /// # Errors
    /// What is neither a list of values nor a range, or a condition that is none.
    pub(super) fn read(named: &Named, sources: &Sources) -> Result<Self, SpecError> {
        let (key, place) = (named.key.clone(), named.key_place);
        let mut axis = Self { key, place, when: Vec::new(), values: Vec::new(), range: None, asked: 0 };
        match &named.value {
            Value::List(values) if values.is_empty() => {
                return Err(no_axis(&named.key, "an empty list", named.place));
            }
            Value::List(values) => (axis.values, axis.asked) = (values.clone(), values.len()),
            Value::Spec(spec) => {
                axis.when = condition::entry(spec, "when", sources)?;
                axis.read_table(named, spec)?;
            }
            other => return Err(no_axis(&named.key, other.kind(), named.place)),
        }
        Ok(axis)
    }

    /// Reads what a table says that it takes.
    fn read_table(&mut self, named: &Named, spec: &Spec) -> Result<(), SpecError> {
        let mut spec = spec.clone();
        spec.values.retain(|part| part.key != WHEN.name);
        let owner = format!("the axis `{}`", named.key);
        if spec.get("values").is_some() {
            self.values = resolve_section(&spec, &owner, VALUES)?.list("values").to_vec();
            self.asked = self.values.len();
            return Ok(());
        }
        let range = Range::read(named, &resolve_section(&spec, &owner, RANGE)?)?;
        match range.points {
            Some(points) => (self.values, self.asked) = (range.values(points), points),
            None => self.range = Some(range),
        }
        Ok(())
    }

    /// What a person should know of the values, if anything.
    pub(super) fn note(&self) -> Option<String> {
        let values = self.values.len();
        if values >= self.asked {
            return None;
        }
        let plural = if values == 1 { "" } else { "s" };
        Some(format!("`{}`: {} points give {values} distinct value{plural}", self.key, self.asked))
    }

    /// The key has a value of its own in every setting, whatever is below it.
    pub(super) fn is_everywhere(&self) -> bool {
        // A table without a name is laid over what is below.
        let mut values = self.values.iter();
        let builds = values.any(|value| matches!(value, Value::Spec(spec) if spec.name.is_empty()));
        self.when.is_empty() && !builds
    }

    /// How many values it takes; `None` for any number in between.
    pub(super) fn levels(&self) -> Option<usize> {
        if self.range.is_some() { None } else { Some(self.values.len()) }
    }

    /// The value at a draw from 0 to 1.
    pub(super) fn at(&self, draw: f64) -> Value {
        match &self.range {
            Some(range) => range.at(draw),
            None => {
                let place = (draw * self.values.len() as f64) as usize;
                self.values[place.min(self.values.len() - 1)].clone()
            }
        }
    }

    /// A layer of the configuration in which the key has a value.
    pub(super) fn layer(&self, value: Value) -> Spec {
        let mut keys = self.key.rsplit('.');
        let last = keys.next().unwrap_or_default();
        let mut spec = self.with(last, value);
        for key in keys {
            spec = self.with(key, Value::Spec(spec));
        }
        spec
    }

    fn with(&self, key: &str, value: Value) -> Spec {
        let mut spec = Spec { place: self.place, ..Spec::default() };
        match (key, value) {
            ("name", Value::Text(name)) => spec.name = name,
            (key, value) => {
                spec.set(Named { key: key.to_owned(), key_place: self.place, value, place: self.place })
            }
        }
        spec
    }
}

/// Numbers from one to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    from: f64,
    to: f64,
    is_log: bool,
    is_whole: bool,
    /// How many numbers; any in between without.
    pub(super) points: Option<usize>,
}

/// The keys of a range.
pub(super) static RANGE: &[Param] = &[
    Param::required("from", ANY).about("the first value"),
    Param::required("to", ANY).about("the last value"),
    Param::optional("points", ParamKind::Integer(1, 10_000)).about(
        "how many values, both ends among them; without it any value in between, which a grid cannot take",
    ),
    Param::choice("scale", &["linear", "log"], "linear")
        .about("values are evenly far apart, or evenly many times as large"),
    WHEN,
];

const ANY: ParamKind = ParamKind::Real(f64::MIN, f64::MAX);

impl Range {
    /// The range that a resolved spec gives to a key. It is one of whole numbers where both ends are, unless the key takes
    /// real ones; an end `10.0` is whole for a key that takes nothing else.
    ///
    /// # Errors
    /// A logarithmic scale from or to what has no logarithm.
    pub(super) fn read(named: &Named, spec: &Spec) -> Result<Self, SpecError> {
        let takes_whole = takes_only(&named.key, CONFIG, |kind| {
            matches!(kind, ParamKind::Integer(..) | ParamKind::ChoiceOrInteger(..))
        });
        let is_whole = |end| match spec.get(end) {
            Some(Value::Real(number)) => takes_whole && number.fract() == 0.0,
            other => matches!(other, Some(Value::Integer(_))),
        };
        let range = Self {
            from: spec.real("from"),
            to: spec.real("to"),
            is_log: spec.text("scale") == "log",
            is_whole: is_whole("from") && is_whole("to") && !is_real(&named.key, CONFIG),
            points: spec.integer_or_absent("points").map(|points| points.unsigned_abs() as usize),
        };
        if range.is_log && !(range.from > 0.0 && range.to > 0.0) {
            let message = format!("the log scale of `{}` needs ends above 0", named.key);
            let help = "use another scale or range".to_owned();
            return Err(SpecError::Conflict { message, help, place: named.place });
        }
        Ok(range)
    }

    /// As many numbers, both ends among them; fewer where whole numbers lie no closer.
    pub(super) fn values(&self, points: usize) -> Vec<Value> {
        let last = points.saturating_sub(1).max(1) as f64;
        let mut values: Vec<Value> = (0..points).map(|point| self.at(point as f64 / last)).collect();
        values.dedup();
        values
    }

    /// The draw at which a number lies; `None` outside the range.
    pub(super) fn draw_of(&self, number: f64) -> Option<f64> {
        let (from, to, at) = if self.is_log {
            (self.from.ln(), self.to.ln(), number.ln())
        } else {
            (self.from, self.to, number)
        };
        let draw = if from == to { 0.5 } else { (at - from) / (to - from) };
        // Ends that were rounded on the way belong to the range.
        (-1e-9..=1.0 + 1e-9).contains(&draw).then(|| draw.clamp(0.0, 1.0))
    }

    /// The number at a draw from 0 to 1; real ones in between with six significant digits, so that people can read them.
    pub(super) fn at(&self, draw: f64) -> Value {
        let number = if self.is_log {
            (self.from.ln() + draw * (self.to.ln() - self.from.ln())).exp()
        } else {
            self.from + draw * (self.to - self.from)
        };
        if self.is_whole {
            return Value::Integer(number.round() as i64);
        }
        Value::Real(match draw {
            0.0 => self.from,
            1.0 => self.to,
            _ => format!("{number:.5e}").parse().expect("a number that was written is read"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::config::CONFIG;
    use crate::experiment::toml;

    fn axes(text: &str) -> Result<Vec<Axis>, String> {
        let sources = Sources::default();
        let spec = toml::read(&sources, 0, text).expect("sound TOML");
        let axes = spec.values.iter().map(|named| Axis::read(named, &sources));
        axes.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    fn values(text: &str) -> Vec<String> {
        let axes = axes(text).expect("sound axes");
        axes[0].values.iter().map(|value| format!("{value:?}")).collect()
    }

    #[test]
    fn ranges_have_both_ends_and_are_whole_when_these_are() {
        assert_eq!(values("a = {from = 1, to = 9, points = 3}"), ["Integer(1)", "Integer(5)", "Integer(9)"]);
        let log = values("a = {from = 0.01, to = 1, points = 5, scale = 'log'}");
        assert_eq!(log, ["Real(0.01)", "Real(0.0316228)", "Real(0.1)", "Real(0.316228)", "Real(1.0)"]);
        assert_eq!(values("a = {from = 1, to = 3, points = 9}").len(), 3, "no value twice");
        assert_eq!(values("a = {from = 4, to = 8, points = 1}"), ["Integer(4)"]);
    }

    #[test]
    fn what_is_no_axis_is_named() {
        let said = |text| axes(text).expect_err("a bad axis");
        assert!(said("a = 1").starts_with("`a` takes a list of values"), "{}", said("a = 1"));
        assert!(said("a = []").ends_with("not an empty list"));
        assert!(said("a = {from = 0, to = 1, scale = 'log'}").contains("needs ends above 0"));
        assert!(said("a = {from = 0, to = 1, steps = 3}").contains("unknown key `steps`"));
        assert!(said("a = {values = []}").ends_with("not an empty list"), "{}", said("a = {values = []}"));
        assert!(said("a = {values = [1], name = 'x'}").contains("unknown key `name`"));
        assert!(said("a = {from = -inf, to = 1}").ends_with("`from` takes a number, not -inf"));
    }

    #[test]
    fn a_key_that_takes_real_numbers_has_them_between_whole_ends() {
        let rate = values("'algorithm.mutation.rate' = {from = 0, to = 1, points = 5}");
        assert_eq!(rate, ["Real(0.0)", "Real(0.25)", "Real(0.5)", "Real(0.75)", "Real(1.0)"]);
        let population = values("'algorithm.population' = {from = 4, to = 8, points = 3}");
        assert_eq!(population, ["Integer(4)", "Integer(6)", "Integer(8)"]);
        let written = values("'algorithm.population' = {from = 10.0, to = 20.0, points = 4}");
        assert_eq!(written, ["Integer(10)", "Integer(13)", "Integer(17)", "Integer(20)"]);
    }

    #[test]
    fn ends_are_as_they_were_written() {
        assert_eq!(
            values("a = {from = 0.12345678, to = 0.87654321, points = 2}"),
            ["Real(0.12345678)", "Real(0.87654321)"]
        );
    }

    #[test]
    fn fewer_values_than_points_are_told() {
        let note = |text| axes(text).expect("sound axes")[0].note();
        assert_eq!(
            note("a = {from = 1, to = 3, points = 9}"),
            Some("`a`: 9 points give 3 distinct values".to_owned())
        );
        assert!(
            note("a = {from = 1, to = 1, points = 2}")
                .is_some_and(|note| note.ends_with(" give 1 distinct value"))
        );
        for sound in ["a = {from = 1, to = 9, points = 9}", "a = {from = 1, to = 9}", "a = [1, 2]"] {
            assert_eq!(note(sound), None, "{sound}");
        }
    }

    #[test]
    fn a_draw_chooses_among_values_evenly_and_numbers_in_between() {
        let one = &axes("a = ['x', 'y', 'z']").expect("an axis")[0];
        let chosen = [0.0, 0.34, 0.67, 0.999].map(|draw| one.at(draw));
        assert_eq!(
            chosen.map(|value| format!("{value:?}")),
            ["Text(\"x\")", "Text(\"y\")", "Text(\"z\")", "Text(\"z\")"]
        );
        let any = &axes("a = {from = 10, to = 1000, scale = 'log'}").expect("an axis")[0];
        assert_eq!((any.at(0.5), any.levels()), (Value::Integer(100), None));
    }

    #[test]
    fn a_layer_nests_its_key_and_names_members() {
        let axis = &axes("'a.b' = [1]").expect("an axis")[0];
        let layer = axis.layer(Value::Integer(7));
        assert_eq!(layer.spec("a").integer("b"), 7);
        let axis = &axes("'a.name' = ['x']").expect("an axis")[0];
        assert_eq!(axis.layer(Value::Text("x".to_owned())).spec("a").name, "x");
    }

    #[test]
    fn keys_are_real_by_their_tables() {
        for key in ["algorithm.mutation.rate", "algorithm.crossover.rate", "budget.seconds"] {
            assert!(is_real(key, CONFIG), "{key}");
        }
        for key in ["algorithm.population", "budget.moves", "algorithm.nothing", "nothing", "algorithm"] {
            assert!(!is_real(key, CONFIG), "{key}");
        }
    }
}
