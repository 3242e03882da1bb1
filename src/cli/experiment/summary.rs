//! The summary of an experiment: the table, the best grids, and what the exact solver knows of them.

use std::path::Path;

use miette::Report;
use serde_json::{Value, json};

use super::ExecutionArgs;
use super::failures::Failures;
use super::race::race_text;
use crate::cli::io::exit::print_note;
use crate::cli::io::input::resume;
use crate::cli::io::terminal;
use kenga_core::puzzle::{Grid, Puzzle};
use kenga_lab::experiment::{Halt, Plan, Runner, Settings, Shard, Truth, short_key};
use kenga_lab::results::{FolderRows, RunRow};
use kenga_lab::study::RunSubject;
use kenga_report::{
    Cell, Column, Fields, Summary, SummaryBuilder, Table, TableFormat, draw, problem_value, several,
    solved_at_once, table, wrap,
};

/// How many puzzles have their best grid drawn.
const DRAWN: usize = 4;

/// How an experiment has ended, and the command that goes on with it.
pub(super) struct Ending<'a> {
    pub(super) halt: Halt,
    pub(super) shard: Shard,
    pub(super) failures: &'a Failures,
    /// Runs whose solution the referee refuted.
    pub(super) refuted: u64,
    pub(super) continue_command: &'a str,
    /// Programs were started in the current folder, because no other was named.
    pub(super) is_here: bool,
}

/// The text that the command prints at its end.
pub(super) fn text(
    args: &ExecutionArgs,
    plan: &Plan,
    runner: &Runner<'_>,
    path: &Path,
    ending: &Ending<'_>,
) -> Result<String, Report> {
    if args.quiet {
        return Ok(String::new());
    }
    let is_sweep = !plan.settings.keys.is_empty();
    let name = |row: &RunRow| {
        if is_sweep { plan.settings.describe(row.setting as usize) } else { row.puzzle.clone() }
    };
    let rows = FolderRows::open(path, plan, ending.shard)?;
    let mut builder = SummaryBuilder::new(rows.timing()?, &name);
    let mut at_once = 0;
    rows.each(|row: RunRow| {
        let setting = plan.settings.all.get(row.setting as usize);
        let is_program = setting.is_some_and(|setting| setting.config.has_program);
        at_once += u64::from(is_program && row.is_solved_at_once());
        builder.add(row);
    })?;
    let summaries = builder.finish();
    let (format, view) = (args.form.format(), terminal::view());
    if format == TableFormat::Json {
        return Ok(as_json(plan, runner, path, ending, &summaries, at_once));
    }
    let mut closing = solved_at_once(at_once, RunSubject::of_plan(plan).noun())
        .map_or_else(String::new, |words| words + "\n");
    closing += &where_it_ended(plan, path, ending, &summaries);
    let closing = wrap(&closing, view.width);
    let table = summary_table(plan, &summaries).in_full_by(format!("{} --csv", resume(path)));
    if format != TableFormat::Text {
        // A table for programs stands alone on standard output.
        print_note(closing.trim_end());
        return Ok(table.render(format, &view));
    }
    let mut text = String::new();
    if !summaries.is_empty() {
        text += &table.render(TableFormat::Text, &view);
    }
    text += &wrap(&race_text(plan, ending.shard, path, &rows)?, view.width);
    if !is_sweep {
        text += &best_grids(plan, runner, &summaries, view.width);
    }
    Ok(text + &closing)
}

/// What a row stands for.
fn row_kind(plan: &Plan) -> &'static str {
    if plan.settings.keys.is_empty() { RunSubject::of_plan(plan).noun() } else { "setting" }
}

/// The summaries as a table; of a sweep of few keys each key has a column.
fn summary_table(plan: &Plan, summaries: &[Summary]) -> Table {
    let (settings, kind) = (&plan.settings, row_kind(plan));
    if settings.keys.is_empty() {
        let mut name = Fields::default();
        name.add(Column::words(kind, "puzzle"), |one: &Summary| Cell::words(one.name.clone()));
        return table(kind, name, summaries, plan);
    }
    let mut labels: Fields<'_, Summary> = Fields::default();
    for (place, column) in columns(settings).into_iter().enumerate() {
        let setting = |one: &Summary| cells(settings, one.best.setting as usize);
        labels.add(column, move |one| setting(one).swap_remove(place));
    }
    table(kind, labels, summaries, plan)
}

/// The best grids of a few puzzles.
fn best_grids(plan: &Plan, runner: &Runner<'_>, summaries: &[Summary], width: usize) -> String {
    if plan.puzzles.len() > DRAWN {
        return String::new();
    }
    summaries.iter().filter_map(|summary| best_grid(plan, runner, summary, width)).collect()
}

