//! A condition between keys: `algorithm.elitism < algorithm.population`, `algorithm.mutation.name == swap`.

use std::cmp::Ordering;

use crate::spec::{Named, Place, Spec, SpecError, Value};

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

/// Those that others begin with come later.
const OPERATORS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// Reads a list of conditions, all of which must hold.
///
/// # Errors
/// [`SpecError::Value`] for what is no condition.
pub(super) fn read_all(named: &Named) -> Result<Vec<Condition>, SpecError> {
    let Value::List(conditions) = &named.value else {
        let (key, expected) = (named.key.clone(), "a list of conditions".to_owned());
        let found = named.value.kind().to_owned();
        return Err(SpecError::Value { key, expected, found, place: named.place });
    };
    conditions.iter().map(|value| Condition::of(&Named { value: value.clone(), ..named.clone() })).collect()
}

impl Condition {
    /// Reads the condition that a key gives.
    ///
    /// # Errors
    /// [`SpecError::Value`] when it is none.
    pub(super) fn of(named: &Named) -> Result<Self, SpecError> {
        match &named.value {
            Value::Text(text) => Self::read(text, named.place),
            other => {
                let (key, expected) = (named.key.clone(), EXPECTED.to_owned());
                Err(SpecError::Value { key, expected, found: other.kind().to_owned(), place: named.place })
            }
        }
    }

    /// Reads a condition.
    ///
    /// # Errors
    /// [`SpecError::Value`] when it is none.
    fn read(text: &str, place: Place) -> Result<Self, SpecError> {
        let found = OPERATORS.iter().filter_map(|operator| Some((text.find(operator)?, *operator)));
        let sides = found.min_by_key(|(at, operator)| (*at, 2 - operator.len())).map(|(at, operator)| {
            (text[..at].trim().to_owned(), operator, text[at + operator.len()..].trim().to_owned())
        });
        match sides {
            Some((left, operator, right)) if !left.is_empty() && !right.is_empty() => {
                Ok(Self { left, operator, right, place })
            }
            _ => {
                let (key, expected) = ("the condition".to_owned(), EXPECTED.to_owned());
                Err(SpecError::Value { key, expected, found: format!("\"{text}\""), place })
            }
        }
    }

    /// Whether it holds of a configuration.
    ///
    /// # Errors
    /// A left side that is no key which the configuration or the sweep sets, or sides that cannot be compared.
    pub(super) fn holds(&self, spec: &Spec) -> Result<bool, SpecError> {
        let Some(left) = look_up(spec, &self.left) else {
            return Err(self.refuse(
                format!("the condition asks for `{}`, which nothing sets", self.left),
                "set the key in the configuration, where its default would do too",
            ));
        };
        let right = look_up(spec, &self.right).unwrap_or_else(|| constant(&self.right));
        let order = match (&left, &right) {
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Flag(a), Value::Flag(b)) => a.cmp(b),
            _ => match (number(&left), number(&right)) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                // Unequal, and neither is the lesser.
                _ if self.operator == "==" => return Ok(false),
                _ if self.operator == "!=" => return Ok(true),
                _ => {
                    let message = format!("`{}` and `{}` cannot be compared by size", self.left, self.right);
                    return Err(self.refuse(message, "numbers can, with numbers"));
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

/// The value of a dotted path; of a table its name.
fn look_up(spec: &Spec, path: &str) -> Option<Value> {
    let mut spec = spec;
    let mut keys = path.split('.').peekable();
    while let Some(key) = keys.next() {
        let is_last = keys.peek().is_none();
        match spec.get(key) {
            Some(Value::Spec(inner)) if !is_last => spec = inner,
            Some(Value::Spec(inner)) => return Some(Value::Text(inner.name.clone())),
            // A member by its bare name.
            Some(Value::Text(name)) if keys.next() == Some("name") && keys.peek().is_none() => {
                return Some(Value::Text(name.clone()));
            }
            Some(value) if is_last => return Some(value.clone()),
            None if is_last && key == "name" && !spec.name.is_empty() => {
                return Some(Value::Text(spec.name.clone()));
            }
            _ => return None,
        }
    }
    None
}

/// A side that is no key: a number, a flag or a word.
fn constant(text: &str) -> Value {
    match (text.parse::<f64>(), text) {
        (Ok(number), _) => Value::Real(number),
        (_, "true") => Value::Flag(true),
        (_, "false") => Value::Flag(false),
        _ => Value::Text(text.trim_matches(|c| c == '"' || c == '\'').to_owned()),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::error::Sources;
    use super::super::super::toml;
    use super::*;

    fn holds(condition: &str) -> Result<bool, String> {
        let text = "x = 3\ny = 4.5\nflag = true\nm = 'swap'\n[a]\nname = 'genetic'\nsize = 8\n[a.b]\nname = 'redraw'";
        let spec = toml::read(&Sources::default(), 0, text).expect("sound TOML");
        let condition = Condition::read(condition, Place::default()).map_err(|error| error.to_string())?;
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
        assert!(holds("x").is_err_and(|said| said.starts_with("`the condition` takes")));
        assert!(holds("== 3").is_err());
        assert!(holds("z == 3").is_err_and(|said| said.contains("`z`, which nothing sets")));
        assert!(holds("m < 3").is_err_and(|said| said.ends_with("cannot be compared by size")));
    }
}
