//! No edit of the folder of a tuning that changes a claim survives `validate --replay all`, checksums made again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use kenga::budget::Interrupt;
use kenga::results::Replay;
use kenga::rng::{RunRng, StreamKey};
use kenga_lab::tune::{VALIDATION_FOLDERS, checksums, validate};

use crate::lab::{Lab, flat, list_again, refused, sum_again, well};

/// Short runs of two keys; ids without digits, since a puzzle of another name gives the same runs.
const TUNE: &str = "\
puzzles = [\"training.jsonl\"]
seed = 3
replicates = 2
budget = { evaluations = 60, moves = 1 }
algorithm = { name = \"genetic\", encoding = \"rows\", population = 20, mutation = { name = \"row_swap\", rate = 0.1 } }
[sweep]
\"algorithm.population\" = { from = 4, to = 30, scale = \"log\" }
\"algorithm.mutation.rate\" = { from = 0.01, to = 1, scale = \"log\" }
[tune]
budget = 1_000
validate = [\"held-out.jsonl\"]
";

const TRAINING: &str = r#"{"id":"training","size":3,"cages":[{"op":"+","target":5,"cells":[[0,0],[0,1]]},{"op":"-","target":2,"cells":[[0,2],[1,2]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]},{"op":"*","target":3,"cells":[[2,0],[2,1]]},{"op":"=","target":2,"cells":[[2,2]]}]}
"#;

const HELD_OUT: &str = r#"{"id":"held","size":3,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"=","target":3,"cells":[[0,2]]},{"op":"*","target":6,"cells":[[1,0],[1,1]]},{"op":"+","target":3,"cells":[[1,2],[2,2]]},{"op":"+","target":4,"cells":[[2,0],[2,1]]}]}
"#;

/// The files of a folder, those of the folders inside among them, with their bytes.
type Files = Vec<(String, Vec<u8>)>;

fn tuned() -> Files {
    let lab = Lab::new();
    lab.write("tune.toml", TUNE);
    lab.write("training.jsonl", TRAINING);
    lab.write("held-out.jsonl", HELD_OUT);
    well(&lab, "tune --config tune.toml --out one --quiet");
    let mut files = Files::new();
    for folder in [""].into_iter().chain(VALIDATION_FOLDERS) {
        let Ok(entries) = fs::read_dir(lab.path("one").join(folder)) else { continue };
        for entry in entries.map(|entry| entry.expect("an entry")).filter(|entry| entry.path().is_file()) {
            let name = entry.file_name().into_string().expect("text");
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            files.push((name, fs::read(entry.path()).expect("a file")));
        }
    }
    files.sort();
    files
}

fn first_lines(bytes: &[u8], lines: usize) -> Vec<u8> {
    bytes.split_inclusive(|byte| *byte == b'\n').take(lines).flatten().copied().collect()
}

fn write(folder: &Path, files: &Files) {
    let _ = fs::remove_dir_all(folder);
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, bytes).expect("it is written");
    }
}

fn is_refused(folder: &Path, replay: Replay) -> bool {
    let found = validate(folder, replay, 1, None, &(), &Interrupt::default());
    found.map_or(true, |found| !found.all.findings.is_empty())
}

/// One edit: another digit, a line gone, twice or elsewhere, a cell emptied, an end cut off.
fn edited(bytes: &[u8], rng: &mut RunRng) -> (&'static str, Vec<u8>) {
    let digits: Vec<usize> = (0..bytes.len()).filter(|place| bytes[*place].is_ascii_digit()).collect();
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let at = rng.below(lines.len().max(1));
    match rng.below(6) {
        0 | 1 if !digits.is_empty() => {
            let place = digits[rng.below(digits.len())];
            let mut other = bytes.to_vec();
            other[place] = b'0' + (other[place] - b'0' + 1 + rng.below(9) as u8) % 10;
            ("another digit", other)
        }
        2 if lines.len() > 1 => {
            lines.remove(at);
            ("a line is gone", lines.concat())
        }
        3 if !lines.is_empty() => {
            lines.insert(at, lines[at]);
            ("a line is there twice", lines.concat())
        }
        4 if lines.len() > 1 => {
            let other = rng.below(lines.len());
            lines.swap(at, other);
            ("a line is elsewhere", lines.concat())
        }
        _ => {
            let from = rng.below(bytes.len().max(1));
            let to = (from + 1 + rng.below(8)).min(bytes.len());
            ("bytes are gone", [&bytes[..from], &bytes[to..]].concat())
        }
    }
}

