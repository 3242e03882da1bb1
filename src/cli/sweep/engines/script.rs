//! Jobs, and the shell scripts that engines of batch jobs read: lines for the engine, then those for the shell.

use std::fmt::Write as _;

use super::option::EngineOptions;
use kenga_core::text::quoted;

/// A job: the tasks of an array, or the merge.
pub(in crate::cli::sweep) struct Job<'a> {
    /// `shards` or `merge`.
    pub(in crate::cli::sweep) name: &'static str,
    /// The shards that are made; `None` for the merge.
    pub(in crate::cli::sweep) tasks: Option<&'a Tasks>,
    /// The words of the program.
    pub(in crate::cli::sweep) program: &'a [String],
    /// The words behind them, without the shard.
    pub(in crate::cli::sweep) words: &'a [String],
    /// Folders that a container has to see.
    pub(in crate::cli::sweep) seen: &'a [String],
    /// The folder of the sweep, an absolute path.
    pub(in crate::cli::sweep) folder: &'a str,
    pub(in crate::cli::sweep) options: &'a EngineOptions,
}

/// The shards that an array makes.
pub(in crate::cli::sweep) struct Tasks {
    /// The shard of every task.
    pub(in crate::cli::sweep) shards: Vec<u64>,
    /// How many shards there are of the plan.
    pub(in crate::cli::sweep) of: u64,
}

impl Tasks {
    /// How many tasks there are, where it takes an array.
    pub(super) fn array(&self) -> Option<u64> {
        Some(self.shards.len() as u64).filter(|count| *count > 1)
    }

    /// Every shard of the plan is made, by the task of its index.
    pub(super) fn are_all(&self) -> bool {
        self.shards.len() as u64 == self.of
    }
}

/// The lines that an engine of job arrays reads, and how it numbers tasks.
///
/// Each line of the text is written behind `prefix`, but for lines that begin with `#`, which are comments. `{name}` stands for the
/// value that [`Job::value`] gives to this name. If it gives none, the line is left out, or only the part `<...>` that holds the
/// name. A line that begins with `shards:` or `merge:` is for the shards or for the merge, one that begins with `mail:` for a merge
/// with an address to write to, one that begins with `array:` for an array of two tasks or more.
pub(super) struct Template {
    pub(super) lines: &'static str,
    /// The beginning of every line for the engine.
    pub(super) prefix: &'static str,
    /// The variable with the index of a task.
    pub(super) index: &'static str,
    /// The index of the first task.
    pub(super) first: u64,
}

impl Template {
    /// The script of a job.
    pub(super) fn script(&self, job: &Job<'_>) -> String {
        let mut text = format!("{}\n# {MARK}\n", job.shell_line());
        for line in self.lines.lines().filter(|line| !line.starts_with('#')) {
            if let Some(line) = job.line_for_job(line).and_then(|line| job.filled(line)) {
                text += &format!("{} {line}\n", self.prefix);
            }
        }
        for option in &job.options.passed {
            text += &format!("{} {option}\n", self.prefix);
        }
        text += &job.modules();
        match job.tasks {
            Some(tasks) => text + &self.task_lines(job, tasks),
            None => text + &format!("exec {}\n", job.command_line()),
        }
    }

    /// The lines by which a task makes its shard.
    fn task_lines(&self, job: &Job<'_>, tasks: &Tasks) -> String {
        let of = tasks.of;
        // Some engines give no index to a task that is alone.
        if tasks.array().is_none() {
            let shard = format!("{}/{of}", tasks.shards[0]);
            return job.logged(&shard, &shard);
        }
        let Self { index, first, .. } = self;
        if tasks.are_all() {
            return job.logged(&format!("auto/{of}"), &format!("$(({index} - {first}))/{of}"));
        }
        shard_of_task(tasks, index, *first)
            + &job.logged(&format!("\"$shard/{of}\""), &format!("$shard/{of}"))
    }
}

/// What a script of kenga's has near its beginning, so that it may be overwritten.
pub(in crate::cli::sweep) const MARK: &str = "written by kenga sweep submit";

