//! Every member of every table passes the suite that programs with members of their own use.

use kenga::puzzle::{formats, operators};
use kenga::search::algorithms::ALGORITHMS;
use kenga::search::encodings::ENCODINGS;
use kenga::search::operators::crossover::CROSSOVER;
use kenga::search::operators::mutation::MUTATION;
use kenga::search::operators::niching::NICHING;
use kenga::search::operators::replacement::REPLACEMENT;
use kenga::search::operators::restart::RESTART;
use kenga::search::operators::scaling::SCALING;
use kenga::search::operators::schedule::SCHEDULE;
use kenga::search::operators::selection::SELECTION;
use kenga::search::operators::topology::TOPOLOGY;
use kenga::search::operators::weights::WEIGHTS;
use kenga_testing as testing;

/// A test for each table.
macro_rules! tables {
    ($($test:ident: $table:ident, $check:ident;)*) => {
        $(#[test]
        fn $test() {
            $table.entries().for_each(testing::$check);
        })*
    };
}

tables! {
    crossovers_conform: CROSSOVER, crossover;
    mutations_conform: MUTATION, mutation;
    selections_conform: SELECTION, selection;
    scalings_conform: SCALING, scaling;
    nichings_conform: NICHING, niching;
    replacements_conform: REPLACEMENT, replacement;
    weights_conform: WEIGHTS, weights;
    restarts_conform: RESTART, restart;
    topologies_conform: TOPOLOGY, topology;
    schedules_conform: SCHEDULE, schedule;
    encodings_conform: ENCODINGS, encoding;
    algorithms_conform: ALGORITHMS, algorithm;
}

#[test]
fn clue_operators_conform() {
    operators::TABLE.iter().for_each(testing::clue_operator);
}

#[test]
fn formats_conform() {
    let puzzles = [testing::kenken(4, 3), testing::kenken(6, 5)];
    let texts = |format: &formats::Format| -> Vec<String> {
        puzzles.iter().filter_map(|puzzle| formats::write(puzzle, format).ok()).collect()
    };
    let mut written = 0;
    for format in formats::TABLE.iter() {
        let texts = texts(format);
        written += usize::from(!texts.is_empty());
        if !texts.is_empty() {
            testing::format(format, &texts.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    assert!(written > 2, "{written} formats hold a KenKen");
}
