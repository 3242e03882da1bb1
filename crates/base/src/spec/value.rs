//! Values of a configuration with their places in its texts.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

/// Where a value stands: a byte range of one of the texts of a configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Index of the text, in the order of reading.
    pub source: usize,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A value of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A table.
    Spec(Spec),
}

/// A key with its value. Two are equal if they say the same, wherever they stand.
#[derive(Clone, Debug)]
pub struct Named {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_place: Place,
    /// The value.
    pub value: Value,
    /// Where the value stands.
    pub place: Place,
}

impl Named {
    /// A key whose value stands at the same place; [`Place::default`] if they stand in no file.
    pub fn new(key: impl Into<String>, value: Value, place: Place) -> Self {
        Self { key: key.into(), key_place: place, value, place }
    }
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

/// A name and named values; the name is empty where a table has none. Two are equal if they say the same, wherever they
/// stand. A clone shares the values with the original.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The value of the key `name`.
    pub name: String,
    /// Where the name, or else the table, stands.
    pub place: Place,
    /// The other keys, in the order of the text.
    pub values: Vec<Arc<Named>>,
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.values == other.values
    }
}

impl Spec {
    /// Every key with its value.
    pub fn as_json(&self) -> Map<String, Json> {
        let mut object = Map::new();
        if !self.name.is_empty() {
            object.insert("name".to_owned(), json!(self.name));
        }
        for named in &self.values {
            note(named, Reading::Value);
            object.insert(named.key.clone(), named.value.as_json());
        }
        object
    }

    /// A spec without values.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// The spec with further keys.
    #[must_use]
    pub fn with(mut self, values: impl IntoIterator<Item = Named>) -> Self {
        self.values.extend(values.into_iter().map(Arc::new));
        self
    }

    /// Takes from another spec the values that are equal, also those of inner tables, so that memory holds them once.
    pub fn share(&mut self, other: &Self) {
        for named in &mut self.values {
            let Some(other) = other.values.iter().find(|other| other.key == named.key) else { continue };
            if named == other {
                named.clone_from(other);
            } else if let Value::Spec(below) = &other.value
                && let Value::Spec(spec) = &mut Arc::make_mut(named).value
            {
                spec.share(below);
            }
        }
    }

    /// The value of a key, with its places.
    pub fn entry(&self, key: &str) -> Option<&Named> {
        let named = self.find(key)?;
        note(named, Reading::Value);
        Some(named)
    }

    fn find(&self, key: &str) -> Option<&Arc<Named>> {
        self.values.iter().find(|named| named.key == key)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.read(key, Reading::Value)
    }

    fn read(&self, key: &str, reading: Reading) -> Option<&Value> {
        let named = self.find(key)?;
        note(named, reading);
        Some(&named.value)
    }

    /// Where a key's value stands; the spec's own place if it is a default.
    pub fn place_of(&self, key: &str) -> Place {
        self.find(key).map_or(self.place, |named| named.place)
    }

    /// Sets a key, replacing its value.
    pub fn set(&mut self, named: Named) {
        match self.values.iter_mut().find(|old| old.key == named.key) {
            Some(old) => *old = Arc::new(named),
            None => self.values.push(Arc::new(named)),
        }
    }

    /// A whole number of a resolved spec.
    ///
    /// # Panics
    /// When the key is not a resolved whole number.
    pub fn integer(&self, key: &str) -> i64 {
        self.integer_or_absent(key).expect("a resolved spec has its numbers")
    }

    /// A whole number of a resolved spec that may be absent.
    pub fn integer_or_absent(&self, key: &str) -> Option<i64> {
        self.whole(key, Reading::Integer)
    }

