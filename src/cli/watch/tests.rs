//! Screens as they are shown.

use std::sync::Arc;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use ratatui::style::{Color, Modifier};

use super::*;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::search::algorithms::Programs;
use kenga_lab::experiment::ConfigDraft;
use kenga_lab::playback::{HISTORY_BYTES, Playback};
use kenga_lab::results::RunRow;

const SIX: &[u8] = include_bytes!("../../../puzzles/original/6x6.txt");
const KAKURO: &[u8] = include_bytes!("../../../puzzles/family/kakuro-6x6.json");
const KILLER: &[u8] = include_bytes!("../../../puzzles/family/killer-6x6.json");
const LARGE: &[u8] = include_bytes!("../../../puzzles/large-25x25.json");
const QUEENS: &[u8] = include_bytes!("../../../puzzles/queens.jsonl");

const GENETIC: &str = "name = 'genetic'\nencoding = 'cells'\npopulation = 30\n";
const ISLANDS: &str =
    "name = 'islands'\ncount = 4\ninterval = 100\nisland = { name = 'genetic', population = 10 }\n";

fn plan(puzzle: &[u8], algorithm: &str) -> Plan {
    let puzzle: Puzzle = formats::read("puzzle.txt", puzzle).remove(0).expect("a sound puzzle");
    let text = format!(
        "[budget]\nevaluations = 2000\nmoves = 2000\n[record]\noperators = true\n[exact]\nnodes = 2000\n[algorithm]\n{algorithm}"
    );
    let settings =
        ConfigDraft::read("x.toml", &text).and_then(ConfigDraft::settings).expect("a sound configuration");
    Plan::new(settings, vec![puzzle])
}

fn prepared(plan: &Plan) -> Runner<'_> {
    let runner = Runner::prepare(plan, 1, &Interrupt::default()).expect("it fits");
    runner.with_programs(Arc::new(Programs::new(None, Vec::new())))
}

/// The view of a run that stands at a generation.
fn view(runner: &Runner<'_>, generation: u64) -> View {
    let mut playback = Playback::new(runner, runner.plan().id(0), HISTORY_BYTES, &Interrupt::default());
    let frame = playback.seek(generation, &mut |_| true);
    View {
        run: 0,
        frame,
        curve: Arc::new(playback.curve()),
        record: playback.record().cloned(),
        last: playback.end().map(|end| end.generation),
        speed: Speed::Generations(10.0),
        plays: false,
        replays: None,
        fitness: None,
        counts_operators: true,
    }
}

/// What a screen of so many columns and lines shows.
fn screen(
    (width, height): (u16, u16),
    colour: bool,
    runner: &Runner<'_>,
    view: &View,
    state: &ViewerState,
) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("memory does not fail");
    let scene = Scene { runner, view, state, palette: Palette { colour }, verdict: None };
    terminal.draw(|frame| screen::draw(&scene, frame)).expect("memory does not fail");
    terminal.backend().buffer().clone()
}

/// The characters of a screen.
fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let symbols: Vec<&str> = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
    let line = |line: &[&str]| line.concat().trim_end().to_owned() + "\n";
    symbols.chunks(width).map(line).collect()
}

