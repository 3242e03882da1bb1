//! `kenga sweep submit`: the shards of a plan that are missing as the tasks of a cluster, and the merge that waits for them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::builder::PossibleValuesParser;
use miette::{Diagnostic, Report, miette};
use thiserror::Error;

use super::engines::{ENGINES, Engine, EngineOptions, Job, MARK, Submission, Tasks};
use super::requests::{OPTIONS, Requests};
use super::work::{ShardsToSend, Work};
use crate::cli::experiment::existing;
use crate::cli::io::exit::{CommandResult, Exit};
use crate::cli::io::input::whole;
use crate::cli::io::output::{Output, Overwrite, make_folder, print, write_file};
use crate::cli::own_command;
use kenga_core::text::{printable, quoted_path};
use kenga_lab::experiment::Shard;
use kenga_lab::results::{ResultsError, check_plan_of, shard_folder, shards_if_any};
use kenga_report::several;

/// Submit a plan to a cluster: what is missing of it as an array of tasks, and a merge that waits for them
///
/// Writes the scripts of both jobs to DIR and submits them; --dry-run prints them instead. The same command again sends the
/// shards that are still missing, and none that a program is writing. The merged results are in DIR/merged. Of a race it sends
/// one round at a time: the present one, or the next when that has ended. The shards of a tuning wait for each other: ask for
/// no more than run at the same time.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga sweep submit plan.json --to slurm --shards 32 -o big --dry-run
  kenga sweep submit plan.json --to sge --shards 32 -o big --option queue=long
  kenga sweep submit plan.json --to sge -o big    again: what is missing
  kenga sweep submit tune.toml --to slurm --shards 16 -o tuned")]
pub(in crate::cli) struct Args {
    /// A file that `kenga sweep plan` has written, or the configuration of a tuning
    plan: PathBuf,
    /// What runs the tasks
    #[arg(long, value_name = "ENGINE", alias = "engine", value_parser = engine_names())]
    pub(super) to: String,
    /// How many shards, each a task; those of DIR where it has some
    #[arg(long, value_name = "N", value_parser = whole(1..=Shard::MOST))]
    shards: Option<u64>,
    /// The folder that all tasks write to; all machines must see it
    #[arg(short, long, value_name = "DIR", alias = "output")]
    pub(super) out: PathBuf,
    /// Something asked of the engine, such as `time=02:00:00`, `memory=2G`, `queue=long`; others are passed on to it, with
    /// their dashes, such as `--option=--gres=gpu:1`; repeatable. Those of before are asked again
    #[arg(long = "option", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub(super) options: Vec<String>,
    /// Start programs (`command` in `[algorithm]` or `[problem]`) in DIR [default: that of before, else the folder of the plan]
    #[arg(long, value_name = "DIR", value_parser = existing)]
    pub(super) programs: Option<PathBuf>,
    /// Submit even though the tasks of before still wait or run
    #[arg(long)]
    force: bool,
    /// Print the scripts and the commands that submit them, and submit nothing
    #[arg(long)]
    dry_run: bool,
}

fn engine_names() -> PossibleValuesParser {
    let known = |engine: &&'static Engine| clap::builder::PossibleValue::new(engine.name).help(engine.about);
    PossibleValuesParser::new(ENGINES.iter().map(known))
}

/// A path that cannot be used.
#[derive(Debug, Error, Diagnostic)]
#[error("cannot use {path}", path = path.display())]
#[diagnostic(help("check the path and its permissions"))]
pub(super) struct Unusable {
    pub(super) path: PathBuf,
    #[source]
    pub(super) source: std::io::Error,
}

