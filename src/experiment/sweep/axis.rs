//! An axis of a sweep: a key and the values that it takes.

use crate::spec::{Kind, Named, Param, Place, Preset, Spec, SpecError, Value, resolve};

use super::condition::Condition;

/// A key and its values.
pub(super) struct Axis {
    /// The dotted path of the key.
    pub(super) key: String,
    /// Where it stands.
    pub(super) place: Place,
    /// The settings that have the key; all without one.
    pub(super) when: Option<Condition>,
    takes: Takes,
}

enum Takes {
    /// One of these.
    Values(Vec<Value>),
    /// Any number in between.
    Between(Range),
}

/// Numbers from one to another.
#[derive(Clone, Copy)]
struct Range {
    from: f64,
    to: f64,
    is_log: bool,
    is_whole: bool,
}

static RANGE: &[Param] = &[
    Param { name: "from", kind: ANY, default: Preset::Required, about: "the first value" },
    Param { name: "to", kind: ANY, default: Preset::Required, about: "the last value" },
    Param {
        name: "points",
        kind: Kind::Integer(1, 10_000),
        default: Preset::Absent,
        about: "how many values, both ends among them; without it any value in between, which a grid cannot take",
    },
    Param {
        name: "scale",
        kind: Kind::Choice(&["linear", "log"]),
        default: Preset::Text("linear"),
        about: "values are evenly far apart, or evenly many times as large",
    },
    Param { name: "when", kind: WHEN, default: Preset::Absent, about: "the settings that have the key" },
];

static VALUES: &[Param] = &[
    Param { name: "values", kind: Kind::List, default: Preset::Required, about: "the values" },
    Param { name: "when", kind: WHEN, default: Preset::Absent, about: "the settings that have the key" },
];

const ANY: Kind = Kind::Real(f64::MIN, f64::MAX);
const WHEN: Kind = Kind::Text;

/// Collects the axes of a table: `"a.b" = […]`, or the same as tables in tables.
///
/// # Errors
/// A key that has neither a list of values nor a range.
pub(super) fn collect(
    path: &str,
    spec: &Spec,
    passed: &[&str],
    axes: &mut Vec<Axis>,
) -> Result<(), SpecError> {
    if !spec.name.is_empty() {
        return Err(no_axis(&format!("{path}name"), "a text", spec.place));
    }
    for named in spec.values.iter().filter(|named| !passed.contains(&named.key.as_str())) {
        let key = format!("{path}{}", named.key);
        match &named.value {
            Value::Spec(inner) if !is_axis(inner) => collect(&format!("{key}."), inner, &[], axes)?,
            _ => axes.push(Axis::read(key, named)?),
        }
    }
    Ok(())
}

fn is_axis(spec: &Spec) -> bool {
    ["from", "to", "values"]
        .iter()
        .any(|key| spec.get(key).is_some_and(|value| !matches!(value, Value::Spec(_))))
}

fn no_axis(key: &str, found: &str, place: Place) -> SpecError {
    let expected =
        "a list of values, or a range such as { from = 0.01, to = 1, points = 5, scale = \"log\" }";
    SpecError::Value { key: key.to_owned(), expected: expected.to_owned(), found: found.to_owned(), place }
}

impl Axis {
    fn read(key: String, named: &Named) -> Result<Self, SpecError> {
        let (takes, when) = match &named.value {
            Value::List(values) => (values.clone(), None),
            Value::Spec(spec) if spec.get("values").is_some() => {
                let spec = resolve(spec, &format!("the axis `{key}`"), VALUES)?;
                (spec.list("values").to_vec(), spec.entry("when").cloned())
            }
            Value::Spec(spec) => return Self::range(key, named, spec),
            other => return Err(no_axis(&key, other.kind(), named.place)),
        };
        if takes.is_empty() {
            return Err(no_axis(&key, "an empty list", named.place));
        }
        Self::new(key, named, Takes::Values(takes), when.as_ref())
    }

    fn new(key: String, named: &Named, takes: Takes, when: Option<&Named>) -> Result<Self, SpecError> {
        let when = when.map(Condition::of).transpose()?;
        Ok(Self { key, place: named.key_place, when, takes })
    }

