//! A program with members of its own in every kind of table; they pass the suite. The tables of a process only grow, so that
//! these tests stand in a program of their own.

use std::sync::Arc;

use kenga::Extensions;
use kenga::fitness::Fitness;
use kenga::puzzle::formats::{self, Fault, Format, Span};
use kenga::puzzle::operators::{self, ClueOperator};
use kenga::puzzle::{Cage, Puzzle, Square, check};
use kenga::search::encodings::{AnyEncoding, ENCODINGS, Encoder, EncodingError, Part, Rows, TupleEncoding};
use kenga::search::operators::Variation;
use kenga::search::operators::mutation::{MUTATION, Mutation};
use kenga::search::operators::schedule::rate;
use kenga::search::{Closure, Conflicts, Space};
use kenga::spec::{Builder, Catalog, Member, Spec};

/// Every column is a permutation: `rows`, turned.
static COLUMNS: Builder<Encoder> = Member::new("columns")
    .about("every column is a permutation of the digits")
    .source("a test")
    .encodings(&["rows"])
    .build(|_| {
        Box::new(|fitness: Arc<Fitness>| {
            let problem = fitness.problem();
            let (cells, size) = (problem.cells() as u16, problem.digits() as u16);
            let line = |column: u16| (0..cells).filter(|cell| cell % size == column).collect();
            let lines: Vec<Vec<u16>> = (0..size).map(line).collect();
            Rows::of_lines(fitness, &lines).map(AnyEncoding::Rows)
        })
    });

/// Neighbours in pairs, each of two different digits.
static PAIRS: Builder<Encoder> = Member::new("pairs")
    .about("pairs of neighbours hold two different digits")
    .source("a test")
    .encodings(&["cages"])
    .build(|_| {
        Box::new(|fitness: Arc<Fitness>| {
            let (digits, problem) = (fitness.problem().digits() as u8, fitness.problem());
            let pair = |first: u16| [first, first + 1];
            let tuple = |code: u8| vec![code / digits, code % digits];
            let tuples: Vec<Vec<u8>> = match digits {
                1..16 => (0..digits * digits).map(tuple).filter(|tuple| tuple[0] != tuple[1]).collect(),
                _ => return Err(EncodingError::Unsuitable("`pairs` is for up to 15 digits".to_owned())),
            };
            let is_free =
                |first: &u16| pair(*first).iter().all(|gene| problem.given(usize::from(*gene)).is_none());
            let firsts = (0..problem.cells() as u16 - 1).step_by(2).filter(is_free);
            let part = |first: u16| Part { genes: pair(first).to_vec(), tuples: tuples.clone() };
            let parts: Vec<Part> = if digits > 1 { firsts.map(part).collect() } else { Vec::new() };
            TupleEncoding::of_parts(fitness, &parts).map(AnyEncoding::Tuples)
        })
    });

/// The sum of the squares.
static SQUARES: ClueOperator = ClueOperator::by_rule("sqr", sum_of_squares)
    .about("the squares of the digits add up to the target")
    .aliases(&["squares"])
    .bounded_by(|prefix, rest, low, _, target| {
        squares(prefix) + (rest as i64) * i64::from(low).pow(2) <= target
    })
    .measured_by(|digits, target| squares(digits).abs_diff(target).max(1));

fn sum_of_squares(digits: &[u8], target: i64) -> bool {
    squares(digits) == target
}

fn squares(digits: &[u8]) -> i64 {
    digits.iter().map(|digit| i64::from(*digit).pow(2)).sum()
}

/// `latin 4`: a Latin square without givens.
static LATIN: Format =
    Format::new("latin", "the word latin and a size", |text| text.starts_with("latin "), read).by_lines();

fn read(text: &str) -> Result<(Puzzle, Span), Fault> {
    let size = text.trim_end().strip_prefix("latin ").and_then(|size| size.parse().ok());
    let Some(size @ 1..=9) = size else {
        return Err(Fault::unexpected(
            "a size from 1 to 9",
            format!("`{}`", text.trim_end()),
            0..text.trim_end().len(),
        ));
    };
    let sum = (size * (size + 1) / 2) as i64;
    let plus = operators::find("+").expect("kenga's");
    let row = |row: usize| Cage::new(plus, sum, (0..size).map(|column| (row, column)).collect());
    let square = Square::kenken(size, (0..size).map(row).collect()).build();
    Ok((square.map_err(|defect| Fault::new(defect, 0..5, "expected a square"))?, 0..0))
}

/// Reverses a segment as a whole.
static REVERSE: Builder<Box<dyn Mutation>> = Member::new("reverse")
    .about("reverses a segment")
    .source("a test")
    .encodings(&["rows"])
    .params(&[rate(0.5).about("not read")])
    .build(|_| Box::new(Reverse { closure: |space| Some(Closure::moves(space.genes(), &space.segments)) }));

/// The same, which says that it changes nothing.
static LIAR: Builder<Box<dyn Mutation>> = Member::new("liar")
    .about("reverses a segment and denies it")
    .source("a test")
    .encodings(&["rows"])
    .build(|_| Box::new(Reverse { closure: |space| Some(Closure::copies(space.genes())) }));

struct Reverse {
    closure: fn(&Space) -> Option<Closure>,
}

