//! Whole tunings of synthetic problems, whose best configuration is known.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::experiment::{CappedRun, Config, ConfigDraft, Space};
use crate::results::FolderKind;
use kenga_core::budget::Spent;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::rng::StreamKey;
use kenga_core::spec::Value;

/// A space with numbers, choices and a condition. The best has a rate near 0.03, a population near 60, and `uniform`
/// crossover at a rate near 0.7.
const SPACE: &str = "
budget = { evaluations = 999, moves = 1 }
algorithm = { name = 'genetic', population = 20 }
[sweep]
where = 'algorithm.population != 13'
'algorithm.mutation.rate' = { from = 0.001, to = 1, scale = 'log' }
'algorithm.population' = { from = 10, to = 300, scale = 'log' }
'algorithm.crossover.name' = ['uniform', 'single_point', 'two_point']
'algorithm.crossover.rate' = { from = 0, to = 1, when = 'algorithm.crossover.name == uniform' }
";

fn setup(tune: &str) -> (Space, Options) {
    setup_of(SPACE, tune)
}

fn setup_of(space: &str, tune: &str) -> (Space, Options) {
    let mut draft = ConfigDraft::read("x.toml", &format!("{space}\n[tune]\n{tune}")).expect("sound TOML");
    let spec = draft.take_section(TUNE, KEYS).expect("a sound table").expect("a table");
    let space = draft.space().expect("a space");
    let options = Options::new(&spec, space.default(), space.keys().len()).expect("sound options");
    (space, options)
}

/// A runner whose runs are told by a formula and by chance; it is killed after some runs.
struct Synthetic {
    left: u64,
    most: u64,
    /// Calls that were spent here.
    spent: u64,
    /// This candidate solves nothing.
    hopeless: Option<usize>,
    /// The first call solves everything.
    is_easy: bool,
    /// Nobody solves anything, and the fitness tells how good a candidate is.
    is_too_hard: bool,
    /// Candidates with this in their configuration cannot be run, unless it is empty.
    refuses: &'static str,
    /// What decides of a candidate's configuration, by its index: it takes longer to write than a run to make.
    deciding: BTreeMap<usize, String>,
}

impl Synthetic {
    fn new(left: u64) -> Self {
        Self {
            left,
            most: 1000,
            spent: 0,
            hopeless: None,
            is_easy: false,
            is_too_hard: false,
            refuses: "",
            deciding: BTreeMap::new(),
        }
    }

    /// How many times the least cost a candidate takes.
    fn factor(candidate: &Candidate) -> f64 {
        let number = |axis: usize| match &candidate.values[axis] {
            Some(Value::Real(number)) => *number,
            Some(Value::Integer(number)) => *number as f64,
            _ => f64::NAN,
        };
        let far = |is: f64, best: f64| (is.ln() - f64::ln(best)).powi(2);
        let crossover = match &candidate.values[2] {
            Some(Value::Text(name)) if name == "uniform" => 2.0 * (number(3) - 0.7).abs(),
            _ => 1.5,
        };
        (0.5 * far(number(0), 0.03) + 0.5 * far(number(1), 60.0) + crossover).exp()
    }

    /// What is left of a puzzle that a candidate does not solve.
    fn best_fitness(candidate: &Candidate) -> u32 {
        (10.0 * Self::factor(candidate)) as u32
    }
}

impl TargetRunner for Synthetic {
    fn admit(&mut self, config: &Config, _: &str) -> Result<(), String> {
        let is_refused = config.deciding().contains(self.refuses);
        if is_refused && !self.refuses.is_empty() { Err("it cannot be run".to_owned()) } else { Ok(()) }
    }