/// Whether an edit changes what can be checked: times cannot be measured again, a tuning of another configuration or of a
/// puzzle of another name may have the same runs, and nothing rests on held-out puzzles before they are run.
fn changes_a_claim(name: &str, was: &[u8], is: &[u8], has_ended: bool) -> bool {
    if name.ends_with("timing.csv") || was == is || (!has_ended && name == "held-out.jsonl") {
        return false;
    }
    // A folder whose end is not there yet is one that was killed earlier.
    if !has_ended && was.starts_with(is) {
        return false;
    }
    let place = was.iter().zip(is).take_while(|(one, other)| one == other).count();
    let line = was[..place].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let is_text = name == "manifest.json" && was[line..].starts_with(b"  \"text\"");
    // Only the configurations that are written at the end repeat the name of the file.
    let is_file = name == "manifest.json" && was[line..].starts_with(b"  \"name\"") && !has_ended;
    let is_name =
        name == "puzzles.jsonl" && place < was.windows(8).position(|at| at == b"\"size\":3").unwrap_or(0);
    !is_text && !is_file && !is_name
}

/// Writes a folder in which one edit changes a claim, now and then with a ledger that lists the rows that are there; says in
/// which file, and what it is.
fn write_edited(folder: &Path, files: &Files, rng: &mut RunRng, has_ended: bool) -> (String, &'static str) {
    loop {
        let mut other = files.clone();
        let index = rng.below(other.len());
        let (name, was) = other[index].clone();
        let (what, is) = edited(&was, rng);
        if changes_a_claim(&name, &was, &is, has_ended) {
            other[index].1 = is;
            write(folder, &other);
            if rng.below(2) == 0 && !name.ends_with("ledger.csv") {
                list_again(&inside(folder, &name));
            }
            return (name, what);
        }
    }
}

/// The folder of a validation that a file is in, or that of the tuning.
fn inside(folder: &Path, name: &str) -> PathBuf {
    VALIDATION_FOLDERS
        .iter()
        .find(|inside| name.starts_with(*inside))
        .map_or(folder.into(), |at| folder.join(at))
}

/// Makes so many edits; gives those that survive.
fn survivors(files: &Files, count: usize, has_ended: bool) -> Vec<String> {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("edited");
    write(&folder, files);
    assert!(!is_refused(&folder, Replay::All), "as it is it holds");
    let mut rng = StreamKey::run(7, "tampered tunings", u64::from(has_ended)).rng();
    let mut found = Vec::new();
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for made in 0..count {
        let (name, what) = write_edited(&folder, files, &mut rng, has_ended);
        *tally.entry(what).or_default() += 1;
        if has_ended && !name.ends_with("checksums.txt") {
            match inside(&folder, &name) {
                at if at == folder => fs::write(at.join("checksums.txt"), checksums(&at).expect("files"))
                    .expect("it is written"),
                at => sum_again(&at),
            }
        }
        if !is_refused(&folder, Replay::All) {
            found.push(format!("{name}: {what}, edit {made}"));
        }
    }
    println!("{} tuning: {tally:?}", if has_ended { "finished" } else { "unfinished" });
    found
}

