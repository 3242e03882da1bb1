//! Writing canonical JSON.

use serde_json::{Map, Value, json};

use super::super::super::kakuro::is_in_step;
use super::super::super::{
    BoxShape, Clue, Coloring, Group, Kind, Puzzle, Role, boxes_of, less_pair, magic_parts, position,
    queens_groups,
};
use super::super::error::WriteError;
use super::parts::{place, places};
use super::{KEPT_KEYS, grid};

pub(super) fn write(puzzle: &Puzzle) -> Result<String, WriteError> {
    object(puzzle).map_err(|what| WriteError::new(super::FORMAT.name, what))
}

fn object(puzzle: &Puzzle) -> Result<String, String> {
    let mut lists = GroupLists { boxes: boxes_of(puzzle), ..GroupLists::default() };
    if let Some((target, groups)) = magic_parts(puzzle) {
        lists.target = Some(target);
        lists.implied = groups;
    } else if let Some(groups) = queens_groups(puzzle) {
        lists.implied = groups;
    }
    for group in puzzle.groups() {
        lists.add(puzzle, group)?;
    }
    let mut object = Map::new();
    if !puzzle.id.is_empty() {
        object.insert("id".to_owned(), json!(puzzle.id));
    }
    if puzzle.kind != Kind::KenKen {
        object.insert("kind".to_owned(), json!(puzzle.kind.name()));
    }
    match puzzle.kind {
        Kind::Kakuro => add_kakuro(&mut object, puzzle, lists.runs)?,
        Kind::Coloring => add_coloring(&mut object, puzzle),
        Kind::Magic => add_magic(&mut object, puzzle, &lists)?,
        Kind::Queens => add_queens(&mut object, puzzle, &lists)?,
        Kind::Grid => grid::add(&mut object, puzzle),
        Kind::Problem => super::problem::add(&mut object, puzzle),
        _ => add_square(&mut object, puzzle, &lists)?,
    }
    for (key, list) in
        [("cages", lists.cages), ("less", lists.less), ("givens", lists.givens), ("groups", lists.groups)]
    {
        // A KenKen must have the key.
        if !list.is_empty() || (key == "cages" && puzzle.kind == Kind::KenKen) {
            object.insert(key.to_owned(), Value::Array(list));
        }
    }
    if let Some(solution) = &puzzle.solution {
        // `null` where there is no digit.
        object.insert("solution".to_owned(), solution.cells().chunks(solution.cols()).collect());
    }
    add_meta(&mut object, &puzzle.meta);
    Ok(Value::Object(object).to_string())
}

fn add_square(object: &mut Map<String, Value>, puzzle: &Puzzle, lists: &GroupLists) -> Result<(), String> {
    let size = puzzle.rows();
    if !puzzle.is_full_square() || lists.lines != 2 * size {
        return Err(format!("{} without all its rows and columns", puzzle.kind.phrase()));
    }
    object.insert("size".to_owned(), json!(size));
    if matches!(puzzle.kind, Kind::Sudoku | Kind::Killer) {
        let Some((shape, _)) = &lists.boxes else {
            return Err(format!("{} without all its boxes", puzzle.kind.phrase()));
        };
        object.insert("box".to_owned(), json!(shape));
    }
    add_digits(object, puzzle, size);
    Ok(())
}

/// Adds the digits, where they are not those from 1 to `usual`.
fn add_digits(object: &mut Map<String, Value>, puzzle: &Puzzle, usual: usize) {
    if !puzzle.digits().is_one_to(usual) {
        object.insert("digits".to_owned(), json!(puzzle.digits().values()));
    }
}

fn add_kakuro(object: &mut Map<String, Value>, puzzle: &Puzzle, runs: Vec<Value>) -> Result<(), String> {
    let mut is_entered = vec![false; puzzle.rows() * puzzle.cols()];
    for entry in puzzle.groups_with(Role::Entry) {
        for &cell in &entry.cells {
            is_entered[cell] = true;
        }
    }
    for (cell, is_entered) in is_entered.into_iter().enumerate() {
        if !is_entered && !puzzle.is_black(cell) {
            return Err(format!("the white cell {} in no entry", puzzle.cell_name(cell)));
        }
    }
    object.insert("rows".to_owned(), json!(puzzle.rows()));
    object.insert("cols".to_owned(), json!(puzzle.cols()));
    add_digits(object, puzzle, 9);
    object.insert("runs".to_owned(), Value::Array(runs));
    Ok(())
}

fn add_coloring(object: &mut Map<String, Value>, puzzle: &Puzzle) {
    object.insert("vertices".to_owned(), json!(Coloring::vertices_of(puzzle)));
    object.insert("colors".to_owned(), json!(puzzle.digits().len()));
    object.insert("edges".to_owned(), json!(Coloring::edges_of(puzzle)));
}