    fn whole(&self, key: &str, reading: Reading) -> Option<i64> {
        match self.read(key, reading) {
            Some(Value::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// A whole number of a resolved spec whose range begins at 0 or above.
    ///
    /// # Panics
    /// When the key is not a resolved whole number.
    pub fn count(&self, key: &str) -> u64 {
        self.whole(key, Reading::Count).expect("a resolved spec has its numbers").unsigned_abs()
    }

    /// As [`count`](Self::count), a size in memory.
    ///
    /// # Panics
    /// When the key is not a resolved whole number.
    pub fn size(&self, key: &str) -> usize {
        self.size_or_absent(key).expect("a resolved spec has its numbers")
    }

    /// As [`size`](Self::size), of a number that may be absent.
    pub fn size_or_absent(&self, key: &str) -> Option<usize> {
        let number = self.whole(key, Reading::Count)?;
        Some(usize::try_from(number).expect("the range was checked"))
    }

    /// A real number of a resolved spec.
    ///
    /// # Panics
    /// When the key is not a resolved number.
    pub fn real(&self, key: &str) -> f64 {
        self.real_or_absent(key).expect("a resolved spec has its numbers")
    }

    /// A real number of a resolved spec that may be absent.
    pub fn real_or_absent(&self, key: &str) -> Option<f64> {
        match self.read(key, Reading::Real) {
            // `rate = 1` is a real number too.
            Some(Value::Integer(number)) => Some(*number as f64),
            Some(Value::Real(number)) => Some(*number),
            _ => None,
        }
    }

    /// A text of a resolved spec.
    ///
    /// # Panics
    /// When the key is not a resolved text.
    pub fn text(&self, key: &str) -> &str {
        match self.read(key, Reading::Text) {
            Some(Value::Text(text)) => text,
            _ => panic!("a resolved spec has its text `{key}`"),
        }
    }

    /// A flag of a resolved spec.
    ///
    /// # Panics
    /// When the key is not a resolved flag.
    pub fn flag(&self, key: &str) -> bool {
        match self.read(key, Reading::Flag) {
            Some(Value::Flag(flag)) => *flag,
            _ => panic!("a resolved spec has its flag `{key}`"),
        }
    }

    /// The texts of a list; none where the key is absent.
    pub fn texts(&self, key: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for value in self.list(key) {
            if let Value::Text(text) = value {
                texts.push(text.clone());
            }
        }
        texts
    }

    /// The values of a list; none where the key is absent.
    pub fn list(&self, key: &str) -> &[Value] {
        match self.read(key, Reading::List) {
            Some(Value::List(values)) => values,
            _ => &[],
        }
    }

    /// The specs of a list in a resolved spec; none where the key is absent.
    pub fn specs(&self, key: &str) -> impl Iterator<Item = &Self> {
        self.list(key)
            .iter()
            .filter_map(|value| if let Value::Spec(spec) = value { Some(spec) } else { None })
    }

    /// A spec inside a resolved spec.
    ///
    /// # Panics
    /// When the key is not a resolved spec.
    pub fn spec(&self, key: &str) -> &Self {
        match self.read(key, Reading::Spec) {
            Some(Value::Spec(spec)) => spec,
            _ => panic!("a resolved spec has its table `{key}`"),
        }
    }
}

impl Value {
    /// The value as JSON.
    pub fn as_json(&self) -> Json {
        match self {
            Self::Flag(flag) => json!(flag),
            Self::Integer(number) => json!(number),
            Self::Real(number) => json!(number),
            Self::Text(text) => json!(text),
            Self::List(values) => values.iter().map(Self::as_json).collect(),
            Self::Spec(spec) => Json::Object(spec.as_json()),
        }
    }

    /// What kind of value this is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Flag(_) => "a flag",
            Self::Integer(_) => "a whole number",
            Self::Real(_) => "a real number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Spec(_) => "a table",
        }
    }
}

/// The kind of value that code takes a key for; see [`record_reads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Any: the code looks at the kind.
    Value,
    /// A whole number.
    Integer,
    /// A whole number from 0.
    Count,
    /// A real number.
    Real,
    /// A text.
    Text,
    /// A flag.
    Flag,
    /// A list.
    List,
    /// A table.
    Spec,
}

/// Values with what each was taken for.
type Reads = Vec<(Arc<Named>, Reading)>;

thread_local! {
    static READS: RefCell<Option<Reads>> = const { RefCell::new(None) };
}

/// Notes that code reads a value.
fn note(named: &Arc<Named>, reading: Reading) {
    READS.with_borrow_mut(|reads| {
        if let Some(reads) = reads {
            reads.push((Arc::clone(named), reading));
        }
    });
}

/// Does work, and lists the values that it reads on this thread, with what each was taken for: a test compares them with the
/// parameters of the tables. No loop of a run reads a spec.
pub fn record_reads<T>(work: impl FnOnce() -> T) -> (T, Reads) {
    READS.set(Some(Vec::new()));
    let result = work();
    (result, READS.take().unwrap_or_default())
}
