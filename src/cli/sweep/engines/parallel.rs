//! GNU parallel: a script that runs the shards on one machine, or on several by ssh. Source: the manual page parallel(1).

use super::option::{CONTAINER, CPUS, EngineOption, Form, MEMORY, MODULES, THROTTLE, TIME};
use super::script::{Job, MARK};
use super::{Engine, Paths, Script};
use kenga_core::text::quoted;

pub(super) static ENGINE: Engine = Engine {
    name: "parallel",
    about: "GNU parallel, on this machine or by ssh",
    options: &[
        THROTTLE,
        CPUS,
        EngineOption::new(&["hosts"], "machines to reach by ssh, commas between", Form::Word),
        TIME,
        MEMORY,
        MODULES,
        CONTAINER,
    ],
    needs: &[],
    ending: "sh",
    paths: Paths::NoBraces,
    script: Script::Function(script),
    submission: None,
};

fn script(job: &Job<'_>) -> String {
    let text = format!("{}\n# {MARK}\n", job.shell_line());
    let Some(tasks) = job.tasks else {
        return text + &job.modules() + &format!("exec {}\n", job.command_line());
    };
    let options = job.options;
    let mut line = format!("parallel --joblog {}", quoted(&format!("{}/logs/shards.joblog", job.folder)));
    let hosts: Vec<&str> = options.word("hosts").unwrap_or_default().split_terminator(',').collect();
    let count = hosts.len() as u64;
    let most = options.number("throttle");
    for (place, host) in (0..).zip(&hosts) {
        // --jobs counts for each host: a throttle for all is dealt out as their numbers of cores.
        match most.map(|most| most / count + u64::from(place < most % count)) {
            None => line += &format!(" --sshlogin {host}"),
            Some(0) => {}
            Some(jobs) => line += &format!(" --sshlogin {jobs}/{host}"),
        }
    }
    if let Some(most) = most.filter(|_| hosts.is_empty()) {
        line += &format!(" --jobs {most}");
    } else if most.is_none() && options.cpus() > 1 {
        line += &format!(" --jobs {}%", (100 / options.cpus()).max(1));
    }
    if let Some(seconds) = options.number("time") {
        line += &format!(" --timeout {seconds}");
    }
    if let Some(mebibytes) = options.number("memory") {
        // It begins no task without so much free.
        line += &format!(" --memfree {mebibytes}M");
    }
    for option in &options.passed {
        line += &format!(" {option}");
    }
    // parallel gives its words to a shell, of each host: they are quoted for both, and load the modules there.
    let modules = job.modules().replace('\n', "; ");
    let command = quoted(&format!("{modules}{} --shard {{}}/{}", job.command_line(), tasks.of));
    let mut shards = String::new();
    for shard in &tasks.shards {
        shards += &format!("{shard}\n");
    }
    format!("{text}# A line for each task: its shard.\nexec {line} {command} <<SHARDS\n{shards}SHARDS\n")
}
