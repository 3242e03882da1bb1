//! Grid Engine: SGE, Son of Grid Engine, Univa. Source: the manual pages qsub(1) and qstat(1).

use super::option::{
    ACCOUNT, CONTAINER, CPUS, EngineOption, Form, MAIL, MEMORY, MODULES, PROJECT, QUEUE, THROTTLE, TIME,
};
use super::script::{Dialect, Job};
use super::{Engine, Paths, Submission};

pub(super) static ENGINE: Engine = Engine {
    name: "sge",
    about: "Grid Engine, by qsub",
    options: &[
        ACCOUNT,
        PROJECT,
        QUEUE,
        TIME,
        MEMORY,
        CPUS,
        EngineOption::new(&["environment", "pe"], "parallel environment of several cores (smp)", Form::Word),
        THROTTLE,
        MODULES,
        CONTAINER,
        MAIL,
    ],
    needs: &[],
    ending: "sge",
    paths: Paths::Plain,
    script,
    submission: Some(Submission {
        command: &["qsub", "-terse"],
        reads_input: false,
        // Of an array it says `123.1-4:1`.
        id: |said| said.trim().split('.').next(),
        after: Some(|id, _| vec!["-hold_jid".to_owned(), id.to_owned()]),
        asks: |id, _| ["qstat", "-j", id].map(str::to_owned).to_vec(),
    }),
};

const DIALECT: Dialect = Dialect { prefix: "#$", index: "SGE_TASK_ID", first: 1 };

fn script(job: &Job<'_>) -> String {
    let (options, cpus) = (job.options, job.options.cpus());
    let mut lines = vec![
        format!("-N kenga-{}", job.name),
        // Without it the shell is that of the queue, often csh.
        format!("-S {}", if options.has("modules") { "/bin/bash" } else { "/bin/sh" }),
        "-j y".to_owned(),
        format!("-o {}/logs/", job.folder),
    ];
    for (name, flag) in [("account", "-A"), ("project", "-P"), ("queue", "-q")] {
        if let Some(value) = options.word(name) {
            lines.push(format!("{flag} {value}"));
        }
    }
    if let Some(time) = options.clock_time() {
        lines.push(format!("-l h_rt={time}"));
    }
    if let Some(mebibytes) = options.number("memory") {
        // It counts for each slot, and the merge has one.
        let slots = if job.tasks.is_some() { cpus } else { 1 };
        lines.push(format!("-l h_vmem={}M", mebibytes.div_ceil(slots)));
    }
    if let Some(tasks) = job.tasks {
        lines.push(format!("-t 1-{}", tasks.shards.len()));
        if let Some(most) = options.number("throttle") {
            lines.push(format!("-tc {most}"));
        }
        if cpus > 1 || options.has("environment") {
            lines.push(format!("-pe {} {cpus}", options.word("environment").unwrap_or("smp")));
        }
        lines.push("-r y".to_owned());
    } else if let Some(mail) = options.word("mail") {
        lines.push(format!("-M {mail}"));
        lines.push("-m ea".to_owned());
    }
    job.batch_script(&DIALECT, &lines)
}
