//! Tests of portfolios.

use super::*;
use crate::budget::{Guard, Interrupt};
use crate::search::algorithms::setup::{resolved, task};
use crate::search::run;
use crate::spec::{Spec, Value};

/// Nested portfolios of turns of one call, with a random search in each.
fn nested(depth: usize) -> Spec {
    let inner = (depth > 1).then(|| Value::Spec(nested(depth - 1)));
    let stages = [Value::Text("random".to_owned())].into_iter().chain(inner).collect();
    let (calls, factor) = (("calls", Value::Integer(1)), ("factor", Value::Real(1.0)));
    resolved("portfolio", &[("stages", Value::List(stages)), calls, factor])
}

#[test]
fn the_cost_of_nested_portfolios_is_linear_in_their_depth() {
    // If each asked the next one twice, this would never end.
    let recipe = recipe(&nested(60)).expect("a sound spec");
    assert!(recipe.spends().contains(&StopReason::Evaluations));
    let budget = Budget { evaluations: Some(100), ..Budget::default() };
    let mut algorithm = recipe.start(&task(6, budget, Guard::default())).expect("a KenKen has lines");
    assert_eq!(run(&mut *algorithm, &mut ()).spent.evaluations, 100);
}

#[test]
fn turns_too_short_for_a_look_at_the_guard_are_cut() {
    let interrupt = Interrupt::default();
    interrupt.raise(2);
    let budget = Budget { evaluations: Some(u64::MAX), ..Budget::default() };
    let recipe = recipe(&nested(1)).expect("a sound spec");
    let mut algorithm = recipe.start(&task(6, budget, Guard::start(&interrupt, None))).expect("lines");
    assert_eq!(run(&mut *algorithm, &mut ()).stop, StopReason::Seconds);
}
