//! Films as they are shown.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use super::film::Landmark;
use super::*;
use kenga_core::puzzle::formats;
use kenga_core::solver::{Event, Replay, trace};

const SIX: &str = include_str!("../../../../puzzles/original/6x6.txt");
const KAKURO: &str = include_str!("../../../../puzzles/family/kakuro-6x6.json");
const KILLER: &str = include_str!("../../../../puzzles/family/killer-6x6.json");
const SUDOKU: &str = include_str!("../../../../puzzles/family/sudoku-9x9.json");
const FUTOSHIKI: &str = include_str!("../../../../puzzles/family/futoshiki-6x6.json");
const MAGIC: &str = include_str!("../../../../puzzles/family/magic-4x4.json");
const LATIN: &str = include_str!("../../../../puzzles/family/latin-7x7.json");
const QUEENS: &str = include_str!("../../../../puzzles/family/queens-8x8.json");
const GRAPHS: &str = include_str!("../../../../puzzles/graphs-uncolorable.jsonl");
const LARGE: &str = include_str!("../../../../puzzles/large-25x25.json");
const KEEN: &str = include_str!("../../../../puzzles/corpus/keen.jsonl");
const OPEN: &str = r#"{"kind":"latin","size":4}"#;
const ONE: &str = r#"{"size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}"#;
const NONE: &str = r#"{"size":2,"cages":[{"op":"+","target":7,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#;

const ALL: [&str; 14] =
    [OPEN, SIX, KAKURO, KILLER, SUDOKU, FUTOSHIKI, MAGIC, LATIN, QUEENS, GRAPHS, LARGE, KEEN, ONE, NONE];

fn puzzle(text: &str) -> Puzzle {
    formats::read("puzzle.txt", text.as_bytes()).remove(0).expect("a sound puzzle")
}

fn limits() -> Limits {
    Limits { solutions: 5, nodes: Some(300), ..Limits::default() }
}

/// Does something with the film of a search that is over.
fn with_film(puzzle: &Puzzle, most: usize, look: impl FnOnce(&mut SearchFilm<'_>, &Log)) {
    let problem = Problem::compile(puzzle);
    let log = Log::new(&problem, most);
    log.record(&problem, &limits(), &Interrupt::default());
    look(&mut SearchFilm::new(puzzle, &problem, &log), &log);
}

fn paused() -> SearchViewer {
    SearchViewer { plays: false, ..SearchViewer::new(2.0) }
}

fn screen(
    (width, height): (u16, u16),
    colour: bool,
    film: &SearchFilm<'_>,
    log: &Log,
    state: &SearchViewer,
) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("memory does not fail");
    let puzzles = [film.puzzle.clone()];
    let watching =
        SearchWatching { puzzles: &puzzles, number: 0, state: state.clone(), shows_candidates: true };
    let position = watching.position(film, log);
    let scene = SearchScene { film, state, position, status: log.status(), palette: Palette { colour } };
    terminal.draw(|frame| _ = screen::draw(&scene, frame)).expect("memory does not fail");
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let symbols: Vec<&str> = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
    let line = |line: &[&str]| line.concat().trim_end().to_owned() + "\n";
    symbols.chunks(usize::from(buffer.area.width)).map(line).collect()
}