pub(super) fn run(args: &Args) -> CommandResult {
    let engine = Engine::named(&args.to);
    let requests = Requests::read(&args.out, engine, &args.options, args.programs.as_deref());
    let options = engine.options(&requests.options)?;
    let work = Work::read(speakable(&args.plan)?)?;
    if matches!(work, Work::Tuning) && options.has("throttle") {
        let help = "leave it out, and choose as many --shards as run at the same time";
        return Err(miette!(
            help = help,
            "the shards of a tuning wait for each other: `throttle` would stop them"
        ));
    }
    let shared = args.out.join("shards");
    let of = shards_of(args, &shared, &work)?;
    let there = work.shards(&shared, of)?;
    let merged = args.out.join("merged");
    let is_over = matches!(work, Work::Tuning) && work.is_merged(&merged, None);
    if is_over || there.to_run.is_empty() {
        return print(&nothing_to_send(args, &work, of, &there));
    }
    let ShardsToSend { to_run, running, round } = there;
    let tasks = Tasks { shards: to_run, of };
    let scripts = Scripts::new(args, requests.programs.as_deref(), &work, engine, &options, &tasks)?;
    if args.dry_run {
        let (shards, merge) = (scripts.shards_path.display(), scripts.merge_path.display());
        let mut text = format!("# {shards}\n{}\n# {merge}\n{}", scripts.shards, scripts.merge);
        if let Some(submission) = &engine.submission {
            text += &format!("\n# submitted by\n# {}\n", submission.command_line(&scripts.shards_path, &[]));
            if let Some(after) = submission.after {
                let after = after("JOB", tasks.shards.len() > 1);
                text += &format!("# {}\n", submission.command_line(&scripts.merge_path, &after));
            }
        }
        return print(&text);
    }
    if let Some(submission) = &engine.submission
        && !args.force
    {
        refuse_while_queued(engine, submission, &options, &args.out)?;
    }
    make_folder(&args.out.join("logs"))?;
    write_file(&args.out.join(OPTIONS), requests.text(), Overwrite::Always)?;
    write_file(&scripts.shards_path, &scripts.shards, OURS)?;
    write_file(&scripts.merge_path, &scripts.merge, OURS)?;
    let mut output = Output::lock();
    if let Some(round) = &round {
        output.write(&format!("Race: {round}\n"))?;
    }
    output.write(&send(args, engine, &scripts, &tasks)?)?;
    if round.is_some() {
        output.write("submit again when they have ended: the next round follows\n")?;
    }
    if running > 0 {
        let shards = several(running, "shard");
        output
            .write(&format!("left out, because a program writes them now: {shards}; submit again later\n"))?;
    }
    output.flush()?;
    Ok(Exit::Done)
}

/// How many shards the plan is divided into: as many as those of the folder say, which have to be of this plan.
fn shards_of(args: &Args, shared: &Path, work: &Work) -> Result<u64, Report> {
    let there = shards_if_any(shared)?;
    let Some(first) = there.first() else {
        let help = "say how many with --shards N: a task each, some for every core that you hope for";
        return args.shards.ok_or_else(|| miette!(help = help, "{} has no shards yet", args.out.display()));
    };
    if let Some(shards) = args.shards.filter(|shards| *shards != first.of) {
        let help = "leave --shards out, or choose another folder";
        return Err(miette!(
            help = help,
            "{} has shards of {}, not of {shards}",
            args.out.display(),
            first.of
        ));
    }
    // The shards of a tuning look for themselves.
    let Work::Plan(plan) = work else { return Ok(first.of) };
    for shard in &there {
        let folder = shard_folder(shared, *shard);
        check_plan_of(plan, &folder).map_err(|error| match error {
            ResultsError::Shards { problem, help } => miette!(help = help, "{problem}"),
            other => other.into(),
        })?;
        // One that has a plan says that of all; others are refused when they are run or merged.
        if folder.join("manifest.json").exists() {
            break;
        }
    }
    Ok(first.of)
}

