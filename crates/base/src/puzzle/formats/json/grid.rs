//! The general kind in JSON: any groups over any cells, which may overlap:
//! `{"kind":"grid","rows":2,"cols":2,"digits":[1,2,3],"black":[[1,1]],"groups":[{"op":"<","cells":[[0,0],[0,1]]},…]}`.
//!
//! It is the plain form of what every puzzle is: a group says itself whether its digits differ and which clue they have.

use serde_json::{Map, Value, json};

use super::super::super::operators::{GIVEN, GREATER, LESS, Operator, Relation};
use super::super::super::{
    Clue, Defect, DigitSet, Group, Kind, Puzzle, PuzzlePart, Role, cell_name, position,
};
use super::super::cages::GridShape;
use super::super::error::Fault;
use super::super::node::{JsonNode, Keys};
use super::kinds::shape;
use super::parts::{
    A_TARGET, DIGIT, cell, digits, given, group_cells, inside, operator, place, places, role,
};

/// Reads a grid of groups.
pub(super) fn read(keys: &Keys<'_>) -> Result<Puzzle, Fault> {
    let shape = shape(keys.need("rows")?, keys.need("cols")?)?;
    let digits = digit_set(keys.need("digits")?)?;
    let black = black(keys, shape)?;
    let mut groups = Vec::new();
    for (index, node) in keys.list("groups", "a list of groups")?.into_iter().enumerate() {
        groups.push(group(index, node, shape, &black)?);
    }
    for node in keys.list("givens", "a list of givens")? {
        let (row, column, digit) = given(node, shape)?;
        check_white(row * shape.1 + column, node, shape, &black)?;
        groups.push(Group::given(row * shape.1 + column, digit));
    }
    Puzzle::new(Kind::Grid, shape, digits, black, groups).map_err(|defect| {
        let place = keys.get("groups").or_else(|| keys.get("givens"));
        Fault::new(defect, place.map_or(0..0, |node| node.span()), "expected fewer groups and givens")
    })
}

/// A list of digits, or all from one to another.
fn digit_set(node: JsonNode<'_>) -> Result<DigitSet, Fault> {
    let values = if node.is_object() {
        let keys = Keys::read(node, "the digits")?.only(&["from", "to"])?;
        let (from, to) = (keys.need("from")?, keys.need("to")?);
        let (least, most) = (from.digit(DIGIT)?, to.digit(DIGIT)?);
        if most < least {
            return Err(to.unexpected(&format!("a digit that is {least} or more")));
        }
        (least..=most).collect()
    } else {
        digits(Some(node))?.unwrap_or_default()
    };
    let label = "expected 1 to 32 different digits, as in [1, 2, 3] or {\"from\": 1, \"to\": 3}";
    DigitSet::new(values).map_err(|defect| Fault::new(defect, node.span(), label))
}

/// For every cell, whether it is black.
fn black(keys: &Keys<'_>, shape: GridShape) -> Result<Vec<bool>, Fault> {
    let mut black = vec![false; shape.0 * shape.1];
    for node in keys.list("black", "a list of black cells")? {
        let (row, column) = inside(cell(node)?, shape, node)?;
        if std::mem::replace(&mut black[row * shape.1 + column], true) {
            return Err(node.unexpected("a cell that is not black yet"));
        }
    }
    Ok(black)
}

/// Refuses a black cell; `node` is what names it.
fn check_white(cell: usize, node: JsonNode<'_>, shape: GridShape, black: &[bool]) -> Result<(), Fault> {
    if !black[cell] {
        return Ok(());
    }
    let (row, column) = position(cell, shape.1);
    Err(node.unexpected(&format!("a white cell: {} is black", cell_name(row, column))))
}

