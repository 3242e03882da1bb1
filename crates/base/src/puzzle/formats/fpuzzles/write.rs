//! Writing the JSON of f-puzzles.
//!
//! Sums with distinct digits are `killercage`; cages with operators are drawn ones, `cage`, with the clue as their label.

use serde_json::{Map, Value, json};

use super::super::super::{Clue, Group, Kind, Puzzle, Role, boxes_of, usual_boxes};
use super::json::{WORDS, diagonals};
use super::labelled::{box_shape, is_row};

/// The rules of a KenKen, for the people who solve it there.
const KENKEN_RULES: &str = "Each row and each column holds every digit once. The digits of a cage, combined by its \
                            operator, make its number; - and ÷ begin with the largest digit.";

/// The object of a puzzle.
///
/// # Errors
/// What f-puzzles cannot hold, in words.
pub(super) fn object(puzzle: &Puzzle) -> Result<String, String> {
    let size = puzzle.rows();
    check_grid(puzzle)?;
    let mut parts = Parts::new(size);
    let regions = parts.regions(puzzle);
    let mut left: Vec<&Group> = puzzle.groups().iter().collect();
    for cells in &regions {
        if let Some(place) = left.iter().position(|group| is_region(group) && group.cells == *cells) {
            left.remove(place);
        }
    }
    for group in left {
        parts.add(puzzle, group)?;
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
    if puzzle.cols() != size || (0..size * size).any(|cell| puzzle.is_black(cell)) {
        return Err("a grid that is not a full square".to_owned());
    }
    if !puzzle.digits().is_one_to(size) {
        return Err(format!("the digits {:?}, only 1 to {size}", puzzle.digits().values()));
    }
    let lines = puzzle.groups().iter().filter(|group| is_line(group, size)).count();
    if lines != 2 * size {
        return Err("other lines than each row and column once".to_owned());
    }
    Ok(())
}

fn is_line(group: &Group, size: usize) -> bool {
    matches!(group.role, Role::Row | Role::Column)
        && group.distinct
        && group.clue.is_none()
        && group.cells.len() == size
}

fn is_region(group: &Group) -> bool {
    group.role == Role::Region && group.distinct && group.clue.is_none()
}

/// The parts of the object that groups make.
struct Parts {
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

impl Parts {
    fn new(size: usize) -> Self {
        Self {
            size,
            cells: vec![Map::new(); size * size],
            sums: Vec::new(),
            labelled: Vec::new(),
            has_operator: false,
            bare: Vec::new(),
            extra: Vec::new(),
            diagonals: [false; 2],
        }
    }

    /// The regions of the grid: the boxes, or the regions of a Latin square that divide it. Writes them into the cells
    /// where they are not the usual ones.
    fn regions(&mut self, puzzle: &Puzzle) -> Vec<Vec<usize>> {
        let size = self.size;
        if let Some((shape, boxes)) = boxes_of(puzzle) {
            if usual_boxes(size) != Some(shape) {
                let number = |cell: usize| cell / size / shape.0 * shape.0 + cell % size / shape.1;
                (0..size * size).for_each(|cell| self.set_region(cell, json!(number(cell))));
            }
            return boxes.into_iter().map(|group| group.cells).collect();
        }
        let regions: Vec<Vec<usize>> = puzzle
            .groups()
            .iter()
            .filter(|group| is_region(group))
            .map(|group| group.cells.clone())
            .collect();
        let regions = if divides(size, &regions) { regions } else { Vec::new() };
        (0..size * size).for_each(|cell| self.set_region(cell, Value::Null));
        for (number, cells) in regions.iter().enumerate() {
            cells.iter().for_each(|cell| self.set_region(*cell, json!(number)));
        }
        regions
    }

    fn set_region(&mut self, cell: usize, region: Value) {
        self.cells[cell].insert("region".to_owned(), region);
    }

    fn add(&mut self, puzzle: &Puzzle, group: &Group) -> Result<(), String> {
        let name = || puzzle.group_name(group);
        match (group.role, group.clue) {
            (Role::Row | Role::Column, None) if is_line(group, self.size) => {}
            (Role::Region, None) if group.distinct => self.add_extra(group),
            (Role::Given, Some(clue)) if group.cells.len() == 1 => {
                let cell = &mut self.cells[group.cells[0]];
                let digit = usize::try_from(clue.target).is_ok_and(|digit| (1..=self.size).contains(&digit));
                if !digit || cell.contains_key("value") {
                    return Err(format!("the {}", name()));
                }
                cell.insert("value".to_owned(), json!(clue.target));
                cell.insert("given".to_owned(), json!(true));
            }
            (Role::Cage, Some(clue)) if group.distinct => {
                if !matches!(clue.operator.symbol, "+" | "=") {
                    return Err(format!("`repeats: false`, as {} has", name()));
                }
                self.sums.push(json!({"cells": self.names(group), "value": clue.target.to_string()}));
            }
            (Role::Cage, Some(clue)) => self.add_labelled(group, clue),
            _ => return Err(format!("the {}", name())),
        }
        Ok(())
    }

    fn add_extra(&mut self, group: &Group) {
        let diagonal = diagonals(self.size).iter().position(|cells| *cells == group.cells);
        match diagonal.filter(|index| !self.diagonals[*index]) {
            Some(index) => self.diagonals[index] = true,
            None => self.extra.push(json!({"cells": self.names(group)})),
        }
    }

    fn add_labelled(&mut self, group: &Group, clue: Clue) {
        let symbol = match clue.operator.symbol {
            "*" => "×",
            "/" => "÷",
            "=" => "",
            symbol => symbol,
        };
        match symbol {
            "" => self.bare.push(self.labelled.len()),
            _ => self.has_operator = true,
        }
        let value = format!("{}{symbol}", clue.target);
        let black = "#000000";
        self.labelled
            .push(json!({"cells": self.names(group), "outlineC": black, "fontC": black, "value": value}));
    }

    fn names(&self, group: &Group) -> Vec<String> {
        group.cells.iter().map(|cell| format!("R{}C{}", cell / self.size + 1, cell % self.size + 1)).collect()
    }

    /// Refuses what would be read as something else.
    fn check(&mut self, puzzle: &Puzzle) -> Result<(), String> {
        let rows = boxes_of(puzzle).is_some_and(|(shape, _)| shape.0 == 1);
        let labelled = !self.labelled.is_empty();
        match puzzle.kind {
            Kind::Sudoku if rows => Err("a Sudoku whose boxes are its rows".to_owned()),
            Kind::Killer if rows && labelled => Err("such cages without boxes".to_owned()),
            Kind::Killer if !labelled && self.sums.is_empty() => Err("a Killer without cages".to_owned()),
            Kind::Sudoku | Kind::Latin if labelled || !self.sums.is_empty() => {
                Err(format!("{} with cages", puzzle.kind.phrase()))
            }
            Kind::KenKen
                if !self.sums.is_empty() || !self.extra.is_empty() || self.diagonals != [false; 2] =>
            {
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
        for &index in self.bare.iter().filter(|_| !self.has_operator) {
            let value = self.labelled[index]["value"].as_str().unwrap_or_default().to_owned();
            self.labelled[index]["value"] = json!(value + "=");
        }
    }

    fn object(self, puzzle: &Puzzle) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("size".to_owned(), json!(self.size));
        for key in WORDS {
            let rules = || (key == "ruleset" && puzzle.kind == Kind::KenKen).then(|| json!(KENKEN_RULES));
            if let Some(text) = puzzle.meta.get(key).cloned().or_else(rules) {
                object.insert(key.to_owned(), text);
            }
        }
        let cells: Vec<Value> = self.cells.into_iter().map(Value::Object).collect();
        object.insert("grid".to_owned(), cells.chunks(self.size).map(|row| json!(row)).collect());
        for (key, list) in [("killercage", self.sums), ("cage", self.labelled), ("extraregion", self.extra)] {
            if !list.is_empty() {
                object.insert(key.to_owned(), Value::Array(list));
            }
        }
        for (key, is_set) in ["diagonal-", "diagonal+"].into_iter().zip(self.diagonals) {
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
    let mut cells: Vec<usize> = regions.iter().flatten().copied().collect();
    cells.sort_unstable();
    cells.len() == size * size
        && cells.windows(2).all(|pair| pair[0] != pair[1])
        && regions.iter().all(|region| region.len() == size && !is_row(region, size))
        && box_shape(size, regions).is_none()
}
