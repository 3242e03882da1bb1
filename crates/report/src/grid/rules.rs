//! What the lines of a drawing cannot show of a grid of groups, in words: `34+: every row, every column, A1 B2 C3 D4`.

use kenga_core::puzzle::operators::Relation;
use kenga_core::puzzle::{Clue, Group, Kind, Puzzle, Role, less_pair};

use super::owners;

/// The most groups that are named for a rule.
const LISTED: usize = 12;

/// The rules of a grid that no line shows, one a text; none for other kinds, whose drawings show them all. With `nested`
/// cages that overlap have outlines, too.
pub(crate) fn unshown(puzzle: &Puzzle, nested: bool) -> Vec<String> {
    let mut rules: Vec<(String, Vec<&Group>)> = Vec::new();
    if puzzle.kind != Kind::Grid {
        return Vec::new();
    }
    let is_drawn = drawn(puzzle);
    for (group, is_drawn) in puzzle.groups().iter().zip(is_drawn) {
        let is_cage = group.role == Role::Cage && group.clue.is_some() && !group.distinct;
        if group.cells.len() == 1 || is_drawn || (is_cage && nested) || less_pair(puzzle, group).is_some() {
            continue;
        }
        let rule = rule(group);
        match rules.iter_mut().find(|(other, _)| *other == rule) {
            Some((_, groups)) => groups.push(group),
            None => rules.push((rule, vec![group])),
        }
    }
    let mut texts = Vec::with_capacity(rules.len());
    for (rule, groups) in rules {
        texts.push(format!("{rule}: {}", places(puzzle, &groups)));
    }
    texts
}

/// For every group whether the lines show all that it says: a box, or a cage that overlaps no earlier one.
pub(crate) fn drawn(puzzle: &Puzzle) -> Vec<bool> {
    let mut drawn = vec![false; puzzle.groups().len()];
    for role in [Role::Region, Role::Cage] {
        let Some(owners) = owners(puzzle, role) else { continue };
        let groups = puzzle.groups().iter().enumerate().filter(|(_, group)| group.role == role);
        for (number, (index, group)) in groups.enumerate() {
            let is_owner = group.cells.iter().all(|cell| owners[*cell] == number + 1);
            // A box has no clue beside it, and a cage nothing that says that its digits differ.
            let is_told =
                (role == Role::Cage) == group.clue.is_some() && (role == Role::Region) == group.distinct;
            drawn[index] = is_owner && is_told;
        }
    }
    drawn
}

/// What a group demands, in words.
fn rule(group: &Group) -> String {
    let clue = group
        .clue
        .as_ref()
        .map(|clue| if ordered(clue).is_some() { "in order".to_owned() } else { clue.printed() });
    match (clue, group.distinct) {
        (Some(clue), true) => format!("{clue} of different digits"),
        (Some(clue), false) => clue,
        (None, _) => "different digits".to_owned(),
    }
}

/// The sign between two cells, where a clue has no target.
fn ordered(clue: &Clue) -> Option<char> {
    match clue.operator.relations(2) {
        [Relation::Less] => Some('<'),
        [Relation::Greater] => Some('>'),
        _ => None,
    }
}

/// Where some groups are: every row, every column, and other cells by their names.
fn places(puzzle: &Puzzle, groups: &[&Group]) -> String {
    let cells = puzzle.rows() * puzzle.cols();
    let is_row = |group: &&Group| group.role == Role::Row && group.cells.len() == puzzle.cols();
    let is_column = |group: &&Group| group.role == Role::Column && group.cells.len() == puzzle.rows();
    let all_rows = groups.iter().filter(|group| is_row(group)).count() == puzzle.rows();
    let all_columns = groups.iter().filter(|group| is_column(group)).count() == puzzle.cols();
    let mut names = Vec::new();
    if all_rows {
        names.push("every row".to_owned());
    }
    if all_columns {
        names.push("every column".to_owned());
    }
    let mut more = 0;
    for group in groups {
        if (all_rows && is_row(group)) || (all_columns && is_column(group)) {
            continue;
        }
        if names.len() == LISTED {
            more += 1;
            continue;
        }
        names.push(match group.clue.as_ref().and_then(ordered) {
            _ if group.cells.len() == cells => "all cells".to_owned(),
            _ if is_row(group) => format!("row {}", Puzzle::row_name(group.cells[0] / puzzle.cols())),
            _ if is_column(group) => format!("column {}", group.cells[0] % puzzle.cols() + 1),
            Some(sign) => {
                let [first, second] = [group.cells[0], group.cells[1]].map(|cell| puzzle.cell_name(cell));
                format!("{first} {sign} {second}")
            }
            None => cell_names(puzzle, group),
        });
    }
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

/// The cells of a group, the first of them where there are many.
fn cell_names(puzzle: &Puzzle, group: &Group) -> String {
    let mut names: Vec<String> =
        group.cells.iter().take(LISTED).map(|cell| puzzle.cell_name(*cell)).collect();
    if group.cells.len() > LISTED {
        names.push(format!("and {} more", group.cells.len() - LISTED));
    }
    names.join(" ")
}
