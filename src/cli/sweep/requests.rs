//! What `kenga sweep submit` asks of an engine: kept beside the shards, so that what is submitted again is asked the same.

use std::fs;
use std::path::PathBuf;

use super::submit::Args;

/// The file with what was asked of the engine.
pub(super) const OPTIONS: &str = "options.tsv";

/// What is asked of the engine: what is given, and what was asked before and is not given now.
pub(super) struct Requests {
    engine: String,
    pub(super) options: Vec<String>,
    pub(super) programs: Option<PathBuf>,
}

impl Requests {
    pub(super) fn read(args: &Args) -> Self {
        let mut requests =
            Self { engine: args.to.clone(), options: args.options.clone(), programs: args.programs.clone() };
        let given: Vec<&str> = args.options.iter().map(|option| name(option)).collect();
        for line in fs::read_to_string(args.out.join(OPTIONS)).unwrap_or_default().lines() {
            match line.split_once('\t') {
                Some(("programs", folder)) if requests.programs.is_none() => {
                    requests.programs = Some(PathBuf::from(folder));
                }
                Some((engine, option)) if engine == args.to && !given.contains(&name(option)) => {
                    requests.options.push(option.to_owned());
                }
                _ => {}
            }
        }
        requests
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for option in &self.options {
            text += &format!("{}\t{option}\n", self.engine);
        }
        if let Some(folder) = self.programs.as_deref().and_then(|folder| std::path::absolute(folder).ok()) {
            text += &format!("programs\t{}\n", folder.display());
        }
        text
    }
}

/// The name of an option, `NAME=VALUE`.
fn name(option: &str) -> &str {
    option.split_once('=').map_or(option, |(name, _)| name)
}