/// A group: distinct where it has no clue and does not say otherwise.
fn group(index: usize, node: JsonNode<'_>, shape: GridShape, black: &[bool]) -> Result<Group, Fault> {
    let keys = Keys::read(node, "a group: an object with `cells`")?;
    let keys = keys.only(&["distinct", "role", "op", "target", "cells"])?;
    let list = keys.need("cells")?;
    let mut cells = group_cells(list, shape)?;
    for (cell, item) in cells.iter().zip(list.list("a list of cells")?) {
        check_white(*cell, item, shape, black)?;
    }
    let mut clue = clue(index, &keys, list, cells.len())?;
    // A group has its cells in the order of the grid: who wrote the greater first meant the sign the other way round.
    if let (Some(clue), &[first, second]) = (&mut clue, &*cells)
        && first > second
    {
        clue.operator = reversed(clue.operator);
    }
    cells.sort_unstable();
    let distinct = keys.flag("distinct", clue.is_none())?;
    if !distinct && clue.is_none() {
        let place = keys.get("distinct").unwrap_or(node);
        return Err(place.unexpected("true, or a clue beside it: a group needs a rule"));
    }
    let usual = match clue {
        Some(clue) if clue.operator.has_target() => Role::Cage,
        // A sign between two cells, as in a Futoshiki.
        Some(_) => Role::Group,
        None => Role::Region,
    };
    let role_node = keys.get("role");
    let role = role_node.map_or(Ok(usual), role)?;
    if let Some(node) = role_node
        && !is_in_line(role, &cells, shape.1)
    {
        let article = if role == Role::Entry { "an" } else { "a" };
        return Err(node.unexpected(&format!("another role: the cells of {article} {role} lie in one line")));
    }
    Ok(Group { role, cells, distinct, clue })
}

/// The clue of a group of so many cells, if it has one.
fn clue(index: usize, keys: &Keys<'_>, list: JsonNode<'_>, cells: usize) -> Result<Option<Clue>, Fault> {
    let (sign, target) = (keys.get("op"), keys.get("target"));
    let operator = match sign {
        Some(node) => operator(node)?,
        None => None,
    };
    let Some(operator) = operator else {
        let Some(target) = target else { return Ok(None) };
        if cells > 1 {
            return Err(sign.map_or_else(|| keys.missing("op"), |node| node.unexpected("an operator")));
        }
        return clue_of(index, GIVEN, target).map(Some);
    };
    // The sign of one cell means nothing, as in a cage.
    let is_given = cells == 1 && operator.has_target();
    if !is_given && !operator.cells.contains(&cells) {
        let expected = format!("{}, which `{}` is for", operator.cells_in_words(), operator.symbol);
        return Err(list.unexpected(&expected));
    }
    if operator.has_target() {
        let target = target.ok_or_else(|| keys.missing("target"))?;
        return clue_of(index, if is_given { GIVEN } else { operator }, target).map(Some);
    }
    match target {
        Some(node) if node.whole(A_TARGET)? != 0 => {
            Err(node.unexpected(&format!("no target: `{}` compares two digits", operator.symbol)))
        }
        _ => Ok(Some(Clue { operator, target: 0 })),
    }
}

fn clue_of(index: usize, operator: Operator, node: JsonNode<'_>) -> Result<Clue, Fault> {
    let target = node.whole(A_TARGET)?;
    if target >= 0 {
        return Ok(Clue { operator, target });
    }
    let part = PuzzlePart::Group(index);
    Err(Fault::new(Defect::Negative { part, target }, node.span(), "expected 0 or more"))
}

/// The operator that says of two cells what this one says of them in the other order.
fn reversed(operator: Operator) -> Operator {
    match operator.relations(2) {
        [Relation::Less] => GREATER,
        [Relation::Greater] => LESS,
        _ => operator,
    }
}

/// Says whether cells lie as a role says: texts name a row by its letter, and a column by its number.
fn is_in_line(role: Role, cells: &[usize], cols: usize) -> bool {
    let is_row = cells.iter().all(|cell| cell / cols == cells[0] / cols);
    let is_column = cells.iter().all(|cell| cell % cols == cells[0] % cols);
    match role {
        Role::Row => is_row,
        Role::Column => is_column,
        Role::Entry => is_row || is_column,
        _ => true,
    }
}

/// Adds what a grid is besides its groups.
pub(super) fn add(object: &mut Map<String, Value>, puzzle: &Puzzle) {
    object.insert("rows".to_owned(), json!(puzzle.rows()));
    object.insert("cols".to_owned(), json!(puzzle.cols()));
    object.insert("digits".to_owned(), json!(puzzle.digits().values()));
    let mut black = Vec::new();
    for cell in 0..puzzle.rows() * puzzle.cols() {
        if puzzle.is_black(cell) {
            black.push(place(puzzle, cell));
        }
    }
    if !black.is_empty() {
        object.insert("black".to_owned(), Value::Array(black));
    }
}

