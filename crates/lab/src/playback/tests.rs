//! Going to a generation shows what running there shows, whatever was shown before.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::experiment::{ConfigDraft, Plan, Sample};
use kenga_core::budget::StopReason;
use kenga_core::puzzle::samples::kenken;
use kenga_core::rng::StreamKey;
use kenga_core::search::Birth;

/// Algorithms of every shape: a population, several steps to a generation, islands that differ, turns.
const ALGORITHMS: [&str; 7] = [
    "name = 'genetic'\npopulation = 12",
    "name = 'estimation'\npopulation = 20",
    "name = 'tabu'\ngeneration = 70",
    "name = 'islands'\ncount = 3\ninterval = 130\nisland = { name = 'genetic', population = 10 }",
    "name = 'islands'\ncount = 2\ninterval = 90\nislands = [{ name = 'genetic', population = 7 }, { name = 'tabu', encoding = 'cells', generation = 40 }]",
    "name = 'portfolio'\nstages = ['genetic', 'tabu']\ncalls = 100",
    "name = 'hill_climbing'\nrestart = 'none'",
];

fn plan(size: usize, algorithm: &str) -> Plan {
    let mut rng = StreamKey::run(7, "playback", 0).rng();
    let puzzle = kenken(size, |n| rng.below(n));
    let text = format!("[budget]\nevaluations = 900\nmoves = 900\n[algorithm]\n{algorithm}\n");
    let settings =
        ConfigDraft::read("x.toml", &text).and_then(ConfigDraft::settings).expect("a sound configuration");
    Plan::new(settings, vec![puzzle])
}

fn playback<'r>(runner: &'r Runner<'r>, history: usize) -> Playback<'r> {
    Playback::new(runner, runner.plan().id(0), history, &Interrupt::default())
}

/// The frames of a run, one after the other, the last one of its end.
fn frames(runner: &Runner<'_>) -> Vec<Arc<Frame>> {
    all_frames(playback(runner, usize::MAX))
}

fn all_frames(mut playback: Playback<'_>) -> Vec<Arc<Frame>> {
    let mut frames = Vec::new();
    loop {
        let goes_on = playback.advance(true);
        frames
            .extend(playback.look().filter(|_| playback.end().is_some() || playback.generation().is_some()));
        if !goes_on {
            return frames;
        }
    }
}

/// Text of all numbers: unknown measures are no numbers, and differ from themselves.
fn text(frame: &Frame) -> String {
    format!("{frame:?}")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn going_to_a_generation_shows_what_running_there_shows(
        algorithm in 0..ALGORITHMS.len(),
        history in prop::sample::select(vec![0, 20_000, usize::MAX]),
        targets in prop::collection::vec((0..60u64, any::<bool>()), 1..8),
    ) {
        let plan = plan(5, ALGORITHMS[algorithm]);
        let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
        let all = frames(&runner);
        let end = all.last().expect("a run ends");
        let mut playback = playback(&runner, history);
        for (target, walks) in targets {
            let shown = playback.seek(target, &mut |_| true).expect("nothing cuts it");
            let passed = |frame: &&Arc<Frame>| frame.generation >= target && frame.stop.is_none();
            let same = all.iter().find(passed).unwrap_or(end);
            prop_assert_eq!(text(&shown), text(same));
            if walks && playback.catch_up(&mut |_| true) {
                let before = shown.generation;
                playback.advance(true);
                let shown = playback.look().expect("nothing cuts it");
                let next = all.iter().find(|frame| frame.generation > before || frame.stop.is_some());
                prop_assert_eq!(text(&shown), text(next.expect("the end, at least")));
            }
        }
    }
}

#[test]
fn what_is_played_is_the_run_that_the_runner_makes() {
    for algorithm in ALGORITHMS {
        let plan = plan(5, algorithm);
        let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
        let made = runner.run_one(0, None, &(), &Interrupt::default()).expect("nothing cuts it");
        let mut playback = playback(&runner, HISTORY_BYTES);
        let end = playback.seek(u64::MAX, &mut |_| true).expect("nothing cuts it");
        let played = playback.record().expect("it has ended");
        let facts = |of: &RunRecord| (of.spent, of.stop, of.best.clone(), of.solved, of.verified, of.dead_at);
        assert_eq!(facts(played), facts(&made), "{algorithm}");
        let list = |of: &[Sample]| of.iter().map(|sample| format!("{sample:?}")).collect::<Vec<_>>();
        assert_eq!(list(&played.samples), list(&made.samples), "{algorithm}");
        assert_eq!((end.stop, end.spent), (Some(made.stop), made.spent));
        // Every frame shows the sample that is recorded of its generation.
        let shown: Vec<String> = frames(&runner).iter().map(|frame| format!("{:?}", frame.sample)).collect();
        let mut recorded = list(&made.samples).into_iter().map(|sample| format!("Some({sample})"));
        assert!(
            recorded.all(|sample| shown.contains(&sample)) || algorithm.contains("islands = ["),
            "{algorithm}"
        );
    }
}

