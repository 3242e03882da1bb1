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
use super::image::Motion;
use super::labelling::Graph;
use super::lines::{inverse, moved};
use super::turn::Window;
use super::{Freedom, Turn, turned};
use kenga_core::puzzle::{Clue, Group, Kind, Puzzle, Role};
use kenga_core::sort::{sort_by, sort_by_key};

/// A puzzle as symmetric as this one takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no canonical form was found within 100 million steps: the puzzle is very regular")]
pub struct Unlabelled;

/// The canonical form of a puzzle, with its id and meta, and with its solution where it was. Two puzzles have forms with
/// equal groups exactly when a symmetry makes one of the other.
///
/// # Errors
/// `Unlabelled` for a graph, a Latin square or a Sudoku that is very regular without being symmetric.
pub fn canonical(puzzle: &Puzzle) -> Result<Puzzle, Unlabelled> {
    match Freedom::of(puzzle) {
        Freedom::Vertices => of_graph(puzzle),
        Freedom::Lines { band, stack } if band > stack => of_lines(&transposed(puzzle), (stack, band)),
        Freedom::Lines { band, stack } => of_lines(puzzle, (band, stack)),
        Freedom::Alike => Ok(least_of(puzzle, &alike(puzzle))),
        Freedom::Fixed { .. } if puzzle.kind == Kind::Queens => Ok(least_board(puzzle)),
        Freedom::Fixed { .. } => {
            let window = Window::trimmed(puzzle);
            let motions: Vec<Motion> = Turn::all().map(|turn| window.motion(puzzle, turn)).collect();
            Ok(least_of(puzzle, &motions))
        }
    }
}

fn transposed(puzzle: &Puzzle) -> Puzzle {
    turned(puzzle, Turn::TRANSPOSE).expect("a square of rows and columns")
}

/// The least image of queens.
fn least_board(puzzle: &Puzzle) -> Puzzle {
    let images = Turn::all().filter_map(|turn| turned(puzzle, turn).ok());
    images.min_by(|one, other| keys(one.groups()).cmp(&keys(other.groups()))).expect("it stays as it is")
}

/// What orders groups: everything that they are.
type Key<'a> = (Role, &'a [usize], bool, Option<(&'static str, i64)>);

fn key(group: &Group) -> Key<'_> {
    let clue = |clue: Clue| (clue.operator.symbol, clue.target);
    (group.role, &group.cells, group.distinct, group.clue.map(clue))
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
    let images = motions.iter().flat_map(|motion| images(puzzle, naming, motion));
    let least = images.min_by(|one, other| one.key().cmp(&other.key())).expect("there is a motion");
    relabelled(&least.motion.image(puzzle), &least.names).expect("names that the clues allow")
}

/// The images under a motion.
fn images<'a>(puzzle: &Puzzle, naming: Naming, motion: &'a Motion) -> Vec<Image<'a>> {
    let groups = puzzle.groups().iter().filter(|group| !is_line(puzzle, group));
    let groups: Vec<Group> = groups.map(|group| motion.group(group)).collect();
    let own = || Names::Of(puzzle.digits().values().to_vec());
    let names = match naming {
        Naming::Any => vec![by_places(puzzle, &groups)],
        Naming::Complement => vec![own(), Names::Complement],
        Naming::Own => vec![own()],
    };
    let image = |names: Names| {
        let known = names.resolved(puzzle).expect("names of its digits");
        Image { motion, groups: renamed(&groups, &known), names }
    };
    names.into_iter().map(image).collect()
}

/// A whole row or column of a square with different digits, which every motion takes to another.
fn is_line(puzzle: &Puzzle, group: &Group) -> bool {
    let is_whole = puzzle.rows() == puzzle.cols() && group.cells.len() == puzzle.rows();
    is_whole && matches!(group.role, Role::Row | Role::Column) && group.distinct && group.clue.is_none()
}

