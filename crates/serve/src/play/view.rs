//! What a stream tells of a play: the moment that is shown, and what is new of the curve.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Play, Viewer};
use crate::stream::News;
use kenga_core::fitness::{Term, Terms};
use kenga_core::puzzle::{Grid, Puzzle};
use kenga_lab::experiment::{BrokenGroup, MEASURES, RunRecord, Sample};
use kenga_lab::playback::{Frame, Leader, Rows, Speed, View};

/// The digits of genomes as text: a rank a character.
const RANKS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// What a viewer records of a run: what it was told last.
pub(crate) struct PlayStream {
    watcher: Viewer,
    /// All but run, frame and curve.
    state: Value,
    run: Option<u64>,
    frame: Option<Arc<Frame>>,
    curve: Arc<Vec<Sample>>,
    /// Generations of the curve that were told.
    told: BTreeSet<u64>,
    is_over: bool,
}

impl PlayStream {
    /// A stream of which nothing was told.
    pub(crate) fn new(play: Arc<Play>) -> Self {
        Self {
            watcher: Viewer::new(play),
            state: Value::Null,
            run: None,
            frame: None,
            curve: Arc::default(),
            told: BTreeSet::new(),
            is_over: false,
        }
    }

    /// What is new.
    pub(crate) fn news(&mut self) -> News {
        let play = Arc::clone(&self.watcher.0);
        if self.is_over {
            return News::End;
        }
        let facts = play.facts.get();
        // A play that has failed is closed, too, and why it failed is worth more to its viewer.
        if play.interrupt.is_raised() && !matches!(facts, Some(Err(_))) {
            self.is_over = true;
            return News::Event("closed", json!({"state": "closed"}).to_string());
        }
        match facts {
            None => self.preparing(),
            Some(Err(refusal)) => {
                self.is_over = true;
                let mut failed = refusal.json();
                failed["state"] = json!("failed");
                News::Event("failed", failed.to_string())
            }
            Some(Ok(facts)) => self.view(&play, &play.player.view(), facts),
        }
    }

    fn preparing(&mut self) -> News {
        let state = json!({"state": "preparing"});
        if self.state == state {
            return News::Nothing;
        }
        self.state.clone_from(&state);
        News::Event("view", state.to_string())
    }

    fn view(&mut self, play: &Play, view: &View, facts: &[Value]) -> News {
        // The state is small and sent whole; run, frame and curve are sent when they have changed.
        let state = state(play, view);
        let mut object = state.clone();
        let is_other_run = self.run != Some(view.run);
        if is_other_run {
            (self.run, self.frame, self.told) = (Some(view.run), None, BTreeSet::new());
            object["run"] = run(play, view, facts);
        }
        let frame = self.new_frame(play, view);
        let curve = self.new_curve(view, is_other_run);
        if !is_other_run && frame.is_none() && curve.is_none() && self.state == state {
            return News::Nothing;
        }
        self.state = state;
        if let Some(curve) = curve {
            object["curve"] = curve;
        }
        let mut text = object.to_string();
        if let Some(frame) = frame {
            // It is the largest part by far, and the same for all who watch: it was made once, as text.
            text.truncate(text.len() - 1);
            text += &format!(",\"frame\":{frame}}}");
        }
        News::Event("view", text)
    }

    /// The moment as JSON, where it is another than before.
    fn new_frame(&mut self, play: &Play, view: &View) -> Option<Arc<str>> {
        let new = view.frame.as_ref()?;
        if let Some(old) = &self.frame
            && Arc::ptr_eq(old, new)
        {
            return None;
        }
        self.frame = Some(Arc::clone(new));
        let puzzle = &play.plan.puzzles[play.plan.id(view.run).puzzle];
        Some(play.moment(new, || frame(new, puzzle).to_string()))
    }

    /// The samples that were not told before; of another run all of them, even none.
    fn new_curve(&mut self, view: &View, is_other_run: bool) -> Option<Value> {
        if !is_other_run && Arc::ptr_eq(&self.curve, &view.curve) {
            return None;
        }
        self.curve = Arc::clone(&view.curve);
        let (mut new, mut told) = (Vec::new(), BTreeSet::new());
        for sample in self.curve.iter() {
            if !self.told.contains(&sample.generation) {
                new.push(sample);
            }
            told.insert(sample.generation);
        }
        // The curve is thinned as it grows: a generation may leave it and come back, and is then told again.
        self.told = told;
        if is_other_run || !new.is_empty() { Some(curve(&new)) } else { None }
    }
}

/// How the player stands.
fn state(play: &Play, view: &View) -> Value {
    let is_over = view.frame.as_ref().is_some_and(|frame| frame.stop.is_some());
    let state = if view.plays {
        "playing"
    } else if is_over {
        "ended"
    } else {
        "paused"
    };
    let speed = match view.speed {
        Speed::Generations(rate) => json!(rate),
        Speed::Unlimited => Value::Null,
    };
    json!({
        "state": state,
        "speed": speed,
        "last": view.last,
        "replays": view.replays,
        "counts_operators": view.counts_operators,
        "record": view.record.as_ref().map(|record| recorded(play, record)),
    })
}

/// What a run came to.
fn recorded(play: &Play, record: &RunRecord) -> Value {
    json!({
        "solved": record.solved,
        "verified": record.verified,
        "by_propagation": record.by_propagation,
        "stop": record.stop.name(),
        "verdict": play.verdict(record),
    })
}

