//! The engines that `kenga sweep submit` writes scripts for: a line each in [`ENGINES`].
//!
//! To add an engine of job arrays: its lines in a text file, its entry in `batch.rs`, and a line here.
//!
//! **Invariant**: a task makes the shard that its script says, whatever its engine counts from, and nothing that a user gives
//! leaves its line.

mod batch;
mod kubernetes;
mod option;
mod parallel;
mod script;

use std::path::Path;

use miette::{Report, miette};

pub(super) use option::EngineOptions;
pub(super) use script::{Job, MARK, Tasks};

use kenga_core::text::printable;
use option::EngineOption;
use script::Template;

/// An engine that runs the tasks of a job array.
pub(super) struct Engine {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// What may be asked of it.
    options: &'static [EngineOption],
    /// Of these options one must be given each.
    needs: &'static [&'static str],
    /// How the names of its scripts end.
    pub(super) ending: &'static str,
    /// Which paths its scripts can hold.
    paths: Paths,
    script: Script,
    /// How a script is submitted; `None` where it is run.
    pub(super) submission: Option<Submission>,
}

/// Which paths a script can hold. Control characters are refused before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paths {
    /// All of them: they are quoted.
    Quoted,
    /// Those that need no quotes, of which the engine knows none.
    Plain,
    /// Those without braces, which the engine replaces.
    NoBraces,
}

/// How the script of a job is made.
enum Script {
    /// From the lines of a template, and those by which every shell makes a shard.
    Lines(Template),
    Function(fn(&Job<'_>) -> String),
}

/// How an engine takes a script.
pub(super) struct Submission {
    /// The program, and its options before the script.
    pub(super) command: &'static [&'static str],
    /// It reads the script from standard input.
    pub(super) reads_input: bool,
    /// The id of the job in what it says.
    pub(super) id: fn(&str) -> Option<&str>,
    /// The options of a job that waits for the end of another one, which may be an array, however its tasks end: shards with
    /// failed runs are merged, and a merge that lacks a shard says so. `None` where no job can wait.
    pub(super) after: Option<fn(&str, bool) -> Vec<String>>,
    /// The command that prints something and succeeds as long as a job waits or runs.
    pub(super) asks: fn(&str, &EngineOptions) -> Vec<String>,
}

/// Every engine.
pub(super) static ENGINES: [&Engine; 7] = [
    &batch::SLURM,
    &batch::SGE,
    &batch::LSF,
    &batch::PBS,
    &batch::TORQUE,
    &parallel::ENGINE,
    &kubernetes::ENGINE,
];

impl Engine {
    /// The engine of a name that clap has checked.
    pub(super) fn named(name: &str) -> &'static Self {
        ENGINES.iter().find(|engine| engine.name == name).expect("clap takes the names of the table alone")
    }

    /// The script of a job.
    pub(super) fn script(&self, job: &Job<'_>) -> String {
        match &self.script {
            Script::Lines(template) => template.script(job),
            Script::Function(script) => script(job),
        }
    }

    /// What is asked of it, `NAME=VALUE` each.
    pub(super) fn options(&self, given: &[String]) -> Result<EngineOptions, Report> {
        let options = EngineOptions::read(self.name, self.options, given)?;
        for name in self.needs {
            if !options.has(name) {
                let help = option::listing(self.options);
                return Err(miette!(help = help, "{} needs --option {name}=VALUE", self.name));
            }
        }
        Ok(options)
    }

    /// The name of an option, `NAME=VALUE`: the first of its names, or that of an option of the engine itself without dashes.
    pub(super) fn option_name<'a>(&self, option: &'a str) -> &'a str {
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        let known = self.options.iter().find(|known| known.names.contains(&name));
        known.map_or(name.trim_start_matches('-'), |known| known.names[0])
    }

    /// Refuses a path that its scripts cannot hold, or that its tasks would not see. The folder of the sweep is at `folder`.
    pub(super) fn check_path(&self, path: &str, folder: &str, options: &EngineOptions) -> Result<(), Report> {
        let mount = options.word("mount").unwrap_or(folder);
        if self.needs.contains(&"claim") && !Path::new(path).starts_with(mount) {
            let help = "--option mount=PATH names the folder where they see the claim: plan and results must be in it";
            return Err(miette!(
                help = help,
                "the pods see {mount} alone, in which {} is not",
                printable(path)
            ));
        }
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=@".contains(c);
        let mut is_sound = match self.paths {
            Paths::Quoted => true,
            Paths::Plain => path.chars().all(is_plain),
            Paths::NoBraces => !path.contains(['{', '}']),
        };
        // What a container sees is told by paths with these between them.
        if options.has("container") && self.paths != Paths::Plain {
            is_sound &= !path.contains([',', ':']);
        }
        if is_sound {
            return Ok(());
        }
        let help = "choose a path of letters, digits and / . _ - + = @";
        Err(miette!(help = help, "a script of {} cannot hold the path {}", self.name, printable(path)))
    }
}

#[cfg(all(test, unix))]
mod tests;