/// The groups with their digits renamed, in order.
fn renamed(groups: &[Group], names: &Resolved) -> Vec<Group> {
    let group = |group| names.group(group).expect("names that the clues allow");
    let mut groups: Vec<Group> = groups.iter().map(group).collect();
    sort_by(&mut groups, |one, other| key(one).cmp(&key(other)));
    groups
}

/// Names that only depend on where digits are given: the least for the digit that is given first. Those given in the same
/// places, or nowhere, are interchangeable.
fn by_places(puzzle: &Puzzle, groups: &[Group]) -> Names {
    let digits = puzzle.digits().values();
    let places = |digit: &u8| {
        let is_digit = |group: &&Group| {
            is_given(group) && group.clue.is_some_and(|clue| clue.target == i64::from(*digit))
        };
        let mut places: Vec<(usize, Role)> =
            groups.iter().filter(is_digit).map(|group| (group.cells[0], group.role)).collect();
        sort_by(&mut places, Ord::cmp);
        (places.is_empty(), places)
    };
    let places: Vec<_> = digits.iter().map(places).collect();
    let mut order: Vec<usize> = (0..digits.len()).collect();
    sort_by(&mut order, |a, b| places[*a].cmp(&places[*b]));
    named(digits, &order)
}

/// The names by which digits come in an order, a list of their ranks.
fn named(digits: &[u8], order: &[usize]) -> Names {
    Names::Of(inverse(order).into_iter().map(|place| digits[place]).collect())
}