fn matches(name: &str, shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../../../../tests/snapshots/solve_watch");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

#[test]
fn screens_are_as_shown() {
    let cursor = SearchViewer { looks: true, cell: (1, 2), ..paused() };
    let digits = SearchViewer { candidates: Some(false), ..paused() };
    let help = SearchViewer { helps: true, ..paused() };
    for (name, text_of, at, size, state) in [
        ("start_80x24", SIX, 0, (80, 24), paused()),
        ("six_80x24", SIX, 30, (80, 24), paused()),
        ("six_120x40", SIX, 30, (120, 40), paused()),
        ("cursor_80x24", SIX, 60, (80, 24), cursor),
        ("digits_80x24", SIX, 60, (80, 24), digits),
        ("end_80x24", SIX, usize::MAX, (80, 24), paused()),
        ("help_80x24", SIX, 0, (80, 24), help),
        ("kakuro_80x24", KAKURO, 5, (80, 24), paused()),
        ("killer_120x40", KILLER, 12, (120, 40), paused()),
        ("sudoku_80x24", SUDOKU, 9, (80, 24), paused()),
        ("queens_80x24", QUEENS, 8, (80, 24), paused()),
        ("graph_80x24", GRAPHS, 8, (80, 24), paused()),
        ("large_80x24", LARGE, 20, (80, 24), paused()),
        ("one_80x24", ONE, usize::MAX, (80, 24), paused()),
        ("none_80x24", NONE, usize::MAX, (80, 24), paused()),
    ] {
        with_film(&puzzle(text_of), log::MOST, |film, log| {
            film.seek(at);
            matches(name, &text(&screen(size, false, film, log, &state)));
        });
    }
}

#[test]
fn every_kind_is_drawn_at_every_size_with_every_cursor() {
    // Each size and cursor with some of the puzzles.
    let step = kenga_testing::size(4, 1);
    let mut screens = 0;
    for of in ALL {
        let puzzle = puzzle(of);
        with_film(&puzzle, log::MOST, |film, log| {
            for at in [0, 7, usize::MAX] {
                film.seek(at);
                for size in [(80, 24), (132, 43), (400, 24), (80, 200), (20, 3)] {
                    for candidates in [None, Some(true), Some(false)] {
                        let cell = (puzzle.rows() - 1, puzzle.cols() - 1);
                        let state = SearchViewer { looks: at == 7, cell, candidates, ..paused() };
                        screens += 1;
                        if screens % step == 0 {
                            screen(size, true, film, log, &state);
                        }
                    }
                }
            }
        });
    }
}

#[test]
fn no_colour_is_no_colour_and_sixteen_are_enough() {
    with_film(&puzzle(SIX), log::MOST, |film, log| {
        film.seek(3);
        let buffer = |colour| screen((80, 24), colour, film, log, &paused());
        let colours = |colour| {
            let buffer = buffer(colour);
            buffer.content().iter().flat_map(|cell| [cell.fg, cell.bg]).collect::<Vec<Color>>()
        };
        assert!(colours(false).iter().all(|colour| *colour == Color::Reset));
        let more = |colour: &Color| matches!(colour, Color::Rgb(..) | Color::Indexed(_));
        assert!(colours(true).contains(&Color::Yellow) && !colours(true).iter().any(more));
        let underlined = |cell: &ratatui::buffer::Cell| cell.modifier.contains(Modifier::UNDERLINED);
        assert!(buffer(false).content().iter().any(underlined), "what goes is underlined");
    });
}

/// The candidates after each event, by a replay from the start.
fn states(puzzle: &Puzzle) -> Vec<Vec<u32>> {
    let problem = Problem::compile(puzzle);
    let (mut replay, mut states) = (Replay::new(&problem), Vec::new());
    trace(&problem, &limits(), &Interrupt::default(), &mut |event| {
        replay.apply(event);
        states.push(replay.masks().to_vec());
    });
    states
}

#[test]
fn every_moment_is_the_same_from_either_side() {
    for of in ALL {
        let puzzle = puzzle(of);
        let states = states(&puzzle);
        with_film(&puzzle, log::MOST, |film, log| {
            let known = log.kept().events.len();
            let given = states.len() - known;
            let step = (known / 50).max(1);
            let there = (0..=known).step_by(step);
            let back = (0..=known).rev().step_by(step);
            let jumps = (0..50).map(|jump| jump * 7919 % (known + 1));
            for at in there.chain(back).chain(jumps) {
                film.seek(at);
                assert_eq!(film.at(), at);
                if given + at > 0 {
                    let masks: Vec<u32> = (0..states[0].len()).map(|cell| film.candidates(cell)).collect();
                    assert_eq!(masks, states[given + at - 1], "{} at {at}", puzzle.id);
                }
            }
        });
    }
}

#[test]
fn every_lost_candidate_has_the_event_that_removed_it() {
    for of in [SIX, KILLER, OPEN, KEEN, GRAPHS] {
        let puzzle = puzzle(of);
        let start = states(&puzzle);
        let mask = |event: usize, cell: usize| start[event][cell];
        with_film(&puzzle, log::MOST, |film, log| {
            let known = log.kept().events.len();
            let given = start.len() - known;
            for at in (0..=known).step_by((known / 20).max(1)) {
                film.seek(at);
                for cell in 0..film.problem.cells() {
                    let left = film.candidates(cell);
                    let gone: u32 = film.causes(cell).iter().map(|(ranks, ..)| ranks).sum();
                    assert_eq!(gone | left, (1 << film.problem.digits()) - 1);
                    for (ranks, number, words) in film.causes(cell) {
                        assert!(!words.is_empty());
                        if number > 0 && given + number > 1 {
                            assert_eq!(
                                mask(given + number - 2, cell) & ranks,
                                ranks,
                                "they were there before"
                            );
                            assert_eq!(mask(given + number - 1, cell) & ranks, 0, "and gone after");
                        }
                    }
                }
            }
        });
    }
}

#[test]
fn landmarks_are_found_on_both_sides() {
    with_film(&puzzle(SIX), log::MOST, |film, log| {
        let is = |landmark, at: usize| match (landmark, &log.kept().events[at - 1]) {
            (Landmark::Conflict, event) => matches!(event, Event::Conflict { .. }),
            (Landmark::Decision, event) => matches!(event, Event::Decision { .. }),
            (Landmark::Solution, event) => matches!(event, Event::Solution),
        };
        for landmark in [Landmark::Decision, Landmark::Conflict] {
            film.seek(0);
            assert_eq!(film.find(landmark, false), None);
            let first = film.find(landmark, true).expect("there is one");
            assert!(is(landmark, first));
            film.seek(first);
            let second = film.find(landmark, true).expect("there is another");
            assert!(is(landmark, second) && second > first);
            film.seek(second);
            assert_eq!(film.find(landmark, false), Some(first));
        }
    });
}

#[test]
fn a_film_that_does_not_fit_says_so_and_keeps_the_end() {
    let puzzle = puzzle(OPEN);
    with_film(&puzzle, 2_000, |film, log| {
        film.seek(usize::MAX);
        let (events, left_out, counts) = {
            let kept = log.kept();
            (kept.events.len(), kept.left_out, kept.counts)
        };
        assert!(left_out > 0 && events < 40);
        let told: Vec<&str> = film.told().map(|(_, words)| words).collect();
        let said = told[told.len() - 2];
        assert!(said.contains("are not kept"), "{said}");
        assert!(told[told.len() - 1].starts_with("the end: this is one of several solutions"));
        assert_eq!(film.counts(), counts);
        let (_, masks) = film.shown();
        assert!(masks.iter().all(|mask| mask.is_power_of_two()), "the last solution is shown");
    });
}

#[test]
fn the_help_fits_the_smallest_screen_and_every_key_of_it_does_something() {
    use crate::cli::screen::SMALLEST;
    assert!(words::HELP.len() + 2 <= usize::from(SMALLEST.1));
    assert!(words::HELP.iter().all(|line| line.chars().count() <= usize::from(SMALLEST.0) - 6));
}

#[test]
fn time_makes_events_only_while_it_plays() {
    let mut player = SearchPlayer::start();
    assert_eq!(player.events(&paused()), 0);
    let unlimited = SearchViewer { speed: None, ..SearchViewer::new(2.0) };
    assert_eq!(player.events(&unlimited), usize::MAX);
    player.due = 0.999_999_999;
    let on = player.events(&SearchViewer::new(50.0));
    assert!(on >= 1 && player.due < 1.0);
}
