//! Puzzles made to order: a file per kind, two lines each here.
//!
//! A [`Generator`] makes one kind with the parameters that its entry of [`GENERATORS`] describes. [`Series`] numbers
//! what it makes. Every puzzle draws from a stream of its own, keyed by the parameters, the seed and its number: the
//! same order gives the same bytes, and a longer series begins with the shorter one.
//!
//! A new kind is an `ENTRY` and a [`Generator`]; one that is steered towards a difficulty is rules, a `PuzzleDraft` and [`steer::Steered`]
//! (`sudoku.rs` is the shortest example).
//!
//! **Invariant**: which random numbers a kind draws, and in which order, is part of the format. Whatever changes it changes the
//! puzzles of every seed, and wants a line in the changelog.

mod cages;
mod fill;
mod futoshiki;
mod graph;
mod kakuro;
mod kenken;
mod killer;
mod latin_square;
mod order;
mod outlines;
mod quasigroup;
mod steer;
mod sudoku;

use serde_json::{Value as Json, json};
use thiserror::Error;

use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Grid, Puzzle};
use kenga_core::rng::{RunRng, StreamKey};
use kenga_core::spec::{Builder, Catalog, Family, Place, Spec, SpecError};

pub use latin_square::latin_square;
pub use steer::{Advantage, Adversary, Evolution, Measurement};

/// Makes puzzles of one kind.
pub trait Generator: Send + Sync {
    /// The beginning of the ids: the kind and what distinguishes one order from another, `quasigroup-25-42`.
    fn stem(&self) -> String;

    /// What keys the random numbers, besides the seed and the number of the puzzle.
    fn stream(&self) -> String {
        self.stem()
    }

    /// Refuses parameters that do not go together.
    ///
    /// # Errors
    /// What is wrong with them, and what to do.
    fn check(&self) -> Result<(), SpecError> {
        Ok(())
    }

    /// Says whether puzzles differ by their random numbers; else there is only one.
    fn is_random(&self) -> bool {
        true
    }

    /// Makes a puzzle without an id. An interrupt ends long work; what is made then is not what was ordered.
    ///
    /// # Errors
    /// [`Shortfall`] when the puzzle that was ordered was not found with the effort that the generator makes.
    fn make(&self, rng: &mut RunRng, interrupt: &Interrupt) -> Result<Puzzle, Shortfall>;

    /// What evolves such puzzles; `None` where the kind cannot be evolved.
    fn evolver(&self) -> Option<&dyn Evolver> {
        None
    }
}

/// Evolves puzzles of one kind.
pub trait Evolver {
    /// Evolves a puzzle without an id, as ordered, and as hard for some and easy for others as the evolution finds. What an interrupt
    /// has cut short means nothing.
    ///
    /// # Errors
    /// [`Shortfall`] when no puzzle was found that is as it was ordered.
    fn evolve(
        &self,
        evolution: &Evolution<'_>,
        rng: &mut RunRng,
        interrupt: &Interrupt,
    ) -> Result<Puzzle, Shortfall>;
}

/// A puzzle that was ordered and not found.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{id}: not found in {tried} tries: {fault}")]
pub struct Shortfall {
    /// The id that the puzzle would have had; [`Series::make`] sets it.
    pub id: String,
    /// What was tried, as docs/craft.md counts it.
    pub tried: u32,
    /// The best puzzle that was tried, where one had as few solutions as it may have.
    pub nearest: Option<Box<Puzzle>>,
    /// What is wrong with that one, or why there is none, in words: `the nearest is easy, with the score 1.2`.
    pub fault: String,
}

impl Shortfall {
    /// A shortfall without its id.
    fn new(tried: u32, nearest: Option<Puzzle>, fault: String) -> Self {
        Self { id: String::new(), tried, nearest: nearest.map(Box::new), fault }
    }
}

/// Every kind of puzzle that can be made.
pub static GENERATORS: Family<Box<dyn Generator>> = Family::new(
    "generator",
    "what `kenga generate` makes",
    &[
        &kenken::ENTRY,
        &killer::ENTRY,
        &sudoku::ENTRY,
        &kakuro::ENTRY,
        &quasigroup::ENTRY,
        &futoshiki::ENTRY,
        &graph::QUEENS,
        &graph::MYCIELSKI,
        &graph::RANDOM,
    ],
);

/// Puzzles of one kind with the same parameters, numbered from 0.
pub struct Series {
    generator: Box<dyn Generator>,
    order: Spec,
    seed: u64,
    count: usize,
}

impl Series {
    /// The series of `count` puzzles that an order asks for: the name of a generator and its parameters.
    ///
    /// # Errors
    /// An unknown name, a parameter that the generator does not take, a value outside its range, or values that do not go
    /// together; more puzzles than one where all would be the same.
    pub fn new(order: &Spec, seed: u64, count: usize) -> Result<Self, SpecError> {
        let order = GENERATORS.resolve(order, Place::default())?;
        let generator = GENERATORS.build(&order);
        generator.check()?;
        // All would be the same.
        if count > 1 && !generator.is_random() {
            let message = format!("there is only one {}, not {count}", generator.stem());
            return Err(conflict(message, "nothing in it is random: ask for one"));
        }
        Ok(Self { generator, order, seed, count })
    }