#[test]
fn rows_are_sorted_and_are_the_population() {
    let plan = plan(5, ALGORITHMS[3]);
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
    for frame in frames(&runner) {
        assert_eq!(frame.islands.len(), 3);
        let sample = frame.sample.expect("a generation was complete");
        let all: Vec<u32> = frame.islands.iter().flat_map(|rows| rows.fitness().to_vec()).collect();
        assert_eq!(all.iter().min(), Some(&sample.best));
        for rows in &frame.islands {
            assert!(rows.fitness().is_sorted() && (rows.len(), rows.individuals) == (10, 10));
            let of = |row| runner.fitness(plan.id(0)).evaluate(rows.genome(row));
            assert!((0..rows.len()).all(|row| of(row) == rows.fitness()[row]));
        }
    }
}

#[test]
fn large_populations_show_some_individuals_the_best_and_the_worst_among_them() {
    let plan = plan(5, "name = 'genetic'\npopulation = 800");
    let ends = |fitness: &[u32]| (fitness.first().copied(), fitness.last().copied());
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
    let mut playback = playback(&runner, 0);
    playback.advance(true);
    playback.execution.as_ref().expect("it has begun").populations(&mut |population| {
        let (all, some) = (Rows::of(population, 1000), Rows::of(population, 10));
        assert_eq!((all.len(), some.len(), some.individuals), (800, 10, 800));
        assert!(some.fitness().is_sorted());
        assert_eq!(ends(all.fitness()), ends(some.fitness()));
    });
}

#[test]
fn a_history_stays_within_its_bound_and_keeps_what_fits() {
    let plan = plan(5, ALGORITHMS[0]);
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
    let all = frames(&runner);
    let one = all[0].bytes();
    let mut history = History::new(10 * one);
    all.iter().for_each(|frame| history.keep(frame));
    let kept = all.iter().filter(|frame| history.get(frame.generation).is_some()).count();
    assert!((4..=12).contains(&kept), "{kept}");
    assert_eq!(history.near(3).map(|frame| frame.generation <= 3), Some(true));
}

#[test]
fn counting_operators_changes_nothing_else() {
    let plan = plan(5, ALGORITHMS[0]);
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
    let mut playback = playback(&runner, HISTORY_BYTES);
    let plain = playback.seek(5, &mut |_| true).expect("nothing cuts it");
    playback.count_operators(true);
    let counted = playback.seek(5, &mut |_| true).expect("nothing cuts it");
    assert!(plain.operators.uses().is_empty() && !counted.operators.uses().is_empty());
    let without = Frame { operators: plain.operators.clone(), ..(*counted).clone() };
    assert_eq!(text(&without), text(&plain));
}

#[test]
fn a_player_does_what_it_is_asked_for() {
    let plan = plan(6, "name = 'genetic'\npopulation = 10\n[exact]\ndead = 'stop'");
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
    let player = Player::new(0, Speed::Unlimited, false);
    std::thread::scope(|scope| {
        scope.spawn(|| player.work(&runner));
        let shown = || {
            player.wait();
            let frame = player.view().frame.expect("it shows something");
            (frame.generation, frame.stop)
        };
        assert_eq!(shown(), (0, None));
        player.command(PlayerCommand::Forward(3));
        assert_eq!(shown(), (3, None));
        player.command(PlayerCommand::Forward(10));
        assert_eq!(shown(), (13, None));
        player.command(PlayerCommand::Seek(2));
        assert_eq!(shown(), (2, None));
        player.command(PlayerCommand::Forward(1));
        assert_eq!(shown(), (3, None));
        let best = || player.view().frame.and_then(|frame| frame.best.as_ref().map(|best| best.fitness));
        let before = best();
        player.command(PlayerCommand::Improvement);
        assert!(shown().1.is_some() || best() < before);
        player.command(PlayerCommand::CountOperators(true));
        player.wait();
        assert!(player.view().counts_operators);
        player.play(true);
        let (last, stop) = shown();
        assert!(stop.is_some() && player.view().last == Some(last) && player.view().record.is_some());
        assert_ne!(stop, Some(StopReason::Seconds));
        player.command(PlayerCommand::Seek(last / 2));
        assert_eq!(shown(), (last / 2, None));
        player.command(PlayerCommand::End);
        assert_eq!(shown(), (last, stop));
        player.run(0);
        assert_eq!(shown(), (0, None));
        player.quit();
    });
}

