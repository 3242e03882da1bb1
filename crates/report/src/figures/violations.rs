//! Which rows, columns and cages the best grids of unsolved runs still violate.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::super::counted;
use super::super::graphic::WIDTH;
use super::super::measurements::Measurements;
use super::picture::{Heat, Overlay, picture};
use super::{Drawing, Drawn, Figure, percent};
use kenga_core::puzzle::{Grid, Puzzle, Role, check};
use kenga_core::sort::sort_by_key;

pub(super) const FIGURE: Figure = Figure { id: "violations", title: "Remaining violations", draw };

/// The most puzzles with a picture.
const PUZZLES: usize = 4;

/// The most grids of a puzzle that are checked; of more, an evenly spaced sample.
const GRIDS: usize = 20_000;

/// The most groups that a caption names.
const NAMED: usize = 3;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, String> {
    let mut unsolved = by_puzzle(measurements);
    let all = unsolved.len();
    if all == 0 {
        return Err("There is nothing to show: every run has solved its puzzle.".to_owned());
    }
    // The sort is stable: ties keep the order of the study.
    sort_by_key(&mut unsolved, |(_, grids)| std::cmp::Reverse(grids.len()));
    unsolved.truncate(PUZZLES);
    let drawings = unsolved.iter().enumerate().map(|(index, (puzzle, grids))| drawing(index, puzzle, grids));
    let left = all.saturating_sub(PUZZLES);
    let remarks = match left {
        0 => Vec::new(),
        _ => vec![format!("Of {all} puzzles with unsolved runs the {PUZZLES} with the most are shown.")],
    };
    Ok(Drawn { remarks, ..Drawn::of(drawings.collect()) })
}

/// The best grids of unsolved runs by puzzle, in the order of the study.
fn by_puzzle<'a>(measurements: &'a Measurements<'_>) -> Vec<(&'a Puzzle, Vec<&'a str>)> {
    let study = measurements.study;
    let known: BTreeMap<&str, &Puzzle> =
        study.puzzles().into_iter().map(|puzzle| (&*puzzle.id, puzzle)).collect();
    let mut puzzles: Vec<(&Puzzle, Vec<&str>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let runs = study.settings.iter().flat_map(|setting| &setting.runs);
    for run in runs.filter(|run| !run.row.solved && !run.row.grid.is_empty()) {
        let place = *places.entry(&run.row.puzzle).or_insert_with(|| {
            puzzles.push((known[&*run.row.puzzle], Vec::new()));
            puzzles.len() - 1
        });
        puzzles[place].1.push(&run.row.grid);
    }
    puzzles
}

fn drawing(index: usize, puzzle: &Puzzle, grids: &[&str]) -> Drawing {
    let step = grids.len().div_ceil(GRIDS).max(1);
    let judged: Vec<Vec<usize>> =
        grids.par_iter().step_by(step).filter_map(|grid| violated(puzzle, grid)).collect();
    let mut counts = vec![0_u64; puzzle.groups().len()];
    judged.iter().flatten().for_each(|group| counts[*group] += 1);
    let share = |count: &u64| *count as f64 / judged.len().max(1) as f64;
    let heat: Heat = counts.iter().map(share).enumerate().collect();
    let mut hottest: Vec<usize> = (0..counts.len()).filter(|group| counts[*group] > 0).collect();
    sort_by_key(&mut hottest, |group| std::cmp::Reverse(counts[*group]));
    let named: Vec<String> = hottest
        .iter()
        .take(NAMED)
        .map(|group| format!("{} ({})", puzzle.group_name(&puzzle.groups()[*group]), percent(heat[group])))
        .collect();
    let of = if step > 1 { format!(" of {}", counted(grids.len() as u64)) } else { String::new() };
    let most = if named.is_empty() { String::new() } else { format!(" Most often: {}.", named.join(", ")) };
    let caption = format!(
        "In how many per cent of the best grids of {}{of} unsolved runs, over all settings, each group stays violated. {}{most}",
        counted(judged.len() as u64),
        how_shown(puzzle)
    );
    let names = (
        format!("violations-{}", index + 1),
        format!("Groups violated in {}, % of unsolved runs", puzzle.id),
    );
    let shown = Overlay { grid: None, heat: Some(&heat) };
    Drawing::new(names, caption, WIDTH.min(560.0), |width| picture(puzzle, width, shown))
}

/// Where the numbers of each kind of group stand.
fn how_shown(puzzle: &Puzzle) -> String {
    let has = |role| puzzle.groups_with(role).next().is_some();
    let coloured = match () {
        () if has(Role::Cage) => {
            "Cages are coloured, with the share in the lower right of the cell that has their clue"
        }
        () if has(Role::Entry) => {
            "Entries are coloured, each cell by the worse of its two, with the share in their first cell: above that of the entry across, below that of the entry down"
        }
        () if has(Role::Region) => {
            "Boxes are coloured, with the share in the lower right of their first cell"
        }
        () if has(Role::Group) => "Cells are coloured by the worst of their groups",
        () => "Nothing but rows and columns can be violated",
    };
    let beside = if has(Role::Row) { "; the numbers of rows and columns stand beside and below" } else { "" };
    let boxes = if has(Role::Cage) && has(Role::Region) { "; boxes have none here" } else { "" };
    format!("{coloured}{beside}{boxes}; without a share a group is never violated.")
}

/// The groups that a grid violates, each once; `None` for a text that does not fit the puzzle.
fn violated(puzzle: &Puzzle, grid: &str) -> Option<Vec<usize>> {
    let grid = Grid::parse(grid, puzzle.rows(), puzzle.cols()).ok()?;
    let mut groups: Vec<usize> = check(puzzle, &grid).failures.iter().map(|failure| failure.group).collect();
    groups.dedup();
    Some(groups)
}