fn matches(name: &str, shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../../../tests/snapshots/watch");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

fn on(focus: state::Focus) -> ViewerState {
    ViewerState { focus, ..ViewerState::default() }
}

#[test]
fn screens_are_as_shown() {
    use state::Focus;
    let grid = ViewerState { focus: Focus::Grid, cell: (2, 3), ..ViewerState::default() };
    let help = ViewerState { helps: true, ..ViewerState::default() };
    for (name, puzzle, algorithm, generation, size, state) in [
        ("start_80x24", SIX, GENETIC, 0, (80, 24), on(Focus::Time)),
        ("end_120x40", SIX, GENETIC, u64::MAX, (120, 40), on(Focus::Population)),
        ("cursor_80x24", SIX, GENETIC, 20, (80, 24), grid),
        ("islands_80x24", SIX, ISLANDS, 40, (80, 24), on(Focus::Islands)),
        ("operators_80x24", SIX, GENETIC, 20, (80, 24), on(Focus::Operators)),
        ("help_80x24", SIX, GENETIC, 0, (80, 24), help),
        ("kakuro_80x24", KAKURO, GENETIC, 10, (80, 24), on(Focus::Grid)),
        ("killer_120x40", KILLER, ISLANDS, 10, (120, 40), on(Focus::Time)),
        ("large_80x24", LARGE, GENETIC, 3, (80, 24), on(Focus::Grid)),
        ("queens_80x24", QUEENS, GENETIC, 3, (80, 24), on(Focus::Time)),
    ] {
        let plan = plan(puzzle, algorithm);
        let runner = prepared(&plan);
        let view = view(&runner, generation);
        matches(name, &text(&screen(size, false, &runner, &view, &state)));
    }
}

/// The distance of the first gene from 200, and the sum of the others.
const PROBLEM: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" in message:
        values = [abs(genome[0] - 200) + sum(genome[1:]) for genome in message["evaluate"]]
        print(json.dumps({"fitness": values}), flush=True)
"#;

#[test]
fn a_problem_of_the_users_own_has_genes_and_values() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let config = format!(
        "seed = 4\nbudget.evaluations = 40\n[problem]\ncommand = ['python3', '-c', '''{PROBLEM}''']\ngenes = 30\nvalues = [0, 255]\n[algorithm]\nname = 'genetic'\npopulation = 10\n"
    );
    let settings =
        ConfigDraft::read("x.toml", &config).and_then(ConfigDraft::settings).expect("a sound configuration");
    let instances = settings.instances().expect("a sound problem").expect("it has one");
    let plan = Plan::new(settings, instances);
    let runner = prepared(&plan);
    let view = view(&runner, u64::MAX);
    for (name, focus) in
        [("own_genes_80x24", state::Focus::Grid), ("own_population_80x24", state::Focus::Population)]
    {
        let state = ViewerState { cell: (0, 7), ..on(focus) };
        let shown = text(&screen((80, 24), false, &runner, &view, &state));
        for word in ["digit", "violat", "referee", "wrong"] {
            assert!(!shown.contains(word), "{shown}");
        }
        matches(name, &shown);
    }
}

#[test]
fn no_colour_is_no_colour_and_sixteen_are_enough() {
    let plan = plan(SIX, GENETIC);
    let runner = prepared(&plan);
    let view = view(&runner, 12);
    let colours = |colour| {
        let buffer = screen((120, 40), colour, &runner, &view, &ViewerState::default());
        buffer.content().iter().flat_map(|cell| [cell.fg, cell.bg]).collect::<Vec<Color>>()
    };
    assert!(colours(false).iter().all(|colour| *colour == Color::Reset));
    let more = |colour: &Color| matches!(colour, Color::Rgb(..) | Color::Indexed(_));
    assert!(colours(true).contains(&Color::Red) && !colours(true).iter().any(more));
}

#[test]
fn what_is_violated_is_bold_and_what_is_wrong_stands_in_brackets() {
    let plan = plan(SIX, GENETIC);
    let runner = prepared(&plan);
    let view = view(&runner, 0);
    let best = view.frame.as_ref().and_then(|frame| frame.best.as_ref()).expect("it was evaluated");
    let buffer = screen((80, 24), false, &runner, &view, &ViewerState::default());
    let left: String =
        text(&buffer).lines().map(|line| line.chars().take(34).collect::<String>() + "\n").collect();
    assert_eq!(left.matches('[').count(), best.wrong().count());
    assert!(buffer.content().iter().any(|cell| cell.modifier.contains(Modifier::BOLD)));
    let broken = |role| best.broken.iter().any(|broken| plan.puzzles[0].groups()[broken.group].role == role);
    let lines = broken(kenga_core::puzzle::Role::Row) || broken(kenga_core::puzzle::Role::Column);
    assert_eq!(left.contains('!'), lines);
}

