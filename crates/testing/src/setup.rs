//! Specs of every member at the ends of its parameters, and the grounds that operators are tried on.

use std::sync::{Arc, LazyLock};

use kenga_core::fitness::{CageMeasure, Fitness, Guide, Weights};
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::puzzle::operators::GIVEN;
use kenga_core::puzzle::{Cage, Futoshiki, Magic, Queens, Square};
use kenga_core::rng::{RunRng, StreamKey};
use kenga_core::search::encodings::{AnyEncoding, ENCODINGS, Encoding};
use kenga_core::search::neighbourhood::Neighbourhood;
use kenga_core::search::{Conflicts, Space};
use kenga_core::spec::{Catalog, DefaultValue, Member, Named, Param, ParamKind, Place, Spec, Value};

use super::kenken;

/// The generator of a test.
pub fn rng(name: &str) -> RunRng {
    StreamKey::run(1, name, 0).rng()
}

/// A value under a key, without a place.
pub fn named(key: &str, value: Value) -> Named {
    Named::new(key, value, Place::default())
}

/// A name with values.
pub fn spec(name: &str, values: &[(&str, Value)]) -> Spec {
    let values = values.iter().map(|(key, value)| named(key, value.clone())).collect();
    Spec { values, ..Spec::named(name) }
}

/// The spec, checked against its family and with its defaults.
///
/// # Panics
/// When the family refuses it.
pub fn resolve(catalog: &dyn Catalog, spec: &Spec) -> Spec {
    let outcome = catalog.resolve(spec, Place::default());
    outcome.unwrap_or_else(|error| panic!("{} `{}`: {error}", catalog.family(), spec.name))
}

/// The member with its defaults, resolved; keys that must be there get a value.
pub fn defaults(catalog: &dyn Catalog, member: &Member) -> Spec {
    let required = member.params.iter().filter(|param| param.default == DefaultValue::Required);
    let values = required.map(|param| named(param.name, ends(param).swap_remove(0))).collect();
    resolve(catalog, &Spec { values, ..Spec::named(member.name) })
}

/// Every member with its [settings](settings_of).
pub fn settings(catalog: &dyn Catalog) -> Vec<Spec> {
    catalog.members().into_iter().flat_map(|member| settings_of(catalog, member)).collect()
}

/// The member with its defaults, and with each parameter at each of its ends, resolved.
pub fn settings_of(catalog: &dyn Catalog, member: &Member) -> Vec<Spec> {
    let default = defaults(catalog, member);
    let mut settings = vec![default.clone()];
    for (param, value) in
        member.params.iter().flat_map(|param| ends(param).into_iter().map(move |end| (param, end)))
    {
        let mut setting = default.clone();
        setting.set(named(param.name, value));
        settings.push(resolve(catalog, &setting));
    }
    settings
}

/// Values of a parameter: its ends (large ones cut to 100), every word, every member.
fn ends(param: &Param) -> Vec<Value> {
    match param.kind {
        ParamKind::Integer(low, high) => vec![Value::Integer(low), Value::Integer(high.min(low.max(100)))],
        ParamKind::Real(low, high) => vec![Value::Real(low), Value::Real(high.min(low.max(100.0)))],
        ParamKind::Scheduled(low, high, family) => {
            let (low, high) = (Value::Real(low), Value::Real(high.min(low.max(100.0))));
            let falling = resolve(family, &spec("linear", &[("from", high.clone()), ("to", low.clone())]));
            vec![low, high, Value::Spec(falling)]
        }
        ParamKind::Choice(words) => words.iter().map(|word| Value::Text((*word).to_owned())).collect(),
        ParamKind::ChoiceOrInteger(words, low, high) => {
            let words = words.iter().map(|word| Value::Text((*word).to_owned()));
            words.chain([Value::Integer(low), Value::Integer(high.min(low.max(100)))]).collect()
        }
        ParamKind::Flag => vec![Value::Flag(false), Value::Flag(true)],
        ParamKind::Text => vec![Value::Text(String::new())],
        ParamKind::Texts | ParamKind::Choices(_) => vec![Value::List(vec![])],
        ParamKind::List => vec![Value::List(vec![Value::Flag(true)])],
        ParamKind::Member(family) => {
            family.members().iter().map(|member| Value::Spec(defaults(family, member))).collect()
        }
        ParamKind::Members(family) => {
            ENCODINGS.members().iter().map(|encoding| some(family, encoding)).collect()
        }
        ParamKind::Section(_) | ParamKind::Table => vec![Value::Spec(Spec::default())],
    }
}

/// The member has a list of others.
pub fn lists_others(member: &Member) -> bool {
    member.params.iter().any(|param| matches!(param.kind, ParamKind::Members(_)))
}

/// The member needs no key; one that does is no operator or algorithm of kenga's own.
pub fn has_defaults(member: &Member) -> bool {
    member.params.iter().all(|param| param.default != DefaultValue::Required)
}

/// A list of all members that work on an encoding, list none themselves and need no key.
fn some(family: &dyn Catalog, encoding: &Member) -> Value {
    let fitting = family.members().into_iter().filter(|member| {
        !lists_others(member)
            && has_defaults(member)
            && family.fits(&Spec::named(member.name), encoding).is_ok()
    });
    Value::List(fitting.map(|member| Value::Text(member.name.to_owned())).collect())
}

/// A puzzle under an encoding.
pub struct Ground {
    /// The puzzle and the encoding, in words.
    pub name: String,
    /// The encoding's entry in its table.
    pub member: &'static Member,
    /// The encoding.
    pub encoding: Box<dyn Basis + Send + Sync>,
}