    /// The number of puzzles.
    #[expect(clippy::len_without_is_empty, reason = "an empty series is asked for by nobody")]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Makes the puzzle with this number. Its meta holds the generator, its parameters, the seed and the number. After an
    /// interrupt it is to be thrown away.
    ///
    /// # Errors
    /// As [`Generator::make`]; the nearest puzzle has its id and meta, too.
    pub fn make(&self, number: usize, interrupt: &Interrupt) -> Result<Puzzle, Shortfall> {
        let made = self.generator.make(&mut self.rng("craft", number), interrupt);
        match made {
            Ok(puzzle) => Ok(self.labelled(puzzle, number)),
            Err(mut shortfall) => {
                // The generator does not know which number it made.
                shortfall.id = self.id(number);
                shortfall.nearest = shortfall.nearest.map(|puzzle| Box::new(self.labelled(*puzzle, number)));
                Err(shortfall)
            }
        }
    }

    /// The random numbers of a puzzle that is made for a purpose.
    fn rng(&self, purpose: &str, number: usize) -> RunRng {
        let stream = format!("{purpose} {}", self.generator.stream());
        StreamKey::run(self.seed, &stream, number as u64).rng()
    }

    /// Refuses what cannot be evolved.
    ///
    /// # Errors
    /// A kind whose puzzles are not steered, more solutions than one, and grids that leave no choice.
    pub fn check_evolution(&self) -> Result<(), SpecError> {
        let name = &self.order.name;
        if self.generator.evolver().is_none() {
            let help = "kenken, killer, sudoku, kakuro and futoshiki can";
            return Err(conflict(format!("{name} cannot be evolved"), help));
        }
        if self.order.integer_or_absent("max_solutions").is_some_and(|most| most > 1) {
            let help = "leave out --max-solutions";
            return Err(conflict("puzzles that are evolved have one solution".to_owned(), help));
        }
        if let Some(size @ ..=2) = self.order.integer_or_absent("size") {
            let message = format!("a {name} of size {size} leaves nothing to evolve");
            return Err(conflict(message, "ask for size 3 or more"));
        }
        Ok(())
    }

    /// Evolves the puzzle with this number: see [`Evolution`]. Its meta holds what [`make`](Self::make) writes, the effort, and as
    /// `selection` how the puzzle stood when it was chosen. After an interrupt it is to be thrown away.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    ///
    /// # Panics
    /// When [`check_evolution`](Self::check_evolution) refuses the series.
    pub fn evolve(
        &self,
        number: usize,
        evolution: &Evolution<'_>,
        interrupt: &Interrupt,
    ) -> Result<Puzzle, Shortfall> {
        let mut rng = self.rng("evolve", number);
        // An evolved puzzle is another than the one that `make` makes of the number, and has an id of its own.
        let id = format!("{}-{}-{number:03}", self.generator.stem(), evolution.name);
        let evolver = self.generator.evolver().expect("the series was checked");
        match evolver.evolve(evolution, &mut rng, interrupt) {
            Ok(puzzle) => {
                let mut puzzle = self.labelled(puzzle, number);
                puzzle.id = id;
                puzzle.meta.insert("effort".to_owned(), json!(evolution.effort));
                Ok(puzzle)
            }
            Err(shortfall) => Err(Shortfall { id, nearest: None, ..shortfall }),
        }
    }

    /// The id of the puzzle with this number.
    fn id(&self, number: usize) -> String {
        let stem = self.generator.stem();
        // One that is not random is the only one, and needs no number.
        if self.generator.is_random() { format!("{stem}-{number:03}") } else { stem }
    }

    /// A puzzle with its id, and how to make it again.
    fn labelled(&self, mut puzzle: Puzzle, number: usize) -> Puzzle {
        puzzle.meta.insert("generator".to_owned(), json!(self.order.name));
        puzzle.meta.extend(self.order.as_json().into_iter().filter(|(key, _)| key != "name"));
        puzzle.id = self.id(number);
        if self.generator.is_random() {
            puzzle.meta.insert("seed".to_owned(), json!(self.seed));
            puzzle.meta.insert("number".to_owned(), json!(number));
        }
        puzzle
    }
}

/// What keys the random numbers of an order with many parameters: all of them.
fn key(order: &Spec) -> String {
    Json::Object(order.as_json()).to_string()
}

/// The type of the entries of [`GENERATORS`].
type Entry = Builder<Box<dyn Generator>>;

/// Parameters that do not go together, and what to do.
fn conflict(message: String, help: impl Into<String>) -> SpecError {
    SpecError::Conflict { message, help: help.into(), place: Place::default() }
}

