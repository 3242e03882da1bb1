//! Trial and error: a candidate that leads to a contradiction goes.
//!
//! Cells with few candidates are tried first, and the first contradiction is taken.

use super::MOST_WITHOUT_TRIALS;
use crate::ladder::{Candidates, Climb, End, FoundSteps, Score, StepReason, Technique};
use kenga_core::problem::bits;
use kenga_core::sort::sort_by_key;

pub static TRIAL: Technique = Technique {
    name: "trial",
    about: "a candidate from which singles and combinations lead to a contradiction goes",
    source: "folklore; Nishio is the like with singles alone",
    picture: "\
A1 = 2 leads to a cell without candidates:  A1 is not 2",
    score: Score(70),
    of_cages: false,
    find: |candidates, found| find(candidates, |after| !after.settle(), found),
};

pub static NESTED: Technique = Technique {
    name: "nested",
    about: "a candidate from which the techniques below trial lead to a contradiction goes",
    source: "dynamic forcing chains of Sudoku Explainer by N. Juillerat (2006-2007), with other techniques",
    picture: "\
A1 = 2 leads, with pairs and chains, to a cell without candidates:  A1 is not 2",
    score: Score(80),
    of_cages: false,
    find: |candidates, found| find(candidates, |after| is_refuted(after, MOST_WITHOUT_TRIALS), found),
};

pub static TRIAL_IN_TRIAL: Technique = Technique {
    name: "trial_in_trial",
    about: "a candidate from which the techniques below nested, trials among them, lead to a contradiction goes",
    source: "nested forcing chains of Sudoku Explainer by N. Juillerat (2006-2007), with other techniques",
    picture: "\
A1 = 2: then both B3 = 1 and B3 = 4 lead to contradictions:  A1 is not 2",
    score: Score(90),
    of_cages: false,
    find: |candidates, found| find(candidates, |after| is_refuted(after, Score(NESTED.score.0 - 1)), found),
};

pub static DEEP: Technique = Technique {
    name: "deep_trial",
    about: "a candidate from which trials of any depth lead to contradictions goes",
    source: "backtracking; Keen by S. Tatham, unreasonable, does the same",
    picture: "\
A1 = 2 leads nowhere, however it goes on:  A1 is not 2",
    score: Score(100),
    of_cages: false,
    find: |candidates, found| find(candidates, has_no_solution, found),
};

/// Takes the first contradiction that a candidate leads to, of cells with few candidates first.
fn find(
    candidates: &Candidates<'_>,
    is_contradiction: fn(&mut Candidates<'_>) -> bool,
    found: &mut FoundSteps,
) {
    let mut open: Vec<u16> = candidates.open_cells().collect();
    open.retain(|cell| !candidates.mask(*cell).is_power_of_two());
    // Where few candidates are left a trial goes furthest.
    sort_by_key(&mut open, |cell| candidates.mask(*cell).count_ones());
    for cell in open {
        for rank in bits(candidates.mask(cell)) {
            if !candidates.frame.may_try() {
                return;
            }
            let mut after = candidates.clone();
            after.fill(cell, rank);
            // One step is enough: it may make the next trial needless.
            if is_contradiction(&mut after) {
                return found.remove_from(candidates, &[cell], 1 << rank, &|| {
                    let (name, digit) = (candidates.name(cell), candidates.digit(rank));
                    let words = format!("if {name} were {digit}, {}", contradiction(&after));
                    StepReason::new(&candidates.frame.all_groups(), &[cell], words)
                });
            }
        }
    }
}

/// Says whether the ladder up to a score leads to a contradiction.
fn is_refuted(candidates: &mut Candidates<'_>, ceiling: Score) -> bool {
    candidates.refresh();
    let mut climb = Climb::new(candidates.clone(), ceiling);
    let end = climb.run(&mut |_, _| ());
    *candidates = climb.candidates;
    end == End::Refuted
}

/// Says whether no way to fill the open cells is a solution, as far as the effort left shows.
fn has_no_solution(candidates: &mut Candidates<'_>) -> bool {
    if !candidates.settle() {
        return true;
    }
    // One of the candidates of a cell is right: where none is, there is no solution.
    let Some(cell) = candidates.open_cells().min_by_key(|cell| candidates.mask(*cell).count_ones()) else {
        return false;
    };
    for rank in bits(candidates.mask(cell)) {
        let mut after = candidates.clone();
        after.fill(cell, rank);
        // Where the effort is spent a solution may be left.
        if !candidates.frame.may_try() || !has_no_solution(&mut after) {
            return false;
        }
    }
    true
}

/// What contradicts, in words.
fn contradiction(candidates: &Candidates<'_>) -> String {
    if let Some(cell) = candidates.masks().iter().position(|mask| *mask == 0) {
        return format!("{} would have no candidate left", candidates.name(cell as u16));
    }
    for (index, cage) in candidates.frame.cages.iter().enumerate() {
        if candidates.tuples(index).len() == Some(0) {
            return format!("{} would have no combination left", candidates.group(*cage));
        }
    }
    "every continuation would end in a contradiction".to_owned()
}
