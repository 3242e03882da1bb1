//! Tests of tables, against a naive oracle.

use super::*;
use crate::rng::{RunRng, StreamKey};

const DIGITS: usize = 5;

fn random_tuples(rng: &mut RunRng, width: usize) -> Vec<u8> {
    let count = 1 + rng.below(200);
    (0..count * width).map(|_| rng.below(DIGITS) as u8).collect()
}

/// The candidates that occur in a tuple within the candidates.
fn supported(tuples: &[u8], masks: &[u32]) -> Vec<u32> {
    let mut found = vec![0; masks.len()];
    for tuple in tuples.chunks_exact(masks.len()) {
        if tuple.iter().zip(masks).all(|(rank, mask)| mask & 1 << rank != 0) {
            for (found, rank) in found.iter_mut().zip(tuple) {
                *found |= 1 << rank;
            }
        }
    }
    found
}

#[test]
fn under_random_pruning_and_backtracking_what_is_left_is_what_a_naive_oracle_leaves() {
    let mut rng = StreamKey::run(7, "table", 0).rng();
    for _ in 0..400 {
        let width = 2 + rng.below(3);
        let tuples = random_tuples(&mut rng, width);
        let cells: Vec<u16> = (0..width as u16).collect();
        let mut space = Space::new(&vec![31; width], 1);
        let mut tables = Tables::new(DIGITS, 2);
        let table = tables.add(&cells, &tuples, &mut space).expect("some tuples");
        let mut moments = vec![];
        for _ in 0..30 {
            if rng.coin(0.3) && !moments.is_empty() {
                space.backtrack(moments.pop().expect("a moment"));
            }
            moments.push(space.now());
            let cell = rng.below(width) as u16;
            let pruned = space.keep(cell, rng.bits());
            let masks: Vec<u32> = cells.iter().map(|cell| space.mask(*cell)).collect();
            let expected = supported(&tuples, &masks);
            let result = pruned.and_then(|()| tables.propagate(table, &mut space));
            if result.is_err() {
                assert!(pruned.is_err() || expected.contains(&0), "{masks:?}");
                space.backtrack(moments.pop().expect("a moment"));
            } else {
                let left: Vec<u32> = cells.iter().map(|cell| space.mask(*cell)).collect();
                assert_eq!(left, expected, "{masks:?}");
            }
        }
    }
}

#[test]
fn a_demanded_digit_strikes_the_tuples_without_it() {
    let mut space = Space::new(&[31, 31], 1);
    let mut tables = Tables::new(DIGITS, 2);
    let table = tables.add(&[0, 1], &[0, 1, 1, 0, 2, 3], &mut space).expect("three tuples");
    assert_eq!(tables.certain(table, 0b11, 0b11, &space), 0);
    assert_eq!(tables.demand(table, 0b11, 1, &mut space), Ok(true));
    assert_eq!(tables.certain(table, 0b11, 0b11, &space), 0b11);
    tables.propagate(table, &mut space).expect("two tuples live");
    assert_eq!([space.mask(0), space.mask(1)], [0b11, 0b11]);
    assert_eq!(tables.demand(table, 0b11, 3, &mut space), Err(Conflict));
}
