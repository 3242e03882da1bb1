//! The outlines of cages inside their cells, and their colours.

use std::collections::BTreeMap;

use super::super::graphic::{Path, Point, trace};

/// How many colours there are for cages: as many as a map needs at most when it is coloured in the order below.
pub(super) const TINTS: usize = 6;

/// A colour for each area, 0 to [`TINTS`] - 1, such that areas with a common edge differ. `owners` has the area of each cell,
/// 0 for none; the result is by area. Areas that do not hang together may need more colours than there are; their
/// neighbours then share one.
///
/// Smallest-last ordering: on a map every step finds an area with at most five neighbours left, hence six colours do.
///
/// Source: D. W. Matula, L. L. Beck 1983, Smallest-last ordering and clustering and graph coloring algorithms,
/// doi:10.1145/2402.322385.
pub(super) fn colours(owners: &[usize], cols: usize) -> Vec<usize> {
    let neighbours = neighbours(owners, cols);
    let mut left = vec![true; neighbours.len()];
    left[0] = false;
    let mut order = Vec::with_capacity(neighbours.len());
    let degree = |area: usize, left: &[bool]| neighbours[area].iter().filter(|other| left[**other]).count();
    while let Some(next) = (1..left.len()).filter(|area| left[*area]).min_by_key(|area| degree(*area, &left))
    {
        left[next] = false;
        order.push(next);
    }
    let mut colours = vec![TINTS; neighbours.len()];
    for area in order.into_iter().rev() {
        let uses =
            |colour: &usize| neighbours[area].iter().filter(|other| colours[**other] == *colour).count();
        // Of those that no neighbour has, the first.
        colours[area] = (0..TINTS).min_by_key(uses).expect("there are some colours");
    }
    colours
}

/// The areas beside each area, none twice; area 0 is none.
fn neighbours(owners: &[usize], cols: usize) -> Vec<Vec<usize>> {
    let areas = owners.iter().copied().max().unwrap_or(0) + 1;
    let mut neighbours = vec![Vec::new(); areas];
    for (cell, &area) in owners.iter().enumerate() {
        let right = if (cell + 1) % cols == 0 { 0 } else { owners[cell + 1] };
        let below = owners.get(cell + cols).copied().unwrap_or(0);
        for other in [right, below] {
            if other != area && other != 0 && area != 0 {
                neighbours[area].push(other);
                neighbours[other].push(area);
            }
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// The sides of a cell, clockwise from the upper one: the step to the neighbour behind it.
const SIDES: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The outline of the cells of a cage, rows and columns, `inset` within their edges. Lengths are in units of a cell; `place`
/// says where such a point, column and row, is in the picture.
///
/// ```text
/// ┌───────┬───┐
/// │ ┌╌╌╌╌╌┼╌┐ │
/// │ ╎ ┌╌╌╌┼╌┘ │
/// ├─┼─┼───┼───┤
/// ```
pub(super) fn outline(cells: &[(usize, usize)], inset: f64, place: &dyn Fn(Point) -> Point) -> Path {
    let holds = |(row, column): (isize, isize)| {
        cells.iter().any(|cell| (cell.0 as isize, cell.1 as isize) == (row, column))
    };
    // A side of a cell runs clockwise, from its start to its end.
    let mut sides: BTreeMap<(i64, i64), (Point, Point)> = BTreeMap::new();
    for &(row, column) in cells {
        let at = (row as isize, column as isize);
        for (side, step) in SIDES.into_iter().enumerate() {
            if !holds(plus(at, step)) {
                let (from, to) = edge(at, side, inset, &holds);
                sides.insert(key(from), (from, to));
            }
        }
    }
    let mut path = Path::default();
    while let Some((_, (start, mut end))) = sides.pop_first() {
        let mut points = vec![start];
        while let Some((from, to)) = sides.remove(&key(end)) {
            points.push(from);
            end = to;
        }
        path.add(trace(points.into_iter().map(place)).closed());
    }
    path
}

/// One side of a cell within its edges, clockwise: it ends at the inset where the cage has a corner, and goes on to where the
/// next one begins where the cage turns the other way.
fn edge(
    at: (isize, isize),
    side: usize,
    inset: f64,
    holds: &dyn Fn((isize, isize)) -> bool,
) -> (Point, Point) {
    let (out, along) = (SIDES[side], SIDES[(side + 1) % 4]);
    let back = (-along.0, -along.1);
    let reach = |to: (isize, isize)| match (holds(plus(at, to)), holds(plus(plus(at, to), out))) {
        (false, _) => 0.5 - inset,
        (true, false) => 0.5,
        (true, true) => 0.5 + inset,
    };
    let middle = (at.1 as f64 + 0.5, at.0 as f64 + 0.5);
    let depth = 0.5 - inset;
    let point = |direction: (isize, isize), length: f64| {
        let across = (out.1 as f64 * depth, out.0 as f64 * depth);
        (middle.0 + across.0 + direction.1 as f64 * length, middle.1 + across.1 + direction.0 as f64 * length)
    };
    (point(back, reach(back)), point(along, reach(along)))
}

fn plus(one: (isize, isize), other: (isize, isize)) -> (isize, isize) {
    (one.0 + other.0, one.1 + other.1)
}

/// A point as whole numbers, to find the side that begins there.
fn key((x, y): Point) -> (i64, i64) {
    ((x * 1000.0).round() as i64, (y * 1000.0).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_with_a_common_edge_differ_in_colour() {
        let owners = [1, 1, 2, 3, 4, 2, 3, 3, 5];
        let colours = colours(&owners, 3);
        for cell in 0..9 {
            for other in [cell + 3].into_iter().chain((cell % 3 < 2).then_some(cell + 1)) {
                if other < 9 && owners[cell] != owners[other] {
                    assert_ne!(colours[owners[cell]], colours[owners[other]], "{cell} {other}");
                }
            }
        }
    }

    #[test]
    fn an_outline_turns_both_ways_and_runs_round_holes() {
        let bent = outline(&[(0, 0), (0, 1), (1, 0)], 0.1, &|point| point);
        assert_eq!(bent.to_string(), "M0.1 0.1L1.9 0.1L1.9 0.9L0.9 0.9L0.9 1.9L0.1 1.9L0.1 1Z");
        let ring: Vec<(usize, usize)> =
            (0..9).filter(|cell| *cell != 4).map(|cell| (cell / 3, cell % 3)).collect();
        assert_eq!(outline(&ring, 0.1, &|point| point).to_string().matches('Z').count(), 2);
    }
}