/// A value of `key` that does not read as what is expected.
fn refused(key: &str, expected: String, text: &str) -> SpecError {
    let found = format!("\"{text}\"");
    SpecError::Value { key: key.to_owned(), expected, found, place: Place::default() }
}

/// A puzzle without black cells, with its solution, row-major.
fn solved(mut puzzle: Puzzle, digits: &[u8]) -> Puzzle {
    let cells = digits.iter().copied().map(Some).collect();
    puzzle.solution = Some(Grid::from_cells(puzzle.rows(), puzzle.cols(), cells));
    puzzle
}

/// The digits of some cells of a grid.
fn digits_of(grid: &[u8], cells: &[u16]) -> Vec<u8> {
    cells.iter().map(|cell| grid[usize::from(*cell)]).collect()
}

/// Some numbers in random order.
fn shuffled(numbers: std::ops::Range<usize>, rng: &mut RunRng) -> Vec<usize> {
    let mut numbers: Vec<usize> = numbers.collect();
    rng.shuffle(&mut numbers);
    numbers
}

/// A share in percent for an id, without the noise of binary fractions: 0.42 is `42`, 0.425 is `42.5`.
fn percent(share: f64) -> String {
    ((share * 1e12).round() / 1e10).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::{check, formats};
    use kenga_core::spec::{Named, Value};

    /// An order with these parameters.
    pub(super) fn order(name: &str, values: &[(&str, Value)]) -> Spec {
        let mut spec = Spec::named(name);
        for (key, value) in values {
            spec.set(Named::new(*key, value.clone(), Place::default()));
        }
        spec
    }

    fn made(series: &Series, number: usize) -> Puzzle {
        series.make(number, &Interrupt::default()).expect("an order that can be met")
    }

    fn series(count: usize) -> Series {
        let order = order("quasigroup", &[("size", Value::Integer(6)), ("holes", Value::Real(0.425))]);
        Series::new(&order, 7, count).expect("a sound order")
    }

    #[test]
    fn a_longer_series_begins_with_the_shorter_one() {
        let (short, long) = (series(2), series(1000));
        for number in 0..2 {
            assert_eq!(made(&short, number), made(&long, number));
        }
        assert_eq!(made(&short, 1).id, "quasigroup-6-42.5-001");
        assert_eq!(made(&series(10_000), 1234).id, "quasigroup-6-42.5-1234");
        assert_ne!(made(&short, 0).canonical_text(), made(&short, 1).canonical_text());
    }

    #[test]
    fn the_meta_says_how_to_make_the_puzzle_again() {
        let meta = serde_json::Value::Object(made(&series(3), 2).meta);
        let expected = json!({
            "generator": "quasigroup", "size": 6, "holes": 0.425, "balanced": false, "seed": 7, "number": 2
        });
        assert_eq!(meta, expected);
    }

    #[test]
    fn every_generator_makes_sound_puzzles_that_round_trip() {
        for member in GENERATORS.members() {
            let asked: Vec<_> = member.params.iter().filter_map(example).collect();
            let series = Series::new(&order(member.name, &asked), 1, 1).expect("a sound order");
            let puzzle = made(&series, 0);
            let text = formats::canonical(&puzzle);
            let read = formats::read("again", text.as_bytes()).remove(0).expect("it is read back");
            assert_eq!(read, puzzle, "{}", member.name);
            if member.params.iter().any(|param| param.name == "max_solutions") {
                let problem = kenga_core::problem::Problem::compile(&puzzle);
                let limits = kenga_core::solver::Limits::default();
                let outcome =
                    kenga_core::solver::solve(&problem, &limits, &Interrupt::default(), &mut |_| ());
                assert_eq!(outcome.status, kenga_core::solver::Status::Unique, "{}", member.name);
            }
            if let Some(solution) = &puzzle.solution {
                assert!(check(&puzzle, solution).is_solution(), "{}", member.name);
            }
        }
    }

    /// A small value for a parameter that must be given.
    fn example(param: &kenga_core::spec::Param) -> Option<(&'static str, Value)> {
        use kenga_core::spec::{DefaultValue, ParamKind};
        match (param.default, param.kind) {
            (DefaultValue::Required, ParamKind::Integer(..)) => Some((param.name, Value::Integer(5))),
            (DefaultValue::Required, _) => Some((param.name, Value::Real(0.5))),
            _ => None,
        }
    }

    #[test]
    fn what_a_generator_does_not_take_is_refused() {
        let refused = |order: Spec| Series::new(&order, 1, 1).err().expect("a bad order").to_string();
        assert_eq!(refused(order("quasigruop", &[])), "there is no generator named `quasigruop`");
        let size = ("size", Value::Integer(33));
        let holes = ("holes", Value::Real(0.5));
        assert_eq!(
            refused(order("quasigroup", &[size, holes.clone()])),
            "`size` takes a whole number from 1 to 32, not 33"
        );
        let colors = ("colors", Value::Integer(3));
        assert_eq!(
            refused(order("quasigroup", &[holes, colors])),
            "unknown key `colors` in generator `quasigroup`"
        );
    }
}