    fn make(&mut self, batch: &RunBatch<'_>, take: &mut dyn FnMut(TuneRun) -> bool) -> Result<(), TuneError> {
        for (place, request) in batch.requests.iter().enumerate() {
            if self.left == 0 {
                return Err(TuneError::Interrupted);
            }
            self.left -= 1;
            let (puzzle, replicate) = request.place;
            let candidate = &batch.candidates[request.candidate];
            let deciding =
                self.deciding.entry(request.candidate).or_insert_with(|| candidate.config.deciding());
            let mut rng = StreamKey::run(puzzle as u64, deciding, replicate).child("cost").rng();
            let hardness = 1.0 + puzzle as f64 / 4.0;
            let calls = -rng.unit().max(1e-9).ln() * 30.0 * hardness * Self::factor(candidate);
            let is_hopeless = self.is_too_hard || self.hopeless == Some(candidate.index);
            let needs = match (self.is_easy, is_hopeless) {
                (true, _) => 1,
                (false, true) => u64::MAX,
                (false, false) => (calls.ceil() as u64).max(1),
            };
            let cap = request.cap.unwrap_or(self.most).min(self.most);
            let solved = needs <= cap;
            let evaluations = needs.min(cap);
            let far = if self.is_too_hard { Self::best_fitness(candidate) } else { 1 };
            let made = CappedRun {
                solved,
                spent: Spent { evaluations, ..Spent::default() },
                best_fitness: Some(if solved { 0 } else { far }),
                calls_to_best: evaluations,
                is_capped: !solved && cap < self.most,
                failure: None,
                cost: None,
            };
            self.spent += evaluations;
            if !take(TuneRun::new(batch, place, made)) {
                break;
            }
        }
        Ok(())
    }
}

/// What a tuning writes down, in memory.
#[derive(Default)]
struct Notes {
    decisions: Vec<Decision>,
    runs: Vec<TuneRun>,
}

impl Journal for Notes {
    fn run(&mut self, run: &TuneRun) -> Result<(), crate::results::ResultsError> {
        self.runs.push(run.clone());
        Ok(())
    }

    fn decision(&mut self, decision: &Decision) -> Result<(), crate::results::ResultsError> {
        self.decisions.push(decision.clone());
        Ok(())
    }
}

/// A tuning whose runs such a runner makes.
fn tuned_by(
    (space, options): (Space, Options),
    puzzles: usize,
    mut runner: Synthetic,
) -> (Tuned, Notes, Options) {
    let mut notes = Notes::default();
    let found = Tuner::new(&space, &options, puzzles, &mut runner, &mut notes, &mut |_| ()).tune();
    let found = found.expect("nothing cuts it");
    assert_eq!(runner.spent, found.used);
    (found, notes, options)
}

fn tuned(tune: &str, puzzles: usize) -> (Tuned, Notes, Options) {
    tuned_by(setup(tune), puzzles, Synthetic::new(u64::MAX))
}

#[test]
fn the_best_of_a_known_space_is_found() {
    let factor = |found: &Tuned| Synthetic::factor(found.best());
    let (found, notes, _) = tuned(kenga_testing::size("budget = 100_000", "budget = 200_000"), 8);
    let start = Synthetic::factor(&found.candidates[0]);
    assert!(factor(&found) < 1.6 && start > 3.0, "{} of {start}", factor(&found));
    assert!(found.iterations >= 4, "{}", found.iterations);
    let tests: Vec<&str> = notes.decisions.iter().map(|decision| decision.test).collect();
    assert!(tests.contains(&"friedman") && tests.contains(&"capping"));
}

#[test]
fn the_ablation_path_leads_from_the_default_to_the_best() {
    let budget = kenga_testing::size(80_000, 150_000);
    let (found, ..) = tuned(&format!("budget = {budget}\nablation = 0.3"), 8);
    let (first, last) = (&found.ablation[0], found.ablation.last().expect("a path"));
    assert_eq!((first.candidate, last.candidate), (0, found.elites[0]));
    assert!(last.cost < first.cost, "{:?}", found.ablation);
    let costs: Vec<usize> = found.ablation.iter().map(|step| step.step).collect();
    assert_eq!(costs, (0..found.ablation.len()).collect::<Vec<_>>());
}

#[test]
fn every_race_begins_with_a_block_that_nobody_has_run() {
    for tune in ["newcomers = 3\ncapping = 1.0", "newcomers = 2\nfirst = 2", "newcomers = 1\ncapping = 0.2"] {
        let (found, notes, _) = tuned(&format!("budget = 60_000\n{tune}"), 6);
        let mut seen: Vec<usize> = Vec::new();
        let mut begun = 1;
        // The last race takes known blocks first.
        for run in notes.runs.iter().filter(|run| (1..found.iterations).contains(&run.iteration)) {
            if run.iteration > begun {
                assert!(!seen.contains(&run.block), "{tune}: {run:?}");
                begun = run.iteration;
            }
            seen.push(run.block);
        }
        assert!(begun > 4, "{begun} {tune}");
    }
}

