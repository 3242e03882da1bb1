//! Specs of every member at the ends of its parameters, and the grounds that operators are tried on.

use std::sync::{Arc, LazyLock};

use kenga_core::fitness::{CageMeasure, Fitness, Guide, Halted, Objective, Scale, Weights};
use kenga_core::problem::{GenomeShape, Problem};
use kenga_core::puzzle::Puzzle;
use kenga_core::puzzle::operators::GIVEN;
use kenga_core::puzzle::{Cage, Futoshiki, Magic, Queens, Square};
use kenga_core::rng::{RunRng, StreamKey};
use kenga_core::search::encodings::{
    AnyEncoding, ENCODINGS, Encoding, encoding_of_genomes, is_of_problems, of_puzzles,
};
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
    Spec::named(name).with(values.iter().map(|(key, value)| named(key, value.clone())))
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
    let mut spec = Spec::named(member.name);
    for param in member.params {
        if param.default == DefaultValue::Required {
            spec.set(named(param.name, ends(param).swap_remove(0)));
        }
    }
    resolve(catalog, &spec)
}

/// Every member with its [settings](settings_of).
pub fn settings(catalog: &dyn Catalog) -> Vec<Spec> {
    catalog.members().into_iter().flat_map(|member| settings_of(catalog, member)).collect()
}

/// The member with its defaults, and with each parameter at each of its ends, resolved.
pub fn settings_of(catalog: &dyn Catalog, member: &Member) -> Vec<Spec> {
    let default = defaults(catalog, member);
    let mut settings = vec![default.clone()];
    for param in member.params {
        for end in ends(param) {
            let mut setting = default.clone();
            setting.set(named(param.name, end));
            settings.push(resolve(catalog, &setting));
        }
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
        ParamKind::Choice(words) => texts(words),
        ParamKind::ChoiceOrInteger(words, low, high) => {
            let mut values = texts(words);
            values.extend([Value::Integer(low), Value::Integer(high.min(low.max(100)))]);
            values
        }
        ParamKind::Flag => vec![Value::Flag(false), Value::Flag(true)],
        ParamKind::Text => vec![Value::Text(String::new())],
        ParamKind::Texts | ParamKind::Choices(_) => vec![Value::List(vec![])],
        ParamKind::List => vec![Value::List(vec![Value::Flag(true)])],
        // Those of problems of one's own hold no puzzle.
        ParamKind::Member(family) if family.family() == ENCODINGS.family() => {
            of_puzzles().into_iter().map(|member| Value::Spec(defaults(family, member))).collect()
        }
        ParamKind::Member(family) => {
            family.members().iter().map(|member| Value::Spec(defaults(family, member))).collect()
        }
        ParamKind::Members(family) => of_puzzles().iter().map(|encoding| some(family, encoding)).collect(),
        ParamKind::Section(_) | ParamKind::Table => vec![Value::Spec(Spec::default())],
    }
}

fn texts(words: &[&str]) -> Vec<Value> {
    words.iter().map(|word| Value::Text((*word).to_owned())).collect()
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
    let mut fitting = Vec::new();
    for member in family.members() {
        let is_plain = !lists_others(member) && has_defaults(member);
        if is_plain && family.fits(&Spec::named(member.name), encoding).is_ok() {
            fitting.push(Value::Text(member.name.to_owned()));
        }
    }
    Value::List(fitting)
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

/// The fitness of a problem whose genomes are worth the more, the lower their values.
pub fn fitness_of_genomes(shape: &GenomeShape) -> Arc<Fitness> {
    let puzzle = Puzzle::of_genome(shape.clone()).expect("a sound shape");
    let objective = Arc::new(Displacement { least: least_genome(shape) });
    let scale = Scale { reference: 0.0, is_optimum: true, resolution: None, maximise: false };
    Arc::new(Fitness::of_objective(Problem::compile(&puzzle), objective, scale))
}

/// How far all genes together are from the lowest values; of permutations, from the order of the numbers.
struct Displacement {
    least: Vec<u8>,
}

impl Objective for Displacement {
    fn evaluate(&self, genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
        for (genome, value) in genomes.chunks_exact(self.least.len()).zip(values) {
            let distances = genome.iter().zip(&self.least).map(|(gene, least)| gene.abs_diff(*least));
            *value = distances.map(f64::from).sum();
        }
        Ok(())
    }
}

/// The genome of the lowest values; of permutations, the numbers in order.
pub fn least_genome(shape: &GenomeShape) -> Vec<u8> {
    match shape {
        GenomeShape::Values(ranges) => ranges.iter().map(|range| range[0]).collect(),
        GenomeShape::Permutations(lengths) => {
            lengths.iter().flat_map(|length| 0..=(length - 1) as u8).collect()
        }
    }
}

/// Genomes of problems of the user's own: of one gene, of one value, of many, of several lines.
pub fn shapes() -> Vec<GenomeShape> {
    vec![
        GenomeShape::Values(vec![[3, 3]]),
        GenomeShape::Values(vec![[0, 1]; 6]),
        GenomeShape::Values(vec![[0, 240], [1, 1], [1, 40], [0, 1], [1, 40]]),
        GenomeShape::Permutations(vec![1]),
        GenomeShape::Permutations(vec![6]),
        GenomeShape::Permutations(vec![40, 1, 3]),
    ]
}

/// Sizes from 1 to 12 (some of them every day), 25, lines with equal givens, and puzzles whose clues overlap, under every
/// setting of kenga's own encodings, and problems of the user's own: built once.
pub fn grounds() -> &'static [Ground] {
    static GROUNDS: LazyLock<Vec<Ground>> = LazyLock::new(|| {
        let mut grounds = Vec::new();
        for name in ["cells", "rows", "cages", "values", "permutation"] {
            grounds.extend(grounds_of(ENCODINGS.member(name).expect("an encoding of kenga's"), 25));
        }
        grounds
    });
    &GROUNDS
}

