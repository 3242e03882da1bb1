//! The words around the panels: which run it is, how it stands, and what is under the cursor.

use ratatui::text::{Line, Span};

use super::scene::Scene;
use super::state::Focus;
use crate::cli::screen::clipped;
use kenga_core::budget::Budget;
use kenga_core::fitness::{Term, Terms};
use kenga_core::problem::bits;
use kenga_core::text::printable;
use kenga_lab::playback::{Frame, Speed};
use kenga_report::{counted, percent, problem_value};

/// The keys.
pub(super) const HELP: [&str; 18] = [
    "space        play, pause; at the end again from the start",
    ".  >         on by one generation, by ten",
    ",  <         back by one generation, by ten",
    "left right   back, on by a hundredth of the run (cursor on time)",
    "i            on to the next improvement of the best",
    "home end     to the start, to the end",
    "+  -         faster, slower; beyond 1000 generations a second: no limit",
    "n  p         next, previous run of the experiment",
    "tab          cursor to the next panel, shift-tab to the one before:",
    "             time, grid, population, islands, operators",
    "arrows       move the cursor; the last line says what is under it",
    "[  ]         the island before, the island after",
    "o            count what operators gain, or do not: replays the run",
    "?            this help",
    "q  esc       quit; ctrl-c quits with exit code 130",
    "",
    "grid: [4] differs from a true solution; bold (red) breaks a cage,",
    "region or entry; ! beside a row or below a column: it is broken",
];

/// The value of a fitness, where the runs are about a problem of the user's own.
fn value(scene: &Scene<'_>, fitness: u32) -> Option<String> {
    let scale = scene.runner.fitness(scene.id()).scale()?;
    Some(format!("value {}", problem_value(scale.value(f64::from(fitness)))))
}

