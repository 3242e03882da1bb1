//! The puzzles that are shown by themselves. Puzzles do not mix: a curve over the runs of an easy and a hard one is of
//! neither.

use std::collections::BTreeMap;

use crate::study::Study;

/// A puzzle with figures of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::report) struct Part {
    /// Its id.
    pub(in crate::report) puzzle: String,
}

/// How often a puzzle was solved, in how many runs.
#[derive(Clone, Copy, Debug, Default)]
struct Solved {
    solved: u64,
    runs: u64,
}

/// The puzzles that have runs, how many they are, and which are shown: all of up to `most`, else so many that lie evenly
/// between the one that was solved most often and the one least often.
pub(super) fn parts(study: &Study, most: usize) -> (Vec<Part>, usize) {
    let mut solved: BTreeMap<&str, Solved> = BTreeMap::new();
    for run in study.settings.iter().flat_map(|setting| &setting.runs) {
        let one = solved.entry(&run.row.puzzle).or_default();
        one.runs += 1;
        one.solved += u64::from(run.row.solved);
    }
    let ids: Vec<&str> = study.puzzles().into_iter().filter(|id| solved.contains_key(id)).collect();
    let shown = chosen(&ids, &solved, most).into_iter().map(|id| Part { puzzle: id.to_owned() });
    (shown.collect(), ids.len())
}

fn chosen<'a>(ids: &[&'a str], solved: &BTreeMap<&str, Solved>, most: usize) -> Vec<&'a str> {
    if ids.len() <= most {
        return ids.to_vec();
    }
    let share = |id: &str| solved.get(id).map_or(0.0, |one| one.solved as f64 / one.runs as f64);
    let mut sorted = ids.to_vec();
    // The sort is stable: of equals the one that comes first in the study.
    sorted.sort_by(|a, b| share(b).total_cmp(&share(a)));
    (0..most).map(|place| sorted[place * (sorted.len() - 1) / (most - 1).max(1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_puzzles_easy_ones_and_hard_ones_are_shown() {
        let ids = ["a", "b", "c", "d", "e"];
        let solved = |at: u64| Solved { solved: [3, 9, 0, 5, 7][at as usize], runs: 10 };
        let all: BTreeMap<&str, Solved> = (0..5).map(|at| (ids[at as usize], solved(at))).collect();
        assert_eq!(chosen(&ids, &all, 5), ids);
        assert_eq!(chosen(&ids, &all, 3), ["b", "d", "c"]);
        assert_eq!(chosen(&ids, &all, 1), ["b"]);
    }
}
