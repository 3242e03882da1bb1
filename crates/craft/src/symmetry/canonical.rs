//! The canonical form of a puzzle: the same for all that its symmetries make of it, and for nothing else.
//!
//! Where a puzzle only turns, every image is made and the least taken. Where rows and columns or vertices change places, or
//! digits take any names, their order is a [labelling](super::labelling) of a graph: for a Latin square or Sudoku
//!
//! ```text
//! side - band - row ----+
//! side - stack - column + given   a transposition exchanges the sides
//!                digit -+
//! ```
//!
//! and for a graph itself, its edges with the givens between vertices and digits.

use std::collections::BTreeMap;

use thiserror::Error;

use super::digits::{Names, Naming, Resolved, is_given, relabelled};
use super::image::{Motion, inverse, moved, white_cells};
use super::labelling::Graph;
use super::turn::Window;
use super::{Freedom, Stop, Turn, turned};
use kenga_core::puzzle::{Group, Kind, Puzzle, Role};
use kenga_core::sort::{sort_by, sort_by_key};

/// A puzzle as symmetric as this one takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no canonical form was found within 100 million steps: the puzzle is very regular")]
pub struct Unlabelled;

/// The canonical form of a puzzle, with its id and meta, and with its solution where it was. Two puzzles have forms with
/// equal groups exactly when a symmetry makes one of the other.
///
/// # Errors
/// An error for a graph, a Latin square or a Sudoku that is very regular without being symmetric.
pub fn canonical(puzzle: &Puzzle) -> Result<Puzzle, Unlabelled> {
    canonical_unless(puzzle, &|| false)
}

/// The canonical form of a puzzle, as [`canonical`] finds it, unless `should_stop` gives it up.
///
/// # Errors
/// An error, also when it was given up.
pub fn canonical_unless(puzzle: &Puzzle, should_stop: &dyn Fn() -> bool) -> Result<Puzzle, Unlabelled> {
    match Freedom::of(puzzle) {
        Freedom::Vertices => of_graph(puzzle, should_stop),
        // Of a puzzle and its transposed image one has the smaller bands: that one is labelled.
        Freedom::Lines { band, stack } if band > stack => {
            of_lines(&transposed(puzzle), stack, band, should_stop)
        }
        Freedom::Lines { band, stack } => of_lines(puzzle, band, stack, should_stop),
        Freedom::Alike => Ok(least_of(puzzle, &alike(puzzle))),
        Freedom::Fixed { .. } if puzzle.kind == Kind::Queens => Ok(least_board(puzzle)),
        Freedom::Fixed { .. } => {
            let window = Window::trimmed(puzzle);
            Ok(least_of(puzzle, &Turn::all().map(|turn| window.motion(puzzle, turn))))
        }
    }
}

fn transposed(puzzle: &Puzzle) -> Puzzle {
    turned(puzzle, Turn::TRANSPOSE).expect("a square of rows and columns")
}

/// The least image of queens.
fn least_board(puzzle: &Puzzle) -> Puzzle {
    let mut least: Option<Puzzle> = None;
    for turn in Turn::all() {
        // Queens that are more than a board only turn without an exchange of rows and columns.
        let Ok(image) = turned(puzzle, turn) else { continue };
        if least.as_ref().is_none_or(|least| keys(image.groups()) < keys(least.groups())) {
            least = Some(image);
        }
    }
    least.expect("it stays as it is")
}

/// What orders groups: everything that they are.
type Key<'a> = (Role, &'a [usize], bool, Option<(&'static str, i64)>);

fn key(group: &Group) -> Key<'_> {
    let clue = group.clue.map(|clue| (clue.operator.symbol, clue.target));
    (group.role, &group.cells, group.distinct, clue)
}

fn keys(groups: &[Group]) -> Vec<Key<'_>> {
    groups.iter().map(key).collect()
}

