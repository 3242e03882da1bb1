//! Writing canonical JSON.

use serde_json::{Map, Value, json};

use super::super::super::{
    BoxShape, Clue, Coloring, Grid, Group, Kind, Puzzle, Role, boxes_of, less_pair, magic_parts,
    queens_groups,
};
use super::super::error::WriteError;
use super::{KEPT_KEYS, coloring};

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    let magic = magic_parts(puzzle);
    let implied = magic.as_ref().map(|(_, groups)| groups.clone()).or_else(|| queens_groups(puzzle));
    let implied = implied.unwrap_or_default();
    let mut parts = GroupLists { boxes: boxes_of(puzzle), implied, ..GroupLists::default() };
    for group in puzzle.groups() {
        parts.add(puzzle, group)?;
    }
    let mut object = Map::new();
    if !puzzle.id.is_empty() {
        object.insert("id".to_owned(), json!(puzzle.id));
    }
    if puzzle.kind != Kind::KenKen {
        object.insert("kind".to_owned(), json!(puzzle.kind.name()));
    }
    match puzzle.kind {
        Kind::Kakuro => add_kakuro(&mut object, puzzle, parts.runs)?,
        Kind::Coloring => coloring::add(&mut object, puzzle),
        Kind::Magic => add_magic(&mut object, puzzle, magic.map(|(target, _)| target), &parts)?,
        Kind::Queens => add_queens(&mut object, puzzle, &parts)?,
        _ => add_square(&mut object, puzzle, &parts)?,
    }
    for (key, list) in
        [("cages", parts.cages), ("less", parts.less), ("givens", parts.givens), ("groups", parts.groups)]
    {
        if !list.is_empty() || (key == "cages" && puzzle.kind == Kind::KenKen) {
            object.insert(key.to_owned(), Value::Array(list));
        }
    }
    if let Some(solution) = &puzzle.solution {
        object.insert("solution".to_owned(), rows(solution));
    }
    add_meta(&mut object, &puzzle.meta);
    Ok(Value::Object(object).to_string())
}

fn add_square(
    object: &mut Map<String, Value>,
    puzzle: &Puzzle,
    parts: &GroupLists,
) -> Result<(), WriteError> {
    let size = puzzle.rows();
    let square = size == puzzle.cols() && (0..size * size).all(|cell| !puzzle.is_black(cell));
    if !square || parts.lines != 2 * size {
        return Err(refused(format!("{} without all its rows and columns", puzzle.kind.phrase())));
    }
    object.insert("size".to_owned(), json!(size));
    if matches!(puzzle.kind, Kind::Sudoku | Kind::Killer) {
        match &parts.boxes {
            Some((shape, _)) => object.insert("box".to_owned(), json!(shape)),
            None => return Err(refused(format!("{} without all its boxes", puzzle.kind.phrase()))),
        };
    }
    if !puzzle.digits().is_one_to(size) {
        object.insert("digits".to_owned(), json!(puzzle.digits().values()));
    }
    Ok(())
}

fn add_kakuro(object: &mut Map<String, Value>, puzzle: &Puzzle, runs: Vec<Value>) -> Result<(), WriteError> {
    let mut shown: Vec<bool> = (0..puzzle.rows() * puzzle.cols()).map(|cell| puzzle.is_black(cell)).collect();
    puzzle.groups_with(Role::Entry).flat_map(|entry| &entry.cells).for_each(|cell| shown[*cell] = true);
    if let Some(cell) = shown.iter().position(|shown| !shown) {
        return Err(refused(format!("the white cell {} in no entry", puzzle.cell_name(cell))));
    }
    object.insert("rows".to_owned(), json!(puzzle.rows()));
    object.insert("cols".to_owned(), json!(puzzle.cols()));
    if !puzzle.digits().is_one_to(9) {
        object.insert("digits".to_owned(), json!(puzzle.digits().values()));
    }
    object.insert("runs".to_owned(), Value::Array(runs));
    Ok(())
}

fn add_magic(
    object: &mut Map<String, Value>,
    puzzle: &Puzzle,
    target: Option<i64>,
    parts: &GroupLists,
) -> Result<(), WriteError> {
    let (size, digits) = (puzzle.rows(), puzzle.digits());
    let target = target.filter(|_| size == puzzle.cols() && parts.implied.is_empty());
    let target = target.ok_or_else(|| refused("a magic square without all its sums".to_owned()))?;
    object.insert("size".to_owned(), json!(size));
    if !digits.is_one_to(size * size) {
        object.insert("digits".to_owned(), json!(digits.values()));
    }
    let sum: i64 = digits.values().iter().map(|digit| i64::from(*digit)).sum();
    if target != sum / size as i64 {
        object.insert("target".to_owned(), json!(target));
    }
    Ok(())
}

