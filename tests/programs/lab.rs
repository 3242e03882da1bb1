//! A folder in which the program is run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;

/// The 4x4 puzzle of the original experiment.
pub const FOUR: &str = include_str!("../../puzzles/original/4x4.txt");

/// A genetic algorithm on the 4x4 puzzle: six short runs.
pub const GENETIC: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 6
[budget]
evaluations = 240
[algorithm]
population = 12
";

/// Three islands on the 4x4 puzzle: six short runs.
pub const ISLANDS: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 6
[budget]
evaluations = 600
[algorithm]
name = \"islands\"
count = 3
interval = 60
[algorithm.island]
population = 6
";

/// The files whose bytes the configuration decides.
pub const DECIDED: [&str; 7] = [
    "runs.csv",
    "convergence.csv",
    "ledger.csv",
    "puzzles.csv",
    "manifest.json",
    "puzzles.jsonl",
    "checksums.txt",
];

/// A temporary folder with the puzzle and both configurations.
pub struct Lab(TempDir);

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// Standard error without the lines that say which files were written.
    pub fn complaints(&self) -> String {
        self.stderr.split_inclusive('\n').filter(|line| !line.starts_with("wrote ")).collect()
    }
}

impl Lab {
    pub fn new() -> Self {
        let lab = Self(tempfile::tempdir().expect("a temporary folder"));
        lab.write("4x4.txt", FOUR);
        lab.write("ga.toml", GENETIC);
        lab.write("islands.toml", ISLANDS);
        lab
    }

    /// A lab in which `python3` starts several times as fast, as tests start it a thousand times: the interpreter itself, not a
    /// script of the machine that looks for it, and without the packages that are installed. None where there is no Python.
    pub fn with_python() -> Option<Self> {
        static INTERPRETER: LazyLock<Option<String>> = LazyLock::new(|| {
            let found =
                Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
            String::from_utf8(found.stdout).ok()
        });
        let interpreter = INTERPRETER.as_ref()?;
        let lab = Self::new();
        // Elsewhere `python3` is the one of the machine.
        #[cfg(unix)]
        lab.program("python3", &format!("#!/bin/sh\nexec '{}' -S \"$@\"\n", interpreter.trim()));
        Some(lab)
    }

