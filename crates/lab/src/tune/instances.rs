//! The instances of a problem of the user's own: those that are tuned on, and those that are held out.

use crate::experiment::Config;
use kenga_core::puzzle::Puzzle;
use kenga_core::spec::{Spec, SpecError};
use kenga_core::text::nearest;

/// What is tuned on, and what is held out.
#[derive(Clone, Debug, Default)]
pub struct InstanceParts {
    /// What candidates are raced on.
    pub training: Vec<Puzzle>,
    /// What the best is validated on.
    pub held_out: Vec<Puzzle>,
}

impl InstanceParts {
    /// The parts of the instances of a configuration; `None` where it has puzzles, whose files are read.
    pub(super) fn of(default: &Config, held_out: &[String]) -> Option<Self> {
        let mut parts = Self::default();
        for instance in default.instances()? {
            let is_held_out = held_out.contains(&instance.id);
            let part = if is_held_out { &mut parts.held_out } else { &mut parts.training };
            part.push(instance);
        }
        Some(parts)
    }
}

/// Checks the names that `validate` holds out of instances.
///
/// # Errors
/// A name that no instance has, and no instance that is left to tune on.
pub(super) fn check_names(spec: &Spec, instances: &[Puzzle]) -> Result<(), SpecError> {
    let place = spec.place_of("validate");
    let held_out = spec.texts("validate");
    let names: Vec<&str> = instances.iter().map(|instance| instance.id.as_str()).collect();
    if let Some(unknown) = held_out.iter().find(|name| !names.contains(&name.as_str())) {
        let near = nearest(unknown, names.iter().copied());
        let help = match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("[problem.instances] has {}", names.join(", ")),
        };
        let message = format!("`validate` holds out `{unknown}`, and [problem] has no instance of this name");
        return Err(SpecError::Conflict { message, help, place });
    }
    if names.iter().all(|name| held_out.iter().any(|held| held == name)) {
        return Err(SpecError::Conflict {
            message: "`validate` holds out all instances of [problem]".to_owned(),
            help: "leave one to tune on".to_owned(),
            place,
        });
    }
    Ok(())
}
