//! Futoshiki with one solution: all that a random Latin square says, less what is not needed.
//!
//! ```text
//! a random Latin square; a sign between some of the neighbours; every digit given
//! for every given, then every sign, in random order
//!     leave it out if the solution stays the only one
//!     stop when as many are left as were asked for
//! ```
//!
//! Where a difficulty or techniques are ordered, signs and givens are steered instead: a draft begins with all signs that were
//! ordered. Where another solution differs, a clue is added that it breaks, a sign if there is one; towards an order, clues are
//! added, left out or exchanged.
//!
//! Where nothing else was asked for, none of what is left could be left out: a clue that was needed beside more clues is needed
//! beside fewer. The exact solver proves every step; where a clue is undecided within [`NODES`] decisions, another square is drawn.

use std::sync::Arc;

use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Futoshiki, LessPair, Puzzle, Role, less_pair};
use kenga_core::rng::RunRng;
use kenga_core::solver::{Limits, Status, solve};
use kenga_core::spec::{Member, Param, ParamKind};

use super::order::{AVOID, DIFFICULTY, REQUIRE, Wish};
use super::steer::{Flaws, PuzzleDraft, Steered, Steering, pick, switch_clues};
use super::{Entry, Shortfall, digits_of, latin_square, percent, solved};

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
    .build(|spec| {
        let (size, signs, clues) = (spec.size("size"), spec.real("signs"), spec.size("clues"));
        let rules = FutoshikiRules { size, signs, clues };
        let size = rules.stem();
        let mut kind = Steered::new(spec, &size, |_, _| Ok(rules), make);
        // Where nothing is graded, parameters of grades do not change the puzzle.
        if !kind.is_graded() {
            kind.stream = format!("futoshiki-{size}");
        }
        Box::new(kind)
    });

fn make(rules: &FutoshikiRules, steering: Steering<'_>) -> Result<Puzzle, Shortfall> {
    if steering.has_no_aim() {
        return rules.make(steering.rng, steering.interrupt);
    }
    steering.run(&|rng: &mut RunRng| Some(FutoshikiDraft::begin(rules, rng)))
}

/// What the clues of an order may be.
struct FutoshikiRules {
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

impl FutoshikiRules {
    /// For an id: the size, and what else was asked for.
    fn stem(&self) -> String {
        let mut stem = self.size.to_string();
        if self.signs < 1.0 {
            stem += &format!("-s{}", percent(self.signs));
        }
        if self.clues > 0 {
            stem += &format!("-c{}", self.clues);
        }
        stem
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
            let reduced = reduce(&all, self.clues, rng, interrupt);
            let puzzle = solved(Clues::kept(&all, &reduced.kept).puzzle(self.size), &square);
            if reduced.is_proved || interrupt.is_raised() {
                return Ok(puzzle);
            }
            nearest = Some(puzzle);
        }
        let fault = "the nearest has clues that are not proved to be needed".to_owned();
        Err(Shortfall::new(SQUARES, nearest, fault))
    }
}

/// What is left of the clues of a puzzle.
struct Reduced {
    /// Their groups.
    kept: Vec<usize>,
    /// It is proved that no more could be left out.
    is_proved: bool,
}

/// Leaves out the clues of a puzzle that are not needed, givens first, down to `least`.
fn reduce(puzzle: &Puzzle, least: usize, rng: &mut RunRng, interrupt: &Interrupt) -> Reduced {
    let problem = Problem::compile(puzzle);
    let mut order = Vec::new();
    // Givens go first: signs are what makes a Futoshiki.
    for role in [Role::Given, Role::Group] {
        let mut groups: Vec<usize> = problem.groups_with(role).collect();
        groups.retain(|group| has_clue(&problem, *group));
        rng.shuffle(&mut groups);
        order.extend(groups);
    }
    let mut kept = order.clone();
    kept.sort_unstable();
    let mut is_proved = true;
    for group in order {
        if kept.len() <= least || interrupt.is_raised() {
            return Reduced { kept, is_proved: true };
        }
        let mut fewer = kept.clone();
        fewer.retain(|other| *other != group);
        // A clue that is needed beside more clues is needed beside fewer: each is asked about once.
        match status(&problem.with_only_clues(&fewer), interrupt) {
            Status::Unique => kept = fewer,
            Status::Multiple => {}
            _ => is_proved = false,
        }
    }
    Reduced { kept, is_proved }
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
        let mut clues = Self::default();
        for row in 0..size {
            for column in 0..size {
                let digit = square[row * size + column];
                clues.givens.push((row, column, digit));
                for next in [(row, column + 1), (row + 1, column)] {
                    if next.0 < size && next.1 < size {
                        let is_less = digit < square[next.0 * size + next.1];
                        let here = (row, column);
                        clues.less.push(if is_less { [here, next] } else { [next, here] });
                    }
                }
            }
        }
        // All signs are shuffled, whatever share stays: the draws that follow are the same.
        rng.shuffle(&mut clues.less);
        clues.less.truncate((share * clues.less.len() as f64).round() as usize);
        clues
    }

    /// The clues of some groups of a puzzle.
    fn kept(puzzle: &Puzzle, groups: &[usize]) -> Self {
        let size = puzzle.cols();
        let mut clues = Self::default();
        for group in groups {
            let group = &puzzle.groups()[*group];
            if let Some(pair) = less_pair(puzzle, group) {
                clues.less.push(pair.map(|cell| (cell / size, cell % size)));
            } else if let Some(clue) = group.clue {
                let cell = group.cells[0];
                clues.givens.push((cell / size, cell % size, clue.target as u8));
            }
        }
        clues
    }

    fn puzzle(self, size: usize) -> Puzzle {
        let futoshiki = Futoshiki { givens: self.givens, ..Futoshiki::new(size, self.less) };
        futoshiki.build().expect("neighbours and digits of a Latin square are sound")
    }
}

