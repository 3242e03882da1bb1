//! Writing the JSON of f-puzzles.
//!
//! Sums with distinct digits are `killercage`; cages with operators are drawn ones, `cage`, with the clue as their label.

use serde_json::{Map, Value, json};

use super::super::super::square::diagonals;
use super::super::super::{Clue, Group, Kind, Puzzle, Role, box_of, boxes_of, usual_boxes};
use super::super::contents::{check_square_of_digits, is_line};
use super::json::WORDS;
use super::labelled::{box_shape, is_row};

/// The rules of a KenKen, for the people who solve it there.
const KENKEN_RULES: &str = "Each row and each column holds every digit once. The digits of a cage, combined by its \
                            operator, make its number; - and ÷ begin with the largest digit.";

/// The object of a puzzle.
///
/// # Errors
/// What f-puzzles cannot hold, in words.
pub(super) fn object(puzzle: &Puzzle) -> Result<String, String> {
    check_grid(puzzle)?;
    let mut parts = ObjectParts::new(puzzle.rows());
    let mut regions = parts.regions(puzzle);
    for group in puzzle.groups() {
        // The first group of each region is written with the cells; another one like it is a group of its own.
        match regions.iter().position(|cells| is_region(group) && group.cells == *cells) {
            Some(place) => drop(regions.swap_remove(place)),
            None => parts.add(puzzle, group)?,
        }
    }
    parts.check(puzzle)?;
    Ok(Value::Object(parts.object(puzzle)).to_string())
}

/// Checks kind, shape and digits.
fn check_grid(puzzle: &Puzzle) -> Result<(), String> {
    let size = puzzle.rows();
    if !matches!(puzzle.kind, Kind::KenKen | Kind::Sudoku | Kind::Killer | Kind::Latin) {
        return Err(format!("{}, only kenken, sudoku, killer and latin", puzzle.kind.phrase()));
    }
    check_square_of_digits(puzzle)?;
    let lines = puzzle.groups().iter().filter(|group| is_line(group, size)).count();
    if lines != 2 * size {
        return Err("other lines than each row and column once".to_owned());
    }
    Ok(())
}

fn is_region(group: &Group) -> bool {
    group.role == Role::Region && group.distinct && group.clue.is_none()
}

/// The parts of the object that groups make.
#[derive(Default)]
struct ObjectParts {
    size: usize,
    cells: Vec<Map<String, Value>>,
    sums: Vec<Value>,
    labelled: Vec<Value>,
    /// Some label has an operator, so that readers take labels for clues.
    has_operator: bool,
    /// Bare numbers of one cell among the labels.
    bare: Vec<usize>,
    extra: Vec<Value>,
    diagonals: [bool; 2],
}

impl ObjectParts {
    fn new(size: usize) -> Self {
        Self { size, cells: vec![Map::new(); size * size], ..Self::default() }
    }

    /// The regions of the grid: the boxes, or the regions of a Latin square that divide it. Writes them into the cells
    /// where they are not the usual ones.
    fn regions(&mut self, puzzle: &Puzzle) -> Vec<Vec<usize>> {
        let size = self.size;
        if let Some((shape, boxes)) = boxes_of(puzzle) {
            // A reader knows the usual boxes.
            if usual_boxes(size) != Some(shape) {
                for cell in 0..size * size {
                    self.set_region(cell, json!(box_of(size, shape, cell)));
                }
            }
            return boxes.into_iter().map(|group| group.cells).collect();
        }
        let mut regions = Vec::new();
        for group in puzzle.groups() {
            if is_region(group) {
                regions.push(group.cells.clone());
            }
        }
        if !divides(size, &regions) {
            regions.clear();
        }
        for cell in 0..size * size {
            self.set_region(cell, Value::Null);
        }
        for (number, cells) in regions.iter().enumerate() {
            for &cell in cells {
                self.set_region(cell, json!(number));
            }
        }
        regions
    }

    fn set_region(&mut self, cell: usize, region: Value) {
        self.cells[cell].insert("region".to_owned(), region);
    }

    fn add(&mut self, puzzle: &Puzzle, group: &Group) -> Result<(), String> {
        match (group.role, group.clue) {
            _ if is_line(group, self.size) => {}
            (Role::Region, None) if group.distinct => self.add_extra(group),
            (Role::Given, Some(clue)) if self.is_digit_for(group, clue) => {
                let cell = &mut self.cells[group.cells[0]];
                cell.insert("value".to_owned(), json!(clue.target));
                cell.insert("given".to_owned(), json!(true));
            }
            (Role::Cage, Some(clue)) if group.distinct => {
                if !matches!(clue.operator.symbol, "+" | "=") {
                    return Err(format!("`repeats: false`, as {} has", puzzle.group_name(group)));
                }
                self.sums.push(json!({"cells": self.names(group), "value": clue.target.to_string()}));
            }
            (Role::Cage, Some(clue)) => self.add_labelled(group, clue),
            _ => return Err(format!("the {}", puzzle.group_name(group))),
        }
        Ok(())
    }

