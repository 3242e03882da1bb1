//! The layers of a configuration: the preset that the file names, the file, and what was set over it.

use super::toml::{ConfigError, Sources, merge};
use kenga_core::spec::{Spec, SpecError, Value};

/// Layers, each laid over those before it, with the texts that they come from.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    pub(super) sources: Sources,
    /// The preset that the file names.
    pub(super) preset: Spec,
    /// The file and what was set over it, in this order.
    pub(super) above: Vec<Spec>,
}

impl Layers {
    /// All of them over a preset, in place of the one that the file names.
    pub(super) fn merged(&self, preset: &Spec) -> Spec {
        let mut spec = preset.clone();
        if let Some(file) = self.above.first() {
            spec.place = file.place;
        }
        for layer in &self.above {
            merge(&mut spec, layer);
        }
        spec
    }

    /// All of them over the preset of this name; over the one that the file names where `presets` has none of this name.
    pub(super) fn over(&self, name: Option<&Value>, presets: &[(Value, Spec)]) -> Spec {
        for (other, preset) in presets {
            if Some(other) == name {
                return self.merged(preset);
            }
        }
        self.merged(&self.preset)
    }

    /// Shows an error in the text that it is about.
    pub(super) fn show(&self, error: &SpecError) -> ConfigError {
        self.sources.show(error)
    }
}