/// How the experiment has ended, and where its results are.
fn where_it_ended(plan: &Plan, path: &Path, ending: &Ending<'_>, summaries: &[Summary]) -> String {
    let Ending { halt, shard, failures, refuted, continue_command, is_here } = *ending;
    let mut text = String::new();
    if row_kind(plan) == "setting" && plan.puzzles.len() > 1 {
        let subject = RunSubject::of_plan(plan);
        let (noun, numbers) = (subject.noun(), if subject.can_be_solved { "Calls" } else { "Values" });
        text += &format!(
            "{numbers} on different {noun}s cannot be pooled: `kenga compare` shows them by {noun}.\n"
        );
    }
    let cut: u64 = summaries.iter().map(|summary| summary.cut_by_the_clock).sum();
    if cut > 0 {
        text += &format!("{} stopped by the time limit and cannot be reproduced.\n", several(cut, "run"));
    }
    if refuted > 0 {
        let why = if RunSubject::of_plan(plan).is_own_problem {
            "asked again, the program gave another value"
        } else {
            "the referee disagrees"
        };
        text += &format!("REFUTED: {}, not counted as solved: {why}.\n", several(refuted, "run"));
    }
    // What failed in a shard of a race has decided for the others.
    let may_try_again = halt == Halt::Complete && !plan.is_part_of_race(shard);
    text += &failures.text(path, Some(continue_command).filter(|_| may_try_again));
    if may_try_again && is_here && failures.runs() > 0 {
        text += "Programs were started in the current folder. If they are elsewhere, name their folder: --programs DIR\n";
    }
    if halt == Halt::Interrupted {
        text += &format!("Interrupted: finished runs are kept. Continue with:\n  {continue_command}\n");
    }
    text + &format!("Results in {}\n", path.display())
}

/// The best grid of a puzzle with the cells that differ from the nearest solution marked, and the verdict.
fn best_grid(plan: &Plan, runner: &Runner<'_>, summary: &Summary, width: usize) -> Option<String> {
    let index = plan.puzzles.iter().position(|puzzle| puzzle.id == summary.name)?;
    let (puzzle, truth, problem) = (&plan.puzzles[index], runner.truth(index), runner.problem(index));
    if puzzle.genome().is_some() {
        return Some(best_genome(puzzle, runner, summary, index, width));
    }
    let grid = Grid::parse(&summary.best.grid, puzzle.rows(), puzzle.cols()).ok()?;
    let ranks = problem.ranks(&grid)?;
    let mut wrong = Vec::new();
    if let Some(solution) = truth.nearest(&ranks) {
        let differing = (0..ranks.len()).filter(|cell| solution[*cell] != ranks[*cell]);
        wrong.extend(differing.map(|cell| problem.place(cell)));
    }
    Some(format!(
        "\n{}: the best of {} (run {})\n{}{}\n",
        puzzle.id,
        several(summary.runs, "run"),
        summary.best.run,
        draw(puzzle, &grid, &wrong),
        wrap(&verdict(summary, truth, wrong.len()), width)
    ))
}

/// The best genome of a problem of the user's own, and its value.
fn best_genome(
    puzzle: &Puzzle,
    runner: &Runner<'_>,
    summary: &Summary,
    index: usize,
    width: usize,
) -> String {
    let best = &summary.best;
    let title = format!("{}: the best of {} (run {})", puzzle.id, several(summary.runs, "run"), best.run);
    let Some(best_fitness) = best.best_fitness else {
        return format!("\n{title}\nno genome was evaluated\n");
    };
    let fitness = runner.fitness_of(index);
    let value = fitness.scale().map(|scale| scale.value(f64::from(best_fitness)));
    let value = value.map_or("no value".to_owned(), |value| format!("value {}", problem_value(value)));
    let said = if best.solved {
        let checked = if best.verified {
            "checked by asking again"
        } else {
            "REFUTED: asked again, the program gave another value"
        };
        format!("{value}, the optimum, after {}; {checked}", spent(best))
    } else if best_fitness == 0 {
        format!("{value}: the bound was reached after {}; no optimum is known", spent(best))
    } else if puzzle.meta.contains_key("optimum") {
        format!("{value}; the optimum is {}", puzzle.meta["optimum"])
    } else {
        format!("{value}; no optimum is known")
    };
    let genome = wrap(&format!("genome {}", best.grid), width);
    format!("\n{title}\n{}\n{genome}\n", wrap(&said, width))
}

