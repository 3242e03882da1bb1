//! Futoshiki with one solution: all that a random Latin square says, less what is not needed.
//!
//! ```text
//! a random Latin square; a sign between some of the neighbours; every digit given
//! for every given, then every sign, in random order
//!     leave it out if the solution stays the only one
//!     stop when as many are left as were asked for
//! ```
//!
//! Where a difficulty or techniques are ordered, signs and givens are steered instead (`draft.rs`).
//!
//! Where nothing else was asked for, none of what is left could be left out: a clue that was needed beside more clues is needed
//! beside fewer. The exact solver proves every step; where a clue is undecided within [`NODES`] decisions, another square is drawn.

mod draft;

use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Futoshiki, Grid, LessPair, Puzzle, Role, less_pair};
use kenga_core::rng::RunRng;
use kenga_core::solver::{Limits, Status, solve};
use kenga_core::spec::{Member, Param, ParamKind, Spec, SpecError};

use super::order::{AVOID, DIFFICULTY, Order, REQUIRE};
use super::steer::{Evolution, Steering};
use super::{Entry, Evolver, Generator, Shortfall, key, latin_square, percent};
use draft::FutoshikiDraft;

/// Decisions of the solver for the question whether a clue is needed.
const NODES: u64 = 20_000;

/// Squares that are tried for a puzzle without a clue to spare.
const SQUARES: u32 = 20;

pub(super) static ENTRY: Entry = Member::new("futoshiki")
    .about("a Futoshiki with one solution; unless clues or a difficulty are ordered, none of its clues can be left out")
    .params(&[
        Param::required("size", ParamKind::Integer(1, 9)).about("rows, columns and digits"),
        Param::real("signs", 0.0..=1.0, 1.0)
            .about("share of the neighbours that may have a sign between them"),
        Param::integer("clues", 0..=1000, 0)
            .about("how many givens and signs to leave at least, where that is more than are needed"),
        DIFFICULTY,
        REQUIRE,
        AVOID,
    ])
    .build(|spec| Box::new(Ordered::of(spec)));

/// A Futoshiki as it was ordered.
struct Ordered {
    clues: Generated,
    order: Result<Order, SpecError>,
    stream: String,
}

impl Ordered {
    fn of(spec: &Spec) -> Self {
        let size = spec.integer("size") as usize;
        let clues = Generated { size, signs: spec.real("signs"), clues: spec.integer("clues") as usize };
        let order = Order::of(spec);
        let is_graded = order.as_ref().is_ok_and(Order::is_graded);
        let stream = if is_graded { key(spec) } else { clues.stem() };
        Self { clues, order, stream }
    }

    fn steered(&self, steering: Steering<'_>) -> Result<Puzzle, Shortfall> {
        steering.run(|rng: &mut RunRng| Some(FutoshikiDraft::begin(&self.clues, rng)))
    }
}

impl Generator for Ordered {
    fn stem(&self) -> String {
        self.clues.stem() + self.order.as_ref().map_or("", Order::stem)
    }

    fn stream(&self) -> String {
        self.stream.clone()
    }

    fn check(&self) -> Result<(), SpecError> {
        self.order.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn make(&self, rng: &mut RunRng, interrupt: &Interrupt) -> Result<Puzzle, Shortfall> {
        let order = self.order.as_ref().expect("the order was checked");
        if !order.is_graded() {
            return self.clues.make(rng, interrupt);
        }
        self.steered(Steering::new(order, rng, interrupt))
    }

    fn evolver(&self) -> Option<&dyn Evolver> {
        Some(self)
    }
}

impl Evolver for Ordered {
    fn evolve(
        &self,
        evolution: &Evolution<'_>,
        rng: &mut RunRng,
        interrupt: &Interrupt,
    ) -> Result<Puzzle, Shortfall> {
        let order = self.order.as_ref().expect("the order was checked");
        self.steered(Steering::new(order, rng, interrupt).evolving(evolution))
    }
}

struct Generated {
    size: usize,
    /// The share of the neighbours that may have a sign.
    signs: f64,
    /// The clues to leave at least.
    clues: usize,
}

/// Givens and signs of a Latin square.
#[derive(Clone, Debug, Default)]
struct Clues {
    givens: Vec<(usize, usize, u8)>,
    less: Vec<LessPair>,
}

impl Generated {
    /// For an id: the size, and what else was asked for.
    fn stem(&self) -> String {
        let signs = if self.signs < 1.0 { format!("-s{}", percent(self.signs)) } else { String::new() };
        let clues = if self.clues > 0 { format!("-c{}", self.clues) } else { String::new() };
        format!("futoshiki-{}{signs}{clues}", self.size)
    }