/// What operators are tried on: an encoding without its moves.
pub trait Basis {
    /// See [`Encoding::fitness`].
    fn fitness(&self) -> &Fitness;

    /// See [`Encoding::space`].
    fn space(&self) -> &Space;

    /// See [`Encoding::init`].
    fn init(&self, genome: &mut [u8], rng: &mut RunRng);

    /// See [`Encoding::evaluate`].
    fn evaluate(&self, genome: &[u8]) -> u32;

    /// The conflicts of a genome.
    fn conflicts(&self, genome: &[u8]) -> Conflicts;
}

impl<E: Encoding> Basis for E {
    fn fitness(&self) -> &Fitness {
        Encoding::fitness(self)
    }

    fn space(&self) -> &Space {
        Encoding::space(self)
    }

    fn init(&self, genome: &mut [u8], rng: &mut RunRng) {
        Encoding::init(self, genome, rng);
    }

    fn evaluate(&self, genome: &[u8]) -> u32 {
        Encoding::evaluate(self, genome)
    }

    fn conflicts(&self, genome: &[u8]) -> Conflicts {
        let (mut near, mut conflicts) = (self.neighbourhood(Guide::PLAIN), Conflicts::default());
        near.tally_mut().place(genome);
        conflicts.read(near.tally(), Encoding::space(self));
        conflicts
    }
}

/// The fitness with the weights of the original.
pub fn fitness(puzzle: &Puzzle) -> Arc<Fitness> {
    let problem = Problem::compile(puzzle);
    Arc::new(Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights"))
}

/// Sizes from 1 to 12 (some of them every day), 25, lines with equal givens, and puzzles whose clues overlap, under every
/// setting of kenga's own encodings: built once.
pub fn grounds() -> &'static [Ground] {
    static GROUNDS: LazyLock<Vec<Ground>> = LazyLock::new(|| {
        let own =
            ["cells", "rows", "cages"].map(|name| ENCODINGS.member(name).expect("an encoding of kenga's"));
        own.into_iter().flat_map(|encoding| grounds_of(encoding, 25)).collect()
    });
    &GROUNDS
}

/// The same puzzles of sizes up to `largest` under every setting of an encoding; without those that it cannot hold.
pub fn grounds_of(encoding: &'static Member, largest: usize) -> Vec<Ground> {
    let every = (1..=12).chain([25]).collect();
    let mut sizes = super::size(vec![1, 2, 3, 4, 6, 9, 25], every);
    sizes.retain(|size| *size <= largest);
    let puzzles = sizes.into_iter().map(|size| (format!("size {size}"), kenken(size, 7)));
    puzzles
        .chain([("equal givens".to_owned(), equal_givens())])
        .chain(of_other_kinds())
        .flat_map(|(name, puzzle)| on(&name, &puzzle, encoding))
        .collect()
}

/// Puzzles whose clues overlap, and whose only line may be the whole grid.
fn of_other_kinds() -> impl Iterator<Item = (String, Puzzle)> {
    let futoshiki = |size: usize| {
        let less = (1..size * size).filter(|cell| cell % size != 0 && cell % 3 != 0);
        let less = less.map(|cell| [(cell / size, cell % size - 1), (cell / size, cell % size)]).collect();
        let givens = vec![(size - 1, 0, 1)];
        Futoshiki { givens, ..Futoshiki::new(size, less) }.build().expect("a sound Futoshiki")
    };
    // No givens: on `cages` a wider part may hold another digit there, which is left to search.
    let magic = |size: usize| Magic::new(size).build().expect("a sound magic square");
    let queens = |size: usize| Queens::new(size).build().expect("a sound board");
    let named = |kind: &str, size: usize, puzzle: Puzzle| (format!("{kind} {size}"), puzzle);
    let futoshiki = [2, 5].map(|size| named("futoshiki", size, futoshiki(size)));
    let magic = [3, 4].map(|size| named("magic", size, magic(size)));
    let queens = [1, 3, 8].map(|size| named("queens", size, queens(size)));
    futoshiki.into_iter().chain(magic).chain(queens)
}

fn on(name: &str, puzzle: &Puzzle, member: &'static Member) -> Vec<Ground> {
    let fitness = fitness(puzzle);
    let ground = |setting: &Spec| {
        let encoding: Box<dyn Basis + Send + Sync> =
            match ENCODINGS.build(setting)(Arc::clone(&fitness)).ok()? {
                AnyEncoding::Tuples(tuples) => Box::new(tuples),
                AnyEncoding::Rows(rows) => Box::new(rows),
            };
        Some(Ground { name: format!("{name}, {}", setting.name), member, encoding })
    };
    settings_of(&ENCODINGS, member).iter().filter_map(ground).collect()
}

/// A 5x5 whose first row has two 1s and whose second has three 2s, so that no permutation honours them.
fn equal_givens() -> Puzzle {
    let sum = kenga_core::puzzle::operators::find("+").expect("a known operator");
    let digits = [[1, 1, 0, 0, 0], [2, 0, 2, 0, 2], [0; 5], [0, 0, 3, 4, 0], [0; 5]];
    let cages = digits.iter().enumerate().flat_map(|(row, digits)| {
        let given = move |(column, digit): (usize, &i64)| match digit {
            // A target that no digit makes: the cell is free.
            0 => Cage::new(sum, 99, vec![(row, column)]),
            digit => Cage::new(GIVEN, *digit, vec![(row, column)]),
        };
        digits.iter().enumerate().map(given)
    });
    Square::kenken(5, cages.collect()).build().expect("a sound puzzle")
}
