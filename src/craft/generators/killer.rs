//! Killer: a random Sudoku grid, divided into cages with sums until it is the only solution (`steer.rs`, `cages/`).

use crate::budget::Interrupt;
use crate::puzzle::{Kind, Puzzle, usual_boxes};
use crate::rng::RunRng;
use crate::spec::{Member, Param, Place, Spec, SpecError};

use super::cages::{CAGES, CageDraft, CageRules, OperatorMix, SINGLES, SizeMix, check_area, singles};
use super::order::{AVOID, DIFFICULTY, MAX_SOLUTIONS, MINIMAL, Order, REQUIRE};
use super::region_square::region_square;
use super::steer::Steering;
use super::steered::Steered;
use super::symmetry::{SYMMETRY, Symmetry};
use super::{Entry, Shortfall};

pub(super) static ENTRY: Entry = Member::new("killer")
    .about("a Killer Sudoku with one solution: cages with sums, and no digit given")
    .params(&[
        Param::integer("size", 4..=16, 9).about("rows, columns and digits; no prime"),
        CAGES,
        SINGLES,
        SYMMETRY,
        MAX_SOLUTIONS,
        MINIMAL,
        DIFFICULTY,
        REQUIRE,
        AVOID,
    ])
    .build(|spec| {
        let size = spec.integer("size").to_string();
        Box::new(Steered::new(spec, &size, |_, symmetry| rules(spec, symmetry), make))
    });

/// The sizes of cages where none were ordered: in large grids smaller ones, from which a solution is sooner the only one.
fn usual_cages(size: usize) -> &'static str {
    if size > 12 { "1:1,2:8,3:4" } else { "2:6,3:6,4:3,5:1" }
}

fn rules(spec: &Spec, symmetry: Symmetry) -> Result<CageRules, SpecError> {
    let size = spec.size("size");
    let sizes = SizeMix::parse(spec.entry("cages").map_or(usual_cages(size), |_| spec.text("cages")))?;
    let boxes = Some(boxes(size)?);
    let (singles, maps) = (singles(spec, &sizes), symmetry.maps(size, size));
    let operators = OperatorMix::sums();
    check_area(&sizes, singles, size)?;
    Ok(CageRules { size, kind: Kind::Killer, boxes, sizes, singles, operators, maps })
}

/// The usual boxes of a size.
///
/// # Errors
/// A size that has none.
pub(super) fn boxes(size: usize) -> Result<(usize, usize), SpecError> {
    usual_boxes(size).ok_or_else(|| SpecError::Conflict {
        message: format!("a grid of size {size} has no boxes: {size} is a prime"),
        help: "ask for the size 4, 6, 8, 9, 10, 12, 14, 15 or 16".to_owned(),
        place: Place::default(),
    })
}

fn make(
    order: &Order,
    rules: &CageRules,
    rng: &mut RunRng,
    interrupt: &Interrupt,
) -> Result<Puzzle, Shortfall> {
    let boxes = rules.boxes.expect("a Killer has boxes");
    let begin = |rng: &mut RunRng| CageDraft::begin(rules, region_square(rules.size, boxes, rng), rng);
    Steering::new(order, rng, interrupt).run(begin).map(|draft| draft.puzzle())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::craft::Series;
    use crate::problem::Problem;
    use crate::puzzle::Role;
    use crate::solver::{Limits, Status, solve};
    use crate::spec::{Named, Value};

    fn series(size: i64) -> Result<Series, SpecError> {
        let mut order = Spec::named("killer");
        order.set(Named::new("size", Value::Integer(size), Place::default()));
        Series::new(&order, 2, 3)
    }

    #[test]
    fn cages_are_sums_of_different_digits_with_one_solution() {
        for number in 0..3 {
            let puzzle = series(6).expect("sound").make(number, &Interrupt::default()).expect("it can be");
            let outcome =
                solve(&Problem::compile(&puzzle), &Limits::default(), &Interrupt::default(), &mut |_| ());
            assert_eq!(outcome.status, Status::Unique);
            let mut cages = puzzle.groups_with(Role::Cage);
            assert!(cages.all(|cage| cage.distinct && cage.cells.len() > 1));
            assert_eq!(puzzle.groups_with(Role::Given).count(), 0);
        }
    }

    #[test]
    fn a_prime_size_is_refused() {
        let error = series(7).err().expect("7 has no boxes").to_string();
        assert_eq!(error, "a grid of size 7 has no boxes: 7 is a prime");
    }
}