    /// Makes a puzzle from which no more than was asked for can be left out.
    ///
    /// # Errors
    /// [`Shortfall`] when that is not proved of any of [`SQUARES`].
    fn make(&self, rng: &mut RunRng, interrupt: &Interrupt) -> Result<Puzzle, Shortfall> {
        let mut nearest = None;
        for _ in 0..SQUARES {
            let square = latin_square(self.size, rng);
            let all = Clues::of(&square, self.size, self.signs, rng).puzzle(self.size);
            let (kept, is_proved) = reduce(&all, self.clues, rng, interrupt);
            let mut puzzle = Clues::kept(&all, &kept).puzzle(self.size);
            let digits = square.into_iter().map(Some).collect();
            puzzle.solution = Some(Grid::from_cells(self.size, self.size, digits));
            if is_proved || interrupt.is_raised() {
                return Ok(puzzle);
            }
            nearest = Some(Box::new(puzzle));
        }
        let fault = "the nearest has clues that are not proved to be needed".to_owned();
        Err(Shortfall { id: String::new(), tried: SQUARES, nearest, fault })
    }
}

/// The groups of a puzzle that are left when those that are not needed are left out, givens first, down to `least`; and whether
/// it is proved that no more could be.
fn reduce(puzzle: &Puzzle, least: usize, rng: &mut RunRng, interrupt: &Interrupt) -> (Vec<usize>, bool) {
    let problem = Problem::compile(puzzle);
    let mut shuffled = |role: Role| {
        let mut groups: Vec<usize> =
            problem.groups_with(role).filter(|group| has_clue(&problem, *group)).collect();
        rng.shuffle(&mut groups);
        groups
    };
    let mut order = shuffled(Role::Given);
    order.extend(shuffled(Role::Group));
    let mut kept = order.clone();
    kept.sort_unstable();
    let mut is_proved = true;
    for group in order {
        if kept.len() <= least || interrupt.is_raised() {
            return (kept, true);
        }
        let fewer: Vec<usize> = kept.iter().copied().filter(|other| *other != group).collect();
        match status(&problem.with_only_clues(&fewer), interrupt) {
            Status::Unique => kept = fewer,
            Status::Multiple => {}
            _ => is_proved = false,
        }
    }
    (kept, is_proved)
}

fn has_clue(problem: &Problem, group: usize) -> bool {
    problem.rule(group).clue.is_some()
}

/// What the solver says within [`NODES`].
fn status(problem: &Problem, interrupt: &Interrupt) -> Status {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    solve(problem, &limits, interrupt, &mut |_| ()).status
}

impl Clues {
    /// Every digit of a square, and the signs between a share of its neighbours.
    fn of(square: &[u8], size: usize, share: f64, rng: &mut RunRng) -> Self {
        let cells = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        let digit = |(row, column): (usize, usize)| square[row * size + column];
        let beside = |(row, column): (usize, usize)| {
            let next = [(row, column + 1), (row + 1, column)].into_iter();
            next.filter(|next| next.0 < size && next.1 < size).map(move |next| [(row, column), next])
        };
        let ordered =
            |[one, other]: LessPair| if digit(one) < digit(other) { [one, other] } else { [other, one] };
        let mut less: Vec<LessPair> = cells.clone().flat_map(beside).map(ordered).collect();
        rng.shuffle(&mut less);
        less.truncate((share * less.len() as f64).round() as usize);
        Self { givens: cells.map(|cell| (cell.0, cell.1, digit(cell))).collect(), less }
    }

    /// The clues of some groups of a puzzle.
    fn kept(puzzle: &Puzzle, groups: &[usize]) -> Self {
        let size = puzzle.cols();
        let place = |cell: usize| (cell / size, cell % size);
        let mut clues = Self::default();
        for group in groups.iter().map(|group| &puzzle.groups()[*group]) {
            match (less_pair(puzzle, group), group.clue) {
                (Some(pair), _) => clues.less.push(pair.map(place)),
                (None, Some(clue)) => {
                    let (row, column) = place(group.cells[0]);
                    clues.givens.push((row, column, clue.target as u8));
                }
                (None, None) => {}
            }
        }
        clues
    }

    fn puzzle(self, size: usize) -> Puzzle {
        let futoshiki = Futoshiki { givens: self.givens, ..Futoshiki::new(size, self.less) };
        futoshiki.build().expect("neighbours and digits of a Latin square are sound")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::check;
    use kenga_core::rng::StreamKey;

    fn make(size: usize, signs: f64, clues: usize) -> Puzzle {
        let mut rng = StreamKey::run(5, "futoshiki", size as u64).rng();
        Generated { size, signs, clues }.make(&mut rng, &Interrupt::default()).expect("it can be made")
    }

    /// The groups with a clue.
    fn clues(problem: &Problem) -> Vec<usize> {
        (0..problem.groups()).filter(|group| has_clue(problem, *group)).collect()
    }

    #[test]
    fn there_is_one_solution_and_every_clue_is_needed() {
        for (size, signs) in [(1, 1.0), (2, 1.0), (4, 1.0), (5, 0.3), (6, 1.0), (5, 0.0)] {
            let puzzle = make(size, signs, 0);
            assert!(check(&puzzle, puzzle.solution.as_ref().expect("a square")).is_solution());
            let problem = Problem::compile(&puzzle);
            assert_eq!(status(&problem, &Interrupt::default()), Status::Unique);
            for left_out in clues(&problem) {
                let rest: Vec<usize> = clues(&problem).into_iter().filter(|clue| *clue != left_out).collect();
                let status = status(&problem.with_only_clues(&rest), &Interrupt::default());
                assert_eq!(status, Status::Multiple, "{size} {signs}");
            }
        }
    }

    #[test]
    fn signs_are_drawn_and_clues_left_as_asked() {
        assert_eq!(make(5, 0.0, 0).groups_with(Role::Group).count(), 0);
        assert!(make(6, 0.25, 0).groups_with(Role::Group).count() <= 15);
        assert_eq!(clues(&Problem::compile(&make(5, 1.0, 40))).len(), 40);
        // All there are: 25 digits and 40 signs.
        assert_eq!(clues(&Problem::compile(&make(5, 1.0, 1000))).len(), 65);
    }

    #[test]
    fn an_interrupt_ends_the_work() {
        let interrupt = Interrupt::default();
        interrupt.raise(2);
        let mut rng = StreamKey::run(5, "futoshiki", 0).rng();
        let puzzle =
            Generated { size: 9, signs: 1.0, clues: 0 }.make(&mut rng, &interrupt).expect("it is cut short");
        assert_eq!(puzzle.groups_with(Role::Given).count(), 81);
    }
}
