//! Writing canonical JSON.

use serde_json::{Map, Value, json};

use super::super::super::{Group, Kind, Puzzle, Role};
use super::super::error::WriteError;
use super::{KEPT_KEYS, grid};

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let Kind::KenKen = puzzle.kind;
    let mut parts = Parts::default();
    for group in puzzle.groups() {
        parts.add(puzzle, group)?;
    }
    let size = puzzle.rows();
    let square = size == puzzle.cols() && (0..size * size).all(|cell| !puzzle.is_black(cell));
    if !square || parts.lines != 2 * size {
        return Err(refused("a kenken without all its rows and columns".to_owned()));
    }
    let mut object = Map::new();
    if !puzzle.id.is_empty() {
        object.insert("id".to_owned(), json!(puzzle.id));
    }
    object.insert("size".to_owned(), json!(size));
    if !puzzle.digits().is_one_to(size) {
        object.insert("digits".to_owned(), json!(puzzle.digits().values()));
    }
    object.insert("cages".to_owned(), Value::Array(parts.cages));
    for (key, list) in [("givens", parts.givens), ("groups", parts.groups)] {
        if !list.is_empty() {
            object.insert(key.to_owned(), Value::Array(list));
        }
    }
    if let Some(solution) = &puzzle.solution {
        object.insert("solution".to_owned(), grid::value(solution));
    }
    add_meta(&mut object, &puzzle.meta);
    Ok(Value::Object(object).to_string())
}

/// The lists of groups, by how JSON holds them.
#[derive(Default)]
struct Parts {
    cages: Vec<Value>,
    givens: Vec<Value>,
    groups: Vec<Value>,
    /// Rows and columns that a size implies.
    lines: usize,
    last: Option<Group>,
}

impl Parts {
    fn add(&mut self, puzzle: &Puzzle, group: &Group) -> Result<(), WriteError> {
        let cells: Vec<Value> =
            group.cells.iter().map(|cell| json!([cell / puzzle.cols(), cell % puzzle.cols()])).collect();
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None)
                if is_line(puzzle, group) && self.last.as_ref() != Some(group) =>
            {
                self.lines += 1;
            }
            (Role::Cage, Some(clue)) => {
                let mut cage = json!({"op": clue.operator.symbol(), "target": clue.target, "cells": cells});
                if group.distinct {
                    cage["repeats"] = json!(false);
                }
                self.cages.push(cage);
            }
            (Role::Given, Some(clue)) if group.cells.len() == 1 && (0..=255).contains(&clue.target) => {
                let cell = group.cells[0];
                self.givens.push(json!([cell / puzzle.cols(), cell % puzzle.cols(), clue.target]));
            }
            (Role::Given, _) | (_, Some(_)) => return Err(refused(puzzle.group_name(group))),
            (role, None) => {
                self.groups.push(json!({"distinct": group.distinct, "role": role.name(), "cells": cells}));
            }
        }
        self.last = Some(group.clone());
        Ok(())
    }
}

/// A whole row or column, digits distinct: what every KenKen has.
fn is_line(puzzle: &Puzzle, group: &Group) -> bool {
    let (first, cols) = (group.cells[0], puzzle.cols());
    let step = if group.role == Role::Row { 1 } else { cols };
    let start = if group.role == Role::Row { first % cols == 0 } else { first < cols };
    let in_step = group.cells.windows(2).all(|pair| pair[1] - pair[0] == step);
    group.distinct && start && in_step && group.cells.len() == cols
}

/// Known keys of other programs stand in the puzzle itself, all others in `meta`.
fn add_meta(object: &mut Map<String, Value>, meta: &Map<String, Value>) {
    let mut rest = Map::new();
    for (key, value) in meta {
        let target = if KEPT_KEYS.contains(&&**key) { &mut *object } else { &mut rest };
        target.insert(key.clone(), value.clone());
    }
    if !rest.is_empty() {
        object.insert("meta".to_owned(), Value::Object(rest));
    }
}

fn refused(what: String) -> WriteError {
    WriteError { format: super::FORMAT.name, what }
}
