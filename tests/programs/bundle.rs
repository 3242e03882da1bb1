//! A study as one file: what is in it, and that its script repeats it.

use std::io::Read;
use std::path::Path;
use std::process::Command;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::lab::{GENETIC, Lab, flat};

fn swept() -> Lab {
    let lab = Lab::new();
    lab.write("sweep.toml", format!("{GENETIC}[sweep]\nalgorithm.mutation.rate = [0.02, 0.3]\n"));
    lab.run(&["--config", "sweep.toml", "--out", "sweep", "--quiet"]);
    lab
}

/// The files of an archive in order: name, whether it is a program, bytes.
fn unpacked(bytes: &[u8]) -> Vec<(String, bool, Vec<u8>)> {
    let archive = ZipArchive::from_slice(bytes).expect("a ZIP file");
    let mut entries = archive.entries();
    let mut files = Vec::new();
    while let Some(entry) = entries.next_entry().expect("an entry") {
        assert_eq!(entry.compression_method(), CompressionMethod::DEFLATE);
        let name = entry.file_path().try_normalize().expect("a plain path").as_str().to_owned();
        let is_program = entry.mode().value() & 0o111 != 0;
        let packed = archive.get_entry(entry.wayfinder()).expect("its bytes");
        let mut reader = packed.verifying_reader(DeflateDecoder::new(packed.data()));
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).expect("its checksum holds");
        files.push((name, is_program, bytes));
    }
    files
}

fn bundled(lab: &Lab, words: &[&str]) -> Vec<(String, bool, Vec<u8>)> {
    let ended = lab.kenga(&[&["bundle", "-o", "study.zip", "--force"], words].concat());
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""), "{}", ended.stderr);
    unpacked(&lab.bytes("study.zip"))
}

const SAID: [&str; 8] = [
    "--title",
    "It's \"one\"",
    "--author",
    "Lovelace, Ada",
    "--license",
    "CC-BY-4.0",
    "--date",
    "2026-11-23",
];

#[test]
fn the_same_folders_give_the_same_bytes_wherever_they_are() {
    let lab = swept();
    bundled(&lab, &["sweep"]);
    let first = lab.bytes("study.zip");
    let place = lab.path("far/away/sweep");
    std::fs::create_dir_all(place.parent().expect("a parent")).expect("folders");
    std::fs::rename(lab.path("sweep"), place).expect("moved");
    bundled(&lab, &["far/away/sweep/"]);
    assert!(first == lab.bytes("study.zip"), "another place, other bytes");
}

#[test]
fn everything_is_in_it_and_listed_with_its_checksum() {
    let lab = swept();
    let files = bundled(&lab, &[&["sweep"], &SAID[..]].concat());
    let names: Vec<&str> = files.iter().map(|file| &*file.0).collect();
    for name in [
        "README.md",
        "CITATION.cff",
        "versions.txt",
        "repeat.sh",
        "configs/sweep.toml",
        "report.html",
        "figures/convergence.svg",
        "figures/convergence.pdf",
        "figures/attainment.pdf",
        "tables/compare.tex",
        "results/sweep/runs.csv",
        "results/sweep/timing.csv",
        "results/sweep/checksums.txt",
        "ro-crate-metadata.json",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let (last, listed) = (files.last().expect("files"), &files[..files.len() - 1]);
    let line = |file: &(String, bool, Vec<u8>)| {
        let digest = Sha256::digest(&file.2);
        format!("{}  {}\n", digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), file.0)
    };
    assert_eq!(last.0, "checksums.txt");
    assert_eq!(String::from_utf8_lossy(&last.2), listed.iter().map(line).collect::<String>());
    let programs: Vec<&str> = files.iter().filter(|file| file.1).map(|file| &*file.0).collect();
    assert_eq!(programs, ["repeat.sh"]);
    for (name, _, bytes) in files.iter().filter(|file| !file.0.starts_with("figures")) {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(&*lab.path("").to_string_lossy()), "{name} holds a path");
        if let Some(own) = name.strip_prefix("results/sweep/") {
            assert!(*bytes == lab.bytes(&format!("sweep/{own}")), "{name} is as it is");
        }
    }
}