impl Job<'_> {
    /// The first line. Only a login shell knows modules.
    pub(super) fn shell_line(&self) -> String {
        format!("#!{}{}", self.shell(), if self.options.has("modules") { " -l" } else { "" })
    }

    fn shell(&self) -> &'static str {
        if self.options.has("modules") { "/bin/bash" } else { "/bin/sh" }
    }

    /// The line without its condition; nothing if the condition does not hold.
    fn line_for_job<'a>(&self, line: &'a str) -> Option<&'a str> {
        let conditions = [
            ("shards: ", self.tasks.is_some()),
            ("merge: ", self.tasks.is_none()),
            ("mail: ", self.tasks.is_none() && self.options.has("mail")),
            ("array: ", self.tasks.is_some_and(|tasks| tasks.array().is_some())),
        ];
        for (condition, holds) in conditions {
            if let Some(line) = line.strip_prefix(condition) {
                return holds.then_some(line);
            }
        }
        Some(line)
    }

    /// The line with its values; nothing if one is not given.
    fn filled(&self, line: &str) -> Option<String> {
        if let Some((before, rest)) = line.split_once('<') {
            let (part, after) = rest.split_once('>').expect("`<` of a template has its `>`");
            let part = self.filled(part).unwrap_or_default();
            return Some(self.filled(before)? + &part + &self.filled(after)?);
        }
        let Some((before, rest)) = line.split_once('{') else { return Some(line.to_owned()) };
        let (name, after) = rest.split_once('}').expect("`{` of a template has its `}`");
        Some(before.to_owned() + &self.value(name)? + &self.filled(after)?)
    }

    /// The value of a name in a template; nothing if it is not given.
    fn value(&self, name: &str) -> Option<String> {
        let options = self.options;
        let count = self.tasks.map_or(1, |tasks| tasks.shards.len());
        let cpus = if self.tasks.is_some() { options.cpus() } else { 1 };
        match name {
            "name" => Some(self.name.to_owned()),
            "folder" => Some(self.folder.to_owned()),
            "log_pattern" => Some(self.log_pattern()),
            "shell" => Some(self.shell().to_owned()),
            "count" => Some(count.to_string()),
            "last" => Some((count - 1).to_string()),
            "cpus" => Some(cpus.to_string()),
            "memory_per_core" => Some(options.number("memory")?.div_ceil(cpus).to_string()),
            "clock" => options.clock_time(),
            "hours_and_minutes" => {
                let minutes = options.number("time")?.div_ceil(60);
                Some(format!("{}:{:02}", minutes / 60, minutes % 60))
            }
            // A parallel environment is asked for if a task has several cores.
            "parallel_environment" => {
                let environment = options.word("environment").or((cpus > 1).then_some("smp"));
                environment.map(str::to_owned)
            }
            "memory" | "throttle" => options.number(name).map(|number| number.to_string()),
            _ => options.word(name).map(str::to_owned),
        }
    }

    /// The path of the log of a Slurm job, for a shell.
    fn log_pattern(&self) -> String {
        let number = if self.tasks.is_some() { "%A_%a" } else { "%j" };
        // Slurm reads `%a` as a pattern, and a doubled percent sign as one.
        quoted(&format!("{}/logs/{}-{number}.log", self.folder.replace('%', "%%"), self.name))
    }

    /// The line that loads modules.
    pub(super) fn modules(&self) -> String {
        let Some(modules) = self.options.word("modules") else { return String::new() };
        let names: Vec<&str> = modules.split(',').filter(|name| !name.is_empty()).collect();
        // An engine may start the script with a shell of its own.
        format!("type module >/dev/null 2>&1 || . /etc/profile\nmodule load {} || exit 1\n", names.join(" "))
    }

    /// The lines that make a shard, and note in the log where and when it begins and how it ends, also by a kill.
    fn logged(&self, shard: &str, name: &str) -> String {
        let command = self.command_line();
        format!(
            "log() {{ echo \"shard {name} on $(uname -n), $(date '+%Y-%m-%d %H:%M:%S'): $*\" >&2; }}\n\
             log begins\n\
             trap 'kill -s TERM $!' TERM INT\n\
             {command} --shard {shard} &\n\
             wait $!; code=$?\n\
             # A signal ends the wait before it ends the program.\n\
             while kill -s 0 $! 2>/dev/null; do wait $!; code=$?; done\n\
             log \"ended with $code (0 done, 1 with failed runs, 2 an error, 130 or 143 stopped, 137 killed)\"\n\
             exit \"$code\"\n"
        )
    }

    /// The program and its words, for a shell.
    pub(super) fn command_line(&self) -> String {
        let mut words = Vec::new();
        if let Some(image) = self.options.word("container") {
            words.extend(["apptainer".to_owned(), "exec".to_owned()]);
            for folder in self.seen {
                words.extend(["--bind".to_owned(), quoted(folder)]);
            }
            words.extend([quoted(image), "kenga".to_owned()]);
        } else {
            words.extend(self.program.iter().map(|word| quoted(word)));
        }
        words.extend(self.words.iter().map(|word| quoted(word)));
        words.join(" ")
    }
}

/// The lines that say which shard a task makes, by the variable of its index.
pub(super) fn shard_of_task(tasks: &Tasks, index: &str, first: u64) -> String {
    let mut text = format!("# The shards that were missing, a line for each task.\ncase \"${index}\" in\n");
    for (task, shard) in (first..).zip(&tasks.shards) {
        let _ = writeln!(text, "{task}) shard={shard} ;;");
    }
    text + &format!("*) echo \"no shard for task ${index}\" >&2; exit 2 ;;\nesac\n")
}
