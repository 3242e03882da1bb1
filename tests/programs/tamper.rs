//! No edit of a folder survives `validate --replay all`, checksums made again: not a digit, not a separator, not a line.

use std::fs;
use std::path::Path;

use kenga::budget::Interrupt;
use kenga::experiment::{Draft, Plan};
use kenga::puzzle::formats;
use kenga::results::{
    ConvergenceRow, GroupRow, MigrationRow, OperatorRow, Reading, Replay, RunRow, validate,
};
use tempfile::TempDir;

use crate::inside;
use crate::lab::sum_again;

/// Islands, so that every file has rows; the puzzle cannot be solved but for one of its lines.
const ISLANDS: &str = "\
replicates = 2
budget.evaluations = 90
[algorithm]
name = 'islands'
count = 2
interval = 12
[algorithm.island]
population = 5
selection = 'tournament'
[record]
every = 4
groups = true
operators = true
migrations = true
";

const SWEEP: &str = "[sweep]\n'algorithm.interval' = [12, 18]\n'algorithm.island.population' = [4, 5]\n";

const PUZZLE: &str = r#"{"id":"a, \"b\"","size":3,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[0,2]]},{"op":"*","target":6,"cells":[[1,0],[1,1],[1,2]]},{"op":"-","target":2,"cells":[[2,0],[2,1]]},{"op":"=","target":2,"cells":[[2,2]]}],"solution":[[2,3,1],[1,2,3],[3,1,2]]}"#;

struct Folder {
    place: TempDir,
    files: Vec<String>,
}

impl Folder {
    fn new(more: &str) -> Self {
        let settings = Draft::read("a.toml", &format!("{ISLANDS}{more}")).and_then(Draft::settings);
        let puzzles = formats::read("p", PUZZLE.as_bytes()).into_iter().collect::<Result<_, _>>();
        let plan = Plan::new(settings.expect("a sound configuration"), puzzles.expect("a sound puzzle"));
        let place = tempfile::tempdir().expect("a folder");
        inside::begin(&place.path().join("whole"), &plan, &inside::runner(&plan));
        let entries = fs::read_dir(place.path().join("whole")).expect("it is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
        let mut files: Vec<String> = names.collect();
        files.sort();
        Self { place, files }
    }

    fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.place.path().join("whole").join(file)).expect("it is there")
    }

    fn text(&self, file: &str) -> String {
        String::from_utf8(self.bytes(file)).expect("text")
    }

    /// The folder with these files in place of its own is refused; its checksums are made again unless they are edited.
    fn refuses(&self, edits: &[(&str, &[u8])]) -> bool {
        let edited = self.place.path().join("edited");
        let _ = fs::remove_dir_all(&edited);
        fs::create_dir(&edited).expect("a folder");
        for file in &self.files {
            let edit = edits.iter().find(|(name, _)| name == file).map(|(_, bytes)| bytes.to_vec());
            fs::write(edited.join(file), edit.unwrap_or_else(|| self.bytes(file)))
                .expect("it can be written");
        }
        if edits.iter().all(|(name, _)| *name != "checksums.txt") {
            sum_again(&edited);
        }
        is_refused(&edited)
    }
}

fn is_refused(folder: &Path) -> bool {
    let found = validate(folder, Replay::All, 1, None, &(), &Interrupt::default());
    found.map_or(true, |found| !found.findings.is_empty())
}

/// Some of the places at which a text has a byte, from the first to the last.
fn places(text: &[u8], is: impl Fn(u8) -> bool) -> Vec<usize> {
    let all: Vec<usize> = (0..text.len()).filter(|place| is(text[*place])).collect();
    let step = all.len().div_ceil(kenga_testing::size(1, 4)).max(1);
    all.iter().copied().step_by(step).chain(all.last().copied()).collect()
}