#[test]
fn what_cannot_be_run_is_left_out_as_if_a_condition_said_so() {
    let (space, options) = setup("budget = 60_000");
    let mut runner = Synthetic { refuses: "two_point", ..Synthetic::new(u64::MAX) };
    let mut notes = Notes::default();
    let found =
        Tuner::new(&space, &options, 5, &mut runner, &mut notes, &mut |_| ()).tune().expect("it ends");
    assert!(found.candidates.iter().all(|one| !one.config.deciding().contains("two_point")));
    assert!(found.candidates.len() > 20 && found.refused.count > 0, "{:?}", found.refused);
    assert_eq!(found.refused.first, "it cannot be run");
    let mut runner = Synthetic { refuses: "genetic", ..Synthetic::new(u64::MAX) };
    let error = Tuner::new(&space, &options, 5, &mut runner, &mut notes, &mut |_| ()).tune().err();
    assert!(matches!(error, Some(TuneError::Unrunnable(_))), "the default must run");
}

/// A tuning whose default, of 20, is far from solving anything.
static HOPELESS_DEFAULT: LazyLock<(Tuned, Notes, Options)> = LazyLock::new(|| {
    let runner = Synthetic { hopeless: Some(0), ..Synthetic::new(u64::MAX) };
    let budget = kenga_testing::size(80_000, 200_000);
    tuned_by(setup(&format!("budget = {budget}\nablation = 0")), 5, runner)
});

#[test]
fn newcomers_are_capped_by_those_before_where_the_default_solves_nothing() {
    let (found, notes, _) = &*HOPELESS_DEFAULT;
    let capped = notes.runs.iter().filter(|run| run.iteration == 1 && run.cap.is_some()).count();
    let dropped = notes.decisions.iter().filter(|one| one.iteration == 1 && one.test == "capping").count();
    assert!(capped > 5 && dropped > 2, "{capped} {dropped}");
    assert!(found.elites[0] != 0 && found.candidates.len() > 40, "{}", found.candidates.len());
}

#[test]
fn where_nobody_solves_anything_the_nearest_go_on() {
    let runner = Synthetic { is_too_hard: true, ..Synthetic::new(u64::MAX) };
    let (found, notes, options) = tuned_by(setup("budget = 60_000\nablation = 0"), 5, runner);
    let dropped = notes.decisions.iter().filter(|one| one.test == "nearness");
    let blocks: Vec<usize> = dropped.map(|one| one.blocks).collect();
    assert!(blocks.len() > 12 && blocks.iter().all(|blocks| *blocks < options.first), "{blocks:?}");
    let fitness: Vec<u32> =
        found.elites.iter().map(|elite| Synthetic::best_fitness(&found.candidates[*elite])).collect();
    assert!(fitness.is_sorted() && fitness[0] < 20, "{fitness:?}");
}

#[test]
fn who_has_solved_nothing_yields_to_who_has() {
    let (found, notes, options) = &*HOPELESS_DEFAULT;
    assert!(found.elites[0] != 0);
    let has_solved = |candidate: usize, blocks: usize| {
        let own = notes.runs.iter().filter(|run| run.candidate == candidate);
        own.take(blocks).any(|run| run.solved)
    };
    let dropped: Vec<&Decision> = notes.decisions.iter().filter(|one| one.test == "nearness").collect();
    assert!(!dropped.is_empty());
    for one in dropped {
        assert!(one.blocks < options.first && !has_solved(one.candidate, one.blocks));
        let others = (0..found.candidates.len()).filter(|other| *other != one.candidate);
        assert!(others.into_iter().any(|other| has_solved(other, one.blocks)), "somebody has solved");
    }
}

#[test]
fn failures_are_not_compared_by_a_fitness_that_is_tuned_nor_without_capping() {
    let tuned_fitness = format!("{SPACE}'fitness.weights.cage' = {{ from = 1, to = 20 }}\n");
    for (space, tune) in [(tuned_fitness.as_str(), ""), (SPACE, "capping = 0")] {
        let runner = Synthetic { is_too_hard: true, ..Synthetic::new(u64::MAX) };
        let (found, notes, _) = tuned_by(setup_of(space, &format!("budget = 60_000\n{tune}")), 5, runner);
        assert!(found.candidates.len() > 3);
        assert!(notes.decisions.iter().all(|one| one.test != "nearness"));
    }
}

