//! Kubernetes, 1.29 or later: an Indexed Job. Source: its reference of batch/v1.
//!
//! The pods see the folder of the sweep in a volume. The merge is a job that waits for nothing: it is created by hand.

use serde_json::{Map, Value, json};

use super::option::{CPUS, EngineOption, EngineOptions, Form, MEMORY, THROTTLE, TIME};
use super::script::{Job, MARK, shard_of_task};
use super::{Engine, Paths, Script, Submission};
use kenga_core::text::{joined, quoted};

pub(super) static ENGINE: Engine = Engine {
    name: "kubernetes",
    about: "Kubernetes, an Indexed Job by kubectl",
    options: &[
        EngineOption::new(&["container"], "image whose kenga runs (needed)", Form::Word),
        EngineOption::new(&["claim"], "volume claim that holds plan and results (needed)", Form::Word),
        EngineOption::new(&["mount"], "where the pods see it; the folder of -o", Form::Word),
        EngineOption::new(&["namespace"], "namespace", Form::Word),
        EngineOption::new(&["account"], "service account", Form::Word),
        EngineOption::new(&["queue"], "queue of Kueue", Form::Word),
        TIME,
        MEMORY,
        CPUS,
        THROTTLE,
    ],
    needs: &["container", "claim"],
    ending: "json",
    paths: Paths::Quoted,
    script: Script::Function(manifest),
    submission: Some(Submission {
        command: &["kubectl", "create", "-o", "name", "-f"],
        reads_input: false,
        // `job.batch/kenga-shards-x7k2p`
        id: |said| Some(said.trim()),
        after: None,
        asks,
    }),
};

fn asks(id: &str, options: &EngineOptions) -> Vec<String> {
    let mut words = ["kubectl", "get", id, "-o", "jsonpath={.status.active}"].map(str::to_owned).to_vec();
    if let Some(namespace) = options.word("namespace") {
        words.extend(["-n".to_owned(), namespace.to_owned()]);
    }
    words
}

fn manifest(job: &Job<'_>) -> String {
    let options = job.options;
    let mut metadata = json!({
        "generateName": format!("kenga-{}-", job.name),
        "annotations": { "kenga": MARK },
        "labels": { "app.kubernetes.io/name": "kenga" },
    });
    if let Some(namespace) = options.word("namespace") {
        metadata["namespace"] = json!(namespace);
    }
    if let Some(queue) = options.word("queue") {
        metadata["labels"]["kueue.x-k8s.io/queue-name"] = json!(queue);
    }
    let mut spec = json!({});
    match job.tasks {
        Some(tasks) => {
            let count = tasks.shards.len() as u64;
            spec["completions"] = json!(count);
            spec["parallelism"] = json!(options.number("throttle").unwrap_or(count).min(count));
            spec["completionMode"] = json!("Indexed");
            // A task that fails again and again ends no others.
            spec["backoffLimitPerIndex"] = json!(2);
        }
        None => spec["backoffLimit"] = json!(0),
    }
    spec["template"] = json!({ "spec": pod(job) });
    let object = json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec });
    format!("{object:#}\n")
}

fn pod(job: &Job<'_>) -> Value {
    let options = job.options;
    let mount = options.word("mount").unwrap_or(job.folder);
    let mut container = json!({
        "name": "kenga",
        "image": options.word("container"),
        "command": command(job),
        "volumeMounts": [{ "name": "sweep", "mountPath": mount }],
    });
    let mut requests = Map::new();
    if job.tasks.is_some() {
        requests.insert("cpu".to_owned(), json!(options.cpus().to_string()));
    }
    if let Some(mebibytes) = options.number("memory") {
        let memory = json!(format!("{mebibytes}Mi"));
        requests.insert("memory".to_owned(), memory.clone());
        container["resources"]["limits"] = json!({ "memory": memory });
    }
    if !requests.is_empty() {
        container["resources"]["requests"] = Value::Object(requests);
    }
    let claim = json!({ "claimName": options.word("claim") });
    let mut pod = json!({
        "restartPolicy": "Never",
        "containers": [container],
        "volumes": [{ "name": "sweep", "persistentVolumeClaim": claim }],
    });
    if let Some(seconds) = options.number("time") {
        pod["activeDeadlineSeconds"] = json!(seconds);
    }
    if let Some(account) = options.word("account") {
        pod["serviceAccountName"] = json!(account);
    }
    pod
}

/// The words that a pod runs: those of the image's kenga, by a shell where the index is not that of the shard.
fn command(job: &Job<'_>) -> Vec<String> {
    let mut words = vec!["kenga".to_owned()];
    words.extend_from_slice(job.words);
    let Some(tasks) = job.tasks else { return as_given(words) };
    if tasks.are_all() {
        words.extend(["--shard".to_owned(), format!("auto/{}", tasks.of)]);
        return as_given(words);
    }
    let words = joined(words.iter().map(|word| quoted(word)), " ");
    let mapping = shard_of_task(tasks, "JOB_COMPLETION_INDEX", 0);
    let script = format!("{mapping}exec {words} --shard \"$shard/{}\"", tasks.of);
    as_given(vec!["sh".to_owned(), "-c".to_owned(), script])
}

/// Words in which Kubernetes replaces nothing: `$(NAME)` is a variable to it, and `$$` a dollar sign.
fn as_given(words: Vec<String>) -> Vec<String> {
    words.into_iter().map(|word| word.replace('$', "$$")).collect()
}
