//! Slurm. Source: the manual pages sbatch(1) and squeue(1).

use super::option::{
    ACCOUNT, CONTAINER, CPUS, EngineOption, Form, MAIL, MEMORY, MODULES, QOS, THROTTLE, TIME,
};
use super::script::{Dialect, Job};
use super::{Engine, Paths, Submission};
use kenga_core::text::quoted;

pub(super) static ENGINE: Engine = Engine {
    name: "slurm",
    about: "Slurm, by sbatch",
    options: &[
        ACCOUNT,
        EngineOption::new(&["partition", "queue"], "partition", Form::Word),
        QOS,
        EngineOption::new(&["constraint"], "features of a node", Form::Word),
        TIME,
        MEMORY,
        CPUS,
        THROTTLE,
        MODULES,
        CONTAINER,
        MAIL,
    ],
    needs: &[],
    ending: "sbatch",
    paths: Paths::Quoted,
    script,
    submission: Some(Submission {
        command: &["sbatch", "--parsable"],
        reads_input: false,
        // A federation adds the name of the cluster.
        id: |said| said.trim().split(';').next(),
        after: Some(|id, _| vec![format!("--dependency=afterany:{id}")]),
        asks: |id, _| ["squeue", "--noheader", "--jobs", id].map(str::to_owned).to_vec(),
    }),
};

const DIALECT: Dialect = Dialect { prefix: "#SBATCH", index: "SLURM_ARRAY_TASK_ID", first: 0 };

fn script(job: &Job<'_>) -> String {
    let options = job.options;
    let number = if job.tasks.is_some() { "%A_%a" } else { "%j" };
    // A doubled percent sign is one to Slurm, which else reads a pattern such as `%a`.
    let log = format!("{}/logs/{}-{number}.log", job.folder.replace('%', "%%"), job.name);
    let mut lines = vec![format!("--job-name=kenga-{}", job.name), format!("--output={}", quoted(&log))];
    for name in ["account", "partition", "qos", "constraint"] {
        if let Some(value) = options.word(name) {
            lines.push(format!("--{name}={value}"));
        }
    }
    if let Some(time) = options.clock_time() {
        lines.push(format!("--time={time}"));
    }
    if let Some(mebibytes) = options.number("memory") {
        lines.push(format!("--mem={mebibytes}M"));
    }
    if let Some(tasks) = job.tasks {
        let throttle = options.number("throttle").map(|most| format!("%{most}")).unwrap_or_default();
        lines.push(format!("--array=0-{}{throttle}", tasks.shards.len() - 1));
        lines.push(format!("--cpus-per-task={}", options.cpus()));
        lines.push("--requeue".to_owned());
        // Without `B:` the steps of the job would be told, of which it has none.
        lines.push("--signal=B:TERM@60".to_owned());
    } else if let Some(mail) = options.word("mail") {
        lines.push(format!("--mail-user={mail}"));
        lines.push("--mail-type=END,FAIL,INVALID_DEPEND".to_owned());
    }
    job.batch_script(&DIALECT, &lines)
}
