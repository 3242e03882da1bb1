//! The plan that a folder keeps: manifest, settings and puzzles, read back.

use std::path::Path;

use crate::experiment::{Plan, Settings, Shard};
use crate::puzzle::{Puzzle, formats};

use super::agreement::disagreement;
use super::files::{self, MANIFEST, PUZZLES, SETTINGS};
use super::manifest::FORMAT;
use super::{Manifest, ResultsError};

/// The plan that a folder keeps, and which of its runs the folder is for.
///
/// # Errors
/// [`ResultsError::NoResults`]; [`ResultsError::Damaged`] for what cannot be read; [`ResultsError::OtherVersion`], whose runs
/// cannot be made again; [`ResultsError::Io`].
pub fn read_plan(folder: &Path) -> Result<(Plan, Shard), ResultsError> {
    let damaged = |name: &'static str, problem: String| ResultsError::Damaged {
        path: folder.join(name),
        at: String::new(),
        problem,
    };
    if !folder.join(MANIFEST).exists() {
        return Err(ResultsError::NoResults { path: folder.to_owned() });
    }
    let manifest = Manifest::parse(&text(folder, MANIFEST)?)
        .ok_or_else(|| damaged(MANIFEST, "not a manifest".to_owned()))?;
    let settings = || text(folder, SETTINGS);
    let plan = plan_of(&manifest, settings, &files::read(folder, PUZZLES)?, &damaged)?;
    Ok((plan, manifest.shard.unwrap_or(Shard::WHOLE)))
}

/// The plan of a manifest, of which a sweep has `settings`; `damaged` names the part that cannot be used.
pub(super) fn plan_of(
    manifest: &Manifest,
    settings: impl FnOnce() -> Result<String, ResultsError>,
    puzzles: &[u8],
    damaged: &dyn Fn(&'static str, String) -> ResultsError,
) -> Result<Plan, ResultsError> {
    let other_version = |problem| match damaged(MANIFEST, problem) {
        ResultsError::Damaged { path, problem, .. } => {
            ResultsError::OtherVersion { path, problem, wrote: manifest.kenga.clone() }
        }
        other => other,
    };
    let this = env!("CARGO_PKG_VERSION");
    if manifest.kenga != this {
        return Err(other_version(format!("written by kenga {}, this is {this}", manifest.kenga)));
    }
    if manifest.format != FORMAT {
        let problem = format!("layout {} of a folder, this version knows {FORMAT}", manifest.format);
        return Err(other_version(problem));
    }
    let config = manifest.to_config().map_err(|error| damaged(MANIFEST, error.to_string()))?;
    let settings = match manifest.sweep() {
        None => Settings::from(config),
        sweep => {
            let text = settings()?;
            let settings = Settings::from_lines(&text, &config, sweep)
                .map_err(|error| damaged(SETTINGS, error.to_string()))?
                .ok_or_else(|| damaged(SETTINGS, "not the settings of a sweep".to_owned()))?;
            if let Some(problem) = disagreement(&settings, &text, &config) {
                return Err(damaged(SETTINGS, problem));
            }
            settings
        }
    };
    let puzzles: Vec<Puzzle> = formats::read(PUZZLES, puzzles)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| damaged(PUZZLES, error.to_string()))?;
    match puzzles.is_empty() {
        true => Err(damaged(PUZZLES, "there is no puzzle".to_owned())),
        false => Ok(Plan::new(settings, puzzles)),
    }
}

fn text(folder: &Path, name: &str) -> Result<String, ResultsError> {
    Ok(String::from_utf8_lossy(&files::read(folder, name)?).into_owned())
}
