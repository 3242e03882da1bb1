//! Footprints: where in the plane of puzzles a setting is good.
//!
//! A setting is *good* on a puzzle when some run solves it within the budget and its time is at most a factor of the best
//! setting's, all runs cut at the least budget. A puzzle that no setting solves counts for no setting. The footprint is the
//! convex hull of the good puzzles at least half of whose neighbours are good too: its area says how much of the map the
//! setting is for, its purity which share of the puzzles inside are good. A hull covers the holes that it has; purity tells of
//! them.
//!
//! Source of the idea: K. Smith-Miles, T. T. Tan 2012, Measuring algorithm footprints in instance space,
//! doi:10.1109/CEC.2012.6252992; of the hull, A. M. Andrew 1979, doi:10.1016/0020-0190(79)90072-3.

use super::times::MeasuredTimes;
use kenga_core::sort::sort_by;

type Point = (f64, f64);

/// Where a setting is good.
#[derive(Clone, Debug, PartialEq)]
pub struct Footprint {
    /// Whether it is good on each puzzle.
    pub good: Vec<bool>,
    /// The corners of its footprint, counter-clockwise; fewer than three enclose nothing.
    pub hull: Vec<(f64, f64)>,
    /// The share of the area of all puzzles.
    pub area: f64,
    /// The puzzles inside that some setting solves.
    pub inside: usize,
    /// The share of them on which it is good; `None` without any.
    pub purity: Option<f64>,
}

/// The neighbours that are asked.
const NEIGHBOURS: usize = 5;

/// The footprint of each setting, in the order of the settings; `solved` says of each puzzle whether some setting solves it.
pub(super) fn footprints(
    settings: &[MeasuredTimes],
    points: &[Point],
    solved: &[bool],
    factor: f64,
) -> Vec<Footprint> {
    let mut best = vec![f64::INFINITY; points.len()];
    for setting in settings {
        for (best, time) in best.iter_mut().zip(&setting.cut.par10) {
            *best = best.min(*time);
        }
    }
    let mut footprints = Vec::with_capacity(settings.len());
    for MeasuredTimes { cut, .. } in settings {
        let is_good = |puzzle| cut.solved[puzzle] > 0.0 && cut.par10[puzzle] <= factor * best[puzzle];
        footprints.push(Footprint::of((0..points.len()).map(is_good).collect(), points, solved));
    }
    footprints
}

impl Footprint {
    fn of(good: Vec<bool>, points: &[Point], solved: &[bool]) -> Self {
        let mut core = Vec::new();
        for puzzle in 0..points.len() {
            let near = neighbours(points, puzzle, solved);
            let good_near = near.iter().filter(|other| good[**other]).count();
            // One that stands alone among bad ones would stretch the hull over them.
            if good[puzzle] && 2 * good_near >= near.len() {
                core.push(points[puzzle]);
            }
        }
        let (hull, whole) = (hull(core), area(&hull(points.to_vec())));
        let (mut inside, mut good_inside) = (0, 0);
        for puzzle in 0..points.len() {
            if solved[puzzle] && holds(&hull, points[puzzle]) {
                inside += 1;
                good_inside += usize::from(good[puzzle]);
            }
        }
        Self {
            area: if whole > 0.0 { area(&hull) / whole } else { 0.0 },
            inside,
            purity: if inside > 0 { Some(good_inside as f64 / inside as f64) } else { None },
            good,
            hull,
        }
    }
}

/// The nearest other points that some setting solves; of equally near ones, those that come first.
fn neighbours(points: &[Point], of: usize, solved: &[bool]) -> Vec<usize> {
    let away = |other: usize| (points[other].0 - points[of].0).hypot(points[other].1 - points[of].1);
    let mut others: Vec<usize> = (0..points.len()).filter(|other| *other != of && solved[*other]).collect();
    sort_by(&mut others, |a, b| away(*a).total_cmp(&away(*b)));
    others.truncate(NEIGHBOURS);
    others
}