#[test]
fn metadata_name_every_file_and_what_was_said() {
    let lab = swept();
    let files = bundled(&lab, &[&["sweep"], &SAID[..]].concat());
    let text = |name: &str| {
        let file = files.iter().find(|file| file.0 == name).expect("a file");
        String::from_utf8(file.2.clone()).expect("text")
    };
    let metadata: Value = serde_json::from_str(&text("ro-crate-metadata.json")).expect("JSON");
    let graph = metadata["@graph"].as_array().expect("entities");
    let entity = |id: &str| graph.iter().find(|entity| entity["@id"] == id).unwrap_or_else(|| panic!("{id}"));
    let root = entity("./");
    assert_eq!((&root["datePublished"], &root["name"]), (&"2026-11-23".into(), &"It's \"one\"".into()));
    assert_eq!(root["license"]["@id"], "https://spdx.org/licenses/CC-BY-4.0");
    assert_eq!(entity("#author-1")["name"], "Ada Lovelace");
    for (name, _, bytes) in
        files.iter().filter(|file| !["checksums.txt", "ro-crate-metadata.json"].contains(&&*file.0))
    {
        assert_eq!(entity(name)["contentSize"], bytes.len().to_string(), "{name}");
    }
    // Every reference leads somewhere.
    let mut wanted = Vec::new();
    references(&metadata["@graph"], &mut wanted);
    for id in wanted.iter().filter(|id| !id.starts_with("https://w3id.org")) {
        entity(id);
    }
    assert!(text("CITATION.cff").contains("family-names: \"Lovelace\""));
    assert!(text("README.md").starts_with("# It's \"one\"\n"));
}

/// The ids that are referred to: objects with nothing else.
fn references(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(object) if object.len() == 1 && object.contains_key("@id") => {
            into.extend(object["@id"].as_str().map(str::to_owned));
        }
        Value::Object(object) => object.values().for_each(|value| references(value, into)),
        Value::Array(values) => values.iter().for_each(|value| references(value, into)),
        _ => {}
    }
}