/// A group with all that it says.
///
/// # Errors
/// The name of a group without a rule, which no text holds.
pub(super) fn group_object(puzzle: &Puzzle, group: &Group) -> Result<Value, String> {
    let mut object = Map::new();
    object.insert("distinct".to_owned(), json!(group.distinct));
    object.insert("role".to_owned(), json!(group.role.name()));
    match group.clue {
        Some(clue) => {
            object.insert("op".to_owned(), json!(clue.operator.symbol));
            if clue.operator.has_target() {
                object.insert("target".to_owned(), json!(clue.target));
            }
        }
        None if group.distinct => {}
        None => return Err(format!("{}, which has no rule", puzzle.group_name(group))),
    }
    object.insert("cells".to_owned(), Value::Array(places(puzzle, group)));
    Ok(Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::super::super::{canonical, error::ReadError, read};
    use super::*;
    use crate::puzzle::{Grid, check};

    fn only(text: &str) -> Result<Puzzle, ReadError> {
        read("p.json", text.as_bytes()).remove(0)
    }

    fn sound(text: &str) -> Puzzle {
        only(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// A grid of 2x3 cells, B3 black, with these groups.
    fn grid(groups: &str) -> String {
        format!(r#"{{"kind":"grid","rows":2,"cols":3,"digits":[0,3,7],"black":[[1,2]],"groups":[{groups}]}}"#)
    }

    #[test]
    fn canonical_text_is_read_back_to_the_byte() {
        for text in [
            r#"{"id":"a","kind":"grid","rows":1,"cols":1,"digits":[255]}"#,
            r#"{"id":"a","kind":"grid","rows":2,"cols":3,"digits":[0,3,7],"black":[[1,2]],"givens":[[0,1,3]],"groups":[{"distinct":true,"role":"row","op":"+","target":10,"cells":[[0,0],[0,1],[0,2]]},{"distinct":true,"role":"region","cells":[[0,0]]},{"distinct":false,"role":"group","op":"<","cells":[[0,0],[1,1]]},{"distinct":false,"role":"cage","op":"=","target":3,"cells":[[0,1]]}],"solution":[[0,3,7],[3,7,null]],"meta":{"note":1}}"#,
            // The same group twice, and once more with another clue.
            r#"{"id":"a","kind":"grid","rows":1,"cols":2,"digits":[1,2],"groups":[{"distinct":false,"role":"cage","op":"+","target":3,"cells":[[0,0],[0,1]]},{"distinct":false,"role":"cage","op":"+","target":3,"cells":[[0,0],[0,1]]},{"distinct":false,"role":"cage","op":"+","target":4,"cells":[[0,0],[0,1]]}]}"#,
        ] {
            assert_eq!(canonical(&sound(text)), text);
        }
    }

    #[test]
    fn a_group_with_a_clue_is_a_cage_whose_digits_may_repeat_and_one_without_is_a_distinct_region() {
        let puzzle = sound(&grid(
            r#"{"cells":[[1,1],[0,0]]},{"op":"lcm","target":21,"cells":[[0,1],[0,2]]},{"target":3,"cells":[[1,0]]},{"op":"*","target":7,"cells":[[0,0]]}"#,
        ));
        let mut said = Vec::new();
        for group in puzzle.groups() {
            said.push((group.role, group.distinct, group.clue.map(|clue| clue.to_string()), &*group.cells));
        }
        assert_eq!(said[0], (Role::Region, true, None, &[0, 4][..]));
        assert_eq!(said[1], (Role::Cage, false, Some("7".to_owned()), &[0][..]));
        assert_eq!(said[2], (Role::Cage, false, Some("21lcm".to_owned()), &[1, 2][..]));
        assert_eq!(said[3], (Role::Cage, false, Some("3".to_owned()), &[3][..]));
    }

    #[test]
    fn the_order_of_two_cells_tells_which_digit_is_less() {
        for (op, cells, lesser_above) in [
            ("<", "[[0,0],[1,1]]", true),
            ("<", "[[1,1],[0,0]]", false),
            (">", "[[0,0],[1,1]]", false),
            (">", "[[1,1],[0,0]]", true),
        ] {
            let puzzle = sound(&grid(&format!(r#"{{"op":"{op}","cells":{cells}}}"#)));
            let judged = |text: &str| check(&puzzle, &Grid::parse(text, 2, 3).expect("2x3")).is_solution();
            assert_eq!(judged("0 0 0/0 7 ."), lesser_above, "{op} {cells}");
            assert_eq!(judged("7 0 0/0 0 ."), !lesser_above, "{op} {cells}");
        }
    }

    #[test]
    fn digits_are_a_list_or_a_range_of_up_to_32() {
        let of = |digits: &str| only(&format!(r#"{{"kind":"grid","rows":25,"cols":25,"digits":{digits}}}"#));
        assert_eq!(of(r#"{"from":224,"to":255}"#).expect("32 digits").digits().len(), 32);
        assert_eq!(of("[9,0,255]").expect("three digits").digits().values(), [0, 9, 255]);
        for digits in
            [r#"{"from":0,"to":32}"#, r#"{"from":2,"to":1}"#, r#"{"from":2}"#, "[]", "[1,1]", "[256]", "9"]
        {
            assert!(of(digits).is_err(), "{digits}");
        }
    }

    #[test]
    fn what_a_group_lacks_is_named_with_what_was_expected() {
        for (group, said) in [
            (r#"{"cells":[]}"#, "expected one cell or more, found `[]`"),
            (r#"{"distinct":true}"#, "the key `cells` is missing"),
            (
                r#"{"cells":[[0,3]]}"#,
                "expected a cell of the 2x3 grid (rows and columns are counted from 0), found `[0,3]`",
            ),
            (r#"{"cells":[[1,2]]}"#, "expected a white cell: B3 is black, found `[1,2]`"),
            (r#"{"cells":[[0,0],[0,0]]}"#, "expected a cell that the group does not have yet, found `[0,0]`"),
            (
                r#"{"distinct":false,"cells":[[0,0]]}"#,
                "expected true, or a clue beside it: a group needs a rule, found `false`",
            ),
            (r#"{"op":"&","target":1,"cells":[[0,0],[0,1]]}"#, "unknown operator `&`"),
            (r#"{"op":"+","cells":[[0,0],[0,1]]}"#, "the key `target` is missing"),
            (r#"{"target":3,"cells":[[0,0],[0,1]]}"#, "the key `op` is missing"),
            (r#"{"op":"+","target":-3,"cells":[[0,0],[0,1]]}"#, "group 1 has the negative target -3"),
            (
                r#"{"op":"<","target":3,"cells":[[0,0],[0,1]]}"#,
                "expected no target: `<` compares two digits, found `3`",
            ),
            (r#"{"op":"<","cells":[[0,0]]}"#, "expected 2 cells, which `<` is for, found `[[0,0]]`"),
            (
                r#"{"op":"=","target":3,"cells":[[0,0],[0,1]]}"#,
                "expected one cell, which `=` is for, found `[[0,0],[0,1]]`",
            ),
            (
                r#"{"role":"row","cells":[[0,0],[1,0]]}"#,
                "expected another role: the cells of a row lie in one line, found `\"row\"`",
            ),
            (
                r#"{"role":"column","cells":[[0,0],[1,1]]}"#,
                "expected another role: the cells of a column lie in one line, found `\"column\"`",
            ),
            (r#"{"sum":3,"cells":[[0,0]]}"#, "unknown key `sum`"),
        ] {
            let error = only(&grid(group)).expect_err(group);
            assert_eq!(error.to_string(), said, "{group}");
        }
        let twice = r#"{"kind":"grid","rows":1,"cols":2,"digits":[1],"black":[[0,0],[0,0]]}"#;
        assert!(only(twice).expect_err("black twice").to_string().contains("not black yet"));
        let given = r#"{"kind":"grid","rows":1,"cols":2,"digits":[1],"black":[[0,0]],"givens":[[0,0,1]]}"#;
        assert!(only(given).expect_err("a black given").to_string().contains("A1 is black"));
        let area = r#"{"kind":"grid","rows":0,"cols":2,"digits":[1]}"#;
        assert!(only(area).expect_err("no cells").to_string().contains("1 to 65536 cells, not 0x2"));
    }
}
