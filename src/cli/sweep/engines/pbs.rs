//! PBS Professional and OpenPBS. Source: the manual page qsub(1B) of OpenPBS.

use super::option::{ACCOUNT, CONTAINER, CPUS, MAIL, MEMORY, MODULES, PROJECT, QUEUE, THROTTLE, TIME};
use super::script::{Dialect, Job};
use super::{Engine, Paths, Submission};

pub(super) static ENGINE: Engine = Engine {
    name: "pbs",
    about: "PBS Professional and OpenPBS, by qsub",
    options: &[ACCOUNT, PROJECT, QUEUE, TIME, MEMORY, CPUS, THROTTLE, MODULES, CONTAINER, MAIL],
    needs: &[],
    ending: "pbs",
    paths: Paths::Plain,
    script,
    submission: Some(Submission {
        command: &["qsub"],
        reads_input: false,
        id: |said| Some(said.trim()),
        after: Some(|id, _| vec!["-W".to_owned(), format!("depend=afterany:{id}")]),
        asks: |id, _| ["qstat", id].map(str::to_owned).to_vec(),
    }),
};

const DIALECT: Dialect = Dialect { prefix: "#PBS", index: "PBS_ARRAY_INDEX", first: 0 };

fn script(job: &Job<'_>) -> String {
    let options = job.options;
    let mut lines = head(job);
    let memory = options.number("memory").map(|mebibytes| format!(":mem={mebibytes}mb")).unwrap_or_default();
    let cpus = if job.tasks.is_some() { options.cpus() } else { 1 };
    lines.push(format!("-l select=1:ncpus={cpus}{memory}"));
    // An array of one is none there.
    if let Some(count) = job.tasks.and_then(|tasks| tasks.array()) {
        let throttle = options.number("throttle").map(|most| format!("%{most}")).unwrap_or_default();
        lines.push(format!("-J 0-{}{throttle}", count - 1));
    }
    job.batch_script(&DIALECT, &lines)
}

/// The lines that Torque reads too.
pub(super) fn head(job: &Job<'_>) -> Vec<String> {
    let options = job.options;
    let mut lines = vec![
        format!("-N kenga-{}", job.name),
        format!("-S {}", if options.has("modules") { "/bin/bash" } else { "/bin/sh" }),
        "-j oe".to_owned(),
        format!("-o {}/logs/", job.folder),
    ];
    for (name, flag) in [("account", "-A"), ("project", "-P"), ("queue", "-q")] {
        if let Some(value) = options.word(name) {
            lines.push(format!("{flag} {value}"));
        }
    }
    if let Some(time) = options.clock_time() {
        lines.push(format!("-l walltime={time}"));
    }
    if job.tasks.is_some() {
        lines.push("-r y".to_owned());
    } else if let Some(mail) = options.word("mail") {
        lines.push(format!("-M {mail}"));
        lines.push("-m ae".to_owned());
    }
    lines
}
