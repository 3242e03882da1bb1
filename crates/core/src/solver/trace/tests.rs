//! The trace against the search that it shows, and its reasons against the solver itself.

use super::*;
use crate::budget::Clock;
use crate::problem::{Domains, bits};
use crate::puzzle::{Puzzle, formats, samples};
use crate::rng::StreamKey;
use crate::solver::Literal;
use crate::solver::build::build;
use crate::solver::search::{Thresholds, search};
use crate::solver::solve;
use crate::solver::stop::SearchStop;

/// Small puzzles of every kind, and samples of the collections.
const FILES: [(&str, &str); 13] = [
    ("4x4.txt", include_str!("../../../../../puzzles/original/4x4.txt")),
    ("6x6.txt", include_str!("../../../../../puzzles/original/6x6.txt")),
    ("futoshiki", include_str!("../../../../../puzzles/family/futoshiki-6x6.json")),
    ("kakuro", include_str!("../../../../../puzzles/family/kakuro-6x6.json")),
    ("killer", include_str!("../../../../../puzzles/family/killer-6x6.json")),
    ("latin", include_str!("../../../../../puzzles/family/latin-7x7.json")),
    ("magic", include_str!("../../../../../puzzles/family/magic-4x4.json")),
    ("queens", include_str!("../../../../../puzzles/family/queens-8x8.json")),
    ("sudoku", include_str!("../../../../../puzzles/family/sudoku-9x9.json")),
    ("unsat", include_str!("../../../../../puzzles/unsat-multi.jsonl")),
    ("wide", include_str!("../../../../../puzzles/wide-ops.jsonl")),
    ("keen", include_str!("../../../../../puzzles/corpus/keen.jsonl")),
    ("graphs", include_str!("../../../../../puzzles/graphs-uncolorable.jsonl")),
];

/// The first puzzles of each file, spread over it.
fn samples(most: usize) -> Vec<Puzzle> {
    let some = |(name, text): &(&str, &str)| {
        let all: Vec<Puzzle> = formats::read(name, text.as_bytes())
            .into_iter()
            .map(|read| read.expect("a sound puzzle"))
            .collect();
        let step = all.len().div_ceil(most);
        all.into_iter().step_by(step)
    };
    FILES.iter().flat_map(some).collect()
}

fn limits() -> Limits {
    Limits { solutions: 5, nodes: Some(400), ..Limits::default() }
}

/// A tracer that compares the engine with the replay of its events.
struct Witness<'a> {
    problem: &'a Problem,
    reasons: Reasons,
    replay: Replay,
    events: Vec<Event>,
}

impl<'a> Witness<'a> {
    fn new(problem: &'a Problem) -> Self {
        let replay = Replay::new(problem);
        Self { problem, reasons: Reasons::default(), replay, events: Vec::new() }
    }

    fn tell(&mut self, what: impl FnOnce(&mut Tracer<'_>)) {
        let reasons = std::mem::take(&mut self.reasons);
        let (replay, events) = (&mut self.replay, &mut self.events);
        let mut on_event = |event: &Event| {
            replay.apply(event);
            events.push(event.clone());
        };
        let mut tracer = Tracer { problem: self.problem, reasons, on_event: &mut on_event };
        what(&mut tracer);
        self.reasons = tracer.reasons;
    }
}

impl SearchObserver for Witness<'_> {
    fn numbered(&mut self, problem: &Problem, numbering: &PropagatorNumbering) {
        self.tell(|tracer| tracer.numbered(problem, numbering));
    }

    fn derived(&mut self, number: usize, from: &[usize]) {
        self.tell(|tracer| tracer.derived(number, from));
    }

    fn changed(&mut self, space: &Space, cause: RemovalCause, from: usize) {
        self.tell(|tracer| tracer.changed(space, cause, from));
        let masks: Vec<u32> = (0..self.problem.cells()).map(|cell| space.mask(cell as u16)).collect();
        assert_eq!(self.replay.masks(), masks, "after {:?}", self.events.last());
    }

