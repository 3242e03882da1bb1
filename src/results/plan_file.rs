//! A plan as one file: what manifest, settings and puzzles say of a folder, before there is one.

use serde_json::Value;

use super::files::puzzle_lines;
use super::kept::plan_of;
use super::{Manifest, ResultsError};
use crate::experiment::{Plan, Shard};

/// The text of a plan file: the manifest with the settings and the puzzles, each on a line of its own.
pub fn plan_text(plan: &Plan) -> String {
    let manifest = Manifest::new(plan, Shard::WHOLE).text();
    let lines = |text: String| text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join(",\n");
    let head = manifest.trim_end().trim_end_matches('}').trim_end().to_owned();
    let settings = plan.settings.sweep.as_ref().map_or(String::new(), |_| plan.settings.lines());
    format!(
        "{head},\n  \"settings\": [\n{}\n  ],\n  \"puzzles\": [\n{}\n  ]\n}}\n",
        lines(settings),
        lines(puzzle_lines(plan))
    )
}

/// Reads the text of a plan file.
///
/// # Errors
/// [`ResultsError::NoPlan`] for a text that is none; [`ResultsError::Damaged`] for another version of kenga, or what it
/// does not know.
pub fn read_plan_text(name: &str, text: &str) -> Result<Plan, ResultsError> {
    let no_plan = || ResultsError::NoPlan { path: name.into() };
    let value: Value = serde_json::from_str(text).map_err(|_| no_plan())?;
    let manifest = Manifest::parse(text).ok_or_else(no_plan)?;
    let lines = |key: &str| -> Option<String> {
        Some(value.get(key)?.as_array()?.iter().map(|line| format!("{line}\n")).collect())
    };
    let (settings, puzzles) = (lines("settings").ok_or_else(no_plan)?, lines("puzzles").ok_or_else(no_plan)?);
    let damaged = |part: &'static str, problem: String| ResultsError::Damaged {
        path: name.into(),
        at: format!(", {part}"),
        problem,
    };
    plan_of(&manifest, || Ok(settings), puzzles.as_bytes(), &damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Draft;
    use crate::puzzle::{Cage, KenKen, operators};

    fn plan(sweep: &str) -> Plan {
        let text = format!("seed = 7\n[budget]\nevaluations = 100\n{sweep}");
        let settings = Draft::read("x.toml", &text).and_then(Draft::settings).expect("a sound configuration");
        let plus = operators::find("+").expect("a known operator");
        let whole = Cage::new(plus, 6, vec![(0, 0), (0, 1), (1, 0), (1, 1)]);
        let mut puzzle = KenKen::new(2, vec![whole]).build().expect("a sound puzzle");
        puzzle.id = "two".to_owned();
        Plan::new(settings, vec![puzzle])
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        for sweep in ["", "[sweep]\n'algorithm.population' = [4, 8]\n'algorithm.crossover.rate' = [0.5, 1.0]"]
        {
            let plan = plan(sweep);
            let text = plan_text(&plan);
            let again = read_plan_text("plan.json", &text).expect("a plan");
            assert_eq!(plan_text(&again), text);
            assert_eq!((again.runs(), again.settings.keys.len()), (plan.runs(), plan.settings.keys.len()));
        }
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        for text in ["", "{}", "[1]", "{\"format\": 1, \"kenga\": \"0\", \"config\": {}}"] {
            let error = read_plan_text("plan.json", text).expect_err("no plan");
            assert!(error.to_string().contains("plan.json"), "{error}");
        }
    }
}
