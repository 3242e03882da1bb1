//! KenKen: a random Latin square, divided into cages until it is the only solution (`steer.rs`, `cages/`).

use crate::ladder::Tier;
use kenga_core::puzzle::MAX_DIGITS;
use kenga_core::spec::{DefaultValue, Member, Param, ParamKind};

use super::cages::{CAGES, CageRules, OperatorMix, SINGLES, make};
use super::order::{AVOID, DIFFICULTY, MAX_SOLUTIONS, MINIMAL, REQUIRE, Requirements};
use super::outlines::SYMMETRY;
use super::steer::Steered;
use super::{Entry, conflict};

pub(super) static ENTRY: Entry = Member::new("kenken")
    .about("a KenKen with one solution: cages with clues that divide a Latin square")
    .params(&[
        Param::required("size", ParamKind::Integer(1, MAX_DIGITS as i64)).about("rows, columns and digits"),
        CAGES,
        SINGLES,
        Param::new("operators", ParamKind::Text, DefaultValue::Text("+-*/"))
            .about("operators of cages, each with its weight unless that is 1, `?` for a hidden one: +3*2-/"),
        SYMMETRY,
        MAX_SOLUTIONS,
        MINIMAL,
        DIFFICULTY,
        REQUIRE,
        AVOID,
    ])
    .build(|spec| {
        let size = spec.integer("size").to_string();
        Box::new(Steered::new(
            spec,
            &size,
            |order, symmetry| {
                if order.minimal && spec.integer("size") == 1 {
                    let message = "a KenKen of size 1 has one solution without its clue, too".to_owned();
                    return Err(conflict(message, "leave out `minimal`, or ask for a larger size"));
                }
                let operators = OperatorMix::parse(spec.text("operators"))?;
                CageRules::of(spec, usual_cages(order), operators, None, symmetry)
            },
            make,
        ))
    });

/// The sizes of cages where none were ordered: those from which what was ordered is found soonest.
fn usual_cages(order: &Requirements) -> &'static str {
    match (order.least_tier(), order.greatest_tier()) {
        (_, Tier::Easy | Tier::Normal) => "1:1,2:8,3:3",
        (Tier::Unreasonable, _) => "2:4,3:6,4:4,5:1",
        _ if order.minimal => "2..5",
        _ => "1:1,2:8,3:6,4:2",
    }
}

#[cfg(test)]
mod tests {
    use super::super::cages::{OperatorMix, SizeMix};
    use super::super::outlines::Symmetry;
    use crate::Series;
    use crate::generators::tests::order;
    use crate::ladder::{Score, grade};
    use kenga_core::budget::Interrupt;
    use kenga_core::problem::Problem;
    use kenga_core::puzzle::{Group, Puzzle, Role, check};
    use kenga_core::solver::{Limits, Status, solve};
    use kenga_core::spec::{SpecError, Value};

    fn series(values: &[(&str, &str)]) -> Result<Series, SpecError> {
        let value = |key: &str, text: &str| match key {
            "size" | "max_solutions" => Value::Integer(text.parse().expect("a whole number")),
            "singles" => Value::Real(text.parse().expect("a number")),
            "minimal" => Value::Flag(text == "true"),
            _ => Value::Text(text.to_owned()),
        };
        let values: Vec<_> = values.iter().map(|(key, text)| (*key, value(key, text))).collect();
        Series::new(&order("kenken", &values), 11, 8)
    }

    fn made(values: &[(&str, &str)], number: usize) -> Puzzle {
        let series = series(values).expect("a sound order");
        series.make(number, &Interrupt::default()).expect("an order that can be met")
    }

    fn status(problem: &Problem) -> Status {
        solve(problem, &Limits::default(), &Interrupt::default(), &mut |_| ()).status
    }

    fn cages(puzzle: &Puzzle) -> Vec<&Group> {
        puzzle.groups_with(Role::Cage).collect()
    }