fn add_magic(object: &mut Map<String, Value>, puzzle: &Puzzle, lists: &GroupLists) -> Result<(), String> {
    let size = puzzle.rows();
    let target = match lists.target {
        Some(target) if size == puzzle.cols() && lists.implied.is_empty() => target,
        _ => return Err("a magic square without all its sums".to_owned()),
    };
    object.insert("size".to_owned(), json!(size));
    add_digits(object, puzzle, size * size);
    let sum: i64 = puzzle.digits().values().iter().map(|digit| i64::from(*digit)).sum();
    if target != sum / size as i64 {
        object.insert("target".to_owned(), json!(target));
    }
    Ok(())
}

fn add_queens(object: &mut Map<String, Value>, puzzle: &Puzzle, lists: &GroupLists) -> Result<(), String> {
    let size = puzzle.cols();
    if puzzle.rows() != 1 || !puzzle.digits().is_one_to(size) || !lists.implied.is_empty() {
        return Err("queens without all their pairs".to_owned());
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
    /// The sum of a magic square.
    target: Option<i64>,
    /// The groups that the kind and its keys imply, without those found so far.
    implied: Vec<Group>,
    last: Option<Group>,
}

impl GroupLists {
    fn add(&mut self, puzzle: &Puzzle, group: &Group) -> Result<(), String> {
        if puzzle.kind == Kind::Grid && group.role != Role::Given {
            self.groups.push(grid::group_object(puzzle, group)?);
            return Ok(());
        }
        // A kind implies each of its groups once; a further one like it is written.
        if let Some(place) = self.implied.iter().position(|other| other == group) {
            self.implied.swap_remove(place);
            return Ok(());
        }
        if puzzle.kind == Kind::Futoshiki
            && let Some(pair) = less_pair(puzzle, group)
        {
            self.less.push(json!(pair.map(|cell| place(puzzle, cell))));
            return Ok(());
        }
        if let Some(clue) = group.clue {
            self.add_clued(puzzle, group, clue)?;
        } else if group.role == Role::Given {
            return Err(puzzle.group_name(group));
        } else if self.last.as_ref() == Some(group) || !self.is_known(puzzle, group) {
            // The size, the boxes and the edges imply each of their groups once.
            let (role, cells) = (group.role.name(), places(puzzle, group));
            self.groups.push(json!({"distinct": group.distinct, "role": role, "cells": cells}));
        }
        self.last = Some(group.clone());
        Ok(())
    }

    /// Adds a group with a clue to the list that holds such.
    fn add_clued(&mut self, puzzle: &Puzzle, group: &Group, clue: Clue) -> Result<(), String> {
        match (group.role, puzzle.kind) {
            (Role::Cage, Kind::KenKen | Kind::Killer | Kind::Latin) => {
                self.cages.push(cage(puzzle, group, clue));
            }
            (Role::Entry, Kind::Kakuro) if is_sum(group, clue) => {
                self.runs.push(json!({"target": clue.target, "cells": places(puzzle, group)}));
            }
            (Role::Given, _) if group.cells.len() == 1 && (0..=255).contains(&clue.target) => {
                let (row, column) = position(group.cells[0], puzzle.cols());
                self.givens.push(json!([row, column, clue.target]));
            }
            _ => return Err(puzzle.group_name(group)),
        }
        Ok(())
    }

    /// Says whether other keys imply a group without a clue; counts rows and columns.
    fn is_known(&mut self, puzzle: &Puzzle, group: &Group) -> bool {
        match group.role {
            Role::Row | Role::Column if has_lines(puzzle.kind) && is_line(puzzle, group) => {
                self.lines += 1;
                true
            }
            Role::Region => self.boxes.as_ref().is_some_and(|(_, boxes)| boxes.contains(group)),
            Role::Group => puzzle.kind == Kind::Coloring && Coloring::is_edge(group),
            _ => false,
        }
    }
}

/// A cage without what the kind implies.
fn cage(puzzle: &Puzzle, group: &Group, clue: Clue) -> Value {
    let is_killer = puzzle.kind == Kind::Killer;
    let cells = places(puzzle, group);
    let mut cage = match clue.operator.symbol {
        "+" | "=" if is_killer => json!({"target": clue.target, "cells": cells}),
        symbol => json!({"op": symbol, "target": clue.target, "cells": cells}),
    };
    if group.distinct != is_killer {
        cage["repeats"] = json!(is_killer);
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
    let (step, is_at_start) =
        if group.role == Role::Row { (1, first % cols == 0) } else { (cols, first < cols) };
    group.distinct && is_at_start && group.cells.len() == cols && is_in_step(&group.cells, step)
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
