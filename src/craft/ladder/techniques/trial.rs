//! Trial and error: a candidate that leads to a contradiction goes.
//!
//! Cells with few candidates are tried first, and the first contradiction is taken.

use crate::craft::ladder::{Board, Climb, End, Found, Ground, Score, Technique};
use crate::problem::bits;

use super::MOST_WITHOUT_TRIALS;

pub static TRIAL: Technique = Technique {
    name: "trial",
    about: "a candidate from which singles and combinations lead to a contradiction goes",
    source: "",
    picture: "\
A1 = 2 leads to a cell without candidates:  A1 is not 2",
    score: Score(70),
    find: |board, found| find(board, |after| !after.settle(), found),
};

pub static NESTED: Technique = Technique {
    name: "nested",
    about: "a candidate from which the techniques below trial lead to a contradiction goes",
    source: "",
    picture: "\
A1 = 2 leads, with pairs and chains, to a cell without candidates:  A1 is not 2",
    score: Score(80),
    find: |board, found| find(board, |after| is_refuted(after, MOST_WITHOUT_TRIALS), found),
};

pub static TRIAL_IN_TRIAL: Technique = Technique {
    name: "trial_in_trial",
    about: "a candidate from which the techniques below nested, trials among them, lead to a contradiction goes",
    source: "",
    picture: "\
A1 = 2: then both B3 = 1 and B3 = 4 lead to contradictions:  A1 is not 2",
    score: Score(90),
    find: |board, found| find(board, |after| is_refuted(after, Score(NESTED.score.0 - 1)), found),
};

pub static DEEP: Technique = Technique {
    name: "deep_trial",
    about: "a candidate from which trials of any depth lead to contradictions goes",
    source: "",
    picture: "\
A1 = 2 leads nowhere, however it goes on:  A1 is not 2",
    score: Score(100),
    find: |board, found| find(board, has_no_solution, found),
};

fn find(board: &Board<'_>, mut is_contradiction: impl FnMut(&mut Board<'_>) -> bool, found: &mut Found) {
    let mut open: Vec<u16> = board.open_cells().filter(|cell| !board.mask(*cell).is_power_of_two()).collect();
    open.sort_by_key(|cell| board.mask(*cell).count_ones());
    for cell in open {
        for rank in bits(board.mask(cell)) {
            if !board.frame.may_try() {
                return;
            }
            let mut after = board.clone();
            after.fill(cell, rank);
            if is_contradiction(&mut after) {
                let ground = Ground(&board.frame.all_groups(), &[cell]);
                return found.remove(board, [(cell, 1 << rank)], &ground, || {
                    format!("if {} were {}, {}", board.name(cell), board.digit(rank), contradiction(&after))
                });
            }
        }
    }
}

/// Says whether the ladder up to a score leads to a contradiction.
fn is_refuted(board: &mut Board<'_>, ceiling: Score) -> bool {
    board.refresh();
    let mut climb = Climb::new(board.clone(), ceiling);
    let end = climb.run(&mut |_, _| ());
    *board = climb.board;
    end == End::Refuted
}

/// Says whether no way to fill the open cells is a solution, as far as the effort left shows.
fn has_no_solution(board: &mut Board<'_>) -> bool {
    if !board.settle() {
        return true;
    }
    let Some(cell) = board.open_cells().min_by_key(|cell| board.mask(*cell).count_ones()) else {
        return false;
    };
    bits(board.mask(cell)).all(|rank| {
        let mut after = board.clone();
        after.fill(cell, rank);
        board.frame.may_try() && has_no_solution(&mut after)
    })
}

/// What contradicts on a board, in words.
fn contradiction(board: &Board<'_>) -> String {
    let frame = board.frame;
    if let Some(cell) = (0..board.masks().len() as u16).find(|cell| board.mask(*cell) == 0) {
        return format!("nothing would be left for {}", board.name(cell));
    }
    let empty = (0..frame.cages.len()).find(|index| board.tuples(*index).len() == Some(0));
    match empty {
        Some(index) => format!("no combination would be left for {}", board.group(frame.cages[index])),
        None => "every way to go on would end in a contradiction".to_owned(),
    }
}