#[test]
fn a_screen_that_is_too_small_says_what_is_needed() {
    let plan = plan(SIX, GENETIC);
    let runner = prepared(&plan);
    let view = view(&runner, 0);
    for size in [(79, 24), (80, 23), (20, 3), (1, 1)] {
        let shown = text(&screen(size, true, &runner, &view, &ViewerState::default()));
        assert!(size.0 < 40 || shown.contains("needs 80 columns and 24 lines"), "{shown}");
    }
}

#[test]
fn every_kind_is_drawn_at_every_size_with_every_cursor() {
    // Each size and focus with some of the puzzles.
    let (step, mut screens) = (kenga_testing::size(2, 1), 0);
    for puzzle in [SIX, KAKURO, KILLER, LARGE, QUEENS] {
        let plan = plan(puzzle, ISLANDS);
        let runner = prepared(&plan);
        for generation in [0, u64::MAX] {
            let view = view(&runner, generation);
            for size in [(80, 24), (200, 60), (500, 24)] {
                for focus in [state::Focus::Grid, state::Focus::Population, state::Focus::Islands] {
                    let state = ViewerState { focus, cell: (99, 99), row: 999, island: 99, helps: false };
                    let state = ViewerState {
                        cell: (plan.puzzles[0].rows() - 1, plan.puzzles[0].cols() - 1),
                        ..state
                    };
                    screens += 1;
                    if screens % step == 0 {
                        screen(size, true, &runner, &view, &state);
                    }
                }
            }
        }
    }
}

#[test]
fn an_ended_run_is_compared_with_its_row() {
    let plan = plan(SIX, GENETIC);
    let runner = prepared(&plan);
    let record = view(&runner, u64::MAX).record.expect("it has ended");
    let row = RunRow::new(&record, &plan);
    assert_eq!(recorded_verdict(Some(&row), &record, &plan), "as recorded");
    let other = RunRow { evaluations: 7, ..row };
    let said = recorded_verdict(Some(&other), &record, &plan);
    assert_eq!(said, "not as recorded: evaluations 2000, recorded 7");
    assert!(recorded_verdict(None, &record, &plan).starts_with("not recorded"));
}

#[test]
fn every_key_of_the_help_does_something() {
    let plan = plan(SIX, GENETIC);
    let runner = prepared(&plan);
    let view = view(&runner, 30);
    let bounds = state::CursorBounds { grid: (6, 6), islands: 2, rows: 9, runs: 3 };
    for key in words::HELP.iter().take_while(|line| !line.is_empty()).flat_map(|line| keys(line)) {
        let mut state = on(state::Focus::Time);
        let action = state.key(KeyEvent::new(key, KeyModifiers::NONE), &view, &bounds);
        assert!(
            action != Action::None || state != on(state::Focus::Time) || key == KeyCode::Char('p'),
            "{key:?}"
        );
    }
}

#[test]
fn the_help_fits_the_smallest_screen() {
    assert!(words::HELP.len() < usize::from(crate::cli::screen::SMALLEST.1) - 2);
    assert!(
        words::HELP
            .iter()
            .all(|line| line.chars().count() <= usize::from(crate::cli::screen::SMALLEST.0) - 6)
    );
}

/// The keys that a line of the help names.
fn keys(line: &str) -> Vec<KeyCode> {
    let names = line.get(..13).unwrap_or_default().split_whitespace();
    let key = |name: &str| match name {
        "space" => Some(KeyCode::Char(' ')),
        "left" => Some(KeyCode::Left),
        "right" => Some(KeyCode::Right),
        "home" => Some(KeyCode::Home),
        "end" => Some(KeyCode::End),
        "tab" => Some(KeyCode::Tab),
        "esc" => Some(KeyCode::Esc),
        "arrows" => None,
        name => Some(KeyCode::Char(name.chars().next()?)),
    };
    names.filter_map(key).collect()
}