/// The text with bytes in place of one.
fn with(text: &[u8], place: usize, bytes: &[u8]) -> Vec<u8> {
    [&text[..place], bytes, &text[place + 1..]].concat()
}

/// Edits that change how a text is written, each with what it does.
fn written_otherwise(text: &[u8]) -> Vec<(String, Vec<u8>)> {
    // Within a number a zero makes another one, which may be as good: times are not made again.
    let start = |place: usize| {
        let within = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        text[..place].iter().rposition(|byte| !within(byte)).map_or(0, |before| before + 1)
    };
    let mut edits: Vec<(String, Vec<u8>)> = places(text, |byte| byte.is_ascii_digit())
        .into_iter()
        .map(start)
        .map(|place| (format!("a leading zero at {place}"), with(text, place, &[b'0', text[place]])))
        .collect();
    let mut edit = |what: &str, is: &dyn Fn(u8) -> bool, bytes: &dyn Fn(u8) -> Vec<u8>| {
        for place in places(text, is) {
            edits.push((format!("{what} at {place}"), with(text, place, &bytes(text[place]))));
        }
    };
    edit("a letter of the other case", &|byte| byte.is_ascii_alphabetic(), &|byte| vec![byte ^ 32]);
    edit("another separator", &|byte| byte == b',', &|_| vec![b';']);
    edit("a blank behind a separator", &|byte| byte == b',', &|byte| vec![byte, b' ']);
    edit("no quote", &|byte| byte == b'"', &|_| Vec::new());
    edit("no end of a line", &|byte| byte == b'\n', &|_| Vec::new());
    edit("another end of a line", &|byte| byte == b'\n', &|_| b"\r\n".to_vec());
    edit("an empty line", &|byte| byte == b'\n', &|_| b"\n\n".to_vec());
    edit("a byte that is no text", &|byte| byte.is_ascii_alphanumeric(), &|_| vec![0xff]);
    edits.push(("a byte order mark".to_owned(), [b"\xef\xbb\xbf", text].concat()));
    edits
}

/// Edits of the lines of a text behind its header.
fn lines_otherwise(text: &str, twice: bool) -> Vec<(String, Vec<u8>)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut edits = Vec::new();
    let last = lines.len() - 1;
    for at in [1, lines.len() / 2, last].into_iter().filter(|at| *at > 0) {
        let mut gone = lines.clone();
        gone.remove(at);
        edits.push((format!("line {at} is gone"), gone.concat().into_bytes()));
        if twice {
            let mut twice = lines.clone();
            twice.insert(at, lines[at]);
            edits.push((format!("line {at} is there twice"), twice.concat().into_bytes()));
        }
        if at < last && lines[at] != lines[at + 1] {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            edits.push((format!("line {at} has changed places"), swapped.concat().into_bytes()));
        }
    }
    edits
}

/// Other values: digits, and cells that are emptied.
fn values_otherwise(text: &[u8]) -> Vec<(String, Vec<u8>)> {
    let header = text.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let (head, rows) = text.split_at(header);
    let mut edits = Vec::new();
    for place in places(rows, |byte| byte.is_ascii_digit()) {
        let digit = [b'0' + (rows[place] - b'0' + 1) % 10];
        edits.push((format!("another digit at {place}"), [head, &with(rows, place, &digit)].concat()));
        let end = rows[place..]
            .iter()
            .position(|byte| b",\n ".contains(byte))
            .map_or(rows.len(), |end| place + end);
        let start =
            rows[..place].iter().rposition(|byte| b",\n ".contains(byte)).map_or(0, |start| start + 1);
        let emptied = [head, &rows[..start], &rows[end..]].concat();
        edits.push((format!("no value at {start}"), emptied));
    }
    edits
}

