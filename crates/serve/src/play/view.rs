//! What a stream tells of a play: the moment that is shown, and what is new of the curve.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Play, Watcher};
use crate::stream::News;
use kenga_core::fitness::{Term, Terms};
use kenga_core::puzzle::{Grid, Puzzle};
use kenga_lab::experiment::{BrokenGroup, MEASURES, RunRecord, Sample};
use kenga_lab::playback::{Frame, Leader, Rows, Speed, View};

/// The digits of genomes as text: a rank a character.
const RANKS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// A stream of a play.
pub(crate) struct Telling {
    watcher: Watcher,
    /// What was told last, but for frame and curve.
    state: Value,
    /// The run of which something was told.
    run: Option<u64>,
    frame: Option<Arc<Frame>>,
    curve: Arc<Vec<Sample>>,
    /// Generations of the curve that were told.
    told: BTreeSet<u64>,
    is_over: bool,
}

impl Telling {
    /// A stream of which nothing was told.
    pub(crate) fn new(play: Arc<Play>) -> Self {
        Self {
            watcher: Watcher::new(play),
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
        if play.interrupt.is_raised() && play.facts.get().is_none_or(Result::is_ok) {
            self.is_over = true;
            return News::Event("closed", json!({"state": "closed"}).to_string());
        }
        match play.facts.get() {
            None => self.told_state(json!({"state": "preparing"})),
            Some(Err(refusal)) => {
                self.is_over = true;
                let Value::Object(mut failed) = refusal.json() else { return News::End };
                failed.insert("state".to_owned(), json!("failed"));
                News::Event("failed", Value::Object(failed).to_string())
            }
            Some(Ok(facts)) => {
                let view = play.player.view();
                self.tell(&play, &view, facts)
            }
        }
    }

    fn told_state(&mut self, state: Value) -> News {
        if self.state == state {
            return News::Nothing;
        }
        self.state.clone_from(&state);
        News::Event("view", state.to_string())
    }

    fn tell(&mut self, play: &Play, view: &View, facts: &[Value]) -> News {
        let mut object = state(play, view);
        let state = Value::Object(object.clone());
        let is_other_run = self.run != Some(view.run);
        if is_other_run {
            (self.run, self.frame, self.told) = (Some(view.run), None, BTreeSet::new());
            object.insert("run".to_owned(), run(play, view, facts));
        }
        let is_same = |old: &Arc<Frame>, new: &Arc<Frame>| Arc::ptr_eq(old, new);
        let puzzle = &play.plan.puzzles[play.plan.id(view.run).puzzle];
        let mut moment = None;
        if let Some(new) = &view.frame
            && !self.frame.as_ref().is_some_and(|old| is_same(old, new))
        {
            self.frame = Some(Arc::clone(new));
            moment = Some(play.moment(new, || frame(new, puzzle).to_string()));
        }
        if is_other_run || !Arc::ptr_eq(&self.curve, &view.curve) {
            self.curve = Arc::clone(&view.curve);
            let new: Vec<&Sample> =
                self.curve.iter().filter(|sample| !self.told.contains(&sample.generation)).collect();
            if is_other_run || !new.is_empty() {
                object.insert("curve".to_owned(), curve(&new));
            }
            self.told = self.curve.iter().map(|sample| sample.generation).collect();
        }
        let is_news = moment.is_some() || ["run", "curve"].iter().any(|key| object.contains_key(*key));
        if !is_news && self.state == state {
            return News::Nothing;
        }
        self.state = state;
        let mut text = Value::Object(object).to_string();
        if let Some(moment) = moment {
            // It is the largest part by far, and the same for all who watch.
            text.truncate(text.len() - 1);
            text += &format!(",\"frame\":{moment}}}");
        }
        News::Event("view", text)
    }
}

/// How the player stands.
fn state(play: &Play, view: &View) -> Map<String, Value> {
    let is_over = view.frame.as_ref().is_some_and(|frame| frame.stop.is_some());
    let state = match view.plays {
        true => "playing",
        false if is_over => "ended",
        false => "paused",
    };
    let speed = match view.speed {
        Speed::Generations(rate) => json!(rate),
        Speed::Unlimited => Value::Null,
    };
    let object = json!({
        "state": state,
        "speed": speed,
        "last": view.last,
        "replays": view.replays,
        "counts_operators": view.counts_operators,
        "record": view.record.as_ref().map(|record| recorded(play, record)),
    });
    match object {
        Value::Object(object) => object,
        _ => Map::new(),
    }
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
        "algorithm": config.resolved.get("algorithm"),
        "budget": {
            "evaluations": budget.evaluations, "moves": budget.moves, "generations": budget.generations,
        },
        "facts": facts[id.puzzle],
    })
}