/// Whether it was solved, and what the exact solver says of the solution; or how far the search came.
fn verdict(summary: &Summary, truth: &Truth, wrong: usize) -> String {
    let best = &summary.best;
    if best.solved {
        let checked = if best.verified { "solved and verified" } else { "REFUTED: the referee disagrees" };
        return format!("{checked} after {}; {}", spent(best), uniqueness(truth));
    }
    let far = match (truth.solutions.len(), truth.all_known) {
        (0, true) => "the puzzle has no solution".to_owned(),
        (0, false) => "no solution is known within the bounds of the exact solver".to_owned(),
        (1, true) => format!("{} from the only solution", differing(wrong)),
        (known, true) => format!("{} from the nearest of all {known} solutions", differing(wrong)),
        (1, false) => format!("{} from the one known solution; there may be others", differing(wrong)),
        (known, false) => {
            format!("{} from the nearest of {known} known solutions; there may be others", differing(wrong))
        }
    };
    let fitness = best.best_fitness.map_or("unknown".to_owned(), |fitness| fitness.to_string());
    format!("not solved: best fitness {fitness}; {far}")
}

fn differing(cells: usize) -> String {
    match cells {
        1 => "1 cell (in brackets) differs".to_owned(),
        cells => format!("{cells} cells (in brackets) differ"),
    }
}

fn uniqueness(truth: &Truth) -> String {
    match (truth.solutions.len(), truth.all_known) {
        (1, true) => "the exact solver proves it the only solution".to_owned(),
        (known, true) => format!("one of {known} solutions"),
        (0, false) => "whether there are others is not known".to_owned(),
        (known, false) => format!("one of {known} solutions or more"),
    }
}

fn as_json(
    plan: &Plan,
    runner: &Runner<'_>,
    path: &Path,
    ending: &Ending<'_>,
    summaries: &[Summary],
    at_once: u64,
) -> String {
    // Programs read the same key whatever the puzzles are.
    let kind = if plan.settings.keys.is_empty() { "puzzle" } else { "setting" };
    let (mut lines, mut runs, mut solved, mut failed) = (Vec::new(), 0, 0, 0);
    for summary in summaries {
        runs += summary.runs;
        solved += summary.solved;
        failed += summary.failed;
        let index = plan.puzzles.iter().position(|puzzle| puzzle.id == summary.name);
        let truth = index.map(|index| runner.truth(index)).filter(|_| plan.config.exact.nodes > 0);
        let median = summary.calls;
        let best = &summary.best;
        let mut line = json!({
            kind: summary.name,
            "runs": summary.runs,
            "solved": summary.solved,
            "share": summary.share.value,
            "share_95": [summary.share.interval.low, summary.share.interval.high],
            "calls_to_solve": median.map(|median| median.value),
            "calls_to_solve_95":
                median.map(|median| [median.interval.low, median.interval.high]),
            "calls_per_cpu_s": summary.rate,
            "cut_by_the_clock": summary.cut_by_the_clock,
            "failed": summary.failed,
            "best": {
                "run": best.run,
                "fitness": best.best_fitness,
                "verified": best.verified,
                "distance": best.distance,
                "grid": Some(&best.grid).filter(|grid| !grid.is_empty()),
            },
            "solutions": truth.map(|truth| truth.solutions.len()),
            "solutions_exact": truth.map(|truth| truth.all_known),
        });
        if let Some(value) = plan.value(best.run, best.best_fitness) {
            line["best"]["value"] = json!(value);
        }
        lines.push(line);
    }
    let object = json!({
        "out": path.display().to_string(),
        "complete": ending.halt == Halt::Complete,
        "runs": runs,
        "solved": solved,
        "failed": failed,
        "refuted": ending.refuted,
        "solved_at_once": at_once,
        format!("{kind}s"): lines,
    });
    format!("{object}\n")
}

/// The calls up to the best: evaluations, and moves where there are any.
fn spent(best: &RunRow) -> String {
    let evaluations = several(best.evaluations_to_best.unwrap_or(0), "evaluation");
    match best.moves_to_best.unwrap_or(0) {
        0 => evaluations,
        moves => format!("{evaluations} and {}", several(moves, "move")),
    }
}

/// How many swept keys have a column each.
const COLUMNS: usize = 4;

/// One column per swept key, or a single text column if there are many.
pub(in crate::cli) fn columns(settings: &Settings) -> Vec<Column> {
    if settings.keys.len() > COLUMNS {
        return vec![Column::words("setting", "setting")];
    }
    settings.keys.iter().map(|key| Column::words(short_key(key), key.clone())).collect()
}

/// The cells of a setting in [`columns`].
pub(in crate::cli) fn cells(settings: &Settings, setting: usize) -> Vec<Cell> {
    if settings.keys.len() > COLUMNS {
        return vec![Cell::words(settings.describe(setting))];
    }
    settings.all[setting].labels.iter().map(|label| cell(label)).collect()
}

/// The value of a swept key, from its text; a key that the setting does not have is empty.
fn cell(label: &str) -> Cell {
    let value = if label.is_empty() {
        Value::Null
    } else {
        // Words stand without quotes.
        serde_json::from_str(label).unwrap_or_else(|_| Value::String(label.to_owned()))
    };
    Cell::new(label, [value])
}