/// What a motion and names make of the groups of a puzzle, in order; without the lines that every motion keeps.
struct Image<'a> {
    motion: &'a Motion,
    names: Names,
    groups: Vec<Group>,
}

impl Image<'_> {
    fn key(&self) -> ((usize, usize), Vec<Key<'_>>) {
        (self.motion.shape, keys(&self.groups))
    }
}

/// The least of the images under some motions, with all names that the digits may have.
fn least_of(puzzle: &Puzzle, motions: &[Motion]) -> Puzzle {
    let naming = Naming::of(puzzle);
    let mut least: Option<Image<'_>> = None;
    for motion in motions {
        for image in images(puzzle, naming, motion) {
            if least.as_ref().is_none_or(|least| image.key() < least.key()) {
                least = Some(image);
            }
        }
    }
    let least = least.expect("there is a motion");
    relabelled(&least.motion.image(puzzle), &least.names).expect("names that the clues allow")
}

/// The images under a motion.
fn images<'a>(puzzle: &Puzzle, naming: Naming, motion: &'a Motion) -> Vec<Image<'a>> {
    let mut groups = Vec::new();
    for group in puzzle.groups() {
        if !is_line(puzzle, group) {
            groups.push(motion.group(group));
        }
    }
    let own = Names::Of(puzzle.digits().values().to_vec());
    let names = match naming {
        Naming::Any => vec![by_places(puzzle, &groups)],
        Naming::Complement => vec![own, Names::Complement],
        Naming::Own => vec![own],
    };
    let mut images = Vec::new();
    for names in names {
        let known = names.resolved(puzzle).expect("names of its digits");
        images.push(Image { motion, groups: renamed(&groups, &known), names });
    }
    images
}

/// A whole row or column of a square with different digits, which every motion takes to another.
fn is_line(puzzle: &Puzzle, group: &Group) -> bool {
    let is_whole = puzzle.rows() == puzzle.cols() && group.cells.len() == puzzle.rows();
    is_whole && matches!(group.role, Role::Row | Role::Column) && group.distinct && group.clue.is_none()
}

/// The groups with their digits renamed, in order.
fn renamed(groups: &[Group], names: &Resolved) -> Vec<Group> {
    let mut renamed = Vec::with_capacity(groups.len());
    for group in groups {
        renamed.push(names.group(group).expect("names that the clues allow"));
    }
    sort_by(&mut renamed, |one, other| key(one).cmp(&key(other)));
    renamed
}

/// Names that only depend on where digits are given: the least for the digit that is given first. Those given in the same
/// places, or nowhere, are interchangeable.
fn by_places(puzzle: &Puzzle, groups: &[Group]) -> Names {
    let digits = puzzle.digits().values();
    // For every digit where it is given, those that are given nowhere last.
    let mut places = Vec::new();
    for digit in digits {
        let mut given: Vec<(usize, Role)> = Vec::new();
        for group in groups {
            if is_given(group) && group.clue.is_some_and(|clue| clue.target == i64::from(*digit)) {
                given.push((group.cells[0], group.role));
            }
        }
        sort_by(&mut given, Ord::cmp);
        places.push((given.is_empty(), given));
    }
    let mut order: Vec<usize> = (0..digits.len()).collect();
    sort_by(&mut order, |a, b| places[*a].cmp(&places[*b]));
    named(digits, &order)
}

/// The names by which digits come in an order, a list of their ranks.
fn named(digits: &[u8], order: &[usize]) -> Names {
    // The digit whose rank comes first in the order gets the least name.
    let mut names = digits.to_vec();
    for (place, rank) in order.iter().enumerate() {
        names[*rank] = digits[place];
    }
    Names::Of(names)
}