fn all_are_refused(folder: &Folder, file: &str, edits: Vec<(String, Vec<u8>)>) {
    let text = folder.bytes(file);
    assert!(!edits.is_empty(), "{file}");
    let survive = |(_, edit): &&(String, Vec<u8>)| *edit != text && !folder.refuses(&[(file, edit)]);
    let survivors: Vec<&String> = edits.iter().filter(survive).map(|(what, _)| what).collect();
    assert!(survivors.is_empty(), "{file}: {survivors:#?}");
}

#[test]
fn no_edit_of_any_file_survives() {
    let folder = Folder::new(SWEEP);
    assert!(!folder.refuses(&[]), "as it is it holds");
    for file in &folder.files {
        let text = folder.bytes(file);
        all_are_refused(&folder, file, written_otherwise(&text));
        if file.ends_with(".csv") && file != "timing.csv" {
            // Two migrants alike are two migrants, and only a replay knows how many there were.
            all_are_refused(&folder, file, lines_otherwise(&folder.text(file), true));
            all_are_refused(&folder, file, values_otherwise(&text));
        }
    }
    for file in ["settings.jsonl", "checksums.txt"] {
        all_are_refused(&folder, file, lines_otherwise(&folder.text(file), true));
    }
}

#[test]
fn what_the_manifest_and_the_settings_claim_goes_together() {
    let folder = Folder::new(SWEEP);
    let change = |file: &str, from: &str, to: &str| {
        let text = folder.text(file);
        assert!(text.contains(from), "{from} is in {file}");
        assert!(folder.refuses(&[(file, text.replacen(from, to, 1).as_bytes())]), "{file}: {to}");
    };
    // A value that no setting has, one that settings have no more, a key more and a key less.
    change("manifest.json", "      12,\n        18", "      12,\n        18,\n        24");
    change("manifest.json", "      12,\n        18", "      18");
    change("manifest.json", "\"algorithm.interval\": [", "\"algorithm.migrants\": [");
    change("settings.jsonl", "\"algorithm.interval\":18", "\"algorithm.interval\":17");
    change("puzzles.jsonl", "\"solution\":[[2,3,1]", "\"solution\":[[3,2,1]");
    for (name, switch) in
        [("groups.csv", "groups"), ("operators.csv", "operators"), ("migrations.csv", "migrations")]
    {
        let folder = Folder::new("");
        let manifest = folder.text("manifest.json");
        let off = manifest.replacen(&format!("\"{switch}\": true"), &format!("\"{switch}\": false"), 1);
        assert_ne!(off, manifest, "{switch}");
        let edited = values_otherwise(&folder.bytes(name)).remove(0).1;
        assert!(folder.refuses(&[("manifest.json", off.as_bytes()), (name, &edited)]), "{switch}");
    }
}

/// Times cannot be measured again; that they are times can be told.
#[test]
fn times_that_are_none_are_refused() {
    let folder = Folder::new("");
    let text = folder.text("timing.csv");
    let row = text.lines().nth(2).expect("a row").to_owned();
    for other in [
        "1,x,1",
        "1,-1,1",
        "1,NaN,1",
        "1,inf,1",
        "1,1,-0.5",
        "1,0.50,1",
        "1,1",
        "1,1,1,1",
        "7,1,1",
        "1,99999999,1",
        "1,,",
    ] {
        let edited = text.replacen(&row, other, 1);
        assert!(folder.refuses(&[("timing.csv", edited.as_bytes())]), "{other}");
    }
    let twice = text.replacen(&row, &format!("{row}\n{row}"), 1);
    assert!(folder.refuses(&[("timing.csv", twice.as_bytes())]));
}

#[test]
fn packed_files_have_the_bytes_that_kenga_packs() {
    let folder = Folder::new("gzip = true\n");
    assert!(!folder.refuses(&[]), "as it is it holds");
    for file in folder.files.iter().filter(|file| file.ends_with(".gz")) {
        let bytes = folder.bytes(file);
        // The time and the system of the first member, a byte of its text, and one of its check.
        for place in [4, 9, 14, bytes.len() - 1, bytes.len() - 6] {
            assert!(
                folder.refuses(&[(file, &with(&bytes, place, &[bytes[place] ^ 1]))]),
                "{file} at {place}"
            );
        }
        assert!(folder.refuses(&[(file, &bytes[..bytes.len() - 1])]), "{file}");
    }
}