/// Writes the files of an archive into a folder.
fn unpack(files: &[(String, bool, Vec<u8>)], folder: &Path) {
    for (name, _, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
}

/// Runs `repeat.sh` with this program.
fn repeated(folder: &Path, kenga: &str) -> (Option<i32>, String) {
    let ended = Command::new("sh").arg("repeat.sh").current_dir(folder).env("KENGA", kenga).output();
    let ended = ended.expect("a shell");
    let text = [ended.stdout, ended.stderr].concat();
    (ended.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[cfg(unix)]
#[test]
fn the_script_repeats_everything_and_sees_what_differs() {
    let lab = swept();
    lab.run(&["--config", "ga.toml", "--set", "algorithm.population=9", "--out", "one", "--quiet"]);
    let files = bundled(&lab, &[&["sweep", "one"], &SAID[..]].concat());
    let folder = lab.path("elsewhere");
    unpack(&files, &folder);
    let (code, text) = repeated(&folder, env!("CARGO_BIN_EXE_kenga"));
    let last = text.lines().rfind(|line| !line.starts_with("wrote "));
    assert_eq!((code, last), (Some(0), Some("all bytes are the same")), "{text}");
    let (code, text) = repeated(&folder, env!("CARGO_BIN_EXE_kenga"));
    assert!(code == Some(2) && text.contains("already exists"), "{text}");
    std::fs::remove_dir_all(folder.join("again")).expect("it was made");
    let (code, text) = repeated(&folder, "/bin/echo");
    assert!(code == Some(2) && text.contains("other versions"), "{text}");
    // What was changed along with its checksums is found by repeating it.
    let path = folder.join("results/sweep/checksums.txt");
    let sums = std::fs::read_to_string(&path).expect("it is there");
    let bad: String =
        sums.lines()
            .map(|line| {
                if line.ends_with("runs.csv") {
                    format!("{:0>64}  runs.csv\n", 0)
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
    std::fs::write(&path, &bad).expect("written");
    let (code, text) = repeated(&folder, env!("CARGO_BIN_EXE_kenga"));
    assert!(code == Some(1) && text.contains("the bundle was changed"), "{text}");
    std::fs::remove_dir_all(folder.join("again")).expect("it was made");
    let all = std::fs::read_to_string(folder.join("checksums.txt")).expect("it is there");
    let kept: String = all
        .lines()
        .filter(|line| !line.ends_with("sweep/checksums.txt"))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(folder.join("checksums.txt"), kept).expect("written");
    let (code, text) = repeated(&folder, env!("CARGO_BIN_EXE_kenga"));
    assert!(code == Some(1) && text.contains("results/sweep differs"), "{text}");
}

#[cfg(unix)]
#[test]
fn folders_of_any_name_repeat() {
    let lab = Lab::new();
    lab.write("short.toml", GENETIC.replace("replicates = 6", "replicates = 1"));
    lab.run(&["--config", "short.toml", "--out", "a", "--quiet"]);
    lab.run(&["--config", "short.toml", "--set", "seed=9", "--out", "b", "--quiet"]);
    std::fs::create_dir(lab.path("far")).expect("a folder");
    let (mut one, mut other) = (lab.path("a"), lab.path("b"));
    for name in ["my run", "é", "-x", "a'b", "$(touch made)", "new\nline"] {
        let (here, there) = (lab.path(name), lab.path("far").join(name));
        std::fs::rename(&one, &here).expect("moved");
        std::fs::rename(&other, &there).expect("moved");
        (one, other) = (here, there);
        let title = format!("--title={name}");
        let files = bundled(&lab, &[&title, &format!("./{name}"), &format!("far/{name}")]);
        let folder = lab.path("again here");
        unpack(&files, &folder);
        let (code, text) = repeated(&folder, env!("CARGO_BIN_EXE_kenga"));
        assert_eq!(code, Some(0), "{name:?}: {text}");
        assert!(!folder.join("made").exists(), "a name is never run");
        std::fs::remove_dir_all(folder).expect("it was made");
    }
}

#[test]
fn what_is_not_sound_is_refused() {
    let lab = swept();
    let refused = |words: &[&str]| {
        let ended = lab.kenga(&[&["bundle", "sweep"], words].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{words:?}");
        flat(&ended.stderr)
    };
    for (words, expected) in [
        (&["-o", "a.zip", "--date", "tomorrow"][..], "a day such as"),
        (&["-o", "a.zip", "--license", "my own"], "an identifier of SPDX"),
        (&["-o", "a.zip", "--author", " "], "a name"),
        (&["-o", "a.zip", "--author", "Lovelace, Ada (0000-0002-1825-0090)"], "is no ORCID"),
        (
            &[
                "-o",
                "a.zip",
                "--author",
                "A, B (0000-0002-1825-0097)",
                "--author",
                "C, D (0000-0002-1825-0097)",
            ],
            "two authors have the ORCID",
        ),
        (&["-o", "nowhere/a.zip"], "cannot write nowhere/a.zip"),
        (&["-o", "sweep.toml"], "already exists"),
        (&[], "--out"),
    ] {
        let text = refused(words);
        assert!(text.contains(expected), "{words:?}: {text}");
    }
    lab.change("sweep/convergence.csv", |text| text + "\n");
    assert!(refused(&["-o", "a.zip"]).contains("differs from its checksums"));
    std::fs::remove_file(lab.path("sweep/checksums.txt")).expect("it was there");
    assert!(refused(&["-o", "a.zip"]).contains("--unfinished"));
    assert!(!lab.path("a.zip").exists());
    let ended = lab.kenga(&["bundle", "sweep", "--unfinished", "-o", "a.zip"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let script =
        unpacked(&lab.bytes("a.zip")).into_iter().find(|file| file.0 == "repeat.sh").expect("a script");
    assert!(String::from_utf8_lossy(&script.2).contains("validate results/sweep --replay all"));
}
