//! The validation of a tuning on held-out puzzles: results folders of the default and the best.

use std::borrow::Cow;

use super::super::{Tuned, VALIDATION_FOLDERS};
use super::{Check, Replaying};
use crate::experiment::{Config, Plan, Shard, Space};
use crate::results::{
    MANIFEST, Manifest, PUZZLES, ResultsError, Validation, puzzle_lines, read_file, validate,
};

impl Check<'_> {
    /// Checks the folders of the validation.
    pub(super) fn held_out(
        &mut self,
        space: &Space,
        tuned: Option<&Tuned>,
        replaying: Replaying<'_>,
    ) -> Result<(), ResultsError> {
        // The default is not run twice where it is the best itself.
        let best = tuned.map(Tuned::best).filter(|best| best.index != 0).map(|best| &best.config);
        let default = tuned.map(|_| space.default()).filter(|_| !self.files.manifest.held_out.is_empty());
        let configs = [default, best.filter(|_| !self.files.manifest.held_out.is_empty())];
        for ((name, config), is_there) in VALIDATION_FOLDERS.into_iter().zip(configs).zip(self.files.held_out)
        {
            match config {
                Some(config) if is_there => self.held_out_folder(name, config, replaying)?,
                Some(_) if self.files.has_ended => self.refute(name, 0, "it is missing".to_owned()),
                // Resuming makes the lost runs again, and goes on with this folder.
                None if tuned.is_none() && self.may_have_lost_ends() => {}
                None if is_there => {
                    self.refute(name, 0, "the tuning does not ask for this folder".to_owned());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks a folder: it is for this configuration and these puzzles, and holds as the results of an experiment.
    fn held_out_folder(
        &mut self,
        name: &'static str,
        config: &Config,
        replaying: Replaying<'_>,
    ) -> Result<(), ResultsError> {
        let folder = self.folder.join(name);
        if !self.files.has_ended && !folder.join(MANIFEST).exists() {
            // A program that is killed, or still writes, has only begun it.
            return Ok(());
        }
        let held_out = &self.files.manifest.held_out;
        let plan = Plan::new(config.clone(), held_out.clone());
        let is_ours = read_file(&folder, MANIFEST)? == Manifest::new(&plan, Shard::WHOLE).text().as_bytes()
            && read_file(&folder, PUZZLES)? == puzzle_lines(held_out).as_bytes();
        if !is_ours {
            let problem = "it is not for this configuration and the held-out puzzles".to_owned();
            self.refute(name, 0, problem);
        }
        let Replaying { replay, jobs, programs, watch, interrupt, .. } = replaying;
        let found = validate(&folder, replay, jobs, programs.cloned(), watch, interrupt)?;
        if self.files.has_ended && !found.is_being_written && !found.checksums {
            self.refute(name, 0, "its runs have not ended, but the tuning has".to_owned());
        }
        self.add(name, found);
        Ok(())
    }

    /// Adds what was found of a folder.
    fn add(&mut self, name: &str, found: Validation) {
        let all = &mut self.found.all;
        if found.is_being_written {
            all.is_being_written = true;
            return;
        }
        for mut finding in found.findings {
            // Both folders have files of the same names.
            finding.file = Cow::Owned(format!("{name}/{}", finding.file));
            all.findings.push(finding);
        }
        all.runs += found.runs;
        all.solved += found.solved;
        all.samples += found.samples;
        all.replayed += found.replayed;
        all.not_replayable += found.not_replayable;
        all.failed += found.failed;
        all.not_started += found.not_started;
        all.changed += found.changed;
        all.unsteady += found.unsteady;
        all.missing += found.missing;
    }
}