/// Every motion of a magic square: rows and columns alike, opposite ones staying opposite, and turned.
fn alike(puzzle: &Puzzle) -> Vec<Motion> {
    let n = puzzle.rows();
    let window = Window::of(puzzle);
    let mut motions = Vec::new();
    for order in central_orders(n) {
        for turn in Turn::all() {
            let mut motion = window.motion(puzzle, turn);
            for place in &mut motion.to {
                *place = order[*place / n] * n + order[*place % n];
            }
            motions.push(motion);
        }
    }
    motions
}

/// Every order of `n` lines in which opposite ones stay opposite.
fn central_orders(n: usize) -> Vec<Vec<usize>> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..n / 2 {
        let mut longer = Vec::new();
        for order in orders {
            for place in 0..n {
                // The middle of an odd number is opposite itself, and stays.
                let is_middle = 2 * place + 1 == n;
                if !is_middle && !order.contains(&place) && !order.contains(&(n - 1 - place)) {
                    longer.push([&order[..], &[place]].concat());
                }
            }
        }
        orders = longer;
    }
    for order in &mut orders {
        let far: Vec<usize> = order.iter().rev().map(|place| n - 1 - place).collect();
        if n % 2 == 1 {
            order.push(n / 2);
        }
        order.extend(far);
    }
    orders
}

/// Colours of vertices in the order of the labelling.
const SIDE: u32 = 0;
const OTHER_SIDE: u32 = 1;
const SET: u32 = 2;
const LINE: u32 = 3;
const DIGIT: u32 = 4;
/// The first of the givens, edges and other groups.
const GROUP: u32 = 5;

/// The form of a square whose rows and columns may change places, in bands and stacks of such sizes.
fn of_lines(puzzle: &Puzzle, band: usize, stack: usize, stop: Stop<'_>) -> Result<Puzzle, Unlabelled> {
    let n = puzzle.rows();
    let mut graph = Graph::default();
    // Sides of one colour may be exchanged: the puzzle may be transposed.
    let rows = LineVertices::new(&mut graph, SIDE, band, n);
    let columns = LineVertices::new(&mut graph, if band == stack { SIDE } else { OTHER_SIDE }, stack, n);
    let digits = add_digits(&mut graph, puzzle, true);
    let colors = group_colors(puzzle);
    for group in puzzle.groups() {
        if !is_given(group) {
            continue;
        }
        let given = graph.vertex(colors[&group_kind(puzzle, group)]);
        let cell = group.cells[0];
        graph.join(given, rows.lines + cell / n);
        graph.join(given, columns.lines + cell % n);
        if let Some(rank) = given_digit(puzzle, group) {
            graph.join(given, digits + rank);
        }
    }
    let places = graph.labelling(stop).ok_or(Unlabelled)?;
    let (row_order, column_order) = (inverse(&rows.order(&places)), inverse(&columns.order(&places)));
    let image = if places[rows.side] > places[columns.side] {
        moved(&transposed(puzzle), &column_order, &row_order)
    } else {
        moved(puzzle, &row_order, &column_order)
    };
    Ok(with_digits_in_order(&image, &places, digits))
}

/// The vertices of all rows or of all columns.
struct LineVertices {
    side: usize,
    /// The first band or stack.
    sets: usize,
    /// The first row or column.
    lines: usize,
    /// Lines of a set.
    size: usize,
    n: usize,
}

impl LineVertices {
    fn new(graph: &mut Graph, color: u32, size: usize, n: usize) -> Self {
        let side = graph.vertex(color);
        let (sets, lines) = (graph.vertices(n / size, SET), graph.vertices(n, LINE));
        for set in 0..n / size {
            graph.join(side, sets + set);
        }
        for line in 0..n {
            graph.join(sets + line / size, lines + line);
        }
        Self { side, sets, lines, size, n }
    }

    /// The lines in the order of their sets, and within a set in their own.
    fn order(&self, places: &[u32]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.n).collect();
        sort_by_key(&mut order, |line| (places[self.sets + line / self.size], places[self.lines + line]));
        order
    }
}

