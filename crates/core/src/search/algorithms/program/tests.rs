//! Programs that keep to the protocol, and programs that do not: shell scripts on a 2x2.
#![cfg(unix)]

use std::fs;

use super::*;
use crate::budget::{Budget, Interrupt, is_possible_cpu_s};
use crate::fitness::{CageMeasure, Fitness, Weights};
use crate::problem::Problem;
use crate::puzzle::{Cage, Square, operators};
use crate::rng::StreamKey;
use crate::search::algorithms::recipe;
use crate::search::algorithms::setup::resolved;
use crate::search::programs::Programs;
use crate::search::{RunOutcome, run};
use crate::spec::Value;

/// Asks for two wrong genomes.
const ASK: &str = r#"echo '{"evaluate":[[1,1,2,1],[2,2,1,1]]}'; read answer; "#;

/// A script as a program, in a folder of its own.
struct Stage {
    folder: tempfile::TempDir,
    programs: Arc<Programs>,
    budget: Budget,
    guard: Guard,
    keys: Vec<(&'static str, Value)>,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let programs = Arc::new(Programs::new(Some(folder.path().to_owned()), Vec::new()));
        let budget = Budget { evaluations: Some(10), ..Budget::default() };
        Self { folder, programs, budget, guard: Guard::default(), keys: Vec::new() }
    }