/// A moment.
fn frame(frame: &Frame, puzzle: &Puzzle) -> Value {
    let spent = frame.spent;
    let migrations: Vec<Value> = frame
        .migrations
        .iter()
        .map(|migrant| json!({"barrier": migrant.barrier, "from": migrant.from, "to": migrant.to, "fitness": migrant.fitness}))
        .collect();
    let operators = frame.operators.uses().iter().map(|used| {
        json!({
            "family": used.family, "name": used.name, "applied": used.applied, "better": used.better,
            "best": used.best, "gain": used.gain,
        })
    });
    json!({
        "generation": frame.generation,
        "evaluations": spent.evaluations,
        "moves": spent.moves,
        "progress": frame.progress,
        "stop": frame.stop.map(|stop| stop.name()),
        "failure": frame.failure,
        "dead_at": frame.dead_at,
        "best": frame.best.as_ref().map(|best| leader(best, puzzle)),
        "sample": frame.sample.as_ref().map(sample),
        "populations": frame.islands.iter().map(island).collect::<Vec<_>>(),
        "operators": operators.collect::<Vec<_>>(),
        "migrations": migrations,
        "migrants": frame.migrants,
    })
}

/// The best individual.
fn leader(best: &Leader, puzzle: &Puzzle) -> Value {
    let place = |cell: usize| [cell / puzzle.cols(), cell % puzzle.cols()];
    json!({
        "fitness": best.fitness,
        "terms": terms(&best.terms),
        "grid": rows(&best.grid, puzzle),
        "truth": best.truth.as_ref().map(|truth| rows(truth, puzzle)),
        "wrong": best.wrong().map(place).collect::<Vec<_>>(),
        "broken": best.broken.iter().map(|group| broken(group, puzzle)).collect::<Vec<_>>(),
    })
}

/// A grid as rows of digits, null where there is none.
fn rows(grid: &Grid, puzzle: &Puzzle) -> Vec<Vec<Option<u8>>> {
    let digit = |place| grid.get(place);
    let row = |row: usize| (0..puzzle.cols()).map(|column| digit(row * puzzle.cols() + column)).collect();
    (0..puzzle.rows()).map(row).collect()
}

/// A group that is broken.
pub(super) fn broken(broken: &BrokenGroup, puzzle: &Puzzle) -> Value {
    let group = &puzzle.groups()[broken.group];
    let cells: Vec<[usize; 2]> =
        group.cells.iter().map(|cell| [cell / puzzle.cols(), cell % puzzle.cols()]).collect();
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
    Term::ALL
        .into_iter()
        .map(|term| (term.name().to_owned(), json!(terms.of(term))))
        .collect::<Map<_, _>>()
        .into()
}

/// A sample: its measures by name.
fn sample(sample: &Sample) -> Value {
    let measures = MEASURES.iter().enumerate().map(|(place, measure)| (measure.name, sample.value(place)));
    measures.map(|(name, value)| (name.to_owned(), json!(value))).collect::<Map<_, _>>().into()
}

/// Samples, a list for every column.
fn curve(samples: &[&Sample]) -> Value {
    let mut columns = Map::new();
    let mut add = |name: &str, value: &dyn Fn(&Sample) -> Value| {
        columns.insert(name.to_owned(), samples.iter().map(|sample| value(sample)).collect());
    };
    add("generation", &|sample| json!(sample.generation));
    add("evaluations", &|sample| json!(sample.evaluations));
    add("moves", &|sample| json!(sample.moves));
    add("best", &|sample| json!(sample.best));
    for (place, measure) in MEASURES.iter().enumerate() {
        add(measure.name, &|sample| json!(sample.value(place)));
    }
    columns.into()
}

/// The population of an island.
fn island(rows: &Rows) -> Value {
    let genomes: Vec<String> = (0..rows.len()).map(|row| genome(rows.genome(row))).collect();
    json!({"individuals": rows.individuals, "genomes": genomes, "fitness": rows.fitness()})
}

/// A genome as text: a rank a character.
pub(super) fn genome(ranks: &[u8]) -> String {
    ranks.iter().map(|rank| RANKS.get(usize::from(*rank)).map_or('?', |byte| char::from(*byte))).collect()
}
