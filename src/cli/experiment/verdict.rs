//! What an experiment has shown: the table, the grids, the words of the exact solver.

use std::path::Path;

use miette::Report;
use serde_json::json;

use super::Making;
use crate::experiment::{Halt, Plan, Race, Runner, Truth};
use crate::puzzle::{Grid, Puzzle};
use crate::report::{Summary, Summing, counted, draw, table};
use crate::results::{Folder, RunRow};

/// How many lines a table has.
const LINES: usize = 60;

/// How many puzzles have their best grid drawn.
const DRAWN: usize = 4;

/// The text that the command prints at its end.
pub(super) fn text(
    args: &Making,
    plan: &Plan,
    runner: &Runner<'_>,
    path: &Path,
    halt: Halt,
) -> Result<String, Report> {
    if args.quiet {
        return Ok(String::new());
    }
    let is_sweep = !plan.settings.keys.is_empty();
    let name = |row: &RunRow| match is_sweep {
        true => plan.settings.in_words(row.setting as usize),
        false => row.puzzle.clone(),
    };
    let mut summing = Summing::new(Folder::timing(path)?, &name);
    Folder::each_run(path, |row| summing.add(row))?;
    let summaries = summing.finish();
    if args.json {
        return Ok(as_json(plan, runner, path, halt, &summaries));
    }
    let mut text = in_a_table(if is_sweep { "setting" } else { "puzzle" }, &summaries);
    if plan.settings.race.is_some() {
        let calls = Folder::raced(path)?;
        text += &Race::replay(plan, &calls).map_or(String::new(), |race| of_race(plan, &race, calls.len()));
    }
    if plan.puzzles.len() <= DRAWN && !is_sweep {
        for summary in &summaries {
            if let Some(index) = plan.puzzles.iter().position(|puzzle| puzzle.id == summary.name) {
                text += &best(&plan.puzzles[index], runner, index, summary);
            }
        }
    }
    let cut: u64 = summaries.iter().map(|summary| summary.cut_by_the_clock).sum();
    if cut > 0 {
        text += &format!("{cut} runs were ended by the clock: they cannot be reproduced\n");
    }
    if halt == Halt::Interrupted {
        text += "stopped before the end; what was finished is kept: continue with --resume\n";
    }
    Ok(text + &format!("results in {}\n", path.display()))
}

/// Who is left of a race, and what it has cost.
fn of_race(plan: &Plan, race: &Race, runs: usize) -> String {
    let left = race.left().iter().take(LINES).map(|setting| plan.settings.in_words(*setting));
    format!(
        "race: {} of {} settings are left after {} blocks, {} of {} runs made:\n  {}\n",
        race.left().len(),
        plan.settings.all.len(),
        race.block(),
        counted(runs as u64),
        counted(plan.runs()),
        left.collect::<Vec<_>>().join("\n  ")
    )
}

fn in_a_table(of: &str, summaries: &[Summary]) -> String {
    let shown = &summaries[..summaries.len().min(LINES)];
    match summaries.len() - shown.len() {
        _ if summaries.is_empty() => String::new(),
        0 => table(of, shown),
        more => table(of, shown) + &format!("and {more} more: see `kenga compare`\n"),
    }
}

/// The best grid of a puzzle with the cells that differ from the nearest solution marked, and the verdict.
fn best(puzzle: &Puzzle, runner: &Runner<'_>, index: usize, summary: &Summary) -> String {
    let Some((grid, ranks)) = grid_of(puzzle, runner, index, summary) else { return String::new() };
    let (truth, problem) = (runner.truth(index), runner.problem(index));
    let wrong: Vec<usize> = truth.nearest(&ranks).map_or_else(Vec::new, |solution| {
        let differs = |cell: &usize| solution[*cell] != ranks[*cell];
        (0..ranks.len()).filter(differs).map(|cell| problem.place(cell)).collect()
    });
    format!(
        "\n{}: the best of {} runs (run {})\n{}{}\n",
        puzzle.id,
        summary.runs,
        summary.best.run,
        draw(puzzle, &grid, &wrong),
        verdict(summary, truth, wrong.len())
    )
}