    fn with(mut self, key: &'static str, value: Value) -> Self {
        self.keys.push((key, value));
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// How a run of a script ends on two columns of sum 3, and why it failed if it did.
    fn play(&self, script: &str) -> (RunOutcome, Option<Failure>) {
        let text = |text: &str| Value::Text(text.to_owned());
        let command = Value::List(["sh", "-c", script].map(text).to_vec());
        let keys: Vec<(&str, Value)> = [("command", command)].into_iter().chain(self.keys.clone()).collect();
        let spec = resolved(ENTRY.member().name, &keys);
        let plus = operators::find("+").expect("a known operator");
        let column = |column: usize| Cage::new(plus, 3, vec![(0, column), (1, column)]);
        let puzzle = Square::kenken(2, vec![column(0), column(1)]).build().expect("a sound puzzle");
        let fitness = Fitness::new(Problem::compile(&puzzle), Weights::ORIGINAL, CageMeasure::Binary);
        let fitness = Arc::new(fitness.expect("small weights"));
        let key = StreamKey::run(1, "", 0);
        let task = Task::new(fitness, key, self.budget, self.guard.clone());
        let task = Task { programs: Arc::clone(&self.programs), ..task };
        let mut algorithm = recipe(&spec).expect("a command").start(&task).expect("any puzzle has cells");
        let outcome = run(&mut *algorithm, &mut ());
        (outcome, algorithm.details().failure().cloned())
    }

    /// Why a run of a script failed.
    fn reason(&self, script: &str) -> String {
        let (outcome, failure) = self.play(script);
        assert_eq!(outcome.stop, StopReason::Failed, "{script}");
        failure.expect("a failed run says why").reason
    }
}

#[test]
fn genomes_are_evaluated_as_far_as_the_budget_reaches() {
    let stage = Stage { budget: Budget { evaluations: Some(3), ..Budget::default() }, ..Stage::new() };
    let script = r#"read greeting; echo "$greeting" > greeting
        echo '{"evaluate":[[1,1,2,1],"2211"],"terms":true}'; read answer; echo "$answer" > first
        echo '{"evaluate":[[1,1,1,1],[1,2,2,1]]}'; read answer; echo "$answer" > second"#;
    let (outcome, failure) = stage.play(script);
    assert_eq!((outcome.stop, outcome.spent.evaluations, failure), (StopReason::Evaluations, 3, None));
    assert_eq!((outcome.best.fitness, outcome.best.at.evaluations), (2, 2));
    assert_eq!(
        stage.read("first").trim(),
        r#"{"fitness":[14,2],"terms":[[2,1,1,0,1,0],[0,2,0,0,0,0]],"left":1}"#
    );
    assert_eq!(stage.read("second").trim(), r#"{"fitness":[28],"left":0,"done":"evaluations"}"#);
    let greeting = stage.read("greeting");
    for part in [
        r#""protocol":1,"#,
        r#""encoding":"cells","genes":4,"cells":[[0,0],[0,1],[1,0],[1,1]],"#,
        r#""candidates":[[1,2],[1,2],[1,2],[1,2]],"fitness""#,
        r#""budget":{"evaluations":3,"generations":null},"options":{}}"#,
    ] {
        assert!(greeting.contains(part), "{part} in {greeting}");
    }
}

#[test]
fn a_cpu_time_beyond_what_the_clock_allows_fails_the_run() {
    for told in ["1e300", "1e12", "6e4"] {
        let script = format!(r#"read greeting; echo '{{"evaluate":["1121"],"cpu_s":{told}}}'; read answer"#);
        let reason = Stage::new().reason(&script);
        assert!(reason.ends_with(": the run is too short for so many seconds of CPU time"), "{reason}");
    }
    // A folder, of whatever machines, may have as much: its bound is wider, and its end.
    assert!(is_possible_cpu_s(6e4, 0.0) && !is_possible_cpu_s(7e4, 0.0));
    let script = r#"read greeting; echo '{"evaluate":["1121"],"cpu_s":2.5}'; read answer"#;
    assert_eq!(Stage::new().play(script).1, None);
}

#[test]
#[cfg(target_os = "linux")]
fn children_in_sessions_of_their_own_end_with_the_run() {
    let beat = "while :; do echo beat >> beats; sleep 0.02; done";
    let solve = r#"echo '{"evaluate":["1221"]}'; read answer"#;
    // The child of a program, and one whose parent has ended.
    for leave in ["setsid sh beat >/dev/null 2>&1 &", "(setsid sh beat >/dev/null 2>&1 &)"] {
        for end in [solve, "exit 3"] {
            let stage = Stage::new();
            fs::write(stage.folder.path().join("beat"), beat).expect("a script");
            stage.play(&format!("read greeting; {leave}\nuntil [ -s beats ]; do sleep 0.01; done\n{end}"));
            let then = stage.read("beats");
            std::thread::sleep(std::time::Duration::from_millis(150));
            assert!(!then.is_empty() && stage.read("beats") == then, "{leave} {end}");
        }
    }
}

#[test]
fn a_solution_ends_a_batch_and_the_run() {
    let stage = Stage::new();
    let script = r#"read greeting; echo '{"evaluate":[[1,1,2,1],[1,2,2,1],[1,1,1,1]]}'; read answer; echo "$answer" > answer"#;
    let (outcome, _) = stage.play(script);
    assert_eq!((outcome.stop, outcome.spent.evaluations, outcome.best.fitness), (StopReason::Solved, 2, 0));
    assert_eq!(stage.read("answer").trim(), r#"{"fitness":[14,0],"left":8,"done":"solved"}"#);
}

#[test]
fn populations_are_generations() {
    let budget = Budget { generations: Some(1), ..Stage::new().budget };
    let stage = Stage { budget, ..Stage::new() };
    let log =
        r#"echo '{"population":[[1,1,2,1],[2,2,1,1]]}'; read answer || exit; echo "$answer" >> answers; "#;
    let (outcome, _) = stage.play(&format!("read greeting; {ASK} {log} {log} {log}"));
    assert_eq!((outcome.stop, outcome.spent.generations), (StopReason::Generations, 1));
    assert_eq!(stage.read("answers"), "{\"generation\":0}\n{\"generation\":1,\"done\":\"generations\"}\n");
}

#[test]
fn a_program_may_give_up() {
    for script in [format!("{ASK} echo '{{\"stop\":true}}'; read answer"), format!("{ASK} exit 0")] {
        let (outcome, failure) = Stage::new().play(&format!("read greeting; {script}"));
        assert_eq!((outcome.stop, outcome.spent.evaluations, failure), (StopReason::Stalled, 2, None));
    }
}

#[test]
fn encodings_tell_what_genomes_may_be_and_hold_programs_to_it() {
    for (encoding, told, said) in [
        (
            "rows",
            r#""lines":[[0,1],[2,3]],"#,
            "the digit 1 twice in the genes 0, 1, which hold every digit once",
        ),
        (
            "cages",
            r#""tuples":[{"genes":[0,2],"tuples":[[1,2],[2,1]]},{"#,
            "none of their tuples in the genes 1, 3",
        ),
    ] {
        let stage = Stage::new().with("encoding", Value::Text(encoding.to_owned()));
        let reason = stage.reason(&format!("read greeting; echo \"$greeting\" > greeting; {ASK}"));
        assert_eq!(reason, format!("it sent a wrong genome: genome 0 has {said}"));
        assert!(stage.read("greeting").contains(told), "{}", stage.read("greeting"));
    }
}

#[test]
fn what_a_program_does_wrong_fails_the_run_and_says_so() {
    let sends = |line: &str| format!("read greeting; echo '{line}'; read answer");
    for (script, reason) in [
        ("exit 3", "it ended before the run did: exit status: 3"),
        ("kill -9 $$", "it ended before the run did: signal: 9 (SIGKILL)"),
        ("read greeting; exit 0", "it ended before the run did: exit status: 0"),
        ("exec >&-; sleep 100", "it closed its standard output"),
        (
            &sends("no JSON"),
            "`sh -c` wrote `no JSON` to standard output, which belongs to the protocol: print to standard error",
        ),
        (&sends(r#"{"evaluate":[[1,2,3]]}"#), "it sent a wrong genome: genome 0 has 3 digits, not 4"),
        (
            &sends(r#"{"evaluate":[[1,2,1,3]]}"#),
            "it sent a wrong genome: gene 3 of genome 0 is 3; its candidates are 1, 2",
        ),
        (&sends(r#"{"evaluate":[]}"#), "it sent no genome"),
        (&sends(r#"{"stop":true}"#), "it stopped without an evaluation"),
        (
            &sends(r#"{"population":[[1,2,1,1]]}"#),
            "it sent a wrong population: nothing was evaluated before it",
        ),
        (
            &format!(r#"read greeting; {ASK} echo '{{"population":[[1,2,2,1]]}}'; read answer"#),
            "it sent a wrong population: it has an individual of fitness 0, but the best that was evaluated is 2",
        ),
    ] {
        assert_eq!(Stage::new().reason(script), reason, "{script}");
    }
}

#[test]
fn a_request_before_the_answer_to_the_last_one_fails_the_run() {
    let script =
        r#"read greeting; printf '{"evaluate":["1121"]}\n{"evaluate":["2211"]}\n'; read answer; read answer"#;
    assert_eq!(Stage::new().reason(script), r#"it sent `{"evaluate":["2211"]}` before it was asked"#);
}

#[test]
fn what_failed_leaves_the_last_lines_of_standard_error() {
    let (_, failure) = Stage::new().play("seq 5000 >&2; echo Traceback >&2; exit 1");
    let stderr = failure.expect("it failed").stderr;
    assert!(stderr.len() <= 4096 && stderr.ends_with("\n4999\n5000\nTraceback"), "{stderr}");
    assert!(stderr.lines().next().is_some_and(|line| line.len() == 4), "no half line");
}

#[test]
fn what_a_program_says_is_kept_short_and_printable() {
    let script =
        r#"read greeting; printf '=1+1\r\n\000\033[31mred\n' >&2; printf '{"%0999d":1}\n' 0; read answer"#;
    let (_, failure) = Stage::new().play(script);
    let failure = failure.expect("it failed");
    assert_eq!(failure.stderr, "=1+1\n\u{FFFD}\u{FFFD}[31mred");
    assert!(failure.reason.chars().count() == 201 && failure.reason.ends_with('…'), "{}", failure.reason);
    let reason = Stage::new().reason(r#"read greeting; printf '\000\033\tx\n'; read answer"#);
    assert!(reason.starts_with("`sh -c` wrote `\u{FFFD}\u{FFFD}\u{FFFD}x` to standard output"), "{reason}");
}

#[test]
fn what_an_ended_program_has_sent_counts_though_a_process_holds_its_output() {
    // Neither is read by the time that the program has ended; the process that it has started writes nothing.
    let (outcome, failure) =
        Stage::new().play("sleep 1000 & seq 600 >&2; echo '{\"evaluate\":[[1,1,2,1]]}'; exit 0");
    assert_eq!((outcome.stop, outcome.spent.evaluations, failure), (StopReason::Stalled, 1, None));
}

#[test]
fn silence_and_deafness_fail_the_run() {
    let stage = || Stage::new().with("timeout", Value::Real(0.3));
    assert_eq!(stage().reason("read greeting; sleep 100"), "it sent nothing for 0.3 s");
    let stage = Stage { budget: Budget { evaluations: Some(u64::MAX), ..Budget::default() }, ..stage() };
    let deaf = r#"exec <&-; while :; do echo '{"evaluate":[[1,1,2,1]]}' || exit; done"#;
    let reason = stage.reason(&format!("read greeting; ({deaf}) & exec >&-; sleep 100"));
    let expected = ["it read nothing for 0.3 s", "it sent nothing for 0.3 s"];
    assert!(expected.contains(&reason.as_str()) || reason.ends_with("before it was asked"), "{reason}");
}

#[test]
fn a_line_without_an_end_fails_the_run() {
    assert_eq!(Stage::new().reason("read greeting; cat /dev/zero"), "it sent a line of more than 64 MiB");
}

#[test]
fn populations_alone_do_not_go_on_for_ever() {
    let log = r#"echo '{"population":[[1,1,2,1],[2,2,1,1]]}'; read answer || exit; "#;
    let reason = Stage::new().reason(&format!("read greeting; {ASK} while :; do {log} done"));
    assert_eq!(reason, "it sent a wrong population: it is one of more than 1000 without an evaluation");
}

#[test]
fn a_program_that_is_not_there_fails_the_run() {
    let stage = Stage::new();
    let missing =
        Stage { programs: Arc::new(Programs::new(Some("/no such folder".into()), Vec::new())), ..stage };
    let reason = missing.reason("exit 0");
    assert!(reason.starts_with("`sh` cannot be started: "), "{reason}");
}

#[test]
fn one_process_takes_many_runs() {
    let stage = Stage::new().with("reuse", Value::Flag(true));
    let script =
        format!("echo started >> starts; while read greeting; do {ASK} {ASK} {ASK} {ASK} {ASK} :; done");
    for _ in 0..3 {
        let (outcome, failure) = stage.play(&script);
        assert_eq!((outcome.stop, outcome.spent.evaluations, failure), (StopReason::Evaluations, 10, None));
    }
    assert_eq!(stage.read("starts"), "started\n");
}

#[test]
fn a_process_that_does_not_wait_for_the_next_run_is_replaced() {
    for end in ["exit 0", "exit 7", "echo rubbish"] {
        let stage = Stage::new().with("reuse", Value::Flag(true));
        let script = format!(
            "echo started >> starts; while read greeting; do {ASK} {ASK} {ASK} {ASK} {ASK} {end}; done"
        );
        for _ in 0..3 {
            let (outcome, failure) = stage.play(&script);
            assert_eq!(
                (outcome.stop, outcome.spent.evaluations, failure),
                (StopReason::Evaluations, 10, None)
            );
        }
        assert_eq!(stage.read("starts"), "started\nstarted\nstarted\n", "{end}");
    }
}

#[test]
fn standard_error_is_that_of_the_run() {
    let stage = Stage::new().with("reuse", Value::Flag(true));
    let script = format!(
        "while read greeting; do echo $greeting >&2; [ -e bad ] && exit 1; {ASK} {ASK} {ASK} {ASK} {ASK} done"
    );
    stage.play(&script);
    fs::write(stage.folder.path().join("bad"), "").expect("a file");
    let stderr = stage.play(&script).1.expect("it failed").stderr;
    assert_eq!(stderr.matches("kenga").count(), 1, "{stderr}");
}

#[test]
fn what_a_program_has_started_dies_with_it() {
    for (end, stop) in [
        ("exit 1", StopReason::Failed),
        (r#"echo '{"evaluate":[[1,2,2,1]]}'; read answer"#, StopReason::Solved),
    ] {
        let stage = Stage::new();
        let (outcome, _) = stage.play(&format!("read greeting; sleep 1000 & echo $! > child; {end}"));
        assert_eq!(outcome.stop, stop);
        let child = stage.read("child");
        // A process that has ended has no state but Z, until it is waited for.
        let state = || fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        while cfg!(target_os = "linux") && !matches!(state().split(' ').nth(2), None | Some("Z")) {
            std::thread::yield_now();
        }
    }
}

#[test]
fn an_interrupt_kills_a_program_that_says_nothing() {
    let interrupt = Interrupt::default();
    let stage = Stage { guard: Guard::start(&interrupt, None), ..Stage::new() };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while stage.read("begun").is_empty() {
                std::thread::yield_now();
            }
            interrupt.raise(2);
        });
        let (outcome, failure) = stage.play("read greeting; echo > begun; sleep 1000");
        assert_eq!((outcome.stop, failure), (StopReason::Seconds, None));
    });
}
