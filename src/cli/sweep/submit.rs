//! `kenga sweep submit`: a plan as a job array of a cluster, and the merge that waits for it.

use std::path::{Path, PathBuf};
use std::process::Command;

use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::read_plan;
use crate::cli::io::exit::{CommandResult, Exit};
use crate::cli::io::input::whole;
use crate::cli::io::output::{Output, Overwrite, make_folder, print, write_file};
use crate::cli::own_command;
use kenga_core::text::quoted;
use kenga_lab::experiment::Shard;
use kenga_report::several;

/// Submit a plan to a cluster: a job array of shards, and a merge that waits for it
///
/// Writes the scripts of both jobs to DIR and submits them; --dry-run prints them instead. A killed task can be submitted
/// again as it is, because shards resume. The merged results are in DIR/merged.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep submit plan.json --shards 32 -o results/big --dry-run
  kenga sweep submit plan.json --shards 32 -o results/big --time 02:00:00
  sbatch --array=7 results/big/shards.sbatch    a task again, after a failure
  sbatch results/big/merge.sbatch               the merge again")]
pub(in crate::cli) struct Args {
    /// A file that `kenga sweep plan` has written
    plan: PathBuf,
    /// What runs the jobs
    #[arg(long, value_enum, default_value = "slurm")]
    engine: Scheduler,
    /// How many shards, each a task of the array
    #[arg(long, value_name = "N", value_parser = whole(1..=Shard::MOST))]
    shards: u64,
    /// The folder that all tasks write to; all nodes must see it
    #[arg(short, long, value_name = "DIR", alias = "output")]
    out: PathBuf,
    /// The partition to ask for, for the merge too
    #[arg(long, value_name = "NAME", value_parser = word)]
    partition: Option<String>,
    /// The time limit of a task, and of the merge, such as 02:00:00
    #[arg(long, value_name = "TIME", value_parser = word)]
    time: Option<String>,
    /// Memory of a task, and of the merge, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = word)]
    mem: Option<String>,
    /// Cores of a task
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole(1..=u16::MAX))]
    cpus: u16,
    /// Print the scripts and submit nothing
    #[arg(long)]
    dry_run: bool,
}

/// What runs a job array.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Scheduler {
    /// Slurm, by sbatch
    Slurm,
}

/// What a script of kenga's has near its beginning.
const OURS: Overwrite = Overwrite::Marked("#SBATCH --job-name=kenga-");

/// A path that cannot be used.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot use {path}", path = path.display())]
#[diagnostic(help("check the path and its permissions"))]
struct Unusable {
    path: PathBuf,
    #[source]
    source: std::io::Error,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let Scheduler::Slurm = args.engine;
    read_plan(speakable(&args.plan)?)?;
    let scripts = Scripts::new(args)?;
    if args.dry_run {
        let (shards, merge) = (scripts.shards_path.display(), scripts.merge_path.display());
        return print(&format!("# {shards}\n{}\n# {merge}\n{}", scripts.shards, scripts.merge));
    }
    let mut output = Output::lock();
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
    let help = "the scripts are written: run sbatch on a machine with Slurm, or print them with --dry-run";
    let ended = Command::new("sbatch").arg("--parsable").args(options).arg(script).output();
    let ended = ended.map_err(|error| miette!(help = help, "cannot start sbatch: {error}"))?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        return Err(miette!(help = help, "sbatch rejected {}: {}", script.display(), said.trim()));
    }
    // A federation adds the name of the cluster.
    let said = String::from_utf8_lossy(&ended.stdout);
    Ok(said.trim().split(';').next().unwrap_or_default().to_owned())
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
        speakable(&args.out)?;
        if !args.dry_run {
            make_folder(&args.out)?;
        }
        let command = own_command().map_err(|source| Unusable { path: "kenga".into(), source })?;
        let mut words = Vec::new();
        for word in &command {
            words.push(quoted(speakable(Path::new(word))?));
        }
        let kenga = words.join(" ");
        let plan = quoted(speakable(&absolute(&args.plan)?)?);
        let out = absolute(&args.out)?;
        let folder = speakable(&out)?.trim_end_matches('/');
        let (shared, merged) = (quoted(&format!("{folder}/shards")), quoted(&format!("{folder}/merged")));
        let cpus = args.cpus;
        let array = format!(
            "#SBATCH --array=0-{}\n#SBATCH --cpus-per-task={cpus}\n#SBATCH --requeue\n#SBATCH --signal=TERM@60\n",
            args.shards - 1
        );
        let shards = format!(
            "{}{array}exec {kenga} sweep run {plan} --shard auto/{} --out {shared} --resume --quiet --jobs {cpus}\n",
            head("shards", folder, args),
            args.shards
        );
        let merge = format!(
            "{}exec {kenga} sweep merge {plan} {shared} --out {merged}\n",
            head("merge", folder, args)
        );
        let (shards_path, merge_path) = (out.join("shards.sbatch"), out.join("merge.sbatch"));
        Ok(Self { shards, shards_path, merge, merge_path })
    }
}

