//! IBM Spectrum LSF. Source: its reference of bsub and bjobs, version 10.1.

use super::option::{CONTAINER, CPUS, EngineOption, Form, MAIL, MEMORY, MODULES, QUEUE, THROTTLE, TIME};
use super::script::{Dialect, Job};
use super::{Engine, Paths, Submission};

pub(super) static ENGINE: Engine = Engine {
    name: "lsf",
    about: "LSF, by bsub",
    options: &[
        EngineOption::new(&["project", "account"], "project that pays", Form::Word),
        QUEUE,
        EngineOption::new(&["group"], "user group", Form::Word),
        TIME,
        MEMORY,
        CPUS,
        THROTTLE,
        MODULES,
        CONTAINER,
        MAIL,
    ],
    needs: &[],
    ending: "lsf",
    paths: Paths::Plain,
    script,
    submission: Some(Submission {
        command: &["bsub"],
        // It reads the lines for itself from there alone.
        reads_input: true,
        // `Job <123> is submitted to queue <normal>.`
        id: |said| said.split_once("Job <")?.1.split_once('>').map(|(id, _)| id),
        after: Some(|id, _| ["-w", &format!("ended({id})")].map(str::to_owned).to_vec()),
        asks: |id, _| ["bjobs", "-noheader", "-p", "-r", "-s", id].map(str::to_owned).to_vec(),
    }),
};

const DIALECT: Dialect = Dialect { prefix: "#BSUB", index: "LSB_JOBINDEX", first: 1 };

fn script(job: &Job<'_>) -> String {
    let (options, folder) = (job.options, job.folder);
    let mut lines = Vec::new();
    match job.tasks {
        Some(tasks) => {
            let throttle = options.number("throttle").map(|most| format!("%{most}")).unwrap_or_default();
            lines.push(format!("-J \"kenga-shards[1-{}]{throttle}\"", tasks.shards.len()));
            lines.push(format!("-o {folder}/logs/shards-%J_%I.log"));
            lines.push(format!("-n {}", options.cpus()));
            lines.push("-R \"span[hosts=1]\"".to_owned());
            lines.push("-r".to_owned());
        }
        None => {
            lines.push("-J kenga-merge".to_owned());
            lines.push(format!("-o {folder}/logs/merge-%J.log"));
            if let Some(mail) = options.word("mail") {
                lines.push(format!("-u {mail}"));
                lines.push("-N".to_owned());
            }
        }
    }
    for (name, flag) in [("project", "-P"), ("queue", "-q"), ("group", "-G")] {
        if let Some(value) = options.word(name) {
            lines.push(format!("{flag} {value}"));
        }
    }
    if let Some(seconds) = options.number("time") {
        // Hours and minutes: seconds are not known there.
        let minutes = seconds.div_ceil(60);
        lines.push(format!("-W {}:{:02}", minutes / 60, minutes % 60));
    }
    if let Some(mebibytes) = options.number("memory") {
        lines.push(format!("-M {mebibytes}MB"));
        lines.push(format!("-R \"rusage[mem={mebibytes}MB]\""));
    }
    job.batch_script(&DIALECT, &lines)
}
