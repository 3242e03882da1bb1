//! A folder is read as of one moment: `validate` refutes none that programs begin, extend, merge or tune meanwhile.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::lab::{GENETIC, Lab, well};

const TUNE: &str = "\
replicates = 2
algorithm = { name = \"genetic\", encoding = \"rows\", population = 20, mutation = { name = \"row_swap\", rate = 0.1 } }
puzzles = [\"4x4.txt\"]
budget = { evaluations = 60, moves = 1 }
[sweep]
\"algorithm.population\" = { from = 4, to = 30, scale = \"log\" }
[tune]
budget = 1_000
validate = [\"other.txt\"]
";

/// How often a folder of programs that extend is extended, before another one is begun.
const EXTENSIONS: usize = 20;

/// What programs write again and again, and the folder that is read meanwhile.
struct Writer<'a> {
    lab: &'a Lab,
    kind: &'static str,
    /// The folder that is written now, and perhaps the one before.
    folders: Mutex<Vec<String>>,
}

impl Writer<'_> {
    /// Writes one folder after the other until it is told to stop.
    fn write(&self, is_over: &AtomicBool) {
        for round in 0.. {
            let name = format!("{}-{round}", self.kind);
            let inside = match self.kind {
                "shards" => format!("{name}/shard-1-of-2"),
                _ => name.clone(),
            };
            self.folders.lock().expect("nobody panics with it").insert(0, inside);
            self.folders.lock().expect("nobody panics with it").truncate(2);
            for line in self.lines(&name, round) {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                well(self.lab, &line);
            }
        }
    }

    /// The commands that write a folder.
    fn lines(&self, name: &str, round: usize) -> Vec<String> {
        match self.kind {
            "begun" => vec![format!("run --config ga.toml --seed {round} --out {name} --quiet")],
            "extended" => {
                let more = |runs| format!("run --resume {name} --runs {runs} --quiet");
                let first = format!("run --config ga.toml --runs 1 --out {name} --quiet");
                std::iter::once(first).chain((2..EXTENSIONS).map(more)).collect()
            }
            "shards" => {
                let shard = |shard: &str| format!("sweep run plan.json --shard {shard} --out {name} --quiet");
                vec![shard("0/2"), shard("1/2")]
            }
            "merged" => vec![format!("sweep merge plan.json shards --out {name}")],
            _ => vec![format!("tune --config tune.toml --seed {round} --out {name} --quiet")],
        }
    }

    /// Reads one of the folders, if it has been begun: how `validate` ends.
    fn read(&self, number: usize) -> Option<i32> {
        let folders = self.folders.lock().expect("nobody panics with it").clone();
        let folder = folders.get(number % 2).or(folders.first())?;
        if !self.lab.path(folder).join("manifest.json").exists() {
            return None;
        }
        let ended = self.lab.kenga(&["validate", folder, "--replay", ["0", "2"][number % 2]]);
        let is_right = ended.code == 0 || ended.code == 3 && ended.stdout.contains("is being written");
        assert!(is_right, "{folder}: {} {}{}", ended.code, ended.stdout, ended.stderr);
        Some(ended.code)
    }
}

#[test]
fn no_folder_is_refuted_that_programs_write_meanwhile() {
    let lab = Lab::new();
    lab.write("ga.toml", GENETIC.replace("240", "60"));
    lab.write("tune.toml", TUNE);
    lab.write("other.txt", "4:b_a4_a_6aa,m6s1a6s1m4a3d2");
    well(&lab, "sweep plan --config ga.toml --pilot 0 -o plan.json");
    for shard in ["0/2", "1/2"] {
        well(&lab, &format!("sweep run plan.json --shard {shard} --out shards --quiet"));
    }
    let reads = kenga_testing::size(3, 200);
    let mut codes = BTreeMap::new();
    for kind in ["begun", "extended", "shards", "merged", "tuned"] {
        let writer = Writer { lab: &lab, kind, folders: Mutex::default() };
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| writer.write(&is_over));
            // A reader that panics ends the writer too.
            let reader = scope.spawn(|| {
                let mut read = 0;
                for number in 0.. {
                    if read == reads {
                        break;
                    }
                    match writer.read(number) {
                        Some(code) => {
                            *codes.entry((kind, code)).or_insert(0) += 1;
                            read += 1;
                        }
                        None => thread::sleep(Duration::from_millis(2)),
                    }
                }
            });
            let ended = reader.join();
            is_over.store(true, Ordering::Relaxed);
            ended.expect("no folder is refuted");
        });
    }
    println!("{codes:?}");
}
