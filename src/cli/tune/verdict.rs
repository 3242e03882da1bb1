//! What a tuning has found, in words and as JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::TuneRequest;
use super::validation::HeldOut;
use crate::cli::io::terminal;
use kenga_core::text::{enumeration, quoted_path};
use kenga_lab::tune::{Cost, Origin, Refused, Tuned};
use kenga_report::compare::{as_json, headline};
use kenga_report::{Cell, Column, Table, counted, rounded, several, wrap};

/// The file of the best configuration, in the folder of the tuning.
pub(super) const BEST: &str = "best.toml";

/// What is told of a tuning.
pub(super) struct TuneVerdict<'a> {
    pub(super) request: &'a TuneRequest,
    pub(super) tuned: &'a Tuned,
    pub(super) held_out: &'a HeldOut,
    pub(super) path: &'a Path,
    /// The command that runs the best.
    pub(super) run_best: String,
}

impl TuneVerdict<'_> {
    /// For people.
    pub(super) fn text(&self) -> String {
        let view = terminal::view();
        let (tuned, keys) = (self.tuned, self.request.space.keys());
        let mut text = wrap(
            &format!(
                "{}: {}, {}, {} of {} calls.\n",
                several(tuned.iterations, "iteration"),
                several(tuned.candidates.len() as u64, "candidate"),
                several(tuned.runs, "run"),
                counted(tuned.used),
                counted(self.request.options.budget)
            ),
            view.width,
        );
        if let Some(refused) = self.refused() {
            text += &wrap(&refused, view.width);
        }
        if tuned.failed > 0 {
            let failed = several(tuned.failed, "run");
            text += &wrap(&format!("Failed: {failed}; failures.csv says why.\n"), view.width);
        }
        if self.request.options.cost == Cost::Place {
            text += &wrap(
                "Compared by the best fitness: by its place among all runs on the same instance.\n",
                view.width,
            );
        }
        text += &wrap(&self.best(&keys), view.width);
        if let Some(first) = self.tuned.ablation.iter().find(|step| step.step == 1) {
            let line = format!("The change that helps most: {}.\n", first.change);
            text += &wrap(&line, view.width);
        }
        text += &wrap(&self.held_out(), view.width);
        let folder = quoted_path(self.path);
        let best = self.path.join(BEST);
        text += &format!("\nThe best is in {}. Run it, or read how it was found:\n", best.display());
        text += &format!("  {}\n", self.run_best);
        text + &format!("  kenga report {folder} -o tune.html\nResults in {}\n", self.path.display())
    }

    /// The best configuration, and those that were not shown to be worse.
    fn best(&self, keys: &[String]) -> String {
        let first = self.tuned.elites[0];
        let candidate = &self.tuned.candidates[first];
        let origin = if candidate.origin == Origin::Default { " (the default)" } else { "" };
        let mut text = format!("\nThe best is candidate {first}{origin}: {}.\n", candidate.words(keys));
        let others: Vec<String> = self.tuned.elites[1..].iter().map(usize::to_string).collect();
        if !others.is_empty() {
            text += &format!("Not shown to be worse: {} of candidates.jsonl.\n", enumeration(others));
        }
        text
    }

    /// What the best and the default do on the held-out puzzles.
    fn held_out(&self) -> String {
        if let Some(compared) = &self.held_out.compared {
            return format!("On the held-out {}s: {}\n", self.request.options.noun(), headline(compared));
        }
        // Without held-out puzzles there is nothing to say of another best.
        if self.tuned.elites[0] != 0 {
            return String::new();
        }
        let mut text = "No configuration was shown to be better than the default.\n".to_owned();
        if let Some((solved, runs)) = self.held_out.default
            && self.request.options.can_solve
        {
            let noun = self.request.options.noun();
            text += &format!("On the held-out {noun}s it solves {solved} of {runs} runs.\n");
        }
        text
    }

    /// How much of the space could not be run, and why; nothing where all of it could.
    fn refused(&self) -> Option<String> {
        let Refused { count, first } = &self.tuned.refused;
        let points = several(*count, "drawn point");
        (*count > 0).then(|| format!("Left out, as they cannot be run: {points}. The first: {first}.\n"))
    }

    /// The ablation path as a table, if there is one.
    fn ablation(&self) -> Option<Table> {
        let columns = [
            Column::numbers("step", &["step"]),
            Column::words("change", "change"),
            Column::numbers("solved", &["solved"]),
            Column::numbers("mean cost", &["cost"]),
        ];
        let mut table =
            Table::new(columns).titled("From the default to the best, the change that helps most first");
        for step in &self.tuned.ablation {
            let change = if step.step == 0 { "the default" } else { &step.change };
            table.push([
                Cell::count(step.step as u64),
                Cell::words(change),
                Cell::new(
                    step.solved.map_or_else(String::new, |solved| format!("{solved} of {}", step.blocks)),
                    [json!(step.solved)],
                ),
                Cell::new(rounded(step.cost), [json!(step.cost)]),
            ]);
        }
        (!table.is_empty()).then_some(table)
    }

    /// As one object.
    pub(super) fn json(&self) -> Value {
        let (tuned, keys) = (self.tuned, self.request.space.keys());
        let elite = |elite: &usize| json!({ "candidate": elite, "values": tuned.candidates[*elite].values_json(&keys) });
        json!({
            "folder": self.path.display().to_string(),
            "budget": self.request.options.budget,
            "used": tuned.used,
            "iterations": tuned.iterations,
            "candidates": tuned.candidates.len(),
            "runs": tuned.runs,
            "refused": tuned.refused.count,
            "failed": tuned.failed,
            "cost": self.request.options.cost.name(),
            "best": elite(&tuned.elites[0]),
            "elites": tuned.elites.iter().map(elite).collect::<Vec<_>>(),
            "ablation": self.ablation().map(|table| table.json()),
            "validation": self.held_out.compared.as_ref().map(as_json),
            "default_on_held_out": self.held_out.default.map(|(solved, runs)| {
                json!({ "solved": self.request.options.can_solve.then_some(solved), "runs": runs })
            }),
        })
    }
}
