//! Tests of islands.

use super::archipelago::components;
use crate::budget::{Budget, Guard, Spent};
use crate::search::algorithms::recipe;
use crate::search::algorithms::setup::{resolved, spec, task};
use crate::search::{Census, Observer, run};
use crate::spec::Value;

/// Keeps every `every`-th generation.
struct Every {
    every: u64,
    seen: Vec<(Spent, Census)>,
}

impl Observer for Every {
    fn wants(&self, generation: u64) -> bool {
        generation.is_multiple_of(self.every)
    }

    fn observe(&mut self, spent: Spent, census: &Census) {
        self.seen.push((spent, census.clone()));
    }
}

/// Runs islands of 10 individuals; what was seen, and the last generation as it is at the end.
fn watch(every: u64, evaluations: u64, interval: i64) -> (Vec<(Spent, Census)>, (Spent, Census)) {
    let island = Value::Spec(spec("genetic", &[("population", Value::Integer(10))]));
    let keys = [("count", Value::Integer(3)), ("interval", Value::Integer(interval)), ("island", island)];
    let recipe = recipe(&resolved("islands", &keys)).expect("members that fit");
    let budget = Budget { evaluations: Some(evaluations), ..Budget::default() };
    let mut islands = recipe.start(&task(6, budget, Guard::default())).expect("any puzzle has cells");
    let mut observer = Every { every, seen: Vec::new() };
    run(&mut *islands, &mut observer);
    let mut last = Census::new(36, 6);
    let complete = islands.census(&mut last);
    (observer.seen, (complete, last))
}

#[test]
fn steps_and_generations_can_be_mixed() {
    let island = Value::Spec(spec("genetic", &[("population", Value::Integer(10))]));
    let keys = [("count", Value::Integer(3)), ("interval", Value::Integer(70)), ("island", island)];
    let recipe = recipe(&resolved("islands", &keys)).expect("members that fit");
    let budget = Budget { evaluations: Some(2000), ..Budget::default() };
    let made = |advances: usize| {
        let mut islands = recipe.start(&task(6, budget, Guard::default())).expect("any puzzle has cells");
        let mut observer = Every { every: 1, seen: Vec::new() };
        islands.start(&mut observer);
        loop {
            (0..advances).for_each(|_| {
                assert!(
                    islands.step_one_generation(&mut observer).is_none_or(|_| islands.stopped().is_some())
                )
            });
            if let Some(stop) = islands.step(&mut observer) {
                return (stop, islands.best().clone(), islands.spent(), observer.seen);
            }
        }
    };
    assert_eq!(made(0), made(1));
    assert_eq!(made(0), made(9));
}

#[test]
fn what_is_shown_does_not_depend_on_what_else_is_shown() {
    // 600 evaluations end the shares exactly on a barrier, 640 just past one.
    for (evaluations, interval) in [(600, 50), (640, 50), (631, 1_000_000), (25, 50)] {
        let (all, last) = watch(1, evaluations, interval);
        let (some, _) = watch(7, evaluations, interval);
        let sevenths = all.iter().filter(|(spent, _)| spent.generations.is_multiple_of(7));
        assert!(sevenths.eq(&some), "{evaluations} evaluations");
        let generations: Vec<u64> = all.iter().map(|(spent, _)| spent.generations).collect();
        assert!(generations.iter().copied().eq(0..generations.len() as u64), "{generations:?}");
        match all.last() {
            Some((spent, census)) => {
                assert_eq!((spent.generations, census), (last.0.generations, &last.1))
            }
            None => assert_eq!(last.1.individuals(), 0),
        }
    }
}

#[test]
fn migrants_join_islands_whichever_way_they_go() {
    let joined = |targets: &[&[usize]]| components(&targets.iter().map(|to| to.to_vec()).collect::<Vec<_>>());
    assert_eq!(joined(&[&[], &[], &[]]), [[0], [1], [2]]);
    assert_eq!(joined(&[&[1], &[2], &[0]]), [[0, 1, 2]]);
    assert_eq!(joined(&[&[3], &[], &[1], &[], &[0]]), [vec![0, 3, 4], vec![1, 2]]);
    assert_eq!(joined(&[&[], &[3], &[0], &[2]]), [[0, 1, 2, 3]]);
}

#[test]
fn islands_that_are_listed_are_scored_as_the_first() {
    let island = |offset| Value::Spec(spec("genetic", &[("offset", Value::Integer(offset))]));
    let islands = resolved("islands", &[("islands", Value::List(vec![island(7), island(8)]))]);
    assert_eq!(recipe(&islands).expect("a sound spec").scores().offset, Some(7));
}