    fn failed(&mut self, cause: RemovalCause) {
        self.tell(|tracer| tracer.failed(cause));
    }

    fn saw(&mut self, event: impl FnOnce() -> Event) {
        self.tell(|tracer| tracer.saw(event));
    }
}

/// The events of a search that restarts after one conflict and learns after `learn`.
fn events_of(problem: &Problem, learn: u64) -> Vec<Event> {
    let mut witness = Witness::new(problem);
    let Ok(engine) = build(problem, &|| false, &mut witness) else { return witness.events };
    let (interrupt, clock) = (Interrupt::default(), Clock::start());
    let stop = SearchStop { limits: &limits(), interrupt: &interrupt, clock: &clock };
    search(engine, stop, Thresholds { line_sums: 1, restart: 1, learn }, &mut |_| (), &mut witness);
    witness.events
}

#[test]
fn the_trace_is_the_search_and_its_events_give_the_candidates() {
    for puzzle in samples(5) {
        let problem = Problem::compile(&puzzle);
        let mut witness = Witness::new(&problem);
        solve_observed(
            &problem,
            &Clock::start(),
            &limits(),
            &Interrupt::default(),
            &mut |_| (),
            &mut witness,
        );
        let mut solutions = Vec::new();
        let plain =
            solve(&problem, &limits(), &Interrupt::default(), &mut |ranks| solutions.push(ranks.to_vec()));
        let (mut replay, mut found, mut decisions, mut conflicts) = (Replay::new(&problem), Vec::new(), 0, 0);
        let mut begun = false;
        let outcome = trace(&problem, &limits(), &Interrupt::default(), &mut |event| {
            replay.apply(event);
            begun |= *event == Event::Fixpoint;
            decisions += u64::from(matches!(event, Event::Decision { .. }));
            conflicts += u64::from(begun && matches!(event, Event::Conflict { .. }));
            if *event == Event::Solution {
                found
                    .push(replay.masks().iter().map(|mask| mask.trailing_zeros() as u8).collect::<Vec<u8>>());
            }
        });
        assert_eq!((outcome.status, outcome.count), (plain.status, plain.count), "{}", puzzle.id);
        assert_eq!((outcome.nodes, outcome.failures), (plain.nodes, plain.failures), "{}", puzzle.id);
        assert_eq!((decisions, conflicts), (plain.nodes, plain.failures), "{}", puzzle.id);
        assert!(found.iter().all(|solution| solutions.contains(solution)), "{}", puzzle.id);
        assert_eq!(found.first(), solutions.first(), "{}", puzzle.id);
    }
}

/// Says whether some groups alone allow these candidates.
fn allows(problem: &Problem, groups: &[usize], masks: Vec<u32>) -> bool {
    let part = problem.with_only_groups(groups).restrict(&Domains(masks));
    let limits = Limits { solutions: 1, ..Limits::default() };
    solve(&part, &limits, &Interrupt::default(), &mut |_| ()).count > 0
}

#[test]
fn each_removal_and_each_conflict_follows_from_the_groups_that_it_names() {
    let mut rng = StreamKey::run(3, "trace", 0).rng();
    let mut puzzles = samples(4);
    puzzles.extend((0..20).map(|_| samples::random_kenken(5, 4, |n| rng.below(n))));
    let mut seen = [0; 6];
    for puzzle in puzzles {
        let problem = Problem::compile(&puzzle);
        let mut replay = Replay::new(&problem);
        for event in events_of(&problem, u64::MAX).iter().take(250) {
            match event {
                Event::Removal { reason, lost } if !reason.groups.is_empty() => {
                    seen[reason.inference as usize] += 1;
                    for (cell, rank) in
                        lost.iter().flat_map(|lost| bits(lost.ranks).map(|rank| (lost.cell, rank)))
                    {
                        let mut masks = replay.masks().to_vec();
                        masks[usize::from(cell)] = 1 << rank;
                        let words = words(&puzzle, &problem, replay.masks(), event);
                        assert!(!allows(&problem, &reason.groups, masks), "{}: {words}", puzzle.id);
                    }
                }
                Event::Conflict { reason } if !reason.groups.is_empty() => {
                    let masks = replay.masks().to_vec();
                    assert!(!allows(&problem, &reason.groups, masks), "{}: {event:?}", puzzle.id);
                }
                _ => {}
            }
            replay.apply(event);
        }
    }
    assert!(seen.iter().all(|seen| *seen > 0), "every kind occurs: {seen:?}");
}