/// Which run it is.
fn run(play: &Play, view: &View, facts: &[Value]) -> Value {
    let plan = &play.plan;
    let id = plan.id(view.run);
    let config = &plan.setting(id.setting).config;
    let budget = config.budget;
    json!({
        "run": id.run,
        "runs": plan.runs(),
        "replicate": id.replicate,
        "puzzle": id.puzzle,
        "setting": plan.settings.describe(id.setting as usize),
        "algorithm": config.algorithm().as_json(),
        "budget": {
            "evaluations": budget.evaluations, "moves": budget.moves, "generations": budget.generations,
        },
        "facts": facts[id.puzzle],
    })
}

/// A moment.
fn frame(frame: &Frame, puzzle: &Puzzle) -> Value {
    let is_wide = puzzle.digits().len() > RANKS.len();
    let populations: Vec<Value> = frame.islands.iter().map(|rows| island(rows, is_wide)).collect();
    let mut operators = Vec::new();
    for used in frame.operators.uses() {
        operators.push(json!({
            "family": used.family, "name": used.name, "applied": used.applied, "better": used.better,
            "best": used.best, "gain": used.gain,
        }));
    }
    let mut migrations = Vec::new();
    for migrant in &frame.migrations {
        migrations.push(json!({
            "barrier": migrant.barrier, "from": migrant.from, "to": migrant.to, "fitness": migrant.fitness,
        }));
    }
    json!({
        "generation": frame.generation,
        "evaluations": frame.spent.evaluations,
        "moves": frame.spent.moves,
        "progress": frame.progress,
        "stop": frame.stop.map(|stop| stop.name()),
        "failure": frame.failure,
        "dead_at": frame.dead_at,
        "best": frame.best.as_ref().map(|best| leader(best, puzzle)),
        "sample": frame.sample.as_ref().map(sample),
        "populations": populations,
        "operators": operators,
        "migrations": migrations,
        "migrants": frame.migrants,
    })
}

/// The best individual.
fn leader(best: &Leader, puzzle: &Puzzle) -> Value {
    // A problem of the user's own has no groups to break, and no solution to differ from.
    if puzzle.genome().is_some() {
        return json!({
            "fitness": best.fitness, "grid": rows(&best.grid, puzzle), "terms": {}, "truth": null, "wrong": [], "broken": [],
        });
    }
    let (mut wrong, mut groups) = (Vec::new(), Vec::new());
    for cell in best.wrong() {
        wrong.push(place(cell, puzzle));
    }
    for group in &best.broken {
        groups.push(broken(group, puzzle));
    }
    json!({
        "fitness": best.fitness,
        "terms": terms(&best.terms),
        "grid": rows(&best.grid, puzzle),
        "truth": best.truth.as_ref().map(|truth| rows(truth, puzzle)),
        "wrong": wrong,
        "broken": groups,
    })
}

/// The row and the column of a cell.
fn place(cell: usize, puzzle: &Puzzle) -> [usize; 2] {
    [cell / puzzle.cols(), cell % puzzle.cols()]
}

/// A grid as rows of digits, null where there is none.
fn rows(grid: &Grid, puzzle: &Puzzle) -> Value {
    json!(grid.cells().chunks(puzzle.cols()).collect::<Vec<_>>())
}

/// A group that is broken.
pub(super) fn broken(broken: &BrokenGroup, puzzle: &Puzzle) -> Value {
    let group = &puzzle.groups()[broken.group];
    let cells: Vec<[usize; 2]> = group.cells.iter().map(|cell| place(*cell, puzzle)).collect();
    json!({
        "group": broken.group,
        "name": puzzle.group_name(group),
        "role": group.role.name(),
        "cells": cells,
        "violation": broken.violation,
    })
}

/// The terms of a fitness, unweighted.
pub(super) fn terms(terms: &Terms) -> Value {
    let mut object = Map::new();
    for term in Term::ALL {
        object.insert(term.name().to_owned(), json!(terms.of(term)));
    }
    Value::Object(object)
}

/// A sample: its measures by name.
fn sample(sample: &Sample) -> Value {
    let mut object = Map::new();
    for (place, measure) in MEASURES.iter().enumerate() {
        object.insert(measure.name.to_owned(), json!(sample.value(place)));
    }
    Value::Object(object)
}

/// Samples, a list for every column.
fn curve(samples: &[&Sample]) -> Value {
    let [mut generations, mut evaluations, mut moves, mut best] = [const { Vec::new() }; 4];
    for sample in samples {
        generations.push(json!(sample.generation));
        evaluations.push(json!(sample.evaluations));
        moves.push(json!(sample.moves));
        best.push(json!(sample.best));
    }
    let mut columns =
        json!({"generation": generations, "evaluations": evaluations, "moves": moves, "best": best});
    for (place, measure) in MEASURES.iter().enumerate() {
        columns[measure.name] = samples.iter().map(|sample| json!(sample.value(place))).collect();
    }
    columns
}

/// The population of an island; genomes are lists of ranks where a character each does not suffice.
fn island(rows: &Rows, is_wide: bool) -> Value {
    let mut genomes = Vec::with_capacity(rows.len());
    for row in 0..rows.len() {
        let ranks = rows.genome(row);
        genomes.push(if is_wide { json!(ranks) } else { json!(genome(ranks)) });
    }
    json!({"individuals": rows.individuals, "genomes": genomes, "fitness": rows.fitness()})
}

/// A genome as text: a rank a character.
pub(super) fn genome(ranks: &[u8]) -> String {
    ranks.iter().map(|rank| RANKS.get(usize::from(*rank)).map_or('?', |byte| char::from(*byte))).collect()
}
