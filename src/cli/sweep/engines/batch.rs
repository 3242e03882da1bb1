//! The engines of job arrays. The lines of each are in a file of its name, with the source.

use super::option::{
    ACCOUNT, CONTAINER, CPUS, EngineOption, Form, MAIL, MEMORY, MODULES, PROJECT, QOS, QUEUE, THROTTLE, TIME,
};
use super::script::Template;
use super::{Engine, Paths, Script, Submission};

pub(super) static SLURM: Engine = Engine {
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
    script: Script::Lines(Template {
        lines: include_str!("slurm.txt"),
        prefix: "#SBATCH",
        index: "SLURM_ARRAY_TASK_ID",
        first: 0,
    }),
    submission: Some(Submission {
        command: &["sbatch", "--parsable"],
        reads_input: false,
        // A federation adds the name of the cluster.
        id: |answer| answer.trim().split(';').next(),
        after: Some(|id, _| vec![format!("--dependency=afterany:{id}")]),
        asks: |id, _| ["squeue", "--noheader", "--jobs", id].map(str::to_owned).to_vec(),
    }),
};

pub(super) static SGE: Engine = Engine {
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
    script: Script::Lines(Template {
        lines: include_str!("sge.txt"),
        prefix: "#$",
        index: "SGE_TASK_ID",
        first: 1,
    }),
    submission: Some(Submission {
        command: &["qsub", "-terse"],
        reads_input: false,
        // The id of an array ends with its range: `123.1-4:1`.
        id: |answer| answer.trim().split('.').next(),
        after: Some(|id, _| vec!["-hold_jid".to_owned(), id.to_owned()]),
        asks: |id, _| ["qstat", "-j", id].map(str::to_owned).to_vec(),
    }),
};

pub(super) static LSF: Engine = Engine {
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
    script: Script::Lines(Template {
        lines: include_str!("lsf.txt"),
        prefix: "#BSUB",
        index: "LSB_JOBINDEX",
        first: 1,
    }),
    submission: Some(Submission {
        command: &["bsub"],
        // bsub reads the lines for LSF from standard input alone.
        reads_input: true,
        // `Job <123> is submitted to queue <normal>.`
        id: |answer| answer.split_once("Job <")?.1.split_once('>').map(|(id, _)| id),
        after: Some(|id, _| ["-w", &format!("ended({id})")].map(str::to_owned).to_vec()),
        asks: |id, _| ["bjobs", "-noheader", "-p", "-r", "-s", id].map(str::to_owned).to_vec(),
    }),
};

pub(super) static PBS: Engine = Engine {
    name: "pbs",
    about: "PBS Professional and OpenPBS, by qsub",
    options: &[ACCOUNT, PROJECT, QUEUE, TIME, MEMORY, CPUS, THROTTLE, MODULES, CONTAINER, MAIL],
    needs: &[],
    ending: "pbs",
    paths: Paths::Plain,
    script: Script::Lines(Template {
        lines: include_str!("pbs.txt"),
        prefix: "#PBS",
        index: "PBS_ARRAY_INDEX",
        first: 0,
    }),
    submission: Some(Submission {
        command: &["qsub"],
        reads_input: false,
        id: |answer| Some(answer.trim()),
        after: Some(|id, _| vec!["-W".to_owned(), format!("depend=afterany:{id}")]),
        asks: |id, _| ["qstat", id].map(str::to_owned).to_vec(),
    }),
};

pub(super) static TORQUE: Engine = Engine {
    name: "torque",
    about: "Torque, by qsub",
    options: &[ACCOUNT, QUEUE, QOS, TIME, MEMORY, CPUS, THROTTLE, MODULES, CONTAINER, MAIL],
    needs: &[],
    ending: "torque",
    paths: Paths::Plain,
    script: Script::Lines(Template {
        lines: include_str!("torque.txt"),
        prefix: "#PBS",
        index: "PBS_ARRAYID",
        first: 0,
    }),
    submission: Some(Submission {
        command: &["qsub"],
        reads_input: false,
        id: |answer| Some(answer.trim()),
        after: Some(|id, is_array| {
            let kind = if is_array { "afteranyarray" } else { "afterany" };
            vec!["-W".to_owned(), format!("depend={kind}:{id}")]
        }),
        // Torque lists jobs for some minutes after their end.
        asks: |id, _| {
            let script = "qstat -f \"$1\" | grep 'job_state = [EHQRSTW]'";
            ["sh", "-c", script, "sh", id].map(str::to_owned).to_vec()
        },
    }),
};