#[test]
fn no_edit_of_a_finished_tuning_survives() {
    let files = tuned();
    assert!(files.len() > 20, "the best and the default are validated");
    let found = survivors(&files, kenga_testing::size(40, 700), true);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_edit_of_an_unfinished_tuning_survives() {
    let found = survivors(&unfinished(), kenga_testing::size(40, 300), false);
    assert!(found.is_empty(), "{found:#?}");
}

/// Of an edited tuning, resuming makes one that holds, or says what it cannot mend. What only a replay can tell of the runs
/// that it keeps, it does not find.
#[test]
fn what_resuming_a_tuning_finishes_holds() {
    let (lab, files) = (Lab::new(), unfinished());
    let mut rng = StreamKey::run(9, "tampered tunings", 0).rng();
    let (mut finished, mut refused) = (0, 0);
    for _ in 0..kenga_testing::size(6, 100) {
        let (name, what) = write_edited(&lab.path("edited"), &files, &mut rng, false);
        let ended = lab.kenga(&["tune", "--resume", "edited", "--quiet"]);
        if ended.code == 0 {
            assert!(!is_refused(&lab.path("edited"), Replay::Some(0)), "{name}: {what}");
            finished += 1;
        } else {
            assert_eq!(ended.code, 2, "{name}: {what}: {}", ended.stderr);
            assert!(!lab.path("edited/checksums.txt").exists(), "{name}: {what}: refused and finished");
            refused += 1;
        }
    }
    println!("resumed tunings: {finished} finished, {refused} refused");
}

/// A tuning whose program was killed before its ablation, whose candidates follow from its runs.
fn unfinished() -> Files {
    let files = tuned();
    let runs = files.iter().find(|(name, _)| name == "runs.csv").map(|(_, bytes)| bytes.clone());
    let lines = runs.expect("runs").iter().filter(|byte| **byte == b'\n').count();
    let ablation = first_ablation(&files).unwrap_or(lines);
    killed(&files, ablation)
}

/// The line of the first run of the ablation.
fn first_ablation(files: &Files) -> Option<usize> {
    let (_, runs) = files.iter().find(|(name, _)| name == "runs.csv")?;
    String::from_utf8_lossy(runs)
        .lines()
        .skip(1)
        .position(|line| line.split(',').nth(1) == Some("0"))
        .map(|at| at + 1)
}

/// What is left of a program that was killed before line `lines` of `runs.csv`, the first of the ablation: nothing of the end.
fn killed(files: &Files, lines: usize) -> Files {
    let mut left = Files::new();
    for (name, bytes) in files {
        let is_raced = |line: &&[u8]| !String::from_utf8_lossy(line).contains("\"origin\":\"ablation\"");
        let bytes = match name.as_str() {
            "runs.csv" | "ledger.csv" => first_lines(bytes, lines),
            "ablation.csv" => first_lines(bytes, 1),
            "candidates.jsonl" => {
                bytes.split_inclusive(|byte| *byte == b'\n').filter(is_raced).flatten().copied().collect()
            }
            "checksums.txt" | "best.toml" | "default.toml" => continue,
            inside if inside.contains('/') => continue,
            _ => bytes.clone(),
        };
        left.push((name.clone(), bytes));
    }
    left
}

/// Every row of `runs.csv` as if its first genome had been the solution.
fn forged(runs: &str) -> String {
    let mut text = String::new();
    for (line, row) in runs.lines().enumerate() {
        let mut cells: Vec<&str> = row.split(',').collect();
        if line > 0 {
            for (place, cell) in [(7, "true"), (8, "1"), (10, "0"), (11, "1"), (12, "false")] {
                cells[place] = cell;
            }
        }
        text += &(cells.join(",") + "\n");
    }
    text
}

fn without_line(text: &str, line: usize) -> String {
    text.split_inclusive('\n').enumerate().filter(|(index, _)| *index != line).map(|(_, row)| row).collect()
}

/// The report says what `validate` says, and goes no further than the runs that are due.
#[test]
fn the_report_says_what_of_a_tuning_does_not_hold() {
    let (lab, files) = (Lab::new(), tuned());
    write(&lab.path("one"), &files);
    let sound = lab.kenga(&["report", "one", "-o", "sound.html"]);
    assert_eq!((sound.code, sound.complaints().as_str()), (0, ""));
    let was = lab.read("one/runs.csv");
    let due = "is not the one that is due";
    let end = "its runs end before the tuning does";
    for (what, runs, says) in [
        ("a run is gone", without_line(&was, 20), "run 19 is missing"),
        ("the first run is gone", without_line(&was, 1), "run 0 is missing"),
        ("all runs are forged", forged(&was), due),
        ("the end is gone", was.split_inclusive('\n').take(20).collect(), end),
    ] {
        lab.write("one/runs.csv", &runs);
        list_again(&lab.path("one"));
        assert_eq!(lab.kenga(&["validate", "one", "--replay", "0"]).code, 1, "{what}");
        let ended = lab.kenga(&["report", "one", "-o", "page.html"]);
        let page = lab.read("page.html");
        assert!(ended.code == 0 && ended.stderr.contains(says), "{what}: {}", ended.stderr);
        assert!(page.contains(says) && page.contains("or the tuning does not hold"), "{what}");
    }
    // Without checksums too; what is used are the runs before the gap, and what follows from them.
    fs::remove_file(lab.path("one/checksums.txt")).expect("it is there");
    lab.write("one/runs.csv", without_line(&was, 20));
    list_again(&lab.path("one"));
    let said = lab.kenga(&["report", "one", "-o", "page.html"]).stderr;
    let listed = was.lines().count() - 2;
    assert!(said.contains("run 19 is missing"), "{said}");
    assert!(said.contains(&format!("only the first 19 of {listed} runs are used")), "{said}");
    assert!(lab.read("page.html").contains("<dd>19</dd><dt>runs</dt>"));
    // Decisions that do not follow are not shown.
    write(&lab.path("one"), &files);
    lab.change("one/decisions.csv", |text| {
        text.replace(",capping,", ",friedman,").replace(",nearness,", ",friedman,")
    });
    let ended = lab.kenga(&["report", "one", "-o", "page.html"]);
    assert!(ended.stderr.contains("decisions.csv, line 2"), "{}", ended.stderr);
    let drops = |page: &str| page.split("<h2>How candidates were dropped").nth(1).map(str::to_owned);
    assert_eq!(drops(&lab.read("page.html")), drops(&lab.read("sound.html")));
}

/// What the text of a configuration says is checked by what follows from it.
#[test]
fn another_configuration_has_other_runs() {
    let files = tuned();
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("edited");
    for (from, to) in [
        ("seed = 3", "seed = 4"),
        ("evaluations = 60", "evaluations = 59"),
        ("from = 4", "from = 5"),
        ("replicates = 2", "replicates = 1"),
        ("budget = 1_000", "budget = 2_000"),
        ("population = 20", "population = 21"),
    ] {
        let mut other = files.clone();
        let manifest = other.iter_mut().find(|(name, _)| name == "manifest.json").expect("a manifest");
        let text = String::from_utf8_lossy(&manifest.1).into_owned();
        assert!(text.contains(from), "{from}");
        manifest.1 = text.replacen(from, to, 1).into_bytes();
        write(&folder, &other);
        fs::write(folder.join("checksums.txt"), checksums(&folder).expect("files")).expect("it is written");
        assert!(is_refused(&folder, Replay::All), "{to}");
    }
}

/// What stands in a folder, and in those of its validation.
fn all_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for inside in [""].into_iter().chain(VALIDATION_FOLDERS) {
        for entry in fs::read_dir(folder.join(inside)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                files.insert(path.display().to_string(), fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// Whatever does not hold of a tuning that has ended, resuming names, and changes nothing.
#[test]
fn a_finished_tuning_that_does_not_hold_is_not_resumed_into_one_that_does() {
    let (lab, files) = (Lab::new(), tuned());
    let folder = lab.path("one");
    let runs = files.iter().find(|(name, _)| name == "runs.csv").map(|(_, bytes)| bytes).expect("runs");
    let runs = String::from_utf8_lossy(runs).into_owned();
    let capped = runs.lines().position(|row| row.ends_with(",true")).expect("a run that was cut short");
    let row = runs.lines().nth(capped).expect("the row").to_owned();
    let uncapped = row.strip_suffix("true").expect("its end").to_owned() + "false";
    let last = |text: &str| text.trim_end().rfind('\n').map_or(0, |end| end + 1);
    for name in [
        "runs.csv",
        "best.toml",
        "held-out.jsonl",
        "ledger.csv",
        "validation/best/runs.csv",
        "validation/best/ledger.csv",
    ] {
        write(&folder, &files);
        lab.change(&format!("one/{name}"), |text| match name {
            "runs.csv" => text.replacen(&row, &uncapped, 1),
            "best.toml" => text.replacen("# The", "# A", 1),
            "held-out.jsonl" => String::new(),
            _ => text[..last(&text)].to_owned(),
        });
        if name == "runs.csv" {
            list_again(&folder);
        }
        if inside(&folder, name) == folder {
            fs::write(folder.join("checksums.txt"), checksums(&folder).expect("files"))
                .expect("it is written");
        }
        let before = all_files(&folder);
        let found = validate(&folder, Replay::Some(0), 1, None, &(), &Interrupt::default());
        let finding =
            found.expect("it can be read").all.findings.into_iter().next().expect("it does not hold");
        let said = refused(&lab, "tune --resume one --quiet");
        assert!(said.contains(&format!("one/{}", finding.file)), "{name}: {said}");
        assert!(said.contains(&finding.problem), "{name}: {said}");
        assert!(all_files(&folder) == before, "{name}");
    }
}

/// A ledger that ends early leaves runs out. A kill leaves one at most.
#[test]
fn a_ledger_that_was_cut_by_hand_is_found_and_its_runs_are_made_again() {
    let (lab, files) = (Lab::new(), unfinished());
    write(&lab.path("whole"), &tuned());
    let whole = lab.read("whole/runs.csv");
    for cut in [1, 2, 9] {
        write(&lab.path("one"), &files);
        let ledger = lab.read("one/ledger.csv");
        let lines = ledger.lines().count() - cut;
        lab.write("one/ledger.csv", ledger.split_inclusive('\n').take(lines).collect::<String>());
        let ended = lab.kenga(&["validate", "one", "--replay", "0"]);
        let says = format!("ledger.csv ends before run {}", lines - 1);
        assert_eq!(flat(&ended.stdout).contains(&says), cut > 1, "{}", ended.stdout);
        assert!(ended.code == 1 || cut == 1, "{}", ended.stdout);
        well(&lab, "tune --resume one --quiet");
        assert_eq!(lab.read("one/runs.csv"), whole);
    }
}

/// After a crash of the system the lines of a ledger may be there without their rows.
#[test]
fn runs_whose_rows_a_crash_has_lost_are_made_again() {
    let (lab, files) = (Lab::new(), unfinished());
    write(&lab.path("whole"), &tuned());
    // All files but the checksums: best.toml and the validation are there.
    let mut nearly_ended = tuned();
    nearly_ended.retain(|(name, _)| name != "checksums.txt");
    for (files, zeros) in [(&files, 0), (&files, 40), (&nearly_ended, 40)] {
        write(&lab.path("one"), files);
        let runs = lab.read("one/runs.csv");
        lab.write("one/runs.csv", runs[..runs.len() - 100].to_owned() + &"\0".repeat(zeros));
        well(&lab, "tune --resume one --quiet");
        for name in ["runs.csv", "ledger.csv", "decisions.csv", "checksums.txt"] {
            assert_eq!(lab.read(&format!("one/{name}")), lab.read(&format!("whole/{name}")), "{name}");
        }
    }
}

#[test]
fn the_folder_of_a_tuning_without_a_ledger_is_of_format_1() {
    let (lab, files) = (Lab::new(), tuned());
    write(&lab.path("one"), &files);
    lab.change("one/manifest.json", |text| text.replacen("\"format\": 2", "\"format\": 1", 1));
    for line in ["validate one", "tune --resume one --quiet"] {
        let said = refused(&lab, line);
        assert!(said.contains("one/manifest.json: format 1, this program reads format 2"), "{line}: {said}");
    }
}
