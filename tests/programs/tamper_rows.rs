//! Edits of rows: their order, gaps, doubled and foreign rows, other claims, in folders that have ended and that have not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kenga::budget::Interrupt;
use kenga::experiment::{RemainingRuns, Runner, Shard, perform, perform_race};
use kenga::results::{
    ConvergenceRow, Folder as ResultsFolder, GroupRow, MigrationRow, OperatorRow, PopulationRow, Reading,
    Replay, ResultsError, RunRow, validate,
};

use crate::inside;
use crate::tamper::{Folder, SWEEP, is_refused};

/// The files whose rows are edited.
const FILES: [&str; 6] =
    ["runs.csv", "convergence.csv", "migrations.csv", "groups.csv", "operators.csv", "populations.csv"];

/// Numbers that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// An edited file.
struct Edit {
    file: &'static str,
    what: &'static str,
    /// The lines that it concerns.
    at: (usize, usize),
    text: String,
}

impl Edit {
    /// Some edit of the rows of a folder, half of them in `runs.csv`.
    fn some(folder: &Folder, numbers: &mut Numbers) -> Self {
        let file = if numbers.below(2) == 0 { FILES[0] } else { FILES[numbers.below(FILES.len())] };
        let whole = folder.text(file);
        let mut lines: Vec<String> = whole.split_inclusive('\n').map(str::to_owned).collect();
        let at = 1 + numbers.below(lines.len() - 1);
        let other = 1 + numbers.below(lines.len() - 1);
        let what = match numbers.below(if file == FILES[0] { 10 } else { 8 }) {
            0 => {
                lines.remove(at);
                "gone"
            }
            1 => {
                lines.insert(at, lines[other].clone());
                "one more"
            }
            2 => {
                lines.swap(at, other);
                "swapped"
            }
            3 => {
                lines.insert(at, "no row\n".to_owned());
                "no row"
            }
            4 => {
                lines[at].insert(0, '"');
                "an open quote"
            }
            5 => {
                let end = at + numbers.below(lines.len() - at);
                lines.drain(at..=end);
                "a gap"
            }
            6 => {
                lines[at] = with_another_digit(&lines[at], numbers);
                "another digit"
            }
            7 => {
                lines.truncate(at);
                let half = lines[at - 1].len() / 2;
                lines[at - 1].truncate(half);
                "torn"
            }
            8 => {
                lines[at] = solved(&lines[at]);
                "solved"
            }
            _ => {
                lines.remove(at);
                for line in &mut lines[at..] {
                    *line = solved(line);
                }
                "solved behind a gap"
            }
        };
        Self { file, what, at: (at, other), text: lines.concat() }
    }

    fn named(&self) -> String {
        format!("{}, lines {} and {}: {}", self.file, self.at.0, self.at.1, self.what)
    }

    /// How many rows a reader may expect: a last row that is not closed is what a kill leaves.
    fn listed(&self) -> usize {
        self.text.lines().count() - 1 - usize::from(self.what == "an open quote")
    }
}

fn with_another_digit(line: &str, numbers: &mut Numbers) -> String {
    let digits: Vec<usize> = line.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let place = digits[numbers.below(digits.len())];
    let digit = (line.as_bytes()[place] - b'0' + 1) % 10;
    format!("{}{digit}{}", &line[..place], &line[place + 1..])
}

fn solved(line: &str) -> String {
    line.replace(",false,false,", ",true,true,")
}

/// How many edits of each kind were made, and how many of them were refuted.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, (usize, usize)>);

impl Tally {
    fn add(&mut self, edit: &Edit, is_refuted: bool) {
        let (made, refuted) = self.0.entry(edit.what).or_default();
        *made += 1;
        *refuted += usize::from(is_refuted);
    }

    fn print(&self, of: &str) {
        for (what, (made, refuted)) in &self.0 {
            println!("{of}: {what}: {made} edits, {refuted} refuted");
        }
    }
}