fn nothing_to_send(args: &Args, work: &Work, of: u64, there: &ShardsToSend) -> String {
    let ShardsToSend { running, round, .. } = there;
    let (shards, out) = (several(of, "shard"), &args.out);
    let merged = out.join("merged");
    let is_merged = work.is_merged(&merged, round.as_ref());
    if *running > 0 {
        return format!(
            "nothing to submit: of {shards} {running} are being written now, and the others have ended\n"
        );
    }
    let text = round.as_ref().map_or_else(String::new, |round| format!("Race: {round}\n"));
    if is_merged {
        return text + &format!("nothing to submit: {shards} have ended, merged in {}\n", merged.display());
    }
    let [plan, shared, merged] = [&args.plan, &out.join("shards"), &merged].map(|path| quoted_path(path));
    text + &format!(
        "nothing to submit: {shards} have ended\nmerge them with: kenga sweep merge {plan} {shared} --out {merged}\n"
    )
}

/// What a script of kenga's has near its beginning.
const OURS: Overwrite = Overwrite::Marked(MARK);

/// Submits both jobs, and says so; or says how they are run.
fn send(args: &Args, engine: &Engine, scripts: &Scripts, tasks: &Tasks) -> Result<String, Report> {
    let count = tasks.shards.len() as u64;
    let (shards, out, merged) = (several(count, "shard"), args.out.display(), args.out.join("merged"));
    let merge = quoted_path(&scripts.merge_path);
    let Some(submission) = &engine.submission else {
        let shards_script = quoted_path(&scripts.shards_path);
        return Ok(format!("{shards} in {out}\nrun them with: sh {shards_script}; sh {merge}\n"));
    };
    let array = submission.submit(&scripts.shards_path, &[])?;
    write_file(&args.out.join(JOBS), format!("{JOBS_HEAD}{}\t{array}\n", engine.name), Overwrite::Always)?;
    let mut said = format!("job {array}: {shards} in {out}\n");
    let Some(after) = submission.after else {
        let command = submission.command.join(" ");
        return Ok(said + &format!("when it has ended, merge them with: {command} {merge}\n"));
    };
    let waiting = submission.submit(&scripts.merge_path, &after(&array, count > 1))?;
    said += &format!("job {waiting}: merges them to {}\n", merged.display());
    Ok(said)
}

/// The file that names the job of the last submission.
const JOBS: &str = "jobs.tsv";
const JOBS_HEAD: &str = "engine\tjob\n";

/// Refuses while tasks of the last submission wait or run: which of them wait is not known, and they would be made twice.
fn refuse_while_queued(
    engine: &Engine,
    submission: &Submission,
    options: &EngineOptions,
    out: &Path,
) -> Result<(), Report> {
    let known = fs::read_to_string(out.join(JOBS)).unwrap_or_default();
    let last = known.strip_prefix(JOBS_HEAD).and_then(|line| line.trim_end().split_once('\t'));
    let Some((name, job)) = last else { return Ok(()) };
    // What is no id would be an option.
    if name != engine.name || job.starts_with('-') {
        return Ok(());
    }
    let words = (submission.asks)(job, options);
    let said = Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).output();
    // An engine that has forgotten the job, or cannot be asked, has no objection.
    if said.is_ok_and(|said| said.status.success() && !said.stdout.trim_ascii().is_empty()) {
        let help = "wait for it, or cancel it; --force submits what is missing all the same";
        return Err(miette!(help = help, "job {} still waits or runs", printable(job)));
    }
    Ok(())
}

/// The scripts of both jobs, with absolute paths: a task may start anywhere.
struct Scripts {
    shards: String,
    shards_path: PathBuf,
    merge: String,
    merge_path: PathBuf,
}