/// Adds a vertex for every digit, all alike or each by itself; returns the first.
fn add_digits(graph: &mut Graph, puzzle: &Puzzle, alike: bool) -> usize {
    let count = puzzle.digits().len();
    if alike {
        return graph.vertices(count, DIGIT);
    }
    // Colours behind those of all kinds of groups.
    let first_color = GROUP + puzzle.groups().len() as u32;
    let first = graph.vertex(first_color);
    for rank in 1..count as u32 {
        graph.vertex(first_color + rank);
    }
    first
}

/// What two groups have in common that may take each other's place, apart from their cells and their digit.
type GroupKind = (Role, bool, Option<(&'static str, i64)>);

fn group_kind(puzzle: &Puzzle, group: &Group) -> GroupKind {
    let (role, _, distinct, mut clue) = key(group);
    if given_digit(puzzle, group).is_some() {
        // Which digit a vertex gives is an edge to the digit's vertex.
        clue = clue.map(|(symbol, _)| (symbol, -1));
    }
    (role, distinct, clue)
}

/// The rank of the digit that a group gives.
fn given_digit(puzzle: &Puzzle, group: &Group) -> Option<usize> {
    if !is_given(group) {
        return None;
    }
    let digit = u8::try_from(group.clue?.target).ok()?;
    Some(usize::from(puzzle.digits().rank(digit)?))
}

/// A colour for every kind of group.
fn group_colors(puzzle: &Puzzle) -> BTreeMap<GroupKind, u32> {
    let mut colors = BTreeMap::new();
    for group in puzzle.groups() {
        colors.insert(group_kind(puzzle, group), 0);
    }
    for (next, color) in (GROUP..).zip(colors.values_mut()) {
        *color = next;
    }
    colors
}

/// The form of a graph to be coloured.
fn of_graph(puzzle: &Puzzle, stop: Stop<'_>) -> Result<Puzzle, Unlabelled> {
    let white = white_cells(puzzle);
    // Vertices are the white cells in order.
    let mut vertex_of = vec![0; puzzle.rows() * puzzle.cols()];
    for (vertex, cell) in white.iter().enumerate() {
        vertex_of[*cell] = vertex;
    }
    let mut graph = Graph::default();
    graph.vertices(white.len(), LINE);
    let alike = Naming::of(puzzle) == Naming::Any;
    let digits = add_digits(&mut graph, puzzle, alike);
    let colors = group_colors(puzzle);
    for group in puzzle.groups() {
        let is_edge = group.role == Role::Group && group.distinct && group.clue.is_none();
        if let (&[one, other], true) = (&*group.cells, is_edge) {
            graph.join(vertex_of[one], vertex_of[other]);
            continue;
        }
        let hub = graph.vertex(colors[&group_kind(puzzle, group)]);
        for cell in &group.cells {
            graph.join(hub, vertex_of[*cell]);
        }
        if let Some(rank) = given_digit(puzzle, group) {
            graph.join(hub, digits + rank);
        }
    }
    let labels = graph.labelling(stop).ok_or(Unlabelled)?;
    let mut places = vec![0; white.len()];
    for (place, vertex) in order_of(&labels[..white.len()]).into_iter().enumerate() {
        places[vertex] = white[place];
    }
    let image = Motion::of_white_cells(puzzle, &places).image(puzzle);
    Ok(if alike { with_digits_in_order(&image, &labels, digits) } else { image })
}

/// The indices of some places in the order of the places.
fn order_of(places: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    sort_by_key(&mut order, |index| places[*index]);
    order
}

/// The puzzle with its digits named in the order of their vertices, of which `first` is that of the least.
fn with_digits_in_order(puzzle: &Puzzle, places: &[u32], first: usize) -> Puzzle {
    let digits = puzzle.digits().values();
    let names = named(digits, &order_of(&places[first..first + digits.len()]));
    relabelled(puzzle, &names).expect("digits without clues take any names")
}
