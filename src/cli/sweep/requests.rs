//! What `kenga sweep submit` asks of an engine: kept beside the shards, so that what is submitted again is asked the same.

use std::fs;
use std::path::{Path, PathBuf};

use super::engines::Engine;

/// The file with what was asked of the engine.
pub(super) const OPTIONS: &str = "options.tsv";

/// What is asked of the engine: what is given, and what was asked before and is not given now.
pub(super) struct Requests {
    engine: String,
    pub(super) options: Vec<String>,
    pub(super) programs: Option<PathBuf>,
}

impl Requests {
    /// The requests of a submission to `engine`, with those of an earlier one whose shards are in `folder`.
    pub(super) fn read(folder: &Path, engine: &Engine, options: &[String], programs: Option<&Path>) -> Self {
        let mut requests = Self {
            engine: engine.name.to_owned(),
            options: options.to_vec(),
            programs: programs.map(Path::to_owned),
        };
        let given: Vec<&str> = options.iter().map(|option| engine.option_name(option)).collect();
        for line in fs::read_to_string(folder.join(OPTIONS)).unwrap_or_default().lines() {
            match line.split_once('\t') {
                Some(("programs", folder)) if requests.programs.is_none() => {
                    requests.programs = Some(PathBuf::from(folder));
                }
                Some((known, option))
                    if known == requests.engine && !given.contains(&engine.option_name(option)) =>
                {
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
