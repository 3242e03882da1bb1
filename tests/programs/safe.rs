//! What is there is not lost: files that are in the way, edited folders, merges that were cut, runs that would count twice.

use crate::lab::{self, Lab, well};

const SWEEP: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 4
[budget]
evaluations = 240
[sweep]
\"algorithm.mutation.rate\" = [0.02, 0.1]
";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP);
    well(&lab, "run --config sweep.toml --out o --quiet");
    lab
}

/// `kenga` with these words is refused and says so in words that have `said`.
fn refused(lab: &Lab, line: &str, said: &str) {
    let text = lab::refused(lab, line);
    assert!(text.contains(said), "{line}: {text}");
}

#[test]
fn a_file_in_the_way_is_not_overwritten() {
    let lab = lab();
    let runs = lab.read("o/runs.csv");
    refused(&lab, "report o -o o/runs.csv", "already exists");
    refused(&lab, "sweep plan --config sweep.toml -o sweep.toml", "sweep.toml exists and is not a plan");
    refused(&lab, "export o --to csv -o sweep.toml", "already exists");
    assert_eq!((lab.read("o/runs.csv"), lab.read("sweep.toml")), (runs, SWEEP.to_owned()));
    // What kenga has written it may write anew.
    well(&lab, "report o -o o.html --figures figures --title One");
    well(&lab, "report o -o o.html --figures figures --title Two");
    assert!(lab.read("o.html").contains("<title>Two"));
    well(&lab, "sweep plan --config sweep.toml -o plan.json");
    well(&lab, "sweep plan --config sweep.toml -o plan.json");
    refused(&lab, "sweep plan --config sweep.toml --seed 9 -o plan.json", "plan.json is another plan");
    well(&lab, "sweep run plan.json --out from-plan --quiet");
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_by_every_command_and_its_file_stays() {
    let lab = lab();
    lab.write("mine.txt", "mine");
    let commands = [
        "report o --force -o link",
        "report o --force -o page.html --figures figures",
        "export o --to csv --force -o link",
        "bundle o --force -o link",
        "plot o --trajectories link.svg --id 4x4 --force",
        "draw 4x4.txt --force -o link.svg",
        "features 4x4.txt --force -o link",
        "transform 4x4.txt --rotate 90 --force -o link",
        "canonical 4x4.txt --force -o link",
        "convert 4x4.txt --to json --force -o link",
        "explain 4x4.txt --force -o link.html",
        "generate --kind kenken --size 4 --count 1 --force -o link",
        "sweep plan --config sweep.toml --force -o link",
        "solve 4x4.txt --animate link.gif --force",
        "man pages --force",
    ];
    // Every day every third.
    for command in commands.into_iter().step_by(kenga_testing::size(3, 1)) {
        let link = match command {
            "report o --force -o page.html --figures figures" => "figures/convergence.svg",
            "man pages --force" => "pages/kenga.1",
            _ => command.split(' ').find(|word| word.starts_with("link")).expect("a link"),
        };
        let path = lab.path(link);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink(lab.path("mine.txt"), &path).expect("a link");
        let unforced = lab.kenga(&command.split(' ').filter(|word| *word != "--force").collect::<Vec<_>>());
        assert_eq!(
            (unforced.code, lab.read("mine.txt").as_str()),
            (2, "mine"),
            "{command}: {}",
            unforced.stderr
        );
        let ended = lab.kenga(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, 0, "{command}: {}", ended.stderr);
        let is_file = path.symlink_metadata().expect("it is there").is_file();
        assert!(is_file && lab.read("mine.txt") == "mine", "{command}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_take_the_text_and_drafts_of_the_killed_go() {
    let lab = lab();
    let made = std::process::Command::new("mkfifo").arg(lab.path("pipe")).status().expect("mkfifo is there");
    assert!(made.success());
    let reader = std::thread::spawn({
        let path = lab.path("pipe");
        move || std::fs::read_to_string(path).expect("text")
    });
    well(&lab, "report o -o pipe --title Piped");
    assert!(reader.join().expect("it ends").contains("<title>Piped"));
    let draft = |name: &str| format!(".kenga-{name}.abc123.part");
    for name in ["a.zip", "a.csv", "a.jsonl", "other"] {
        lab.write(&draft(name), "left");
    }
    assert_eq!(lab.kenga(&["bundle", "o", "-o", "a.zip"]).code, 0);
    well(&lab, "export o --to csv -o a.csv");
    well(&lab, "generate --kind kenken --size 4 --count 1 -o a.jsonl");
    let left = ["a.zip", "a.csv", "a.jsonl", "other"].map(|name| lab.path(&draft(name)).exists());
    assert_eq!(left, [false, false, false, true]);
}

#[test]
fn an_edited_folder_is_not_continued() {
    let lab = lab();
    lab.change("o/runs.csv", |text| text.replacen("evaluations,,", "generations,,", 1));
    let edited = lab.read("o/runs.csv");
    refused(&lab, "run --config sweep.toml --out o --resume --quiet", "runs.csv in o has changed");
    refused(&lab, "run --config sweep.toml --out o --resume --runs 9 --quiet", "runs.csv in o has changed");
    assert_eq!(lab.read("o/runs.csv"), edited);
    assert_eq!(lab.kenga(&["validate", "o"]).code, 1);
}

#[test]
fn a_row_taken_out_of_the_middle_is_no_lost_end() {
    for every in ["1", "0"] {
        let lab = Lab::new();
        lab.write("sweep.toml", format!("{SWEEP}[record]\nevery = {every}\n"));
        well(&lab, "run --config sweep.toml --out o --quiet");
        lab.change("o/runs.csv", |text| {
            text.lines().filter(|row| !row.starts_with("3,")).map(|row| format!("{row}\n")).collect()
        });
        let before = ["runs.csv", "convergence.csv", "timing.csv"].map(|name| lab.read(&format!("o/{name}")));
        for runs in ["", " --runs 9"] {
            let line = format!("run --config sweep.toml --out o --resume --quiet{runs}");
            refused(&lab, &line, "runs.csv in o has changed");
        }
        let after = ["runs.csv", "convergence.csv", "timing.csv"].map(|name| lab.read(&format!("o/{name}")));
        assert_eq!(before, after);
    }
}

#[test]
fn what_is_not_ours_stays() {
    let lab = lab();
    well(&lab, "sweep plan --config sweep.toml -o plan.json");
    well(&lab, "sweep run plan.json --shard 0/1 --out in --quiet");
    let make = |folder: &str| std::fs::create_dir(lab.path(folder)).expect("a folder");
    for draft in ["keep.part", ".keep.1.part"] {
        make(draft);
        lab.write(&format!("{draft}/thesis.txt"), "mine");
    }
    well(&lab, "sweep merge plan.json in --out keep");
    for draft in ["keep.part", ".keep.1.part"] {
        assert_eq!(lab.read(&format!("{draft}/thesis.txt")), "mine");
    }
    make("data");
    lab.write("data/puzzles.jsonl", "mine");
    refused(&lab, "run --config sweep.toml --out data --quiet", "data is not empty");
    assert_eq!(lab.read("data/puzzles.jsonl"), "mine");
    make("img");
    lab.write("img/success.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>");
    refused(&lab, "report o -o o.html --figures img", "img/success.svg already exists");
    // An empty folder is as good as none, however it is written.
    make("empty");
    well(&lab, "sweep merge plan.json in --out empty/");
    assert_eq!(lab.read("empty/checksums.txt"), lab.read("o/checksums.txt"));
}

#[test]
fn a_merge_that_was_cut_is_made_again() {
    let lab = lab();
    well(&lab, "sweep plan --config sweep.toml -o plan.json");
    well(&lab, "sweep run plan.json --shard 0/1 --out in --quiet");
    lab.copy("in/shard-0-of-1", ".merged.x1y2z3.part");
    lab.write(".merged.x1y2z3.part/.kenga-lock", "");
    well(&lab, "sweep merge plan.json in --out merged");
    assert_eq!(lab.read("merged/checksums.txt"), lab.read("o/checksums.txt"));
    assert!(!lab.path(".merged.x1y2z3.part").exists());
    refused(&lab, "sweep merge plan.json in --out merged", "merge to another folder");
    refused(&lab, "sweep merge plan.json in --out plan.json", "already exists");
    refused(&lab, "run --config sweep.toml --out plan.json", "is a file, not a folder");
}

#[test]
fn runs_do_not_count_double() {
    let lab = lab();
    lab.copy("o", "copy");
    for line in ["compare o o", "compare o copy", "report o copy -o twice.html", "export o copy --to csv"] {
        refused(&lab, line, "would count twice");
    }
    // Other runs of the same settings are not the same runs.
    well(&lab, "sweep plan --config sweep.toml -o plan.json");
    for shard in ["0/3", "1/3"] {
        well(&lab, &format!("sweep run plan.json --shard {shard} --out in --quiet"));
    }
    let ended = lab.kenga(&["compare", "in/shard-0-of-3", "in/shard-1-of-3"]);
    let note = |shard: &str| {
        format!("in/shard-{shard}-of-3 is shard {shard}/3: the runs of the other shards do not count\n")
    };
    assert_eq!((ended.code, ended.stderr), (0, note("0") + &note("1")));
    well(&lab, "run --config sweep.toml --seed 4 --out other --quiet");
    well(&lab, "compare o other");
}

#[test]
fn puzzles_of_one_id_are_one_puzzle() {
    let lab = lab();
    let puzzle = |target: u64| {
        format!(
            "{{\"id\":\"p\",\"size\":2,\"cages\":[{{\"op\":\"+\",\"target\":{target},\"cells\":[[0,0],[0,1],[1,0],[1,1]]}}]}}\n"
        )
    };
    for (name, target) in [("a", 6), ("b", 7)] {
        lab.write(&format!("{name}.jsonl"), puzzle(target));
        well(&lab, &format!("run --config sweep.toml --puzzle {name}.jsonl --out {name} --quiet"));
    }
    refused(&lab, "compare a b", "puzzle p of b differs from that of a");
    refused(&lab, "report a b -o both.html", "puzzle p of b differs from that of a");
}

#[test]
fn settings_that_contradict_themselves_are_refused() {
    let lab = lab();
    lab.change("o/settings.jsonl", |text| text.replacen("rate\":0.02}", "rate\":0.03}", 1));
    refused(&lab, "validate o", "settings.jsonl: line 1: `algorithm.mutation.rate` is swept as 0.03");
    well(&lab, "sweep plan --config sweep.toml -o plan.json");
    lab.change("plan.json", |text| text.replacen("\"format\": 2", "\"format\": 1", 1));
    refused(&lab, "sweep run plan.json --out p", "plan.json: format 1, this program reads format 2");
}

#[test]
fn results_of_some_of_the_puzzles_say_so() {
    let lab = Lab::new();
    let line = "run --config ga.toml --puzzle 4x4.txt --puzzle nowhere.txt --out o --quiet";
    let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(ended.code, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("nowhere.txt"), "{}", ended.stderr);
    assert!(ended.stderr.contains("some puzzles could not be read"), "{}", ended.stderr);
    assert_eq!(lab.validate(&["o"]).0, 0);
}
