//! How a script is handed over to an engine.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use miette::{Report, miette};

use super::engines::Submission;
use super::submit::Unusable;
use kenga_core::text::{printable, quoted, quoted_path};

impl Submission {
    /// The command that submits a script, for people.
    pub(super) fn command_line(&self, script: &Path, options: &[String]) -> String {
        let mut words: Vec<String> = self.command.iter().map(|word| (*word).to_owned()).collect();
        words.extend(options.iter().map(|option| quoted(option)));
        words.extend(self.reads_input.then(|| "<".to_owned()));
        words.push(quoted_path(script));
        words.join(" ")
    }

    /// Submits a script; the id of the job.
    pub(super) fn submit(&self, script: &Path, options: &[String]) -> Result<String, Report> {
        let program = self.command[0];
        let help = format!(
            "the scripts are written: run {program} where the engine is, or print them with --dry-run"
        );
        let mut command = Command::new(program);
        command.args(&self.command[1..]).args(options);
        if self.reads_input {
            let script = File::open(script).map_err(|source| Unusable { path: script.to_owned(), source })?;
            command.stdin(script);
        } else {
            command.arg(script).stdin(Stdio::null());
        }
        let ended = command
            .output()
            .map_err(|error| miette!(help = help.clone(), "cannot start {program}: {error}"))?;
        if !ended.status.success() {
            let said = String::from_utf8_lossy(&ended.stderr);
            let said = printable(said.trim()).into_owned();
            return Err(miette!(help = help, "{program} rejected {}: {said}", script.display()));
        }
        let said = String::from_utf8_lossy(&ended.stdout);
        let id = (self.id)(&said).filter(|id| !id.is_empty() && !id.contains(char::is_whitespace));
        id.map(str::to_owned).ok_or_else(|| {
            miette!("{program} named no job for {}: it said {:?}", script.display(), said.trim())
        })
    }
}
