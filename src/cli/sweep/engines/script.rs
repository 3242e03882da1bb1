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

/// How an engine reads a script, and tells a task its index.
pub(super) struct Dialect {
    /// What the lines for the engine begin with.
    pub(super) prefix: &'static str,
    /// The variable with the index of a task.
    pub(super) index: &'static str,
    /// The index of the first task.
    pub(super) first: u64,
}

/// What a script of kenga's has near its beginning, so that it may be overwritten.
pub(in crate::cli::sweep) const MARK: &str = "written by kenga sweep submit";

impl Job<'_> {
    /// The script with these lines for the engine.
    pub(super) fn batch_script(&self, dialect: &Dialect, lines: &[String]) -> String {
        let mut text = format!("{}\n# {MARK}\n", self.shell());
        for line in lines {
            text += &format!("{} {line}\n", dialect.prefix);
        }
        for option in &self.options.passed {
            text += &format!("{} {option}\n", dialect.prefix);
        }
        text += &self.modules();
        match self.tasks {
            Some(tasks) => text + &self.task_lines(tasks, dialect),
            None => text + &format!("exec {}\n", self.command_line()),
        }
    }

    /// The first line. Only a login shell knows modules.
    pub(super) fn shell(&self) -> &'static str {
        if self.options.has("modules") { "#!/bin/bash -l" } else { "#!/bin/sh" }
    }

    /// The line that loads modules.
    pub(super) fn modules(&self) -> String {
        let Some(modules) = self.options.word("modules") else { return String::new() };
        let names: Vec<&str> = modules.split(',').filter(|name| !name.is_empty()).collect();
        // An engine may start the script with a shell of its own.
        format!("type module >/dev/null 2>&1 || . /etc/profile\nmodule load {} || exit 1\n", names.join(" "))
    }

    /// The lines by which a task makes its shard.
    fn task_lines(&self, tasks: &Tasks, dialect: &Dialect) -> String {
        let of = tasks.of;
        // One task is no array everywhere: there may be no index.
        if tasks.array().is_none() {
            let shard = format!("{}/{of}", tasks.shards[0]);
            return self.logged(&shard, &shard);
        }
        let Dialect { index, first, .. } = *dialect;
        if tasks.are_all() {
            return self.logged(&format!("auto/{of}"), &format!("$(({index} - {first}))/{of}"));
        }
        shard_of_task(tasks, index, first)
            + &self.logged(&format!("\"$shard/{of}\""), &format!("$shard/{of}"))
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