fn grid_of(puzzle: &Puzzle, runner: &Runner<'_>, index: usize, summary: &Summary) -> Option<(Grid, Vec<u8>)> {
    let grid = Grid::parse(&summary.best.grid, puzzle.rows(), puzzle.cols()).ok()?;
    let ranks = runner.problem(index).ranks(&grid)?;
    Some((grid, ranks))
}

/// Whether it was solved, and what the exact solver says of the solution; or how far the search came.
fn verdict(summary: &Summary, truth: &Truth, wrong: usize) -> String {
    let best = &summary.best;
    if best.solved {
        let checked = if best.verified { "solved and verified" } else { "REFUTED: the referee disagrees" };
        return format!("{checked} after {}; {}", spent(best), uniqueness(truth));
    }
    let far = match (truth.solutions.len(), truth.exact) {
        (0, true) => "the puzzle has no solution".to_owned(),
        (0, false) => "no solution is known within the bounds of the exact solver".to_owned(),
        (1, true) => format!("{wrong} cells differ from the only solution (in brackets)"),
        (known, true) => {
            format!("{wrong} cells differ from the nearest of all {known} solutions (in brackets)")
        }
        (known, false) => {
            format!(
                "{wrong} cells differ from the nearest of {known} known solutions (in brackets); there may be others"
            )
        }
    };
    format!("not solved: best fitness {}; {far}", best.best_fitness)
}

fn uniqueness(truth: &Truth) -> String {
    match (truth.solutions.len(), truth.exact) {
        (1, true) => "the exact solver proves it the only solution".to_owned(),
        (known, true) => format!("one of {known} solutions"),
        (0, false) => "whether there are others is not known".to_owned(),
        (known, false) => format!("one of {known} solutions or more"),
    }
}

fn as_json(plan: &Plan, runner: &Runner<'_>, path: &Path, halt: Halt, summaries: &[Summary]) -> String {
    let of = if plan.settings.keys.is_empty() { "puzzle" } else { "setting" };
    let finite = |value: f64| value.is_finite().then_some(value);
    let line = |summary: &Summary| {
        let index = plan.puzzles.iter().position(|puzzle| puzzle.id == summary.name);
        let truth = index.map(|index| runner.truth(index)).filter(|_| plan.config.exact.nodes > 0);
        let median = summary.calls;
        json!({
            of: summary.name,
            "runs": summary.runs,
            "solved": summary.solved,
            "share_95": [summary.share.low, summary.share.high],
            "calls_to_solve": median.and_then(|median| finite(median.value)),
            "calls_to_solve_95":
                median.map(|median| [finite(median.interval.low), finite(median.interval.high)]),
            "calls_per_cpu_s": summary.rate,
            "cut_by_the_clock": summary.cut_by_the_clock,
            "best": {
                "run": summary.best.run,
                "fitness": summary.best.best_fitness,
                "verified": summary.best.verified,
                "distance": summary.best.distance,
                "grid": summary.best.grid,
            },
            "solutions": truth.map(|truth| truth.solutions.len()),
            "solutions_exact": truth.map(|truth| truth.exact),
        })
    };
    let object = json!({
        "out": path.display().to_string(),
        "complete": halt == Halt::Complete,
        "runs": summaries.iter().map(|summary| summary.runs).sum::<u64>(),
        "solved": summaries.iter().map(|summary| summary.solved).sum::<u64>(),
        format!("{of}s"): summaries.iter().map(line).collect::<Vec<_>>(),
    });
    format!("{object}\n")
}

/// The calls up to the best: evaluations, and moves where there are any.
fn spent(best: &RunRow) -> String {
    let evaluations = format!("{} evaluations", counted(best.evaluations_to_best));
    match best.moves_to_best {
        0 => evaluations,
        moves => format!("{evaluations} and {} moves", counted(moves)),
    }
}