    #[test]
    fn sizes_operators_and_symmetry_are_as_ordered_and_the_solution_is_the_only_one() {
        for (number, symmetry) in ["none", "rotate", "rotate4", "mirror", "diagonal"].into_iter().enumerate()
        {
            for (sizes, operators) in [("2..4", "+*"), ("1:1,2:6,3:4", "-2+/"), ("1..5", "?")] {
                let size = ["4", "6"][number % 2];
                let order =
                    [("size", size), ("symmetry", symmetry), ("cages", sizes), ("operators", operators)];
                let puzzle = made(&order, number);
                let solution = puzzle.solution.as_ref().expect("a solution");
                assert!(check(&puzzle, solution).is_solution());
                assert_eq!(status(&Problem::compile(&puzzle)), Status::Unique, "{order:?}");
                let mix = SizeMix::parse(sizes).expect("sound");
                let maps = Symmetry::named(symmetry).maps(puzzle.rows(), puzzle.cols());
                let all = cages(&puzzle);
                for cage in &all {
                    assert!(mix.allows(cage.cells.len()), "{order:?}");
                    let symbol = cage.clue.expect("a clue").operator.symbol;
                    assert!(cage.cells.len() == 1 || operators.contains(symbol), "{order:?} {symbol}");
                    for map in &maps {
                        let mut image: Vec<usize> = cage.cells.iter().map(|cell| map[*cell].into()).collect();
                        image.sort_unstable();
                        assert!(all.iter().any(|other| other.cells == image), "{order:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_clue_says_something_and_no_cage_stands_beside_its_twin() {
        for number in 0..8 {
            let puzzle = made(&[("size", "4")], number);
            let problem = Problem::compile(&puzzle);
            for group in problem.cages().filter(|group| problem.cells_of(*group).len() > 1) {
                let cells = problem.cells_of(group);
                let all = 4_usize.pow(cells.len() as u32);
                let differ = |digits: &Vec<usize>| {
                    (0..cells.len()).all(|one| {
                        (0..one).all(|other| {
                            digits[one] != digits[other] || !problem.must_differ(cells[one], cells[other])
                        })
                    })
                };
                let digits = |index: usize| {
                    (0..cells.len() as u32).map(|place| index / 4_usize.pow(place) % 4).collect()
                };
                let allowed = (0..all).map(digits).filter(differ).count();
                assert!(problem.tuples(group, all).expect("few").len() < allowed, "{}", puzzle.id);
            }
            let all = cages(&puzzle);
            let place = |cell: usize| ((cell / 4) as i32, (cell % 4) as i32);
            let apart = |one: usize, other: usize| {
                let (one, other) = (place(one), place(other));
                (other.0 - one.0, other.1 - one.1)
            };
            for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))) {
                let steps: Vec<_> =
                    one.cells.iter().zip(&other.cells).map(|(one, other)| apart(*one, *other)).collect();
                let is_moved =
                    one.cells.len() == other.cells.len() && steps.iter().all(|step| *step == steps[0]);
                let touches =
                    one.cells.iter().flat_map(|one| other.cells.iter().map(|other| apart(*one, *other)));
                let is_beside = touches.into_iter().any(|(rows, columns)| rows.abs() + columns.abs() == 1);
                let is_twin = is_moved && is_beside && steps[0] != (0, 0) && one.cells.len() > 1;
                assert!(!is_twin || one.clue != other.clue, "{} {one:?} {other:?}", puzzle.id);
            }
        }
    }

    #[test]
    fn puzzles_are_as_hard_as_ordered() {
        for (tier, size) in [("easy", "4"), ("normal", "5"), ("hard", "6")] {
            let puzzle = made(&[("size", size), ("difficulty", tier)], 0);
            let grade = grade(&puzzle, &Problem::compile(&puzzle), Score(u16::MAX), &Interrupt::default());
            assert_eq!((grade.tier().name(), puzzle.id.contains(tier)), (tier, true));
        }
    }

    #[test]
    fn operators_are_mixed_as_their_weights_say() {
        let operators = OperatorMix::parse("+3*-/").expect("sound");
        for number in 0..4 {
            let puzzle = made(&[("size", "6"), ("operators", "+3*-/")], number);
            let solution = puzzle.solution.as_ref().expect("a solution");
            let (mut expected, mut counted) = ([0.0; 4], [0.0; 4]);
            for cage in cages(&puzzle).into_iter().filter(|cage| cage.cells.len() > 1) {
                let digit = |cell: &usize| solution.get(*cell).expect("a digit");
                let clues = operators.clues(&cage.cells.iter().map(digit).collect::<Vec<u8>>());
                let total: f64 = clues.iter().map(|weighted| weighted.weight).sum();
                for (place, sign) in ["+", "*", "-", "/"].into_iter().enumerate() {
                    let own = clues.iter().filter(|weighted| weighted.clue.operator.symbol == sign);
                    expected[place] += own.map(|weighted| weighted.weight / total).sum::<f64>();
                    counted[place] += f64::from(u8::from(cage.clue.expect("a clue").operator.symbol == sign));
                }
            }
            for (expected, counted) in expected.into_iter().zip(counted) {
                let mixed = 0.5 * expected - 1.0..=2.0 * expected + 1.0;
                assert!(mixed.contains(&counted), "{} {expected} {counted}", puzzle.id);
            }
        }
    }

    #[test]
    fn no_corner_follows_from_its_own_cages() {
        for number in 0..6 {
            let puzzle = made(&[("size", "6")], number);
            let problem = Problem::compile(&puzzle);
            for (top, left) in [(true, true), (true, false), (false, true), (false, false)] {
                for (rows, cols) in (1..=3).flat_map(|rows| (1..=3).map(move |cols| (rows, cols))) {
                    let is_in = |cell: &u16| {
                        let (row, column) = (usize::from(*cell) / 6, usize::from(*cell) % 6);
                        (if top { row } else { 5 - row }) < rows
                            && (if left { column } else { 5 - column }) < cols
                    };
                    let inside: Vec<usize> =
                        problem.cages().filter(|cage| problem.cells_of(*cage).iter().all(is_in)).collect();
                    let covered: usize = inside.iter().map(|cage| problem.cells_of(*cage).len()).sum();
                    let left_over = kenga_core::solver::propagate(&problem.with_only_clues(&inside));
                    let is_open = (0..36_u16)
                        .any(|cell| is_in(&cell) && !left_over.0[usize::from(cell)].is_power_of_two());
                    assert!(covered < rows * cols || is_open, "{} {top} {left} {rows} {cols}", puzzle.id);
                }
            }
        }
    }

    #[test]
    fn an_interrupt_ends_every_order() {
        let interrupt = Interrupt::default();
        interrupt.raise(2);
        let series = series(&[("size", "12"), ("difficulty", "unreasonable")]).expect("a sound order");
        let shortfall = series.make(0, &interrupt).expect_err("it was cut short");
        assert_eq!(shortfall.tried, 0);
    }

    #[test]
    fn no_clue_of_a_minimal_puzzle_can_be_hidden() {
        let puzzle = made(&[("size", "4"), ("minimal", "true"), ("cages", "2..5")], 0);
        let problem = Problem::compile(&puzzle);
        let all: Vec<usize> = problem.cages().collect();
        for hidden in &all {
            let left: Vec<usize> = all.iter().copied().filter(|cage| cage != hidden).collect();
            assert_eq!(status(&problem.with_only_clues(&left)), Status::Multiple);
        }
    }

    #[test]
    fn orders_that_cannot_be_are_refused_or_end() {
        let refused = |values: &[(&str, &str)]| series(values).err().expect("a bad order").to_string();
        let without_clues = "a KenKen of size 1 has one solution without its clue, too";
        assert_eq!(refused(&[("size", "1"), ("minimal", "true")]), without_clues);
        assert_eq!(refused(&[("size", "4"), ("cages", "3")]), "cages of these sizes do not fill 16 cells");
        assert_eq!(
            refused(&[("size", "4"), ("operators", "-/")]),
            "- and / stand in cages of two cells alone"
        );
        assert_eq!(
            refused(&[("size", "4"), ("cages", "1")]),
            "cages of one cell alone leave nothing to solve"
        );
        assert_eq!(
            refused(&[("size", "4"), ("operators", "/?"), ("cages", "3")]),
            "- and / stand in cages of two cells alone"
        );
        let both = [("size", "6"), ("require", "x_wing"), ("avoid", "x_wing")];
        assert_eq!(refused(&both), "`x_wing` is both required and to be avoided");
        assert_eq!(
            refused(&[("size", "6"), ("require", "x_wing"), ("difficulty", "easy")]),
            "`x_wing` has the score 5.0: such a puzzle is harder than 1.9"
        );
        let between = refused(&[("size", "6"), ("difficulty", "2.1..2.9")]);
        assert_eq!(between, "no technique that may be used has a score from 2.1 to 2.9");
        let all: Vec<&str> = crate::ladder::TECHNIQUES.iter().map(|technique| technique.name).collect();
        let nothing = refused(&[("size", "6"), ("avoid", &all.join(","))]);
        assert_eq!(nothing, "no technique that may be used has a score from 0.0 to 10.0");
        let several = refused(&[("size", "4"), ("max_solutions", "2"), ("difficulty", "easy")]);
        assert_eq!(several, "puzzles with several solutions have no grade");
        let series = series(&[("size", "2"), ("difficulty", "unreasonable")]).expect("a sound order");
        let shortfall = series.make(0, &Interrupt::default()).expect_err("no 2x2 is hard");
        assert!((4000..4500).contains(&shortfall.tried), "{shortfall}");
    }

    #[test]
    fn puzzles_may_have_as_many_solutions_as_ordered_and_no_more() {
        let limits = Limits { solutions: 10, ..Limits::default() };
        for number in 0..4 {
            let puzzle = made(&[("size", "5"), ("max_solutions", "3")], number);
            let outcome = solve(&Problem::compile(&puzzle), &limits, &Interrupt::default(), &mut |_| ());
            assert!(outcome.count_is_exact && outcome.count <= 3);
        }
    }
}
