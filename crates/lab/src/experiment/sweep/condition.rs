//! A condition between keys: `algorithm.replacement.elitism < algorithm.population`, `algorithm.mutation.name == swap`.

use std::cmp::Ordering;

use crate::experiment::json::at_path;
use crate::experiment::toml::{self, Sources};
use kenga_core::spec::{Named, Place, Spec, SpecError, Value};

/// What a condition looks like.
const EXPECTED: &str = "a condition such as \"algorithm.mutation.name == swap\", with == != < <= > or >=";

/// Two sides and how they compare.
#[derive(Debug)]
pub(super) struct Condition {
    left: String,
    operator: &'static str,
    right: String,
    place: Place,
}

/// A prefix of another operator stands behind it.
const OPERATORS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// Reads the conditions that a key of a table gives; none where the table does not have the key.
///
/// # Errors
/// As [`read_all`].
pub(super) fn entry(spec: &Spec, key: &str, sources: &Sources) -> Result<Vec<Condition>, SpecError> {
    match spec.entry(key) {
        Some(named) => read_all(named, sources),
        None => Ok(Vec::new()),
    }
}

/// Reads what a key gives: a condition, or a list of them that must all hold.
///
/// # Errors
/// [`SpecError::Value`] for what is no condition, at its entry of the list.
fn read_all(named: &Named, sources: &Sources) -> Result<Vec<Condition>, SpecError> {
    let Value::List(conditions) = &named.value else {
        return Ok(vec![Condition::read(&named.key, &named.value, named.place)?]);
    };
    let places = toml::entries(sources, named.place);
    let mut all = Vec::new();
    for (index, value) in conditions.iter().enumerate() {
        let place = places.get(index).copied().unwrap_or(named.place);
        all.push(Condition::read(&named.key, value, place)?);
    }
    Ok(all)
}