/// The first lines of a script: what Slurm is told.
fn head(name: &str, folder: &str, args: &Args) -> String {
    // A doubled percent sign is one to Slurm, which else reads a pattern such as `%a`.
    let log = quoted(&format!("{}/{name}-%j.log", folder.replace('%', "%%")));
    let mut head = format!("#!/bin/sh\n#SBATCH --job-name=kenga-{name}\n#SBATCH --output={log}\n");
    for (option, value) in [("partition", &args.partition), ("time", &args.time), ("mem", &args.mem)] {
        if let Some(value) = value {
            head += &format!("#SBATCH --{option}={value}\n");
        }
    }
    head
}

fn absolute(path: &Path) -> Result<PathBuf, Unusable> {
    std::path::absolute(path).map_err(|source| Unusable { path: path.to_owned(), source })
}

/// A path as a text that stays on its line.
fn speakable(path: &Path) -> Result<&str, Report> {
    let what = match path.to_str() {
        Some(text) if !text.chars().any(char::is_control) => return Ok(text),
        Some(_) => "control characters",
        None => "bytes that are not UTF-8",
    };
    let help = "choose a path of plain characters; spaces and quotes are fine";
    Err(miette!(help = help, "a job script cannot use the path {path:?}: it has {what}"))
}

/// What an option of Slurm's may be: it stands unquoted in a line of the script.
fn word(text: &str) -> Result<String, String> {
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphanumeric() || "_.,:+-".contains(c)) {
        return Err("expected letters, digits and any of _ . , : + -".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(out: &str, more: &[&str]) -> Result<Args, clap::Error> {
        #[derive(clap::Parser)]
        struct Only {
            #[command(flatten)]
            args: Args,
        }
        let given = ["kenga", "plan.json", "--shards", "2", "--dry-run", "--out", out];
        clap::Parser::try_parse_from(given.iter().chain(more)).map(|only: Only| only.args)
    }

    #[test]
    fn nothing_leaves_its_line() {
        for value in ["a\n#SBATCH --wrap=id", "a b", "a;id", "$(id)", "a\r", "", "é"] {
            for option in ["--partition", "--time", "--mem"] {
                assert!(args("/out", &[option, value]).is_err(), "{option} {value:?}");
            }
        }
        for out in ["/out\nid", "/out\rid", "/o\u{1b}[1m"] {
            let error = Scripts::new(&args(out, &[]).expect("a path")).err().expect("refused").to_string();
            assert!(error.contains("control characters") && !error.contains(char::is_control), "{error}");
        }
        let args =
            args("/my out;id $(id)", &["--partition", "a,b_c-1", "--time", "1-02:00:00", "--mem", "2G"]);
        let scripts = Scripts::new(&args.expect("sound")).expect("sound");
        for script in [&scripts.shards, &scripts.merge] {
            assert!(script.contains("\n#SBATCH --output='/my out;id $(id)/"), "{script}");
            let known =
                |line: &str| ["#!/bin/sh", "#SBATCH --", "exec "].iter().any(|head| line.starts_with(head));
            assert!(script.lines().all(known), "{script}");
        }
    }

    #[test]
    fn a_percent_sign_is_itself_in_the_name_of_a_log_and_elsewhere() {
        let scripts = Scripts::new(&args("/of%a/50%", &[]).expect("sound")).expect("sound");
        assert!(scripts.shards.contains("--output=/of%%a/50%%/shards-%j.log\n"), "{}", scripts.shards);
        assert!(scripts.shards.contains(" --out /of%a/50%/shards "), "{}", scripts.shards);
        assert!(scripts.merge.contains(" --out /of%a/50%/merged\n"), "{}", scripts.merge);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff"));
        assert!(speakable(path).is_err_and(|error| error.to_string().contains("UTF-8")));
    }
}