/// Numbers that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Some edit of the lines behind the header: order, gaps, doubled and foreign rows, claims, and what is no row.
fn some_edit(text: &str, is_runs: bool, numbers: &mut Numbers) -> (String, String) {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let at = 1 + numbers.below(lines.len() - 1);
    let other = 1 + numbers.below(lines.len() - 1);
    let what = match numbers.below(if is_runs { 9 } else { 7 }) {
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
            let digits: Vec<usize> =
                lines[at].match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
            let place = digits[numbers.below(digits.len())];
            let digit = (lines[at].as_bytes()[place] - b'0' + 1) % 10;
            lines[at].replace_range(place..=place, &digit.to_string());
            "another digit"
        }
        7 => {
            lines[at] = lines[at].replace(",false,false,", ",true,true,");
            "solved"
        }
        _ => {
            lines.remove(at);
            for line in &mut lines[at..] {
                *line = line.replace(",false,false,", ",true,true,");
            }
            "solved behind a gap"
        }
    };
    (format!("line {at}, {other}: {what}"), lines.concat())
}

/// The rows that readers use, file by file, with the runs that they are of; and whether they are told of others.
fn used(path: &Path) -> Option<(Vec<Vec<(u64, String)>>, bool)> {
    let rows = Reading::open(path).ok()?.rows;
    let mut files = vec![Vec::new(); 5];
    rows.each(|row: RunRow| files[0].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: ConvergenceRow| files[1].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: MigrationRow| files[2].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: GroupRow| files[3].push((row.run, format!("{row:?}")))).ok()?;
    rows.each(|row: OperatorRow| files[4].push((row.run, format!("{row:?}")))).ok()?;
    Some((files, rows.unused().is_some()))
}

/// Of a folder that has not ended, an edit is refuted, or what is used is as it was.
#[test]
fn no_edit_of_an_unfinished_folder_changes_what_is_used() {
    for sweep in [SWEEP, &SWEEP.replace("[sweep]\n", "[sweep]\nmethod = 'race'\n")] {
        let folder = Folder::new(sweep);
        let edited = folder.place.path().join("whole");
        fs::remove_file(edited.join("checksums.txt")).expect("it is there");
        assert!(!is_refused(&edited), "as it is it holds");
        let (before, _) = used(&edited).expect("it is sound");
        let files = ["runs.csv", "convergence.csv", "migrations.csv", "groups.csv", "operators.csv"];
        let mut numbers = Numbers(7);
        for edit in 0..kenga_testing::size(60, 1500) {
            let file = files[if edit % 2 == 0 { 0 } else { numbers.below(files.len()) }];
            let text = folder.text(file);
            let (what, changed) = some_edit(&text, file == "runs.csv", &mut numbers);
            fs::write(edited.join(file), &changed).expect("it can be written");
            if changed != text && !is_refused(&edited) {
                let (after, is_told) = used(&edited).unwrap_or_else(|| panic!("{file}, {what}: unread"));
                let runs: Vec<u64> = after[0].iter().map(|(run, _)| *run).collect();
                for (was, is) in before.iter().zip(&after) {
                    let was: Vec<_> = was.iter().filter(|(run, _)| runs.contains(run)).collect();
                    assert!(is.iter().eq(was), "{file}, {what}: other rows are used");
                }
                // A last row that is not closed is what a kill leaves.
                let listed = changed.lines().count() - 1 - usize::from(what.ends_with("quote"));
                assert!(is_told || file != "runs.csv" || listed <= runs.len(), "{file}, {what}: not said");
            }
            fs::write(edited.join(file), text).expect("it can be written");
        }
    }
}