    fn range(key: String, named: &Named, spec: &Spec) -> Result<Self, SpecError> {
        let spec = resolve(spec, &format!("the axis `{key}`"), RANGE)?;
        let whole = |key| matches!(spec.get(key), Some(Value::Integer(_)));
        let range = Range {
            from: spec.real("from"),
            to: spec.real("to"),
            is_log: spec.text("scale") == "log",
            is_whole: whole("from") && whole("to"),
        };
        if range.is_log && !(range.from > 0.0 && range.to > 0.0) {
            let (message, help) =
                (format!("the log scale of `{key}` needs ends above 0"), "use another scale or range");
            return Err(SpecError::Conflict { message, help: help.to_owned(), place: named.place });
        }
        let takes = match spec.integer_or_absent("points") {
            None => Takes::Between(range),
            Some(points) => {
                let last = (points - 1).max(1) as f64;
                let mut values: Vec<Value> = (0..points).map(|point| range.at(point as f64 / last)).collect();
                values.dedup();
                Takes::Values(values)
            }
        };
        Self::new(key, named, takes, spec.entry("when"))
    }

    /// How many values it takes; `None` for any number in between.
    pub(super) fn levels(&self) -> Option<usize> {
        match &self.takes {
            Takes::Values(values) => Some(values.len()),
            Takes::Between(_) => None,
        }
    }

    /// Its values; none where it takes any number in between.
    pub(super) fn values(&self) -> &[Value] {
        match &self.takes {
            Takes::Values(values) => values,
            Takes::Between(_) => &[],
        }
    }

    /// The value at a draw from 0 to 1.
    pub(super) fn at(&self, draw: f64) -> Value {
        match &self.takes {
            Takes::Values(values) => {
                values[((draw * values.len() as f64) as usize).min(values.len() - 1)].clone()
            }
            Takes::Between(range) => range.at(draw),
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

impl Range {
    /// The number at a draw from 0 to 1; real ones with six significant digits, so that people can read them.
    fn at(&self, draw: f64) -> Value {
        let number = match self.is_log {
            true => (self.from.ln() + draw * (self.to.ln() - self.from.ln())).exp(),
            false => self.from + draw * (self.to - self.from),
        };
        match self.is_whole {
            true => Value::Integer(number.round() as i64),
            false => Value::Real(format!("{number:.5e}").parse().expect("a number that was written is read")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::error::Sources;
    use super::super::super::toml;
    use super::*;

    fn axes(text: &str) -> Result<Vec<Axis>, String> {
        let spec = toml::read(&Sources::default(), 0, text).expect("sound TOML");
        let mut axes = Vec::new();
        collect("", &spec, &[], &mut axes).map_err(|error| error.to_string())?;
        Ok(axes)
    }

    fn values(text: &str) -> Vec<String> {
        let axes = axes(text).expect("sound axes");
        axes[0].values().iter().map(|value| format!("{value:?}")).collect()
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
    fn keys_are_quoted_paths_or_tables_in_tables() {
        let keys =
            |text| axes(text).expect("sound axes").into_iter().map(|axis| axis.key).collect::<Vec<_>>();
        assert_eq!(keys("'a.b.c' = [1]\n'a.d' = [2]"), ["a.b.c", "a.d"]);
        assert_eq!(keys("a.b.c = [1]\na.d = {from = 1, to = 2}"), ["a.b.c", "a.d"]);
    }

    #[test]
    fn what_is_no_axis_is_named() {
        let said = |text| axes(text).err().expect("a bad axis");
        assert!(said("a = 1").starts_with("`a` takes a list of values"), "{}", said("a = 1"));
        assert!(said("a = []").ends_with("not an empty list"));
        assert!(said("a = {from = 0, to = 1, scale = 'log'}").contains("needs ends above 0"));
        assert!(said("a = {from = 0, to = 1, steps = 3}").contains("unknown key `steps`"));
        assert!(said("a.name = 'x'").starts_with("`a.name` takes"));
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
}