    /// Puts a program in `bin`, where commands of the lab find it first.
    #[cfg(unix)]
    pub fn program(&self, name: &str, text: &str) {
        let name = format!("bin/{name}");
        self.write(&name, text);
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(self.path(&name), executable).expect("made a program");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Waits, up to twenty seconds, until a program has written the first bytes of a file that is to appear complete.
    pub fn wait_for_a_draft(&self) {
        let is_draft = |entry: &fs::DirEntry| {
            let is_named = entry.file_name().to_string_lossy().ends_with(".part");
            is_named && entry.metadata().is_ok_and(|found| found.len() > 0)
        };
        for _ in 0..400 {
            if fs::read_dir(self.0.path()).expect("a folder").flatten().any(|entry| is_draft(&entry)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("a folder in the folder");
        fs::write(path, text).expect("a file in the folder");
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("valid text")
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Changes a file of text.
    pub fn change(&self, name: &str, change: impl FnOnce(String) -> String) {
        self.write(name, change(self.read(name)));
    }

    /// All files whose bytes the configuration decides, in a results folder.
    pub fn decided(&self, folder: &str) -> Vec<(&'static str, String)> {
        DECIDED.iter().map(|name| (*name, self.read(&format!("{folder}/{name}")))).collect()
    }

    /// Copies a results folder.
    pub fn copy(&self, from: &str, to: &str) {
        let _ = fs::remove_dir_all(self.path(to));
        for entry in fs::read_dir(self.path(from)).expect("a folder to copy") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name in text");
            self.write(&format!("{to}/{name}"), self.bytes(&format!("{from}/{name}")));
        }
    }

    /// The program, in the folder, with an environment in which it prints the same everywhere.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kenga"));
        command.current_dir(self.0.path()).args(args).stdin(Stdio::null());
        command.env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env_remove("COLUMNS").env_remove("TERM");
        // However slow the machine is.
        command.env("KENGA_PROGRESS", "0").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
        if self.path("bin").is_dir() {
            let others = std::env::var("PATH").unwrap_or_default();
            command.env("PATH", format!("{}:{others}", self.path("bin").display()));
        }
        command
    }

    pub fn kenga(&self, args: &[&str]) -> Ended {
        let output = self.command(args).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("valid text");
        let code = output.status.code().expect("an exit code");
        Ended { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// `kenga run` with these arguments; it ends well.
    pub fn run(&self, args: &[&str]) -> Ended {
        let ended = self.kenga(&[&["run"], args].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{args:?}\n{}", ended.stdout);
        ended
    }

    /// The summary of `kenga run --json`.
    pub fn summary(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.run(&[args, &["--json"]].concat()).stdout).expect("a JSON object")
    }

    /// `kenga validate` with these arguments, as JSON, with its exit code.
    pub fn validate(&self, args: &[&str]) -> (i32, Value) {
        let ended = self.kenga(&[&["validate", "--json"], args].concat());
        let object = serde_json::from_str(&ended.stdout);
        (ended.code, object.unwrap_or_else(|_| Value::String(ended.stderr)))
    }

    /// The fields of a row of a CSV file, by line from 0, the header.
    pub fn row(&self, name: &str, line: usize) -> Vec<String> {
        let text = self.read(name);
        text.lines().nth(line).expect("the line is there").split(',').map(str::to_owned).collect()
    }
}

/// Puts a value in place of another in a CSV text; lines and columns count from 0.
pub fn with_field(text: &str, line: usize, column: usize, value: &str) -> String {
    let change = |(index, row): (usize, &str)| {
        if index != line {
            return row.to_owned();
        }
        let mut fields: Vec<&str> = row.split(',').collect();
        fields[column] = value;
        fields.join(",")
    };
    text.lines().enumerate().map(change).map(|row| row + "\n").collect()
}

/// Compares with the snapshot of this name.
pub fn matches(name: &str, shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots/programs");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

/// The ledger of a results folder written anew, as somebody would who edits rows: it lists those that are there.
pub fn list_again(folder: &Path) {
    let Ok(ledger) = fs::read_to_string(folder.join("ledger.csv")) else { return };
    let header = ledger.split_inclusive('\n').next().unwrap_or_default();
    let columns: Vec<&str> = header.trim_end().split(',').collect();
    let mut files = Vec::new();
    for name in &columns[1..columns.len() - 1] {
        files.push(stored_rows(&folder.join(name)).into_iter().skip(1).collect::<Vec<_>>());
    }
    let mut runs: Vec<&String> = Vec::new();
    for (run, _) in files.last().expect("runs.csv is the last") {
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    let mut text = header.to_owned();
    for run in runs {
        let mut hash = crc32fast::Hasher::new();
        text += run;
        for rows in &files {
            let of_run = rows.iter().filter(|(of, _)| of == run);
            let bytes: Vec<u8> = of_run.flat_map(|(_, row)| row.clone()).collect();
            hash.update(&bytes);
            text += &format!(",{}", bytes.len());
        }
        text += &format!(",{:08x}\n", hash.finalize());
    }
    fs::write(folder.join("ledger.csv"), text).expect("the folder can be written");
}

/// The header and the rows of a plain file, or the members of a packed one, each with its run.
fn stored_rows(path: &Path) -> Vec<(String, Vec<u8>)> {
    let bytes = fs::read(path).unwrap_or_default();
    let mut rows: Vec<(String, Vec<u8>)> = Vec::new();
    let run = |row: &[u8]| String::from_utf8_lossy(row).split(',').next().unwrap_or_default().to_owned();
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (mut member, mut text) = (flate2::bufread::GzDecoder::new(rest), Vec::new());
            if std::io::Read::read_to_end(&mut member, &mut text).is_err() {
                break;
            }
            let left = member.into_inner();
            rows.push((run(&text), rest[..rest.len() - left.len()].to_vec()));
            rest = left;
        }
    } else {
        let mut is_quoted = false;
        let ends = |byte: &u8| {
            is_quoted ^= *byte == b'"';
            *byte == b'\n' && !is_quoted
        };
        rows = bytes.split_inclusive(ends).map(|row| (run(row), row.to_vec())).collect();
    }
    rows
}

/// Removes a run from all files of a results folder, as if it had never been made.
pub fn remove_run(folder: &Path, run: &str) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains(".csv") && name != "puzzles.csv" {
            let rows = stored_rows(&path).into_iter().filter(|(of, _)| of != run);
            let kept: Vec<u8> = rows.flat_map(|(_, row)| row).collect();
            fs::write(path, kept).expect("it can be written");
        }
    }
}

/// The checksums of a results folder written anew.
pub fn sum_again(folder: &Path) {
    let text = kenga::results::checksums(folder).expect("the files are there");
    fs::write(folder.join("checksums.txt"), text).expect("the folder can be written");
}

/// The ledger and the checksums of a results folder written anew.
pub fn forge_again(folder: &Path) {
    list_again(folder);
    sum_again(folder);
}

/// `kenga` with these words; it ends well.
pub fn well(lab: &Lab, line: &str) -> String {
    let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{line}\n{}", ended.stdout);
    ended.stdout
}

/// The words of an error without the breaks between its lines.
pub fn flat(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// `kenga` with these words; it is refused, and says why.
pub fn refused(lab: &Lab, line: &str) -> String {
    let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{line}\n{}", ended.stderr);
    flat(&ended.stderr)
}