/// The sweeps that are edited: a grid and a race.
fn sweeps() -> [(&'static str, String); 2] {
    let race = SWEEP.replace("[sweep]\n", "[sweep]\nmethod = 'race'\n");
    [("grid", SWEEP.to_owned()), ("race", race)]
}

/// The rows of a file, each with the run that it is of.
type FileRows = Vec<(u64, String)>;

/// The rows that readers use, file by file; and whether they are told of others.
fn used(path: &Path) -> Option<(Vec<FileRows>, bool)> {
    let rows = Reading::open(path).ok()?.rows;
    let mut files = vec![Vec::new(); FILES.len()];
    rows.each(|row: RunRow| files[0].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: ConvergenceRow| files[1].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: MigrationRow| files[2].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: GroupRow| files[3].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: OperatorRow| files[4].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: PopulationRow| files[5].push((row.run, format!("{row:?}")))).ok()?;
    Some((files, rows.unused().is_some()))
}

/// Of a folder that has not ended, an edit is refuted, or what is used is as it was.
#[test]
fn no_edit_of_an_unfinished_folder_changes_what_is_used() {
    for (name, sweep) in sweeps() {
        let folder = Folder::unfinished(&sweep);
        assert!(!is_refused(&folder.whole()), "as it is it holds");
        let (before, _) = used(&folder.whole()).expect("it is sound");
        let (mut numbers, mut tally) = (Numbers(7), Tally::default());
        for _ in 0..kenga_testing::size(60, 1000) {
            let edit = Edit::some(&folder, &mut numbers);
            if edit.text == folder.text(edit.file) {
                continue;
            }
            let edited = folder.edited(&[(edit.file, edit.text.as_bytes())]);
            let is_refuted = is_refused(&edited);
            tally.add(&edit, is_refuted);
            if is_refuted {
                continue;
            }
            let (after, is_told) = used(&edited).unwrap_or_else(|| panic!("{}: unread", edit.named()));
            let runs: Vec<u64> = after[0].iter().map(|(run, _)| *run).collect();
            for (was, is) in before.iter().zip(&after) {
                let was: Vec<_> = was.iter().filter(|(run, _)| runs.contains(run)).collect();
                assert!(is.iter().eq(was), "{}: other rows are used", edit.named());
            }
            assert!(
                is_told || edit.file != FILES[0] || edit.listed() <= runs.len(),
                "{}: not said",
                edit.named()
            );
        }
        tally.print(&format!("unfinished {name}"));
    }
}

/// Of a folder that has ended every edit is refuted, although its checksums are made again.
#[test]
fn no_edit_of_the_rows_of_a_finished_folder_survives() {
    for (name, sweep) in sweeps() {
        let folder = Folder::new(&sweep);
        let (mut numbers, mut tally) = (Numbers(11), Tally::default());
        for _ in 0..kenga_testing::size(30, 750) {
            let edit = Edit::some(&folder, &mut numbers);
            if edit.text == folder.text(edit.file) {
                continue;
            }
            let is_refuted = folder.refuses(&[(edit.file, edit.text.as_bytes())]);
            tally.add(&edit, is_refuted);
            assert!(is_refuted, "{}", edit.named());
        }
        tally.print(&format!("finished {name}"));
    }
}

/// What `kenga run --resume` does with a folder.
fn resume(path: &Path, runner: &Runner<'_>) -> Result<(), ResultsError> {
    let plan = runner.plan();
    let mut folder = ResultsFolder::resume(path, plan, Shard::WHOLE)?;
    folder.prepare(plan, runner)?;
    let (done, known) = (folder.done().clone(), Reading::open(path)?.rows.race_calls()?);
    let mut sink = folder.sink(plan);
    let share = RemainingRuns { share: plan.share(Shard::WHOLE), done: &done, race: None };
    let interrupt = Interrupt::default();
    let halt = match plan.settings.race {
        None => perform(runner, 1, &share, &mut sink, &(), &interrupt).map(drop),
        Some(_) => perform_race(runner, 1, &known, &mut sink, &(), &interrupt).map(drop),
    };
    halt.expect("runs are made");
    drop(sink);
    folder.finish()
}

/// Of an edited folder, resuming makes one that holds, or says what it cannot mend. What only a replay can tell of the rows
/// that it keeps, it does not find.
#[test]
fn what_resuming_finishes_holds() {
    for (name, sweep) in sweeps() {
        let folder = Folder::unfinished(&sweep);
        let runner = inside::runner(&folder.plan);
        let (mut numbers, mut kinds) = (Numbers(7), BTreeSet::new());
        let (mut finished, mut refused) = (0, 0);
        for _ in 0..kenga_testing::size(30, 500) {
            let edit = Edit::some(&folder, &mut numbers);
            let edited = folder.edited(&[(edit.file, edit.text.as_bytes())]);
            kinds.insert(edit.what);
            if resume(&edited, &runner).is_err() {
                assert!(!edited.join("checksums.txt").exists(), "{}: refused and finished", edit.named());
                refused += 1;
                continue;
            }
            let found = validate(&edited, Replay::Some(0), 1, None, &(), &Interrupt::default());
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", edit.named()));
            assert_eq!(found.findings, [], "{}", edit.named());
            finished += 1;
        }
        println!("resumed {name}: {finished} finished, {refused} refused, of {} kinds", kinds.len());
        assert!(finished > 0 && refused > 0);
    }
}

/// A crash of the system may take the end of a file that has rows of few runs.
#[test]
fn a_run_that_a_crash_has_taken_rows_of_is_made_again() {
    for (name, sweep) in sweeps() {
        let folder = Folder::unfinished(&sweep);
        let rows = folder.text("operators.csv");
        let last = folder.plan.runs() - 1;
        for run in [last - 1, last] {
            let begin = rows.find(&format!("\n{run},")).expect("it has operators") + 1;
            for end in [begin, begin + 5] {
                let zeros = "\0".repeat(rows.len() - end);
                for tail in ["", &zeros] {
                    let text = rows[..end].to_owned() + tail;
                    let edited = folder.edited(&[("operators.csv", text.as_bytes())]);
                    resume(&edited, &inside::runner(&folder.plan)).expect("it is mended");
                    for file in FILES {
                        let is = std::fs::read_to_string(edited.join(file)).expect("it is there");
                        assert!(is == folder.text(file), "{name}: {file}");
                    }
                }
            }
        }
    }
}
