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

/// Refuses a plan that starts programs, where none may be started, and one that takes too much memory.
pub(super) fn check_plan(plan: &Plan) -> Result<(), Refusal> {
    if plan.starts_programs() {
        let message = "this server starts no programs, as algorithms or for [problem]";
        return refused(message.to_owned(), "run it with `kenga run`, where you see what is started");
    }
    check_size(plan)
}

/// Refuses a plan that takes too much memory.
pub(super) fn check_size(plan: &Plan) -> Result<(), Refusal> {
    // The largest setting on the largest puzzle: at least what any run takes, and known without making one.
    let cells = plan.puzzles.iter().map(|puzzle| puzzle.rows() * puzzle.cols()).max().unwrap_or(0);
    let mut most = 0.0_f64;
    for setting in &plan.settings.all {
        let algorithm = setting.config.algorithm().as_json();
        most = most.max(individuals(&algorithm.into()));
    }
    let genes = most * cells as f64;
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

fn refused(message: String, help: &str) -> Result<(), Refusal> {
    Err(Refusal::new(Code::BadConfig, message, help))
}

/// How many individuals an algorithm has at once, about: those of its parts together, as often as it says.
fn individuals(algorithm: &Value) -> f64 {
    let mut own = 0.0;
    match algorithm {
        Value::Array(parts) => return parts.iter().map(individuals).sum(),
        Value::Object(keys) => {
            for (key, value) in keys {
                own += individuals(value);
                if INDIVIDUALS.contains(&key.as_str()) {
                    own += value.as_f64().unwrap_or(0.0);
                }
            }
        }
        _ => return 0.0,
    }
    let times = algorithm["count"].as_f64().unwrap_or(1.0);
    // A local search has one.
    times * own.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn islands_multiply_and_parts_add_up() {
        let genetic = json!({"name": "genetic", "population": 100, "replacement": {"offspring": 50}});
        let islands = json!({"name": "islands", "count": 16, "island": genetic.clone()});
        for (algorithm, low) in [(genetic, 150.0), (islands, 2400.0), (json!({"name": "tabu"}), 1.0)] {
            let count = individuals(&algorithm);
            assert!(count >= low && count < low * 1.2, "{count}");
        }
        assert!(individuals(&json!({"count": 1_000_000_000})) >= 1e9);
    }
}