/// The puzzle, the run, the replicate and the setting.
pub(super) fn title(scene: &Scene<'_>) -> Line<'static> {
    let (plan, id) = (scene.runner.plan(), scene.id());
    let setting = plan.settings.describe(id.setting as usize);
    let setting = if setting.is_empty() { String::new() } else { format!("  {setting}") };
    let text = format!(
        "{}  run {} of {}  replicate {}{setting}",
        printable(&scene.puzzle().id),
        id.run,
        counted(plan.runs()),
        id.replicate
    );
    Line::from(vec![Span::styled("kenga watch  ", scene.palette.faint()), Span::raw(text)])
}

/// The fitness of the best, and its distance from a solution.
pub(super) fn best_title(scene: &Scene<'_>) -> String {
    let Some(best) = scene.best() else { return " best ".to_owned() };
    if let Some(value) = value(scene, best.fitness) {
        return format!(" best: {value} ");
    }
    let distance = match best.truth {
        Some(_) => format!(", {} wrong", counted(best.wrong().count() as u64)),
        None => String::new(),
    };
    format!(" best: fitness {}{distance} ", counted(best.fitness.into()))
}

/// How many individuals there are, and on which island.
pub(super) fn population_title(scene: &Scene<'_>) -> String {
    let islands = scene.frame().map_or(0, |frame| frame.islands.len());
    let individuals = scene.rows().map_or(0, |rows| rows.individuals);
    let of = if islands > 1 { format!(" of island {} of {islands}", scene.island()) } else { String::new() };
    format!(" population{of}: {} by {} ", counted(individuals as u64), scene.quantity())
}

/// The four lines below the panels.
pub(super) fn status(scene: &Scene<'_>, width: usize) -> Vec<Line<'static>> {
    let Some(frame) = scene.frame() else { return vec![Line::raw("preparing the run …")] };
    let budget = scene.runner.plan().setting(scene.id().setting).config.budget;
    vec![
        Line::raw(clipped(&now(scene, frame), width)),
        Line::raw(clipped(&spent(frame, &budget), width)),
        under_cursor(scene, frame, width),
        Line::styled(
            "space play  . > on  , < back  + - speed  n p run  tab cursor  ? help  q quit",
            scene.palette.faint(),
        ),
    ]
}

/// Whether it is played, how fast, and the generation.
fn now(scene: &Scene<'_>, frame: &Frame) -> String {
    let view = scene.view;
    let speed = match view.speed {
        Speed::Unlimited => "no limit".to_owned(),
        Speed::Generations(rate) => format!("{rate} generations/s"),
    };
    let plays = match (view.plays, frame.stop) {
        (true, _) => "playing",
        (false, Some(_)) => "ended",
        (false, None) => "paused",
    };
    let of = view.last.map_or(String::new(), |last| format!(" of {}", counted(last)));
    let replays = view.replays.map_or(String::new(), |at| format!("  replaying: {}", counted(at)));
    let share = percent(frame.progress);
    format!(
        "{plays} at {speed}  generation {}{of}  {share} of the budget{replays}",
        counted(frame.generation)
    )
}

/// What was spent of what, and how the run ended.
fn spent(frame: &Frame, budget: &Budget) -> String {
    let spent = frame.spent;
    let mut parts = Vec::new();
    if spent.evaluations > 0 || budget.evaluations.is_some() {
        parts.push(of_limit(spent.evaluations, budget.evaluations, "evaluations"));
    }
    // A limit on moves means nothing to a search that makes none.
    if spent.moves > 0 {
        parts.push(of_limit(spent.moves, budget.moves, "moves"));
    }
    if budget.generations.is_some() {
        parts.push(of_limit(spent.generations, budget.generations, "generations"));
    }
    if let Some(at) = frame.dead_at {
        parts.push(format!("no solution in reach since evaluation {}", counted(at)));
    }
    parts.join("  ")
}

fn of_limit(spent: u64, limit: Option<u64>, what: &str) -> String {
    match limit {
        Some(limit) => format!("{} of {} {what}", counted(spent), counted(limit)),
        None => format!("{} {what}", counted(spent)),
    }
}

/// The third line: what is under the cursor; how the run ended where nothing is.
fn under_cursor(scene: &Scene<'_>, frame: &Frame, width: usize) -> Line<'static> {
    let text = match scene.state.focus {
        // An own problem has a row of genes in place of a grid.
        Focus::Grid if scene.has_own_problem() => gene(scene),
        Focus::Grid => cell(scene),
        Focus::Population => individual(scene),
        _ => ending(scene, frame),
    };
    let style = match scene.state.focus {
        Focus::Grid | Focus::Population => ratatui::style::Style::new(),
        _ if scene.best().is_some_and(|best| best.fitness == 0) => scene.palette.good(),
        _ => ratatui::style::Style::new(),
    };
    Line::styled(clipped(&text, width), style)
}

/// Why the run ended, and whether it is as recorded; else the terms of the best.
fn ending(scene: &Scene<'_>, frame: &Frame) -> String {
    let Some(stop) = frame.stop else {
        if scene.has_own_problem() {
            return String::new();
        }
        return scene.best().map_or(String::new(), |best| format!("violations: {}", terms(&best.terms)));
    };
    let verified = match scene.view.record.as_ref() {
        Some(record) if record.by_propagation => ", by propagation alone, before the search",
        Some(record) if record.verified && scene.has_own_problem() => {
            ": the optimum, checked by asking again"
        }
        Some(record) if record.verified => ", and the referee agrees",
        _ => "",
    };
    let why = frame.failure.as_ref().map_or(String::new(), |why| format!(": {why}"));
    let verdict = scene.verdict.map_or(String::new(), |verdict| format!("  {verdict}"));
    format!("stopped: {stop}{verified}{}{verdict}", printable(&why))
}

/// The terms that are not 0, unweighted: `2 in columns, 1 in cages`.
fn terms(terms: &Terms) -> String {
    let all = [Term::Count, Term::Row, Term::Column, Term::Region, Term::Cage, Term::Group];
    let broken = all.into_iter().filter(|term| terms.of(*term) > 0);
    let parts: Vec<String> = broken.map(|term| format!("{} in {}s", terms.of(term), term.name())).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// A gene of the best genome in words.
fn gene(scene: &Scene<'_>) -> String {
    let place = scene.state.cell.1;
    let genes = scene.puzzle().cols();
    let Some(value) = scene.best().and_then(|best| best.grid.get(place)) else {
        return format!("gene {} of {genes}", place + 1);
    };
    let [low, high] = scene.puzzle().genome().expect("it has a problem").ranges()[place];
    format!("gene {} of {genes}: {value}, from {low} to {high}", place + 1)
}

/// A cell of the best grid in words.
fn cell(scene: &Scene<'_>) -> String {
    let puzzle = scene.puzzle();
    let place = scene.state.cell.0 * puzzle.cols() + scene.state.cell.1;
    let name = puzzle.cell_name(place);
    let Some(best) = scene.best() else { return name };
    let problem = scene.runner.fitness(scene.id()).problem();
    let Some(index) = problem.cell_at(place) else { return format!("{name}: a black cell") };
    let mut text = name;
    let mut groups = puzzle.groups().iter().filter(|group| group.cells.contains(&place));
    if let Some(clue) = groups.find_map(|group| group.clue) {
        text += &format!(" in {}", clue.printed());
    }
    let digit = best.grid.get(place).map_or("none".to_owned(), |digit| digit.to_string());
    text += &format!(": digit {digit}");
    if let Some(truth) = best.truth.as_ref().and_then(|truth| truth.get(place)) {
        text += &format!(", true {truth}");
    }
    text += "; candidates";
    for rank in bits(problem.candidates()[index]) {
        text += &format!(" {}", problem.values()[rank as usize]);
    }
    let broken = best.broken.iter().map(|broken| &puzzle.groups()[broken.group]);
    let here = broken.filter(|group| group.cells.contains(&place));
    let violated: Vec<String> = here.map(|group| puzzle.group_name(group)).collect();
    if violated.is_empty() {
        return text + "; nothing here is violated";
    }
    text + &format!("; violated: {}", violated.join(", "))
}

/// An individual in words.
fn individual(scene: &Scene<'_>) -> String {
    let Some(rows) = scene.rows().filter(|rows| !rows.is_empty()) else { return String::new() };
    let row = scene.state.row.min(rows.len() - 1);
    let said = match value(scene, rows.fitness()[row]) {
        Some(value) => value,
        None => {
            let terms = terms(&scene.runner.fitness(scene.id()).terms(rows.genome(row)));
            format!("fitness {}; {terms}", rows.fitness()[row])
        }
    };
    // Of a large population the rows are a sample, spread evenly from best to worst.
    let place = if rows.len() == rows.individuals {
        row
    } else {
        super::population::spread(row, rows.len(), rows.individuals)
    };
    format!("individual {} of {}: {said}", place + 1, counted(rows.individuals as u64))
}
