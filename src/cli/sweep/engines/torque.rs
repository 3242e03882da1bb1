//! Torque, which has the words of PBS with others for arrays and cores. Source: its manual page qsub(1B), version 6.

use super::option::{ACCOUNT, CONTAINER, CPUS, MAIL, MEMORY, MODULES, QOS, QUEUE, THROTTLE, TIME};
use super::pbs::head;
use super::script::{Dialect, Job};
use super::{Engine, Paths, Submission};

pub(super) static ENGINE: Engine = Engine {
    name: "torque",
    about: "Torque, by qsub",
    options: &[ACCOUNT, QUEUE, QOS, TIME, MEMORY, CPUS, THROTTLE, MODULES, CONTAINER, MAIL],
    needs: &[],
    ending: "torque",
    paths: Paths::Plain,
    script,
    submission: Some(Submission {
        command: &["qsub"],
        reads_input: false,
        id: |said| Some(said.trim()),
        after: Some(|id, is_array| {
            let kind = if is_array { "afteranyarray" } else { "afterany" };
            vec!["-W".to_owned(), format!("depend={kind}:{id}")]
        }),
        // It knows jobs that have ended for some minutes.
        asks: |id, _| {
            let script = "qstat -f \"$1\" | grep 'job_state = [EHQRSTW]'";
            ["sh", "-c", script, "sh", id].map(str::to_owned).to_vec()
        },
    }),
};

const DIALECT: Dialect = Dialect { prefix: "#PBS", index: "PBS_ARRAYID", first: 0 };

fn script(job: &Job<'_>) -> String {
    let options = job.options;
    let mut lines = head(job);
    let cpus = if job.tasks.is_some() { options.cpus() } else { 1 };
    lines.push(format!("-l nodes=1:ppn={cpus}"));
    if let Some(mebibytes) = options.number("memory") {
        lines.push(format!("-l mem={mebibytes}mb"));
    }
    if let Some(qos) = options.word("qos") {
        lines.push(format!("-l qos={qos}"));
    }
    if let Some(count) = job.tasks.and_then(|tasks| tasks.array()) {
        let throttle = options.number("throttle").map(|most| format!("%{most}")).unwrap_or_default();
        lines.push(format!("-t 0-{}{throttle}", count - 1));
    }
    job.batch_script(&DIALECT, &lines)
}
