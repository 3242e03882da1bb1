//! No edit of a folder survives `validate --replay all`, checksums made again: not a digit, not a separator, not a line.

use std::fs;
use std::path::{Path, PathBuf};

use kenga::budget::Interrupt;
use kenga::experiment::{ConfigDraft, Plan};
use kenga::puzzle::formats;
use kenga::results::{Replay, validate};
use tempfile::TempDir;

use crate::inside;
use crate::lab::{list_again, sum_again};

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
populations = 3
";

pub const SWEEP: &str = "[sweep]\n'algorithm.interval' = [12, 18]\n'algorithm.island.population' = [4, 5]\n";

const PUZZLE: &str = r#"{"id":"a, \"b\"","size":3,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[0,2]]},{"op":"*","target":6,"cells":[[1,0],[1,1],[1,2]]},{"op":"-","target":2,"cells":[[2,0],[2,1]]},{"op":"=","target":2,"cells":[[2,2]]}],"solution":[[2,3,1],[1,2,3],[3,1,2]]}"#;

/// A folder that holds, in `whole`, and a place for what is made of it.
pub struct Folder {
    place: TempDir,
    pub plan: Plan,
    files: Vec<String>,
}

impl Folder {
    pub fn new(more: &str) -> Self {
        let settings =
            ConfigDraft::read("a.toml", &format!("{ISLANDS}{more}")).and_then(ConfigDraft::settings);
        let puzzles = formats::read("p", PUZZLE.as_bytes()).into_iter().collect::<Result<_, _>>();
        let plan = Plan::new(settings.expect("a sound configuration"), puzzles.expect("a sound puzzle"));
        let place = tempfile::tempdir().expect("a folder");
        inside::begin(&place.path().join("whole"), &plan, &inside::runner(&plan));
        let entries = fs::read_dir(place.path().join("whole")).expect("it is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
        let mut files: Vec<String> = names.collect();
        files.sort();
        Self { place, plan, files }
    }

    /// The same, with every run, but as if its program had been killed before the last write.
    pub fn unfinished(more: &str) -> Self {
        let mut folder = Self::new(more);
        fs::remove_file(folder.whole().join("checksums.txt")).expect("it is there");
        folder.files.retain(|file| file != "checksums.txt");
        folder
    }

    /// The folder as kenga wrote it.
    pub fn whole(&self) -> PathBuf {
        self.place.path().join("whole")
    }

    fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.whole().join(file)).expect("it is there")
    }

    pub fn text(&self, file: &str) -> String {
        String::from_utf8(self.bytes(file)).expect("text")
    }

    /// The folder with these files in place of its own, in `edited`.
    pub fn edited(&self, edits: &[(&str, &[u8])]) -> PathBuf {
        let edited = self.place.path().join("edited");
        let _ = fs::remove_dir_all(&edited);
        fs::create_dir(&edited).expect("a folder");
        for file in &self.files {
            let edit = edits.iter().find(|(name, _)| name == file).map(|(_, bytes)| bytes.to_vec());
            fs::write(edited.join(file), edit.unwrap_or_else(|| self.bytes(file)))
                .expect("it can be written");
        }
        edited
    }

    /// The folder with these files in place of its own is refused; its ledger and its checksums are made again unless they are
    /// edited.
    pub fn refuses(&self, edits: &[(&str, &[u8])]) -> bool {
        let edited = self.edited(edits);
        if edits.iter().all(|(name, _)| !["ledger.csv", "checksums.txt"].contains(name)) {
            list_again(&edited);
        }
        if edits.iter().all(|(name, _)| *name != "checksums.txt") {
            sum_again(&edited);
        }
        is_refused(&edited)
    }
}

pub fn is_refused(folder: &Path) -> bool {
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

#[test]
fn a_manifest_whose_method_gives_other_settings_is_refused() {
    // Without its `of` a race is one of a grid, which has no points in a range and other ones where all are listed.
    for axes in [
        "'algorithm.interval' = { from = 12, to = 1000 }\n",
        "where = ['algorithm.interval > 0']\n'algorithm.interval' = { from = 12, to = 1000 }\n",
        "where = ['algorithm.interval > 0']\n'algorithm.interval' = [12, 14, 16, 18]\n",
    ] {
        let method = "method = { name = 'race', of = { name = 'random', points = 3 }, first = 2 }";
        let folder = Folder::new(&format!("[sweep]\n{method}\n{axes}"));
        assert!(!folder.refuses(&[]), "{axes}");
        let mut manifest: serde_json::Value =
            serde_json::from_str(&folder.text("manifest.json")).expect("it is JSON");
        let method = manifest["config"]["sweep"]["method"].as_object_mut().expect("a table");
        method.shift_remove("of").expect("it is there");
        let edited = serde_json::to_string_pretty(&manifest).expect("it can be written") + "\n";
        assert!(folder.refuses(&[("manifest.json", edited.as_bytes())]), "{axes}");
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