impl Mutation for Reverse {
    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut kenga::rng::RunRng) {
        if !space.free.is_empty() {
            let segment = space.segment(space.free[rng.below(space.free.len())]);
            for (a, b) in segment.iter().zip(segment.iter().rev()).take(segment.len() / 2) {
                genome.swap(usize::from(*a), usize::from(*b));
            }
        }
    }
}

impl Variation for Reverse {
    fn closure(&self, space: &Space) -> Option<Closure> {
        (self.closure)(space)
    }
}

#[test]
fn an_encoding_of_lines_conforms() {
    kenga_testing::encoding(&COLUMNS);
}

#[test]
fn an_encoding_of_parts_conforms() {
    kenga_testing::encoding(&PAIRS);
}

#[test]
fn an_operator_of_clues_is_read_solved_and_judged() {
    kenga_testing::clue_operator(&SQUARES);
    let clue = operators::find("SQUARES").expect("it was added");
    let cages = vec![Cage::new(clue, 5, vec![(0, 0), (1, 0)]), Cage::new(clue, 5, vec![(0, 1), (1, 1)])];
    let puzzle = Square::kenken(2, cages).build().expect("a sound puzzle");
    let written = formats::write(&puzzle, formats::find("json").expect("a format")).expect("json holds all");
    assert!(written.contains("\"op\":\"sqr\""), "{written}");
    let read = formats::read("again", written.as_bytes()).remove(0).expect("it is read again");
    let grid = kenga::puzzle::Grid::parse("1 2/2 1", 2, 2).expect("a grid");
    assert!(check(&read, &grid).is_solution());
}

#[test]
fn a_format_is_recognised_and_its_errors_show_the_line() {
    kenga_testing::format(&LATIN, &["latin 4\n", "latin 3"]);
    let puzzles = formats::read("squares", b"latin 4\nlatin x\n");
    assert_eq!(puzzles[0].as_ref().expect("a square").rows(), 4);
    let error = puzzles[1].as_ref().expect_err("no size");
    assert_eq!(error.to_string(), "expected a size from 1 to 9, found `latin x`");
}

#[test]
fn a_member_that_breaks_its_promise_is_named_with_what_it_breaks() {
    let broken = std::panic::catch_unwind(|| kenga_testing::mutation(&LIAR)).expect_err("it lies");
    let told = broken.downcast_ref::<String>().expect("a message");
    assert!(told.contains("mutation liar") && told.contains("against the closure"), "{told}");
    // It changes a genome whatever its rate is.
    let broken = std::panic::catch_unwind(|| kenga_testing::mutation(&REVERSE)).expect_err("rate 0");
    let told = broken.downcast_ref::<String>().expect("a message");
    assert!(told.contains("mutation reverse") && told.contains("rate 0"), "{told}");
}

#[test]
fn parts_and_lines_that_are_none_are_refused() {
    let fitness = || kenga_testing::setup::fitness(&kenga_testing::kenken(3, 1));
    let part = |genes: &[u16], tuples: &[&[u8]]| Part {
        genes: genes.to_vec(),
        tuples: tuples.iter().map(|tuple| tuple.to_vec()).collect(),
    };
    for (parts, flaw) in [
        (vec![part(&[], &[])], "part 0 has no genes or no tuples"),
        (vec![part(&[0], &[&[0]]), part(&[9], &[&[0]])], "part 1 has gene 9, which there is not"),
        (vec![part(&[0, 0], &[&[0, 1]])], "part 0 has gene 0 again"),
        (
            vec![part(&[0, 1], &[&[0]])],
            "part 0 has the tuple [0]: expected a rank below 3 for each of its genes",
        ),
        (
            vec![part(&[0], &[&[3]])],
            "part 0 has the tuple [3]: expected a rank below 3 for each of its genes",
        ),
    ] {
        let error = TupleEncoding::of_parts(fitness(), &parts).map(drop).expect_err(flaw);
        assert_eq!(error, EncodingError::Unsuitable(flaw.to_owned()));
    }
    for lines in [vec![vec![0, 1, 2]], vec![vec![0, 1], vec![2, 3, 4, 5, 6, 7, 8]]] {
        let error = Rows::of_lines(fitness(), &lines).map(drop).expect_err("no lines");
        assert!(matches!(error, EncodingError::Unsuitable(_)), "{error}");
    }
}

#[test]
fn names_that_are_taken_are_refused_and_nothing_is_added() {
    static SWAP: Builder<Box<dyn Mutation>> = Member::new("swap").build(|_| unreachable!("it is refused"));
    static FRESH: Builder<Encoder> = Member::new("fresh").build(|_| unreachable!("it is refused"));
    static TAKEN: Extensions = Extensions::new().encodings(&[&FRESH]).mutations(&[&SWAP]);
    let error = TAKEN.install().expect_err("kenga has a swap");
    assert_eq!(
        error.to_string(),
        "there is a mutation named `swap` already: choose another name for the one of your own"
    );
    assert!(ENCODINGS.member("fresh").is_none());
    static TWICE: Extensions = Extensions::new().mutations(&[&REVERSE, &REVERSE]);
    assert_eq!((TWICE.install(), TWICE.install()), (Ok(()), Ok(())));
    let known = MUTATION.members().into_iter().filter(|member| member.name == "reverse").count();
    assert_eq!(known, 1);
    MUTATION.fits(&Spec::named("reverse"), ENCODINGS.member("rows").expect("kenga's")).expect("it says so");
}