#[test]
fn no_solution_is_lost_before_it_is_found_learning_or_not() {
    let mut rng = StreamKey::run(4, "trace", 0).rng();
    for round in 0..60 {
        let puzzle = samples::random_kenken(3 + round % 3, 3, |n| rng.below(n));
        let problem = Problem::compile(&puzzle);
        let mut open = Vec::new();
        let few = Limits { solutions: 6, ..Limits::default() };
        solve(&problem, &few, &Interrupt::default(), &mut |ranks| open.push(ranks.to_vec()));
        if open.len() > 5 {
            continue;
        }
        let mut replay = Replay::new(&problem);
        let mut decisions: Vec<(u16, u32)> = Vec::new();
        for event in events_of(&problem, if round % 2 == 0 { 0 } else { 2 }) {
            replay.apply(&event);
            decisions.truncate(replay.depth());
            match &event {
                Event::Decision { cell, rank, .. } => decisions.push((*cell, *rank)),
                Event::Solution => open.retain(|solution| !lies_in(solution, replay.masks())),
                _ => {}
            }
            let decided = |solution: &&Vec<u8>| {
                decisions.iter().all(|(cell, rank)| u32::from(solution[usize::from(*cell)]) == *rank)
            };
            let lost = open.iter().filter(decided).find(|solution| !lies_in(solution, replay.masks()));
            assert_eq!(lost, None, "{event:?} in {}", puzzle.canonical_text());
        }
        assert!(open.is_empty(), "every solution was found");
    }
}

fn lies_in(solution: &[u8], masks: &[u32]) -> bool {
    solution.iter().zip(masks).all(|(rank, mask)| mask >> rank & 1 == 1)
}

/// What a search says, a line an event.
fn told(text: &str, limits: &Limits) -> String {
    let puzzle = formats::read("puzzle", text.as_bytes()).remove(0).expect("a sound puzzle");
    let problem = Problem::compile(&puzzle);
    let (mut replay, mut lines) = (Replay::new(&problem), String::new());
    trace(&problem, limits, &Interrupt::default(), &mut |event| {
        lines += &words(&puzzle, &problem, replay.masks(), event);
        lines.push('\n');
        replay.apply(event);
    });
    lines
}