/// The same puzzles of sizes up to `largest` under every setting of an encoding, or the problems that it is for; without those
/// that it cannot hold.
pub fn grounds_of(encoding: &'static Member, largest: usize) -> Vec<Ground> {
    let mut grounds = Vec::new();
    if is_of_problems(encoding.name) {
        for shape in shapes() {
            if encoding_of_genomes(&shape) == encoding.name {
                let name = format!("genes {}", shape.genes());
                push_grounds(&mut grounds, &name, &fitness_of_genomes(&shape), encoding);
            }
        }
        return grounds;
    }
    let all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 25];
    for size in super::size(vec![1, 2, 3, 4, 6, 9, 25], all.to_vec()) {
        if size <= largest {
            push_grounds(&mut grounds, &format!("size {size}"), &fitness(&kenken(size, 7)), encoding);
        }
    }
    push_grounds(&mut grounds, "equal givens", &fitness(&equal_givens()), encoding);
    // Puzzles whose clues overlap, and whose only line may be the whole grid.
    for size in [2, 5] {
        push_grounds(&mut grounds, &format!("futoshiki {size}"), &fitness(&futoshiki(size)), encoding);
    }
    for size in [3, 4] {
        // No givens: on `cages` a wider part may hold another digit there, which is left to search.
        let magic = Magic::new(size).build().expect("a sound magic square");
        push_grounds(&mut grounds, &format!("magic {size}"), &fitness(&magic), encoding);
    }
    for size in [1, 3, 8] {
        let queens = Queens::new(size).build().expect("a sound board");
        push_grounds(&mut grounds, &format!("queens {size}"), &fitness(&queens), encoding);
    }
    grounds
}

fn futoshiki(size: usize) -> Puzzle {
    let mut less = Vec::new();
    for cell in 1..size * size {
        let (row, column) = (cell / size, cell % size);
        if column != 0 && cell % 3 != 0 {
            less.push([(row, column - 1), (row, column)]);
        }
    }
    let givens = vec![(size - 1, 0, 1)];
    Futoshiki { givens, ..Futoshiki::new(size, less) }.build().expect("a sound Futoshiki")
}

/// Adds the puzzle or problem under every setting of the encoding that can hold it.
fn push_grounds(grounds: &mut Vec<Ground>, name: &str, fitness: &Arc<Fitness>, member: &'static Member) {
    for setting in settings_of(&ENCODINGS, member) {
        let encoding: Box<dyn Basis + Send + Sync> = match ENCODINGS.build(&setting)(Arc::clone(fitness)) {
            Ok(AnyEncoding::Tuples(tuples)) => Box::new(tuples),
            Ok(AnyEncoding::Rows(rows)) => Box::new(rows),
            Err(_) => continue,
        };
        grounds.push(Ground { name: format!("{name}, {}", setting.name), member, encoding });
    }
}

/// A 5x5 whose first row has two 1s and whose second has three 2s, so that no permutation honours them.
fn equal_givens() -> Puzzle {
    let sum = kenga_core::puzzle::operators::find("+").expect("a known operator");
    let digits = [[1, 1, 0, 0, 0], [2, 0, 2, 0, 2], [0; 5], [0, 0, 3, 4, 0], [0; 5]];
    let mut cages = Vec::new();
    for (row, digits) in digits.iter().enumerate() {
        for (column, digit) in digits.iter().enumerate() {
            // No digit makes 99: the cell is free.
            let (operator, target) = if *digit == 0 { (sum, 99) } else { (GIVEN, *digit) };
            cages.push(Cage::new(operator, target, vec![(row, column)]));
        }
    }
    Square::kenken(5, cages).build().expect("a sound puzzle")
}
