//! A plan that is known, with the texts that its folders hold: the shards of one plan are told by their bytes, because a plan of
//! many settings takes longer to read than the rows of a small shard.

use std::path::Path;

use super::Manifest;
use super::files::{MANIFEST, PUZZLES, SETTINGS, puzzle_lines, read};
use crate::experiment::{Plan, Shard};

/// A plan, and the texts of its folders.
pub struct KnownPlan<'a> {
    plan: &'a Plan,
    manifest: Manifest,
    /// `None` without a sweep.
    settings: Option<String>,
    puzzles: String,
}

impl<'a> KnownPlan<'a> {
    /// A plan with its texts.
    pub fn new(plan: &'a Plan) -> Self {
        let settings = plan.settings.sweep.is_some().then(|| plan.settings.lines());
        let manifest = Manifest::new(plan, Shard::WHOLE);
        Self { plan, manifest, settings, puzzles: puzzle_lines(&plan.puzzles) }
    }

    /// The plan.
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The shard that a folder is for; `None` where it is not of this plan byte for byte, or cannot be read.
    pub(super) fn shard_of(&self, folder: &Path) -> Option<Shard> {
        let text = read(folder, MANIFEST).ok()?;
        let mut theirs = Manifest::parse(str::from_utf8(&text).ok()?)?;
        let shard = theirs.shard.take().unwrap_or(Shard::WHOLE);
        if theirs.run_costs.take() != self.plan.costs.clone().filter(|_| shard != Shard::WHOLE) {
            return None;
        }
        if theirs != self.manifest || read(folder, PUZZLES).ok()? != self.puzzles.as_bytes() {
            return None;
        }
        if let Some(settings) = &self.settings
            && read(folder, SETTINGS).ok()? != settings.as_bytes()
        {
            return None;
        }
        Some(shard)
    }
}
