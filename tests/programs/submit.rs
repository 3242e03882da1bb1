//! Plans that are submitted to an engine, which a program in its place plays.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::lab::{Ended, Lab, refused, well};

/// A Slurm that makes the tasks at once, in their order, and notes what it was told.
const SBATCH: &str = r#"#!/bin/sh
for script; do :; done
echo "$@" >> told.txt
last=$(sed -n 's/^#SBATCH --array=0-\([0-9]*\).*/\1/p' "$script")
for task in $(seq 0 "${last:-0}"); do
    [ -n "$last" ] && export SLURM_ARRAY_TASK_ID="$task"
    sh "$script" >> log.txt 2>&1
done
wc -l < told.txt
"#;

/// A Slurm whose queue has the jobs in a file.
const SQUEUE: &str = "#!/bin/sh\n[ -e queued.txt ] && cat queued.txt\n";

fn lab() -> Lab {
    let lab = Lab::new();
    with_slurm(&lab);
    well(&lab, "sweep plan --config ga.toml --pilot 0 -o plan.json");
    lab
}

/// Puts a Slurm in a folder.
pub fn with_slurm(lab: &Lab) {
    lab.program("sbatch", SBATCH);
    lab.program("squeue", SQUEUE);
}

/// `kenga sweep submit` where there is a Slurm.
pub fn submit(lab: &Lab, words: &str) -> Ended {
    let args: Vec<&str> = ["sweep", "submit"].into_iter().chain(words.split_whitespace()).collect();
    lab.kenga(&args)
}

#[test]
fn what_is_submitted_again_is_what_is_missing() {
    let lab = lab();
    well(&lab, "sweep run plan.json --out whole --quiet");
    let first = submit(&lab, "plan.json --to slurm --shards 4 -o big --option time=1h");
    assert_eq!(first.stderr, "");
    assert_eq!(first.stdout, "job 1: 4 shards in big\njob 2: merges them to big/merged\n");
    for file in ["runs.csv", "convergence.csv", "manifest.json", "checksums.txt"] {
        assert_eq!(lab.read(&format!("big/merged/{file}")), lab.read(&format!("whole/{file}")), "{file}");
    }
    let nothing = submit(&lab, "plan.json --to slurm -o big");
    assert_eq!(nothing.stdout, "nothing to submit: 4 shards have ended, merged in big/merged\n");
    assert_eq!((nothing.code, lab.read("told.txt").lines().count()), (0, 2));

    // Two are lost, one of them but for its beginning.
    fs::remove_dir_all(lab.path("big/merged")).expect("removed");
    fs::remove_dir_all(lab.path("big/shards/shard-1-of-4")).expect("removed");
    let runs = lab.read("big/shards/shard-3-of-4/runs.csv");
    lab.write("big/shards/shard-3-of-4/runs.csv", &runs[..runs.len() - 9]);
    fs::remove_file(lab.path("big/shards/shard-3-of-4/checksums.txt")).expect("removed");
    let status = lab.kenga(&["sweep", "status", "big/shards"]);
    assert!(status.stdout.contains("4 shards: 2 finished, 1 unfinished, 1 missing"), "{}", status.stdout);
    let again = submit(&lab, "plan.json --to slurm -o big");
    assert_eq!(
        again.stdout, "job 3: 2 shards in big\njob 4: merges them to big/merged\n",
        "{}",
        again.stderr
    );
    let script = lab.read("big/shards.sbatch");
    assert!(
        script.contains("--array=0-1\n") && script.contains("\n0) shard=1 ;;\n1) shard=3 ;;\n"),
        "{script}"
    );
    assert_eq!(lab.read("big/merged/runs.csv"), lab.read("whole/runs.csv"));
    assert_eq!(lab.kenga(&["sweep", "status", "big/shards"]).code, 0);

    fs::remove_dir_all(lab.path("big/merged")).expect("removed");
    let unmerged = submit(&lab, "plan.json --to slurm -o big").stdout;
    let help = "merge them with: kenga sweep merge plan.json big/shards --out big/merged\n";
    assert_eq!(unmerged, format!("nothing to submit: 4 shards have ended\n{help}"));
}