/// On which side of the line through two points a third lies: above 0 to the left.
fn side(from: Point, to: Point, point: Point) -> f64 {
    (to.0 - from.0) * (point.1 - from.1) - (to.1 - from.1) * (point.0 - from.0)
}

/// The convex hull, counter-clockwise.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    sort_by(&mut points, |a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // An edge between equal points would have no direction.
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull = half_hull(&points);
    points.reverse();
    hull.extend(half_hull(&points));
    hull
}

/// The lower half of the hull of points from left to right, or the upper one from right to left, without its last point.
fn half_hull(points: &[Point]) -> Vec<Point> {
    let mut half: Vec<Point> = Vec::new();
    for point in points {
        // A point that makes no turn to the left lies inside, or on an edge.
        while let [.., a, b] = half[..]
            && side(a, b, *point) <= 0.0
        {
            half.pop();
        }
        half.push(*point);
    }
    // The other half begins with it.
    half.pop();
    half
}

/// The edges of a hull, each as its ends.
fn edges(hull: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    (0..hull.len()).map(|corner| (hull[corner], hull[(corner + 1) % hull.len()]))
}

fn area(hull: &[Point]) -> f64 {
    edges(hull).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>() / 2.0
}

/// Whether a hull holds a point, its edge included; one without area holds nothing.
fn holds(hull: &[Point], point: Point) -> bool {
    // Rounding must not put corners outside their own hull.
    hull.len() > 2 && edges(hull).all(|(a, b)| side(a, b, point) >= -1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::hardness::times::PuzzleTimes;

    /// A grid of 6 x 6 points.
    fn grid() -> Vec<Point> {
        (0..36).map(|at| (f64::from(at % 6), f64::from(at / 6))).collect()
    }

    #[test]
    fn a_footprint_is_the_hull_of_good_puzzles_among_good_ones() {
        // The left half is good, and one point at the far right, which is left out.
        let good: Vec<bool> = grid().iter().map(|point| point.0 < 2.5 || *point == (5.0, 5.0)).collect();
        let found = Footprint::of(good, &grid(), &[true; 36]);
        assert_eq!((found.inside, found.purity), (18, Some(1.0)));
        assert!((found.area - 0.4).abs() < 1e-9, "2 x 5 of 5 x 5: {}", found.area);
        assert_eq!(found.hull.len(), 4);
    }

    #[test]
    fn nothing_good_has_no_footprint_and_purity_tells_of_holes() {
        let none = Footprint::of(vec![false; 36], &grid(), &[true; 36]);
        assert_eq!((none.area, none.inside, none.purity), (0.0, 0, None));
        let ring: Vec<bool> =
            grid().iter().map(|(x, y)| [*x, *y].iter().any(|at| *at == 0.0 || *at == 5.0)).collect();
        let found = Footprint::of(ring.clone(), &grid(), &[true; 36]);
        assert!(found.purity.is_some_and(|purity| purity < 0.6), "{found:?}");
        assert!((found.area - 1.0).abs() < 1e-9);
        // Unsolved puzzles inside do not lower the purity.
        let found = Footprint::of(ring.clone(), &grid(), &ring);
        assert_eq!((found.inside, found.purity), (20, Some(1.0)));
    }

    #[test]
    fn good_is_within_the_factor_of_the_best_and_solved() {
        let setting = |par10: [f64; 3], solved: [f64; 3]| MeasuredTimes {
            name: String::new(),
            identity: String::new(),
            budget: 100.0,
            own: PuzzleTimes { par10: vec![0.0; 3], solved: vec![0.0; 3] },
            cut: PuzzleTimes { par10: par10.to_vec(), solved: solved.to_vec() },
        };
        let settings =
            [setting([10.0, 10.0, 1000.0], [1.0, 1.0, 0.0]), setting([20.0, 21.0, 1000.0], [1.0, 1.0, 0.0])];
        let found = footprints(&settings, &[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], &[true, true, false], 2.0);
        assert_eq!(
            (&found[0].good[..], &found[1].good[..]),
            (&[true, true, false][..], &[true, false, false][..])
        );
    }
}
