//! `kenga sweep submit`: a plan as a job array of a cluster, and the merge that waits for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use miette::{Diagnostic, Report};
use thiserror::Error;

use super::read_plan;
use crate::cli::exit::{CommandResult, Exit};
use crate::cli::output::Output;
use crate::cli::sink::write_file;
use crate::report::several;

/// Submit a plan to a cluster: a job array of shards, and a merge that waits for it
///
/// Writes the scripts of both jobs to DIR and submits them; --dry-run prints them instead. A task that was killed can be
/// submitted again as it is, for shards resume. The merged results are in DIR/merged.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep submit plan.json --engine slurm --shards 32 --out results/big --dry-run
  kenga sweep submit plan.json --engine slurm --shards 32 --out results/big --partition short --time 02:00:00
  sbatch --array=7 results/big/shards.sbatch                 a task again, after a failure
  sbatch results/big/merge.sbatch                            the merge again")]
pub(in crate::cli) struct Args {
    /// A file that `kenga sweep plan` has written
    plan: PathBuf,
    /// What runs the jobs
    #[arg(long, value_enum, default_value = "slurm")]
    engine: Engine,
    /// How many shards, each a task of the array
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    shards: u64,
    /// The folder that all tasks write to; all nodes must see it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The partition to ask for, for the merge too
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,
    /// The time limit of a task, and of the merge, such as 02:00:00
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Memory of a task, and of the merge, such as 2G
    #[arg(long, value_name = "SIZE")]
    mem: Option<String>,
    /// Cores of a task
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    cpus: u16,
    /// Print the scripts and submit nothing
    #[arg(long)]
    dry_run: bool,
}

/// What runs a job array.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Engine {
    /// Slurm, by sbatch
    Slurm,
}

/// What a script of kenga's has near its beginning.
const OURS: Option<&str> = Some("#SBATCH --job-name=kenga-");

/// A job that could not be submitted.
#[derive(Debug, Error, Diagnostic)]
#[error("sbatch did not take {script}: {said}", script = script.display())]
#[diagnostic(help(
    "the scripts are written: submit them with sbatch where Slurm is, or see them with --dry-run"
))]
struct NotSubmitted {
    script: PathBuf,
    said: String,
}

/// A folder that cannot be made or found.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot use {path}", path = path.display())]
#[diagnostic(help("check the path and its permissions"))]
struct Unusable {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let Engine::Slurm = args.engine;
    read_plan(&args.plan.to_string_lossy())?;
    let scripts = Scripts::new(args)?;
    let mut output = Output::lock();
    if args.dry_run {
        output.write(&format!("# {}\n{}\n", scripts.shards_path.display(), scripts.shards))?;
        output.write(&format!("# {}\n{}", scripts.merge_path.display(), scripts.merge))?;
        output.flush()?;
        return Ok(Exit::Done);
    }
    write_file(&scripts.shards_path, &scripts.shards, OURS)?;
    write_file(&scripts.merge_path, &scripts.merge, OURS)?;
    let array = submit(&scripts.shards_path, &[])?;
    output.write(&format!("job {array}: {} in {}\n", several(args.shards, "shard"), args.out.display()))?;
    let wait = format!("--dependency=afterok:{array}");
    // Without the second, a merge whose shards fail would wait for ever.
    let merge = submit(&scripts.merge_path, &[&wait, "--kill-on-invalid-dep=yes"])?;
    output.write(&format!("job {merge}: merges them to {}\n", args.out.join("merged").display()))?;
    output.flush()?;
    Ok(Exit::Done)
}

/// Submits a script; the id of the job.
fn submit(script: &Path, options: &[&str]) -> Result<String, Report> {
    let refused = |said: String| NotSubmitted { script: script.to_owned(), said };
    let ended = Command::new("sbatch").arg("--parsable").args(options).arg(script).output();
    let ended = ended.map_err(|error| refused(error.to_string()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if !ended.status.success() {
        return Err(refused(text(&ended.stderr)).into());
    }
    // A federation adds the name of the cluster.
    Ok(text(&ended.stdout).split(';').next().unwrap_or_default().to_owned())
}

/// The scripts of both jobs, with absolute paths: a task may start anywhere.
struct Scripts {
    shards: String,
    shards_path: PathBuf,
    merge: String,
    merge_path: PathBuf,
}

impl Scripts {
    fn new(args: &Args) -> Result<Self, Report> {
        if !args.dry_run {
            fs::create_dir_all(&args.out).map_err(|source| Unusable { path: args.out.clone(), source })?;
        }
        let absolute = |path: &Path| {
            std::path::absolute(path).map_err(|source| Unusable { path: path.to_owned(), source })
        };
        let kenga = std::env::current_exe().map_err(|source| Unusable { path: "kenga".into(), source })?;
        let (kenga, plan, out) = (quoted(&kenga), quoted(&absolute(&args.plan)?), absolute(&args.out)?);
        let shards_of = args.shards;
        let shared = quoted(&out.join("shards"));
        let options = [("partition", &args.partition), ("time", &args.time), ("mem", &args.mem)];
        let options = options
            .into_iter()
            .filter_map(|(name, value)| Some(format!("#SBATCH --{name}={}\n", value.as_ref()?)));
        let options: String = options.collect();
        let head = |name: &str, more: &str| {
            let log = out.join(format!("{name}-%j.log"));
            format!(
                "#!/bin/sh\n#SBATCH --job-name=kenga-{name}\n#SBATCH --output={}\n{options}{more}",
                quoted(&log)
            )
        };
        let array = format!(
            "#SBATCH --array=0-{}\n#SBATCH --cpus-per-task={}\n#SBATCH --requeue\n#SBATCH --signal=TERM@60\n",
            shards_of - 1,
            args.cpus
        );
        let shards = format!(
            "{}exec {kenga} sweep run {plan} --shard auto/{shards_of} --out {shared} --resume --quiet --jobs {}\n",
            head("shards", &array),
            args.cpus
        );
        let merge = format!(
            "{}exec {kenga} sweep merge {plan} {shared} --out {}\n",
            head("merge", ""),
            quoted(&out.join("merged"))
        );
        let (shards_path, merge_path) = (out.join("shards.sbatch"), out.join("merge.sbatch"));
        Ok(Self { shards, shards_path, merge, merge_path })
    }
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=@%".contains(c);
    if text.chars().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word_each() {
        assert_eq!(quoted(Path::new("/a/b-c.json")), "/a/b-c.json");
        assert_eq!(quoted(Path::new("/my plans/it's")), "'/my plans/it'\\''s'");
    }
}