#[test]
fn every_event_has_words() {
    insta::assert_snapshot!(told(FILES[0].1, &Limits::default()), @"
    cage 3 at D1
    cage 2÷ at D2 allows no 3 in D2 and D3
    cage 8× at A1 allows no 3 in A1, A2 and A3
    cage 6+ at B1 allows no 4 in B1 and C2
    cage 4× at C3 allows no 3 or 4 in C3 and D4, 2 or 3 in C4
    row A: 3 fits only A4
    cage 1− at A4 allows no 1 or 3 in B4
    column 1: 3 stands in D1
    cage 6+ at B1 allows no 2 in C2
    row C: 3 fits only C2
    cage 6+ at B1 allows no 4 in C1
    row C: 4 fits only C4
    cage 4× at C3 allows no 2 in C3 and D4
    row C: 1 stands in C3
    cage 6+ at B1 allows no 2 in B1
    row B: 1 stands in B1
    row D: 1 stands in D4
    column 1: 1 stands in B1; 2 stands in C1
    cage 8× at A1 allows no 4 in A2 and A3
    column 2: 3 stands in C2; 1 fits only A2
    cage 1− at B2 allows no 2 or 4 in B3
    cage 8× at A1 allows no 1 in A3
    column 3: 2 stands in A3
    cage 2÷ at D2 allows no 4 in D2
    column 2: 2 stands in D2
    row B: 4 stands in B2
    no rule removes more: the search begins
    a solution
    the end: unique
    ");
    let two = r#"{"size":2,"cages":[{"op":"+","target":7,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#;
    assert_eq!(
        told(two, &Limits::default()),
        "conflict: no digits are left for cage 7+ at A1\nthe end: unsolvable\n"
    );
    let one = r#"{"size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}"#;
    assert!(told(one, &Limits::default()).ends_with("the search begins\na solution\nthe end: unique\n"));
}

#[test]
fn a_search_says_what_it_tries_and_what_it_learns() {
    let kenken = formats::canonical(&samples::random_kenken(4, 2, |n| n / 2));
    insta::assert_snapshot!(told(&kenken, &Limits { nodes: Some(2), ..Limits::default() }), @"
    cage 2min at A3 allows no 1 in A3 and A4
    cage 2min at B1 allows no 1 in B1 and B2
    cage 2min at C3 allows no 1 in C3 and D3
    cage 2min at D1 allows no 1 in D1 and D2
    row D: 1 fits only D4
    cage 1min at C4 allows no 1 in C4
    column 3: 1 fits only B3
    cage 1^ at B3 allows no 1 in B4
    row A has its 2 in cage 2min at A3: A1 is not 2, A2 is not 2
    row B has its 2 in cage 2min at B1: B4 is not 2
    column 3 has its 2 in cage 2min at C3: A3 is not 2
    cage 2min at A3 allows no 3 or 4 in A4
    column 4: 2 stands in A4
    row D has its 2 in cage 2min at D1: D3 is not 2
    cage 2min at C3 allows no 3 or 4 in C3
    row C: 2 stands in C3
    no rule removes more: the search begins
    decision 1: try 3 in A3
    row A: 3 stands in A3
    column 3: 3 stands in A3
    row D: 4 stands in D3
    decision 2: try 1 in A1
    cage 1min at A1 allows no 1 in A2
    column 1: 1 stands in A1
    cage 1^ at C1 allows no 3 or 4 in C2
    column 2: 4 stands in A2
    the end: undecided
    ");
    let latin = r#"{"kind":"latin","size":3}"#;
    insta::assert_snapshot!(told(latin, &Limits { nodes: Some(3), ..Limits::default() }), @"
    no rule removes more: the search begins
    digits are interchangeable: A1, A2 and A3 get the first digits in order
    column 1: 1 stands in A1
    column 2: 2 stands in A2
    column 3: 3 stands in A3
    decision 1: try 2 in B1
    row B: 1 stands in B3; 2 stands in B1
    column 1: 2 stands in B1
    row C: 1 stands in C2; 3 stands in C1
    a solution
    go back to the start
    B1 is not 2: that leads to no other solution
    row B: 1 stands in B2; 3 stands in B1
    column 1: 3 stands in B1
    row C: 1 stands in C3; 2 stands in C1
    the end: multiple
    ");
    let puzzle = formats::read("puzzle", kenken.as_bytes()).remove(0).expect("a sound puzzle");
    let problem = Problem::compile(&puzzle);
    let say = |event: &Event| words(&puzzle, &problem, problem.candidates(), event);
    let literal = |cells: &[u16], rank, holds| Literal { cells: cells.to_vec(), rank, holds };
    let literals = vec![literal(&[0], 2, false), literal(&[1, 2], 3, true), literal(&[4, 5], 0, false)];
    let clause = Event::Clause { literals, is_solution: false };
    assert_eq!(say(&clause), "learned: A1 is not 3, or A2 or A3 have 4, or B1 and B2 have no 1");
    assert_eq!(say(&Event::Back { depth: 2 }), "go back to decision 2");
}