#[test]
fn runs_that_end_at_once_make_no_candidates_without_number() {
    let runner = Synthetic { is_easy: true, ..Synthetic::new(u64::MAX) };
    let (found, ..) = tuned_by(setup("budget = 60_000\nablation = 0"), 5, runner);
    assert!(found.candidates.len() < 900, "{} candidates", found.candidates.len());
}

#[test]
fn of_elites_of_one_fitness_that_of_the_fewest_calls_is_the_best() {
    let (found, notes, _) = tuned("budget = 60_000\ncost = 'best_fitness'\nablation = 0", 8);
    let elites =
        notes.decisions.iter().filter(|one| one.iteration == found.iterations && one.kind == "elite");
    let costs: Vec<f64> = elites.map(|one| one.cost).collect();
    let calls = |candidate: usize| {
        let own = notes.runs.iter().filter(|run| run.candidate == candidate).map(|run| run.calls() as f64);
        own.clone().sum::<f64>() / own.count() as f64
    };
    let means: Vec<f64> = found.elites.iter().map(|elite| calls(*elite)).collect();
    assert!(costs.len() > 1 && costs.iter().all(|cost| *cost == 0.0), "{costs:?}");
    assert!(means.is_sorted(), "{means:?}");
}

#[test]
fn the_elites_race_alone_at_the_end() {
    for tune in ["budget = 60_000", "budget = 60_000\ncost = 'best_fitness'"] {
        // A single elite would have nobody to race: these leave several.
        let (found, notes, options) = tuned(tune, 6);
        let last = |run: &&TuneRun| run.iteration == found.iterations;
        assert!(notes.runs.iter().filter(last).all(|run| run.cap.is_none()));
        let born = found.candidates.iter().map(|candidate| candidate.iteration).max();
        assert!(born < Some(found.iterations), "{born:?} {}", found.iterations);
        let before: u64 =
            notes.runs.iter().filter(|run| run.iteration > 0 && !last(run)).map(|run| run.calls()).sum();
        assert!(before <= options.before_last_race());
    }
}

#[test]
fn elites_are_dropped_only_on_all_their_blocks() {
    let (found, notes, _) = tuned(kenga_testing::size("budget = 60_000", "budget = 100_000"), 6);
    let mut known: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut elites: Vec<usize> = Vec::new();
    let mut runs = notes.runs.iter().peekable();
    let mut before = 0;
    for decision in &notes.decisions {
        let mut used: u64 = before;
        while used < decision.used {
            let run = runs.next().expect("the runs before a decision");
            used += run.calls();
            known.entry(run.candidate).or_default().push(run.block);
        }
        before = used;
        let is_last = decision.iteration == found.iterations;
        if decision.kind == "dropped" && !is_last && elites.contains(&decision.candidate) {
            assert!(decision.blocks >= known[&decision.candidate].len(), "{decision:?}");
        }
        if decision.kind == "elite" {
            if decision.rank == Some(1.0) {
                elites.clear();
            }
            elites.push(decision.candidate);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: kenga_testing::size(1, 4), ..ProptestConfig::default() })]

    #[test]
    fn the_budget_is_never_exceeded_and_conditions_always_hold(
        budget in 36_000u64..80_000,
        first in 2usize..7,
        capping in prop::sample::select(vec![0.0, 1.0, 2.0]),
        ablation in prop::sample::select(vec![0.0, 0.2]),
        puzzles in 1usize..9,
    ) {
        let tune = format!("budget = {budget}\nfirst = {first}\ncapping = {capping}\nablation = {ablation}");
        let (found, notes, options) = tuned(&tune, puzzles);
        prop_assert!(found.used <= options.budget);
        let raced: u64 = notes.runs.iter().filter(|run| run.iteration > 0).map(|run| run.calls()).sum();
        prop_assert!(raced <= options.for_races());
        for candidate in &found.candidates {
            let is_uniform = candidate.values[2] == Some(Value::Text("uniform".to_owned()));
            prop_assert!(candidate.index == 0 || candidate.iteration == 0 || is_uniform == candidate.values[3].is_some());
            prop_assert!(candidate.values[1] != Some(Value::Integer(13)));
        }
    }
}

