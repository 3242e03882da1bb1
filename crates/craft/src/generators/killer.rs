//! Killer: a random Sudoku grid, divided into cages with sums until it is the only solution (`steer.rs`, `cages/`).

use kenga_core::puzzle::usual_boxes;
use kenga_core::spec::{Member, Param, SpecError};

use super::cages::{CAGES, CageRules, OperatorMix, SINGLES, make};
use super::order::{AVOID, DIFFICULTY, MAX_SOLUTIONS, MINIMAL, REQUIRE};
use super::outlines::SYMMETRY;
use super::steer::Steered;
use super::{Entry, conflict};

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
        Box::new(Steered::new(
            spec,
            &size,
            |_, symmetry| {
                let size = spec.size("size");
                let boxes = boxes(size, 16)?;
                CageRules::of(spec, usual_cages(size), OperatorMix::sums(), Some(boxes), symmetry)
            },
            make,
        ))
    });

/// The sizes of cages where none were ordered: in large grids smaller ones, from which a solution is sooner the only one.
fn usual_cages(size: usize) -> &'static str {
    if size > 12 { "1:1,2:8,3:4" } else { "2:6,3:6,4:3,5:1" }
}

/// The usual boxes of a size, of a kind that is made up to size `most`.
///
/// # Errors
/// A size that has none.
pub(super) fn boxes(size: usize, most: usize) -> Result<(usize, usize), SpecError> {
    if let Some(boxes) = usual_boxes(size) {
        return Ok(boxes);
    }
    // A prime has boxes of one row alone, which are its rows.
    let mut sizes = String::new();
    for size in 4..=most {
        if usual_boxes(size).is_some() {
            sizes += &format!(" {size}");
        }
    }
    let message = format!("a grid of size {size} has no boxes: {size} is a prime");
    Err(conflict(message, format!("ask for a size with boxes:{sizes}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;
    use crate::generators::tests::order;
    use kenga_core::budget::Interrupt;
    use kenga_core::problem::Problem;
    use kenga_core::puzzle::Role;
    use kenga_core::solver::{Limits, Status, solve};
    use kenga_core::spec::Value;

    fn series(size: i64) -> Result<Series, SpecError> {
        Series::new(&order("killer", &[("size", Value::Integer(size))]), 2, 3)
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
        let SpecError::Conflict { help, .. } = boxes(7, 9).expect_err("7 has no boxes") else {
            panic!("sizes and boxes conflict")
        };
        assert_eq!(help, "ask for a size with boxes: 4 6 8 9");
    }
}