/// Every motion of a magic square: rows and columns alike, opposite ones staying opposite, and turned.
fn alike(puzzle: &Puzzle) -> Vec<Motion> {
    let n = puzzle.rows();
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..n / 2 {
        let free =
            |order: &Vec<usize>, place: usize| !order.contains(&place) && !order.contains(&(n - 1 - place));
        let longer = |order: Vec<usize>| {
            let places = (0..n).filter(|place| 2 * place + 1 != n).filter(|place| free(&order, *place));
            places.map(|place| [&order[..], &[place]].concat()).collect::<Vec<_>>()
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    let whole = |half: Vec<usize>| {
        let middle = (n % 2 == 1).then_some(n / 2);
        let far: Vec<usize> = half.iter().rev().map(|place| n - 1 - place).collect();
        half.into_iter().chain(middle).chain(far).collect::<Vec<usize>>()
    };
    let window = Window::of(puzzle);
    let motion = |order: &[usize], turn| {
        let Motion { shape, to, transposed } = window.motion(puzzle, turn);
        let place = |cell: usize| order[cell / n] * n + order[cell % n];
        Motion { shape, to: to.into_iter().map(place).collect(), transposed }
    };
    let orders = orders.into_iter().map(whole);
    orders.flat_map(|order| Turn::all().map(move |turn| motion(&order, turn)).collect::<Vec<_>>()).collect()
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
fn of_lines(puzzle: &Puzzle, (band, stack): (usize, usize)) -> Result<Puzzle, Unlabelled> {
    let n = puzzle.rows();
    let mut graph = Graph::default();
    let other = if band == stack { SIDE } else { OTHER_SIDE };
    let sides = [(SIDE, band), (other, stack)].map(|(side, size)| Side::new(&mut graph, side, size, n));
    let digits = add_digits(&mut graph, puzzle, true);
    let colors = group_colors(puzzle);
    for group in puzzle.groups().iter().filter(|group| is_given(group)) {
        let given = graph.vertex(colors[&group_kind(puzzle, group, true)]);
        let cell = group.cells[0];
        graph.join(given, sides[0].lines + cell / n);
        graph.join(given, sides[1].lines + cell % n);
        given_digit(puzzle, group).into_iter().for_each(|rank| graph.join(given, digits + rank));
    }
    let places = graph.labelling().ok_or(Unlabelled)?;
    let orders = [0, 1].map(|side| inverse(&sides[side].order(&places)));
    let is_transposed = places[sides[0].side] > places[sides[1].side];
    let image = match is_transposed {
        true => moved(&transposed(puzzle), &orders[1], &orders[0]),
        false => moved(puzzle, &orders[0], &orders[1]),
    };
    Ok(with_digits_in_order(&image, &places, digits))
}

/// Vertices of all rows or of all columns.
struct Side {
    side: usize,
    sets: usize,
    lines: usize,
    size: usize,
    n: usize,
}

impl Side {
    fn new(graph: &mut Graph, color: u32, size: usize, n: usize) -> Self {
        let side = graph.vertex(color);
        let (sets, lines) = (graph.vertices(n / size, SET), graph.vertices(n, LINE));
        (0..n / size).for_each(|set| graph.join(side, sets + set));
        (0..n).for_each(|line| graph.join(sets + line / size, lines + line));
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
    let groups = puzzle.groups().len();
    (0..count).map(|rank| graph.vertex(GROUP + (groups + rank) as u32)).min().expect("there is a digit")
}

/// What two groups have in common that may take each other's place, apart from their cells and their digit.
type GroupKind = (Role, bool, Option<(&'static str, i64)>);

fn group_kind(puzzle: &Puzzle, group: &Group, digits_alike: bool) -> GroupKind {
    let of_digit = digits_alike && given_digit(puzzle, group).is_some();
    let clue = group.clue.map(|clue| (clue.operator.symbol, if of_digit { -1 } else { clue.target }));
    (group.role, group.distinct, clue)
}

/// The rank of the digit that a group gives.
fn given_digit(puzzle: &Puzzle, group: &Group) -> Option<usize> {
    let target = group.clue.filter(|_| is_given(group))?.target;
    puzzle.digits().rank(u8::try_from(target).ok()?).map(usize::from)
}

/// A colour for every kind of group.
fn group_colors(puzzle: &Puzzle) -> BTreeMap<GroupKind, u32> {
    let kinds = puzzle.groups().iter().map(|group| (group_kind(puzzle, group, true), 0));
    let mut colors: BTreeMap<GroupKind, u32> = kinds.collect();
    (GROUP..).zip(colors.values_mut()).for_each(|(color, value)| *value = color);
    colors
}

/// The form of a graph to be coloured.
fn of_graph(puzzle: &Puzzle) -> Result<Puzzle, Unlabelled> {
    let shape = (puzzle.rows(), puzzle.cols());
    let white: Vec<usize> = (0..shape.0 * shape.1).filter(|cell| !puzzle.is_black(*cell)).collect();
    let vertex = |cell: &usize| white.partition_point(|other| other < cell);
    let mut graph = Graph::default();
    graph.vertices(white.len(), LINE);
    let alike = Naming::of(puzzle) == Naming::Any;
    let digits = add_digits(&mut graph, puzzle, alike);
    let colors = group_colors(puzzle);
    for group in puzzle.groups() {
        let is_edge = group.role == Role::Group && group.distinct && group.clue.is_none();
        if let (&[one, other], true) = (&*group.cells, is_edge) {
            graph.join(vertex(&one), vertex(&other));
            continue;
        }
        let hub = graph.vertex(colors[&group_kind(puzzle, group, true)]);
        group.cells.iter().for_each(|cell| graph.join(hub, vertex(cell)));
        given_digit(puzzle, group).into_iter().for_each(|rank| graph.join(hub, digits + rank));
    }
    let places = graph.labelling().ok_or(Unlabelled)?;
    let order = order_of(&places[..white.len()]);
    let mut to = vec![usize::MAX; shape.0 * shape.1];
    order.iter().zip(&white).for_each(|(vertex, place)| to[white[*vertex]] = *place);
    let image = Motion { shape, to, transposed: false }.image(puzzle);
    Ok(if alike { with_digits_in_order(&image, &places, digits) } else { image })
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