/// All files of a folder.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).expect("a folder");
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry.expect("an entry");
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file"))
    };
    files.map(file).collect()
}

fn one_puzzle() -> Vec<Puzzle> {
    let text = br#"{"id":"one","size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}"#;
    formats::read("one", text).into_iter().collect::<Result<_, _>>().expect("a sound puzzle")
}

#[test]
fn a_tuning_that_is_killed_anywhere_comes_to_the_same_bytes() {
    let (space, options) = setup("budget = 24_000");
    let manifest = TuneManifest {
        name: "x.toml".to_owned(),
        text: SPACE.to_owned(),
        set: Vec::new(),
        puzzles: one_puzzle(),
        held_out: Vec::new(),
    };
    let session = |path: &Path, left: u64| {
        let mut folder = match path.exists() {
            true => TuneFolder::resume_unchecked(path, &manifest).expect("it is resumed"),
            false => TuneFolder::begin(path, &manifest).expect("it is begun"),
        };
        let mut runner = Synthetic { refuses: "two_point", ..Synthetic::new(left) };
        Tuner::new(&space, &options, 5, &mut runner, &mut folder, &mut |_| ()).tune()
    };
    let root = tempfile::tempdir().expect("a folder");
    let whole = root.path().join("whole");
    let found = session(&whole, u64::MAX).expect("nothing cuts it");
    let wanted = bytes(&whole);
    // Every session replays those before.
    let most = kenga_testing::size(3, 40);
    for step in [1, 7, 50, found.runs - 1] {
        let path = root.path().join(format!("cut-{step}"));
        let mut sessions = 0;
        while matches!(session(&path, step), Err(TuneError::Interrupted)) {
            sessions += 1;
            // A row that was half written.
            let mut runs = fs::read_to_string(path.join("runs.csv")).expect("it is there");
            runs += &format!("{},1,2", runs.lines().count() - 1);
            fs::write(path.join("runs.csv"), runs).expect("it is written");
            if sessions == most {
                break;
            }
        }
        let _ = session(&path, u64::MAX).expect("nothing cuts it");
        assert_eq!(bytes(&path), wanted, "{step} runs a session, {sessions} sessions");
    }
}

#[test]
fn a_folder_of_another_tuning_is_refused() {
    let root = tempfile::tempdir().expect("a folder");
    let manifest = |text: &str| TuneManifest {
        name: "x.toml".to_owned(),
        text: text.to_owned(),
        set: Vec::new(),
        puzzles: one_puzzle(),
        held_out: Vec::new(),
    };
    drop(TuneFolder::begin(root.path(), &manifest("a")).expect("it is begun"));
    assert_eq!(FolderKind::of(root.path()), FolderKind::Tuning);
    assert!(TuneFolder::begin(root.path(), &manifest("a")).is_err());
    assert!(TuneFolder::resume_unchecked(root.path(), &manifest("a")).is_ok());
    let said = TuneFolder::resume_unchecked(root.path(), &manifest("b")).err().expect("another").to_string();
    assert!(said.contains("`text`"), "{said}");
}

#[test]
fn a_configuration_is_read_as_it_was_written() {
    let text = "budget = {evaluations = 9, moves = 1}\npropagate = true\nalgorithm = {name = 'portfolio', stages = \
                ['breakout', {name = 'annealing', near = 0.8}]}\nfitness.weights.cage = 3";
    let read =
        |text: &str| ConfigDraft::read("x.toml", text).and_then(ConfigDraft::finish).expect("it is sound");
    let config = read(text);
    let manifest = TuneManifest {
        name: "one\ntwo".to_owned(),
        text: String::new(),
        set: Vec::new(),
        puzzles: one_puzzle(),
        held_out: Vec::new(),
    };
    let again = manifest.best_toml(&config);
    assert!(again.starts_with("# The best configuration of a tuning of one two, by kenga "), "{again}");
    assert_eq!(read(&again).deciding(), config.deciding());
}
