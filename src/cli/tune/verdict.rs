//! What a tuning has found, in words and as JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::TuneRequest;
use super::validation::HeldOut;
use crate::cli::io::terminal;
use kenga_lab::tune::{Origin, Refused, Tuned};
use kenga_report::compare::{as_json, in_words};
use kenga_report::{Cell, Column, Table, TableFormat, counted, rounded, several, wrap};

/// What is told of a tuning.
pub(super) struct TuneVerdict<'a> {
    pub(super) request: &'a TuneRequest,
    pub(super) tuned: &'a Tuned,
    /// The best as TOML.
    pub(super) best: &'a str,
    pub(super) held_out: &'a HeldOut,
    pub(super) path: &'a Path,
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
        text += "\nThe best configurations, the first in full below:\n";
        for elite in &tuned.elites {
            let candidate = &tuned.candidates[*elite];
            let origin = if candidate.origin == Origin::Default { " (the default)" } else { "" };
            let line = format!("candidate {elite}{origin}: {}", candidate.words(&keys));
            text += &format!("{}\n", wrap(&line, view.width));
        }
        text += &format!("\n{}", self.best);
        if let Some(path) = self.ablation() {
            text += &format!("\n{}", path.render(TableFormat::Text, &view));
        }
        match &self.held_out.compared {
            Some(compared) => {
                text += "\nOn the held-out puzzles, the best and the default:\n\n";
                text += &in_words(compared, &view);
            }
            None if tuned.elites[0] == 0 => {
                text += "\nNo configuration was shown to be better than the default.\n";
                if let Some((solved, runs)) = self.held_out.default {
                    text += &format!("On the held-out puzzles it solves {solved} of {runs} runs.\n");
                }
            }
            None => {}
        }
        text + &format!("\nResults in {}\n", self.path.display())
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
                Cell::new(format!("{} of {}", step.solved, step.blocks), [json!(step.solved)]),
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
            "best": elite(&tuned.elites[0]),
            "elites": tuned.elites.iter().map(elite).collect::<Vec<_>>(),
            "ablation": self.ablation().map(|table| table.json()),
            "validation": self.held_out.compared.as_ref().map(as_json),
            "default_on_held_out": self.held_out.default.map(|(solved, runs)| json!({ "solved": solved, "runs": runs })),
        })
    }
}