#[test]
fn options_are_asked_again_and_a_failed_run_is_merged() {
    let lab = Lab::new();
    with_slurm(&lab);
    // Every program fails once it is asked for a second run.
    lab.write(
        "programs/search.sh",
        "read greeting\n[ -e failed ] || { : > failed; exit 3; }\necho '{\"evaluate\":[[1,1,2,1]]}'\nread answer\necho '{\"stop\":true}'\nread answer\n",
    );
    lab.write(
        "2x2.json",
        r#"{"id":"p","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[1,0]]},{"op":"+","target":3,"cells":[[0,1],[1,1]]}]}"#,
    );
    lab.write(
        "own.toml",
        "puzzles = ['2x2.json']\nreplicates = 4\nbudget.evaluations = 5\nalgorithm = { name = 'program', command = ['sh', 'search.sh'] }\n",
    );
    well(&lab, "sweep plan own.toml --pilot 0 -o plan.json");
    let words =
        "plan.json --to slurm --shards 2 -o big --programs programs --option memory=2G --option=--gres=gpu:1";
    let shown = submit(&lab, &format!("{words} --dry-run")).stdout;
    assert!(shown.contains("--dependency=afterany:JOB") && shown.contains("sbatch --parsable /"), "{shown}");
    assert!(!lab.path("big").exists());
    assert_eq!(submit(&lab, words).code, 0);
    // One run has failed, and all are merged.
    assert_eq!(lab.read("big/merged/failures.csv").lines().count(), 2);
    let log = lab.read("log.txt");
    assert!(log.contains("ended with 1 ") && log.contains("The program of 1 run failed"), "{log}");
    fs::remove_dir_all(lab.path("big/shards/shard-0-of-2")).expect("removed");
    assert_eq!(submit(&lab, "plan.json --to slurm -o big --option mem=3G --option gres=gpu:2").code, 0);
    let script = lab.read("big/shards.sbatch");
    for asked in ["--mem=3072M\n", "--gres=gpu:2\n", "/programs"] {
        assert!(
            script.contains(asked) && !script.contains("2048") && !script.contains("gpu:1"),
            "{asked}: {script}"
        );
    }
}

#[test]
fn a_shard_that_is_being_written_is_not_sent() {
    let lab = lab();
    submit(&lab, "plan.json --to slurm --shards 3 -o big");
    fs::remove_dir_all(lab.path("big/shards/shard-0-of-3")).expect("removed");
    let ledger = lab.path("big/shards/shard-2-of-3/ledger.csv");
    let lock = fs::File::open(&ledger).expect("a file");
    lock.lock().expect("locked");
    let said = submit(&lab, "plan.json --to slurm -o big");
    assert!(said.stdout.contains("1 shard in big\n"), "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.ends_with("left out, because a program writes them now: 1 shard; submit again later\n")
    );
    assert!(lab.read("big/shards.sbatch").contains(" --shard 0/3 &\n"));
    let said = submit(&lab, "plan.json --to slurm -o big").stdout;
    let expected = "nothing to submit: of 3 shards 1 are being written now, and the others have ended\n";
    assert_eq!(said, expected);
}

#[test]
fn tasks_that_wait_are_not_sent_twice() {
    let lab = lab();
    submit(&lab, "plan.json --to slurm --shards 3 -o big");
    fs::remove_dir_all(lab.path("big/shards/shard-0-of-3")).expect("removed");
    lab.write("queued.txt", "1_[0] PD\n");
    let said = submit(&lab, "plan.json --to slurm -o big");
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("job 1 still waits or runs"), "{}", said.stderr);
    assert_eq!(submit(&lab, "plan.json --to slurm -o big --force").code, 0);
}

#[test]
fn what_cannot_be_submitted_is_refused() {
    let lab = lab();
    let none = submit(&lab, "plan.json --to slurm -o big");
    assert!(none.stderr.contains("big has no shards yet") && none.code == 2, "{}", none.stderr);
    submit(&lab, "plan.json --to slurm --shards 3 -o big");
    let other = submit(&lab, "plan.json --to slurm --shards 4 -o big");
    assert!(other.stderr.contains("big has shards of 3, not of 4"), "{}", other.stderr);
    well(&lab, "sweep plan --config ga.toml --seed 9 --pilot 0 -o other.json");
    let other = submit(&lab, "other.json --to slurm -o big");
    assert!(other.stderr.contains("plan: `seed` is 3, not 9"), "{}", other.stderr);
    let unknown = submit(&lab, "plan.json --to slurm -o big --option partion=x");
    assert!(unknown.stderr.contains("did you mean `partition`?"), "{}", unknown.stderr);
    let condor = refused(&lab, "sweep submit plan.json --to condor --shards 2 -o new");
    assert!(condor.contains("slurm, sge, lsf, pbs, torque, parallel, kubernetes"), "{condor}");
    let needs = submit(&lab, "plan.json --to kubernetes --shards 2 -o new");
    assert!(needs.stderr.contains("kubernetes needs --option container=VALUE"), "{}", needs.stderr);
}

#[test]
fn more_replicates_are_missing_too() {
    let lab = lab();
    submit(&lab, "plan.json --to slurm --shards 3 -o big");
    fs::remove_dir_all(lab.path("big/merged")).expect("removed");
    well(&lab, "sweep plan --config ga.toml --runs 9 --pilot 0 -o more.json");
    let said = submit(&lab, "more.json --to slurm -o big");
    assert!(said.stdout.contains(": 3 shards in big\n"), "{}{}", said.stdout, said.stderr);
    assert_eq!(lab.read("big/merged/runs.csv").lines().count(), 10);
}

