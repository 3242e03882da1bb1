//! How lines and cages cross: the graph of what depends on what.

use super::column;
use crate::features::FeatureKind::{Count, Real, Share};
use crate::features::subject::CluedGroup;
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};
use kenga_core::problem::Problem;

pub(in crate::features) const FAMILY: FeatureFamily = FeatureFamily {
    name: "graph",
    about: "how its lines, the groups of different digits, and its cages cross",
    is_slow: false,
    columns,
    values,
};

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    vec![
        column("lines", Count, "groups of different digits: rows, columns, regions, entries, pairs"),
        column("degree_mean", Real, "mean number of other cells that a cell must differ from"),
        column("degree_density", Share, "pairs of cells that must differ, of all pairs"),
        column("crossed_mean", Real, "mean number of other lines that a cage has cells of"),
        column("cages_inside", Share, "cages of two or more cells inside another line, of these cages"),
        column("cages_per_line", Real, "mean number of other cages that a line has cells of"),
    ]
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let (problem, cells) = (&of.problem, of.problem.cells());
    let lines = (0..problem.groups()).filter(|group| problem.rule(*group).distinct).count();
    let degrees: usize = (0..cells).map(|cell| degree(problem, cell)).sum();
    let (mut crossings, mut large, mut inside) = (0, 0, 0);
    let cages = of.cages();
    for cage in &cages {
        let crossed = CrossedLines::of(problem, cage);
        crossings += crossed.lines;
        large += usize::from(crossed.is_large);
        inside += usize::from(crossed.is_inside);
    }
    vec![
        FeatureValue::count(lines),
        // What is divided by 0 is no number, and so unknown.
        FeatureValue::number(degrees as f64 / cells as f64),
        FeatureValue::share(degrees, cells * cells.saturating_sub(1)),
        FeatureValue::number(crossings as f64 / cages.len() as f64),
        FeatureValue::share(inside, large),
        FeatureValue::number(if cages.is_empty() { f64::NAN } else { crossings as f64 / lines as f64 }),
    ]
}

/// How many other cells share a line with a cell.
fn degree(problem: &Problem, cell: usize) -> usize {
    let mut others = Vec::new();
    for group in problem.groups_of(cell) {
        if problem.rule(usize::from(*group)).distinct {
            others.extend_from_slice(problem.cells_of(usize::from(*group)));
        }
    }
    others.sort_unstable();
    others.dedup();
    others.len().saturating_sub(1)
}

/// The other lines that a cage has cells of.
struct CrossedLines {
    lines: usize,
    is_large: bool,
    /// It is large, and one of them holds all its cells.
    is_inside: bool,
}

impl CrossedLines {
    fn of(problem: &Problem, cage: &CluedGroup<'_>) -> Self {
        let mut lines: Vec<u16> = Vec::new();
        for cell in cage.cells {
            lines.extend_from_slice(problem.groups_of(usize::from(*cell)));
        }
        lines.retain(|line| usize::from(*line) != cage.group && problem.rule(usize::from(*line)).distinct);
        lines.sort_unstable();
        let is_large = cage.cells.len() > 1;
        // A line stands in the list once for every cell that it shares with the cage.
        let is_inside = is_large && lines.chunk_by(|a, b| a == b).any(|same| same.len() == cage.cells.len());
        lines.dedup();
        Self { lines: lines.len(), is_large, is_inside }
    }
}