/// The frames of a run that say how individuals came to be.
fn frames_with_origins(runner: &Runner<'_>) -> Vec<Arc<Frame>> {
    all_frames(playback(runner, usize::MAX).following_births())
}

/// Every gene of `child` is that gene of one of the parents.
fn is_mixed(birth: &Birth<'_>) -> bool {
    let [a, b] = birth.parents;
    birth.crossed.iter().zip(a.iter().zip(b)).all(|(gene, (a, b))| gene == a || gene == b)
}

#[test]
fn every_child_is_in_its_population_and_comes_from_its_parents() {
    let island =
        "name = 'islands'\ncount = 3\ninterval = 60\nisland.population = 10\nisland.encoding = 'rows'";
    let crossovers = ["uniform", "single_point", "two_point", "row"];
    let genetic = crossovers.map(|crossover| {
        format!(
            "name = 'genetic'\npopulation = 12\nencoding = 'cells'\ncrossover = '{crossover}'\nduplicates = 'refuse'"
        )
    });
    let memetic = "name = 'memetic'\npopulation = 8\nimprove_moves = 30";
    for algorithm in genetic.iter().map(String::as_str).chain([island, memetic]) {
        let plan = plan(5, algorithm);
        let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
        let (mut before, mut born, mut crossed) = (Vec::<Vec<u8>>::new(), 0, 0);
        for frame in frames_with_origins(&runner).iter().filter(|frame| frame.stop.is_none()) {
            let genomes =
                |rows: &Rows| (0..rows.len()).map(|row| rows.genome(row).to_vec()).collect::<Vec<_>>();
            let all: Vec<Vec<u8>> = frame.islands.iter().flat_map(genomes).collect();
            for (island, rows) in frame.islands.iter().enumerate() {
                for row in 0..rows.len() {
                    match frame.origin(island, row).expect("it was noted") {
                        Origin::Born(birth) => {
                            born += 1;
                            assert_eq!(birth.child, rows.genome(row), "{algorithm}");
                            let is_there = |parent: &[u8]| before.iter().any(|other| other == parent);
                            assert!(birth.parents.iter().all(|parent| is_there(parent)), "{algorithm}");
                            assert!(is_mixed(&birth), "{algorithm}");
                            match birth.crossover {
                                None => assert_eq!(birth.crossed, birth.parents[0]),
                                Some(_) => crossed += 1,
                            }
                            if algorithm != memetic {
                                assert_eq!(birth.mutated, birth.child);
                            }
                        }
                        Origin::Stayed => assert!(before.contains(&rows.genome(row).to_vec()), "{algorithm}"),
                        Origin::Random => assert_eq!(frame.generation, 0),
                        other => panic!("{algorithm}: {other:?}"),
                    }
                }
            }
            before = all;
        }
        assert!(born > 10 && crossed > 5, "{algorithm}: {born} born, {crossed} crossed");
    }
}

#[test]
fn a_local_search_comes_from_where_it_stood() {
    let plan = plan(5, "name = 'tabu'");
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
    let frames = frames_with_origins(&runner);
    for pair in frames.windows(2).filter(|pair| pair[1].stop.is_none()) {
        let origin = pair[1].origin(0, 0).expect("it was noted");
        let stood = &pair[0].islands[0];
        assert_eq!(origin, Origin::Moved(stood.genome(0), stood.fitness()[0]));
    }
}

#[test]
fn looking_at_births_changes_nothing_of_a_run() {
    for algorithm in ALGORITHMS {
        let plan = plan(5, algorithm);
        let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
        let bare = |frame: &Arc<Frame>| text(&Frame { origins: Vec::new(), ..Frame::clone(frame) });
        let with: Vec<String> = frames_with_origins(&runner).iter().map(bare).collect();
        assert_eq!(with, frames(&runner).iter().map(bare).collect::<Vec<_>>(), "{algorithm}");
    }
}

#[test]
fn origins_that_were_not_noted_are_found_by_making_the_generation_once_more() {
    let plan = plan(5, ALGORITHMS[3]);
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).expect("it fits");
    let all = frames_with_origins(&runner);
    let mut playback = playback(&runner, HISTORY_BYTES).following_births();
    let end = playback.seek(u64::MAX, &mut |_| true).expect("nothing cuts it");
    assert!(end.origins.is_empty());
    assert!(playback.find_origins(&mut |_| true));
    let same = all.iter().rfind(|frame| frame.generation == end.generation && frame.stop.is_none());
    let found = playback.shown().expect("it is shown");
    assert_eq!(Some(&found.origins), same.map(|frame| &frame.origins));
    assert_eq!(found.stop, end.stop);
    assert!(playback.seek(3, &mut |_| true).is_some_and(|frame| !frame.origins.is_empty()));
}