fn add_queens(
    object: &mut Map<String, Value>,
    puzzle: &Puzzle,
    parts: &GroupLists,
) -> Result<(), WriteError> {
    let size = puzzle.cols();
    if puzzle.rows() != 1 || !puzzle.digits().is_one_to(size) || !parts.implied.is_empty() {
        return Err(refused("queens without all their pairs".to_owned()));
    }
    object.insert("size".to_owned(), json!(size));
    Ok(())
}

/// The groups of a puzzle, by the list of the JSON object that holds them.
#[derive(Default)]
struct GroupLists {
    cages: Vec<Value>,
    runs: Vec<Value>,
    less: Vec<Value>,
    givens: Vec<Value>,
    groups: Vec<Value>,
    /// The number of rows and columns, which the size implies.
    lines: usize,
    /// The boxes that `box` implies, where the kind has them.
    boxes: Option<(BoxShape, Vec<Group>)>,
    /// The groups that the kind and its keys imply, without those found so far.
    implied: Vec<Group>,
    last: Option<Group>,
}

impl GroupLists {
    fn add(&mut self, puzzle: &Puzzle, group: &Group) -> Result<(), WriteError> {
        if let Some(place) = self.implied.iter().position(|other| other == group) {
            self.implied.swap_remove(place);
            return Ok(());
        }
        let place = |cell: usize| json!([cell / puzzle.cols(), cell % puzzle.cols()]);
        if let Some(pair) = less_pair(puzzle, group).filter(|_| puzzle.kind == Kind::Futoshiki) {
            self.less.push(json!(pair.map(place)));
            return Ok(());
        }
        let cells: Vec<Value> = group.cells.iter().map(|cell| place(*cell)).collect();
        let fresh = self.last.as_ref() != Some(group);
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None) if has_lines(puzzle.kind) && is_line(puzzle, group) && fresh => {
                self.lines += 1;
            }
            (Role::Region, None)
                if fresh && self.boxes.as_ref().is_some_and(|boxes| boxes.1.contains(group)) => {}
            (Role::Cage, Some(clue)) if matches!(puzzle.kind, Kind::KenKen | Kind::Killer | Kind::Latin) => {
                self.cages.push(cage(puzzle.kind, group, clue, &cells));
            }
            (Role::Entry, Some(clue)) if puzzle.kind == Kind::Kakuro && is_sum(group, clue) => {
                self.runs.push(json!({"target": clue.target, "cells": cells}));
            }
            (Role::Group, None) if puzzle.kind == Kind::Coloring && Coloring::is_edge(group) && fresh => {}
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

/// A cage without what the kind implies.
fn cage(kind: Kind, group: &Group, clue: Clue, cells: &[Value]) -> Value {
    let (symbol, killer) = (clue.operator.symbol, kind == Kind::Killer);
    let mut cage = match symbol {
        "+" | "=" if killer => json!({"target": clue.target, "cells": cells}),
        _ => json!({"op": symbol, "target": clue.target, "cells": cells}),
    };
    if group.distinct != killer {
        cage["repeats"] = json!(killer);
    }
    cage
}

fn is_sum(group: &Group, clue: Clue) -> bool {
    let symbol = if group.cells.len() == 1 { "=" } else { "+" };
    group.distinct && clue.operator.symbol == symbol
}

/// Says whether the size of such a puzzle implies distinct rows and columns.
fn has_lines(kind: Kind) -> bool {
    !matches!(kind, Kind::Kakuro | Kind::Magic | Kind::Queens)
}

/// Says whether a group is a whole row or column with distinct digits.
fn is_line(puzzle: &Puzzle, group: &Group) -> bool {
    let (first, cols) = (group.cells[0], puzzle.cols());
    let step = if group.role == Role::Row { 1 } else { cols };
    let start = if group.role == Role::Row { first % cols == 0 } else { first < cols };
    let in_step = group.cells.windows(2).all(|pair| pair[1] - pair[0] == step);
    group.distinct && start && in_step && group.cells.len() == cols
}

/// Writes the known keys into the puzzle itself, all others into `meta`.
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

/// The rows of a grid; `null` where there is no digit.
fn rows(grid: &Grid) -> Value {
    grid.cells().chunks(grid.cols()).collect()
}