impl Scripts {
    fn new(
        args: &Args,
        programs: Option<&Path>,
        work: &Work,
        engine: &Engine,
        options: &EngineOptions,
        tasks: &Tasks,
    ) -> Result<Self, Report> {
        speakable(&args.out)?;
        let command = own_command().map_err(|source| Unusable { path: "kenga".into(), source })?;
        let mut program = Vec::new();
        for word in &command {
            program.push(speakable(Path::new(word))?.to_owned());
        }
        let (plan, out) = (absolute(&args.plan)?, absolute(&args.out)?);
        let folder = speakable(&out)?.trim_end_matches('/');
        let plan_text = speakable(&plan)?.to_owned();
        let mut seen = vec![folder.to_owned()];
        // Programs of a configuration are beside the plan.
        let beside = plan.parent().unwrap_or(Path::new("/"));
        if !beside.starts_with(&out) {
            seen.push(speakable(beside)?.to_owned());
        }
        let programs = programs.map(absolute).transpose()?;
        if let Some(programs) = &programs {
            seen.push(speakable(programs)?.to_owned());
        }
        for path in seen.iter().chain([&plan_text]) {
            engine.check_path(path, folder, options)?;
        }
        let shared = format!("{folder}/shards");
        let cpus = options.cpus().to_string();
        let mut run = work.run_words(&plan_text, &shared, &cpus);
        let mut merge = work.merge_words(&plan_text, &shared, &format!("{folder}/merged"));
        if let Some(programs) = &programs {
            let words = ["--programs".to_owned(), speakable(programs)?.to_owned()];
            run.extend(words.clone());
            // The merge of a tuning makes the runs that are missing.
            if matches!(work, Work::Tuning) {
                merge.extend(words);
            }
        }
        let script = |name, tasks, words: &[String]| {
            let (program, seen) = (&program[..], &seen[..]);
            engine.script(&Job { name, tasks, program, words, seen, folder, options })
        };
        Ok(Self {
            shards: script("shards", Some(tasks), &run),
            shards_path: out.join(format!("shards.{}", engine.ending)),
            merge: script("merge", None, &merge),
            merge_path: out.join(format!("merge.{}", engine.ending)),
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn args(out: &str, more: &[&str]) -> Args {
        #[derive(clap::Parser)]
        struct Only {
            #[command(flatten)]
            args: Args,
        }
        let given = ["kenga", "plan.json", "--to", "slurm", "--shards", "2", "--dry-run", "--out", out];
        let parsed: Result<Only, _> = clap::Parser::try_parse_from(given.iter().chain(more));
        parsed.expect("known arguments").args
    }

    fn scripts(out: &str, more: &[&str]) -> Result<Scripts, Report> {
        let args = args(out, more);
        let engine = Engine::named(&args.to);
        let tasks = Tasks { shards: vec![0, 1], of: 2 };
        Scripts::new(&args, None, &Work::Tuning, engine, &engine.options(&args.options)?, &tasks)
    }

    #[test]
    fn nothing_leaves_its_line() {
        for out in ["/out\nid", "/out\rid", "/o\u{1b}[1m"] {
            let error = scripts(out, &[]).err().expect("refused").to_string();
            assert!(error.contains("control characters") && !error.contains(char::is_control), "{error}");
        }
        let scripts = scripts("/my out;id $(id)", &["--option", "partition=a,b_c-1"]).expect("sound");
        for script in [&scripts.shards, &scripts.merge] {
            assert!(script.contains("\n#SBATCH --output='/my out;id $(id)/logs/"), "{script}");
            let known = |line: &str| {
                let heads = [
                    "#!/bin/sh",
                    "# ",
                    "#SBATCH --",
                    "exec ",
                    "log",
                    "trap '",
                    "wait $!",
                    "while kill",
                    "exit \"",
                ];
                line.ends_with(" --shard auto/2 &") || heads.iter().any(|head| line.starts_with(head))
            };
            assert!(script.lines().all(known), "{script}");
        }
    }

    #[test]
    fn a_percent_sign_is_itself_in_the_name_of_a_log_and_elsewhere() {
        let scripts = scripts("/of%a/50%", &[]).expect("sound");
        assert!(
            scripts.shards.contains("--output=/of%%a/50%%/logs/shards-%A_%a.log\n"),
            "{}",
            scripts.shards
        );
        assert!(scripts.shards.contains(" --out /of%a/50%/shards "), "{}", scripts.shards);
        assert!(scripts.merge.contains(" --resume /of%a/50%/merged\n"), "{}", scripts.merge);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a\xff"));
        assert!(speakable(path).is_err_and(|error| error.to_string().contains("UTF-8")));
    }
}