/// A Futoshiki under construction: a Latin square, and which of its digits and signs are clues.
#[derive(Clone)]
struct FutoshikiDraft {
    size: usize,
    /// The fewest clues that were ordered.
    least: usize,
    solution: Arc<[u8]>,
    /// The puzzle with every clue.
    all: Arc<Puzzle>,
    /// The same compiled.
    problem: Arc<Problem>,
    /// For every group of it, whether it is a clue of the draft.
    is_kept: Vec<bool>,
}

impl FutoshikiDraft {
    /// The draft of a random square with all signs of the order, but no digit.
    fn begin(order: &FutoshikiRules, rng: &mut RunRng) -> Self {
        let square = latin_square(order.size, rng);
        let all = Clues::of(&square, order.size, order.signs, rng).puzzle(order.size);
        let problem = Problem::compile(&all);
        let mut is_kept = vec![false; problem.groups()];
        for sign in problem.groups_with(Role::Group) {
            // Every digit is a clue of the whole puzzle, and none of the draft.
            is_kept[sign] = has_clue(&problem, sign);
        }
        let (size, least) = (order.size, order.clues);
        let (all, problem) = (Arc::new(all), Arc::new(problem));
        Self { size, least, solution: square.into(), all, problem, is_kept }
    }

    /// The clues that stand, or those that could be added.
    fn clues(&self, are_kept: bool) -> Vec<usize> {
        let mut clues: Vec<usize> = (0..self.is_kept.len()).collect();
        clues.retain(|group| self.is_kept[*group] == are_kept && has_clue(&self.problem, *group));
        clues
    }

    /// Adds one of the clues that could be, or leaves one out, near some cells if it can; says whether there was one.
    fn switch(&mut self, near: &[u16], is_kept: bool, rng: &mut RunRng) -> bool {
        let problem = &self.problem;
        let is_near = |group: &usize| problem.cells_of(*group).iter().any(|cell| near.contains(cell));
        let Some(clue) = pick(self.clues(!is_kept), is_near, rng) else { return false };
        self.is_kept[clue] = is_kept;
        true
    }

    /// Says whether a clue rules out a grid.
    fn breaks(&self, group: usize, digits: &[u8]) -> bool {
        let held = digits_of(digits, self.problem.cells_of(group));
        self.problem.rule(group).clue.is_some_and(|clue| !clue.holds(&held))
    }
}

impl PuzzleDraft for FutoshikiDraft {
    fn puzzle(&self) -> Puzzle {
        solved(Clues::kept(&self.all, &self.clues(true)).puzzle(self.size), &self.solution)
    }

    fn solution(&self) -> &[u8] {
        &self.solution
    }

    fn change(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool {
        switch_clues(near, wish, |near, is_kept| self.switch(near, is_kept, rng))
    }

    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool {
        for other in others {
            if self.clues(true).iter().any(|group| self.breaks(*group, other)) {
                continue;
            }
            let mut breaking = self.clues(false);
            breaking.retain(|group| self.breaks(*group, other));
            let mut signs = breaking.clone();
            signs.retain(|group| self.problem.rule(*group).role == Role::Group);
            // Signs are what makes a Futoshiki: a given is the exception.
            let clues = if !signs.is_empty() && rng.coin(0.8) { signs } else { breaking };
            self.is_kept[clues[rng.below(clues.len())]] = true;
        }
        true
    }

    /// Clues that are missing to the number that was ordered.
    fn flaws(&self) -> Flaws {
        let mut flaws = Flaws { wish: Wish::Tighter, ..Flaws::default() };
        let kept = self.clues(true).len();
        let most = kept + self.clues(false).len();
        let missing = self.least.min(most).saturating_sub(kept);
        flaws.add(missing, &[], "fewer clues than were ordered");
        flaws
    }

    fn parts(&self) -> Vec<Vec<u16>> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;
    use crate::generators::tests::order;
    use crate::ladder::{Score, grade};
    use kenga_core::puzzle::check;
    use kenga_core::rng::StreamKey;
    use kenga_core::spec::Value;

    fn make(size: usize, signs: f64, clues: usize) -> Puzzle {
        let mut rng = StreamKey::run(5, "futoshiki", size as u64).rng();
        FutoshikiRules { size, signs, clues }.make(&mut rng, &Interrupt::default()).expect("it can be made")
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
        let puzzle = FutoshikiRules { size: 9, signs: 1.0, clues: 0 }
            .make(&mut rng, &interrupt)
            .expect("it is cut short");
        assert_eq!(puzzle.groups_with(Role::Given).count(), 81);
    }

    #[test]
    fn a_futoshiki_is_as_hard_as_ordered_and_has_one_solution() {
        let easy = Value::Text("easy".to_owned());
        let order = order("futoshiki", &[("size", Value::Integer(5)), ("difficulty", easy)]);
        let series = Series::new(&order, 3, 2).expect("a sound order");
        let puzzle = series.make(1, &Interrupt::default()).expect("there are easy ones");
        let problem = Problem::compile(&puzzle);
        let outcome = solve(&problem, &Limits::default(), &Interrupt::default(), &mut |_| ());
        let tier = grade(&puzzle, &problem, Score(u16::MAX), &Interrupt::default()).tier().name();
        assert_eq!((outcome.status, tier, &*puzzle.id), (Status::Unique, "easy", "futoshiki-5-easy-001"));
    }
}