    /// Says whether a given is a digit of the grid in a cell without another.
    fn is_digit_for(&self, given: &Group, clue: Clue) -> bool {
        (1..=self.size as i64).contains(&clue.target)
            && given.cells.len() == 1
            && !self.cells[given.cells[0]].contains_key("value")
    }

    fn add_extra(&mut self, group: &Group) {
        match diagonals(self.size).iter().position(|cells| *cells == group.cells) {
            Some(index) if !self.diagonals[index] => self.diagonals[index] = true,
            _ => self.extra.push(json!({"cells": self.names(group)})),
        }
    }

    fn add_labelled(&mut self, group: &Group, clue: Clue) {
        let symbol = match clue.operator.symbol {
            "*" => "×",
            "/" => "÷",
            "=" => "",
            symbol => symbol,
        };
        if symbol.is_empty() {
            self.bare.push(self.labelled.len());
        } else {
            self.has_operator = true;
        }
        let (value, black) = (format!("{}{symbol}", clue.target), "#000000");
        self.labelled
            .push(json!({"cells": self.names(group), "outlineC": black, "fontC": black, "value": value}));
    }

    fn names(&self, group: &Group) -> Vec<String> {
        group.cells.iter().map(|cell| format!("R{}C{}", cell / self.size + 1, cell % self.size + 1)).collect()
    }

    /// Refuses what would be read as something else.
    fn check(&mut self, puzzle: &Puzzle) -> Result<(), String> {
        let is_in_rows = boxes_of(puzzle).is_some_and(|(shape, _)| shape.0 == 1);
        let (has_labels, has_sums) = (!self.labelled.is_empty(), !self.sums.is_empty());
        let has_groups = !self.extra.is_empty() || self.diagonals != [false; 2];
        match puzzle.kind {
            Kind::Sudoku if is_in_rows => Err("a Sudoku whose boxes are its rows".to_owned()),
            Kind::Killer if is_in_rows && has_labels => Err("such cages without boxes".to_owned()),
            Kind::Killer if !has_labels && !has_sums => Err("a Killer without cages".to_owned()),
            Kind::Sudoku | Kind::Latin if has_labels || has_sums => {
                Err(format!("{} with cages", puzzle.kind.phrase()))
            }
            Kind::KenKen if has_sums || has_groups => {
                Err("a KenKen with further groups, or with `repeats: false`".to_owned())
            }
            _ => {
                self.mark_bare();
                Ok(())
            }
        }
    }

    /// Gives the labels of one cell the sign `=` where no other label has an operator.
    fn mark_bare(&mut self) {
        if self.has_operator {
            return;
        }
        for &index in &self.bare {
            let value = self.labelled[index]["value"].as_str().unwrap_or_default().to_owned();
            self.labelled[index]["value"] = json!(value + "=");
        }
    }

    fn object(self, puzzle: &Puzzle) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("size".to_owned(), json!(self.size));
        for key in WORDS {
            if let Some(text) = puzzle.meta.get(key) {
                object.insert(key.to_owned(), text.clone());
            } else if key == "ruleset" && puzzle.kind == Kind::KenKen {
                object.insert(key.to_owned(), json!(KENKEN_RULES));
            }
        }
        let cells: Vec<Value> = self.cells.into_iter().map(Value::Object).collect();
        object.insert("grid".to_owned(), cells.chunks(self.size).map(|row| json!(row)).collect());
        for (key, list) in [("killercage", self.sums), ("cage", self.labelled), ("extraregion", self.extra)] {
            if !list.is_empty() {
                object.insert(key.to_owned(), Value::Array(list));
            }
        }
        let [falling, rising] = self.diagonals;
        for (key, is_set) in [("diagonal-", falling), ("diagonal+", rising)] {
            if is_set {
                object.insert(key.to_owned(), json!(true));
            }
        }
        if let Some(solution) = &puzzle.solution {
            object.insert("solution".to_owned(), json!(solution.cells()));
        }
        object
    }
}

/// Says whether regions divide the grid into areas of its size that are neither rows nor boxes, which would make
/// another kind of puzzle.
fn divides(size: usize, regions: &[Vec<usize>]) -> bool {
    let mut is_covered = vec![false; size * size];
    for region in regions {
        if region.len() != size || is_row(region, size) {
            return false;
        }
        for &cell in region {
            is_covered[cell] = true;
        }
    }
    // As many regions of the size as rows cover each cell once, or leave one out.
    regions.len() == size && !is_covered.contains(&false) && box_shape(size, regions).is_none()
}