#[test]
fn scripts_of_an_engine_without_a_queue_run_by_themselves() {
    let lab = lab();
    let said = submit(&lab, "plan.json --to parallel --shards 3 -o big");
    let begin = "3 shards in big\nrun them with: sh /";
    let is_told = said.stdout.starts_with(begin) && said.stdout.ends_with("/big/merge.sh\n");
    assert!(is_told, "{}{}", said.stdout, said.stderr);
    // In its place one that makes a task after the other.
    let parallel = "#!/bin/sh\nfor last; do :; done\nwhile read -r item; do\n  sh -c \"$(printf %s \"$last\" | sed \"s/{}/$item/\")\"\ndone\n";
    lab.write("bin/parallel", parallel);
    fs::set_permissions(lab.path("bin/parallel"), fs::Permissions::from_mode(0o755)).expect("made a program");
    let path = format!("{}:{}", lab.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    for script in ["big/shards.sh", "big/merge.sh"] {
        let mut shell = Command::new("sh");
        shell.arg(lab.path(script)).current_dir("/").env("PATH", &path).stdin(Stdio::null());
        let ended = shell.output().expect("a shell");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    well(&lab, "sweep run plan.json --out whole --quiet");
    assert_eq!(lab.read("big/merged/runs.csv"), lab.read("whole/runs.csv"));
}

/// What would be submitted to an engine, with these options.
fn shown(lab: &Lab, engine: &str, options: &[&str]) -> Ended {
    let mut args =
        vec!["sweep", "submit", "plan.json", "--to", engine, "--shards", "3", "-o", "big", "--dry-run"];
    let options: Vec<String> = options.iter().map(|option| format!("--option={option}")).collect();
    args.extend(options.iter().map(String::as_str));
    lab.kenga(&args)
}

#[test]
fn options_of_an_engine_itself_are_passed_on() {
    let lab = lab();
    for (engine, given, line) in [
        ("slurm", "gres=gpu:1", "#SBATCH --gres=gpu:1\n"),
        ("slurm", "--nice=5", "#SBATCH --nice=5\n"),
        ("sge", "-l=os=linux", "#$ -l os=linux\n"),
        ("sge", "environment=mpi", "#$ -pe mpi 1\n"),
        ("lsf", "-U=reserved", "#BSUB -U reserved\n"),
        ("parallel", "--retries=2", " --retries=2 "),
    ] {
        let text = shown(&lab, engine, &[given]).stdout;
        assert!(text.contains(line), "{given}: {text}");
        for injected in ["--a b=1", "--x=$(id)", "--=1", "x;id=1", "-x=-y"] {
            assert_eq!(shown(&lab, engine, &[injected]).code, 2, "{injected}");
        }
    }
    let pods = shown(&lab, "kubernetes", &["container=x", "claim=y", "--nice=5"]);
    assert!(pods.stderr.contains("kubernetes has no option `--nice`"), "{}", pods.stderr);
}

#[test]
fn hosts_share_a_throttle_and_load_modules_each() {
    let text = shown(&lab(), "parallel", &["hosts=a,b,c", "throttle=2", "modules=gcc"]).stdout;
    assert!(text.contains(" --sshlogin 1/a --sshlogin 1/b ") && !text.contains("/c "), "{text}");
    let (shards, _) = text.split_once("merge.sh").expect("two scripts");
    assert!(
        !shards.contains("--jobs 2")
            && shards.contains("'type module ")
            && shards.contains("module load gcc || exit 1; "),
        "{shards}"
    );
}

#[test]
fn a_log_says_how_a_task_ended_and_a_module_that_is_missing_ends_it() {
    let lab = lab();
    let text = shown(&lab, "slurm", &["modules=gcc"]).stdout;
    let (script, _) = text.split_once("\n# /").expect("two scripts");
    let at = script.find(" sweep run ").expect("the program");
    let program = script[..at].rsplit('\n').next().expect("its line");
    let script = script.replace(program, "kenga");
    let run = |kenga: &str, module: &str| {
        lab.program("kenga", &format!("#!/bin/sh\n{kenga}\n"));
        lab.program("module", &format!("#!/bin/sh\n{module}\n"));
        let path = format!("{}:{}", lab.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        let ended = shell.args(["-c", &script]).env("PATH", path).env("SLURM_ARRAY_TASK_ID", "1").output();
        let ended = ended.expect("a shell");
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    };
    let (code, log) = run("kill -s KILL $$", "");
    assert!(
        log.contains("shard 1/3 on ") && log.contains(": begins") && log.contains("ended with 137"),
        "{log}"
    );
    assert_eq!(code, Some(137));
    // The signal is for the shell, and reaches the program, which ends in good order.
    let (code, log) = run("trap 'exit 143' TERM\nkill -s TERM $PPID\nwhile :; do sleep 0.01; done", "");
    assert_eq!((code, log.contains("ended with 143")), (Some(143), true), "{log}");
    assert_eq!(run("exit 0", "exit 1"), (Some(1), String::new()));
}