/// All conditions hold of a configuration.
///
/// # Errors
/// One that cannot be asked of it.
pub(super) fn all_hold(conditions: &[Condition], spec: &Spec) -> Result<bool, SpecError> {
    for condition in conditions {
        if !condition.holds(spec)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Condition {
    /// Reads the condition that a key gives.
    ///
    /// # Errors
    /// [`SpecError::Value`] when it is none.
    fn read(key: &str, value: &Value, place: Place) -> Result<Self, SpecError> {
        let refusal = |found: String| {
            let (key, expected) = (key.to_owned(), EXPECTED.to_owned());
            SpecError::Value { key, expected, found, place }
        };
        let Value::Text(text) = value else { return Err(refusal(value.kind().to_owned())) };
        let Some((at, operator)) = first_operator(text) else { return Err(refusal(format!("\"{text}\""))) };
        let (left, right) = (text[..at].trim().to_owned(), text[at + operator.len()..].trim().to_owned());
        if !is_side(&left) || !is_side(&right) {
            return Err(refusal(format!("\"{text}\"")));
        }
        Ok(Self { left, operator, right, place })
    }

    /// It looks at the key, at the table that holds it, or at what the key's table holds.
    pub(super) fn asks(&self, key: &str) -> bool {
        [&self.left, &self.right]
            .into_iter()
            .any(|side| side == key || is_inside(side, key) || is_inside(key, side))
    }

    /// Whether it holds of a configuration.
    ///
    /// # Errors
    /// A left side that is no key which the configuration or the sweep sets, or sides that cannot be compared.
    fn holds(&self, spec: &Spec) -> Result<bool, SpecError> {
        let Some(left) = look_up(spec, &self.left) else {
            return Err(self.refuse(
                format!("the condition asks for `{}`, which nothing sets", self.left),
                "set the key in the configuration, if only to its default",
            ));
        };
        let right = look_up(spec, &self.right).unwrap_or_else(|| constant(&self.right));
        let order = match (&left, &right) {
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Flag(a), Value::Flag(b)) => a.cmp(b),
            _ => match (number(&left), number(&right)) {
                // As numbers, for 0 and -0 are one.
                (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
                // Unequal, and neither is the lesser.
                _ if self.operator == "==" => return Ok(false),
                _ if self.operator == "!=" => return Ok(true),
                _ => {
                    let message =
                        format!("`{}` and `{}` are not both numbers, texts or flags", self.left, self.right);
                    return Err(self.refuse(message, "use == or !="));
                }
            },
        };
        Ok(match self.operator {
            "==" => order == Ordering::Equal,
            "!=" => order != Ordering::Equal,
            "<=" => order != Ordering::Greater,
            ">=" => order != Ordering::Less,
            "<" => order == Ordering::Less,
            _ => order == Ordering::Greater,
        })
    }

    fn refuse(&self, message: String, help: &str) -> SpecError {
        SpecError::Conflict { message, help: help.to_owned(), place: self.place }
    }
}

/// The first operator of a text and where it stands; of two that begin there the longer.
fn first_operator(text: &str) -> Option<(usize, &'static str)> {
    let mut first: Option<(usize, &'static str)> = None;
    for operator in OPERATORS {
        if let Some(at) = text.find(operator)
            && first.is_none_or(|(before, _)| at < before)
        {
            first = Some((at, operator));
        }
    }
    first
}

fn is_side(text: &str) -> bool {
    !text.is_empty() && !text.contains(['<', '>', '=', '!', '&', '|'])
}

/// The key stands in the table of the other.
pub(crate) fn is_inside(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'))
}

/// The value of a dotted path; of a table its name.
fn look_up(spec: &Spec, path: &str) -> Option<Value> {
    match at_path(spec, path)? {
        Value::Spec(inner) => Some(Value::Text(inner.name)),
        value => Some(value),
    }
}

/// A side that is no key: a number, a flag or a word.
fn constant(text: &str) -> Value {
    match (text.parse::<f64>(), text) {
        (Ok(number), _) if number.is_finite() => Value::Real(number),
        (_, "true") => Value::Flag(true),
        (_, "false") => Value::Flag(false),
        _ => Value::Text(text.trim_matches(|c| c == '"' || c == '\'').to_owned()),
    }
}

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &str) -> Result<bool, String> {
        let text = "zero = -0.0\nx = 3\ny = 4.5\nflag = true\nm = 'swap'\n[a]\nname = 'genetic'\nsize = 8\n[a.b]\nname = 'redraw'";
        let spec = toml::read(&Sources::default(), 0, text).expect("sound TOML");
        let condition = Value::Text(condition.to_owned());
        let condition = Condition::read("where", &condition, Place::default());
        let condition = condition.map_err(|error| error.to_string())?;
        condition.holds(&spec).map_err(|error| error.to_string())
    }

    #[test]
    fn sides_are_keys_numbers_or_words() {
        let yes = [
            "x < y",
            "x <= 3",
            "x == 3.0",
            "a.size > x",
            "a.name == genetic",
            "a.b == 'redraw'",
            "a.b.name != swap",
            "m == swap",
            "m.name == \"swap\"",
            "flag == true",
            "m != 3",
            "zero == 0",
        ];
        for condition in yes {
            assert_eq!(holds(condition), Ok(true), "{condition}");
        }
        for condition in ["x > y", "x != 3", "a == tabu", "flag == false", "m == 3"] {
            assert_eq!(holds(condition), Ok(false), "{condition}");
        }
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        for bad in ["x", "== 3", "x ==", "x >> 3", "x <> 3", "x === 3", "1 < x < 4", "x > 1 && y > 1"] {
            assert!(holds(bad).is_err_and(|said| said.starts_with("`where` takes a condition")), "{bad}");
        }
        assert!(holds("z == 3").is_err_and(|said| said.contains("`z`, which nothing sets")));
        assert!(holds("m < 3").is_err_and(|said| said.ends_with("are not both numbers, texts or flags")));
    }
    #[test]
    fn one_condition_or_a_list_is_read_and_a_bad_one_is_shown_alone() {
        let read = |text: &str| {
            let mut sources = Sources::default();
            let source = sources.add("a text", text);
            let spec = toml::read(&sources, source, text).expect("sound TOML");
            read_all(&spec.values[0], &sources)
                .map(|all| all.len())
                .map_err(|error| sources.text(error.place()).to_owned())
        };
        assert_eq!(read("where = 'x > 1'"), Ok(1));
        assert_eq!(read("where = ['x > 1', 'x < 3']"), Ok(2));
        assert_eq!(read("where = ['x > 1',  # and\n 'x ~ 3']"), Err("'x ~ 3'".to_owned()));
        assert_eq!(read("where = ['x > 1', 3]"), Err("3".to_owned()));
    }
}
