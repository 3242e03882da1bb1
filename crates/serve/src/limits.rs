//! How large a plan may be that a server plays or runs, and what it may not start.

use serde_json::Value;

use crate::refusal::{Code, Refusal};
use kenga_lab::experiment::Plan;

/// The most genes of all individuals of a run.
const GENES: f64 = 50e6;

/// The most solutions of a puzzle that are kept.
const SOLUTIONS: u64 = 10_000;

/// Keys of algorithms that say how many individuals there are.
const INDIVIDUALS: [&str; 2] = ["population", "offspring"];

/// Refuses a plan that takes too much memory, and one that starts programs: whoever has the token could run anything.
///
/// # Errors
/// It does.
pub(super) fn check_plan(plan: &Plan) -> Result<(), Refusal> {
    let refused = |message: String, help: &str| Err(Refusal::new(Code::BadConfig, message, help));
    if plan.can_fail() {
        let message = "this server starts no programs in place of algorithms";
        return refused(message.to_owned(), "run it with `kenga run`, where you see what is started");
    }
    let cells = plan.puzzles.iter().map(|puzzle| puzzle.rows() * puzzle.cols()).max().unwrap_or(0);
    let individuals = plan.settings.all.iter().map(|setting| {
        setting.config.resolved.get("algorithm").map_or(0.0, |algorithm| individuals(&algorithm))
    });
    let genes = individuals.fold(0.0, f64::max) * cells as f64;
    if genes > GENES {
        let message = format!("a run would hold {genes:.0} genes; this server holds up to {GENES:.0}");
        return refused(message, "make the populations smaller, or use the command line");
    }
    if plan.config.exact.solutions > SOLUTIONS {
        let message = format!("exact.solutions is above {SOLUTIONS}, the most that this server keeps");
        return refused(message, "ask for fewer");
    }
    Ok(())
}

/// How many individuals an algorithm has at once, about: those of its parts together, as often as it says.
fn individuals(algorithm: &Value) -> f64 {
    let Some(keys) = algorithm.as_object() else {
        return algorithm.as_array().map_or(0.0, |parts| parts.iter().map(individuals).sum());
    };
    let own: f64 = INDIVIDUALS.iter().filter_map(|key| keys.get(*key)?.as_f64()).sum();
    let parts: f64 = keys.values().map(individuals).sum();
    let times = keys.get("count").and_then(Value::as_f64).unwrap_or(1.0);
    // A local search has one.
    times * (own + parts).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn islands_multiply_and_parts_add_up() {
        let genetic = json!({"name": "genetic", "population": 100, "replacement": {"offspring": 50}});
        let islands = json!({"name": "islands", "count": 16, "island": genetic});
        let close = |algorithm: &Value, low: f64| {
            let count = individuals(algorithm);
            assert!(count >= low && count < low * 1.2, "{count}");
        };
        close(&genetic, 150.0);
        close(&islands, 2400.0);
        close(&json!({"name": "tabu"}), 1.0);
        assert!(individuals(&json!({"count": 1_000_000_000})) >= 1e9);
    }
}
